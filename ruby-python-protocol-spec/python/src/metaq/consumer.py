"""Consumers of queues and subscriptions: each message is acknowledged by itself."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Optional, Union

from ._protocol.ranges import Ranges
from .core.fetching import completed
from .core.pool import Pool
from .core.subscription import SubscriptionCore
from .errors import ClientClosedError
from .message import Seconds, milliseconds
from .received import ReceivedMessage
from .reactor import Reactor
from .results import Acknowledged

Messages = Union[ReceivedMessage, Iterable[ReceivedMessage]]


def many(messages: Messages) -> Iterable[ReceivedMessage]:
    return (messages,) if isinstance(messages, ReceivedMessage) else messages


class Consumer:
    """Receives from a queue or a subscription; made by :meth:`metaq.Client.receiver` and :meth:`metaq.Client.subscribe`.

    A message is leased to its consumer until it is settled: by :meth:`ack`, :meth:`reject` or :meth:`release`. What is not
    settled when the consumer is closed, or its connection is lost, comes again with a higher ``delivery_count``.

    Iterating over it receives for ever::

        for message in consumer:
            handle(message.body)
            consumer.ack(message)

    May be shared by threads.
    """

    def __init__(self, reactor: Reactor, pool: Pool, core: SubscriptionCore) -> None:
        self._reactor = reactor
        self._pool = pool
        self._core = core

    @property
    def name(self) -> str:
        """Of the subscription, as the broker knows it."""
        return self._core.attachment.name

    def receive(self, timeout: Optional[float] = None) -> Optional[ReceivedMessage]:
        """The next message.

        :param timeout: seconds; None waits for ever, 0 asks the broker whether there is one now
        :return: None if there is none in that time
        :raises ConsumerDetachedError: if the broker ended the consumer
        """
        self._reactor.check_may_wait()
        with self._reactor:
            message = self._core.take()
        if message is None:
            message = self._reactor.run(
                self._core.receive(timeout), _plus(timeout, self._pool), self._core.put_back
            )
        if message is not None and message.flag & 32:
            received = message
            self._reactor.run(completed(self._pool, received))
        return message

    def ack(self, messages: Messages, *, wait: bool = True) -> Optional[Acknowledged]:
        """These are done, and come no more.

        :param wait: for the broker's word, which is durable then. Without, acknowledgements of the moment go together, and
            the answer is None
        :raises NotFoundError, ConsumerDetachedError: if the consumer is gone
        """
        with self._reactor:
            ranges = self._core.ranges_of(many(messages))
            if not wait:
                self._core.acknowledge_soon(ranges)
                return None
        return self._reactor.run(self._core.acknowledge(ranges), self._pool.settings.timeout)

    def reject(self, messages: Messages, *, delay: Optional[Seconds] = None, dead: bool = False) -> None:
        """Their processing failed. They come again, counted, or go to the dead letter queue after too many times.

        :param delay: seconds (or a timedelta) until they come again; without, as the destination's settings say
        :param dead: to the dead letter queue at once
        """
        delay_ms = None if delay is None else milliseconds(delay, "delay")
        self._settle("reject", messages, delay_ms, dead)

    def release(self, messages: Messages) -> None:
        """Gives them back as if they had not been delivered."""
        self._settle("release", messages, None, False)

    def _settle(self, how: str, messages: Messages, delay_ms: Optional[int], dead: bool) -> None:
        ranges: Ranges = self._core.ranges_of(many(messages))
        self._reactor.run(self._core.settle(how, ranges, delay_ms, dead), self._pool.settings.timeout)

    def close(self) -> None:
        """Ends it; safe to call again."""
        if not self._core.closed and not self._pool.closed:
            self._reactor.run(self._core.close(), self._pool.settings.timeout)

    def __iter__(self) -> Iterator[ReceivedMessage]:
        while True:
            try:
                message = self.receive()
            except ClientClosedError:
                return
            if message is not None:
                yield message

    def __enter__(self) -> "Consumer":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _plus(timeout: Optional[float], pool: Pool) -> Optional[float]:
    return None if timeout is None else timeout + pool.settings.timeout
