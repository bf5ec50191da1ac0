"""Springs and strings with tension laws as arrays, and the check of their formulas."""

from __future__ import annotations

from functools import partial

import numpy as np

from polhode.engine.model import NOTHING
from polhode.engine.part import Draft
from polhode.formulas.codegen import compile_expressions, joined
from polhode.formulas.curve_checks import where_infinite
from polhode.formulas.expression import program
from polhode.formulas.parser import parse
from polhode.physics.bodies.shapes import unit
from polhode.physics.points.arrays import TensionLaws
from polhode.physics.points.description import path_length
from polhode.physics.points.tension_formula import VARIABLES, tension_of
from polhode.scene.message import Message
from polhode.scene.problem import Problem

SHORTEST, LONGEST, LENGTHS = 0.1, 3.0, 291  # of the natural length: where a formula is checked
RATES = (0.0, 1.0, -1.0)  # [m/s]


def check_tension_laws(draft: Draft) -> None:
    """Add the problems of formulas of springs without a finite value between SHORTEST and LONGEST."""
    if "parts" not in draft.results:  # points have problems
        return
    rest = draft.results["parts"].springs.rest
    for number, spring in enumerate(draft.scene.spring):
        if spring.force is not None:
            problem = _infinite(spring.force, float(rest[number]) or 1.0, 1.0 if spring.pull_only else SHORTEST)
            draft.problems += [problem.at(f"spring[{number}]")] if problem is not None else []


def _infinite(text: str, rest: float, shortest: float) -> Problem | None:
    """The problem of a formula at the first length and rate where it is not finite, from `shortest` natural lengths."""
    force = parse(text, VARIABLES)
    lengths = np.linspace(shortest * rest, LONGEST * rest, LENGTHS)
    for rate in RATES:
        given = partial(_at, np.array(rate))
        length = where_infinite(program([force]), lengths, given)
        if length is not None:
            value = float(force({"l": length, "v": rate}))
            rule = Message("is not finite at l = {l:.6g} m, v = {v:g} m/s: {value:.4g}", l=length, v=rate, value=value)
            return Problem("force", rule, Message("change the formula"))
    return None


def _at(rate: np.ndarray, length: np.ndarray) -> dict[str, np.ndarray]:
    return {"l": length, "v": rate}


def compile_tension_laws(draft: Draft) -> None:
    """Add the member `tension_laws` of the Model."""
    rest = draft.model["springs"].rest
    laws = {k: spring for k, spring in enumerate(draft.scene.spring) if spring.has_tension_law}
    codes = [compile_expressions([tension_of(spring, float(rest[k]))], VARIABLES) for k, spring in laws.items()]
    pull_only = np.array([spring.pull_only for spring in laws.values()], dtype=np.bool_)
    nodes: list[list[int]] = [of_spring for k, of_spring in enumerate(draft.results.pop("nodes")) if k in laws]
    fixed = [() if spring.has_course else spring.over for spring in laws.values()]
    counts = [len(points) for points in fixed]
    pulleys = np.array([point for points in fixed for point in points], dtype=float).reshape(-1, 3)
    strands = [spring.strands or (1.0,) * (len(spring.over) + 1) for spring in laws.values()]
    draft.model["tension_laws"] = TensionLaws(
        np.array(list(laws), dtype=np.int64),
        *joined(codes),
        pull_only=pull_only,
        has_axis=np.array([spring.axis is not None for spring in laws.values()], dtype=np.bool_),
        axis=np.array([unit(spring.axis) if spring.axis else (0.0,) * 3 for spring in laws.values()]).reshape(-1, 3),
        switch=np.where(pull_only, 2 * (np.cumsum(pull_only) - 1), NOTHING),
        first_pulley=np.cumsum([0, *counts]).astype(np.int64),
        pulleys=pulleys,
        between=np.array([path_length(spring.over) for spring in laws.values()], dtype=float),
        has_course=np.array([spring.has_course for spring in laws.values()], dtype=np.bool_),
        first_node=np.cumsum([0, *map(len, nodes)]).astype(np.int64),
        node=np.array([node for of_spring in nodes for node in of_spring], dtype=np.int64),
        first_strand=np.cumsum([0, *map(len, strands)]).astype(np.int64),
        strands=np.array([number for of_spring in strands for number in of_spring], dtype=float),
    )
