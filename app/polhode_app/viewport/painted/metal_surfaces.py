"""Surfaces of metal on which the currents of its nodes are painted, in the frame of its body."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from polhode.physics.bodies.shapes import Cylinder, Shape, Tube
from polhode.physics.conductors.description import Conductor
from polhode.scene.scene import Scene
from polhode_app.viewport.base.stage import Stage

if TYPE_CHECKING:
    from scipy.sparse import csr_array

ABOVE = 0.004  # distance of the paint from the metal, in sizes of the shape
AROUND = 72  # quadrilaterals around a ring
EVEN = 1e-9  # difference of radii, relative to them, that counts as none
FINE = 2000  # triangles of a sheet at least


@dataclass(frozen=True, eq=False)
class Painted:
    """Points and faces of all conducting shapes of a body."""

    points: np.ndarray
    """(p, 3) [m]."""
    faces: np.ndarray
    """(f, 3) or (f, 4) int64."""
    share: csr_array
    """(p, n) parts of the currents of the nodes of the conductor that are drawn at each point."""
    first: int
    """Index of the first node of the conductor."""
    has_lines: bool
    """Whether currents are a stream function, whose contours are along them."""
    density: np.ndarray
    """(p,) [(W m)^(1/2)/A] of a stream function, 1/(w sigma^(1/2)); [(W/m^3)^(1/2)/A] of rings, 1/(A sigma^(1/2)):
    heat per volume is the square of it times a gradient of the function, or times a current."""

    def at_points(self, currents: np.ndarray) -> np.ndarray:
        """(p,) [A] for the currents (n,) [A] of all nodes of a scene; (0,) of too few, from before an edit."""
        own = currents[self.first : self.first + self.share.shape[1]]
        return np.asarray(self.share @ own) if len(own) == self.share.shape[1] else np.zeros(0)


def drawn_metals(stage: Stage) -> Iterator[tuple[int, Painted]]:
    """Surfaces of the conductors of a compiled scene that are not hidden, with the numbers of their bodies."""
    if stage.compiled is None:
        return
    for b, of_body in painted_of(stage.scene):
        if b not in stage.unseen:
            yield b, of_body


def painted_of(scene: Scene) -> Iterator[tuple[int, Painted]]:
    """The surfaces of all conductors, with the numbers of their bodies."""
    if not any(shape.conductor for body in scene.body for shape in body.shape):
        return
    from scipy.sparse import block_diag, csr_array  # noqa: PLC0415

    from polhode.physics.conductors.loops import conducting  # noqa: PLC0415  # the first frame does not wait for it

    first = 0
    for b, body in enumerate(scene.body):
        parts, at = list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]](), 0
        for _, shape, conductor in conducting(body):
            points, faces, share, size = (_sheet if conductor.currents == "sheet" else _rings)(shape, conductor)
            density = np.full(len(points), 1.0 / (size * conductor.conductivity**0.5))
            parts.append((points @ shape.orientation.matrix().T + shape.position, faces + at, share, density))
            at += len(points)
        if parts:
            points, faces = (np.concatenate([part[k] for part in parts]) for k in range(2))
            share = csr_array(block_diag([csr_array(part[2]) for part in parts]))
            density = np.concatenate([part[3] for part in parts])
            yield b, Painted(points, faces, share, first, faces.shape[1] == 3, density)
            first += share.shape[1]


def refined(
    vertices: np.ndarray, faces: np.ndarray, share: np.ndarray, free: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The mesh with each triangle in four: vertices, faces, shares (p, n) of nodes at them, and which are `free` (p,),
    not on an edge where the function is 0.

    The function is bent between vertices by its mean gradients there: contours have no corners.
    """
    sides = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    edges, place = np.unique(sides, axis=0, return_inverse=True)
    along = vertices[edges[:, 1]] - vertices[edges[:, 0]]
    gradient = _gradients(vertices, faces, share)
    bent = np.einsum("ed,edn->en", along, gradient[edges[:, 0]] - gradient[edges[:, 1]]) / 8.0
    is_free = free[edges].any(axis=1)
    middle = (0.5 * share[edges].sum(axis=1) + bent) * is_free[:, None]
    x, y, z = (len(vertices) + place.reshape(-1, 3)).T
    a, b, c = faces.T
    divided = np.concatenate([np.column_stack(part) for part in ((a, x, z), (x, b, y), (z, y, c), (x, y, z))])
    points = np.concatenate([vertices, vertices[edges].mean(axis=1)])
    return points, divided, np.concatenate([share, middle]), np.concatenate([free, is_free])


def _gradients(vertices: np.ndarray, faces: np.ndarray, share: np.ndarray) -> np.ndarray:
    """(v, 3, n) gradients [1/m] at vertices, means over the areas of their triangles."""
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    total, area = np.zeros((len(vertices), 3, share.shape[1])), np.zeros(len(vertices))
    double = np.linalg.norm(normals, axis=1)
    found = np.zeros((len(faces), 3, share.shape[1]))
    for k in range(3):
        opposite = corners[:, k - 1] - corners[:, k - 2]  # along the side, so that normals x it points to vertex k
        found += 0.5 * np.cross(normals / double[:, None], opposite)[:, :, None] * share[faces[:, k]][:, None]
    for k in range(3):
        np.add.at(total, faces[:, k], found)
        np.add.at(area, faces[:, k], 0.5 * double)
    return np.asarray(total / area[:, None, None])


def _sheet(shape: Shape, conductor: Conductor) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Both sides of a wall: points (p, 3) [m], triangles, shares (p, n) of nodes, and thickness [m]."""
    from polhode.engine.model import NOTHING  # noqa: PLC0415
    from polhode.physics.conductors.sheet import wall_of  # noqa: PLC0415

    wall = wall_of(shape, conductor)
    assert wall is not None
    vertices, faces, free = wall.vertices, wall.faces, wall.node != NOTHING
    share = (wall.node[:, None] == np.arange(wall.node.max() + 1)).astype(float)
    while len(faces) < FINE:
        vertices, faces, share, free = refined(vertices, faces, share, free)
        vertices = _rounded(vertices, wall.vertices)
    corners = vertices[faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, faces[:, k], across)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    away = 0.5 * wall.thickness + ABOVE * float(np.abs(vertices).max())
    points = np.concatenate([vertices + away * normals, vertices - away * normals])
    return points, np.concatenate([faces, faces[:, ::-1] + len(vertices)]), np.tile(share, (2, 1)), wall.thickness


def _rounded(vertices: np.ndarray, first: np.ndarray) -> np.ndarray:
    """(p, 3) [m] vertices of a finer mesh on the sphere or the cylinder about z that all `first` ones (v, 3) are on."""
    for axes in (3, 2):
        radii = np.linalg.norm(first[:, :axes], axis=1)
        if np.ptp(radii) < EVEN * radii.max():
            round_ones = vertices.copy()
            round_ones[:, :axes] *= radii[0] / np.linalg.norm(vertices[:, :axes], axis=1)[:, None]
            return round_ones
    return vertices


def _rings(shape: Shape, conductor: Conductor) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """The same of the surface of a tube or a cylinder of rings, with four points for each quadrilateral, and the area
    [m^2] of the section of a ring.
    """
    from polhode.physics.conductors.rings import grid_of  # noqa: PLC0415

    assert isinstance(shape, Tube | Cylinder)
    inner = shape.inner_radius if isinstance(shape, Tube) else 0.0
    grid = grid_of(inner, shape.radius, shape.length, conductor.panels)
    above = ABOVE * max(shape.radius, shape.length)
    radii = np.linspace(inner, shape.radius, grid.layers + 1)
    heights = np.linspace(-0.5 * shape.length, 0.5 * shape.length, grid.rows + 1)
    number = np.arange(grid.layers * grid.rows).reshape(grid.layers, grid.rows)
    outer, top, bottom = shape.radius + above, heights[-1] + above, heights[0] - above
    ends = list[tuple[tuple[float, float], tuple[float, float], int]]()
    for low, high, rings in zip(heights, heights[1:], number.T, strict=False):
        ends.append(((outer, low), (outer, high), rings[-1]))
        if inner > 0.0:
            ends.append(((inner - above, high), (inner - above, low), rings[0]))
    for low, high, rings in zip(radii, radii[1:], number, strict=False):
        ends += [((high, top), (low, top), rings[-1]), ((low, bottom), (high, bottom), rings[0])]
    points = np.concatenate([_band(first, second) for first, second, _ in ends])
    ring = np.repeat([ring for *_, ring in ends], 4 * AROUND)
    share = (ring[:, None] == np.arange(number.size)).astype(float)
    section = (shape.radius - inner) * shape.length / number.size
    return points, np.arange(len(points)).reshape(-1, 4), share, section


def _band(first: tuple[float, float], second: tuple[float, float]) -> np.ndarray:
    """(4 AROUND, 3) [m] corners of quadrilaterals between two circles, a radius and a height [m] each."""
    angle = 2.0 * np.pi * np.arange(AROUND + 1) / AROUND
    low, high = (
        np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.full(len(angle), height)])
        for radius, height in (first, second)
    )
    return np.stack([low[:-1], low[1:], high[1:], high[:-1]], axis=1).reshape(-1, 3)
