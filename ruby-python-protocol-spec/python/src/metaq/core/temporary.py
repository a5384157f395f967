"""Temporary destinations, which live with the connection, and requests that are answered to one."""

from __future__ import annotations

import itertools
import uuid
from typing import Dict, Optional

from .._protocol import requests
from ..errors import ClientClosedError, MetaqError, RequestTimeoutError
from ..message import Message
from ..received import ReceivedMessage
from .attachment import Attachment
from .engine import within
from .fetching import completed
from .link import Link, text_of
from .pool import Pool
from .subscription import SubscriptionCore
from .tasks import Pending, Task, spawn

_PREFETCH = 100


class TemporaryCore:
    """A temporary queue or topic. It is made again, empty, when the connection was lost."""

    def __init__(self, pool: Pool, name: str, queue: bool) -> None:
        self.pool = pool
        self.name = name
        self.kind = "temporary-queue" if queue else "temporary-topic"
        self.address = "{}://{}".format("temp-queue" if queue else "temp-topic", name)
        self._deleted = False

    async def create(self) -> "TemporaryCore":
        link = self.pool.home
        await link.text(requests.command, "topic", "create", self.name, {"kind": self.kind})
        # before the consumers that attach to it
        link.restorers.insert(0, self._restore)
        return self

    async def _restore(self, link: Link) -> None:
        # 409 while the old connection is not known to be dead: the link tries again
        text_of(await link.greeting(requests.command, "topic", "create", self.name, {"kind": self.kind}), link.server)

    async def delete(self) -> None:
        """Its consumers end. Done once."""
        if self._deleted:
            return
        self._deleted = True
        if self._restore in self.pool.home.restorers:
            self.pool.home.restorers.remove(self._restore)
        await self.pool.home.text(requests.command, "topic", "delete", self.name, {})


class Names:
    """Names of temporary destinations that nobody else has."""

    def __init__(self) -> None:
        self._client = "temp:python-{}".format(uuid.uuid4())
        self._next = itertools.count(1)

    def __call__(self) -> str:
        return "{}:{}".format(self._client, next(self._next))


class Requester:
    """Sends requests and hands each answer to who waits for it, over one temporary queue."""

    def __init__(self, pool: Pool, names: Names) -> None:
        self._pool = pool
        self._temporary = TemporaryCore(pool, names(), queue=True)
        self._waiting: Dict[str, Pending[ReceivedMessage]] = {}
        self._opening: Optional[Task] = None
        self._consumer: Optional[SubscriptionCore] = None

    @property
    def address(self) -> str:
        return self._temporary.address

    def opened(self) -> "Pending[None]":
        """Is there when answers can come."""
        if self._opening is None or self._opening.error is not None:
            self._opening = spawn(self._open())
        return self._opening

    async def _open(self) -> None:
        await self._temporary.create()
        name = self._temporary.name
        attachment = Attachment("queue:" + name, name, "queue", None, False, None)
        consumer = SubscriptionCore(self._pool, attachment, _PREFETCH, 1 << 20, 3600.0)
        self._consumer = await consumer.attach()
        spawn(self._hand_out(consumer))

    async def _hand_out(self, consumer: SubscriptionCore) -> None:
        while True:
            try:
                message = await consumer.receive(None)
                if message is None:
                    continue
                consumer.acknowledge_soon(consumer.ranges_of([message]))
                await completed(self._pool, message)
                pending = self._waiting.pop(str(message.correlation_id), None)
                if pending is not None:
                    pending.resolve(message)
            except ClientClosedError as error:
                self._fail(error)
                return
            except MetaqError as error:
                self._fail(error)
                if consumer.closed or self._pool.closed or consumer.ended:
                    self._opening = None
                    return

    def _fail(self, error: MetaqError) -> None:
        waiting, self._waiting = self._waiting, {}
        for pending in waiting.values():
            pending.fail(error)

    def expect(self, message: Message) -> "Pending[ReceivedMessage]":
        """Makes a request of a message; the answer to it, which is known by the request's correlation id, or its message id as is
        usual in JMS.
        """
        message.reply_to = self.address
        message.correlation_id = correlation = str(uuid.uuid4())
        message.message_id = "ID:" + correlation
        pending: Pending[ReceivedMessage] = Pending()
        self._waiting[correlation] = self._waiting[message.message_id] = pending
        return pending

    async def answer(
        self, message: Message, pending: "Pending[ReceivedMessage]", timeout: float
    ) -> ReceivedMessage:
        """:raises RequestTimeoutError: if none comes in time"""
        try:
            return await within(self._pool.engine, pending, timeout, "the answer")
        except RequestTimeoutError:
            raise RequestTimeoutError("no answer within {:g} s".format(timeout)) from None
        finally:
            self.expect_no_more(message)

    def expect_no_more(self, message: Message) -> None:
        self._waiting.pop(str(message.correlation_id), None)
        self._waiting.pop(str(message.message_id), None)
