"""A phone that runs phyphox, and the rows that were received from it."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from io import StringIO
from math import isnan
from urllib.parse import quote

import numpy as np

from core.data.measured import MeasuredData
from core.data.phyphox.answers import PhoneConfig, PhoneTable, PhoneValues, config_of, result_of, values_of
from core.data.phyphox.http_get import address_of, get_json
from core.data.reading import data_of_raw
from core.data.text_table import RawTable
from core.scene.message import Message
from core.scene.problem import InputError, Problem

MOST_NUMBERS = 1_000_000  # kept of a measurement: 8 MB
LEAST_ROWS = 2  # of measured data
IS_NEW = Message("the phone has begun a new measurement; these rows are of that one")
NO_TIMES = Message("rows without a time, or whose time goes back, are left out")


@dataclass(frozen=True, eq=False)
class PhoneRecord:
    """The rows of one table that were received so far. It is never changed: more rows make another one."""

    source: str  # address and table, for messages
    table: PhoneTable
    rows: np.ndarray  # (n, columns) in the units of the labels; nan where the phone had no number
    every: int = 1  # each how many-eth row was kept
    seen: int = 0  # rows that were received
    last: float | None = None  # the newest time that was received, in the unit of its label
    notes: tuple[Message, ...] = ()
    has_gap: bool = False  # whether a note tells of rows that were lost

    def data(self, units: Mapping[str, str] | None = None) -> MeasuredData | None:
        """Measured data, as from a file with these labels as headings; None as long as there are too few rows.

        units: units of columns by name, in place of those in the labels. Raises InputError.
        """
        if len(self.rows) < LEAST_ROWS:
            return None
        lines = np.arange(1, len(self.rows) + 1)
        raw = RawTable(self.table.labels, self.rows, lines, frozenset(), self.every)
        data = data_of_raw(self.source, raw, {}, dict(units or {}))
        return replace(data, notes=(*self.notes, *data.notes))

    def text(self) -> str:
        """The rows as CSV that `read_data` reads, as they came from the phone; empty cells where it had no number."""
        table = csv.writer(text := StringIO(), lineterminator="\n")
        table.writerow(self.table.labels)
        table.writerows([["" if isnan(value) else value for value in row] for row in self.rows.tolist()])
        return text.getvalue()

    def with_gap(self, room: int) -> PhoneRecord:
        """The record with a note that rows may be missing after its newest one, unless there was a gap before.

        room: rows that the phone keeps
        """
        if self.has_gap:
            return self
        rule = Message(
            "rows may be missing after row {row}: the phone keeps only the newest {room}, and all of them were new",
            row=self.seen,
            room=room,
        )
        return replace(self, notes=(*self.notes, rule), has_gap=True)

    def with_rows(self, rows: np.ndarray, most: int = MOST_NUMBERS) -> PhoneRecord:
        """The record and those of further rows (n, columns) that are newer; beyond `most` numbers it is thinned out."""
        times = rows[:, self.table.time]
        if self.last is not None:
            is_known = times <= self.last
            rows, times = rows[~is_known], times[~is_known]
        before = np.maximum.accumulate(np.concatenate(([-np.inf], np.where(np.isnan(times), -np.inf, times))))[:-1]
        is_later = times > before
        notes = self.notes
        if not is_later.all() and NO_TIMES not in notes:
            notes = (*notes, NO_TIMES)
        rows = rows[is_later]
        if not len(rows):
            return self if notes == self.notes else replace(self, notes=notes)
        last = float(rows[-1, self.table.time])
        kept, every = np.concatenate((self.rows, rows[(-self.seen) % self.every :: self.every])), self.every
        while kept.size > most:
            kept, every = kept[::2], every * 2
        return replace(self, rows=kept, every=every, seen=self.seen + len(rows), last=last, notes=notes)


class PhyphoxRemote:
    """Asks a phone for the values of one table. Every method but `choose` waits for the phone, a few seconds at most.

        phone = PhyphoxRemote("192.168.0.42:8080")
        print(phone.connect().title)
        phone.start()
        phone.poll()
        data = phone.record.data()

    All raise InputError, with the address, where the phone does not answer, or not as phyphox does; what was received
    before stays.
    """

    def __init__(self, address: str, breathe: Callable[[], None] = lambda: None):
        """Nothing is sent yet. Raises InputError for an address that is none.

        breathe: called often while the phone is waited for; may raise to end that
        """
        self.address, self._breathe = address_of(address), breathe
        self.config: PhoneConfig | None = None
        self.is_measuring = False  # as the phone said last
        self._record: PhoneRecord | None = None
        self._session: str | None = None

    @property
    def record(self) -> PhoneRecord:
        """What was received. Only after `connect`."""
        if self._record is None:
            raise RuntimeError("the phone is not connected")
        return self._record

    def connect(self) -> PhoneConfig:
        """Ask for the experiment; its first table is chosen."""
        self.config = config_of(str(self.address), get_json(self.address, "/config", self._breathe))
        self.choose(self.config.tables[0].name)
        return self.config

    def choose(self, table: str) -> None:
        """Receive another table, from its beginning. Raises InputError where there is none of that name."""
        tables = {each.name: each for each in self.config.tables} if self.config is not None else {}
        if table not in tables:
            rule = Message("has no table '{name}'", name=table)
            remedy = Message("name one of {names}", names=", ".join(list(tables)[:20]))
            raise InputError(str(self.address), [Problem(str(self.address), rule, remedy)])
        self._record = self._empty(tables[table])

    def poll(self) -> PhoneRecord:
        """Ask for rows that are newer than those before; another measurement is received from its beginning."""
        record = self.record
        values = self._values(record.last)
        has_changed = self._session is not None and values.session != self._session
        if record.last is not None and (has_changed or self._is_behind(values, record)):
            values = self._values(None)
            record = self._empty(record.table, (IS_NEW,))
        if record.last is not None and 0 < values.room <= len(values.rows):
            record = record.with_gap(values.room)
        self._session, self.is_measuring = values.session, values.is_measuring
        self._record = record.with_rows(values.rows)
        return self._record

    def start(self) -> None:
        """Start the measurement of the phone."""
        self._control("start")

    def stop(self) -> None:
        """Pause the measurement of the phone."""
        self._control("stop")

    def _empty(self, table: PhoneTable, notes: tuple[Message, ...] = ()) -> PhoneRecord:
        """A record without rows."""
        return PhoneRecord(f"{self.address} {table.name}", table, np.empty((0, len(table.labels))), notes=notes)

    def _values(self, last: float | None) -> PhoneValues:
        """The values of the table whose time is after `last`; all for None."""
        table = self.record.table
        clock = quote(table.buffers[table.time], safe="")
        asked = []
        for buffer in dict.fromkeys(table.buffers):
            name = quote(buffer, safe="")
            if last is None:
                asked.append(f"{name}=full")
            else:
                asked.append(f"{name}={last!r}" if name == clock else f"{name}={last!r}%7C{clock}")
        told = get_json(self.address, f"/get?{'&'.join(asked)}", self._breathe)
        return values_of(str(self.address), told, table.buffers)

    def _is_behind(self, values: PhoneValues, record: PhoneRecord) -> bool:
        """Whether the newest time on the phone is before those received: its measurement was cleared since."""
        last = record.last
        if last is None or (values.rows[:, record.table.time] > last).any():
            return False
        clock = record.table.buffers[record.table.time]
        told = get_json(self.address, f"/get?{quote(clock, safe='')}", self._breathe)
        newest = values_of(str(self.address), told, [clock]).rows
        return bool((newest < last).any())

    def _control(self, command: str) -> None:
        if not result_of(str(self.address), get_json(self.address, f"/control?cmd={command}", self._breathe)):
            rule = Message("the phone has refused '{command}'", command=command)
            raise InputError(str(self.address), [Problem(str(self.address), rule, Message("use its own buttons"))])
