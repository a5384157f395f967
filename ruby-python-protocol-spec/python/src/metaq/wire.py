"""A socket that never blocks, as the reactor's thread and the application's threads share it."""

from __future__ import annotations

import functools
import os
import selectors
import socket
import ssl
from collections import deque
from typing import TYPE_CHECKING, Any, Deque, List, Optional, Tuple

from .core.engine import WireUser
from .errors import BrokerUnavailableError, CertificateError

if TYPE_CHECKING:
    from .reactor import Reactor

_READ_BYTES = 256 * 1024


class SocketWire:
    """A connection. All methods with the reactor's lock held."""

    def __init__(self, reactor: "Reactor", user: WireUser) -> None:
        self._reactor = reactor
        self._user = user
        self._out: Deque[memoryview] = deque()
        self._socket: Optional[socket.socket] = None
        self._phase = "resolving"
        self._tls: Optional[ssl.SSLContext] = None
        self._server_name: Optional[str] = None
        self._addresses: List[Tuple[Any, ...]] = []

    # ---- connecting

    def begin(self, found: List[Tuple[Any, ...]], tls: Optional[ssl.SSLContext], server_name: Optional[str]) -> None:
        if self._phase != "resolving":
            return
        self._tls, self._server_name, self._addresses = tls, server_name, found
        self._try_next(BrokerUnavailableError("no address"))

    def fail(self, error: Exception) -> None:
        """Ends it and says so."""
        if self._phase != "closed":
            self.close()
            self._user.lost(error)

    def _try_next(self, error: Exception) -> None:
        if not self._addresses:
            self.fail(error)
            return
        family, kind, protocol, _, address = self._addresses.pop(0)
        try:
            made = socket.socket(family, kind, protocol)
        except OSError as wrong:
            self._try_next(wrong)
            return
        made.setblocking(False)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = made
        self._phase = "connecting"
        made.connect_ex(address)
        self._reactor.watch(made, selectors.EVENT_WRITE, self)

    def _connected(self) -> None:
        assert self._socket is not None
        code = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            self._drop_socket()
            self._try_next(BrokerUnavailableError(os.strerror(code)))
            return
        if self._tls is not None:
            self._reactor.unwatch(self._socket)
            self._socket = self._tls.wrap_socket(
                self._socket, server_hostname=self._server_name, do_handshake_on_connect=False
            )
            self._reactor.watch(self._socket, selectors.EVENT_READ, self)
            self._phase = "handshake"
            self._handshake()
        else:
            self._open()

    def _handshake(self) -> None:
        assert isinstance(self._socket, ssl.SSLSocket)
        try:
            self._socket.do_handshake()
        except ssl.SSLWantReadError:
            self._reactor.rewatch(self._socket, selectors.EVENT_READ, self)
        except ssl.SSLWantWriteError:
            self._reactor.rewatch(self._socket, selectors.EVENT_WRITE, self)
        except ssl.SSLCertVerificationError as error:
            self.fail(CertificateError("TLS: {}".format(error)))
        except (OSError, ValueError) as error:
            self.fail(BrokerUnavailableError("TLS: {}".format(error)))
        else:
            self._open()

    def _open(self) -> None:
        assert self._socket is not None
        self._phase = "open"
        self._reactor.rewatch(self._socket, selectors.EVENT_READ, self)
        self._user.connected(self)

    # ---- open

    def write(self, data: bytes) -> None:
        if self._phase != "open":
            return
        waiting = bool(self._out)
        self._out.append(memoryview(data))
        if not waiting:
            self._flush()

    def _flush(self) -> None:
        out = self._out
        assert self._socket is not None
        try:
            while out:
                sent = self._socket.send(out[0])
                if sent == len(out[0]):
                    out.popleft()
                else:
                    out[0] = out[0][sent:]
        except (BlockingIOError, InterruptedError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
            pass
        except OSError as error:
            # told by the thread, so that whoever writes finds the core as it was
            self._out.clear()
            self._phase = "broken"
            self._reactor.call_later(0, functools.partial(self.fail, error))
            return
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if out else 0)
        self._reactor.rewatch(self._socket, events, self)

    def ready(self, events: int) -> None:
        """The selector's word."""
        if self._phase == "connecting":
            self._connected()
        elif self._phase == "handshake":
            self._handshake()
        elif self._phase == "open":
            if events & selectors.EVENT_READ:
                self._read()
            if self._phase == "open" and self._out:
                self._flush()

    def _read(self) -> None:
        while self._phase == "open" and self._socket is not None:
            try:
                data = self._socket.recv(_READ_BYTES)
            except (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return
            except OSError as error:
                self.fail(error)
                return
            if not data:
                self.fail(BrokerUnavailableError("the broker closed the connection"))
                return
            self._user.received(data)
            # TLS may have decrypted more than was asked for, which no selector sees
            if not isinstance(self._socket, ssl.SSLSocket) or not self._socket.pending():
                return

    def close(self) -> None:
        self._phase = "closed"
        self._out.clear()
        self._drop_socket()

    def _drop_socket(self) -> None:
        if self._socket is not None:
            self._reactor.unwatch(self._socket)
            self._socket.close()
            self._socket = None
