"""Numbers that know how wide they are, as properties and map messages of JMS have them.

Python's own ``int`` is a long (64 bits) to the protocol, its ``float`` a double, its ``str`` a string. Where a receiver wants
another type, wrap the value: ``Int(5)``, ``Float(0.5)``, ``Char("x")``. What is received comes in these types too, so a message
that is sent on keeps its types; each is an ``int``, ``float`` or ``str`` to everybody else.
"""

from __future__ import annotations

import struct
from typing import Any, Union

#: what a property, or an entry of a map or stream, can be
Value = Union[None, bool, int, float, str, bytes]


class _Whole(int):
    _bits = 64

    def __new__(cls, value: Any = 0) -> "_Whole":
        made = super().__new__(cls, value)
        bound = 1 << (cls._bits - 1)
        if not -bound <= made < bound:
            raise ValueError("{} does not fit into the {} bits of a {}".format(int(made), cls._bits, cls.__name__))
        return made

    def __repr__(self) -> str:
        return "{}({})".format(type(self).__name__, int(self))

    __str__ = int.__repr__


class Byte(_Whole):
    """-128 to 127."""

    _bits = 8


class Short(_Whole):
    """16 bits, signed."""

    _bits = 16


class Int(_Whole):
    """32 bits, signed."""

    _bits = 32


class Long(_Whole):
    """64 bits, signed: what a plain ``int`` is. Received longs are plain."""

    _bits = 64


class Float(float):
    """32 bits: the value is rounded to what they hold."""

    def __new__(cls, value: Any = 0.0) -> "Float":
        try:
            return super().__new__(cls, struct.unpack(">f", struct.pack(">f", float(value)))[0])
        except OverflowError:
            raise ValueError("{} does not fit into a Float".format(value)) from None

    def __repr__(self) -> str:
        return "Float({})".format(float(self))


class Double(float):
    """64 bits: what a plain ``float`` is. Received doubles are plain."""

    def __repr__(self) -> str:
        return "Double({})".format(float(self))


class Char(str):
    """One UTF-16 unit."""

    def __new__(cls, value: Any) -> "Char":
        made = super().__new__(cls, value)
        if len(made) != 1 or ord(made) > 0xFFFF:
            raise ValueError("{!r} is not one UTF-16 unit".format(str(made)))
        return made

    def __repr__(self) -> str:
        return "Char({})".format(str.__repr__(self))


class Object(bytes):
    """The serialized form of a Java object: the body of an object message. Its bytes are not looked into."""

    def __repr__(self) -> str:
        return "Object({})".format(bytes.__repr__(self))


def type_name(value: Value) -> str:
    """The protocol's name of the type of a value: ``null boolean byte short int long float double string bytes char``.

    :raises TypeError: for what no property can be
    """
    if value is None:
        return "null"
    for kind, name in _NAMES:
        if isinstance(value, kind):
            return name
    raise TypeError("{!r} of type {} is no value of a property, map or stream".format(value, type(value).__name__))


_NAMES = (
    (bool, "boolean"),
    (Byte, "byte"),
    (Short, "short"),
    (Int, "int"),
    (int, "long"),
    (Float, "float"),
    (float, "double"),
    (Char, "char"),
    (str, "string"),
    ((bytes, bytearray, memoryview), "bytes"),
)
