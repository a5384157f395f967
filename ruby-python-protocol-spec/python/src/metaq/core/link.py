"""One connection to a broker, which is made again when it is lost.

States, and what leads from one to the next::

    connecting ──connected──▶ greeting ──answered──▶ ready
        ▲    │                   │                     │
        │    └──────── lost, refused, silent ──────────┤
        │                                              ▼
        └───────────── back-off is over ──────────── waiting        any ──close──▶ closed
                                                                    greeting ──login refused──▶ closed
    connecting ──certificate refused, the first time──▶ closed

A request that is made while the link is not ready waits for it, up to its own time limit. One that was under way when the
connection was lost is sent again if it says that this does no harm, in the old order and before anything new; else it fails with
:class:`ConnectionLostError`.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Awaitable, Callable, Deque, Dict, List, Optional, Sequence

from .._protocol import negotiation, requests
from .._protocol.frames import Delivered, Detached, FrameDecoder, Reply, Result
from ..errors import (
    BrokerUnavailableError,
    CertificateError,
    ClientClosedError,
    ConflictError,
    ConnectionLostError,
    MetaqError,
    ProtocolError,
    RequestTimeoutError,
    TooLargeError,
    UnauthorizedError,
    of_reply,
)
from .engine import Address, Engine, Timer, Wire
from .settings import Settings
from .tasks import Pending, Task, spawn

SILENT_HEARTBEATS = 3
_LARGEST_OPAQUE = (1 << 31) - 2


class Request:
    """One request under way."""

    __slots__ = ("opaque", "data", "reply", "timer", "again", "pinned", "times_sent", "greeting")

    def __init__(self, opaque: int, data: bytes, again: bool, pinned: bool, greeting: bool) -> None:
        self.opaque = opaque
        self.data = data
        self.reply: Pending[Reply] = Pending()
        self.timer: Optional[Timer] = None
        #: may be sent a second time after a lost connection
        self.again = again
        #: but only to the same broker
        self.pinned = pinned
        self.times_sent = 0
        self.greeting = greeting


def text_of(reply: Reply, server: str = "") -> str:
    """The text of a reply 200.

    :raises BrokerError: for any other code
    """
    if not isinstance(reply, Result):
        raise ProtocolError("a value where a result was expected")
    if reply.code != 200:
        raise of_reply(reply.code, reply.text, server)
    return reply.text


class Link:
    """:param addresses: those of one broker, or of several of which any will do; they are tried in turn"""

    def __init__(self, engine: Engine, settings: Settings, addresses: Sequence[Address], home: bool) -> None:
        self._engine = engine
        self._settings = settings
        self._addresses = list(addresses)
        self._home = home
        self.state = "waiting"
        self.server = "{}:{}".format(*self._addresses[0])
        self.negotiated = negotiation.Negotiated("")
        self.epoch = 0
        #: who gets what comes unasked, by number of the consumer
        self.consumers: Dict[int, Any] = {}
        #: run at each new connection before it is ready, in order
        self.restorers: List[Callable[["Link"], Awaitable[None]]] = []
        #: told behind the requests that were sent again: the link is ready
        self.when_ready: List[Callable[[], None]] = []
        #: told when a connection that was ready is lost
        self.when_lost: List[Callable[[], None]] = []
        #: told when it is closed for good
        self.when_closed: List[Callable[[], None]] = []
        self._wire: Optional[Wire] = None
        self._give_up: Optional[Callable[[], None]] = None
        self._decoder = FrameDecoder()
        self._waiting: Dict[int, Request] = {}
        self._queue: Deque[Request] = deque()
        self._opaque = 0
        self._failures = 0
        self._timer: Optional[Timer] = None
        self._beat: Optional[Timer] = None
        self._heard = self._said = False
        self._silent = 0
        self._greeter: Optional[Task] = None
        self._ready: Pending[None] = Pending()
        self.last_error: Exception = BrokerUnavailableError("not connected yet to {}".format(self.server))
        self.fatal: Optional[Exception] = None

    # ---- for those who ask

    @property
    def features(self) -> frozenset:
        return self.negotiated.features

    def start(self) -> None:
        """Begins to connect."""
        if self.state == "waiting" and self._timer is None:
            self._connect()

    def until_ready(self) -> "Pending[None]":
        """Is there when the link is ready; fails only when it never will be."""
        return self._ready

    def why_not_ready(self) -> Exception:
        return self.fatal or self.last_error

    def ask(
        self,
        encoder: Callable[..., bytes],
        *arguments: Any,
        timeout: Optional[float] = None,
        again: bool = False,
        pinned: bool = False,
    ) -> "Pending[Reply]":
        """Sends a request as soon as the link is ready.

        :param encoder: of :mod:`requests`; is given an opaque and the arguments
        :param timeout: seconds until the reply must be there; without: the client's
        :param again: whether it is sent a second time after a lost connection
        :param pinned: only to the broker to which it was sent first
        """
        return self.submit(self.prepare(encoder, *arguments, again=again, pinned=pinned), timeout)

    def prepare(
        self, encoder: Callable[..., bytes], *arguments: Any, again: bool = False, pinned: bool = False
    ) -> Request:
        """A request that is not sent yet."""
        self._opaque = 1 if self._opaque >= _LARGEST_OPAQUE else self._opaque + 1
        return Request(self._opaque, encoder(self._opaque, *arguments), again, pinned, False)

    def submit(self, request: Request, timeout: Optional[float] = None) -> "Pending[Reply]":
        """Sends what was prepared."""
        seconds = self._settings.timeout if timeout is None else timeout
        if self.state == "closed":
            request.reply.fail(self.fatal or ClientClosedError("the client is closed"))
            return request.reply
        if self.state == "ready" and not self._fits(request):
            return request.reply
        request.timer = self._engine.call_later(seconds, lambda: self._late(request, seconds))
        if self.state == "ready":
            self._send(request)
        else:
            self._queue.append(request)
        return request.reply

    def tell(self, data: bytes) -> None:
        """Sends what has no answer; if the link is not ready it is dropped."""
        if self.state == "ready" and self._wire is not None:
            self._said = True
            self._wire.write(data)

    async def text(self, encoder: Callable[..., bytes], *arguments: Any, **how: Any) -> str:
        """The text of the answer 200.

        :raises BrokerError: for any other
        """
        return text_of(await self.ask(encoder, *arguments, **how), self.server)

    def close(self, why: Optional[Exception] = None) -> None:
        """Ends it for good. What waits for an answer fails."""
        if self.state == "closed":
            return
        self.state = "closed"
        self.fatal = why or ClientClosedError("the client is closed")
        for timer in (self._timer, self._beat):
            if timer is not None:
                timer.cancel()
        if self._give_up is not None:
            self._give_up()
        if self._wire is not None:
            self._wire.close()
            self._wire = None
        if self._greeter is not None:
            self._greeter.cancel()
        for request in [*self._waiting.values(), *self._queue]:
            self._settle(request, self.fatal)
        self._waiting.clear()
        self._queue.clear()
        if not self._ready.done:
            self._ready.fail(self.fatal)
        for told in list(self.when_closed):
            told()

    # ---- sending

    def _fits(self, request: Request) -> bool:
        """Refuses here what would make the broker close the connection."""
        line = request.data.find(b"\r\n", 0, self.negotiated.max_line)
        wrong = None
        if line < 0:
            wrong = "a line of more than {} bytes".format(self.negotiated.max_line)
        elif len(request.data) - line - 2 > self.negotiated.max_body:
            wrong = "{} bytes, of which the broker takes {}".format(len(request.data), self.negotiated.max_body)
        if wrong is not None:
            self._settle(request, TooLargeError(wrong, None, self.server))
        return wrong is None

    def _send(self, request: Request) -> None:
        request.times_sent += 1
        self._said = True
        self._waiting[request.opaque] = request
        assert self._wire is not None
        self._wire.write(request.data)

    def _late(self, request: Request, seconds: float) -> None:
        self._waiting.pop(request.opaque, None)
        if request in self._queue:
            self._queue.remove(request)
        if request.times_sent:
            error: MetaqError = RequestTimeoutError("no answer from {} within {:g} s".format(self.server, seconds))
        elif self.state == "ready":
            error = RequestTimeoutError("not sent to {} within {:g} s".format(self.server, seconds), False)
        else:
            error = BrokerUnavailableError("{} cannot be reached: {}".format(self.server, self.last_error))
        request.timer = None
        self._settle(request, error)

    @staticmethod
    def _settle(request: Request, error: BaseException) -> None:
        if request.timer is not None:
            request.timer.cancel()
        request.reply.fail(error)

    # ---- from the engine

    def connected(self, wire: Wire) -> None:
        self._give_up = None
        self._wire = wire
        self._decoder = FrameDecoder()
        self.state = "greeting"
        self.epoch += 1
        self._greeter = spawn(self._greet())
        self._greeter.on_done(self._greeted)

    def received(self, data: bytes) -> None:
        self._heard = True
        try:
            for frame in self._decoder.feed(data):
                if isinstance(frame, Delivered):
                    consumer = self.consumers.get(frame.consumer)
                    if consumer is not None:
                        consumer.delivered(frame)
                elif isinstance(frame, Detached):
                    consumer = self.consumers.get(frame.consumer)
                    if consumer is not None:
                        consumer.detached(frame.text)
                else:
                    request = self._waiting.pop(frame.opaque, None)
                    if request is not None:
                        if request.timer is not None:
                            request.timer.cancel()
                        request.reply.resolve(frame)
        except ProtocolError as error:
            self._drop(error)

    def lost(self, error: Exception) -> None:
        if self.state == "closed":
            return
        self._give_up = None
        self._wire = None
        if isinstance(error, CertificateError) and self.epoch == 0:
            self.close(error)
            return
        was_ready, self.state = self.state == "ready", "waiting"
        if not isinstance(error, MetaqError):
            error = BrokerUnavailableError("{}: {}".format(self.server, error))
        self.last_error = error
        self._failures += 1
        for timer in (self._timer, self._beat):
            if timer is not None:
                timer.cancel()
        self._timer = self._engine.call_later(self._settings.backoff.seconds(self._failures), self._connect)
        if was_ready:
            self._ready = Pending()
        again = [request for request in self._waiting.values() if request.again]
        failed = [request for request in self._waiting.values() if not request.again]
        self._waiting.clear()
        self._queue.extendleft(reversed(again))
        if was_ready:
            for told in self.when_lost:
                told()
        for request in failed:
            self._settle(
                request, ConnectionLostError("the connection to {} ended before the answer: {}".format(self.server, error))
            )

    def _drop(self, error: Exception) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            wire.close()
        self.lost(error)

    # ---- connecting

    def _connect(self) -> None:
        if self.state != "waiting":
            return
        address = self._addresses[0]
        self._addresses.append(self._addresses.pop(0))
        self.server = "{}:{}".format(*address)
        self.state = "connecting"
        seconds = self._settings.connect_timeout
        self._timer = self._engine.call_later(seconds, self._too_slow)
        name = self._settings.tls_server_name or address[0]
        self._give_up = self._engine.open(address, self._settings.tls, name, self)

    def _too_slow(self) -> None:
        if self._give_up is not None:
            self._give_up()
        error = BrokerUnavailableError(
            "{} did not answer within {:g} s".format(self.server, self._settings.connect_timeout)
        )
        self._drop(error)

    async def _greet(self) -> None:
        settings = self._settings
        hello = await self._greeting(requests.version, negotiation.PROTOCOL, settings.name)
        try:
            negotiated = negotiation.parse(text_of(hello, self.server))
        except ValueError as wrong:
            raise ProtocolError("{} greets strangely: {}".format(self.server, wrong)) from None
        if settings.user is not None and "login" in negotiated.features:
            text_of(await self._greeting(requests.login, settings.user, settings.password), self.server)
        elif negotiated.login_required:
            raise UnauthorizedError("the broker serves nobody who did not log in: give user and password", 401, self.server)
        before, self.negotiated = self.negotiated, negotiated
        if before.broker_id is not None and before.broker_id != negotiated.broker_id:
            self._other_broker()
        if self._home and settings.client_id is not None and "login" in negotiated.features:
            text_of(await self._greeting(requests.client, settings.client_id), self.server)
        for restore in list(self.restorers):
            await restore(self)

    def _greeting(self, encoder: Callable[..., bytes], *arguments: Any) -> "Pending[Reply]":
        """A request in front of all others. The time limit is that of the connection as a whole."""
        request = self.prepare(encoder, *arguments)
        request.greeting = True
        if self._wire is None:
            request.reply.fail(ConnectionLostError("the connection to {} ended".format(self.server)))
        else:
            self._send(request)
        return request.reply

    #: for restorers: as ``ask``, while the link is not ready yet
    greeting = _greeting

    def _other_broker(self) -> None:
        pinned = [request for request in self._queue if request.pinned and request.times_sent]
        for request in pinned:
            self._queue.remove(request)
            self._settle(request, ConnectionLostError("another broker answers at {} now".format(self.server)))

    def _greeted(self, task: Pending) -> None:
        if self.state != "greeting" or task is not self._greeter:
            return
        error = task.error
        if error is None:
            self._become_ready()
        elif isinstance(error, UnauthorizedError) or (isinstance(error, ConflictError) and self.epoch == 1):
            self.close(error)
        elif isinstance(error, Exception):
            self._drop(error)

    def _become_ready(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.state = "ready"
        self._failures = 0
        self._silent = 0
        self._beat = self._engine.call_later(self._settings.heartbeat, self._heartbeat)
        queue, self._queue = self._queue, deque()
        for request in queue:
            if self.state == "ready" and self._fits(request):
                self._send(request)
        self._ready.resolve()
        for told in list(self.when_ready):
            told()

    # ---- heartbeat

    def _heartbeat(self) -> None:
        """Asks after an idle time; three times in vain and the connection is dead."""
        if self.state != "ready":
            return
        self._silent = 0 if self._heard else self._silent + 1
        if self._silent > SILENT_HEARTBEATS:
            self._drop(BrokerUnavailableError("{} is silent".format(self.server)))
            return
        if not self._heard or not self._said:
            self._send(self.prepare(requests.version))
        self._heard = self._said = False
        self._beat = self._engine.call_later(self._settings.heartbeat, self._heartbeat)
