"""MetaQ for Python: see README.md, and :class:`metaq.Client` to begin with."""

from . import partitioners
from .admin import Admin
from .client import Client, connect
from .consumer import Consumer
from .core.balance import balance
from .core.group import TopicPartition
from .core.pool import Partition
from .core.settings import Backoff, tls_context
from .core.transactions import xid
from .destinations import name_of
from .errors import *  # noqa: F403
from .message import Message
from .received import ReceivedMessage
from .payloads import BodyKind
from .producer import Producer
from .reader import GroupConsumer, Reader, TopicBrowser
from .results import Acknowledged, SendResult
from .temporary import Temporary
from .transaction import Branch, Transaction
from .types import Byte, Char, Double, Float, Int, Long, Object, Short, type_name

__version__ = "2.0.0"
