"""Administration, temporary destinations, requests and answers."""

import datetime
import threading
import unittest

import brokers
import metaq
from live import LiveTest


class AdminTest(LiveTest):
    def test_topics_are_made_changed_and_deleted(self) -> None:
        admin, name = self.client.admin, brokers.unique("admin")
        admin.create_topic(name, partitions=2, settings={"retentionBytes": 1000})
        with self.assertRaises(metaq.ConflictError):
            admin.create_topic(name)
        admin.create_topic(name, kind="topic", ensure=True)
        admin.alter_topic(name, partitions=3)
        info = admin.describe_topic(name)
        self.assertEqual((name, "topic", {"retentionBytes": "1000"}, 3), (info.name, info.kind, info.settings, len(info.partitions)))
        self.assertEqual((2, 0, 0, 0, "open"), info.partitions[2])
        self.assertEqual({name: 3}, admin.topics(name + "*"))
        admin.close_topic(name, partitions="1", for_="publish")
        self.assertEqual("closed-publish", admin.describe_topic(name).partitions[1].state)
        admin.open_topic(name)
        self.assertEqual(3, len(admin.scrub_topic(name)))
        (route,) = admin.routes(name)
        self.assertEqual((7, 3), (route.broker, route.partitions))
        admin.delete_topic(name)
        with self.assertRaises(metaq.NotFoundError):
            admin.describe_topic(name)

    def test_figures_are_told(self) -> None:
        topic = self.topic()
        self.producer().send(topic, b"x")
        admin = self.client.admin
        self.assertTrue(any(line.startswith("broker_id 7") for line in admin.stats()))
        self.assertIn("{} part 0 min_offset 0 max_offset 21".format(topic), admin.stats("offsets"))
        self.assertIn("message_count 1", admin.stats(topic))
        self.assertIn("[system]", admin.stats("config"))

    def test_groups_are_looked_at_and_moved(self) -> None:
        admin, topic, group = self.client.admin, self.topic(), brokers.unique("group")
        self.producer().send_batch(topic, [b"one", b"two"])
        self.assertEqual([], admin.group_offsets(group))
        admin.commit_offset(group, topic, 0, 23, message_id=4711)
        self.assertEqual([(topic, 0, 23, 4711)], [offset[:4] for offset in admin.group_offsets(group, topic=topic)])
        partition = admin.describe_group(group).partitions[0]
        self.assertEqual((topic, 0, 23, 46, 23, None), partition)
        for to, offset in (("first", 0), ("last", 46), (23, 23), (datetime.datetime(1990, 1, 1), 0)):
            admin.reset_group(group, topic, to)
            self.assertEqual(offset, admin.group_offsets(group)[0].offset)
        self.assertIn(group, admin.groups())
        self.assertTrue(all(offset.topic == topic for _, offsets in admin.group_history(group) for offset in offsets))
        admin.delete_group(group)
        with self.assertRaises(metaq.NotFoundError):
            admin.describe_group(group)

    def test_subscriptions_are_looked_at_and_moved(self) -> None:
        admin, topic, name = self.client.admin, self.topic(), brokers.unique("a subscription")
        self.producer().send_batch(topic, ["one", "two"])
        admin.create_subscription(name, topic, shared=True, start="first")
        self.assertEqual([(name, topic, "shared-durable", 0, 2)], admin.subscriptions(topic=topic))
        self.assertIn("depth 2", admin.describe_subscription(name))
        admin.pause_subscription(name)
        admin.resume_subscription(name)
        admin.purge_subscription(name)
        self.assertEqual(0, admin.subscriptions(topic=topic)[0].depth)
        admin.seek_subscription(name, "first")
        self.assertTrue(any(line.startswith("depth") for line in admin.explain(name)))
        admin.delete_subscription(name)
        self.assertEqual([], admin.subscriptions(topic=topic))

    def test_messages_are_moved_and_dead_letters_brought_back(self) -> None:
        admin, one, two = self.client.admin, self.queue(), self.queue()
        self.producer().send_batch(one, ["a", "b", "c"])
        self.assertEqual(2, admin.move_messages("queue:" + one, two, count=2))
        with self.client.receiver(two) as consumer:
            self.assertEqual({"a", "b"}, set(self.bodies(consumer, 2)))
        self.assertEqual(0, admin.redrive("queue:" + two))

    def test_wrong_names_are_refused_before_they_are_sent(self) -> None:
        admin = self.client.admin
        for call in (lambda: admin.create_topic("a b"), lambda: admin.topics(""), lambda: admin.stats("a b")):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(metaq.BadRequestError):
            admin.create_topic("a/b")
        with self.assertRaises(TypeError):
            admin.reset_group("g", "t", 1.5)  # type: ignore[arg-type]


class TemporaryTest(LiveTest):
    def test_requests_are_answered(self) -> None:
        queue = self.queue()
        server = self.connect()
        consumer = server.receiver(queue)

        def serve() -> None:
            for _ in range(3):
                request = consumer.receive(60)
                server.reply(request, {"answer": request.body.upper()}, properties={"n": 1})
                consumer.ack(request)

        thread = threading.Thread(target=serve)
        thread.start()
        for text in ("one", "two", "three"):
            answer = self.client.request("queue://" + queue, text)
            self.assertEqual(({"answer": text.upper()}, 1), (answer.body, answer.properties["n"]))
        thread.join()
        with self.assertRaises(metaq.RequestTimeoutError):
            self.client.request(queue, "nobody answers", timeout=0.1)
        with self.assertRaises(ValueError):
            self.producer().send(queue, "wants no answer")
            self.receive(consumer, 1)
            server.reply(consumer.receive(60), "x")

    def test_a_temporary_queue_is_its_clients_own(self) -> None:
        other = self.connect()
        with self.client.temporary_queue() as temporary, self.client.receiver(temporary.name) as consumer:
            other.producer().send(metaq.name_of(temporary.address), "from the other")
            self.assertEqual("from the other", consumer.receive(60).body)
            with self.assertRaises(metaq.ForbiddenError):
                other.receiver(temporary.name)
        with self.assertRaises(metaq.MetaqError):
            other.producer().send(temporary.name, b"x")

    def test_a_temporary_topic_has_subscribers(self) -> None:
        with self.client.temporary_topic() as temporary, self.client.subscribe(temporary.name) as consumer:
            self.producer().send(temporary.name, "x")
            self.assertEqual("x", consumer.receive(60).body)


class BadInputTest(LiveTest):
    def test_every_parameter_is_checked(self) -> None:
        connect = lambda **options: metaq.Client(brokers.shared().address, **options)  # noqa: E731
        producer, topic = self.producer(), "t"
        wrong = [
            (ValueError, lambda: metaq.Client("")),
            (ValueError, lambda: metaq.Client("host:port")),
            (ValueError, lambda: metaq.Client("host:70000")),
            (ValueError, lambda: metaq.Client([("h", 0)])),
            (TypeError, lambda: metaq.Client([5])),
            (ValueError, lambda: connect(timeout=0)),
            (ValueError, lambda: connect(connect_timeout="5")),
            (ValueError, lambda: connect(heartbeat=-1)),
            (ValueError, lambda: connect(user="anna")),
            (ValueError, lambda: connect(client_id="")),
            (TypeError, lambda: connect(tls="yes")),
            (ValueError, lambda: connect(large_bytes=0)),
            (ValueError, lambda: metaq.Backoff(first=0)),
            (ValueError, lambda: metaq.Backoff(jitter=2)),
            (ValueError, lambda: self.producer(durability="tape")),
            (TypeError, lambda: self.producer(partitioner=5)),
            (ValueError, lambda: self.producer(max_batch_bytes=0)),
            (ValueError, lambda: self.producer(max_in_flight_bytes=0.5)),
            (ValueError, lambda: self.producer(linger=-1)),
            (ValueError, lambda: self.producer(timeout=0)),
            (ValueError, lambda: producer.send("a b", b"x")),
            (ValueError, lambda: producer.send("", b"x")),
            (TypeError, lambda: producer.send(5, b"x")),
            (TypeError, lambda: producer.send(topic, object())),
            (TypeError, lambda: producer.send(topic, {"a": object()})),
            (TypeError, lambda: producer.send(topic, {5: "a"})),
            (ValueError, lambda: producer.send(topic, [1 << 63])),
            (ValueError, lambda: producer.send(topic, "\ud83d")),
            (TypeError, lambda: producer.send(topic, b"x", colour="blue")),
            (TypeError, lambda: producer.send(topic, metaq.Message(b"x"), priority=5)),
            (ValueError, lambda: metaq.Message(b"x", priority=10)),
            (ValueError, lambda: metaq.Message(b"x", priority=True)),
            (ValueError, lambda: metaq.Message(b"x", time_to_live=-1)),
            (TypeError, lambda: metaq.Message(b"x", delay="soon")),
            (TypeError, lambda: metaq.Message(b"x", reply_to=5)),
            (TypeError, lambda: metaq.Message("x", kind=metaq.BodyKind.MAP) and producer.send(topic, metaq.Message("x", kind=3))),
            (ValueError, lambda: metaq.Message(b"x", kind=9)),
            (ValueError, lambda: metaq.Message(b"x", flag=4)),
            (TypeError, lambda: metaq.Message(b"x", {"JMSXGroupID": 5})),
            (ValueError, lambda: self.client.receiver("a b")),
            (ValueError, lambda: self.client.receiver("q", prefetch=0)),
            (ValueError, lambda: self.client.receiver("q", prefetch_bytes=True)),
            (ValueError, lambda: self.client.reader(topic, start="middle")),
            (TypeError, lambda: self.client.reader(topic, start=1.5)),
            (ValueError, lambda: self.client.reader(topic, start=-1)),
            (ValueError, lambda: self.client.reader(topic, wait=-1)),
            (ValueError, lambda: self.client.reader(topic, max_bytes=1)),
            (ValueError, lambda: self.client.group_consumer("a b", topic)),
            (ValueError, lambda: self.client.group_consumer("g", [])),
            (ValueError, lambda: self.client.group_consumer("g", "a,b")),
            (ValueError, lambda: self.client.group_consumer("g", topic, commit_interval=0)),
            (ValueError, lambda: self.client.group_consumer("g", topic, member="a b")),
            (ValueError, lambda: metaq.name_of("http://x")),
            (ValueError, lambda: metaq.name_of("queue://")),
        ]
        for number, (kind, call) in enumerate(wrong):
            with self.subTest(number=number), self.assertRaises(kind):
                call()

    def test_nobody_there_is_told_soon(self) -> None:
        with self.assertRaises(metaq.BrokerUnavailableError) as caught:
            metaq.Client("127.0.0.1:1", connect_timeout=0.3)
        self.assertIn("127.0.0.1:1", str(caught.exception))
        with self.assertRaises(metaq.BrokerUnavailableError):
            metaq.Client("no-such-host.invalid:1", connect_timeout=2)

    def test_the_first_server_that_answers_will_do(self) -> None:
        with metaq.Client(["127.0.0.1:1", brokers.shared().address]) as client:
            self.assertEqual(7, client.broker.broker_id)


if __name__ == "__main__":
    unittest.main()
