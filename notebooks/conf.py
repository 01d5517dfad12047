"""The web edition: sphinx-build notebooks build/web (nothing from the network).

The Japanese edition (ja/conf.py) is built beside it, into its folder ja/, by a second process.
The pages are the built notebooks as they are: no cell is run. Nothing on a page asks another host.
"""

import json
import os
import re
import subprocess
import sys
from binascii import a2b_base64
from hashlib import sha256
from pathlib import Path
from string import Template

from docutils import nodes
from sphinx.errors import SphinxError

from bpelab import show, vocabularies

HERE = Path(__file__).parent
sys.path.append(str(HERE))

#: The one setting: all links to the source, to issues, Binder and Colab follow from it; without it there are none.
#: For example "https://github.com/OWNER/bpelab"; the workflow that publishes the book hands its own over.
REPOSITORY = os.environ.get("BPELAB_REPOSITORY", "")

project = "bpelab"
author = "the bpelab authors"
copyright = "the bpelab authors, MIT licence"
language = "en"

extensions = ["myst_nb", "bpelab.play", "lighter"]
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["colon_fence"]
include_patterns = ["*.md", "[0-9][0-9]_*.ipynb", "solutions/*.ipynb", "appendix_*.ipynb", "build_*.ipynb"]
suppress_warnings = ["mystnb.unknown_mime_type"]

html_theme = "sphinx_book_theme"
html_title = "bpelab"
html_theme_options = {
    "show_navbar_depth": 1,
    "show_toc_level": 2,
    "home_page_in_toc": True,
    "use_download_button": True,
    "article_header_end": ["language.html", "article-header-buttons.html"],
}
if REPOSITORY:
    html_theme_options |= {
        "repository_url": REPOSITORY,
        "repository_branch": "launch",  # as main, each notebook with a cell that installs bpelab: launch.py
        "path_to_docs": "notebooks",
        "use_repository_button": True,
        "use_issues_button": True,
        "use_edit_page_button": True,
        "launch_buttons": {
            "binderhub_url": "https://mybinder.org",
            "colab_url": "https://colab.research.google.com",
            "notebook_interface": "jupyterlab",
        },
    }
html_context = {"default_mode": "auto", "edition": "en"}
if REPOSITORY:  # a chapter is edited in its source, never in the notebook
    html_context["edit_page_provider_name"] = "GitHub"
    html_context["edit_page_url_template"] = (
        f"{REPOSITORY}/edit/main/notebooks/"
        "{{ 'src/' ~ file_name | replace('.ipynb', '.py') | replace('solutions/', '')"
        " if '.ipynb' in file_name else file_name }}"
    )
html_sidebars = {"**": ["navbar-logo.html", "search-button-field.html", "sbt-sidebar-nav.html"]}
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["icons.css", "bpelab.css"]
html_js_files = ["language.js"]
html_favicon = "static/favicon.svg"
html_last_updated_fmt = ""
html_use_index = False
mathjax_path = "not-needed.js"  # no chapter holds formulas, so no page asks for it


def setup(app):
    app.connect("source-read", complete_index)
    app.connect("doctree-read", name_figures)
    app.connect("doctree-read", number_sections)
    app.connect("builder-inited", _begin_japanese)
    app.connect("build-finished", _end_japanese)


def _begin_japanese(app):
    """Start to build the Japanese edition, with the warnings and the strictness of this one."""
    if app.builder.name == "html" and (Path(app.srcdir) / "ja" / "index.md").exists():
        strict = ["-W"] if app.warningiserror else []
        command = [sys.executable, "-m", "sphinx", "-q", *strict, Path(app.srcdir) / "ja", Path(app.outdir) / "ja"]
        app.japanese = subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8")


def _end_japanese(app, exception):
    if process := vars(app).pop("japanese", None):  # once: an exception ends the build a second time
        said = process.communicate()[1]
        if process.returncode:
            raise SphinxError(f"the Japanese edition could not be built:\n{said}")
        sys.stderr.write(said)


def complete_index(app, name, source):
    """Fill in what the index shows of the book: a sentence in tokens, and the minutes of each chapter."""
    if name == "index":
        sentence = one_sentence().replace(" tokens<", "トークン<" if app.config.language == "ja" else " tokens<")
        source[0] = Template(with_minutes(source[0], Path(app.srcdir))).substitute(tokens=sentence)


def number_sections(app, page):
    """Give each section the further name s1, s2 ...: the same in both languages, so that a reader can change over."""
    for number, section in enumerate(page.findall(nodes.section), 1):
        section["ids"].append(f"s{number}")


def name_figures(app, page):
    """Give the figures of a notebook the alternative texts that its outputs carry: MyST-NB passes them over."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix == ".ipynb":
        texts = alternative_texts(json.loads(path.read_text(encoding="utf-8")))
        for image in page.findall(nodes.image):
            image["alt"] = texts.get(Path(image["uri"]).stem, image.get("alt", ""))


def alternative_texts(notebook):
    """The alternative texts of a notebook's figures by the hash of the picture, which is how MyST-NB names its file."""
    texts = {}
    for output in (output for cell in notebook["cells"] for output in cell.get("outputs", ())):
        if alt := output.get("metadata", {}).get("image/png", {}).get("alt"):
            texts[sha256(a2b_base64(output["data"]["image/png"])).hexdigest()] = alt
    return texts


def with_minutes(text, folder):
    """The index of a folder, with the minutes that each chapter gives itself after the link to it."""

    def completed(link):
        notebook = json.loads((folder / link[1]).read_text(encoding="utf-8"))
        minutes = re.search(r"\d+(?:\s+minutes|\s?分)", "".join(notebook["cells"][0]["source"]))
        return f"{link[0]} <small>{' '.join(minutes[0].split())}</small>" if minutes else link[0]

    return re.sub(r"^- \[.*?\]\((\d\d_\w+\.ipynb)\)", completed, text, flags=re.MULTILINE)


def one_sentence():
    """One sentence in two languages, cut by a vocabulary of 2019 and by one of 2024."""
    encodings = {"GPT-2, 2019": vocabularies.load("gpt2"), "GPT-4o, 2024": vocabularies.load("o200k_base")}
    return "\n".join(show.tokens(encodings, text).html for text in ("I read books.", "私は本を読みます。"))
