"""Engine record of the mouse interaction: one law, present only while something is pulled."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING, Inputs, Model, Work
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.grab.arrays import no_pull
from polhode.physics.grab.mouse_pull import add_pull


@kernel
def pull(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: forces of the mouse on bodies and points."""
    add_pull(model.bodies, model.points, inputs.pull, state, work.bodies, work.points, work.power)
    return 0.0


PART = Part(
    "grab",
    inputs=lambda scene, model: {"pull": no_pull()},
    is_in=lambda model, inputs: inputs.pull.body != NOTHING or inputs.pull.point != NOTHING,
    laws={"applied": pull},
)
