"""State, constants and scratch arrays of rigid bodies.

A body's section of the state has BODY_SIZE numbers: position x [m] and momentum P [kg m/s] of the reference point, the
basis u1, u2, u3 in laboratory components, and the angular momentum L [kg m^2/s] about the reference point, all in the
laboratory frame. P is zero of a body that is held at a pivot, on an axle, or in place. See core/polhode/engine/model.py
for the reference point.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import Addresses, KernelStruct
from polhode.jit.vec import Triple

PIVOT, AXLE, FREE, FIXED, DRIVEN, ON_PATH = range(6)
SUPPORTS = {"pivot": PIVOT, "axle": AXLE, "free": FREE, "fixed": FIXED, "driven": DRIVEN}

# A body in the state: position and momentum of the reference point, u1 u2 u3, angular momentum about that point.
POSITION, MOMENTUM, BASIS, ANGULAR_MOMENTUM, BODY_SIZE = 0, 3, 6, 15, 18


class Bodies(KernelStruct):
    """Constants of rigid bodies; the reference point is defined in core/polhode/engine/model.py. Read by all phases."""

    support: np.ndarray
    """(n,) int64: one of SUPPORTS, or ON_PATH of a bead."""
    mass: np.ndarray
    """(n,) [kg] total mass M."""
    center: np.ndarray
    """(n, 3) [m] R_G, reference point to centre of mass, body frame; zero of a free body."""
    origin: np.ndarray
    """(n, 3) [m] reference point to the body's origin, body frame."""
    inertia: np.ndarray
    """(n, 3, 3) [kg m^2] I about the reference point, body frame."""
    inverse_inertia: np.ndarray
    """(n, 3, 3) [1/(kg m^2)] body frame: pseudoinverse of `inertia`; of an axle n n/(n.I n), of a driven body 1."""
    axes: np.ndarray
    """(n, 3, 3) rows: eigenvectors of inverse_inertia, body frame; the principal axes of a body without an axle."""
    inverse_moments: np.ndarray
    """(n, 3) [1/(kg m^2)] its eigenvalues; 0 along directions that an axle blocks or that have no inertia."""
    turnable: np.ndarray
    """(n, 3, 3) projector onto the directions that the body can turn about, body frame; used if `restricted`."""
    restricted: np.ndarray
    """(n,) bool: some directions are blocked: an axle, or a rod about its own axis."""
    friction: np.ndarray
    """(n,) [N m s] c of the support: T = -c omega; 0 of a fixed or driven body."""
    drag: np.ndarray
    """(n, 2) [N s/m], [kg/m] linear and quadratic drag coefficient, at the centre of mass."""
    round: np.ndarray
    """(n,) bool: a free uniform sphere about its reference point."""
    radius: np.ndarray
    """(n,) [m] of that sphere; 0 for other bodies."""
    first_bead: int
    """Index of the first bead; beads are the last bodies."""
    motion: np.ndarray
    """(n, 5, 3) c, v, r1, r2, (w, p, 0): x(t) = c + v t + r1 cos(wt + p) + r2 sin(wt + p) [m] of a driven body."""
    follows: np.ndarray
    """(n, 4) followers of the sensor, along v (sensor_motion.py); all zero: does not follow."""


class DryPivots(KernelStruct):
    """Coulomb friction of pivots and axles. Constant; read by SOLVE. Law: pivot_dry_friction.py."""

    body: np.ndarray
    """(d,) int64 bodies with dry friction."""
    torque: np.ndarray
    """(d,) [N m] largest torque."""


class BodyMotions(KernelStruct):
    """Motions by formulas of t: of driven bodies, and of the points of pivots and axles. Constant."""

    body: np.ndarray
    """(m,) int64."""
    position: np.ndarray
    """(m, 3) [m] of the reference point, to which the formulas are added, laboratory frame."""
    address: Addresses
    """(m,) int64 machine code of x, y, z, their first and their second derivatives (`call_1_9`)."""
    first: np.ndarray
    """(m,) int64 index of the first constant of each."""
    numbers: np.ndarray
    """(k,) constants of the formulas."""
    turns: np.ndarray
    """(m,) bool: the basis follows formulas; of driven bodies only."""
    by_vector: np.ndarray
    """(m,) bool: these are of a rotation vector, laboratory frame, not of an angle about `axis`."""
    axis: np.ndarray
    """(m, 3) unit vector, laboratory frame."""
    basis: np.ndarray
    """(m, 3, 3) rows u1, u2, u3 at the angle 0, laboratory frame."""
    angle: Addresses
    """(m,) int64 machine code of the angle [rad], 0, 0, or of the rotation vector [rad], and of their derivatives, as
    that of `address`.
    """
    first_of_angle: np.ndarray
    """(m,) int64."""
    numbers_of_angle: np.ndarray
    """(k,)."""


class MotionWork(KernelStruct):
    """Scratch of motions by formulas."""

    acceleration: np.ndarray
    """(m, 3) [m/s^2] of the reference points, written by PLACE."""
    loaded: np.ndarray
    """(1,) not 0: LAW has added the inertial forces, so that PROJECT knows the force of the support."""


@kernel
def read(state: np.ndarray, b: int, part: int) -> Triple:
    """Vector at offset `part` (POSITION, MOMENTUM, BASIS + 3 i or ANGULAR_MOMENTUM) of body b in the flat state."""
    i = BODY_SIZE * b + part
    return state[i], state[i + 1], state[i + 2]


@kernel
def write(state: np.ndarray, b: int, part: int, a: Triple) -> None:
    """Write the vector `a` at offset `part` of body b into the flat state, or into a rate of the same layout."""
    i = BODY_SIZE * b + part
    state[i], state[i + 1], state[i + 2] = a


@kernel
def read_basis(state: np.ndarray, b: int) -> tuple[Triple, Triple, Triple]:
    """u1, u2, u3 of body b, laboratory components."""
    return read(state, b, BASIS), read(state, b, BASIS + 3), read(state, b, BASIS + 6)


class BodyWork(KernelStruct):
    """Scratch of bodies, laboratory frame.

    Those of beads are written by REDUCE instead of `place_bodies` (paths/placement.py).
    """

    position: np.ndarray
    """(n, 3) [m] of the reference point; written by `place_bodies`, between REDUCE and PLACE."""
    velocity: np.ndarray
    """(n, 3) [m/s] of the reference point; written with it."""
    angular_velocity: np.ndarray
    """(n, 3) [rad/s] written with it."""
    com_offset: np.ndarray
    """(n, 3) [m] reference point to centre of mass; written with it; zero of beads."""
    force: np.ndarray
    """(n, 3) [N] resultant; cleared with the placement, added to by LAW and SOLVE, read by PROJECT."""
    torque: np.ndarray
    """(n, 3) [N m] resultant about the reference point; as `force`."""


def make_body_work(count: int) -> BodyWork:
    """Scratch arrays for `count` bodies, all zero."""
    return BodyWork(*(np.zeros((count, 3)) for _ in range(6)))


def body_states(bodies: Bodies, state: np.ndarray) -> np.ndarray:
    """(n, 18) view of the bodies in `state`: x, P, u1, u2, u3, L of each."""
    count = len(bodies.mass)
    return state[: BODY_SIZE * count].reshape(count, BODY_SIZE)


def changed_by_forces(count: int) -> np.ndarray:
    """(18 n,) bool: components of the state of n bodies whose rates depend on forces: P and L."""
    of_one = np.zeros(BODY_SIZE, dtype=np.bool_)
    of_one[MOMENTUM:BASIS] = of_one[ANGULAR_MOMENTUM:] = True
    return np.tile(of_one, count)


@kernel
def add_momentum(total: np.ndarray, momentum: Triple, angular: Triple) -> None:
    """Add a momentum [kg m/s] and an angular momentum about the origin [kg m^2/s] to `total` (6,), laboratory frame."""
    for axis in range(3):
        total[axis] += momentum[axis]
        total[3 + axis] += angular[axis]
