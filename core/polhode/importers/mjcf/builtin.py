"""Meshes that MuJoCo makes of a name and parameters: vertices (n, 3) and faces (m, 3), seen from outside.

They have about unit size. https://en.wikipedia.org/wiki/Superellipsoid, https://en.wikipedia.org/wiki/Supertoroid
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Made = tuple[np.ndarray, np.ndarray]
FINEST = 400  # largest resolution
MOST_SUBDIVISIONS = 5


def _power(numbers: np.ndarray, exponent: float) -> np.ndarray:
    """|x|^e with the sign of x; rounding about 0 counts as 0."""
    numbers = np.where(np.abs(numbers) < 1e-12, 0.0, numbers)
    return np.sign(numbers) * np.abs(numbers) ** exponent


def supersphere(resolution: int, east: float, north: float) -> Made:
    """Rings of vertices between two poles."""
    heights = -np.pi / 2 + np.pi * np.arange(1, resolution) / resolution
    around = -np.pi + 2 * np.pi * np.arange(resolution) / resolution
    height, angle = np.meshgrid(heights, around, indexing="ij")
    wide = _power(np.cos(height), north)
    rings = np.stack([wide * _power(np.cos(angle), east), wide * _power(np.sin(angle), east)], axis=2)
    z = _power(np.sin(height), north)
    inner = np.concatenate([rings, z[:, :, None]], axis=2).reshape(-1, 3)
    vertices = np.concatenate([[[0, 0, -1]], inner, [[0, 0, 1]]])
    j = np.arange(resolution)
    after = (j + 1) % resolution
    low, high = 1 + j, 1 + resolution * (resolution - 2) + j
    faces = [np.stack([0 * j, 1 + after, low], axis=1)]
    for ring in range(resolution - 2):
        a, b = 1 + resolution * ring + j, 1 + resolution * ring + after
        c, d = a + resolution, b + resolution
        faces += [np.stack([a, b, c], axis=1), np.stack([b, d, c], axis=1)]
    faces.append(np.stack([high, high - j + after, 0 * j + len(vertices) - 1], axis=1))
    return vertices, np.concatenate(faces)


def supertorus(resolution: int, radius: float, minor: float, major: float) -> Made:
    """A tube of this radius about the circle of radius 1."""
    angles = 2 * np.pi * np.arange(resolution) / resolution
    u, v = np.meshgrid(angles, angles, indexing="ij")
    wide = 1 + radius * _power(np.cos(v), minor)
    parts = [wide * _power(np.cos(u), major), wide * _power(np.sin(u), major), radius * _power(np.sin(v), minor)]
    i, j = (each.ravel() for each in np.meshgrid(*[np.arange(resolution)] * 2, indexing="ij"))
    over, on = (i + 1) % resolution, (j + 1) % resolution
    a, b, c, d = (resolution * p + q for p, q in ((i, j), (over, j), (i, on), (over, on)))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([b, d, c], axis=1)])
    return np.stack(parts, axis=2).reshape(-1, 3), faces


def hemisphere(resolution: int) -> Made:
    """Rings of 4, 8, 12 ... vertices of an octahedron, moved onto the sphere, and the middle of the flat side."""
    points, faces, first = [np.array([0.0, 0.0, 1.0])], [], 0
    for ring in range(1, resolution + 2):
        count, start = 4 * ring, len(points)
        before = max(count - 4, 1)
        for k in range(count):
            x, y = ring - k % ring, k % ring
            turned = [(x, y), (-y, x), (-x, -y), (y, -x)][k // ring]
            point = np.array([*turned, resolution + 1 - ring], dtype=float)
            points.append(point / np.linalg.norm(point))
        for quarter in range(4):
            for k in range(ring):
                above, below = quarter * (ring - 1) + k, quarter * ring + k
                upper, lower, beside = first + above % before, start + below, start + (below + 1) % count
                faces.append([upper, lower, beside])
                if k < ring - 1:
                    faces.append([upper, beside, first + (above + 1) % before])
        first = start
    count = len(points) - first
    faces += [[first + k, len(points), first + (k + 1) % count] for k in range(count)]
    return np.array([*points, [0.0, 0.0, 0.0]]), np.array(faces)


def icosphere(subdivisions: int) -> Made:
    """An icosahedron of which each triangle is divided into four, again and again."""
    long = (1 + 5**0.5) / 2
    pairs = [(-1.0, long), (1.0, long), (-1.0, -long), (1.0, -long)]
    vertices = np.array([[*p, 0.0] for p in pairs] + [[0.0, *p] for p in pairs] + [[p[1], 0.0, p[0]] for p in pairs])
    vertices /= np.hypot(1.0, long)
    near = np.linalg.norm(vertices[:, None] - vertices[None], axis=2) < 1.1
    faces = np.array(
        [(a, b, c) for a in range(12) for b in range(a) for c in range(b) if near[a, b] and near[b, c] and near[a, c]]
    )
    for _ in range(subdivisions):
        edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        unique, number = np.unique(edges, axis=0, return_inverse=True)
        middle = vertices[unique].mean(axis=1)
        ab, bc, ca = (len(vertices) + number.reshape(-1, 3)).T
        a, b, c = faces.T
        faces = np.concatenate([np.stack(t, axis=1) for t in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))])
        vertices = np.concatenate([vertices, middle / np.linalg.norm(middle, axis=1, keepdims=True)])
    corners = vertices[faces]
    inward = np.linalg.det(corners) < 0
    faces[inward] = faces[inward][:, ::-1]
    return vertices, faces


def cone(count: int, radius: float) -> Made:
    """A regular polygon below, a smaller one or a point above."""
    angles = 2 * np.pi * np.arange(count) / count
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    vertices = np.concatenate(
        [np.insert(ring, 2, -1, axis=1), np.insert(radius * ring, 2, 1, axis=1), [[0, 0, -1], [0, 0, 1]]]
    )
    j = np.arange(count)
    after, below, above = (j + 1) % count, 2 * count + 0 * j, 2 * count + 1 + 0 * j
    top, beside = count + j, count + after
    sides = [(j, after, top), (after, beside, top), (after, j, below), (top, beside, above)]
    return vertices, np.concatenate([np.stack(side, axis=1) for side in sides])


def box(*numbers: float) -> Made:
    """A box of count x count x count points at distances, of which the outermost are its corners."""
    half = (np.array(numbers[:3]) - 1) * np.array(numbers[3:6]) / 2
    vertices = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return vertices, np.array([face for a, b, c, d in sides for face in ((a, b, c), (a, c, d))])


BUILTIN: dict[str, tuple[Callable[..., Made], str]] = {
    "supersphere": (supersphere, "rpp"),
    "supertorus": (supertorus, "rppp"),
    "hemisphere": (hemisphere, "r"),
    "sphere": (icosphere, "d"),
    "cone": (cone, "rp"),
    "box": (box, "pppppp"),
}
"""The maker of each kind, and its parameters: r a resolution, d subdivisions, p any number from 0 on."""
LEAST = {"supersphere": 3, "supertorus": 3, "cone": 3}  # resolution
