"""What consumers attach to, by the names that JMS clients use too."""

from __future__ import annotations

import uuid
from typing import Optional, Tuple

from .._protocol import requests
from .settings import Settings


class Attachment:
    """What a consumer attaches to."""

    def __init__(
        self, name: str, topic: str, kind: str, selector: Optional[str], no_local: bool, origin: Optional[str]
    ) -> None:
        self.name = name
        self.topic = requests.word(topic, "a topic's name")
        self.kind = kind
        self.selector = selector
        self.no_local = no_local
        self.origin = origin

    def arguments(self, number: int) -> Tuple:
        more = (self.selector, True, self.origin) if self.no_local else (self.selector,)
        return (number, self.name, self.topic, self.kind, *more)


def durable_name(settings: Settings, name: str) -> str:
    """As JMS clients of the same client id call it.

    :raises ValueError: without a client id
    """
    if settings.client_id is None:
        raise ValueError("durable subscriptions belong to a client id: give the client one")
    if not isinstance(name, str) or not name:
        raise ValueError("a subscription needs a name")
    return "durable:{}:{}".format(settings.client_id, name)


def subscription(
    settings: Settings,
    topic: str,
    name: Optional[str],
    durable: bool,
    shared: bool,
    selector: Optional[str],
    no_local: bool,
    origin: str,
) -> Attachment:
    """What a subscriber of a topic attaches to.

    :raises ValueError: if the parameters do not go together
    """
    if name is None:
        if durable or shared:
            raise ValueError("a durable or shared subscription needs a name")
        return Attachment("python:{}".format(uuid.uuid4()), topic, "exclusive", selector, no_local, origin)
    if durable:
        kind, full = ("shared-durable" if shared else "durable"), durable_name(settings, name)
    elif shared:
        kind, full = "shared", "shared:{}:{}".format(settings.client_id or "", name)
    else:
        raise ValueError("a subscription with a name is durable, or shared, or both")
    return Attachment(full, topic, kind, selector, no_local, origin)
