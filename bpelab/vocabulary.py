"""`Vocabulary`: what every tokenizer is, whatever its family: tokens with ids, text to ids, ids to text.

Tokens are bytes inside. A family (BPE's `Tokenizer`, `Unigram`, `WordPiece`, what `bpelab.load` reads)
says how a text is cut, in one method, `_cut`; all that follows from it stands here.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from bpelab import checks, reach, specials
from bpelab.decoding import StreamDecoder, Writer
from bpelab.spelling import readable


class Vocabulary:
    """Tokens in the order of their ids, and the way from text to ids and back. It never changes.

    A family sets, with `_set`, and provides:
    _tokens: list of bytes, the ordinary tokens, index = id; b"" where an id is unused or a special token's.
    special_tokens: `SpecialTokens`, name -> id; no id is an ordinary token's.
    unknown_id: the id of what is unknown, or None; unknown_token: its name (str) in messages.
    _cut(text): the ids of a checked text that holds no special token, and their bytes: two lists. The
        bytes of the unknown id are the unknown text itself, or the name of the unknown token.
    _ids_of(text): the ids alone, where there is a shorter way than `_cut(text)[0]`.
    writer(): an object whose write(id) returns the bytes that an id adds (`decoding.Writer`).
    _identity: what two equal ones have in common.
    """

    special_tokens = specials.SpecialTokens()
    unknown_id, unknown_token = None, None

    def _set(self, **parts):
        self.__dict__.update(parts)

    def __setattr__(self, name, value=None):
        family = type(self).__name__
        raise AttributeError(
            f"{name}: a {family} does not change; {family}(...) with other arguments, or a method such as truncate or "
            "with_special_tokens, makes another one"
        )

    __delattr__ = __setattr__

    def __getstate__(self):
        """All but what can be worked out again."""
        return {
            name: value
            for name, value in self.__dict__.items()
            if not isinstance(getattr(type(self), name, None), cached_property)
        }

    def __eq__(self, other):
        return self._identity == other._identity if isinstance(other, Vocabulary) else NotImplemented

    def __hash__(self):
        return self._hash

    @cached_property
    def _hash(self):
        return hash((self.vocab_size, tuple(self._tokens)))

    # --- the vocabulary ---

    @property
    def ordinary_size(self):
        """The number of ids that are no special token; they run from 0 to one less."""
        return len(self._tokens)

    @cached_property
    def vocab_size(self):
        """The number of ids, special tokens included; ids run from 0 to one less."""
        return max([len(self._tokens) - 1, *self.special_tokens.values()]) + 1

    @property
    def vocab(self):
        """All tokens as bytes: a list, whose index is the id. b"" where an id below a special one is unused."""
        vocab = [*self._tokens, *[b""] * (self.vocab_size - len(self._tokens))]
        for special, name in self._special_names.items():
            vocab[special] = name
        return vocab

    @cached_property
    def _special_names(self):
        return {special: name.encode() for name, special in self.special_tokens.items()}

    @cached_property
    def _ids(self):
        """Token (bytes) -> id. Of tokens spelled alike (the unknown token and its name) the later is found."""
        special = {name: i for i, name in self._special_names.items()}
        return special | {token: i for i, token in enumerate(self._tokens) if token}

    def token_to_id(self, token):
        """The id of a token (bytes, or str for its UTF-8 bytes); ValueError where there is none."""
        if not isinstance(token, bytes | str):
            raise TypeError(f"token must be bytes, got {type(token).__name__}")
        spelled = checks.text("token", token).encode() if isinstance(token, str) else token
        if spelled not in self._ids:
            raise ValueError(f"token {token!r} is not in the vocabulary")
        return self._ids[spelled]

    def id_to_token(self, id):
        """The token (bytes) of an id; ValueError where there is none."""
        number = checks.whole("id", id, 0)
        if number >= self.vocab_size:
            raise ValueError(f"id must be below the vocabulary size, {self.vocab_size}; got {number}")
        return self._token_of(number)

    def _token_of(self, i):
        return (self._tokens[i] if i < len(self._tokens) else b"") or self._special_names.get(i, b"")

    @cached_property
    def _unreachable(self):
        return tuple(reach.unreachable(self))

    def unreachable(self):
        """The tokens (list of bytes) that no text is encoded to: see `bpelab.reach`.

        >>> from bpelab import Tokenizer
        >>> Tokenizer([("b", "c"), ("a", "b"), ("ab", "c")]).unreachable()
        [b'abc']
        """
        return list(self._unreachable)

    # --- text to tokens ---

    def tokens(self, text):
        """The tokens of `text` as people read them: a list of str.

        >>> from bpelab import train
        >>> train("猫猫", 1, base="byte").tokens("猫")
        ['<0xE7>', '<0x8C><0xAB>']
        """
        return [readable(token) for token in self.token_bytes(text)]

    def token_bytes(self, text):
        """The tokens of `text` as bytes; what is unknown stands as itself, or as the unknown token's name."""
        return self._cut(checks.text("text", text))[1]

    def encode(self, text, allowed_special=()):
        """The ids of `text`: a list of int.

        Text that spells a special token is ordinary text, unless `allowed_special` names it (an
        iterable of names, or "all"); where one name is a prefix of another, the longer one wins.

        >>> from bpelab import train
        >>> tok = train("ab ab", 1, special_tokens=["<end>"])
        >>> tok.encode("ab<end>"), tok.encode("ab<end>", allowed_special="all")
        ([4, 0, 0, 0, 0, 0], [4, 5])
        """
        names = specials.allowed_names(self.special_tokens, allowed_special)
        return self._encode(checks.text("text", text), names)

    def encode_batch(self, texts, allowed_special=()):
        """`encode` for each text of an iterable: a list of lists of ids."""
        names = specials.allowed_names(self.special_tokens, allowed_special)
        if names:
            return [self._encode(text, names) for text in checks.batch("texts", texts)]
        return self._batch(checks.batch("texts", texts))

    def count_tokens(self, texts):
        """The number of tokens of each text of an iterable (str): a list of int, without making the ids.

        >>> from bpelab import train
        >>> train("low low lower", 3).count_tokens(["low", "lower low"])
        [1, 4]
        """
        return self._counts(checks.batch("texts", texts))

    def _encode(self, text, names):
        """The ids of a checked text; the special tokens `names` (tuple) may stand in it."""
        if not names:
            return self._ids_of(text)
        ids = []
        for at, part in enumerate(specials.pattern_of(names).split(text)):
            ids += [self.special_tokens[part]] if at % 2 else self._ids_of(part)
        return ids

    def _ids_of(self, text):
        return self._cut(text)[0]

    def _batch(self, texts):
        return [self._ids_of(text) for text in texts]

    def _counts(self, texts):
        return list(map(len, self._batch(texts)))

    # --- ids to text ---

    def decode(self, ids, errors="replace", unknown="error"):
        """The text that the ids spell.

        errors: what broken UTF-8 and the unknown token become: "replace" U+FFFD, "strict" ValueError.
        unknown: ids outside 0 to vocab_size - 1: "error" ValueError, "replace" U+FFFD.

        >>> from bpelab import train
        >>> tok = train("low low low lower lower newest", 8)
        >>> tok.decode([0, 5, 0, 14])
        '\ufffdo\ufffd lower'
        """
        checks.choice("errors", errors, ("replace", "strict"))
        ids = self.checked_ids(ids, unknown)
        if errors == "strict" and self.unknown_id is not None and self.unknown_id in ids:
            raise ValueError(
                f"ids[{ids.index(self.unknown_id)}] is {self.unknown_id}, {self.unknown_token}, which stands for no "
                "character; errors='replace' writes U+FFFD"
            )
        try:
            return self._spelled(ids).decode("utf-8", errors)
        except UnicodeDecodeError as error:
            raise ValueError(
                f"ids spell no valid UTF-8: {error.reason} at byte {error.start}; errors='replace' writes U+FFFD"
            ) from None

    def decode_bytes(self, ids):
        """The bytes that the ids spell; the unknown token is U+FFFD."""
        return self._spelled(self.checked_ids(ids))

    def stream_decoder(self):
        """A decoder to feed ids one by one; its pieces of text join to `decode(ids)`.

        >>> from bpelab import train
        >>> tok = train("猫", 0, base="byte")
        >>> decoder = tok.stream_decoder()
        >>> [decoder.feed(i) for i in tok.encode("猫a")], decoder.finish()
        (['', '', '猫', 'a'], '')
        """
        return StreamDecoder(self)

    def writer(self):
        """What turns ids to bytes one by one, from the start of a text."""
        return Writer(self._token_of, unknown=self.unknown_id)

    def _spelled(self, ids):
        return b"".join(map(self.writer().write, ids))

    def checked_ids(self, ids, unknown="error"):
        """A list of int ids; those outside the vocabulary are refused, or made None for unknown="replace"."""
        checks.choice("unknown", unknown, ("error", "replace"))
        if isinstance(ids, str | bytes) or not isinstance(ids, Iterable):
            raise TypeError(f"ids must be a sequence of ids (int), got {type(ids).__name__}")
        checked = []
        for index, value in enumerate(ids.tolist() if isinstance(ids, np.ndarray) else ids):
            if not checks.is_whole(value):
                raise TypeError(f"ids[{index}] must be an int, got {checks.shown(value)} ({type(value).__name__})")
            number = value.__index__()
            known = (0 <= number < len(self._tokens) and self._tokens[number]) or number in self._special_names
            if not known and unknown == "error":
                raise ValueError(
                    f"ids[{index}] is {checks.shown(number)}, but this vocabulary has ids 0 to {self.vocab_size - 1}"
                    f"{' with gaps' if 0 <= number < self.vocab_size else ''}; unknown='replace' writes U+FFFD"
                )
            checked.append(number if known else None)
        return checked
