"""Parameters of a scene that may change during a run, by path: world.gravity[2], spring[1].rest_length.

A parameter is a number of any size, no whole number, choice or formula, in one of `PARTS`. Start values (`STARTS`) are
excluded, because a running simulation has its own state; nor is what a wall that follows the sensor states. The
distance sensor drives parameters (`sensor.drive`, core/polhode/simulation/driven_parameters.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pydantic import BaseModel

from polhode.physics.bodies.description import Body
from polhode.physics.coils.description import Circuit, Coil
from polhode.physics.contact.spheres import SolidSphere
from polhode.physics.joints.description import Joint
from polhode.physics.paths.bead import Bead
from polhode.physics.plates.description import Plate
from polhode.physics.points.description import Particle, SoftBody
from polhode.physics.sensor.description import WallFollows
from polhode.scene.fields import FieldPath, Form, at, form_at, numbers, parse_path, written
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue, did_you_mean
from polhode.scene.scene_fields import SceneFields

MOVING = ("body", "sphere", "bead", "soft", "particle", "spring", "joint", "force")
PARTS = ("world", *MOVING, "wall", "surface", "plate", "coil", "circuit")
MOST = 2000  # parameters among which a similar name is looked for
# Start values: changing them has no effect on a running simulation without a restart. Plates do not move, since their
# motion would induce currents, as the motion of magnets does.
STARTS: tuple[tuple[type[BaseModel], frozenset[str]], ...] = (
    (Body, frozenset({"position", "orientation", "axis", "angular_velocity", "velocity", "motion"})),
    (SoftBody, frozenset({"position", "orientation", "angular_velocity", "velocity", "spacing", "direction", "scale"})),
    (SolidSphere, frozenset({"position", "angular_velocity", "velocity", "arrangement"})),
    (Particle, frozenset({"position", "velocity"})),
    (Bead, frozenset({"parameter", "speed"})),
    (Plate, frozenset({"point", "normal"})),
    (Coil, frozenset({"position", "orientation", "current"})),
    (Circuit, frozenset({"current", "charge"})),
    (Joint, frozenset({"anchor", "anchor_first", "anchor_second", "axis", "second_axis", "angle"})),
)


def parameters(scene: SceneFields) -> Iterator[tuple[FieldPath, Form]]:
    """Paths of all drivable parameters of a scene, in the order of its fields, with their forms (unit, limits)."""
    return ((path, form) for path, form in numbers(scene) if _may_change(scene, path, form))


def parameter_at(scene: SceneFields, text: str, suggests: bool = True) -> tuple[FieldPath, Form]:
    """Path and form of the drivable parameter that `text` means, such as "world.gravity[2]".

    Raises InvalidValue where the scene has none there, with the most similar of the first `MOST` parameters as a
    remedy if `suggests`: the search is slow.
    """
    try:
        path = parse_path(text)
        form = form_at(scene, path)
        if isinstance(at(scene, path), float) and _may_change(scene, path, form):
            return path, form
    except (LookupError, ValueError):
        pass
    known = [written(path) for path, _ in islice(parameters(scene), MOST if suggests else 0)]
    remedy = did_you_mean(text, known, Message("name one as messages do, such as world.gravity[2]"))
    raise InvalidValue(Message("'{text}' is no number of the scene that may change while it runs", text=text), remedy)


def _may_change(scene: SceneFields, path: FieldPath, form: Form) -> bool:
    """Whether the model or the inputs depend on the number at a path, and it is no start value."""
    if form.kind != "number" or path[0] not in PARTS:
        return False
    part: object = scene
    for step in path:
        if isinstance(part, WallFollows) or _is_start(part, step):
            return False
        part = at(part, (step,))
    return True


def _is_start(part: object, step: str | int) -> bool:
    """Whether the field `step` of a part is a start value. A fixed body does not move, so its position may change."""
    if isinstance(part, Body) and part.support == "fixed" and step == "position":
        return False
    return any(isinstance(part, kind) and step in names for kind, names in STARTS)
