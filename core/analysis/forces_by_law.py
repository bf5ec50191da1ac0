"""The forces of a moment law by law, for who wants to see them; the solver itself only ever has their sum."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.engine.model import FREE, Inputs, Model, Work
from core.engine.part import Hook
from core.engine.rates import place
from core.engine.registry import SUBJECTS
from core.simulation.snapshot import Forces


def laws(model: Model, inputs: Inputs) -> dict[str, Hook]:
    """The laws of a scene's subjects by their names; the friction of supports is a torque alone."""
    found: dict[str, Hook] = {}
    for part in SUBJECTS:
        if part.is_in(model, inputs):
            found |= part.laws if part.shown is None else part.shown
    return found


def force_parts(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> Mapping[str, Forces]:
    """What each law does to bodies and points at `time` [s]; a law that does nothing is left out."""
    found = {}
    for name, law in laws(model, inputs).items():
        place(model, inputs, time, state, work)
        work.point_force[:] = 0.0
        law(model, inputs, time, state, work, work.energy)
        if work.force.any() or work.torque.any() or work.point_force.any():
            found[name] = _told(model, work)
    return found


def _told(model: Model, work: Work) -> Forces:
    free = (model.bodies.support == FREE)[:, None]
    torque = np.where(free, work.torque - np.cross(work.arm, work.force), work.torque)
    center = work.position + work.arm
    about = np.where(free, center, work.position)
    return Forces(work.force.copy(), center, work.point_force.T.copy(), torque, about)
