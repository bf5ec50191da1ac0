"""Warnings that a scene leaves the model's range of validity: point dipoles too close, modes that buckle, a magnetic
field by formulas that breaks Maxwell's equations, magnets that are fast or touch a conducting plate, shapes that
overlap too deeply; and joints that have broken.

The field of a dipole approximates that of a magnet from a distance of about two of its sizes on. A mode with w^2 < 0
grows instead of swinging, so a linear basis about that rest has no meaning for it. The run continues unchanged; each
pair of bodies is named once.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any

import numpy as np

from polhode.analysis.deep_overlaps import deep_overlaps, deep_overlaps_in_run
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Inputs, Work
from polhode.engine.rates import place
from polhode.formulas.vector_fields import curl_and_divergence, samples
from polhode.physics.breaking.compile import broken_springs
from polhode.physics.coils.checks import circuit_warnings
from polhode.physics.conductors.checks import conductor_warnings
from polhode.physics.induced.checks import dipoles_too_near, iron_too_near, warnings_of_dipoles
from polhode.physics.iron.checks import iron_beside_plates, warnings_of_charges, warnings_of_iron
from polhode.physics.iron.coil_checks import circuits_beside_iron, warnings_of_wires
from polhode.physics.joints.checks import broken_joints
from polhode.physics.magnets.arrays import Dipoles
from polhode.physics.magnets.dipole_cloud import EXACT, INDUCED
from polhode.physics.magnets.proximity import next_too_near
from polhode.physics.modal.normal_modes import Modes
from polhode.physics.plates.validity import changing_field, warnings_of_plates
from polhode.scene.checks.start_positions import start_positions
from polhode.scene.formula_vector import texts
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Body, FormulaField, Scene

MOST_WARNINGS = 8  # largest number of pairs that are named
MAXWELL = 1e-9  # of the largest derivative of the field: below that its divergence and its curl count as zero
BUDGET = 200_000  # pairs of bodies and dipoles per check, so that it is faster than a step of a large scene

Warnings = tuple[tuple[Problem, ...], dict[tuple[str, str], Problem]]
"""The warnings of a run, and those among them that name two bodies by these names."""


class ModelWarnings:
    """Checks a run between its batches and collects warnings. Used by the simulating thread."""

    def __init__(self) -> None:
        self.warnings: list[Problem] = []  # of this run, in order of detection
        self._named: dict[tuple[str, str], Problem] = {}  # by the names of two bodies
        self._next = (0, 1)

    def set_scene(self, compiled: CompiledScene) -> None:
        """Check another scene, at first its modes; pairs of bodies that were named are not named again.

        Warnings about bodies that the scene does not have, and about parameters of the previous scene, are dropped.
        """
        names = {body.name for body in compiled.scene.bodies}
        self._named = {pair: warning for pair, warning in self._named.items() if names.issuperset(pair)}
        self._begin(compiled)

    def restart(self, compiled: CompiledScene) -> None:
        """Check another run of a scene: warnings of the previous run are dropped."""
        self._named = {}
        self._begin(compiled)

    def _begin(self, compiled: CompiledScene) -> None:
        """Set the scene, with warnings about its modes and about the pairs that were named."""
        self._built, self._next = compiled, (0, 1)
        numbers = {soft.name: number for number, soft in enumerate(compiled.scene.soft)}
        modes = [unstable_modes(numbers[name], name, part.modes) for name, part in compiled.modal.items()]
        self.warnings = [*self._named.values(), *filter(None, modes), *impossible_field(compiled.scene)]
        self.warn((*changing_field(compiled.scene), *circuit_warnings(compiled), *conductor_warnings(compiled)))
        self.warn((*deep_overlaps(compiled), *iron_beside_plates(compiled.scene), *circuits_beside_iron(compiled)))

    @property
    def saved(self) -> Warnings:
        """The warnings of the run, which another run of the same scene may take over."""
        return tuple(self.warnings), dict(self._named)

    @saved.setter
    def saved(self, saved: Warnings) -> None:
        self.warnings, self._named = list(saved[0]), dict(saved[1])

    def update_scene(self, compiled: CompiledScene) -> None:
        """The same scene with other parameters."""
        self._built = compiled

    def warn(self, problems: Iterable[Problem]) -> None:
        """Add further warnings, one for each place."""
        for problem in problems:
            if problem.place not in {known.place for known in self.warnings}:
                self.warnings.append(problem)

    def check(self, inputs: Inputs, time: float, state: np.ndarray, work: Work, budget: int = BUDGET) -> None:
        """Check a state (k,) at `time` [s], in a large scene as many pairs as the budget allows; the next call
        continues.

        The state is placed. After MOST_WARNINGS warnings nothing is checked.
        """
        self.warn(broken_joints(self._built.scene, self._built.model.joints, state))
        self.warn(broken_springs(self._built.scene, self._built.model.breaking, state))
        bodies, dipoles = self._built.scene.bodies, self._built.model.dipoles
        place(self._built.model, inputs, time, state, work)
        known = {warning.place for warning in self.warnings}
        built, of_plates = self._built, warnings_of_plates(self._built, time, state, work)
        of_iron = chain(
            warnings_of_charges(built, time, state, work),
            warnings_of_iron(built, time, state, work),
            warnings_of_wires(built, time, state, work),
        )
        near = dipoles_too_near(built, time, state, work)
        seen = chain(
            of_plates, of_iron, warnings_of_dipoles(built, time, work), near, deep_overlaps_in_run(built, work)
        )
        self.warn(islice((each for each in seen if each.place not in known), max(0, MOST_WARNINGS - len(known))))
        while len(self.warnings) < MOST_WARNINGS:
            a, b, found = next_too_near(dipoles, work.bodies, work.dipoles, self._known(), *self._next, budget)
            self._next = a, b
            if not found:
                return
            if any(INDUCED in dipoles.form[dipoles.first[k] : dipoles.first[k + 1]] for k in (a, b)):
                warning = iron_too_near(self._built.scene, a, b, time)
            else:
                warning = _warning(a, bodies[a], b, bodies[b], time, _is_coarse(dipoles, a, b))
            self._named[bodies[a].name, bodies[b].name] = warning
            self.warnings.append(warning)

    def _known(self) -> np.ndarray:
        """(m, 2) indices of the pairs of bodies that were named, the smaller first; -1 for a removed body."""
        numbers = {body.name: number for number, body in enumerate(self._built.scene.bodies)} if self._named else {}
        pairs = [sorted(numbers.get(name, -1) for name in pair) for pair in sorted(self._named)]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def unstable_modes(number: int, name: str, modes: Modes) -> Problem | None:
    """Warning about modes of a soft body with negative w^2, kept ones or dropped ones; None if there are none.

    number: index of the soft body in the scene, for the place of the warning
    """
    kept = int((modes.squares < 0.0).sum())
    lowest = min([0.0, *modes.squares, *modes.dropped])
    if lowest == 0.0:
        return None
    values = {"count": kept + len(modes.dropped), "name": name, "lowest": lowest}
    if kept:
        rule = Message(
            "{count} of the modes of '{name}' buckle (w^2 down to {lowest:.3g} 1/s^2) and move with w = 0", **values
        )
        return Problem(f"soft[{number}].modes", rule, Message('unstable_modes = "drop" leaves them out'))
    rule = Message(
        "{count} of the modes of '{name}' buckle (w^2 down to {lowest:.3g} 1/s^2) and are left out", **values
    )
    return Problem(f"soft[{number}].modes", rule, Message('unstable_modes = "clamp" lets them move'))


def impossible_field(scene: Scene) -> list[Problem]:
    """Warnings about a magnetic field by formulas whose divergence or curl is not zero where things start."""
    field = scene.world.magnetic_field
    if not isinstance(field, FormulaField):
        return []
    formulas, points = texts(field.components, scene.folder), samples(start_positions(scene))
    curl, divergence, size = curl_and_divergence(formulas, points, 0.0)
    largest, found = float(size.max(initial=0.0)), []
    if (divergence > MAXWELL * largest).any():
        rule = Message("div B is up to {value:.3g} T/m, but no magnetic field has sources", value=divergence.max())
        remedy = Message("change a component, such as that along z to -2 times those along x and y")
        found.append(Problem("world.magnetic_field", rule, remedy))
    if (curl > MAXWELL * largest).any():
        rule = Message("curl B is up to {value:.3g} T/m, which needs currents where it acts", value=curl.max())
        remedy = Message("make B a gradient, or accept it")
        found.append(Problem("world.magnetic_field", rule, remedy))
    return found


def _is_coarse(dipoles: Dipoles, a: int, b: int) -> bool:
    """Whether the cells of a cloud, rather than the sizes of single dipoles, limit how near bodies a and b may come."""
    numbers = np.r_[dipoles.first[a] : dipoles.first[a + 1], dipoles.first[b] : dipoles.first[b + 1]]
    numbers = numbers[dipoles.form[numbers] != EXACT]
    clearance, size = dipoles.clearance[numbers], dipoles.size[numbers]
    return bool(clearance.max(initial=0.0) > size[clearance == 0.0].max(initial=0.0))


def _warning(a: int, one: Body, b: int, other: Body, time: float, is_coarse: bool) -> Problem:
    """The warning about the magnets of bodies a and b; its remedy depends on whether points or clouds are the limit."""
    named: dict[str, Any] = {"time": time, "one": one.name, "other": other.name}
    if is_coarse:
        rule = Message(
            "at t = {time:.4g} s the magnets of '{one}' and '{other}' are nearer than one and a half cells of a cloud",
            **named,
        )
    else:
        rule = Message(
            "at t = {time:.4g} s the magnets of '{one}' and '{other}' are nearer than two of their sizes", **named
        )
    if (one.dipole or other.dipole) and not is_coarse:
        remedy = Message("point dipoles are inaccurate there: fill their shapes with magnet = { moment = ... } instead")
    else:
        remedy = Message(
            "the cloud of dipoles is too coarse there: give their magnets more dipoles, or keep them apart"
        )
    return Problem(f"body[{a}] and body[{b}]", rule, remedy)
