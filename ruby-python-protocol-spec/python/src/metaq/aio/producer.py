"""Sending with asyncio."""

from __future__ import annotations

import asyncio
from typing import Any, Iterable, List, Optional, Union

from .._protocol import requests, storage
from ..core import sending
from ..core.pool import Partition
from ..core.producer import ProducerCore
from ..core.tasks import spawn
from ..message import Message
from ..producer import Sendable
from ..results import SendResult
from .engine import LoopEngine


class Producer:
    """Sends messages; made by :meth:`metaq.aio.Client.producer`. May be shared by tasks; the order of the calls is kept.

    Use it in an ``async with`` statement: its end waits until everything is sent.
    """

    def __init__(self, engine: LoopEngine, core: ProducerCore) -> None:
        self._engine = engine
        self._core = core

    async def send(
        self, topic: str, body: Sendable = None, *, partition: Union[None, int, Partition] = None, **headers: Any
    ) -> SendResult:
        """Sends one message and waits until it is stored; parameters are those of :meth:`metaq.Producer.send`.

        :raises BrokerError: if the broker refused it
        :raises RequestTimeoutError, ConnectionLostError: see ``outcome_unknown``
        """
        await self.room()
        return await self.send_async(topic, body, partition=partition, **headers)

    def send_async(
        self, topic: str, body: Sendable = None, *, partition: Union[None, int, Partition] = None, **headers: Any
    ) -> "asyncio.Future[SendResult]":
        """Sends one message without waiting for its outcome. What is sent meanwhile goes as one batch. No coroutine.

        :raises BufferFullError: when ``max_in_flight_bytes`` are under way; :meth:`room` waits for less
        """
        core, engine = self._core, self._engine
        engine.check()
        core.check_room()
        message: Optional[Message] = None
        stored: Optional[bytes] = None
        payload = b""
        if type(body) is bytes and not headers and core.origin is None and core.partitioner is None:
            # plain bytes are what the message is, unless they are many
            if len(body) <= core.pool.settings.large_bytes:
                stored = storage.encode(body)
        if stored is None:
            message = sending.as_message(body, headers)
            stored, payload = sending.encode(core.pool, message, core.origin)
        if topic not in core.checked_topics:
            core.checked_topics.add(requests.word(topic, "a topic's name"))
        future: "asyncio.Future[SendResult]" = engine.loop.create_future()
        if stored is None:
            assert message is not None
            spawn(sending.send_large(core, topic, message, payload, future, partition))
        else:
            core.submit(topic, stored, future, message, partition)
        return future

    async def room(self) -> None:
        """Waits until there is room for more.

        :raises RequestTimeoutError: if there is none for as long as a message may take
        """
        if self._core.buffered >= self._core.max_in_flight_bytes:
            await self._engine.wait(self._core.until_room_within())

    async def send_batch(
        self, topic: str, bodies: Iterable[Sendable], *, partition: Union[None, int, Partition] = None, **headers: Any
    ) -> List[SendResult]:
        """Sends several messages and waits for all of them. They are stored in their order within each partition.

        :raises MetaqError: the first failure, when all outcomes are known; the others may be stored
        """
        futures = []
        for body in bodies:
            await self.room()
            futures.append(self.send_async(topic, body, partition=partition, **headers))
        outcomes = await asyncio.gather(*futures, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        return outcomes  # type: ignore[return-value]

    async def flush(self, timeout: Optional[float] = None) -> None:
        """Waits until every message that was sent before is stored or has failed.

        :param timeout: seconds; without: as long as each message has
        :raises RequestTimeoutError: if it takes longer
        """
        self._engine.check()
        await self._engine.wait(self._core.until_idle_within(self._core.timeout if timeout is None else timeout))
        # behind the futures, which are settled in the loop's next turn
        await asyncio.sleep(0)

    async def close(self) -> None:
        """Sends what it has, for as long as a message may take, and ends."""
        if self._core.closed:
            return
        try:
            await self.flush()
        finally:
            self._core.close()

    async def __aenter__(self) -> "Producer":
        return self

    async def __aexit__(self, kind: Any, *_: Any) -> None:
        if kind is None:
            await self.close()
        else:
            self._core.close()
