"""Unstated contact stiffnesses of a scene as unknowns of a fit, starting at their computed values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.arrays import AXLE, FREE, PIVOT
from polhode.physics.contact.stiffness import stiffnesses
from polhode.scene.fields import FieldPath, Form, at, form_at, parse_path, with_value, written
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue
from polhode.scene.scene import Scene
from polhode.scene.variants.alone import alone

LAWS = ("wall", "surface")  # items with a stiffness of their own; the others have that of their contact
OWNERS = ("body", "sphere", "bead", "soft", "particle")
ALIKE = 1e-9  # relative difference below which stiffnesses count as one


def unstated(scene: Scene) -> Iterator[tuple[str, Form]]:
    """Path and form of each unstated contact stiffness."""
    for key in (*LAWS, *OWNERS):
        for number, part in enumerate(getattr(scene, key)):
            law = part if key in LAWS else part.contact
            if law is not None and law.stiffness is None:
                path = (key, number, "stiffness") if key in LAWS else (key, number, "contact", "stiffness")
                yield written(path), form_at(scene, path)


def with_stated(scene: Scene, free: Sequence[str], meshes: Meshes) -> Scene:
    """The scene with computed values of unstated stiffnesses of `free`. Raises InputError if unused or not unique."""
    known = {name for name, _ in unstated(scene)}
    missing = [name for name in dict.fromkeys(free) if name in known]
    if not missing:
        return scene
    compiled, problems = build(alone(scene), meshes), []
    for name in missing:
        try:
            scene = with_value(scene, parse_path(name), _computed(name, compiled, meshes))
        except InvalidValue as error:
            problems.append(error.problem.at("free"))
    if problems:
        raise InputError(scene.title or "scene", problems)
    return scene


def _computed(name: str, compiled: CompiledScene, meshes: Meshes) -> float:
    """The computed stiffness [N/m] at a path. Raises InvalidValue if it is not one number."""
    scene, bodies = compiled.scene, compiled.model.bodies
    all_of_them = stiffnesses(scene, bodies.mass, compiled.points, meshes)
    found = np.unique(all_of_them[_pressing(parse_path(name), compiled)])
    found = found[found > 0.0]
    if not len(found):
        rule = Message("'{name}' is not stated, and nothing presses with it", name=name)
        raise InvalidValue(rule, Message("state it in the scene, or name another number"))
    if found[-1] > (1.0 + ALIKE) * found[0]:
        rule = Message(
            "'{name}' is not stated, and what presses with it has stiffnesses from {low:.3g} to {high:.3g} N/m",
            name=name,
            low=found[0],
            high=found[-1],
        )
        begin = float(np.sqrt(found[0] * found[-1]))
        remedy = Message("state the one that the fit begins with, such as {name} = {value:.2g}", name=name, value=begin)
        raise InvalidValue(rule, remedy)
    return float(found[0])


def _pressing(path: FieldPath, compiled: CompiledScene) -> np.ndarray:
    """(n + p,) bool: bodies and points whose stiffness is used for the one at a path."""
    key, number, scene, bodies = path[0], int(path[1]), compiled.scene, compiled.model.bodies
    count = len(bodies.mass)
    found = np.zeros(count + compiled.model.points.radius.size, dtype=bool)
    match key:
        case "wall":
            found[:count], found[count:] = np.isin(bodies.support, (PIVOT, AXLE, FREE)), True
        case "surface":
            found[:count], found[count:] = bodies.radius > 0.0, compiled.model.points.radius > 0.0
        case "body" | "sphere" | "bead":
            found[:count] = [scene.place_of(b) == f"{key}[{number}]" for b in range(count)]
        case _:
            points = compiled.points[at(scene, (key, number)).name]
            found[count + points.start : count + points.stop] = True
    return found
