"""Two implementations, one answer: the engine against the reference, for every rule."""

import os
import random
import subprocess
import sys
import tempfile

import pytest
import toys
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab import engine, ties

CORPORA = st.sampled_from(["ab", "abc", "aあ猫", "abcdefgh "]).flatmap(
    lambda letters: st.dictionaries(st.text(letters, max_size=30), st.integers(1, 9), max_size=6)
)
RULES = {
    "tie": st.sampled_from(ties.TIES),
    "count": st.sampled_from(ties.COUNTS),
    "base": st.sampled_from(["char", "byte"]),
}


@given(corpus=CORPORA, min_frequency=st.integers(1, 4), **RULES)
def test_engine_learns_what_the_reference_learns(corpus, **options):
    fast, slow = bpelab.train(corpus, **options), bpelab.reference.train(corpus, **options)
    assert fast.merges == slow.merges
    assert fast.lengths == slow.lengths
    assert fast == slow


@given(corpus=CORPORA, marker=st.sampled_from(["_", "</w>"]), tie=RULES["tie"], count=RULES["count"])
def test_engine_learns_what_the_reference_learns_with_end_of_word(corpus, marker, tie, count):
    options = {"end_of_word": marker, "tie": tie, "count": count}
    assert bpelab.train(corpus, **options).merges == bpelab.reference.train(corpus, **options).merges


@pytest.mark.parametrize("count", ties.COUNTS)
@pytest.mark.parametrize("tie", ties.TIES)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_real_text(real_text, lang, tie, count):
    options = {"base": "byte", "chunking": "gpt2", "tie": tie, "count": count}
    text = real_text[lang][:4000]
    fast, slow = bpelab.train(text, 150, **options), bpelab.reference.train(text, 150, **options)
    assert fast.merges == slow.merges
    assert fast.lengths == slow.lengths


@given(corpus=CORPORA, text=st.text("abcあ猫 ", max_size=40), **RULES)
def test_encoding_is_the_merges_in_learned_order(corpus, text, **options):
    tok = bpelab.train(corpus, **options)
    assert tok.token_bytes(text) == in_order(tok, text)


@given(toys.edited_merges(), st.text("abc", max_size=20))
def test_encoding_of_any_merge_list(merges, text):
    """Also lists that no training would make: encoding is defined by their order alone."""
    tok = bpelab.Tokenizer(merges, characters="abc", chunking="whole")
    assert tok.token_bytes(text) == in_order(tok, text)


def in_order(tok, text):
    split = tok.alphabet.split
    return [
        token
        for chunk in bpelab.chunk(text, tok.chunking)
        for token in bpelab.reference.encode(split(chunk), tok.merges)
    ]


@given(corpus=CORPORA, k=st.integers(0, 12), **RULES)
def test_a_smaller_vocabulary_is_a_prefix(corpus, k, **options):
    large = bpelab.train(corpus, **options)
    small = bpelab.train(corpus, k, **options)
    assert small.merges == large.merges[:k]
    assert small == large.truncate(min(k, len(large.merges)))


@given(corpus=CORPORA)
def test_tokens_are_unique_and_no_length_rises(corpus):
    tok = bpelab.train(corpus)
    assert len(set(tok.vocab)) == len(tok.vocab)
    assert tok.lengths == sorted(tok.lengths, reverse=True)


def test_counts_beyond_64_bits():
    tok = bpelab.train({"aaaa": 2**62}, 2)
    assert [merge.count for merge in tok.merges] == [3 * 2**62, 2**62]
    assert bpelab.train({"the": 3_000_000_000, "he": 5, "th": 5}, 1).merges[0].count == 3_000_000_005


def test_a_run_of_one_letter():
    tok = bpelab.train("a" * 1_000_000, chunking="whole")
    assert tok.decode(tok.encode("a" * 999_999)) == "a" * 999_999
    assert tok.lengths[-1] == 1
    assert len(tok.vocab[-1]) == 1_000_000


def test_a_japanese_line_without_a_blank(real_text):
    line = "".join(real_text["ja"].split()) * 6
    tok = bpelab.train(line, 500, base="byte", chunking="whole")
    assert len(tok.merges) == 500
    assert tok.decode(tok.encode(line)) == line


def test_tokens_that_would_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(engine, "MOST_TOKEN_BYTES", 1 << 20)
    text = "".join(random.Random(0).choices("abcdefgh", k=20_000))
    with pytest.raises(ValueError, match=r"num_merges.*20000 symbols long.*smaller num_merges"):
        bpelab.train(text, chunking="whole")
    assert len(bpelab.train(text, 200, chunking="whole").merges) == 200


PROGRAM = """
import bpelab, random
bpelab.compiled.PATIENCE = 0  # no job is small
draw = random.Random(3)
for _ in range({runs}):
    corpus = {{"".join(draw.choices("abあ", k=draw.randint(0, 25))): draw.randint(1, 4) for _ in range(4)}}
    options = dict(tie=draw.choice(bpelab.ties.TIES), count=draw.choice(bpelab.ties.COUNTS))
    options["base"] = draw.choice(["char", "byte"])
    fast, slow = bpelab.train(corpus, **options), bpelab.reference.train(corpus, **options)
    assert fast.merges == slow.merges and fast.lengths == slow.lengths
    for chunk in corpus:
        assert b"".join(fast.token_bytes(chunk)).decode() == chunk
print("equal")
"""


def run(program, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", "ignore:Numba does not load", "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


GROWING = """
from bpelab import engine, merging, scanner
engine.FIRST_ROOM, engine.SHARE, merging.FIRST_SLOTS = 1, 2, 2
"""


def test_within_the_bounds_of_every_array_and_with_all_arrays_at_the_minimum():
    with tempfile.TemporaryDirectory() as cache:
        environment = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": cache}
        assert run(GROWING + PROGRAM.format(runs=200), **environment) == "equal\n"
        assert run(PROGRAM.format(runs=200), **environment) == "equal\n"


def test_uncompiled():
    without_numba = "import sys; sys.modules['numba'] = None\n"
    many_frequencies = "from bpelab import engine; engine.GRADES = 1\n"
    assert run(without_numba + PROGRAM.format(runs=15)) == "equal\n"
    assert run(without_numba + many_frequencies + PROGRAM.format(runs=15)) == "equal\n"


def test_the_hash_seed_changes_nothing():
    program = (
        "import bpelab; text = bpelab.corpora.text('parallel', 'ja')[:3000]\n"
        "for tie in bpelab.ties.TIES: print(bpelab.train(text, 80, tie=tie, base='byte').merges)"
    )
    assert len({run(program, PYTHONHASHSEED=seed) for seed in ("0", "1", "2")}) == 1
