"""Messages as they are stored: 20 bytes of header, then the body."""

from __future__ import annotations

import struct
from typing import List, NamedTuple, Optional, Tuple
from zlib import crc32

HEADER = struct.Struct(">iiqi")
HEADER_BYTES = HEADER.size
_pack = HEADER.pack
_unpack_from = HEADER.unpack_from


class Stored(NamedTuple):
    """One stored message: where it begins and ends in its partition, its id, flag and body."""

    offset: int
    end: int
    message_id: int
    flag: int
    body: bytes


class Slice(NamedTuple):
    """Whole messages of a slice; where the next one begins; how long the message is of which a part is left, if known.

    ``corrupt`` is the span (offset, end) of a message that does not fit its checksum, at which the walk ended.
    """

    messages: List[Stored]
    next_offset: int
    wanted: Optional[int]
    corrupt: Optional[Tuple[int, int]]


def checksum(body: bytes) -> int:
    """CRC-32 of the body without its top bit."""
    return crc32(body) & 0x7FFFFFFF


def encode(body: bytes, flag: int = 0) -> bytes:
    """A message to be appended; the broker gives the id."""
    return _pack(len(body), crc32(body) & 0x7FFFFFFF, 0, flag) + body


def split(data: bytes, offset: int) -> Slice:
    """Walks over the whole messages of a slice that begins at ``offset``, and checks each against its checksum."""
    messages: List[Stored] = []
    add = messages.append
    at, size = 0, len(data)
    while at + 20 <= size:
        length, crc, message_id, flag = _unpack_from(data, at)
        if length < 0:
            return Slice(messages, offset + at, None, (offset + at, offset + at))
        end = at + 20 + length
        if end > size:
            return Slice(messages, offset + at, 20 + length, None)
        body = data[at + 20 : end]
        if crc32(body) & 0x7FFFFFFF != crc:
            return Slice(messages, offset + at, None, (offset + at, offset + end))
        add(Stored(offset + at, offset + end, message_id, flag, body))
        at = end
    return Slice(messages, offset + at, 20 if at < size else None, None)
