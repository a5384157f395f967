"""The socket under a connection."""

import socket
import struct
import threading
import time
import unittest
from typing import Optional

from metaq.reactor import Reactor
from metaq.wire import SocketWire


class User:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.wire: Optional[SocketWire] = None
        self.is_connected = threading.Event()
        self.is_lost = threading.Event()
        self.error: Optional[Exception] = None

    def connected(self, wire: SocketWire) -> None:
        self.wire = wire
        self.is_connected.set()

    def received(self, data: bytes) -> None:
        pass

    def lost(self, error: Exception) -> None:
        self.error = error
        self.is_lost.set()


class WireTest(unittest.TestCase):
    def test_who_writes_to_a_broken_connection_hears_of_it(self) -> None:
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)
        reactor = Reactor("wire-test")
        self.addCleanup(reactor.stop, lambda: None)
        user = User()
        with reactor._lock:
            reactor.open(server.getsockname(), None, None, user)
        peer, _ = server.accept()
        self.assertTrue(user.is_connected.wait(60))
        # with the lock held, so that it is the write that finds the end and not the reading thread
        with reactor._lock:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.close()
            end = time.monotonic() + 60
            while user.wire._phase == "open" and time.monotonic() < end:
                user.wire.write(b"x")
                time.sleep(0.001)
            self.assertEqual("broken", user.wire._phase)
        self.assertTrue(user.is_lost.wait(60))
        self.assertIsInstance(user.error, OSError)


if __name__ == "__main__":
    unittest.main()
