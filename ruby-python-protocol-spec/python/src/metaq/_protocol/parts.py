"""The body of ``transact`` and ``enlist``: messages to store, deliveries to acknowledge."""

from __future__ import annotations

import struct
from typing import List, Sequence, Tuple

from .ranges import Ranges

MESSAGES = 1
ACKNOWLEDGEMENTS = 2


def messages(topic: str, partition: int, stored: Sequence[bytes]) -> bytes:
    """A part that stores messages, each in storage format."""
    name = topic.encode("utf-8")
    body = b"".join(stored)
    return struct.pack(">BH", MESSAGES, len(name)) + name + struct.pack(">iii", partition, len(stored), len(body)) + body


def acknowledgements(consumer: int, ranges: Ranges) -> bytes:
    """A part that acknowledges what was delivered to a consumer of the same connection."""
    out: List[bytes] = [struct.pack(">Bii", ACKNOWLEDGEMENTS, consumer, len(ranges))]
    one: Tuple[int, int, int]
    for one in ranges:
        out.append(struct.pack(">iqq", *one))
    return b"".join(out)
