"""The worked examples of the book, with exactly the values worked out elsewhere."""

import pytest
import toys

import bpelab

TIES = {
    "first": "first",
    "lex": "lexicographic",
    "ids": "lowest-id",
    "largest": "largest",
    "sp": "shortest",
    "yttm": "youtokentome",
}


def texts(merges, n=None):
    return [[merge.left.decode(), merge.right.decode(), merge.count] for merge in merges[:n]]


@pytest.fixture(params=[bpelab.train, bpelab.reference.train], ids=["engine", "reference"])
def train(request):
    return request.param


def test_space_chunks(train, expected):
    values = expected["space_chunk_char_bpe"]
    tok = train(values["corpus"])
    assert texts(tok.merges) == values["all_merges"]
    assert [token.decode() for token in tok.vocab] == values["vocab"]
    for cut, key in ((tok, "encode_all_merges"), (tok.truncate(8), "encode_8_merges")):
        for text, tokens, ids, decoded in values[key]:
            assert (cut.tokens(text), cut.encode(text), cut.decode(ids)) == (tokens, ids, decoded)
    by_merges = [len(tok.truncate(n).encode("low lower")) for n in range(12)]
    assert by_merges == values["tokens_low_lower_by_n_merges"]
    assert bpelab.chunk("low lower") == values["chunks_of_low_lower"]
    assert bpelab.chunk("a  b") == values["chunks_of_two_spaces"]


def test_word_level(train, expected):
    values = expected["word_bpe_end_marker"]
    words = toys.word_counts(expected)
    assert len(words) == values["n_words"]
    tok = train(words, end_of_word="</w>", chunking="words", tie="first")
    assert texts(tok.merges, 30) == values["correct_30"]
    assert len(tok.merges) == values["total_merges_to_exhaustion"]["correct"]
    cut = tok.truncate(30)
    assert [[" ".join(cut.tokens(word)), n] for word, n in words.items()] == values["correct_words"]


def test_word_level_by_str_replace(expected):
    """The bug that the book shows: merging inside a joined string crosses the borders of symbols."""
    values = expected["word_bpe_end_marker"]
    words = {" ".join([*word, "</w>"]): n for word, n in toys.word_counts(expected).items()}
    merges = []
    while counts := bpelab.reference.count_pairs([(word.split(), n) for word, n in words.items()]):
        pair = max(counts, key=counts.get)
        merges.append([*pair, counts[pair]])
        words = {word.replace(" ".join(pair), "".join(pair)): n for word, n in words.items()}
        if len(merges) == 30:
            assert [[word, n] for word, n in words.items()] == values["printed_words"]
    assert merges[:30] == values["printed_30"]
    assert len(merges) == values["total_merges_to_exhaustion"]["printed_code"]


def test_four_words(train, expected):
    values = expected["toy_corpora"]
    tok = train(toys.FOUR_WORDS, end_of_word="_", tie="first")
    assert texts(tok.merges) == values["sennrich_to_exhaustion"]
    cut = tok.truncate(10)
    assert texts(cut.merges) == values["sennrich_10"]
    assert {word: cut.tokens(word) for word in values["encode"]} == values["encode"]


def test_japanese_sentences(train, expected):
    values = expected["toy_corpora"]
    sentences, test = toys.japanese_sentences()
    tok = train(sentences, chunking="whole", tie="first")
    assert len(set(sentences)) == values["ja_distinct_train_sentences"]
    assert len(tok.characters) == values["ja_alphabet"]
    assert texts(tok.merges, 60) == values["ja_60"]
    assert len(tok.merges) == values["ja_to_exhaustion_n"]
    cut = tok.truncate(60)
    assert {text: cut.tokens(text) for text in values["encode_ja"]} == values["encode_ja"]
    for size, tokens in values["ja_vocab_vs_total_tokens_200_sentences"]:
        assert sum(map(len, tok.truncate(size - values["ja_alphabet"]).encode_batch(test))) == tokens


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("count", ["overlap", "runs"])
def test_tie_rules(train, tie, count, expected):
    sentences, _ = toys.japanese_sentences()
    corpora = {
        "go toy (space chunks, chars)": (toys.GO, {}),
        "sennrich + _": (toys.FOUR_WORDS, {"end_of_word": "_"}),
        "word-level article + </w>": (toys.word_counts(expected), {"end_of_word": "</w>"}),
        "japanese 2000 sentences": (sentences, {"chunking": "whole"}),
        "wiki aaabdaaabac": ("aaabdaaabac", {}),
    }
    for name, (corpus, options) in corpora.items():
        wanted = expected["tie_rules"][name][f"{tie}/{count}"]
        tok = train(corpus, len(wanted), tie=TIES[tie], count=count, **options)
        assert texts(tok.merges) == wanted, name


def test_counting(train, expected):
    for text, values in expected["counting"].items():
        if set(text) == {"a"}:
            for rule in ("overlap", "runs"):
                assert train(text, 1, count=rule).merges[0].count == values[rule]
            assert train(text, 1).tokens(text) == values["after_one_merge"]
    for rule in ("overlap", "runs"):
        tok = train({"aaa": 2, "bc": 3}, count=rule)
        assert texts(tok.merges) == expected["counting"]["aaa x2, bc x3"][rule]
