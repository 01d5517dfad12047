"""The web edition in Japanese: built into the folder ja/ of the English one, whose settings it shares."""

import re
import sys
from pathlib import Path

import sphinx.search

sys.path.insert(0, str(Path(__file__).parent.parent))
from conf import *  # noqa: F403  # its settings are names
from conf import complete_index, html_context, html_theme_options, name_figures, number_sections

language = "ja"
extensions = ["myst_nb", "lighter"]
exclude_patterns = ["README.md"]  # for readers of the repository
html_title = "bpelab 日本語版"
templates_path, html_static_path = ["../templates"], ["../static"]
html_favicon = "../static/favicon.svg"
html_theme_options = html_theme_options | {"path_to_docs": "notebooks/ja"}
html_context = html_context | {"edition": "ja"}


class Japanese(sphinx.search.SearchLanguage):
    """Search that finds any piece of a Japanese word: kana and kanji by twos, other words whole.

    >>> Japanese({}).split("語彙サイズはBPE")
    ['語彙', '彙サ', 'サイ', 'イズ', 'ズは', 'BPE']
    """

    lang, language_name = "ja", "Japanese"
    words = re.compile(r"[々〆ぁ-ゖァ-ヺー一-鿿]+|[^\W々〆ぁ-ゖァ-ヺー一-鿿]+")
    js_splitter_code = """
var splitQuery = (query) =>
  [...query.matchAll(/([々〆ぁ-ゖァ-ヺー一-鿿]+)|[\\p{L}\\p{N}_]+/gu)].flatMap(([word, japanese]) =>
    japanese && word.length > 1 ? [...word.slice(1)].map((_, i) => word.slice(i, i + 2)) : [word]);
"""

    def split(self, text):
        return [piece for word in self.words.findall(text) for piece in self.pieces(word)]

    def pieces(self, word):
        whole = len(word) == 1 or not re.match(r"[々〆ぁ-ゖァ-ヺー一-鿿]", word)
        return [word] if whole else [word[i : i + 2] for i in range(len(word) - 1)]

    def stem(self, word):
        return word.lower()


sphinx.search.languages["ja"] = Japanese


def setup(app):
    app.connect("source-read", complete_index)
    app.connect("doctree-read", name_figures)
    app.connect("doctree-read", number_sections)
