"""Scenes of an older format as scenes of the newest one that compute the same."""

from __future__ import annotations

from polhode.physics.bodies.description import PRESSING_AS_SEEN, Body
from polhode.scene.scene import SEEN_FROM, Scene

SAME = ("sphere", "cuboid", "cylinder", "capsule")  # kinds of shapes that press in the same way in all formats


def in_newest_format(scene: Scene) -> Scene:
    """The scene in format 2, in which the contacts of shapes that would now press as they look state the hull."""
    bodies = tuple(_stating_the_hull(scene, body) for body in scene.body)
    return scene.model_copy(update={"format": SEEN_FROM, "body": bodies})


def _stating_the_hull(scene: Scene, body: Body) -> Body:
    differs = any(shape.kind in PRESSING_AS_SEEN and shape.kind not in SAME for shape in body.shape)
    if body.contact is None or body.contact.shape is not None or scene.format == SEEN_FROM or not differs:
        return body
    return body.model_copy(update={"contact": body.contact.model_copy(update={"shape": "hull"})})
