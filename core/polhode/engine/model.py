"""Kernel structs: Model (constant), State (a flat vector), Inputs (set between batches of steps), Work (scratch).

Each subject of the scene makes its members of the three structs and states which section of the state it owns: see
core/polhode/engine/part.py. The sections follow each other in the order of the registry; the energy ledger is the last
one.

The reference point of a body is the point about which its motion is described: the fixed point of a pivot or axle, the
centre of mass of a free body, the origin of a fixed or driven one. Body-frame components are along u1, u2, u3;
everything else is in the laboratory frame. SI units.

Parameters of kernels that have the same shape everywhere:

- `state`, `rate`: (k,) flat state and its time derivative
- `out`: what the phase of a hook defines (core/polhode/engine/part.py)
- `power`: (LEDGER_SIZE,) [W] rates of the energy ledger (core/polhode/engine/ledger.py)
- `stop_time`: (1,) [s] as in Work
- `history`: (h, k) rates of earlier steps, or rows of scratch, of an integration method
- `gravity`: (3,) [m/s^2] in the laboratory frame
- `track`: (TRACK_SIZE,) track of the distance sensor (core/polhode/physics/sensor/sensor_motion.py)
- `held`: (p,) bool, points that no force moves
- `work_sharing`: (SIZE,) int64 (core/polhode/jit/work_sharing.py)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from polhode.jit.kernel_struct import Addresses, ComposedStruct, KernelStruct

VECTOR = types.Array(types.float64, 1, "C")
NOTHING = -1  # in place of an index of a body or a point: none


class Model(ComposedStruct):
    """Constants of a scene: `ledger`, `is_momentum`, `friction_stop_time`, and the members of the subjects."""

    ledger: int
    """Index of the energy ledger in the state, its last section."""
    is_momentum: np.ndarray
    """(k,) bool: components of the state whose rates depend on forces: momenta and the ledger."""
    friction_stop_time: float
    """[s] in which dry friction brings slow sliding to rest, at the scene's time step."""


class Inputs(ComposedStruct):
    """Values that may change between batches of steps: fields, the sensor track, mouse interactions. Constant during a
    batch.

    Other values need no compilation: the same machine code reads them.
    """


class Clock(NamedTuple):
    """Time as a whole number of steps since a start, without accumulated rounding: t = start + (done + n) step."""

    start: float
    """[s]."""
    step: float
    """[s]."""
    done: int
    """Number of steps since the start."""


class Step(NamedTuple):
    """The argument of a hook (core/polhode/engine/part.py), whose members numba passes one by one."""

    model: Model
    inputs: Inputs
    time: float
    """[s]."""
    state: np.ndarray
    """(k,)."""
    work: Work
    out: np.ndarray
    """(n,) output that the phase of the hook defines."""


def step_type(model: Any, inputs: Any, work: Any) -> types.NamedTuple:
    """numba type of a Step, from those of its structs."""
    return types.NamedTuple((model, inputs, types.float64, VECTOR, work, VECTOR), Step)


class StoredStates(KernelStruct):
    """States stored during a batch of steps, for outputs between the ends of batches."""

    states: np.ndarray
    """(r, k) stored states, written at the end of a step."""
    count: np.ndarray
    """(3,) int64: store every n-th step, steps to the next one that is stored (0: none), rows in use."""


class Program(KernelStruct):
    """Addresses of the hooks of a scene (core/polhode/engine/part.py): those of phase f are first[f] ... first[f + 1] -
    1.

    Written once by core/polhode/engine/work.py; hooks of subjects that a scene lacks are not among them.
    """

    first: np.ndarray
    """(PHASES + 1,) int64."""
    address: Addresses
    """(h,) int64 address of the machine code of each hook."""
    column: np.ndarray
    """(h,) int64 index of the first column of an OBSERVE hook, or of the first value of a SWITCH or
    IMPACT hook.
    """
    width: np.ndarray
    """(1,) int64 length of a row of the table: time and the columns of all hooks."""
    only_beads: np.ndarray
    """(1,) int64 not 0: no hooks but those of beads read or act on bodies."""


class Work(ComposedStruct):
    """Scratch arrays, written by the phases of a step (core/polhode/engine/program.py); k is the length of the state.

    Subjects add their own members, named in their part.py.
    """

    program: Program
    idle: np.ndarray
    """(2,) int64: rows idle[0] ... idle[1] - 1 of the state are idle (idle.py); 0, 0: none. Written by BEGIN."""
    cancel: np.ndarray
    """(1,) int64: not 0 ends the batch before the next step; another thread may set it during the batch."""
    stop_time: np.ndarray
    """(1,) [s] in which dry friction brings slow sliding to rest, at the current time step."""
    step: np.ndarray
    """(1,) [s] length of the current step, or of the part of it that is taken. Written by the loop of steps."""
    decisions: np.ndarray
    """(1,) int64: when laws decide what touches: DECIDE, STORE or STORED (program.py). Written by the method."""
    later: np.ndarray
    """(1,) int64: not 0 in all evaluations of a step but the first, when laws that iterate may begin with the result of
    the last evaluation. Written by the method.
    """
    energy: np.ndarray
    """(ENERGIES,) [J] passed to LAW and ENERGY as `out`; meaningful after ENERGY only."""
    work_sharing: np.ndarray
    """(SIZE,) int64 shared counters of the helper thread (core/polhode/jit/work_sharing.py)."""
    nonfinite_counts: np.ndarray
    """(PARTS,) int64 non-finite components of the next state, by part."""
    factors: np.ndarray
    """(2,) [s] factors of the current and the last rate in combine_rates."""
    power: np.ndarray
    """(LEDGER_SIZE,) [W] rates of the energy ledger; zero before PLACE, added to by LAW, SOLVE and PROJECT, then copied
    to the rates of the ledger.
    """
    rate: np.ndarray
    """(k,) time derivative of the state, written by PROJECT; scratch in FINISH."""
    stage: np.ndarray
    """(k,) stage of a step, and the next state until it is accepted; of idle rows it holds the constant bases."""
    second_stage: np.ndarray
    """(k,) another stage of a step."""
    increment: np.ndarray
    """(k,) weighted sum of rates of a step, or another rate, as the method defines."""
    basis_error: np.ndarray
    """(1,) largest |u_i.u_j - delta_ij| before repair since the start of the batch; finish phase."""
    samples: StoredStates
