"""bpelab: byte-pair encoding to read, run and measure. The notebooks call this package."""

from bpelab import corpora, reference, show
from bpelab.chunking import chunk, count_chunks
from bpelab.storage import load
from bpelab.tokenizer import Merge, Tokenizer, train

__version__ = "0.1.0"
__all__ = [
    "Merge",
    "Tokenizer",
    "chunk",
    "corpora",
    "count_chunks",
    "load",
    "reference",
    "show",
    "train",
]
