"""The protocol's vectors, against a real broker."""

import os
import unittest

import brokers
from metaq.core.settings import parse_address
from metaq.vectors import read
from metaq.vectors.__main__ import main
from metaq.vectors.play import play_all

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "vectors")


class LiveVectorsTest(unittest.TestCase):
    def test_a_broker_does_as_the_vectors_say(self) -> None:
        broker = brokers.second(fresh=True)
        self.assertEqual({}, play_all(read([VECTORS]), parse_address(broker.address)))

    def test_the_command_wants_an_address(self) -> None:
        self.assertEqual(2, main([]))


if __name__ == "__main__":
    unittest.main()
