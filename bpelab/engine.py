"""The merges of `reference.py`, fast: a merge visits the places where its pair stands, and no other.

All distinct chunks lie in one array of positions, a BORDER between two. A token of k base symbols
keeps its place: its id stands at its first position, -k at its last, so both neighbours are one
look away (Re-Pair's idea: Larsson & Moffat 1999). Each pair has a list of the positions where it
starts, in text order, written once, in the step that makes the pair: later steps only take
occurrences away. So counts are kept exact by subtraction, and a list entry that is out of date is
passed over when its turn comes.

A queue has the pair with the highest count at its top. Since a pair can only get rarer, a
queue entry is never too low: when one that is out of date comes up, it goes back with its true
count (lazy revalidation), and the first that is up to date is the best.

Compiled functions allocate nothing: Python makes the arrays, and enlarges them when there is no room.
What is taken out of an array to be handed on is made an int64 first: for each mixture of types that a function
is called with, it is compiled once more.
A function that runs once a step takes the whole State; one that runs for each occurrence takes the
arrays it needs, since taking an array out of the State costs more than the work it does.
Without Numba the same functions run uncompiled, hundreds of times slower.
"""

from typing import NamedTuple

import numpy as np

from bpelab import reference
from bpelab.alphabet import Alphabet
from bpelab.compiled import njit
from bpelab.hashing import ONE, SEED, fill_table, slot_of
from bpelab.merges import Learned
from bpelab.scanner import Chunks

#: An epoch lists the pairs that are at least 1 / SHARE as frequent as the most frequent.
SHARE = 64
MOST = 2**63 - 1
#: Arrays that grow start with so much room.
FIRST_ROOM = 1024
NONE = -1
BORDER = -1
#: Above this many bytes in all tokens together, training stops with an error before memory does.
MOST_TOKEN_BYTES = 1 << 28

FIRST, LOWEST_ID, YOUTOKENTOME, LEXICOGRAPHIC, LARGEST, SHORTEST = range(6)
TIE_CODES = {
    "first": FIRST,
    "lowest-id": LOWEST_ID,
    "youtokentome": YOUTOKENTOME,
    "lexicographic": LEXICOGRAPHIC,
    "largest": LARGEST,
    "shortest": SHORTEST,
}
REACHED, EXHAUSTED, ROOM = range(3)
TOKENS, PAIRS, QUEUE, PLACES, NEWS = range(5)

#: A position says how often its chunk was seen by a grade, the number of that frequency among all that occur:
#: these are few, even of millions of chunks.
GRADES = 1 << 16


def position(grade):
    """The type of a position, with grades of a type."""
    return np.dtype(
        [
            ("symbol", np.int32),  # token id | BORDER | -span at the last position of a longer token
            ("pair", np.int32),  # the pair that starts here, or NONE
            ("grade", grade),
        ]
    )


PAIR = np.dtype(
    [
        ("count", np.int64),
        ("place", np.int64),  # where its list starts in `places`; NONE without a list
        ("length", np.int32),  # the length of the list, entries out of date included
        ("left", np.int32),
        ("right", np.int32),
    ]
)
TOKEN = np.dtype(
    [
        ("start", np.int64),  # where its bytes start in `spelling`; the next token's start ends them
        ("made_count", np.int64),  # the count of the pair it was merged from
        ("replaced", np.int64),  # how often that pair was really replaced
        ("left", np.int32),  # the two tokens it was merged from
        ("right", np.int32),
        ("span", np.int32),  # base symbols
        ("width", np.int32),  # characters
        ("rank", np.int32),  # what a tie compares instead of the id
        ("pair_after", np.int32),  # the pair (token made in this step, this one)
        ("pair_before", np.int32),  # the pair (this one, token made in this step)
    ]
)
ENTRY = np.dtype([("count", np.int64), ("key", np.int64), ("pair", np.int32)])


class State(NamedTuple):
    """What a run reads and writes."""

    text: np.ndarray  # of `position`
    weights: np.ndarray  # int64, of each grade
    pairs: np.ndarray  # of PAIR
    tokens: np.ndarray  # of TOKEN
    spelling: np.ndarray  # uint8, the bytes of all tokens
    places: np.ndarray  # int32, positions: the lists of all pairs
    news: np.ndarray  # int32, positions: the occurrences a step makes, on their way into the lists
    queue: np.ndarray  # of ENTRY, a binary heap
    run_at: np.ndarray  # int32; the first position of a run of equal tokens knows its last, and back
    used: np.ndarray  # int64, how many TOKENS, PAIRS, QUEUE entries, PLACES and NEWS are in use
    tie: int
    runs: bool
    longest: int  # the most characters a token may have
    chunk: int  # symbols in the longest chunk


# --- occurrences ----------------------------------------------------------------------------------


@njit
def before(text, i):
    """Where the token to the left of position i starts; NONE at the start of a chunk."""
    end = text[i - 1].symbol
    if end >= 0:
        return i - 1
    return NONE if end == BORDER else i + end


@njit
def add_pair(pairs, used, left, right):
    """A pair without occurrences; its index."""
    pair = used[PAIRS]
    used[PAIRS] = pair + 1
    pairs[pair].left = left
    pairs[pair].right = right
    pairs[pair].count = 0
    pairs[pair].length = 0
    pairs[pair].place = NONE
    return pair


@njit
def gain(text, pairs, news, used, pair, i, weight, fresh):
    """Position i, right of the pair's others, is one more occurrence. fresh: the first pair made in this step."""
    if text[i].pair >= fresh:  # the neighbour on the right has become a part of something else
        pairs[text[i].pair].length -= 1
    else:
        news[used[NEWS]] = i
        used[NEWS] += 1
    text[i].pair = pair
    pairs[pair].count += weight
    pairs[pair].length += 1


@njit
def shorten(pairs, run_at, pair, first, last, span, weight):
    """A run of equal tokens lost one at an end and now reaches from `first` to `last`."""
    length = (last - first) // span + 1
    pairs[pair].count -= weight * ((length + 1) // 2 - length // 2)
    run_at[first] = last
    run_at[last] = first


@njit
def is_run(pairs, runs, pair):
    """Whether the rule "runs" counts this pair otherwise than by its occurrences."""
    return runs and pairs[pair].left == pairs[pair].right and pairs[pair].place != NONE


@njit
def lose_left(pairs, run_at, runs, pair, h, i, span, weight):
    """The pair of the token at h and its right neighbour at i goes: a merge takes the one at i."""
    if pair == NONE:
        return
    if is_run(pairs, runs, pair):
        shorten(pairs, run_at, pair, np.int64(run_at[i]), h, span, weight)
    else:
        pairs[pair].count -= weight


@njit
def lose_right(pairs, run_at, runs, pair, i, span, weight):
    """The pair of the token at i and its right neighbour goes: a merge takes the one at i."""
    if pair == NONE:
        return
    if is_run(pairs, runs, pair):
        shorten(pairs, run_at, pair, i + span, np.int64(run_at[i]), span, weight)
    else:
        pairs[pair].count -= weight


@njit
def merge(s, pair, token):
    """Replace every occurrence of `pair` by `token`, left to right. How many, by weight.

    Pairs this makes have the indices from `used[PAIRS]` on, as it was before the call.
    """
    text, weights, pairs, tokens, places = s.text, s.weights, s.pairs, s.tokens, s.places
    news, run_at, used, runs = s.news, s.run_at, s.used, s.runs
    left_span, right_span = tokens[pairs[pair].left].span, tokens[pairs[pair].right].span
    fresh, first = used[PAIRS], pairs[pair].place
    replaced = 0
    for at in range(first, first + pairs[pair].length):
        i = np.int64(places[at])
        if text[i].pair != pair:
            continue
        weight = weights[text[i].grade]
        middle = i + left_span
        end = middle + right_span
        h, x, y = before(text, i), np.int64(NONE), np.int64(text[end].symbol)
        if h != NONE:
            x = np.int64(text[h].symbol)
            lose_left(pairs, run_at, runs, np.int64(text[h].pair), h, i, left_span, weight)
        if y != BORDER and text[middle].pair != pair:
            lose_right(pairs, run_at, runs, np.int64(text[middle].pair), middle, right_span, weight)
        text[middle].pair = NONE
        text[i].pair = NONE
        text[i].symbol = token
        text[end - 1].symbol = i - end
        if x != NONE:
            if tokens[x].pair_before < fresh:
                tokens[x].pair_before = add_pair(pairs, used, x, token)
            gain(text, pairs, news, used, np.int64(tokens[x].pair_before), h, weight, fresh)
        if y != BORDER:
            if tokens[y].pair_after < fresh:
                tokens[y].pair_after = add_pair(pairs, used, token, y)
            gain(text, pairs, news, used, np.int64(tokens[y].pair_after), i, weight, fresh)
        replaced += weight
    pairs[pair].count = 0
    return replaced


# --- lists ----------------------------------------------------------------------------------------


@njit
def open_list(pairs, used, pair):
    """Reserve room in `places` for the list of a new pair."""
    pairs[pair].place = used[PLACES]
    used[PLACES] += pairs[pair].length
    pairs[pair].length = 0


@njit
def fill_lists(text, pairs, places, news, used):
    """Move the new occurrences into the lists of their pairs, those that have one."""
    for new in range(used[NEWS]):
        pair = text[news[new]].pair
        if pair != NONE and pairs[pair].place != NONE:
            places[pairs[pair].place + pairs[pair].length] = news[new]
            pairs[pair].length += 1
    used[NEWS] = 0


@njit
def compact_lists(s):
    """Move the lists together, without the entries that are out of date; they stand in order of their pairs."""
    text, pairs, places = s.text, s.pairs, s.places
    target = 0
    for pair in range(s.used[PAIRS]):
        source = pairs[pair].place
        if source == NONE:
            continue
        pairs[pair].place = target
        for at in range(source, source + pairs[pair].length):
            if text[places[at]].pair == pair:
                places[target] = places[at]
                target += 1
        pairs[pair].length = target - pairs[pair].place
    s.used[PLACES] = target


@njit
def first_place(text, pairs, places, pair):
    """The earliest position of a pair that occurs; entries out of date before it are dropped."""
    while text[places[pairs[pair].place]].pair != pair:
        pairs[pair].place += 1
        pairs[pair].length -= 1
    return places[pairs[pair].place]


@njit
def count_runs(s, pair):
    """The count of a new pair (x, x) by the rule "runs": half of each run, rounded down."""
    text, weights, places, run_at = s.text, s.weights, s.places, s.run_at
    span = s.tokens[s.pairs[pair].left].span
    total = 0
    at = s.pairs[pair].place
    stop = at + s.pairs[pair].length
    while at < stop:
        first = places[at]
        while at + 1 < stop and places[at + 1] == places[at] + span:
            at += 1
        last = places[at] + span
        run_at[first] = last
        run_at[last] = first
        total += ((last - first) // span + 1) // 2 * weights[text[first].grade]
        at += 1
    s.pairs[pair].count = total


@njit
def room(s, pair):
    """Whether there is room for all that merging `pair` can make: two occurrences for each that is
    replaced, a pair for each of them (but two for each token at most), one token."""
    token, made = s.used[TOKENS], 2 * s.pairs[pair].length
    return (
        s.used[PAIRS] + min(made, 2 * token + 2) <= len(s.pairs)
        and made <= min(len(s.news), len(s.places) - s.used[PLACES])
        and token + 1 < len(s.tokens)
        and s.tokens[token].start + joined_size(s.tokens, s.pairs, pair) <= len(s.spelling)
    )


# --- the queue ------------------------------------------------------------------------------------


@njit
def prefix(tokens, spelling, token):
    """The first seven bytes of a token as a number, which sorts like them."""
    number = np.int64(0)
    for at in range(tokens[token].start, tokens[token].start + 7):
        number <<= 8
        if at < tokens[token + 1].start:
            number |= np.int64(spelling[at])
    return number


@njit
def key(s, pair):
    """What the tie rule compares first among equal counts; smaller is better."""
    left, right = s.pairs[pair].left, s.pairs[pair].right
    left_rank, right_rank = np.int64(s.tokens[left].rank), np.int64(s.tokens[right].rank)
    if s.tie == FIRST:
        return np.int64(first_place(s.text, s.pairs, s.places, pair))
    if s.tie == LOWEST_ID:
        return left_rank << 31 | right_rank
    if s.tie == YOUTOKENTOME:
        newest, oldest = max(left_rank, right_rank), min(left_rank, right_rank)
        return newest << 32 | oldest << 1 | np.int64(left_rank < right_rank)
    if s.tie == LEXICOGRAPHIC:
        return prefix(s.tokens, s.spelling, left)
    if s.tie == LARGEST:
        return -prefix(s.tokens, s.spelling, left)
    return np.int64(s.tokens[left].width) + np.int64(s.tokens[right].width)


@njit
def compare_tokens(tokens, spelling, a, b):
    """The bytes of token a against those of b: negative, zero or positive."""
    if a == b:
        return 0
    at, a_stop = tokens[a].start, tokens[a + 1].start
    other, b_stop = tokens[b].start, tokens[b + 1].start
    while at < a_stop and other < b_stop:
        if spelling[at] != spelling[other]:
            return np.int64(spelling[at]) - np.int64(spelling[other])
        at += 1
        other += 1
    return (a_stop - at) - (b_stop - other)


@njit
def joined_size(tokens, pairs, pair):
    left, right = pairs[pair].left, pairs[pair].right
    return tokens[left + 1].start - tokens[left].start + tokens[right + 1].start - tokens[right].start


@njit
def joined_byte(tokens, spelling, pairs, pair, at):
    left, right = pairs[pair].left, pairs[pair].right
    size = tokens[left + 1].start - tokens[left].start
    if at < size:
        return np.int64(spelling[tokens[left].start + at])
    return np.int64(spelling[tokens[right].start + at - size])


@njit
def compare_joined(tokens, spelling, pairs, a, b):
    """The merged bytes of pair a against those of pair b."""
    a_size, b_size = joined_size(tokens, pairs, a), joined_size(tokens, pairs, b)
    for at in range(min(a_size, b_size)):
        difference = joined_byte(tokens, spelling, pairs, a, at) - joined_byte(tokens, spelling, pairs, b, at)
        if difference != 0:
            return difference
    return a_size - b_size


@njit
def compare_pairs(tokens, spelling, pairs, tie, a, b):
    """Pair a against pair b where the keys of the tie rule are equal; negative if a is better."""
    if tie == SHORTEST:
        return compare_joined(tokens, spelling, pairs, a, b)
    order = compare_tokens(tokens, spelling, pairs[a].left, pairs[b].left)
    if order == 0:
        order = compare_tokens(tokens, spelling, pairs[a].right, pairs[b].right)
    return -order if tie == LARGEST else order


@njit
def ahead(queue, tokens, spelling, pairs, tie, a, b):
    """Whether queue entry a is to be taken before entry b."""
    if queue[a].count != queue[b].count:
        return queue[a].count > queue[b].count
    if queue[a].key != queue[b].key:
        return queue[a].key < queue[b].key
    if tie in (LEXICOGRAPHIC, LARGEST, SHORTEST):
        return compare_pairs(tokens, spelling, pairs, tie, np.int64(queue[a].pair), np.int64(queue[b].pair)) < 0
    return False


@njit
def swap(queue, a, b):
    count, sort_key, pair = queue[a].count, queue[a].key, queue[a].pair
    queue[a].count, queue[a].key, queue[a].pair = queue[b].count, queue[b].key, queue[b].pair
    queue[b].count, queue[b].key, queue[b].pair = count, sort_key, pair


@njit
def push(s, pair, count, sort_key):
    queue, tokens, spelling, pairs, tie = s.queue, s.tokens, s.spelling, s.pairs, s.tie
    at = s.used[QUEUE]
    s.used[QUEUE] = at + 1
    queue[at].count, queue[at].key, queue[at].pair = count, sort_key, pair
    while at > 0 and ahead(queue, tokens, spelling, pairs, tie, at, (at - 1) // 2):
        swap(queue, at, (at - 1) // 2)
        at = (at - 1) // 2


@njit
def sift_down(s):
    """Put the top entry of the queue where it belongs."""
    queue, tokens, spelling, pairs, tie, size = s.queue, s.tokens, s.spelling, s.pairs, s.tie, s.used[QUEUE]
    at = np.int64(0)
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and ahead(queue, tokens, spelling, pairs, tie, child + 1, child):
            child += 1
        if not ahead(queue, tokens, spelling, pairs, tie, child, at):
            return
        swap(queue, at, child)
        at = child


@njit
def pop(s):
    last = s.used[QUEUE] - 1
    s.used[QUEUE] = last
    swap(s.queue, np.int64(0), last)
    sift_down(s)


@njit
def best(s, min_frequency):
    """The best pair, left at the top of the queue, after entries out of date have gone back."""
    queue, pairs = s.queue, s.pairs
    while s.used[QUEUE] > 0:
        pair = np.int64(queue[0].pair)
        count = pairs[pair].count
        if count < min_frequency:
            pop(s)
        elif queue[0].count == count and (s.tie != FIRST or queue[0].key == key(s, pair)):
            return pair
        else:
            queue[0].count, queue[0].key = count, key(s, pair)
            sift_down(s)
    return NONE


# --- training -------------------------------------------------------------------------------------


@njit
def drop_rare(s, first, least):
    """Forget those pairs from index `first` on that are rare or too long, and move the others together."""
    text, pairs, tokens, news, used = s.text, s.pairs, s.tokens, s.news, s.used
    kept = first
    for pair in range(first, used[PAIRS]):
        left, right = pairs[pair].left, pairs[pair].right
        tokens[left].pair_before, tokens[right].pair_after = NONE, NONE
        if pairs[pair].count >= least and tokens[left].width + tokens[right].width <= s.longest:
            pairs[pair].place = kept  # for a moment: its new index
            kept += 1
    for new in range(used[NEWS]):
        place = news[new]
        text[place].pair = pairs[text[place].pair].place
    for pair in range(first, used[PAIRS]):
        if pairs[pair].place != NONE:
            target = pairs[pair].place
            pairs[target].left, pairs[target].right = pairs[pair].left, pairs[pair].right
            pairs[target].count, pairs[target].length = pairs[pair].count, pairs[pair].length
    used[PAIRS] = kept


@njit
def push_pairs(s, first, least):
    """List and queue the pairs from index `first` on, those frequent and short enough."""
    pairs, used = s.pairs, s.used
    drop_rare(s, first, least)
    for pair in range(first, used[PAIRS]):
        open_list(pairs, used, pair)
    fill_lists(s.text, pairs, s.places, s.news, used)
    queue_pairs(s, first)


@njit
def queue_pairs(s, first):
    """Queue the pairs from index `first` on, which have their lists."""
    for pair in range(first, s.used[PAIRS]):
        if is_run(s.pairs, s.runs, pair):
            count_runs(s, pair)
        push(s, pair, s.pairs[pair].count, key(s, pair))


@njit
def make_token(s, pair):
    """Add the token that merging `pair` makes: its span, width and bytes."""
    tokens, spelling = s.tokens, s.spelling
    token, left, right = s.used[TOKENS], s.pairs[pair].left, s.pairs[pair].right
    s.used[TOKENS] = token + 1
    tokens[token].left, tokens[token].right = left, right
    tokens[token].made_count = s.pairs[pair].count
    tokens[token].span = tokens[left].span + tokens[right].span
    tokens[token].width = tokens[left].width + tokens[right].width
    tokens[token].rank = token
    at = tokens[token].start
    for part in (left, right):
        for source in range(tokens[part].start, tokens[part + 1].start):
            spelling[at] = spelling[source]
            at += 1
    tokens[token + 1].start = at
    return token


@njit
def learn_steps(s, until, min_frequency):
    """Learn merges until there are `until` tokens; says why it stopped."""
    while s.used[TOKENS] < until:
        pair = best(s, min_frequency)
        if pair == NONE:
            return EXHAUSTED
        if not room(s, pair):
            return ROOM
        pop(s)
        token = make_token(s, pair)
        fresh = s.used[PAIRS]
        s.tokens[token].replaced = merge(s, pair, token)
        push_pairs(s, fresh, min_frequency)
    return REACHED


def learn(chunks, alphabet, num_merges, *, tie, count, min_frequency, ranks, max_token_length, progress):
    """The merges of `reference.learn`, as `merges.Learned`, and the corpus lengths (tokens).

    chunks: dict text -> frequency; alphabet: `Alphabet`; num_merges: int, or None for exhaustion;
    ranks: what the base symbols are compared as in a tie, int32[symbols]; max_token_length: int or
    None; progress: called with the number of merges made, now and then.
    """
    scanned = isinstance(chunks, Chunks) and type(alphabet) is Alphabet and alphabet.base == "byte"
    ids, sizes = (chunks, chunks.lengths) if scanned else alphabet.encode(list(chunks))
    if learn_steps.can_wait(sizes.sum() * (sizes.sum() if num_merges is None else num_merges)):
        return reference.learn(
            chunks,
            alphabet,
            num_merges,
            tie=tie,
            count=count,
            min_frequency=min_frequency,
            ranks=ranks,
            max_token_length=max_token_length,
            progress=progress,
        )
    weights = chunks.frequencies if scanned else np.fromiter(chunks.values(), np.int64, len(chunks))
    total = int(sizes @ weights) + (0 if alphabet.end_id is None else int(weights.sum()))
    s = prepare(ids, sizes, weights, alphabet, TIE_CODES[tie], count == "runs", max_token_length)
    if scanned:
        chunks.forget()
    s.tokens.rank[: len(ranks)] = ranks
    base = len(alphabet.symbols)
    del ids, sizes, weights
    s, least = start_epoch(s, min_frequency)
    goal = np.iinfo(np.int32).max if num_merges is None else base + num_merges
    while (done := int(s.used[TOKENS])) < goal:
        status = learn_steps(s, min(goal, done + 512), least)
        progress(int(s.used[TOKENS]) - done)
        if status == ROOM:
            s = with_room(s)
        elif status == EXHAUSTED:
            if least <= min_frequency:
                break
            s, least = start_epoch(s, min_frequency, least)
    made = s.tokens[base : int(s.used[TOKENS])]
    pairs = np.stack([made["left"], made["right"]], axis=1)
    return Learned(alphabet.symbols, pairs, made["made_count"].copy()), shrinking(total, made["replaced"]).tolist()


def shrinking(start, replaced):
    """The corpus length in tokens, at the start and after each merge: int64[merges + 1]."""
    return start - np.concatenate([[0], np.cumsum(replaced)])


# --- epochs ---------------------------------------------------------------------------------------


@njit
def count_pairs(text, weights, table, i, filled, seed):
    """Count the neighbours from position i on; where it stopped, since the hash table was half full, and its entries.

    table: uint64[2 * slots], the pair + 1 (0 where free) and its count.
    """
    slots = len(table) >> 1
    while i < len(text) - 1:
        left, right = np.int64(text[i].symbol), np.int64(text[i + 1].symbol)
        if left != BORDER and right != BORDER:
            if 2 * filled >= slots:
                break
            wanted = np.uint64(left << 31 | right) + ONE
            slot = slot_of(wanted, seed, slots)
            while table[2 * slot] != wanted and table[2 * slot] != 0:
                slot = (slot + 1) & (slots - 1)
            if table[2 * slot] == 0:
                table[2 * slot] = wanted
                filled += 1
            table[2 * slot + 1] += np.uint64(weights[text[i].grade])
        i += 1
    return i, filled


@njit
def mark_pairs(s, table, least, seed):
    """Make a pair of all neighbours that are frequent and short enough, and note it where they stand."""
    text, pairs, tokens, used, slots = s.text, s.pairs, s.tokens, s.used, len(table) >> 1
    for i in range(len(text) - 1):
        text[i].pair = NONE
        left, right = np.int64(text[i].symbol), np.int64(text[i + 1].symbol)
        if left == BORDER or right == BORDER:
            continue
        wanted = np.uint64(left << 31 | right) + ONE
        slot = slot_of(wanted, seed, slots)
        while table[2 * slot] != wanted:
            slot = (slot + 1) & (slots - 1)
        count = np.int64(table[2 * slot + 1])
        if count >= least and tokens[left].width + tokens[right].width <= s.longest:
            pair = add_pair(pairs, used, left, right)
            pairs[pair].count = count
            count = -1 - pair
            table[2 * slot + 1] = np.uint64(count)
        if count < 0:
            text[i].pair = -1 - count
            pairs[-1 - count].length += 1


@njit
def list_pairs(s):
    """Write the lists of all pairs that `mark_pairs` made, and queue them."""
    text, pairs, places, used = s.text, s.pairs, s.places, s.used
    for pair in range(used[PAIRS]):
        open_list(pairs, used, pair)
    for i in range(len(text)):
        pair = text[i].pair
        if pair != NONE:
            places[pairs[pair].place + pairs[pair].length] = i
            pairs[pair].length += 1
    queue_pairs(s, np.int64(0))


@njit
def squeeze(text, tokens):
    """Give each token one position and move all to the left; how many positions are left."""
    n, i = 0, 0
    while i < len(text):
        symbol = text[i].symbol
        text[n].symbol, text[n].pair, text[n].grade = symbol, NONE, text[i].grade
        n += 1
        i += 1 if symbol == BORDER else tokens[symbol].span
    return n


def start_epoch(s, min_frequency, before=None):
    """A new epoch: the pairs of the text as it is now, those that are worth a list. (State, least count in it).

    Most pairs are too rare to be merged soon, or ever. So an epoch lists those at least 1/64 as frequent as
    the most frequent; when they are used up, the text is shorter by far, and the next epoch takes its measure.
    """
    if before is not None:
        n = squeeze(s.text, s.tokens)
        s.text.resize(n, refcheck=False)
        s.tokens.span[: int(s.used[TOKENS])] = 1
    s.tokens.pair_after[:] = NONE
    s.tokens.pair_before[:] = NONE
    s.used[[PAIRS, QUEUE, PLACES, NEWS]] = 0
    s = s._replace(pairs=None, queue=None, places=None, news=None)
    table, i, filled = np.zeros(2 << 12, np.uint64), 0, 0
    while True:
        i, filled = count_pairs(s.text, s.weights, table, i, filled, SEED)
        if i >= len(s.text) - 1:
            break
        old, table = table, np.zeros(4 * len(table), np.uint64)
        fill_table(old, table, SEED)
        del old
    counts = table[1::2].astype(np.int64)
    least = max(min_frequency, min(int(counts.max()) // SHARE, MOST if before is None else before // 4))
    pairs = int((counts >= least).sum())
    room = pairs + FIRST_ROOM
    s = s._replace(pairs=np.recarray(room, PAIR), queue=np.recarray(room, ENTRY))
    del counts
    mark_pairs(s, table, least, SEED)
    del table
    listed = int(s.pairs.length[: int(s.used[PAIRS])].sum())
    s = s._replace(places=np.empty(listed + listed // 8 + FIRST_ROOM, np.int32), news=np.empty(FIRST_ROOM, np.int32))
    list_pairs(s)
    return s, least


# --- arrays ---------------------------------------------------------------------------------------


def prepare(ids, sizes, weights, alphabet, tie, runs, longest):
    """The arrays of a run over these chunks; `start_epoch` makes those of pairs.

    ids: the base symbols of all chunks, end to end, or the `Chunks` whose bytes they are; sizes: how many each
    has; weights: its frequency; longest: the most characters a token may have, or None.
    """
    marker = NONE if alphabet.end_id is None else alphabet.end_id
    total = int(sizes.sum()) + len(sizes) * (1 if marker == NONE else 2) + 1
    if total > np.iinfo(np.int32).max:
        raise ValueError(f"corpus has {total} symbols in distinct chunks, more than 2**31 - 1; train on a sample of it")
    base = len(alphabet.symbols)
    frequencies = np.unique(weights)
    grade = np.uint16 if len(frequencies) <= GRADES else np.int32
    grades = np.searchsorted(frequencies, weights).astype(grade)
    text = np.recarray(total, position(grade))
    if isinstance(ids, Chunks):
        lay_out_bytes(ids.kept.view(np.uint8), ids.places, sizes, grades, alphabet.byte_ids, text)
    else:
        lay_out(ids, sizes, grades, marker, text)
    tokens = np.zeros(base + FIRST_ROOM + 1, TOKEN).view(np.recarray)
    tokens.start[: base + 1] = alphabet.starts
    tokens.width[:base] = alphabet.widths
    tokens.span[:base] = 1
    tokens.pair_after[:] = NONE
    tokens.pair_before[:] = NONE
    return State(
        text=text,
        weights=frequencies,
        pairs=np.recarray(0, PAIR),
        tokens=tokens,
        spelling=larger(alphabet.spelling, FIRST_ROOM),
        places=np.empty(0, np.int32),
        news=np.empty(0, np.int32),
        queue=np.recarray(0, ENTRY),
        run_at=np.empty(total if runs else 0, np.int32),
        used=np.array([base, 0, 0, 0, 0], np.int64),
        tie=tie,
        runs=runs,
        longest=np.iinfo(np.int32).max if longest is None else longest,
        chunk=int(sizes.max(initial=0)),
    )


@njit
def lay_out(ids, sizes, grades, marker, text):
    """Write the chunks into `text`: ids of base symbols, a BORDER before, between and after them."""
    at, source = 0, 0
    text[0].symbol, text[0].pair, text[0].grade = BORDER, NONE, 0
    for chunk in range(len(sizes)):
        for _ in range(sizes[chunk]):
            at += 1
            text[at].symbol, text[at].pair, text[at].grade = ids[source], NONE, grades[chunk]
            source += 1
        if marker != NONE:
            at += 1
            text[at].symbol, text[at].pair, text[at].grade = marker, NONE, grades[chunk]
        at += 1
        text[at].symbol, text[at].pair, text[at].grade = BORDER, NONE, grades[chunk]


@njit
def lay_out_bytes(kept, places, sizes, grades, ids, text):
    """`lay_out` of the chunks of a `scanner.Chunks`; ids: of each byte."""
    at = 0
    text[0].symbol, text[0].pair, text[0].grade = BORDER, NONE, 0
    for chunk in range(len(sizes)):
        for source in range(8 * places[chunk], 8 * places[chunk] + sizes[chunk]):
            at += 1
            text[at].symbol, text[at].pair, text[at].grade = ids[kept[source]], NONE, grades[chunk]
        at += 1
        text[at].symbol, text[at].pair, text[at].grade = BORDER, NONE, grades[chunk]


def with_room(s):
    """`s` with those arrays enlarged that the next step, for the pair at the top of the queue, needs."""
    token, pair = int(s.used[TOKENS]), s.queue[0].pair
    spelled = int(s.tokens[token].start)
    if spelled > MOST_TOKEN_BYTES:
        raise ValueError(
            f"num_merges: the first {token} tokens together have more than {MOST_TOKEN_BYTES >> 20} MiB, since "
            f"a chunk is {s.chunk} symbols long and tokens grow towards it; "
            "give a smaller num_merges or vocab_size, or cut shorter chunks (chunking='lines', say)"
        )
    made = 2 * int(s.pairs[pair].length)
    pairs = int(s.used[PAIRS]) + min(made, 2 * token + 2)
    if pairs > len(s.pairs):
        s = s._replace(pairs=larger(s.pairs, pairs * 3 // 2), queue=larger(s.queue, pairs * 3 // 2))
    if token + 1 >= len(s.tokens):
        s = s._replace(tokens=larger(s.tokens, len(s.tokens) * 3 // 2))
    if s.used[PLACES] + made > len(s.places):
        compact_lists(s)
    if s.used[PLACES] + made > len(s.places):
        s.places.resize((int(s.used[PLACES]) + made) * 9 // 8, refcheck=False)  # where it lies, if that is possible
    if made > len(s.news):
        s = s._replace(news=np.empty(made, np.int32))
    spelled += int(joined_size(s.tokens, s.pairs, pair))
    if spelled > len(s.spelling):
        s = s._replace(spelling=larger(s.spelling, spelled * 3 // 2))
    return s


def larger(array, size):
    """A copy of `array` with room behind it, up to `size` if that is more."""
    fresh = np.zeros(max(size, len(array)), array.dtype)
    fresh[: len(array)] = array
    return fresh.view(type(array))
