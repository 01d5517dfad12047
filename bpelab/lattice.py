"""All segmentations of a text as a lattice: a node between any two characters, an edge for each piece.

One walk over it gives the best path (Viterbi), the sum over all paths, a path drawn at random, how often
each piece is expected.
Compiled functions here call none outside this file (Numba's cache would not see changes there).
"""

import math

import numpy as np

from bpelab.compiled import allocating_njit, njit

#: Stands behind each chunk: a surrogate, which no text holds.
END = "\ud800"
STOP = ord(END)

# --- the lattice, compiled ------------------------------------------------------------------------


@njit
def slot_of(keys, node, point):
    """Where the step from a node of the trie by a character stands in the hash table, or would stand."""
    key = np.int64(node) * 0x110000 + point
    code = np.int64(node) * 0x9E3779B1 ^ np.int64(point) * 0x85EBCA6B
    slot = (code ^ (code >> 15)) & (len(keys) - 1)
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@njit
def grow_trie(points, keys, children, piece_at):
    """Put pieces (code points, STOP behind each) into an empty trie; returns its number of nodes."""
    nodes, node, piece = 1, 0, 0
    for point in points:
        if point == STOP:
            piece_at[node] = piece
            piece += 1
            node = 0
            continue
        slot = slot_of(keys, node, point)
        if keys[slot] < 0:
            keys[slot] = np.int64(node) * 0x110000 + point
            children[slot] = nodes
            nodes += 1
        node = children[slot]
    return nodes


@njit
def find_edges(points, keys, children, piece_at, unknown, whole, first, ends, pieces):
    """The edges of the lattice, by the node where they start; returns their number.

    points: chunks, STOP behind each. The edges first[i] to first[i + 1] - 1 start at node i; edge e
    ends at node ends[e] and is piece pieces[e]. A character that is no piece is an edge `unknown`.
    whole: whether a piece may be a whole chunk. Empty `ends`: only count.
    """
    n = 0
    for i in range(len(points)):
        first[i] = n
        known = points[i] == STOP
        node, j = 0, i
        while points[j] != STOP:
            slot = slot_of(keys, node, points[j])
            if keys[slot] < 0:
                break
            node, j = children[slot], j + 1
            if piece_at[node] < 0 or not (whole or points[j] != STOP or (i > 0 and points[i - 1] != STOP)):
                continue
            if len(ends):
                ends[n], pieces[n] = j, piece_at[node]
            n += 1
            known |= j == i + 1
        if not known:
            if len(ends):
                ends[n], pieces[n] = i + 1, unknown
            n += 1
    first[len(points)] = n
    return n


@allocating_njit
def best_path(first, ends, pieces, scores):
    """The most probable path through each chunk: (node where each piece starts, piece), in order.

    scores: log-probability of each piece. Of equal paths to a node that one whose last piece is longer.
    """
    size = len(first) - 1
    best, back, last = np.full(size, -np.inf), np.empty(size, np.int32), np.empty(size, np.int32)
    steps, fresh = 0, True
    for i in range(size):
        if fresh:
            best[i], back[i] = 0.0, -1
        for e in range(first[i], first[i + 1]):
            score = best[i] + scores[pieces[e]]
            if score > best[ends[e]]:
                best[ends[e]], back[ends[e]], last[ends[e]] = score, i, pieces[e]
        fresh = first[i] == first[i + 1]
    starts, path = np.empty(size, np.int32), np.empty(size, np.int32)
    node = size - 1
    while node >= 0:
        if back[node] < 0:
            node -= 1
            continue
        steps += 1
        starts[size - steps], path[size - steps] = back[node], last[node]
        node = back[node]
    return starts[size - steps :], path[size - steps :]


@allocating_njit
def log_sums(first, ends, pieces, scores):
    """For each node the logarithm of the sum of all paths from it to the end of its chunk."""
    sums = np.zeros(len(first) - 1)
    for i in range(len(sums) - 1, -1, -1):
        if first[i] == first[i + 1]:
            continue
        largest = -np.inf
        for e in range(first[i], first[i + 1]):
            largest = max(largest, scores[pieces[e]] + sums[ends[e]])
        total = 0.0
        for e in range(first[i], first[i + 1]):
            total += math.exp(scores[pieces[e]] + sums[ends[e]] - largest)
        sums[i] = largest + math.log(total)
    return sums


@allocating_njit
def count_expected(first, ends, pieces, scores, sums, weights, counts):
    """Add to counts[piece] how often it is expected in each chunk, times the chunk's weight."""
    reached = np.zeros(len(sums))  # how often a path is expected to pass here
    chunk, fresh = 0, True
    for i in range(len(sums)):
        if fresh:
            reached[i] = weights[chunk]
            chunk += 1
        for e in range(first[i], first[i + 1]):
            times = reached[i] * math.exp(scores[pieces[e]] + sums[ends[e]] - sums[i])
            reached[ends[e]] += times
            counts[pieces[e]] += times
        fresh = first[i] == first[i + 1]


@allocating_njit
def draw_path(first, ends, pieces, scores, sums, numbers):
    """A path drawn with its probability: (node where each piece starts, piece). numbers: uniform in [0, 1)."""
    starts, path = np.empty(len(sums), np.int32), np.empty(len(sums), np.int32)
    i, steps = 0, 0
    while i < len(sums):
        if first[i] == first[i + 1]:
            i += 1
            continue
        left, chosen = numbers[i], first[i + 1] - 1  # the last edge also takes what rounding leaves
        for e in range(first[i], first[i + 1]):
            left -= math.exp(scores[pieces[e]] + sums[ends[e]] - sums[i])
            if left < 0:
                chosen = e
                break
        starts[steps], path[steps] = i, pieces[chosen]
        steps += 1
        i = ends[chosen]
    return starts[:steps], path[:steps]


# --- the lattice, as objects ----------------------------------------------------------------------


class Trie:
    """Pieces (list of str) arranged to find all those that start at a place of a text."""

    def __init__(self, pieces):
        _, points = joined(pieces)
        self.size = len(pieces)
        slots = 1 << (2 * len(points) + 1).bit_length()
        self.keys, self.children = np.full(slots, -1, np.int64), np.empty(slots, np.int32)
        self.piece_at = np.full(len(points) + 1, -1, np.int32)
        grow_trie(points, self.keys, self.children, self.piece_at)


class Lattice:
    """All segmentations of some chunks (list of str): for each chunk a node before, between and after its characters.

    first, ends, pieces: the edges, as `find_edges` says. Scores are log-probabilities, one a piece and one
    more for unknown characters. Memory: about 40 bytes a character with a vocabulary of thousands.
    """

    def __init__(self, trie, chunks, whole=True):
        self.text, points = joined(chunks)
        parts = (points, trie.keys, trie.children, trie.piece_at, trie.size, whole)
        self.first, none = np.empty(len(points) + 1, np.int64), np.empty(0, np.int32)
        size = find_edges(*parts, self.first, none, none)
        self.ends, self.pieces = np.empty(size, np.int32), np.empty(size, np.int32)
        find_edges(*parts, self.first, self.ends, self.pieces)
        self.edges = self.first, self.ends, self.pieces

    def chunk_of(self, nodes):
        """The number of the chunk in which each node stands."""
        return np.cumsum(np.diff(self.first) == 0)[nodes]

    def best(self, scores):
        """The best path: (node where each piece starts, piece)."""
        return best_path(*self.edges, scores)

    def draw(self, scores, numbers):
        """A path at random, from a random number in [0, 1) for each node."""
        return draw_path(*self.edges, scores, log_sums(*self.edges, scores), numbers)

    def expected(self, scores, weights):
        """How often each piece is expected, by all segmentations; the last entry counts unknown characters."""
        counts = np.zeros(len(scores))
        count_expected(*self.edges, scores, log_sums(*self.edges, scores), weights, counts)
        return counts


def joined(chunks):
    """Chunks end to end, END behind each, as a str and as code points."""
    text = "".join([chunk + END for chunk in chunks])
    return text, np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
