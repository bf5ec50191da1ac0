"""Beads on paths that move with bodies, as arrays, and the checks of these."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polhode.engine.model import NOTHING
from polhode.engine.part import Draft
from polhode.physics.bodies.compile import SINGULAR, TURNING
from polhode.physics.bodies.description import FormulaMotion
from polhode.physics.bodies.mass.mass_properties import MassProperties
from polhode.physics.carried.arrays import Carried
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.compile import carrier_of
from polhode.physics.paths.path_geometry import polyline
from polhode.physics.paths.path_motions import CarriedPath
from polhode.physics.sensor.description import BodyFollows
from polhode.scene.checks.known_names import KnownNames
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Body, Scene

ON_AXIS = 1e-9  # distance of a path from an axis without inertia, in lengths of the path, that counts as none


def check_carried(draft: Draft) -> None:
    """Add the problems of paths that move with bodies."""
    bodies = {body.name: b for b, body in enumerate(draft.scene.body)}
    known = KnownNames(bodies, None if bodies else Message("add a body"))
    for i, bead in enumerate(draft.scene.bead):
        if isinstance(bead.path_motion, CarriedPath):
            name = bead.path_motion.body
            if name in bodies:
                found = list(_problems(draft.scene, bead, bodies[name], draft.results["properties"]))
            else:
                found = [Problem("", Message("there is no body named '{name}'", name=name), known.remedy(name))]
            draft.problems += [problem.at(f"bead[{i}].path_motion.body") for problem in found]


def _problems(scene: Scene, bead: Bead, number: int, properties: tuple[MassProperties, ...]) -> Iterator[Problem]:
    """Problems of a path on body `number`; its mass properties are missing if some shape has a problem."""
    body = scene.body[number]
    name = body.name
    if isinstance(body.motion, BodyFollows):
        rule = Message("body '{name}' follows the sensor, which no acceleration is known of", name=name)
        yield Problem("", rule, Message("let the path follow the sensor instead"))
    if body.support in TURNING and any(name in (joint.first, joint.second) for joint in scene.joint):
        rule = Message("body '{name}' has joints, whose forces do not count with beads on its paths", name=name)
        yield Problem("", rule, Message("hold the body by a support of its own, or put the path on another body"))
    if body.dry_friction > 0:
        rule = Message("body '{name}' has dry friction, which can't hold against beads on its paths", name=name)
        yield Problem("", rule, Message("use friction instead of dry_friction"))
    if len(properties) == len(scene.bodies) and _twists_without_inertia(body, properties[number], bead):
        rule = Message("body '{name}' has no inertia about an axis, and the path is not along that axis", name=name)
        yield Problem("", rule, Message("give the body a thickness, or hold it by an axle"))


def _twists_without_inertia(body: Body, properties: MassProperties, bead: Bead) -> bool:
    """Whether a bead can exert a torque about an axis of a free or pivoted body that has no inertia about it."""
    if body.support not in ("free", "pivot"):
        return False
    reference = properties.center if body.support == "free" else np.zeros(3)
    moments, axes = np.linalg.eigh(properties.about(reference))
    line = polyline(bead.path) - reference
    far = ON_AXIS * float(np.linalg.norm(line, axis=1).max())
    thin = axes.T[moments <= SINGULAR * moments[-1]]
    return any(bead.rolling or np.linalg.norm(np.cross(line, axis), axis=1).max() > far for axis in thin)


def compile_carried(draft: Draft) -> None:
    """Add the member `carried` of the Model; the beads are compiled already."""
    scene = draft.scene
    carriers = np.array([carrier_of(scene, bead) for bead in scene.bead], dtype=np.int64)
    order = np.argsort(carriers, kind="stable")
    order = order[carriers[order] != NOTHING]
    bodies, counts = np.unique(carriers[order], return_counts=True)
    moved = [b for b, body in enumerate(scene.body) if isinstance(body.motion, FormulaMotion)]
    draft.model["carried"] = Carried(
        bead=order,
        with_ends=order[~draft.model["beads"].paths.closed[order]],
        rough=order[[scene.bead[i].holding_friction > 0 for i in order]] if len(order) else order,
        body=bodies,
        first=np.cumsum([0, *counts], dtype=np.int64),
        motion=np.array([moved.index(b) if b in moved else NOTHING for b in bodies.tolist()], dtype=np.int64),
    )
