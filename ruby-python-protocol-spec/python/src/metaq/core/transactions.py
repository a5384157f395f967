"""Sends and acknowledgements that are done together or not at all.

:class:`TransactionCore` collects, and does it in one step (``transact``). :class:`BranchCore` is a transaction with a name
(``enlist``), which a coordinator can have several resources agree on, and which goes ahead in pieces when it grows.
"""

from __future__ import annotations

import itertools
import uuid
from typing import Callable, Dict, List, Optional, Tuple

from .._protocol import parts, requests
from .._protocol.frames import Result
from .._protocol.ranges import Ranges
from ..errors import (
    MetaqError,
    NotFoundError,
    ProtocolError,
    RequestTimeoutError,
    TransactionRolledBackError,
    XaError,
    of_reply,
)
from ..message import Message
from ..partitioners import by_key
from .engine import sleep
from .link import Request
from .outbox import AGAIN
from .pool import Partition, Pool
from .producer import Wanted, new_producer_id
from .subscription import SubscriptionCore

XA_NOT_THERE = -4
_ROLLED_BACK = range(100, 108)


class Steps:
    """Numbers for steps, so that one that is sent again after a lost connection is done once. One for each client."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._producer = new_producer_id()
        self._next = itertools.count()
        self._turn = itertools.count()
        self._locals = itertools.count(1)
        self.session = "python-{}".format(uuid.uuid4().hex)

    def local_key(self) -> str:
        return "TX:{}:{}".format(self.session, next(self._locals))

    async def do(self, prepare: Callable[[int, int], Request], timeout: Optional[float] = None) -> str:
        """Sends a step until it has an answer, and gives the text of that.

        :param prepare: makes the request for a producer id and a number
        :raises BrokerError: nothing of it is done
        :raises MetaqError: see ``outcome_unknown``
        """
        link, engine = self._pool.home, self._pool.engine
        deadline = engine.now() + (self._pool.settings.timeout if timeout is None else timeout)
        number: Optional[int] = None
        twice, failures = False, 0
        while True:
            if number is None:
                number = next(self._next)
            request = prepare(self._producer, number)
            left = deadline - engine.now()
            if left <= 0:
                raise RequestTimeoutError("the transaction was not done in time", twice)
            reply = await link.submit(request, left)
            twice = twice or request.times_sent > 1
            if not isinstance(reply, Result):
                raise ProtocolError("a value in answer to a transaction")
            if reply.code == 200:
                return reply.text
            error = of_reply(reply.code, reply.text, link.server)
            if reply.code == 409 and twice:
                # the number is forgotten, so nothing is done; or a message is somebody else's, and that is said again
                number, twice = None, False
            elif reply.code in AGAIN:
                failures += 1
                if not twice:
                    number = None
                await sleep(engine, self._pool.settings.backoff.seconds(failures))
            else:
                raise error

    async def partition(self, topic: str, message: Message, wanted: Wanted) -> int:
        """Of the home broker, which does the whole transaction."""
        if topic.startswith("temp:"):
            return 0
        broker = self._pool.home.negotiated.broker_id
        if isinstance(wanted, Partition):
            if wanted.broker != broker:
                raise ValueError("a transaction is of one broker, here {}, and not of {}".format(broker, wanted.broker))
            return wanted.partition
        if wanted is not None:
            return wanted
        routes = await self._pool.routes(topic)
        places = [Partition(r.broker, n) for r in routes if r.broker == broker for n in range(r.partitions)]
        if not places:
            raise NotFoundError("broker {} has no topic {}".format(broker, topic), 404, self._pool.home.server)
        if message.key is not None:
            return by_key(message, places).partition
        return places[next(self._turn) % len(places)].partition


class Collected:
    """What a transaction is to do, in order."""

    def __init__(self) -> None:
        self.sends: List[Tuple[str, int, bytes]] = []
        self.size = 0
        self.acks: Dict[SubscriptionCore, Ranges] = {}

    def add(self, topic: str, partition: int, stored: bytes) -> None:
        self.sends.append((topic, partition, stored))
        self.size += len(stored)

    def acknowledge(self, consumer: SubscriptionCore, ranges: Ranges) -> None:
        known = self.acks.setdefault(consumer, Ranges())
        for one in ranges:
            known.add(*one)
        consumer.settled(ranges)

    def __bool__(self) -> bool:
        return bool(self.sends or self.acks)

    def encode(self) -> bytes:
        """Parts; what goes to one partition one behind the other is one part."""
        out = []
        for (topic, partition), run in itertools.groupby(self.sends, key=lambda send: send[:2]):
            out.append(parts.messages(topic, partition, [stored for _, _, stored in run]))
        for consumer, ranges in self.acks.items():
            out.append(parts.acknowledgements(consumer.number, ranges))
        return b"".join(out)

    def pieces(self, most: int) -> List["Collected"]:
        """The same in pieces of about so many bytes, the acknowledgements in the last one."""
        found = [Collected()]
        for send in self.sends:
            if found[-1].size and found[-1].size + len(send[2]) > most:
                found.append(Collected())
            found[-1].add(*send)
        found[-1].acks = self.acks
        return found


class TransactionCore:
    """Collected here, done by ``commit`` in one step."""

    def __init__(self, pool: Pool, steps: Steps) -> None:
        self.pool = pool
        self.steps = steps
        self.collected = Collected()
        self.ended = False

    def check(self) -> None:
        if self.ended:
            raise TransactionRolledBackError("the transaction has ended")

    async def commit(self, timeout: Optional[float] = None) -> None:
        """Does it all.

        :raises ConflictError: a message to acknowledge is somebody else's by now; nothing is done, as with every error
            but those with ``outcome_unknown``
        """
        self.check()
        self.ended = True
        link, collected = self.pool.home, self.collected
        if not collected:
            return
        try:
            if collected.size > link.negotiated.max_body // 2:
                branch = BranchCore(self.pool, self.steps, self.steps.local_key(), None)
                branch.collected = collected
                await branch.end("commit", timeout)
            else:
                body = collected.encode()
                await self.steps.do(
                    lambda producer, number: link.prepare(
                        requests.transact, body, producer, number, again=True, pinned=True
                    ),
                    timeout,
                )
        except MetaqError as error:
            if not error.outcome_unknown:
                await give_back(collected)
            raise

    async def rollback(self) -> None:
        """Nothing of it is done; what it was to acknowledge comes again, counted."""
        if not self.ended:
            self.ended = True
            await give_back(self.collected)


async def give_back(collected: Collected) -> None:
    for consumer, ranges in collected.acks.items():
        try:
            if len(ranges):
                await consumer.settle("reject", ranges)
        except MetaqError:
            pass  # it is gone, and with it the lease


def xid(format_id: int, global_id: bytes, branch_qualifier: bytes, qualifier: str = "python") -> str:
    """The key of a branch.

    :param global_id, branch_qualifier: up to 64 bytes each
    :param qualifier: under which a client finds its branches again
    """
    if len(global_id) > 64 or len(branch_qualifier) > 64 or not -(1 << 31) <= format_id < 1 << 31:
        raise ValueError("a branch has a format of 32 bits and ids of up to 64 bytes")
    requests.word(qualifier, "a unique qualifier")
    return "XID:{}:{}:{}:{}".format(format_id, global_id.hex(), branch_qualifier.hex(), qualifier)


class BranchCore:
    """A transaction with a name.

    :param key: ``XID:…`` or ``TX:…``
    :param timeout_s: seconds after which the broker rolls it back unless it is prepared
    """

    def __init__(self, pool: Pool, steps: Steps, key: str, timeout_s: Optional[int]) -> None:
        self.key = requests.word(key, "a key")
        if not key.startswith(("XID:", "TX:")):
            raise ValueError("a key is XID:FORMAT:GTRID:BQUAL:UQ or TX:SESSION:N, not {!r}".format(key))
        self.pool = pool
        self.steps = steps
        self.collected = Collected()
        self.number: Optional[int] = None
        self._timeout_s = timeout_s
        self._begun = False

    def check(self) -> None:
        """A branch can be worked on as long as the broker says so."""

    async def flush(self, then: Optional[str] = None, timeout: Optional[float] = None) -> str:
        """Sends what is collected ahead; with ``then`` it is the last step. The text of the answer to that."""
        collected, self.collected = self.collected, Collected()
        text = ""
        pieces = collected.pieces(self.pool.home.negotiated.max_body // 4)
        for piece in pieces:
            if piece or then:
                last = piece is pieces[-1]
                text = await self._enlist(piece.encode(), then if last else None, timeout)
        return text

    async def _enlist(self, body: bytes, then: Optional[str], timeout: Optional[float]) -> str:
        link, begun = self.pool.home, self._begun
        timeout_s = None if begun else self._timeout_s
        try:
            text = await self.steps.do(
                lambda producer, number: link.prepare(
                    requests.enlist,
                    self.key,
                    body,
                    then,
                    timeout_s,
                    begun,
                    producer,
                    number,
                    again=True,
                    pinned=True,
                ),
                timeout,
            )
        except XaError as error:
            raise _told(error, begun) from error
        self._begun = True
        words = text.split()
        if "number" in words:
            self.number = int(words[words.index("number") + 1])
        return words[0] if words else ""

    async def end(self, then: str, timeout: Optional[float] = None) -> bool:
        """Prepares, or commits in one phase, with everything that is collected.

        :return: for ``prepare`` whether there is anything to commit: if not, the branch is over
        """
        return await self.flush(then, timeout) != "3"

    async def step(self, step: str) -> str:
        """``COMMIT_TWO_PHASE``, ``ROLLBACK``, ``FORGET``; repeated after a lost connection.

        :raises XaError: with the code of X/Open
        """
        link = self.pool.home
        qualifier = self.key.rsplit(":", 1)[-1] if self.key.startswith("XID:") else None
        request = link.prepare(
            requests.transaction, self.key, self.steps.session, step, None, qualifier, self.number, again=True
        )
        reply = await link.submit(request)
        if not isinstance(reply, Result):
            raise ProtocolError("a value in answer to a transaction")
        if reply.code == 200:
            return reply.text
        error = of_reply(reply.code, reply.text, link.server)
        if request.times_sent > 1 and isinstance(error, XaError) and error.xa_code == XA_NOT_THERE:
            return ""  # it was done the first time
        raise error

    async def rollback(self) -> None:
        """What it was to acknowledge comes again, counted."""
        collected, self.collected = self.collected, Collected()
        if self._begun:
            try:
                await self.step("ROLLBACK")
            except XaError as error:
                if error.xa_code not in _ROLLED_BACK and error.xa_code != XA_NOT_THERE:
                    raise
        await give_back(collected)


def _told(error: XaError, begun: bool) -> MetaqError:
    if error.xa_code in _ROLLED_BACK or (begun and error.xa_code == XA_NOT_THERE):
        return TransactionRolledBackError("the broker has rolled it back: {}".format(error.text))
    return error


async def recover(pool: Pool, steps: Steps, qualifier: Optional[str]) -> List[str]:
    """Keys of the branches that are prepared, or decided by an operator."""
    text = await pool.home.text(
        requests.transaction, "null", steps.session, "RECOVER", None, qualifier, None, again=True
    )
    return [key for key in text.replace("\r\n", "\n").split("\n") if key]
