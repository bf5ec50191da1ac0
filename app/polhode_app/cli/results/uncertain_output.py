"""Uncertainties in the output of commands: columns NAME.sd of a table, and statements of values with their parts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from polhode.analysis.table.row_times import RowTimes
from polhode.mesh.mesh import Meshes
from polhode.recording.reader import RecordedRun
from polhode.scene.fields import written
from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode.scene.uncertain import uncertain_numbers
from polhode.uncertainty.propagation import Propagation
from polhode.uncertainty.result import Uncertainties
from polhode.uncertainty.sources import sources_of
from polhode.uncertainty.uncertainties import chosen_columns, found_at, is_too_large
from polhode_app.i18n.uncertain_numbers import rounded, shares_text

MOST = 3  # columns of which the uncertainty is stated
COORDINATES = ((".position.", ".angle", ".slide", ".parameter", ".u3."), (".u1.", ".u2."))
"""Parts of the names of those that are preferred, first and second."""
ROUNDING = 1e-9  # of the largest number of its unit: a column that varies by less is constant


class DeviationColumns:
    """Further columns of a table, with standard deviations."""

    def __init__(self, found: Uncertainties):
        self._found, self._made = found, 0
        self._columns = np.stack([found.sd(name) for name in found.uncertain] or [np.zeros(len(found.time))], axis=1)

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns by name."""
        return {f"{name}.sd": self._found.units[name] for name in self._found.uncertain}

    def next_rows(self, count: int) -> np.ndarray:
        """(count, m) numbers of the next rows."""
        self._made += count
        return self._columns[self._made - count : self._made, : len(self._found.uncertain)]

    def statements(self) -> list[Message]:
        """The most uncertain coordinates at the end, and the period of the one that varies most, with their parts."""
        found, names = self._found, _coordinates(self._found)
        said = [_at_end(found, name) for name in sorted(names, key=lambda name: -_relative(found, name))[:MOST]]
        periods = (_period(found, name) for name in sorted(names, key=lambda name: -_variation(found, name)))
        return [*said, *[each for each in periods if each is not None][:1]]


def deviation_columns(
    scene: Scene, table: dict[str, str], times: RowTimes, meshes: Meshes, progress: Callable[[float], None]
) -> DeviationColumns | None:
    """Deviations of all columns of a table at the times of a run from the start; None where memory can't hold them.

    progress: called before each run with the part that is done, may raise to end it. Raises InputError.
    """
    chosen = chosen_columns(table, ())
    if is_too_large(len(times), len(chosen), len(sources_of(scene).each)):
        return None
    work = Propagation(scene, meshes, progress)
    return DeviationColumns(found_at(work, table, times.part(0, len(times)), chosen))


def has_deviations(run: RecordedRun) -> bool:
    """Whether a recording is of a scene with uncertain numbers, and nothing has disturbed it since the start."""
    times = np.array(run.times[: run.rows], dtype=float)
    is_steady = bool((run.sensor_tracks == run.sensor_tracks[0]).all() and (np.diff(times) > 0).all())
    return is_steady and not run.events and times[0] == 0.0 and bool(uncertain_numbers(run.scene))


def deviations_of_recording(
    run: RecordedRun, table: dict[str, str], progress: Callable[[float], None]
) -> DeviationColumns | None:
    """Deviations of all columns of a table at the times of a recording that has them; None where memory is too small.

    progress: called before each run with the part that is done, may raise to end it. Raises InputError.
    """
    times = np.array(run.times[: run.rows], dtype=float)
    chosen = chosen_columns(table, ())
    if is_too_large(len(times), len(chosen), len(sources_of(run.scene).each)):
        return None
    return DeviationColumns(found_at(Propagation(run.scene, progress=progress), table, times, chosen))


def uncertain_data(scene: Scene) -> list[dict[str, object]]:
    """The uncertain numbers of a scene by key, for JSON. Raises InputError for a letter of two distributions."""
    if not (found := uncertain_numbers(scene)):
        return []
    sources_of(scene)
    return [
        {
            "path": written(path),
            "mean": float(number),
            "deviation": number.deviation,
            "distribution": number.distribution,
            "letter": number.letter,
        }
        for path, number in found
    ]


def uncertain_text(scene: Scene) -> str:
    """The uncertain numbers of a scene in one line."""
    return "uncertain: " + ", ".join(f"{written(path)} = {number.text}" for path, number in uncertain_numbers(scene))


def _coordinates(found: Uncertainties) -> list[str]:
    names = [name for name in found.uncertain if not name.startswith(("energy.", "work."))]
    moving = [name for name in names if _variation(found, name) > ROUNDING] or names
    preferred = ([name for name in moving if any(part in name for part in parts)] for parts in COORDINATES)
    return next((each for each in preferred if each), moving)


def _variation(found: Uncertainties, name: str) -> float:
    """The range of a column's values in parts of the largest number of the columns with its unit."""
    same = [k for k, other in enumerate(found.names) if found.units[other] == found.units[name]]
    largest = float(np.nan_to_num(np.abs(found.values[:, same])).max())
    extent = float(np.ptp(found.values[:, found.names.index(name)]))
    return extent / largest if largest > 0 and np.isfinite(extent) else 0.0


def _relative(found: Uncertainties, name: str) -> float:
    """The last deviation of a column in parts of the range of its values."""
    extent = float(np.ptp(found.values[:, found.names.index(name)]))
    return found.at_end(name).sd / extent if extent > 0 and np.isfinite(extent) else 0.0


def _at_end(found: Uncertainties, name: str) -> Message:
    value = found.at_end(name)
    number, deviation = rounded(value.value, value.sd)
    return Message(
        "{name} at {time:g} s: {value} +- {deviation} ({shares})",
        name=name,
        time=float(found.time[-1]),
        value=number,
        deviation=f"{deviation} {found.units[name]}".rstrip(),
        shares=shares_text(value.shares),
    )


def _period(found: Uncertainties, name: str) -> Message | None:
    value = found.period(name)
    if value is None:
        return None
    number, deviation = rounded(value.value, value.sd)
    return Message(
        "period of {name}: {value} +- {deviation} s ({shares})",
        name=name,
        value=number,
        deviation=deviation,
        shares=shares_text(value.shares),
    )
