"""Sensor on a serial port: detection, connection, decoding, and reconnection after it was unplugged.

The only module that imports pyserial. A board is identified by vendor id, product id and serial number, because its
path may change; a port without these is identified by its path.
"""

from __future__ import annotations

import errno
import logging
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nextafter
from pathlib import Path
from select import select
from time import monotonic, perf_counter, sleep, thread_time
from typing import Literal

import serial
from serial.tools import list_ports

from polhode.scene.problem import message_of, reason_of
from polhode_app.jobs import CheckCancelled, Job
from polhode_app.sensor.protocol import ASK, BareNumber, Decoder, Greeting, Message, Reading
from polhode_app.sensor.sources import JOIN_TIMEOUT, Kind, Listener, Sample, Source, State, Status

try:
    import grp
except ImportError:  # not on Windows, where no group is needed
    grp = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

BAUDS = (9600, 19200, 38400, 57600, 115200, 230400, 250000, 500000, 1000000)
USUAL_BAUD = 115200
READ_TIMEOUT = 0.1  # [s] timeout of a read, after which the thread checks whether it should stop
COLLECT = 0.003  # [s] wait for the rest of a line: waking up for each byte would cost ten times as much
PIECE = 4096  # bytes read at once
FLOOD = 0.002  # [s] CPU time for one read above which the port counts as flooded
REST = 4.0  # pause after such a read, as a multiple of its CPU time, so that the GIL is free for the window
SOONEST, LATEST = 0.1, 2.0  # [s] shortest and longest interval between attempts to open the port
RESET = 2.0  # [s] start-up time of a board that is reset by opening the port; interval of requests for a greeting
SILENCE_TIME = 5.0  # [s] without a line after which the state becomes "silent"
FAILED_VALUE = 65535  # value that many sensors return for a failed measurement

Unit = Literal["mm", "cm"]
IN_MILLIMETRES = {"mm": 1.0, "cm": 10.0}


@dataclass(frozen=True)
class Address:
    """Identity of a serial device."""

    path: str
    vendor: int | None = None
    product: int | None = None
    serial_number: str | None = None

    def is_of(self, other: Address) -> bool:
        """Whether both are the same device, possibly at different paths."""
        if self.vendor is None or other.vendor is None:
            return self.path == other.path
        mine = self.vendor, self.product, self.serial_number
        return mine == (other.vendor, other.product, other.serial_number)

    def __str__(self) -> str:
        """Key of the device in the settings."""
        if self.vendor is None:
            return self.path
        return f"{self.vendor:04x}:{self.product or 0:04x}:{self.serial_number or ''}"


@dataclass(frozen=True)
class Device:
    """A serial port that is present."""

    address: Address
    description: str


def devices() -> list[Device]:
    """Serial ports with a device plugged in, those with a USB identity first."""
    found = [
        Device(Address(info.device, info.vid, info.pid, info.serial_number), _description(info.description))
        for info in list_ports.comports()
        if info.vid is not None or info.hwid not in ("", "n/a", None)
    ]
    return sorted(found, key=lambda device: (device.address.vendor is None, device.address.path))


def _description(text: str | None) -> str:
    """Description of a port, "" if pyserial has none."""
    return "" if text in (None, "n/a") else str(text)


class PortWatch:
    """Polls the list of serial ports in a thread; on some systems a poll takes longer than a frame.

    `found` may be read from any thread.
    """

    def __init__(self, list_devices: Callable[[], list[Device]] = devices, every: float = 1.0):
        """`list_devices` lists the ports; it is called every `every` [s]."""
        self.found: tuple[Device, ...] = ()
        self._list_devices, self._every = list_devices, every
        self._job = Job("ports")
        self._is_started = False

    def start(self) -> None:
        """Start polling; no effect if already started."""
        if not self._is_started:
            self._is_started = True
            self._job.start(self._work)

    def stop(self) -> None:
        """Stop polling; `start` may be called again."""
        self._is_started = False
        self._job.close(JOIN_TIMEOUT)

    def _work(self, check_cancelled: CheckCancelled) -> None:
        while True:
            try:
                self.found = tuple(self._list_devices())
            except OSError:  # the list has changed during the call
                log.debug("ports could not be listed", exc_info=True)
            check_cancelled.wait(self._every)


class SerialPort(Source):
    """Sensor on a serial port; reconnects whenever the device is plugged in again."""

    def __init__(
        self,
        address: Address | None,
        baud: int = USUAL_BAUD,
        unit: Unit = "mm",
        list_devices: Callable[[], list[Device]] | None = None,
        preferred: Address | None = None,
    ):
        """Prepare a source for one device.

        `unit` is the unit of bare numbers; lines of the project's sketches are in millimetres. Without an address, the
        device `preferred` is used, or the only one present, as soon as it is plugged in; the choice is then permanent.
        """
        super().__init__()
        self.address, self.baud, self.unit = address, baud, unit
        self._list_devices, self._preferred = list_devices or devices, preferred
        self._seen = False  # the device was connected before
        self._steady = SteadyTimes()

    @property
    def name(self) -> str:
        """Key of the device in the settings."""
        return str(self.address)

    def _work(self, listener: Listener) -> None:
        """Connect again and again, at growing intervals as long as nothing is received."""
        wait = SOONEST
        while not self._stopping.is_set():
            before = self.counts.lines + self.counts.bad
            self._connect_once(listener)
            wait = SOONEST if self.counts.lines + self.counts.bad > before else min(2 * wait, LATEST)
            self._stopping.wait(wait)

    def _connect_once(self, listener: Listener) -> None:
        """Open the port and read until it disappears; the result is a state."""
        if self.address is None and not self._choose_device():
            return
        path = self._path()
        if path is None:
            self.state = State("unplugged" if self._seen else "missing", self.address.path if self.address else "")
            return
        try:
            port = serial.Serial(path, self.baud, timeout=READ_TIMEOUT, write_timeout=READ_TIMEOUT, exclusive=True)
        except (OSError, ValueError) as error:  # SerialException is an OSError
            self.state = _state_of_error(path, error, self._seen)
            return
        try:
            self._seen = True
            self._read_port(port, listener)
        except (OSError, TypeError) as error:  # pyserial may raise TypeError when a port disappears
            log.info("%s: %s", path, error)
            self.state = State("unplugged", path)
        finally:
            _close(port)
            self.greeting = None

    def _choose_device(self) -> bool:
        """Choose the preferred device, or the only one with a USB identity; False if there is no unique choice."""
        found = [device.address for device in self._list_devices()]
        boards = [address for address in found if self._preferred is not None and address.is_of(self._preferred)]
        boards = boards or [address for address in found if address.vendor is not None]
        if len(boards) == 1:
            self.address = boards[0]
        else:
            self.state = State("several" if boards else "none")
        return len(boards) == 1

    def _path(self) -> str | None:
        """Current path of the device; None if it is not plugged in."""
        mine = self.address
        if mine is None or mine.vendor is None:
            path = mine.path if mine is not None else ""
            return path if os.name == "nt" or Path(path).exists() else None
        found = (device.address for device in self._list_devices())
        return next((address.path for address in found if address.is_of(mine)), None)

    def _read_port(self, port: serial.Serial, listener: Listener) -> None:
        """Decode the input of an open port until the thread is stopped. Raises OSError if the device disappears."""
        decoder, read = Decoder(self.counts), port_reader(port)
        self._steady = SteadyTimes()
        self.state = State("waiting", port.port)
        asked = last = monotonic()  # times of the last request and of the last line
        received, bad = False, self.counts.bad
        while not self._stopping.is_set():
            arrived, data = read()
            begun, messages = thread_time(), decoder.feed(data)
            for message in messages:
                self._deliver(message, arrived, listener)
            now = monotonic()
            if messages:
                received, last, bad = True, now, self.counts.bad
                self._set_state("reading", port)
            elif now - last > SILENCE_TIME:
                self._set_state("unreadable" if self.counts.bad > bad else "silent", port)
            # Not every board restarts when the port is opened; sketches that send bare numbers have no greeting.
            if self.greeting is None and now - asked > RESET and (not received or decoder.checked):
                asked = now
                _request_greeting(port)
            if (spent := thread_time() - begun) > FLOOD:
                self._stopping.wait(REST * spent)

    def _set_state(self, kind: Kind, port: serial.Serial) -> None:
        """Set the state if its kind has changed."""
        if self.state.kind != kind:
            self.state = State(kind, port.port)

    def _deliver(self, message: Message, arrived: float, listener: Listener) -> None:
        """Deliver a decoded message to the listener."""
        match message:
            case Greeting():
                self.greeting = message
            case Reading(_, time, distance, status):
                listener(sample(time, distance, arrived, status))
            case BareNumber(value):
                listener(sample(self._steady(arrived), value, arrived, "ok", IN_MILLIMETRES[self.unit]))


def port_reader(port: serial.Serial) -> Callable[[], tuple[float, bytes]]:
    """Return a function that reads the port: time of arrival [s of perf_counter] and bytes.

    It returns no bytes after READ_TIMEOUT. After an incomplete line, or soon after the previous read, it waits COLLECT
    for more, so that floods and single bytes do not wake the thread more often.
    """
    last = 0.0

    def read() -> tuple[float, bytes]:
        nonlocal last
        data = _read_first(port)
        arrived = perf_counter()
        if data and (not data.endswith(b"\n") or arrived - last < COLLECT):
            sleep(COLLECT)
            data += _read_more(port)
        last = perf_counter()
        return arrived, data

    return read


if os.name == "nt":

    def _read_first(port: serial.Serial) -> bytes:
        return bytes(port.read(1))

    def _read_more(port: serial.Serial) -> bytes:
        return bytes(port.read(min(PIECE, port.in_waiting)))

else:  # three times as fast as pyserial's own read

    def _read_first(port: serial.Serial) -> bytes:
        """Wait up to READ_TIMEOUT for input; b"" if there is none. Raises OSError if the device has disappeared."""
        if not select([port.fd], [], [], READ_TIMEOUT)[0]:
            return b""
        data = os.read(port.fd, PIECE)
        if not data:
            raise OSError(errno.EIO, "the port is ready, and gives nothing")
        return data

    def _read_more(port: serial.Serial) -> bytes:
        """Input that is available without waiting."""
        try:
            return os.read(port.fd, PIECE)
        except BlockingIOError:
            return b""


class SteadyTimes:
    """Time stamps for measurements without their own: an alpha-beta filter of the arrival times.

    Bytes arrive in bursts, although a sketch measures at regular intervals. (Kalata, IEEE Trans. Aerosp. Electron.
    Syst. 20, 1984)
    """

    ALPHA, BETA = 0.05, 0.00125
    GAP = 0.5  # [s] without a measurement after which the filter restarts
    LEAST = 1e-3  # [s] shortest interval of measurements that is estimated

    def __init__(self) -> None:
        self._last: float | None = None
        self._arrived = 0.0
        self._period: float | None = None

    def __call__(self, arrived: float) -> float:
        """Time [s] of the measurement that arrived at `arrived` [s].

        Results increase strictly. They are ahead of `arrived` by less than an interval, also in a flood of lines that
        arrive at shorter intervals than LEAST.
        """
        last, gap = self._last, arrived - self._arrived
        self._arrived = arrived
        if last is None or gap > self.GAP:
            self._last, self._period = arrived, None
            return arrived
        if self._period is None:
            self._period = max(gap, self.LEAST)
        off = arrived - (last + self._period)
        estimated = max(last + self._period + self.ALPHA * off, last + self.LEAST)
        self._last = max(min(estimated, arrived + self._period), nextafter(last, inf))
        self._period = max(self._period + self.BETA * off, self.LEAST)
        return self._last


def sample(time: float, value: float | None, arrived: float, status: str, scale: float = 1.0) -> Sample:
    """The sample of a decoded line; negative values and FAILED_VALUE become failed measurements.

    `time` and `arrived` are in s, `value` times `scale` in mm.
    """
    if value is not None and 0 <= value < FAILED_VALUE:
        return Sample(time, scale * value, arrived)
    known: dict[str, Status] = {"far": "far", "near": "near"}
    return Sample(time, None, arrived, known.get(status, "fault"))


def _request_greeting(port: serial.Serial) -> None:
    """Request a greeting; a board that accepts no bytes is tolerated."""
    try:
        port.write(ASK)
    except serial.SerialTimeoutException:
        log.debug("%s does not take bytes", port.port)


def _close(port: serial.Serial) -> None:
    """Close the port, even if the device has disappeared."""
    try:
        port.close()
    except OSError:
        log.debug("%s could not be closed", port.port, exc_info=True)


def _state_of_error(path: str, error: Exception, seen: bool) -> State:
    """State for an exception raised by opening a port; `seen` says that the device was connected before."""
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return State("denied", group_of(path))
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK):
        return State("taken", path)
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO):
        return State("unplugged" if seen else "missing", path)
    return State("failed", reason_of(OSError(number, os.strerror(number))) if number else message_of(error))


def group_of(path: str) -> str:
    """User group with access to a device file; "" if there is none or it cannot be determined."""
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
