"""Engine record of the mouse interaction: one law, present only while something is pulled."""

from __future__ import annotations

from polhode.engine.model import NOTHING, Step
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.grab.arrays import no_pull
from polhode.physics.grab.mouse_pull import add_pull


@kernel
def pull(s: Step) -> None:
    """LAW: forces of the mouse on bodies and points."""
    add_pull(s.model.bodies, s.model.points, s.inputs.pull, s.state, s.work.bodies, s.work.points, s.work.power)


PART = Part(
    "grab",
    inputs=lambda scene, model: {"pull": no_pull()},
    is_in=lambda model, inputs: inputs.pull.body != NOTHING or inputs.pull.point != NOTHING,
    laws={"applied": pull},
)
