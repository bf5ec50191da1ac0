"""The arrays that kernels use: Model (constant), State (flat vector), Inputs (the outside world), Work (scratch).

The subjects of a scene make their members of the three structs, and say which numbers of the state are theirs: see
core/engine/part.py. Sections of the state stand in the order of the registry, the energy ledger is the last one.

A body's reference point is where its motion is counted from: the point that a pivot or an axle holds, the centre of
mass of a free body, the origin of a fixed or driven one. Body-frame components are along u1, u2, u3; everything else is
in the laboratory frame. SI units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.jit.kernel_struct import ComposedStruct, KernelStruct

NOTHING = -1  # where the number of a body or a point is asked for


class Model(ComposedStruct):
    """What is constant while a scene runs."""

    ledger: int  # where the ledger begins in the state
    is_momentum: np.ndarray  # (k,) bool: which numbers of the state forces change: momenta, and the ledger
    friction_stop_time: float  # [s] in which dry friction brings to rest what it can hold, at the scene's time step


class Inputs(ComposedStruct):
    """What the outside world may change between batches."""


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


class Work(ComposedStruct):
    """Scratch: where everything is in space now, and what acts on it."""

    program: Program
    idle: np.ndarray  # (2,) int64: numbers idle[0] ... idle[1] - 1 of the state wait (core/engine/idle.py); 0, 0: none
    stop_time: np.ndarray  # (1,) [s] in which dry friction brings to rest what it can hold, at the current time step
    energy: np.ndarray  # (ENERGIES,) [J] as they were summed last
    crew: np.ndarray  # who does which part
    part_lost: np.ndarray  # (PARTS,) int64: numbers of the next state that are not finite, by parts of it
    factors: np.ndarray  # (2,) [s] of this rate and the last one in what is combined
    power: np.ndarray  # (LEDGER_SIZE,) [W] how fast energy comes in
    rate: np.ndarray  # (k,) time derivative of the state
    stage: np.ndarray  # (k,) state within a step, and the next state until it is seen to be finite
    middle: np.ndarray  # (k,) another state within a step
    increment: np.ndarray  # (k,) what the step adds, or another rate
    drift: np.ndarray  # (1,) largest |u_i.u_j - delta_ij| before repair since it was last set to zero
    tape: SampleBuffer
