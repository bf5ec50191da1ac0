"""Engine records of the air, for scenes in which points or bodies have a drag coefficient: one law for each wind."""

from __future__ import annotations

from polhode.engine.model import Inputs, Model, Step
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.air.compile import build_air, check_wind
from polhode.physics.air.drag import add_drag, add_drag_by_formula


@kernel
def drag(s: Step) -> None:
    """LAW: drag on points and bodies."""
    add_drag(s.model.bodies, s.model.points, s.inputs.air, s.time, s.state, s.work.bodies, s.work.points, s.work.power)


@kernel
def drag_by_formula(s: Step) -> None:
    """LAW: drag on points and bodies in a wind by formulas."""
    add_drag_by_formula(
        s.model.bodies, s.model.points, s.inputs.air, s.time, s.state, s.work.bodies, s.work.points, s.work.power
    )


def _drags(model: Model, inputs: Inputs) -> bool:
    """Whether points or bodies have a drag coefficient."""
    return bool(inputs.air.drag != 0.0 or model.bodies.drag.any())


AIR = Part(
    "air",
    in_lanes=True,
    input_fields=("wind",),
    inputs=lambda scene, model: {"air": build_air(scene.world)},
    is_in=lambda model, inputs: not inputs.air.by_formulas and _drags(model, inputs),
    laws={"drag": drag},
)
WIND = Part(
    "wind by formulas",
    check_inputs=check_wind,
    is_in=lambda model, inputs: inputs.air.by_formulas and _drags(model, inputs),
    laws={"drag by formulas": drag_by_formula},
    shown={"drag": drag_by_formula},
)
PARTS = (AIR, WIND)
