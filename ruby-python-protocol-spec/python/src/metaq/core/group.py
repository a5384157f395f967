"""A member of a consumer group: joins at each broker, reads what it is given, commits, and gives back what it is to give back.

A partition that is to be given back is read no further at once; it is released when the application is done with the message in its
hands, behind the commit of its offset. So no two members ever read a partition at once, and none reads again what was finished.
"""

from __future__ import annotations

import os
import socket
import uuid
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from .._protocol import requests
from ..errors import BrokerUnavailableError, MetaqError, NotFoundError, NotSupportedError, RequestTimeoutError
from .engine import first_of, sleep
from .link import Link
from .pool import ROUTES_LAST_S, Partition, Pool
from .reading import Puller, ReaderCore, Start, check_start, offset_of
from .tasks import Task, spawn

_JOIN_WAIT_MS = 10_000


class TopicPartition(NamedTuple):
    """A partition of a topic at a broker."""

    topic: str
    broker: int
    partition: int


Changed = Callable[[List[TopicPartition], List[TopicPartition]], None]
_Key = Tuple[str, int]


class Assignment(NamedTuple):
    """A reply to ``group join``."""

    generation: int
    members: List[str]
    assigned: Set[_Key]


def parse_assignment(text: str) -> Assignment:
    """:raises ValueError, IndexError: if it is none"""
    generation, members, assigned = -1, [], set()
    for line in text.replace("\r\n", "\n").split("\n"):
        words = line.split(" ")
        if words[0] == "generation":
            generation = int(words[1])
        elif words[0] == "member":
            members.append(words[1])
        elif words[0] == "assign":
            assigned.add((words[1], int(words[2])))
    return Assignment(generation, members, assigned)


def member_name() -> str:
    """One that no other member has."""
    host = "".join(c if c.isalnum() or c in "-_" else "-" for c in socket.gethostname())
    return "{}-{}-{}".format(host or "python", os.getpid(), uuid.uuid4().hex[:12])


class Membership:
    """At one broker."""

    def __init__(self, group: "GroupCore", link: Link, broker: int) -> None:
        self._group = group
        self._link = link
        self._broker = broker
        self._owned: Dict[_Key, Puller] = {}
        self._leaving: Dict[_Key, Puller] = {}
        self._generation: Optional[int] = None
        self.members: List[str] = []
        link.when_lost.append(self._lost)
        self.task: Task = spawn(self._run())

    async def _run(self) -> None:
        group = self._group
        while not group.closed:
            try:
                await self._join()
            except (BrokerUnavailableError, RequestTimeoutError):
                self._lost()
                await first_of(self._link.until_ready(), group.engine, 1.0)
                if self._link.state == "closed":
                    group.failed(None, self._link.why_not_ready())
                    return
            except MetaqError as error:
                self._lost()
                if not error.retriable:
                    group.failed(None, error)
                if self._link.state == "closed":
                    return
                await sleep(group.engine, 1.0)

    async def _join(self) -> None:
        group = self._group
        if self._link.state == "ready" and "group" not in self._link.features:
            raise NotSupportedError("the broker keeps no groups", None, self._link.server)
        options: Dict[str, requests.Option] = {"member": group.member, "topics": ",".join(group.topics)}
        if self._generation is not None:
            options.update(generation=self._generation, wait=_JOIN_WAIT_MS)
        epoch = self._link.epoch
        text = await self._link.text(
            requests.command,
            "group",
            "join",
            group.group,
            options,
            timeout=_JOIN_WAIT_MS / 1000 + group.pool.settings.timeout,
        )
        if group.closed:
            return
        if epoch and epoch != self._link.epoch:
            self._generation = None
            return
        assignment = parse_assignment(text)
        self._generation = assignment.generation
        self.members = assignment.members
        await self._follow(assignment.assigned)

    async def _follow(self, assigned: Set[_Key]) -> None:
        for key in [key for key in self._owned if key not in assigned]:
            self._leaving[key] = puller = self._owned.pop(key)
            puller.stop()
            self._group.changed([], [self._place(key)])
        self.at_boundary()
        new = [key for key in sorted(assigned) if key not in self._owned and key not in self._leaving]
        if not new:
            return
        epoch = self._link.epoch
        begins = {}
        for topic in sorted({topic for topic, _ in new}):
            begins.update(await self._begin_offsets(topic, [key for key in new if key[0] == topic]))
        if epoch != self._link.epoch or self._group.closed:
            return
        for key, offset in begins.items():
            self._owned[key] = self._group.begin(self._link, key[0], Partition(self._broker, key[1]), offset)
        self._group.changed([self._place(key) for key in new], [])

    async def _begin_offsets(self, topic: str, keys: Sequence[_Key]) -> Dict[_Key, int]:
        group = self._group
        text = await self._link.text(requests.command, "group", "offsets", group.group, {"topic": topic}, again=True)
        stored: Dict[_Key, int] = {}
        for line in text.replace("\r\n", "\n").split("\n"):
            words = line.split(" ")
            if len(words) >= 3:
                stored[(words[0], int(words[1]))] = int(words[2])
        found = {}
        for key in keys:
            offset = stored.get(key)
            found[key] = await offset_of(self._link, topic, key[1], group.start, group.group) if offset is None else offset
        return found

    def _place(self, key: _Key) -> TopicPartition:
        return TopicPartition(key[0], self._broker, key[1])

    def at_boundary(self) -> None:
        """Gives back what is to be given back and is in nobody's hands."""
        for key, puller in list(self._leaving.items()):
            if puller.handed == puller.finished:
                del self._leaving[key]
                spawn(self._release(key, puller))

    async def _release(self, key: _Key, puller: Puller) -> None:
        group = self._group
        try:
            if group.commits_itself:
                await self._commit_one(key, puller)
            await self._link.text(
                requests.command,
                "group",
                "release",
                group.group,
                {"member": group.member, "topic": key[0], "partition": key[1]},
            )
        except MetaqError:
            pass  # given back by the end of the connection, or by silence
        group.forget((key[0], Partition(self._broker, key[1])), puller)

    def _lost(self) -> None:
        """The broker has given everything to others by now, or will: nothing of it may be committed any more."""
        self._generation = None
        gone = {**self._owned, **self._leaving}
        self._owned.clear()
        self._leaving.clear()
        for key, puller in gone.items():
            puller.stop()
            self._group.forget((key[0], Partition(self._broker, key[1])), puller)
        if gone:
            self._group.changed([], [self._place(key) for key in gone])

    async def commit(self) -> None:
        """What is finished of each partition that is still this member's."""
        for key, puller in [*self._owned.items(), *self._leaving.items()]:
            await self._commit_one(key, puller)

    async def _commit_one(self, key: _Key, puller: Puller) -> None:
        offset = puller.finished
        if puller.committed == offset:
            return
        options: Dict[str, requests.Option] = {"topic": key[0], "partition": key[1], "offset": offset}
        if puller.handed == offset and puller.last_id >= 0:
            options["id"] = puller.last_id
        # not again: after a lost connection the partition may be another member's
        await self._link.text(requests.command, "group", "commit", self._group.group, options)
        puller.committed = offset

    def owned(self) -> List[TopicPartition]:
        return [self._place(key) for key in sorted(self._owned)]

    async def leave(self) -> None:
        self.task.cancel()
        if self._lost in self._link.when_lost:
            self._link.when_lost.remove(self._lost)
        if self._link.state != "ready":
            return
        try:
            if self._group.commits_itself:
                await self.commit()
            await self._link.text(requests.command, "group", "leave", self._group.group, {"member": self._group.member})
        except MetaqError:
            pass  # silence leaves, too


class GroupCore(ReaderCore):
    """A reader of what its group assigns to it."""

    def __init__(
        self,
        pool: Pool,
        group: str,
        topics: Sequence[str],
        start: Start,
        commit_interval: Optional[float],
        member: Optional[str],
        on_change: Optional[Changed],
        max_bytes: int,
    ) -> None:
        super().__init__(pool, group, 10.0, max_bytes)
        if isinstance(topics, str):
            topics = [topics]
        self.topics = [requests.word(topic, "a topic's name") for topic in topics]
        if not self.topics or any("," in topic for topic in self.topics):
            raise ValueError("at least one topic is needed, and none with a comma: {!r}".format(topics))
        if commit_interval is not None and not 0 < commit_interval < 1e6:
            raise ValueError("commit_interval is a number of seconds above 0, or None")
        self.member = requests.word(member, "a member's name") if member is not None else member_name()
        self.start = check_start(start)
        self._interval = commit_interval
        self._on_change = on_change
        self._members: Dict[int, Membership] = {}
        self._ticking = False

    @property
    def commits_itself(self) -> bool:
        return self._interval is not None

    async def join(self) -> None:
        """Joins at each broker that has one of the topics.

        :raises NotFoundError: if nobody has any
        """
        await self._find_brokers()
        self._tick()
        self.engine.call_later(ROUTES_LAST_S, self._look_again)

    async def _find_brokers(self) -> None:
        failure: Optional[NotFoundError] = None
        for topic in self.topics:
            try:
                routes = await self.pool.routes(topic)
            except NotFoundError as error:
                failure = error
                continue
            for route in routes:
                if route.broker not in self._members and not self.closed:
                    link = self.pool.link_of(route.broker)
                    self._members[route.broker] = Membership(self, link, route.broker)
        if not self._members and failure is not None:
            raise failure

    def _look_again(self) -> None:
        """Brokers come."""
        if not self.closed:
            spawn(self._find_brokers())
            self.engine.call_later(ROUTES_LAST_S, self._look_again)

    def _tick(self) -> None:
        if self.closed or self._interval is None:
            return
        if not self._ticking:
            self._ticking = True
            spawn(self.commit()).on_done(lambda _: setattr(self, "_ticking", False))
        self.engine.call_later(self._interval, self._tick)

    def changed(self, assigned: List[TopicPartition], revoked: List[TopicPartition]) -> None:
        if self._on_change is not None:
            self.engine.defer(self._on_change, assigned, revoked)

    def forget(self, place: Tuple[str, Partition], puller: Puller) -> None:
        if self.pullers.get(place) is puller:
            del self.pullers[place]

    def finish(self) -> None:
        revoked = any(puller.stopped for puller in self._in_hand)
        super().finish()
        if revoked:
            for membership in self._members.values():
                membership.at_boundary()

    def assignment(self) -> List[TopicPartition]:
        return [place for membership in self._members.values() for place in membership.owned()]

    async def commit_all(self) -> None:
        """As :meth:`commit`, and the message in the application's hands counts as finished."""
        self.finish()
        await self.commit()

    async def commit(self) -> None:
        """Commits what is finished.

        :raises MetaqError: the first failure
        """
        failure: Optional[MetaqError] = None
        for membership in list(self._members.values()):
            try:
                await membership.commit()
            except MetaqError as error:
                failure = failure or error
        if failure is not None:
            raise failure

    async def leave(self, finish: bool) -> None:
        """Commits, if that is its business, and leaves.

        :param finish: whether the message in the application's hands counts as finished
        """
        if self.closed:
            return
        if finish:
            self.finish()
        self._in_hand.clear()
        self.closed = True
        for puller in list(self.pullers.values()):
            puller.stop()
        for membership in list(self._members.values()):
            await membership.leave()
        self.close()


__all__ = ["GroupCore", "TopicPartition", "member_name", "parse_assignment"]
