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
    found = []
    for number, spring in enumerate(compiled.scene.spring):
        if spring.pull_only and spring.stiffness is not None:
            inverse = sum(pulls**2 * _inverse_mass(compiled, node) for node, pulls in _nodes(compiled, number).items())
            found.append(TautString(np.roots([1.0, spring.damping * inverse, spring.stiffness * inverse]), number))
    return found


def _nodes(compiled: CompiledScene, number: int) -> dict[int, float]:
    """The ends and the moving pulleys of a string, each with the largest number of strands that pull at it together."""
    springs, laws = compiled.model.springs, compiled.model.tension_laws
    k = int(np.flatnonzero(laws.spring == number)[0])
    if not laws.has_course[k]:
        return {int(end[number]): 1.0 for end in (springs.first, springs.second)}
    between = laws.node[laws.first_node[k] : laws.first_node[k + 1]].tolist()
    places = [int(springs.first[number]), *between, int(springs.second[number])]
    strands = [0.0, *laws.strands[laws.first_strand[k] : laws.first_strand[k + 1]].tolist(), 0.0]
    return {place: strands[i] + strands[i + 1] for i, place in enumerate(places)}


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
