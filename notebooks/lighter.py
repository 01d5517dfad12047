"""What the pages of the web edition carry for nothing, taken out of a build: an extension of Sphinx, named in conf.py.

The theme brings an icon font with two thousand rules, where icons.css draws the few icons in use; MyST-NB brings the
colours of a terminal, which no output has; a figure of a dozen colours needs no three bytes for each pixel.
"""

import re
from pathlib import Path

RULE = re.compile(r"([^{}]*)\{[^{}]*\}")
UNUSED = re.compile(r"\.fa-|\.-Color|@font-face")


def setup(app):
    app.connect("build-finished", _lighten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _lighten(app, failed):
    if failed or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    for path in (*folder.glob("_static/styles/pydata-sphinx-theme.css"), *folder.glob("_static/mystnb.*.css")):
        path.write_text(used(path.read_text(encoding="utf-8")), encoding="utf-8")
    for path in folder.glob("_images/*.png"):
        give_palette(path)


def used(css):
    """A style sheet without the rules whose every selector is of no use here.

    >>> used(".fa-bars{--fa:'x'}.btn,.fa-bars{color:red}@font-face{src:url(x)}")
    '.btn,.fa-bars{color:red}'
    """
    return RULE.sub(lambda rule: "" if all(map(UNUSED.search, rule[1].split(","))) else rule[0], css)


def give_palette(path):
    """Write a picture with at most 256 colours, unless it has a palette already."""
    from PIL import Image

    with Image.open(path) as picture:
        if picture.mode != "P":
            small = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
            small.save(path, optimize=True)
