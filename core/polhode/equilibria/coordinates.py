"""Coordinates of a potential landscape, by name.

    NAME.tilt.x        rotation vector of a body on a pivot, or a free one [rad]
    NAME.angle         angle of a body about its axle [rad]
    NAME.position.x    of a free body's origin, or of a particle [m]
    NAME.q             of a bead, in the unit of its path

Two tilts of one body are the components of the rotation vector S of Q = S T, its orientation, where T turns about the
third axis: swing and twist. Tilts 0, 0 of a body whose z axis is vertical leave it so, whatever its spin. A single
tilt, and an angle, is the twist of Q about its own axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.equilibria.pose import Pose
from polhode.equilibria.rotations import matrices, vectors
from polhode.equilibria.system import positions_of, size_of
from polhode.physics.bodies.arrays import BASIS, BODY_SIZE, POSITION
from polhode.physics.bodies.shapes import unit
from polhode.physics.paths.path_kernels import to_internal_parameter

LETTERS = "xyz"
TURN = 1.2 * pi  # [rad] usual range of an angle: more than a turn, so that its ends are shown twice
AROUND = 1.0  # sizes of the scene beyond its parts that positions reach


@dataclass(frozen=True, eq=False)
class Coordinate:
    """A coordinate of one item."""

    name: str
    kind: str  # "tilt", "angle", "position", "point" or "q"
    item: int  # index of the body, bead or point
    axis: np.ndarray  # (3,) unit vector, laboratory frame; of "q": 0
    unit: str
    low: float  # usual range
    high: float

    @property
    def is_turn(self) -> bool:
        """Whether it is an angle of a body."""
        return self.kind in ("tilt", "angle")


def coordinates_of(compiled: CompiledScene) -> tuple[Coordinate, ...]:
    """All coordinates of a scene, in the order of its items."""
    found = []
    positions, size = positions_of(compiled), size_of(compiled)
    positions = positions if len(positions) else np.zeros((1, 3))
    low, high = positions.min(axis=0) - AROUND * size, positions.max(axis=0) + AROUND * size
    for b, body in enumerate(compiled.scene.bodies[: compiled.model.bodies.first_bead]):
        if body.support == "axle" and body.axis is not None:
            found.append(Coordinate(f"{body.name}.angle", "angle", b, unit(body.axis), "rad", -TURN, TURN))
        if body.support in ("pivot", "free") and compiled.model.bodies.inverse_moments[b].any():
            found += _three(f"{body.name}.tilt", "tilt", b, "rad", np.full(3, -pi), np.full(3, pi))
        if body.support == "free":
            found += _three(f"{body.name}.position", "position", b, "m", low, high)
    for i, bead in enumerate(compiled.scene.bead):
        ends = bead.path.ends()
        found.append(Coordinate(f"{bead.name}.q", "q", i, np.zeros(3), bead.path.parameter_unit, *ends))
    for particle in compiled.scene.particle:
        if not particle.fixed:
            found += _three(f"{particle.name}.position", "point", compiled.points[particle.name].start, "m", low, high)
    return tuple(found)


def _three(name: str, kind: str, item: int, of_values: str, low: np.ndarray, high: np.ndarray) -> list[Coordinate]:
    """The x, y and z of something."""
    return [
        Coordinate(f"{name}.{letter}", kind, item, np.eye(3)[k], of_values, float(low[k]), float(high[k]))
        for k, letter in enumerate(LETTERS)
    ]


def periods(axes: tuple[Coordinate, ...]) -> tuple[float, ...]:
    """Period of each of one or two coordinates; 0 of those that have none."""
    return tuple(2 * pi if axis.is_turn and _twisted(axes) is None else 0.0 for axis in axes)


def values_in(axes: tuple[Coordinate, ...], pose: Pose) -> tuple[float, ...]:
    """Values of one or two coordinates in a pose."""
    if (third := _twisted(axes)) is not None:
        turn = pose.basis[axes[0].item].T
        swing = vectors((turn @ _about(third, -_twist(turn, third)))[None])[0]
        return tuple(float(swing @ axis.axis) for axis in axes)
    return tuple(_value(axis, pose) for axis in axes)


def states_at(
    compiled: CompiledScene, axes: tuple[Coordinate, ...], base: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """(m, k) states like `base` (k,) but for the coordinates, which have `values` (m, len(axes))."""
    states = np.tile(base, (len(values), 1))
    third = _twisted(axes)
    if third is not None:
        b = axes[0].item
        turn = _basis(base, b).T
        swing = matrices(values @ np.array([axis.axis for axis in axes]))
        _write(compiled, states, b, swing @ _about(third, _twist(turn, third)))
        return states
    for axis, numbers in zip(axes, values.T, strict=True):
        _set(compiled, axis, states, numbers)
    return states


def _set(compiled: CompiledScene, axis: Coordinate, states: np.ndarray, numbers: np.ndarray) -> None:
    """Write values (m,) of one coordinate into `states` (m, k)."""
    model = compiled.model
    if axis.is_turn:
        turn = _basis(states[0], axis.item).T
        angles = numbers - _twist(turn, axis.axis)
        _write(compiled, states, axis.item, matrices(angles[:, None] * axis.axis) @ turn)
    elif axis.kind == "position":
        at, letter = BODY_SIZE * axis.item + POSITION, int(np.argmax(axis.axis))
        basis = states[:, BODY_SIZE * axis.item + BASIS :][:, :9].reshape(-1, 3, 3)
        states[:, at + letter] = numbers - (model.bodies.origin[axis.item] @ basis)[:, letter]
    elif axis.kind == "q":
        inner = [to_internal_parameter(model.beads.paths, axis.item, q) for q in numbers.tolist()]
        states[:, model.beads.at + axis.item] = inner
    else:
        states[:, model.points.at + int(np.argmax(axis.axis)) * len(model.points.mass) + axis.item] = numbers


def _write(compiled: CompiledScene, states: np.ndarray, b: int, turns: np.ndarray) -> None:
    """Turn body b of `states` (m, k) to the orientations (m, 3, 3) about its origin."""
    at = BODY_SIZE * b
    origin, before = compiled.model.bodies.origin[b], _basis(states[0], b)
    bases = np.swapaxes(turns, 1, 2)
    states[:, at + POSITION : at + POSITION + 3] += origin @ before - origin @ bases
    states[:, at + BASIS : at + BASIS + 9] = bases.reshape(-1, 9)


def _value(axis: Coordinate, pose: Pose) -> float:
    """The value of a coordinate that does not depend on another one."""
    if axis.is_turn:
        return _twist(pose.basis[axis.item].T, axis.axis)
    if axis.kind == "q":
        return float(pose.parameter[axis.item])
    position = pose.position[axis.item] if axis.kind == "position" else pose.points[axis.item]
    return float(position @ axis.axis)


def _twisted(axes: tuple[Coordinate, ...]) -> np.ndarray | None:
    """(3,) axis of the twist of two tilts of one body; None for other coordinates."""
    if len(axes) == 2 and all(axis.kind == "tilt" for axis in axes) and axes[0].item == axes[1].item:
        return np.cross(axes[0].axis, axes[1].axis)
    return None


def _twist(turn: np.ndarray, axis: np.ndarray) -> float:
    """[rad] angle, from -pi to pi, of the part of a rotation (3, 3) that turns about `axis` (3,)."""
    vector = vectors(turn[None])[0]
    angle = float(np.linalg.norm(vector))
    part = float(vector @ axis) / angle if angle else 0.0
    return float(2 * np.arctan2(part * np.sin(angle / 2), np.cos(angle / 2)))


def _about(axis: np.ndarray, angle: float) -> np.ndarray:
    """(3, 3) rotation by `angle` [rad] about `axis` (3,)."""
    return np.asarray(matrices(angle * axis))


def _basis(state: np.ndarray, b: int) -> np.ndarray:
    """(3, 3) rows u1, u2, u3 of body b."""
    at = BODY_SIZE * b + BASIS
    return state[at : at + 9].reshape(3, 3)
