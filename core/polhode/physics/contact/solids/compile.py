"""Convex solids of a scene as kernel arrays.

Cuboids, cylinders, capsules, rods and meshes of bodies with a contact. A mesh presses with its convex hull, or with the
hulls of its convex parts. The core of each is what remains if `rounding` is taken off from its faces, so that faces
stay where they are and edges are rounded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

import numpy as np

from polhode.mesh.convex_parts import KeptParts
from polhode.mesh.mesh import Meshes, convex_hull
from polhode.physics.bodies import shapes
from polhode.physics.bodies.arrays import Bodies
from polhode.physics.bodies.description import Body
from polhode.physics.contact.compile import dry_numbers
from polhode.physics.contact.description import Contact, ContactShape
from polhode.physics.contact.separate import separate_bodies
from polhode.physics.contact.solids.arrays import BOX, CYLINDER, HULL, MATERIAL, SEGMENT, Solids
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene

ROUNDING = 0.02  # of the smallest width of a shape, unless the contact says another radius
Law = Literal["solid", "parts", "field"]  # of convex solids, of several for one mesh, and of shapes as they look
COPLANAR = 1e-9  # squared difference of normals below which two triangles are one face


@dataclass(eq=False)
class Core:
    """A core in the frame of its shape: what is left of it without the rounding."""

    kind: int
    size: tuple[float, float, float]  # [m]
    radius: float  # [m]
    bound: np.ndarray = field(default_factory=lambda: np.zeros(3))  # (3,) [m]
    vertices: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (v, 3) [m]
    starts: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (e, 3) [m]
    ends: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (e, 3) [m]
    outwards: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (e, 3)
    extra: float = 0.0  # [m] thickness of edges beside the radius
    normals: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (f, 3)
    triangles: np.ndarray = field(default_factory=lambda: np.zeros((0, 3, 3)))  # (f, 3, 3) [m]
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))  # (3,) [m] in the frame of the shape


def _on_axis(half: float) -> dict[str, Any]:
    """Vertices and one edge of a segment along z with a half-length [m]."""
    ends = np.array([[0.0, 0.0, -half], [0.0, 0.0, half]])
    return {"starts": ends[:1], "ends": ends[1:], "outwards": np.zeros((1, 3))}


def _segment(half: float, radius: float) -> Core:
    """Core of a capsule."""
    ends = np.array([[0.0, 0.0, -half], [0.0, 0.0, half]])
    return Core(SEGMENT, (0.0, 0.0, half), radius, np.array([0.0, 0.0, half]), ends, **_on_axis(half))


def _cylinder(shape: shapes.Cylinder, rounding: float | None) -> Core:
    width = min(2 * shape.radius, shape.length)
    radius = limited(rounding, width)
    core, half = shape.radius - radius, shape.length / 2 - radius
    return Core(CYLINDER, (core, 0.0, half), radius, np.array([core, core, half]), extra=core, **_on_axis(half))


def _box(shape: shapes.Cuboid, rounding: float | None) -> Core:
    radius = limited(rounding, min(shape.size))
    half = np.array(shape.size) / 2 - radius
    signs = np.array([*product((-1.0, 1.0), repeat=3)])
    pairs = [(a, b) for a in range(8) for b in range(a) if (signs[a] != signs[b]).sum() == 1]
    first, second = (signs[[pair[k] for pair in pairs]] for k in (1, 0))
    return Core(
        BOX, (half[0], half[1], half[2]), radius, half, signs * half, first * half, second * half, (first + second) / 2
    )


def _hull(outer: np.ndarray, rounding: float | None, file: str) -> Core:
    """Core of the convex hull of points (n, 3) [m]: the polyhedron whose faces lie `rounding` below those of the hull.

    Raises InputError, with the name of the file, if the hull is too thin for that.
    """
    # slow imports that few scenes need
    from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError  # noqa: PLC0415

    size = float(np.ptp(outer, axis=0).max())
    try:
        hull = ConvexHull(outer / size)
        radius = limited(rounding, size * float(np.ptp(hull.points @ hull.equations[:, :3].T, axis=0).min()))
        inset = hull.equations + [0.0, 0.0, 0.0, radius / size]
        core = ConvexHull(size * HalfspaceIntersection(inset, _centroid(hull)).intersections)
    except (QhullError, ValueError) as error:
        rule = Message("the convex hull of '{name}' is too thin to press on others", name=file)
        raise InputError(file, [Problem("", rule, Message("make it thicker, or remove contact"))]) from error
    middle = (core.points.max(axis=0) + core.points.min(axis=0)) / 2
    half = np.ptp(core.points, axis=0) / 2
    starts, ends, outwards = _edges_of(core, core.points - middle)
    return Core(
        HULL,
        (half[0], half[1], half[2]),
        radius,
        half,
        core.points[np.unique(core.simplices)] - middle,
        starts,
        ends,
        outwards,
        normals=core.equations[:, :3],
        triangles=core.points[core.simplices] - middle,
        center=middle,
    )


def _centroid(hull: Any) -> np.ndarray:
    """(3,) [m] centroid of a scipy ConvexHull, whose distance from each face is at least a quarter of the width."""
    apex = hull.points.mean(axis=0)
    corners = hull.points[hull.simplices] - apex
    volumes = np.abs(np.linalg.det(corners))
    return apex + volumes @ corners.sum(axis=1) / (4 * volumes.sum())


def _edges_of(hull: Any, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts and ends (e, 3) [m] of the edges of a scipy ConvexHull between faces that are not coplanar, and the sums
    of both normals (e, 3).
    """
    starts, ends, outwards = [], [], []
    normals = hull.equations[:, :3]
    for face, corners in enumerate(hull.simplices):
        for k, neighbor in enumerate(hull.neighbors[face]):
            if face < neighbor and ((normals[face] - normals[neighbor]) ** 2).sum() > COPLANAR:
                a, b = np.delete(corners, k)
                starts.append(points[a])
                ends.append(points[b])
                outwards.append(normals[face] + normals[neighbor])
    return np.array(starts), np.array(ends), np.array(outwards)


def limited(rounding: float | None, width: float) -> float:
    """Radius [m] of the rounding of a shape with the smallest width [m]."""
    return ROUNDING * width if rounding is None else min(rounding, 0.45 * width)


def law_of(shape: shapes.ShapeBase, chosen: ContactShape) -> Law | None:
    """The law by which a shape presses on other bodies, of which the contact has chosen a shape; None of one that does
    not, and of spheres, which have a law of their own.
    """
    match shape:
        case shapes.Cuboid() | shapes.Cylinder() | shapes.Capsule():
            return "solid"
        case shapes.MeshShape(convex_hull=convex):
            return "solid" if convex or chosen == "hull" else "parts" if chosen == "parts" else "field"
        case shapes.Tube() | shapes.Cone() | shapes.Ellipsoid() | shapes.Torus():
            return None if chosen == "hull" else "field"
        case shapes.Rod():
            return None if chosen == "hull" else "solid"
    return None


def parts_of(shape: shapes.MeshShape, scene: Scene, meshes: Meshes, detail: int) -> KeptParts:
    """The convex parts of a mesh, in m. Raises InputError for a mesh that cannot be read."""
    mesh = meshes.of(shape, scene.folder)
    return KeptParts.of((mesh.vertices * shape.scale, mesh.faces), detail)


def kept_parts(scene: Scene, meshes: Meshes) -> list[KeptParts]:
    """The convex parts of all meshes that press with them. Raises InputError."""
    return [
        parts_of(shape, scene, meshes, body.contact.detail)
        for body in scene.body
        if body.contact is not None
        for shape in body.shape
        if isinstance(shape, shapes.MeshShape) and shape.presses
        if law_of(shape, scene.contact_shape(body.contact)) == "parts"
    ]


def _cores_of(shape: shapes.ShapeBase, law: Law, contact: Contact, scene: Scene, meshes: Meshes) -> list[Core]:
    """Cores of a shape that presses by a law. Raises InputError for a mesh that cannot be read."""
    match shape:
        case shapes.Cuboid():
            return [_box(shape, contact.rounding)]
        case shapes.Cylinder():
            return [_cylinder(shape, contact.rounding)]
        case shapes.Capsule():
            return [_segment(shape.length / 2, shape.radius)]
        case shapes.Rod():
            return [_segment(shape.length / 2 - shape.radius, shape.radius)]
        case shapes.MeshShape() if law == "parts":
            parts = parts_of(shape, scene, meshes, contact.detail).made()
            return [_hull(vertices, contact.rounding, shape.file) for vertices, _ in parts]
        case shapes.MeshShape() if law == "solid":
            hull = convex_hull(meshes.of(shape, scene.folder), shape.file)
            return [_hull(hull.vertices * shape.scale, contact.rounding, shape.file)]
    return []


def build_solids(scene: Scene, bodies: Bodies, meshes: Meshes, own: np.ndarray) -> Solids:
    """Solids of all bodies with a contact, as kernel arrays. The meshes must have been checked.

    own: (n + p,) [N/m] contact stiffness of each body and point
    """
    rows: list[tuple[int, shapes.ShapeBase, Core, Contact]] = []
    for b, body in enumerate(scene.bodies):
        if isinstance(body, Body) and body.contact is not None:
            chosen = scene.contact_shape(body.contact)
            for shape in (shape for shape in body.shape if shape.presses):
                if (law := law_of(shape, chosen)) is not None:
                    cores = _cores_of(shape, law, body.contact, scene, meshes)
                    rows += [(b, shape, core, body.contact) for core in cores]
    turns = [shape.orientation.matrix() for _, shape, _, _ in rows]
    positions = [
        bodies.origin[b] + shape.position + turn @ core.center
        for (b, shape, core, _), turn in zip(rows, turns, strict=True)
    ]
    first_separate, separate = separate_bodies(scene)
    return Solids(
        body=np.array([b for b, *_ in rows], dtype=np.int64),
        position=np.array(positions).reshape(-1, 3),
        axes=np.array([turn.T for turn in turns]).reshape(-1, 3, 3),
        material=np.array([material_of(contact, own[b]) for b, *_, contact in rows]).reshape(-1, len(MATERIAL)),
        first_separate=first_separate,
        separate=separate,
        **_of_cores([core for _, _, core, _ in rows]),
    )


def _of_cores(cores: list[Core]) -> dict[str, Any]:
    """The members of Solids that follow from the cores alone."""
    counts = {name: [len(getattr(core, name)) for core in cores] for name in ("vertices", "starts", "normals")}
    edges, normals = (_stacked(arrays) for arrays in ([c.ends - c.starts for c in cores], [c.normals for c in cores]))
    lengths = np.linalg.norm(edges, axis=1)
    corners = np.concatenate([np.zeros((0, 3, 3)), *(core.triangles for core in cores)])
    return {
        "kind": np.array([core.kind for core in cores], dtype=np.int64),
        "size": np.array([core.size for core in cores]).reshape(-1, 3),
        "bound": np.array([core.bound for core in cores]).reshape(-1, 3),
        "radius": np.array([core.radius for core in cores], dtype=np.float64),
        "reach": np.array([_reach(core) for core in cores], dtype=np.float64),
        "first_vertex": firsts(counts["vertices"]),
        "vertex": _stacked([core.vertices for core in cores]),
        "first_edge": firsts(counts["starts"]),
        "start": _stacked([core.starts for core in cores]),
        "direction": edges / lengths[:, None],
        "length": lengths,
        "outward": _stacked([core.outwards for core in cores]),
        "thickness": np.repeat([core.radius + core.extra for core in cores], counts["starts"]).astype(np.float64),
        "first_face": firsts(counts["normals"]),
        "normal": normals,
        "level": np.einsum("ij,ij->i", normals, corners[:, 0]),
        "triangle": corners,
    }


def material_of(contact: Contact, stiffness: float) -> tuple[float, ...]:
    """Row of `Solids.material`. stiffness: [N/m]"""
    viscous = stiffness, contact.damping, contact.friction, contact.rolling
    return *viscous, *dry_numbers(contact)


def _reach(core: Core) -> float:
    """Largest distance [m] of any point of a solid from its centre."""
    if core.kind == CYLINDER:
        return float(np.hypot(core.size[0], core.size[2])) + core.radius
    return float(np.linalg.norm(core.vertices, axis=1).max()) + core.radius


def firsts(counts: list[int]) -> np.ndarray:
    """(m + 1,) int64: index of the first item of each solid, and the number of all."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


def _stacked(arrays: list[np.ndarray]) -> np.ndarray:
    """Rows of all arrays, (k, 3)."""
    return np.concatenate([np.zeros((0, 3)), *arrays])
