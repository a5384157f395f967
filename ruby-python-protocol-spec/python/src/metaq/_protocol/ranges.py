"""Byte ranges of partitions, as acknowledgements name them."""

from __future__ import annotations

from typing import Dict, Iterable, Iterator, List, Tuple

#: partition, where the first message begins, where the last one ends
Range = Tuple[int, int, int]


class Ranges:
    """Ranges in the order they came, those that join on made one."""

    def __init__(self, ranges: Iterable[Range] = ()) -> None:
        self._ranges: List[Range] = []
        self._last: Dict[int, int] = {}
        for partition, start, end in ranges:
            self.add(partition, start, end)

    def add(self, partition: int, start: int, end: int) -> None:
        """Adds the bytes from ``start`` to ``end`` of a partition.

        :raises ValueError: for an empty range or a negative partition or start
        """
        if partition < 0 or start < 0 or end <= start:
            raise ValueError("{}:{}-{} is no range".format(partition, start, end))
        place = self._last.get(partition)
        if place is not None and self._ranges[place][2] == start:
            self._ranges[place] = (partition, self._ranges[place][1], end)
            return
        self._last[partition] = len(self._ranges)
        self._ranges.append((partition, start, end))

    def __iter__(self) -> Iterator[Range]:
        return iter(self._ranges)

    def __len__(self) -> int:
        return len(self._ranges)

    def pieces(self, most: int) -> Iterator["Ranges"]:
        """The same, in pieces of at most so many ranges: a line has a limit."""
        for at in range(0, len(self._ranges), most):
            yield Ranges(self._ranges[at : at + most])

    def __str__(self) -> str:
        return ",".join("{}:{}-{}".format(*one) for one in self._ranges)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ranges) and self._ranges == other._ranges

    @staticmethod
    def parse(text: str) -> "Ranges":
        """:raises ValueError: if it is none"""
        ranges = Ranges()
        for part in text.split(","):
            partition, colon, span = part.partition(":")
            start, dash, end = span.partition("-")
            if not (colon and dash and partition.isdigit() and start.isdigit() and end.isdigit()):
                raise ValueError("{!r} is no range".format(part))
            if int(end) > (1 << 63) - 1 or int(partition) > (1 << 31) - 1:
                raise ValueError("{!r} is beyond 64 bits".format(part))
            ranges.add(int(partition), int(start), int(end))
        return ranges
