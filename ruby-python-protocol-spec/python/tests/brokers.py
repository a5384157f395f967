"""Real brokers for the tests: started by the command of METAQ, with data of their own, ended by their process ids."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from typing import Dict, List, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
COMMAND = os.environ.get("METAQ", os.path.join(HERE, "..", "..", "..", "metaq"))
START_S = 300.0
_names = itertools.count(1)


class BrokerProcess:
    """A broker with its data directory; it can be killed and started again on the same port."""

    def __init__(
        self, settings: Optional[Dict[str, str]] = None, sections: str = "", users: Optional[Dict[str, str]] = None
    ) -> None:
        self.directory = tempfile.mkdtemp(prefix="metaq-python-")
        self.settings = {
            "brokerId": "7",
            "numPartitions": "2",
            "serverPort": "0",
            "dataPath": os.path.join(self.directory, "data"),
            "unflushThreshold": "1",
            **(settings or {}),
        }
        self.sections = sections
        self.port = self.tls_port = 0
        for user, password in (users or {}).items():
            self._write_settings()
            subprocess.run(
                [COMMAND, "user", "add", user, "-f", self.ini],
                input=password.encode(),
                stdout=subprocess.DEVNULL,
                check=True,
            )
        self.process: Optional[subprocess.Popen] = None
        self.start()

    @property
    def address(self) -> str:
        return "127.0.0.1:{}".format(self.port)

    def start(self) -> None:
        """Returns when it serves."""
        if self.port:
            self.settings["serverPort"] = str(self.port)
        self._write_settings()
        environment = {**os.environ, "METAQ_HEAP": os.environ.get("METAQ_HEAP", "256m")}
        self.log = os.path.join(self.directory, "broker.log")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [COMMAND, "start", "-f", self.ini],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
                start_new_session=True,
            )
        _running.append(self)
        said = []
        watch = threading.Timer(START_S, self.kill)
        watch.start()
        try:
            assert self.process.stdout is not None
            for line in self.process.stdout:
                said.append(line.decode("utf-8", "replace"))
                tls = re.search(r"by TLS at port (\d+)", said[-1])
                if tls:
                    self.tls_port = int(tls.group(1))
                found = re.search(r"serves at \S+:(\d+), data in", said[-1])
                if found:
                    self.port = int(found.group(1))
                    threading.Thread(target=self.process.stdout.read, daemon=True).start()
                    return
        finally:
            watch.cancel()
        with open(self.log, encoding="utf-8") as log:
            raise RuntimeError("the broker does not start:\n{}{}".format("".join(said), log.read()))

    @property
    def ini(self) -> str:
        return os.path.join(self.directory, "server.ini")

    def _write_settings(self) -> None:
        with open(self.ini, "w", encoding="utf-8") as file:
            file.write("[system]\n")
            file.writelines("{}={}\n".format(*setting) for setting in self.settings.items())
            file.write(self.sections)

    def kill(self) -> None:
        """As a power cut would, but for the operating system."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)
        shutil.rmtree(self.directory, ignore_errors=True)

    def freeze(self) -> None:
        """When this returns it stands still; the signal alone lets its threads go on for a moment."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        if os.path.isdir("/proc/self/task"):
            eventually(self._stands_still)

    def _stands_still(self) -> bool:
        tasks = "/proc/{}/task".format(self.process.pid)
        for task in os.listdir(tasks):
            with open(os.path.join(tasks, task, "stat"), encoding="utf-8") as file:
                if file.read().rpartition(")")[2].split()[0] != "T":
                    return False
        return True

    def thaw(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def _end(self, how: int) -> None:
        process, self.process = self.process, None
        if process is None or process.poll() is not None:
            return
        if self in _running:
            _running.remove(self)
        # the command may have children, in the session that it was given
        for last in (signal.SIGCONT, how):
            os.killpg(process.pid, last)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


_running: List[BrokerProcess] = []
_shared: List[BrokerProcess] = []


def shared() -> BrokerProcess:
    """The one broker of the suite."""
    if not _shared:
        _shared.append(BrokerProcess())
    return _shared[0]


_second: List[BrokerProcess] = []


def second(fresh: bool = False) -> BrokerProcess:
    """Another one, which tests may kill and start again.

    :param fresh: one that nobody has used, as the vectors need it
    """
    if _second and not fresh:
        return _second[0]
    if _second:
        _second.pop().stop()
    _second.append(BrokerProcess(sections="[topic=test]\n[topic=gc]\n"))
    return _second[0]


def stop_all() -> None:
    for broker in list(_running):
        broker.stop()
    for broker in [*_shared, *_second]:
        shutil.rmtree(broker.directory, ignore_errors=True)


def unique(what: str) -> str:
    """A name that no other test has."""
    return "{}.{}.{}".format(what, os.getpid(), next(_names))


def eventually(condition, seconds: float = 60.0, what: str = "the condition"):
    """What the condition gives as soon as that is true."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError("{} did not come true within {:g} s".format(what, seconds))
        time.sleep(0.01)
