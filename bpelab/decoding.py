"""Ids to text: each id writes its bytes, and a stream writes a character when its last byte is in."""

import codecs

from bpelab.spelling import REPLACEMENT, VISIBLE_BLANK

VISIBLE = VISIBLE_BLANK.encode()


class Writer:
    """Ids to bytes, one by one: drops end-of-word markers, and writes blanks between words.

    token_of: id -> bytes; unknown: the id of the unknown token, written U+FFFD, or None.
    marker, blank: the marker (bytes) that ends a word, in ids that are none of `specials`, and what is
        written for it before the next token. visible: whether ▁ stands for a blank, except at the very start.
    """

    def __init__(self, token_of, *, unknown=None, specials=(), marker=None, blank=b"", visible=False):
        self._token_of, self._unknown, self._specials = token_of, unknown, specials
        self._marker, self._blank, self._visible = marker, blank, visible
        self._pending, self._first = b"", True

    def write(self, i):
        """The bytes that id i (None: outside the vocabulary, U+FFFD) adds."""
        token = REPLACEMENT if i is None or i == self._unknown else self._token_of(i)
        before, self._pending = self._pending, b""
        if self._marker and i is not None and i not in self._specials and token.endswith(self._marker):
            token, self._pending = token[: -len(self._marker)], self._blank
        if self._visible:
            token = token.replace(VISIBLE, b" ")
            token = token.removeprefix(b" ") if self._first else token
        self._first = False
        return before + token


class StreamDecoder:
    """Feed ids, get text: a character comes out when its last byte is in."""

    def __init__(self, tokenizer):
        self._tokenizer, self._writer = tokenizer, tokenizer.writer()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, id):
        """The text that became certain with this id."""
        (checked,) = self._tokenizer.checked_ids([id])
        return self._decoder.decode(self._writer.write(checked))

    def finish(self):
        """What is left at the end of the stream: U+FFFD where a character stayed incomplete."""
        return self._decoder.decode(b"", final=True)
