"""Motions of bodies by formulas of t as arrays, and the check of their formulas."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.data.inputs import formula_of
from polhode.engine.model import Model
from polhode.engine.part import Draft
from polhode.formulas.codegen import CompiledFormulas, compile_expressions, joined
from polhode.formulas.curve_checks import derivatives
from polhode.formulas.expression import Expression
from polhode.formulas.vector_fields import infinite_values
from polhode.physics.bodies.arrays import BodyMotions, MotionWork
from polhode.physics.bodies.description import FormulaMotion
from polhode.physics.bodies.shapes import unit


def check_motions(draft: Draft) -> None:
    """Add the problems of formulas without finite values or derivatives."""
    for b, body in enumerate(draft.scene.body):
        if isinstance(body.motion, FormulaMotion):
            for name, source in body.motion.sources.items():
                formula = formula_of(source, draft.scene.folder)
                found = infinite_values(derivatives(formula, "t"), [f"body[{b}].motion.{name}"] * 3, {})
                draft.problems += found[:1]


def compile_motions(draft: Draft) -> None:
    """Add the member `body_motions` of the Model."""
    moved = {b: body for b, body in enumerate(draft.scene.body) if isinstance(body.motion, FormulaMotion)}
    motions = [body.motion for body in moved.values() if isinstance(body.motion, FormulaMotion)]
    paths, angles, folder = [], [], draft.scene.folder
    for motion in motions:
        x, y, z, angle, *turn = (derivatives(formula_of(source, folder), "t") for source in motion.sources.values())
        still = derivatives("0", "t")
        paths.append(_compiled(x, y, z))
        angles.append(_compiled(*turn) if motion.turns_by_vector else _compiled(angle, still, still))
    draft.model["body_motions"] = BodyMotions(
        np.array(list(moved), dtype=np.int64),
        np.array([body.position for body in moved.values()]).reshape(-1, 3),
        *joined(paths),
        np.array([motion.turns for motion in motions], dtype=np.bool_),
        np.array([motion.turns_by_vector for motion in motions], dtype=np.bool_),
        np.array([unit(motion.axis) for motion in motions]).reshape(-1, 3),
        np.array([body.orientation.matrix().T for body in moved.values()]).reshape(-1, 3, 3),
        *joined(angles),
    )


def _compiled(*parts: Sequence[Expression]) -> CompiledFormulas:
    """Machine code of three functions of t, each with its derivatives."""
    return compile_expressions([part[order] for order in range(3) for part in parts], ["t"])


def make_motion_work(model: Model) -> MotionWork:
    """Scratch arrays of motions."""
    return MotionWork(np.zeros((len(model.body_motions.body), 3)), np.zeros(1))
