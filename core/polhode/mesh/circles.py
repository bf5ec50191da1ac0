"""Circles of a mesh: closed sharp edges in a plane, such as the rims of holes and of shafts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from polhode.mesh.mesh import Mesh

SHARP = np.cos(np.radians(40.0))  # cosine of the angle between the faces at an edge that is none of a round surface
FEWEST = 8  # corners of a circle
ROUND = 0.02  # deviation of the corners from a circle, relative to its radius
ALIKE = 0.05  # difference of the radii of the two rims of a hole, and of their axes
NEAR = 0.75  # distance of a click from a rim, or from the wall of a hole, at which it means this one, in its radii


@dataclass(frozen=True, eq=False)
class Circle:
    """A circle of a mesh, or a hole between two of them."""

    center: np.ndarray  # (3,) in units of the mesh
    axis: np.ndarray  # (3,) unit vector
    radius: float
    depth: float = 0.0  # of a hole, between its rims


def circles_of(mesh: Mesh) -> list[Circle]:
    """Circles of a mesh, with holes in place of their two rims.

    A loop of sharp edges is a circle if its corners are within ROUND radii of the circle of least squares.
    """
    rims = [found for loop in _loops(mesh) if (found := _circle(mesh.vertices[loop])) is not None]
    holes, used = [], set()
    for k, one in enumerate(rims):
        for j in range(k + 1, len(rims)):
            other = rims[j]
            between = other.center - one.center
            depth = float(np.linalg.norm(between))
            aside = np.linalg.norm(between - (between @ one.axis) * one.axis)
            is_pair = abs(one.axis @ other.axis) > 1 - ALIKE**2 and abs(one.radius - other.radius) < ALIKE * one.radius
            if j not in used and k not in used and is_pair and depth > 0 and aside < ALIKE * one.radius:
                holes.append(Circle((one.center + other.center) / 2, one.axis, one.radius, depth))
                used |= {k, j}
    return [*holes, *(rim for k, rim in enumerate(rims) if k not in used)]


def circle_at(circles: Sequence[Circle], point: np.ndarray) -> Circle | None:
    """The circle or hole that a click on a point (3,) of a mesh means; None if none is near."""
    best, nearest = None, NEAR
    for each in circles:
        away = point - each.center
        along = float(away @ each.axis)
        across = float(np.linalg.norm(away - along * each.axis))
        beyond = max(abs(along) - each.depth / 2, 0.0)
        distance = float(np.hypot(across - each.radius, beyond)) / each.radius
        if distance < nearest:
            best, nearest = each, distance
    return best


def circle_of_click(
    circles: Sequence[Circle], point: np.ndarray | None, origin: np.ndarray, direction: np.ndarray
) -> Circle | None:
    """The circle or hole that a click means, at a point (3,) of a mesh, or through which one looks; None if none.

    point: None where the ray of the click, from `origin` (3,) along a unit vector (3,), misses the mesh
    """
    return circle_on_ray(circles, origin, direction) if point is None else circle_at(circles, point)


def circle_on_ray(circles: Sequence[Circle], origin: np.ndarray, direction: np.ndarray) -> Circle | None:
    """The nearest circle or hole through which a ray passes, from (3,) along a unit vector (3,); None if none."""
    best, nearest = None, np.inf
    for each in circles:
        slope = float(direction @ each.axis)
        depth = float((each.center - origin) @ each.axis) / slope if slope else np.inf
        if 0 < depth < nearest and np.linalg.norm(origin + depth * direction - each.center) < each.radius:
            best, nearest = each, depth
    return best


def _loops(mesh: Mesh) -> list[np.ndarray]:
    """Closed chains of sharp edges, as indices of vertices in order; corners at which more edges meet end none."""
    corners = mesh.vertices[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    edges = np.sort(mesh.faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    faces = np.repeat(np.arange(len(mesh.faces)), 3)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    edges, faces = edges[order], faces[order]
    twice = (edges[1:] == edges[:-1]).all(axis=1)
    one, other = faces[:-1][twice], faces[1:][twice]
    sharp = edges[:-1][twice][np.einsum("ni,ni->n", normals[one], normals[other]) < SHARP]
    neighbours: dict[int, list[int]] = {}
    for first, second in sharp.tolist():
        neighbours.setdefault(first, []).append(second)
        neighbours.setdefault(second, []).append(first)
    chained = {vertex for vertex, beside in neighbours.items() if len(beside) == 2}
    loops = []
    while chained:
        start = chained.pop()
        loop, now = [start], neighbours[start][0]
        while now in chained:
            chained.discard(now)
            loop.append(now)
            now = next((each for each in neighbours[now] if each != loop[-2]), start)
        if now == start and len(loop) >= FEWEST:
            loops.append(np.array(loop))
    return loops


def _circle(points: np.ndarray) -> Circle | None:
    """The circle of least squares through points (n, 3); None if they are not on one."""
    middle = points.mean(axis=0)
    _, spread, axes = np.linalg.svd(points - middle, full_matrices=False)
    flat = (points - middle) @ axes[:2].T
    # x^2 + y^2 = 2 a x + 2 b y + c: linear in the centre (a, b)
    solution = np.linalg.lstsq(np.column_stack([2 * flat, np.ones(len(flat))]), (flat**2).sum(axis=1), rcond=None)[0]
    radius = float(np.sqrt(max(solution[2] + solution[:2] @ solution[:2], 0.0)))
    distance = np.linalg.norm(flat - solution[:2], axis=1)
    is_flat = spread[2] < ROUND * radius * np.sqrt(len(points))
    if radius == 0 or not is_flat or np.abs(distance - radius).max() > ROUND * radius:
        return None
    return Circle(middle + solution[:2] @ axes[:2], axes[2], radius)
