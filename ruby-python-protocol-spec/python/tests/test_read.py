"""Reading by offset and time, with long poll; browsing; groups."""

import datetime
import threading
import time
import unittest

import brokers
import metaq
from live import LiveTest


class ReadTest(LiveTest):
    def test_a_reader_goes_on_with_what_comes(self) -> None:
        topic, producer = self.topic(partitions=2), self.producer()
        with self.client.reader(topic) as reader:
            self.assertIsNone(reader.receive(0.05))
            threading.Timer(0.1, lambda: producer.send_async(topic, b"late")).start()
            self.assertEqual(b"late", reader.receive(60).body)

    def test_messages_tell_where_they_are(self) -> None:
        topic = self.topic()
        sent = self.producer().send_batch(topic, [b"one", b"two"])
        with self.client.reader(topic) as reader:
            found = self.receive(reader, 2)
            self.assertEqual({metaq.Partition(7, 0): 46}, reader.positions())
        self.assertEqual([tuple(result) for result in sent], [(m.id, m.topic, m.broker, m.partition, m.offset) for m in found])
        self.assertEqual("ID:{}".format(found[0].id), found[0].message_id)
        self.assertIsNone(found[0].timestamp)

    def test_reading_begins_where_it_is_asked_to(self) -> None:
        topic, producer = self.topic(), self.producer()
        producer.send_batch(topic, [b"one", b"two"])
        time.sleep(0.02)  # so that the moment lies between the two
        moment = datetime.datetime.now(datetime.timezone.utc)
        time.sleep(0.02)
        producer.send(topic, b"three")
        for start, expected in (("first", b"one"), (23, b"two"), (moment, b"three")):
            with self.subTest(start=start), self.client.reader(topic, start=start) as reader:
                self.assertEqual(expected, reader.receive(60).body)
        with self.client.reader(topic, start="last") as reader:
            producer.send(topic, b"four")
            self.assertEqual(b"four", reader.receive(60).body)

    def test_a_reader_can_be_moved(self) -> None:
        topic = self.topic()
        self.producer().send_batch(topic, [b"one", b"two"])
        with self.client.reader(topic) as reader:
            self.assertEqual([b"one", b"two"], self.bodies(reader, 2))
            reader.seek(metaq.Partition(7, 0), "first")
            self.assertEqual(b"one", reader.receive(60).body)
            reader.seek(metaq.Partition(7, 0), 1 << 40)
            self.assertIsNone(reader.receive(0.05))
            with self.assertRaises(KeyError):
                reader.seek(metaq.Partition(7, 9), "first")

    def test_polling_takes_what_is_there(self) -> None:
        topic = self.topic(partitions=2)
        self.producer().send_batch(topic, [b"x"] * 30)
        with self.client.reader(topic) as reader:
            found: list = []
            while len(found) < 30:
                found += reader.poll(7, 60)
            self.assertEqual([], reader.poll(7, 0.01))
            with self.assertRaises(ValueError):
                reader.poll(0)

    def test_single_partitions_can_be_read(self) -> None:
        topic, producer = self.topic(partitions=3), self.producer()
        for partition in range(3):
            producer.send(topic, b"%d" % partition, partition=partition)
        with self.client.reader(topic, partitions=[0, 2]) as reader:
            self.assertEqual({b"0", b"2"}, set(self.bodies(reader, 2)))
            self.assertIsNone(reader.receive(0.05))

    def test_a_browser_ends_where_the_topic_ended(self) -> None:
        topic, producer = self.topic(partitions=2), self.producer()
        producer.send_batch(topic, [b"a", b"b", b"c"])
        browser = self.client.browse(topic)
        producer.send(topic, b"later")
        self.assertEqual({b"a", b"b", b"c"}, {message.body for message in browser})
        self.assertIsNone(browser.receive())
        self.assertEqual([], list(self.client.browse(self.topic())))

    def test_a_browser_shows_nothing_that_is_expired_or_not_due(self) -> None:
        topic, producer = self.topic(), self.producer()
        producer.send(topic, "expired", time_to_live=0.001)
        producer.send(topic, "delayed", delay=60)
        producer.send(topic, "shown")
        time.sleep(0.01)
        self.assertEqual(["shown"], [message.body for message in self.client.browse(topic)])

    def test_reading_what_is_not_there_is_told(self) -> None:
        with self.assertRaises(metaq.NotFoundError):
            self.client.reader(brokers.unique("nosuch"))

    def test_a_closed_partition_is_told_and_tried_again(self) -> None:
        topic = self.topic()
        self.producer().send(topic, b"x")
        self.client.admin.close_topic(topic, for_="subscribe")
        with self.client.reader(topic) as reader:
            with self.assertRaises(metaq.ForbiddenError):
                reader.receive(60)
            self.client.admin.open_topic(topic)
            self.assertEqual(b"x", reader.receive(60).body)

    def test_a_reader_ends_by_close(self) -> None:
        reader = self.client.reader(self.topic())
        threading.Timer(0.1, reader.close).start()
        self.assertEqual([], list(reader))
        with self.assertRaises(metaq.ClientClosedError):
            reader.receive(1)


class GroupTest(LiveTest):
    def test_a_group_goes_on_where_it_was(self) -> None:
        topic, group = self.topic(partitions=2), brokers.unique("group")
        self.producer().send_batch(topic, [b"%d" % number for number in range(10)])
        with self.client.group_consumer(group, topic) as consumer:
            before = self.bodies(consumer, 6)
        with self.client.group_consumer(group, topic) as consumer:
            after = self.bodies(consumer, 4)
            self.assertIsNone(consumer.receive(0.05))
        self.assertEqual({b"%d" % number for number in range(10)}, set(before + after))
        self.assertEqual({group: 0}, self.client.admin.groups(group))

    def test_what_was_not_finished_comes_again(self) -> None:
        topic, group = self.topic(), brokers.unique("group")
        self.producer().send_batch(topic, [b"one", b"two"])
        with self.assertRaises(KeyError), self.client.group_consumer(group, topic) as consumer:
            self.assertEqual([b"one", b"two"], self.bodies(consumer, 2))
            raise KeyError
        with self.client.group_consumer(group, topic) as consumer:
            self.assertEqual(b"two", consumer.receive(60).body)

    def test_the_application_can_commit_by_itself(self) -> None:
        topic, group = self.topic(), brokers.unique("group")
        self.producer().send_batch(topic, [b"one", b"two", b"three"])
        with self.client.group_consumer(group, topic, commit_interval=None) as consumer:
            self.bodies(consumer, 2)
            consumer.commit()
            self.bodies(consumer, 1)
        offsets = self.client.admin.group_offsets(group)
        self.assertEqual([(topic, 0, 46)], [offset[:3] for offset in offsets])
        with self.client.group_consumer(group, topic) as consumer:
            self.assertEqual(b"three", consumer.receive(60).body)

    def test_polled_messages_are_finished_by_the_next_poll(self) -> None:
        topic, group = self.topic(), brokers.unique("group")
        self.producer().send_batch(topic, [b"one", b"two", b"three"])
        with self.client.group_consumer(group, topic, commit_interval=0.02) as consumer:
            self.assertEqual(3, len(consumer.poll(10, 60)))
            time.sleep(0.1)  # commits happen
            self.assertEqual([], [o for o in self.client.admin.group_offsets(group) if o.offset])
            self.assertEqual([], consumer.poll(10, 0.01))
            brokers.eventually(lambda: [71] == [o.offset for o in self.client.admin.group_offsets(group)])

    def test_members_share_partitions_and_hand_them_over(self) -> None:
        topic, group = self.topic(partitions=4), brokers.unique("group")
        producer, other = self.producer(), self.connect()
        changes: list = []
        first = self.client.group_consumer(group, topic, on_change=lambda new, gone: changes.append((len(new), len(gone))))
        brokers.eventually(lambda: len(first.assignment()) == 4)
        second = other.group_consumer(group, topic)
        brokers.eventually(lambda: first.receive(0.01) is None and len(first.assignment()) == 2 == len(second.assignment()))
        self.assertEqual(set(), set(first.assignment()) & set(second.assignment()))
        producer.send_batch(topic, [b"%d" % number for number in range(40)])
        producer.flush()
        found: list = []
        brokers.eventually(lambda: found.extend(m.body for c in (first, second) for m in c.poll(5, 0.05)) or len(found) >= 40)
        self.assertEqual(sorted(b"%d" % number for number in range(40)), sorted(found))
        members = self.client.admin.describe_group(group).members
        self.assertEqual(sorted([first.member, second.member]), sorted(members))
        # the rule is that of the document
        expected = metaq.balance(members, ["7-{}".format(number) for number in range(4)])
        self.assertEqual(expected[first.member], ["7-{}".format(place.partition) for place in first.assignment()])
        first.close()
        brokers.eventually(lambda: len(second.assignment()) == 4)
        second.close()
        self.assertIn((4, 0), changes)
        self.assertEqual(2, sum(gone for _, gone in changes))

    def test_a_partition_is_not_handed_over_while_its_message_is_in_hand(self) -> None:
        topic, group = self.topic(), brokers.unique("group")
        self.producer().send_batch(topic, [b"one", b"two"])
        other = self.connect()
        # the second member comes first in the order, so it gets the partition
        first = self.client.group_consumer(group, topic, member="m2")
        self.assertEqual(b"one", first.receive(60).body)
        second = other.group_consumer(group, topic, member="m1")
        brokers.eventually(lambda: not first.assignment())
        self.assertIsNone(second.receive(0.1))
        self.assertIsNone(first.receive(0))
        self.assertEqual(b"two", second.receive(60).body)
        first.close()
        second.close()

    def test_starts_where_it_is_asked_to_when_nothing_is_committed(self) -> None:
        topic, producer = self.topic(), self.producer()
        producer.send(topic, b"old")
        with self.client.group_consumer(brokers.unique("group"), topic, start="last") as consumer:
            brokers.eventually(consumer.assignment)
            producer.send(topic, b"new")
            self.assertEqual(b"new", consumer.receive(60).body)

    def test_joining_for_what_is_not_there_is_told(self) -> None:
        with self.assertRaises(metaq.NotFoundError):
            self.client.group_consumer("g", brokers.unique("nosuch"))


if __name__ == "__main__":
    unittest.main()
