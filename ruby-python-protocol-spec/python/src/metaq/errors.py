"""Everything that can go wrong, by who has to act.

Each error of a broker is an exception of its own, after the table of codes in PROTOCOL.md. Two questions are answered by every
one of them:

- ``retriable``: may the same call succeed later, or at another broker, without anybody changing it?
- ``outcome_unknown``: may it have been carried out all the same? Then the caller must not simply do it again, unless doing it
  twice does no harm.
"""

from __future__ import annotations

from typing import Dict, Optional, Type

__all__ = [
    "BadRequestError",
    "BrokerError",
    "BrokerTimeoutError",
    "BrokerUnavailableError",
    "BufferFullError",
    "BusyError",
    "CertificateError",
    "ClientClosedError",
    "ConflictError",
    "ConnectionLostError",
    "ConsumerDetachedError",
    "CorruptMessageError",
    "FailedError",
    "ForbiddenError",
    "ForkedError",
    "GatewayTimeoutError",
    "MalformedMessageError",
    "MetaqError",
    "MovedError",
    "NotFoundError",
    "NotSupportedError",
    "ProtocolError",
    "RequestTimeoutError",
    "StorageFullError",
    "TooLargeError",
    "TransactionRolledBackError",
    "UnauthorizedError",
    "WouldBlockError",
    "XaError",
    "of_reply",
]


class MetaqError(Exception):
    """Root of all errors of this package that are not plain misuse (``TypeError``, ``ValueError``)."""

    #: whether the same call may succeed later, or elsewhere
    retriable: bool = False
    #: whether it may have been done although it failed
    outcome_unknown: bool = False


class ClientClosedError(MetaqError):
    """The client, producer or consumer was closed before or during the call."""


class ForkedError(MetaqError):
    """The client belongs to the process that made it; a forked child makes one of its own."""


class WouldBlockError(MetaqError):
    """A call that waits was made on the client's own thread, from a callback: it would wait for itself."""


class BufferFullError(MetaqError):
    """The producer holds as many bytes as it may, and was told not to wait."""

    retriable = True


class ConsumerDetachedError(MetaqError):
    """The broker ended the consumer, since its destination or subscription is gone or an operator wanted it."""


class TransactionRolledBackError(MetaqError):
    """The transaction is rolled back: nothing of it was done."""


class MalformedMessageError(MetaqError):
    """Properties or payload of a message are not as PROTOCOL.md has them. ``Message.raw`` still has the bytes."""


class CorruptMessageError(MetaqError):
    """A message does not fit its checksum, twice.

    ``offset`` is where it is, ``next_offset`` where reading can go on (``None`` if that is not known).
    """

    def __init__(self, text: str, offset: int, next_offset: Optional[int]) -> None:
        super().__init__(text)
        self.offset = offset
        self.next_offset = next_offset


class BrokerUnavailableError(MetaqError, ConnectionError):
    """There is no connection to the broker, and the request was not sent."""

    retriable = True


class ConnectionLostError(BrokerUnavailableError):
    """The connection ended before the answer came."""

    outcome_unknown = True


class CertificateError(BrokerUnavailableError):
    """The broker's certificate is not to be trusted, or names another host."""

    retriable = False


class RequestTimeoutError(MetaqError, TimeoutError):
    """No answer in time. ``outcome_unknown`` is true if the request was sent."""

    retriable = True

    def __init__(self, text: str, outcome_unknown: bool = True) -> None:
        super().__init__(text)
        self.outcome_unknown = outcome_unknown


class ProtocolError(MetaqError):
    """Bytes that are no frame of the protocol, or a reply that makes no sense: not a MetaQ broker, or a fault."""


class BrokerError(MetaqError):
    """The broker answered with a code other than 200.

    ``code`` is that code, ``text`` the broker's sentence, ``server`` its address.
    """

    code: int = 0

    def __init__(self, text: str, code: Optional[int] = None, server: str = "") -> None:
        shown = code if code is not None else self.code
        super().__init__("{} {}{}".format(shown, text, " (from {})".format(server) if server else ""))
        self.text = text
        self.server = server
        if code is not None:
            self.code = code


class MovedError(BrokerError):
    """301: read from another offset, which is ``int(error.text)``."""

    code = 301
    retriable = True


class BadRequestError(BrokerError):
    """400: the request makes no sense."""

    code = 400


class UnauthorizedError(BrokerError):
    """401: log in first, or user and password do not fit."""

    code = 401


class ForbiddenError(BrokerError):
    """403: closed for this, or another connection's."""

    code = 403


class NotFoundError(BrokerError):
    """404: no such topic, partition, group, subscription or consumer."""

    code = 404


class BrokerTimeoutError(BrokerError):
    """408: the broker gave up waiting for something of its own."""

    code = 408
    retriable = True


class ConflictError(BrokerError):
    """409: exists already, is in use, or of another kind."""

    code = 409


class TooLargeError(BrokerError):
    """413: over a limit of the broker."""

    code = 413


class FailedError(BrokerError):
    """500: it went wrong; the text and the broker's log say why."""

    code = 500


class XaError(FailedError):
    """A step of a named transaction failed; ``xa_code`` is that of X/Open: -4 not there, -6 does not fit, 100 to 107 rolled back."""

    def __init__(self, text: str, xa_code: int, server: str = "") -> None:
        super().__init__(text, None, server)
        self.xa_code = xa_code


class NotSupportedError(BrokerError):
    """501: this broker does not do that."""

    code = 501


class BusyError(BrokerError):
    """503: too much under way."""

    code = 503
    retriable = True


class GatewayTimeoutError(BrokerError):
    """504: another broker did not answer in time."""

    code = 504
    retriable = True
    outcome_unknown = True


class StorageFullError(BrokerError):
    """507: the broker's disk is full; reading goes on."""

    code = 507
    retriable = True


BY_CODE: Dict[int, Type[BrokerError]] = {
    kind.code: kind
    for kind in (
        MovedError,
        BadRequestError,
        UnauthorizedError,
        ForbiddenError,
        NotFoundError,
        BrokerTimeoutError,
        ConflictError,
        TooLargeError,
        FailedError,
        NotSupportedError,
        BusyError,
        GatewayTimeoutError,
        StorageFullError,
    )
}


def of_reply(code: int, text: str, server: str = "") -> BrokerError:
    """The exception for a reply. A code that nobody knows is a failure that is not retriable."""
    kind = BY_CODE.get(code)
    if kind is FailedError and text.startswith("XAException:code="):
        number, _, rest = text[len("XAException:code=") :].partition(",msg=")
        try:
            return XaError(rest, int(number), server)
        except ValueError:
            return FailedError(text, code, server)
    return kind(text, code, server) if kind else BrokerError(text, code, server)
