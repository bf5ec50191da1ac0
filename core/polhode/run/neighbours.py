"""Neighbouring states: tangent vectors of the flow as differences, in independent coordinates.

A copy of the state that is SIZE away from it moves, to first order, by the linearised flow. So the difference after a
while, divided by SIZE, is the tangent vector that the variational equations give, but for a relative error of the order
of SIZE times the curvature of the flow, and of rounding, 1e-16/SIZE. Copies need no derivatives of the laws, and they
cross impacts, ends of paths and friction that begins to slide as the motion itself does, where a linearised flow
would need a correction at each event.

The state has dependent numbers, such as the nine of a basis. Coordinates of a difference are independent:

    bodies that turn    rotation vector [rad] from one basis to the other, and difference of the angular momentum, both
                        in the body frame and along the principal axes that the support leaves free
    all other numbers   their difference: positions and momenta of free bodies, points that are not fixed, amplitudes
                        of modes, path parameters and speeds of beads, displacements of tangential springs

Each is divided by a scale, so that all are pure numbers of one size; exponents do not depend on the scales.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    AXLE,
    BASIS,
    BODY_SIZE,
    FREE,
    MOMENTUM,
    PIVOT,
    POSITION,
)

SIZE = 1e-6  # of a difference, in scaled coordinates
LEAST = 1e-9  # of the largest: smaller ones are zero


class Chart(KernelStruct):
    """Which numbers of a state are independent, and their scales. Coordinates: plain ones, then of each body that
    turns the angles about its axes, then the angular momenta along them.
    """

    plain: np.ndarray
    """(p,) int64 indices of plain numbers in the state."""
    scale: np.ndarray
    """(p,) of each."""
    row: np.ndarray
    """(b,) int64 index in the state of the 18 numbers of each body that turns."""
    turns: np.ndarray
    """(b,) int64 number of axes that it turns about."""
    axes: np.ndarray
    """(b, 3, 3) rows: unit vectors of these, body frame; rows from `turns` on are not used."""
    spin: np.ndarray
    """(b, 3) [kg m^2/s] scale of the angular momentum along each."""


@dataclass(frozen=True)
class Scales:
    """Sizes by which coordinates are divided."""

    length: float  # [m]
    time: float  # [s]


@dataclass(eq=False)
class _Draft:
    """A chart in the making."""

    plain: list[np.ndarray] = field(default_factory=list)
    scale: list[np.ndarray] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    axes: list[np.ndarray] = field(default_factory=list)
    moments: list[np.ndarray] = field(default_factory=list)

    def add(self, indices: np.ndarray, size: float) -> None:
        """Add plain numbers, with their indices (n,) in the state, and one scale for all."""
        self.plain.append(indices)
        self.scale.append(np.full(len(indices), size))

    def add_body(self, row: int, vectors: np.ndarray, moments: np.ndarray) -> None:
        """Add a body whose 18 numbers begin at `row`, that turns about `vectors` (a, 3) with `moments` (a,)."""
        if len(vectors):
            self.rows.append(row)
            self.axes.append(vectors)
            self.moments.append(moments)

    def add_centre(self, row: int, mass: float, scales: Scales) -> None:
        """Add position and momentum of a body that is free."""
        self.add(row + POSITION + np.arange(3), scales.length)
        self.add(row + MOMENTUM + np.arange(3), mass * scales.length / scales.time)

    def chart(self, time: float) -> Chart:
        """The chart, with `time` [s] as the scale of times."""
        axes, spin = np.zeros((len(self.rows), 3, 3)), np.ones((len(self.rows), 3))
        for b, (vectors, moments) in enumerate(zip(self.axes, self.moments, strict=True)):
            axes[b, : len(vectors)], spin[b, : len(moments)] = vectors, moments / time
        turns = np.array([len(vectors) for vectors in self.axes], dtype=np.int64)
        plain = np.concatenate(self.plain).astype(np.int64)
        return Chart(plain, np.concatenate(self.scale), np.array(self.rows, dtype=np.int64), turns, axes, spin)


def chart_of(compiled: CompiledScene, scales: Scales) -> Chart:
    """The independent coordinates of the states of a scene."""
    bodies, model, draft = compiled.model.bodies, compiled.model, _Draft()
    for b, support in enumerate(bodies.support):
        if support in (PIVOT, AXLE, FREE):
            inverse = bodies.inverse_moments[b]
            turns = inverse > LEAST * inverse.max(initial=0.0)
            draft.add_body(BODY_SIZE * b, bodies.axes[b][turns], 1 / inverse[turns])
            if support == FREE:
                draft.add_centre(BODY_SIZE * b, float(bodies.mass[b]), scales)
    modal, first = model.modal, BODY_SIZE * len(bodies.mass)
    for s in np.flatnonzero(modal.is_free).tolist():
        if modal.first_mode[s + 1] > modal.first_mode[s]:
            mass = float(modal.mass[s])
            draft.add_body(first + BODY_SIZE * s, np.eye(3), np.full(3, mass * scales.length**2))
            draft.add_centre(first + BODY_SIZE * s, mass, scales)
    speed, moving, points = scales.length / scales.time, _moving_points(compiled), len(model.points.mass)
    for axis in range(6):
        draft.add(model.points.at + axis * points + moving, speed if axis > 2 else scales.length)
    modes = np.arange(int(modal.first_mode[-1]))
    root = float(np.sqrt(modal.mass.max(initial=1.0)))
    draft.add(modal.at + modes, scales.length * root)
    draft.add(modal.at + len(modes) + modes, speed * root)
    beads = np.arange(len(model.beads.body))
    draft.add(model.beads.at + beads, scales.length)
    draft.add(model.beads.at + len(beads) + beads, speed)
    draft.add(model.tangential.at + np.arange(3 * len(model.tangential.first)), scales.length)
    return draft.chart(scales.time)


def _moving_points(compiled: CompiledScene) -> np.ndarray:
    """Indices of the points that have a motion of their own: neither fixed nor of a body in modal coordinates."""
    is_moving = ~np.asarray(compiled.inputs.held, dtype=bool)
    modal = compiled.model.modal
    for s in range(len(modal.mass)):
        if modal.first_mode[s + 1] > modal.first_mode[s]:
            is_moving[modal.first[s] : modal.stop[s]] = False
    return np.flatnonzero(is_moving)


def extent(compiled: CompiledScene) -> float:
    """Size [m] of the scene by where things are at the start; 1 m where all is at one position."""
    first = compiled.model.points.at
    count = len(compiled.model.points.mass)
    bodies = compiled.start[: BODY_SIZE * len(compiled.model.bodies.mass)].reshape(-1, BODY_SIZE)[:, :3]
    points = compiled.start[first : first + 3 * count].reshape(3, -1).T
    positions = np.vstack([bodies, points, np.abs(compiled.model.bodies.center)])
    size = float(np.ptp(positions, axis=0).max(initial=0.0)) if len(positions) else 0.0
    return size or 1.0


def dimension(chart: Chart) -> int:
    """Number of independent coordinates."""
    return len(chart.plain) + 2 * int(chart.turns.sum())


@kernel
def difference(chart: Chart, base: np.ndarray, copy: np.ndarray, found: np.ndarray) -> None:
    """Write the coordinates of `copy` (k,) relative to `base` (k,) into `found` (d,), divided by SIZE.

    Of a turn between the bases u_i and u'_j the antisymmetric part of u_i.u'_j is taken, which errs by its third power.
    """
    at = len(chart.plain)
    for i in range(at):
        j = chart.plain[i]
        found[i] = (copy[j] - base[j]) / (chart.scale[i] * SIZE)
    for b in range(len(chart.row)):
        row, count = chart.row[b], chart.turns[b]
        for a in range(count):
            angle, spin = 0.0, 0.0
            for i in range(3):
                j, k = (i + 1) % 3, (i + 2) % 3
                turned, before, after = 0.0, 0.0, 0.0
                for c in range(3):
                    turned += base[row + BASIS + 3 * k + c] * copy[row + BASIS + 3 * j + c]
                    turned -= base[row + BASIS + 3 * j + c] * copy[row + BASIS + 3 * k + c]
                    before += base[row + BASIS + 3 * i + c] * base[row + ANGULAR_MOMENTUM + c]
                    after += copy[row + BASIS + 3 * i + c] * copy[row + ANGULAR_MOMENTUM + c]
                angle += 0.5 * turned * chart.axes[b, a, i]
                spin += (after - before) * chart.axes[b, a, i]
            found[at + a] = angle / SIZE
            found[at + count + a] = spin / (chart.spin[b, a] * SIZE)
        at += 2 * count


@kernel
def displace(chart: Chart, base: np.ndarray, along: np.ndarray, copy: np.ndarray) -> None:
    """Write into `copy` (k,) the state that has the coordinates SIZE times `along` (d,) relative to `base` (k,).

    Bases stay orthonormal: u'_j = sum_i u_i R_ij with the rotation matrix R of the rotation vector (Rodrigues).
    """
    for i in range(len(base)):
        copy[i] = base[i]
    at = len(chart.plain)
    for i in range(at):
        copy[chart.plain[i]] += chart.scale[i] * SIZE * along[i]
    for b in range(len(chart.row)):
        row, count = chart.row[b], chart.turns[b]
        w0, w1, w2, l0, l1, l2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for a in range(count):
            angle, spin = SIZE * along[at + a], SIZE * chart.spin[b, a] * along[at + count + a]
            w0 += angle * chart.axes[b, a, 0]
            w1 += angle * chart.axes[b, a, 1]
            w2 += angle * chart.axes[b, a, 2]
            l0 += spin * chart.axes[b, a, 0]
            l1 += spin * chart.axes[b, a, 1]
            l2 += spin * chart.axes[b, a, 2]
        at += 2 * count
        u, m = row + BASIS, row + ANGULAR_MOMENTUM
        l0 += base[u] * base[m] + base[u + 1] * base[m + 1] + base[u + 2] * base[m + 2]
        l1 += base[u + 3] * base[m] + base[u + 4] * base[m + 1] + base[u + 5] * base[m + 2]
        l2 += base[u + 6] * base[m] + base[u + 7] * base[m + 1] + base[u + 8] * base[m + 2]
        square = w0 * w0 + w1 * w1 + w2 * w2
        s, c = 1.0 - square / 6.0, 0.5 - square / 24.0  # sin(w)/w, (1 - cos w)/w^2, to w^4: angles are small
        d = 1.0 - c * square
        r00, r01, r02 = d + c * w0 * w0, c * w0 * w1 - s * w2, c * w0 * w2 + s * w1
        r10, r11, r12 = c * w1 * w0 + s * w2, d + c * w1 * w1, c * w1 * w2 - s * w0
        r20, r21, r22 = c * w2 * w0 - s * w1, c * w2 * w1 + s * w0, d + c * w2 * w2
        for k in range(3):
            x, y, z = base[u + k], base[u + 3 + k], base[u + 6 + k]
            first, second, third = x * r00 + y * r10 + z * r20, x * r01 + y * r11 + z * r21, x * r02 + y * r12 + z * r22
            copy[u + k], copy[u + 3 + k], copy[u + 6 + k] = first, second, third
            copy[m + k] = first * l0 + second * l1 + third * l2


@kernel
def orthonormalise(vectors: np.ndarray, lengths: np.ndarray) -> None:
    """Make `vectors` (n, d) orthonormal in their order; lengths (n,): of the remainder of each, 0 for dependent ones.

    Modified Gram-Schmidt, twice for each vector, so that the result is orthogonal to rounding. (Benettin et al.,
    Meccanica 15, 9, 1980)
    """
    for i in range(len(vectors)):
        for _ in range(2):
            for j in range(i):
                part = 0.0
                for k in range(vectors.shape[1]):
                    part += vectors[i, k] * vectors[j, k]
                for k in range(vectors.shape[1]):
                    vectors[i, k] -= part * vectors[j, k]
        square = 0.0
        for k in range(vectors.shape[1]):
            square += vectors[i, k] * vectors[i, k]
        lengths[i] = np.sqrt(square)
        for k in range(vectors.shape[1]):
            vectors[i, k] /= lengths[i] if lengths[i] > 0.0 else 1.0
