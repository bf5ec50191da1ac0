"""The arrays that kernels use: Model (constant), State (flat vector), Inputs (the outside world), Work (scratch).

The state holds the bodies, 18 numbers each, and the frames of modal soft bodies, likewise; then the points, first x of
all of them, then y, z and the velocities x, y, z, so that loops over many points run through memory in order; then the
amplitudes of modes and their momenta; then the beads, how far along their paths, how fast and what holds them; then the
stretches of rough surfaces; then the ledger. Points that hang on modes, and the bodies that are beads on a path, are
written there when all is placed, for everybody to read; they have no rate of their own.

A body's reference point is where its motion is counted from: the point that a pivot or an axle holds, the centre of
mass of a free body, the origin of a fixed or driven one. Body-frame components are along u1, u2, u3; everything else is
in the laboratory frame. SI units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.jit.kernel import kernel, view
from core.jit.kernel_struct import Table, rows_within
from core.jit.vec import Triple
from core.physics.contact.arrays import (
    Contacts,
    Hulls,
    Rough,
    Roughness,
    Rubs,
    Surfaces,
    Walls,
)
from core.physics.magnets.tree import Settings, TreeWork
from core.physics.paths.arrays import BEAD_SIZE, Beads, BeadWork
from core.physics.points.spring_tiles import SpringWork

PIVOT, AXLE, FREE, FIXED, DRIVEN, ON_PATH = range(6)
SUPPORTS = {"pivot": PIVOT, "axle": AXLE, "free": FREE, "fixed": FIXED, "driven": DRIVEN}

# One body in the state: position, momentum, basis vectors u1 u2 u3, angular momentum about the reference point.
POSITION, MOMENTUM, BASIS, ANGULAR_MOMENTUM, BODY_SIZE = 0, 3, 6, 15, 18

POINT_SIZE = 6

# Last in the state: the energy [J] that has come in by the friction of supports (it is negative), by what drives bodies
# and walls, by the change of the world's field, by the dampers of springs, by those of walls, by the air and by the
# hand. What the energies have gained beyond their sum is the method's error.
FRICTION, DRIVE, FIELD, DAMPING, CONTACT, AIR, HAND, LEDGER_SIZE = range(8)

NOTHING = -1  # where the number of a body or a point is asked for
ALL = -2


@dataclass(frozen=True, eq=False)
class Bodies(Table):
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
    drag: np.ndarray  # (n, 2) [N s/m], [kg/m] of the air, per speed and per its square
    round: np.ndarray  # (n,) bool: free, and all of it a sphere about its reference point
    radius: np.ndarray  # (n,) [m] of that sphere; 0 of what is none
    motion: np.ndarray  # (n, 5, 3) c, v, r1, r2, (w, p, 0): x(t) = c + v t + r1 cos(wt + p) + r2 sin(wt + p) if driven
    follows: (
        np.ndarray
    )  # (n, 4) how each driven one follows the hand, along v (sensor_motion.py); all zero: it does not


@dataclass(frozen=True, eq=False)
class Dipoles(Table):
    """Dipoles stand in the order of their bodies: those of body b are first[b] ... first[b + 1] - 1."""

    first: np.ndarray  # (n + 1,) int64
    position: np.ndarray  # (m, 3) [m] from the reference point, body frame
    moment: np.ndarray  # (m, 3) [A m^2] body frame
    size: np.ndarray  # (m,) [m] two dipoles that are nearer than their sizes together say little of the magnets
    reach: np.ndarray  # (n,) [m] no dipole of a body, with its size, is farther from its reference point


@dataclass(frozen=True, eq=False)
class Points(Table):
    mass: np.ndarray  # (p,) [kg]
    inverse_mass: np.ndarray  # (p,) [1/kg]
    radius: np.ndarray  # (p,) [m]


@dataclass(frozen=True, eq=False)
class Modal(Table):
    """Soft bodies that move by their modes, about a frame of their own. It is free where no point is fixed.

    The modes of body s are first_mode[s] ... first_mode[s + 1] - 1, and have unit modal mass. Frames are rows of the
    state behind the bodies: position of the centre of mass, momentum and so on, all but the points as if rigid.
    """

    is_free: np.ndarray  # (s,) bool
    mass: np.ndarray  # (s,) [kg]
    first: np.ndarray  # (s,) int64 number of its first point
    stop: np.ndarray  # (s,) int64 number after that of its last
    first_mode: np.ndarray  # (s + 1,) int64
    first_shape: np.ndarray  # (s,) int64 where its shapes begin in `shapes`
    shapes: np.ndarray  # flat, of each body (modes, 3, points) [1/sqrt(kg)]
    rest: np.ndarray  # (3, p) [m] from the frame's origin, frame; (3, 0) where no body is modal
    damping: np.ndarray  # (k,) [1/s] C/M = 2 h w of each mode


@dataclass(frozen=True, eq=False)
class Anchors(Table):
    """Ends of springs that are no points: places in bodies, or in the laboratory."""

    body: np.ndarray  # (q,) int64, NOTHING for the laboratory
    position: np.ndarray  # (q, 3) [m] from the body's reference point, body frame; or in the laboratory


@dataclass(frozen=True, eq=False)
class Springs(Table):
    """Springs one by one, in the scene's order. Ends below p are points, the others anchors p + number."""

    first: np.ndarray  # (s,) int64
    second: np.ndarray  # (s,) int64
    rest: np.ndarray  # (s,) [m]
    stiffness: np.ndarray  # (s,) [N/m]
    damping: np.ndarray  # (s,) [N s/m]
    full: np.ndarray  # (s,) bool: the damper acts against all relative motion


@dataclass(frozen=True, eq=False)
class Runs(Table):
    """Springs of soft bodies, all alike in a run: run r joins first[r] + k to second[r] + k, for k < count[r].

    Block b has the runs block[b] ... block[b + 1] - 1, which differ in their natural lengths alone. First ends of two
    blocks are never the same points, second ends only of neighbours.
    """

    block: np.ndarray  # (b + 1,) int64
    first: np.ndarray  # (r,) int64
    second: np.ndarray  # (r,) int64
    count: np.ndarray  # (r,) int64
    rest: np.ndarray  # (r,) [m]
    stiffness: np.ndarray  # (r,) [N/m]
    damping: np.ndarray  # (r,) [N s/m]
    full: np.ndarray  # (r,) bool


@dataclass(frozen=True, eq=False)
class Model(Table):
    bodies: Bodies
    dipoles: Dipoles
    contacts: Contacts
    hulls: Hulls
    points: Points
    modal: Modal
    anchors: Anchors
    springs: Springs
    runs: Runs
    walls: Walls
    surfaces: Surfaces
    rough: Rough
    beads: Beads
    permeability: float  # [T m/A]
    friction_stop_time: float  # [s] in which dry friction brings to rest what it can hold, at the scene's time step
    points_at: int  # where the points begin in the state
    modes_at: int  # where the amplitudes begin
    beads_at: int  # where the beads begin
    rough_at: int  # where the stretches of rough surfaces begin
    ledger: int  # where the ledger begins in the state
    is_momentum: np.ndarray  # (k,) bool: which numbers of the state forces change: momenta, and the ledger
    tree: Settings  # how the dipoles' fields are summed


@dataclass(frozen=True, eq=False)
class Pull(Table):
    """A spring between a hand and what it pulls: a point of a body, a point, everything, or nothing; and a twist.

    Where it pulls everything, stiffness and damping are per mass, and the spring holds the bodies' centres of mass.
    """

    body: int  # its number, or ALL, or NOTHING
    point: int  # its number, or ALL, or NOTHING
    arm: np.ndarray  # (3,) [m] from the body's reference point, body frame
    place: np.ndarray  # (3,) [m] of the hand
    stiffness: float  # [N/m], or [N/(m kg)]
    damping: float  # [N s/m], or [N s/(m kg)]
    torque: np.ndarray  # (3,) [N m] on the body
    resistance: float  # [N m s] against its rotation about the torque's axis


@dataclass(frozen=True, eq=False)
class Inputs(Table):
    """What the outside world may change between batches."""

    gravity: np.ndarray  # (3,) [m/s^2]
    field_cosine: np.ndarray  # (3,) [T] the world's field is field_cosine cos(wt) + field_sine sin(wt)
    field_sine: np.ndarray  # (3,) [T]
    field_frequency: float  # w [rad/s], 0 for a uniform field
    wind: np.ndarray  # (3,) [m/s] the air moves with wind cos(wt)
    wind_frequency: float  # w [rad/s], 0 for a steady wind
    drag: float  # [N s/m] of each point
    held: np.ndarray  # (p,) bool: points that no force moves, because they are fixed or a hand leads them
    pull: Pull
    hand: np.ndarray  # (HAND_SIZE,) where the hand over the sensor is: see core/physics/sensor/sensor_motion.py


class Clock(NamedTuple):
    """Times are counted in whole steps from a start, so that they collect no rounding."""

    start: float  # [s]
    step: float  # [s]
    done: int  # steps since the start


@dataclass(frozen=True, eq=False)
class Tape(Table):
    """States that steps leave behind for whoever wants to see more than the end of a batch."""

    states: np.ndarray  # (r, k) rows for them
    count: np.ndarray  # (3,) int64: keep one in so many steps (0: none), steps since the last one, rows in use


@dataclass(frozen=True, eq=False)
class Program(Table):
    """Addresses of the hooks of a scene's subjects (core/engine/part.py): phase f has first[f] ... first[f + 1] - 1."""

    first: np.ndarray  # (PHASES + 1,) int64
    address: np.ndarray  # (h,) int64
    column: np.ndarray  # (h,) int64: of hooks that write columns, where theirs begin in the row
    width: np.ndarray  # (1,) int64: of the row, time and the columns of all hooks, in numbers
    alone: np.ndarray  # (1,) int64: not 0 where no hook but those of beads reads where bodies are, or acts on them


@dataclass(frozen=True, eq=False)
class Work(Table):
    """Scratch: where everything is in space now, and what acts on it."""

    program: Program
    idle: np.ndarray  # (2,) int64: numbers idle[0] ... idle[1] - 1 of the state wait (core/engine/idle.py); 0, 0: none
    stop_time: np.ndarray  # (1,) [s] in which dry friction brings to rest what it can hold, at the step of now
    energy: np.ndarray  # (4,) [J] kinetic, gravity, magnetic and elastic, as they were summed last

    position: np.ndarray  # (n, 3) [m] of the reference point
    velocity: np.ndarray  # (n, 3) [m/s] of the reference point
    angular_velocity: np.ndarray  # (n, 3) [rad/s]
    arm: np.ndarray  # (n, 3) [m] reference point to centre of mass
    force: np.ndarray  # (n, 3) [N]
    torque: np.ndarray  # (n, 3) [N m] about the reference point
    point_force: np.ndarray  # (3, p) [N]
    crew: np.ndarray  # who does which part
    part_lost: np.ndarray  # (PARTS,) int64: numbers of the next state that are not finite, by parts of it
    factors: np.ndarray  # (2,) [s] of this rate and the last one in what is combined
    springs: SpringWork
    anchor_position: np.ndarray  # (q, 3) [m]
    anchor_velocity: np.ndarray  # (q, 3) [m/s]
    anchor_force: np.ndarray  # (q, 3) [N]
    shift: np.ndarray  # (3, p) [m] of the points of modal bodies from their frame's origin, frame; else (3, 0)
    shift_rate: np.ndarray  # (3, p) [m/s] their velocity beside that of the origin, frame
    local_force: np.ndarray  # (3, p) [N] on them, that of inertia in the turning frame included, frame
    coupling: np.ndarray  # (k, 3) [kg m] angular momentum per rate of an amplitude, frame
    amplitude_rate: np.ndarray  # (k,) [m/s sqrt(kg)]
    modal_force: np.ndarray  # (k,) [N/sqrt(kg)] on a mode beside those on points
    spin: np.ndarray  # (s, 3) [rad/s] of the frames, laboratory
    power: np.ndarray  # (LEDGER_SIZE,) [W] how fast energy comes in
    beads: BeadWork
    dipole_arm: np.ndarray  # (m, 3) [m] from the body's reference point
    dipole_position: np.ndarray  # (m, 3) [m]
    dipole_moment: np.ndarray  # (m, 3) [A m^2]
    dipole_first: np.ndarray  # (1, m) which dipole is the first of its body: constant, a float as lanes compare it
    contact_place: np.ndarray  # (s, 3) [m] of the middles of spheres that press
    contact_cell: np.ndarray  # (s - v, 3) int64: whole coordinates in their grid
    contact_head: np.ndarray  # (a power of 2,) int64: the last sphere in every list of a cell, or NOTHING
    contact_next: np.ndarray  # (s - v,) int64: the one before it in its list
    field: np.ndarray  # (m, 3) [T] at each dipole, of all other bodies' dipoles and the world
    dipole_force: np.ndarray  # (m, 3) [N] on each dipole by the gradient of that field
    rate: np.ndarray  # (k,) time derivative of the state
    stage: np.ndarray  # (k,) state within a step, and the next state until it is seen to be finite
    middle: np.ndarray  # (k,) another state within a step
    increment: np.ndarray  # (k,) what the step adds, or another rate
    drift: np.ndarray  # (1,) largest |u_i.u_j - delta_ij| before repair since it was last set to zero
    tree: TreeWork
    tape: Tape
    rubs: Rubs
    roughness: Roughness


def changed_by_forces(n: int, p: int, k: int = 0, c: int = 0, r: int = 0) -> np.ndarray:
    """(18 n + 6 p + 2 k + 3 c + 3 r + 7,) which numbers of the state forces change.

    It is that of n bodies and frames, p points, k modes, c beads and r rough contacts.
    """
    of_one = np.zeros(BODY_SIZE, dtype=np.bool_)
    of_one[MOMENTUM:BASIS] = of_one[ANGULAR_MOMENTUM:] = True
    of_rows = [np.repeat([False, True], 3 * p), np.repeat([False, True], k), np.repeat([False, True, False], c)]
    of_rows.append(np.repeat([False], 3 * r))
    return np.concatenate([np.tile(of_one, n), *of_rows, np.ones(LEDGER_SIZE, dtype=np.bool_)])


def body_states(model: Model, state: np.ndarray) -> np.ndarray:
    """(n, 18) view of the bodies in the flat state."""
    n = len(model.bodies.mass)
    return state[: BODY_SIZE * n].reshape(n, BODY_SIZE)


def frame_states(model: Model, state: np.ndarray) -> np.ndarray:
    """(s, 18) view of the frames of modal bodies in the flat state."""
    return state[BODY_SIZE * len(model.bodies.mass) : model.points_at].reshape(-1, BODY_SIZE)


def point_states(model: Model, state: np.ndarray) -> np.ndarray:
    """(2, 3, p) view of the points in the flat state: positions and velocities."""
    return state[model.points_at : model.modes_at].reshape(2, 3, len(model.points.mass))


@view
def point_rows(model: Model, state: np.ndarray) -> np.ndarray:
    """(6, p) view of the points in the flat state, for kernels: rows x, y, z and the velocities x, y, z."""
    return rows_within(state, model.points_at, POINT_SIZE, len(model.points.mass))


def mode_states(model: Model, state: np.ndarray) -> np.ndarray:
    """(2, k) view of the modes in the flat state: amplitudes [m sqrt(kg)] and their momenta."""
    return state[model.modes_at : model.beads_at].reshape(2, len(model.modal.damping))


@view
def mode_rows(model: Model, state: np.ndarray) -> np.ndarray:
    """The same for kernels."""
    return state[model.modes_at : model.beads_at].reshape(2, len(model.modal.damping))


def bead_states(model: Model, state: np.ndarray) -> np.ndarray:
    """(3, c) view of the beads in the flat state: q, dl/dt [m/s], and what holds each (paths/arrays.py)."""
    return state[model.beads_at : model.rough_at].reshape(BEAD_SIZE, len(model.beads.body))


@view
def bead_rows(model: Model, state: np.ndarray) -> np.ndarray:
    """The same for kernels."""
    return rows_within(state, model.beads_at, BEAD_SIZE, len(model.beads.body))


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
