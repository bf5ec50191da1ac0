"""Magnets as point dipoles: those of the scene, and clouds of them that fill shapes.

A cloud is a lattice of nearly cubic cells, cut off at the shape's surface, with one dipole at the centre of the part of
each cell inside the shape. A cubic cell acts like a point dipole up to the fifth power of its size over the distance.
The second moments that the cut cells miss are restored by a small stretch of the whole cloud. So the cloud's moment,
its centre and its second moments, and with them the first correction to a point dipole, are exact.

Forces of two magnets of 64 dipoles each are right to 1 % where their surfaces are farther apart than a cell;
docs/magnets.md has measured numbers. Eight times as many dipoles halve the size of a cell. Tests compare field, force
and torque with closed forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from polhode.mesh.mesh import Mesh, Meshes
from polhode.mesh.volume_integrals import enclosed
from polhode.physics.bodies import shapes
from polhode.physics.bodies.geometry.point_in_solid import REGIONS, inside_mesh
from polhode.physics.bodies.mass.solids import SOLIDS
from polhode.physics.induced.shapes import CLOSEST, rows_of_dipoles, semi_axes
from polhode.scene.scene import VACUUM, Body, Scene

FINE = 6  # samples of a cell along each of its sides, by which its part inside the shape is measured
MOST_SAMPLES = 5e5
# Between clouds farther apart than 1.5 cells the lattice changes the force by 2 or 3 % at most. The field of a cloud of
# 64 at this distance of its nearest dipole errs by 1 %, in the worst points by 5 %.
CLEAR = 1.5
OF_CELL = 0.75
DIPOLES, SHOWN, EXACT, INDUCED = range(4)
"""A magnet as dipoles only; with a closed form of its field in space; acting on other magnets by it, too; iron that has
a moment in the field of others.
"""
OF_SPHERE = 0.9  # of its radius: spheres that press on each other overlap a little


@dataclass(frozen=True, eq=False)
class Magnets:
    """The dipoles of a body, body frame."""

    paths: tuple[str, ...]
    """Field path of each dipole in the scene: "dipole[0]", "shape[1].magnet"."""
    position: np.ndarray
    """(m, 3) [m] from the body's origin, body frame."""
    moment: np.ndarray
    """(m, 3) [A m^2] body frame."""
    size: np.ndarray
    """(m,) [m] two dipoles closer than the sum of their sizes do not describe the magnets (proximity.py)."""
    clearance: np.ndarray
    """(m,) [m] distance below which a dipole of a cloud is inaccurate for anything; 0 of single dipoles."""
    form: np.ndarray
    """(m,) int64: DIPOLES, SHOWN or EXACT."""


def magnets_of(scene: Scene, body: Body, meshes: Meshes) -> Magnets:
    """All dipoles of a body: single ones, then those of shapes. Its meshes must have been read and checked."""

    def mesh_of(shape: shapes.ShapeBase) -> Mesh | None:
        return meshes.of(shape, scene.folder) if isinstance(shape, shapes.MeshShape) else None

    paths = [f"dipole[{k}]" for k in range(len(body.dipole))]
    position = [np.array(dipole.position) for dipole in body.dipole]
    moment = [np.array(dipole.moment) for dipole in body.dipole]
    boxes = [box(shape, mesh_of(shape)) for shape in body.shape] if body.dipole else []
    size = [_holder(body, boxes, at) for at in position]
    clearance = [0.0] * len(size)
    form = [DIPOLES] * len(size)
    for k, shape in enumerate(body.shape):
        if shape.magnet is None:
            continue
        points, shares, cell, clear = cloud(shape, mesh_of(shape))
        turn = shape.orientation.matrix()
        paths += [f"shape[{k}].magnet"] * len(points)
        position += list(points @ turn.T + shape.position)
        moment += list(np.outer(shares, turn @ total_moment(shape, mesh_of(shape))))
        size += [cell] * len(points)
        clearance += [clear] * len(points)
        form += [form_of(shape)] * len(points)
    for k in rows_of_dipoles(body, scene):
        paths.append(f"shape[{k}].iron")
        position.append(np.array(body.shape[k].position))
        moment.append(np.zeros(3))
        size.append(CLOSEST * float(semi_axes(body.shape[k]).max()))
        clearance.append(0.0)
        form.append(INDUCED)
    vectors = np.reshape(position, (-1, 3)), np.reshape(moment, (-1, 3))
    return Magnets(tuple(paths), *vectors, np.array(size), np.array(clearance), np.array(form, np.int64))


def form_of(shape: shapes.ShapeBase) -> int:
    """DIPOLES, SHOWN or EXACT of a shape that is a magnet; of a sphere, whose one dipole is exact, SHOWN."""
    if not isinstance(shape, shapes.CLOSED_FORMS):
        return DIPOLES
    is_exact = shape.magnet is not None and shape.magnet.field == "exact" and not isinstance(shape, shapes.Sphere)
    return EXACT if is_exact else SHOWN


def total_moment(shape: shapes.ShapeBase, mesh: Mesh | None = None) -> np.ndarray:
    """Magnetic moment (3,) [A m^2] of a shape that is a magnet, in its own frame: V Br/mu0."""
    magnet = shape.magnet
    assert magnet is not None
    if magnet.moment is not None:
        return np.array(magnet.moment)
    return np.array(magnet.remanence) * (volume_moments(shape, mesh)[0] / VACUUM)


def volume_moments(shape: shapes.ShapeBase, mesh: Mesh | None) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume V [m^3], centre (3,) [m], and mean of x x^T about it (3, 3) [m^2] of a shape, in its own frame."""
    if isinstance(shape, shapes.MeshShape):
        assert mesh is not None
        volume, middle, second = enclosed(mesh.vertices, mesh.faces)
        return volume * shape.scale**3, middle * shape.scale, second / volume * shape.scale**2
    volume, per_mass = SOLIDS[type(shape)](shape)
    return volume, np.zeros(3), np.diag(0.5 * sum(per_mass) - np.array(per_mass))


def cloud(shape: shapes.ShapeBase, mesh: Mesh | None = None) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Positions (m, 3) [m] of a shape's dipoles in its own frame, their shares of its moment (m,), and their size and
    clearance [m].

    The shares sum to 1. A sphere has one dipole, whose field outside the sphere is exact.
    """
    if isinstance(shape, shapes.Sphere):
        return np.zeros((1, 3)), np.ones(1), OF_SPHERE * shape.radius, 0.0
    assert shape.magnet is not None
    volume, middle, second = volume_moments(shape, mesh)
    low, high = box(shape, mesh)
    cell = max(float((volume / shape.magnet.dipoles) ** (1 / 3)), _smallest_cell(high - low))
    for _ in range(12):  # cut cells make more dipoles than requested, most of all in thin shapes
        points, shares, longest = _cut_lattice(shape, mesh, low, high, cell)
        if len(points) <= 1.25 * shape.magnet.dipoles:
            break
        cell *= float((len(points) / shape.magnet.dipoles) ** (1 / 3))
    points = points - shares @ points
    return middle + _stretched(points, shares, second), shares, OF_CELL * cell, CLEAR * longest


def _smallest_cell(sides: np.ndarray) -> float:
    """Side [m] of the cells of a box with `sides` (3,) [m] that give about MOST_SAMPLES samples, eight of each cell.

    A side shorter than a cell counts as one cell, so the longest one, two or all three sides may decide.
    """
    longest = np.sort(sides)[::-1]
    return max(float((8 * np.prod(longest[:n]) / MOST_SAMPLES) ** (1 / n)) for n in (1, 2, 3))


def _cut_lattice(
    shape: shapes.ShapeBase, mesh: Mesh | None, low: np.ndarray, high: np.ndarray, cell: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Middles (m, 3) [m] and shares (m,) of the shape's parts in the cells of a lattice in its box, and the longest
    side [m] of a cell."""
    counts = np.maximum(1, np.rint((high - low) / cell)).astype(int)
    longest = float(((high - low) / counts).max())
    fine = int(np.clip((MOST_SAMPLES / counts.prod()) ** (1 / 3), 2, FINE))
    numbers = np.indices(counts * fine).reshape(3, -1).T
    samples = low + (numbers + 0.5) / (counts * fine) * (high - low)
    if isinstance(shape, shapes.MeshShape):
        assert mesh is not None
        inside = inside_mesh(mesh, samples / shape.scale)
    else:
        inside = REGIONS[type(shape)](shape)[2](samples)
    if not inside.any():  # thinner than the distance of the samples
        return np.zeros((1, 3)), np.ones(1), longest
    of_cell = np.ravel_multi_index(tuple(numbers[inside].T // fine), tuple(counts))
    _, cells = np.unique(of_cell, return_inverse=True)
    filled = np.bincount(cells)
    points = np.column_stack([np.bincount(cells, column) for column in samples[inside].T]) / filled[:, None]
    return points, filled / filled.sum(), longest


def _stretched(points: np.ndarray, shares: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The points (m, 3) [m] about their centre, mapped so that their mean of x x^T (3, 3) is `second` less a multiple
    of 1.

    The multiple is the mean square of the cells themselves. It has no effect outside: the field of a dipole has no
    Laplacian. A direction in which all points are equal stays as it is.
    """
    present = (points * shares[:, None]).T @ points
    wanted = second - np.eye(3) * np.trace(second - present) / 3
    return points @ _power(present, -0.5) @ _power(wanted, 0.5)


def _power(matrix: np.ndarray, exponent: float) -> np.ndarray:
    """A symmetric matrix (3, 3) to a power; eigenvalues that are zero or below become zero."""
    values, axes = np.linalg.eigh(matrix)
    positive = values > 1e-9 * max(values.max(), 0.0)
    return (axes * np.where(positive, np.where(positive, values, 1.0) ** exponent, 0.0)) @ axes.T


def box(shape: Any, mesh: Mesh | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner, (3,) [m] each, of the bounding box of a shape in its own frame."""
    if isinstance(shape, shapes.MeshShape):
        assert mesh is not None
        return mesh.box[0] * shape.scale, mesh.box[1] * shape.scale
    if type(shape) not in REGIONS:
        half = np.array([0.0, 0.0, shape.length / 2 if isinstance(shape, shapes.Rod) else 0.0])
        return -half, half
    extents, up, _ = REGIONS[type(shape)](shape)
    middle = np.array([0.0, 0.0, up])
    return middle - extents, middle + extents


def _holder(body: Body, boxes: list[tuple[np.ndarray, np.ndarray]], at: np.ndarray) -> float:
    """Size [m] of a dipole at `at` (3,) [m], body frame: the longest side of the shape that it is in, or nearest to.

    boxes: lowest and highest corner of each shape, in its own frame; of several shapes the smallest counts.
    """

    def distances(k: int) -> tuple[float, float]:
        low, high = boxes[k]
        local = (at - body.shape[k].position) @ body.shape[k].orientation.matrix()
        outside = np.linalg.norm(np.maximum(0.0, np.maximum(low - local, local - high)))
        return float(outside), float((high - low).max())

    return min(distances(k) for k in range(len(boxes)))[1]
