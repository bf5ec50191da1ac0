"""Surfaces of solids as a given number of triangles of good shape, on which surface charges of iron are placed.

Bodies of revolution are rings of vertices along a profile, cuboids grids, both closer together towards their edges,
where the charges are steep; an ellipsoid is a divided icosahedron. Triangles of a mesh are divided or joined. The
surface is scaled to the volume of the solid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import ceil, pi, sqrt

import numpy as np

Surface = tuple[np.ndarray, np.ndarray]
"""Vertices (v, 3) and faces (t, 3) int64, counterclockwise seen from outside."""

RATIO = 2.6  # of the largest distance of points along an edge or a profile and the smallest one, at most
AT_POLE = 6  # triangles around a vertex on the axis
GOLDEN = (1.0 + sqrt(5.0)) / 2.0
TRIES = 40  # of lengths of edges, for a number of triangles


@dataclass(frozen=True, eq=False)
class ProfilePart:
    """Part of a profile between edges of the solid, or points of the axis."""

    points: np.ndarray  # (k, 2) distances from the axis and heights
    ends: tuple[bool, bool] = (True, True)  # whether its first and its last point are on an edge of the solid

    def divided(self, edge: float) -> np.ndarray:
        """(n + 1, 2) points along it, about `edge` apart."""
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.points, axis=0), axis=1))])
        at = steps(max(1, round(lengths[-1] / edge)), self.ends) * lengths[-1]
        return np.column_stack([np.interp(at, lengths, column) for column in self.points.T])


def steps(count: int, ends: tuple[bool, bool] = (True, True)) -> np.ndarray:
    """(count + 1,) numbers from 0 to 1, closer together towards the ends that are edges."""
    even = np.linspace(0.0, 1.0, count + 1)
    if not any(ends):
        return even
    low, high = -0.5 * pi * ends[0], 0.5 * pi * ends[1]
    sine = np.sin(low + (high - low) * even)
    fine = (sine - sine[0]) / (sine[-1] - sine[0])
    cells = np.diff(fine)
    excess = (cells.max() - RATIO * cells.min()) * count
    share = min(1.0, (RATIO - 1.0) / (RATIO - 1.0 + excess)) if excess > 0.0 else 1.0
    return np.asarray((1.0 - share) * even + share * fine)


def scaled_to(surface: Surface, volume: float) -> Surface:
    """The surface about its origin with another volume."""
    vertices, faces = surface
    return vertices * (volume / volume_of(surface)) ** (1.0 / 3.0), faces


def volume_of(surface: Surface) -> float:
    """Volume in a closed surface."""
    corners = surface[0][surface[1]]
    return float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum()) / 6.0


def sphere_panels(count: int) -> Surface:
    """A unit sphere as about `count` triangles: an icosahedron, its edges divided into equal parts."""
    parts = max(1, round(sqrt(count / 20.0)))
    corners = np.array([(0.0, a, b * GOLDEN) for a in (1.0, -1.0) for b in (1.0, -1.0)])
    corners = np.concatenate([np.roll(corners, k, axis=1) for k in range(3)])
    near = np.linalg.norm(corners[:, None] - corners, axis=2) < 2.1
    faces = [face for face in combinations(range(12), 3) if near[np.ix_(face, face)].all()]
    points, triangles = list[np.ndarray](), list[tuple[int, int, int]]()
    at = [(i, j) for i in range(parts + 1) for j in range(i + 1)]
    for a, b, c in (corners[list(face)] for face in faces):
        if np.dot(a, np.cross(b, c)) < 0.0:
            b, c = c, b
        first = len(points)
        row = [first + i * (i + 1) // 2 for i in range(parts + 2)]
        points += [a + (b - a) * ((i - j) / parts) + (c - a) * (j / parts) for i, j in at]
        for i in range(parts):
            triangles += [(row[i] + j, row[i + 1] + j, row[i + 1] + j + 1) for j in range(i + 1)]
            triangles += [(row[i] + j, row[i + 1] + j + 1, row[i] + j + 1) for j in range(i)]
    on_sphere = np.array(points)
    on_sphere /= np.linalg.norm(on_sphere, axis=1)[:, None]
    return joined(on_sphere, np.array(triangles, dtype=np.int64))


def joined(points: np.ndarray, faces: np.ndarray) -> Surface:
    """A surface of points (v, 3) and faces (t, 3), its points that are equal up to rounding joined."""
    cells = np.round(points / np.abs(points).max(), 9) + 0.0  # no cell is minus zero
    _, first, number = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    return points[first], number.reshape(-1)[faces]


def cuboid_panels(size: tuple[float, float, float], count: int) -> Surface:
    """A cuboid about its centre, with two triangles in each cell of a grid on its faces."""
    sides = np.array(size)

    def cells(edge: float) -> np.ndarray:
        return np.maximum(1, np.rint(sides / edge)).astype(int)

    x, y, z = (steps(n) for n in cells(_edge_for(count, lambda edge: _faces_of_grid(cells(edge)), float(sides.max()))))
    points, faces = list[np.ndarray](), list[np.ndarray]()
    for axis, (u, v) in enumerate(((y, z), (z, x), (x, y))):
        for side in (0.0, 1.0):
            grid = np.stack(np.meshgrid(u, v, indexing="ij"), axis=-1).reshape(-1, 2)
            face = np.roll(np.column_stack([np.full(len(grid), side), grid]), axis, axis=1)
            i, j = (a.ravel() for a in np.meshgrid(np.arange(len(u) - 1), np.arange(len(v) - 1), indexing="ij"))
            corner = i * len(v) + j
            a, b, c, d = corner, corner + len(v), corner + len(v) + 1, corner + 1
            turned = (u[i] + u[i + 1] > 1.0) == (v[j] + v[j + 1] > 1.0)  # diagonals point to the corners of the face
            one = np.where(turned[:, None], np.column_stack([a, b, c]), np.column_stack([a, b, d]))
            two = np.where(turned[:, None], np.column_stack([a, c, d]), np.column_stack([b, c, d]))
            found = np.concatenate([one, two])
            faces.append((found if side else found[:, ::-1]) + sum(len(each) for each in points))
            points.append((face - 0.5) * sides)
    return joined(np.concatenate(points), np.concatenate(faces))


def _faces_of_grid(n: np.ndarray) -> int:
    """Triangles of a grid with n (3,) cells along the axes."""
    return int(4 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]))


def _edge_for(count: int, faces: Callable[[float], int], longest: float) -> float:
    """Length of edges, at most `longest`, for which `faces`(edge) is nearest to `count`."""
    low, high = longest / count, 2.0 * longest
    best, difference = high, np.inf
    for _ in range(TRIES):
        edge = sqrt(low * high)
        found = faces(edge)
        if abs(found - count) < difference:
            best, difference = edge, abs(found - count)
        low, high = (edge, high) if found > count else (low, edge)
    return best


def revolved_panels(pieces: list[ProfilePart], count: int) -> Surface:
    """A body of revolution about z, from a profile that starts and ends on the axis, counterclockwise in (r, z)."""
    whole = max(float(np.abs(piece.points).max()) for piece in pieces)
    edge = _edge_for(count, lambda length: len(_rings(pieces, length)[1]), 2.0 * whole)
    return _rings(pieces, edge)


def _rings(pieces: list[ProfilePart], edge: float) -> Surface:
    """Rings of vertices along the profile, about `edge` apart, with strips of triangles between them."""
    profile = np.concatenate([piece.divided(edge)[:-1] for piece in pieces] + [pieces[-1].points[-1:]])
    lengths = np.linalg.norm(np.diff(profile, axis=0), axis=1)
    local = np.concatenate([lengths[:1], 0.5 * (lengths[1:] + lengths[:-1]), lengths[-1:]])
    rings, points = list[np.ndarray](), list[np.ndarray]()
    for k, (radius, height) in enumerate(profile):
        on_axis = radius < 1e-9 * edge
        around = 1 if on_axis else max(AT_POLE, ceil(2.0 * pi * radius / max(edge, local[k]) - 0.25))
        angle = 2.0 * pi * (np.arange(around) + 0.5 * (k % 2)) / around
        rings.append(np.arange(around) + sum(len(each) for each in points))
        points.append(np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.full(around, height)]))
    strips = [strip(a, b, 0.5 * (k % 2), 0.5 * ((k + 1) % 2)) for k, (a, b) in enumerate(pairwise(rings))]
    return np.concatenate(points), np.array([face for each in strips for face in each], dtype=np.int64)


def strip(low: np.ndarray, high: np.ndarray, phase_low: float, phase_high: float) -> list[tuple[int, int, int]]:
    """Triangles between two rings, given by indices of vertices low (n,) and high (m,) and by the phases of their first
    vertices, in parts of a step; the next vertex is that of the ring which is behind.
    """
    n, m = len(low), len(high)
    i = j = 0
    end_low, end_high = (n if n > 1 else 0), (m if m > 1 else 0)
    found = []
    while i < end_low or j < end_high:
        ahead_low = (i + 0.5 + phase_low) / n if i < end_low else np.inf
        ahead_high = (j + 0.5 + phase_high) / m if j < end_high else np.inf
        if ahead_low <= ahead_high:
            found.append((int(low[i % n]), int(low[(i + 1) % n]), int(high[j % m])))
            i += 1
        else:
            found.append((int(low[i % n]), int(high[(j + 1) % m]), int(high[j % m])))
            j += 1
    return found


def mesh_panels(surface: Surface, count: int) -> Surface:
    """A closed mesh as about `count` triangles: its own ones divided, or joined where they are in a plane nearly."""
    import manifold3d  # noqa: PLC0415  a slow import that few scenes need

    vertices, faces = surface
    size = float(np.ptp(vertices, axis=0).max())
    whole = manifold3d.Manifold(manifold3d.Mesh((vertices / size).astype(np.float32), faces.astype(np.uint32)))
    tolerance = 1e-4
    while whole.num_tri() > count and tolerance < 0.1:
        whole, tolerance = whole.simplify(tolerance), 1.5 * tolerance
    edge = _edge_for(count, lambda length: whole.refine_to_length(length).num_tri(), 1.0)
    made = whole.refine_to_length(edge).to_mesh()
    return np.asarray(made.vert_properties[:, :3], float) * size, np.asarray(made.tri_verts, np.int64)


def torus_panels(radius: float, tube: float, count: int) -> Surface:
    """A torus about z."""
    along = max(4, round(sqrt(count / 2.0 * tube / radius)))
    around = max(6, round(count / 2.0 / along))
    section = 2.0 * pi * np.arange(along) / along
    return _around(np.column_stack([radius + tube * np.cos(section), tube * np.sin(section)]), around)


def tube_panels(inner: float, outer: float, length: float, count: int) -> Surface:
    """A hollow cylinder about z."""
    corners = np.array([(inner, -length / 2), (outer, -length / 2), (outer, length / 2), (inner, length / 2)])
    sides = [ProfilePart(np.array([corners[k], corners[(k + 1) % 4]])) for k in range(4)]
    middle = 0.5 * (inner + outer)

    def profile(edge: float) -> np.ndarray:
        return np.concatenate([side.divided(edge)[:-1] for side in sides])

    def around(edge: float) -> int:
        return max(AT_POLE, round(2.0 * pi * middle / edge))

    edge = _edge_for(count, lambda edge: 2 * len(profile(edge)) * around(edge), 2.0 * max(outer, length))
    return _around(profile(edge), around(edge))


def _around(profile: np.ndarray, around: int) -> Surface:
    """A closed profile (n, 2) of distances from z and heights, counterclockwise, at `around` angles."""
    ring, count = 2.0 * pi * np.arange(around) / around, len(profile)
    across, up = profile[:, 0], np.broadcast_to(profile[:, 1], (around, count))
    points = np.stack([np.outer(np.cos(ring), across), np.outer(np.sin(ring), across), up], axis=-1).reshape(-1, 3)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(around), np.arange(count), indexing="ij"))
    a, b = i * count + j, (i + 1) % around * count + j
    c, d = (i + 1) % around * count + (j + 1) % count, i * count + (j + 1) % count
    return points, np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
