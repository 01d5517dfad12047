"""What the installed libraries learn: for each, a function (text, number of merges) -> tokens, in order.

A list made by exact training has one merge for a token, so equal tokens are equal merges.
"""

import contextlib
import io
import tempfile
from pathlib import Path

import bpelab
from bpelab.spelling import character_bytes
from bpelab.ties import GPT4

BYTE_OF = character_bytes()


def huggingface(text, n):
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tok.train_from_iterator(
        [text], trainers.BpeTrainer(vocab_size=256 + n, initial_alphabet=alphabet, show_progress=False)
    )
    return in_order(tok.get_vocab(), 256, lambda token: bytes(BYTE_OF[c] for c in token))


def huggingface_characters(text, n):
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.Split(Regex(bpelab.chunking.PATTERNS["space"]), "isolated")
    size = len(set(text)) + n
    tok.train_from_iterator([text], trainers.BpeTrainer(vocab_size=size, show_progress=False))
    return in_order(tok.get_vocab(), len(set(text)), str.encode)


def in_order(vocab, first, spell):
    return [spell(token) for token, i in sorted(vocab.items(), key=lambda item: item[1]) if i >= first]


def rustbpe(text, n):
    import rustbpe

    tok = rustbpe.Tokenizer()
    tok.train_from_iterator([text], 256 + n, pattern=GPT4)
    return [bytes(token) for token, rank in sorted(tok.get_mergeable_ranks(), key=lambda pair: pair[1])][256:]


def bpeasy(text, n):
    import bpeasy

    vocab = bpeasy.train_bpe(iter([text]), bpelab.chunking.PATTERNS["gpt2"].replace("++", "+"), 10_000, 256 + n)
    return in_order(vocab, 256, bytes)


def gigabpe(text, n):
    import gigabpe

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        path.write_text(text, encoding="utf-8", newline="")
        _, merges = gigabpe.train_bpe([str(path)], 256 + n, special_tokens=[], pretokenizer="bytelevel")
    return [bytes(BYTE_OF[c] for c in left + right) for left, right in merges][:n]


def tiktoken_educational(text, n):
    from tiktoken import _educational

    pattern = bpelab.chunking.PATTERNS["gpt2"]
    ranks = _educational.bpe_train(data=text, vocab_size=256 + n, pat_str=pattern, visualise=None)
    return in_order(ranks, 256, bytes)


def subword_nmt(text, n):
    from subword_nmt import learn_bpe

    out = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):
        learn_bpe.learn_bpe(io.StringIO(text), out, n)
    return [line.replace(" ", "", 1).encode() for line in out.getvalue().split("\n")[1:] if line]


def sentencepiece(text, n, **options):
    import sentencepiece

    model = io.BytesIO()
    alphabet = len(set("".join(bpelab.count_chunks(text, "sentencepiece")))) + 3
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n")),
        model_writer=model,
        model_type="bpe",
        vocab_size=alphabet + n,
        character_coverage=1.0,
        hard_vocab_limit=False,
        max_sentence_length=1 << 20,
        minloglevel=2,
        **options,
    )
    loaded = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = [loaded.id_to_piece(i) for i in range(3, loaded.get_piece_size())]
    return [piece.encode() for piece in pieces if len(piece) > 1][:n]


def sentencepiece_unconstrained(text, n):
    return sentencepiece(
        text,
        n,
        normalization_rule_name="identity",
        split_by_unicode_script=False,
        split_by_number=False,
        max_sentencepiece_length=512,
    )


LIBRARIES = {
    "huggingface": huggingface,
    "huggingface-characters": huggingface_characters,
    "rustbpe": rustbpe,
    "bpeasy": bpeasy,
    "gigabpe": gigabpe,
    "tiktoken-educational": tiktoken_educational,
    "subword-nmt": subword_nmt,
    "sentencepiece": sentencepiece,
    "sentencepiece-unconstrained": sentencepiece_unconstrained,
}
