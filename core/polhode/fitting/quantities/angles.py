"""Angles of bodies on pivots and axles; those of joints are columns of the table.

Angles are from -pi to pi. On an axle: rotation about the axle since the start, right-handed. On a pivot: between
gravity and the line from the pivot to the centre of mass, in the plane of both at the start, where the angle is
positive; if they are parallel at the start, in the plane of gravity and the most horizontal axis of the laboratory.
The deflection of a pendulum on an axle is its angle about the axle from hanging straight down, right-handed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polhode.fitting.quantities.quantity import BASIS, ObservedQuantity
from polhode.physics.bodies.shapes import unit
from polhode.scene.formula_vector import at_the_start

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

DEFLECTION = "deflection"
TURN = 2 * np.pi  # [rad]
BALANCED = 1e-6  # distance of the centre of mass from a pivot, in radii of gyration, that is a rounding error
STRAIGHT = 1e-9  # part of that distance: nearer to the vertical a start defines no plane


def angles(compiled: CompiledScene) -> dict[str, ObservedQuantity]:
    """Angles [rad] by name, of bodies on an axle, or on a pivot with an arm and gravity.

    The plane of an angle on a pivot is that of `compiled`, also in runs with other numbers.
    """
    found = {}
    for number, body in enumerate(compiled.scene.bodies):
        name = f"{body.name}.angle"
        if body.support == "axle":
            if _can_hang(compiled, number):
                found[f"{body.name}.{DEFLECTION}"] = _hanging(compiled, number)
            found[name] = _turn(compiled, number)
        elif body.support == "pivot" and _has_deflection(compiled, number):
            found[name] = _deflection(compiled, number)
    return found


def _quantity_columns(compiled: CompiledScene, number: int) -> tuple[str, ...]:
    return tuple(f"{compiled.scene.bodies[number].name}.{part}" for part in BASIS)


def _turn(compiled: CompiledScene, number: int) -> ObservedQuantity:
    """Angle about an axle since the start."""
    from polhode.physics.bodies import arrays  # noqa: PLC0415  (imports numba)

    at = arrays.BODY_SIZE * number

    def law(values: np.ndarray, ran: CompiledScene) -> np.ndarray:
        start = ran.start[at + arrays.BASIS : at + arrays.ANGULAR_MOMENTUM].reshape(3, 3)
        axis = np.array(unit(ran.scene.bodies[number].axis or (0.0, 0.0, 1.0)))
        turn = np.einsum("nki,kj->nij", values.reshape(-1, 3, 3), start)
        across = np.stack(
            [turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], axis=1
        )
        return np.arctan2(across @ axis / 2, (np.einsum("nii->n", turn) - 1) / 2)

    return ObservedQuantity(
        f"{compiled.scene.bodies[number].name}.angle", "rad", _quantity_columns(compiled, number), law, TURN
    )


def _can_hang(compiled: CompiledScene, number: int) -> bool:
    """Whether gravity turns a body on an axle: its centre of mass is beside the axle, and gravity not along it."""
    held, gravity = compiled.properties[number], np.array(at_the_start(compiled.scene.world.gravity))
    body, strength = compiled.scene.bodies[number], float(np.linalg.norm(gravity))
    axis = np.array(unit(body.axis or (0.0, 0.0, 1.0)))
    arm = body.orientation.matrix() @ held.center
    aside = float(np.linalg.norm(arm - (arm @ axis) * axis))
    is_level = strength > 0 and np.linalg.norm(gravity - (gravity @ axis) * axis) > BALANCED * strength
    return bool(is_level and held.mass * aside**2 > BALANCED**2 * np.trace(held.inertia))


def _hanging(compiled: CompiledScene, number: int) -> ObservedQuantity:
    """Angle about an axle from hanging straight down."""

    def law(values: np.ndarray, ran: CompiledScene) -> np.ndarray:
        axis, gravity = np.array(unit(ran.scene.bodies[number].axis or (0.0, 0.0, 1.0))), ran.scene.world.gravity
        down = np.array(at_the_start(gravity))
        down -= (down @ axis) * axis
        line = np.einsum("i,nij->nj", ran.properties[number].center, values.reshape(-1, 3, 3))
        return np.arctan2(np.cross(down, line) @ axis, line @ down)

    name = f"{compiled.scene.bodies[number].name}.{DEFLECTION}"
    return ObservedQuantity(name, "rad", _quantity_columns(compiled, number), law, TURN)


def hanging_start(name: str, compiled: CompiledScene) -> tuple[str, float] | None:
    """Of the angle `name` of a pendulum on an axle: the name of its deflection, and that at the start [rad].

    The deflection is the angle plus this number. None for other quantities.
    """
    from polhode.physics.bodies import arrays  # noqa: PLC0415  (imports numba)

    body, _, what = name.rpartition(".")
    deflection = angles(compiled).get(f"{body}.{DEFLECTION}") if what == "angle" else None
    if deflection is None:
        return None
    number = [each.name for each in compiled.scene.bodies].index(body)
    at = arrays.BODY_SIZE * number
    start = compiled.start[at + arrays.BASIS : at + arrays.ANGULAR_MOMENTUM].reshape(1, 9)
    return deflection.name, float(deflection.law(start, compiled)[0])


def _has_deflection(compiled: CompiledScene, number: int) -> bool:
    held, gravity = compiled.properties[number], np.array(at_the_start(compiled.scene.world.gravity))
    arm = float(np.linalg.norm(held.center))
    return bool(np.linalg.norm(gravity) > 0 and held.mass * arm**2 > BALANCED**2 * np.trace(held.inertia))


def _deflection(compiled: CompiledScene, number: int) -> ObservedQuantity:
    """Angle on a pivot from hanging straight down."""
    body = compiled.scene.bodies[number]
    start = body.orientation.matrix() @ compiled.properties[number].center

    def law(values: np.ndarray, ran: CompiledScene) -> np.ndarray:
        gravity = np.array(at_the_start(ran.scene.world.gravity))
        down = gravity / np.linalg.norm(gravity)
        aside = start - (start @ down) * down
        if np.linalg.norm(aside) < STRAIGHT * np.linalg.norm(start):  # any plane will do
            aside = np.eye(3)[np.abs(down).argmin()]
            aside = aside - (aside @ down) * down
        aside /= np.linalg.norm(aside)
        line = np.einsum("i,nij->nj", ran.properties[number].center, values.reshape(-1, 3, 3))
        return np.arctan2(line @ aside, line @ down)

    return ObservedQuantity(f"{body.name}.angle", "rad", _quantity_columns(compiled, number), law, TURN)
