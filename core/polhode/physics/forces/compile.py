"""Forces of a scene as arrays: names are resolved, formulas are checked, differentiated and compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from polhode.engine.model import NOTHING, Model
from polhode.engine.part import Draft
from polhode.formulas.codegen import compile_expressions, joined
from polhode.formulas.expression import Expression
from polhode.formulas.parser import parse
from polhode.formulas.vector_fields import infinite_values, samples
from polhode.physics.bodies.arrays import Bodies
from polhode.physics.forces.arrays import Forces
from polhode.physics.forces.columns import things
from polhode.physics.forces.description import NONE, VARIABLES, Force
from polhode.physics.points.compile import point_named
from polhode.scene.checks.known_names import KnownNames
from polhode.scene.formula_vector import texts
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

AGREES = 1e-9  # difference of a force and the gradient of its energy, relative to the largest of both
Vectors = tuple[np.ndarray, np.ndarray]


def check_forces(draft: Draft) -> None:
    """Add the problems of all forces: what they act on, values that are not finite, energies of another force."""
    if "parts" not in draft.results:  # points have problems
        return
    parts = draft.results["parts"]
    bodies = {body.name for body in draft.scene.bodies}
    known = KnownNames([*(body.name for body in draft.scene.bodies), *parts.where])
    for number, force in enumerate(draft.scene.force):
        found = [] if force.on in bodies else _target_problems(force, parts.where, known)
        found = found or _value_problems(draft.scene, force, parts.where, parts.start)
        draft.problems += [problem.at(f"force[{number}]") for problem in found]


def expressions(force: Force, folder: Path) -> list[Expression]:
    """F, T, U and dU/dt of x, y, z, vx, vy, vz and t. A force that is left out is the negative gradient of U.

    folder: that of the scene
    """
    energy = parse(force.energy or "0", VARIABLES)
    torque = [parse(text, VARIABLES) for text in texts(force.torque, folder)]
    stated = [parse(text, VARIABLES) for text in texts(force.force, folder)]
    of_energy = [-energy.derivative(axis) for axis in "xyz"]
    whole = of_energy if force.energy is not None and force.force == NONE else stated
    return [*whole, *torque, energy, energy.derivative("t")]


def _target_problems(force: Force, where: Mapping[str, slice], known: KnownNames) -> list[Problem]:
    """Problems of what a force acts on, which is no body."""
    if point_named(where, force.on) == NOTHING:
        rule = Message("there is no body or point named '{name}'", name=force.on)
        return [Problem("on", rule, known.remedy(force.on.partition(".")[0]))]
    rules = []
    if force.torque != NONE:
        rules.append(Problem("torque", Message("acts on a point, which can't turn"), Message("remove it")))
    if any(force.point):
        rules.append(Problem("point", Message("is that of a body, but this is a point"), Message("remove it")))
    return rules


def _value_problems(scene: Scene, force: Force, where: Mapping[str, slice], start: np.ndarray) -> list[Problem]:
    """Problems of the values of a force; `start` (2, 3, p) has positions [m] and velocities [m/s] of all points."""
    position, velocity = _start_of(scene, force, where, start)
    given = dict(zip(VARIABLES, (*position.tolist(), *velocity.tolist()), strict=False))
    names = [f"{what}.{axis}" for what in ("force", "torque") for axis in "xyz"]
    if force.energy is not None and force.force == NONE:
        names[:3] = ["energy"] * 3
    found = infinite_values(expressions(force, scene.folder), [*names, "energy", "energy"], given)
    found = list({problem.place: problem for problem in found}.values())
    if not found and force.energy is not None and force.force != NONE:
        found = _gradient_problems(force, scene.folder, position, velocity)
    return found


def _start_of(scene: Scene, force: Force, where: Mapping[str, slice], start: np.ndarray) -> Vectors:
    """Position [m] and velocity [m/s] at the start of the point on which a force acts, laboratory frame."""
    for body in scene.bodies:
        if body.name == force.on:
            arm = body.orientation.matrix() @ force.point
            spin = np.array(body.angular_velocity)
            return body.position + arm, np.array(body.velocity) + np.cross(spin, arm)
    point = point_named(where, force.on)
    return start[0, :, point], start[1, :, point]


def _gradient_problems(force: Force, folder: Path, position: np.ndarray, velocity: np.ndarray) -> list[Problem]:
    """The problem of a stated force that is not the negative gradient of its energy, at samples around the start."""
    alone = force.model_copy(update={"force": NONE})
    for at in (position, *samples(position[None])):
        values = dict(zip(VARIABLES, (*at.tolist(), *(velocity + 0.3).tolist(), 0.7), strict=True))
        stated, gradient = (np.array([part(values) for part in expressions(one, folder)[:3]]) for one in (force, alone))
        if np.abs(stated - gradient).max() > AGREES * max(np.abs(stated).max(), np.abs(gradient).max()):
            rule = Message(
                "has the negative gradient {gradient} at {place}, but the force there is {force}",
                gradient=_shown(gradient),
                place=_shown(at),
                force=_shown(stated),
            )
            return [Problem("energy", rule, Message("correct one of them, or leave the force out"))]
    return []


def _shown(vector: np.ndarray) -> str:
    return f"[{', '.join(f'{number:.4g}' for number in vector.tolist())}]"


def compile_forces(draft: Draft) -> None:
    """Add the member `forces` of the Model."""
    scene, bodies = draft.scene, draft.model["bodies"]
    rows = {body.name: number for number, body in enumerate(scene.bodies)}
    on = [rows.get(force.on, NOTHING) for force in scene.force]
    points = draft.results["points"]
    named = [point_named(points, force.on) for force in scene.force]
    point = np.where(np.array(on, dtype=np.int64) == NOTHING, np.array(named, dtype=np.int64), NOTHING)
    columns = things(scene)
    draft.model["forces"] = Forces(
        body=np.array(on, dtype=np.int64),
        point=point,
        arm=_arms(scene, bodies, on),
        **_formulas(scene),
        conserves=np.array([force.energy is not None for force in scene.force], dtype=np.bool_),
        any_conserves=any(force.energy is not None for force in scene.force),
        column=np.array([columns.index(force.on) for force in scene.force], dtype=np.int64),
    )


def adjusted_forces(scene: Scene, model: Model) -> dict[str, Forces] | None:
    """The member `forces` of the Model with the forces and torques of a scene; None where a check of them is needed."""
    if any(force.energy is not None and force.force != NONE for force in scene.force):
        return None
    return {"forces": replace(model.forces, **_formulas(scene))}


def _formulas(scene: Scene) -> dict[str, np.ndarray]:
    """The members of Forces for the formulas of a scene."""
    codes = [compile_expressions(expressions(force, scene.folder), VARIABLES) for force in scene.force]
    return dict(zip(("address", "first", "numbers"), joined(codes), strict=True))


def _arms(scene: Scene, bodies: Bodies, on: list[int]) -> np.ndarray:
    """(f, 3) [m] arms of the forces from the reference points of their bodies, body frame; zero on points."""
    arms = np.array([force.point for force in scene.force]).reshape(-1, 3)
    return arms + np.array([bodies.origin[b] if b != NOTHING else np.zeros(3) for b in on]).reshape(-1, 3)
