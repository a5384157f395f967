"""Reading partitions by offset: one puller for each, that asks for the next slice while the last one is being looked at."""

from __future__ import annotations

import datetime
from collections import deque
from typing import Any, Deque, Dict, Iterable, Optional, Set, Tuple, Union

from .._protocol import requests, storage
from .._protocol.frames import Result
from ..errors import (
    BadRequestError,
    BrokerUnavailableError,
    ClientClosedError,
    CorruptMessageError,
    MetaqError,
    ProtocolError,
    RequestTimeoutError,
    of_reply,
)
from ..received import ReceivedMessage
from .engine import first_of, sleep
from .fetching import GROUP, fetch_message
from .link import Link
from .pool import Partition, Pool, Route
from .tasks import Pending, Task, spawn

#: where to begin: ``"first"``, ``"last"``, an offset, or a moment
Start = Union[str, int, datetime.datetime]
_SLICES_AHEAD = 2


def check_start(start: Start) -> Start:
    """:raises ValueError, TypeError: if it is none"""
    if isinstance(start, datetime.datetime):
        return start
    if isinstance(start, bool) or not isinstance(start, (int, str)):
        raise TypeError("a start is 'first', 'last', an offset or a datetime, not {!r}".format(start))
    if isinstance(start, str) and start not in ("first", "last"):
        raise ValueError("a start is 'first', 'last', an offset or a datetime, not {!r}".format(start))
    if isinstance(start, int) and start < 0:
        raise ValueError("an offset must not be negative: {}".format(start))
    return start


async def offset_of(link: Link, topic: str, partition: int, start: Start, group: str = GROUP) -> int:
    """The offset where reading begins."""
    if isinstance(start, int):
        return start
    if isinstance(start, datetime.datetime):
        time_ms = int(start.timestamp() * 1000)
        text = await link.text(requests.offset, topic, group, partition, 0, time_ms, again=True)
    elif "offset-time" in link.features:
        text = await link.text(requests.offset, topic, group, partition, 0, None, start, again=True)
    else:
        edge = 0 if start == "first" else (1 << 63) - 1
        text = await link.text(requests.offset, topic, group, partition, edge, again=True)
    return int(text)


class Puller:
    """Reads one partition.

    ``handed`` is where the last message that was handed out ends, ``finished`` the same of the last one that the application is done
    with.
    """

    def __init__(
        self,
        reader: "ReaderCore",
        link: Link,
        topic: str,
        place: Partition,
        offset: int,
        end: Optional[int] = None,
    ) -> None:
        self.link = link
        self.topic = topic
        self.place = place
        self.end = end
        self.handed = self.finished = offset
        self.last_id = -1
        self.committed = -1
        self.stopped = False
        self.at_end = end is not None and offset >= end
        self._reader = reader
        self._offset = offset
        self._ahead = 0
        self._room: Pending[None] = Pending()
        self._size = reader.max_bytes
        self._task: Task = spawn(self._run())

    def stop(self) -> None:
        """Nothing more comes of it."""
        self.stopped = True
        self._task.cancel()

    def slice_taken(self) -> None:
        """A slice is used up: there is room for another."""
        self._ahead -= 1
        room, self._room = self._room, Pending()
        room.resolve()

    def take_slice(self) -> None:
        """One more is waiting than there was."""
        self._ahead += 1

    async def _run(self) -> None:
        failures = 0
        while not self.stopped and not self.at_end:
            while self._ahead >= _SLICES_AHEAD:
                await self._room
            try:
                await self._pull()
                failures = 0
            except (BrokerUnavailableError, RequestTimeoutError):
                # it comes back, or it does not: the reader goes on as soon as it can
                await first_of(self.link.until_ready(), self._reader.engine, 1.0)
                if self.link.state == "closed":
                    self._reader.failed(self, self.link.why_not_ready())
                    return
            except (BadRequestError, ProtocolError) as error:
                self._reader.failed(self, error)
                return
            except MetaqError as error:
                failures += 1
                if self.link.state == "closed":
                    self._reader.failed(self, error)
                    return
                if not error.retriable and failures == 1:
                    self._reader.failed(self, error)
                await sleep(self._reader.engine, self._reader.pool.settings.backoff.seconds(failures))

    async def _pull(self) -> None:
        reader, link = self._reader, self.link
        begun = reader.engine.now()
        wait_ms = int(reader.wait * 1000) if self.end is None and "get-wait" in link.features else None
        reply = await link.ask(
            requests.get,
            self.topic,
            reader.group,
            self.place.partition,
            self._offset,
            self._size,
            wait_ms,
            again=True,
            timeout=reader.wait + reader.pool.settings.timeout,
        )
        if isinstance(reply, Result):
            if reply.code == 301:
                self._move(int(reply.text))
            elif reply.code == 404:
                if self.end is not None:
                    self._reach_end()
                elif reader.engine.now() - begun < min(0.2, reader.wait):
                    # there is no such partition yet, or a broker that cannot hold the request
                    await sleep(reader.engine, 0.2)
            else:
                raise of_reply(reply.code, reply.text, link.server)
            return
        await self._accept(storage.split(reply.data, self._offset))

    def _move(self, to: int) -> None:
        if not self._ahead and self.handed == self.finished:
            self.handed = self.finished = to
        self._offset = to
        if self.end is not None and to >= self.end:
            self._reach_end()

    async def _accept(self, found: storage.Slice) -> None:
        messages = found.messages
        if self.end is not None:
            messages = [stored for stored in messages if stored.offset < self.end]
        if messages:
            self._ahead += 1
            self._offset = found.next_offset
            self._reader.offer(self, messages)
        elif found.corrupt is not None:
            await self._look_again(found.corrupt)
        elif found.wanted is not None:
            # a message that is longer than a slice
            stored = await self._fetch(found.wanted)
            if stored is not None:
                self._ahead += 1
                self._offset = stored.end
                self._reader.offer(self, [stored])
        if self.end is not None and self._offset >= self.end:
            self._reach_end()

    async def _fetch(self, size: int) -> Optional[storage.Stored]:
        try:
            return await fetch_message(
                self.link, self.topic, self.place.partition, self._offset, self._reader.group, size
            )
        except CorruptMessageError as error:
            self._skip(error.offset, error.next_offset)
            return None

    async def _look_again(self, corrupt: Tuple[int, int]) -> None:
        """A message that does not fit its checksum may have been damaged on its way: fetched once more, then passed over."""
        start, end = corrupt
        if end <= start:
            self._skip(start, None)
            return
        stored = await self._fetch(end - start)
        if stored is not None:
            self._ahead += 1
            self._offset = stored.end
            self._reader.offer(self, [stored])

    def _skip(self, start: int, end: Optional[int]) -> None:
        error = CorruptMessageError(
            "the message of {}-{} at {} does not fit its checksum".format(self.topic, self.place, start), start, end
        )
        self._reader.failed(self, error)
        if end is None or end <= start:
            self.stopped = True
        else:
            self._offset = end

    def _reach_end(self) -> None:
        self.at_end = True
        self._reader.wake()


_Entry = Tuple[Optional[Puller], Deque[Any]]


class ReaderCore:
    """Several partitions as one stream of messages; within each partition in order."""

    def __init__(self, pool: Pool, group: str = GROUP, wait: float = 20.0, max_bytes: int = 1 << 20) -> None:
        if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or not 64 <= max_bytes < 1 << 30:
            raise ValueError("max_bytes is a number of bytes from 64, not {!r}".format(max_bytes))
        if not 0 <= wait <= 3600:
            raise ValueError("wait is 0 to 3600 seconds, not {!r}".format(wait))
        self.pool = pool
        self.engine = pool.engine
        self.group = requests.word(group, "a group's name")
        self.wait = wait
        self.max_bytes = max_bytes
        self.pullers: Dict[Tuple[str, Partition], Puller] = {}
        self.closed = False
        self._slices: Deque[_Entry] = deque()
        self._signal: Pending[None] = Pending()
        self._in_hand: Set[Puller] = set()

    # ---- for pullers

    def offer(self, puller: Puller, messages: Iterable[storage.Stored]) -> None:
        self._slices.append((puller, deque(messages)))
        self.wake()

    def failed(self, puller: Optional[Puller], error: Exception) -> None:
        """Told to whoever receives next."""
        # without the frames of a coroutine that goes on: who handles the error may clear them
        error.__traceback__ = None
        self._slices.append((puller, deque((error,))))
        self.wake()

    def wake(self) -> None:
        signal, self._signal = self._signal, Pending()
        signal.resolve()

    # ---- for the application

    async def open(self, topic: str, partitions: Optional[Iterable[int]], start: Start, to_end: bool = False) -> None:
        """Begins to read a topic.

        :param partitions: their numbers; None for all
        :param to_end: only what is there now
        :raises NotFoundError: if there is no such topic
        """
        requests.word(topic, "a topic's name")
        check_start(start)
        wanted = None if partitions is None else set(partitions)
        for route in await self.pool.routes(topic):
            for number in range(route.partitions):
                if wanted is None or number in wanted:
                    await self._add(route, topic, number, start, to_end)

    async def _add(self, route: Route, topic: str, number: int, start: Start, to_end: bool) -> None:
        link = self.pool.link_of(route.broker)
        end = await offset_of(link, topic, number, "last", self.group) if to_end else None
        offset = await offset_of(link, topic, number, start, self.group)
        self.begin(link, topic, Partition(route.broker, number), offset, end)

    def begin(self, link: Link, topic: str, place: Partition, offset: int, end: Optional[int] = None) -> Puller:
        puller = self.pullers[(topic, place)] = Puller(self, link, topic, place, offset, end)
        return puller

    def seek(self, topic: str, place: Partition, offset: int) -> None:
        """Reads on elsewhere; what was read ahead is dropped."""
        old = self.pullers[(topic, place)]
        old.stop()
        self.begin(old.link, topic, place, offset)

    def finish(self) -> None:
        """The application is done with what it was handed last."""
        for puller in self._in_hand:
            puller.finished = puller.handed
        self._in_hand.clear()

    def take(self, more: bool = False) -> Optional[ReceivedMessage]:
        """The next message that is here, None if none is.

        :param more: it joins those that the application has in its hands; without, these are finished by this
        :raises MetaqError: what went wrong with a partition
        """
        if not more:
            self.finish()
        slices = self._slices
        while slices:
            puller, messages = slices[0]
            if puller is not None and puller.stopped and not isinstance(messages[0] if messages else None, Exception):
                slices.popleft()
                continue
            stored = messages.popleft()
            if not messages:
                slices.popleft()
                if puller is not None and not isinstance(stored, Exception):
                    puller.slice_taken()
            if isinstance(stored, Exception):
                raise stored
            assert puller is not None
            puller.handed = stored.end
            puller.last_id = stored.message_id
            self._in_hand.add(puller)
            return ReceivedMessage(puller.topic, puller.place.broker, puller.place.partition, stored)
        if self.closed:
            raise ClientClosedError("the reader is closed")
        return None

    def put_back(self, message: ReceivedMessage) -> None:
        """Nobody got the message that was taken last."""
        puller = self.pullers.get((message.topic, Partition(message.broker or 0, message.partition)))
        if puller is None or puller.stopped or self.closed:
            return
        stored = storage.Stored(message.offset, message.next_offset, message.id, message.flag, message.raw)
        puller.handed = message.offset
        puller.take_slice()
        self._slices.appendleft((puller, deque((stored,))))
        self.wake()

    @property
    def at_end(self) -> bool:
        """Whether nothing more can come."""
        return not self._slices and all(puller.at_end or puller.stopped for puller in self.pullers.values())

    async def receive(self, timeout: Optional[float]) -> Optional[ReceivedMessage]:
        """The next message; None if there is none in that time, or if none can come any more."""
        deadline = None if timeout is None else self.engine.now() + timeout
        while True:
            message = self.take()
            if message is not None or (self.at_end and self.pullers and self.ends):
                return message
            left = None if deadline is None else deadline - self.engine.now()
            if left is not None and left <= 0:
                return None
            await first_of(self._signal, self.engine, left)

    @property
    def ends(self) -> bool:
        return any(puller.end is not None for puller in self.pullers.values())

    def positions(self) -> Dict[Tuple[str, Partition], int]:
        """Where each partition is read on, by topic and partition."""
        return {place: puller.handed for place, puller in self.pullers.items()}

    def close(self) -> None:
        self.finish()
        self.closed = True
        for puller in list(self.pullers.values()):
            puller.stop()
        self._slices.clear()
        self.wake()


def is_shown(message: ReceivedMessage, now_ms: int) -> bool:
    """Whether a browser shows it: not if it is expired or not due yet."""
    if not message.flag & 20:
        return True
    try:
        content_expiration, due = message.expiration, message.delivery_time
    except MetaqError:
        return True
    return not (content_expiration is not None and content_expiration <= now_ms) and not (
        due is not None and due > now_ms
    )


