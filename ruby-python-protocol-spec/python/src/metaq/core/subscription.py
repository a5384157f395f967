"""A consumer of a queue or of a topic's subscription: credit, deliveries, and what becomes of each message.

The broker sends no more than it was given credit for. Credit is given while somebody receives; a receive that ends without a
message takes it back; and what was delivered ahead and is not asked for within ``idle_return`` goes back to the broker, so that no
message waits here while another consumer could have it.

After a lost connection the link attaches again; what waited here is dropped (it comes again), and acknowledgements without an
answer are repeated before new credit is given.
"""

from __future__ import annotations

import itertools
from collections import deque
from typing import Deque, Dict, Iterable, Optional, Tuple, Union

from .._protocol import requests, storage
from .._protocol.frames import Delivered
from .._protocol.ranges import Ranges
from ..errors import (
    BrokerError,
    ClientClosedError,
    ConnectionLostError,
    ConsumerDetachedError,
    CorruptMessageError,
    MetaqError,
    NotFoundError,
    ProtocolError,
)
from ..received import ReceivedMessage
from ..results import Acknowledged
from .attachment import Attachment
from .engine import Timer, first_of
from .link import Link, text_of
from .pool import Pool
from .tasks import Pending, spawn

#: a line has a limit, and a range up to 50 characters
RANGES_OF_A_LINE = 200
_GATHER_S = 0.002
_numbers = itertools.count(1)


class SubscriptionCore:
    """:param prefetch: messages that are delivered ahead at most; 1 for none beyond the one that is asked for"""

    def __init__(
        self, pool: Pool, attachment: Attachment, prefetch: int, prefetch_bytes: int, idle_return: float
    ) -> None:
        for what, number in (("prefetch", prefetch), ("prefetch_bytes", prefetch_bytes)):
            if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number < 1 << 31:
                raise ValueError("{} is a whole number from 1, not {!r}".format(what, number))
        self.attachment = attachment
        self.number = next(_numbers) & 0x7FFFFFFF
        self.pool = pool
        self._engine = pool.engine
        self._link = pool.home
        self._prefetch = prefetch
        self._prefetch_bytes = prefetch_bytes
        self._idle_return = idle_return
        self._waiting: Deque[Union[ReceivedMessage, MetaqError]] = deque()
        self._waiting_bytes = 0
        self._credit = 0
        self._credit_bytes = 0
        self._receiving = 0
        self._draining = 0
        self._signal: Pending[None] = Pending()
        self._error: Optional[MetaqError] = None
        self._shown: Dict[Tuple[int, int], int] = {}
        self._acks = Ranges()
        self._gathering: Optional[Timer] = None
        self._idle: Optional[Timer] = None
        self._last_take = 0.0
        self.closed = False

    @property
    def ended(self) -> bool:
        """Whether the broker ended it."""
        return self._error is not None

    # ---- attaching

    async def attach(self) -> "SubscriptionCore":
        """Attaches, over lost connections too, as long as a call may take."""
        deadline = self._engine.now() + self.pool.settings.timeout
        while True:
            left = deadline - self._engine.now()
            try:
                await self._link.text(requests.attach, *self.attachment.arguments(self.number), timeout=max(0.001, left))
                break
            except ConnectionLostError:
                if left <= 0:
                    raise
        self._link.consumers[self.number] = self
        self._link.restorers.append(self._restore)
        self._link.when_ready.append(self._ready)
        self._link.when_lost.append(self._lost)
        self._link.when_closed.append(self._link_closed)
        return self

    async def _restore(self, link: Link) -> None:
        if self._error is not None or self.closed:
            return
        try:
            text_of(await link.greeting(requests.attach, *self.attachment.arguments(self.number)), link.server)
        except BrokerError as error:
            # a durable subscription's old connection may not be known to be dead yet
            if error.retriable or error.code == 409:
                raise
            self._end(ConsumerDetachedError("cannot attach again: {}".format(error)))

    def _ready(self) -> None:
        self._refill()

    def _lost(self) -> None:
        self._waiting.clear()
        self._waiting_bytes = 0
        self._credit = self._credit_bytes = 0
        self._shown.clear()

    def _link_closed(self) -> None:
        self._end(ClientClosedError("the client is closed"))

    def _leave(self) -> None:
        link = self._link
        link.consumers.pop(self.number, None)
        if self._restore in link.restorers:
            link.restorers.remove(self._restore)
            link.when_ready.remove(self._ready)
            link.when_lost.remove(self._lost)
            link.when_closed.remove(self._link_closed)
        for timer in (self._idle, self._gathering):
            if timer is not None:
                timer.cancel()

    # ---- from the broker

    def delivered(self, frame: Delivered) -> None:
        slice_ = storage.split(frame.data, frame.offset)
        self._credit = max(0, self._credit - frame.count)
        self._credit_bytes -= len(frame.data)
        if self.closed:
            return
        topic, broker = self.attachment.topic, self._link.negotiated.broker_id
        for stored in slice_.messages:
            self._waiting.append(ReceivedMessage(topic, broker, frame.partition, stored, frame.delivery, self))
        self._waiting_bytes += len(frame.data)
        if slice_.corrupt is not None:
            self._waiting.append(
                CorruptMessageError("a delivery does not fit its checksum", slice_.corrupt[0], slice_.corrupt[1])
            )
        elif len(slice_.messages) != frame.count:
            self._waiting.append(ProtocolError("a delivery of {} messages has another number".format(frame.count)))
        self._wake()
        if not self._receiving:
            self._watch_idleness()

    def detached(self, text: str) -> None:
        self._end(ConsumerDetachedError("the broker ended the consumer: {}".format(text)))

    def _end(self, error: MetaqError) -> None:
        self._error = error
        self._lost()
        self._leave()
        self._wake()

    def _wake(self) -> None:
        signal, self._signal = self._signal, Pending()
        signal.resolve()

    # ---- receiving

    def take(self) -> Optional[ReceivedMessage]:
        """A message that is here already.

        :raises MetaqError: if the consumer ended, or a delivery was damaged
        """
        if not self._waiting:
            if self.closed:
                raise ClientClosedError("the consumer is closed")
            if self._error is not None:
                raise self._error.with_traceback(None)
            return None
        message = self._waiting.popleft()
        if isinstance(message, MetaqError):
            raise message
        self._waiting_bytes -= len(message.raw) + 20
        self._shown[(message.partition, message.offset)] = message.next_offset
        self._last_take = self._engine.now()
        if self._prefetch > 1:
            self._refill()
            if self._idle is None:
                self._watch_idleness()
        return message

    def put_back(self, message: ReceivedMessage) -> None:
        """Nobody got the message that was taken last."""
        if self._shown.pop((message.partition, message.offset), None) is not None and not self.closed:
            self._waiting.appendleft(message)
            self._waiting_bytes += len(message.raw) + 20
            self._wake()
            self._watch_idleness()

    async def receive(self, timeout: Optional[float]) -> Optional[ReceivedMessage]:
        """The next message; None if there is none within that time (seconds; None: for ever; 0: if there is one now)."""
        message = self.take()
        if message is not None:
            return message
        self._receiving += 1
        try:
            if timeout is not None and timeout <= 0:
                await self._drain(self._prefetch)
                return self.take()
            deadline = None if timeout is None else self._engine.now() + timeout
            while True:
                self._refill()
                left = None if deadline is None else deadline - self._engine.now()
                if left is not None and left <= 0:
                    break
                await first_of(self._signal, self._engine, left)
                message = self.take()
                if message is not None:
                    return message
            # what is on its way belongs to this call
            if self._receiving == 1:
                await self._drain(0)
            return self.take()
        finally:
            self._receiving -= 1
            if not self._receiving:
                self._watch_idleness()

    def _refill(self) -> None:
        if self.closed or self._error is not None or self._draining or self._link.state != "ready":
            return
        have = self._credit + len(self._waiting)
        have_bytes = max(0, self._credit_bytes) + self._waiting_bytes
        if not self._receiving and not (self._prefetch > 1 and self._shown):
            return
        messages = self._prefetch - have if have <= self._prefetch // 2 else 0
        size = 0
        if have_bytes <= self._prefetch_bytes // 2:
            size = self._prefetch_bytes - have_bytes + max(0, -self._credit_bytes)
        if messages > 0 or (size > 0 and self._credit > 0):
            self._credit += messages
            self._credit_bytes += size
            self._link.tell(requests.credit(self.number, messages, min(size, 0x7FFFFFFF)))

    async def _drain(self, ready: int) -> None:
        """Takes the credit back; ``ready`` messages come nevertheless, if there are so many."""
        if self._error is not None or self.closed or (ready == 0 and self._link.state != "ready"):
            return
        self._draining += 1
        try:
            await self._link.text(requests.drain, self.number, ready)
        except (ConnectionLostError, NotFoundError):
            pass  # the credit is gone with the connection, or with the consumer
        finally:
            self._draining -= 1
        if not self._draining:
            self._credit = self._credit_bytes = 0

    def _watch_idleness(self) -> None:
        if self._idle is None and (self._waiting or self._credit) and not self.closed and self._error is None:
            self._idle = self._engine.call_later(self._idle_return, self._look_whether_idle)

    def _look_whether_idle(self) -> None:
        self._idle = None
        if self._receiving or self.closed or self._error is not None:
            return
        if self._engine.now() - self._last_take < self._idle_return:
            self._watch_idleness()
        else:
            spawn(self._give_back())

    async def _give_back(self) -> None:
        try:
            await self._drain(0)
            if self._receiving or self.closed or self._error is not None or not self._waiting:
                return
            waiting, self._waiting = self._waiting, deque()
            self._waiting_bytes = 0
            await self.settle(
                "release",
                Ranges((m.partition, m.offset, m.next_offset) for m in waiting if isinstance(m, ReceivedMessage)),
            )
        except MetaqError:
            pass  # gone with the connection, which gave everything back

    # ---- settling

    def ranges_of(self, messages: Iterable[ReceivedMessage]) -> Ranges:
        """:raises ValueError: for a message of another consumer"""
        spans = []
        for message in messages:
            if message.consumer is not self:
                raise ValueError("{!r} did not come to this consumer".format(message))
            spans.append((message.partition, message.offset, message.next_offset))
        return Ranges(sorted(spans))

    def settled(self, ranges: Ranges) -> None:
        """These are not shown any more: they are somebody's decision."""
        if not self._shown:
            return
        for partition, start, end in ranges:
            at: Optional[int] = start
            while at is not None and at < end:
                at = self._shown.pop((partition, at), None)

    async def acknowledge(self, ranges: Ranges) -> Acknowledged:
        self._check_open()
        self.settled(ranges)
        for one in ranges:
            self._acks.add(*one)
        return await self.flush()

    def acknowledge_soon(self, ranges: Ranges) -> None:
        """With others of this moment, and without telling the outcome; repeated after a lost connection like all of them."""
        self._check_open()
        self.settled(ranges)
        for one in ranges:
            self._acks.add(*one)
        if self._gathering is None:
            self._gathering = self._engine.call_later(_GATHER_S, lambda: spawn(self.flush()))

    async def flush(self) -> Acknowledged:
        """Sends what is to be acknowledged. The counts are of all that went with it."""
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None
        ranges, self._acks = self._acks, Ranges()
        done = missed = 0
        replies = [
            self._link.ask(requests.ack, self.number, piece, again=True) for piece in ranges.pieces(RANGES_OF_A_LINE)
        ]
        for reply in replies:
            words = text_of(await reply, self._link.server).split()
            done += int(words[1])
            missed += int(words[3])
        return Acknowledged(done, missed)

    async def settle(self, how: str, ranges: Ranges, delay_ms: Optional[int] = None, dead: bool = False) -> None:
        """``reject`` or ``release``."""
        self._check_open()
        self.settled(ranges)
        for piece in ranges.pieces(RANGES_OF_A_LINE):
            if how == "reject":
                await self._link.text(requests.reject, self.number, piece, delay_ms, dead, again=True)
            else:
                await self._link.text(requests.release, self.number, piece, again=True)

    def _check_open(self) -> None:
        if self.closed:
            raise ClientClosedError("the consumer is closed: its messages that were not settled come again")
        if self._error is not None:
            raise self._error.with_traceback(None)

    # ---- the end

    async def close(self) -> None:
        """Ends it. What was received and not settled comes again, counted; what was not looked at as if never delivered."""
        if self.closed:
            return
        if self._error is None and self._link.state == "ready":
            try:
                if len(self._acks):
                    await self.flush()
                shown = Ranges(sorted((p, start, end) for (p, start), end in self._shown.items()))
                delivered = next(shown.pieces(RANGES_OF_A_LINE), None)
                self.closed = True
                await self._link.text(requests.detach, self.number, delivered)
            except MetaqError:
                pass  # gone with its connection
        self.closed = True
        self._leave()
        self._waiting.clear()
        self._wake()
