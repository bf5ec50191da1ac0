"""The arrays that kernels use: Model (constant), State (flat vector), Inputs (the outside world), Work (scratch).

A body's reference point is where its motion is counted from: the point that a pivot or an axle holds, the centre of
mass of a free body, the origin of a fixed or driven one. Body-frame components are along u1, u2, u3; everything else is
in the laboratory frame. SI units.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.kernel import kernel
from core.vec import Triple

PIVOT, AXLE, FREE, FIXED, DRIVEN = range(5)
SUPPORTS = {"pivot": PIVOT, "axle": AXLE, "free": FREE, "fixed": FIXED, "driven": DRIVEN}

# One body in the state: position, momentum, basis vectors u1 u2 u3, angular momentum about the reference point.
POSITION, MOMENTUM, BASIS, ANGULAR_MOMENTUM, BODY_SIZE = 0, 3, 6, 15, 18

# Last in the state: the energy [J] that has come in by friction (it is negative), by what drives bodies, and by the
# change of the world's field. What the energies have gained beyond their sum is the method's error.
FRICTION, DRIVE, FIELD, LEDGER_SIZE = range(4)


class Bodies(NamedTuple):
    support: np.ndarray  # (n,) int64, one of SUPPORTS
    mass: np.ndarray  # (n,) [kg]
    center: np.ndarray  # (n, 3) [m] reference point to centre of mass, body frame
    origin: np.ndarray  # (n, 3) [m] reference point to the body's origin, body frame
    inertia: np.ndarray  # (n, 3, 3) [kg m^2] about the reference point, body frame
    inverse_inertia: np.ndarray  # (n, 3, 3) [1/(kg m^2)] zero along directions that the body can't turn about
    axes: np.ndarray  # (n, 3, 3) rows: eigenvectors of inverse_inertia, body frame
    inverse_moments: np.ndarray  # (n, 3) [1/(kg m^2)] its eigenvalues
    turnable: np.ndarray  # (n, 3, 3) projector, body frame, onto the directions that the body can turn about
    restricted: np.ndarray  # (n,) bool: there are others (an axle, or a rod about its own axis)
    friction: np.ndarray  # (n,) [N m s]
    motion: np.ndarray  # (n, 5, 3) c, v, r1, r2, (w, p, 0): x(t) = c + v t + r1 cos(wt + p) + r2 sin(wt + p) if driven


class Dipoles(NamedTuple):
    """Dipoles stand in the order of their bodies: those of body b are first[b] ... first[b + 1] - 1."""

    first: np.ndarray  # (n + 1,) int64
    position: np.ndarray  # (m, 3) [m] from the reference point, body frame
    moment: np.ndarray  # (m, 3) [A m^2] body frame


class Model(NamedTuple):
    bodies: Bodies
    dipoles: Dipoles
    permeability: float  # [T m/A]
    ledger: int  # where the ledger begins in the state
    is_momentum: np.ndarray  # (k,) bool: which numbers of the state forces change: momenta, and the ledger


class Inputs(NamedTuple):
    """What the outside world may change between batches."""

    gravity: np.ndarray  # (3,) [m/s^2]
    field_cosine: np.ndarray  # (3,) [T] the world's field is field_cosine cos(wt) + field_sine sin(wt)
    field_sine: np.ndarray  # (3,) [T]
    field_frequency: float  # w [rad/s], 0 for a uniform field


class Clock(NamedTuple):
    """Times are counted in whole steps from a start, so that they collect no rounding."""

    start: float  # [s]
    step: float  # [s]
    done: int  # steps since the start


class Work(NamedTuple):
    """Scratch: where everything is in space now, and what acts on it."""

    position: np.ndarray  # (n, 3) [m] of the reference point
    velocity: np.ndarray  # (n, 3) [m/s] of the reference point
    angular_velocity: np.ndarray  # (n, 3) [rad/s]
    arm: np.ndarray  # (n, 3) [m] reference point to centre of mass
    force: np.ndarray  # (n, 3) [N]
    torque: np.ndarray  # (n, 3) [N m] about the reference point
    power: np.ndarray  # (LEDGER_SIZE,) [W] how fast energy comes in
    dipole_arm: np.ndarray  # (m, 3) [m] from the body's reference point
    dipole_position: np.ndarray  # (m, 3) [m]
    dipole_moment: np.ndarray  # (m, 3) [A m^2]
    field: np.ndarray  # (m, 3) [T] at each dipole, of all other bodies' dipoles and the world
    dipole_force: np.ndarray  # (m, 3) [N] on each dipole by the gradient of that field
    rate: np.ndarray  # (k,) time derivative of the state
    stage: np.ndarray  # (k,) state within a step, and the next state until it is seen to be finite
    middle: np.ndarray  # (k,) another state within a step
    increment: np.ndarray  # (k,) what the step adds, or another rate
    drift: np.ndarray  # (1,) largest |u_i.u_j - delta_ij| before repair since it was last set to zero


def make_work(model: Model) -> Work:
    """Scratch arrays of the sizes that a model needs."""
    n, m, k = len(model.bodies.mass), len(model.dipoles.moment), len(model.is_momentum)
    of_bodies = ["position", "velocity", "angular_velocity", "arm", "force", "torque"]
    of_dipoles = ["dipole_arm", "dipole_position", "dipole_moment", "field", "dipole_force"]
    of_state = ["rate", "stage", "middle", "increment"]
    arrays = {name: np.zeros((n, 3)) for name in of_bodies} | {name: np.zeros((m, 3)) for name in of_dipoles}
    flat = {name: np.zeros(k) for name in of_state}
    return Work(**arrays, **flat, power=np.zeros(LEDGER_SIZE), drift=np.zeros(1))


def changed_by_forces(n: int) -> np.ndarray:
    """(18 n + 3,) which numbers of the state of n bodies are momenta or the ledger."""
    of_one = np.zeros(BODY_SIZE, dtype=np.bool_)
    of_one[MOMENTUM:BASIS] = of_one[ANGULAR_MOMENTUM:] = True
    return np.concatenate([np.tile(of_one, n), np.ones(LEDGER_SIZE, dtype=np.bool_)])


def body_states(model: Model, state: np.ndarray) -> np.ndarray:
    """(n, 18) view of the bodies in the flat state."""
    n = len(model.bodies.mass)
    return state[: BODY_SIZE * n].reshape(n, BODY_SIZE)


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
