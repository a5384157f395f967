"""Addresses as ``reply_to`` and ``destination`` have them: ``queue://X``, ``topic://X``, ``temp-queue://temp:…``."""

from __future__ import annotations

_SCHEMES = ("queue://", "topic://", "temp-queue://", "temp-topic://")


def name_of(address: str) -> str:
    """The name of the topic or queue that an address means; a bare name stands for itself.

    :raises ValueError: if it is none
    """
    for scheme in _SCHEMES:
        if address.startswith(scheme):
            address = address[len(scheme) :]
            break
    if not address or "://" in address:
        raise ValueError("{!r} is no address such as queue://orders".format(address))
    return address
