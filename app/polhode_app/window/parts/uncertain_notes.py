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
    from polhode.uncertainty.result import UncertainValue  # imports the compiler, for which the window does not wait

MOST = 2  # notes on one item


class UncertainNotes(WindowPart):
    """Reads the uncertainties that the plots have asked for."""

    def __init__(self, session: Session, runs: UncertainRuns, changed: Callable[[], None]):
        """changed: called when the notes of `of` are others"""
        self._session, self._runs, self._changed = session, runs, changed
        self._version = runs.version

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
        for name in found.uncertain if found is not None else ():
            period = found.period(name)
            value = found.at_end(name) if period is None else period
            mine = {
                parameter_name(scene, own[0]): share
                for source, share in value.shares.items()
                if (own := [each for each in source.split(", ") if each.startswith((f"{item}.", f"{item}["))])
            }
            if shares := shares_text(mine):
                yield _note(name, value, shares, found.units[name] if period is None else None)


def _note(name: str, value: UncertainValue, shares: str, unit: str | None) -> Message:
    """The note on a value; unit: None for a period [s]."""
    mean, deviation = rounded(value.value, value.sd)
    values = {"name": quantity(name), "mean": mean, "deviation": deviation, "shares": shares}
    if unit is None:
        return Message("{name}: period {mean} ± {deviation} s, of which {shares}", **values)
    return Message("{name}: {mean} ± {deviation} {unit}, of which {shares}", **values, unit=unit)
