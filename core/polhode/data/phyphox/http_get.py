"""A GET of JSON from a device in the same network: no proxy, no redirect, bounded time and size."""

from __future__ import annotations

import io
import json
import re
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from polhode.scene.files.file_io import TooLarge
from polhode.scene.message import Message
from polhode.scene.problem import InputError

SILENCE = 3.0  # [s] without a byte, after which a device does not answer
LONGEST = 20.0  # [s] of a whole answer
SLICE = 0.1  # [s] of waiting between two calls of `check_cancelled`
LARGEST = 16 * 2**20  # [bytes] of an answer, its head included
DEFAULT_PORT = 80
HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,252})|[0-9A-Fa-f:.]{2,45}")


@dataclass(frozen=True)
class HttpAddress:
    """Where a device is in the network."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORT else f"{host}:{self.port}"


def address_of(text: str) -> HttpAddress:
    """The address in a text such as "192.168.0.42:8080" or "http://192.168.0.42:8080/". Raises InputError."""
    remedy = Message("type it as phyphox shows it, such as 192.168.0.42:8080")

    def fault(rule: Message) -> InputError:
        return InputError.of(text, rule, remedy)

    given = text.strip()
    if not given:
        raise fault(Message("there is no address"))
    if not given.isprintable():  # urlsplit leaves line breaks out
        raise fault(Message("'{text}' is no address", text=text))
    try:
        parts = urlsplit(given if "://" in given else f"http://{given}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise fault(Message("'{text}' is no address", text=text)) from None
    if parts.scheme.lower() != "http":
        raise fault(Message("'{scheme}' is not http", scheme=parts.scheme))
    if not HOST.fullmatch(host) or parts.username is not None or parts.path not in ("", "/") or parts.query:
        raise fault(Message("'{text}' is no address", text=text))
    if port == 0:
        raise fault(Message("the port {port} is not between 1 and 65535", port=0))
    return HttpAddress(host, port or DEFAULT_PORT)


def get_json(address: HttpAddress, path: str, check_cancelled: Callable[[], None]) -> Any:
    """The JSON at a path of a device, such as "/config".

    check_cancelled: called often; may raise to end the request

    Raises InputError with the address, where the device does not answer within SILENCE, or answers with anything else
    than JSON of at most LARGEST bytes within LONGEST.
    """
    connection = _Connection(address, check_cancelled)
    try:
        connection.request("GET", path, headers={"Connection": "close", "Accept": "application/json"})
        answer = connection.getresponse()
        if answer.status != 200:
            rule = Message("answers with status {status}, not with data", status=answer.status)
            raise _fault(address, rule, Message("is it the address that phyphox shows?"))
        text = answer.read(LARGEST)  # not read(): that allocates the memory that the answer requests
    except TooLarge:
        rule = Message("answers with more than {most:.0f} MB", most=LARGEST / 2**20)
        raise _fault(address, rule, Message("clear the measurement on the phone, and connect again")) from None
    except (OSError, UnicodeError):
        raise no_answer(address) from None
    except (HTTPException, ValueError):
        raise _not_phyphox(address) from None
    finally:
        connection.end()
    try:
        return json.loads(text, parse_constant=lambda _name: None)
    except (ValueError, RecursionError):
        raise _not_phyphox(address) from None


def no_answer(address: HttpAddress) -> InputError:
    """The error for a phone that does not answer."""
    remedy = Message("is phyphox open, 'Allow remote access' on, and are both in one network?")
    return _fault(address, Message("the phone does not answer"), remedy)


def _not_phyphox(address: HttpAddress) -> InputError:
    """The error for an answer that is no JSON."""
    return _fault(address, Message("its answer is no JSON"), Message("is it the address that phyphox shows?"))


def _fault(address: HttpAddress, rule: Message, remedy: Message) -> InputError:
    return InputError.of(str(address), rule, remedy, str(address))


class _Connection(HTTPConnection):
    """A connection whose answer is bounded by time and size."""

    def __init__(self, address: HttpAddress, check_cancelled: Callable[[], None]):
        super().__init__(address.host, address.port, timeout=SILENCE)
        self._check_cancelled = check_cancelled
        self._inner: socket.socket | None = None

    def connect(self) -> None:
        """Open the socket. Raises OSError."""
        self._inner = socket.create_connection((self.host, self.port), SILENCE)
        self.sock = _Socket(self._inner, self._check_cancelled)

    def end(self) -> None:
        """Close the socket."""
        if self._inner is not None:
            self._inner.close()


class _Socket:
    """The part of a socket that http.client uses: sending, a file to read from, closing."""

    def __init__(self, inner: socket.socket, check_cancelled: Callable[[], None]):
        self._inner, self._check_cancelled = inner, check_cancelled

    def sendall(self, data: bytes) -> None:
        """Send a request. Raises OSError."""
        self._inner.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        """The answer as a file."""
        return io.BufferedReader(_Bounded(self._inner, self._check_cancelled))

    def close(self) -> None:
        """Nothing: http.client closes before the answer is read; `_Connection.end` does it afterwards."""


class _Bounded(io.RawIOBase):
    """The bytes of a socket, within SILENCE between two pieces, LONGEST and LARGEST."""

    def __init__(self, inner: socket.socket, check_cancelled: Callable[[], None]):
        self._inner, self._check_cancelled = inner, check_cancelled
        self._end, self._left = time.monotonic() + LONGEST, LARGEST

    def readable(self) -> bool:
        """True: it is read only."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer with the next bytes; returns the number of bytes. Raises TimeoutError and TooLarge."""
        silent = time.monotonic() + SILENCE
        self._inner.settimeout(SLICE)
        while True:
            self._check_cancelled()
            try:
                count = self._inner.recv_into(buffer)
            except TimeoutError:
                count = -1
            if time.monotonic() > min(silent, self._end):
                raise TimeoutError
            if count >= 0:
                break
        self._left -= count
        if self._left < 0:
            raise TooLarge(LARGEST - self._left)
        return count
