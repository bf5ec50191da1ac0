"""Entries of the menu Edit > Add, with the items they create. No Qt, no compiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import pi, sqrt
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from polhode.physics.bodies.materials import MATERIALS
from polhode.physics.contact.spheres import SolidSphere
from polhode.physics.contact.surfaces import FormulaSurface, MeshSurface
from polhode.physics.points.description import Chain, Lattice, SoftMesh
from polhode.scene.fields import FieldPath, at, forms, kinds
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Body, Dipole, Scene
from polhode_app.edit.contacts import OF_BALLS, contact_law, floor, suited, with_contact
from polhode_app.edit.magnetic_additions import copper_tube, plate
from polhode_app.edit.part_defaults import (
    DENSITY,
    GRAVITY,
    NEODYMIUM,
    STEEL,
    Placement,
    fresh,
    hardness,
    round_to,
    tidy,
)
from polhode_app.edit.parts import NAMED, Table, added, free_name, named, names
from polhode_app.edit.transform import turned_to

Drag = Literal["size", "axis", "ends", ""]
TILTED = {"axis": (0.0, 1.0, 0.0), "angle": 0.5}
MAGNET = 1.2  # [T] remanence of neodymium magnets
NEEDLE = 5e5  # [A/m] magnetization of a new compass needle, of steel
CALM = 1.5  # [s] in which the swing of a new needle decays to a part of 1/e
TURNS = 200.0  # of a new coil
CLOTH_POINTS = 14  # of a new cloth along each side
CLOTH = 4.0  # [kg/m^2] of a new cloth: heavy, as long steps are stable for large masses
STRETCH = 0.03  # elongation of a new cloth by its own weight
JELLY = 20.0  # stiffness of the springs of a new jelly, in weights of a point per spacing: it sinks by a few percent
RESOLVED = 1.5  # angular frequency of the fastest mode of a new soft body times the time step, at most
NET = 12.0  # its square over k/m of the springs and points of a lattice


@dataclass(frozen=True)
class AddEntry:
    """An entry of the menu."""

    text: str
    key: str  # the list that the item is appended to
    make: Callable[[Scene, Placement, FieldPath | None], Table]  # of the scene, a free place, and the selection
    file: bool = False  # a mesh file is requested first
    inside: bool = False  # the item becomes a component of the selected body
    drag: Drag = "size"  # meaning of a drag in the view: size, axis from end to end, the connected items, or nothing


def _shape(kind: str, spot: Placement) -> Table:
    """Table of a shape of a kind, in the size of the placement."""
    model = kinds(forms(Body)["shape"])[kind]
    return fresh(model, spot.size, {"scale": spot.scale} if kind == "mesh" else {}, spot.file)


def _body(kind: str, scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A free body with one shape of a kind."""
    table = named(scene, kind, support="free", position=spot.position, shape=(_shape(kind, spot),))
    return with_contact(table)


def _inner_shape(kind: str, _scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A shape beside the origin of a body."""
    return {**_shape(kind, spot), "position": (0.0, 0.0, round_to(spot.size))}


def _pendulum(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A sphere on a rod, suspended above the ground and deflected."""
    size, (x, y, _) = spot.size, spot.position
    rod = {"kind": "rod", "length": 2 * size, "mass": round_to(DENSITY * size**3 / 50), "position": (0.0, 0.0, -size)}
    bob = {"kind": "sphere", "radius": size / 4, "density": DENSITY, "position": (0.0, 0.0, -2 * size)}
    pivot = (x, y, round_to(spot.ground + 3 * size))
    table = named(scene, "pendulum", support="pivot", position=pivot, orientation=TILTED, shape=(rod, bob))
    return with_contact(table)


def _top(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A spinning cone whose tip is on the ground, and which is as wide as a top has to be.

    A cone as high as its radius r turns upright from 5 sqrt(g/r) on, by I3^2 w^2 = 4 I1 m g l with I3 = 3/10 m r^2,
    I1 = 3/4 m r^2 and l = 3/4 r; a new one is twice as fast.
    """
    radius, (x, y, _) = tidy(0.6 * spot.size), spot.position
    turned = {"axis": (1.0, 0.0, 0.0), "angle": pi}
    cone = {"kind": "cone", "radius": radius, "length": radius, "density": DENSITY, "orientation": turned}
    tip = {"position": (x, y, round(spot.ground, 9)), "orientation": {**TILTED, "angle": 0.3}}
    fast = 10.0 * sqrt(GRAVITY / radius)
    spin = (round_to(fast * 0.29552), 0.0, round_to(fast * 0.95534))  # along its axis, tilted by 0.3 rad
    shape = {**cone, "position": (0.0, 0.0, round_to(0.75 * radius))}
    return named(scene, "top", support="pivot", angular_velocity=spin, shape=(shape,), **tip)


def _magnet(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A fixed cylindrical magnet: on the ground, or about a position along an axis from its south to its north pole."""
    along = np.array(spot.axis or (0.0, 0.0, spot.size / 2))
    magnet = {"magnet": {"remanence": (0.0, 0.0, MAGNET), "field": "exact"}}
    length = float(np.linalg.norm(along))
    radius = spot.size / 4 if spot.axis is None else length / 5
    bar = {"kind": "cylinder", "radius": tidy(radius), "length": tidy(length), "density": NEODYMIUM, **magnet}
    position = spot.position if spot.axis else (*spot.position[:2], round(spot.ground + spot.size / 4, 9))
    table = named(scene, "magnet", support="fixed", position=position, shape=(bar,), **turned_to(along / length))
    return with_contact(table)


def _iron(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A fixed ball of soft iron, at the height of magnets."""
    iron, (x, y, _) = MATERIALS["iron"], spot.position
    ball = {"kind": "sphere", "radius": tidy(spot.size / 4), "density": iron.density, "color": iron.color, "iron": {}}
    at = {"support": "fixed", "position": (x, y, round(spot.ground + spot.size / 4, 9))}
    return with_contact(named(scene, "core", shape=(ball,), **at))


def _compass(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A needle with a red north and a white south half that turns about a vertical axle, at the height of magnets."""
    half, radius, (x, y, _) = spot.size / 2, spot.size / 14, spot.position
    volume = pi * radius**2 * half / 3  # of one half
    cone = {"kind": "cone", "radius": tidy(radius), "length": tidy(half), "density": STEEL}
    halves = [
        {
            **cone,
            "position": (round_to(sign * half / 4), 0.0, 0.0),
            "orientation": {"axis": (0.0, 1.0, 0.0), "angle": sign * pi / 2},
            "color": color,
        }
        for sign, color in ((1.0, "#d9480f"), (-1.0, "#e9ecef"))
    ]
    inertia = 2 * STEEL * volume * half**2 / 10  # [kg m^2] of thin cones about their common base
    return named(
        scene,
        "needle",
        support="axle",
        axis=(0.0, 0.0, 1.0),
        position=(x, y, round(spot.ground + spot.size / 4, 9)),
        friction=round_to(2 * inertia / CALM),
        shape=tuple(halves),
        dipole=({"moment": (round_to(2 * NEEDLE * volume), 0.0, 0.0)},),
    )


def _dipole(_scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A dipole for the selected body."""
    return fresh(Dipole, spot.size)


def _ball(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A rolling sphere."""
    keep = named(scene, "ball", position=spot.position, contact=contact_law(OF_BALLS))
    return fresh(SolidSphere, spot.size, keep) | keep


def _balls(kind: str, scene: Scene, spot: Placement, chosen: FieldPath | None) -> Table:
    """A rack of spheres."""
    small = Placement(spot.size / 3, spot.position, spot.ground)
    arrangement = fresh(kinds(forms(SolidSphere)["arrangement"])[kind], 4.5 * small.size)
    return {**_ball(scene, small, chosen), "arrangement": arrangement}


def _bead(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A bead on a circle."""
    ring = {"kind": "circle", "radius": spot.size, "center": spot.position}
    mass, radius = round_to(DENSITY * spot.size**3 / 100), tidy(0.1 * spot.size)
    return named(scene, "bead", mass=mass, radius=radius, path=ring, contact=contact_law())


def _soft(model: type[Lattice | Chain | SoftMesh], scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A soft body of a model."""
    keep = {"position": spot.position, "name": free_name(names(scene), str(forms(model)["kind"].choices[0]))}
    table = fresh(model, spot.size, keep, spot.file)
    stiff = 20 * table["stiffness"] / 100  # each spring carries the weight of many points
    hardest = table["particle_mass"] * (RESOLVED / scene.solver.time_step) ** 2 / NET
    if model is Lattice:
        stiff = JELLY * table["particle_mass"] * GRAVITY / table["spacing"][0]
    table |= {"stiffness": round_to(min(stiff, hardest)), "particle_radius": tidy(spot.size / 20)}
    table["damping"] = round_to(0.1 * (table["stiffness"] * table["particle_mass"]) ** 0.5)
    table["contact"] = contact_law()
    if model is Chain:
        table["fixed"] = (0,)
    if model is SoftMesh:
        table |= {"scale": spot.scale, "spacing": tidy(spot.size / 5)}
    return table


def _cloth(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A level sheet of points and springs, twice as wide as the placement."""
    spacing = tidy(2 * spot.size / (CLOTH_POINTS - 1))
    mass = round_to(CLOTH * spacing**2)
    stiffness = round_to(CLOTH_POINTS * mass * GRAVITY / (STRETCH * spacing))
    return named(
        scene,
        "cloth",
        kind="lattice",
        counts=(CLOTH_POINTS, CLOTH_POINTS, 1),
        spacing=(spacing,) * 3,
        position=spot.position,
        particle_mass=mass,
        particle_radius=tidy(0.4 * spacing),
        stiffness=stiffness,
        damping=round_to(0.3 * (stiffness * mass) ** 0.5),
        contact={**contact_law(), "restitution": 0.1},
    )


def _particle(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A free particle."""
    mass, radius = round_to(DENSITY * spot.size**3 / 10), tidy(spot.size / 5)
    return named(scene, "particle", mass=mass, radius=radius, position=spot.position, contact=contact_law())


def _spring(scene: Scene, spot: Placement, chosen: FieldPath | None) -> Table:
    """A spring from a fixed point above to the selection, or to the last item that can move. Raises InputError."""
    if not chosen or chosen[0] not in NAMED[:5]:
        last = [(key, len(getattr(scene, key)) - 1) for key in NAMED[:5] if getattr(scene, key)]
        if not last:
            rule, remedy = Message("a spring needs something to attach to"), Message("add a particle or a body first")
            raise InputError(scene.title or "scene", [Problem("spring", rule, remedy)])
        chosen = last[-1]
    part = at(scene, chosen[:2])
    name = part.name + (".0" if chosen[0] == "soft" else "")
    held = part.names[0] if isinstance(part, SolidSphere) else name
    x, y, z = getattr(part, "position", spot.position)
    mass = getattr(part, "mass", None) or getattr(part, "particle_mass", None) or DENSITY * spot.size**3 / 2
    above = (x, y, round(z + 2 * spot.size, 9))
    return {"from": above, "to": held, "stiffness": hardness(5 * mass, spot.size * 20)}


def _floor(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A wall at the height of the ground."""
    return named(scene, "floor", **floor(spot.ground))


def _coil(scene: Scene, spot: Placement, _chosen: FieldPath | None) -> Table:
    """A shorted coil of copper wire, level, in which a magnet that falls through induces a current."""
    radius = tidy(spot.size)
    return named(
        scene,
        "coil",
        position=spot.position,
        winding={"kind": "solenoid", "radius": radius, "length": radius},
        turns=TURNS,
        wire={"radius": round_to(0.4 * radius / TURNS)},
    )


def _surface(
    model: type[FormulaSurface | MeshSurface], scene: Scene, spot: Placement, _chosen: FieldPath | None
) -> Table:
    """A surface of a model, at the height of the ground."""
    x, y, _ = spot.position
    keep = {"name": free_name(names(scene), "surface"), "position": (x, y, round(spot.ground, 9))}
    table = fresh(model, spot.size, keep, spot.file)
    return {**table, "scale": spot.scale} if model is MeshSurface else table


def _selected(scene: Scene, chosen: FieldPath | None, *keys: str) -> Any:
    """The selected item, if it is in one of some lists; else None."""
    is_item = chosen and chosen[0] in keys and len(chosen) > 1 and chosen[1] != -1
    return at(scene, chosen[:2]) if chosen and is_item else None


def _force(scene: Scene, spot: Placement, chosen: FieldPath | None) -> Table:
    """A force that swings along x, on the selected body or particle, else on the first one."""
    thing = _selected(scene, chosen, "body", "sphere", "bead", "particle")
    thing = thing or next(iter((*scene.body, *scene.sphere, *scene.bead, *scene.particle)), None)
    if thing is None:
        rule, remedy = Message("a force needs something that it acts on"), Message("add a body or a particle first")
        raise InputError(scene.title or "scene", [Problem("force", rule, remedy)])
    name = thing.names[0] if isinstance(thing, SolidSphere) else thing.name
    strength = round_to(DENSITY * spot.size**3 / 5)
    return {"on": name, "force": (f"{strength}*sin(2*t)", 0.0, 0.0)}


def _joint(scene: Scene, _spot: Placement, chosen: FieldPath | None) -> Table:
    """A hinge that holds the selected body, else the last one, at its origin in the laboratory."""
    body = _selected(scene, chosen, "body") or next(
        (each for each in reversed(scene.body) if each.support not in ("fixed", "driven")), None
    )
    if body is None:
        rule, remedy = Message("a joint needs a body that moves"), Message("add a body first")
        raise InputError(scene.title or "scene", [Problem("joint", rule, remedy)])
    return named(scene, "joint", kind="hinge", first=body.name, anchor_first=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0))


def _string(scene: Scene, spot: Placement, chosen: FieldPath | None) -> Table:
    """A string from a fixed point above to the origin of the selected body, else of the last one that moves."""
    table = {**_joint(scene, spot, chosen), "name": free_name(names(scene), "string"), "kind": "distance"}
    x, y, z = next(body.position for body in scene.body if body.name == table["first"])
    del table["axis"]
    return table | {"anchor_second": (x, y, round(z + 2 * spot.size, 9)), "pull_only": True}


def _ghost(scene: Scene, _spot: Placement, _chosen: FieldPath | None) -> Table:
    """A ghost with another integration method."""
    other = "semi_implicit_euler" if scene.solver.method != "semi_implicit_euler" else "rk4"
    return {"method": other}


def _ghost_with_value(scene: Scene, _spot: Placement, chosen: FieldPath | None) -> Table:
    """A ghost with twice the friction of the selected body or bead, or else in a weaker gravity."""
    part = _selected(scene, chosen, "body", "bead")
    if chosen and part is not None and part.friction > 0:
        parameter = f"{chosen[0]}[{chosen[1]}].friction"
        return {"values": ({"parameter": parameter, "value": tidy(2 * part.friction)},)}
    weight = scene.world.gravity[2]
    return {"values": ({"parameter": "world.gravity[2]", "value": tidy(0.8 * weight) if weight else -1.6},)}


_KINDS = {
    "Sphere": "sphere",
    "Cylinder": "cylinder",
    "Tube": "tube",
    "Capsule": "capsule",
    "Cone": "cone",
    "Ellipsoid": "ellipsoid",
    "Cuboid": "cuboid",
    "Torus": "torus",
    "Rod": "rod",
    "Mesh...": "mesh",
}
ADDITIONS: Mapping[str, tuple[AddEntry, ...]] = MappingProxyType(
    {
        "Body": (
            *(AddEntry(text, "body", partial(_body, kind), kind == "mesh") for text, kind in _KINDS.items()),
            AddEntry("Pendulum", "body", _pendulum),
            AddEntry("Top", "body", _top),
            AddEntry("Magnet", "body", _magnet, drag="axis"),
            AddEntry("Iron", "body", _iron),
            AddEntry("Compass", "body", _compass),
        ),
        "Shape of the body": (
            *(
                AddEntry(text, "shape", partial(_inner_shape, kind), kind == "mesh", True)
                for text, kind in _KINDS.items()
            ),
            AddEntry("Point", "shape", partial(_inner_shape, "point"), inside=True),
            AddEntry("Dipole", "dipole", _dipole, inside=True),
        ),
        "Spheres": (
            AddEntry("Rolling sphere", "sphere", _ball),
            AddEntry("Triangle of spheres", "sphere", partial(_balls, "triangle")),
            AddEntry("Block of spheres", "sphere", partial(_balls, "grid")),
        ),
        "Soft body": (
            AddEntry("Jelly block", "soft", partial(_soft, Lattice)),
            AddEntry("Cloth", "soft", _cloth),
            AddEntry("Chain", "soft", partial(_soft, Chain)),
            AddEntry("Filled mesh...", "soft", partial(_soft, SoftMesh), True),
        ),
        "": (
            AddEntry("Bead on a path", "bead", _bead),
            AddEntry("Particle", "particle", _particle),
            AddEntry("Spring", "spring", _spring, drag="ends"),
            AddEntry("String", "joint", _string, drag="ends"),
            AddEntry("Joint", "joint", _joint, drag="ends"),
            AddEntry("Force by a formula", "force", _force, drag=""),
            AddEntry("Floor", "wall", _floor, drag=""),
            AddEntry("Conducting plate", "plate", plate, drag=""),
            AddEntry("Copper tube", "body", copper_tube),
            AddEntry("Coil", "coil", _coil),
            AddEntry("Circuit of coils", "circuit", lambda scene, *_: named(scene, "circuit"), drag=""),
            AddEntry("Ghost", "ghost", _ghost, drag=""),
            AddEntry("Compare with a changed value", "ghost", _ghost_with_value, drag=""),
        ),
        "Surface": (
            AddEntry("By a formula", "surface", partial(_surface, FormulaSurface)),
            AddEntry("By a mesh...", "surface", partial(_surface, MeshSurface), True),
        ),
    }
)
"""Entries by submenu; those of "" are in the main menu."""


def with_addition(
    scene: Scene, addition: AddEntry, spot: Placement, chosen: FieldPath | None
) -> tuple[Scene, FieldPath]:
    """The scene with the item of a menu entry, and its path. Raises InputError."""
    into: FieldPath = ()
    if addition.inside:
        if not chosen or chosen[0] != "body":
            rule, remedy = Message("a shape or a dipole needs a body"), Message("select a body first")
            raise InputError(scene.title or "scene", [Problem("body", rule, remedy)])
        into = chosen[:2]
    made, path = added(scene, addition.key, addition.make(scene, spot, chosen), into)
    return suited(made, path), path
