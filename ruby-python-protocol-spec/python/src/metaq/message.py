"""Messages to send, and what they are as bytes."""

from __future__ import annotations

import datetime
import struct
from typing import Dict, Mapping, Optional, Tuple, Union

from . import payloads, properties as block
from .payloads import Body, BodyKind
from .types import Byte, Int, Long, Value

ATTRIBUTE = 1
PROPERTIES = 2
SCHEDULED = 4
GROUPED = 8
EXPIRES = 16
LARGE = 32
KNOWN_BITS = 63
NORMAL_PRIORITY = 4
#: of every chunk of a large payload but the last one
CHUNK_BYTES = 1 << 20

Seconds = Union[int, float, datetime.timedelta]
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
        if flag & KNOWN_BITS:
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
