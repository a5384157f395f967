"""Queues: each message goes to one consumer, and stays until it is acknowledged."""

import unittest

import brokers
import metaq


class QueueTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = metaq.connect(brokers.shared().address)
        self.addCleanup(self.client.close)
        self.queue = brokers.unique("queue")
        self.consumer = self.client.receiver(self.queue)
        self.producer = self.client.producer()

    def test_acknowledged_messages_come_no_more(self) -> None:
        self.producer.send(self.queue, "hällo")
        message = self.consumer.receive(10)
        self.assertEqual(("hällo", 1), (message.body, message.delivery_count))
        self.assertEqual((1, 0), self.consumer.ack(message))
        self.assertEqual((0, 1), self.consumer.ack(message))
        self.assertIsNone(self.consumer.receive(0))

    def test_rejected_messages_come_again_and_are_counted(self) -> None:
        self.producer.send(self.queue, b"work")
        self.consumer.reject(self.consumer.receive(10))
        message = self.consumer.receive(10)
        self.assertEqual(2, message.delivery_count)
        self.assertTrue(message.redelivered)
        self.consumer.reject(message, delay=0.2)
        self.assertIsNone(self.consumer.receive(0))
        self.assertEqual(3, self.consumer.receive(10).delivery_count)

    def test_released_messages_come_again_as_new(self) -> None:
        self.producer.send(self.queue, b"work")
        self.consumer.release(self.consumer.receive(10))
        self.assertEqual(1, self.consumer.receive(10).delivery_count)


if __name__ == "__main__":
    unittest.main()
