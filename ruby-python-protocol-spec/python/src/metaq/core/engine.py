"""What the core asks of whoever does its input and output."""

from __future__ import annotations

import ssl
from typing import Any, Callable, Optional, Protocol, Tuple, TypeVar

from ..errors import RequestTimeoutError
from .tasks import Pending

Address = Tuple[str, int]
T = TypeVar("T")


class Timer(Protocol):
    def cancel(self) -> None: ...


class Wire(Protocol):
    """A connection as the core sees it."""

    def write(self, data: bytes) -> None:
        """Never blocks, never raises: what goes wrong comes by ``lost``."""

    def close(self) -> None:
        """``lost`` is not called for it."""


class WireUser(Protocol):
    """Who uses a connection. Called one at a time with all other calls into the core."""

    def connected(self, wire: Wire) -> None: ...

    def received(self, data: bytes) -> None: ...

    def lost(self, error: Exception) -> None:
        """Also for a connection that was never there."""


class Engine(Protocol):
    def now(self) -> float:
        """Seconds of a clock that never goes back."""

    def now_ms(self) -> int:
        """Milliseconds since 1970."""

    def call_later(self, seconds: float, call: Callable[[], Any]) -> Timer: ...

    def open(
        self, address: Address, tls: Optional[ssl.SSLContext], server_name: Optional[str], user: WireUser
    ) -> Callable[[], None]:
        """Begins to connect. The answer gives it up, at any time before ``connected``."""

    def defer(self, call: Callable[..., Any], *arguments: Any) -> None:
        """Calls code of the application, when no lock is held."""


def sleep(engine: Engine, seconds: float) -> "Pending[None]":
    """Is there after so long."""
    pending: Pending[None] = Pending()
    engine.call_later(max(0.0, seconds), pending.resolve)
    return pending


def within(engine: Engine, awaited: "Pending[T]", seconds: Optional[float], what: str) -> "Pending[T]":
    """The same, or a :class:`RequestTimeoutError` after so long; what is awaited goes on all the same."""
    if seconds is None or awaited.done:
        return awaited
    limited: Pending[T] = Pending()

    def settle(done: "Pending[T]") -> None:
        timer.cancel()
        if done.error is not None:
            limited.fail(done.error)
        else:
            limited.resolve(done.result())

    timer = engine.call_later(
        max(0.0, seconds),
        lambda: limited.fail(RequestTimeoutError("{} took longer than {:g} s".format(what, seconds))),
    )
    awaited.on_done(settle)
    return limited


def first_of(awaited: "Pending[Any]", engine: Engine, seconds: Optional[float]) -> "Pending[None]":
    """Is there when that is settled, one way or the other, or the time is over."""
    either: Pending[None] = Pending()
    timer = None if seconds is None else engine.call_later(max(0.0, seconds), either.resolve)

    def settle(_: Any) -> None:
        if timer is not None:
            timer.cancel()
        either.resolve()

    awaited.on_done(settle)
    return either

