"""Engine record of the air: one law, for scenes in which points or bodies have a drag coefficient."""

from __future__ import annotations

import numpy as np

from core.engine.model import Inputs, Model, Work
from core.engine.part import Part
from core.jit.kernel import kernel
from core.physics.air.compile import build_air
from core.physics.air.drag import add_drag


@kernel
def drag(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: drag on points and bodies."""
    add_drag(model.bodies, model.points, inputs.air, time, state, work.bodies, work.points, work.power)
    return 0.0


PART = Part(
    "air",
    input_fields=("wind",),
    inputs=lambda scene, model: {"air": build_air(scene.world)},
    is_in=lambda model, inputs: bool(inputs.air.drag != 0.0 or model.bodies.drag.any()),
    laws={"drag": drag},
)
