"""What a client is made with."""

from __future__ import annotations

import random
import ssl
from typing import Callable, Optional, Sequence, Tuple, Union

from .engine import Address

DEFAULT_PORT = 8123
Servers = Union[str, Address, Sequence[Union[str, Address]]]


def parse_address(text: Union[str, Address]) -> Address:
    """``host``, ``host:port``, ``[v6]:port``, ``metaq://host:port`` or a pair.

    :raises ValueError: if it is none of them
    """
    if isinstance(text, tuple):
        host, port = text
        if isinstance(host, str) and host and isinstance(port, int) and 0 < port < 65536:
            return host, port
        raise ValueError("{!r} is no pair of host and port".format(text))
    if not isinstance(text, str):
        raise TypeError("an address is a str or a pair of host and port, not {!r}".format(text))
    rest = text.split("://", 1)[-1].strip().rstrip("/")
    if rest.startswith("["):
        host, _, port_text = rest[1:].partition("]")
        port_text = port_text[1:] if port_text else ""
    elif rest.count(":") > 1:
        host, port_text = rest, ""
    else:
        host, _, port_text = rest.partition(":")
    if not host or any(c.isspace() for c in host) or (port_text and not port_text.isdigit()):
        raise ValueError("{!r} is no address such as 127.0.0.1:8123".format(text))
    port = int(port_text) if port_text else DEFAULT_PORT
    if not 0 < port < 65536:
        raise ValueError("{!r}: a port is a number from 1 to 65535".format(text))
    return host, port


def parse_servers(servers: Servers) -> Tuple[Address, ...]:
    """One address, several, or several in one string, joined by commas."""
    if isinstance(servers, str):
        found = [parse_address(part) for part in servers.split(",") if part.strip()]
    elif isinstance(servers, tuple) and len(servers) == 2 and isinstance(servers[1], int):
        found = [parse_address(servers)]  # type: ignore[arg-type]
    else:
        found = [parse_address(part) for part in servers]  # type: ignore[union-attr]
    if not found:
        raise ValueError("at least one server is needed")
    return tuple(dict.fromkeys(found))


class Backoff:
    """How long to wait between two attempts: doubling, and scattered so that clients do not come all at once.

    :param first: seconds before the second attempt
    :param most: seconds to which it grows
    :param jitter: share of the wait that is left to chance, 0 to 1
    """

    def __init__(
        self, first: float = 0.1, most: float = 5.0, jitter: float = 0.5, chance: Callable[[], float] = random.random
    ) -> None:
        if not 0 < first <= most or not 0 <= jitter <= 1:
            raise ValueError("a back-off needs 0 < first <= most and a jitter from 0 to 1")
        self.first = first
        self.most = most
        self.jitter = jitter
        self._chance = chance

    def seconds(self, failures: int) -> float:
        """After so many failures in a row, at least one."""
        full = min(self.most, self.first * 2.0 ** min(failures - 1, 30))
        return full * (1.0 - self.jitter * self._chance())


class Settings:
    """Checked parameters of a client; see :class:`metaq.Client` for what they mean."""

    def __init__(
        self,
        servers: Servers,
        user: Optional[str] = None,
        password: Optional[str] = None,
        tls: Union[None, bool, ssl.SSLContext] = None,
        tls_server_name: Optional[str] = None,
        client_id: Optional[str] = None,
        name: str = "metaq-python",
        timeout: float = 10.0,
        connect_timeout: float = 5.0,
        heartbeat: float = 10.0,
        backoff: Optional[Backoff] = None,
        large_bytes: int = 8 * 1024 * 1024,
    ) -> None:
        self.addresses = parse_servers(servers)
        for what, seconds in (("timeout", timeout), ("connect_timeout", connect_timeout), ("heartbeat", heartbeat)):
            if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < 1e7:
                raise ValueError("{} is a number of seconds above 0, not {!r}".format(what, seconds))
        if (user is None) != (password is None):
            raise ValueError("user and password go together")
        if client_id is not None and not client_id:
            raise ValueError("a client id must not be empty")
        if not isinstance(large_bytes, int) or large_bytes < 1:
            raise ValueError("large_bytes is a number of bytes above 0, not {!r}".format(large_bytes))
        self.user = user
        self.password = password
        if tls is None or isinstance(tls, bool):
            self.tls = ssl.create_default_context() if tls else None
        elif isinstance(tls, ssl.SSLContext):
            self.tls = tls
        else:
            raise TypeError("tls is True, an ssl.SSLContext or None, not {!r}".format(tls))
        self.tls_server_name = tls_server_name
        self.client_id = client_id
        self.name = name
        self.timeout = float(timeout)
        self.connect_timeout = float(connect_timeout)
        self.heartbeat = float(heartbeat)
        self.backoff = backoff or Backoff()
        self.large_bytes = large_bytes


def tls_context(
    ca_file: Optional[str] = None,
    *,
    check_hostname: bool = True,
    certificate: Optional[str] = None,
    key: Optional[str] = None,
    key_password: Optional[str] = None,
) -> ssl.SSLContext:
    """Settings for TLS.

    :param ca_file: PEM file of the certificates to be trusted; without it those of the system
    :param check_hostname: whether the broker's certificate must name the host that was connected to
    :param certificate: PEM file with the client's own certificate, for ``tlsClientAuth``
    :param key: PEM file of its private key, if that is not in the same file
    """
    context = ssl.create_default_context(cafile=ca_file)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = check_hostname
    if certificate is not None:
        context.load_cert_chain(certificate, key, key_password)
    return context
