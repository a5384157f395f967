"""MetaQ for Python: see README.md, and :class:`metaq.Client` to begin with."""

from .client import Client, connect
from .consumer import Consumer
from .core.pool import Partition
from .core.settings import Backoff, tls_context
from .errors import *  # noqa: F403
from .message import Message, ReceivedMessage
from .payloads import BodyKind
from .producer import Producer
from .results import Acknowledged, SendResult
from .types import Byte, Char, Double, Float, Int, Long, Object, Short, type_name

__version__ = "2.0.0"
