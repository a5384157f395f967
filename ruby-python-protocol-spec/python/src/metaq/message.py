"""Messages: what is sent, and what is received."""

from __future__ import annotations

import datetime
import struct
from typing import TYPE_CHECKING, Any, Dict, Generic, Mapping, Optional, Tuple, TypeVar, Union, overload

from . import payloads, properties as block
from .errors import MalformedMessageError, MetaqError
from .payloads import Body, BodyKind
from .types import Byte, Int, Long, Value, type_name

if TYPE_CHECKING:
    from ._protocol.storage import Stored

ATTRIBUTE = 1
PROPERTIES = 2
SCHEDULED = 4
GROUPED = 8
EXPIRES = 16
LARGE = 32
_KNOWN_BITS = 63
NORMAL_PRIORITY = 4
#: of every chunk of a large payload but the last one
CHUNK_BYTES = 1 << 20

Seconds = Union[int, float, datetime.timedelta]
_T = TypeVar("_T")
_int = struct.Struct(">i")


def milliseconds(seconds: Seconds, what: str) -> int:
    value = seconds.total_seconds() if isinstance(seconds, datetime.timedelta) else seconds
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError("{} is a number of seconds or a timedelta, not {!r}".format(what, seconds))
    if not 0 <= value < 1e12:
        raise ValueError("{} must not be negative, nor beyond 30,000 years: {!r}".format(what, seconds))
    return int(round(value * 1000))


class Message:
    """A message to send.

    :param body: ``None``, ``str``, ``bytes``, a ``dict`` (a map message of JMS), a ``list`` (a stream message) or
        :class:`metaq.Object`
    :param properties: names and values of the sender's own; see :mod:`metaq.types` for what they can be
    :param key: what a key partitioner goes by; it is not sent
    :param kind: the :class:`BodyKind`, if not that of the body's type: ``NULL_TEXT`` for a text message without a text. Bytes without
        it, and without any header and property, are sent as they are
    :param type: header of JMS, free text
    :param correlation_id: ``str`` or ``bytes``
    :param reply_to: ``queue://NAME``, ``topic://NAME``, or the address of a temporary queue
    :param priority: 0 to 9; higher ones are delivered before lower ones. 4 is normal
    :param persistent: false is JMS's non-persistent: for other readers to know, it is stored all the same
    :param time_to_live: seconds (or a timedelta) after which it is not delivered any more
    :param delay: seconds (or a timedelta) until it is delivered
    :param expiration: instead of ``time_to_live``: the moment, in milliseconds since 1970
    :param delivery_time: instead of ``delay``: the moment, in milliseconds since 1970
    :param group_id: messages of one group go to one consumer at a time, in order
    :param group_seq: their number within it, 32 bits
    :param user_id: for ``JMSXUserID``
    :param message_id: ``ID:…``; left out, the broker's id is shown as one
    :param timestamp: when it was sent, in milliseconds since 1970; set by the producer if the message has any header at all
    :param attribute: of MetaQ 1.4; the empty one is not the same as none
    :param flag: bits of the sender's own (64 and above)
    :raises TypeError, ValueError: for what cannot be sent
    """

    __slots__ = (
        "body", "properties", "key", "kind", "type", "correlation_id", "reply_to", "priority", "persistent",
        "expiration", "delivery_time", "time_to_live_ms", "delay_ms", "group_id", "group_seq", "user_id", "message_id",
        "timestamp", "attribute", "flag", "destination", "origin", "plain",
    )  # fmt: skip

    def __init__(
        self,
        body: Body = None,
        properties: Optional[Mapping[str, Value]] = None,
        *,
        key: Union[None, str, bytes] = None,
        kind: Optional[BodyKind] = None,
        type: Optional[str] = None,
        correlation_id: Union[None, str, bytes] = None,
        reply_to: Optional[str] = None,
        priority: int = NORMAL_PRIORITY,
        persistent: bool = True,
        time_to_live: Optional[Seconds] = None,
        delay: Optional[Seconds] = None,
        expiration: Optional[int] = None,
        delivery_time: Optional[int] = None,
        group_id: Optional[str] = None,
        group_seq: Optional[int] = None,
        user_id: Optional[str] = None,
        message_id: Optional[str] = None,
        timestamp: Optional[int] = None,
        attribute: Optional[str] = None,
        flag: int = 0,
        destination: Optional[str] = None,
        origin: Optional[str] = None,
    ) -> None:
        #: bytes as they are, without a property block if nothing else needs one
        self.plain = kind is None and payloads.kind_of(body) == BodyKind.BYTES
        if kind is None:
            kind = payloads.kind_of(body)
        if isinstance(priority, bool) or not isinstance(priority, int) or not 0 <= priority <= 9:
            raise ValueError("a priority is a whole number from 0 to 9, not {!r}".format(priority))
        for name, value in (("type", type), ("reply_to", reply_to), ("group_id", group_id), ("user_id", user_id)):
            if value is not None and not isinstance(value, str):
                raise TypeError("{} is a str, not {!r}".format(name, value))
        if flag & _KNOWN_BITS:
            raise ValueError("the bits of the flag below 64 are set by what the message has")
        self.body = body
        self.properties: Dict[str, Value] = dict(properties) if properties else {}
        self.key = key
        self.kind = BodyKind(kind)
        self.type = type
        self.correlation_id = correlation_id
        self.reply_to = reply_to
        self.priority = priority
        self.persistent = persistent
        self.time_to_live_ms = None if time_to_live is None else milliseconds(time_to_live, "time_to_live")
        self.delay_ms = None if delay is None else milliseconds(delay, "delay")
        self.expiration = expiration
        self.delivery_time = delivery_time
        self.group_id = group_id
        self.group_seq = group_seq
        self.user_id = user_id
        self.message_id = message_id
        self.timestamp = timestamp
        self.attribute = attribute
        self.flag = flag
        self.destination = destination
        self.origin = origin
        self._take_named_headers()

    def _take_named_headers(self) -> None:
        """JMS knows three headers as properties."""
        for name, field, kind in (
            ("JMSXGroupID", "group_id", str),
            ("JMSXGroupSeq", "group_seq", int),
            ("JMSXUserID", "user_id", str),
        ):
            if name in self.properties:
                value = self.properties.pop(name)
                if value is not None and not isinstance(value, kind):
                    raise TypeError("{} is of type {}, not {!r}".format(name, kind.__name__, value))
                setattr(self, field, value)

    def __repr__(self) -> str:
        shown = repr(self.body)
        return "Message({}{})".format(
            shown if len(shown) < 80 else shown[:77] + "...", ", " + repr(self.properties) if self.properties else ""
        )


class Large:
    """Where the payload of a message is, if it is not in it: chunks of a companion topic."""

    __slots__ = ("topic", "partition", "length", "offsets")

    def __init__(self, topic: str, partition: int, length: int, offsets: Tuple[int, ...]) -> None:
        self.topic = topic
        self.partition = partition
        self.length = length
        self.offsets = offsets


def encode(
    message: Message,
    payload: bytes,
    now_ms: int,
    origin: Optional[str] = None,
    large: Optional[Large] = None,
    stamp: bool = True,
) -> Tuple[int, bytes]:
    """Flag and body of a message as they are stored.

    :param payload: that of its body, by :func:`metaq.payloads.encode`; not looked at if it is ``large``
    :param now_ms: the moment of the send, from which times to live and delays count
    :param origin: of the sender, for ``no_local``
    :param stamp: whether a message with any header gets the moment of the send as its TIMESTAMP
    """
    flag, parts = message.flag, []
    if message.attribute is not None:
        flag |= ATTRIBUTE
        attribute = message.attribute.encode("utf-8")
        parts += [_int.pack(len(attribute)), attribute]
    bits, entries = _block(message, now_ms, origin, large, stamp)
    if entries:
        flag |= bits | PROPERTIES
        size = sum(map(len, entries))
        parts.append(_int.pack(size))
        parts += entries
    if large is not None:
        parts.append(struct.pack(">%dq" % len(large.offsets), *large.offsets))
    else:
        parts.append(payload)
    return flag, b"".join(parts)


def _block(
    message: Message, now_ms: int, origin: Optional[str], large: Optional[Large], stamp: bool
) -> Tuple[int, list]:
    """Bits of the flag and entries of the block: headers in the order of their numbers, then the sender's properties."""
    bits, headers = _headers(message, now_ms, origin)
    if large is not None:
        bits |= LARGE
        headers[block.LARGE_TOPIC] = large.topic
        headers[block.LARGE_PARTITION] = Int(large.partition)
        headers[block.LARGE_OFFSET] = Long(large.offsets[0])
        headers[block.LARGE_LENGTH] = Long(large.length)
    if not headers and not message.properties and message.plain:
        return 0, []
    if message.timestamp is not None or stamp:
        headers[block.TIMESTAMP] = Long(message.timestamp if message.timestamp is not None else now_ms)
    if message.kind != BodyKind.NONE:
        headers[block.BODY_KIND] = Byte(message.kind)
    entries = [block.encode_header(number, headers[number]) for number in sorted(headers)]
    entries += [block.encode_entry(name, value) for name, value in message.properties.items()]
    return bits, entries


def _headers(message: Message, now_ms: int, origin: Optional[str]) -> Tuple[int, Dict[int, Value]]:
    bits = 0
    headers: Dict[int, Value] = {
        block.MESSAGE_ID: message.message_id,
        block.CORRELATION_ID: message.correlation_id,
        block.REPLY_TO: message.reply_to,
        block.TYPE: message.type,
        block.DESTINATION: message.destination,
        block.ORIGIN: message.origin if message.origin is not None else origin,
        block.GROUP_ID: message.group_id,
        block.USER_ID: message.user_id,
    }
    headers = {number: value for number, value in headers.items() if value is not None}
    expiration, delivery_time = message.expiration, message.delivery_time
    if message.delay_ms:
        delivery_time = now_ms + message.delay_ms
    if message.time_to_live_ms:
        expiration = now_ms + message.time_to_live_ms
    if expiration:
        headers[block.EXPIRATION] = Long(expiration)
        bits |= EXPIRES
    if delivery_time:
        headers[block.DELIVERY_TIME] = Long(delivery_time)
        bits |= SCHEDULED
    if message.priority != NORMAL_PRIORITY:
        headers[block.PRIORITY] = Byte(message.priority)
        bits |= SCHEDULED
    if not message.persistent:
        headers[block.DELIVERY_MODE] = Byte(1)
    if message.group_id is not None:
        bits |= GROUPED
    if message.group_seq is not None:
        headers[block.GROUP_SEQ] = Int(message.group_seq)
    return bits, headers


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
        made.flag = self.flag & ~_KNOWN_BITS
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
