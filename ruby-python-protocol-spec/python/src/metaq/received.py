"""Messages as they are received, decoded when they are asked for."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Dict, Generic, Optional, Tuple, TypeVar, Union, overload

from . import payloads, properties as block
from .errors import MalformedMessageError, MetaqError
from .message import ATTRIBUTE, CHUNK_BYTES, KNOWN_BITS, LARGE, NORMAL_PRIORITY, PROPERTIES, Large, Message
from .payloads import Body, BodyKind
from .types import Value, type_name

if TYPE_CHECKING:
    from ._protocol.storage import Stored

_T = TypeVar("_T")
_int = struct.Struct(">i")


class _Field(Generic[_T]):
    """What is decoded when somebody asks for it."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, message: None, owner: type) -> "_Field[_T]": ...

    @overload
    def __get__(self, message: "ReceivedMessage", owner: type) -> _T: ...

    def __get__(self, message: Optional["ReceivedMessage"], owner: type) -> Any:
        if message is None:
            return self
        return getattr(message.content, self._name)


class ReceivedMessage:
    """A message that was received. Headers, properties and body are decoded when they are asked for.

    Those that came from a queue or a subscription can be settled: :meth:`ack`, :meth:`reject`, :meth:`release` of the
    consumer they came from take them.
    """

    __slots__ = (
        "topic", "broker", "partition", "offset", "next_offset", "id", "flag", "raw", "delivery_count", "consumer",
        "_content", "_payload", "_settled",
    )  # fmt: skip

    def __init__(
        self, topic: str, broker: Optional[int], partition: int, stored: "Stored", delivery_count: int = 1,
        consumer: Any = None,
    ) -> None:  # fmt: skip
        #: name of the topic or queue it was read from
        self.topic = topic
        #: id of the broker it was read from
        self.broker = broker
        #: its partition there
        self.partition = partition
        self.offset, self.next_offset, self.id, self.flag, self.raw = stored
        #: how often it has been delivered, this time included
        self.delivery_count = delivery_count
        #: the consumer of a queue or subscription that it came to; None for one that was read by its offset
        self.consumer = consumer
        self._content: Optional[Message] = None
        self._payload: Optional[bytes] = None
        self._settled = False

    body: _Field[Body] = _Field("None, str, bytes, dict, list or metaq.Object, as it was sent")
    kind: _Field[BodyKind] = _Field("what the body is")
    properties: _Field[Dict[str, Value]] = _Field("the sender's properties")
    type: _Field[Optional[str]] = _Field("header of JMS, free text")
    correlation_id: _Field[Union[None, str, bytes]] = _Field("str or bytes, as it was sent")
    reply_to: _Field[Optional[str]] = _Field("where an answer is wanted")
    priority: _Field[int] = _Field("0 to 9")
    persistent: _Field[bool] = _Field("false for JMS's non-persistent")
    expiration: _Field[Optional[int]] = _Field("milliseconds since 1970; None for never")
    delivery_time: _Field[Optional[int]] = _Field("milliseconds since 1970; None for at once")
    group_id: _Field[Optional[str]] = _Field("its group, JMSXGroupID")
    group_seq: _Field[Optional[int]] = _Field("its number there, JMSXGroupSeq")
    user_id: _Field[Optional[str]] = _Field("JMSXUserID")
    message_id: _Field[str] = _Field("ID:…, of the sender or else of the broker")
    timestamp: _Field[Optional[int]] = _Field("when it was sent, milliseconds since 1970; None if unknown")
    attribute: _Field[Optional[str]] = _Field("of MetaQ 1.4")
    destination: _Field[Optional[str]] = _Field("queue://X or topic://X if the sender said so")
    origin: _Field[Optional[str]] = _Field("client id or connection id of the sender")

    @property
    def payload(self) -> bytes:
        """The body's bytes, whatever its kind says.

        :raises MalformedMessageError: if properties or attribute are damaged
        """
        return self._parts()[3] if self._payload is None else self._payload

    @property
    def redelivered(self) -> bool:
        """Whether it may have been seen before."""
        return self.delivery_count > 1

    def property_type(self, name: str) -> Optional[str]:
        """The protocol's type of a property (``int``, ``string``, …); None if there is no such property."""
        return type_name(self.properties[name]) if name in self.properties else None

    @property
    def content(self) -> Message:
        """All of it but where it was: a new :class:`Message`, decoded once.

        A message whose property block is damaged is one of bytes, as to JMS.

        :raises MalformedMessageError: if the payload is not what its kind says
        """
        content = self._content
        if content is None:
            content = self._content = self._decode()
        return content

    def forward(self) -> Message:
        """A message to send with the same body, properties (types kept) and headers; not its id, times and destination."""
        made = Message.__new__(Message)
        for name in Message.__slots__:
            setattr(made, name, getattr(self.content, name))
        made.properties = dict(self.content.properties)
        made.message_id = made.timestamp = made.expiration = made.delivery_time = made.destination = made.origin = None
        return made

    @property
    def large(self) -> Optional[Large]:
        """Where the payload is, if it is not in the message and was not fetched yet."""
        if not self.flag & LARGE or not self.flag & PROPERTIES or self._payload is not None:
            return None
        headers, _, payload = self._parts()[1:]
        try:
            offsets = struct.unpack(">%dq" % (len(payload) // 8), payload)
            topic, partition = headers[block.LARGE_TOPIC], headers[block.LARGE_PARTITION]
            length = int(headers[block.LARGE_LENGTH])  # type: ignore[arg-type]
            if len(offsets) != -(-length // CHUNK_BYTES):
                raise TypeError("the number of chunks")
            return Large(str(topic), int(partition), length, offsets)  # type: ignore[arg-type]
        except (KeyError, struct.error, TypeError):
            raise MalformedMessageError("message {} does not say where its payload is".format(self.id)) from None

    def complete(self, payload: bytes) -> None:
        """Gives a large message its payload."""
        self._payload = payload

    def _parts(self) -> Tuple[Optional[str], Dict[int, Value], Dict[str, Value], bytes]:
        raw, at, attribute = self.raw, 0, None
        try:
            if self.flag & ATTRIBUTE:
                (size,) = _int.unpack_from(raw)
                at = 4 + size
                if size < 0 or at > len(raw):
                    raise MalformedMessageError("the attribute goes beyond the end")
                attribute = raw[4:at].decode("utf-8", "replace")
            if not self.flag & PROPERTIES:
                return attribute, {}, {}, raw[at:]
            (size,) = _int.unpack_from(raw, at)
        except struct.error:
            raise MalformedMessageError("the body is too short for what its flag says") from None
        end = at + 4 + size
        if size < 0 or end > len(raw):
            raise MalformedMessageError("the property block goes beyond the end")
        headers, own = block.decode(raw[at + 4 : end])
        return attribute, headers, own, raw[end:]

    def _decode(self) -> Message:
        try:
            attribute, headers, own, payload = self._parts()
            has_block = self.flag & PROPERTIES
        except MalformedMessageError:
            attribute, headers, own, payload, has_block = None, {}, {}, self.raw, 0
        if self.flag & LARGE and headers:
            if self._payload is None:
                raise MetaqError("the payload of message {} was not fetched".format(self.id))
            payload = self._payload
        kind = _whole(headers.get(block.BODY_KIND), 0) if has_block else BodyKind.BYTES
        made = Message.__new__(Message)
        made.body = payloads.decode(kind, payload)
        made.kind = BodyKind(kind)
        made.plain = not has_block
        made.properties = own
        made.key = made.time_to_live_ms = made.delay_ms = None
        made.flag = self.flag & ~KNOWN_BITS
        made.attribute = attribute
        made.type = _text(headers.get(block.TYPE))
        correlation = headers.get(block.CORRELATION_ID)
        made.correlation_id = correlation if isinstance(correlation, bytes) else _text(correlation)
        made.reply_to = _text(headers.get(block.REPLY_TO))
        made.priority = _whole(headers.get(block.PRIORITY), NORMAL_PRIORITY)
        made.persistent = headers.get(block.DELIVERY_MODE) != 1
        made.expiration = _whole(headers.get(block.EXPIRATION), 0) or None
        made.delivery_time = _whole(headers.get(block.DELIVERY_TIME), 0) or None
        made.group_id = _text(headers.get(block.GROUP_ID))
        sequence = headers.get(block.GROUP_SEQ)
        made.group_seq = int(sequence) if isinstance(sequence, int) else None
        made.user_id = _text(headers.get(block.USER_ID))
        made.message_id = _text(headers.get(block.MESSAGE_ID)) or "ID:{}".format(self.id)
        stamp = headers.get(block.TIMESTAMP)
        made.timestamp = int(stamp) if isinstance(stamp, int) else None
        made.destination = _text(headers.get(block.DESTINATION))
        made.origin = _text(headers.get(block.ORIGIN))
        return made

    def __repr__(self) -> str:
        return "ReceivedMessage({} {}-{} at {}, id {})".format(
            self.topic, self.broker, self.partition, self.offset, self.id
        )


def _text(value: Value) -> Optional[str]:
    return value if isinstance(value, str) else None


def _whole(value: Value, absent: int) -> int:
    return int(value) if isinstance(value, int) else absent
