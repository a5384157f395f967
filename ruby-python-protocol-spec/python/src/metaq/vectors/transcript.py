"""Vectors as their files have them; the form is described in ``vectors/README.md``."""

from __future__ import annotations

import os
import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Union

_ESCAPE = re.compile(r"\\(r|n|t|\\|\{|x[0-9a-fA-F]{2})|\{([a-z0-9]+)(?:=([a-z0-9]+))?\}")
_SINGLE = {"r": b"\r", "n": b"\n", "t": b"\t", "\\": b"\\", "{": b"{"}
_PATTERNS = {
    "len": rb"[0-9]+",
    "id": rb"[0-9]+",
    "id8": rb"[\x00-\xff]{8}",
    "number": rb"-?[0-9]+",
    "word": rb"[^ \r\n'\"]+",
    "byte": rb"[\x00-\xff]",
    "text": rb"[\x00-\xff]*?",
}
_EXAMPLES = {
    "id": b"4711",
    "id8": (4711).to_bytes(8, "big"),
    "number": b"7",
    "word": b"word",
    "byte": b"b",
    "text": b"text",
}


class Placeholder(NamedTuple):
    kind: str
    name: Optional[str]


Piece = Union[bytes, Placeholder]


class Frame:
    """One frame of the broker, with parts that vary."""

    def __init__(self, pieces: List[Piece]) -> None:
        self.pieces = pieces

    def match(self, data: bytes, known: Dict[str, int]) -> Optional[Dict[str, int]]:
        """What the named parts stand for if ``data`` is this frame, else None.

        :param known: what names stand for by now
        """
        groups: List[Placeholder] = []
        pattern = b""
        for piece in self.pieces:
            if isinstance(piece, Placeholder):
                groups.append(piece)
                pattern += b"(" + _PATTERNS[piece.kind] + b")"
            else:
                pattern += re.escape(piece)
        found = re.fullmatch(pattern, data)
        if found is None:
            return None
        names = dict(known)
        for placeholder, value in zip(groups, found.groups()):
            if placeholder.kind == "len" and int(value) != len(data) - data.index(b"\r\n") - 2:
                return None
            if placeholder.name is not None:
                number = int.from_bytes(value, "big") if placeholder.kind == "id8" else int(value)
                key = ("number=" if placeholder.kind == "number" else "id=") + placeholder.name
                if names.setdefault(key, number) != number:
                    return None
        return names

    def example(self) -> bytes:
        """The frame with something in its places."""
        parts = [piece if isinstance(piece, bytes) else _EXAMPLES.get(piece.kind, b"") for piece in self.pieces]
        at = next((i for i, piece in enumerate(self.pieces) if isinstance(piece, Placeholder) and piece.kind == "len"), None)
        if at is not None:
            whole = b"".join(parts)
            parts[at] = b"%d" % (len(whole) - whole.index(b"\r\n") - 2)
        return b"".join(parts)

    def __repr__(self) -> str:
        return repr(
            b"".join(p if isinstance(p, bytes) else b"{%b}" % p.kind.encode() for p in self.pieces)
        )


class Step:
    """Pieces that are sent without waiting, then the frames that have to come, in any order."""

    def __init__(self) -> None:
        self.sends: List[bytes] = []
        self.frames: List[Frame] = []


class Vector:
    """One conversation."""

    def __init__(self, file: str, title: str) -> None:
        self.file = file
        self.title = title
        self.steps: List[Step] = []
        self.marks: List[str] = []

    @property
    def sent(self) -> bytes:
        return b"".join(piece for step in self.steps for piece in step.sends)

    @property
    def frames(self) -> List[Frame]:
        return [frame for step in self.steps for frame in step.frames]

    def __str__(self) -> str:
        return "{}: {}".format(self.file, self.title)


def _pieces(text: str) -> List[Piece]:
    pieces: List[Piece] = []
    at = 0
    for found in _ESCAPE.finditer(text):
        pieces.append(text[at : found.start()].encode("utf-8"))
        at = found.end()
        escape, kind, name = found.groups()
        if escape is None:
            if kind not in _PATTERNS:
                raise ValueError("there is no placeholder {}".format(found.group()))
            pieces.append(Placeholder(kind, name))
        else:
            pieces.append(_SINGLE[escape] if escape in _SINGLE else bytes((int(escape[1:], 16),)))
    pieces.append(text[at:].encode("utf-8"))
    return pieces


def _plain(pieces: List[Piece]) -> bytes:
    if any(isinstance(piece, Placeholder) for piece in pieces):
        raise ValueError("a placeholder in what is sent")
    return b"".join(piece for piece in pieces if isinstance(piece, bytes))


def _read_file(path: str) -> Iterator[Vector]:
    vector: Optional[Vector] = None
    last = ""
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("## "):
                if vector is not None:
                    yield vector
                vector = Vector(os.path.basename(path), line[3:])
            elif line.startswith(("> ", "< ", "+ ", "! ")) and vector is not None:
                _take(vector, line[0], line[2:], last)
                last = line[0] if line[0] != "+" else last
    if vector is not None:
        yield vector


def _take(vector: Vector, kind: str, text: str, last: str) -> None:
    if kind == "!":
        vector.marks.append(text)
        return
    pieces = _pieces(text)
    if kind == "+":
        step = vector.steps[-1]
        if last == ">":
            step.sends[-1] += _plain(pieces)
        else:
            step.frames[-1].pieces += pieces
        return
    if not vector.steps or (kind == ">" and vector.steps[-1].frames):
        vector.steps.append(Step())
    if kind == ">":
        vector.steps[-1].sends.append(_plain(pieces))
    else:
        vector.steps[-1].frames.append(Frame(pieces))


def read(paths: List[str]) -> List[Vector]:
    """All vectors of files, or of all ``*.txt`` files of a directory in the order of their names."""
    files = []
    for path in paths:
        if os.path.isdir(path):
            files += [os.path.join(path, name) for name in sorted(os.listdir(path)) if name.endswith(".txt")]
        else:
            files.append(path)
    return [vector for file in files for vector in _read_file(file)]
