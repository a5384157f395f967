"""The balancing rules of consumer groups: all members must compute the same."""

from __future__ import annotations

import bisect
import hashlib
import struct
from typing import Dict, Iterable, List, Sequence

_POINTS_OF_A_MEMBER = 40


def balance(members: Iterable[str], partitions: Iterable[str]) -> Dict[str, List[str]]:
    """Contiguous ranges of the sorted partitions, one for each of the sorted members; the first ones get one more if it does
    not come out even.

    :param members: that subscribe to the topic
    :param partitions: as strings ``BROKERID-PARTITION``; they are sorted as strings, so 0-10 comes before 0-2
    """
    ordered_members = sorted(members, key=_utf16)
    ordered: Sequence[str] = sorted(partitions, key=_utf16)
    if not ordered_members:
        return {}
    share, more = divmod(len(ordered), len(ordered_members))
    found, at = {}, 0
    for place, member in enumerate(ordered_members):
        size = share + (1 if place < more else 0)
        found[member] = list(ordered[at : at + size])
        at += size
    return found


def _utf16(text: str) -> bytes:
    """Java compares strings by their UTF-16 units."""
    return text.encode("utf-16-be", "surrogatepass")


def consist(members: Iterable[str], partitions: Iterable[str]) -> Dict[str, List[str]]:
    """1.4's other rule, ``CONSIST``: a ring of points by MD5, on which a partition belongs to the member of the next point."""
    ring: Dict[int, str] = {}
    found: Dict[str, List[str]] = {}
    for member in members:
        found[member] = []
        for number in range(_POINTS_OF_A_MEMBER):
            for point in _points("{}-{}".format(member, number)):
                ring[point] = member
    points = sorted(ring)
    if points:
        for partition in sorted(partitions, key=_utf16):
            place = bisect.bisect_left(points, _points(partition)[0])
            found[ring[points[place % len(points)]]].append(partition)
    return found


def _points(text: str) -> Sequence[int]:
    return struct.unpack("<4I", hashlib.md5(text.encode("utf-8")).digest())
