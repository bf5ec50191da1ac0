"""Self inductances of windings.

    ring of round wire of radius r:    L = mu0 a N^2 {ln(8 a/r) - 7/4}                          even current in the wire
    sheet of length l (Lorenz):        L = 8 mu0 N^2 a^3/(3 l^2) {(2 k^2 - 1) E/k^3 + (1 - k^2) K/k^3 - 1}
                                       k^2 = 4 a^2/(4 a^2 + l^2)
    straight round wire, length l:     L = mu0 l/(2 pi) {ln(2 l/r) - 3/4}
    coaxial rings (Maxwell):           M = mu0 sqrt(a b) {(2/k - k) K - 2 E/k}      k^2 = 4 a b/{(a + b)^2 + z^2}

(J. C. Maxwell, Treatise, art. 701; E. B. Rosa and F. W. Grover, Bull. Bur. Stand. 8, 1, 1912.) That of a thick winding
is the mean of the mutual inductances of all pairs of its layers.
"""

from __future__ import annotations

from math import exp, log, pi, sqrt

import numpy as np
import scipy.special

from polhode.formulas.gauss_points import gauss_points
from polhode.physics.coils.description import LoopWinding, PolygonWinding, SolenoidWinding, ThickWinding, Winding

LAYERS = 4  # Gauss points over the thickness of a winding, the sheets of its field
FINE = 32  # layers of the self inductance of a thick winding
ALONG = 64  # Gauss points along a piece of a polygon
POINTS = 48  # Gauss points along each of two layers of different radii


def self_inductance(winding: Winding, turns: float, permeability: float) -> float:
    """L [H] of a winding."""
    if isinstance(winding, LoopWinding):
        return turns**2 * permeability * winding.radius * (log(8.0 * winding.radius / winding.wire_radius) - 1.75)
    if isinstance(winding, PolygonWinding):
        return turns**2 * of_polygon(winding, permeability)
    if isinstance(winding, SolenoidWinding):
        return turns**2 * of_sheet(winding.radius, winding.length, permeability)
    return turns**2 * _of_layers(winding, permeability)


def of_polygon(winding: PolygonWinding, permeability: float) -> float:
    """L [H] of one turn of round wire with an even current: the sum over pairs of its pieces, and each with itself.

    The integrals along pieces, by the points of Gauss after t = s^2 (3 - 2 s), take the logarithm at corners.
    """
    at, weight = gauss_points(ALONG)
    s = 0.5 * (1.0 + at)
    share, density = s**2 * (3.0 - 2.0 * s), 0.5 * weight * 6.0 * s * (1.0 - s)
    begin, end = winding.pieces[:, :3], winding.pieces[:, 3:]
    whole = end - begin
    length = np.linalg.norm(whole, axis=1)
    total = float((2.0 * length * (np.log(2.0 * length / winding.wire_radius) - 0.75)).sum())
    for k in range(len(whole)):
        others = np.arange(len(whole)) != k
        places = begin[others, None] + share[:, None] * whole[others, None]
        both = np.linalg.norm(places - begin[k], axis=2) + np.linalg.norm(places - end[k], axis=2)
        potential = np.log((both + length[k]) / (both - length[k])) / length[k]
        total += float(((potential @ density) * (whole[others] @ whole[k])).sum())
    return permeability / (4.0 * pi) * total


def of_sheet(radius: float, length: float, permeability: float) -> float:
    """L [H] of one turn that is spread evenly over a cylinder, lengths in m."""
    m = 4.0 * radius**2 / (4.0 * radius**2 + length**2)
    k = sqrt(m)
    first, second = scipy.special.ellipkm1(1.0 - m), scipy.special.ellipe(m)
    braces = ((2.0 * m - 1.0) * second + (1.0 - m) * first) / (m * k) - 1.0
    return float(8.0 * permeability * radius**3 / (3.0 * length**2) * braces)


def layers(winding: ThickWinding) -> tuple[np.ndarray, np.ndarray]:
    """Radii (LAYERS,) [m] and weights (LAYERS,) of the sheets of a thick winding; the weights have the sum 1."""
    at, weight = gauss_points(LAYERS)
    inner, outer = winding.inner_radius, winding.outer_radius
    return 0.5 * (outer + inner) + 0.5 * (outer - inner) * at, 0.5 * weight


def _of_layers(winding: ThickWinding, permeability: float) -> float:
    """L [H] of one turn spread over the section: the mean of M over all pairs of layers of equal thickness.

    A layer acts on itself as on another one at the mean geometric distance of its thickness from itself, w exp(-3/2).
    """
    edges = np.linspace(winding.inner_radius, winding.outer_radius, FINE + 1)
    radii, own = 0.5 * (edges[1:] + edges[:-1]), float(edges[1] - edges[0]) * exp(-1.5)
    first, second = np.tril_indices(FINE, -1)
    apart = between_sheets(radii[first], radii[second], winding.length, permeability)
    alone = between_sheets(radii - 0.5 * own, radii + 0.5 * own, winding.length, permeability)
    return float(alone.sum() + 2.0 * apart.sum()) / FINE**2


def between_sheets(a: np.ndarray, b: np.ndarray, length: float, permeability: float) -> np.ndarray:
    """(n,) [H] M of pairs of coaxial sheets of one turn and one length in one place, radii a (n,) and b (n,) [m].

    The mean over all distances z of two points, whose density is 2 (l - z)/l^2; the logarithm close to z = 0 is
    integrated in the fourth root of z.
    """
    at, weight = gauss_points(POINTS)
    u = 0.5 * (1.0 + at)
    z, density = length * u**4, 0.5 * weight * 4.0 * u**3 * 2.0 * (1.0 - u**4)
    return np.asarray((density * coaxial_rings(a[:, None], b[:, None], z, permeability)).sum(axis=1))


def coaxial_rings(a: float | np.ndarray, b: float | np.ndarray, z: np.ndarray, permeability: float) -> np.ndarray:
    """(n,) [H] M of coaxial rings of radii a and b [m] at distances z (n,) [m]; other shapes are broadcast."""
    square = (a + b) ** 2 + z**2
    m, complement = 4.0 * a * b / square, ((a - b) ** 2 + z**2) / square
    k = np.sqrt(m)
    first, second = scipy.special.ellipkm1(complement), scipy.special.ellipe(m)
    return np.asarray(permeability * np.sqrt(a * b) * ((2.0 / k - k) * first - 2.0 / k * second))


def circle(points: int) -> np.ndarray:
    """(points, 2) evenly on the unit circle."""
    angle = 2.0 * pi * np.arange(points) / points
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)
