"""Forces of each law, for display; the solver uses their sum only."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.engine.model import Inputs, Model, Work
from core.engine.part import Hook
from core.engine.rates import place
from core.engine.registry import SUBJECTS
from core.physics.bodies.arrays import FREE
from core.simulation.snapshot import Forces


def laws(model: Model, inputs: Inputs) -> dict[str, Hook]:
    """Hooks of the laws of a scene, by name; the friction of supports is a torque only."""
    found: dict[str, Hook] = {}
    for part in SUBJECTS:
        if part.is_in(model, inputs):
            found |= part.laws if part.shown is None else part.shown
    return found


def forces_by_law(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> Mapping[str, Forces]:
    """Forces (n, 3) of each law on bodies and points at `time` [s]; laws without effect are left out."""
    found = {}
    for name, law in laws(model, inputs).items():
        place(model, inputs, time, state, work)
        work.points.force[:] = 0.0
        law(model, inputs, time, state, work, work.energy)
        if work.bodies.force.any() or work.bodies.torque.any() or work.points.force.any():
            found[name] = _forces_of(model, work)
    return found


def _forces_of(model: Model, work: Work) -> Forces:
    free = (model.bodies.support == FREE)[:, None]
    torque = np.where(
        free, work.bodies.torque - np.cross(work.bodies.com_offset, work.bodies.force), work.bodies.torque
    )
    center = work.bodies.position + work.bodies.com_offset
    about = np.where(free, center, work.bodies.position)
    return Forces(work.bodies.force.copy(), center, work.points.force.T.copy(), torque, about)
