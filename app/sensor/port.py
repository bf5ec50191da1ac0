"""A sensor on a serial port: found, opened, greeted, read, and found again after it was unplugged.

The only file that knows pyserial. A board is known by vendor, product and serial number, for its path may be another
one the next time; what has no such numbers is known by its path.
"""

from __future__ import annotations

import errno
import logging
import os
import stat
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from select import select
from time import monotonic, perf_counter, sleep, thread_time
from typing import Literal

import serial
from serial.tools import list_ports

from app.sensor.protocol import ASK, BareNumber, Decoder, Greeting, Message, Reading
from app.sensor.sources import PATIENCE, Hear, Kind, Sample, Source, State, Status
from core.scene.problem import message_of, reason_of

try:
    import grp
except ImportError:  # not on Windows, where no group is needed
    grp = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

BAUDS = (9600, 19200, 38400, 57600, 115200, 230400, 250000, 500000, 1000000)
USUAL_BAUD = 115200
TURN = 0.1  # [s] a read waits; so soon the thread hears that it is to stop
COLLECT = 0.003  # [s] for the rest of a line to come: a wake-up for each byte would cost ten times as much
PIECE = 4096  # bytes that are read at once
FLOOD = 0.002  # [s] processor time for what came at once, after which a port floods:
REST = 4.0  # then the reader rests so many times as long, and the window has the interpreter
SOONEST, LATEST = 0.1, 2.0  # [s] between two trials to open
RESET = 2.0  # [s] that a board which is reset by the opening takes; then it is asked, and again after as long
MUTE = 5.0  # [s] without a line after which it is said
NONSENSE = 65535  # what many sensors say when they have measured nothing

Unit = Literal["mm", "cm"]
IN_MILLIMETRES = {"mm": 1.0, "cm": 10.0}


@dataclass(frozen=True)
class Address:
    """What a device is known by."""

    path: str
    vendor: int | None = None
    product: int | None = None
    serial_number: str | None = None

    def is_of(self, other: Address) -> bool:
        """Whether the other is the same device, wherever it is plugged in."""
        if self.vendor is None or other.vendor is None:
            return self.path == other.path
        mine = self.vendor, self.product, self.serial_number
        return mine == (other.vendor, other.product, other.serial_number)

    def __str__(self) -> str:
        if self.vendor is None:
            return self.path
        return f"{self.vendor:04x}:{self.product or 0:04x}:{self.serial_number or ''}"


@dataclass(frozen=True)
class Device:
    """A port that is there now."""

    address: Address
    description: str


def devices() -> list[Device]:
    """Ports of this machine that something is plugged into, those with a USB identity first."""
    found = [
        Device(Address(info.device, info.vid, info.pid, info.serial_number), _description(info.description))
        for info in list_ports.comports()
        if info.vid is not None or info.hwid not in ("", "n/a", None)
    ]
    return sorted(found, key=lambda device: (device.address.vendor is None, device.address.path))


def _description(text: str | None) -> str:
    return "" if text in (None, "n/a") else str(text)


class PortWatch:
    """Looks once a second which ports there are, in a thread: on some systems a look takes longer than a frame."""

    def __init__(self, look: Callable[[], list[Device]] = devices, every: float = 1.0):
        self.found: tuple[Device, ...] = ()
        self._look, self._every = look, every
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if self._thread is None:
            self._stopping.clear()
            self._thread = threading.Thread(target=self._work, name="ports", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)
            self._thread = None

    def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                self.found = tuple(self._look())
            except OSError:  # the list changed while it was read
                log.debug("ports could not be listed", exc_info=True)
            self._stopping.wait(self._every)


class SerialPort(Source):
    """Reads the device of an address for as long as it is started, however often that goes and comes."""

    def __init__(
        self,
        address: Address | None,
        baud: int = USUAL_BAUD,
        unit: Unit = "mm",
        look: Callable[[], list[Device]] | None = None,
        preferred: Address | None = None,
    ):
        """`unit` is that of bare numbers; lines of the project's own sketches say millimetres.

        Without an address it takes the preferred board, or the only one that is plugged in, as soon as it is there, and
        keeps to it.
        """
        super().__init__()
        self.address, self.baud, self.unit = address, baud, unit
        self._look, self._preferred = look or devices, preferred
        self._seen = False  # whether it was there before
        self._steady = SteadyTimes()

    @property
    def name(self) -> str:
        return str(self.address)

    def _work(self, hear: Hear) -> None:
        wait = SOONEST
        while not self._stopping.is_set():
            before = self.counts.lines + self.counts.bad
            self._try(hear)
            wait = SOONEST if self.counts.lines + self.counts.bad > before else min(2 * wait, LATEST)
            self._stopping.wait(wait)

    def _try(self, hear: Hear) -> None:
        """Open and read, until it is gone or was not there."""
        if self.address is None and not self._choose():
            return
        path = self._path()
        if path is None:
            self.state = State("unplugged" if self._seen else "missing", self.address.path if self.address else "")
            return
        try:
            port = serial.Serial(path, self.baud, timeout=TURN, write_timeout=TURN, exclusive=True)
        except (OSError, ValueError) as error:  # SerialException is an OSError
            self.state = _why(path, error, self._seen)
            return
        try:
            self._seen = True
            self._listen(port, hear)
        except (OSError, TypeError) as error:  # pyserial reads a port that is going with a TypeError, sometimes
            log.info("%s: %s", path, error)
            self.state = State("unplugged", path)
        finally:
            _close(port)
            self.greeting = None

    def _choose(self) -> bool:
        """Take the preferred board, or the one that is plugged in alone."""
        found = [device.address for device in self._look()]
        boards = [address for address in found if self._preferred is not None and address.is_of(self._preferred)]
        boards = boards or [address for address in found if address.vendor is not None]
        if len(boards) == 1:
            self.address = boards[0]
        else:
            self.state = State("several" if boards else "none")
        return len(boards) == 1

    def _path(self) -> str | None:
        """Where the device is now; None if it is not plugged in."""
        mine = self.address
        if mine is None or mine.vendor is None:
            path = mine.path if mine is not None else ""
            return path if os.name == "nt" or Path(path).exists() else None
        found = (device.address for device in self._look())
        return next((address.path for address in found if address.is_of(mine)), None)

    def _listen(self, port: serial.Serial, hear: Hear) -> None:
        decoder, read = Decoder(self.counts), pieces(port)
        self._steady = SteadyTimes()
        self.state = State("waiting", port.port)
        asked = last = monotonic()  # last: of a line
        heard, bad = False, self.counts.bad
        while not self._stopping.is_set():
            arrived, data = read()
            begun, messages = thread_time(), decoder.feed(data)
            for message in messages:
                self._take(message, arrived, hear)
            now = monotonic()
            if messages:
                heard, last, bad = True, now, self.counts.bad
                self._say("reading", port)
            elif now - last > MUTE:
                self._say("unreadable" if self.counts.bad > bad else "silent", port)
            # not every board starts again when it is opened; who sends bare numbers has no greeting
            if self.greeting is None and now - asked > RESET and (not heard or decoder.checked):
                asked = now
                _ask(port)
            if (spent := thread_time() - begun) > FLOOD:
                self._stopping.wait(REST * spent)

    def _say(self, kind: Kind, port: serial.Serial) -> None:
        if self.state.kind != kind:
            self.state = State(kind, port.port)

    def _take(self, message: Message, arrived: float, hear: Hear) -> None:
        match message:
            case Greeting():
                self.greeting = message
            case Reading(_, time, distance, status):
                hear(sample(time, distance, arrived, status))
            case BareNumber(value):
                hear(sample(self._steady(arrived), value, arrived, "ok", IN_MILLIMETRES[self.unit]))


def pieces(port: serial.Serial) -> Callable[[], tuple[float, bytes]]:
    """Gives when bytes came [s of perf_counter], and these; after TURN there may be none.

    What is no whole line yet gets a little time for the rest, and so does what comes sooner than that after the last:
    then a flood, or bytes one by one, wake nobody more often.
    """
    last = 0.0

    def read() -> tuple[float, bytes]:
        nonlocal last
        data = _first(port)
        arrived = perf_counter()
        if data and (not data.endswith(b"\n") or arrived - last < COLLECT):
            sleep(COLLECT)
            data += _more(port)
        last = perf_counter()
        return arrived, data

    return read


if os.name == "nt":

    def _first(port: serial.Serial) -> bytes:
        return bytes(port.read(1))

    def _more(port: serial.Serial) -> bytes:
        return bytes(port.read(min(PIECE, port.in_waiting)))

else:  # pyserial's own read costs three times as much as these, for each line

    def _first(port: serial.Serial) -> bytes:
        """What comes within TURN, or nothing. Raises OSError where the device is gone."""
        if not select([port.fd], [], [], TURN)[0]:
            return b""
        data = os.read(port.fd, PIECE)
        if not data:
            raise OSError(errno.EIO, "the port is ready, and gives nothing")
        return data

    def _more(port: serial.Serial) -> bytes:
        """What is there already."""
        try:
            return os.read(port.fd, PIECE)
        except BlockingIOError:
            return b""


class SteadyTimes:
    """Times of measurements that carry none: bytes come in bursts, a sketch measures at a steady pace.

    An alpha-beta filter of the times of arrival. (Kalata, IEEE Trans. Aerosp. Electron. Syst. 20, 1984)
    """

    ALPHA, BETA = 0.05, 0.00125
    GAP = 0.5  # [s] after which it starts again
    LEAST = 1e-3  # [s] between two measurements

    def __init__(self) -> None:
        self._last: float | None = None
        self._arrived = 0.0
        self._period: float | None = None

    def __call__(self, arrived: float) -> float:
        """Time [s] of the measurement that has arrived; these grow."""
        last, gap = self._last, arrived - self._arrived
        self._arrived = arrived
        if last is None or gap > self.GAP:
            self._last, self._period = arrived, None
            return arrived
        if self._period is None:
            self._period = max(gap, self.LEAST)
        off = arrived - (last + self._period)
        self._last = max(last + self._period + self.ALPHA * off, last + self.LEAST)
        self._period = max(self._period + self.BETA * off, self.LEAST)
        return self._last


def sample(time: float, value: float | None, arrived: float, status: str, scale: float = 1.0) -> Sample:
    """What a line said; a number that no sensor means is none."""
    if value is not None and 0 <= value < NONSENSE:
        return Sample(time, scale * value, arrived)
    known: dict[str, Status] = {"far": "far", "near": "near"}
    return Sample(time, None, arrived, known.get(status, "fault"))


def _ask(port: serial.Serial) -> None:
    try:
        port.write(ASK)
    except serial.SerialTimeoutException:
        log.debug("%s does not take bytes", port.port)


def _close(port: serial.Serial) -> None:
    try:
        port.close()
    except OSError:
        log.debug("%s could not be closed", port.port, exc_info=True)


def _why(path: str, error: Exception, seen: bool) -> State:
    """What an opening that failed means."""
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return State("denied", group_of(path))
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK):
        return State("taken", path)
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO):
        return State("unplugged" if seen else "missing", path)
    return State("failed", reason_of(OSError(number, os.strerror(number))) if number else message_of(error))


def group_of(path: str) -> str:
    """Group of users that may use a device, "" where there is none that helps."""
    try:
        about = Path(path).stat()
    except OSError:
        return ""
    if grp is None or not about.st_mode & stat.S_IRGRP:
        return ""
    try:
        return grp.getgrgid(about.st_gid).gr_name
    except KeyError:
        return str(about.st_gid)
