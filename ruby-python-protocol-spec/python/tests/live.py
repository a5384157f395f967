"""What tests with a live broker have in common."""

from __future__ import annotations

import unittest
from typing import Any

import brokers
import metaq


class LiveTest(unittest.TestCase):
    """A client of the suite's broker for each test."""

    options: dict = {}

    def setUp(self) -> None:
        self.client = self.connect(**self.options)

    def connect(self, **options: Any) -> metaq.Client:
        # the machine may be busy: time limits are only to end a hang
        client = metaq.connect(brokers.shared().address, **{"timeout": 60.0, "connect_timeout": 60.0, **options})
        self.addCleanup(client.close)
        return client

    def topic(self, partitions: int = 1, **settings: Any) -> str:
        name = brokers.unique("topic")
        self.client.admin.create_topic(name, partitions=partitions, settings=settings)
        return name

    def queue(self, **settings: Any) -> str:
        name = brokers.unique("queue")
        self.client.admin.create_topic(name, partitions=1, kind="queue", settings=settings)
        return name

    def producer(self, **options: Any) -> metaq.Producer:
        return self.client.producer(**options)

    def receive(self, consumer: Any, count: int) -> list:
        """So many messages."""
        found = []
        for _ in range(count):
            message = consumer.receive(60)
            self.assertIsNotNone(message, "only {} messages came: {}".format(len(found), found))
            found.append(message)
        return found

    def bodies(self, consumer: Any, count: int) -> list:
        return [message.body for message in self.receive(consumer, count)]
