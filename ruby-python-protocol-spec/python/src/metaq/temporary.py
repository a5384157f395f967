"""Temporary destinations, synchronously."""

from __future__ import annotations

from typing import Any

from .core.temporary import TemporaryCore
from .reactor import Reactor


class Temporary:
    """A temporary queue or topic; made by :meth:`metaq.Client.temporary_queue`. Its messages are gone with the connection."""

    def __init__(self, reactor: Reactor, core: TemporaryCore) -> None:
        self._reactor = reactor
        self._core = core

    @property
    def name(self) -> str:
        """For producers and consumers."""
        return self._core.name

    @property
    def address(self) -> str:
        """For ``reply_to``."""
        return self._core.address

    def delete(self) -> None:
        """Ends its consumers, and it."""
        self._reactor.run(self._core.delete(), self._core.pool.settings.timeout)

    def __enter__(self) -> "Temporary":
        return self

    def __exit__(self, *_: Any) -> None:
        if not self._core.pool.closed:
            self.delete()
