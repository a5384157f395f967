"""What a broker says about itself when it is greeted."""

from __future__ import annotations

from typing import Dict, FrozenSet, NamedTuple, Optional

PROTOCOL = 2


class Negotiated(NamedTuple):
    """The lines of the reply to ``version … protocol=2``. A 1.4 broker is of protocol 1 and has no features."""

    version: str
    protocol: int = 1
    broker_id: Optional[int] = None
    max_body: int = 2 * 1024 * 1024
    max_line: int = 4096
    features: FrozenSet[str] = frozenset()
    resource_manager: Optional[str] = None
    login_required: bool = False


def parse(text: str) -> Negotiated:
    """:raises ValueError: if a known key has no sensible value"""
    first, *rest = text.replace("\r\n", "\n").split("\n")
    lines: Dict[str, str] = {}
    for line in rest:
        key, _, value = line.partition(" ")
        lines.setdefault(key, value)
    if "protocol" not in lines:
        return Negotiated(first)
    return Negotiated(
        version=first,
        protocol=int(lines["protocol"]),
        broker_id=int(lines["broker_id"]) if "broker_id" in lines else None,
        max_body=int(lines.get("max_body", 16777216)),
        max_line=int(lines.get("max_line", 16384)),
        features=frozenset(lines.get("features", "").split(",")) - {""},
        resource_manager=lines.get("resource_manager"),
        login_required=lines.get("login") == "required",
    )
