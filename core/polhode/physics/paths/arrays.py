"""State, constants and scratch arrays of beads: spheres on paths.

A bead's section of the state is component-major: q of all beads, then dl/dt, then HOLD. Its body is an ordinary body,
whose rows of the state are written by REDUCE while the path holds the bead.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel, view
from polhode.jit.kernel_struct import KernelStruct, rows_within
from polhode.physics.paths.path_kernels import Paths

# A bead in the state: internal parameter q (path_kernels.py), speed dl/dt [m/s], and whether the path holds it (HOLD).
PARAMETER, SPEED, HOLD, BEAD_SIZE = range(4)
ON_ITS_PATH, AT_THE_END, GONE = 0.0, 1.0, 2.0  # values of HOLD: slides, rests at an end, left the path
# Values of HOLD of a bead with Coulomb friction: slides towards smaller or larger q, rests.
SLIDES_BACKWARD, SLIDES_FORWARD, AT_REST = -2.0, -1.0, 1.25
HOLDS = (SLIDES_BACKWARD, SLIDES_FORWARD, ON_ITS_PATH, AT_THE_END, AT_REST, GONE)
BOUNCE, STOP, LEAVE = range(3)
ENDS = {"bounce": BOUNCE, "stop": STOP, "leave": LEAVE}


class Beads(KernelStruct):
    """Constants of beads. They are the last bodies of the model, whose state follows from q and dl/dt on a path."""

    body: np.ndarray
    """(c,) int64 index of the body of each bead."""
    inertia: np.ndarray
    """(c,) f: effective mass along the path is f m; 7/5 for a rolling solid sphere, 1 for a sliding one."""
    radius: np.ndarray
    """(c,) [m] r of the sphere, the arm of rolling."""
    friction: np.ndarray
    """(c,) [N s/m] c of the path: force -c dl/dt along it."""
    ends: np.ndarray
    """(c,) int64: BOUNCE, STOP or LEAVE, what a bead does at an end of its path."""
    side: np.ndarray
    """(c, 3) unit vector that defines the direction across the path (path_frame.py), laboratory frame."""
    level: np.ndarray
    """(c,) bool: the track is below the bead, opposite to `side`; else it is curved about `side`."""
    weights: np.ndarray
    """(3, c) mass m [kg], friction c [N s/m] and 1/(f m) [1/kg], in rows for SIMD access."""
    tracked: np.ndarray
    """(c,) bool: has Coulomb friction or a one-sided track; core/polhode/physics/tracks finds its events."""
    force_needed: float
    """1 if any bead is tracked: every evaluation writes the path geometry that its constraint force needs; else 0."""
    moved: bool
    """Whether any path moves."""
    carrier: np.ndarray
    """(c,) int64 index of the body that the path moves with (core/polhode/physics/carried), or NOTHING."""
    paths: Paths
    at: int = 0
    """Index of their first number in the state."""


class BeadWork(KernelStruct):
    """Scratch, laboratory frame: geometry and motion of the paths at the beads.

    Written by REDUCE, of idle rows on moving paths by PROJECT, and read by PROJECT, unless stated otherwise. Of a path
    at rest `curvature`, `shift`, `velocity` and `acceleration` are written only if the constraint force is requested;
    `across` only of rolling beads or then.
    """

    tangent: np.ndarray
    """(c, 3) unit tangent t = dr/dl, towards larger q."""
    across: np.ndarray
    """(c, 3) unit vector e across t, the axis of forward rolling."""
    across_change: np.ndarray
    """(c, 3) [1/m] de/dl of rolling beads on paths that turn."""
    curvature: np.ndarray
    """(c, 3) [1/m] curvature vector chi = dt/dl."""
    stretch: np.ndarray
    """(c,) |dr/dq|, lengths [m] per unit of q."""
    shift: np.ndarray
    """(c, 3) [m] displacement x0 of the paths."""
    velocity: np.ndarray
    """(c, 3) [m/s] v0 of the paths; zero of a path at rest."""
    acceleration: np.ndarray
    """(c, 3) [m/s^2] a0 of the paths."""
    constraint: np.ndarray
    """(c, 3) [N] constraint force S of the path on the bead; written by PROJECT if the path moves or S is requested."""
    coulomb: np.ndarray
    """(c,) [N] Coulomb friction along t, part of S; written by SOLVE of core/polhode/physics/tracks, 0 without it."""
    piece: np.ndarray
    """(c,) int64 spline piece of the last evaluation, the first guess of the next."""
    turn: np.ndarray
    """(c,) whole periods in q at the last evaluation, of beads whose bodies are idle; nan if unknown."""
    slope: np.ndarray
    """(3, c) dr/dq of beads whose bodies are idle rows; written and read by PROJECT."""
    loaded: np.ndarray
    """(1,) set to 0 by REDUCE, to 1 by LAW: PROJECT then includes forces; without them the speeds stay constant."""
    constraint_requested: np.ndarray
    """(1,) not 0: `constraint`, `curvature` and `across` are computed for every bead; set by OBSERVE and FINISH while
    needed, always if any bead is tracked.
    """
    history_invalid: np.ndarray
    """(1,) not 0 after a bead reached an end: earlier rates do not apply. Set by FINISH, reset by the method."""


def make_bead_work(beads: Beads) -> BeadWork:
    """Scratch arrays for the beads of a model; before the first evaluation |r'| is 1 and no spline piece is known."""
    count = len(beads.body)
    of_beads = ["tangent", "across", "across_change", "curvature", "shift", "velocity", "acceleration", "constraint"]
    arrays: dict[str, np.ndarray] = {name: np.zeros((count, 3)) for name in of_beads}
    arrays |= {name: np.zeros(1) for name in ("loaded", "history_invalid")}
    arrays |= {"coulomb": np.zeros(count), "constraint_requested": np.array([beads.force_needed])}
    of_waiting = {"turn": np.full(count, np.nan), "slope": np.zeros((3, count))}
    return BeadWork(**arrays, stretch=np.ones(count), piece=beads.paths.first_piece.copy(), **of_waiting)


def bead_states(beads: Beads, state: np.ndarray) -> np.ndarray:
    """(3, c) view of the beads in the state: rows q, dl/dt [m/s] and HOLD, which is ON_ITS_PATH, AT_THE_END or GONE."""
    count = len(beads.body)
    return state[beads.at : beads.at + BEAD_SIZE * count].reshape(BEAD_SIZE, count)


@view
def bead_rows(beads: Beads, state: np.ndarray) -> np.ndarray:
    """(3, c) view as `bead_states`, for kernels; `state` (k,)."""
    return rows_within(state, beads.at, BEAD_SIZE, len(beads.body))


@kernel
def is_held(hold: float) -> bool:
    """Whether a bead is on its path, sliding or at rest at an end; `hold` is its HOLD.

    HOLD takes three values only, except while a finite difference of the implicit method perturbs it.
    """
    return hold < 0.5 * (AT_THE_END + GONE)


@kernel
def moves_along(hold: float) -> bool:
    """Whether a bead slides along its path, rather than resting at an end of it or having left it."""
    return hold < 0.5 * (ON_ITS_PATH + AT_THE_END)
