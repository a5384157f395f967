"""What operators do, as commands with their answers read."""

from __future__ import annotations

import datetime
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union
from urllib.parse import unquote

from .._protocol import requests
from .pool import Pool, parse_description

Place = Union[str, int, datetime.datetime]


class PartitionInfo(NamedTuple):
    """A partition: offsets of its first byte and of its end, how many messages, and ``open``, ``closed``, …"""

    partition: int
    min_offset: int
    max_offset: int
    messages: int
    state: str


class TopicInfo(NamedTuple):
    """A topic or queue; ``settings`` are those of its own."""

    name: str
    kind: str
    values: Dict[str, str]
    settings: Dict[str, str]
    partitions: List[PartitionInfo]


class GroupOffset(NamedTuple):
    """Where a group reads on; ``message_id`` is -1 where none was given; the time in milliseconds since 1970."""

    topic: str
    partition: int
    offset: int
    message_id: int
    time_ms: int


class GroupPartition(NamedTuple):
    """``offset`` is None where none was committed, ``owner`` None where nobody reads."""

    topic: str
    partition: int
    offset: Optional[int]
    end: int
    lag: int
    owner: Optional[str]


class GroupInfo(NamedTuple):
    members: List[str]
    partitions: List[GroupPartition]


class SubscriptionInfo(NamedTuple):
    """``depth`` is how many messages are not acknowledged."""

    name: str
    topic: str
    kind: str
    consumers: int
    depth: int


class TransactionInfo(NamedTuple):
    """``age`` in seconds; ``phase`` is active, prepared, heuristically-committed or heuristically-rolled-back."""

    key: str
    phase: str
    age: int
    messages: int
    size: int
    acknowledged: int
    owner: str


def lines(text: str) -> List[List[str]]:
    return [line.split(" ") for line in text.replace("\r\n", "\n").split("\n") if line]


def place(to: Place) -> str:
    """As ``to=`` and ``from=`` take it: ``first``, ``last``, an offset, ``time:MS``; strings stand as they are.

    :raises TypeError: for anything else
    """
    if isinstance(to, datetime.datetime):
        return "time:{}".format(int(to.timestamp() * 1000))
    if isinstance(to, bool) or not isinstance(to, (int, str)):
        raise TypeError("a place is 'first', 'last', an offset or a datetime, not {!r}".format(to))
    return str(to)


def topic_info(text: str) -> TopicInfo:
    settings, partitions = {}, []
    for words in lines(text):
        if words[0] == "set" and len(words) >= 2:
            settings[words[1]] = " ".join(words[2:])
        elif words[0] == "partition":
            fields = dict(zip(words[2::2], words[3::2]))
            numbers = int(fields["min"]), int(fields["max"]), int(fields["messages"])
            partitions.append(PartitionInfo(int(words[1]), *numbers, fields["state"]))
    values = {k: v for k, v in parse_description(text).items() if k not in ("set", "partition")}
    return TopicInfo(values.get("name", ""), values.get("kind", "topic"), values, settings, partitions)


def offsets(text: str) -> List[GroupOffset]:
    return [GroupOffset(w[0], int(w[1]), int(w[2]), int(w[3]), int(w[4])) for w in lines(text) if len(w) >= 5]


def group_info(text: str) -> GroupInfo:
    members, partitions = [], []
    for words in lines(text):
        if words[0] == "member":
            members.append(words[1])
        elif words[0] == "partition":
            fields = dict(zip(words[3::2], words[4::2]))
            offset = None if fields["offset"] == "-" else int(fields["offset"])
            owner = None if fields["owner"] == "-" else fields["owner"]
            lag = 0 if fields["lag"] == "-" else int(fields["lag"])
            partitions.append(GroupPartition(words[1], int(words[2]), offset, int(fields["end"]), lag, owner))
    return GroupInfo(members, partitions)


def subscription_infos(text: str) -> List[SubscriptionInfo]:
    found = []
    for words in lines(text):
        fields = dict(zip(words[1::2], words[2::2]))
        numbers = int(fields["consumers"]), int(fields["depth"])
        found.append(SubscriptionInfo(unquote(words[0]), fields["topic"], fields["kind"], *numbers))
    return found


def transaction_infos(text: str) -> List[TransactionInfo]:
    found = []
    for words in lines(text):
        fields = dict(zip(words[1::2], words[2::2]))
        numbers = int(fields["messages"]), int(fields["bytes"]), int(fields["acknowledged"])
        found.append(
            TransactionInfo(words[0], fields["phase"], int(fields["age"]), *numbers, unquote(fields.get("owner", "")))
        )
    return found


def moved(text: str) -> int:
    return int(text.split()[1])


class AdminCore:
    """Commands to the broker of the home link."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    async def command(self, verb: str, operation: str, name: str, options: Dict[str, Any]) -> str:
        """The text of the answer. Not sent again after a lost connection, unless it only looks."""
        looks = operation in ("list", "describe", "offsets", "history", "show", "explain", "routes")
        given = {key: value for key, value in options.items() if value is not None}
        if verb == "subscription":
            return await self.pool.home.text(requests.subscription, operation, name, given, again=looks)
        requests.word(name, "a name")
        return await self.pool.home.text(requests.command, verb, operation, name, given, again=looks)

    async def topic(self, operation: str, name: str, **options: Any) -> str:
        text = await self.command("topic", operation, name, options)
        if operation in ("create", "alter", "delete"):
            self.pool.forget(name)
        return text

    async def topics(self, pattern: str) -> Dict[str, int]:
        text = await self.topic("list", pattern)
        return {words[0]: int(words[1]) for words in lines(text)}

    async def stats(self, item: Optional[str]) -> List[str]:
        if item is not None:
            requests.word(item, "an item")
        text = await self.pool.home.text(requests.stats, item, again=True)
        found = text.replace("\r\n", "\n").split("\n")
        return [line for line in found if line not in ("STATS", "END", "")] if item != "config" else found

    async def group_list(self, pattern: str) -> Dict[str, int]:
        text = await self.command("group", "list", pattern, {})
        return {words[0]: int(words[2]) for words in lines(text)}

    async def history(self, group: str, topic: Optional[str]) -> List[Tuple[int, List[GroupOffset]]]:
        found: List[Tuple[int, List[GroupOffset]]] = []
        for words in lines(await self.command("group", "history", group, {"topic": topic})):
            if words[0] == "at" and len(words) == 2:
                found.append((int(words[1]), []))
            elif found:
                found[-1][1].extend(offsets(" ".join(words)))
        return found
