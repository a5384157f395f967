"""Administration: topics, groups, subscriptions, transactions and figures of the broker that the client is connected to."""

from __future__ import annotations

from typing import Any, Coroutine, Dict, List, Mapping, Optional, Tuple, TypeVar, Union

from .core import admin as core
from .core.admin import GroupInfo, GroupOffset, Place, SubscriptionInfo, TopicInfo, TransactionInfo
from .core.pool import Route
from .reactor import Reactor

T = TypeVar("T")
Setting = Union[str, int, float, bool]


class Admin:
    """Made by :attr:`metaq.Client.admin`. Errors are those of the protocol: 404 :class:`metaq.NotFoundError`,
    409 :class:`metaq.ConflictError`, 400 :class:`metaq.BadRequestError`. In patterns ``*`` stands for any characters.
    """

    def __init__(self, reactor: Reactor, commands: core.AdminCore) -> None:
        self._reactor = reactor
        self._core = commands

    def _do(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self._reactor.run(coroutine, self._core.pool.settings.timeout)

    # ---- topics and queues

    def create_topic(
        self,
        name: str,
        *,
        partitions: Optional[int] = None,
        kind: Optional[str] = None,
        ensure: bool = False,
        settings: Optional[Mapping[str, Setting]] = None,
    ) -> None:
        """Makes a topic.

        :param kind: ``"queue"`` or ``"topic"``
        :param ensure: it is no fault if it is there, with that kind; the broker wants nothing beside the kind then
        :param settings: of a section ``[topic=NAME]`` of the configuration
        """
        more = dict(settings or {})
        self._do(self._core.topic("create", name, partitions=partitions, kind=kind, ensure=ensure or None, **more))

    def alter_topic(
        self, name: str, *, partitions: Optional[int] = None, settings: Optional[Mapping[str, Setting]] = None
    ) -> None:
        """Changes settings; an empty value takes one back. Partitions can grow, not shrink."""
        self._do(self._core.topic("alter", name, partitions=partitions, **dict(settings or {})))

    def delete_topic(self, name: str) -> None:
        """Removes a topic or queue and its messages for good."""
        self._do(self._core.topic("delete", name))

    def close_topic(self, name: str, *, partitions: Optional[str] = None, for_: Optional[str] = None) -> None:
        """Closes partitions (``"2"`` or ``"0-3"``, all without) for ``"publish"``, ``"subscribe"`` or both."""
        self._do(self._core.topic("close", name, partition=partitions, **{"for": for_}))

    def open_topic(self, name: str, *, partitions: Optional[str] = None, for_: Optional[str] = None) -> None:
        """Opens what :meth:`close_topic` closed."""
        self._do(self._core.topic("open", name, partition=partitions, **{"for": for_}))

    def describe_topic(self, name: str) -> TopicInfo:
        """What a topic is, and its partitions."""
        return core.topic_info(self._do(self._core.topic("describe", name)))

    def topics(self, pattern: str = "*") -> Dict[str, int]:
        """Names and numbers of partitions."""
        return self._do(self._core.topics(pattern))

    def routes(self, topic: str) -> List[Route]:
        """The brokers that have a topic."""
        return self._do(self._routes(topic))

    async def _routes(self, topic: str) -> List[Route]:
        self._core.pool.forget(topic)
        return await self._core.pool.routes(topic)

    def scrub_topic(self, name: str, *, partitions: Optional[str] = None) -> List[str]:
        """Checks every message against its checksum; the lines of the answer."""
        return [" ".join(words) for words in core.lines(self._do(self._core.topic("scrub", name, partition=partitions)))]

    def stats(self, item: Optional[str] = None) -> List[str]:
        """Lines of figures: of the broker, or ``topics``, ``offsets``, ``realtime``, ``help``, ``config``, or of a topic."""
        return self._do(self._core.stats(item))

    # ---- groups

    def commit_offset(
        self, group: str, topic: str, partition: int, offset: int, *, message_id: Optional[int] = None
    ) -> None:
        """The group reads on at this offset."""
        options = {"topic": topic, "partition": partition, "offset": offset, "id": message_id}
        self._do(self._core.command("group", "commit", group, options))

    def group_offsets(self, group: str, *, topic: Optional[str] = None) -> List[GroupOffset]:
        """What a group has committed; nothing for one that is not known."""
        return core.offsets(self._do(self._core.command("group", "offsets", group, {"topic": topic})))

    def groups(self, pattern: str = "*") -> Dict[str, int]:
        """Names of groups and how many members they have."""
        return self._do(self._core.group_list(pattern))

    def describe_group(self, group: str) -> GroupInfo:
        """Members, and how far behind each partition is."""
        return core.group_info(self._do(self._core.command("group", "describe", group, {})))

    def reset_group(self, group: str, topic: str, to: Place, *, partition: Optional[int] = None) -> None:
        """Moves a group: ``"first"``, ``"last"``, an offset, a datetime, ``"history:MS"``. Not while it has members there (409)."""
        options = {"topic": topic, "partition": partition, "to": core.place(to)}
        self._do(self._core.command("group", "reset", group, options))

    def group_history(self, group: str, *, topic: Optional[str] = None) -> List[Tuple[int, List[GroupOffset]]]:
        """Where the group was: moments in milliseconds since 1970, and the offsets then."""
        return self._do(self._core.history(group, topic))

    def delete_group(self, group: str) -> None:
        """Forgets a group that has no members."""
        self._do(self._core.command("group", "delete", group, {}))

    # ---- subscriptions

    def create_subscription(
        self,
        name: str,
        topic: str,
        *,
        shared: bool = False,
        selector: Optional[str] = None,
        no_local_origin: Optional[str] = None,
        start: Optional[Place] = None,
    ) -> None:
        """Makes a durable subscription, which begins with what is sent from now on, or at ``start``."""
        options = {
            "topic": topic,
            "kind": "shared-durable" if shared else "durable",
            "selector": selector,
            "nolocal-origin": no_local_origin,
            "from": None if start is None else core.place(start),
        }
        self._do(self._core.command("subscription", "create", name, options))

    def delete_subscription(self, name: str) -> None:
        """Not while it has consumers (409); a queue's goes with the queue only (400)."""
        self._do(self._core.command("subscription", "delete", name, {}))

    def subscriptions(self, pattern: str = "*", *, topic: Optional[str] = None) -> List[SubscriptionInfo]:
        """Subscriptions and their depths."""
        return core.subscription_infos(self._do(self._core.command("subscription", "list", pattern, {"topic": topic})))

    def describe_subscription(self, name: str) -> List[str]:
        """Lines: values, partitions, consumers."""
        text = self._do(self._core.command("subscription", "describe", name, {}))
        return [" ".join(words) for words in core.lines(text)]

    def purge_subscription(self, name: str) -> None:
        """Everything that is there now counts as acknowledged."""
        self._do(self._core.command("subscription", "purge", name, {}))

    def seek_subscription(self, name: str, to: Place, *, partition: Optional[int] = None) -> None:
        """Goes on from there, backwards too."""
        self._do(self._core.command("subscription", "seek", name, {"to": core.place(to), "partition": partition}))

    def pause_subscription(self, name: str) -> None:
        """Nothing is delivered until it is resumed."""
        self._do(self._core.command("subscription", "pause", name, {}))

    def resume_subscription(self, name: str) -> None:
        """Ends a pause."""
        self._do(self._core.command("subscription", "resume", name, {}))

    def move_messages(
        self,
        name: str,
        to: str,
        *,
        selector: Optional[str] = None,
        count: Optional[int] = None,
        message_id: Optional[int] = None,
    ) -> int:
        """Takes messages out of a subscription and puts them into another topic or queue. How many."""
        options = {"to": to, "selector": selector, "count": count, "id": message_id}
        return core.moved(self._do(self._core.command("subscription", "move", name, options)))

    def redrive(self, name: str, *, count: Optional[int] = None) -> int:
        """Puts dead letters back to where they came from. How many."""
        return core.moved(self._do(self._core.command("subscription", "redrive", name, {"count": count})))

    def explain(self, name: str, *, selector: Optional[str] = None) -> List[str]:
        """Why a consumer gets nothing: a sentence, then figures."""
        text = self._do(self._core.command("subscription", "explain", name, {"selector": selector}))
        return [" ".join(words) for words in core.lines(text)]

    # ---- transactions

    def transactions(self, pattern: str = "*") -> List[TransactionInfo]:
        """Open ones, oldest first."""
        return core.transaction_infos(self._do(self._core.command("tx", "list", pattern, {})))

    def show_transaction(self, key: str) -> List[str]:
        """Lines about one."""
        return [" ".join(words) for words in core.lines(self._do(self._core.command("tx", "show", key, {})))]

    def commit_transaction(self, key: str) -> None:
        """Decides a prepared branch in its coordinator's place."""
        self._do(self._core.command("tx", "commit", key, {}))

    def rollback_transaction(self, key: str) -> None:
        """Decides a prepared branch, or ends one that is not prepared."""
        self._do(self._core.command("tx", "rollback", key, {}))

    def forget_transaction(self, key: str) -> None:
        """Of a branch that an operator decided."""
        self._do(self._core.command("tx", "forget", key, {}))
