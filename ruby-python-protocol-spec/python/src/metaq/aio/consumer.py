"""Consumers of queues and subscriptions for asyncio: each message is acknowledged by itself."""

from __future__ import annotations

from typing import Any, AsyncIterator, Optional

from .._protocol.ranges import Ranges
from ..consumer import Messages, many
from ..core.fetching import completed
from ..core.pool import Pool
from ..core.subscription import SubscriptionCore
from ..errors import ClientClosedError
from ..message import Seconds, milliseconds
from ..received import ReceivedMessage
from .engine import LoopEngine
from ..results import Acknowledged


class Consumer:
    """Receives from a queue or a subscription; made by :meth:`metaq.aio.Client.receiver` and :meth:`metaq.aio.Client.subscribe`.

    A message is leased to its consumer until it is settled: by :meth:`ack`, :meth:`reject` or :meth:`release`. What is not
    settled when the consumer is closed, or its connection is lost, comes again with a higher ``delivery_count``.

    Iterating over it receives for ever::

        async for message in consumer:
            await handle(message.body)
            await consumer.ack(message)

    May be shared by tasks.
    """

    def __init__(self, engine: LoopEngine, pool: Pool, core: SubscriptionCore) -> None:
        self._engine = engine
        self._pool = pool
        self._core = core

    @property
    def name(self) -> str:
        """Of the subscription, as the broker knows it."""
        return self._core.attachment.name

    async def receive(self, timeout: Optional[float] = None) -> Optional[ReceivedMessage]:
        """The next message.

        :param timeout: seconds; None waits for ever, 0 asks the broker whether there is one now
        :return: None if there is none in that time
        :raises ConsumerDetachedError: if the broker ended the consumer
        """
        self._engine.check()
        message = self._core.take()
        if message is None:
            message = await self._engine.run(self._core.receive(timeout), self._core.put_back)
        if message is not None and message.flag & 32:
            await self._engine.run(completed(self._pool, message))
        return message

    async def ack(self, messages: Messages, *, wait: bool = True) -> Optional[Acknowledged]:
        """These are done, and come no more.

        :param wait: for the broker's word, which is durable then. Without, acknowledgements of the moment go together, and
            the answer is None
        :raises NotFoundError, ConsumerDetachedError: if the consumer is gone
        """
        self._engine.check()
        ranges = self._core.ranges_of(many(messages))
        if not wait:
            self._core.acknowledge_soon(ranges)
            return None
        return await self._engine.run(self._core.acknowledge(ranges))

    async def reject(self, messages: Messages, *, delay: Optional[Seconds] = None, dead: bool = False) -> None:
        """Their processing failed. They come again, counted, or go to the dead letter queue after too many times.

        :param delay: seconds (or a timedelta) until they come again; without, as the destination's settings say
        :param dead: to the dead letter queue at once
        """
        delay_ms = None if delay is None else milliseconds(delay, "delay")
        await self._settle("reject", messages, delay_ms, dead)

    async def release(self, messages: Messages) -> None:
        """Gives them back as if they had not been delivered."""
        await self._settle("release", messages, None, False)

    async def _settle(self, how: str, messages: Messages, delay_ms: Optional[int], dead: bool) -> None:
        ranges: Ranges = self._core.ranges_of(many(messages))
        await self._engine.run(self._core.settle(how, ranges, delay_ms, dead))

    async def close(self) -> None:
        """Ends it; safe to call again."""
        if not self._core.closed and not self._pool.closed:
            await self._engine.run(self._core.close())

    async def __aiter__(self) -> AsyncIterator[ReceivedMessage]:
        while True:
            try:
                message = await self.receive()
            except ClientClosedError:
                return
            if message is not None:
                yield message

    async def __aenter__(self) -> "Consumer":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()
