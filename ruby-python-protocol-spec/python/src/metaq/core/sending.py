"""From what an application sends to what is stored: shared by both clients' producers."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional, Tuple, Union

from .. import message as messages
from .. import payloads
from .._protocol import requests, storage
from ..errors import ConflictError, MetaqError
from ..message import CHUNK_BYTES, Large, Message
from ..received import ReceivedMessage
from ..payloads import Body
from .link import Link
from .pool import Partition, Pool
from .producer import ProducerCore, Wanted
from .subscription import SubscriptionCore
from .tasks import Pending
from .transactions import BranchCore, TransactionCore

COMPANION = ".large"
TEMPORARY_COMPANION = "temporary.large"
_CHUNKS_UNDER_WAY = 4
#: what a message may have beside its payload before it counts as too large
_ROOM_FOR_HEADERS = 64 * 1024


def as_message(body: Union[Body, Message, ReceivedMessage], headers: dict) -> Message:
    """:raises TypeError: if headers come with a message that has its own; only ``key`` may come with one that was received"""
    if isinstance(body, ReceivedMessage):
        body = body.forward()
        body.key = headers.pop("key", None)
    if isinstance(body, Message):
        if headers:
            raise TypeError("a Message has its headers already: {}".format(", ".join(headers)))
        return body
    return Message(body, **headers)


def encode(pool: Pool, message: Message, origin: Optional[str]) -> Tuple[Optional[bytes], bytes]:
    """The message in storage format, or None if it is too large for that; and its payload."""
    _, payload = payloads.encode(message.body, message.kind)
    most = min(pool.settings.large_bytes, pool.home.negotiated.max_body - _ROOM_FOR_HEADERS)
    if len(payload) > most and "subscription" in pool.home.features:
        return None, payload
    flag, body = messages.encode(message, payload, pool.engine.now_ms(), origin)
    return storage.encode(body, flag), payload


class SettledFuture:
    """A future for the core's own sends: settles a :class:`Pending`."""

    __slots__ = ("pending",)

    def __init__(self, pending: Pending) -> None:
        self.pending = pending

    def done(self) -> bool:
        return self.pending.done

    def set_result(self, result: Any) -> None:
        self.pending.resolve(result)

    def set_exception(self, error: BaseException) -> None:
        self.pending.fail(error)


async def ensure_topic(link: Link, topic: str, kind: str) -> None:
    """Makes a topic or queue if it is not there.

    :raises ConflictError: if it is of the other kind
    :raises NotFoundError: if the broker's configuration does not let it be made
    """
    await link.text(requests.command, "topic", "create", topic, {"ensure": True, "kind": kind}, again=True)


async def upload(producer: ProducerCore, topic: str, broker: int, payload: bytes) -> Large:
    """Stores a payload in chunks of the topic's companion at a broker."""
    companion = TEMPORARY_COMPANION if topic.startswith("temp:") else topic + COMPANION
    try:
        await ensure_topic(producer.pool.link_of(broker), companion, "topic")
    except ConflictError as error:
        raise MetaqError("{} is no topic to hold chunks: {}".format(companion, error.text)) from error
    place = Partition(broker, 0)
    under_way: List[Pending[Any]] = []
    offsets: List[int] = []
    view = memoryview(payload)
    for at in range(0, len(payload), CHUNK_BYTES):
        if len(under_way) == _CHUNKS_UNDER_WAY:
            offsets.append((await under_way.pop(0)).offset)
        sent: Pending = Pending()
        producer.submit(companion, storage.encode(bytes(view[at : at + CHUNK_BYTES])), SettledFuture(sent), None, place)
        under_way.append(sent)
    for sent in under_way:
        offsets.append((await sent).offset)
    return Large(companion, 0, len(payload), tuple(offsets))


async def stored_large(
    producer: ProducerCore, topic: str, message: Message, payload: bytes, wanted: Wanted
) -> Tuple[Partition, bytes]:
    """Uploads the payload, and gives where the message goes and what it is in storage format."""
    place = await producer.partition_for(topic, message, wanted)
    large = await upload(producer, topic, place.broker, payload)
    flag, body = messages.encode(message, b"", producer.engine.now_ms(), producer.origin, large)
    return place, storage.encode(body, flag)


async def send_large(
    producer: ProducerCore, topic: str, message: Message, payload: bytes, future: Any, wanted: Wanted
) -> None:
    """Settles the future with the outcome."""
    try:
        place, stored = await stored_large(producer, topic, message, payload, wanted)
        producer.submit(topic, stored, future, message, place)
    except Exception as error:
        producer.engine.defer(future.set_exception, error)


async def collect(
    transaction: Union[TransactionCore, BranchCore],
    producer: ProducerCore,
    topic: str,
    message: Message,
    wanted: Wanted,
) -> None:
    """Adds a message to a transaction."""
    transaction.check()
    requests.word(topic, "a topic's name")
    pool = transaction.pool
    number = await transaction.steps.partition(topic, message, wanted)
    stored, payload = encode(pool, message, producer.origin)
    if stored is None:
        broker = pool.home.negotiated.broker_id or 0
        large = await upload(producer, topic, broker, payload)
        flag, body = messages.encode(message, b"", producer.engine.now_ms(), producer.origin, large)
        stored = storage.encode(body, flag)
    transaction.collected.add(topic, number, stored)


def collect_acks(transaction: Union[TransactionCore, BranchCore], received: Iterable[ReceivedMessage]) -> None:
    """Adds acknowledgements to a transaction.

    :raises ValueError: for a message that did not come from a queue or subscription of this client
    """
    for message in received:
        consumer = message.consumer
        if not isinstance(consumer, SubscriptionCore) or consumer.pool is not transaction.pool:
            raise ValueError("{!r} did not come from a queue or subscription of this client".format(message))
        transaction.collected.acknowledge(consumer, consumer.ranges_of((message,)))
