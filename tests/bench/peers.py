"""The peers of the bench: each a function that makes a trainer or an encoder. One that is not installed is left out."""

import base64
import contextlib
import importlib
import importlib.metadata
import io
import tempfile
from pathlib import Path

import bpelab
from bpelab.chunking import PATTERNS

OPTIONS = {"base": "byte", "chunking": "gpt2"}
#: As other regex engines write it: what a possessive quantifier is for them makes no difference here.
PATTERN = PATTERNS["gpt2"].replace("++", "+")
PACKAGES = (
    "numba tiktoken tokenizers rustbpe bpeasy gigabpe gigatoken fastokens splintr-rs tokie riptoken kitoken"
).split()


def versions():
    """The installed ones of PACKAGES with their versions, and the others by name."""
    found, missing = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    return ", ".join(found) + (f"; not installed: {', '.join(missing)}" if missing else "")


# --- training: functions of (text, vocabulary size) -----------------------------------------------


def train_bpelab(text, size):
    return bpelab.train(text, vocab_size=size, **OPTIONS)


def train_gigabpe(text, size):
    import gigabpe

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text.txt")
        path.write_text(text, encoding="utf-8", newline="")
        gigabpe.train_bpe([str(path)], size, special_tokens=[], pretokenizer="bytelevel")


def train_tokenizers(text, size):
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    tok.train_from_iterator([text], trainer)


def train_rustbpe(text, size):
    import rustbpe

    rustbpe.Tokenizer().train_from_iterator([text], size, pattern=PATTERNS["gpt2"])


def train_bpeasy(text, size):
    import bpeasy

    with contextlib.redirect_stdout(io.StringIO()):
        bpeasy.train_bpe(iter([text]), PATTERN, 10_000, size)


TRAINERS = {
    "bpelab": train_bpelab,
    "gigabpe": train_gigabpe,
    "rustbpe": train_rustbpe,
    "bpeasy": train_bpeasy,
    "tokenizers": train_tokenizers,
}


# --- encoding: from a Tokenizer of bpelab and a folder to (encode one text, encode a batch) --------


def encode_bpelab(tok, folder):
    fresh = bpelab.Tokenizer(tok.merges, **OPTIONS)
    return fresh.encode, fresh.encode_batch


def encode_bpelab_array(tok, folder):
    fresh = bpelab.Tokenizer(tok.merges, **OPTIONS)
    return fresh.encode_to_numpy, None


def encode_tiktoken(tok, folder):
    encoding = tok.to_tiktoken("bench")
    return encoding.encode_ordinary, encoding.encode_ordinary_batch


def encode_tokenizers(tok, folder):
    exported = tok.to_huggingface()
    return None, exported.encode_batch_fast


def encode_gigatoken(tok, folder):
    import gigatoken

    peer = gigatoken.Tokenizer.from_tiktoken(str(ranks(tok, folder)), pretokenizer="gpt2")
    return peer.encode, peer.encode_batch


def encode_fastokens(tok, folder):
    import fastokens

    peer = fastokens.Tokenizer.from_file(str(exported(tok, folder)))
    return (lambda text: peer.encode(text).ids), peer.encode_batch


def encode_splintr(tok, folder):
    splintr = importlib.import_module("splintr")  # of the package splintr-rs
    peer = splintr.Tokenizer(str(ranks(tok, folder)), PATTERN, {})
    return peer.encode_ordinary, peer.encode_batch


def encode_tokie(tok, folder):
    import tokie

    peer = tokie.Tokenizer.from_json(str(exported(tok, folder)))
    return (lambda text: peer.encode(text).ids), peer.encode_batch


def encode_riptoken(tok, folder):
    import riptoken

    peer = riptoken.CoreBPE({token: i for i, token in enumerate(tok.vocab)}, {}, PATTERNS["gpt2"])
    return peer.encode_ordinary, peer.encode_ordinary_batch


def encode_kitoken(tok, folder):
    import kitoken

    peer = kitoken.Kitoken.from_tokenizers_file(str(exported(tok, folder)))
    return peer.encode, peer.encode_all


ENCODERS = {
    "bpelab": encode_bpelab,
    "bpelab, array": encode_bpelab_array,
    "tiktoken": encode_tiktoken,
    "tokenizers": encode_tokenizers,
    "gigatoken": encode_gigatoken,
    "fastokens": encode_fastokens,
    "splintr-rs": encode_splintr,
    "tokie": encode_tokie,
    "riptoken": encode_riptoken,
    "kitoken": encode_kitoken,
}


def ranks(tok, folder):
    """A .tiktoken file of the vocabulary."""
    path = Path(folder, "ranks.tiktoken")
    path.write_text("\n".join(f"{base64.b64encode(token).decode()} {i}" for i, token in enumerate(tok.vocab)))
    return path


def exported(tok, folder):
    """A tokenizer.json of the vocabulary."""
    path = Path(folder, "tokenizer.json")
    tok.to_huggingface().save(str(path))
    return path
