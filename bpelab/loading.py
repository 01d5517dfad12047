"""`bpelab.load`: the one call that reads a tokenizer from a file, whatever its family."""

from bpelab import checks, models, storage, unigram, wordpiece
from bpelab.tokenizer import Tokenizer
from bpelab.unigram import Unigram
from bpelab.wordpiece import WordPiece

#: The class that reads each kind of our own JSON.
FAMILIES = {storage.KIND: Tokenizer, unigram.KIND: Unigram, wordpiece.KIND: WordPiece}


def load(path):
    """Read a Tokenizer, Unigram or WordPiece that `save` wrote. ValueError where the file is none, and says where.

    >>> import tempfile, pathlib
    >>> from bpelab import train
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "model.json"
    ...     tok = train("low low lower", 3)
    ...     tok.save(path)
    ...     load(path) == tok
    True
    """
    document = models.read_document(path, storage.KIND)
    kind = document.get("format") if isinstance(document, dict) else None
    if not isinstance(kind, str) or kind not in FAMILIES:
        kinds = '" or "'.join(FAMILIES)
        raise ValueError(
            f'{path} is no valid bpelab model: the field "format" must be "{kinds}", got {checks.shown(kind)}'
        )
    return FAMILIES[kind].load(path)
