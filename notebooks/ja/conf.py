"""The web edition in Japanese: built into the folder ja/ of the English one, whose settings it shares."""

import re
import sys
from itertools import pairwise
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


#: The characters of Japanese words, as in a class of a regular expression.
JAPANESE = "々〆ぁ-ゖァ-ヺー一-鿿"


class Japanese(sphinx.search.SearchLanguage):
    """Search that finds any piece of a Japanese word: kana and kanji by twos, other words whole.

    >>> Japanese({}).split("語彙サイズはBPE")
    ['語彙', '彙サ', 'サイ', 'イズ', 'ズは', 'BPE']
    """

    lang, language_name = "ja", "Japanese"
    words = re.compile(rf"([{JAPANESE}]+)|[^\W{JAPANESE}]+")
    js_splitter_code = rf"""
var splitQuery = (query) =>
  [...query.matchAll(/([{JAPANESE}]+)|(?:(?![{JAPANESE}])[\p{{L}}\p{{N}}_])+/gu)].flatMap(([word, japanese]) =>
    japanese && word.length > 1 ? [...word.slice(1)].map((_, i) => word.slice(i, i + 2)) : [word]);
"""

    def split(self, text):
        return [piece for word in self.words.finditer(text) for piece in self.pieces(word)]

    def pieces(self, word):
        by_twos = word[1] and len(word[1]) > 1
        return list(map("".join, pairwise(word[1]))) if by_twos else [word[0]]

    def stem(self, word):
        return word.lower()


sphinx.search.languages["ja"] = Japanese


def setup(app):
    app.connect("source-read", complete_index)
    app.connect("doctree-read", name_figures)
    app.connect("doctree-read", number_sections)
