"""Constants of eight scenes side by side, as kernels read them: each number is a row of eight.

Where all lanes run one scene, each number is there once: eight copies take room in the nearest cache from the states,
and kernels read a number and spread it as fast as a row. Kernels are compiled for either from the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.pages import aligned_zeros
from polhode.jit.simd import WIDTH
from polhode.run.lanes.body import LaneBody

MASS, INVERSE_MASS, FRICTION, DRAG, QUADRATIC_DRAG, FREQUENCY = range(6)
WIND, GRAVITY, FIELD, SINE, CENTER, ORIGIN = range(6, 24, 3)
INVERSE_INERTIA, TURNABLE, INERTIA, NUMBERS = range(24, 52, 9)


class LaneConstants(KernelStruct):
    """Constants of the moving body in each of eight scenes, and of the laws on it, as in LaneBody.

    Shapes of arrays are those of eight scenes; of one scene in all lanes the second axis is missing.
    """

    body: int
    """Index of the body that moves; this and the next six are the same in all lanes."""
    support: int
    restricted: bool
    round: bool
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


def lane_constants(bodies: Sequence[LaneBody]) -> LaneConstants:
    """The constants of one to eight scenes that `go_together`; the last one is in all further lanes."""
    return _constants([*bodies, *[bodies[-1]] * (WIDTH - len(bodies))], _rows)


def shared_constants(body: LaneBody) -> LaneConstants:
    """The constants of one scene that is in all lanes."""
    return _constants([body], lambda columns: columns[0].flatten())


def _constants(bodies: Sequence[LaneBody], arranged: Callable[[Sequence[np.ndarray]], np.ndarray]) -> LaneConstants:
    """The constants of scenes that `go_together`; arranged: array of a struct from that of each scene."""
    first = bodies[0]
    return LaneConstants(
        body=first.body,
        support=first.support,
        restricted=first.restricted,
        round=first.round,
        has_drag=any(bool(body.drag.any()) for body in bodies),
        field_varies=any(body.frequency != 0.0 and len(body.moment) > 0 for body in bodies),
        permeability=first.permeability,
        numbers=arranged([_numbers(body) for body in bodies]),
        arm=arranged([body.arm for body in bodies]),
        moment=arranged([body.moment for body in bodies]),
        position=arranged([body.position for body in bodies]),
        source=arranged([body.source for body in bodies]),
    )


def go_together(bodies: Sequence[LaneBody]) -> bool:
    """True if the scenes differ in per-lane constants only."""
    return len({_shared(body) for body in bodies}) == 1


def _shared(body: LaneBody) -> tuple[object, ...]:
    """Key that all lanes of a vector share."""
    flags = body.body, body.support, body.restricted, body.round
    return *flags, body.permeability, len(body.arm), len(body.position)


def _numbers(body: LaneBody) -> np.ndarray:
    """(NUMBERS,) of one scene."""
    vectors = body.wind, body.gravity, body.field, body.sine, body.center, body.origin
    matrices = body.inverse_inertia.ravel(), body.turnable.ravel(), body.inertia.ravel()
    first = body.mass, 1.0 / body.mass, body.friction, *body.drag, body.frequency
    return np.concatenate([first, *vectors, *matrices])


def _rows(columns: Sequence[np.ndarray]) -> np.ndarray:
    """(n, 8) of eight arrays of n numbers; no row lies in two lines of the cache."""
    rows = aligned_zeros(columns[0].size * WIDTH).reshape(-1, WIDTH)
    for lane, column in enumerate(columns):
        rows[:, lane] = column.ravel()
    return rows
