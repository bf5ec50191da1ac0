"""Largest stable step of strings that may become taut: x'' = -(k/m) x - (d/m) x' along it, 1/m the sum of both ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import NOTHING
from polhode.scene.message import Message
from polhode.scene.problem import Problem


@dataclass(frozen=True, eq=False)
class TautString:
    """A string that may become taut."""

    eigenvalues: np.ndarray  # (2,) [1/s] of its motion while it is taut
    number: int  # among the springs of the scene

    @property
    def cause(self) -> Message:
        """Description of the cause, for the end of a sentence about the step."""
        return Message("spring[{number}] while it is taut", number=self.number)

    def problem(self, step: float, longest: float) -> Problem:
        """Warning about a step [s] that is longer than its largest stable one."""
        rule = Message(
            "{step:g} s is longer than spring[{number}] allows while it is taut, {longest:.2g} s",
            step=step,
            number=self.number,
            longest=longest,
        )
        return Problem("solver.time_step", rule, Message("shorten it, or make the string softer"))


def taut_strings(compiled: CompiledScene) -> list[TautString]:
    """All strings with a stiffness."""
    springs, found = compiled.model.springs, []
    for number, spring in enumerate(compiled.scene.spring):
        if spring.pull_only and spring.stiffness is not None:
            inverse = sum(_inverse_mass(compiled, int(end[number])) for end in (springs.first, springs.second))
            found.append(TautString(np.roots([1.0, spring.damping * inverse, spring.stiffness * inverse]), number))
    return found


def _inverse_mass(compiled: CompiledScene, end: int) -> float:
    """1/m [1/kg] of a spring's end, 0 if no force moves it: of a point, or of a body in its most mobile direction."""
    model, anchor = compiled.model, end - len(compiled.model.points.mass)
    if anchor < 0:
        return 0.0 if compiled.inputs.held[end] else float(model.points.inverse_mass[end])
    body = int(model.anchors.body[anchor])
    if body == NOTHING or compiled.scene.bodies[body].support in ("fixed", "driven"):
        return 0.0
    arm = np.cross(np.eye(3), model.anchors.position[anchor])  # rows: r x F of unit forces, up to the sign
    turning = float(np.linalg.eigvalsh(arm @ model.bodies.inverse_inertia[body] @ arm.T).max())
    return turning + (1 / float(model.bodies.mass[body]) if compiled.scene.bodies[body].support == "free" else 0.0)
