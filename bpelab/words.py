"""The words of pictures and tables, in English and in Japanese: one small table. And which of the two is meant."""

import os
import re
import sys

from bpelab import checks

LANGUAGES = ("en", "ja")
#: English -> Japanese. What stands in braces is filled in.
JAPANESE = {
    # axes
    "vocabulary size (tokens)": "語彙サイズ（トークン）",
    "sequence length (tokens)": "系列長（トークン）",
    "cost (least = 1)": "費用（最小 = 1）",
    "characters per token": "1トークンあたりの文字数",
    "premium (tokens, Japanese / English)": "割増率（トークン数、日本語 ÷ 英語）",
    "as many tokens as English": "英語と同じトークン数",
    "rank of the merge": "マージの順位",
    "share of the merges (%)": "マージの割合（%）",
    "length of a chunk (characters)": "チャンクの長さ（文字）",
    "share of the chunks (%)": "チャンクの割合（%）",
    "merges": "マージ数",
    "length (tokens)": "長さ（トークン）",
    "count of the pair": "ペアの出現回数",
    "pairs in the tie": "同点のペア",
    "step": "ステップ",
    # what a line or a part is
    "total": "合計",
    "layers": "層",
    "attention": "アテンション",
    "output": "出力層",
    "piece of a character": "文字の断片",
    "one character": "1文字",
    "longer": "2文字以上",
    "merged": "選ばれたペア",
    "best rival": "次点のペア",
    "tie": "同点",
    # what stands at a point
    "least at {size:,}": "最小：{size:,}",
    "not reached at {size:,}": "{size:,} では未到達",
    "step {step:,}: {before:,} to {after:,}": "ステップ {step:,}：{before:,} → {after:,}",
    "merge {rank:,}": "マージ {rank:,}",
    "{n:,} tokens": "{n:,} トークン",
    # rows of drawings
    "text": "テキスト",
    "normalized": "正規化",
    "chunks": "チャンク",
    "tokens": "トークン",
    "ids": "ID",
    "embedding rows": "埋め込みの行",
    "characters": "文字",
    "bytes": "バイト",
    # the table of exercises
    "exercise": "練習問題",
    "level": "難度",
    "minutes": "分",
    "state": "状態",
    "what": "内容",
    "{done} of {all} done; about {minutes} minutes to go.": "{all}問中{done}問が正解。残りはおよそ{minutes}分です。",
    "Not kept beyond this session: {path} can't be used. Move it away, or name another file in {variable}.": (
        "{path} を使えないので、この記録はこのセッションの間だけのものです。"
        "ファイルを移すか、別のファイルを環境変数{variable}に書いてください。"
    ),
    # alternative texts
    "{kind}, {title}. {body}.": "{kind}「{title}」。{body}。",
    "Line chart": "折れ線グラフ",
    "Stacked bars": "積み上げ棒グラフ",
    "Bar chart": "棒グラフ",
    "Dots with intervals": "区間つきの点グラフ",
    "Histogram": "ヒストグラム",
    "Grid": "マス目の図",
    "Tree": "木の図",
    "Drawing": "図",
    "{x} against {y}": "横軸は{x}、縦軸は{y}",
    "{name} goes from {first} at {start} to {last} at {end}": "{name}は{start}で{first}、{end}で{last}",
    "marked: {mark}": "印：{mark}",
    "{name} {value}": "{name} {value}",
    "{name} {value}, between {low} and {high}": "{name} {value}（{low}から{high}）",
    "{name} {first} of the first group, {last} of the last, {whole} in all": (
        "{name}は最初のグループの{first}、最後の{last}、全体の{whole}"
    ),
    "{name}: most often {length}, longest {longest}": "{name}：最も多い長さは{length}、最長は{longest}",
    "{token} is made of {left} and {right}": "{token}は{left}と{right}からできる",
    "{n:,} of {steps:,} steps were ties": "{steps:,}ステップ中{n:,}回が同点",
}


def word(text, language="en"):
    """A word of the table in a language; a text of one's own stays as it is.

    >>> word("tokens", "ja"), word("my own label", "ja")
    ('トークン', 'my own label')
    """
    checks.choice("language", language, LANGUAGES)
    return JAPANESE.get(text, text) if language == "ja" else text


def language():
    """The reader's language: BPELAB_LANGUAGE, or "ja" in a notebook that stands in a folder named ja, or "en".

    ValueError if the variable holds another language.
    """
    chosen = os.environ.get("BPELAB_LANGUAGE", "")
    if chosen:
        return checks.choice("BPELAB_LANGUAGE", chosen, LANGUAGES)
    # Jupyter tells a kernel its notebook in the environment, VS Code in the notebook's own names.
    path = getattr(sys.modules.get("__main__"), "__vsc_ipynb_file__", None) or os.environ.get("JPY_SESSION_NAME", "")
    return "ja" if "ja" in re.split(r"[\\/]", str(path))[-3:-1] else "en"
