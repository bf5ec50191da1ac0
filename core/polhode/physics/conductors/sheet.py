"""Sheets of current: a stream function on the middle surface of a wall, one value per vertex.

With psi the stream function [A] and n the normal, the current per length is K = grad psi x n, constant in a triangle:
that of dipoles psi n on the surface, of which a third is at each of three points of a triangle. With the hat functions
of the vertices,

    R_vw = sum A K_v.K_w/(sigma w)                  over triangles, conductivity sigma, wall w
    L_vw = mu0 sum A A' K_v.K_w' g                  over pairs of them, g the mean of 1/(4 pi r)

psi is 0 on the outer edge and constant along each further one, so that no current leaves the metal; on a closed surface
it is 0 at one vertex. Valid where the wall is thinner than half the skin depth and than the distance of the magnets.
"""

from __future__ import annotations

from collections import OrderedDict
from math import pi, sqrt
from typing import NamedTuple

import numpy as np

from polhode.engine.model import NOTHING
from polhode.mesh.panels import sphere_panels, strip
from polhode.physics.bodies.shapes import Cuboid, Cylinder, Shape, Sphere, Tube
from polhode.physics.conductors.description import Conductor
from polhode.physics.iron.matrices import Panels, couplings

FLAT = 0.5  # length of a cylinder in radii, up to which it is a disc
EVEN = 0.5 * sqrt(3.0)  # height of an equilateral triangle, relative to its side


class Wall(NamedTuple):
    """A middle surface in the frame of its shape."""

    vertices: np.ndarray  # (v, 3) [m]
    faces: np.ndarray  # (t, 3) int64
    node: np.ndarray  # (v,) int64 of each vertex; NOTHING where psi is 0
    thickness: float  # [m]


class Sheet(NamedTuple):
    """Matrices of a wall for a conductance and a permeability of 1, and what they are of."""

    panels: Panels
    node: np.ndarray  # (t, 3) int64
    resistance: np.ndarray  # (n, n)
    inductance: np.ndarray  # (n, n) [m]
    currents: np.ndarray  # (3, t, n) [m] components of A K of each triangle


def wall_of(shape: Shape, conductor: Conductor) -> Wall | None:
    """The middle surface of a shape, about `panels` triangles; None of one that has none."""
    count = conductor.panels
    match shape:
        case Tube(radius=outer, inner_radius=inner, length=length) if length >= outer - inner:
            return _tube(0.5 * (inner + outer), length, outer - inner, count)
        case Tube(radius=outer, inner_radius=inner, length=length):
            return _disc(inner, outer, length, count)
        case Cylinder(radius=radius, length=length) if length <= FLAT * radius:
            return _disc(0.0, radius, length, count)
        case Cuboid(size=size):
            return _plate(size, count)
        case Sphere(radius=radius) if conductor.thickness is not None and conductor.thickness < radius:
            vertices, faces = sphere_panels(count)
            node = np.arange(-1, len(vertices) - 1)
            return Wall(vertices * (radius - 0.5 * conductor.thickness), faces, node, conductor.thickness)
    return None


def _tube(radius: float, length: float, thickness: float, count: int) -> Wall:
    """Rings of vertices; psi is 0 on the lower edge and constant on the upper one."""
    edge = sqrt(2.0 * pi * radius * length / (count * 0.5 * EVEN))
    rows, around = max(1, round(length / (EVEN * edge))), max(6, round(2.0 * pi * radius / edge))
    row, column = np.divmod(np.arange((rows + 1) * around), around)
    angle = 2.0 * pi * (column + 0.5 * (row % 2)) / around
    points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), length * (row / rows - 0.5)])
    inside = (rows - 1) * around
    node = np.where(row == 0, NOTHING, np.minimum(np.arange(len(row)) - around, inside))
    return Wall(points, _strips(rows, around), node, thickness)


def _strips(rows: int, around: int) -> np.ndarray:
    """(t, 3) triangles between rings of as many vertices, every other one turned by half a step."""
    row, column = np.divmod(np.arange(rows * around), around)
    after, shift = (column + 1) % around, row % 2
    low, high = row * around, (row + 1) * around
    there, behind = np.where(shift, after, column), np.where(shift, column, (column - 1) % around)
    first = np.column_stack([low + column, low + after, high + there])
    second = np.column_stack([low + column, high + there, high + behind])
    return np.concatenate([first, second])


def _disc(inner: float, outer: float, thickness: float, count: int) -> Wall:
    """Rings of vertices about the middle or the hole, on whose edge psi is constant, and 0 on the outer edge."""
    edge = sqrt(pi * (outer**2 - inner**2) / (count * 0.5 * EVEN))
    rows = max(1, round((outer - inner) / (EVEN * edge)))
    radii = np.linspace(inner, outer, rows + 1)
    points, rings = list[np.ndarray](), list[np.ndarray]()
    for k, radius in enumerate(radii.tolist()):
        around = 1 if radius == 0.0 else max(6, round(2.0 * pi * radius / edge))
        angle = 2.0 * pi * (np.arange(around) + 0.5 * (k % 2)) / around
        rings.append(np.arange(around) + sum(map(len, points)))
        points.append(np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(around)]))
    faces = [face for k in range(rows) for face in strip(rings[k], rings[k + 1], 0.5 * (k % 2), 0.5 * ((k + 1) % 2))]
    total, middle, last = sum(map(len, points)), len(rings[0]), len(rings[-1])
    node = np.maximum(np.arange(total) - middle + 1, 0)
    node[total - last :] = NOTHING
    return Wall(np.concatenate(points), np.array(faces, dtype=np.int64), node, thickness)


def _plate(size: tuple[float, float, float], count: int) -> Wall:
    """A grid across the shortest edge; psi is 0 on its edge."""
    thin = int(np.argmin(size))
    a, b = (axis for axis in range(3) if axis != thin)
    edge = sqrt(2.0 * size[a] * size[b] / count)
    n, m = (max(2, round(size[axis] / edge)) for axis in (a, b))
    i, j = (each.ravel() for each in np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij"))
    points = np.zeros((len(i), 3))
    points[:, a], points[:, b] = size[a] * (i / n - 0.5), size[b] * (j / m - 0.5)
    inside = (i > 0) & (i < n) & (j > 0) & (j < m)
    node = np.where(inside, np.cumsum(inside) - 1, NOTHING)
    i, j = (each.ravel() for each in np.meshgrid(np.arange(n), np.arange(m), indexing="ij"))
    p, q, r, s = i * (m + 1) + j, (i + 1) * (m + 1) + j, (i + 1) * (m + 1) + j + 1, i * (m + 1) + j + 1
    odd = ((i + j) % 2 == 1)[:, None]
    one = np.where(odd, np.column_stack([p, q, r]), np.column_stack([p, q, s]))
    two = np.where(odd, np.column_stack([p, r, s]), np.column_stack([q, r, s]))
    return Wall(points, np.concatenate([one, two]), node, size[thin])


_KEPT: OrderedDict[bytes, Sheet] = OrderedDict()
MOST_KEPT = 8


def sheet_of(wall: Wall) -> Sheet:
    """The matrices of a wall. Those of the last walls are kept."""
    key = b"".join(array.tobytes() for array in wall[:3])
    if key not in _KEPT:
        panels, node = Panels(wall.vertices[wall.faces]), wall.node[wall.faces]
        resistance, currents = _currents(panels, node, int(wall.node.max()) + 1)
        _KEPT[key] = Sheet(panels, node, resistance, _coupled(panels, currents, panels, currents), currents)
        while len(_KEPT) > MOST_KEPT:
            _KEPT.popitem(last=False)
    _KEPT.move_to_end(key)
    return _KEPT[key]


def between(one: Sheet, turned: np.ndarray, moved: np.ndarray, other: Sheet) -> np.ndarray:
    """(n, m) [m] mutual inductances of two walls, for a permeability of 1.

    turned: (3, 3) columns are the axes of the frame of `one`, as seen from the other; moved: (3,) [m] its origin
    """
    panels = Panels(one.panels.corners @ turned.T + moved)
    return _coupled(panels, np.einsum("xy,ytn->xtn", turned, one.currents), other.panels, other.currents)


def _coupled(of: Panels, of_currents: np.ndarray, by: Panels, by_currents: np.ndarray) -> np.ndarray:
    """Sum of A A' K.K' g over pairs of triangles."""
    g = couplings(of, by)[0]
    if of is by:
        g = 0.5 * (g + g.T)
    return np.asarray(sum(one.T @ g @ other for one, other in zip(of_currents, by_currents, strict=True)))


def _currents(panels: Panels, node: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Sum of A K_v.K_w (n, n), and components (3, t, n) [m] of A K_v of all triangles."""
    sides = np.roll(panels.corners, 1, axis=1) - np.roll(panels.corners, -1, axis=1)  # opposite to each vertex
    currents, rows = np.zeros((3, len(node), count)), np.arange(len(node))
    for corner in range(3):
        known = node[:, corner] != NOTHING
        for axis in range(3):
            np.add.at(currents[axis], (rows[known], node[known, corner]), 0.5 * sides[known, corner, axis])
    return np.einsum("xtn,t,xtm->nm", currents, 1.0 / panels.areas, currents, optimize=True), currents
