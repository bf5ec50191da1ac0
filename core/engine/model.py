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

from core.engine.ledger import LEDGER_SIZE
from core.jit.kernel import view
from core.jit.kernel_struct import KernelStruct, rows_within
from core.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE, MOMENTUM, Bodies, BodyWork
from core.physics.contact.arrays import (
    Contacts,
    ContactWork,
    FrictionContacts,
    HullCorners,
    Surfaces,
    TangentialSprings,
    TangentialState,
    Walls,
)
from core.physics.frame.arrays import Rotation
from core.physics.grab.arrays import Pull
from core.physics.magnets.arrays import Dipoles, DipoleWork
from core.physics.magnets.tree import Settings
from core.physics.modal.arrays import Modal, ModalWork
from core.physics.paths.arrays import BEAD_SIZE, Beads, BeadWork
from core.physics.points.arrays import POINT_SIZE, Anchors, AnchorWork, Points, PointWork, SpringRows, Springs
from core.physics.points.spring_tiles import SpringWork

NOTHING = -1  # where the number of a body or a point is asked for


@dataclass(frozen=True, eq=False)
class Model(KernelStruct):
    bodies: Bodies
    dipoles: Dipoles
    contacts: Contacts
    hulls: HullCorners
    points: Points
    modal: Modal
    anchors: Anchors
    springs: Springs
    runs: SpringRows
    walls: Walls
    surfaces: Surfaces
    rough: TangentialSprings
    beads: Beads
    permeability: float  # [T m/A]
    friction_stop_time: float  # [s] in which dry friction brings to rest what it can hold, at the scene's time step
    ledger: int  # where the ledger begins in the state
    is_momentum: np.ndarray  # (k,) bool: which numbers of the state forces change: momenta, and the ledger
    tree: Settings  # how the dipoles' fields are summed


@dataclass(frozen=True, eq=False)
class Inputs(KernelStruct):
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
    rotation: Rotation  # of the laboratory
    hand: np.ndarray  # (HAND_SIZE,) where the hand over the sensor is: see core/physics/sensor/sensor_motion.py


class Clock(NamedTuple):
    """Times are counted in whole steps from a start, so that they collect no rounding."""

    start: float  # [s]
    step: float  # [s]
    done: int  # steps since the start


@dataclass(frozen=True, eq=False)
class SampleBuffer(KernelStruct):
    """States that steps leave behind for whoever wants to see more than the end of a batch."""

    states: np.ndarray  # (r, k) rows for them
    count: np.ndarray  # (3,) int64: keep one in so many steps (0: none), steps since the last one, rows in use


@dataclass(frozen=True, eq=False)
class Program(KernelStruct):
    """Addresses of the hooks of a scene's subjects (core/engine/part.py): phase f has first[f] ... first[f + 1] - 1."""

    first: np.ndarray  # (PHASES + 1,) int64
    address: np.ndarray  # (h,) int64
    column: np.ndarray  # (h,) int64: of hooks that write columns, where theirs begin in the row
    width: np.ndarray  # (1,) int64: of the row, time and the columns of all hooks, in numbers
    alone: np.ndarray  # (1,) int64: not 0 where no hook but those of beads reads where bodies are, or acts on them


@dataclass(frozen=True, eq=False)
class Work(KernelStruct):
    """Scratch: where everything is in space now, and what acts on it."""

    program: Program
    idle: np.ndarray  # (2,) int64: numbers idle[0] ... idle[1] - 1 of the state wait (core/engine/idle.py); 0, 0: none
    stop_time: np.ndarray  # (1,) [s] in which dry friction brings to rest what it can hold, at the step of now
    energy: np.ndarray  # (ENERGIES,) [J] as they were summed last
    bodies: BodyWork
    points: PointWork
    anchors: AnchorWork
    modal: ModalWork
    dipoles: DipoleWork
    contacts: ContactWork
    crew: np.ndarray  # who does which part
    part_lost: np.ndarray  # (PARTS,) int64: numbers of the next state that are not finite, by parts of it
    factors: np.ndarray  # (2,) [s] of this rate and the last one in what is combined
    springs: SpringWork
    power: np.ndarray  # (LEDGER_SIZE,) [W] how fast energy comes in
    beads: BeadWork
    rate: np.ndarray  # (k,) time derivative of the state
    stage: np.ndarray  # (k,) state within a step, and the next state until it is seen to be finite
    middle: np.ndarray  # (k,) another state within a step
    increment: np.ndarray  # (k,) what the step adds, or another rate
    drift: np.ndarray  # (1,) largest |u_i.u_j - delta_ij| before repair since it was last set to zero
    tape: SampleBuffer
    rubs: FrictionContacts
    roughness: TangentialState


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
    return state[BODY_SIZE * len(model.bodies.mass) : model.points.at].reshape(-1, BODY_SIZE)


def point_states(model: Model, state: np.ndarray) -> np.ndarray:
    """(2, 3, p) view of the points in the flat state: positions and velocities."""
    return state[model.points.at : model.modal.at].reshape(2, 3, len(model.points.mass))


@view
def point_rows(points: Points, state: np.ndarray) -> np.ndarray:
    """(6, p) view of the points in the flat state, for kernels: rows x, y, z and the velocities x, y, z."""
    return rows_within(state, points.at, POINT_SIZE, len(points.mass))


def mode_states(model: Model, state: np.ndarray) -> np.ndarray:
    """(2, k) view of the modes in the flat state: amplitudes [m sqrt(kg)] and their momenta."""
    return state[model.modal.at : model.beads.at].reshape(2, len(model.modal.damping))


@view
def mode_rows(modal: Modal, state: np.ndarray) -> np.ndarray:
    """The same for kernels."""
    return rows_within(state, modal.at, 2, len(modal.damping))


def bead_states(model: Model, state: np.ndarray) -> np.ndarray:
    """(3, c) view of the beads in the flat state: q, dl/dt [m/s], and what holds each (paths/arrays.py)."""
    return state[model.beads.at : model.rough.at].reshape(BEAD_SIZE, len(model.beads.body))


@view
def bead_rows(beads: Beads, state: np.ndarray) -> np.ndarray:
    """The same for kernels."""
    return rows_within(state, beads.at, BEAD_SIZE, len(beads.body))
