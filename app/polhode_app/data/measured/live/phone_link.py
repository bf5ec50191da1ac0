"""Receives the values of a phone with phyphox in a thread, until that is ended. No Qt."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from polhode.data.measured import MeasuredData
from polhode.data.phyphox.remote import PhoneRecord, PhyphoxRemote
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode_app.jobs import CheckCancelled, Job

PAUSE = 0.25  # [s] between two requests for rows
AGAIN = 2.0  # [s] after a request that has failed, so that its message can be read
SLICE = 0.02  # [s] in which orders are looked for
PATIENCE = 0.5  # [s] that closing waits for the thread
MOST_FAILURES = 5  # after each other, before the phone is given up
START, STOP = "start", "stop"


@dataclass(frozen=True, eq=False)
class PhoneState:
    """State of the connection to the phone; each change is another object."""

    title: str = ""  # of its experiment; "" before it has answered
    tables: tuple[str, ...] = ()
    table: str = ""
    is_measuring: bool = False
    record: PhoneRecord | None = None
    data: MeasuredData | None = None
    units: Mapping[str, str] = field(default_factory=dict)  # that the data were made with
    data_problem: InputError | None = None  # why there are no data of the record
    problem: InputError | None = None  # that, or of the last request; later ones may succeed


class _Talk:
    """Data shared by one connection and its thread. Each connection has its own, so a late end does no harm."""

    def __init__(self) -> None:
        self.state = PhoneState()  # replaced by the thread
        self.orders: deque[tuple[str, str]] = deque()  # command and table, for the thread


class PhoneLink:
    """One phone at a time. To be called from one thread; nothing is sent before `connect`."""

    def __init__(self) -> None:
        self._job = Job("phone", Message("receiving from the phone failed"))
        self._talk = _Talk()
        self._is_connected = False
        self.units: Mapping[str, str] = {}  # in place of those in the labels, by column

    @property
    def state(self) -> PhoneState:
        """The last state; it stays when the phone is disconnected."""
        return self._talk.state

    @property
    def is_connected(self) -> bool:
        """Whether requests are sent."""
        return self._is_connected

    def connect(self, address: str) -> None:
        """Begin to receive. Raises InputError for an address that is none."""
        PhyphoxRemote(address)
        talk = _Talk()
        self._talk, self._is_connected = talk, True
        self._job.start(lambda check_cancelled: self._receive(talk, address, check_cancelled))

    def disconnect(self) -> None:
        """End the connection; received data are kept."""
        self._is_connected = False
        self._job.cancel()

    def choose(self, table: str) -> None:
        """Receive another table."""
        self._talk.orders.append(("choose", table))

    def measure(self, on: bool) -> None:
        """Start or pause the measurement of the phone."""
        self._talk.orders.append((START if on else STOP, ""))

    def poll(self) -> None:
        """Take the end of the thread, once per frame."""
        ended = self._job.poll()
        if isinstance(ended, InputError):
            self._talk.state = replace(self.state, problem=ended, is_measuring=False)
        self._is_connected = self._is_connected and self._job.is_running

    def close(self) -> None:
        """End the thread; one that still waits for a connection ends by itself."""
        self._job.close(PATIENCE)

    # In the thread

    def _receive(self, talk: _Talk, address: str, check_cancelled: CheckCancelled) -> None:
        """Ask for rows until the work is cancelled, or the phone has failed MOST_FAILURES times. Raises InputError."""
        phone = PhyphoxRemote(address, check_cancelled)
        config = phone.connect()
        tables = tuple(table.name for table in config.tables)
        state, failures = PhoneState(config.title, tables, tables[0]), 0
        while True:
            try:
                self._obey(talk, phone)
                phone.poll()
                failures, problem = 0, None
            except InputError as error:
                failures, problem = failures + 1, error
                if failures == MOST_FAILURES:
                    raise
            state = replace(self._with_data(state, phone.record), is_measuring=phone.is_measuring)
            state = replace(state, problem=problem or state.problem)
            check_cancelled()
            talk.state = state
            until = time.monotonic() + (PAUSE if problem is None else AGAIN)
            while time.monotonic() < until and not talk.orders:
                check_cancelled.wait(SLICE)

    def _with_data(self, state: PhoneState, record: PhoneRecord) -> PhoneState:
        """The state with a record and its data, which are computed where the record or the units are others."""
        units = dict(self.units)
        if record is state.record and units == state.units:
            return replace(state, problem=state.data_problem)
        state = replace(state, table=record.table.name, record=record, units=units)
        try:
            return replace(state, data=record.data(units), problem=None, data_problem=None)
        except InputError as error:
            return replace(state, data=None, problem=error, data_problem=error)

    def _obey(self, talk: _Talk, phone: PhyphoxRemote) -> None:
        """Carry out orders. Raises InputError."""
        while talk.orders:
            command, table = talk.orders.popleft()
            if command == "choose":
                phone.choose(table)
            elif command == START:
                phone.start()
            else:
                phone.stop()
