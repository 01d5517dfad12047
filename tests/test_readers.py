"""Everyone else's files: the ids are the owner's on any text, or the file is refused and its field is named."""

# ruff: noqa: E501 - a shape a line reads better

import base64
import io
import json
import pickle
import random

import pytest
import sentencepiece
import tiktoken
import tokenizers
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, trainers

import bpelab
from bpelab.readers import charsmap, classes, oniguruma, protobuf
from bpelab.readers import normalizers as ours
from bpelab.readers.huggingface import HuggingFace
from bpelab.readers.sentencepiece import SentencePiece

EN, JA = ("\n".join(side) for side in zip(*bpelab.corpora.pairs("parallel")[:150], strict=True))
CODE = "def f(x):\n\treturn x ** 2  # ½\r\n\r\nfor i in range(10):\n    print('{i!r}', 0x41)\n"
STRANGE = [
    "",
    " ",
    "  two  blanks  ",
    "It's we'll I'M don'T ſ'S K",
    "👩‍👩‍👧🇯🇵🙂\ufe0f",
    "e\u0301 n\u0303 \u0345\u0327x é ñ",
    "\x00\x01\x07\x1b\x7f\x85\xad\ufeff\ufffd\u200b\u2060",
    "a\tb\r\nc\u2028d\u3000e\xa0f",
    "▁▁ ▁a##_Ġ<0x41><s></s><mask> New tok",
    "ßſKİıΣςΣ ŉﬀﬆ ﾃﾞｰﾀ１２３",
    "ไทยที่ हिन्दी ক্ষ 각각 עברית العربية",
    "𲎰㋿\U0001e030\u0897\U00016d63\U000105c9\U00010d50Ა",
    "$+<=>^`|~_-!?.,#123 4567 ½²Ⅷ",
    CODE,
    EN[:600],
    JA[:300],
]
POOL = "".join(STRANGE)


def texts(seed, n=25):
    """The strange texts, and random ones put together from them and from all of Unicode."""
    draw = random.Random(seed)
    points = [*range(0xD800), *range(0xE000, 0x110000)]

    def part():
        at = draw.randrange(len(POOL))
        return chr(draw.choice(points)) if draw.random() < 0.2 else POOL[at : at + draw.randrange(1, 25)]

    return STRANGE + ["".join(part() for _ in range(draw.randrange(1, 10))) for _ in range(n)]


# --- Hugging Face ---------------------------------------------------------------------------------

GPT4 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LINES = [line for line in (EN[:4000] + "\n" + JA[:1500] + "\n" + CODE + "\n" + POOL[:800]).split("\n") if line]


def trained(model, normalizer=None, pre=None, special=("<unk>", "<s>"), size=1000, **options):
    """A tokenizer.json (dict) trained with the library itself."""
    tok = tokenizers.Tokenizer(model)
    if normalizer:
        tok.normalizer = normalizer
    if pre:
        tok.pre_tokenizer = pre
    made = {"BPE": trainers.BpeTrainer, "WordPiece": trainers.WordPieceTrainer, "Unigram": trainers.UnigramTrainer}
    made["WordLevel"] = trainers.WordLevelTrainer
    kind = type(model).__name__
    if kind == "Unigram":
        size = max(size, 800)
        options["unk_token"] = "<unk>"
    tok.train_from_iterator(
        LINES, made[kind](vocab_size=size, special_tokens=list(special), show_progress=False, **options)
    )
    return json.loads(tok.to_str())


def bpe(**options):
    return models.BPE(**{"unk_token": "<unk>"} | options)


BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
PRE, NORM = pre_tokenizers, normalizers
ALPHABET = {"initial_alphabet": PRE.ByteLevel.alphabet()}


def with_model(document, **fields):
    document["model"] |= fields
    return document


def with_added(document, *added):
    tok = tokenizers.Tokenizer.from_str(json.dumps(document))
    for token in added:
        (tok.add_special_tokens if token.special else tok.add_tokens)([token])
    return json.loads(tok.to_str())


def split(pattern, behavior="isolated", invert=False):
    return PRE.Split(Regex(pattern), behavior, invert)


def llama3(pattern=GPT4):
    return PRE.Sequence([split(pattern), PRE.ByteLevel(add_prefix_space=False, use_regex=False)])


SHAPES = {
    "bare BPE": lambda: trained(bpe()),
    "ByteLevel": lambda: trained(models.BPE(), pre=PRE.ByteLevel(add_prefix_space=False), **ALPHABET),
    "ByteLevel, prefix": lambda: trained(models.BPE(), pre=PRE.ByteLevel(add_prefix_space=True), **ALPHABET),
    "ByteLevel, no regex": lambda: trained(
        models.BPE(), pre=PRE.ByteLevel(add_prefix_space=False, use_regex=False), **ALPHABET
    ),
    "Split and ByteLevel": lambda: trained(models.BPE(), pre=llama3(), **ALPHABET),
    "ignore_merges": lambda: with_model(trained(models.BPE(), pre=llama3(), **ALPHABET), ignore_merges=True),
    "merges as strings": lambda: as_strings(trained(models.BPE(), pre=llama3(), **ALPHABET)),
    "NFC and digits": lambda: trained(
        models.BPE(), NORM.NFC(), PRE.Sequence([PRE.Digits(True), PRE.ByteLevel(False)]), **ALPHABET
    ),
    "Metaspace always": lambda: trained(bpe(), pre=PRE.Metaspace()),
    "Metaspace first": lambda: with_added(trained(bpe(), pre=PRE.Metaspace(prepend_scheme="first")), AddedToken("<mask>", special=True)),
    "Metaspace never, unsplit": lambda: trained(bpe(), pre=PRE.Metaspace(prepend_scheme="never", split=False)),
    "Llama 2": lambda: with_model(
        trained(
            bpe(),
            NORM.Sequence([NORM.Prepend("▁"), NORM.Replace(" ", "▁")]),
            special=["<unk>", "<s>", "</s>", *BYTES],
            size=600,
        ),
        byte_fallback=True,
        fuse_unk=True,
    ),
    "fuse_unk": lambda: trained(bpe(fuse_unk=True), pre=PRE.Whitespace(), limit_alphabet=40),
    "unknown, not fused": lambda: trained(bpe(), pre=PRE.Whitespace(), limit_alphabet=40),
    "unknown dropped": lambda: trained(models.BPE(), pre=PRE.WhitespaceSplit(), limit_alphabet=40),
    "end_of_word_suffix": lambda: trained(
        bpe(end_of_word_suffix="</w>"), NORM.Lowercase(), PRE.Whitespace(), end_of_word_suffix="</w>"
    ),
    "continuing_subword_prefix": lambda: trained(
        bpe(continuing_subword_prefix="##"), None, PRE.BertPreTokenizer(), continuing_subword_prefix="##"
    ),
    "BERT": lambda: trained(
        models.WordPiece(unk_token="[UNK]"),
        NORM.BertNormalizer(),
        PRE.BertPreTokenizer(),
        special=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"],
    ),
    "BERT, cased": lambda: trained(
        models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=8),
        NORM.BertNormalizer(lowercase=False, strip_accents=True),
        PRE.BertPreTokenizer(),
        special=["[PAD]", "[UNK]"],
    ),
    "WordLevel": lambda: trained(models.WordLevel(unk_token="<unk>"), NORM.NFKC(), PRE.Whitespace()),
    "Unigram": lambda: trained(models.Unigram(), NORM.NFKC(), PRE.Metaspace()),
    "Unigram, bytes": lambda: with_model(
        trained(models.Unigram(), None, PRE.Metaspace(), special=["<unk>", *BYTES], size=700), byte_fallback=True
    ),
    "Unigram, lower, accents": lambda: trained(
        models.Unigram(), NORM.Sequence([NORM.NFD(), NORM.StripAccents(), NORM.Lowercase()]), PRE.Metaspace()
    ),
    "NFKD, Nmt, Strip": lambda: trained(bpe(), NORM.Sequence([NORM.NFKD(), NORM.Nmt(), NORM.Strip()]), PRE.Whitespace()),
    "Replace by pattern": lambda: trained(bpe(), NORM.Replace(Regex(r"\s{2,}|[[:punct:]]+"), " "), PRE.Whitespace()),
    "ByteLevel normalizer": lambda: trained(models.BPE(), NORM.ByteLevel(), split(r"Ġ?[^Ġ]+"), **ALPHABET),
    "Punctuation": lambda: trained(bpe(), None, PRE.Sequence([PRE.Punctuation("merged_with_previous"), PRE.WhitespaceSplit()])),
    "Digits together": lambda: trained(bpe(), None, PRE.Sequence([PRE.Digits(False), PRE.Punctuation("contiguous")])),
    "delimiter, fixed": lambda: trained(bpe(), None, PRE.Sequence([PRE.CharDelimiterSplit(" "), PRE.FixedLength(4)])),
    "Split inverted": lambda: trained(bpe(), None, split(r"\w+|[^\w\s]+", "removed", True)),
    "Split, merged with next": lambda: trained(bpe(), None, split(r"\s|[A-Z]", "merged_with_next")),
    "Split, lines": lambda: trained(bpe(), None, split(r"^ +|\w+$|\d{1,2}+", "contiguous")),
    "Split by text": lambda: trained(bpe(), None, PRE.Split(" ", "merged_with_previous")),
    "added, with all flags": lambda: with_added(
        trained(bpe(), NORM.Lowercase(), PRE.Whitespace()),
        AddedToken("<mask>", lstrip=True, special=True),
        AddedToken("New tok", normalized=True),
        AddedToken("tok", single_word=True, rstrip=True, normalized=False),
        AddedToken("é", normalized=False),
    ),
}  # fmt: skip


def as_strings(document):
    merges = document["model"]["merges"]
    document["model"]["merges"] = ["#version: 0.2", *map(" ".join, merges)]
    return document


def assert_same_ids(library, reading, seed=0, n=25):
    for text in texts(seed, n):
        library.encode_special_tokens = True
        assert reading.encode(text) == library.encode(text, add_special_tokens=False).ids, text
        library.encode_special_tokens = False
        assert reading.encode(text, "all") == library.encode(text, add_special_tokens=False).ids, text


@pytest.mark.parametrize("shape", SHAPES)
def test_tokenizer_json_gives_the_owner_s_ids(shape, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(SHAPES[shape]()), encoding="utf-8")
    library, reading = tokenizers.Tokenizer.from_file(str(path)), bpelab.load(path)
    assert_same_ids(library, reading)
    assert "tokenizer.json" in reading.source
    assert pickle.loads(pickle.dumps(reading)).encode(EN[:100]) == reading.encode(EN[:100])
    assert reading.count_tokens([EN[:50], JA[:50]]) == [len(reading.encode(text)) for text in (EN[:50], JA[:50])]


def random_shape(draw):
    """A tokenizer.json put together from parts drawn at random."""
    norms = [None, None, NORM.NFC(), NORM.NFKC(), NORM.NFD(), NORM.Lowercase(), NORM.StripAccents(), NORM.Nmt()]
    norms += [NORM.BertNormalizer(strip_accents=draw.choice([None, True, False])), NORM.Strip(draw.random() < 0.5)]
    norms += [NORM.Replace(" ", "▁"), NORM.Replace(Regex(r"\p{M}+|\h{2}"), ""), NORM.Prepend("▁")]
    behaviors = ["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]
    patterns = [GPT4, r"\w+", r"[[:punct:]]+", r"\h+", r"^ +|\w+$", r"\d{1,2}+", r"(?<=\p{L})\p{M}+", r"(?i:k|s)+"]
    pres = [PRE.ByteLevel(draw.random() < 0.5, use_regex=draw.random() < 0.5), PRE.Digits(draw.random() < 0.5)]
    pres += [PRE.Metaspace(prepend_scheme=draw.choice(["always", "first", "never"]), split=draw.random() < 0.5)]
    pres += [split(draw.choice(patterns), draw.choice(behaviors), draw.random() < 0.3) for _ in range(3)]
    pres += [PRE.Punctuation(draw.choice(behaviors)), PRE.Whitespace(), PRE.BertPreTokenizer()]
    model = draw.choice(
        [bpe(fuse_unk=draw.random() < 0.5), models.BPE(), models.Unigram(), models.WordPiece(unk_token="<unk>")]
    )
    normalizer = draw.choice([*norms, NORM.Sequence([n for n in draw.sample(norms, 2) if n])])
    pre = draw.choice([*pres, PRE.Sequence(draw.sample(pres, 2))])
    document = trained(model, normalizer, pre, size=250)
    added = [
        AddedToken(c, lstrip=draw.random() < 0.3, single_word=draw.random() < 0.3, normalized=draw.random() < 0.5)
        for c in draw.sample(["<mask>", "New", " x", "é", "##"], 2)
    ]
    document = with_added(document, *added)
    return with_model(document, ignore_merges=draw.random() < 0.5) if isinstance(model, models.BPE) else document


@pytest.mark.parametrize("seed", range(24))
def test_random_shapes(seed):
    document = random_shape(random.Random(seed))
    try:
        reading = HuggingFace(document)
    except ValueError as error:
        assert "tokens" in str(error) or "prepend_scheme" in str(error)
        return
    assert_same_ids(tokenizers.Tokenizer.from_str(json.dumps(document)), reading, seed, 15)


def test_exported_by_us_comes_back_equal(tmp_path):
    path = tmp_path / "tokenizer.json"
    for options in (
        {"base": "byte", "chunking": "gpt2"},
        {"base": "byte", "chunking": "cl100k", "special_tokens": ["<end>", "<pad>"]},
        {"base": "byte", "chunking": "o200k"},
        {"base": "byte", "chunking": "whole"},
        {"chunking": "space"},
    ):
        tok = bpelab.train(EN[:3000] + JA[:500], 60, **options)
        tok.to_huggingface().save(str(path))
        assert bpelab.load(path) == tok, options


def test_decoding_is_the_library_s():
    for shape, step in [
        ("ByteLevel", decoders.ByteLevel()),
        ("Metaspace always", decoders.Metaspace()),
        ("BERT", decoders.WordPiece()),
    ]:
        tok = tokenizers.Tokenizer.from_str(json.dumps(SHAPES[shape]()))
        tok.decoder = step
        reading = HuggingFace(json.loads(tok.to_str()))
        for text in ("low lower", "a  b", EN[:200].replace("\n", " ")):
            ids = tok.encode(text, add_special_tokens=False).ids
            assert reading.decode(ids) == tok.decode(ids)
            stream = reading.stream_decoder()
            assert "".join([*map(stream.feed, ids), stream.finish()]) == reading.decode(ids)


def test_a_curve_counts_the_tokens_of_the_first_merges():
    document = SHAPES["Metaspace always"]()
    reading, text = HuggingFace(document), EN[:400]
    curve = reading.curve(text)
    for kept in (0, 3, 50, len(reading.merges)):
        fewer = json.loads(json.dumps(document))
        fewer["model"]["merges"] = fewer["model"]["merges"][:kept]
        assert curve[kept] == len(HuggingFace(fewer).encode(text))
    with pytest.raises(ValueError, match="WordPiece"):
        HuggingFace(SHAPES["BERT"]()).curve("a")


SMALL = {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}


def changed(place, value):
    document = json.loads(json.dumps(SMALL))
    part, names = document, place.split(".")
    for name in names[:-1]:
        part = part.setdefault(name, {})
    part[names[-1]] = value
    return document


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("model", None),
        ("model.type", "Other"),
        ("model.dropout", 0.1),
        ("model.vocab", []),
        ("model.vocab", {"a": -1}),
        ("model.vocab", {"a": True, "b": 1, "ab": 2}),
        ("model.merges", ["a x"]),
        ("model.merges", ["a b c"]),
        ("model.merges", [["a"]]),
        ("model.unk_token", "<unk>"),
        ("normalizer", {"type": "Unheard"}),
        ("normalizer", "NFC"),
        ("normalizer", {"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
        ("pre_tokenizer", {"type": "UnicodeScripts"}),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": r"(a)\1"}, "behavior": "Isolated", "invert": False}),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": "(?<n>a)"}, "behavior": "Isolated", "invert": False}),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": "a" * 30000}, "behavior": "Isolated", "invert": False}),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": "(" * 500 + ")" * 500}, "behavior": "Isolated", "invert": False}),
        ("pre_tokenizer", {"type": "Split", "pattern": {"Regex": "a{9999}"}, "behavior": "Isolated", "invert": False}),
        ("pre_tokenizer", {"type": "Metaspace", "replacement": "▁▁"}),
        ("decoder", {"type": "CTC"}),
        ("added_tokens", [{"id": 9}]),
        ("added_tokens", [{"id": 9, "content": "<x>"} | dict.fromkeys(("special", "single_word", "lstrip", "rstrip", "normalized"), False)]),
        ("pre_tokenizer", json.loads('{"type":"Sequence","pretokenizers":[' * 60 + '{"type":"Digits"}' + "]}" * 60)),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(place, value, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(changed(place, value)), encoding="utf-8")
    with pytest.raises(ValueError, match=place.split(".")[0]) as caught:
        bpelab.load(path)
    assert str(path) in str(caught.value) and caught.type is not KeyError


def test_a_pattern_that_runs_away_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(oniguruma, "TIMEOUT", 0.2)
    pattern = {"type": "Split", "pattern": {"Regex": "(?:a|a)+b"}, "behavior": "Isolated", "invert": False}
    reading = HuggingFace(changed("pre_tokenizer", pattern))
    with pytest.raises(ValueError, match="seconds"):
        reading.encode("a" * 60)


def test_patterns_match_what_oniguruma_matches_in_all_of_unicode():
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))[: 1 << 17]
    for pattern in (
        r"\p{L}",
        r"\w",
        r"[[:alpha:]]",
        r"[[:punct:]]",
        r"\p{Ll}",
        r"[^\s\p{L}\p{N}]",
        r"(?i:[a-z])",
        r"\p{Han}",
    ):
        library = normalizers.Replace(Regex(pattern), "").normalize_str(everything)
        found = oniguruma.spans(oniguruma.compiled(pattern), everything)
        taken = {start for start, _ in found}
        assert "".join(c for i, c in enumerate(everything) if i not in taken) == library, pattern


def test_normalizers_in_all_of_unicode():
    everything = [chr(point) for point in [*range(0xD800), *range(0xE000, 0x20000)]]
    text = "\n".join(everything)
    for form in ("NFC", "NFKD"):
        assert ours.in_form(form, text) == getattr(normalizers, form)().normalize_str(text)
    assert ours.lower(text) == normalizers.Lowercase().normalize_str(text)
    assert ours.without("mark", text) == normalizers.StripAccents().normalize_str(text)
    assert len(classes.stand_ins()) > 17_000


# --- SentencePiece --------------------------------------------------------------------------------


def model_of(**options):
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES * 2),
        model_writer=written,
        minloglevel=2,
        hard_vocab_limit=False,
        **{"vocab_size": 900, "character_coverage": 1.0} | options,
    )
    return written.getvalue()


MODELS = {
    "unigram": {},
    "bpe": {"model_type": "bpe"},
    "unigram, identity": {"normalization_rule_name": "identity"},
    "bpe, identity": {"model_type": "bpe", "normalization_rule_name": "identity"},
    "unigram, byte_fallback": {"byte_fallback": True, "character_coverage": 0.98},
    "bpe, byte_fallback": {"model_type": "bpe", "byte_fallback": True, "character_coverage": 0.98},
    "unigram, unknown": {"character_coverage": 0.98},
    "bpe, unknown": {"model_type": "bpe", "character_coverage": 0.98},
    "unigram, ▁ inside": {"split_by_whitespace": False},
    "bpe, ▁ inside": {"model_type": "bpe", "split_by_whitespace": False},
    "unigram, symbols": {"user_defined_symbols": ["<mask>", "  ", "é", "the", "▁a", "１"]},
    "bpe, symbols": {"model_type": "bpe", "user_defined_symbols": ["<mask>", "  ", "é", "the", "▁a"]},
    "unigram, suffix": {"treat_whitespace_as_suffix": True},
    "bpe, blanks kept": {"model_type": "bpe", "remove_extra_whitespaces": False, "add_dummy_prefix": False},
    "unigram, folded": {"normalization_rule_name": "nmt_nfkc_cf", "remove_extra_whitespaces": False},
    "unigram, control": {"control_symbols": ["<pad>", "<c>"], "split_digits": True},
    "bpe, whole lines": {"model_type": "bpe", "split_by_unicode_script": False, "split_by_number": False},
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_sentencepiece_models_give_the_owner_s_ids(name, tmp_path):
    path = tmp_path / "tokenizer.model"
    path.write_bytes(model_of(**MODELS[name]))
    library, reading = sentencepiece.SentencePieceProcessor(model_file=str(path)), bpelab.load(path)
    assert "SentencePiece" in repr(reading)
    for text in [*texts(1, 60), "m" + "o" * 50, "a" * 300]:
        assert reading.encode(text) == library.encode(text), text
    for text in ("low lower", EN[:200].replace("\n", " ")):
        assert reading.decode(library.encode(text)) == library.decode(library.encode(text))
    assert reading.special_tokens.get("</s>") == library.eos_id()


def test_a_damaged_model_is_refused(tmp_path):
    path = tmp_path / "tokenizer.model"
    whole = model_of()
    for data in (whole[:1000], whole[:-3], b"\n\x05hello", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=str(path)):
            bpelab.load(path)
    draw, whole = random.Random(0), model_of(normalization_rule_name="identity")
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(5):
            data[draw.randrange(len(data))] = draw.randrange(256)
        try:
            SentencePiece(bytes(data)).encode("a b é")
        except ValueError:
            continue
    with pytest.raises(ValueError, match="cut off"):
        list(protobuf.fields(b"\x0a\x7f"))
    with pytest.raises(ValueError, match="charsmap"):
        charsmap.table(b"\xff\xff\xff\xff")


# --- the other files ------------------------------------------------------------------------------


def test_ranks_with_holes_and_an_offset(tmp_path):
    ranks = {bytes([byte]): byte for byte in range(256)}
    for rank, token in enumerate((b"ab", b"bc", b"abc", b"xyz", "猫".encode())):
        ranks[token] = 300 + 7 * rank
    path = tmp_path / "list.tiktoken"
    path.write_text("".join(f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in ranks.items()))
    with pytest.raises(ValueError, match="chunking="):
        bpelab.load(path)
    special = {"<end>": 290}
    reading = bpelab.load(path, chunking="cl100k", special_tokens=special)
    library = tiktoken.Encoding(
        "x", pat_str=bpelab.chunking.PATTERNS["cl100k"], mergeable_ranks=ranks, special_tokens=special
    )
    for text in [*texts(2), "abc ab xyz axyz 猫猫", "a<end>b"]:
        assert reading.encode(text) == library.encode_ordinary(text)
        assert reading.encode(text, "all") == library.encode(text, allowed_special="all")
    assert "no merge list" in repr(reading)
    with pytest.raises(ValueError, match="289"):
        reading.decode([289])
    document = {
        "config": {"pattern": GPT4, "default_vocab_size": 268, "default_num_special_tokens": 10},
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for rank, token in enumerate([*(bytes([byte]) for byte in range(256)), b"ab", b"abc"])
        ],
    }
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps(document))
    assert bpelab.load(path).encode("abcab") == [267, 266]
    assert bpelab.load(path).curve("abcab").tolist() == [5, 3, 2]


def test_gpt2_s_two_files(tmp_path):
    tok = bpelab.train(EN[:2000], 50, base="byte", chunking="gpt2", special_tokens=["<|endoftext|>"])
    model = tok.to_huggingface().model
    model.save(str(tmp_path))
    vocab = json.loads((tmp_path / "vocab.json").read_text()) | {"<|endoftext|>": 306}
    (tmp_path / "vocab.json").write_text(json.dumps(vocab))
    for name in ("vocab.json", "merges.txt"):
        assert bpelab.load(tmp_path / name) == tok
    (tmp_path / "vocab.json").unlink()
    with pytest.raises(ValueError, match=r"vocab\.json"):
        bpelab.load(tmp_path / "merges.txt")


def test_codes_of_subword_nmt_and_fastbpe(tmp_path):
    from subword_nmt import apply_bpe, learn_bpe

    path = tmp_path / "codes"
    with open(path, "w", encoding="utf-8") as out:
        learn_bpe.learn_bpe(io.StringIO(EN[:2000]), out, 60)
    reading = bpelab.load(path)
    with open(path, encoding="utf-8") as written:
        library = apply_bpe.BPE(written)
    for line in EN[:500].split("\n"):
        theirs = [piece.removesuffix("@@") for piece in library.process_line(line).split()]
        assert [token.removesuffix("</w>") for token in reading.tokens(line)] == theirs
    lines = path.read_text(encoding="utf-8").split("\n")[1:]
    path.write_text("\n".join(line + " 9" for line in lines if line), encoding="utf-8")
    assert bpelab.load(path).tokens(EN[:200]) == reading.tokens(EN[:200])
    path.write_text("#version: 0.1\nl o</w>\n")
    with pytest.raises(ValueError, match=r"0\.2"):
        bpelab.load(path)


def test_bert_s_vocab_txt_has_its_own_id_for_unknown(tmp_path):
    document = SHAPES["BERT"]()
    vocab = document["model"]["vocab"]
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(sorted(vocab, key=vocab.get)) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match="lowercase"):
        bpelab.load(path)
    reading = bpelab.load(path, lowercase=True)
    assert reading.unknown_id == 1
    assert_same_ids(tokenizers.Tokenizer.from_str(json.dumps(document)), reading)


def test_files_that_are_none(tmp_path):
    path = tmp_path / "x.json"
    for data in (
        b"{}",
        b"[1]",
        b"{",
        b'{"a": NaN}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\x1f\x8b\x08",
        b"",
        b"\x80\x04K\x01.",
        b"hello",
    ):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=str(path)):
            bpelab.load(path)


def test_tokens_that_no_text_reaches():
    list_ = [("b", "c"), ("a", "b"), ("ab", "c")]
    tok = bpelab.Tokenizer(list_, base="byte", chunking="gpt2")
    assert (b"abc" in tok.unreachable() and b"ab" in tok.unreachable()) or b"ab" not in tok.unreachable()
    assert b"bc" not in tok.unreachable() and b"\xff" in tok.unreachable()
    reading = HuggingFace(changed("model.vocab", {"a": 0, "b": 1, "ab": 2, "bb": 3}))
    assert reading.unreachable() == [b"bb"]
