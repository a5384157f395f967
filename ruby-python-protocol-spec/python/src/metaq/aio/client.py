"""The client for asyncio."""

from __future__ import annotations

import asyncio
import ssl
import uuid
from typing import Any, AsyncIterator, Iterable, List, Optional, Sequence, Union

from .._protocol.negotiation import Negotiated
from .admin import Admin
from .consumer import Consumer
from ..core import sending
from ..core.admin import AdminCore
from ..core.attachment import Attachment, durable_name, subscription
from ..core.engine import within
from ..core.group import Changed, GroupCore
from ..core.pool import Pool
from ..core.producer import ProducerCore
from ..core.reading import ReaderCore, Start
from ..core.settings import Backoff, Servers, Settings
from ..core.subscription import SubscriptionCore
from ..core.temporary import Names, Requester, TemporaryCore
from ..core.transactions import BranchCore, Steps, TransactionCore, recover
from ..destinations import name_of
from ..errors import RequestTimeoutError
from ..received import ReceivedMessage
from ..partitioners import Partitioner
from ..producer import Sendable
from .engine import LoopEngine
from .reader import GroupConsumer, Reader, TopicBrowser
from ..results import SendResult
from .temporary import Temporary
from .opening import Opening
from .producer import Producer
from .transaction import Branch, Transaction


class Client:
    """A connection to MetaQ brokers, from which everything else is made.

    It belongs to one event loop, and may be shared by its tasks. Enter it, or use :func:`metaq.aio.connect`: that waits until the
    first connection stands; afterwards it connects again by itself. After a fork the child makes one of its own; using the parent's
    raises :class:`metaq.ForkedError`.

    What is made of it (consumers, readers) can be awaited, or entered at once::

        async with metaq.aio.connect("127.0.0.1:8123") as client, client.receiver("orders") as consumer:
            async for message in consumer:
                await consumer.ack(message)

    :param servers: ``"host:port"``, several joined by commas, or a list. Any one of them tells where all topics are
    :param user: for brokers that want a login
    :param tls: ``True`` for the system's certificates, or a context such as :func:`metaq.tls_context` makes
    :param tls_server_name: what the broker's certificate must name, if not the host that is connected to
    :param client_id: unique among the connections of the broker; part of the names of durable subscriptions
    :param name: of the application, for the broker's log
    :param timeout: seconds that a call may take
    :param connect_timeout: seconds that one attempt to connect may take, and the first connection all in all
    :param heartbeat: seconds of silence after which the broker is asked whether it is there; after three in vain the connection
        is made anew
    :param backoff: how long to wait between attempts to connect
    :param large_bytes: payloads with more bytes are stored in chunks
    :raises ValueError, TypeError: for a parameter that makes no sense
    :raises BrokerUnavailableError: if no server can be reached
    :raises UnauthorizedError: if the broker wants a login, or another one
    :raises ConflictError: if another connection has the client id
    """

    def __init__(
        self,
        servers: Servers = "127.0.0.1:8123",
        *,
        user: Optional[str] = None,
        password: Optional[str] = None,
        tls: Union[None, bool, ssl.SSLContext] = None,
        tls_server_name: Optional[str] = None,
        client_id: Optional[str] = None,
        name: str = "metaq-python",
        timeout: float = 10.0,
        connect_timeout: float = 5.0,
        heartbeat: float = 10.0,
        backoff: Optional[Backoff] = None,
        large_bytes: int = 8 * 1024 * 1024,
    ) -> None:
        self._settings = Settings(
            servers,
            user,
            password,
            tls,
            tls_server_name,
            client_id,
            name,
            timeout,
            connect_timeout,
            heartbeat,
            backoff,
            large_bytes,
        )
        self._origin = client_id or "python-{}".format(uuid.uuid4())
        self._names = Names()
        self._own_producer: Optional[ProducerCore] = None
        self._engine: LoopEngine
        self._pool: Pool

    async def open(self) -> "Client":
        """Connects; once.

        :raises BrokerUnavailableError: if no server can be reached
        """
        self._engine = LoopEngine(asyncio.get_running_loop())
        self._pool = pool = Pool(self._engine, self._settings)
        self._steps = Steps(pool)
        self._requester = Requester(pool, self._names)
        try:
            seconds = self._settings.connect_timeout
            await self._engine.wait(within(self._engine, pool.start(), seconds, "connecting"))
        except BaseException as error:
            await self.close()
            if isinstance(error, RequestTimeoutError):
                raise pool.why_unavailable() from None
            raise
        return self

    @property
    def broker(self) -> Negotiated:
        """What the broker that this client is connected to says of itself."""
        return self._pool.home.negotiated

    def producer(
        self,
        *,
        partitioner: Optional[Partitioner] = None,
        idempotent: bool = True,
        durability: Optional[str] = None,
        linger: float = 0.0,
        max_batch_bytes: int = 512 * 1024,
        max_in_flight_bytes: int = 32 * 1024 * 1024,
        timeout: Optional[float] = None,
        origin: Optional[bool] = None,
    ) -> Producer:
        """A producer.

        :param partitioner: chooses the partition of each message; see :mod:`metaq.partitioners`. Without: messages with a ``key``
            by that, others in turn, batch by batch
        :param idempotent: batches are numbered, and sent again after a lost connection without being stored twice
        :param durability: ``"os"`` or ``"disk"``; without: as the topic is configured
        :param linger: seconds that a batch waits for more; with 0 batches are what gathers while others are under way
        :param max_batch_bytes: of one batch
        :param max_in_flight_bytes: of all messages without an outcome; beyond it sends wait
        :param timeout: seconds until each message has its outcome; without: the client's
        :param origin: whether messages tell this client's id, for subscriptions with ``no_local``; without: if it has a client id
        """
        self._engine.check()
        core = self._producer_core(
            partitioner, idempotent, durability, linger, max_batch_bytes, max_in_flight_bytes, timeout, origin
        )
        return Producer(self._engine, core)

    def _producer_core(
        self,
        partitioner: Optional[Partitioner] = None,
        idempotent: bool = True,
        durability: Optional[str] = None,
        linger: float = 0.0,
        max_batch_bytes: int = 512 * 1024,
        max_in_flight_bytes: int = 32 * 1024 * 1024,
        timeout: Optional[float] = None,
        origin: Optional[bool] = None,
    ) -> ProducerCore:
        settings = self._pool.settings
        tells = origin if origin is not None else settings.client_id is not None
        return ProducerCore(
            self._pool,
            partitioner,
            idempotent,
            durability,
            linger,
            max_batch_bytes,
            max_in_flight_bytes,
            settings.timeout if timeout is None else timeout,
            self._origin if tells else None,
        )

    def receiver(
        self,
        queue: str,
        *,
        selector: Optional[str] = None,
        prefetch: int = 100,
        prefetch_bytes: int = 1024 * 1024,
        idle_return: float = 0.5,
    ) -> Opening[Consumer]:
        """A consumer of a queue.

        :param selector: a condition on headers and properties: ``"color = 'blue' AND JMSPriority > 3"``
        :param prefetch: messages that may wait here; 1 takes none from others ahead of time
        :param prefetch_bytes: and their bytes
        :param idle_return: seconds without a receive after which what waits here is given back
        :raises ConflictError: if it is a topic
        :raises NotFoundError: if it is not there and must not be made
        :raises BadRequestError: for a wrong selector; the text says where
        """
        attachment = Attachment("queue:" + queue, queue, "queue", selector, False, None)
        return Opening(lambda: self._attach(attachment, prefetch, prefetch_bytes, idle_return))

    def subscribe(
        self,
        topic: str,
        name: Optional[str] = None,
        *,
        durable: bool = False,
        shared: bool = False,
        selector: Optional[str] = None,
        no_local: bool = False,
        prefetch: int = 100,
        prefetch_bytes: int = 1024 * 1024,
        idle_return: float = 0.5,
    ) -> Opening[Consumer]:
        """A consumer of a subscription of a topic, which gets what is sent after it was made.

        Without a name the subscription is this consumer's own and goes with it. Names belong to the client id: together they are
        the name by which JMS clients know the same subscription.

        :param durable: it stays, and keeps what comes, until :meth:`unsubscribe`
        :param shared: several consumers share it, each message going to one of them
        :param no_local: leaves out what this client sends (its producers must tell their ``origin``, which they do if the client
            has an id)
        :raises ConflictError: if it is a queue, the subscription is in use, or is another one that has consumers
        """
        attachment = subscription(self._pool.settings, topic, name, durable, shared, selector, no_local, self._origin)
        return Opening(lambda: self._attach(attachment, prefetch, prefetch_bytes, idle_return))

    async def unsubscribe(self, name: str) -> None:
        """Deletes a durable subscription of this client id, and what it holds.

        :raises NotFoundError: if there is none
        :raises ConflictError: while it has consumers
        """
        await self.admin.delete_subscription(durable_name(self._pool.settings, name))

    async def _attach(self, attachment: Attachment, prefetch: int, prefetch_bytes: int, idle_return: float) -> Consumer:
        self._engine.check()
        core = SubscriptionCore(self._pool, attachment, prefetch, prefetch_bytes, idle_return)
        await self._engine.run(core.attach())
        return Consumer(self._engine, self._pool, core)

    async def browse_queue(self, queue: str, *, selector: Optional[str] = None) -> AsyncIterator[ReceivedMessage]:
        """Looks at what is ready in a queue now, and takes nothing."""
        attachment = Attachment("queue:" + queue, queue, "browse", selector, False, None)
        async with await self._attach(attachment, 100, 1024 * 1024, 3600.0) as browser:
            message = await browser.receive(0)
            while message is not None:
                yield message
                message = await browser.receive(0)

    def reader(
        self,
        topic: str,
        *,
        partitions: Optional[Iterable[int]] = None,
        start: Start = "first",
        wait: float = 20.0,
        max_bytes: int = 1024 * 1024,
    ) -> Opening[Reader]:
        """Reads a topic by offset, and goes on with what comes.

        :param partitions: their numbers, at each broker that has the topic; all without
        :param start: ``"first"``, ``"last"``, an offset, or a datetime: what was stored then or later
        :param wait: seconds that the broker holds a request while there is nothing (long poll)
        :param max_bytes: of one slice
        :raises NotFoundError: if there is no such topic
        """
        self._engine.check()
        core = ReaderCore(self._pool, wait=wait, max_bytes=max_bytes)

        async def begin() -> Reader:
            await self._engine.run(core.open(topic, partitions, start))
            return Reader(self._engine, core)

        return Opening(begin)

    def browse(
        self, topic: str, *, partitions: Optional[Iterable[int]] = None, start: Start = "first"
    ) -> Opening[TopicBrowser]:
        """What a topic retains, up to where it ends now."""
        self._engine.check()
        core = ReaderCore(self._pool)

        async def begin() -> TopicBrowser:
            await self._engine.run(core.open(topic, partitions, start, True))
            return TopicBrowser(self._engine, core)

        return Opening(begin)

    def group_consumer(
        self,
        group: str,
        topics: Union[str, Sequence[str]],
        *,
        start: Start = "first",
        commit_interval: Optional[float] = 1.0,
        member: Optional[str] = None,
        on_change: Optional[Changed] = None,
        max_bytes: int = 1024 * 1024,
    ) -> Opening[GroupConsumer]:
        """A member of a consumer group: every group gets every message, and within it each partition has one reader.

        :param start: where partitions begin of which the group has committed nothing
        :param commit_interval: seconds; None leaves committing to the application
        :param member: a name that no other member has; made up without
        :param on_change: told what was assigned and what was taken; no coroutine
        :raises NotFoundError: if there is none of the topics
        """
        self._engine.check()
        core = GroupCore(self._pool, group, topics, start, commit_interval, member, on_change, max_bytes)

        async def begin() -> GroupConsumer:
            await self._engine.run(core.join())
            return GroupConsumer(self._engine, core)

        return Opening(begin)

    def transaction(self) -> Transaction:
        """A transaction over sends and acknowledgements, of the broker that this client is connected to."""
        return Transaction(self._engine, TransactionCore(self._pool, self._steps), self._producer())

    def branch(self, key: str, *, timeout: Optional[int] = None) -> Branch:
        """A transaction with a name, for coordinators.

        :param key: as :func:`metaq.xid` makes it
        :param timeout: whole seconds after which the broker rolls it back unless it is prepared
        """
        return Branch(self._engine, BranchCore(self._pool, self._steps, key, timeout), self._producer())

    async def recover(self, qualifier: Optional[str] = None) -> List[str]:
        """Keys of all branches that wait to be decided, or those of one unique qualifier."""
        return await self._engine.run(recover(self._pool, self._steps, qualifier))

    @property
    def admin(self) -> Admin:
        """Administration of topics, groups, subscriptions and transactions."""
        return Admin(self._engine, AdminCore(self._pool))

    def temporary_queue(self) -> Opening[Temporary]:
        """A queue that lives as long as the connection; everybody may send to it, this client alone receives."""
        return Opening(lambda: self._temporary(True))

    def temporary_topic(self) -> Opening[Temporary]:
        """The same of a topic."""
        return Opening(lambda: self._temporary(False))

    async def _temporary(self, queue: bool) -> Temporary:
        core = TemporaryCore(self._pool, self._names(), queue)
        await self._engine.run(core.create())
        return Temporary(self._engine, core)

    async def request(
        self, destination: str, body: Sendable = None, *, timeout: Optional[float] = None, **headers: Any
    ) -> ReceivedMessage:
        """Sends a request and waits for the answer, which comes to a temporary queue of this client.

        :param destination: name or address of the queue or topic
        :param timeout: seconds; without: the client's
        :raises RequestTimeoutError: if no answer comes in time
        """
        seconds = self._pool.settings.timeout if timeout is None else timeout
        await self._engine.wait(self._requester.opened())
        message = sending.as_message(body, headers)
        self._engine.check()
        pending = self._requester.expect(message)
        try:
            await Producer(self._engine, self._producer()).send(name_of(destination), message)
        except BaseException:
            self._requester.expect_no_more(message)
            raise
        return await self._engine.run(self._requester.answer(message, pending, seconds))

    async def reply(self, request: ReceivedMessage, body: Sendable = None, **headers: Any) -> SendResult:
        """Answers a request: to where it wants the answer, with its correlation id.

        :raises ValueError: if it wants none
        """
        if request.reply_to is None:
            raise ValueError("{!r} wants no answer".format(request))
        message = sending.as_message(body, headers)
        message.correlation_id = request.correlation_id or request.message_id
        return await Producer(self._engine, self._producer()).send(name_of(request.reply_to), message)

    def _producer(self) -> ProducerCore:
        """The client's own, for transactions' large payloads, requests and answers."""
        self._engine.check()
        if self._own_producer is None:
            self._own_producer = self._producer_core()
        return self._own_producer

    async def close(self) -> None:
        """Ends all connections; what waits in other tasks fails with :class:`metaq.aio.ClientClosedError`. Safe to call again."""
        self._pool.close()
        await self._engine.stop()

    async def __aenter__(self) -> "Client":
        return self if hasattr(self, "_engine") else await self.open()

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


def connect(servers: Servers = "127.0.0.1:8123", **options: Any) -> Opening[Client]:
    """A connected :class:`Client`, to be awaited or entered."""
    return Opening(Client(servers, **options).open)
