"""Energy below which a pendulum can't leave the nearest attractor any more.

Friction only takes energy, so a run with the total energy E stays where the potential energy is at most E. The border
between two attractors is the set of directions in which the centre of mass is equally far from both. If the potential
energy exceeds E on all borders of an attractor, the label of the run is decided. The lowest potential energy on a
border is found by branch and bound over the sphere of directions: squares on the faces of a cube around it, divided
until they are small. In a square of the angular radius d around a direction n,

    U >= U(n) - d sup |dU/dn|

with the supremum bounded by the weight and, pair by pair, by dipoles at their least distance r within d:
|B| <= 2 k m/r^3 and |F| <= 6 k p m/r^4, k = mu0/(4 pi). The result is a lower bound, not an estimate.

Only for a body on a pivot whose centre of mass and dipoles lie on one axis: its potential energy depends on the
direction of this axis alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import pi

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.diagnostics import energies
from polhode.engine.ledger import KINETIC
from polhode.engine.work import make_work
from polhode.physics.bodies.arrays import BASIS, BODY_SIZE, PIVOT
from polhode.run.lanes.body import LaneBody
from polhode.run.observers.wells import Wells, no_wells
from polhode.sweep.measure import centers

FACE = 8  # squares along the edge of a face of the cube, at first
DEPTH = 11  # divisions, at most: squares of 2e-4 rad
SPARE = 1e-3  # part of the depth of a well by which the energy of a run must be below the barrier
ALIGNED = 1e-12  # largest component across the axis, in parts of the longest vector, that is rounding


@dataclass(frozen=True, eq=False)
class AxialPotential:
    """Potential energy of a body on a pivot over the direction n of its axis, laboratory frame."""

    axis: np.ndarray  # (3,) unit vector, body frame
    pivot: np.ndarray  # (3,) [m]
    arm: float  # [m] from the pivot to the centre of mass, along n
    weight: np.ndarray  # (3,) [N]
    field: np.ndarray  # (3,) [T] uniform
    strength: float  # mu0/(4 pi) [T m/A]
    positions: np.ndarray  # (d,) [m] of the dipoles from the pivot, along n
    moments: np.ndarray  # (d,) [A m^2] along n
    sources: np.ndarray  # (f, 3) [m] of the dipoles at rest
    source_moments: np.ndarray  # (f, 3) [A m^2]

    def energy(self, n: np.ndarray) -> np.ndarray:
        """(c,) [J] in the directions n (c, 3)."""
        found = -(self.pivot + self.arm * n) @ self.weight - self.moments.sum() * (n @ self.field)
        for s, p in zip(self.positions, self.moments, strict=True):
            r = self.pivot + s * n[:, None] - self.sources
            square = np.einsum("cfi,cfi->cf", r, r)
            along, across = np.einsum("cfi,fi->cf", r, self.source_moments), np.einsum("cfi,ci->cf", r, n)
            parallel = n @ self.source_moments.T
            found -= p * self.strength * ((3 * along * across / square - parallel) / square**1.5).sum(axis=1)
        return found

    def slope(self, n: np.ndarray, radius: np.ndarray) -> np.ndarray:
        """(c,) [J/rad] no smaller than |dU/dn| anywhere within `radius` (c,) [rad] of n (c, 3); may be infinite."""
        found = np.full(len(n), abs(self.arm) * np.linalg.norm(self.weight))
        found += np.abs(self.moments.sum()) * np.linalg.norm(self.field)
        sizes = np.linalg.norm(self.source_moments, axis=1)
        for s, p in zip(self.positions, self.moments, strict=True):
            distance = np.linalg.norm(self.pivot + s * n[:, None] - self.sources, axis=2) - abs(s) * radius[:, None]
            nearest = np.where(distance > 0.0, distance, 0.0)
            with np.errstate(divide="ignore"):
                turning, pull = 2 * sizes / nearest**3, 6 * sizes / nearest**4
            found += abs(p) * self.strength * (turning + abs(s) * pull).sum(axis=1)
        return found


def axial_potential(body: LaneBody, pivot: np.ndarray) -> AxialPotential | None:
    """The potential of a body on a pivot at (3,) [m]; None if it depends on more than the direction of an axis."""
    count, vectors = len(body.arm), np.concatenate([body.center[None], body.arm, body.moment])
    lengths = np.linalg.norm(vectors, axis=1)
    if body.support != PIVOT or lengths[0] == 0.0:
        return None
    axis = vectors[0] / lengths[0]
    along = vectors @ axis
    if np.abs(vectors - along[:, None] * axis).max() > ALIGNED * lengths.max():
        return None
    return AxialPotential(
        axis=axis,
        pivot=pivot,
        arm=along[0],
        weight=body.mass * body.gravity,
        field=body.field,
        strength=body.permeability / (4 * pi),
        positions=along[1 : 1 + count],
        moments=along[1 + count :],
        sources=body.position,
        source_moments=body.source,
    )


def wells_of(compiled: CompiledScene, body: LaneBody | None, of: int, near: Sequence[int]) -> Wells:
    """The wells of the body `of` around the bodies `near`; without limits where none can be proved.

    body: constants of the only moving body of the scene, or None; limits need a pivot with friction, and `near` at
    rest. A limit is below the barrier by SPARE of the depth of its well, since the energy of a run has an integration
    error.
    """
    if body is None or of != body.body or of in near or not near or not body.friction > 0.0:
        return no_wells()
    if body.frequency != 0.0 or (body.drag.any() and body.wind.any()):  # these add energy
        return no_wells()
    rows = compiled.start[BODY_SIZE * of : BODY_SIZE * (of + 1)]
    potential = axial_potential(body, rows[:3].copy())
    if potential is None:
        return no_wells()
    positions = np.ascontiguousarray(centers(compiled, compiled.start[None])[0, list(near)])
    barrier, bottom = lowest_barriers(potential, positions), _bottoms(potential, positions)
    limit = barrier - SPARE * np.maximum(barrier - bottom, 0.0)
    work = make_work(compiled.model, compiled.inputs)
    energies(compiled.model, compiled.inputs, 0.0, compiled.start.copy(), work)
    direction = potential.axis @ rows[BASIS : BASIS + 9].reshape(3, 3)
    still = work.energy.sum() - work.energy[KINETIC] - potential.energy(direction[None])[0]
    return Wells(of, positions, np.where(np.isfinite(limit), limit, -np.inf), float(still))


def lowest_barriers(potential: AxialPotential, near: np.ndarray) -> np.ndarray:
    """(m,) [J] lower bounds of the energy on the borders of the regions of `near` (m, 3) [m]; inf without border."""
    squares, found = _first_squares(), np.full(len(near), np.inf)
    for _ in range(DEPTH):
        n, radius = _directions(squares)
        distance = np.linalg.norm(potential.pivot + potential.arm * n[:, None] - near, axis=2)
        least = np.sort(distance, axis=1)
        to_others = np.where(distance == least[:, :1], least[:, 1:2], least[:, :1])  # least distance to any other one
        is_border = np.abs(distance - to_others) <= 2 * abs(potential.arm) * radius[:, None]  # possibly
        here = potential.energy(n)
        bound = here - radius * potential.slope(n, radius)
        goal = _lowest(is_border, here)  # best possible bound, approximately
        is_open = is_border & (bound[:, None] < goal)
        found = np.minimum(found, _lowest(is_border & ~is_open, bound))
        rest = _lowest(is_open, bound)
        squares = _divided(squares[is_open.any(axis=1)])
    return np.minimum(found, rest)


def _lowest(chosen: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(m,) lowest of the values (n,) chosen (n, m) for each column; inf without any."""
    return np.where(chosen, values[:, None], np.inf).min(axis=0, initial=np.inf)


def _bottoms(potential: AxialPotential, near: np.ndarray) -> np.ndarray:
    """(m,) [J] approximate lowest potential energies in the regions nearest to `near` (m, 3) [m]."""
    n, _ = _directions(_divided(_divided(_divided(_first_squares()))))
    distance = np.linalg.norm(potential.pivot + potential.arm * n[:, None] - near, axis=2)
    return _lowest(distance == distance.min(axis=1, keepdims=True), potential.energy(n))


def _first_squares() -> np.ndarray:
    """(n, 4) face as 2 axis + (sign < 0), both coordinates of the middle on it, and half the side."""
    middles = (np.arange(FACE) + 0.5) * 2 / FACE - 1
    return np.array([(face, a, b, 1 / FACE) for face, a, b in product(range(6), middles, middles)])


def _divided(squares: np.ndarray) -> np.ndarray:
    """(4 n, 4) quarters of squares (n, 4)."""
    half = squares[:, 3:] / 2
    quarters = [
        np.hstack([squares[:, :1], squares[:, 1:3] + half * np.array(sign), half])
        for sign in product((-1.0, 1.0), (-1.0, 1.0))
    ]
    return np.concatenate(quarters)


def _directions(squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions (n, 3) of the middles of squares, and the angles (n,) [rad] to their farthest corners."""
    middle, half = _on_faces(squares, 0.0, 0.0), squares[:, 3]
    far = np.zeros(len(squares))
    for a, b in product((-1.0, 1.0), (-1.0, 1.0)):
        corner = _on_faces(squares, a * half, b * half)
        far = np.maximum(far, 2 * np.arcsin(np.minimum(1.0, np.linalg.norm(corner - middle, axis=1) / 2)))
    return middle, far * (1 + 1e-12)


def _on_faces(squares: np.ndarray, a: np.ndarray | float, b: np.ndarray | float) -> np.ndarray:
    """(n, 3) unit vectors through the points at (a, b) from the middles of squares."""
    face = squares[:, 0].astype(int)
    flat = np.stack([np.ones(len(squares)), squares[:, 1] + a, squares[:, 2] + b], axis=1)
    flat[:, 0] = np.where(face % 2 == 0, 1.0, -1.0)
    order = (np.arange(3) - (face // 2)[:, None]) % 3
    turned = np.take_along_axis(flat, order, axis=1)
    return turned / np.linalg.norm(turned, axis=1, keepdims=True)
