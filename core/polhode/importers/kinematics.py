"""Poses: rotations by quaternions, angles and axes, and their products."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Tables = dict[str, Any]
IDENTITY = np.eye(3)


@dataclass(frozen=True, eq=False)
class RigidTransform:
    """Where a frame is in an outer one: x_outer = turn x + position."""

    turn: np.ndarray  # (3, 3) axes of the frame as columns
    position: np.ndarray  # (3,) [m] its origin

    def __matmul__(self, inner: RigidTransform) -> RigidTransform:
        """The pose of a frame that is given in this one, in the outer one."""
        return RigidTransform(self.turn @ inner.turn, self.at(inner.position))

    def at(self, point: np.ndarray) -> np.ndarray:
        """(3,) a point of this frame in the outer one."""
        return np.asarray(self.turn @ point + self.position)

    def inverse(self) -> RigidTransform:
        """The pose of the outer frame in this one."""
        return RigidTransform(self.turn.T, -self.turn.T @ self.position)

    def tables(self) -> Tables:
        """`position` and `orientation` of a scene; those that are zero are left out."""
        found: Tables = {}
        if np.any(self.position):
            found["position"] = listed(self.position)
        if not np.array_equal(self.turn, IDENTITY):
            found["orientation"] = {"basis": [listed(column) for column in self.turn.T]}
        return found


HERE = RigidTransform(IDENTITY, np.zeros(3))


def listed(vector: np.ndarray) -> list[float]:
    """The components of a vector (n,) as Python's numbers, without signs of zero."""
    return [float(each) + 0.0 for each in vector]


def turned_about(axis: np.ndarray, angle: float) -> np.ndarray:
    """(3, 3) rotation by an angle [rad] about a unit vector (3,), by the right hand (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(IDENTITY + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross))


def of_quaternion(unit: np.ndarray) -> np.ndarray:
    """(3, 3) rotation of a unit quaternion w, x, y, z."""
    w, x, y, z = unit
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def to_quaternion(turn: np.ndarray) -> np.ndarray:
    """(4,) unit quaternion w, x, y, z of a rotation (3, 3), by the eigenvector of its largest component (Shepperd)."""
    m = turn
    sizes = np.array([m.trace(), m[0, 0], m[1, 1], m[2, 2]])
    largest = int(np.argmax(sizes))
    if largest == 0:
        found = np.array([1 + m.trace(), m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    else:
        i, j, k = [(0, 1, 2), (1, 2, 0), (2, 0, 1)][largest - 1]
        found = np.empty(4)
        found[0] = m[k, j] - m[j, k]
        found[1 + i] = 1 + m[i, i] - m[j, j] - m[k, k]
        found[1 + j], found[1 + k] = m[j, i] + m[i, j], m[k, i] + m[i, k]
    return found / np.linalg.norm(found)


def of_euler(angles: np.ndarray, sequence: str) -> np.ndarray:
    """(3, 3) rotation by angles [rad] about axes such as "xyz"; capital letters: of the outer frame."""
    turn = IDENTITY
    for angle, letter in zip(angles, sequence, strict=True):
        step = turned_about(IDENTITY["xyz".index(letter.lower())], angle)
        turn = turn @ step if letter.islower() else step @ turn
    return turn


def of_roll_pitch_yaw(angles: np.ndarray) -> np.ndarray:
    """(3, 3) rotation by roll, pitch and yaw [rad] about the fixed axes x, y, z, in this order (URDF)."""
    return of_euler(angles, "XYZ")


def z_to(direction: np.ndarray) -> np.ndarray:
    """(3, 3) the smallest rotation that brings the z axis to a unit vector (3,)."""
    axis = np.cross(IDENTITY[2], direction)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-14:
        return IDENTITY if direction[2] > 0 else np.diag([1.0, -1.0, -1.0])
    return turned_about(axis / sine, float(np.arctan2(sine, direction[2])))


def steiner(shift: np.ndarray) -> np.ndarray:
    """(3, 3) s^2 1 - s s of a shift (3,): times the mass, its contribution to an inertia tensor (Steiner)."""
    return np.asarray((shift @ shift) * IDENTITY - np.outer(shift, shift))


@dataclass(frozen=True, eq=False)
class MassOf:
    """Stated mass properties in some frame."""

    mass: float  # [kg]
    center: np.ndarray  # (3,) [m] centre of mass
    tensor: np.ndarray  # (3, 3) [kg m^2] about the centre of mass, axes of the frame

    def seen_from(self, pose: RigidTransform) -> MassOf:
        """The same in the outer frame of `pose`."""
        return MassOf(self.mass, pose.at(self.center), pose.turn @ self.tensor @ pose.turn.T)

    def tables(self) -> Tables:
        """The table `inertia` of a body: its tensor is about the origin."""
        tensor = self.tensor + self.mass * steiner(self.center)
        tensor = (tensor + tensor.T) / 2
        return {
            "mass": self.mass,
            "center": listed(self.center),
            "tensor": [listed(row) for row in tensor],
        }
