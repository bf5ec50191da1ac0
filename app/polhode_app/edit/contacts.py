"""Contacts of new items: their laws, and what walls and time step they need. No Qt, no compiler.

New contacts and floors state no stiffness: it follows from the mass and the size of what touches
(core/polhode/physics/contact/stiffness.py), so that a step of a fifth of a millisecond suits things of a centimetre.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, prod, sqrt
from typing import Any, NamedTuple

from polhode.physics.bodies.description import PRESSING
from polhode.physics.bodies.shapes import MeshShape, ShapeBase
from polhode.physics.contact.description import Contact, PointContact, Wall, WallAtRest
from polhode.physics.contact.stiffness import GRAVITY, NO_SIZE, contact_stiffness, width_of
from polhode.physics.points.description import Chain, Lattice, Particle, SoftBody
from polhode.scene.fields import FieldPath, at
from polhode.scene.scene import Body, Scene
from polhode_app.edit.part_defaults import DENSITY, neat, round_to

RESTITUTION = 0.5
OF_BALLS = 0.95  # coefficient of restitution of new spheres, so that a row of them passes an impact on
FRICTION = 0.3  # coefficient of kinetic friction
SUNK = 0.05  # penetration at rest into a wall, relative to the size of the item, above which the wall is too soft
FASTEST = 0.35  # angular frequency of a contact times the time step, above which impacts change the energy by 1 %
TILTS = 6.0  # mass of a cube over that which its corners move as it tilts
SHARE = 8  # points of a soft body that carry its weight on a contact
MASSIVE = (*PRESSING, "tube", "cone", "ellipsoid", "rod", "torus", "point")  # kinds of shapes that press on walls
COLLIDING = ("body", "sphere", "bead", "soft", "particle")


def contact_law(restitution: float = RESTITUTION) -> dict[str, float]:
    """Table of a contact."""
    return {"restitution": restitution, "kinetic_friction": FRICTION}


def floor(height: float) -> dict[str, Any]:
    """Table of a floor, without a name, at a height [m]."""
    return {"point": (0.0, 0.0, round(height, 9)), **contact_law()}


def floor_at(scene: Scene, height: float) -> FieldPath | None:
    """Path of a wall at rest that is level, faces upwards and is at a height [m]; None if there is none."""
    for index, wall in enumerate(scene.wall):
        x, y, z = wall.normal
        is_floor = isinstance(wall.motion, WallAtRest) and x == y == 0.0 < z
        if is_floor and round(wall.point[2] - height, 9) == 0.0:
            return "wall", index
    return None


def with_floor(scene: Scene) -> Scene:
    """The scene with a floor at height 0."""
    return scene.model_copy(update={"wall": (Wall.model_validate({"name": "floor", **floor(0.0)}),)})


def with_contact(table: Mapping[str, Any]) -> dict[str, Any]:
    """Table of a body with a contact, if one of its shapes can have one."""
    pressing = {shape["kind"] for shape in table["shape"]}.intersection(PRESSING)
    law = contact_law(OF_BALLS if pressing == {"sphere"} else RESTITUTION)
    return {**table, "contact": law} if pressing else dict(table)


class Pressing(NamedTuple):
    """Estimates from which the contact of an item follows; the size is 0 for items that cannot press."""

    load: float = 0.0  # [kg] mass that presses
    own: float = 0.0  # [N/m] its own stiffness
    moved: float = inf  # [kg] mass that a contact moves
    size: float = 0.0  # [m]


def _measures(part: Any, kinds: tuple[str, ...] = PRESSING) -> Pressing:
    """Parts of an item that set its contact; of a body with its shapes of some kinds."""
    if isinstance(part, Body):
        pressing = [shape for shape in part.shape if shape.kind in kinds and _width(shape) > 0]
        if not pressing:
            return Pressing()
        mass = sum(each.mass or (each.density or DENSITY) * _width(each) ** 3 / 2 for each in pressing)
        moved = mass if {shape.kind for shape in pressing} == {"sphere"} else mass / TILTS
        held = part.support in ("fixed", "driven")
        own = contact_stiffness(mass, max(map(_width, pressing)))
        return Pressing(mass, own, inf if held else moved, min(map(_width, pressing)))
    if (radius := getattr(part, "particle_radius", None)) is not None:
        count = prod(part.counts) if isinstance(part, Lattice) else part.count if isinstance(part, Chain) else SHARE
        size, mass = max(2 * radius, _spacing(part)), part.particle_mass
        own = contact_stiffness(mass, _spacing(part))
        return Pressing(mass * max(count / 4, 1.0), own, mass, size if radius else 0.0)
    held = getattr(part, "fixed", False)
    own = contact_stiffness(part.mass, 2 * part.radius or NO_SIZE)
    return Pressing(part.mass, own, inf if held else part.mass, 2 * part.radius)


def _width(shape: ShapeBase) -> float:
    """Smallest extent [m] of a shape; that of a rod or a point, which have none, is NO_SIZE. 0 of a mesh: its file
    knows it.
    """
    return 0.0 if isinstance(shape, MeshShape) else width_of(shape, Scene(), None) or NO_SIZE


def _spacing(part: Any) -> float:
    """Smallest distance [m] of neighbouring points of a soft body."""
    return float(min(part.spacing)) if isinstance(part.spacing, tuple) else float(part.spacing)


def passing(scene: Scene) -> list[str]:
    """Names of the items that could have a contact and have none: all others pass through them."""
    parts = [part for key in COLLIDING for part in getattr(scene, key)]
    return [part.name for part in parts if part.contact is None and _measures(part).size > 0]


def all_colliding(scene: Scene) -> Scene:
    """The scene with a contact for every item that can have one."""
    return suited(scene.model_copy(update={key: tuple(map(_colliding, getattr(scene, key))) for key in COLLIDING}))


def _colliding(part: Any) -> Any:
    """The item with a contact, if it has none and can have one."""
    if part.contact is not None or _measures(part).size == 0:
        return part
    model = PointContact if isinstance(part, Particle | SoftBody) else Contact
    return part.model_copy(update={"contact": model.model_validate(contact_law())})


def _reaches_walls(part: Any) -> bool:
    """Whether a part may touch walls: one with a contact, or one that no pivot and no axle holds."""
    return part.contact is not None or getattr(part, "support", "free") == "free"


def suited(scene: Scene, added: FieldPath = ()) -> Scene:
    """The scene with walls that are hard enough to carry the items that can press on them, and a suitable time step.

    Only values that are far off are changed. If a colliding item was `added`, the values of others are kept.
    """
    is_part = bool(added) and added[0] in COLLIDING
    parts = [at(scene, added[:2])] if is_part else [part for key in COLLIDING for part in getattr(scene, key)]
    on_walls = [(part, _measures(part, MASSIVE)) for part in parts]
    known = [
        (part.contact and part.contact.stiffness, each)
        for part, each in on_walls
        if each.size > 0 and each.moved < inf and _reaches_walls(part)
    ]
    if not known or not scene.wall:
        return scene
    needed = max(each.load * GRAVITY / (SUNK * each.size) for _, each in known)
    walls = tuple(_harder(wall, needed) for wall in scene.wall)
    fastest = sqrt(max((wall.stiffness or stated or each.own) / each.moved for wall in walls for stated, each in known))
    changes: dict[str, object] = {} if walls == scene.wall else {"wall": walls}
    if fastest * scene.solver.time_step > FASTEST:
        step = neat(FASTEST / fastest)
        changes["solver"] = scene.solver.model_copy(update={"time_step": step})
    return scene.model_copy(update=changes) if changes else scene


def _harder(wall: Wall, needed: float) -> Wall:
    """The wall, with a stiffness [N/m] of at least twice the needed one if it states less."""
    if wall.stiffness is None or wall.stiffness >= needed:
        return wall
    return wall.model_copy(update={"stiffness": round_to(2 * needed)})


def with_rigid_walls(scene: Scene, step: float) -> Scene:
    """The scene with walls that state no stiffness, and a time step [s]."""
    walls = tuple(wall.model_copy(update={"stiffness": None}) for wall in scene.wall)
    return scene.model_copy(update={"wall": walls, "solver": scene.solver.model_copy(update={"time_step": step})})
