"""bpelab: byte-pair encoding to read, run and measure. The notebooks call this package."""

from bpelab import corpora, efficiency, exercises, parity, plot, reference, scale, show, ties, vocabularies
from bpelab.characters import Bytes, Characters
from bpelab.chunking import chunk, count_chunks
from bpelab.efficiency import compare, premium
from bpelab.imports import from_tiktoken, load_merges_txt, load_minbpe
from bpelab.loading import load
from bpelab.merges import Merge
from bpelab.sweep import overlap, sweep
from bpelab.ties import RECIPES
from bpelab.tokenizer import Tokenizer
from bpelab.training import train
from bpelab.unigram import Unigram
from bpelab.wordpiece import WordPiece

__version__ = "0.1.0"
__all__ = [
    "RECIPES",
    "Bytes",
    "Characters",
    "Merge",
    "Tokenizer",
    "Unigram",
    "WordPiece",
    "chunk",
    "compare",
    "corpora",
    "count_chunks",
    "efficiency",
    "exercises",
    "from_tiktoken",
    "load",
    "load_merges_txt",
    "load_minbpe",
    "overlap",
    "parity",
    "plot",
    "premium",
    "reference",
    "scale",
    "show",
    "sweep",
    "ties",
    "train",
    "vocabularies",
]
