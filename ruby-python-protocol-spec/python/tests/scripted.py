"""An engine with a clock of its own, and a peer that answers as a test says: the core without sockets, threads and time."""

from __future__ import annotations

import heapq
import itertools
from typing import Any, Callable, List, Optional

from metaq._protocol import frames, parsing
from metaq.core.pool import Pool
from metaq.core.settings import Settings

GREETING = (
    "2.0.0\r\nprotocol 2\r\nbroker_id 7\r\nmax_body 16777216\r\nmax_line 16384\r\n"
    "features append,idempotence,get-wait,offset-time,topic,group,login,subscription,transact,transaction,routes\r\n"
)
ROUTES = "broker 7 127.0.0.1:8123 partitions 1 publish true subscribe true\r\n"


class _Timer:
    def __init__(self, call: Callable[[], Any]) -> None:
        self.call: Optional[Callable[[], Any]] = call

    def cancel(self) -> None:
        self.call = None


class Connection:
    """One connection of the core to the peer."""

    def __init__(self, peer: "Peer", address: Any, user: Any) -> None:
        self.address = address
        self._peer = peer
        self._user = user
        self._decoder = parsing.RequestDecoder()
        self.open = True
        self.requests: List[parsing.Request] = []

    def write(self, data: bytes) -> None:
        for request in self._decoder.feed(data):
            self.requests.append(request)
            self._peer.engine.call_later(0, lambda request=request: self._peer.asked(self, request))

    def close(self) -> None:
        self.open = False

    def send(self, frame: frames.Frame) -> None:
        if self.open:
            self._user.received(frames.encode(frame))

    def lose(self) -> None:
        if self.open:
            self.open = False
            self._user.lost(ConnectionError("cut by the test"))

    def of(self, verb: str) -> List[parsing.Request]:
        return [request for request in self.requests if request.verb == verb]


class Peer:
    """Greets, tells routes, and hands everything else to ``answer``."""

    def __init__(self, engine: "ScriptedEngine") -> None:
        self.engine = engine
        self.connections: List[Connection] = []
        self.refuses = False
        self.gone: set = set()
        self.routes: Any = lambda connection: ROUTES
        self.silent = False
        self.greeting = GREETING
        self.answer: Callable[[Connection, parsing.Request], Optional[frames.Frame]] = lambda connection, request: None

    def asked(self, connection: Connection, request: parsing.Request) -> None:
        if self.silent or not connection.open:
            return
        if request.verb == "version":
            # each port is a broker: the default one has number 7
            greeting = self.greeting.replace("broker_id 7", "broker_id {}".format(connection.address[1] - 8116))
            text = greeting if len(request.tokens) > 2 else "2.0.0"
            connection.send(frames.Result(200, text, request.opaque))
        elif request.verb == "topic" and request.tokens[1] == "routes":
            connection.send(frames.Result(200, self.routes(connection), request.opaque))
        else:
            reply = self.answer(connection, request)
            if reply is not None:
                connection.send(reply)

    @property
    def last(self) -> Connection:
        return self.connections[-1]


class ScriptedEngine:
    """Time passes when the test says so."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._timers: List[Any] = []
        self._order = itertools.count()
        self.peer = Peer(self)

    def now(self) -> float:
        return self._now

    def now_ms(self) -> int:
        return int(self._now * 1000)

    def call_later(self, seconds: float, call: Callable[[], Any]) -> _Timer:
        timer = _Timer(call)
        heapq.heappush(self._timers, (self._now + seconds, next(self._order), timer))
        return timer

    def defer(self, call: Callable[..., Any], *arguments: Any) -> None:
        call(*arguments)

    def open(self, address: Any, tls: Any, server_name: Any, user: Any) -> Callable[[], None]:
        def connect() -> None:
            if self.peer.refuses or address in self.peer.gone:
                user.lost(ConnectionRefusedError("refused by the test"))
                return
            connection = Connection(self.peer, address, user)
            self.peer.connections.append(connection)
            user.connected(connection)

        return self.call_later(0, connect).cancel

    def pass_time(self, seconds: float = 0.0) -> None:
        """Everything that is due by then happens, in order."""
        end = self._now + seconds
        while self._timers and self._timers[0][0] <= end:
            when, _, timer = heapq.heappop(self._timers)
            self._now = max(self._now, when)
            if timer.call is not None:
                call, timer.call = timer.call, None
                call()
        self._now = end


def started(servers: str = "127.0.0.1:8123", **options: Any) -> Any:
    """An engine, its peer, and a pool that is connected to it."""
    engine = ScriptedEngine()
    pool = Pool(engine, Settings(servers, **options))
    pool.start()
    engine.pass_time()
    return engine, engine.peer, pool
