"""Features of a scene that a PEM file can't represent.

The tuples list the fields that a PEM file holds; any other field must have its default. The further rules are PEM's
own:

- the methods of METHODS (core/polhode/udf/reading.py); the shapes of SHAPES, and no magnets but points
- no body is free; all pendulums have the same friction
- driven bodies rest, move uniformly or go round an ellipse with an area; they turn as PEM makes them turn: with the
  angular velocity of the ellipse, else not at all
"""

from __future__ import annotations

import numpy as np
from pydantic import BaseModel

from polhode.physics.bodies.shapes import Cuboid, Cylinder, Ellipsoid, MeshShape, Point, Rod, Sphere
from polhode.scene.formula_vector import has_formulas
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Body, EllipseMotion, FormulaField, FormulaMotion, Scene, StillMotion, UniformMotion
from polhode.udf.reading import METHODS, ellipse_turning

SCENE = ("format", "title", "description", "units", "world", "solver", "body", "view", "story")
"""Fields of a scene that a PEM file holds, or that it can do without; the same for its parts below."""
WORLD = ("gravity", "permeability", "magnetic_field")
SOLVER = ("method", "time_step", "inertia")
BODY = (
    *("name", "support", "axis", "position", "orientation", "angular_velocity", "velocity", "motion"),
    *("friction", "shape", "dipole", "inertia"),
)
DIPOLE = ("position", "moment")
SHAPES = (Sphere, Cylinder, Ellipsoid, Cuboid, MeshShape, Rod, Point)
"""Shapes that PEM has."""
MOTIONS = (StillMotion, UniformMotion, EllipseMotion)
"""Motions of driven bodies that PEM has."""


def what_no_udf_holds(scene: Scene) -> list[Problem]:
    """Problems for everything in a scene that a PEM file can't represent, with places in the scene; empty for none."""
    problems = [
        *_others(scene, "", SCENE),
        *_others(scene.world, "world.", WORLD),
        *_others(scene.solver, "solver.", SOLVER),
    ]
    formulas = {"gravity": has_formulas(scene.world.gravity)}
    formulas["magnetic_field"] = isinstance(scene.world.magnetic_field, FormulaField)
    for name in (name for name, present in formulas.items() if present):
        problems.append(Problem(f"world.{name}", Message("PEM has no formulas"), Message("give numbers")))
    if scene.solver.method not in METHODS.values():
        rule = Message("PEM has no method '{method}'", method=scene.solver.method)
        problems.append(
            Problem("solver.method", rule, Message("choose from {methods}", methods=", ".join(METHODS.values())))
        )
    frictions = {body.friction for body in scene.body if body.support in ("pivot", "axle")}
    for number, body in enumerate(scene.body):
        problems += [problem.at(f"body[{number}]") for problem in _of_body(body, len(frictions))]
    return problems


def _others(part: BaseModel, prefix: str, held: tuple[str, ...]) -> list[Problem]:
    """Problems for the fields of a part that are neither default nor in `held`; `prefix` is put before their names."""
    fields = type(part).model_fields
    stated = [name for name in fields if name not in held and getattr(part, name) != fields[name].get_default()]
    return [Problem(f"{prefix}{name}", Message("PEM has nothing of the kind"), Message("remove it")) for name in stated]


def _of_body(body: Body, frictions: int) -> list[Problem]:
    """Problems of one body, with places in it; `frictions` is the number of different frictions of pendulums."""
    problems = _others(body, "", BODY)
    for index, dipole in enumerate(body.dipole):
        problems += _others(dipole, f"dipole[{index}].", DIPOLE)
    if body.support == "free":
        problems.append(Problem("support", Message("a body of PEM can't move freely"), Message("hold it on a pivot")))
    if body.support in ("pivot", "axle") and frictions > 1:
        rule = Message("is {friction:g} N m s, but PEM has one friction for all pendulums", friction=body.friction)
        problems.append(Problem("friction", rule, Message("give all the same")))
    if body.support == "driven" or isinstance(body.motion, FormulaMotion):
        problems += _of_motion(body)
    for index, shape in enumerate(body.shape):
        if not isinstance(shape, SHAPES):
            rule = Message("PEM has no {kind}", kind=shape.kind)
            problems.append(Problem(f"shape[{index}].kind", rule, Message("make a mesh of it")))
        if shape.magnet is not None:
            rule = Message("PEM has no magnets but points")
            problems.append(Problem(f"shape[{index}].magnet", rule, Message("give the body a dipole instead")))
    return problems


def _of_motion(body: Body) -> list[Problem]:
    """Problems of the motion of a driven body: its kind, a degenerate ellipse, a spin that PEM would not give it."""
    if not isinstance(body.motion, MOTIONS):
        return [
            Problem(
                "motion.kind",
                Message("PEM has no motion '{kind}'", kind=body.motion.kind),
                Message("choose uniform or ellipse"),
            )
        ]
    turning = np.zeros(3)
    if isinstance(body.motion, EllipseMotion):
        turning = ellipse_turning(body.motion.r1, body.motion.r2, body.motion.angular_frequency)
        if not np.any(turning) and body.motion.angular_frequency != 0:
            return [
                Problem(
                    "motion",
                    Message("r1 and r2 span no plane, and PEM divides by its area"),
                    Message("give r2 another direction"),
                )
            ]
    if not np.allclose(body.angular_velocity, turning, rtol=1e-9, atol=1e-9 * np.abs(turning).max()):
        rule = Message(
            "is {value}, but in PEM a body on this motion turns with {needed} rad/s",
            value=list(body.angular_velocity),
            needed=turning.tolist(),
        )
        return [Problem("angular_velocity", rule, Message("give it that"))]
    return []
