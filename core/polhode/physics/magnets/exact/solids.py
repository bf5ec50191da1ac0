"""Magnets whose field has a closed form: the shapes as rows of numbers, and their charges at points of Gauss' rule.

A magnet of uniform magnetisation M is the charge M.n per area of its surface. The energy of the charges in the
potential of another magnet is a double integral over both surfaces, of which one is done in closed form. The other one
by Gauss' rule converges fast where the magnets are farther apart than neighbouring points.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt
from typing import Any

import numpy as np

from polhode.formulas.gauss_points import gauss_points
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple
from polhode.physics.bodies import shapes
from polhode.physics.magnets.dipole_cloud import total_moment, volume_moments

CUBOID, CYLINDER, SPHERE = 0.0, 1.0, 2.0
# columns of a row: kind, middle [m], axes, half sides or radius, half length and radius of the bore [m], M [A/m]
KIND, CENTER, AXES, SIZE, MAGNETISATION, COLUMNS = 0, 1, 4, 13, 16, 19
SOLID = -1.0  # [radii] of the bore of a cylinder that has none
FEWEST = 3  # points of Gauss' rule along a side
POINTS = 0.875  # along the longest side of a cuboid and over the length of a cylinder, in roots of `dipoles`: 7 for 64
RINGS, OF_TUBE = 0.7, 0.4  # rings of points on the ends of a cylinder and of a tube, in these
AROUND = 2  # points on each ring, in these


@dataclass(frozen=True, eq=False)
class Charges:
    """Charges on the surface of a magnet, or in place of dipoles; body frame."""

    position: np.ndarray
    """(n, 3) [m]."""
    strength: np.ndarray
    """(n,) [A m]; they sum to zero."""
    spacing: float
    """[m] distance of neighbours; 0 of those in place of dipoles."""


@kernel
def three(rows: np.ndarray, i: int, column: int) -> Triple:
    """Three numbers of row i of `rows` (n, m), from a column on."""
    return rows[i, column], rows[i, column + 1], rows[i, column + 2]


def rows(shape: Any) -> np.ndarray:
    """(s, COLUMNS) of a shape with a closed form, in the frame of its body; a tube is two cylinders."""
    magnetisation = total_moment(shape) / volume_moments(shape, None)[0]
    if isinstance(shape, shapes.Sphere):
        kinds = [(SPHERE, (shape.radius, 0.0, 0.0), 1.0)]
    elif isinstance(shape, shapes.Cuboid):
        kinds = [(CUBOID, tuple(0.5 * np.array(shape.size)), 1.0)]
    elif isinstance(shape, shapes.Tube):
        inner = shape.inner_radius
        kinds = [(CYLINDER, (shape.radius, shape.length / 2, inner), 1.0)]
        kinds += [(CYLINDER, (inner, shape.length / 2, inner), -1.0)]
    else:
        kinds = [(CYLINDER, (shape.radius, shape.length / 2, SOLID * shape.radius), 1.0)]
    axes = shape.orientation.matrix().T.ravel()
    return np.array([[kind, *shape.position, *axes, *size, *(sign * magnetisation)] for kind, size, sign in kinds])


def charges(shape: Any) -> Charges:
    """The charges of a cuboid, cylinder or tube, about as many on a face as the magnet has `dipoles`."""
    count = max(FEWEST, round(POINTS * sqrt(shape.magnet.dipoles)))
    found: list[np.ndarray] = []
    area = 0.0
    for row in rows(shape):
        size, magnetisation = row[SIZE : SIZE + 3], row[MAGNETISATION:COLUMNS]
        if row[KIND] == CUBOID:
            faces = [_face(size, k, magnetisation[k], count) for k in range(3) if magnetisation[k] != 0.0]
        else:
            rings = max(FEWEST, round(count * (OF_TUBE if isinstance(shape, shapes.Tube) else RINGS)))
            faces = _cylinder(size, magnetisation, rings, count)
        found += [points for points, _ in faces]
        area += sum(of_face for _, of_face in faces)
    points = np.concatenate([np.zeros((0, 4)), *found])
    position = points[:, :3] @ shape.orientation.matrix().T + np.array(shape.position)
    return Charges(position, points[:, 3], sqrt(area / max(1, len(points))))


def dumbbells(position: np.ndarray, moment: np.ndarray, length: float) -> Charges:
    """Dipoles, (m, 3) [m] and (m, 3) [A m^2], each as two opposite charges at a distance `length` [m]."""
    sizes = np.linalg.norm(moment, axis=1)
    along = moment / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    both = [position + sign * length / 2 * along for sign in (1.0, -1.0)]
    return Charges(np.concatenate(both), np.concatenate([sizes, -sizes]) / length, 0.0)


def _gauss(count: int, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights of Gauss' rule, (count,) each, from low to high."""
    points, weights = gauss_points(count)
    return low + (high - low) * (points + 1.0) / 2.0, (high - low) * weights / 2.0


def _face(half: np.ndarray, k: int, magnetisation: float, count: int) -> tuple[np.ndarray, float]:
    """Rows x, y, z [m], charge [A m] of both faces of a cuboid across its axis k, and their area [m^2].

    count: number of points along its longest side
    """
    i, j = (k + 1) % 3, (k + 2) % 3
    (u, of_u), (v, of_v) = (_gauss(max(FEWEST, round(count * half[n] / half.max())), -half[n], half[n]) for n in (i, j))
    face = np.zeros((len(u) * len(v), 4))
    face[:, i], face[:, j] = np.repeat(u, len(v)), np.tile(v, len(u))
    face[:, 3] = magnetisation * np.outer(of_u, of_v).ravel()
    return _both_sides(face, k, half[k]), 8.0 * half[i] * half[j]


def _both_sides(face: np.ndarray, k: int, half: float) -> np.ndarray:
    """Rows (2 n, 4) of a face (n, 4) at half [m] along the axis k, and of the opposite one."""
    upper, lower = face.copy(), face.copy()
    upper[:, k], lower[:, k] = half, -half
    lower[:, 3] *= -1.0
    return np.concatenate([upper, lower])


def _cylinder(size: np.ndarray, magnetisation: np.ndarray, rings: int, count: int) -> list[tuple[np.ndarray, float]]:
    """The same of a cylinder: its ends where it is magnetised along its axis, its side where across.

    The ends of a tube belong to its outside. rings: number of them on the ends; count: half of the points on each ring,
    and at most that number of rings on the side
    """
    (radius, half, bore), found = size, []
    if magnetisation[2] != 0.0 and bore < radius:
        least = max(bore, 0.0)
        squares, weights = _gauss(rings, least**2, radius**2)
        circles = [
            _ring(sqrt(q), 0.5 * n, pi * w, count) for n, (q, w) in enumerate(zip(squares, weights, strict=True))
        ]
        ends = np.concatenate(circles) * (1.0, 1.0, 1.0, magnetisation[2])
        found.append((_both_sides(ends, 2, half), 2.0 * pi * (radius**2 - least**2)))
    if magnetisation[0] != 0.0 or magnetisation[1] != 0.0:
        heights, weights = _gauss(max(FEWEST, min(count, round(count * half / radius))), -half, half)
        circles = [_ring(radius, 0.5 * n, 2.0 * pi * radius * w, count) for n, w in enumerate(weights)]
        for ring, height in zip(circles, heights, strict=True):
            ring[:, 2] = height
            ring[:, 3] *= (ring[:, :2] @ magnetisation[:2]) / radius
        found.append((np.concatenate(circles), 4.0 * pi * radius * half))
    return found


def _ring(radius: float, turn: float, area: float, count: int) -> np.ndarray:
    """Rows x, y, z, area [m^2] of points on a circle, turned by a part of their distance; they share `area` [m^2]."""
    around = AROUND * count
    angles = 2.0 * pi * (np.arange(around) + turn) / around
    shared = np.full(around, area / around)
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.zeros(around), shared])
