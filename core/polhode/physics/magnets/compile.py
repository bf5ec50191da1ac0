"""Magnets of a scene as dipoles, and the choice of their sum."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from polhode.engine.part import Draft
from polhode.formulas.codegen import compile_expressions, no_formulas
from polhode.formulas.vector_fields import components, gradient, infinite_components, rates
from polhode.physics.bodies.arrays import Bodies
from polhode.physics.magnets.arrays import Dipoles, WorldField
from polhode.physics.magnets.dipole_cloud import Magnets, magnets_of
from polhode.physics.magnets.exact.compile import check_closed_forms, closed_forms
from polhode.physics.magnets.tree import TreeSettings, settings
from polhode.scene.checks.start_positions import start_positions
from polhode.scene.formula_vector import POSITION_AND_TIME, texts
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Body, FormulaField, RotatingField, Scene, Solver, UniformField

MANY = 4000  # number of dipoles from which the tree is faster than all pairs: benchmarks/many_dipoles.py
USUAL = 1e-4  # tolerance to which that number applies
COINCIDENT = 1e-9  # [m] distance below which two magnets are at the same position


def check_magnets(draft: Draft) -> None:
    """Compute the magnets of valid bodies, and add their problems to the draft."""
    if draft.problems:
        return
    magnets = tuple(magnets_of(draft.scene, body, draft.meshes) for body in draft.scene.bodies)
    draft.results["magnets"] = magnets
    draft.problems += _coinciding(draft.scene.bodies, magnets)
    draft.problems += check_closed_forms(draft.scene)


def compile_magnets(draft: Draft) -> None:
    """Add the members `dipoles`, `exact`, `permeability` and `tree` of the Model."""
    dipoles = _dipoles(draft.results["magnets"], draft.model["bodies"])
    exact = closed_forms(draft.scene.bodies, draft.results["magnets"], draft.model["bodies"], dipoles)
    tree = _tree(draft.scene.solver, dipoles, len(exact.solid) > 0)
    draft.model |= {"dipoles": dipoles, "exact": exact, "permeability": draft.scene.world.permeability, "tree": tree}


def build_world_field(scene: Scene) -> WorldField:
    """The world's magnetic field as kernel arrays, laboratory frame [T]."""
    field = scene.world.magnetic_field
    if isinstance(field, RotatingField):
        cosine, sine = np.array(field.cosine), np.array(field.sine)
        return WorldField(cosine, sine, field.angular_frequency, no_formulas(), no_formulas())
    if isinstance(field, UniformField):
        return WorldField(np.array(field.value), np.zeros(3), 0.0, no_formulas(), no_formulas())
    of = texts(field.components, scene.folder)
    value = compile_expressions(components(of), POSITION_AND_TIME)
    derivatives = compile_expressions((*components(of), *gradient(of), *rates(of)), POSITION_AND_TIME)
    return WorldField(np.zeros(3), np.zeros(3), 0.0, value, derivatives)


def check_field(draft: Draft) -> None:
    """Add the problems of formulas of the field without a finite value where something starts."""
    field = draft.scene.world.magnetic_field
    if isinstance(field, FormulaField):
        names = [f"world.magnetic_field.{axis}" for axis in "xyz"]
        parts = components(texts(field.components, draft.scene.folder))
        draft.problems += infinite_components(parts, names, start_positions(draft.scene))


def _coinciding(bodies: Sequence[Body], magnets: Sequence[Magnets]) -> list[Problem]:
    """Dipoles of two bodies at the same position at the start, where their field is singular; each pair once."""
    problems: dict[tuple[str, str], Problem] = {}
    seen: dict[bytes, tuple[int, str]] = {}
    for b, (body, of_body) in enumerate(zip(bodies, magnets, strict=True)):
        cells = np.round((of_body.position @ body.orientation.matrix().T + body.position) / COINCIDENT)
        for path, cell in zip(of_body.paths, cells + 0.0, strict=True):  # no cell is minus zero
            a, other = seen.setdefault(cell.tobytes(), (b, path))
            if a != b:
                here, there = f"body[{b}].{path}", f"body[{a}].{other}"
                rule = Message("has the same position as {place}, of '{name}'", place=there, name=bodies[a].name)
                at = here if path.endswith("magnet") else f"{here}.position"
                problems.setdefault((here, there), Problem(at, rule, Message("move one of them")))
    return list(problems.values())


def _dipoles(magnets: Sequence[Magnets], bodies: Bodies) -> Dipoles:
    """Dipoles of all bodies, with positions from the reference points instead of from the origins."""
    counts = [len(of_body.size) for of_body in magnets]
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    positions = [origin + of_body.position for origin, of_body in zip(bodies.origin, magnets, strict=True)]
    position = np.concatenate([np.zeros((0, 3)), *positions])
    size = np.concatenate([np.zeros(0), *(of_body.size for of_body in magnets)])
    clearance = np.concatenate([np.zeros(0), *(of_body.clearance for of_body in magnets)])
    reaches = np.linalg.norm(position, axis=1) + np.maximum(size, clearance)
    return Dipoles(
        first=first,
        position=position,
        moment=np.concatenate([np.zeros((0, 3)), *(of_body.moment for of_body in magnets)]),
        size=size,
        clearance=clearance,
        form=np.concatenate([np.zeros(0, np.int64), *(of_body.form for of_body in magnets)]),
        reach=np.array([reaches[a:b].max(initial=0.0) for a, b in pairwise(first)]),
    )


def many(tolerance: float) -> float:
    """Number of dipoles from which the tree is faster than all pairs, by measurement; larger for smaller tolerances."""
    return MANY * max(1.0, USUAL / tolerance) ** 0.25


def _tree(solver: Solver, dipoles: Dipoles, are_closed_forms: bool) -> TreeSettings:
    """Settings of the sum: by the tree if the solver asks for it, or if it chooses and there are many dipoles.

    With closed forms over all pairs.
    """
    enough = len(dipoles.moment) >= many(solver.dipole_tolerance)
    wanted = solver.dipole_sum == "tree" or (solver.dipole_sum == "auto" and enough)
    return settings(solver.dipole_tolerance if wanted and not are_closed_forms else 0.0)
