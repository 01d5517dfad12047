"""The corpora of the worked examples."""

import random

from hypothesis import strategies as st

GO = "low low low lower lower newest"
FOUR_WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def word_counts(expected):
    """The 49 words of the word-level example with their counts, in order."""
    words = expected["word_bpe_end_marker"]["printed_words"]
    return {symbols.replace(" ", "").removesuffix("</w>"): n for symbols, n in words}


def japanese_sentences():
    """2,000 sentences to train on and 200 to test with."""
    draw = random.Random(0)
    subjects = ["私は", "彼は", "猫が", "犬が", "先生は", "学生が"]
    places = ["東京で", "学校で", "公園で", "図書館で", "家で"]
    actions = ["本を読みます", "ご飯を食べます", "友達と話します", "走ります", "勉強します", "寝ます"]
    drawn = [draw.choice(subjects) + draw.choice(places) + draw.choice(actions) + "。" for _ in range(2200)]
    return drawn[:2000], drawn[2000:]


@st.composite
def edited_merges(draw):
    """Merge lists over a, b, c in any order, also such as no training would make."""
    made = draw(
        st.lists(
            st.sampled_from(["ab", "bc", "ca", "abc", "bca", "abca", "cab", "aba", "abab", "aa", "aab"]), unique=True
        )
    )
    merges, known = [], set("abc")
    for token in made:
        splits = [i for i in range(1, len(token)) if token[:i] in known and token[i:] in known]
        if splits:
            cut = draw(st.sampled_from(splits))
            merges.append((token[:cut], token[cut:]))
            known.add(token)
    return merges
