"""The client for asyncio: the same features, and what is its own: cancellation, tasks, no waiting calls."""

import asyncio
import inspect
import unittest

import brokers
import metaq
import metaq.aio


def connect(**options: object) -> metaq.aio.Opening:
    return metaq.aio.connect(brokers.shared().address, **{"timeout": 60.0, "connect_timeout": 60.0, **options})


class AsyncioTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        asyncio.get_running_loop().slow_callback_duration = 60  # the machine may be busy
        self.client = await connect()
        self.addAsyncCleanup(self.client.close)
        self.producer = self.client.producer()

    async def topic(self, partitions: int = 1) -> str:
        name = brokers.unique("aio")
        await self.client.admin.create_topic(name, partitions=partitions)
        return name

    async def queue(self) -> str:
        name = brokers.unique("aio.queue")
        await self.client.admin.create_topic(name, partitions=1, kind="queue")
        return name

    async def test_messages_are_sent_and_read(self) -> None:
        topic = await self.topic(partitions=2)
        result = await self.producer.send(topic, {"a": 1}, properties={"p": metaq.Int(1)}, key="k")
        self.assertEqual((topic, 7, 0), (result.topic, result.broker, result.offset))
        await self.producer.send_batch(topic, ["%d" % number for number in range(100)], key="k")
        futures = [self.producer.send_async(topic, b"x", key="k") for _ in range(100)]
        await self.producer.flush()
        self.assertTrue(all(future.done() for future in futures))
        expected = [{"a": 1}, *("%d" % number for number in range(100)), *[b"x"] * 100]
        async with self.client.browse(topic) as browser:
            self.assertEqual(expected, [message.body async for message in browser])
        found = []
        async with self.client.reader(topic) as reader:
            while len(found) < len(expected):
                found += [message.body for message in await reader.poll(50, 60)]
            self.assertIsNone(await reader.receive(0.02))
            await reader.seek(metaq.Partition(7, result.partition), "first")
            self.assertEqual({"a": 1}, (await reader.receive(60)).body)
        self.assertEqual(expected, found)

    async def test_large_payloads_go_both_ways(self) -> None:
        topic = await self.topic()
        async with connect(large_bytes=1000) as client:
            await client.producer().send(topic, "x" * 3_000_000)
        message = await (await self.client.reader(topic)).receive(60)
        self.assertEqual(3_000_000, len(message.body))

    async def test_a_queue_is_worked_off(self) -> None:
        queue = await self.queue()
        await self.producer.send_batch(queue, ["reject", "release", "ack"])
        async with self.client.receiver(queue, prefetch=1) as consumer:
            for how, count in (("reject", 2), ("release", 1)):
                message = await consumer.receive(60)
                await getattr(consumer, how)(message)
                message = await consumer.receive(60)
                self.assertEqual((how, count), (message.body, message.delivery_count))
                await consumer.ack(message)
            async for message in consumer:
                self.assertIsNone(await consumer.ack(message, wait=False))
                break
            self.assertIsNone(await consumer.receive(0))
        self.assertEqual([], [m async for m in self.client.browse_queue(queue)])

    async def test_a_cancelled_receive_loses_nothing(self) -> None:
        queue = await self.queue()
        async with self.client.receiver(queue) as consumer, self.client.reader(queue) as reader:
            for receiving in (consumer, reader):
                for _ in range(20):
                    with self.assertRaises(asyncio.TimeoutError):
                        await asyncio.wait_for(receiving.receive(), 0.001)
            sends = [self.producer.send_async(queue, "%d" % number) for number in range(50)]
            for receiving in (consumer, reader):
                found = []
                while len(found) < 50:
                    task = asyncio.ensure_future(receiving.receive())
                    await asyncio.sleep(0)
                    task.cancel()
                    try:
                        found.append((await task).body)
                    except asyncio.CancelledError:
                        message = await receiving.receive(60)
                        found.append(message.body)
                self.assertEqual(["%d" % number for number in range(50)], found)
            await asyncio.gather(*sends)

    async def test_a_cancelled_send_harms_nobody(self) -> None:
        topic = await self.topic()
        await self.producer.send(topic, b"first")
        task = asyncio.ensure_future(self.producer.send(topic, b"cancelled"))
        await asyncio.sleep(0)
        task.cancel()
        await self.producer.send(topic, b"last")
        with self.assertRaises(asyncio.CancelledError):
            await task

    async def test_a_full_buffer_is_told_or_waited_for(self) -> None:
        topic = await self.topic()
        producer = self.client.producer(max_in_flight_bytes=1000)
        producer.send_async(topic, b"x" * 2000)
        with self.assertRaises(metaq.BufferFullError):
            producer.send_async(topic, b"x")
        await producer.room()
        await producer.send(topic, b"x")

    async def test_groups_and_subscriptions(self) -> None:
        topic, group = await self.topic(partitions=2), brokers.unique("aio.group")
        await self.producer.send_batch(topic, [b"a", b"b"])
        async with self.client.group_consumer(group, topic, commit_interval=None) as consumer:
            self.assertEqual({b"a", b"b"}, {(await consumer.receive(60)).body for _ in range(2)})
            self.assertEqual(2, len(consumer.assignment()))
            await consumer.commit()
        self.assertEqual(2, len(await self.client.admin.group_offsets(group)))
        async with connect(client_id=brokers.unique("id")) as client:
            async with client.subscribe(topic, "s", durable=True) as subscriber:
                await self.producer.send(topic, "news")
                message = await subscriber.receive(60)
                self.assertEqual("news", message.body)
                await subscriber.ack(message)
            await client.unsubscribe("s")

    async def test_transactions_and_branches(self) -> None:
        source, target = await self.queue(), await self.queue()
        await self.producer.send(source, "work")
        async with self.client.receiver(source) as consumer, self.client.receiver(target) as results:
            message = await consumer.receive(60)
            with self.assertRaises(KeyError):
                async with self.client.transaction() as transaction:
                    transaction.ack(message)
                    raise KeyError
            message = await consumer.receive(60)
            async with self.client.transaction() as transaction:
                await transaction.send(target, message)
                transaction.ack(message)
            self.assertEqual("work", (await results.receive(60)).body)
            branch = self.client.branch(metaq.xid(1, brokers.unique("g").encode(), b""))
            await branch.send(target, "branch")
            self.assertTrue(await branch.prepare())
            self.assertIn(branch.key, await self.client.recover())
            await branch.commit()
            self.assertEqual("branch", (await results.receive(60)).body)

    async def test_requests_are_answered(self) -> None:
        queue = await self.queue()
        async with self.client.receiver(queue) as consumer:

            async def serve() -> None:
                for _ in range(5):
                    request = await consumer.receive(60)
                    await self.client.reply(request, request.body + "!")
                    await consumer.ack(request)

            serving = asyncio.ensure_future(serve())
            answers = await asyncio.gather(*(self.client.request(queue, "%d" % number) for number in range(5)))
            await serving
        self.assertEqual(["%d!" % number for number in range(5)], [answer.body for answer in answers])
        with self.assertRaises(metaq.RequestTimeoutError):
            await self.client.request(queue, "nobody", timeout=0.05)
        async with self.client.temporary_queue() as temporary:
            await self.producer.send(temporary.name, b"x")

    async def test_closing_ends_who_waits(self) -> None:
        consumer = await self.client.receiver(await self.queue())
        waiting = asyncio.ensure_future(consumer.receive())
        await asyncio.sleep(0)
        await self.client.close()
        with self.assertRaises(metaq.ClientClosedError):
            await waiting
        with self.assertRaises(metaq.ClientClosedError):
            await self.client.admin.topics()

    async def test_nobody_there_is_told(self) -> None:
        with self.assertRaises(metaq.BrokerUnavailableError):
            await metaq.aio.connect("127.0.0.1:1", connect_timeout=0.2)


class ParityTest(unittest.TestCase):
    """Both clients have the same methods with the same parameters."""

    def test_both_clients_are_the_same(self) -> None:
        names = ("Admin", "Branch", "Client", "Consumer", "GroupConsumer", "Reader", "Temporary", "TopicBrowser", "Transaction")
        for name in names:
            with self.subTest(name):
                self.assertEqual(self.methods(getattr(metaq, name)), self.methods(getattr(metaq.aio, name)))

    def methods(self, kind: type) -> dict:
        found = {}
        for name, member in inspect.getmembers(kind):
            if not name.startswith("_") and name != "open":
                parameters = inspect.signature(member).parameters if callable(member) else None
                found[name] = list(parameters) if parameters is not None else None
        return found


if __name__ == "__main__":
    unittest.main()
