"""Batches on their way to one broker, in an order and with numbers by which the broker knows what it has stored already.

The rules are those of ``append`` in PROTOCOL.md: a batch gets its number when it is sent; after a lost connection the link sends
the unanswered ones again before anything new; a batch that was refused for sure is tried again under a new number; but one that
was sent twice keeps its number at 503 and 507, and nothing new is sent until it is answered.
"""

from __future__ import annotations

import itertools
from collections import deque
from typing import TYPE_CHECKING, Any, Deque, Dict, List, Optional

from .._protocol import requests
from .._protocol.frames import Result
from ..errors import BrokerError, MetaqError, ProtocolError, RequestTimeoutError, of_reply
from .link import Link, Request
from .tasks import Pending, spawn

if TYPE_CHECKING:
    from .producer import ProducerCore

MAX_BATCHES_OF_A_BROKER = 100
MAX_SMALL_BATCHES = 4
MAX_FULL_BATCHES = 16
AGAIN = (408, 503, 507)
_KEEPS_NUMBER = (503, 507)


_turns = itertools.count()


class Batch:
    """Messages of one partition that are sent as one."""

    __slots__ = ("lane", "parts", "futures", "size", "deadline", "seq", "failures", "request", "free", "turn")

    def __init__(self, lane: "Lane", deadline: float) -> None:
        self.lane = lane
        #: its place among the batches of the producer, which it keeps when it is tried again
        self.turn = next(_turns)
        self.parts: List[bytes] = []
        self.futures: List[Any] = []
        self.size = 0
        self.deadline = deadline
        self.seq: Optional[int] = None
        self.failures = 0
        self.request: Optional[Request] = None
        #: whether its messages may go to any partition
        self.free = True


class Lane:
    """A partition of a broker, or with ``-1`` any: an open batch, and those that wait to be sent."""

    def __init__(self, outbox: "Outbox", topic: str, partition: int) -> None:
        self.outbox = outbox
        self.topic = topic
        self.partition = partition
        self.open: Optional[Batch] = None
        self.waiting: Deque[Batch] = deque()
        self.under_way = 0
        self.lingers = False

    def add(self, stored: bytes, future: Any, free: bool) -> None:
        """Takes one message, and sends it if there is room."""
        producer = self.outbox.producer
        batch = self.open
        if batch is not None and batch.size + len(stored) > producer.max_batch_bytes:
            self.waiting.append(batch)
            self.open = batch = None
        if batch is None:
            batch = self.open = Batch(self, producer.engine.now() + producer.timeout)
            if producer.linger and not producer.flushing:
                self.lingers = True
                producer.engine.call_later(producer.linger, self._lingered)
        batch.parts.append(stored)
        batch.futures.append(future)
        batch.size += len(stored)
        if not free:
            batch.free = False
        if not self.lingers or self.waiting:
            self.pump()

    def _lingered(self) -> None:
        self.lingers = False
        self.pump()

    def pump(self) -> None:
        """Sends what may be sent."""
        while self.outbox.may_send():
            if self.waiting:
                if self.under_way >= MAX_FULL_BATCHES:
                    return
                self.outbox.send(self.waiting.popleft())
            elif self.open is not None and not self.lingers and self.under_way < self.outbox.small_batches:
                batch, self.open = self.open, None
                self.outbox.send(batch)
            else:
                return

    def put_back(self, batch: Batch) -> None:
        """To be sent again, in front of what was made after it and behind what was made before."""
        place = 0
        while place < len(self.waiting) and self.waiting[place].turn < batch.turn:
            place += 1
        self.waiting.insert(place, batch)

    def batches(self) -> List[Batch]:
        return [*self.waiting, *((self.open,) if self.open is not None else ())]


class Outbox:
    """:param broker: its id, as results tell it"""

    def __init__(self, producer: "ProducerCore", link: Link, broker: int) -> None:
        self.producer = producer
        self.link = link
        self.broker = broker
        self.lanes: Dict[Any, Lane] = {}
        self.small_batches = MAX_SMALL_BATCHES
        self._under_way = 0
        self._next_seq = 0
        self._held: Optional[Batch] = None
        self._paused = False
        self._speaks_append = True
        link.when_ready.append(self._link_ready)
        link.when_lost.append(self._link_lost)
        if link.state == "ready":
            self._link_ready()

    def lane(self, topic: str, partition: int) -> Lane:
        lane = self.lanes.get((topic, partition))
        if lane is None:
            lane = self.lanes[(topic, partition)] = Lane(self, topic, partition)
        return lane

    def may_send(self) -> bool:
        return (
            self.link.state == "ready"
            and not self._paused
            and self._held is None
            and self._under_way < MAX_BATCHES_OF_A_BROKER
        )

    def pump(self) -> None:
        for lane in list(self.lanes.values()):
            if not self.may_send():
                return
            if lane.waiting or lane.open is not None:
                lane.pump()

    def close(self) -> None:
        if self._link_ready in self.link.when_ready:
            self.link.when_ready.remove(self._link_ready)
            self.link.when_lost.remove(self._link_lost)

    def _link_ready(self) -> None:
        self._speaks_append = "append" in self.link.features
        self.small_batches = MAX_SMALL_BATCHES if self._speaks_append else 1
        self.pump()

    def _link_lost(self) -> None:
        """What was not sent yet and may go anywhere goes to another broker, if there is one."""
        for lane in self.lanes.values():
            for batch in lane.batches():
                if batch.seq is None and self.producer.elsewhere(batch):
                    if batch is lane.open:
                        lane.open = None
                    else:
                        lane.waiting.remove(batch)

    # ---- one batch

    def send(self, batch: Batch) -> None:
        producer = self.producer
        remaining = batch.deadline - producer.engine.now()
        lane = batch.lane
        if remaining <= 0:
            if batch is self._held:
                self._held = None
            producer.failed(batch, RequestTimeoutError("not sent within {:g} s".format(producer.timeout), False))
            return
        self._under_way += 1
        lane.under_way += 1
        if not self._speaks_append:
            spawn(self._put_each(batch)).on_done(lambda _: self._ended(lane))
            return
        numbered = producer.idempotent and "idempotence" in self.link.features
        if numbered and batch.seq is None:
            batch.seq = self._next_seq
            self._next_seq += len(batch.parts)
        request = batch.request = self.link.prepare(
            requests.append,
            batch.lane.topic,
            batch.lane.partition,
            len(batch.parts),
            b"".join(batch.parts),
            producer.producer_id if numbered else None,
            batch.seq if numbered else None,
            producer.durability,
            again=numbered,
            pinned=True,
        )
        self.link.submit(request, remaining).on_done(lambda reply: self._answered(batch, reply))

    def _ended(self, lane: Lane) -> None:
        self._under_way -= 1
        lane.under_way -= 1
        lane.pump()
        self.pump()

    def _answered(self, batch: Batch, reply: Pending) -> None:
        request, batch.request = batch.request, None
        lane = batch.lane
        was_held = batch is self._held
        if was_held:
            self._held = None
        error: Optional[BaseException] = reply.error
        if error is None:
            result = reply.result()
            if isinstance(result, Result) and result.code == 200:
                error = self._stored(batch, result.text)
            elif isinstance(result, Result):
                error = of_reply(result.code, result.text, self.link.server)
            else:
                error = ProtocolError("a value in answer to append")
        if error is not None:
            twice = was_held or (request is not None and request.times_sent > 1)
            self._refused(batch, error, twice)
        self._ended(lane)

    def _stored(self, batch: Batch, text: str) -> Optional[Exception]:
        try:
            message_id, partition, offset = map(int, text.split())
        except ValueError:
            return ProtocolError("no answer to append: {!r}".format(text[:100]))
        self.producer.stored(batch, self.broker, message_id, partition, offset)
        return None

    def _refused(self, batch: Batch, error: BaseException, twice: bool) -> None:
        code = error.code if isinstance(error, BrokerError) else None
        in_time = self.producer.engine.now() < batch.deadline
        if code in AGAIN and in_time:
            if twice and batch.seq is not None and code in _KEEPS_NUMBER:
                self._held = batch
            else:
                batch.seq = None
                if self.producer.elsewhere(batch):
                    return
                batch.lane.put_back(batch)
            batch.failures += 1
            self._pause(self.producer.backoff.seconds(batch.failures))
        elif code == 409 and twice and in_time:
            batch.seq = None  # the number is forgotten, so it is not stored
            batch.lane.put_back(batch)
        elif code == 403 and self.producer.elsewhere(batch):
            pass
        else:
            self.producer.failed(batch, error)

    def _pause(self, seconds: float) -> None:
        self._paused = True
        self.producer.engine.call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._paused = False
        if self._held is not None:
            held = self._held
            self.send(held)
        else:
            self.pump()

    def expire(self, now: float) -> None:
        """Gives up what waits for too long to be sent."""
        for lane in self.lanes.values():
            for batch in lane.batches():
                if batch.deadline > now:
                    continue
                if batch is lane.open:
                    lane.open = None
                else:
                    lane.waiting.remove(batch)
                why = self.link.why_not_ready() if self.link.state != "ready" else None
                self.producer.failed(
                    batch, why or RequestTimeoutError("not sent within {:g} s".format(self.producer.timeout), False)
                )

    async def _put_each(self, batch: Batch) -> None:
        """For brokers without ``append``: one at a time, since 1.4 keeps no order among pipelined ones."""
        from .._protocol.storage import HEADER

        for at, stored in enumerate(batch.parts):
            _, crc, _, flag = HEADER.unpack_from(stored)
            try:
                text = await self.link.text(
                    requests.put, batch.lane.topic, batch.lane.partition, stored[HEADER.size :], flag, crc
                )
                message_id, partition, offset = map(int, text.split())
            except (MetaqError, ValueError) as error:
                self.producer.failed_one(batch, at, error)
            else:
                self.producer.stored_one(batch, at, self.broker, message_id, partition, offset)
