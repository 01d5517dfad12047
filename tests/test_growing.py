"""Going on from a tokenizer, and pruning one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpelab

WORDS = st.text("abcあ猫 ", max_size=60)


@pytest.fixture(scope="module")
def english(real_text):
    return bpelab.train(real_text["en"], vocab_size=700, base="byte", chunking="gpt2", special_tokens=["<end>"])


def test_old_ids_and_merges_stay(english, real_text):
    grown = bpelab.train(real_text["ja"], vocab_size=1000, start=english, special_tokens=["<new>"])
    assert grown.vocab_size == 1000 and grown.special_tokens == {"<end>": 699, "<new>": 999}
    assert grown.merges[: len(english.merges)] == english.merges
    assert grown.vocab[:700] == english.vocab
    assert grown.ids[-1] == 998 and len(set(grown.ids)) == len(grown.ids)
    for text in ("Good morning, all.", "明日の会議は三時からです。<end>"):
        assert grown.decode(grown.encode(text, allowed_special="all")) == text
        spelled = b"".join(grown.id_to_token(i) for i in grown.encode(text))
        assert spelled == text.encode()
    assert len(grown.encode(real_text["ja"])) < 0.6 * len(english.encode(real_text["ja"]))


@given(WORDS, WORDS, st.sampled_from(["lexicographic", "first", "lowest-id", "youtokentome"]))
def test_engine_and_reference_go_on_alike(one, two, tie):
    start = bpelab.train(one, 5, base="byte")
    grown = bpelab.train(two, 8, start=start, tie=tie)
    assert grown == bpelab.reference.train(two, 8, start=start, tie=tie)
    assert grown.merges[: len(start.merges)] == start.merges
    if len(grown.merges) > len(start.merges):  # the first new merge is the most frequent pair of the old tokens
        pairs = bpelab.reference.count_pairs(
            [(start.token_bytes(chunk), n) for chunk, n in bpelab.count_chunks(two).items()]
        )
        assert grown.merges[len(start.merges)].count == max(pairs.values())


def test_going_on_from_nothing_is_training(real_text):
    text = real_text["ja"][:5000]
    start = bpelab.train("", base="byte", chunking="gpt2")
    assert bpelab.train(text, 300, start=start) == bpelab.train(text, 300, base="byte", chunking="gpt2")


def test_a_character_without_an_id_is_named():
    start = bpelab.train("low low", 2)
    assert bpelab.train("owl owl", 1, start=start).merges[-1][:2] == (b"o", b"w")
    with pytest.raises(ValueError, match=r"doesn't know the character 'é'.*base='byte'"):
        bpelab.train("low é", 1, start=start)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"start": "gpt2"}, TypeError, "start must be a Tokenizer, got str"),
        ({"chunking": "lines"}, ValueError, "chunking is that of start, 'gpt2'; got 'lines'"),
        ({"normalization": "NFC"}, ValueError, "normalization is that of start, None"),
        ({"vocab_size": 600}, ValueError, "vocab_size must be at least 700, got 600"),
    ],
)
def test_bad_starts(english, options, error, message):
    with pytest.raises(error, match=message):
        bpelab.train("猫", **{"start": english} | options)


@given(WORDS, WORDS, st.booleans())
def test_pruning_keeps_the_tokens_of_its_corpus(train, used, special):
    tok = bpelab.train(train + used, base="byte", special_tokens=["<e>"] if special else ())
    small, table = tok.prune(used)
    assert [table[i] for i in tok.encode(used)] == small.encode(used)
    assert small.token_bytes(used) == tok.token_bytes(used)
    assert all(small.id_to_token(new) == tok.id_to_token(old) for old, new in table.items())
    assert sorted(table.values()) == list(range(small.vocab_size))


def test_pruning_keeps_what_it_is_told_to(english):
    token = english.merges[-1].left + english.merges[-1].right
    assert token not in english.prune("a")[0].vocab
    for keep in ([token], [english.token_to_id(token)], [token.decode(), "<end>"]):
        assert token in english.prune("a", keep)[0].vocab
    with pytest.raises(ValueError, match=r"keep\[0\] is 5000, which is no id"):
        english.prune("a", [5000])
    with pytest.raises(TypeError, match="keep must be a list of tokens"):
        english.prune("a", "the")


def test_grown_ones_are_saved_truncated_and_pruned(english, real_text, tmp_path):
    grown = bpelab.train(real_text["ja"][:20_000], vocab_size=800, start=english)
    grown.save(tmp_path / "m.json")
    assert bpelab.load(tmp_path / "m.json") == grown
    assert grown.truncate(len(english.merges)).encode("low lower") == english.encode("low lower")
    small, table = grown.prune("猫が好き。")
    assert [table[i] for i in grown.encode("猫が好き。")] == small.encode("猫が好き。")
    assert grown.curve("猫が好き。")[-1] == len(grown.encode("猫が好き。"))
