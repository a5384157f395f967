"""Requests out of bytes, as a broker reads them: for scripted peers in tests, and to check the encoders with the vectors.

Each request is decoded into its values and encoded again by :mod:`requests`, so that both are tested against each other.
"""

from __future__ import annotations

import re
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple
from urllib.parse import unquote_to_bytes

from . import requests
from .ranges import Ranges

_NUMBER = re.compile(r"-?[0-9]+\Z")
_STEPS = ("BEGIN", "PREPARE", "COMMIT_ONE_PHASE", "COMMIT_TWO_PHASE", "ROLLBACK", "RECOVER", "FORGET", "END")
_UNANSWERED = 1 << 31
Options = Dict[str, str]


class Malformed(ValueError):
    """No frame; ``opaque`` and ``code`` are what a broker can say about it."""


class Request(NamedTuple):
    """A request: its verb, its tokens, its body, and what the encoder makes of its values."""

    verb: str
    tokens: List[str]
    opaque: int
    body: bytes
    again: bytes


def _number(text: str, bits: int = 32) -> int:
    if not _NUMBER.match(text):
        raise Malformed("{!r} is no number".format(text))
    value = int(text)
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise Malformed("{} does not fit".format(text))
    return value


def _decoded(text: str) -> str:
    return unquote_to_bytes(text).decode("utf-8", "replace")


def _options(words: List[str]) -> Options:
    return {key: _decoded(value) for key, equals, value in (word.partition("=") for word in words) if equals}


def _int(options: Options, key: str) -> Optional[int]:
    try:
        return int(options[key]) if key in options else None
    except ValueError:
        return None


def _flag(options: Options, key: str) -> Optional[bool]:
    return options[key] == "true" if key in options else None


def _key(text: str) -> str:
    parts = text.split(":")
    if parts[0] == "TX" and len(parts) >= 3:
        _number(parts[-1], 64)
    elif parts[0] == "XID" and len(parts) == 5:
        _number(parts[1])
        for part in parts[2:4]:
            if len(part) > 128 or not re.match(r"(?:[0-9a-fA-F]{2})*\Z", part):
                raise Malformed("{!r} is no branch".format(text))
    elif text != "null":
        raise Malformed("{!r} is no key of a transaction".format(text))
    return text


def _ranges(text: str) -> Ranges:
    try:
        return Ranges.parse(text)
    except ValueError as wrong:
        raise Malformed(str(wrong)) from None


def _at_least(tokens: List[str], count: int) -> None:
    if len(tokens) < count:
        raise Malformed("too few tokens")


def _version(t: List[str], body: bytes) -> bytes:
    opaque = _number(t[1]) if len(t) > 1 else None
    options = _options(t[2:])
    return requests.version(opaque, _int(options, "protocol"), options.get("client"))


def _stats(t: List[str], body: bytes) -> bytes:
    if len(t) > 3:
        raise Malformed("too many tokens")
    return requests.stats(_number(t[2]) if len(t) == 3 else None, t[1] if len(t) > 1 else None)


def _put(t: List[str], body: bytes) -> bytes:
    crc, key = None, None
    if len(t) == 7:
        if t[5][0] in "-0123456789":
            crc = _number(t[5])
        else:
            key = _key(t[5])
    elif len(t) == 8:
        crc, key = _number(t[5]), _key(t[6])
    elif len(t) != 6:
        raise Malformed("wrong number of tokens")
    return requests.put(_number(t[-1]), t[1], _number(t[2]), body, _number(t[4]), crc, key)


def _sync(t: List[str], body: bytes) -> bytes:
    if len(t) not in (7, 8):
        raise Malformed("wrong number of tokens")
    crc = _number(t[6]) if len(t) == 8 else None
    return requests.sync(_number(t[-1]), t[1], _number(t[2]), body, _number(t[4]), _number(t[5], 64), crc)


def _append(t: List[str], body: bytes) -> bytes:
    _at_least(t, 6)
    o = _options(t[6:])
    count, opaque = _number(t[3]), _number(t[5])
    return requests.append(
        opaque, t[1], _number(t[2]), count, body, _int(o, "producer"), _int(o, "seq"), o.get("durability")
    )


def _get(t: List[str], body: bytes) -> bytes:
    _at_least(t, 7)
    o = _options(t[7:])
    numbers = _number(t[3]), _number(t[4], 64), _number(t[5])
    return requests.get(_number(t[6]), t[1], t[2], *numbers, _int(o, "wait"), _int(o, "min"))


def _offset(t: List[str], body: bytes) -> bytes:
    _at_least(t, 6)
    o = _options(t[6:])
    opaque = _number(t[5])
    return requests.offset(opaque, t[1], t[2], _number(t[3]), _number(t[4], 64), _int(o, "time"), o.get("at"))


def _command(t: List[str], body: bytes) -> bytes:
    _at_least(t, 4)
    options = dict(_options(t[4:]))
    if t[0] == "subscription":
        return requests.subscription(_number(t[3]), t[1], _decoded(t[2]), options)
    return requests.command(_number(t[3]), t[0], t[1], t[2], options)


def _login(t: List[str], body: bytes) -> bytes:
    _at_least(t, 3)
    return requests.login(_number(t[2]), _decoded(t[1]), _options(t[3:]).get("password"))


def _client(t: List[str], body: bytes) -> bytes:
    if len(t) != 3:
        raise Malformed("wrong number of tokens")
    return requests.client(_number(t[2]), _decoded(t[1]))


def _attach(t: List[str], body: bytes) -> bytes:
    _at_least(t, 4)
    o = _options(t[4:])
    names = _decoded(t[2]), o.get("topic", ""), o.get("kind", "")
    more = o.get("selector"), _flag(o, "nolocal"), o.get("origin")
    return requests.attach(_number(t[3]), _number(t[1]), *names, *more)


def _credit(t: List[str], body: bytes) -> bytes:
    if len(t) != 4:
        raise Malformed("wrong number of tokens")
    amounts = _number(t[2]), _number(t[3])
    if min(amounts) < 0:
        raise Malformed("a negative credit")
    return requests.credit(_number(t[1]), *amounts)


def _drain(t: List[str], body: bytes) -> bytes:
    if len(t) != 4 or _number(t[2]) < 0:
        raise Malformed("wrong tokens")
    return requests.drain(_number(t[3]), _number(t[1]), _number(t[2]))


def _settle(t: List[str], body: bytes) -> bytes:
    _at_least(t, 4)
    o = _options(t[4:])
    consumer, ranges, opaque = _number(t[1]), _ranges(t[2]), _number(t[3])
    if t[0] == "ack":
        return requests.ack(opaque, consumer, ranges, False if o.get("reply") == "no" else None)
    if t[0] == "reject":
        return requests.reject(opaque, consumer, ranges, _int(o, "delay"), _flag(o, "dead"))
    return requests.release(opaque, consumer, ranges)


def _detach(t: List[str], body: bytes) -> bytes:
    _at_least(t, 3)
    try:
        delivered = Ranges.parse(_options(t[3:])["delivered"])
    except (KeyError, ValueError):
        delivered = None
    return requests.detach(_number(t[2]), _number(t[1]), delivered)


def _transact(t: List[str], body: bytes) -> bytes:
    _at_least(t, 3)
    o = _options(t[3:])
    return requests.transact(_number(t[2]), body, _int(o, "producer"), _int(o, "seq"))


def _enlist(t: List[str], body: bytes) -> bytes:
    _at_least(t, 4)
    o = _options(t[4:])
    steps = o.get("then"), _int(o, "timeout"), _flag(o, "begun"), _int(o, "producer"), _int(o, "seq")
    return requests.enlist(_number(t[3]), _key(t[1]), body, *steps)


def _transaction(t: List[str], body: bytes) -> bytes:
    number = _int(_options(t[-1:]), "number")
    words = t[:-1] if number is not None else t
    if not 5 <= len(words) <= 7 or words[3] not in _STEPS:
        raise Malformed("no step of a transaction")
    key, timeout, qualifier = _key(words[1]), None, None
    if len(words) == 7:
        timeout, qualifier = _number(words[4]), words[5]
    elif len(words) == 6:
        if words[3] == "BEGIN" and words[4].isdigit() and not key.endswith(":" + words[4]):
            timeout = _number(words[4])
        else:
            qualifier = words[4]
    return requests.transaction(_number(words[-1]), key, words[2], words[3], timeout, qualifier, number)


#: verb: where its length stands (0: it has no body), where its opaque, how it is read
_VERBS: Dict[str, Tuple[int, int, Callable[[List[str], bytes], bytes]]] = {
    "version": (0, 1, _version),
    "quit": (0, 0, lambda t, body: requests.quit()),
    "stats": (0, 2, _stats),
    "put": (3, -1, _put),
    "sync": (3, -1, _sync),
    "append": (4, 5, _append),
    "get": (0, 6, _get),
    "offset": (0, 5, _offset),
    "topic": (0, 3, _command),
    "group": (0, 3, _command),
    "subscription": (0, 3, _command),
    "tx": (0, 3, _command),
    "login": (0, 2, _login),
    "client": (0, 2, _client),
    "attach": (0, 3, _attach),
    "credit": (0, 0, _credit),
    "drain": (0, 3, _drain),
    "ack": (0, 3, _settle),
    "reject": (0, 3, _settle),
    "release": (0, 3, _settle),
    "detach": (0, 2, _detach),
    "transact": (1, 2, _transact),
    "enlist": (2, 3, _enlist),
    "transaction": (0, -1, _transaction),
}
_READ_OVER = {"result": 2, "value": 1, "message": 6, "detached": 2}


class RequestDecoder:
    """Cuts a stream of bytes into requests. What is sent behind ``quit`` is not read."""

    def __init__(self, max_line: int = 16384, max_body: int = 16777216) -> None:
        self._buffer = b""
        self._max_line = max_line
        self._max_body = max_body
        self.closed = False

    @property
    def open_bytes(self) -> int:
        return len(self._buffer)

    def feed(self, data: bytes) -> List[Request]:
        """:raises Malformed: the requests before it are lost to the caller; nothing behind it can be read"""
        self._buffer += data
        found = []
        while not self.closed:
            end = self._buffer.find(b"\r\n")
            if (len(self._buffer) if end < 0 else end + 1) >= self._max_line:
                raise Malformed("a line beyond the limit")
            if end < 0:
                break
            tokens = self._tokens(self._buffer[:end])
            length = self._length(tokens)
            if len(self._buffer) < end + 2 + length:
                break
            body = self._buffer[end + 2 : end + 2 + length]
            self._buffer = self._buffer[end + 2 + length :]
            if tokens[0] in _VERBS:
                found.append(self._request(tokens, body))
        if self.closed:
            self._buffer = b""
        return found

    @staticmethod
    def _tokens(line: bytes) -> List[str]:
        try:
            text = line.decode("utf-8").rstrip(" ")
        except UnicodeDecodeError:
            raise Malformed("not UTF-8") from None
        if not text or any(c < " " or c == "\x7f" for c in text):
            raise Malformed("an empty line, or control characters")
        tokens = text.split(" ")
        if "" in tokens and not (tokens[0] == "stats" and tokens.index("") == 1):
            raise Malformed("two spaces")
        return tokens

    def _length(self, tokens: List[str]) -> int:
        verb = tokens[0]
        if verb not in _VERBS and verb not in _READ_OVER:
            raise Malformed("an unknown verb")
        at = _VERBS[verb][0] if verb in _VERBS else _READ_OVER[verb]
        if not at:
            return 0
        _at_least(tokens, at + 1)
        length = _number(tokens[at])
        if not 0 <= length <= self._max_body:
            raise Malformed("a length that is negative or beyond the limit")
        return length

    def _request(self, tokens: List[str], body: bytes) -> Request:
        verb = tokens[0]
        _, opaque_at, read = _VERBS[verb]
        try:
            again = read(tokens, body)
        except IndexError:
            raise Malformed("too few tokens") from None
        self.closed = verb == "quit"
        opaque = _UNANSWERED
        if opaque_at and len(tokens) > abs(opaque_at) and _NUMBER.match(tokens[opaque_at]):
            opaque = int(tokens[opaque_at])
        return Request(verb, tokens, opaque, body, again)
