"""The same client for asyncio: :func:`metaq.aio.connect`."""

from .admin import Admin
from .client import Client, connect
from .consumer import Consumer
from .opening import Opening
from .producer import Producer
from .reader import GroupConsumer, Reader, TopicBrowser
from .temporary import Temporary
from .transaction import Branch, Transaction
