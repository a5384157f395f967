"""What calls give back."""

from __future__ import annotations

from typing import NamedTuple


class SendResult(NamedTuple):
    """Where a message is stored: its id, unique for good, and its place."""

    message_id: int
    topic: str
    broker: int
    partition: int
    offset: int


class Acknowledged(NamedTuple):
    """How many messages are done now; ``missed`` is not 0 if some were somebody else's by now, or done before."""

    acknowledged: int
    missed: int
