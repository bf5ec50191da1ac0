"""Coaxial rings of current in a tube or a cylinder: their resistances and inductances.

    R = 2 pi r/(sigma A)                              ring of radius r and section A = w h, conductivity sigma
    L = mu0 r {ln(8 r/(0.2235 (w + h))) - 2}          of a square section, with itself
    M = mu0 sqrt(a b) {(2/k - k) K - 2 E/k}           coaxial rings (Maxwell), k^2 = 4 a b/{(a + b)^2 + z^2}

(J. C. Maxwell, Treatise, art. 692 and 701.) Inductances are means over sections: each is divided into squares, and
thin rings in the middle of the squares have L of themselves and M of all others. In the field of magnets a ring is
thin, at the points of Gauss of two neighbours over the thickness of the wall: the error is of the fourth order of
that thickness. A wall of one layer has its rings where the mean of r^-4 is, to which the slow drag of a long tube on
a dipole in its axis is proportional.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, pi
from typing import NamedTuple

import numpy as np

from polhode.physics.coils.windings.inductance import coaxial_rings

THIN = 0.3  # thickness of a wall relative to its radius up to which it may be one layer
MOST_SQUARES = 64  # along a side of a section
SELF_DISTANCE = 0.2235  # mean geometric distance of a rectangle from itself, relative to the sum of its sides
SHIFT = 3**-0.5 - 0.5  # distance of a point of Gauss from the middle of its half of an interval, in halves


class Rings(NamedTuple):
    """Rings that fill an axisymmetric solid about z, its middle at the origin."""

    radius: np.ndarray  # (n,) [m] in the field of magnets
    height: np.ndarray  # (n,) [m]
    resistance: np.ndarray  # (n,) [ohm]
    inductance: np.ndarray  # (n, n) [H]


class Grid(NamedTuple):
    """A rectangle of r and z, divided into equal sections."""

    inner: float  # [m]
    thickness: float  # [m]
    length: float  # [m]
    layers: int
    rows: int


def grid_of(inner: float, outer: float, length: float, count: int) -> Grid:
    """About `count` sections, nearly squares, of radii [m] and a length [m]: an even number of layers, or one in a thin
    wall.
    """
    thickness = outer - inner
    wanted = (count * thickness / length) ** 0.5
    is_thin = count == 1 or (wanted < 2.0 and thickness < THIN * 0.5 * (outer + inner))
    layers = 1 if is_thin else 2 * max(1, min(round(0.5 * wanted), count // 2))
    return Grid(inner, thickness, length, layers, max(1, round(count / layers)))


@lru_cache(maxsize=16)
def rings_of(inner: float, outer: float, length: float, conductivity: float, count: int, permeability: float) -> Rings:
    """About `count` rings between two radii [m]; length [m], conductivity [S/m], permeability [T m/A]. Cached."""
    grid = grid_of(inner, outer, length, count)
    width, height = grid.thickness / grid.layers, grid.length / grid.rows
    middles = grid.inner + width * (np.arange(grid.layers) + 0.5)
    if grid.layers == 1 and inner > 0.0:
        middles[0] = ((inner**-3 - outer**-3) / (3.0 * width)) ** -0.25
    if grid.layers > 1:
        away = np.where(np.arange(grid.layers) % 2 == 0, -1.0, 1.0)  # two layers are one rule of Gauss
        middles = middles + away * SHIFT * width
    heights = height * (np.arange(grid.rows) + 0.5) - 0.5 * grid.length
    radius = np.repeat(middles, grid.rows)
    resistance = 2.0 * pi * radius / (conductivity * width * height)
    return Rings(radius, np.tile(heights, grid.layers), resistance, _inductances(grid, permeability))


def _inductances(grid: Grid, permeability: float) -> np.ndarray:
    """(n, n) [H] of all rings of a grid, layer after layer."""
    width, height = grid.thickness / grid.layers, grid.length / grid.rows
    across, along = (min(ceil(side / min(width, height) - 1e-9), MOST_SQUARES) for side in (width, height))
    count, step = grid.layers * across, height / along
    radii = grid.inner + width / across * (np.arange(count) + 0.5)
    own = SELF_DISTANCE * (width / across + step)
    distances = step * np.arange(grid.rows * along)
    weights = (along - np.abs(np.arange(1 - along, along))) / along**2  # of the distances of two sections in a mean
    places = np.abs(along * np.arange(grid.rows)[:, None] + np.arange(1 - along, along))
    by_distance = np.zeros((grid.layers, grid.layers, grid.rows))
    for i, radius in enumerate(radii.tolist()):
        z = np.broadcast_to(distances, (count, len(distances))).copy()
        z[i, 0] = own
        mutual = coaxial_rings(radius, radii[:, None], z, permeability)
        mutual[i, 0] = permeability * radius * (np.log(8.0 * radius / own) - 2.0)
        means = (mutual[:, places] * weights).sum(axis=2) / across**2
        by_distance[i // across] += means.reshape(grid.layers, across, -1).sum(axis=1)
    apart = np.abs(np.subtract.outer(np.arange(grid.rows), np.arange(grid.rows)))
    whole = by_distance[:, :, apart].transpose(0, 2, 1, 3)
    return np.ascontiguousarray(whole.reshape(grid.layers * grid.rows, -1))
