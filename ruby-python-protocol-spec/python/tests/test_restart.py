"""Brokers that are killed, frozen, or gone."""

import threading
import time
import unittest

import brokers
import metaq

FAST = metaq.Backoff(0.02, 0.2)


class RestartTest(unittest.TestCase):
    def setUp(self) -> None:
        self.broker = brokers.second()
        self.client = self.connect()

    def connect(self, **options: object) -> metaq.Client:
        client = metaq.connect(self.broker.address, **{"timeout": 60.0, "connect_timeout": 60.0, "backoff": FAST, **options})
        self.addCleanup(client.close)
        return client

    def restart(self) -> None:
        self.broker.kill()
        self.broker.start()

    def test_nothing_is_lost_or_doubled_when_the_broker_is_killed_under_load(self) -> None:
        """One restart for all of them: producers, readers, groups, queues and subscriptions at once."""
        topic, queue, keeps = brokers.unique("load"), brokers.unique("load.queue"), brokers.unique("load.keeps")
        admin, client_id = self.client.admin, brokers.unique("id")
        admin.create_topic(topic, partitions=2)
        admin.create_topic(queue, partitions=1, kind="queue")
        admin.create_topic(keeps, partitions=1)
        owner = self.connect(client_id=client_id)
        subscriber = owner.subscribe(keeps, "s", durable=True)
        temporary = owner.temporary_queue()
        answers = owner.receiver(temporary.name)
        producer = self.client.producer(timeout=60)
        futures = []
        stop = threading.Event()

        def load() -> None:
            number = 0
            while not stop.is_set():
                futures.append(producer.send_async(topic, b"%d" % number))
                producer.send_async(keeps, b"%d" % number)
                number += 1
                if number % 100 == 0:
                    producer.flush()

        moved = brokers.unique("load.moved")
        admin.create_topic(moved, partitions=1, kind="queue")

        def move() -> None:
            number = 0
            while not stop.is_set():
                with self.client.transaction() as transaction:
                    transaction.send(moved, b"%d" % number)
                number += 1
            transactions.append(number)

        transactions: list = []
        threads = [threading.Thread(target=load), threading.Thread(target=move)]
        reader = self.connect().reader(topic)
        group = self.connect().group_consumer(brokers.unique("group"), topic)
        consumer = self.client.receiver(queue)
        producer.send_batch(queue, ["seen", "acknowledged late", "not seen"])
        seen = consumer.receive(60)
        late = consumer.receive(60)
        for thread in threads:
            thread.start()
        try:
            brokers.eventually(lambda: len(futures) > 500)
            self.restart()
            sent = len(futures)
            brokers.eventually(lambda: len(futures) > sent + 300, 60)
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        producer.flush()
        results = [future.result(60) for future in futures]
        self.assertEqual(len(results), len({result.message_id for result in results}))
        expected = sorted(b"%d" % number for number in range(len(results)))
        stored = sorted(message.body for message in self.client.browse(topic))
        self.assertEqual(expected, stored)
        self.assertEqual(expected, sorted(reader.receive(60).body for _ in expected))
        self.assertEqual(set(expected), self.all_of(group, set(expected)))
        self.assertEqual(set(expected), self.all_of(subscriber, set(expected), subscriber.ack))
        (count,) = transactions
        self.assertEqual([b"%d" % number for number in range(count)], [m.body for m in self.client.browse_queue(moved)])
        # what was delivered before can be acknowledged on the new connection
        self.assertEqual((1, 0), consumer.ack(late))
        again = {}
        while len(again) < 2:
            message = consumer.receive(60)
            again[message.body] = message.delivery_count
        self.assertGreaterEqual(again["seen"], 2)
        self.assertEqual("seen", seen.body)
        self.client.producer().send(temporary.name, "the temporary queue is there again")
        self.assertIsNotNone(answers.receive(60))

    def all_of(self, consumer: object, expected: set, done=lambda message, wait: None) -> set:
        found: set = set()
        end = time.monotonic() + 60
        while found != expected and time.monotonic() < end:
            message = consumer.receive(1)
            if message is not None:
                found.add(message.body)
                done(message, wait=False)
        return found

    def test_a_frozen_broker_is_noticed_and_calls_end(self) -> None:
        topic = brokers.unique("frozen")
        self.client.admin.create_topic(topic, partitions=1)
        hasty = self.connect(timeout=0.5, heartbeat=0.1, connect_timeout=30.0)
        # the broker is known to be there: only what is frozen is hurried
        producer = hasty.producer(idempotent=False, timeout=30)
        producer.send(topic, b"x")
        producer._core.timeout = 0.5
        reader = self.client.reader(topic)
        self.assertEqual(b"x", reader.receive(60).body)
        self.broker.freeze()
        try:
            with self.assertRaises((metaq.RequestTimeoutError, metaq.ConnectionLostError)) as caught:
                producer.send(topic, b"y")
            self.assertTrue(caught.exception.outcome_unknown)
            # unknown means just that: it may have been stored in the moment before the broker stood still
            message = reader.receive(0.1)
            self.assertIn(message and message.body, (None, b"y"))
            with self.assertRaises(metaq.MetaqError):
                hasty.admin.topics()
            brokers.eventually(lambda: hasty._pool.home.state != "ready")
            with self.assertRaises(metaq.BrokerUnavailableError) as unavailable:
                hasty.admin.topics()
            self.assertFalse(unavailable.exception.outcome_unknown)
            self.assertTrue(unavailable.exception.retriable)
        finally:
            self.broker.thaw()
        brokers.eventually(lambda: hasty._pool.home.state == "ready")
        self.assertIn(topic, self.client.admin.topics())


if __name__ == "__main__":
    unittest.main()
