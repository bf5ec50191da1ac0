"""Forces of each law, for display; the solver uses their sum only.

The laws are called one by one with empty sums, outside of the time integration, so the result is that of the instant
and has no effect on the run.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from polhode.engine.model import Inputs, Model, Step, Work
from polhode.engine.part import Hook
from polhode.engine.rates import place
from polhode.engine.registry import SUBJECTS
from polhode.engine.work import run_hooks
from polhode.physics.bodies.arrays import FREE
from polhode.simulation.snapshot import ForceStates


def laws(model: Model, inputs: Inputs) -> dict[str, Hook]:
    """Hooks of the laws of a scene, by name; the friction of supports is a torque only.

    A subject may show parts of a law under names of their own instead (`Part.shown`).
    """
    found: dict[str, Hook] = {}
    for part in SUBJECTS:
        if part.is_in(model, inputs):
            found |= part.laws if part.shown is None else part.shown
    return found


def forces_by_law(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work
) -> Mapping[str, ForceStates]:
    """Forces of each law on bodies and points at `time` [s], laboratory frame; laws without effect are left out.

    Overwrites sums and energies in `work`; arrays of the result are copies, (n, 3) for bodies and (p, 3) for points.
    """
    found = {}
    for name, law in laws(model, inputs).items():
        place(model, inputs, time, state, work)
        work.points.force[:] = 0.0
        run_hooks([law], Step(model, inputs, time, state, work, work.energy))
        if work.bodies.force.any() or work.bodies.torque.any() or work.points.force.any():
            found[name] = _forces_of(model, work)
    return found


def _forces_of(model: Model, work: Work) -> ForceStates:
    """Forces and torques (n, 3) of `work`; torques of free bodies are shifted to their centres of mass.

    The sums in `work` are about the reference point: T_c = T - com_offset x F.
    """
    free = (model.bodies.support == FREE)[:, None]
    torque = np.where(
        free, work.bodies.torque - np.cross(work.bodies.com_offset, work.bodies.force), work.bodies.torque
    )
    center = work.bodies.position + work.bodies.com_offset
    about = np.where(free, center, work.bodies.position)
    return ForceStates(work.bodies.force.copy(), center, work.points.force.T.copy(), torque, about)
