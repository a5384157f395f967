"""Queues: each message goes to one consumer, and stays until it is acknowledged."""

import threading
import time
import unittest

import metaq
from live import LiveTest


class QueueTest(LiveTest):
    def setUp(self) -> None:
        super().setUp()
        self.queue_name = self.queue()
        self.consumer = self.client.receiver(self.queue_name)
        self.sender = self.producer()

    def send(self, *bodies: object, **headers: object) -> None:
        self.sender.send_batch(self.queue_name, bodies, **headers)

    def test_acknowledged_messages_come_no_more(self) -> None:
        self.send("hällo")
        message = self.consumer.receive(60)
        self.assertEqual(("hällo", 1, False), (message.body, message.delivery_count, message.redelivered))
        self.assertEqual((1, 0), self.consumer.ack(message))
        self.assertEqual((0, 1), self.consumer.ack(message))
        self.assertIsNone(self.consumer.receive(0))

    def test_several_messages_are_acknowledged_at_once(self) -> None:
        self.send(*[b"x"] * 50)
        messages = self.receive(self.consumer, 50)
        self.assertEqual((49, 0), self.consumer.ack([message for message in messages if message is not messages[20]]))
        self.consumer.ack(messages[20])

    def test_acknowledgements_need_not_be_waited_for(self) -> None:
        self.send(*[b"x"] * 50)
        for message in self.receive(self.consumer, 50):
            self.assertIsNone(self.consumer.ack(message, wait=False))
        self.consumer.close()
        (info,) = self.client.admin.subscriptions("queue:" + self.queue_name)
        self.assertEqual(0, info.depth)

    def test_rejected_messages_come_again_and_are_counted(self) -> None:
        self.send(b"work")
        self.consumer.reject(self.consumer.receive(60))
        message = self.consumer.receive(60)
        self.assertEqual((2, True), (message.delivery_count, message.redelivered))
        self.consumer.reject(message, delay=0.2)
        self.assertIsNone(self.consumer.receive(0))
        self.assertEqual(3, self.consumer.receive(60).delivery_count)

    def test_released_messages_come_again_as_new(self) -> None:
        self.send(b"work")
        self.consumer.release(self.consumer.receive(60))
        self.assertEqual(1, self.consumer.receive(60).delivery_count)

    def test_hopeless_messages_go_to_the_dead_letter_queue(self) -> None:
        dead = self.queue()
        frail = self.queue(deadLetterQueue=dead, maxDeliveries=2)
        self.sender.send_batch(frail, ["a", "b"], key="k")
        with self.client.receiver(frail) as consumer, self.client.receiver(dead) as letters:
            first, second = self.receive(consumer, 2)
            consumer.reject(first, dead=True)
            self.assertEqual("a", letters.receive(60).body)
            consumer.reject(second)
            consumer.reject(consumer.receive(60))
            self.assertEqual("b", letters.receive(60).body)

    def test_what_a_closed_consumer_had_comes_again(self) -> None:
        self.send("seen", "not seen")
        self.assertEqual("seen", self.consumer.receive(60).body)
        self.consumer.close()
        self.consumer.close()
        with self.client.receiver(self.queue_name) as again:
            counts = {message.body: message.delivery_count for message in self.receive(again, 2)}
        self.assertEqual({"seen": 2, "not seen": 1}, counts)
        with self.assertRaises(metaq.ClientClosedError):
            self.consumer.receive(1)

    def test_a_selector_picks_messages(self) -> None:
        self.consumer.close()
        for color in ("red", "blue", "red"):
            self.send(color, properties={"color": color, "size": metaq.Int(3)})
        with self.client.receiver(self.queue_name, selector="color = 'blue' AND size > 2") as consumer:
            self.assertEqual("blue", consumer.receive(60).body)
            self.assertIsNone(consumer.receive(0))
        with self.assertRaises(metaq.BadRequestError) as caught:
            self.client.receiver(self.queue_name, selector="color = 'x")
        self.assertIn("1", str(caught.exception))

    def test_higher_priorities_come_first(self) -> None:
        for priority in (1, 9, 4):
            self.send(priority.to_bytes(1, "big"), priority=priority)
        self.assertEqual([b"\x09", b"\x04", b"\x01"], self.bodies(self.consumer, 3))

    def test_delayed_messages_come_when_they_are_due(self) -> None:
        begun = time.monotonic()
        self.send("late", delay=0.5)
        self.send("now")
        self.assertEqual("now", self.consumer.receive(60).body)
        self.assertIsNone(self.consumer.receive(0))
        message = self.consumer.receive(60)
        self.assertEqual("late", message.body)
        self.assertGreaterEqual(time.monotonic() - begun, 0.45)
        self.assertIsNotNone(message.delivery_time)

    def test_expired_messages_do_not_come(self) -> None:
        self.consumer.close()
        self.send("gone", time_to_live=0.01)
        self.send("there", time_to_live=3600)
        time.sleep(0.05)  # so that it is expired
        with self.client.receiver(self.queue_name) as consumer:
            self.assertEqual("there", consumer.receive(60).body)

    def test_a_group_goes_to_one_consumer_in_order(self) -> None:
        self.consumer.close()
        self.send(*range_bodies(20), group_id="g")
        one = self.client.receiver(self.queue_name, prefetch=1)
        two = self.client.receiver(self.queue_name, prefetch=1)
        found: dict = {one: [], two: []}
        while sum(map(len, found.values())) < 20:
            for consumer, bodies in found.items():
                message = consumer.receive(0.05)
                if message is not None:
                    bodies.append(message.body)
                    consumer.ack(message)
        self.assertEqual([[], range_bodies(20)], sorted(found.values()))

    def test_consumers_share_a_queue(self) -> None:
        self.consumer.close()
        one = self.client.receiver(self.queue_name, prefetch=1)
        two = self.connect().receiver(self.queue_name, prefetch=1)
        self.send(b"a", b"b")
        self.assertEqual({b"a", b"b"}, {one.receive(60).body, two.receive(60).body})

    def test_what_waits_too_long_is_given_back_to_others(self) -> None:
        self.consumer.close()
        self.send(*range_bodies(10))
        hoarder = self.client.receiver(self.queue_name, prefetch=100, idle_return=0.05)
        self.assertEqual("0", hoarder.receive(60).body)
        with self.connect().receiver(self.queue_name) as other:
            self.assertEqual(range_bodies(10)[1:], self.bodies(other, 9))

    def test_a_receive_that_ends_leaves_no_credit(self) -> None:
        self.assertIsNone(self.consumer.receive(0.02))
        self.send("for the other")
        with self.connect().receiver(self.queue_name) as other:
            self.assertEqual("for the other", other.receive(60).body)

    def test_browsing_takes_nothing(self) -> None:
        self.send(*range_bodies(3))
        self.assertEqual(range_bodies(3), [message.body for message in self.client.browse_queue(self.queue_name)])
        self.assertEqual([], list(self.client.browse_queue(self.queue_name, selector="JMSType = 'none'")))
        self.assertEqual([1, 1, 1], [message.delivery_count for message in self.receive(self.consumer, 3)])

    def test_many_messages_flow(self) -> None:
        for number in range(5000):
            self.sender.send_async(self.queue_name, b"%d" % number)
        found = []
        for message in self.consumer:
            found.append(message.body)
            self.consumer.ack(message, wait=False)
            if len(found) == 5000:
                break
        self.assertEqual([b"%d" % number for number in range(5000)], found)

    def test_a_deleted_queue_ends_its_consumers(self) -> None:
        deleting = threading.Timer(0.1, lambda: self.client.admin.delete_topic(self.queue_name))
        deleting.start()
        self.addCleanup(deleting.join)
        with self.assertRaises(metaq.ConsumerDetachedError):
            self.consumer.receive(60)
        with self.assertRaises(metaq.ConsumerDetachedError):
            self.consumer.receive(0)
        self.consumer.close()

    def test_closing_the_client_ends_who_waits(self) -> None:
        threading.Timer(0.1, self.client.close).start()
        with self.assertRaises(metaq.ClientClosedError):
            self.consumer.receive(60)

    def test_threads_share_a_consumer(self) -> None:
        self.send(*[b"x"] * 200)
        counts: list = []

        def work() -> None:
            count = 0
            message = self.consumer.receive(0.5)
            while message is not None:
                self.consumer.ack(message)
                count += 1
                message = self.consumer.receive(0.5)
            counts.append(count)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(200, sum(counts))

    def test_messages_of_others_cannot_be_settled(self) -> None:
        self.send(b"x")
        message = self.consumer.receive(60)
        with self.client.receiver(self.queue()) as other, self.assertRaises(ValueError):
            other.ack(message)

    def test_a_queue_is_no_topic(self) -> None:
        with self.assertRaises(metaq.ConflictError):
            self.client.receiver(self.topic())
        with self.assertRaises(metaq.ConflictError):
            self.client.subscribe(self.queue_name)


class SubscriptionTest(LiveTest):
    options = {"client_id": "python-test"}

    def test_a_durable_subscription_keeps_what_comes(self) -> None:
        topic, producer = self.topic(), self.producer()
        producer.send(topic, "before")
        with self.client.subscribe(topic, "keeps", durable=True) as consumer:
            self.assertEqual("durable:python-test:keeps", consumer.name)
        producer.send(topic, "meanwhile")
        with self.client.subscribe(topic, "keeps", durable=True) as consumer:
            message = consumer.receive(60)
            self.assertEqual("meanwhile", message.body)
            consumer.ack(message)
            with self.assertRaises(metaq.ConflictError):
                self.client.subscribe(topic, "keeps", durable=True)
            with self.assertRaises(metaq.ConflictError):
                self.client.unsubscribe("keeps")
        self.client.unsubscribe("keeps")
        with self.assertRaises(metaq.NotFoundError):
            self.client.unsubscribe("keeps")

    def test_a_shared_subscription_shares(self) -> None:
        topic, producer = self.topic(), self.producer()
        for durable in (False, True):
            name = "shares{}".format(durable)
            with self.client.subscribe(topic, name, shared=True, durable=durable, prefetch=1) as one:
                with self.client.subscribe(topic, name, shared=True, durable=durable, prefetch=1) as two:
                    producer.send_batch(topic, ["a", "b"])
                    self.assertEqual({"a", "b"}, {one.receive(60).body, two.receive(60).body})
        self.client.unsubscribe("sharesTrue")

    def test_every_subscriber_gets_every_message(self) -> None:
        topic, producer = self.topic(), self.producer()
        with self.client.subscribe(topic) as one, self.client.subscribe(topic, selector="n = 2") as two:
            for number in (1, 2):
                producer.send(topic, "x", properties={"n": number})
            self.assertEqual([1, 2], [message.properties["n"] for message in self.receive(one, 2)])
            self.assertEqual(2, two.receive(60).properties["n"])

    def test_no_local_leaves_out_what_the_client_sends(self) -> None:
        topic, other = self.topic(), self.connect(client_id="another")
        with self.client.subscribe(topic, no_local=True) as consumer:
            self.producer().send(topic, b"own")
            other.producer().send(topic, b"other's")
            message = consumer.receive(60)
        self.assertEqual((b"other's", "another"), (message.body, message.origin))

    def test_a_client_id_is_one_connections(self) -> None:
        with self.assertRaises(metaq.ConflictError):
            self.connect(client_id="python-test")

    def test_names_need_a_kind_and_a_client_id(self) -> None:
        for wrong in (dict(name="n"), dict(durable=True), dict(shared=True)):
            with self.subTest(**wrong), self.assertRaises(ValueError):
                self.client.subscribe(self.topic(), **wrong)
        with self.assertRaises(ValueError):
            self.connect().subscribe(self.topic(), "n", durable=True)


def range_bodies(count: int) -> list:
    return [str(number) for number in range(count)]


if __name__ == "__main__":
    unittest.main()
