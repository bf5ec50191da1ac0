"""State, constants and scratch arrays of rigid bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel import kernel
from core.jit.kernel_struct import KernelStruct
from core.jit.vec import Triple

PIVOT, AXLE, FREE, FIXED, DRIVEN, ON_PATH = range(6)
SUPPORTS = {"pivot": PIVOT, "axle": AXLE, "free": FREE, "fixed": FIXED, "driven": DRIVEN}

# A body in the state: position and momentum of the reference point, u1 u2 u3, angular momentum about that point.
POSITION, MOMENTUM, BASIS, ANGULAR_MOMENTUM, BODY_SIZE = 0, 3, 6, 15, 18


@dataclass(frozen=True, eq=False)
class Bodies(KernelStruct):
    """Constants of rigid bodies; the reference point is defined in core/engine/model.py."""

    support: np.ndarray  # (n,) int64, one of SUPPORTS
    mass: np.ndarray  # (n,) [kg]
    center: np.ndarray  # (n, 3) [m] reference point to centre of mass, body frame
    origin: np.ndarray  # (n, 3) [m] reference point to the body's origin, body frame
    inertia: np.ndarray  # (n, 3, 3) [kg m^2] about the reference point, body frame
    inverse_inertia: np.ndarray  # (n, 3, 3) [1/(kg m^2)] body frame, zero along directions blocked by the support
    axes: np.ndarray  # (n, 3, 3) rows: eigenvectors of inverse_inertia, body frame
    inverse_moments: np.ndarray  # (n, 3) [1/(kg m^2)] its eigenvalues
    turnable: np.ndarray  # (n, 3, 3) projector onto the directions that the body can turn about, body frame
    restricted: np.ndarray  # (n,) bool: some directions are blocked (an axle, or a rod about its own axis)
    friction: np.ndarray  # (n,) [N m s] of the support
    drag: np.ndarray  # (n, 2) [N s/m], [kg/m] linear and quadratic drag coefficient
    round: np.ndarray  # (n,) bool: a free uniform sphere about its reference point
    radius: np.ndarray  # (n,) [m] of that sphere; 0 for other bodies
    first_bead: int  # index of the first bead; beads are the last bodies
    motion: np.ndarray  # (n, 5, 3) c, v, r1, r2, (w, p, 0): x(t) = c + v t + r1 cos(wt + p) + r2 sin(wt + p) if driven
    follows: np.ndarray  # (n, 4) followers of the sensor, along v (sensor_motion.py); all zero: does not follow


@kernel
def read(state: np.ndarray, b: int, part: int) -> Triple:
    """Vector at offset `part` of body b in the flat state."""
    i = BODY_SIZE * b + part
    return state[i], state[i + 1], state[i + 2]


@kernel
def write(state: np.ndarray, b: int, part: int, a: Triple) -> None:
    """Write a vector at offset `part` of body b."""
    i = BODY_SIZE * b + part
    state[i], state[i + 1], state[i + 2] = a


@kernel
def read_basis(state: np.ndarray, b: int) -> tuple[Triple, Triple, Triple]:
    """u1, u2, u3 of body b."""
    return read(state, b, BASIS), read(state, b, BASIS + 3), read(state, b, BASIS + 6)


@dataclass(frozen=True, eq=False)
class BodyWork(KernelStruct):
    """Scratch, laboratory frame: position to com_offset are written by the place phase, force and torque by the
    laws.
    """

    position: np.ndarray  # (n, 3) [m] of the reference point
    velocity: np.ndarray  # (n, 3) [m/s] of the reference point
    angular_velocity: np.ndarray  # (n, 3) [rad/s]
    com_offset: np.ndarray  # (n, 3) [m] reference point to centre of mass, laboratory
    force: np.ndarray  # (n, 3) [N]
    torque: np.ndarray  # (n, 3) [N m] about the reference point


def make_body_work(count: int) -> BodyWork:
    """Scratch arrays for `count` bodies."""
    return BodyWork(*(np.zeros((count, 3)) for _ in range(6)))


def body_states(bodies: Bodies, state: np.ndarray) -> np.ndarray:
    """(n, 18) view of the bodies in `state`."""
    count = len(bodies.mass)
    return state[: BODY_SIZE * count].reshape(count, BODY_SIZE)


def changed_by_forces(count: int) -> np.ndarray:
    """(18 n,) bool: components of the state of n bodies whose rates depend on forces, i.e. momenta."""
    of_one = np.zeros(BODY_SIZE, dtype=np.bool_)
    of_one[MOMENTUM:BASIS] = of_one[ANGULAR_MOMENTUM:] = True
    return np.tile(of_one, count)


@kernel
def add_momentum(total: np.ndarray, momentum: Triple, angular: Triple) -> None:
    """Add a momentum [kg m/s] and an angular momentum [kg m^2/s] to `total` (6,)."""
    for axis in range(3):
        total[axis] += momentum[axis]
        total[3 + axis] += angular[axis]
