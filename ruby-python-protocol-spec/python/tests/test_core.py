"""The core without sockets: lost connections, refusals, silence, and time, step by step."""

import unittest
from concurrent.futures import Future

import metaq
from metaq._protocol import requests, storage
from metaq._protocol.frames import Delivered, Result, Value
from metaq._protocol.ranges import Ranges
from metaq.core.attachment import Attachment
from metaq.core.group import parse_assignment
from metaq.core.producer import ProducerCore
from metaq.core.reading import ReaderCore
from metaq.core.settings import Backoff, parse_servers
from metaq.core.subscription import SubscriptionCore
from metaq.core.tasks import Pending, spawn
from metaq.core.transactions import Steps
from scripted import started


def new_producer(pool: object, **options: object) -> ProducerCore:
    defaults = dict(
        partitioner=None, idempotent=True, durability=None, linger=0.0, max_batch_bytes=100, max_in_flight_bytes=10000,
        timeout=10.0, origin=None,
    )  # fmt: skip
    return ProducerCore(pool, **{**defaults, **options})


class LinkTest(unittest.TestCase):
    def test_connects_again_with_a_growing_pause(self) -> None:
        engine, peer, pool = started(backoff=Backoff(0.1, 1.0, jitter=0.0))
        self.assertEqual("ready", pool.home.state)
        peer.refuses = True
        peer.last.lose()
        attempts = []
        for _ in range(100):
            engine.pass_time(0.1)
            attempts.append(pool.home._failures)
        # after 0.1, 0.2, 0.4, 0.8, then every second
        self.assertEqual([2, 2, 3, 3, 3, 3, 4], [min(count, 9) for count in attempts[:7]])
        self.assertLess(attempts[-1], 16)
        peer.refuses = False
        engine.pass_time(1.0)
        self.assertEqual(("ready", 0), (pool.home.state, pool.home._failures))

    def test_pauses_are_scattered(self) -> None:
        self.assertEqual(0.5, Backoff(1.0, 8.0, 0.5, chance=lambda: 1.0).seconds(1))
        self.assertEqual(4.0, Backoff(1.0, 8.0, 0.5, chance=lambda: 0.0).seconds(3))
        self.assertEqual(8.0, Backoff(1.0, 8.0, 0.5, chance=lambda: 0.0).seconds(1000))

    def test_three_heartbeats_in_vain_end_the_connection(self) -> None:
        engine, peer, pool = started(heartbeat=10.0)
        engine.pass_time(35.0)
        self.assertEqual(1, len(peer.connections))
        self.assertGreaterEqual(len(peer.last.of("version")), 3)
        peer.silent = True
        engine.pass_time(29.0)
        self.assertEqual(1, len(peer.connections))
        peer_silent_since = len(peer.connections)
        engine.pass_time(30.0)
        self.assertGreater(len(peer.connections), peer_silent_since)

    def test_a_silent_greeting_is_given_up(self) -> None:
        engine, peer, pool = started()
        peer.silent = True
        peer.last.lose()
        engine.pass_time(6.0)
        self.assertNotEqual("ready", pool.home.state)
        peer.silent = False
        engine.pass_time(12.0)
        self.assertEqual("ready", pool.home.state)

    def test_requests_end_in_their_time_whatever_happens(self) -> None:
        engine, peer, pool = started()
        sent = pool.home.ask(requests.stats, None, timeout=2.0)
        engine.pass_time(1.9)
        self.assertFalse(sent.done)
        engine.pass_time(0.2)
        self.assertIsInstance(sent.error, metaq.RequestTimeoutError)
        self.assertTrue(sent.error.outcome_unknown)
        peer.refuses = True
        peer.last.lose()
        unsent = pool.home.ask(requests.stats, None, timeout=2.0)
        engine.pass_time(2.1)
        self.assertIsInstance(unsent.error, metaq.BrokerUnavailableError)
        self.assertFalse(unsent.error.outcome_unknown)

    def test_what_does_no_harm_is_sent_again_in_its_order(self) -> None:
        engine, peer, pool = started()
        lost = pool.home.ask(requests.command, "topic", "delete", "t", {})
        again = [pool.home.ask(requests.stats, item, again=True) for item in ("one", "two", "three")]
        engine.pass_time()
        peer.last.lose()
        self.assertIsInstance(lost.error, metaq.ConnectionLostError)
        self.assertTrue(lost.error.outcome_unknown)
        peer.answer = lambda connection, request: Result(200, request.tokens[1], request.opaque)
        engine.pass_time(1.0)
        self.assertEqual(["one", "two", "three"], [reply.result().text for reply in again])
        self.assertEqual(["one", "two", "three"], [request.tokens[1] for request in peer.last.of("stats")])

    def test_garbage_ends_the_connection(self) -> None:
        engine, peer, pool = started()
        asked = pool.home.ask(requests.stats, None)
        peer.last._user.received(b"HTTP/1.1 400 Bad Request\r\n")
        self.assertIsInstance(asked.error, metaq.ConnectionLostError)
        engine.pass_time(1.0)
        self.assertEqual("ready", pool.home.state)

    def test_a_line_or_body_over_the_limit_is_not_sent(self) -> None:
        engine, peer, pool = started()
        for asked in (
            pool.home.ask(requests.stats, "x" * 20_000),
            pool.home.ask(requests.transact, b"x" * 17_000_000),
        ):
            self.assertIsInstance(asked.error, metaq.TooLargeError)

    def test_addresses(self) -> None:
        self.assertEqual((("h", 8123), ("::1", 5), ("h", 9)), parse_servers("h,[::1]:5, metaq://h:9,h"))
        self.assertEqual((("h", 5),), parse_servers(("h", 5)))
        self.assertEqual((("::1", 8123),), parse_servers("::1"))


class ProducerTest(unittest.TestCase):
    def setUp(self) -> None:
        self.engine, self.peer, self.pool = started(backoff=Backoff(0.1, 1.0, jitter=0.0))
        self.producer = new_producer(self.pool)
        self.offset = 0

    def send(self, *bodies: bytes) -> list:
        futures = []
        for body in bodies:
            futures.append(Future())
            self.producer.submit("t", storage.encode(body), futures[-1])
        self.engine.pass_time()
        return futures

    def store(self, connection: object, request: object) -> Result:
        """As a broker does."""
        at, self.offset = self.offset, self.offset + len(request.body)
        return Result(200, "1 0 {}".format(at), request.opaque)

    def numbers(self, connection: object) -> list:
        return [(r.tokens[6], r.body[20:22]) for r in connection.of("append") if "seq" in r.tokens[7]] and [
            (int(r.tokens[7].partition("=")[2]), bytes(r.body[20:22])) for r in connection.of("append")
        ]

    def test_unanswered_batches_are_sent_again_under_their_numbers_before_new_ones(self) -> None:
        bodies = [b"%02d" % number + b"x" * 90 for number in range(8)]
        self.send(*bodies)
        before = self.numbers(self.peer.last)
        self.peer.last.lose()
        self.send(b"99")
        self.peer.answer = self.store
        self.engine.pass_time(1.0)
        after = self.numbers(self.peer.last)
        self.assertEqual(before, after[: len(before)])
        self.assertEqual([(n, b) for n, b in after], sorted(after))
        self.assertEqual([b"%02d" % number for number in range(8)] + [b"99"], [body for _, body in after])

    def test_batches_that_are_refused_as_busy_keep_their_order(self) -> None:
        self.peer.answer = lambda connection, request: Result(503, "busy", request.opaque)
        futures = self.send(*(b"%02d" % number + b"x" * 90 for number in range(6)))
        self.peer.answer = self.store
        self.engine.pass_time(2.0)
        self.assertEqual(sorted(f.result(0).offset for f in futures), [f.result(0).offset for f in futures])

    def test_a_batch_that_is_tried_after_an_error_gets_a_new_number(self) -> None:
        self.peer.answer = lambda connection, request: Result(503, "busy", request.opaque)
        self.send(b"aa")
        self.peer.answer = self.store
        self.engine.pass_time(1.0)
        self.assertEqual([(0, b"aa"), (1, b"aa")], self.numbers(self.peer.last))

    def test_a_batch_that_was_sent_twice_keeps_its_number_and_holds_back_new_ones(self) -> None:
        (future,) = self.send(b"aa")
        self.peer.last.lose()
        self.peer.answer = lambda connection, request: Result(507, "full", request.opaque)
        self.engine.pass_time(0.15)
        self.send(b"bb")
        self.assertEqual([(0, b"aa")], self.numbers(self.peer.last))
        self.peer.answer = self.store
        self.engine.pass_time(1.0)
        self.assertEqual([(0, b"aa"), (0, b"aa"), (1, b"bb")], self.numbers(self.peer.last))
        self.assertEqual(0, future.result(0).offset)

    def test_a_number_that_is_forgotten_was_not_stored(self) -> None:
        (future,) = self.send(b"aa")
        self.peer.last.lose()
        replies = iter([409])
        self.peer.answer = lambda c, r: Result(409, "past", r.opaque) if next(replies, None) else self.store(c, r)
        self.engine.pass_time(1.0)
        self.assertEqual([(0, b"aa"), (1, b"aa")], self.numbers(self.peer.last))
        self.assertEqual(0, future.result(0).offset)

    def test_errors_are_told_to_each_message(self) -> None:
        self.peer.answer = lambda connection, request: Result(400, "no", request.opaque)
        futures = self.send(b"aa", b"bb")
        self.engine.pass_time(1.0)
        for future in futures:
            self.assertIsInstance(future.exception(0), metaq.BadRequestError)
        self.assertEqual((0, 0), (self.producer.buffered, self.producer.outstanding))

    def test_what_cannot_be_sent_fails_in_its_time(self) -> None:
        self.peer.refuses = True
        self.peer.last.lose()
        futures = self.send(b"aa", b"x" * 200, b"bb")
        self.engine.pass_time(9.0)
        self.assertFalse(futures[0].done())
        self.engine.pass_time(2.0)
        for future in futures:
            self.assertIsInstance(future.exception(0), metaq.BrokerUnavailableError)

    def test_busy_for_too_long_is_told(self) -> None:
        self.peer.answer = lambda connection, request: Result(503, "busy", request.opaque)
        (future,) = self.send(b"aa")
        self.engine.pass_time(15.0)
        self.assertIsInstance(future.exception(0), (metaq.BusyError, metaq.RequestTimeoutError))

    def test_what_gathers_goes_as_one_batch(self) -> None:
        self.producer.max_batch_bytes = 10_000
        self.send(*[b"aa"] * 50)
        self.assertEqual(4, len(self.peer.last.of("append")))
        self.peer.answer = self.store
        for request in list(self.peer.last.of("append")):
            self.peer.last.send(self.store(None, request))
        self.engine.pass_time()
        self.assertEqual([1, 1, 1, 1, 46], [int(request.tokens[3]) for request in self.peer.last.of("append")])

    def test_an_old_broker_gets_one_put_at_a_time(self) -> None:
        self.peer.greeting = "0.1"
        self.engine, self.peer, self.pool = started()
        self.peer.greeting = "0.1"
        self.peer.last.lose()
        self.engine.pass_time(1.0)
        self.producer = new_producer(self.pool)
        stats = "STATS\r\nt\r\nresultCode 0\r\npartitions 1\r\nEND\r\n"
        self.peer.answer = lambda c, r: Result(200, stats if r.verb == "stats" else "5 0 0", r.opaque) if r.verb == "stats" else None
        self.send(b"aa", b"bb")
        self.assertEqual([b"aa"], [request.body for request in self.peer.last.of("put")])
        self.peer.last.send(self.store(None, self.peer.last.of("put")[0]))
        self.engine.pass_time()
        self.assertEqual([b"aa", b"bb"], [request.body for request in self.peer.last.of("put")])
        self.assertEqual(str(storage.checksum(b"aa")), self.peer.last.of("put")[0].tokens[5])


class SeveralBrokersTest(unittest.TestCase):
    def setUp(self) -> None:
        self.engine, self.peer, self.pool = started("127.0.0.1:8123,127.0.0.1:8124", backoff=Backoff(0.1, 1.0, jitter=0.0))
        self.peer.routes = lambda connection: "broker {} 10.0.0.1:1 partitions 2 publish true subscribe true zone x\r\n".format(
            connection.address[1] - 8116
        )
        self.peer.answer = lambda connection, request: Result(
            200, "1 {} 0".format(request.tokens[2]), request.opaque
        )
        self.producer = new_producer(self.pool)

    def send(self, count: int) -> list:
        futures = []
        for _ in range(count):
            futures.append(Future())
            self.producer.submit("t", storage.encode(b"x"), futures[-1])
            self.engine.pass_time(0.01)
        return futures

    def test_what_the_servers_say_counts_together_and_their_own_addresses_before_what_they_advertise(self) -> None:
        futures = self.send(8)
        self.engine.pass_time(1.0)
        places = {(future.result(0).broker, future.result(0).partition) for future in futures}
        self.assertEqual({(7, 0), (7, 1), (8, 0), (8, 1)}, places)
        self.assertEqual({("127.0.0.1", 8123), ("127.0.0.1", 8124)}, {c.address for c in self.peer.connections})

    def test_messages_that_may_go_anywhere_go_to_a_broker_that_is_there(self) -> None:
        self.send(4)
        self.peer.gone = {("127.0.0.1", 8123)}
        for connection in self.peer.connections:
            if connection.address[1] == 8123:
                connection.lose()
        futures = self.send(6)
        self.engine.pass_time(0.5)
        self.assertEqual({8}, {future.result(0).broker for future in futures})

    def test_a_broker_that_refuses_is_gone_around(self) -> None:
        def answer(connection: object, request: object) -> Result:
            full = connection.address[1] == 8123
            return Result(507, "full", request.opaque) if full else Result(200, "1 0 0", request.opaque)

        self.peer.answer = answer
        futures = self.send(6)
        self.engine.pass_time(0.5)
        self.assertEqual({8}, {future.result(0).broker for future in futures})


class ReadingTest(unittest.TestCase):
    def test_a_message_that_does_not_fit_its_checksum_is_fetched_again_then_told_and_passed_over(self) -> None:
        engine, peer, pool = started()
        good, bad = storage.encode(b"good"), storage.encode(b"bad")
        bad = bad[:-1] + b"X"
        log = good + bad + good

        def answer(connection: object, request: object) -> object:
            if request.verb == "offset":
                return Result(200, "0", request.opaque)
            at, size = int(request.tokens[4]), int(request.tokens[5])
            return Value(log[at : at + size], request.opaque) if at < len(log) else None

        peer.answer = answer
        reader = ReaderCore(pool)
        spawn(reader.open("t", None, "first"))
        engine.pass_time(1.0)
        self.assertEqual(b"good", reader.take().raw)
        with self.assertRaises(metaq.CorruptMessageError) as caught:
            reader.take()
        self.assertEqual((24, 47), (caught.exception.offset, caught.exception.next_offset))
        engine.pass_time(1.0)
        self.assertEqual(b"good", reader.take().raw)

    def test_moved_offsets_are_followed(self) -> None:
        engine, peer, pool = started()
        stored = storage.encode(b"x")
        replies = {0: lambda o: Result(301, "500", o), 500: lambda o: Value(stored, o)}

        def answer(connection: object, request: object) -> object:
            if request.verb == "offset":
                return Result(200, "0", request.opaque)
            make = replies.get(int(request.tokens[4]))
            return make(request.opaque) if make else None

        peer.answer = answer
        reader = ReaderCore(pool)
        spawn(reader.open("t", None, "first"))
        engine.pass_time(1.0)
        self.assertEqual(500, reader.take().offset)


class SubscriptionTest(unittest.TestCase):
    def setUp(self) -> None:
        self.engine, self.peer, self.pool = started()
        self.peer.answer = self.answer
        self.consumer = SubscriptionCore(self.pool, Attachment("queue:q", "q", "queue", None, False, None), 10, 1000, 0.5)
        spawn(self.consumer.attach())
        self.engine.pass_time()

    def answer(self, connection: object, request: object) -> object:
        text = {"ack": "acknowledged 1 missed 0", "drain": "0"}.get(request.verb, "")
        return None if request.verb in ("credit", "ack") else Result(200, text, request.opaque)

    def deliver(self, *bodies: bytes, delivery: int = 1) -> None:
        data = b"".join(map(storage.encode, bodies))
        self.peer.last.send(Delivered(self.consumer.number, 0, 0, len(bodies), delivery, data))

    def credit(self) -> list:
        return [tuple(map(int, request.tokens[2:])) for request in self.peer.last.of("credit")]

    def test_credit_is_given_while_somebody_receives_and_taken_back(self) -> None:
        self.assertEqual([], self.credit())
        received = spawn(self.consumer.receive(1.0))
        self.engine.pass_time()
        self.assertEqual([(10, 1000)], self.credit())
        self.engine.pass_time(1.1)
        self.assertTrue(received.done)
        self.assertEqual(["0"], [request.tokens[2] for request in self.peer.last.of("drain")])

    def test_what_was_not_looked_at_is_dropped_with_the_connection_and_acks_are_repeated_before_credit(self) -> None:
        received = spawn(self.consumer.receive(None))
        self.engine.pass_time()
        self.deliver(b"one", b"two")
        self.engine.pass_time()
        message = received.result()
        acknowledged = spawn(self.consumer.acknowledge(self.consumer.ranges_of([message])))
        spawn(self.consumer.receive(None))
        spawn(self.consumer.receive(None))
        self.engine.pass_time()
        self.peer.last.lose()
        self.engine.pass_time(1.0)
        verbs = [request.verb for request in self.peer.last.requests]
        self.assertEqual(["version", "attach", "ack", "credit"], verbs)
        self.assertFalse(acknowledged.done)
        self.assertIsNone(self.consumer.take())

    def test_what_nobody_asks_for_is_released(self) -> None:
        received = spawn(self.consumer.receive(None))
        self.engine.pass_time()
        self.deliver(b"one", b"two")
        self.assertTrue(received.done)
        self.engine.pass_time(2.0)
        self.assertEqual(["0:23-46"], [request.tokens[2] for request in self.peer.last.of("release")])

    def test_a_damaged_delivery_is_told(self) -> None:
        data = storage.encode(b"one")[:-1] + b"X"
        self.peer.last.send(Delivered(self.consumer.number, 0, 0, 1, 1, data))
        with self.assertRaises(metaq.CorruptMessageError):
            self.consumer.take()


class StepsTest(unittest.TestCase):
    def test_a_step_is_repeated_under_its_number_and_tried_again_under_a_new_one(self) -> None:
        engine, peer, pool = started(backoff=Backoff(0.1, 1.0, jitter=0.0))
        steps = Steps(pool)
        link = pool.home
        done = spawn(steps.do(lambda p, n: link.prepare(requests.transact, b"", p, n, again=True, pinned=True)))
        engine.pass_time()
        peer.last.lose()
        codes = iter([503, 409])
        peer.answer = lambda c, r: Result(next(codes, 200), "", r.opaque)
        engine.pass_time(3.0)
        self.assertTrue(done.done)
        self.assertEqual(["seq=0", "seq=0", "seq=1"], [request.tokens[4] for request in peer.last.of("transact")])


class SmallPartsTest(unittest.TestCase):
    def test_ranges_that_join_on_are_one(self) -> None:
        ranges = Ranges([(0, 0, 25), (1, 0, 5), (0, 25, 50), (0, 60, 70)])
        self.assertEqual("0:0-50,1:0-5,0:60-70", str(ranges))
        self.assertEqual(ranges, Ranges.parse(str(ranges)))
        self.assertEqual([2, 1], [len(piece) for piece in ranges.pieces(2)])
        for wrong in ((0, 5, 5), (-1, 0, 5), (0, -1, 5)):
            with self.assertRaises(ValueError):
                Ranges().add(*wrong)

    def test_assignments_are_read(self) -> None:
        text = "generation 4\r\nmember m1\r\nmember m2\r\nassign test 0\r\n"
        self.assertEqual((4, ["m1", "m2"], {("test", 0)}), parse_assignment(text))

    def test_tasks_end_by_value_by_error_and_by_cancel(self) -> None:
        waited: Pending = Pending()

        async def work() -> int:
            return await waited + 1

        task, cancelled = spawn(work()), spawn(work())
        cancelled.cancel()
        waited.resolve(1)
        self.assertEqual(2, task.result())
        self.assertTrue(cancelled.done)
        with self.assertRaises(BaseException):
            cancelled.result()

    def test_unknown_codes_are_failures_that_are_not_retriable(self) -> None:
        error = metaq.of_reply(599, "why")
        self.assertEqual((599, False, False), (error.code, error.retriable, error.outcome_unknown))
        self.assertEqual(-4, metaq.of_reply(500, "XAException:code=-4,msg=x").xa_code)


if __name__ == "__main__":
    unittest.main()
