"""Transactions, synchronously."""

from __future__ import annotations

from typing import Any, Optional, Union

from .consumer import Messages, many
from .core import sending
from .core.pool import Partition
from .core.producer import ProducerCore
from .core.transactions import BranchCore, TransactionCore
from .received import ReceivedMessage
from .producer import Sendable
from .reactor import Reactor


class Transaction:
    """Sends and acknowledgements of one broker that are done together or not at all; made by :meth:`metaq.Client.transaction`.

    ::

        with client.transaction() as transaction:
            transaction.send("invoices", "…")
            transaction.ack(order)

    The end of the ``with`` statement commits; an exception rolls back: then what was to be acknowledged comes again, counted.
    One thread at a time.
    """

    def __init__(self, reactor: Reactor, core: TransactionCore, producer: ProducerCore) -> None:
        self._reactor = reactor
        self._core = core
        self._producer = producer

    def send(
        self, topic: str, body: Sendable = None, *, partition: Union[None, int, Partition] = None, **headers: Any
    ) -> None:
        """Adds a message; parameters are those of :meth:`metaq.Producer.send`."""
        message = sending.as_message(body, headers)
        self._reactor.run(
            sending.collect(self._core, self._producer, topic, message, partition), self._core.pool.settings.timeout
        )

    def ack(self, messages: Messages) -> None:
        """Adds the acknowledgement of messages of any consumers of this client."""
        with self._reactor:
            self._core.check()
            sending.collect_acks(self._core, many(messages))

    def commit(self, timeout: Optional[float] = None) -> None:
        """Does it all as one step, synced to disk. After a lost connection it is sent again, and done once.

        :raises ConflictError: a message is somebody else's by now; as with every error without ``outcome_unknown`` nothing is done
        """
        self._reactor.run(self._core.commit(timeout), timeout or self._core.pool.settings.timeout)

    def rollback(self) -> None:
        """Nothing of it is done."""
        self._reactor.run(self._core.rollback(), self._core.pool.settings.timeout)

    def __enter__(self) -> "Transaction":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if self._core.ended:
            return
        if kind is None:
            self.commit()
        else:
            self.rollback()


class Branch:
    """A transaction with a name, for a coordinator that has several resources agree; made by :meth:`metaq.Client.branch`.

    Work on it, :meth:`prepare` it, and :meth:`commit` or :meth:`rollback` it; a prepared branch stays through everything until then.
    """

    def __init__(self, reactor: Reactor, core: BranchCore, producer: ProducerCore) -> None:
        self._reactor = reactor
        self._core = core
        self._producer = producer

    @property
    def key(self) -> str:
        return self._core.key

    def send(
        self, topic: str, body: Sendable = None, *, partition: Union[None, int, Partition] = None, **headers: Any
    ) -> None:
        """Adds a message."""
        message = sending.as_message(body, headers)
        self._reactor.run(
            sending.collect(self._core, self._producer, topic, message, partition), self._core.pool.settings.timeout
        )

    def ack(self, messages: Union[ReceivedMessage, Messages]) -> None:
        """Adds the acknowledgement of messages of consumers of this client."""
        with self._reactor:
            sending.collect_acks(self._core, many(messages))

    def flush(self) -> None:
        """Sends ahead what was added; the broker begins the transaction."""
        self._reactor.run(self._core.flush(), self._core.pool.settings.timeout)

    def prepare(self) -> bool:
        """It is kept from now on, whatever happens, until it is decided. False if there is nothing in it: then it is over.

        :raises TransactionRolledBackError: the broker has rolled it back
        """
        return self._reactor.run(self._core.end("prepare"), self._core.pool.settings.timeout)

    def commit(self, *, one_phase: bool = False) -> None:
        """Commits what is prepared, or, in one phase, what is not.

        :raises XaError: with the code of X/Open, when it cannot be
        """
        timeout = self._core.pool.settings.timeout
        if one_phase:
            self._reactor.run(self._core.end("commit"), timeout)
        else:
            self._reactor.run(self._core.step("COMMIT_TWO_PHASE"), timeout)

    def rollback(self) -> None:
        """Nothing of it is done; what it acknowledged comes again, counted."""
        self._reactor.run(self._core.rollback(), self._core.pool.settings.timeout)

    def forget(self) -> None:
        """Of a branch that an operator decided."""
        self._reactor.run(self._core.step("FORGET"), self._core.pool.settings.timeout)
