"""The engine of the synchronous client: one thread that waits for sockets and clocks.

Threads of the application call into the core too, and write to sockets themselves; one lock keeps them apart. What the core has
to tell the application (futures, callbacks) is put aside and done when the lock is free again.

A forked child has a copy of all this, but not the thread: there, everything raises :class:`ForkedError`, and closing only closes
the child's copies of the sockets, so that the parent's connections go on.
"""

from __future__ import annotations

import heapq
import ipaddress
import itertools
import logging
import os
import selectors
import socket
import ssl
import threading
import time
import weakref
from collections import deque
from typing import Any, Callable, Coroutine, Deque, List, Optional, Tuple, TypeVar

from .core.engine import Address, WireUser
from .core.tasks import Pending, abandon, spawn
from .errors import (
    BrokerUnavailableError,
    ClientClosedError,
    ForkedError,
    MetaqError,
    RequestTimeoutError,
    WouldBlockError,
)
from .wire import SocketWire

T = TypeVar("T")
_log = logging.getLogger("metaq")
_GRACE_S = 10.0


class _Timer:
    __slots__ = ("call",)

    def __init__(self, call: Callable[[], Any]) -> None:
        self.call: Optional[Callable[[], Any]] = call

    def cancel(self) -> None:
        self.call = None


class Reactor:
    """:param name: of the thread"""

    def __init__(self, name: str = "metaq") -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._pid = os.getpid()
        self._selector = selectors.DefaultSelector()
        self._timers: List[Tuple[float, int, _Timer]] = []
        self._order = itertools.count()
        self._telling = threading.Lock()
        self._deferred: Deque[Tuple[Callable[..., Any], Tuple[Any, ...]]] = deque()
        self._waker, self._woken = socket.socketpair()
        for end in (self._waker, self._woken):
            end.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        self._sleeps_until = 0.0
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        _alive.add(self)
        self._thread.start()

    # ---- the engine

    @staticmethod
    def now() -> float:
        return time.monotonic()

    @staticmethod
    def now_ms() -> int:
        return time.time_ns() // 1_000_000

    def call_later(self, seconds: float, call: Callable[[], Any]) -> _Timer:
        timer = _Timer(call)
        when = time.monotonic() + seconds
        heapq.heappush(self._timers, (when, next(self._order), timer))
        if when < self._sleeps_until:
            self._wake()
        return timer

    def open(
        self, address: Address, tls: Optional[ssl.SSLContext], server_name: Optional[str], user: WireUser
    ) -> Callable[[], None]:
        wire = SocketWire(self, user)
        host, port = address
        try:
            ipaddress.ip_address(host)
        except ValueError:
            if host != "localhost":
                threading.Thread(
                    target=self._resolve, args=(wire, address, tls, server_name), name="metaq-resolver", daemon=True
                ).start()
                return wire.close
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        self.call_later(0, lambda: wire.begin(found, tls, server_name))
        return wire.close

    def _resolve(
        self, wire: SocketWire, address: Address, tls: Optional[ssl.SSLContext], server_name: Optional[str]
    ) -> None:
        """Names may take their time."""
        try:
            found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
        except OSError as error:
            failure = BrokerUnavailableError("{}: {}".format(address[0], error))
            self._enter_as_thread(lambda: wire.fail(failure))
        else:
            self._enter_as_thread(lambda: wire.begin(found, tls, server_name))

    def _enter_as_thread(self, call: Callable[[], Any]) -> None:
        with self._lock:
            if not self._stopping:
                self.call_later(0, call)

    def defer(self, call: Callable[..., Any], *arguments: Any) -> None:
        self._deferred.append((call, arguments))

    # ---- for the wires, with the lock held

    def watch(self, which: socket.socket, events: int, wire: SocketWire) -> None:
        self._selector.register(which, events, wire)
        self._wake()

    def rewatch(self, which: socket.socket, events: int, wire: SocketWire) -> None:
        try:
            if self._selector.get_key(which).events != events:
                self._selector.modify(which, events, wire)
        except KeyError:
            pass

    def unwatch(self, which: socket.socket) -> None:
        try:
            self._selector.unregister(which)
        except (KeyError, ValueError):
            pass

    def _wake(self) -> None:
        if threading.current_thread() is not self._thread:
            try:
                self._waker.send(b"\0")
            except (BlockingIOError, OSError):
                pass  # it is awake, or gone

    # ---- for the application's threads

    def check(self) -> None:
        """:raises ForkedError: in a process that did not make this"""
        if os.getpid() != self._pid:
            raise ForkedError(
                "this client belongs to process {}: after a fork make a client in the child".format(self._pid)
            )
        if self._stopping:
            raise ClientClosedError("the client is closed")

    def __enter__(self) -> "Reactor":
        self.check()
        self._lock.acquire()
        self._depth += 1
        return self

    def __exit__(self, *_: Any) -> None:
        self._depth -= 1
        outermost = self._depth == 0
        self._lock.release()
        if outermost and self._deferred:
            self._run_deferred()

    def _run_deferred(self) -> None:
        """One thread at a time, so that the application is told in the order in which things happened."""
        while self._deferred and self._telling.acquire(blocking=False):
            try:
                while self._deferred:
                    call, arguments = self._deferred.popleft()
                    _guarded(call, *arguments)
            finally:
                self._telling.release()

    @property
    def in_thread(self) -> bool:
        """Whether this is the reactor's own thread: then nothing may wait."""
        return threading.current_thread() is self._thread

    def check_may_wait(self) -> None:
        """:raises WouldBlockError: on the reactor's own thread"""
        self.check()
        if self.in_thread:
            raise WouldBlockError("a call that waits, from a callback on the client's own thread: use another thread")

    def wait(
        self,
        begin: Callable[[], "Pending[T]"],
        timeout: Optional[float] = None,
        undo: Optional[Callable[[Any], None]] = None,
    ) -> T:
        """Calls into the core and waits for what it answers.

        The core has time limits of its own; ``timeout`` (seconds) is there in case that the thread is in trouble.

        :param undo: given the outcome when the wait was interrupted, as by Ctrl-C, and nobody gets it
        :raises WouldBlockError: on the reactor's own thread
        """
        self.check_may_wait()
        with self:
            pending = begin()
            if pending.done:
                return pending.result()
            there = threading.Event()
            pending.on_done(lambda _: self.defer(there.set))
        try:
            if not there.wait(None if timeout is None else timeout + _GRACE_S):
                raise RequestTimeoutError("no outcome within {:g} s".format((timeout or 0) + _GRACE_S))
        except BaseException:
            with self._lock:
                abandon(pending, undo)
            raise
        return pending.result()

    def run(
        self,
        coroutine: Coroutine[Any, Any, T],
        timeout: Optional[float] = None,
        undo: Optional[Callable[[Any], None]] = None,
    ) -> T:
        """Runs a coroutine of the core and waits for its end; see :meth:`wait`."""
        try:
            self.check_may_wait()
        except MetaqError:
            coroutine.close()
            raise
        return self.wait(lambda: spawn(coroutine), timeout, undo)

    def stop(self, last: Callable[[], Any]) -> None:
        """Ends the thread and closes all sockets; ``last`` is called before, with the lock held."""
        if os.getpid() != self._pid:
            self._close_copies()
            return
        with self._lock:
            if self._stopping:
                return
            last()
            self._stopping = True
            self._wake()
        self._run_deferred()
        if not self.in_thread:
            self._thread.join(_GRACE_S)

    def _close_copies(self) -> None:
        """In a forked child: the sockets are the parent's."""
        for key in list((self._selector.get_map() or {}).values()):
            if isinstance(key.fileobj, socket.socket):
                socket.socket.close(key.fileobj)
        self._selector.close()
        self._waker.close()

    # ---- the thread

    def _run(self) -> None:
        while not self._stopping:
            events = self._selector.select(self._until_timer())
            with self._lock:
                self._sleeps_until = 0.0
                self._depth += 1
                try:
                    self._turn(events)
                finally:
                    self._depth -= 1
            self._run_deferred()
        for key in list(self._selector.get_map().values()):
            if key.data is not None:
                key.data.close()
        self._selector.close()
        self._waker.close()
        self._woken.close()
        _alive.discard(self)

    def _until_timer(self) -> Optional[float]:
        with self._lock:
            if self._stopping or self._deferred:
                return 0
            while self._timers and self._timers[0][2].call is None:
                heapq.heappop(self._timers)
            when = self._timers[0][0] if self._timers else time.monotonic() + 60.0
            self._sleeps_until = when
            return max(0.0, when - time.monotonic())

    def _turn(self, events: List[Tuple[selectors.SelectorKey, int]]) -> None:
        for key, which in events:
            if key.data is None:
                try:
                    self._woken.recv(4096)
                except BlockingIOError:
                    pass
                continue
            try:
                key.data.ready(which)
            except Exception as error:  # a fault in one connection must not end them all
                key.data.fail(error)
        now = time.monotonic()
        while self._timers and self._timers[0][0] <= now and not self._stopping:
            timer = heapq.heappop(self._timers)[2]
            call, timer.call = timer.call, None
            if call is not None:
                _guarded(call)


def _guarded(call: Callable[..., Any], *arguments: Any) -> None:
    """The thread outlives whatever a callback raises."""
    try:
        call(*arguments)
    except Exception:
        _log.exception("a callback raised")


_alive: "weakref.WeakSet[Reactor]" = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for reactor in list(_alive):
        reactor._close_copies()
    _alive.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
