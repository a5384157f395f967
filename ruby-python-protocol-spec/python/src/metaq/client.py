"""The synchronous client."""

from __future__ import annotations

import ssl
import uuid
from typing import Any, Optional, Union

from ._protocol.negotiation import Negotiated
from .consumer import Consumer
from .core.engine import within
from .core.pool import Pool
from .core.producer import ProducerCore
from .core.settings import Backoff, Servers, Settings
from .core.subscription import Attachment, SubscriptionCore
from .core.tasks import spawn
from .errors import MetaqError, RequestTimeoutError
from .partitioners import Partitioner
from .producer import Producer
from .reactor import Reactor


class Client:
    """A connection to MetaQ brokers, from which everything else is made.

    One is enough for a process: it may be shared by threads. After a fork the child makes one of its own; using the parent's raises
    :class:`metaq.ForkedError`. It waits until the first connection stands; afterwards it connects again by itself.

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
        settings = Settings(
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
        self._reactor = Reactor("metaq-client")
        self._pool = pool = Pool(self._reactor, settings)
        try:
            self._reactor.wait(lambda: within(self._reactor, pool.start(), connect_timeout, "connecting"), connect_timeout)
        except BaseException as error:
            self.close()
            if isinstance(error, RequestTimeoutError):
                raise pool.why_unavailable() from None
            raise

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
        settings = self._pool.settings
        tells = origin if origin is not None else settings.client_id is not None
        with self._reactor:
            core = ProducerCore(
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
        return Producer(self._reactor, core)

    def receiver(
        self,
        queue: str,
        *,
        selector: Optional[str] = None,
        prefetch: int = 100,
        prefetch_bytes: int = 1024 * 1024,
        idle_return: float = 0.5,
    ) -> Consumer:
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
        return self._attach(attachment, prefetch, prefetch_bytes, idle_return)

    def _attach(self, attachment: Attachment, prefetch: int, prefetch_bytes: int, idle_return: float) -> Consumer:
        core = SubscriptionCore(self._pool, attachment, prefetch, prefetch_bytes, idle_return)
        self._reactor.wait(lambda: spawn(core.attach()), self._pool.settings.timeout)
        return Consumer(self._reactor, self._pool, core)

    def close(self) -> None:
        """Ends all connections; what waits in other threads fails with :class:`metaq.ClientClosedError`. Safe to call again."""
        self._reactor.stop(lambda: self._pool.close())

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def connect(servers: Servers = "127.0.0.1:8123", **options: Any) -> Client:
    """The same as :class:`Client`."""
    return Client(servers, **options)


__all__ = ["Client", "MetaqError", "connect"]
