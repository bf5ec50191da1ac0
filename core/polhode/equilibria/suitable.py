"""Preparation of scenes for a search for equilibria, and notes on ignored laws."""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.variants.alone import alone

TIMES = (0.137, 0.731, 2.618)  # [s] at which forces are compared with those at the start
MOST_COORDINATES = 600


def prepared(scene: Scene) -> Scene:
    """The scene without dry friction, ghosts and sweeps, with its bodies at rest."""
    still = {"velocity": (0.0, 0.0, 0.0), "angular_velocity": (0.0, 0.0, 0.0)}
    bodies = tuple(
        body.model_copy(update={"dry_friction": 0.0} if body.support == "driven" else {"dry_friction": 0.0, **still})
        for body in scene.body
    )
    smooth = {"kinetic_friction": 0.0, "static_friction": None, "speed": 0.0}
    beads = tuple(bead.model_copy(update=smooth) for bead in scene.bead)
    joints = tuple(
        joint.model_copy(update={"dry_friction": 0.0}) if hasattr(joint, "dry_friction") else joint
        for joint in scene.joint
    )
    return alone(scene).model_copy(update={"body": bodies, "bead": beads, "joint": joints})


def notes_on(scene: Scene, compiled: CompiledScene) -> list[Message]:
    """Notes on ignored laws. Raises InputError for no coordinates, or too many."""
    _check(compiled)
    notes = []
    rubbing = [body.name for body in scene.body if body.dry_friction > 0]
    rubbing += [bead.name for bead in scene.bead if bead.holding_friction > 0]
    rubbing += [joint.name for joint in scene.joint if getattr(joint, "dry_friction", 0.0) > 0]
    if rubbing:
        names = ", ".join(f"'{name}'" for name in rubbing)
        notes.append(Message("dry friction is left out: it also holds {names} near these equilibria", names=names))
    if any(getattr(joint, "limits", None) is not None for joint in scene.joint):
        notes.append(Message("limits of joints are not taken into account"))
    if any(bead.one_sided is not None for bead in scene.bead):
        notes.append(Message("whether beads press on one-sided tracks is not taken into account"))
    return notes


def _check(compiled: CompiledScene) -> None:
    """Raise InputError for scenes without equilibria to search."""
    problems = []
    if np.any(compiled.model.modal.is_free):
        names = [name for name, free in zip(compiled.modal, compiled.model.modal.is_free, strict=True) if free]
        rule = Message("'{name}' moves freely by its modes, whose equilibria are not searched for", name=names[0])
        problems.append(Problem("soft", rule, Message("set modes = 0, or fix some of its points")))
    count = coordinates_of(compiled)
    if count == 0:
        rule = Message("nothing in the scene moves by forces, so it has no equilibria")
        problems.append(Problem("", rule, Message("add a body on a pivot, a free body, a bead or a soft body")))
    if count > MOST_COORDINATES:
        rule = Message("there are {count} coordinates, more than {most}", count=count, most=MOST_COORDINATES)
        problems.append(Problem("", rule, Message("take fewer or smaller soft bodies, or give them modes")))
    if problems:
        raise InputError(compiled.scene.title or "scene", problems)


def coordinates_of(compiled: CompiledScene) -> int:
    """Number of coordinates that forces move."""
    model, bodies = compiled.model, compiled.scene.bodies
    moving = [b for b in range(model.bodies.first_bead) if bodies[b].support in ("pivot", "axle", "free")]
    turning = int((model.bodies.inverse_moments[moving] > 0).sum())
    shifting = 3 * sum(bodies[b].support == "free" for b in moving)
    loose = ~model.points.fixed
    for name in compiled.modal:
        loose[compiled.points[name]] = False
    return turning + shifting + len(model.beads.body) + 3 * int(loose.sum()) + len(model.modal.damping)
