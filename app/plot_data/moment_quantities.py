"""Quantities of plots that are computed per frame, not per step: momenta, angles, distances of ghosts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from app.messages import FrameData
from core.analysis.columns import columns
from core.physics.bodies.description import Body
from core.physics.bodies.shapes import unit
from core.scene.formula_vector import at_the_start
from core.simulation.ghost_runs import distances, ghost_name
from core.simulation.snapshot import Snapshot

if TYPE_CHECKING:
    from core.engine.compile import CompiledScene  # imports numba

Reading = Callable[[FrameData], float]
BALANCED = 1e-6  # distance of the centre of mass from a pivot, in radii of gyration, that is a rounding error


def observed(built: CompiledScene) -> dict[str, tuple[str, Reading]]:
    """Unit and reading function of each quantity by its name, for frames of a compiled scene.

    momentum [kg m/s] and angular momentum about the origin [kg m^2/s] of the whole scene, laboratory frame; energy
    error relative to the energy exchanged; angle [rad] of each body on an axle from its orientation in the scene, and
    of each body on a pivot from hanging straight down, -pi to pi; sensor distance [m]; distance [m] of each ghost, root
    mean square over all mass.
    """
    table: dict[str, tuple[str, Reading]] = {}
    for k, x in enumerate("xyz"):
        table[f"momentum.{x}"] = "kg m/s", lambda moment, k=k: float(moment.snapshot.momentum[k])
        table[f"angular_momentum.{x}"] = "kg m²/s", lambda moment, k=k: float(moment.snapshot.angular_momentum[k])
    table["energy.drift"] = "", lambda moment: moment.drift
    for number, body in enumerate(built.scene.bodies):
        if body.support == "axle":
            table[f"{body.name}.angle"] = "rad", _angle(number, body)
        elif body.support == "pivot" and (read := _deflection(built, number, body)) is not None:
            table[f"{body.name}.angle"] = "rad", read
    if built.scene.sensor.drive:
        table["sensor.distance"] = "m", lambda moment: moment.snapshot.distance
    for number, ghost in enumerate(built.scene.ghost):
        name = f"ghost.{ghost_name(built.scene, ghost)}.distance"
        table[f"ghost.{number}.distance" if name in table else name] = "m", _apart(built, number)
    return table


def reading_of(built: CompiledScene, name: str) -> Reading | None:
    """Reading of a quantity of `observed` or of a column of the table, by its name; None if there is none."""
    table = observed(built)
    if name in table:
        return table[name][1]
    names = list(columns(built))
    if name not in names:
        return None
    place = names.index(name)

    def read(moment: FrameData) -> float:
        numbers = moment.snapshot.numbers
        return float(numbers[place]) if place < len(numbers) else float("nan")  # a scene that is replaced just now

    return read


def _angle(number: int, body: Body) -> Reading:
    """Reading of the rotation angle [rad] of a body about its axle."""
    axis, start = np.array(unit(body.axis or (0.0, 0.0, 1.0))), body.orientation.matrix()

    def read(moment: FrameData) -> float:
        turn = moment.snapshot.bodies.basis[number].T @ start.T  # from the stated orientation to the current one
        across = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
        return float(np.arctan2(axis @ across, (np.trace(turn) - 1) / 2))

    return read


def _deflection(built: CompiledScene, number: int, body: Body) -> Reading | None:
    """Reading of the angle [rad] of a body on a pivot: between the line to its centre of mass and gravity, in the plane
    of both at the start, where it is positive. None without gravity or without an arm.
    """
    held = built.properties[number]
    gravity, arm = np.array(at_the_start(built.scene.world.gravity)), held.center
    strength, length = np.linalg.norm(gravity), np.linalg.norm(arm)
    if strength == 0 or held.mass * length**2 <= BALANCED**2 * np.trace(held.inertia):
        return None
    down = gravity / strength
    start = body.orientation.matrix() @ arm
    aside = start - (start @ down) * down
    if np.linalg.norm(aside) < 1e-9 * length:  # it starts straight below or above the pivot: any plane will do
        aside = np.eye(3)[np.abs(down).argmin()]
        aside = aside - (aside @ down) * down
    aside /= np.linalg.norm(aside)

    def read(moment: FrameData) -> float:
        line = arm @ moment.snapshot.bodies.basis[number]
        return float(np.arctan2(line @ aside, line @ down))

    return read


def _apart(built: CompiledScene, number: int) -> Reading:
    """Reading of the distance [m] of a ghost; NaN while the ghost is lost or has other points."""
    masses = np.concatenate([built.model.bodies.mass, built.model.points.mass])

    def read(moment: FrameData) -> float:
        ghost = moment.ghosts[number] if number < len(moment.ghosts) else None
        if ghost is None or len(ghost.points.position) != len(moment.snapshot.points.position):
            return float("nan")
        squares = _squares(built, moment.snapshot, ghost)
        return float(np.sqrt(masses @ squares / masses.sum())) if masses.sum() > 0 else 0.0

    return read


def _squares(built: CompiledScene, one: Snapshot, other: Snapshot) -> np.ndarray:
    """(n + p,) [m^2] mean square distances of n bodies and p points in two snapshots."""
    points = ((one.points.position - other.points.position) ** 2).sum(axis=1)
    return np.concatenate([distances(built.properties, one.bodies, other.bodies) ** 2, points])
