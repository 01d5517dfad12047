"""`bpelab.load`: the one call that reads a tokenizer from a file, whoever wrote it."""

from bpelab import checks, files, storage, unigram, wordpiece
from bpelab.readers import recognise
from bpelab.tokenizer import Tokenizer
from bpelab.unigram import Unigram
from bpelab.wordpiece import WordPiece

#: The class that reads each kind of our own JSON.
FAMILIES = {storage.KIND: Tokenizer, unigram.KIND: Unigram, wordpiece.KIND: WordPiece}


def load(path, *, chunking=None, special_tokens=(), lowercase=None):
    """Read a tokenizer: what `save` wrote, or another library's file, with that library's ids for any text.

    Hugging Face's tokenizer.json, a SentencePiece .model, a .tiktoken file, Tekken's JSON, vocab.json with
    merges.txt beside it, codes of subword-nmt or fastBPE, a minbpe .model, BERT's vocab.txt. The result has
    the methods of a `Tokenizer`, and is one where the file is exactly one; `.source` says what was read,
    `unreachable()` lists tokens that no text gives.

    chunking, special_tokens (name -> id): of a .tiktoken file, which holds neither; lowercase: whether a
        vocab.txt is for lower-cased text, which it doesn't say.
    Beginning- and end-of-text tokens of the library are not added, truncation and padding not applied;
    special tokens are ordinary text unless `allowed_special` names them.

    ValueError where a file is none of these, is damaged, or asks for what can't be read here: it names the
    file's field. A file is data and nothing in it is run.

    >>> import tempfile, pathlib
    >>> from bpelab import train
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "model.json"
    ...     tok = train("low low lower", 3)
    ...     tok.save(path)
    ...     load(path) == tok
    True
    """
    data = files.read(path)
    try:
        document = recognise.json_in(data)
    except ValueError as error:
        raise ValueError(f"{path} is no valid model: its JSON breaks off or is wrong: {error}") from None
    kind = document.get("format") if isinstance(document, dict) else None
    if isinstance(kind, str) and kind in FAMILIES:
        return FAMILIES[kind].load(path)
    if isinstance(document, dict) and "format" in document:
        kinds = '" or "'.join(FAMILIES)
        raise ValueError(
            f'{path} is no valid bpelab model: the field "format" must be "{kinds}", got {checks.shown(kind)}'
        )
    return recognise.read(path, data, document, chunking, special_tokens, lowercase)
