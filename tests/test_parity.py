"""`train(text, **RECIPES[name])` learns what the installed libraries learn, merge by merge."""

import json
import random

import peers
import pytest

import bpelab
from bpelab import parity
from bpelab.exercises import chapter05

#: Merges to compare: two trainers in Python, one of which recounts everything, get less to do.
MERGES = {"tiktoken-educational": 120, "subword-nmt": 1000}
BYTES = {"tiktoken-educational": 20_000, "subword-nmt": 60_000}


def documents(name, text):
    """gigabpe trains on lines; all others on the whole text."""
    return text.split("\n") if name == "gigabpe" else text


def corpus(name, lang):
    """330 KB of each language, of three kinds of text.

    Without the full-width tilde, which SentencePiece's NFKC leaves as it is, and Unicode's makes a ~.
    """
    text = bpelab.corpora.text("parallel", lang) + bpelab.corpora.text("jupyterlab", lang)
    text += bpelab.corpora.text("bible", lang)
    return text.replace("～", "〜").encode()[: BYTES.get(name, 330_000)].decode("utf-8", "ignore")


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", peers.LIBRARIES)
def test_the_libraries_on_real_text(name, lang):
    text, n = corpus(name, lang), MERGES.get(name, 2000)
    theirs = peers.LIBRARIES[name](text, n)
    tok = bpelab.train(documents(name, text), n, **bpelab.RECIPES[name])
    assert parity.agreement(tok, theirs) == n
    assert len(parity.tokens_of(tok)) == len(theirs) == n


@pytest.mark.parametrize("name", peers.LIBRARIES)
def test_the_libraries_on_random_text(name):
    """Small alphabets, where nearly every choice is a tie. Libraries that fill up a vocabulary with
    pieces that never occur (SentencePiece), or stop elsewhere, are compared up to our exhaustion."""
    for seed in range(40):
        draw = random.Random(seed)
        letters = draw.choice(["ab", "abc", "abcdefgh", "aあ猫"])
        words = ["".join(draw.choices(letters, k=draw.randint(1, 9))) for _ in range(draw.randint(5, 40))]
        text = " ".join(words)
        ours = parity.tokens_of(bpelab.train(documents(name, text), 30, **bpelab.RECIPES[name]))
        if not ours:
            continue
        theirs = peers.LIBRARIES[name](text, len(ours))[: len(ours)]
        assert ours == theirs, (seed, text)


def test_the_exercise_on_rustbpe_asks_about_its_merges():
    merges = max((merges for _, merges in chapter05.rustbpe_ties()), key=len)
    assert len(merges) > 900
    assert parity.tokens_of(merges) == peers.rustbpe(chapter05.english(), len(merges))


def test_youtokentome_and_minbpe_on_the_toys():
    """Not installed here (one no longer builds, one is no package): merges as found by running them."""
    go = "low low low lower lower newest"
    wanted = [("o", "w"), ("▁", "l"), ("▁l", "ow"), ("e", "r"), ("▁low", "er"), ("e", "w"), ("e", "s"), ("▁", "n")]
    assert parity.agreement(bpelab.train(go, 8, **bpelab.RECIPES["youtokentome"]), wanted) == 8
    basic = [
        ("l", "o"),
        ("lo", "w"),
        (" ", "low"),
        (" low", " low"),
        (" low", "e"),
        (" lowe", "r"),
        ("low", " low low"),
    ]
    assert parity.agreement(bpelab.train(go, 7, **bpelab.RECIPES["minbpe-basic"]), basic) == 7
    regex = [
        ("l", "o"),
        ("lo", "w"),
        (" ", "low"),
        (" low", "e"),
        (" lowe", "r"),
        (" ", "n"),
        (" n", "e"),
        (" ne", "w"),
    ]
    assert parity.agreement(bpelab.train(go, 8, **bpelab.RECIPES["minbpe"]), regex) == 8


@pytest.mark.parametrize("name", bpelab.RECIPES)
def test_every_recipe_in_reference_and_engine_and_saved(name, tmp_path, real_text):
    for text in (real_text["en"][:1500], real_text["ja"][:700]):
        recipe = bpelab.RECIPES[name]
        fast, slow = bpelab.train(text, 60, **recipe), bpelab.reference.train(text, 60, **recipe)
        assert fast.merges == slow.merges and fast == slow
        fast.save(tmp_path / "m.json")
        assert bpelab.load(tmp_path / "m.json") == fast


def test_decoding_writes_the_blanks_that_a_chunker_took():
    text = "low lower 猫が 2 newest"
    for name in ("subword-nmt", "sentencepiece", "sentencepiece-unconstrained", "youtokentome"):
        tok = bpelab.train(text * 3, 20, **bpelab.RECIPES[name])
        assert tok.decode(tok.encode("low  newest low")) == "low newest low"
        decoder = tok.stream_decoder()
        assert "".join([*map(decoder.feed, tok.encode("low newest")), decoder.finish()]) == "low newest"


def test_encoding_agrees_on_held_out_text():
    from tokenizers import Tokenizer, models, pre_tokenizers

    text, test = corpus("x", "ja")[:200_000], bpelab.corpora.text("parallel", "ja", "test")
    tok = bpelab.train(text, 2000, **bpelab.RECIPES["huggingface"])
    spell = lambda token: "".join(bpelab.spelling.byte_characters()[b] for b in token)  # noqa: E731
    vocab = {spell(token): i for i, token in enumerate(tok.vocab)}
    theirs = Tokenizer(models.BPE(vocab, [(spell(m.left), spell(m.right)) for m in tok.merges]))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    assert theirs.encode(test).ids == tok.encode(test)


def test_the_first_difference_is_named(tmp_path):
    go = "low low low lower lower newest"
    ours, theirs = bpelab.train(go), bpelab.train(go, tie="lowest-id")
    found = parity.difference(ours, theirs, go)
    assert found == (4, " lowe", "er", 2, 2) and found.tie
    assert parity.difference(ours, ours, go) is None
    shorter = parity.difference(ours, ours.truncate(2), go)
    assert shorter[:3] == (3, " low", None) and not shorter.tie
    not_best = parity.difference(ours, ["lo", "lo" + "we"], go)
    assert not_best == (2, "low", "lowe", 5, None)
    theirs_bytes = bpelab.train(go, base="byte", chunking="gpt2", tie="lowest-id")
    theirs_bytes.save_merges_txt(tmp_path / "merges.txt")
    theirs_bytes.to_huggingface().save(str(tmp_path / "tokenizer.json"))
    theirs_bytes.save(tmp_path / "ours.json")
    for name in ("merges.txt", "tokenizer.json", "ours.json"):
        assert parity.tokens_of(tmp_path / name) == parity.tokens_of(theirs_bytes)
    frame = parity.recipes(tmp_path / "merges.txt", go)
    assert frame["recipe"][0] == "huggingface-characters" and frame["agree"][0] == 11
    with pytest.raises(ValueError, match="names must be one of 'article-characters'"):
        parity.recipes(theirs, go, ["nobody"])
    with pytest.raises(TypeError, match=r"merges\[0\] must be a token or \(left, right\), got 5"):
        parity.tokens_of([5])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"max_token_length": 0}, ValueError, "max_token_length must be at least 1"),
        ({"base_order": "alphabetical"}, ValueError, "base_order must be one of 'byte-level', 'frequency'"),
        ({"base_order": "byte-level"}, ValueError, "'byte-level' needs base='byte', got base='char'"),
        ({"fuse_end_of_word": True}, ValueError, "fuse_end_of_word needs an end_of_word"),
        ({"end_of_word": "_", "fuse_end_of_word": 1}, TypeError, "fuse_end_of_word must be True or False, got 1"),
    ],
)
def test_bad_knobs(options, error, message):
    with pytest.raises(error, match=message):
        bpelab.train("abc", **options)


def test_the_longest_token():
    tok = bpelab.train("abcabcabc abcabc", max_token_length=3, chunking="whole")
    assert max(map(len, tok.vocab[1:])) == 3


@pytest.mark.parametrize(
    ("name", "content", "tokens"),
    [
        (
            "t.json",
            {"vocab": {"l": 0, "##o": 1, "##w": 2, "lo": 3, "low": 4}, "merges": [["l", "##o"], ["lo", "##w"]]},
            [b"lo", b"low"],
        ),
        ("merges.txt", "#version: 0.2\nf é\n", ["fé".encode()]),
        ("merges.txt", "#version: 0.2\nĠ t\nã ģ\n", [b" t", b"\xe3\x81"]),
        ("codes.txt", "#version: 0.2\nl o\nlo w</w>\n", [b"lo", b"low</w>"]),
        ("codes.fast", "l o 7\nlo w</w> 5\n", [b"lo", b"low</w>"]),
    ],
)
def test_tokens_of_files_of_every_kind(tmp_path, name, content, tokens):
    if isinstance(content, dict):
        content = json.dumps({"model": {"type": "BPE", "continuing_subword_prefix": "##"} | content})
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert parity.tokens_of(tmp_path / name) == tokens


@pytest.mark.parametrize("content", ["{}", "[]", '{"model": {}}', "[" * 100_000, '{"format": []}', "null", ""])
def test_files_without_merges_are_refused(tmp_path, content):
    (tmp_path / "x.json").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"x\.json"):
        parity.tokens_of(tmp_path / "x.json")
