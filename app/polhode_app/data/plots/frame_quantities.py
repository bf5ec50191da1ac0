"""Quantities of plots that are computed per frame, not per step: momenta, angles, distances of ghosts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from polhode.analysis.columns import columns
from polhode.analysis.followers import has_followers
from polhode.fitting.quantities.angles import angles
from polhode.fitting.quantities.known import quantity_of
from polhode.fitting.quantities.quantity import ObservedQuantity
from polhode.scene.problem import InvalidValue
from polhode.simulation.ghost_runs import distances, ghost_name
from polhode.simulation.snapshot import Snapshot
from polhode_app.messages import FrameData

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene  # imports numba

Reading = Callable[[FrameData], float]
FIRST = ("energy.", "work.", "momentum.", "angular_momentum.", "ghost.", "sensor.")  # at the top of lists


def observed(compiled: CompiledScene) -> dict[str, tuple[str, Reading]]:
    """Unit and reading function of each quantity by its name, for frames of a compiled scene.

    momentum [kg m/s] and angular momentum about the origin [kg m^2/s] of the whole scene, laboratory frame; energy
    error relative to the energy exchanged; angle [rad] of each body on an axle and on a pivot
    (core/polhode/fitting/quantities/angles.py); sensor distance [m]; distance [m] of each ghost, root mean square over
    all mass.
    """
    table: dict[str, tuple[str, Reading]] = {}
    for k, x in enumerate("xyz"):
        table[f"momentum.{x}"] = "kg m/s", lambda frame, k=k: float(frame.snapshot.momentum[k])
        table[f"angular_momentum.{x}"] = "kg m²/s", lambda frame, k=k: float(frame.snapshot.angular_momentum[k])
    table["energy.drift"] = "", lambda frame: frame.drift
    for name, angle in angles(compiled).items():
        table[name] = angle.unit, _reading(compiled, angle)
    if has_followers(compiled.scene):
        table["sensor.distance"] = "m", lambda frame: frame.snapshot.distance
    for number, ghost in enumerate(compiled.scene.ghost):
        name = f"ghost.{ghost_name(compiled.scene, ghost)}.distance"
        table[f"ghost.{number}.distance" if name in table else name] = "m", _distance(compiled, number)
    return table


def reading_of(compiled: CompiledScene, name: str) -> Reading:
    """Reading of a quantity of `observed` or of a column of the table. Raises InvalidValue for an unknown name."""
    table = observed(compiled)
    return table[name][1] if name in table else _reading(compiled, quantity_of(name, compiled))


def plottable(
    compiled: CompiledScene, further: Iterable[str] = ()
) -> tuple[dict[str, str], dict[str, tuple[str, Reading]]]:
    """Units of all quantities of plots, in the order of lists, and unit and reading of those that are read from frames.

    further: names of quantities that data are compared with, such as positions of points
    """
    readings = observed(compiled) | measured(compiled, further)
    units = columns(compiled) | {name: unit for name, (unit, _) in readings.items()}
    del units["time"]
    return {name: units[name] for name in sorted(units, key=lambda name: not name.startswith(FIRST))}, readings


def measured(compiled: CompiledScene, names: Iterable[str]) -> dict[str, tuple[str, Reading]]:
    """Unit and reading function of quantities that data are compared with, by name; those that the scene lacks are left
    out, as are columns of the table.
    """
    table, known = {}, columns(compiled)
    for name in names:
        if name not in known:
            try:
                quantity = quantity_of(name, compiled)
            except InvalidValue:
                continue
            table[name] = quantity.unit, _reading(compiled, quantity)
    return table


def _reading(compiled: CompiledScene, quantity: ObservedQuantity) -> Reading:
    """Reading of a function of columns of the table."""
    index = {name: k for k, name in enumerate(columns(compiled))}
    indices = np.array([index[name] for name in quantity.columns])

    def read(frame: FrameData) -> float:
        numbers = frame.snapshot.numbers
        if indices.max() >= len(numbers):
            return float("nan")  # a scene that is replaced just now
        return float(quantity.law(numbers[None, indices], compiled)[0])

    return read


def _distance(compiled: CompiledScene, number: int) -> Reading:
    """Reading of the distance [m] of a ghost; NaN while the ghost is lost or has other points."""
    masses = np.concatenate([compiled.model.bodies.mass, compiled.model.points.mass])

    def read(frame: FrameData) -> float:
        ghost = frame.ghosts[number] if number < len(frame.ghosts) else None
        if ghost is None or len(ghost.points.position) != len(frame.snapshot.points.position):
            return float("nan")
        squares = _squares(compiled, frame.snapshot, ghost)
        return float(np.sqrt(masses @ squares / masses.sum())) if masses.sum() > 0 else 0.0

    return read


def _squares(compiled: CompiledScene, one: Snapshot, other: Snapshot) -> np.ndarray:
    """(n + p,) [m^2] mean square distances of n bodies and p points in two snapshots."""
    points = ((one.points.position - other.points.position) ** 2).sum(axis=1)
    return np.concatenate([distances(compiled.properties, one.bodies, other.bodies) ** 2, points])
