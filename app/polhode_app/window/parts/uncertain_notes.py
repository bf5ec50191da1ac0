"""Notes on an item of the inspector: what its uncertain numbers contribute to the plotted quantities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from polhode.scene.fields import FieldPath, written
from polhode.scene.message import Message
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.i18n.uncertain_numbers import rounded, shares_text
from polhode_app.messages import FrameData
from polhode_app.session.session import Session
from polhode_app.window.parts.uncertain_runs import UncertainRuns
from polhode_app.window.parts.window_part import WindowPart

if TYPE_CHECKING:
    from polhode.uncertainty.result import (
        Uncertainties,
        UncertainValue,
    )  # imports the compiler, for which the window does not wait

MOST = 2  # notes on one item


class UncertainNotes(WindowPart):
    """Reads the uncertainties that the plots have asked for."""

    def __init__(self, session: Session, runs: UncertainRuns, changed: Callable[[], None]):
        """changed: called when the notes of `of` are others"""
        self._session, self._runs, self._changed = session, runs, changed
        self._version = runs.version
        self._found: Uncertainties | None = None  # the one that the periods are of
        self._periods: dict[str, UncertainValue | None] = {}  # by column

    def of(self, path: FieldPath) -> list[Message]:
        """Notes on the item at a path."""
        return [*self._notes(written(path))][:MOST] if path else []

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Tell the inspector of other uncertainties."""
        if self._runs.version != self._version:
            self._version = self._runs.version
            self._changed()
        return False

    def _notes(self, item: str) -> Iterator[Message]:
        """The parts of the numbers of an item, for each plotted quantity."""
        found, scene = self._runs.found, self._session.scene
        if found is None or not any(_is_of(item, each) for source in found.sources for each in source.names):
            return
        for name in found.uncertain:
            period = self._period(found, name)
            value = found.at_end(name) if period is None else period
            mine = {
                parameter_name(scene, own[0]): share
                for source, share in value.shares.items()
                if (own := [each for each in source.split(", ") if _is_of(item, each)])
            }
            if shares := shares_text(mine):
                yield _note(name, value, shares, found.units[name] if period is None else None)

    def _period(self, found: Uncertainties, name: str) -> UncertainValue | None:
        """The period of a column, computed once: it takes splines of the column and its tangents."""
        if found is not self._found:
            self._found, self._periods = found, {}
        if name not in self._periods:
            self._periods[name] = found.period(name)
        return self._periods[name]


def _is_of(item: str, path: str) -> bool:
    """Whether the path of a number is within an item."""
    return path.startswith((f"{item}.", f"{item}["))


def _note(name: str, value: UncertainValue, shares: str, unit: str | None) -> Message:
    """The note on a value; unit: None for a period [s]."""
    mean, deviation = rounded(value.value, value.sd)
    values = {"name": quantity(name), "mean": mean, "deviation": deviation, "shares": shares}
    if unit is None:
        return Message("{name}: period {mean} ± {deviation} s, of which {shares}", **values)
    return Message("{name}: {mean} ± {deviation} {unit}, of which {shares}", **values, unit=unit)
