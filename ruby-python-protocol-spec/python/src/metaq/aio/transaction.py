"""Transactions, for asyncio."""

from __future__ import annotations

from typing import Any, Optional, Union

from ..consumer import Messages, many
from ..core import sending
from ..core.pool import Partition
from ..core.producer import ProducerCore
from ..core.transactions import BranchCore, TransactionCore
from ..received import ReceivedMessage
from ..producer import Sendable
from .engine import LoopEngine


class Transaction:
    """Sends and acknowledgements of one broker that are done together or not at all; made by :meth:`metaq.aio.Client.transaction`.

    ::

        async with client.transaction() as transaction:
            await transaction.send("invoices", "…")
            transaction.ack(order)

    The end of the ``async with`` statement commits; an exception rolls back: then what was to be acknowledged comes again, counted.
    One task at a time.
    """

    def __init__(self, engine: LoopEngine, core: TransactionCore, producer: ProducerCore) -> None:
        self._engine = engine
        self._core = core
        self._producer = producer

    async def send(
        self, topic: str, body: Sendable = None, *, partition: Union[None, int, Partition] = None, **headers: Any
    ) -> None:
        """Adds a message; parameters are those of :meth:`metaq.aio.Producer.send`."""
        message = sending.as_message(body, headers)
        await self._engine.run(sending.collect(self._core, self._producer, topic, message, partition))

    def ack(self, messages: Messages) -> None:
        """Adds the acknowledgement of messages of any consumers of this client."""
        self._engine.check()
        self._core.check()
        sending.collect_acks(self._core, many(messages))

    async def commit(self, timeout: Optional[float] = None) -> None:
        """Does it all as one step, synced to disk. After a lost connection it is sent again, and done once.

        :raises ConflictError: a message is somebody else's by now; as with every error without ``outcome_unknown`` nothing is done
        """
        await self._engine.run(self._core.commit(timeout))

    async def rollback(self) -> None:
        """Nothing of it is done."""
        await self._engine.run(self._core.rollback())

    async def __aenter__(self) -> "Transaction":
        return self

    async def __aexit__(self, kind: Any, *_: Any) -> None:
        if self._core.ended:
            return
        if kind is None:
            await self.commit()
        else:
            await self.rollback()


class Branch:
    """A transaction with a name, for a coordinator that has several resources agree; made by :meth:`metaq.aio.Client.branch`.

    Work on it, :meth:`prepare` it, and :meth:`commit` or :meth:`rollback` it; a prepared branch stays through everything until then.
    """

    def __init__(self, engine: LoopEngine, core: BranchCore, producer: ProducerCore) -> None:
        self._engine = engine
        self._core = core
        self._producer = producer

    @property
    def key(self) -> str:
        return self._core.key

    async def send(
        self, topic: str, body: Sendable = None, *, partition: Union[None, int, Partition] = None, **headers: Any
    ) -> None:
        """Adds a message."""
        message = sending.as_message(body, headers)
        await self._engine.run(sending.collect(self._core, self._producer, topic, message, partition))

    def ack(self, messages: Union[ReceivedMessage, Messages]) -> None:
        """Adds the acknowledgement of messages of consumers of this client."""
        self._engine.check()
        sending.collect_acks(self._core, many(messages))

    async def flush(self) -> None:
        """Sends ahead what was added; the broker begins the transaction."""
        await self._engine.run(self._core.flush())

    async def prepare(self) -> bool:
        """It is kept from now on, whatever happens, until it is decided. False if there is nothing in it: then it is over.

        :raises TransactionRolledBackError: the broker has rolled it back
        """
        return await self._engine.run(self._core.end("prepare"))

    async def commit(self, *, one_phase: bool = False) -> None:
        """Commits what is prepared, or, in one phase, what is not.

        :raises XaError: with the code of X/Open, when it cannot be
        """
        if one_phase:
            await self._engine.run(self._core.end("commit"))
        else:
            await self._engine.run(self._core.step("COMMIT_TWO_PHASE"))

    async def rollback(self) -> None:
        """Nothing of it is done; what it acknowledged comes again, counted."""
        await self._engine.run(self._core.rollback())

    async def forget(self) -> None:
        """Of a branch that an operator decided."""
        await self._engine.run(self._core.step("FORGET"))
