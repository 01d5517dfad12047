"""The wire format of protocol buffers, as far as a SentencePiece model needs it."""

import struct


def fields(data):
    """(number, value) of each field of a message (bytes): int for numbers, bytes for what has a length.

    32-bit values come as 4 bytes. ValueError where the message is cut off or of another format.

    >>> list(fields(bytes([0x08, 0x96, 0x01, 0x12, 0x02, 0x68, 0x69])))
    [(1, 150), (2, b'hi')]
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = _varint(data, at)
        elif kind in (1, 2, 5):
            size = 8 if kind == 1 else 4
            if kind == 2:
                size, at = _varint(data, at)
            if at + size > len(data):
                raise ValueError(f"field {number} is cut off")
            value, at = bytes(data[at : at + size]), at + size
        else:
            raise ValueError(f"field {number} is of wire type {kind}, which is out of use")
        if number == 0:
            raise ValueError("a field has the number 0")
        yield number, value


def _varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError("a number is cut off")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def message(data, kinds):
    """The last value of each field that `kinds` names: {name: value}; kinds: number -> (name, type).

    type: int, bool, str, float or bytes. ValueError for a value of another type.
    """
    found = {}
    for number, value in fields(data):
        if number in kinds:
            name, kind = kinds[number]
            found[name] = _typed(name, value, kind)
    return found


def _typed(name, value, kind):
    if isinstance(value, int) != (kind in (int, bool)) or (kind is float and len(value) != 4):
        raise ValueError(f"the field {name} is of the wrong type")
    if kind is float:
        return struct.unpack("<f", value)[0]
    if kind is str:
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise ValueError(f"the field {name} is no UTF-8") from None
    return kind(value)
