"""What a broker sends, out of bytes that arrive in any pieces."""

from __future__ import annotations

from typing import List, NamedTuple, Union

from ..errors import ProtocolError

MAX_LINE = 1 << 16
MAX_BODY = (1 << 31) - 1


class Result(NamedTuple):
    """``result CODE LEN OPQ`` and its text."""

    code: int
    text: str
    opaque: int


class Value(NamedTuple):
    """``value LEN OPQ``: a slice of a partition, which may end in the middle of a message."""

    data: bytes
    opaque: int


class Delivered(NamedTuple):
    """``message …``: ``count`` whole messages for a consumer, the first one at ``offset``."""

    consumer: int
    partition: int
    offset: int
    count: int  # type: ignore[assignment]
    delivery: int
    data: bytes


class Detached(NamedTuple):
    """``detached …``: the broker ended a consumer; ``text`` says why."""

    consumer: int
    text: str


Reply = Union[Result, Value]
Frame = Union[Result, Value, Delivered, Detached]


class FrameDecoder:
    """Cuts a stream of bytes into frames. One per connection; not for several threads at once."""

    def __init__(self, max_line: int = MAX_LINE, max_body: int = MAX_BODY) -> None:
        self._buffer = bytearray()
        self._header: List[bytes] = []
        self._body_at = 0
        self._need = 0
        self._max_line = max_line
        self._max_body = max_body

    def feed(self, data: bytes) -> List[Frame]:
        """Takes the next bytes and gives the frames that are whole by now.

        :raises ProtocolError: when the bytes are no frame; the connection is of no use then
        """
        buffer = self._buffer
        buffer += data
        frames: List[Frame] = []
        at = 0
        while True:
            if not self._header:
                end = buffer.find(b"\r\n", at)
                if end < 0:
                    if len(buffer) - at > self._max_line:
                        raise ProtocolError("a line of more than {} bytes".format(self._max_line))
                    break
                self._header = bytes(buffer[at:end]).split(b" ")
                self._need = self._length()
                self._body_at = end + 2
                at = self._body_at
            stop = self._body_at + self._need
            if stop > len(buffer):
                break
            with memoryview(buffer) as view:
                body = bytes(view[self._body_at : stop])
            frames.append(self._frame(body))
            self._header = []
            at = stop
        if at:
            # what is kept begins at the body of the open frame, or at its line
            del buffer[:at]
            self._body_at = 0
        return frames

    @property
    def open_bytes(self) -> int:
        """Bytes of a frame that is not whole yet."""
        return len(self._buffer)

    def _length(self) -> int:
        header = self._header
        try:
            kind, size = header[0], len(header)
            if kind == b"result" and size == 4:
                length = int(header[2])
            elif kind == b"value" and size == 3:
                length = int(header[1])
            elif kind == b"message" and size == 7:
                length = int(header[6])
            elif kind == b"detached" and size == 3:
                length = int(header[2])
            else:
                raise ValueError("neither result, value, message nor detached")
            if not 0 <= length <= self._max_body:
                raise ValueError("its length")
        except ValueError as wrong:
            raise ProtocolError("no reply of a MetaQ broker: {!r} ({})".format(b" ".join(header)[:200], wrong)) from None
        return length

    def _frame(self, body: bytes) -> Frame:
        header = self._header
        try:
            kind = header[0]
            if kind == b"result":
                return Result(int(header[1]), body.decode("utf-8", "replace"), int(header[3]))
            if kind == b"value":
                return Value(body, int(header[2]))
            if kind == b"message":
                consumer, partition, offset, count, delivery = map(int, header[1:6])
                return Delivered(consumer, partition, offset, count, delivery, body)
            return Detached(int(header[1]), body.decode("utf-8", "replace"))
        except ValueError:
            raise ProtocolError("a number that is none: {!r}".format(b" ".join(header)[:200])) from None


def encode(frame: Frame) -> bytes:
    """The bytes of a frame as a broker writes them: for tests and scripted peers."""
    if isinstance(frame, Result):
        text = frame.text.encode()
        return b"result %d %d %d\r\n%b" % (frame.code, len(text), frame.opaque, text)
    if isinstance(frame, Value):
        return b"value %d %d\r\n%b" % (len(frame.data), frame.opaque, frame.data)
    if isinstance(frame, Delivered):
        head = b"message %d %d %d %d %d %d\r\n" % (*frame[:5], len(frame.data))
        return head + frame.data
    text = frame.text.encode()
    return b"detached %d %d\r\n%b" % (frame.consumer, len(text), text)
