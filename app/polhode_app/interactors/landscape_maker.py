"""Potential landscapes with marks and contour lines, computed in a background thread from coarse to fine. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyvista as pv

from polhode.equilibria.equilibria import Equilibria
from polhode.equilibria.landscape import Landscape, Potential
from polhode.equilibria.pose import pose_of_state
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.units import units_of_equilibria
from polhode_app.compilation.missing_units import compile_missing
from polhode_app.jobs import CheckCancelled, Job

SIZES = (33, 97, 241)  # values of each coordinate, pass by pass
CURVE_SIZES = (101, 1001)  # of a single coordinate
LINES = 14  # contour lines
STEEP = 12.0  # a highest energy more than this times the upper decile above the lowest is cut off there
AROUND = 0.8  # widths of the box about the equilibria, on each side of it
NARROWEST = 0.1  # of the usual range
BESIDE = 1e-3  # of the range of energies: an equilibrium that differs by more is beside the landscape


@dataclass(frozen=True)
class Wanted:
    """Request for a landscape."""

    scene: Scene
    axes: tuple[str, ...]
    ranges: tuple[tuple[float, float], ...] | None = None  # [SI]; None: around the equilibria, or the usual ones
    whole: bool = False  # the usual ones


@dataclass(frozen=True)
class Mark:
    """An equilibrium on a landscape."""

    number: int  # in the list, from 0
    values: tuple[float, ...]  # of the coordinates
    energy: float  # [J]
    stability: str
    unstable_directions: int
    beside: bool  # other coordinates differ from those of the landscape


@dataclass(frozen=True, eq=False)
class DrawnLandscape:
    """A landscape with marks and contour lines."""

    wanted: Wanted
    landscape: Landscape
    lowest: float  # [J] of the colours
    highest: float
    lines: np.ndarray  # (2 s, 2) ends of the segments of contour lines
    marks: tuple[Mark, ...]


class LandscapeMaker:
    """Call `order`, then `poll` once per frame. All methods are to be called from one thread."""

    def __init__(self) -> None:
        self._job = Job("landscape", rest=1.0)
        self._potential: Potential | None = None  # of the job's thread
        self._scene: tuple[Scene, tuple[str, ...]] | None = None
        self._wanted: Wanted | None = None
        self._found: Equilibria | None = None
        self._level = 0

    def order(self, wanted: Wanted, found: Equilibria | None) -> None:
        """Compute a landscape, with marks of the equilibria that were found; an earlier order is dropped."""
        self._wanted, self._found, self._level = wanted, found, 0
        self._next()

    def poll(self) -> DrawnLandscape | InputError | None:
        """The newest pass, once; the next one is then computed."""
        result = self._job.poll("landscape")
        if result is None or self._wanted is None:
            return None
        if isinstance(result, InputError):
            return result
        wanted, drawn = result
        if wanted is not self._wanted:
            return None
        self._level += 1
        if isinstance(drawn, DrawnLandscape) and self._level < len(_sizes(wanted)):
            self._next()
        return drawn  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the thread."""
        self._job.close()

    def _next(self) -> None:
        wanted, found = self._wanted, self._found
        assert wanted is not None
        size = _sizes(wanted)[self._level]
        self._job.add(lambda check: (wanted, self._make(wanted, found, size, check)), "landscape")

    def _make(
        self, wanted: Wanted, found: Equilibria | None, size: int, check_cancelled: CheckCancelled
    ) -> DrawnLandscape | InputError:
        """Compute a pass. Runs in the job's thread."""
        compile_missing(units_of_equilibria(), check_cancelled)
        try:
            if self._potential is None or self._scene != (wanted.scene, wanted.axes):
                self._potential = Potential(wanted.scene, wanted.axes)
                self._scene = wanted.scene, wanted.axes
        except InputError as error:
            return error
        axes = self._potential.axes
        ranges = wanted.ranges or usual_ranges(self._potential, None if wanted.whole else found)
        landscape = self._potential.grid(*(np.linspace(low, high, size) for low, high in ranges))
        low, high = shown_range(landscape.energy)
        lines = contour_lines(landscape, low, high) if len(axes) == 2 else np.zeros((0, 2))
        return DrawnLandscape(wanted, landscape, low, high, lines, marks_on(self._potential, found, high - low))


def _sizes(wanted: Wanted) -> tuple[int, ...]:
    return SIZES if len(wanted.axes) == 2 else CURVE_SIZES


def usual_ranges(potential: Potential, found: Equilibria | None) -> tuple[tuple[float, float], ...]:
    """The part of a landscape that is seen first: around the minima and the saddles between them, or all of it."""
    whole = tuple((axis.low, axis.high) for axis in potential.axes)
    near = [mark.values for mark in marks_on(potential, found, np.inf) if mark.unstable_directions < 2]
    if len(near) < 2:
        return whole
    ranges = []
    for (low, high), values in zip(whole, np.array(near).T, strict=True):
        width = max(float(np.ptp(values)) * (1 + 2 * AROUND), NARROWEST * (high - low))
        middle = float(values.min() + values.max()) / 2
        ranges.append((max(low, middle - width / 2), min(high, middle + width / 2)))
    return tuple(ranges)


def shown_range(energy: np.ndarray) -> tuple[float, float]:
    """[J] lowest and highest energy of the colours of `energy` (a,) or (a, b); peaks, as of dipoles that touch, are cut
    off.
    """
    finite = energy[np.isfinite(energy)]
    if not len(finite):
        return 0.0, 1.0
    low, decile, high = np.percentile(finite, [0, 90, 100]).tolist()
    decile_low = float(np.percentile(finite, 2))
    span = decile - decile_low
    if span > 0:
        low = max(low, decile_low - STEEP * span)
        high = min(high, decile + STEEP * span)
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def contour_lines(landscape: Landscape, low: float, high: float) -> np.ndarray:
    """(2 s, 2) ends of segments of LINES contour lines between two energies, in coordinates of the landscape.

    The differences of energy grow in proportion, so that lines about a minimum are at equal distances.
    """
    x, y = landscape.values
    energy = np.nan_to_num(landscape.energy, nan=high)
    grid = pv.ImageData(dimensions=(len(x), len(y), 1), spacing=(x[1] - x[0], y[1] - y[0], 1.0))
    grid.origin = (x[0], y[0], 0.0)
    grid.point_data["energy"] = energy.ravel(order="F")
    levels = low + (high - low) * (np.arange(1, LINES + 1) / (LINES + 1)) ** 2
    drawn = grid.contour(levels, scalars="energy")
    if not drawn.n_cells:
        return np.zeros((0, 2))
    ends = drawn.lines.reshape(-1, 3)[:, 1:].ravel()
    return np.asarray(drawn.points[ends, :2], dtype=float)


def marks_on(potential: Potential, found: Equilibria | None, span: float) -> tuple[Mark, ...]:
    """Marks of the equilibria; `span` [J] is the range of energies of the landscape."""
    if found is None:
        return ()
    marks = []
    for number, each in enumerate(found.equilibria):
        pose = pose_of_state(found.compiled, each.state)
        values = potential.place(pose)
        beside = potential.hides(pose, each.energy, BESIDE * span)
        marks.append(Mark(number, values, each.energy, each.stability, each.motion.unstable_directions, beside))
    return tuple(marks)
