"""Single messages by their offset, and payloads that are kept in chunks."""

from __future__ import annotations

from typing import Optional

from .._protocol import requests, storage
from .._protocol.frames import Result
from ..errors import CorruptMessageError, MetaqError, NotFoundError, of_reply
from ..message import Large
from ..received import ReceivedMessage
from .link import Link
from .pool import Pool

_CHUNKS_UNDER_WAY = 4
GROUP = "metaq-python"


async def fetch_message(
    link: Link, topic: str, partition: int, offset: int, group: str = GROUP, size: int = 1 << 20
) -> storage.Stored:
    """One message, in as many pieces as the broker's slices need.

    :param size: bytes that it probably has
    :raises NotFoundError: if there is none at that offset
    :raises CorruptMessageError: if it does not fit its checksum
    """
    data = b""
    wanted = max(size, storage.HEADER_BYTES)
    while True:
        reply = await link.ask(
            requests.get, topic, group, partition, offset + len(data), wanted - len(data), again=True
        )
        if isinstance(reply, Result):
            if reply.code == 301:
                raise NotFoundError("{}-{} has no message at {} any more".format(topic, partition, offset), 404)
            raise of_reply(reply.code, reply.text, link.server)
        data += reply.data
        found = storage.split(data, offset)
        if found.messages:
            return found.messages[0]
        if found.corrupt is not None:
            raise CorruptMessageError("the message does not fit its checksum", *found.corrupt)
        wanted = max(found.wanted or 0, len(data) + 1)


async def fetch_payload(pool: Pool, broker: Optional[int], large: Large) -> bytes:
    """A whole payload that is kept in chunks."""
    link = pool.home if broker is None else pool.link_of(broker)
    parts = []
    for at in range(0, len(large.offsets)):
        chunk = await fetch_message(link, large.topic, large.partition, large.offsets[at], size=(1 << 20) + 20)
        parts.append(chunk.body)
    payload = b"".join(parts)
    if len(payload) != large.length:
        raise MetaqError("the payload has {} bytes instead of {}".format(len(payload), large.length))
    return payload


async def completed(pool: Pool, message: ReceivedMessage) -> ReceivedMessage:
    """The message, with its payload if that was elsewhere."""
    large = message.large if message.flag & 34 == 34 else None
    if large is not None:
        message.complete(await fetch_payload(pool, message.broker, large))
    return message
