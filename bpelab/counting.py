"""How many tokens any library's encoder makes of a text: the text alone, and all of it.

A library may be set to cut texts short, to fill them up, to drop merges at random, to add control
tokens, or to refuse text that spells one. None of that is the vocabulary; so a private copy counts,
with all of it switched off.
"""

import inspect

from bpelab import checks, vocabularies

#: What libraries call the switches of these things, and off.
OFF = {
    "add_special_tokens": False,
    "disallowed_special": (),
    "truncation": False,
    "padding": False,
    "add_bos": False,
    "add_eos": False,
    "bos": False,
    "eos": False,
    "enable_sampling": False,
}
#: How many texts a peer gets at once.
BATCH = 1000


def encoder(thing, name="encoder"):
    """An encoder as it is, or the production vocabulary of that name; errors call it `name`.

    An encoder is anything with `.encode(str)`: ours, tiktoken's, Hugging Face's, SentencePiece's.
    """
    if isinstance(thing, str):
        if thing not in vocabularies.SOURCES:
            raise ValueError(
                f"{name} must be an encoder or one of {', '.join(map(repr, vocabularies.SOURCES))}; "
                f"got {checks.shown(thing)}"
            )
        return vocabularies.load(thing)
    if isinstance(thing, type) or not callable(getattr(thing, "encode", None)):
        shown = thing.__name__ if isinstance(thing, type) else type(thing).__name__
        raise TypeError(f"{name}: an encoder needs a method encode(str), which {shown} has not")
    return thing


def counts(encoder, texts):
    """The number of tokens of each of some texts (list of str, checked): a list of int."""
    if hasattr(encoder, "count_tokens"):
        return list(encoder.count_tokens(texts))
    return [len(ids) for ids in encoded(encoder, texts)]


def encoded(encoder, texts):
    """The ids of each of some texts, control tokens neither added nor recognised: yields sequences of int."""
    batch = _batch(encoder)
    for start in range(0, len(texts), BATCH):
        yield from batch(texts[start : start + BATCH])


def _batch(encoder):
    """The function list of str -> list of ids of an encoder, on a copy that holds no settings."""
    library = type(encoder).__module__.partition(".")[0]
    if library == "tokenizers":
        return _of_tokenizers(getattr(encoder, "_tokenizer", encoder))
    if library == "transformers" and hasattr(encoder, "backend_tokenizer"):
        return _of_tokenizers(encoder.backend_tokenizer)
    if library == "tiktoken":
        return encoder.encode_ordinary_batch
    if library == "sentencepiece":
        return _of_sentencepiece(encoder)
    encode = getattr(encoder, "encode_ordinary", encoder.encode)
    options = {name: off for name, off in OFF.items() if name in _parameters(encode)}
    return lambda texts: [_ids(encode(text, **options)) for text in texts]


def _of_tokenizers(tokenizer):
    """Hugging Face's, without truncation, padding, dropout and added tokens."""
    try:
        copy = type(tokenizer).from_str(tokenizer.to_str())
    except Exception as error:  # tokenizers raises bare ones
        if tokenizer.truncation or tokenizer.padding or getattr(tokenizer.model, "dropout", None):
            raise ValueError(
                "encoder: this tokenizer cuts, fills or drops, and parts of it are written in Python, so that it "
                f"can't be copied ({error}); switch those off: no_truncation(), no_padding(), model.dropout = None"
            ) from None
        copy = tokenizer
    else:
        copy.no_truncation()
        copy.no_padding()
        copy.encode_special_tokens = True
        if getattr(copy.model, "dropout", None):
            copy.model.dropout = None
    batch = getattr(copy, "encode_batch_fast", copy.encode_batch)
    return lambda texts: [found.ids for found in batch(texts, add_special_tokens=False)]


def _of_sentencepiece(processor):
    """SentencePiece's, without the options it was made with."""
    copy = type(processor)(model_proto=processor.serialized_model_proto())
    return lambda texts: copy.encode(list(texts), out_type=int)


def _parameters(function):
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def _ids(found):
    """The ids in what a library returns: a sequence, or an object with `.ids`."""
    return getattr(found, "ids", found)


def size_of(encoder):
    """The vocabulary size of an encoder (tokens), however its library names it; None where it doesn't say."""
    for name in ("vocab_size", "n_vocab", "get_vocab_size", "get_piece_size"):
        value = getattr(encoder, name, None)
        value = value() if callable(value) else value
        if value is not None:
            return int(value)
    return None


def curve_of(tok, texts):
    """`tok.curve(texts)`: the tokens of some texts at every number of merges; ValueError where there is none."""
    if not callable(getattr(tok, "curve", None)):
        shown = repr(tok) if isinstance(tok, str) else type(tok).__name__
        raise ValueError(
            f"tok must be a merge list, whose shorter versions are smaller vocabularies; {shown} is none (a tiktoken "
            "Encoding becomes one by bpelab.from_tiktoken; bpelab.vocabularies.load takes a name)"
        )
    return tok.curve(texts)


def sizes_of(tok, steps):
    """The vocabulary sizes (tokens, special ones included) of a merge list with 0, 1, ... steps - 1 merges."""
    ordinary = getattr(tok, "ordinary_size", None)
    # Other libraries' special tokens may have ids among the ordinary ones.
    last = tok.vocab_size if ordinary is None else ordinary + sum(i >= ordinary for i in tok.special_tokens.values())
    return range(last - steps + 1, last + 1)
