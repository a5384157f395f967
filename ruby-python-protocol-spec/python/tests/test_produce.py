"""Sending: one by one, in batches, with futures; by key, by partitioner, by partition."""

import threading
import unittest
from concurrent.futures import wait
from zlib import crc32

import brokers
import metaq
from live import LiveTest
from metaq import partitioners


class ProduceTest(LiveTest):
    def test_a_send_tells_where_the_message_is(self) -> None:
        topic, producer = self.topic(), self.producer()
        first, second = producer.send(topic, b"one"), producer.send(topic, b"two")
        self.assertEqual((topic, 7, 0, 0), first[1:])
        self.assertEqual(23, second.offset)
        self.assertGreater(second.message_id, first.message_id)

    def test_every_kind_of_message_comes_back_as_it_was(self) -> None:
        topic, producer = self.topic(), self.producer()
        bodies = [None, "täxt 😀", "", b"\x00\xff", b"", {"a": metaq.Int(1), "ä": 2.5, "n": None}, {}, [True, "x", b"y"], []]
        bodies.append(metaq.Object(b"\xac\xed"))
        producer.send_batch(topic, bodies)
        producer.send(topic, metaq.Message(None, kind=metaq.BodyKind.NULL_TEXT))
        with self.client.browse(topic) as browser:
            found = list(browser)
        self.assertEqual([*bodies, None], [message.body for message in found])
        self.assertEqual([metaq.BodyKind.NONE, metaq.BodyKind.NULL_TEXT], [found[0].kind, found[-1].kind])
        self.assertEqual([type(body) for body in bodies], [type(message.body) for message in found[:-1]])

    def test_headers_and_properties_come_back_as_they_were(self) -> None:
        topic = self.topic()
        headers = dict(
            type="order", correlation_id=b"\x01\x02", reply_to="queue://answers", priority=8, persistent=False, group_id="g",
            group_seq=3, user_id="anna", attribute="attr", message_id="ID:mine", timestamp=1234, destination="queue://x",
        )  # fmt: skip
        properties = {"byte": metaq.Byte(1), "float": metaq.Float(0.5), "double": 0.5, "string": "ä", "flag": False, "none": None}
        self.producer().send(topic, metaq.Message("body", properties, time_to_live=3600, **headers))
        message = self.client.browse(topic).receive(10)
        self.assertEqual(headers, {name: getattr(message, name) for name in headers})
        self.assertEqual(properties, message.properties)
        self.assertEqual(["byte", "float", "double"], [message.property_type(name) for name in ("byte", "float", "double")])
        self.assertGreater(message.expiration, self.client._reactor.now_ms())

    def test_jms_names_of_headers_mean_the_headers(self) -> None:
        message = metaq.Message("x", {"JMSXGroupID": "g", "JMSXGroupSeq": 2, "other": 1})
        self.assertEqual(("g", 2, {"other": 1}), (message.group_id, message.group_seq, message.properties))

    def test_futures_are_settled_in_order(self) -> None:
        topic, producer = self.topic(), self.producer()
        settled = []
        futures = [producer.send_async(topic, b"%d" % number) for number in range(2000)]
        for number, future in enumerate(futures):
            future.add_done_callback(lambda _, number=number: settled.append(number))
        producer.flush()
        self.assertTrue(all(future.done() for future in futures))
        self.assertEqual(sorted(settled), settled)
        self.assertEqual(sorted(future.result().offset for future in futures), [f.result().offset for f in futures])
        with self.client.reader(topic) as reader:
            self.assertEqual([b"%d" % number for number in range(2000)], self.bodies(reader, 2000))

    def test_one_key_goes_to_one_partition(self) -> None:
        topic, producer = self.topic(partitions=5), self.producer()
        for key in ("a", b"a", "ä"):
            expected = crc32(key.encode("utf-8") if isinstance(key, str) else key) % 5
            self.assertEqual({expected}, {producer.send(topic, b"x", key=key).partition for _ in range(3)})

    def test_messages_without_a_key_go_everywhere(self) -> None:
        topic = self.topic(partitions=3)
        producer = self.producer()
        self.assertEqual({0, 1, 2}, {producer.send(topic, b"x").partition for _ in range(3)})
        turns = self.producer(partitioner=partitioners.round_robin())
        self.assertEqual([0, 1, 2, 0], [result.partition for result in turns.send_batch(topic, [b"x"] * 4)])

    def test_a_partitioner_of_the_application_chooses(self) -> None:
        topic = self.topic(partitions=3)
        producer = self.producer(partitioner=lambda message, partitions: partitions[len(message.body) % len(partitions)])
        self.assertEqual([1, 2, 0], [producer.send(topic, "x" * size).partition for size in (1, 2, 3)])
        wrong = self.producer(partitioner=lambda message, partitions: metaq.Partition(9, 9))
        with self.assertRaisesRegex(ValueError, "none of the topic's"):
            wrong.send(topic, b"x")
        failing = self.producer(partitioner=lambda message, partitions: 1 // 0)
        with self.assertRaises(ZeroDivisionError):
            failing.send(topic, b"x")

    def test_the_caller_can_name_the_partition(self) -> None:
        topic, producer = self.topic(partitions=3), self.producer()
        self.assertEqual(2, producer.send(topic, b"x", partition=2).partition)
        self.assertEqual(1, producer.send(topic, b"x", partition=metaq.Partition(7, 1)).partition)
        with self.assertRaises(metaq.NotFoundError):
            producer.send(topic, b"x", partition=3)

    def test_what_the_broker_refuses_is_told(self) -> None:
        producer = self.producer()
        with self.assertRaises(metaq.FailedError) as caught:
            producer.send(brokers.unique("nosuch"), b"x")
        self.assertFalse(caught.exception.retriable or caught.exception.outcome_unknown)
        topic = self.topic()
        self.client.admin.close_topic(topic, for_="publish")
        with self.assertRaises(metaq.ForbiddenError):
            producer.send(topic, b"x")
        self.client.admin.open_topic(topic)
        producer.send(topic, b"x")

    def test_a_topic_can_be_made_after_it_was_missed(self) -> None:
        name, producer = brokers.unique("late"), self.producer()
        with self.assertRaises(metaq.FailedError):
            producer.send(name, b"x")
        self.client.admin.create_topic(name, partitions=2)
        self.assertEqual(0, producer.send(name, b"x", key="k").offset)

    def test_durability_can_be_asked_for(self) -> None:
        topic = self.topic()
        for durability in ("os", "disk"):
            self.producer(durability=durability).send(topic, b"x")
        self.producer(idempotent=False).send(topic, b"x")
        self.producer(linger=0.01).send_batch(topic, [b"x"] * 3)

    def test_a_full_buffer_is_waited_for_or_told(self) -> None:
        topic = self.topic()
        producer = self.producer(max_in_flight_bytes=2000, linger=0.2)
        producer.send_async(topic, b"x" * 3000)
        with self.assertRaises(metaq.BufferFullError):
            producer.send_async(topic, b"x", block=False)
        producer.send_async(topic, b"x").result(60)

    def test_large_payloads_are_stored_in_chunks(self) -> None:
        client = self.connect(large_bytes=100_000)
        topic, producer = self.topic(), client.producer()
        text, data = "ä" * 1_700_000, bytes(range(256)) * 10_000
        producer.send(topic, text, properties={"p": 1})
        producer.send(topic, data)
        producer.send(topic, b"small")
        self.assertEqual([text, data, b"small"], [message.body for message in client.browse(topic)])
        self.assertEqual([text, data, b"small"], [message.body for message in self.client.browse(topic)])
        self.assertIn(topic + ".large", self.client.admin.topics(topic + "*"))

    def test_messages_larger_than_a_slice_are_read(self) -> None:
        topic = self.topic()
        data = bytes(range(256)) * 12_000
        self.producer().send_batch(topic, [b"a", data, b"b"])
        with self.client.reader(topic, max_bytes=1000) as reader:
            self.assertEqual([b"a", data, b"b"], self.bodies(reader, 3))

    def test_what_is_over_the_brokers_limit_is_refused_here(self) -> None:
        topic = self.topic()
        with self.assertRaises(metaq.TooLargeError):
            self.producer().send(topic, b"x", properties={"p": "x" * 17_000_000})
        self.producer().send(topic, b"the connection goes on")

    def test_closing_sends_what_is_there(self) -> None:
        topic = self.topic()
        with self.producer(linger=5) as producer:
            future = producer.send_async(topic, b"x")
        self.assertEqual(0, future.result(0).offset)
        with self.assertRaises(metaq.ClientClosedError):
            producer.send_async(topic, b"y")

    def test_an_exception_in_the_block_drops_what_was_not_sent(self) -> None:
        topic = self.topic()
        with self.assertRaises(KeyError), self.producer(linger=5) as producer:
            future = producer.send_async(topic, b"x")
            raise KeyError
        self.assertIsInstance(future.exception(5), (metaq.ClientClosedError, type(None)))

    def test_callbacks_must_not_wait(self) -> None:
        topic, producer = self.topic(), self.producer()
        outcome, there = [], threading.Event()

        def callback(_: object) -> None:
            try:
                producer.send(topic, b"y")
            except metaq.MetaqError as error:
                outcome.append(error)
            there.set()

        future = producer.send_async(topic, b"x")
        future.add_done_callback(callback)
        self.assertTrue(there.wait(60))
        if outcome:
            self.assertIsInstance(outcome[0], metaq.WouldBlockError)

    def test_threads_share_a_producer(self) -> None:
        topic, producer = self.topic(partitions=2), self.producer()
        futures: list = []

        def send(thread: int) -> None:
            futures.extend(producer.send_async(topic, b"%d %d" % (thread, number)) for number in range(500))

        threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        done, undone = wait(futures, 30)
        self.assertEqual((2000, 0), (len(done), len(undone)))
        with self.client.browse(topic) as browser:
            found = [message.body for message in browser]
        self.assertEqual({b"%d %d" % (thread, number) for thread in range(4) for number in range(500)}, set(found))


if __name__ == "__main__":
    unittest.main()
