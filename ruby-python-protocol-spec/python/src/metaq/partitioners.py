"""Which partition a message goes to.

A partitioner is any callable that takes the message and the topic's partitions, sorted by broker and number and never empty, and
returns one of them. It is called on the thread that sends.
"""

from __future__ import annotations

import itertools
from typing import Callable, Sequence
from zlib import crc32

from .core.pool import Partition
from .message import Message

Partitioner = Callable[[Message, Sequence[Partition]], Partition]


def by_key(message: Message, partitions: Sequence[Partition]) -> Partition:
    """One key, one partition, as long as the topic has the same partitions: CRC-32 of the key (UTF-8), modulo their number.

    Other clients of MetaQ choose the same.

    :raises ValueError: for a message without a key
    """
    if message.key is None:
        raise ValueError("the message has no key")
    key = message.key.encode("utf-8") if isinstance(message.key, str) else bytes(message.key)
    return partitions[crc32(key) % len(partitions)]


def round_robin() -> Partitioner:
    """Each message to the next partition. (Without a partitioner it is each batch, which costs less.)"""
    turn = itertools.count()
    return lambda message, partitions: partitions[next(turn) % len(partitions)]
