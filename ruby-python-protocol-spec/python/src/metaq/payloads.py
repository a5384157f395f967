"""Payloads as JMS sees them: which body kind a Python value is, and back."""

from __future__ import annotations

import enum
import struct
from typing import Any, Mapping, Optional, Tuple

from .errors import MalformedMessageError
from .properties import decode_entries, decode_items, encode_entry, encode_item
from .types import Object

Body = Any


class BodyKind(enum.IntEnum):
    """What a payload is, and the Python type of its body."""

    NONE = 0  #: no body: ``None``
    TEXT = 1  #: ``str``
    BYTES = 2  #: ``bytes``
    MAP = 3  #: ``dict`` with ``str`` keys
    STREAM = 4  #: ``list``
    OBJECT = 5  #: :class:`metaq.Object`, serialized Java
    NULL_TEXT = 6  #: a text message without a text: ``None``


def kind_of(body: Body) -> BodyKind:
    """The kind that a Python value is sent as.

    :raises TypeError: if it is none of them
    """
    if body is None:
        return BodyKind.NONE
    if isinstance(body, str):
        return BodyKind.TEXT
    if isinstance(body, Object):
        return BodyKind.OBJECT
    if isinstance(body, (bytes, bytearray, memoryview)):
        return BodyKind.BYTES
    if isinstance(body, Mapping):
        return BodyKind.MAP
    if isinstance(body, (list, tuple)):
        return BodyKind.STREAM
    raise TypeError(
        "a body is None, str, bytes, a mapping, a list or metaq.Object, not {}".format(type(body).__name__)
    )


def encode(body: Body, kind: Optional[BodyKind] = None) -> Tuple[BodyKind, bytes]:
    """The payload of a body.

    :raises TypeError: if the body is not of that kind, or holds what no entry can
    """
    natural = kind_of(body)
    wanted = natural if kind is None else BodyKind(kind)
    if wanted != natural and not (body is None and wanted in (BodyKind.NULL_TEXT, BodyKind.BYTES, BodyKind.OBJECT)):
        if not (natural in (BodyKind.BYTES, BodyKind.OBJECT) and wanted in (BodyKind.BYTES, BodyKind.OBJECT)):
            raise TypeError("a {} is no body of kind {}".format(type(body).__name__, wanted.name))
    if body is None:
        return wanted, b""
    if natural == BodyKind.TEXT:
        try:
            return wanted, body.encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("the text cannot be UTF-8: it has half of a surrogate pair") from None
    if natural == BodyKind.MAP:
        entries = b"".join(encode_entry(name, value) for name, value in body.items())
        return wanted, struct.pack(">i", len(body)) + entries
    if natural == BodyKind.STREAM:
        return wanted, b"".join(map(encode_item, body))
    return wanted, bytes(body)


def decode(kind: int, payload: bytes) -> Body:
    """The body of a payload.

    :raises MalformedMessageError: if it is not of that kind
    """
    try:
        if kind == BodyKind.TEXT:
            return payload.decode("utf-8")
        if kind == BodyKind.BYTES:
            return payload
        if kind == BodyKind.MAP:
            if not payload:
                return {}
            (count,) = struct.unpack_from(">i", payload)
            entries, end = decode_entries(payload, 4, count)
            if count < 0 or end != len(payload):
                raise IndexError("bytes behind the last entry of the map")
            return entries
        if kind == BodyKind.STREAM:
            return decode_items(payload)
        if kind == BodyKind.OBJECT:
            return Object(payload)
        if kind in (BodyKind.NONE, BodyKind.NULL_TEXT):
            return None
    except (IndexError, struct.error, UnicodeDecodeError) as wrong:
        raise MalformedMessageError("the payload is no {}: {}".format(BodyKind(kind).name, wrong)) from None
    raise MalformedMessageError("there is no body kind {}".format(kind))
