"""Matrices of a surface of iron with one magnetic charge for each triangle: potentials and fluxes of charges.

With A_i the areas, c_i the centroids and n_i the outward normals of the triangles,

    g_ij    mean over triangle i of the potential 1/(4 pi r) of a unit charge that is spread over triangle j
    f_ij    flux through triangle i of that charge: its solid angle/(4 pi); f_ii = 0, columns sum to 1/2
    N = g (1/2 - f + A 1'/sum A)^-1       from fluxes M.n to u, where M = grad u in the iron

Potentials of triangles are closed forms (D. R. Wilton et al., IEEE Trans. Antennas Propagat. 32, 276, 1984), solid
angles as well (A. van Oosterom and J. Strackee, IEEE Trans. Biomed. Eng. 30, 125, 1983); means are those of seven
points (J. Radon, 1948). N is made symmetric, since the energy q.N q has no other part, and exact for the 15 harmonic
polynomials of degree 1 to 3: with Y their mean potentials and B their fluxes, E = Y - N B, W = Y (B'Y)^-1,

    N + E W' + W E' - W (B'E) W'

Lengths are in any unit: g and N are in its inverse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import pi, sqrt

import numpy as np
from scipy.linalg import eigh, null_space
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

AT_ONCE = 400_000  # pairs of points and triangles
ON_EDGE = 1e-16  # rounding of the sum of two sides of a triangle, relative to the third one
THIRDS = np.array([[2.0, 0.5, 0.5], [0.5, 2.0, 0.5], [0.5, 0.5, 2.0]]) / 3.0
"""Barycentric coordinates of the three points of a triangle where thirds of its charge are."""


def _radon() -> tuple[np.ndarray, np.ndarray]:
    """Barycentric coordinates (7, 3) and weights (7,) of the rule of degree 5."""
    root, points, weights = sqrt(15.0), [(1 / 3, 1 / 3, 1 / 3)], [9 / 40]
    for sign in (1.0, -1.0):
        a, weight = (6.0 + sign * root) / 21.0, (155.0 + sign * root) / 1200.0
        points += [(1.0 - 2.0 * a, a, a), (a, 1.0 - 2.0 * a, a), (a, a, 1.0 - 2.0 * a)]
        weights += [weight] * 3
    return np.array(points), np.array(weights)


SEVEN, WEIGHTS = _radon()


@dataclass(frozen=True, eq=False)
class Panels:
    """Triangles of a closed surface."""

    corners: np.ndarray  # (n, 3, 3)

    @cached_property
    def vector_areas(self) -> np.ndarray:
        """(n, 3) A n, outwards."""
        a, b, c = self.corners.swapaxes(0, 1)
        return np.asarray(0.5 * np.cross(b - a, c - a))

    @cached_property
    def areas(self) -> np.ndarray:
        """(n,)."""
        return np.asarray(np.linalg.norm(self.vector_areas, axis=1))

    @property
    def centroids(self) -> np.ndarray:
        """(n, 3)."""
        return np.asarray(self.corners.mean(axis=1))

    def points(self, of_triangle: np.ndarray = THIRDS) -> np.ndarray:
        """(n, k, 3) points with barycentric coordinates (k, 3) in each triangle."""
        return np.asarray(np.einsum("kc,ncx->nkx", of_triangle, self.corners))


def spread_charges(points: np.ndarray, panels: Panels) -> tuple[np.ndarray, np.ndarray]:
    """Integrals (p, n) of 1/r over triangles, and their solid angles (p, n) [sr], at points (p, 3).

    A solid angle is positive behind a triangle, where its normal points away from the point.
    """
    corners, normal = panels.corners, panels.vector_areas / panels.areas[:, None]
    at = [corners[:, k] - points[:, None] for k in range(3)]
    length = [np.sqrt(np.einsum("pnx,pnx->pn", r, r)) for r in at]
    height = np.einsum("pnx,nx->pn", at[0], normal)
    potential = np.zeros(height.shape)
    for k in range(3):
        side = corners[:, (k + 1) % 3] - corners[:, k]
        long = np.linalg.norm(side, axis=1)
        outward = np.cross(side / long[:, None], normal)
        both = length[k] + length[(k + 1) % 3]
        beyond = np.maximum(both - long, ON_EDGE * long)  # of a point on an edge the product is 0
        potential += np.einsum("pnx,nx->pn", at[k], outward) * np.log((both + long) / beyond)
    a, b, c = length
    products = [np.einsum("pnx,pnx->pn", at[k], at[(k + 1) % 3]) for k in range(3)]
    twice = 2.0 * panels.areas * height
    angle = 2.0 * np.arctan2(twice, a * b * c + products[0] * c + products[1] * a + products[2] * b)
    return potential - height * angle, angle


def couplings(
    of: Panels, by: Panels, progress: Callable[[float], None] = lambda part: None
) -> tuple[np.ndarray, np.ndarray]:
    """g (n, m) at the triangles `of` by charges on the triangles `by`, not symmetrised; and f (m, n) in the other
    direction.

    progress: called with the part that is done, in (0, 1]
    """
    points = of.points(SEVEN)
    g, f = np.empty((len(points), len(by.areas))), np.empty((len(by.areas), len(points)))
    step = max(1, AT_ONCE // (7 * len(by.areas)))
    for first in range(0, len(points), step):
        some = points[first : first + step]
        found = [each.reshape(len(some), 7, -1) for each in spread_charges(some.reshape(-1, 3), by)]
        g[first : first + step] = np.einsum("k,nkm->nm", WEIGHTS, found[0]) / (4.0 * pi * by.areas)
        f[:, first : first + step] = np.einsum("k,nkm->mn", WEIGHTS, found[1]) / (4.0 * pi)
        progress(min(1.0, (first + step) / len(points)))
    return g, f


def matrices(panels: Panels, progress: Callable[[float], None] = lambda part: None) -> tuple[np.ndarray, np.ndarray]:
    """g (n, n) and N (n, n) of a closed surface; progress: called with the part that is done, in (0, 1]."""
    g, f = couplings(panels, panels, progress)
    g = 0.5 * (g + g.T)
    np.fill_diagonal(f, 0.0)
    share = panels.areas / panels.areas.sum()
    from_flux = np.linalg.solve((0.5 * np.eye(len(g)) - f + share[:, None]).T, g).T
    from_flux -= np.outer(from_flux @ share, np.ones(len(g)))  # fluxes without a sum
    from_flux -= np.outer(np.ones(len(g)), share @ from_flux)
    return g, calibrated(0.5 * (from_flux + from_flux.T), panels)


def calibrated(from_flux: np.ndarray, panels: Panels) -> np.ndarray:
    """N (n, n), exact for harmonic polynomials; these are about the middle of the surface, in units of its size."""
    middle = panels.areas @ panels.centroids / panels.areas.sum()
    size = float(np.linalg.norm(panels.centroids - middle, axis=1).max())
    values, slopes = harmonics((panels.points() - middle) / size)
    potential = values.mean(axis=1)
    potential -= panels.areas @ potential / panels.areas.sum()
    flux = np.einsum("nkpx,nx->np", slopes, panels.vector_areas) / (3.0 * size)
    product = flux.T @ potential
    wide = potential @ np.linalg.inv(0.5 * (product + product.T))
    error = potential - from_flux @ flux
    inner = flux.T @ error
    change = error @ wide.T
    return np.asarray(from_flux + change + change.T - wide @ (0.5 * (inner + inner.T)) @ wide.T)


def harmonics(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values (..., 15) and gradients (..., 15, 3) of the harmonic polynomials of degree 1 to 3 at points (..., 3)."""
    x, y, z = np.moveaxis(points, -1, 0)
    o = np.zeros_like(x)
    e = o + 1.0
    xx, yy, zz = x * x, y * y, z * z
    of = [
        (x, (e, o, o)),
        (y, (o, e, o)),
        (z, (o, o, e)),
        (x * y, (y, x, o)),
        (y * z, (o, z, y)),
        (z * x, (z, o, x)),
        (xx - yy, (2 * x, -2 * y, o)),
        (2 * zz - xx - yy, (-2 * x, -2 * y, 4 * z)),
        (z * (2 * zz - 3 * xx - 3 * yy), (-6 * x * z, -6 * y * z, 6 * zz - 3 * xx - 3 * yy)),
        (x * (4 * zz - xx - yy), (4 * zz - 3 * xx - yy, -2 * x * y, 8 * x * z)),
        (y * (4 * zz - xx - yy), (-2 * x * y, 4 * zz - xx - 3 * yy, 8 * y * z)),
        (z * (xx - yy), (2 * x * z, -2 * y * z, xx - yy)),
        (x * y * z, (y * z, x * z, x * y)),
        (x * (xx - 3 * yy), (3 * xx - 3 * yy, -6 * x * y, o)),
        (y * (3 * xx - yy), (6 * x * y, 3 * xx - 3 * yy, o)),
    ]
    values = np.stack([value for value, _ in of], axis=-1)
    return values, np.stack([np.stack(slope, axis=-1) for _, slope in of], axis=-2)


def inverse(potential: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    """R (n, n): charges -R psi in a potential psi, with a sum of 0 on each piece of the surface.

    potential: S (n, n); pieces: (n,) int, the piece of each triangle; below 0 of unknowns without such a condition
    """
    marks = (pieces[:, None] == np.arange(pieces.max() + 1)).astype(float)
    found = np.linalg.inv(potential)
    found = 0.5 * (found + found.T)
    of_marks = found @ marks
    found -= of_marks @ np.linalg.solve(marks.T @ of_marks, of_marks.T)
    return np.asarray(0.5 * (found + found.T))


def modes(g: np.ndarray, from_flux: np.ndarray, pieces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values s (n,) and vectors (n, n) in columns of g v = s N v, v.N v = 1, for charges with a sum of 0 on each piece.

    There are fewer than n of them: the last vectors are 0, and their s is 1.
    """
    marks = (pieces[:, None] == np.arange(pieces.max() + 1)).astype(float)
    without = null_space(marks.T)
    values, vectors = eigh(without.T @ g @ without, without.T @ from_flux @ without)
    count = len(values)
    every, found = np.ones(len(g)), np.zeros_like(g)
    every[:count], found[:, :count] = values, without @ vectors
    return every, found


def pieces_of(faces: np.ndarray, count: int) -> np.ndarray:
    """(n,) int: the connected piece of each triangle of faces (n, 3), which are numbers below `count` of vertices."""
    pairs = np.concatenate([faces[:, :2], faces[:, 1:]]).T
    graph = coo_array((np.ones(pairs.shape[1]), pairs), (count, count))
    _, of_vertex = connected_components(graph, directed=False)
    return np.unique(of_vertex[faces[:, 0]], return_inverse=True)[1].reshape(-1)
