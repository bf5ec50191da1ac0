"""The arrays that kernels use: Model (constant), State (flat vector), Inputs (the outside world), Work (scratch).

A body's reference point is where its motion is counted from: the support of a body on a pivot. Body-frame components
are along u1, u2, u3; everything else is in the laboratory frame. SI units.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.kernel import kernel
from core.vec import Triple

PIVOT, FIXED = 0, 1
SUPPORTS = {"pivot": PIVOT, "fixed": FIXED}

# One body in the state: position, momentum, basis vectors u1 u2 u3, angular momentum about the reference point.
POSITION, MOMENTUM, BASIS, ANGULAR_MOMENTUM, BODY_SIZE = 0, 3, 6, 15, 18


class Bodies(NamedTuple):
    support: np.ndarray  # (n,) int64, one of SUPPORTS
    mass: np.ndarray  # (n,) [kg]
    center: np.ndarray  # (n, 3) [m] reference point to centre of mass, body frame
    inertia: np.ndarray  # (n, 3, 3) [kg m^2] about the reference point, body frame
    inverse_inertia: np.ndarray  # (n, 3, 3) [1/(kg m^2)] pseudo-inverse where the tensor is singular
    turnable: np.ndarray  # (n, 3, 3) projector, body frame, onto the directions that have inertia
    singular: np.ndarray  # (n,) bool: some direction has none (a rod about its own axis)
    friction: np.ndarray  # (n,) [N m s]


class Dipoles(NamedTuple):
    """Dipoles stand in the order of their bodies: those of body b are first[b] ... first[b + 1] - 1."""

    first: np.ndarray  # (n + 1,) int64
    position: np.ndarray  # (m, 3) [m] from the reference point, body frame
    moment: np.ndarray  # (m, 3) [A m^2] body frame


class Model(NamedTuple):
    bodies: Bodies
    dipoles: Dipoles
    permeability: float  # [T m/A]


class Inputs(NamedTuple):
    """What the outside world may change between batches."""

    gravity: np.ndarray  # (3,) [m/s^2]
    magnetic_field: np.ndarray  # (3,) [T]


class Work(NamedTuple):
    """Scratch: where everything is in space now, and what acts on it."""

    angular_velocity: np.ndarray  # (n, 3) [rad/s]
    arm: np.ndarray  # (n, 3) [m] reference point to centre of mass
    force: np.ndarray  # (n, 3) [N]
    torque: np.ndarray  # (n, 3) [N m] about the reference point
    dipole_arm: np.ndarray  # (m, 3) [m] from the body's reference point
    dipole_position: np.ndarray  # (m, 3) [m]
    dipole_moment: np.ndarray  # (m, 3) [A m^2]
    field: np.ndarray  # (m, 3) [T] at each dipole, of all other bodies' dipoles and the world
    dipole_force: np.ndarray  # (m, 3) [N] on each dipole by the gradient of that field
    rate: np.ndarray  # (k,) time derivative of the state
    stage: np.ndarray  # (k,) state within a step, and the next state until it is seen to be finite
    increment: np.ndarray  # (k,) what the step adds


def make_work(model: Model) -> Work:
    n, m = len(model.bodies.mass), len(model.dipoles.moment)
    vectors = [np.zeros((rows, 3)) for rows in (n, n, n, n, m, m, m, m, m)]
    return Work(*vectors, *(np.zeros(BODY_SIZE * n) for _ in range(3)))


def body_states(state: np.ndarray) -> np.ndarray:
    """(n, 18) view of the bodies in the flat state."""
    return state.reshape(-1, BODY_SIZE)


@kernel
def read(state: np.ndarray, b: int, part: int) -> Triple:
    """Vector at offset `part` of body b in the flat state."""
    i = BODY_SIZE * b + part
    return state[i], state[i + 1], state[i + 2]


@kernel
def write(state: np.ndarray, b: int, part: int, a: Triple) -> None:
    i = BODY_SIZE * b + part
    state[i], state[i + 1], state[i + 2] = a


@kernel
def read_basis(state: np.ndarray, b: int) -> tuple[Triple, Triple, Triple]:
    return read(state, b, BASIS), read(state, b, BASIS + 3), read(state, b, BASIS + 6)
