"""Sends and acknowledgements that are done together or not at all."""

import unittest
import uuid

import brokers
import metaq
from live import LiveTest


class TransactionTest(LiveTest):
    def setUp(self) -> None:
        super().setUp()
        self.source, self.target = self.queue(), self.queue()
        self.consumer = self.client.receiver(self.source)
        self.results = self.client.receiver(self.target)
        self.producer().send_batch(self.source, ["one", "two"])

    def test_a_committed_transaction_is_done_whole(self) -> None:
        topic = self.topic(partitions=3)
        messages = self.receive(self.consumer, 2)
        with self.client.transaction() as transaction:
            for message in messages:
                transaction.send(self.target, message.body + "!", properties={"n": 1})
                transaction.send(topic, message, key="k")
                transaction.ack(message)
            self.assertIsNone(self.results.receive(0))
        self.assertEqual(["one!", "two!"], self.bodies(self.results, 2))
        self.assertEqual(["one", "two"], [message.body for message in self.client.browse(topic)])
        self.consumer.close()
        with self.client.receiver(self.source) as again:
            self.assertIsNone(again.receive(0))

    def test_an_exception_rolls_back(self) -> None:
        with self.assertRaises(KeyError), self.client.transaction() as transaction:
            transaction.ack(self.consumer.receive(60))
            transaction.send(self.target, "never")
            raise KeyError
        self.assertIsNone(self.results.receive(0))
        counts = {message.body: message.delivery_count for message in self.receive(self.consumer, 2)}
        self.assertEqual({"one": 2, "two": 1}, counts)
        with self.assertRaises(metaq.TransactionRolledBackError):
            transaction.send(self.target, "late")

    def test_what_cannot_be_done_whole_is_not_done(self) -> None:
        message = self.consumer.receive(60)
        self.consumer.ack(message)
        with self.assertRaises(metaq.ConflictError), self.client.transaction() as transaction:
            transaction.send(self.target, "never")
            transaction.ack(message)
        self.assertIsNone(self.results.receive(0))
        with self.assertRaises(metaq.NotFoundError), self.client.transaction() as transaction:
            transaction.send(brokers.unique("nosuch"), "x")

    def test_an_empty_transaction_is_nothing(self) -> None:
        with self.client.transaction():
            pass

    def test_a_transaction_may_be_larger_than_a_request(self) -> None:
        message = self.consumer.receive(60)
        with self.client.transaction() as transaction:
            for number in range(6):
                transaction.send(self.target, bytes((number,)) * 4_000_000)
            transaction.ack(message)
        self.assertEqual(list(range(6)), [body[0] for body in self.bodies(self.results, 6)])

    def test_large_payloads_are_part_of_it(self) -> None:
        with self.connect(large_bytes=1000) as client, client.transaction() as transaction:
            transaction.send(self.target, "x" * 3_000_000)
        self.assertEqual(3_000_000, len(self.results.receive(60).body))

    def test_only_messages_of_this_client_can_be_acknowledged(self) -> None:
        with self.connect() as other, other.transaction() as transaction:
            with self.assertRaises(ValueError):
                transaction.ack(self.consumer.receive(60))


class BranchTest(LiveTest):
    def setUp(self) -> None:
        super().setUp()
        self.target = self.queue()
        self.results = self.client.receiver(self.target)
        self.qualifier = "q" + uuid.uuid4().hex[:8]

    def key(self) -> str:
        return metaq.xid(1, uuid.uuid4().bytes, b"b", self.qualifier)

    def test_a_prepared_branch_waits_for_its_coordinator(self) -> None:
        source = self.queue()
        self.producer().send(source, "work")
        consumer = self.client.receiver(source)
        branch = self.client.branch(self.key(), timeout=60)
        branch.send(self.target, "result")
        branch.ack(consumer.receive(60))
        self.assertTrue(branch.prepare())
        self.assertEqual([branch.key], self.client.recover(self.qualifier))
        self.assertEqual("prepared", self.client.admin.transactions(branch.key)[0].phase)
        self.assertIsNone(self.results.receive(0))
        branch.commit()
        self.assertEqual("result", self.results.receive(60).body)
        self.assertEqual([], self.client.recover(self.qualifier))
        with self.assertRaises(metaq.XaError) as caught:
            branch.commit()
        self.assertEqual(-4, caught.exception.xa_code)

    def test_a_branch_is_rolled_back(self) -> None:
        branch = self.client.branch(self.key())
        branch.send(self.target, "never")
        branch.flush()
        branch.rollback()
        branch.rollback()
        self.assertIsNone(self.results.receive(0))

    def test_an_empty_branch_is_over_when_it_is_prepared(self) -> None:
        self.assertFalse(self.client.branch(self.key()).prepare())

    def test_a_branch_goes_ahead_in_pieces(self) -> None:
        branch = self.client.branch(self.key())
        for number in range(3):
            branch.send(self.target, str(number))
            branch.flush()
        branch.commit(one_phase=True)
        self.assertEqual(["0", "1", "2"], self.bodies(self.results, 3))

    def test_an_operator_decides(self) -> None:
        branch = self.client.branch(self.key())
        branch.send(self.target, "x")
        branch.prepare()
        self.client.admin.commit_transaction(branch.key)
        with self.assertRaises(metaq.XaError) as caught:
            branch.rollback()
        self.assertEqual(7, caught.exception.xa_code)
        self.assertIn("phase heuristically-committed", self.client.admin.show_transaction(branch.key))
        branch.forget()

    def test_the_broker_tells_that_it_rolled_back(self) -> None:
        branch = self.client.branch(self.key())
        branch.send(self.target, "x")
        branch.flush()
        self.client.admin.rollback_transaction(branch.key)
        branch.send(self.target, "y")
        with self.assertRaises(metaq.TransactionRolledBackError):
            branch.prepare()

    def test_keys_are_checked(self) -> None:
        for wrong in ("", "a b", "abc"):
            with self.subTest(wrong), self.assertRaises(ValueError):
                self.client.branch(wrong)
        with self.assertRaises(ValueError):
            metaq.xid(1, b"x" * 65, b"")


if __name__ == "__main__":
    unittest.main()
