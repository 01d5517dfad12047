"""The web edition: sphinx-build notebooks build/web (nothing from the network).

The pages are the built notebooks as they are: no cell is run. Nothing on a page asks another host.
"""

project = "bpelab"
author = "the bpelab authors"
copyright = "the bpelab authors, MIT licence"
language = "en"

extensions = ["myst_nb", "bpelab.play"]
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["colon_fence"]
include_patterns = ["*.md", "[0-9][0-9]_*.ipynb", "appendix_*.ipynb"]
suppress_warnings = ["mystnb.unknown_mime_type"]

html_theme = "sphinx_book_theme"
html_title = "bpelab: byte-pair encoding to read, run and measure"
html_theme_options = {"show_navbar_depth": 1, "show_toc_level": 2, "use_download_button": True}
html_context = {"default_mode": "auto"}
html_css_files = ["bpelab.css"]
html_static_path = ["static"]
html_last_updated_fmt = ""
mathjax_path = "not-needed.js"  # no chapter holds formulas, so no page asks for it
