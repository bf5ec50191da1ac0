"""Gravity as the engine knows it. The weight of bodies is a part of every step: core/engine/rates.py."""

from __future__ import annotations

import numpy as np

from core.engine.model import Inputs, Model, Work
from core.engine.part import Part
from core.jit.kernel import kernel
from core.physics.frame.gravity import add_weight_of_bodies, begin_with_weight, weight_energy


@kernel
def weight_of_points(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    begin_with_weight(model, inputs, work)
    return 0.0


@kernel
def weight(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    add_weight_of_bodies(model, inputs, work)
    begin_with_weight(model, inputs, work)
    return 0.0


@kernel
def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    out[1] += weight_energy(model, inputs, state, work)
    return 0.0


BODIES = Part(
    "weight", is_in=lambda model, inputs: True, meets_bodies=False, energy=(energy,), shown={"gravity": weight}
)
POINTS = Part(
    "weight of points",
    is_in=lambda model, inputs: len(model.points.mass) > 0,
    meets_bodies=False,
    laws={"gravity": weight_of_points},
    shown={},
)
