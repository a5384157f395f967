"""A producer: finds the partition of each message, gathers batches, and settles their futures."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple, Union

from ..errors import BufferFullError, ClientClosedError, NotFoundError
from ..message import Message
from ..partitioners import Partitioner, by_key
from ..results import SendResult
from .engine import within
from .outbox import Batch, Lane, Outbox
from .pool import ROUTES_LAST_S, Partition, Pool
from .settings import Backoff
from .tasks import Pending, spawn

_SWEEP_S = 0.25
Wanted = Union[None, int, Partition]


class _Topic:
    """What is known of a topic: its partitions, and the messages that wait for that."""

    __slots__ = ("partitions", "lanes", "turn", "at", "asking", "waiting", "guess")

    def __init__(self) -> None:
        self.partitions: Sequence[Partition] = ()
        self.lanes: List[Lane] = []
        self.turn = 0
        self.at = 0.0
        self.asking = False
        self.waiting: List[Tuple[bytes, Any, Optional[Message], Wanted]] = []
        #: nobody knows the topic: the home broker may make it
        self.guess = False


class ProducerCore:
    """Checked parameters are those of :meth:`metaq.Client.producer`."""

    def __init__(
        self,
        pool: Pool,
        partitioner: Optional[Partitioner],
        idempotent: bool,
        durability: Optional[str],
        linger: float,
        max_batch_bytes: int,
        max_in_flight_bytes: int,
        timeout: float,
        origin: Optional[str],
        producer_id: Optional[int] = None,
    ) -> None:
        if durability not in (None, "os", "disk"):
            raise ValueError("durability is 'os', 'disk' or None, not {!r}".format(durability))
        if partitioner is not None and not callable(partitioner):
            raise TypeError("a partitioner is callable")
        for what, number in (("max_batch_bytes", max_batch_bytes), ("max_in_flight_bytes", max_in_flight_bytes)):
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise ValueError("{} is a number of bytes above 0, not {!r}".format(what, number))
        if not 0 <= linger < 60 or not 0 < timeout < 1e7:
            raise ValueError("linger is 0 to 60 s, timeout above 0")
        self.pool = pool
        self.engine = pool.engine
        self.backoff: Backoff = pool.settings.backoff
        self.partitioner = partitioner
        self.idempotent = idempotent
        self.durability = durability
        self.linger = linger
        self.max_batch_bytes = max_batch_bytes
        self.max_in_flight_bytes = max_in_flight_bytes
        self.timeout = timeout
        self.origin = origin
        self.producer_id = producer_id or new_producer_id()
        self.buffered = 0
        self.outstanding = 0
        self.closed = False
        self.checked_topics: Set[str] = set()
        self._topics: Dict[str, _Topic] = {}
        self._outboxes: Dict[int, Outbox] = {}
        self._room: List[Pending] = []
        self._idle: List[Pending] = []
        self._sweeping = False

    # ---- for the front

    def submit(
        self, topic: str, stored: bytes, future: Any, message: Optional[Message] = None, wanted: Wanted = None
    ) -> None:
        """Takes a message in storage format; ``future`` is settled with a :class:`SendResult`.

        :param message: for the partitioner; None for one without key, if there is no partitioner
        :param wanted: the partition, if the caller knows it
        """
        if self.closed:
            raise ClientClosedError("the producer is closed")
        self.buffered += len(stored)
        self.outstanding += 1
        if not self._sweeping:
            self._sweeping = True
            self.engine.call_later(_SWEEP_S, self._sweep)
        known = self._topics.get(topic)
        if known is None:
            known = self._topics[topic] = _Topic()
        if known.lanes and not known.waiting:
            if self.engine.now() - known.at > ROUTES_LAST_S:
                self._look_up(topic, known)
            self._place(topic, known, stored, future, message, wanted)
        else:
            known.waiting.append((stored, future, message, wanted))
            self._look_up(topic, known)

    def until_room_within(self) -> "Pending[None]":
        """Is there when there is room for more.

        :raises RequestTimeoutError: if there is none for as long as a message may take
        """
        pending: Pending[None] = Pending()
        if self.buffered < self.max_in_flight_bytes:
            pending.resolve()
        else:
            self._room.append(pending)
        return within(self.engine, pending, self.timeout, "waiting for room to send")

    @property
    def flushing(self) -> bool:
        """Whether somebody waits for everything to be sent: then no batch waits for more."""
        return bool(self._idle)

    def check_room(self) -> None:
        """:raises BufferFullError: if there is none"""
        if self.buffered >= self.max_in_flight_bytes:
            raise BufferFullError("{} bytes are under way".format(self.buffered))

    def until_idle_within(self, seconds: float) -> "Pending[None]":
        """Is there when every message that was sent so far is settled."""
        pending: Pending[None] = Pending()
        for outbox in self._outboxes.values():
            for lane in outbox.lanes.values():
                lane.lingers = False
            outbox.pump()
        if self.outstanding == 0:
            pending.resolve()
        else:
            self._idle.append(pending)
        return within(self.engine, pending, seconds, "flush")

    def close(self) -> None:
        """What is not settled by now fails. Flush before."""
        if self.closed:
            return
        self.closed = True
        error = ClientClosedError("the producer is closed")
        for outbox in self._outboxes.values():
            outbox.close()
            for lane in outbox.lanes.values():
                for batch in lane.batches():
                    self.failed(batch, error)
                lane.open = None
                lane.waiting.clear()
        for topic in self._topics.values():
            for stored, future, _, _ in topic.waiting:
                self._settle_error([future], len(stored), error)
            topic.waiting.clear()
        for pending in self._room:
            pending.resolve()
        self._room.clear()

    async def partition_for(self, topic: str, message: Message, wanted: Wanted) -> Partition:
        """Where a message will go, for one who has to know before it is sent."""
        known = self._topics.get(topic)
        if known is None:
            known = self._topics[topic] = _Topic()
        if not known.lanes:
            await self._find(topic, known)
        lane = self._lane(topic, known, message, wanted)
        return Partition(lane.outbox.broker, lane.partition)

    # ---- routes

    def _look_up(self, topic: str, known: _Topic) -> None:
        if not known.asking:
            known.asking = True
            spawn(self._find(topic, known)).on_done(lambda done: self._found(topic, known, done.error))

    async def _find(self, topic: str, known: _Topic) -> None:
        home = self.pool.home
        if topic.startswith("temp:"):
            known.partitions = [Partition(-1, 0)]
        else:
            try:
                routes = await self.pool.routes(topic)
                known.partitions = [
                    Partition(route.broker, number) for route in routes if route.publish for number in range(route.partitions)
                ]
                if not known.partitions:
                    raise NotFoundError("no broker takes messages of {}".format(topic), 404, home.server)
                known.guess = False
            except NotFoundError:
                # the first message may make it; the broker refuses it if not
                known.partitions = [Partition(-1, -1)]
                known.guess = True
        known.at = self.engine.now()
        known.lanes = [self._outbox(place.broker).lane(topic, place.partition) for place in known.partitions]
        known.partitions = tuple(Partition(lane.outbox.broker, lane.partition) for lane in known.lanes)

    def _outbox(self, broker: int) -> Outbox:
        link = self.pool.link_of(broker)
        actual = link.negotiated.broker_id if link.negotiated.broker_id is not None else 0
        broker = actual if broker == -1 else broker
        outbox = self._outboxes.get(broker)
        if outbox is None:
            outbox = self._outboxes[broker] = Outbox(self, link, broker)
        return outbox

    def _found(self, topic: str, known: _Topic, error: Optional[BaseException]) -> None:
        known.asking = False
        waiting, known.waiting = known.waiting, []
        for stored, future, message, wanted in waiting:
            if error is not None and not known.lanes:
                self._settle_error([future], len(stored), error)
            elif not self.closed:
                self._place(topic, known, stored, future, message, wanted)

    def _place(
        self, topic: str, known: _Topic, stored: bytes, future: Any, message: Optional[Message], wanted: Wanted
    ) -> None:
        try:
            lane = self._lane(topic, known, message, wanted)
        except Exception as error:  # a partitioner of the application may raise anything
            self._settle_error([future], len(stored), error)
            return
        keyed = message is not None and (message.key is not None or self.partitioner is not None)
        lane.add(stored, future, wanted is None and not keyed)

    def _lane(self, topic: str, known: _Topic, message: Optional[Message], wanted: Wanted) -> Lane:
        lanes = known.lanes
        if wanted is not None:
            return self._wanted_lane(topic, known, wanted)
        if message is not None and (self.partitioner is not None or message.key is not None):
            chosen = (self.partitioner or by_key)(message, known.partitions)
            try:
                return lanes[known.partitions.index(chosen)]
            except ValueError:
                raise ValueError("the partitioner chose {!r}, which is none of the topic's".format(chosen)) from None
        lane = lanes[known.turn % len(lanes)]
        if (lane.open is None or lane.outbox.link.state != "ready") and len(lanes) > 1:
            # a batch has left: the next one goes to the next partition, of a broker that is there if possible
            for step in range(1, len(lanes) + 1):
                candidate = lanes[(known.turn + step) % len(lanes)]
                if candidate.outbox.link.state == "ready":
                    known.turn = (known.turn + step) % len(lanes)
                    return candidate
        return lane

    def _wanted_lane(self, topic: str, known: _Topic, wanted: Union[int, Partition]) -> Lane:
        if isinstance(wanted, Partition):
            return self._outbox(wanted.broker).lane(topic, wanted.partition)
        for lane in known.lanes:
            if lane.partition == wanted:
                return lane
        if known.guess:
            return known.lanes[0].outbox.lane(topic, wanted)
        raise NotFoundError("{} has no partition {}".format(topic, wanted), 404)

    def elsewhere(self, batch: Batch) -> bool:
        """Gives a batch that may go anywhere to another broker. False if there is none that is ready."""
        known = self._topics.get(batch.lane.topic)
        if not batch.free or known is None:
            return False
        for lane in known.lanes:
            if lane.outbox is not batch.lane.outbox and lane.outbox.link.state == "ready":
                batch.lane = lane
                batch.seq = None
                lane.put_back(batch)
                self.engine.call_later(0, lane.pump)
                return True
        return False

    # ---- outcomes

    def stored(self, batch: Batch, broker: int, message_id: int, partition: int, offset: int) -> None:
        topic = batch.lane.topic
        results = []
        for stored in batch.parts:
            results.append(SendResult(message_id, topic, broker, partition, offset))
            message_id += 1
            offset += len(stored)
        self.engine.defer(_complete, batch.futures, results)
        self._done(len(batch.parts), batch.size)
        known = self._topics.get(topic)
        if known is not None and known.guess:
            self.pool.forget(topic)
            self._look_up(topic, known)

    def failed(self, batch: Batch, error: BaseException) -> None:
        self._forget(batch.lane.topic)
        self._settle_error(batch.futures, batch.size, error)

    def stored_one(self, batch: Batch, at: int, broker: int, message_id: int, partition: int, offset: int) -> None:
        result = SendResult(message_id, batch.lane.topic, broker, partition, offset)
        self.engine.defer(_complete, [batch.futures[at]], [result])
        self._done(1, len(batch.parts[at]))

    def failed_one(self, batch: Batch, at: int, error: BaseException) -> None:
        self._settle_error([batch.futures[at]], len(batch.parts[at]), error)

    def _forget(self, topic: str) -> None:
        """Something is wrong: its routes are asked anew at the next send."""
        self.pool.forget(topic)
        known = self._topics.get(topic)
        if known is not None:
            known.at = float("-inf")
            if known.guess:
                known.lanes = []

    def _settle_error(self, futures: List[Any], size: int, error: BaseException) -> None:
        self.engine.defer(_fail, futures, error)
        self._done(len(futures), size)

    def _done(self, count: int, size: int) -> None:
        self.outstanding -= count
        self.buffered -= size
        if self._room and self.buffered < self.max_in_flight_bytes:
            room, self._room = self._room, []
            for pending in room:
                pending.resolve()
        if self.outstanding == 0 and self._idle:
            idle, self._idle = self._idle, []
            for pending in idle:
                pending.resolve()

    def _sweep(self) -> None:
        """Time limits of what was not sent yet."""
        self._sweeping = False
        if self.closed or not self.outstanding:
            return
        now = self.engine.now()
        for outbox in self._outboxes.values():
            outbox.expire(now)
        self._sweeping = True
        self.engine.call_later(_SWEEP_S, self._sweep)


def _complete(futures: List[Any], results: List[SendResult]) -> None:
    for future, result in zip(futures, results):
        if not future.done():
            future.set_result(result)


def _fail(futures: List[Any], error: BaseException) -> None:
    for future in futures:
        if not future.done():
            future.set_exception(error)


def new_producer_id() -> int:
    """At random, 64 bits, not 0."""
    return random.SystemRandom().randrange(1, 1 << 63)
