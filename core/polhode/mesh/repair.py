"""Repairs of broken triangle meshes by trimesh, and the condition of a mesh before and after.

A repair guesses missing parts: the checks of core/polhode/mesh/topology.py follow and refuse meshes that are still
open.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import scipy
import trimesh

from polhode.mesh.containment import nesting
from polhode.mesh.files.damage import Damaged
from polhode.mesh.volume_integrals import bounding_box, enclosed
from polhode.physics.bodies.shapes import Repair
from polhode.scene.message import Message, plural

CLOSE = 1e-4  # in diagonals of the bounding box: the cell in which `merge` joins vertices


@dataclass(frozen=True)
class Condition:
    """Properties of a mesh that a repair may change."""

    triangles: int
    vertices: int
    holes: int  # connected groups of edges that have one triangle only
    crowded: int  # edges of three triangles or more
    parts: int  # pieces of the surface that no edge connects
    volume: float  # [m^3] by the surface integral about the middle of the bounding box, also where there are holes


def condition(vertices: np.ndarray, faces: np.ndarray) -> Condition:
    """The condition of a mesh of vertices (n, 3) [m] and faces (m, 3)."""
    mesh = _mesh(vertices, faces)
    edges, counts = np.unique(mesh.edges_sorted, axis=0, return_counts=True)
    holes = trimesh.graph.connected_components(edges[counts == 1], min_len=1)
    volume = float(enclosed(vertices, faces)[0])
    return Condition(len(faces), len(vertices), len(holes), int((counts > 2).sum()), int(mesh.body_count), volume)


def repaired(
    vertices: np.ndarray, faces: np.ndarray, steps: Sequence[Repair]
) -> tuple[np.ndarray, np.ndarray, list[Message]]:
    """Vertices (n, 3) and faces (m, 3) after the steps, in their order, and a note on each that changed something.

    The arguments are not changed. Raises Damaged if there is no convex hull, or no triangle is left.
    """
    mesh, notes = _mesh(vertices, faces), []
    for step in steps:
        with np.errstate(divide="ignore", invalid="ignore"):  # trimesh divides by the volume, also by none
            note = STEPS[step](mesh)
        if len(mesh.faces) == 0:
            raise Damaged(Message("has no triangles that enclose an area"))
        if note is not None:
            notes.append(note)
    mesh.remove_unreferenced_vertices()
    return np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int32), notes


def solid_parts(vertices: np.ndarray, faces: np.ndarray) -> list[np.ndarray]:
    """Numbers (k,) of the faces of each part of a closed mesh, the part of the largest volume first.

    vertices: (n, 3); faces: (m, 3), counterclockwise seen from outside

    A cavity belongs to the smallest part around it. A piece without a volume that lies in no part
    is left out.
    """
    adjacency = _mesh(vertices, faces).face_adjacency
    pieces = trimesh.graph.connected_components(adjacency, nodes=np.arange(len(faces)), min_len=1)
    with np.errstate(over="ignore", invalid="ignore"):  # second moments of pieces almost without a volume
        volumes = np.array([enclosed(vertices, faces[piece])[0] for piece in pieces])
    outer = [int(k) for k in np.argsort(-volumes, kind="stable") if volumes[k] > 0]
    members = {k: [pieces[k]] for k in outer}
    cavities = np.flatnonzero(volumes <= 0)
    if len(cavities):
        component = np.empty(len(faces), dtype=np.int32)
        for number, piece in enumerate(pieces):
            component[piece] = number
        parent = nesting(vertices, faces, component, len(pieces)).parent
        for k in cavities:
            if int(parent[k]) in members:
                members[int(parent[k])].append(pieces[k])
    return [np.concatenate(members[k]) for k in outer]


def _mesh(vertices: np.ndarray, faces: np.ndarray) -> trimesh.Trimesh:
    """A mesh of trimesh with its own copies of the arrays."""
    return trimesh.Trimesh(vertices.copy(), faces.astype(np.int64), process=False)


def _merge(mesh: trimesh.Trimesh) -> Message | None:
    """Join close vertices and leave out triangles that then have no area, or are there twice.

    trimesh joins the vertices in a cell of a grid. With eight grids, shifted by half a cell along each axis or not, all
    vertices closer than half a cell are joined, wherever they lie.
    """
    low, high = bounding_box(mesh.vertices)
    count, middle = len(mesh.vertices), (low + high) / 2
    cell = CLOSE * float(np.linalg.norm(high - low)) or 1.0
    for shift in product((0.0, 0.5), repeat=3):
        mesh.vertices = (mesh.vertices - middle) / cell + shift
        mesh.merge_vertices(merge_tex=True, merge_norm=True, digits_vertex=0)
        mesh.vertices = (mesh.vertices - shift) * cell + middle
    a, b, c = mesh.faces.T
    mesh.update_faces((a != b) & (b != c) & (c != a) & mesh.unique_faces())
    merged = count - len(mesh.vertices)
    if not merged:
        return None
    return plural("{count} vertex merged with a close one", "{count} vertices merged with close ones", count=merged)


def _orient(mesh: trimesh.Trimesh) -> Message | None:
    """Turn triangles so that neighbours agree, and all of them if the mesh is inside out."""
    before = mesh.faces.copy()
    trimesh.repair.fix_normals(mesh, multibody=False)
    turned = int((mesh.faces != before).any(axis=1).sum())
    return plural("{count} triangle turned", "{count} triangles turned", count=turned) if turned else None


def _fill_holes(mesh: trimesh.Trimesh) -> Message | None:
    """Close holes of three or four edges with triangles, and others with fans.

    trimesh leaves larger holes open, and mistakes the rims of holes that touch each other.
    """
    before, candidate = len(mesh.faces), mesh.copy()
    if trimesh.repair.fill_holes(candidate, use_fan=False):
        mesh.faces = candidate.faces
    else:
        _add_fans(mesh)
    added = len(mesh.faces) - before
    if not added:
        return None
    return plural("holes filled with {count} triangle", "holes filled with {count} triangles", count=added)


def _add_fans(mesh: trimesh.Trimesh) -> None:
    """Add a vertex in the middle of each ring of open edges, and the triangles between it and the edges.

    A fan around one of the ring's own corners could meet an edge that is there already.
    """
    edges = mesh.edges[trimesh.grouping.group_rows(mesh.edges_sorted, require_count=1)].tolist()
    known = set(map(tuple, edges))
    points = np.asarray(mesh.vertices)
    middles, fans = [], []
    for middle, ring in enumerate(rings(edges), start=len(points)):
        middles.append(points[ring].mean(axis=0))
        pairs = zip(ring, [*ring[1:], ring[0]], strict=True)
        fans += [(b, a, middle) if (a, b) in known else (a, b, middle) for a, b in pairs]
    if fans:
        faces = np.concatenate([mesh.faces, fans])
        mesh.vertices = np.concatenate([points, middles])
        mesh.faces = faces


def rings(edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """Rings of three vertices or more into which edges fall: each edge is in one ring, each vertex once in a ring.

    Edges that belong to no ring are left out. Cost: linear in the number of edges.
    """
    around: dict[int, list[int]] = defaultdict(list)
    for number, (a, b) in enumerate(edges):
        around[a].append(number)
        around[b].append(number)
    used, found = [False] * len(edges), []
    for start in around:
        path, index = [start], {start: 0}
        while path:
            free = around[path[-1]]
            while free and used[free[-1]]:
                free.pop()
            if not free:
                del index[path.pop()]  # no way on
                continue
            edge = free.pop()
            used[edge] = True
            a, b = edges[edge]
            there = a if b == path[-1] else b
            if there in index:
                ring = path[index[there] :]
                found.append(ring)
                for gone in ring[1:]:
                    del index[gone]
                del path[index[there] + 1 :]
            else:
                index[there] = len(path)
                path.append(there)
    return [ring for ring in found if len(ring) > 2]


def united(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Vertices (n, 3) and faces (m, 3) of the union of the parts of a mesh; None where a part is not closed."""
    # a slow import that few scenes need
    from manifold3d import Error, Manifold, OpType  # noqa: PLC0415
    from manifold3d import Mesh64 as Solid  # noqa: PLC0415

    parts = []
    for part in solid_parts(vertices, faces):
        kept, renumbered = np.unique(faces[part], return_inverse=True)
        solid = Manifold(Solid(vertices[kept], renumbered.reshape(-1, 3).astype(np.uint64)))
        if solid.status() != Error.NoError or solid.is_empty():
            return None
        parts.append(solid)
    if not parts:
        return None
    whole = Manifold.batch_boolean(parts, OpType.Add).to_mesh64()
    return np.array(whole.vert_properties[:, :3]), np.array(whole.tri_verts, dtype=np.int32)


def _union(mesh: trimesh.Trimesh) -> Message | None:
    """Unite parts that overlap or lie in each other; raises Damaged where a part is not closed."""
    before = float(enclosed(mesh.vertices, mesh.faces.astype(np.int32))[0])
    made = united(np.array(mesh.vertices), mesh.faces.astype(np.int32))
    if made is None:
        rule = Message("has parts that are not closed, and no union")
        raise Damaged(rule, Message('close them first: repair = ["merge", "fill_holes", "union"]'))
    after = float(enclosed(*made)[0])
    if abs(after - before) <= 1e-9 * abs(before):
        return None
    mesh.vertices, mesh.faces = made
    return Message("parts united: volume {after:.6g} instead of {before:.6g}", after=after, before=before)


def _hull(mesh: trimesh.Trimesh) -> Message | None:
    """Replace the mesh by its convex hull."""
    try:
        hull = mesh.convex_hull
    except (scipy.spatial.QhullError, ValueError):
        raise Damaged(
            Message("has no convex hull with a volume"), Message("give it points that do not lie in one plane")
        ) from None
    mesh.vertices, mesh.faces = hull.vertices, hull.faces
    return Message("replaced by its convex hull")


STEPS: Mapping[Repair, Callable[[trimesh.Trimesh], Message | None]] = {
    "merge": _merge,
    "orient": _orient,
    "fill_holes": _fill_holes,
    "union": _union,
    "convex_hull": _hull,
}
