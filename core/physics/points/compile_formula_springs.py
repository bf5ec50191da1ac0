"""Springs by formulas as arrays, and the check of their formulas."""

from __future__ import annotations

from functools import partial

import numpy as np

from core.engine.part import Draft
from core.formulas.codegen import compile_expressions, joined
from core.formulas.curve_checks import where_infinite
from core.formulas.expression import program
from core.formulas.parser import parse
from core.physics.points.arrays import FormulaSprings
from core.scene.message import Message
from core.scene.problem import Problem

VARIABLES = ("l", "v")
SHORTEST, LONGEST, LENGTHS = 0.1, 3.0, 291  # of the natural length: where a formula is checked
RATES = (0.0, 1.0, -1.0)  # [m/s]


def check_formula_springs(draft: Draft) -> None:
    """Add the problems of formulas of springs without a finite value between SHORTEST and LONGEST."""
    if "parts" not in draft.results:  # points have problems
        return
    rest = draft.results["parts"].springs.rest
    for number, spring in enumerate(draft.scene.spring):
        if spring.force is not None:
            problem = _infinite(spring.force, float(rest[number]) or 1.0)
            draft.problems += [problem.at(f"spring[{number}]")] if problem is not None else []


def _infinite(text: str, rest: float) -> Problem | None:
    """The problem of a formula at the first length and rate where it is not finite."""
    force = parse(text, VARIABLES)
    lengths = np.linspace(SHORTEST * rest, LONGEST * rest, LENGTHS)
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


def compile_formula_springs(draft: Draft) -> None:
    """Add the member `formula_springs` of the Model."""
    laws = {k: spring.force for k, spring in enumerate(draft.scene.spring) if spring.force is not None}
    codes = [compile_expressions([parse(text, VARIABLES)], VARIABLES) for text in laws.values()]
    address, first, numbers = joined(codes)
    spring = np.array(list(laws), dtype=np.int64)
    draft.model["formula_springs"] = FormulaSprings(spring, address, first, numbers)
