"""Requests as bytes. Every function takes the opaque first; ``None`` leaves an optional value out."""

from __future__ import annotations

import re
from typing import Iterable, Mapping, Optional, Tuple, Union

from .ranges import Ranges

Option = Union[str, int, bool, None]
_TO_ENCODE = re.compile(r"[%\x00-\x20\x7f]")


def encode_value(text: str) -> str:
    """Percent-encodes spaces, control characters and ``%``; everything else stands for itself."""
    return _TO_ENCODE.sub(lambda found: "%{:02X}".format(ord(found.group())), text)


def word(text: str, what: str) -> str:
    """A name that stands in a line as it is.

    :raises TypeError: if it is no string
    :raises ValueError: if it is empty, or has spaces or control characters
    """
    if not isinstance(text, str):
        raise TypeError("{} must be a str, not {}".format(what, type(text).__name__))
    if not text or any(c <= " " or c == "\x7f" for c in text):
        raise ValueError("{} must not be empty nor have spaces or control characters: {!r}".format(what, text))
    return text


def _line(tokens: Iterable[object], options: Iterable[Tuple[str, Option]] = (), body: bytes = b"") -> bytes:
    parts = [str(token) for token in tokens]
    for key, value in options:
        if value is None:
            continue
        shown = ("true" if value else "false") if isinstance(value, bool) else str(value)
        parts.append("{}={}".format(key, encode_value(shown)))
    return (" ".join(parts) + "\r\n").encode("utf-8") + body


def version(opaque: Optional[int], protocol: Optional[int] = None, client: Optional[str] = None) -> bytes:
    head = ["version"] if opaque is None else ["version", opaque]
    return _line(head, (("protocol", protocol), ("client", client)))


def login(opaque: int, user: str, password: Optional[str]) -> bytes:
    return _line(("login", encode_value(user), opaque), (("password", password),))


def client(opaque: int, client_id: str) -> bytes:
    return _line(("client", encode_value(client_id), opaque))


def quit() -> bytes:
    return b"quit\r\n"


def stats(opaque: Optional[int], item: Optional[str] = None) -> bytes:
    tokens = ["stats"]
    if item is not None or opaque is not None:
        tokens.append(item or "")
    if opaque is not None:
        tokens.append(str(opaque))
    return _line(tokens)


def put(
    opaque: int,
    topic: str,
    partition: int,
    body: bytes,
    flag: int = 0,
    crc: Optional[int] = None,
    key: Optional[str] = None,
) -> bytes:
    tokens = ["put", topic, partition, len(body), flag]
    if crc is not None:
        tokens.append(crc)
    if key is not None:
        tokens.append(key)
    return _line((*tokens, opaque), (), body)


def sync(
    opaque: int, topic: str, partition: int, body: bytes, flag: int, message_id: int, crc: Optional[int] = None
) -> bytes:
    tokens = ["sync", topic, partition, len(body), flag, message_id]
    if crc is not None:
        tokens.append(crc)
    return _line((*tokens, opaque), (), body)


def append(
    opaque: int,
    topic: str,
    partition: int,
    count: int,
    body: bytes,
    producer: Optional[int] = None,
    seq: Optional[int] = None,
    durability: Optional[str] = None,
) -> bytes:
    options = (("producer", producer), ("seq", seq), ("durability", durability))
    return _line(("append", topic, partition, count, len(body), opaque), options, body)


def get(
    opaque: int,
    topic: str,
    group: str,
    partition: int,
    offset: int,
    max_size: int,
    wait_ms: Optional[int] = None,
    min_bytes: Optional[int] = None,
) -> bytes:
    return _line(("get", topic, group, partition, offset, max_size, opaque), (("wait", wait_ms), ("min", min_bytes)))


def offset(
    opaque: int,
    topic: str,
    group: str,
    partition: int,
    at_or_below: int = 0,
    time_ms: Optional[int] = None,
    at: Optional[str] = None,
) -> bytes:
    return _line(("offset", topic, group, partition, at_or_below, opaque), (("time", time_ms), ("at", at)))


def command(opaque: int, verb: str, operation: str, name: str, options: Mapping[str, Option]) -> bytes:
    """``topic``, ``group`` and ``tx``, whose names stand as they are."""
    return _line((verb, operation, name, opaque), options.items())


def subscription(opaque: int, operation: str, name: str, options: Mapping[str, Option]) -> bytes:
    return _line(("subscription", operation, encode_value(name), opaque), options.items())


def attach(
    opaque: int,
    consumer: int,
    name: str,
    topic: str,
    kind: str,
    selector: Optional[str] = None,
    no_local: Optional[bool] = None,
    origin: Optional[str] = None,
) -> bytes:
    options = (("topic", topic), ("kind", kind), ("selector", selector), ("nolocal", no_local), ("origin", origin))
    return _line(("attach", consumer, encode_value(name), opaque), options)


def credit(consumer: int, messages: int, size: int) -> bytes:
    return _line(("credit", consumer, messages, size))


def drain(opaque: int, consumer: int, messages: int) -> bytes:
    return _line(("drain", consumer, messages, opaque))


def ack(opaque: int, consumer: int, ranges: Ranges, reply: Optional[bool] = None) -> bytes:
    return _line(("ack", consumer, ranges, opaque), (("reply", "no" if reply is False else None),))


def reject(
    opaque: int, consumer: int, ranges: Ranges, delay_ms: Optional[int] = None, dead: Optional[bool] = None
) -> bytes:
    return _line(("reject", consumer, ranges, opaque), (("delay", delay_ms), ("dead", dead or None)))


def release(opaque: int, consumer: int, ranges: Ranges) -> bytes:
    return _line(("release", consumer, ranges, opaque))


def detach(opaque: int, consumer: int, delivered: Optional[Ranges] = None) -> bytes:
    return _line(("detach", consumer, opaque), (("delivered", str(delivered) if delivered else None),))


def transact(opaque: int, parts: bytes, producer: Optional[int] = None, seq: Optional[int] = None) -> bytes:
    return _line(("transact", len(parts), opaque), (("producer", producer), ("seq", seq)), parts)


def enlist(
    opaque: int,
    key: str,
    parts: bytes,
    then: Optional[str] = None,
    timeout_s: Optional[int] = None,
    begun: Optional[bool] = None,
    producer: Optional[int] = None,
    seq: Optional[int] = None,
) -> bytes:
    options = (
        ("then", then),
        ("timeout", timeout_s),
        ("begun", begun or None),
        ("producer", producer),
        ("seq", seq),
    )
    return _line(("enlist", key, len(parts), opaque), options, parts)


def transaction(
    opaque: int,
    key: str,
    session: str,
    step: str,
    timeout_s: Optional[int] = None,
    qualifier: Optional[str] = None,
    number: Optional[int] = None,
) -> bytes:
    tokens: list = ["transaction", key, session, step]
    if timeout_s is not None:
        tokens.append(timeout_s)
    if qualifier is not None:
        tokens.append(qualifier)
    return _line((*tokens, opaque), (("number", number),))
