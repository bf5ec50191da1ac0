"""Scenes made from meshes: the mesh hangs as a pendulum, falls, or is fixed. No Qt, but it imports the compiler."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import pi, sqrt
from pathlib import Path
from typing import Literal

import numpy as np

from polhode.mesh.frame import LengthUnit, UpAxis
from polhode.mesh.mesh import Mesh, Meshes, Request, guess_unit, read_mesh
from polhode.physics.bodies.mass.mass_properties import MassProperties, mesh_properties
from polhode.physics.bodies.shapes import Cylinder, Magnet, MeshShape, Orientation, Repair, Sphere
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.quantity import Vector
from polhode.scene.scene import SEEN_FROM, Body, Scene, Solver, Wall
from polhode_app.edit.contacts import floor
from polhode_app.edit.open_file import is_mesh, open_scene
from polhode_app.edit.part_defaults import DENSITY, NEODYMIUM, Placement
from polhode_app.edit.parts import free_name, names

GRAVITY = 9.80665  # [m/s^2]
MU_0 = 1.25663706127e-6  # [T m/A]
TILT = Orientation(axis=(0.8, 0.6, 0.0), angle=0.6)  # initial deflection of a pendulum
AXLE = (0.0, 1.0, 0.0)  # of a mesh on an axle, laboratory frame
REPAIRS_TRIED: tuple[tuple[Repair, ...], ...] = (
    (),
    ("merge",),
    ("fill_holes",),
    ("merge", "fill_holes"),
    ("merge", "orient", "fill_holes"),
    ("convex_hull",),
)  # the least change first
MOST_PARTS = 100  # of a mesh that becomes a body with a shape for each
INSIDE = 0.02  # depth of the default pivot below the surface, relative to the height of the mesh
LOW = 0.25  # depth of material below the top of the mesh that is no place for a pivot, relative to its height
BALL = 0.04  # radius of the magnet at the lower end, relative to the distance from the pivot to the farthest vertex
FEW = 8  # dipoles of a magnet in the ground: the pendulum passes at several of its lengths
BESIDE = 2.0  # distance of the magnet from the mesh, in its radii, from which on a rod joins them
ROD = 0.3  # radius of that rod, in the same
SPIN = (0.4, 6.0, 0.2)  # [rad/s] initial angular velocity of a body held at its centre of mass, body frame


@dataclass(frozen=True)
class HangingOptions:
    """Options of the import. Lengths are in m, positions in the axes and from the origin of the mesh file."""

    scale: float  # [m] length of one unit of the file; a factor where the file states its unit
    unit: LengthUnit | None = None  # that `scale` amounts to, where it is not the one that the file states
    up: UpAxis | None = None  # axis of the file that becomes z; None: as the file states
    repair: tuple[Repair, ...] = ()
    split: bool = False  # one shape for each part of the mesh
    density: float | None = DENSITY  # [kg/m^3]; None if the mass is given
    mass: float | None = None  # [kg]
    pivot: Vector | None = None  # [m] suspension point; None: the highest point inside the material
    support: Literal["pivot", "axle", "free", "fixed"] = "pivot"  # a free body falls onto a floor
    axis: Vector | None = None  # of an axle, mesh axes; None: a horizontal one
    magnets: bool = True  # add a magnet at the lowest point, and three in the ground below
    moment: float | None = None  # [A m^2] moment of the magnet; None: derived from the weight


def body_name(path: Path) -> str:
    """The file name, changed to a valid name for a body."""
    return re.sub(r"[\s.,]+", "_", path.stem).strip("_") or "body"


def usual(path: Path, meshes: Meshes) -> HangingOptions:
    """Options suggested by the mesh: the scale that matches its size. Raises InputError for a broken mesh."""
    return HangingOptions(scale=guess_unit(meshes.mesh(path))[1])


def repairing(path: Path, meshes: Meshes) -> HangingOptions:
    """Options suggested by the mesh, with the first of REPAIRS_TRIED that makes it the surface of a solid.

    Raises InputError where the file can't be read, or no repair makes a solid of the mesh.
    """
    scale = guess_unit(read_mesh(path))[1]
    for repair in REPAIRS_TRIED:
        options = HangingOptions(scale=scale, repair=repair)
        try:
            mesh_of(path, options, meshes)
        except InputError:
            continue
        return options
    return usual(path, meshes)


def mesh_of(path: Path, options: HangingOptions, meshes: Meshes) -> Mesh:
    """The mesh of the options, without `scale`. Raises InputError."""
    return meshes.requested(Request(path, up=options.up, repair=options.repair))


def mesh_shape(path: Path, options: HangingOptions) -> MeshShape:
    """The mesh as a shape. Its position is left at the origin of the file."""
    return MeshShape(
        kind="mesh",
        file=path.name,
        scale=1.0 if options.unit else options.scale,
        unit=options.unit,
        up=options.up,
        repair=options.repair,
        density=options.density,
        mass=options.mass,
    )


def shapes_of(path: Path, options: HangingOptions, meshes: Meshes) -> tuple[MeshShape, ...]:
    """The mesh as one shape, or as one for each of its parts, which share a given mass by their volumes.

    Raises InputError if the mesh has more than MOST_PARTS.
    """
    shape = mesh_shape(path, options)
    count = mesh_of(path, options, meshes).part_count() if options.split else 1
    if count == 1:
        return (shape,)
    if count > MOST_PARTS:
        rule = Message("has {count} parts, more than {most}", count=count, most=MOST_PARTS)
        raise InputError(str(path), [Problem("", rule, Message("don't split it"))])
    requests = [Request(path, up=options.up, repair=options.repair, part=part) for part in range(count)]
    volumes = np.array([mesh_properties(meshes.requested(request)).mass for request in requests])
    shares = volumes / volumes.sum()
    return tuple(
        shape.model_copy(update={"part": part, "mass": None if options.mass is None else float(options.mass * share)})
        for part, share in enumerate(shares)
    )


def box_top(mesh: Mesh, scale: float) -> Vector:
    """Centre of the top face of the bounding box (3,) [m], mesh axes."""
    low, high = mesh.vertices.min(axis=0) * scale, mesh.vertices.max(axis=0) * scale
    return (float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2, float(high[2]))


def inside_top(mesh: Mesh, scale: float) -> Vector:
    """The highest point inside the material (3,) [m], mesh axes: on the vertical line through the centre of the top of
    the bounding box, or else, where that meets only low material, through the middle of the highest triangle.
    """
    corners = mesh.vertices[mesh.faces] * scale
    x, y, top = box_top(mesh, scale)
    height = top - float(corners[:, :, 2].min())
    depth, heights = INSIDE * height, _crossings(corners, x, y)
    if len(heights) < 2 or heights[-1] < top - LOW * height:
        x, y, _ = (float(number) for number in corners.mean(axis=1)[corners.mean(axis=1)[:, 2].argmax()])
        heights = _crossings(corners, x, y)
    if len(heights) < 2:
        return (x, y, top)
    return (x, y, float(heights[-1] - min(depth, (heights[-1] - heights[-2]) / 2)))


def _crossings(corners: np.ndarray, x: float, y: float) -> np.ndarray:
    """Heights (n,) [m], ascending, at which a vertical line meets triangles (m, 3, 3) [m]; shared edges count once."""
    (ax, ay), (bx, by), (cx, cy) = (corners[:, k, :2].T for k in range(3))
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    flat = np.abs(area) > 0
    safe = np.where(flat, area, 1.0)
    v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / safe
    w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / safe
    met = flat & (v >= 0) & (w >= 0) & (v + w <= 1)
    heights = np.sort(
        (corners[:, 0, 2] + v * (corners[:, 1, 2] - corners[:, 0, 2]) + w * (corners[:, 2, 2] - corners[:, 0, 2]))[met]
    )
    return heights[np.concatenate([[True], np.diff(heights) > 1e-9 * np.ptp(corners)])] if len(heights) else heights


def downward(mesh: Mesh, scale: float, center: np.ndarray, pivot: Vector) -> np.ndarray | None:
    """(3,) unit vector in mesh axes that points down at rest; None if the pivot is at the centre of mass."""
    arm = np.asarray(center) - pivot
    length = float(np.linalg.norm(arm))
    size = float(np.ptp(mesh.vertices, axis=0).max()) * scale
    return None if length < 1e-3 * size else arm / length


def lowest(mesh: Mesh, scale: float, center: np.ndarray, pivot: Vector) -> np.ndarray:
    """(3,) [m] point in mesh axes below the pivot, at the height of the lowest point of the mesh at rest."""
    down = downward(mesh, scale, center, pivot)
    down = np.array([0.0, 0.0, -1.0]) if down is None else down
    return np.asarray(pivot) + down * float(((mesh.vertices * scale - pivot) @ down).max())


def moment_for(mass: float, gap: float) -> float:
    """Moment [A m^2] of two equal coaxial magnets at a distance `gap` [m] whose force is half the weight of `mass`
    [kg].

    The force is 3 mu_0 m^2 / (2 pi gap^4).
    """
    return sqrt(0.5 * mass * GRAVITY * 2 * pi * gap**4 / (3 * MU_0))


def properties(path: Path, options: HangingOptions, meshes: Meshes) -> MassProperties:
    """Mass, centre of mass [m, mesh axes] and inertia of the mesh. Raises InputError if it has no volume."""
    return mesh_properties(mesh_of(path, options, meshes), options.scale, options.density, options.mass)


def hang(path: Path, options: HangingOptions, meshes: Meshes) -> Scene:
    """A scene with the mesh as a pendulum that moves from the start. Raises InputError."""
    mesh = mesh_of(path, options, meshes)
    held = properties(path, options, meshes)
    pivot = options.pivot or inside_top(mesh, options.scale)
    reach = _reach(mesh, options.scale, pivot)
    gap = 0.3 * reach
    with _refusing(path, reach):
        moment = options.moment or moment_for(held.mass, gap)
        height = reach + 0.8 * gap
        shapes = shapes_of(path, options, meshes)
        bodies = [_bob(shapes, options, held, mesh, pivot, height, moment)]
        if options.magnets:
            bodies += _ground_magnets(0.5 * reach, 0.2 * gap, moment)
        return Scene(
            format=SEEN_FROM,
            title=path.stem,
            description=path.name,
            solver=Solver(time_step=_time_step(reach)),
            body=tuple(bodies),
            wall=(Wall.model_validate({"name": "floor", **floor(0.0)}),) if options.support == "free" else (),
        ).in_folder(path.parent)


def added_body(scene: Scene, path: Path, options: HangingOptions, meshes: Meshes, spot: Placement) -> Body:
    """The mesh as a new body of a scene, at a free place above the ground. Raises InputError."""
    mesh, alone = mesh_of(path, options, meshes), replace(options, magnets=False)
    pivot = options.pivot or inside_top(mesh, options.scale)
    height = round(spot.ground + _neat(1.1 * _reach(mesh, options.scale, pivot)), 9)
    with _refusing(path, height):
        shapes = tuple(s.model_copy(update={"file": spot.file}) for s in shapes_of(path, alone, meshes))
        body = _bob(shapes, alone, properties(path, alone, meshes), mesh, pivot, height, 0.0)
    changes = {"name": free_name(names(scene), body.name), "position": (*spot.position[:2], height)}
    return body.model_copy(update=changes)


@contextmanager
def _refusing(path: Path, reach: float) -> Iterator[None]:
    """Context in which the parts of a mesh are made; raises InputError where its size takes them out of range."""
    try:
        yield
    except InputError as error:
        if error.source == str(path):  # of the mesh itself
            raise
        rule = Message("reaches {reach:.3g} m far, too large or too small for a scene", reach=reach)
        raise InputError(str(path), [Problem("", rule, Message("give another scale"))]) from error


def _reach(mesh: Mesh, scale: float, pivot: Vector) -> float:
    """Distance [m] from the pivot to the farthest vertex."""
    return float(np.linalg.norm(mesh.vertices * scale - pivot, axis=1).max())


def _bob(
    shapes: tuple[MeshShape, ...],
    options: HangingOptions,
    held: MassProperties,
    mesh: Mesh,
    pivot: Vector,
    height: float,
    moment: float,
) -> Body:
    """The body: its origin is the pivot, at `height` [m]; `moment` [A m^2] is that of its magnet."""
    down = downward(mesh, options.scale, held.center, pivot)
    up = np.array([0.0, 0.0, 1.0]) if down is None else -down
    point = lowest(mesh, options.scale, held.center, pivot)
    magnet = Sphere(  # a magnet of this shape is exactly a dipole, up to its surface
        kind="sphere",
        radius=_neat(BALL * _reach(mesh, options.scale, pivot)),
        mass=0.0,
        position=_vector(point - pivot),
        magnet=Magnet(moment=_vector(moment * up)),
    )
    rod = _rod(mesh.vertices[mesh.faces] * options.scale, point, pivot, magnet.radius)
    moves, on_axle = options.support == "pivot", options.support == "axle"
    turn = _on_axle(down, options.axis) if on_axle else _tilted(down) if moves else Orientation()
    return Body(
        name=body_name(Path(shapes[0].file)),
        support=options.support,
        axis=AXLE if on_axle else None,
        position=(0.0, 0.0, height),
        orientation=turn,
        angular_velocity=SPIN if moves and down is None else (0.0, 0.0, 0.0),
        shape=(
            *(shape.model_copy(update={"position": _vector(-np.asarray(pivot))}) for shape in shapes),
            *((magnet, *rod) if options.magnets else ()),
        ),
    )


def _rod(corners: np.ndarray, point: np.ndarray, pivot: Vector, radius: float) -> tuple[Cylinder, ...]:
    """A rod without mass from the nearest point on triangles (m, 3, 3) [m] to a magnet of a radius [m] at `point` (3,)
    [m]. None where they are close together. All are in mesh axes, the position of the rod is from the pivot on.
    """
    nearest = nearest_on_triangles(corners, point)
    length = float(np.linalg.norm(point - nearest))
    if length < BESIDE * radius:
        return ()
    turned = _turned(np.array([0.0, 0.0, 1.0]), (point - nearest) / length)
    middle = _vector((point + nearest) / 2 - np.asarray(pivot))
    rod = Cylinder(kind="cylinder", radius=ROD * radius, length=length, mass=0.0, position=middle, orientation=turned)
    return (rod,)


def nearest_on_triangles(corners: np.ndarray, point: np.ndarray) -> np.ndarray:
    """(3,) [m] the point on triangles with corners (m, 3, 3) [m] that is nearest to another one (3,) [m]."""
    starts, edges = corners, np.roll(corners, -1, axis=1) - corners
    squares = np.maximum((edges**2).sum(axis=2), 1e-300)
    share = np.clip(((point - starts) * edges).sum(axis=2) / squares, 0.0, 1.0)
    on_edges = (starts + share[..., None] * edges).reshape(-1, 3)
    normal = np.cross(edges[:, 0], edges[:, 1])
    square = (normal**2).sum(axis=1)
    solid = square > 0
    height = ((point - corners[solid, 0]) * normal[solid]).sum(axis=1) / square[solid]
    feet = point - height[:, None] * normal[solid]
    sides = (np.cross(edges[solid], feet[:, None] - starts[solid]) * normal[solid][:, None]).sum(axis=2)
    found = np.vstack([on_edges, feet[(sides >= 0).all(axis=1)]])
    return np.asarray(found[np.linalg.norm(found - point, axis=1).argmin()])


def _tilted(down: np.ndarray | None) -> Orientation:
    """Initial orientation: rest position, in which `down` (3,), mesh axes, points down, followed by TILT."""
    if down is None:
        return TILT
    rest = _turned(down, np.array([0.0, 0.0, -1.0]))
    u1, u2, u3 = (TILT.matrix() @ rest.matrix()).T
    return Orientation(basis=(_vector(u1), _vector(u2), _vector(u3)))


def _on_axle(down: np.ndarray | None, axis: Vector | None) -> Orientation:
    """Initial orientation on AXLE, along which `axis` (3,), mesh axes, lies: as far from its rest as TILT turns.

    `down` (3,), mesh axes, points to the centre of mass; at rest it is as low as the axle lets it.
    """
    along = np.array(axis if axis is not None else (0.0, 1.0, 0.0))
    along = along / np.linalg.norm(along)
    low = np.array([0.0, 0.0, -1.0]) if down is None else down
    low = low - (low @ along) * along
    if np.linalg.norm(low) < 1e-9:  # the centre of mass is on the axle: any direction will do
        low = np.cross(along, np.eye(3)[np.abs(along).argmin()])
    low = low / np.linalg.norm(low)
    rest = np.column_stack([AXLE, (0.0, 0.0, -1.0), np.cross(AXLE, (0.0, 0.0, -1.0))])
    turn = Orientation(axis=AXLE, angle=TILT.angle).matrix() @ rest @ np.array([along, low, np.cross(along, low)])
    u1, u2, u3 = turn.T
    return Orientation(basis=(_vector(u1), _vector(u2), _vector(u3)))


def _turned(start: np.ndarray, end: np.ndarray) -> Orientation:
    """The rotation of a unit vector (3,) into another one, of which one is vertical."""
    axis = np.cross(start, end)
    sine = float(np.linalg.norm(axis))
    axis = axis if sine > 1e-9 else np.array([1.0, 0.0, 0.0])  # parallel: any horizontal axis will do
    return Orientation(axis=_vector(axis), angle=float(np.arctan2(sine, start @ end)))


def _neat(number: float) -> float:
    """A number with two significant digits."""
    return float(f"{number:.2g}")


def _ground_magnets(distance: float, size: float, moment: float) -> list[Body]:
    """Three vertical magnets on a circle of radius `distance` [m], which attract those above.

    `size` [m] is their length, and `moment` [A m^2] the moment of each.
    """
    points = [(distance * np.cos(angle), distance * np.sin(angle)) for angle in (0.0, 2 * pi / 3, 4 * pi / 3)]
    return [
        Body(
            name=f"magnet{i}",
            support="fixed",
            position=(float(x), float(y), size / 2),
            shape=(
                Cylinder(
                    kind="cylinder",
                    radius=size,
                    length=size,
                    density=NEODYMIUM,
                    magnet=Magnet(moment=(0.0, 0.0, moment), dipoles=FEW),
                ),
            ),
        )
        for i, (x, y) in enumerate(points, start=1)
    ]


def _time_step(reach: float) -> float:
    """A thousandth of the period of a pendulum of length `reach` [m], rounded down to one digit, at most 1 ms."""
    step = 2 * pi * sqrt(reach / GRAVITY) / 1000
    power = 10.0 ** np.floor(np.log10(step))
    return float(min(1e-3, np.floor(step / power) * power))


def _vector(values: np.ndarray) -> Vector:
    """The components as a tuple of floats."""
    return (float(values[0]), float(values[1]), float(values[2]))


def open_document(path: Path, meshes: Meshes) -> Scene:
    """The scene of a scene file, or of a mesh with default options. Raises InputError."""
    return hang(path, usual(path, meshes), meshes) if is_mesh(path) else open_scene(path)
