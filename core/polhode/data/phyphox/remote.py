"""A phone that runs phyphox, and the rows that were received from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import quote

import numpy as np

from polhode.data.growing_table import GrowingTable
from polhode.data.phyphox.answers import PhoneConfig, PhoneTable, PhoneValues, config_of, result_of, values_of
from polhode.data.phyphox.http_get import address_of, get_json
from polhode.scene.message import Message
from polhode.scene.problem import InputError

IS_NEW = Message("the phone has begun a new measurement; these rows are of that one")


@dataclass(frozen=True, eq=False)
class PhoneRecord(GrowingTable):
    """The rows of one table that were received so far, in the units of its labels; `source` is address and table."""

    table: PhoneTable
    has_gap: bool = False  # whether there is a note on lost rows

    def with_gap(self, size: int) -> PhoneRecord:
        """The record with a note on possible missing rows, unless there is one; `size` rows stay on the phone."""
        if self.has_gap:
            return self
        rule = Message(
            "rows may be missing after row {row}: the phone keeps only the newest {room}, and all of them were new",
            row=self.seen,
            room=size,
        )
        return replace(self, notes=(*self.notes, rule), has_gap=True)


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

    def __init__(self, address: str, check_cancelled: Callable[[], None] = lambda: None):
        """Nothing is sent yet. Raises InputError for an invalid address.

        check_cancelled: called while waiting, may raise
        """
        self.address, self._check_cancelled = address_of(address), check_cancelled
        self.config: PhoneConfig | None = None
        self.is_measuring = False  # as the phone said last
        self._record: PhoneRecord | None = None
        self._session: str | None = None

    @property
    def record(self) -> PhoneRecord:
        """The received rows. Only after `connect`."""
        if self._record is None:
            raise RuntimeError("the phone is not connected")
        return self._record

    def connect(self) -> PhoneConfig:
        """Ask for the experiment; its first table is chosen."""
        self.config = config_of(str(self.address), get_json(self.address, "/config", self._check_cancelled))
        self.choose(self.config.tables[0].name)
        return self.config

    def choose(self, table: str) -> None:
        """Receive another table, from its beginning. Raises InputError for an unknown name."""
        tables = {each.name: each for each in self.config.tables} if self.config is not None else {}
        if table not in tables:
            rule = Message("has no table '{name}'", name=table)
            remedy = Message("name one of {names}", names=", ".join(list(tables)[:20]))
            raise InputError.of(str(self.address), rule, remedy, str(self.address))
        self._record = self._empty(tables[table])

    def poll(self) -> PhoneRecord:
        """Ask for rows that are newer than those before; another measurement is received from its beginning."""
        record = self.record
        values = self._values(record.last)
        has_changed = self._session is not None and values.session != self._session
        if record.last is not None and (has_changed or self._is_behind(values, record)):
            values = self._values(None)
            record = self._empty(record.table, (IS_NEW,))
        if record.last is not None and 0 < values.buffer_size <= len(values.rows):
            record = record.with_gap(values.buffer_size)
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
        answer = get_json(self.address, f"/get?{'&'.join(asked)}", self._check_cancelled)
        return values_of(str(self.address), answer, table.buffers)

    def _is_behind(self, values: PhoneValues, record: PhoneRecord) -> bool:
        """Whether the newest time on the phone is before those received: its measurement was cleared since."""
        last = record.last
        if last is None or (values.rows[:, record.table.time] > last).any():
            return False
        clock = record.table.buffers[record.table.time]
        answer = get_json(self.address, f"/get?{quote(clock, safe='')}", self._check_cancelled)
        newest = values_of(str(self.address), answer, [clock]).rows
        return bool((newest < last).any())

    def _control(self, command: str) -> None:
        if not result_of(str(self.address), get_json(self.address, f"/control?cmd={command}", self._check_cancelled)):
            rule = Message("the phone has refused '{command}'", command=command)
            raise InputError.of(str(self.address), rule, Message("use its own buttons"), str(self.address))
