"""Temporary destinations, for asyncio."""

from __future__ import annotations

from typing import Any

from ..core.temporary import TemporaryCore
from .engine import LoopEngine


class Temporary:
    """A temporary queue or topic; made by :meth:`metaq.aio.Client.temporary_queue`. Its messages are gone with the connection."""

    def __init__(self, engine: LoopEngine, core: TemporaryCore) -> None:
        self._engine = engine
        self._core = core

    @property
    def name(self) -> str:
        """For producers and consumers."""
        return self._core.name

    @property
    def address(self) -> str:
        """For ``reply_to``."""
        return self._core.address

    async def delete(self) -> None:
        """Ends its consumers, and it."""
        await self._engine.run(self._core.delete())

    async def __aenter__(self) -> "Temporary":
        return self

    async def __aexit__(self, *_: Any) -> None:
        if not self._core.pool.closed:
            await self.delete()
