"""Check that a scheduler of dask.distributed answers at an address, before its library connects.

The library waits forever for a silent server, accepts any number as the length of a message, and prints tracebacks
about messages that it can't read. A scheduler greets as soon as it is connected: the length of the greeting as 8 bytes,
the number and the lengths of its frames, and a table with the key "pickle-protocol".
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import struct
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

from distributed.comm.core import connect
from distributed.core import send_recv

from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue, message_of

T = TypeVar("T")
ADDRESS = re.compile(
    r"(?P<scheme>tcp|tls)://(?:(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,252})|\[(?P<six>[0-9A-Fa-f:.]{2,45}(?:%\w{1,20})?)\])"
    r":(?P<port>[0-9]{1,5})"
)
ANSWER = 5.0  # [s] for the greeting and the identity
LONGEST = 65_536  # bytes of a greeting
KEY = b"pickle-protocol"
START = Message("start 'dask scheduler' there, and give its address")


def check_scheduler(address: str, options: dict[str, Any], greeted: Callable[[], None]) -> None:
    """Raise InvalidValue unless a scheduler answers at `address` within ANSWER.

    options: arguments of a connection, as of Security.get_connection_args
    greeted: called after the greeting, before anything is read that might run code
    """
    found = ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) < 2**16:
        raise InvalidValue(Message("is no address of a scheduler"), Message("give tcp://host:port or tls://host:port"))
    end, context = monotonic() + ANSWER, options.get("ssl_context")
    host = (found["name"] or found["six"], int(found["port"]))
    if found["scheme"] == "tls" and context is None:
        raise InvalidValue(Message("has no certificates for tls://"), Message("give the files of the certificates"))
    if not _answer_of(lambda: _greets(host, context if found["scheme"] == "tls" else None, end), end):
        raise InvalidValue(Message("does not answer as a scheduler"), START)
    greeted()
    kind = _answer_of(lambda: asyncio.run(_kind(address, options)), end)
    if kind != "Scheduler":
        raise InvalidValue(Message("is no scheduler, but '{kind}'", kind=kind), START)


def _answer_of(ask: Callable[[], T], end: float) -> T:
    """Result of `ask` until the time `end`, on another thread, since it may hang. Raises InvalidValue."""
    answers: SimpleQueue[T | Exception] = SimpleQueue()

    def run() -> None:
        try:
            answers.put(ask())
        except Exception as error:  # noqa: BLE001  (the library may raise any exception)
            answers.put(error)

    Thread(target=run, name="scheduler", daemon=True).start()
    try:
        answer = answers.get(timeout=max(end - monotonic(), 0.0))
    except Empty:
        raise InvalidValue(Message("does not answer"), START) from None
    if isinstance(answer, TimeoutError):
        raise InvalidValue(Message("does not answer"), START) from None
    if isinstance(answer, Exception):
        raise InvalidValue(Message("can't be reached: {reason}", reason=message_of(answer)), START) from None
    return answer


def _greets(host: tuple[str, int], context: ssl.SSLContext | None, end: float) -> bool:
    """Whether a host and port greet as a scheduler does. Raises OSError, and ValueError for an invalid host."""
    with socket.create_connection(host, ANSWER) as stream:
        if context is not None:
            with context.wrap_socket(stream, server_hostname=host[0]) as encrypted:
                return _is_greeting(encrypted, end)
        return _is_greeting(stream, end)


def _is_greeting(stream: socket.socket, end: float) -> bool:
    """Whether a scheduler's greeting is read from a connection until the time `end`. Raises OSError."""
    (length,) = struct.unpack("=Q", _read(stream, 8, end))
    return length <= LONGEST and KEY in _read(stream, length, end)


def _read(stream: socket.socket, count: int, end: float) -> bytes:
    """`count` bytes from a connection. Raises OSError if they do not arrive until the time `end`."""
    found = bytearray()
    while len(found) < count:
        stream.settimeout(max(end - monotonic(), 1e-3))
        piece = stream.recv(count - len(found))
        if not piece:
            raise ConnectionResetError(Message("it has closed the connection"))
        found += piece
    return bytes(found)


async def _kind(address: str, options: dict[str, Any]) -> str:
    """Kind of server at an address, as it states itself: "Scheduler" or another."""
    comm = await connect(address, timeout=ANSWER, **options)
    try:
        return str((await send_recv(comm, op="identity"))["type"])
    finally:
        comm.abort()
