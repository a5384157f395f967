"""Plays vectors against a broker, which has to be fresh and configured as ``vectors/README.md`` says."""

from __future__ import annotations

import socket
from typing import Dict, List, Optional

from .._protocol import frames
from ..core.engine import Address
from .transcript import Frame, Vector

_PATIENCE_S = 20.0
_LAST_OPAQUE = 1900000001


class Failure(Exception):
    """The broker did something else."""


class _Conversation:
    def __init__(self, address: Address) -> None:
        self._socket = socket.create_connection(address, _PATIENCE_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._decoder = frames.FrameDecoder()
        self._ready: List[bytes] = []
        self._ended = False

    def send(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            self._ended = True

    def frame(self) -> Optional[bytes]:
        """The next frame's bytes; None if the broker closed the connection."""
        while not self._ready and not self._ended:
            try:
                data = self._socket.recv(1 << 16)
            except ConnectionResetError:
                data = b""
            except socket.timeout:
                raise Failure("nothing comes within {:g} s".format(_PATIENCE_S)) from None
            self._ended = not data
            self._ready += [frames.encode(frame) for frame in self._decoder.feed(data)]
        return self._ready.pop(0) if self._ready else None

    def close(self) -> None:
        self._socket.close()


def _assign(expected: List[Frame], came: List[bytes], known: Dict[str, int]) -> Optional[Dict[str, int]]:
    """Which frame is which: they come in any order."""
    if not expected:
        return known
    for place, data in enumerate(came):
        names = expected[0].match(data, known)
        if names is not None:
            rest = _assign(expected[1:], came[:place] + came[place + 1 :], names)
            if rest is not None:
                return rest
    return None


def play(vector: Vector, address: Address, known: Dict[str, int]) -> Dict[str, int]:
    """Plays one vector.

    :param known: what the names of earlier vectors stand for
    :return: with those of this one
    :raises Failure: what was different
    """
    conversation = _Conversation(address)
    try:
        for step in vector.steps:
            for piece in step.sends:
                conversation.send(piece)
            came: List[bytes] = []
            while len(came) < len(step.frames):
                frame = conversation.frame()
                if frame is None:
                    raise Failure("the broker closed the connection; {!r} were to come".format(step.frames))
                came.append(frame)
            names = _assign(step.frames, came, known)
            if names is None:
                raise Failure("{!r} were to come, but there came {!r}".format(step.frames, came))
            known = names
        _end(vector, conversation)
        return known
    finally:
        conversation.close()


def _end(vector: Vector, conversation: _Conversation) -> None:
    if "incomplete" in vector.marks:
        return
    if "closed" in vector.marks or "malformed" in vector.marks:
        more = conversation.frame()
        if more is not None:
            raise Failure("the broker was to close the connection, but says {!r}".format(more))
        return
    conversation.send(b"version %d\r\n" % _LAST_OPAQUE)
    last = conversation.frame()
    if last is None or not last.split(b"\r\n")[0].endswith(b" %d" % _LAST_OPAQUE):
        raise Failure("nothing more was to come, but there came {!r}".format(last))


def play_all(vectors: List[Vector], address: Address) -> Dict[str, str]:
    """Plays all that are not for codecs alone. What failed and why, by vector; empty if nothing did."""
    known: Dict[str, int] = {}
    failures: Dict[str, str] = {}
    for vector in vectors:
        if "codec" in vector.marks:
            continue
        try:
            known = play(vector, address, known)
        except (Failure, OSError) as failure:
            failures[str(vector)] = str(failure)
    return failures
