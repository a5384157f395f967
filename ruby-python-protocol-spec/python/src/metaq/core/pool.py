"""The links of a client, and where topics are."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Tuple

from .._protocol import requests
from ..errors import BrokerError, BrokerUnavailableError, MetaqError, NotFoundError
from .engine import Address, Engine, first_of
from .link import Link
from .settings import Settings, parse_address
from .tasks import Pending, Task, spawn

ROUTES_LAST_S = 60.0


class Partition(NamedTuple):
    """A partition of a topic at a broker. ``-1`` for the partition leaves the choice to the broker."""

    broker: int
    partition: int

    def __str__(self) -> str:
        return "{}-{}".format(self.broker, self.partition)


class Route(NamedTuple):
    """A broker that has a topic."""

    broker: int
    address: Optional[Address]
    partitions: int
    publish: bool
    subscribe: bool
    tls_port: Optional[int] = None


def parse_routes(text: str) -> List[Route]:
    """:raises ValueError: if a line is none of a route"""
    found = []
    for line in text.replace("\r\n", "\n").split("\n"):
        words = line.split(" ")
        if words[0] != "broker":
            continue
        fields = dict(zip(words[3::2], words[4::2]))
        address = parse_address(words[2])
        yes = fields.get("publish", "true") == "true", fields.get("subscribe", "true") == "true"
        tls_port = int(fields["tls"]) if "tls" in fields else None
        found.append(Route(int(words[1]), address, int(fields["partitions"]), *yes, tls_port))
    return found


def parse_description(text: str) -> Dict[str, str]:
    """The lines ``KEY VALUE`` of a reply, the first of each key."""
    found: Dict[str, str] = {}
    for line in text.replace("\r\n", "\n").split("\n"):
        key, _, value = line.partition(" ")
        if key:
            found.setdefault(key, value)
    return found


class Pool:
    """Connections by address. ``home`` is the one that any server will do for: it has the consumers of subscriptions,
    temporary destinations and transactions.

    The address that a broker was reached at by goes before the one that it advertises: so brokers behind a forwarded port, or
    with TLS on a port of its own, are found.
    """

    def __init__(self, engine: Engine, settings: Settings) -> None:
        self.engine = engine
        self.settings = settings
        self.home = Link(engine, settings, settings.addresses, home=True)
        self._links: Dict[Address, Link] = {}
        if len(settings.addresses) == 1:
            self._links[settings.addresses[0]] = self.home
        self._brokers: Dict[int, Address] = {}
        self._routes: Dict[str, Tuple[float, List[Route]]] = {}
        self._lookups: Dict[str, Task] = {}
        self.closed = False

    def start(self) -> "Pending[None]":
        """Is there when the home link is ready."""
        self.home.start()
        return self.home.until_ready()

    def link_at(self, address: Address) -> Link:
        link = self._links.get(address)
        if link is None:
            link = self._links[address] = Link(self.engine, self.settings, [address], home=False)
            link.start()
        return link

    def link_of(self, broker: int) -> Link:
        """The link to a broker that a route named; the home link for one that nobody named."""
        if broker == self.home.negotiated.broker_id and len(self.settings.addresses) == 1:
            return self.home
        address = self._brokers.get(broker)
        return self.home if address is None else self.link_at(address)

    def servers(self) -> List[Link]:
        """A link to each server that the client was given."""
        return [self.link_at(address) for address in self.settings.addresses]

    def forget(self, topic: str) -> None:
        """The routes of a topic are asked anew when they are needed next."""
        self._routes.pop(topic, None)

    def known_routes(self, topic: str) -> Optional[List[Route]]:
        known = self._routes.get(topic)
        if known is None or self.engine.now() - known[0] > ROUTES_LAST_S:
            return None
        return known[1]

    def routes(self, topic: str) -> "Pending[List[Route]]":
        """The brokers that have a topic, by broker id.

        :raises NotFoundError: if none has it
        """
        lookup = self._lookups.get(topic)
        if lookup is None:
            lookup = spawn(self._find(topic))
            if not lookup.done:
                self._lookups[topic] = lookup
                lookup.on_done(lambda _: self._lookups.pop(topic, None))
        return lookup

    async def _find(self, topic: str) -> List[Route]:
        known = self.known_routes(topic)
        if known is not None:
            return known
        await self._reached()
        await self._learn_servers()
        found = await self._ask_each(topic)
        if self.settings.tls is not None:
            found = [self._encrypted(route) for route in found if route.broker in self._brokers or route.tls_port]
        for route in found:
            if route.address is not None:
                self._brokers.setdefault(route.broker, route.address)
        found.sort(key=lambda route: route.broker)
        self._routes[topic] = (self.engine.now(), found)
        return found

    def _encrypted(self, route: Route) -> Route:
        """Routes name the ports without TLS, and the other ones behind."""
        if route.broker in self._brokers or route.address is None or route.tls_port is None:
            return route
        return route._replace(address=(route.address[0], route.tls_port))

    async def _reached(self) -> None:
        """:raises MetaqError: if the home link is not ready in the client's time"""
        await first_of(self.home.until_ready(), self.engine, self.settings.timeout)
        if self.home.state != "ready":
            raise self.home.why_not_ready()

    async def _learn_servers(self) -> None:
        """Which broker answers at which of the servers; those that do not answer soon are passed over."""
        if len(self.settings.addresses) == 1:
            self._learn(self.settings.addresses[0], self.home)
            return
        for address in self.settings.addresses:
            link = self.link_at(address)
            await first_of(link.until_ready(), self.engine, 1.0)
            self._learn(address, link)

    def _learn(self, address: Address, link: Link) -> None:
        if link.negotiated.broker_id is not None:
            self._brokers[link.negotiated.broker_id] = address

    async def _ask_each(self, topic: str) -> List[Route]:
        """What the servers say together: without ZooKeeper each one knows of itself alone."""
        found: Dict[int, Route] = {}
        failure: MetaqError = NotFoundError("there is no topic {}".format(topic), 404, self.home.server)
        for link in self.servers():
            if link.state != "ready":
                failure = failure if isinstance(failure, BrokerError) else MetaqError(str(link.why_not_ready()))
                continue
            try:
                for route in await self._told_by(link, topic):
                    found.setdefault(route.broker, route)
            except BrokerError as error:
                failure = error
        if not found:
            raise failure
        return list(found.values())

    @staticmethod
    async def _told_by(link: Link, topic: str) -> List[Route]:
        if "routes" in link.features:
            return parse_routes(await link.text(requests.command, "topic", "routes", topic, {}, again=True))
        if "topic" in link.features:
            described = parse_description(await link.text(requests.command, "topic", "describe", topic, {}, again=True))
            yes = described.get("acceptPublish") != "false", described.get("acceptSubscribe") != "false"
            return [Route(link.negotiated.broker_id or 0, None, int(described["partitions"]), *yes)]
        stats = parse_description(await link.text(requests.stats, topic, again=True))
        if stats.get("resultCode", "1") == "1":
            raise NotFoundError("there is no topic {}".format(topic), 404, link.server)
        return [Route(link.negotiated.broker_id or 0, None, max(1, int(stats.get("partitions", 1))), True, True)]

    def why_unavailable(self) -> Exception:
        """For a client whose first connection did not come about."""
        return BrokerUnavailableError("{} cannot be reached: {}".format(self.home.server, self.home.last_error))

    def close(self) -> None:
        self.closed = True
        for link in {id(link): link for link in [self.home, *self._links.values()]}.values():
            link.close()
