"""Sending, synchronously or with futures."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, Iterable, List, Optional, Union

from ._protocol import requests, storage
from .core import sending
from .core.pool import Partition
from .core.producer import ProducerCore
from .core.tasks import spawn
from .message import Message
from .received import ReceivedMessage
from .payloads import Body
from .reactor import Reactor
from .results import SendResult

Sendable = Union[Body, Message, ReceivedMessage]


class Producer:
    """Sends messages; made by :meth:`metaq.Client.producer`. May be shared by threads; each thread's order is kept.

    Use it in a ``with`` statement: its end waits until everything is sent.
    """

    def __init__(self, reactor: Reactor, core: ProducerCore) -> None:
        self._reactor = reactor
        self._core = core

    def send(
        self, topic: str, body: Sendable = None, *, partition: Union[None, int, Partition] = None, **headers: Any
    ) -> SendResult:
        """Sends one message and waits until it is stored.

        :param body: a body (``None``, ``str``, ``bytes``, ``dict``, ``list``), a :class:`metaq.Message`, or a message that was
            received
        :param partition: of the topic, or a :class:`metaq.Partition` of a certain broker; without, the partitioner chooses
        :param headers: of :class:`metaq.Message`, and ``key``
        :raises BrokerError: if the broker refused it
        :raises RequestTimeoutError, ConnectionLostError: see ``outcome_unknown``
        """
        return self._result(self.send_async(topic, body, partition=partition, **headers))

    def send_async(
        self,
        topic: str,
        body: Sendable = None,
        *,
        partition: Union[None, int, Partition] = None,
        block: bool = True,
        **headers: Any,
    ) -> "Future[SendResult]":
        """Sends one message without waiting for its outcome. What is sent meanwhile goes as one batch.

        Callbacks of the future run on the client's thread and must not wait.

        :param block: whether to wait when ``max_in_flight_bytes`` are under way
        :raises BufferFullError: if not
        """
        core, reactor = self._core, self._reactor
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
        future: "Future[SendResult]" = Future()
        if core.buffered >= core.max_in_flight_bytes:
            self._wait_for_room(block)
        with reactor:
            if stored is None:
                assert message is not None
                spawn(sending.send_large(core, topic, message, payload, future, partition))
            else:
                core.submit(topic, stored, future, message, partition)
        return future

    def send_batch(
        self, topic: str, bodies: Iterable[Sendable], *, partition: Union[None, int, Partition] = None, **headers: Any
    ) -> List[SendResult]:
        """Sends several messages and waits for all of them. They are stored in their order within each partition.

        :raises MetaqError: the first failure, when all outcomes are known; the others may be stored
        """
        futures = [self.send_async(topic, body, partition=partition, **headers) for body in bodies]
        self.flush()
        return [self._result(future) for future in futures]

    def flush(self, timeout: Optional[float] = None) -> None:
        """Waits until every message that was sent before is stored or has failed.

        :param timeout: seconds; without: as long as each message has
        :raises RequestTimeoutError: if it takes longer
        """
        seconds = self._core.timeout if timeout is None else timeout
        self._reactor.wait(lambda: self._core.until_idle_within(seconds), seconds)

    def close(self) -> None:
        """Sends what it has, for as long as a message may take, and ends."""
        if self._core.closed:
            return
        try:
            if not self._reactor.in_thread:
                self.flush()
        finally:
            with self._reactor:
                self._core.close()

    def _result(self, future: "Future[SendResult]") -> SendResult:
        if not future.done():
            self._reactor.check_may_wait()
        return future.result(self._core.timeout + 10.0)

    def _wait_for_room(self, block: bool) -> None:
        if not block or self._reactor.in_thread:
            self._core.check_room()
        self._reactor.wait(self._core.until_room_within, self._core.timeout)

    def __enter__(self) -> "Producer":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()
            return
        with self._reactor:
            self._core.close()
