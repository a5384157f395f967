"""Reading topics by offset with asyncio: alone, or as a member of a group."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, List, Optional

from ..core.fetching import completed
from ..core.group import GroupCore, TopicPartition
from ..core.pool import Partition
from ..core.reading import ReaderCore, Start, check_start, is_shown, offset_of
from ..errors import ClientClosedError, MetaqError
from ..message import LARGE
from ..received import ReceivedMessage
from .engine import LoopEngine


class Reader:
    """Reads partitions of a topic from an offset or a moment on; made by :meth:`metaq.aio.Client.reader` and
    :meth:`metaq.aio.Client.browse`. Nothing is acknowledged, and nothing taken from others.

    Iterating over it gives messages for ever, or, of a browser, those that were there when it was made. May be shared by tasks.
    """

    def __init__(self, engine: LoopEngine, core: ReaderCore) -> None:
        self._engine = engine
        self._core = core

    async def receive(self, timeout: Optional[float] = None) -> Optional[ReceivedMessage]:
        """The next message; None if there is none within ``timeout`` seconds (None: for ever).

        :raises CorruptMessageError: for a damaged message; the next call reads on behind it
        :raises ForbiddenError: when a partition is closed; it is tried again
        """
        self._engine.check()
        core = self._core
        message = core.take()
        if message is None:
            message = await self._engine.run(core.receive(timeout), core.put_back)
        if message is not None and message.flag & LARGE:
            await self._engine.run(completed(core.pool, message))
        return message

    async def poll(self, max_messages: int = 500, timeout: Optional[float] = 1.0) -> List[ReceivedMessage]:
        """What is there, at most so many messages; waits ``timeout`` seconds for the first one. Cheaper than one by one."""
        if max_messages < 1:
            raise ValueError("max_messages is at least 1, not {!r}".format(max_messages))
        first = await self.receive(timeout)
        if first is None:
            return []
        found = [first]
        self._engine.check()
        take = self._core.take
        try:
            while len(found) < max_messages:
                message = take(True)
                if message is None:
                    break
                found.append(message)
        except ClientClosedError:
            pass
        except MetaqError as error:
            # for the next call; these messages are not to be lost
            self._core.failed(None, error)
        for message in found:
            if message.flag & LARGE:
                await self._engine.run(completed(self._core.pool, message))
        return found

    def positions(self) -> Dict[Partition, int]:
        """Where each partition is read on."""
        self._engine.check()
        return {place: offset for (_, place), offset in self._core.positions().items()}

    async def seek(self, partition: Partition, to: Start) -> None:
        """Reads a partition on elsewhere: ``"first"``, ``"last"``, an offset, or a datetime.

        :raises KeyError: if it is none of this reader's
        """
        check_start(to)
        self._engine.check()
        topic = next((topic for topic, place in self._core.pullers if place == partition), None)
        if topic is None:
            raise KeyError(partition)
        link = self._core.pool.link_of(partition.broker)
        offset = await self._engine.run(offset_of(link, topic, partition.partition, to))
        self._engine.check()
        self._core.seek(topic, partition, offset)

    async def close(self) -> None:
        """Ends it; safe to call again."""
        if not self._core.closed and not self._core.pool.closed:
            self._engine.check()
            self._core.close()

    async def __aiter__(self) -> AsyncIterator[ReceivedMessage]:
        while True:
            try:
                message = await self.receive()
            except ClientClosedError:
                return
            if message is None:
                return
            yield message

    async def __aenter__(self) -> "Reader":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


class TopicBrowser(Reader):
    """What a topic retained when this was made; expired messages and those that are not due yet are passed over."""

    async def receive(self, timeout: Optional[float] = None) -> Optional[ReceivedMessage]:
        """The next message; None behind the last one."""
        while True:
            message = await super().receive(timeout)
            if message is None or is_shown(message, self._engine.now_ms()):
                return message


class GroupConsumer(Reader):
    """A member of a consumer group; made by :meth:`metaq.aio.Client.group_consumer`.

    A message counts as finished when the next one is asked for. What is finished is committed at intervals, when a partition is
    given back, and at the end; or, with ``commit_interval=None``, by :meth:`commit`. One task at a time.
    """

    _core: GroupCore

    def __init__(self, engine: LoopEngine, core: GroupCore) -> None:
        super().__init__(engine, core)
        self._core = core

    @property
    def member(self) -> str:
        """The name of this member."""
        return self._core.member

    def assignment(self) -> List[TopicPartition]:
        """The partitions that this member reads now."""
        self._engine.check()
        return self._core.assignment()

    async def commit(self) -> None:
        """Commits what was received, the last message included."""
        await self._engine.run(self._core.commit_all())

    async def seek(self, partition: Partition, to: Start) -> None:
        """Not for a member: see :meth:`metaq.Admin.reset_group`."""
        raise NotImplementedError("a group is moved by admin.reset_group, while it has no members")

    async def close(self, *, finish: bool = True) -> None:
        """Commits (unless that is the application's business) and leaves the group.

        :param finish: whether the message that was received last counts as finished
        """
        if not self._core.closed and not self._core.pool.closed:
            await self._engine.run(self._core.leave(finish))

    async def __aenter__(self) -> "GroupConsumer":
        return self

    async def __aexit__(self, kind: Any, *_: Any) -> None:
        await self.close(finish=kind is None)
