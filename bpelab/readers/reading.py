"""`Reading`: a tokenizer that was read from another library's file, with that library's ids."""

from functools import cached_property

from bpelab import specials
from bpelab.vocabulary import Vocabulary

#: Ids may have gaps, but no more than this many, or four times as many as there are tokens.
MOST_GAPS = 1 << 20


class Reading(Vocabulary):
    """A tokenizer from a file of another library: the same ids as that library gives, for every text.

    tokens: id -> bytes of all that the model knows, special tokens among them or not.
    special_tokens: name -> id; text that spells one is ordinary text unless `allowed_special` names it.
    source: words that say what was read.
    """

    def __init__(self, tokens, special_tokens, source, unknown=None):
        special = specials.SpecialTokens(special_tokens)
        ordinary = {i: token for i, token in tokens.items() if i not in set(special.values())}
        size = max(ordinary, default=-1) + 1
        largest = max(size, *special.values(), 0)
        if largest > 4 * len(tokens) + MOST_GAPS:
            raise ValueError(f"the largest id is {largest:,}, with only {len(tokens):,} tokens; too many gaps")
        listed = [b""] * size
        for i, token in ordinary.items():
            listed[i] = token
        self._set(
            _tokens=listed,
            _known=frozenset(ordinary),
            special_tokens=special,
            source=source,
            unknown_id=unknown,
            unknown_token=None if unknown is None else tokens[unknown].decode("utf-8", "replace"),
        )

    def __repr__(self):
        return f"<{type(self).__name__}: {self.source}>"

    def ordinary_tokens(self):
        """All tokens that are no special one, as bytes, in the order of their ids."""
        return [self._tokens[i] for i in sorted(self._known)]

    def _token_of(self, i):
        return self._special_names.get(i) or (self._tokens[i] if i < len(self._tokens) else b"")

    @cached_property
    def _ids(self):
        """Token (bytes) -> id; a special token's name is that token, a text goes before the byte that spells it."""
        ids = {self._tokens[i]: i for i in sorted(self._known)}
        return ids | {name: i for i, name in self._special_names.items()}

    def checked_ids(self, ids, unknown="error"):
        """A list of int ids; those that name no token are refused, or made None for unknown="replace"."""
        checked = super().checked_ids(ids, unknown)
        for index, i in enumerate(checked):
            if i is not None and i not in self._known and i not in self._special_names:
                if unknown == "error":
                    raise ValueError(f"ids[{index}] is {i}, an id that names no token; unknown='replace' writes U+FFFD")
                checked[index] = None
        return checked

    def save(self, path):
        """Refused: the file that this was read from is its file."""
        raise ValueError(f"{self!r} can't be saved as a bpelab file; keep the file that it was read from")

    def _encode(self, text, names):
        return self._cut_with(text, names)[0]

    def _ids_of(self, text):
        return self._cut_with(text, ())[0]

    def _cut(self, text):
        return self._cut_with(text, ())

    def _cut_with(self, text, names):
        """Ids and their bytes, where the special tokens `names` may stand in the text."""
        raise NotImplementedError
