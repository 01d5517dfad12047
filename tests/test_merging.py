"""Encoding in compiled code: walls, memory, queues and threads change no id."""

import random
import unittest.mock
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import numpy as np
import pytest
import toys
from hypothesis import given
from hypothesis import strategies as st

import bpelab
from bpelab import chunking, compiled, encoding, hashing, merging, scanner
from bpelab.alphabet import Alphabet

#: Characters of one to four bytes; many share their first or last bytes.
LETTERS = "ab 'é猫犬のはあいうが。、😀😁\n"
TEXT = st.text(LETTERS, max_size=60)


@pytest.fixture(autouse=True)
def compiled_from_the_start(monkeypatch):
    monkeypatch.setattr(compiled, "PATIENCE", 0)


def by_the_book(tok, text):
    """Ids by the reference: all merges in learned order, chunk by chunk."""
    split, ids = tok.alphabet.split, {token: i for i, token in reversed(list(enumerate(tok.vocab)))}
    tokens = [bpelab.reference.encode(split(chunk), tok.merges) for chunk in bpelab.chunk(text, tok.chunking)]
    return [ids.get(token, 0) for chunk in tokens for token in chunk]


@pytest.mark.parametrize("base", ["byte", "char"])
@given(
    corpus=st.lists(TEXT, min_size=1, max_size=5),
    texts=st.lists(TEXT, max_size=4),
    name=st.sampled_from(["gpt2", "whole"]),
)
def test_ids_are_those_of_the_reference(base, corpus, texts, name):
    tok = bpelab.train(corpus, 60, base=base, chunking=name, tie="first")
    wanted = [by_the_book(tok, text) for text in texts]
    assert tok.encode_batch(texts) == wanted
    assert tok.count_tokens(texts) == list(map(len, wanted))
    assert [tok.encode(text) for text in texts] == wanted
    assert [tok.encode_to_numpy(text).tolist() for text in texts] == wanted


@given(toys.edited_merges(), st.text("abc", max_size=30))
def test_any_merge_list(merges, text):
    tok = bpelab.Tokenizer(merges, base="byte", chunking="whole")
    assert tok.encode(text) == by_the_book(tok, text)


def merged_at_random(draw, symbols, steps):
    """Merges of neighbours in a text, drawn without looking at counts: tokens of pieces of characters abound."""
    tokens, merges = symbols, {}
    while len(merges) < steps and len(tokens) > 1:
        k = draw.randrange(len(tokens) - 1)
        pair = tokens[k], tokens[k + 1]
        if b"".join(pair) in merges:
            continue
        merges[b"".join(pair)] = pair
        tokens = bpelab.reference.apply_merge(tokens, pair)
    return list(merges.values())


@pytest.mark.parametrize("base", ["byte", "char"])
def test_characters_at_sight_and_walls_change_nothing(base):
    """Long texts of characters that share bytes, by pieces that start as characters, and byte by byte in one."""
    draw = random.Random(5)
    for _ in range(80):
        letters = draw.choices("のはあ猫猬犬臣臤下与a。é😀😁", k=draw.randint(3, 7))
        corpus, text = ("".join(draw.choices(letters, k=n)) for n in (60, 500))
        alphabet = Alphabet.of([corpus], base)
        merges = merged_at_random(draw, alphabet.split(corpus), draw.randint(5, 60))
        characters = alphabet.characters if base == "char" else None
        tok = bpelab.Tokenizer(merges, base=base, characters=characters, chunking="whole")
        for texts in ([text], [text[i : i + 40] for i in range(0, len(text), 40)]):
            wanted, _ = merging.merged(tok.pairs, tok.alphabet, *tok.alphabet.encode(texts))
            assert list(chain.from_iterable(tok.encode_batch(texts))) == wanted.tolist()


@given(toys.edited_merges(), st.lists(st.text("abc", max_size=30), min_size=1, max_size=4), st.integers(1, 20))
def test_rows_of_symbols_and_what_they_were_before(merges, texts, times):
    """Rows as ids, long ones by a queue; and how often each merge was applied."""
    texts = [texts[0] * times, *texts]
    tok = bpelab.Tokenizer(merges, base="char", characters="abc", chunking="whole")
    ids, sizes = tok.alphabet.encode(texts)
    with unittest.mock.patch.object(compiled, "PATIENCE", 10**9):
        plain = merging.merged(tok.pairs, tok.alphabet, ids, sizes)
    fast = merging.merged(tok.pairs, tok.alphabet, ids, sizes)
    wanted = [by_the_book(tok, text) for text in texts]
    for found in (plain, fast):
        assert (found[0].tolist(), found[1].tolist()) == ([*chain.from_iterable(wanted)], list(map(len, wanted)))
    prefixes = [tok.truncate(k) for k in range(len(merges) + 1)]
    assert tok.curve(texts).tolist() == [sum(map(len, map(prefix.encode, texts))) for prefix in prefixes]


@pytest.mark.parametrize("letters", ["a", "ab", "abc", "あい", "a猫"])
def test_pieces_too_long_to_search_have_a_queue(letters):
    draw = random.Random(0)
    text = "".join(draw.choices(letters, k=3 * merging.LONGEST))
    tok = bpelab.train(text[:200], base="byte", chunking="whole")
    assert tok.encode(text) == by_the_book(tok, text)


@pytest.mark.parametrize("marker", [{"end_of_word": "_"}, {"end_of_word": "</w>", "fuse_end_of_word": True}])
def test_markers(marker):
    tok = bpelab.train(toys.GO * 3, 12, **marker)
    for text in ("low newest", "lo we", "x", "newest" * 60, ""):
        assert tok.encode(text) == by_the_book(tok, text)
    assert tok.encode_chunks(["low", "", "e"])[1] == ([tok.alphabet.end_id] if tok.alphabet.end_id else [])


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", scanner.RULES)
def test_a_small_memory_forgets_and_threads_share_a_tokenizer(lang, name, real_text, monkeypatch):
    text = real_text[lang][:60_000]
    tok = bpelab.train(text, 1_500, base="byte", chunking=name)
    wanted = [i for chunk in chunking.chunk(text, name) for i in tok.encode(chunk)]
    monkeypatch.setattr(merging, "FIRST_SLOTS", 16)
    monkeypatch.setattr(merging, "MOST_SLOTS", 1 << 10)
    monkeypatch.setattr(merging, "MOST_KEPT", 1 << 10)
    monkeypatch.setattr(encoding, "MANY", 10_000)
    monkeypatch.setattr(encoding, "cores", lambda: 3)
    small = bpelab.Tokenizer(tok.merges, base="byte", chunking=name)
    with ThreadPoolExecutor(4) as pool:
        assert all(ids == wanted for ids in pool.map(small.encode, [text] * 8))
    lines = ["", *text.splitlines(keepends=True), ""]
    assert small.encode_batch(lines) == [tok.encode(line) for line in lines]
    assert all(len(memory.slots) <= 2 << 10 for memory in small._encoder.memories.values())
    assert all(len(memory.kept) <= 2 << 10 for memory in small._encoder.memories.values())


@pytest.mark.parametrize("size", [500, 3_000])
@pytest.mark.parametrize("name", scanner.RULES)
def test_parts_of_a_text_have_its_chunks(name, size, real_text):
    for text in (*real_text.values(), "a\n\nb \n c\n1 .\nX\n" * 1_000):
        parts = scanner.parts(text[:40_000], name, size)
        assert len(parts) > 3 and max(map(len, parts)) < 40 * size
        together = [chunk for part in parts for chunk in chunking.chunk(part, name)]
        assert together == chunking.chunk(text[:40_000], name)


@pytest.mark.parametrize(
    "keys", [lambda k: k << 48, lambda k: k * 0x9E3779B97F4A7C15, lambda k: k << 31 | 97, lambda k: k * 4096]
)
def test_prepared_keys_do_not_collide(keys):
    """Of 2,000 keys in 4,096 slots about 1,600 are alone where the search starts; a flood would have a few slots."""
    slots = {hashing.slot_of(np.uint64(keys(k) % 2**64), hashing.SEED, 4096) for k in range(2_000)}
    assert len(slots) > 1_000


def test_many_merges_are_refused_with_the_reason():
    pairs = np.zeros((merging.MOST_IDS, 2), np.int32)
    with pytest.raises(ValueError, match="truncate"):
        merging.prepared(pairs, bpelab.train("a").alphabet)
