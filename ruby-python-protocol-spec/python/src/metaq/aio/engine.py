"""The engine of the asyncio client: everything happens on the loop's thread."""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from typing import Any, Callable, Coroutine, Optional, TypeVar

from ..core.engine import Address, WireUser
from ..core.tasks import Pending, abandon, spawn
from ..errors import BrokerUnavailableError, CertificateError, ClientClosedError, ForkedError, MetaqError

T = TypeVar("T")


class _Wire(asyncio.Protocol):
    def __init__(self, user: WireUser) -> None:
        self._user = user
        self._transport: Optional[asyncio.Transport] = None
        self._gone = False
        self.connecting: Optional[asyncio.Task] = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if self._gone:
            transport.close()
            return
        self._transport = transport  # type: ignore[assignment]
        self._user.connected(self)

    def data_received(self, data: bytes) -> None:
        if not self._gone:
            self._user.received(data)

    def connection_lost(self, error: Optional[Exception]) -> None:
        self.fail(error or BrokerUnavailableError("the broker closed the connection"))

    def fail(self, error: Exception) -> None:
        if not self._gone:
            self._gone = True
            self._user.lost(error)

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self._gone:
            self._transport.write(data)

    def close(self) -> None:
        self._gone = True
        if self.connecting is not None:
            self.connecting.cancel()
        if self._transport is not None:
            self._transport.abort()


class LoopEngine:
    """:param loop: that runs"""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._pid = os.getpid()
        self._wires: set = set()
        self.closed = False

    def now(self) -> float:
        return self.loop.time()

    @staticmethod
    def now_ms() -> int:
        return time.time_ns() // 1_000_000

    def call_later(self, seconds: float, call: Callable[[], Any]) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, call)

    def defer(self, call: Callable[..., Any], *arguments: Any) -> None:
        self.loop.call_soon(call, *arguments)

    def open(
        self, address: Address, tls: Optional[ssl.SSLContext], server_name: Optional[str], user: WireUser
    ) -> Callable[[], None]:
        wire = _Wire(user)
        wire.connecting = self.loop.create_task(self._connect(wire, address, tls, server_name))
        self._wires.add(wire.connecting)
        wire.connecting.add_done_callback(self._wires.discard)
        return wire.close

    async def _connect(
        self, wire: _Wire, address: Address, tls: Optional[ssl.SSLContext], server_name: Optional[str]
    ) -> None:
        try:
            await self.loop.create_connection(
                lambda: wire, *address, ssl=tls, server_hostname=server_name if tls is not None else None
            )
        except ssl.SSLCertVerificationError as error:
            wire.fail(CertificateError("TLS: {}".format(error)))
        except (OSError, ValueError) as error:
            wire.fail(BrokerUnavailableError("{}:{}: {}".format(*address, error)))
        finally:
            wire.connecting = None

    def check(self) -> None:
        """:raises ForkedError: in a process that did not make this"""
        if os.getpid() != self._pid:
            raise ForkedError(
                "this client belongs to process {}: after a fork make a client in the child".format(self._pid)
            )
        if self.closed:
            raise ClientClosedError("the client is closed")

    async def wait(
        self,
        pending: "Pending[T]",
        undo: Optional[Callable[[Any], None]] = None,
    ) -> T:
        """Waits for the core.

        :param undo: given the outcome when the wait is cancelled and nobody gets it
        """
        if not pending.done:
            there = self.loop.create_future()
            pending.on_done(lambda _: None if there.done() else there.set_result(None))
            try:
                await there
            except BaseException:
                abandon(pending, undo)
                raise
        return pending.result()

    async def run(
        self, coroutine: Coroutine[Any, Any, T], undo: Optional[Callable[[Any], None]] = None
    ) -> T:
        """Runs a coroutine of the core."""
        try:
            self.check()
        except MetaqError:
            coroutine.close()
            raise
        return await self.wait(spawn(coroutine), undo)

    async def stop(self) -> None:
        """Waits until no connection is being made any more, and gives transports the turn that they need to end."""
        self.closed = True
        if self._wires:
            await asyncio.gather(*self._wires, return_exceptions=True)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
