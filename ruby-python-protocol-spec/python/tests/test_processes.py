"""Forks, threads, and what is left when a client is closed."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
import unittest

import brokers
import metaq
import metaq.aio
from live import LiveTest

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src")

FORK = """
import os, sys
import metaq

client = metaq.connect(sys.argv[1], timeout=60.0, connect_timeout=60.0)
producer = client.producer()
topic = sys.argv[2]
producer.send(topic, b"parent before")
consumer = client.receiver(topic + ".queue")
child = os.fork()
if child == 0:
    for call in (
        lambda: producer.send(topic, b"never"),
        lambda: producer.send_async(topic, b"never"),
        lambda: consumer.receive(1),
        lambda: client.admin.topics(),
        lambda: client.reader(topic),
        lambda: client.transaction(),
    ):
        try:
            call()
            os._exit(1)
        except metaq.ForkedError:
            pass
    client.close()
    with metaq.connect(sys.argv[1], timeout=60.0, connect_timeout=60.0) as own, own.producer() as mine:
        if mine._core.producer_id == producer._core.producer_id:
            os._exit(2)
        mine.send(topic, b"child")
    os._exit(0)
_, status = os.waitpid(child, 0)
# the child's end does not hurt the parent's connections
producer.send(topic, b"parent after")
client.admin.topics()
client.close()
sys.exit(0 if status == 0 else 3)
"""


def sockets() -> set:
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink("/proc/self/fd/" + name)
        except OSError:
            continue
        if target.startswith(("socket:", "anon_inode:[eventpoll]")):
            found.add((name, target))
    return found


class ForkTest(LiveTest):
    @unittest.skipUnless(hasattr(os, "fork"), "there are no forks here")
    def test_a_forked_child_is_told_to_make_a_client_of_its_own(self) -> None:
        topic = self.topic()
        run = subprocess.run(
            [sys.executable, "-c", FORK, brokers.shared().address, topic],
            env={**os.environ, "PYTHONPATH": SOURCES},
            timeout=120,
            stderr=subprocess.PIPE,
        )
        self.assertEqual((0, b""), (run.returncode, run.stderr))
        bodies = [message.body for message in self.client.browse(topic)]
        self.assertEqual([b"parent before", b"child", b"parent after"], bodies)


class CloseTest(unittest.TestCase):
    def use(self, client: metaq.Client) -> None:
        topic, queue = brokers.unique("close"), brokers.unique("close.queue")
        client.admin.create_topic(topic, partitions=2)
        client.producer().send(topic, b"x")
        client.reader(topic).receive(60)
        client.group_consumer(brokers.unique("g"), topic).receive(60)
        client.receiver(queue).receive(0)
        client.temporary_queue()

    @unittest.skipUnless(os.path.isdir("/proc/self/fd"), "open files cannot be listed here")
    def test_no_thread_and_no_socket_is_left(self) -> None:
        brokers.shared()
        gc.collect()
        threads, open_before = set(threading.enumerate()), sockets()
        client = metaq.connect(brokers.shared().address, timeout=60.0, connect_timeout=60.0)
        self.use(client)
        self.assertGreater(len(sockets()), len(open_before))
        client.close()
        client.close()
        self.assertEqual(set(), set(threading.enumerate()) - threads)
        self.assertEqual(set(), sockets() - open_before)
        with self.assertRaises(metaq.ClientClosedError):
            client.admin.topics()

    @unittest.skipUnless(os.path.isdir("/proc/self/fd"), "open files cannot be listed here")
    def test_no_task_and_no_socket_is_left_by_asyncio(self) -> None:
        brokers.shared()
        open_before = sockets()

        async def use() -> set:
            async with metaq.aio.connect(brokers.shared().address, timeout=60.0, connect_timeout=60.0) as client:
                topic = brokers.unique("close")
                await client.admin.create_topic(topic)
                await client.producer().send(topic, b"x")
                await (await client.reader(topic)).receive(60)
                await client.receiver(brokers.unique("close.queue"))
            return asyncio.all_tasks() - {asyncio.current_task()}

        self.assertEqual(set(), asyncio.run(use()))
        self.assertEqual(set(), sockets() - open_before)

    def test_a_client_that_never_connects_leaves_nothing(self) -> None:
        threads = set(threading.enumerate())
        with self.assertRaises(metaq.BrokerUnavailableError):
            metaq.connect("127.0.0.1:1", connect_timeout=0.2)
        self.assertEqual(set(), set(threading.enumerate()) - threads)

    def test_calls_of_other_threads_end_with_the_client(self) -> None:
        client = metaq.connect(brokers.shared().address, timeout=60.0, connect_timeout=60.0)
        topic = brokers.unique("close")
        client.admin.create_topic(topic)
        reader, outcome = client.reader(topic), []

        def wait() -> None:
            try:
                reader.receive()
            except metaq.ClientClosedError as error:
                outcome.append(error)

        thread = threading.Thread(target=wait)
        thread.start()
        threading.Timer(0.05, client.close).start()
        thread.join(30)
        self.assertEqual(1, len(outcome))


if __name__ == "__main__":
    unittest.main()
