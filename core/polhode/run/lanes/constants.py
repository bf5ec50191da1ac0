"""Constants of eight scenes side by side, as kernels read them: each number is a row of eight.

Where all lanes run one scene, each number is there once: eight copies take room in the nearest cache from the states,
and kernels read a number and spread it as fast as a row. Kernels are compiled for either from the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from polhode.jit.kernel_struct import Addresses, KernelStruct
from polhode.jit.pages import aligned_zeros
from polhode.jit.simd import WIDTH
from polhode.run.lanes.body import LaneBody

MASS, INVERSE_MASS, FRICTION, DRY_FRICTION, INVERSE_MOMENT, DRAG, QUADRATIC_DRAG, FREQUENCY = range(8)
WIND, GRAVITY, FIELD, SINE, CENTER, ORIGIN, AXIS = range(8, 29, 3)
INVERSE_INERTIA, TURNABLE, INERTIA, NUMBERS = range(29, 57, 9)


class LaneConstants(KernelStruct):
    """Constants of the moving body in each of eight scenes, and of the laws on it, as in LaneBody.

    Shapes of arrays are those of eight scenes; of one scene in all lanes the second axis is missing.
    """

    body: int
    """Index of the body that moves; this and the next seven are the same in all lanes."""
    support: int
    restricted: bool
    round: bool
    rubs: bool
    """Whether an axle has dry friction in any lane."""
    has_drag: bool
    """Whether there is drag in any lane."""
    field_varies: bool
    """Whether the uniform magnetic field depends on the time, and acts on dipoles, in any lane."""
    permeability: float
    numbers: np.ndarray
    """(NUMBERS, 8) rows MASS, INVERSE_MASS, ... : vectors are three rows, matrices nine."""
    arm: np.ndarray
    """(3 d, 8) rows x, y, z of each dipole of the body."""
    moment: np.ndarray
    """(3 d, 8) as `arm`."""
    position: np.ndarray
    """(3 f, 8) rows x, y, z of each dipole of the bodies at rest."""
    source: np.ndarray
    """(3 f, 8) as `position`."""
    force_arm: np.ndarray
    """(3 k, 8) rows x, y, z of the point of each force by formulas, from the reference point."""
    force_address: Addresses
    """(k, 8) int64 machine code, as in Forces."""
    force_first: np.ndarray
    """(k, 8) int64 index of the first constant of each."""
    force_numbers: np.ndarray
    """(n,) constants of the formulas of all scenes."""


def lane_constants(bodies: Sequence[LaneBody]) -> LaneConstants:
    """The constants of one to eight scenes that `go_together`; the last one is in all further lanes."""
    return _constants([*bodies, *[bodies[-1]] * (WIDTH - len(bodies))], _rows)


def shared_constants(body: LaneBody) -> LaneConstants:
    """The constants of one scene that is in all lanes."""
    return _constants([body], lambda columns: columns[0].flatten())


def _constants(bodies: Sequence[LaneBody], arranged: Callable[[Sequence[np.ndarray]], np.ndarray]) -> LaneConstants:
    """The constants of scenes that `go_together`; arranged: array of a struct from that of each scene."""
    first = bodies[0]
    each = [*bodies, *[bodies[-1]] * (WIDTH - len(bodies))]
    own = {id(body): body.force_numbers for body in bodies}
    begins = dict(zip(own, np.cumsum([0, *map(len, own.values())]).tolist(), strict=False))
    return LaneConstants(
        body=first.body,
        support=first.support,
        restricted=first.restricted,
        round=first.round,
        rubs=any(body.dry_friction > 0.0 for body in bodies),
        has_drag=any(bool(body.drag.any()) for body in bodies),
        field_varies=any(body.frequency != 0.0 and len(body.moment) > 0 for body in bodies),
        permeability=first.permeability,
        numbers=arranged([_numbers(body) for body in bodies]),
        arm=arranged([body.arm for body in bodies]),
        moment=arranged([body.moment for body in bodies]),
        position=arranged([body.position for body in bodies]),
        source=arranged([body.source for body in bodies]),
        force_arm=arranged([body.force_arm for body in bodies]),
        force_address=np.stack([body.force_address for body in each], axis=1),
        force_first=np.stack([body.force_first + begins[id(body)] for body in each], axis=1),
        force_numbers=np.concatenate([*own.values()]),
    )


def go_together(bodies: Sequence[LaneBody]) -> bool:
    """True if the scenes differ in per-lane constants only."""
    return len({_shared(body) for body in bodies}) == 1


def _shared(body: LaneBody) -> tuple[object, ...]:
    """Key that all lanes of a vector share."""
    flags = body.body, body.support, body.restricted, body.round
    return *flags, body.permeability, len(body.arm), len(body.position), len(body.force_arm)


def _numbers(body: LaneBody) -> np.ndarray:
    """(NUMBERS,) of one scene."""
    vectors = body.wind, body.gravity, body.field, body.sine, body.center, body.origin, body.axis
    matrices = body.inverse_inertia.ravel(), body.turnable.ravel(), body.inertia.ravel()
    rubbing = body.friction, body.dry_friction, body.inverse_moment
    first = body.mass, 1.0 / body.mass, *rubbing, *body.drag, body.frequency
    return np.concatenate([first, *vectors, *matrices])


def _rows(columns: Sequence[np.ndarray]) -> np.ndarray:
    """(n, 8) of eight arrays of n numbers; no row lies in two lines of the cache."""
    rows = aligned_zeros(columns[0].size * WIDTH).reshape(-1, WIDTH)
    for lane, column in enumerate(columns):
        rows[:, lane] = column.ravel()
    return rows
