"""The property block of a message: headers of MetaQ and the sender's own properties."""

from __future__ import annotations

import struct
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

from .errors import MalformedMessageError
from .types import Byte, Char, Float, Int, Short, Value, type_name

MESSAGE_ID = 1
TIMESTAMP = 2
EXPIRATION = 3
DELIVERY_TIME = 4
PRIORITY = 5
DELIVERY_MODE = 6
CORRELATION_ID = 7
REPLY_TO = 8
TYPE = 9
DESTINATION = 10
ORIGIN = 11
BODY_KIND = 12
GROUP_ID = 13
GROUP_SEQ = 14
USER_ID = 15
LARGE_TOPIC = 16
LARGE_PARTITION = 17
LARGE_OFFSET = 18
LARGE_LENGTH = 19

_int = struct.Struct(">i")
_CODES = {
    "null": 0,
    "boolean": 1,
    "byte": 2,
    "short": 3,
    "int": 4,
    "long": 5,
    "float": 6,
    "double": 7,
    "string": 8,
    "bytes": 9,
    "char": 10,
}
_FIXED = {
    1: struct.Struct(">?"),
    2: struct.Struct(">b"),
    3: struct.Struct(">h"),
    4: struct.Struct(">i"),
    5: struct.Struct(">q"),
    6: struct.Struct(">f"),
    7: struct.Struct(">d"),
    10: struct.Struct(">H"),
}
_MADE: Dict[int, Callable] = {2: Byte, 3: Short, 4: Int, 6: Float, 10: lambda unit: Char(chr(unit))}


class Block(NamedTuple):
    """A decoded block. Where a name is there twice the first one counts."""

    headers: Dict[int, Value]
    properties: Dict[str, Value]


def _value(value: Value) -> Tuple[int, bytes]:
    name = type_name(value)
    code = _CODES[name]
    if code == 0:
        return 0, b""
    if name == "string":
        data = _utf8(value)
        return code, _int.pack(len(data)) + data
    if name == "bytes":
        data = bytes(value)  # type: ignore[arg-type]
        return code, _int.pack(len(data)) + data
    if name == "char":
        return code, _FIXED[10].pack(ord(value))  # type: ignore[arg-type]
    try:
        return code, _FIXED[code].pack(value)
    except struct.error:
        raise ValueError("{!r} does not fit into a {} of 64 bits".format(value, name)) from None


def _utf8(text: object) -> bytes:
    try:
        return str(text).encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("{!r} cannot be UTF-8: it has half of a surrogate pair".format(text)) from None


def encode_header(number: int, value: Value) -> bytes:
    """One entry of a header of MetaQ."""
    code, data = _value(value)
    return bytes((code, 0, number)) + data


def encode_entry(name: str, value: Value) -> bytes:
    """One entry with a name.

    :raises TypeError: if the name is no string or the value nothing that an entry can hold
    :raises ValueError: if the name is empty or too long, or the number does not fit
    """
    if not isinstance(name, str):
        raise TypeError("{!r} is no name of a property: it must be a str".format(name))
    encoded = _utf8(name)
    if not 0 < len(encoded) <= 0xFFFF:
        raise ValueError("a name must have 1 to 65535 bytes: {!r}".format(name[:40]))
    code, data = _value(value)
    size = len(encoded)
    head = bytes((code, size)) if size < 255 else bytes((code, 255)) + struct.pack(">H", size)
    return head + encoded + data


def encode_item(value: Value) -> bytes:
    """One entry without a name, as streams have them."""
    code, data = _value(value)
    return bytes((code,)) + data


def decode(block: bytes) -> Block:
    """Headers and properties of a block.

    :raises MalformedMessageError: if it is none
    """
    headers: Dict[int, Value] = {}
    properties: Dict[str, Value] = {}
    at, size = 0, len(block)
    try:
        while at < size:
            code, length = block[at], block[at + 1]
            at += 2
            if length == 0:
                number = block[at]
                value, at = _read(block, at + 1, code)
                headers.setdefault(number, value)
                continue
            name, at = _name(block, at, length)
            value, at = _read(block, at, code)
            properties.setdefault(name, value)
    except (IndexError, struct.error, UnicodeDecodeError) as wrong:
        raise MalformedMessageError("the property block is damaged: {}".format(wrong)) from None
    return Block(headers, properties)


def decode_entries(data: bytes, at: int, count: int) -> Tuple[Dict[str, Value], int]:
    """So many entries with names, as maps have them, and where they end."""
    entries: Dict[str, Value] = {}
    for _ in range(count):
        code, length = data[at], data[at + 1]
        if length == 0:
            raise MalformedMessageError("an entry of a map without a name")
        name, at = _name(data, at + 2, length)
        if name in entries:
            raise MalformedMessageError("{!r} is in the map twice".format(name))
        entries[name], at = _read(data, at, code)
    return entries, at


def decode_items(data: bytes) -> List[Value]:
    """Entries without names up to the end, as streams have them."""
    items: List[Value] = []
    at = 0
    while at < len(data):
        value, at = _read(data, at + 1, data[at])
        items.append(value)
    return items


def _name(data: bytes, at: int, length: int) -> Tuple[str, int]:
    if length == 255:
        length = data[at] << 8 | data[at + 1]
        at += 2
    if at + length > len(data):
        raise IndexError("a name goes beyond the end")
    return data[at : at + length].decode("utf-8"), at + length


def _read(data: bytes, at: int, code: int) -> Tuple[Value, int]:
    fixed = _FIXED.get(code)
    if fixed is not None:
        (value,) = fixed.unpack_from(data, at)
        made: Optional[Callable] = _MADE.get(code)
        return (made(value) if made else value), at + fixed.size
    if code == 0:
        return None, at
    if code not in (8, 9):
        raise MalformedMessageError("there is no type {}".format(code))
    (length,) = _int.unpack_from(data, at)
    end = at + 4 + length
    if length < 0 or end > len(data):
        raise IndexError("a value goes beyond the end")
    raw = data[at + 4 : end]
    return (raw.decode("utf-8") if code == 8 else raw), end
