"""The byte vectors of the protocol: read, and played against a live broker. ``python3 -m metaq.vectors HOST:PORT [FILE…]``."""

from .transcript import Step, Vector, read

__all__ = ["Step", "Vector", "read"]
