"""Answers to the steps of "Build your own"; the right ones are those of its solutions."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import jupytext
import regex

SOURCE = Path(__file__).parents[2] / "notebooks" / "src" / "build_your_own.py"


def solutions():
    """What the solutions define."""
    scope = {}
    for cell in jupytext.read(SOURCE, fmt="py:percent").cells:
        if cell.cell_type == "code" and {"setup", "exercise"} & set(cell.metadata.get("tags", [])):
            code = re.sub(r"^ *#: ?.*\n?", "", cell.source, flags=re.MULTILINE)
            code = re.sub(r"^(bpelab\.exercises\.check|print)\(.*\)$", "", code, flags=re.MULTILINE)
            exec(code, scope)
    return scope


MINE = solutions()
count_pairs, merge, train, encode, visible, text_of, split, numbered, train_fast = (
    MINE[name]
    for name in "count_pairs merge train encode visible text_of split numbered train_fast".split()
)  # fmt: skip
byte_characters, GPT2 = MINE["byte_characters"], MINE["GPT2"]


def once_a_word(words):
    return sum((Counter(dict.fromkeys(pairwise(tokens), n)) for tokens, n in words), Counter())


def counted_well(words):
    counts = Counter()
    for tokens, n in words:
        for pair in pairwise(tokens):
            counts[pair] += n
    return counts


def unweighted(words):
    return Counter(pair for tokens, _ in words for pair in pairwise(tokens))


def across(words):
    return Counter(pairwise([token for tokens, n in words for token in tokens * n]))


def merge_by_index(tokens, pair):
    done, i = [], 0
    while i < len(tokens):
        both = tuple(tokens[i : i + 2]) == tuple(pair)
        done.append("".join(tokens[i : i + 2]) if both else tokens[i])
        i += 1 + both
    return tuple(done)


def merge_twice(tokens, pair):
    """Uses a token for two merges."""
    return [a + b if (a, b) == pair else a for a, b in pairwise([*tokens, ""]) if a] if tokens else []


def merge_text(tokens, pair):
    return " ".join(tokens).replace(" ".join(pair), "".join(pair)).split()


def merge_made(tokens, pair):
    """Compares the text of two neighbours."""
    done = []
    for token in tokens:
        if done and done[-1] + token == "".join(pair):
            done[-1] += token
        else:
            done.append(token)
    return done


def merge_in_place(tokens, pair):
    """Right, and it spoils its input."""
    tokens[:] = merge(tokens, pair)
    return tokens


def merge_and_lose(tokens, pair):
    """Forgets the last token."""
    return merge(tokens, pair)[:-1]


def train_from_two(chunks, num_merges):
    """Leaves out what stands once."""
    merges, words = [], [(list(chunk), n) for chunk, n in chunks.items()]
    while len(merges) < num_merges and max(counted_well(words).values(), default=0) > 1:
        merges.append(train(chunks, len(merges) + 1)[-1])
        words = [(merge(tokens, merges[-1]), n) for tokens, n in words]
    return merges


def train_with(key=lambda counts: lambda pair: (-counts[pair], pair), recount=True, stop=True):
    def train(chunks, num_merges):
        words, merges = [(list(chunk), n) for chunk, n in chunks.items()], []
        counts = counted_well(words)
        for _ in range(num_merges):
            counts = counted_well(words) if recount else counts
            if stop and not counts:
                break
            pair = min(counts, key=key(counts))
            words = [(merge(tokens, pair), n) for tokens, n in words]
            merges.append(pair)
            counts = Counter({p: n for p, n in counts.items() if p != pair})
        return merges

    return train


def encode_leftmost(tokens, ranks):
    while True:
        known = [pair for pair in pairwise(tokens) if pair in ranks]
        if not known:
            return tokens
        tokens = merge(tokens, known[0])


def encode_longest(tokens, ranks):
    while known := [pair for pair in pairwise(tokens) if pair in ranks]:
        tokens = merge(tokens, max(known, key=lambda pair: len("".join(pair))))
    return tokens


def encode_replay(tokens, ranks):
    for pair in ranks:
        tokens = merge(tokens, pair)
    return tokens


def encode_by_text(tokens, ranks):
    """Takes two neighbours for a pair that makes the same text."""
    known = {left + right: rank for (left, right), rank in ranks.items()}
    while found := [pair for pair in pairwise(tokens) if "".join(pair) in known]:
        tokens = merge(tokens, min(found, key=lambda pair: known["".join(pair)]))
    return tokens


def encode_with_a_table(tokens, ranks):
    """Right, and it turns all ranks round each time."""
    pair_of = {rank: pair for pair, rank in ranks.items()}
    while found := [ranks[pair] for pair in pairwise(tokens) if pair in ranks]:
        tokens = merge(tokens, pair_of[min(found)])
    return tokens


def encode_once(tokens, ranks):
    known = [pair for pair in pairwise(tokens) if pair in ranks]
    return merge(tokens, min(known, key=ranks.get)) if known else tokens


def all_moved():
    return {byte: chr(256 + byte) for byte in range(256)}


def without_173():
    table, n = {}, 256
    for byte in range(256):
        if 33 <= byte <= 126 or byte >= 161:
            table[byte] = chr(byte)
        else:
            table[byte] = chr(n)
            n += 1
    return table


def too_short():
    """Loses the end of each range."""
    table, n = {b: chr(b) for part in (range(33, 126), range(161, 172), range(174, 255)) for b in part}, 256
    for byte in range(256):
        if byte not in table:
            table[byte], n = chr(n), n + 1
    return table


def visible_latin(chunk):
    return "".join(byte_characters()[ord(c) % 256] for c in chunk)


def text_one_by_one(tokens):
    return "".join(text_of([token]) for token in tokens)


def split_with(pattern):
    return lambda text: regex.findall(pattern, text)


ENDING, RUNS, WHITE = r"'(?:s|t|re|ve|m|ll|d)", r"| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+", r"|\s+(?!\S)|\s+"


def without_merges(text):
    return [MINE["vocab"][c] for c in visible(text)]


class All(GPT2):
    def encode(self, text, allowed_special=()):
        return super().encode(text, list(self.special))


class Never(GPT2):
    def encode(self, text, allowed_special=()):
        return self.encode_ordinary(text)


class Unescaped(GPT2):
    def encode(self, text, allowed_special=()):
        if not allowed_special:
            return self.encode_ordinary(text)
        ids = []
        for part in regex.split(f"({'|'.join(allowed_special)})", text):
            ids += [self.special[part]] if part in self.special else self.encode_ordinary(part or "")
        return ids


class Piecewise(GPT2):
    def decode(self, ids):
        return "".join(text_of([self.token_of[i]]) for i in ids)


class Global(GPT2):
    """Uses the global lists."""

    def __init__(self, ranks, vocab, special):
        super().__init__(MINE["ranks"], MINE["vocab"], special)


class CutFirst(GPT2):
    """Gives the names a place in the pattern, where a chunk before may swallow them."""

    def encode(self, text, allowed_special=()):
        pattern = "|".join([*map(re.escape, allowed_special), ENDING + RUNS + WHITE])
        return [
            i
            for chunk in regex.findall(pattern, text)
            for i in ([self.special[chunk]] if chunk in allowed_special else self.encode_ordinary(chunk))
        ]


class Half(GPT2):
    def __init__(self, *lists):
        self.whole = GPT2(*lists)

    def encode(self, text, allowed_special=()):
        return self.whole.encode(text, allowed_special)[:3]

    def decode(self, ids): ...


class Encoder:
    def __init__(self, ranks, vocab, special):
        self.known = GPT2(ranks, vocab, special)

    def encode(self, text, allowed_special=()):
        return self.known.encode(text, allowed_special)


def recount_numbers(chunks, num_merges):
    """Recounts, with a character's number in its place; what it makes isn't counted."""
    plain = {"".join(map(chr, map(ord, chunk))): n for chunk, n in chunks.items()}
    return train(plain, num_merges)


def fast_first(chunks, num_merges):
    """Fast, and with the tie rule of `max`."""
    return train_with(lambda counts: lambda pair: -counts[pair])(chunks, num_merges)


ACCEPTED = {
    "build.1": [(count_pairs, merge), [counted_well, merge_by_index]],
    "build.2": [train, train_with(), lambda chunks, n: iter([list(pair) for pair in train(chunks, n)])],
    "build.3": [encode],
    "build.4": [
        (byte_characters, visible, text_of),
        (lambda: [byte_characters()[byte] for byte in range(256)], visible, text_of),
    ],
    "build.5": [
        (split, numbered),
        (split_with("'(?:[stmd]|re|ve|ll)" + RUNS + r"|\s+$|\s+(?!\S)|\s"), numbered),
    ],
    "build.6": [GPT2],
    "build.7": [train_fast],
}
REJECTED = {
    "build.1": [
        ((unweighted, merge), "three times"),
        ((once_a_word, merge), "two places"),
        ((across, merge), "no pair crosses words"),
        ((count_pairs, merge_twice), "still make the same text"),
        ((count_pairs, merge_and_lose), "still make the same text"),
        ((count_pairs, merge_in_place), "changes the list"),
        ((count_pairs, merge_text), "a token made before"),
        ((count_pairs, merge_made), "compare tokens"),
        (count_pairs, "the functions (count_pairs, merge)"),
        ((lambda words: {"lo": 1}, merge), "pairs such as"),
    ],
    "build.2": [
        (train_with(lambda counts: lambda pair: -counts[pair]), "sorts first"),
        (train_with(recount=False), "stands nowhere now"),
        (train_with(lambda counts: lambda pair: (-counts[pair], "".join(pair))), "{'ab': 5, 'abc': 2, 'az': 2}"),
        (train_from_two, "as long as there is a pair"),
        (lambda chunks, n: train(chunks, n + 1), "than were asked for"),
        (train_with(stop=False), "ValueError"),
        (lambda chunks, n: train(dict.fromkeys(chunks, 1), n), "count"),
    ],
    "build.3": [
        (encode_leftmost, "not the leftmost"),
        (encode_longest, "or the longest"),
        (encode_replay, "look at all pairs again"),
        (encode_by_text, "leftmost"),
        (encode_with_a_table, "walk through all ranks"),
        (encode_once, "again and again"),
    ],
    "build.4": [
        ((all_moved, visible, text_of), "[33]"),
        ((without_173, visible, text_of), "[173]"),
        ((too_short, visible, text_of), "end too early"),
        ((lambda: {c: b for b, c in byte_characters().items()}, visible, text_of), "One of yours is '!'"),
        ((byte_characters, visible_latin, text_of), "first the bytes of UTF-8"),
        ((byte_characters, visible, text_one_by_one), "before you decode"),
    ],
    "build.5": [
        ((split_with(r"\w+|\s+|[^\w\s]+"), numbered), "a blank belongs"),
        ((split_with("(?i)" + ENDING + RUNS + WHITE), numbered), "small letters"),
        ((split_with("'(s|t|re|ve|m|ll|d)" + RUNS + WHITE), numbered), "round brackets"),
        ((split_with("'(s|t|re|ve|m|ll|d)" + RUNS + r"|\s+(?!\S)|(\s+)"), numbered), "round brackets"),
        ((split_with("['’](?:s|t|re|ve|m|ll|d)" + RUNS + WHITE), numbered), "straight apostrophe"),
        ((split_with(ENDING + RUNS.replace(r"\p{N}", r"\d") + WHITE), numbered), "numerals of any kind"),
        ((split, lambda text: MINE["encode"](list(visible(text)), MINE["ranks"])), "whole numbers"),
        ((split_with(ENDING + RUNS + r"|\s+"), numbered), "run of blanks"),
        ((split, without_merges), "which of the four"),
    ],
    "build.6": [
        (All, "not allowed"),
        (Never, "so it is one id"),
        (CutFirst, "find the names before"),
        (Global, "made with other lists"),
        (Half, "gives"),
        (Unescaped, "Hint"),
        (Piecewise, "join the bytes of all tokens"),
        (Encoder, "no method decode"),
    ],
    "build.7": [
        (train, "at most a fifth"),
        (recount_numbers, "can't be counted"),
        (fast_first, "sorts first"),
        (lambda chunks, n: train_fast(chunks, n)[:-1], "len("),
    ],
}
