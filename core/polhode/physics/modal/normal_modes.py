"""Normal modes of a soft body about its rest, lowest frequency first (Kobayashi eq. 3.2).

K phi = w^2 M phi with the tangent stiffness K of the springs at rest: symmetric, so every w^2 is real; springs under
pressure can make it negative, and the body buckles. The six rigid motions of a body without a fixed point are no modes.
Small bodies by scipy's eigh, large ones by shift and invert (eigsh). Reference: two masses m = 10 in a row, k1 = 3000
to the wall, k2 = 2000: w = 10 and 24.4949 1/s.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import scipy

DENSE = 900  # number of coordinates up to which the dense matrix is decomposed
# Relative stiffness of taut threads along the springs, which are added for sorting. Motions that no spring resists have
# w = 0, and any mixture of them is a mode: threads sort them from smooth to rough, and hardly change the other shapes.
THREADS = 1e-8
MOST_DROPPED = 60  # unstable modes that are replaced by higher ones
STILL = 1e-11  # w^2 below this part of the largest possible is rounding


@dataclass(frozen=True, eq=False)
class Modes:
    """The modes that a soft body keeps, and the unstable ones that are dropped."""

    shapes: np.ndarray  # (n, 3, p) [1/sqrt(kg)]: sum of m phi_a phi_b is 1 for a = b, else 0; 0 at fixed points
    squares: np.ndarray  # (n,) [1/s^2] w^2, ascending
    dropped: np.ndarray  # (d,) [1/s^2] negative w^2 of dropped modes
    available: int  # total number of modes of the body

    @property
    def frequencies(self) -> np.ndarray:
        """(n,) [1/s] angular frequencies w; 0 where w^2 is not positive."""
        return np.sqrt(self.squares.clip(0.0))


@dataclass(frozen=True, eq=False)
class Net:
    """Points at rest and the springs between them, and from them to anchors that do not move; any frame."""

    positions: np.ndarray  # (p, 3) [m]
    mass: np.ndarray  # (p,) [kg]
    fixed: np.ndarray  # (p,) bool
    pairs: np.ndarray  # (s, 2) int64: a point, or p + index of an anchor
    rest: np.ndarray  # (s,) [m] natural lengths
    stiffness: np.ndarray  # (s,) [N/m]
    fixed_anchors: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (q, 3) [m] ends of springs at rest

    def equals(self, other: Net) -> bool:
        """Whether all numbers are equal."""
        names = [each.name for each in fields(self)]
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    @property
    def is_free(self) -> bool:
        """Whether no point is fixed."""
        return not self.fixed.any()

    @property
    def along(self) -> np.ndarray:
        """(s, 3) [m] from the first end of each spring to the second one."""
        ends = np.concatenate([self.positions, self.fixed_anchors])
        return np.asarray(ends[self.pairs[:, 1]] - ends[self.pairs[:, 0]])

    @property
    def available(self) -> int:
        """Number of modes without rigid motions."""
        return 3 * int((~self.fixed).sum()) - (6 if self.is_free else 0)

    @property
    def is_straight(self) -> bool:
        """Whether all points are on one line, so that the rotation about it is undefined."""
        spread = np.linalg.svd(self.positions - self.positions.mean(axis=0), compute_uv=False)
        return len(spread) < 2 or bool(spread[1] <= 1e-9 * spread[0])


@dataclass(frozen=True, eq=False)
class ModalPart:
    """A soft body with its points and springs at rest, and modes that it moves in or that are damped."""

    where: slice  # its points
    net: Net
    modes: Modes
    damping_ratios: np.ndarray  # (n,) h of the modes


def tangent_stiffness(net: Net) -> scipy.sparse.csr_array:
    """(3p, 3p) [N/m] K = -dF/dx of all springs at rest; coordinate i of axis k is number k p + i.

    Per spring k {e e^T + (1 - l0/l) (1 - e e^T)}, l0 its natural length: the second part is that of its tension. At l =
    l0 it resists its own direction only, at l0 = 0 all directions alike.
    """
    length = np.linalg.norm(net.along, axis=1)
    length[length == 0.0] = 1.0  # both ends at one position, where only l0 = 0 is allowed
    e = net.along / length[:, None]
    outer = np.einsum("si,sj->sij", e, e)
    taut = (1.0 - net.rest / length)[:, None, None]
    return _assembled(net, net.stiffness[:, None, None] * (outer + taut * (np.eye(3) - outer)))


def lowest_modes(net: Net, count: int, keep_unstable: bool) -> Modes:
    """The `count` lowest modes of a net.

    Those with w^2 < 0 are dropped, and replaced by higher ones, unless they are kept; more than MOST_DROPPED are not
    replaced any more.
    """
    wanted = count
    while True:
        shapes, squares = _lowest(net, wanted)
        unstable = squares < 0.0
        is_enough = keep_unstable or wanted == net.available or (~unstable).sum() >= count
        if is_enough or unstable.sum() > MOST_DROPPED:
            break
        wanted = min(net.available, count + int(unstable.sum()) + 8)
    dropped = np.zeros(0) if keep_unstable else squares[unstable]
    chosen = np.flatnonzero(~unstable | keep_unstable)[:count]
    return Modes(shapes[chosen], squares[chosen], dropped, net.available)


def _assembled(net: Net, blocks: np.ndarray) -> scipy.sparse.csr_array:
    """(3p, 3p) sum of the matrices `blocks` (s, 3, 3) of springs: plus on their own points, minus between the two."""
    p, all_ends = len(net.mass), len(net.mass) + len(net.fixed_anchors)
    i, j = net.pairs.T
    rows, columns, values = [], [], []
    for k in range(3):
        for n in range(3):
            for one, other, sign in ((i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)):
                rows.append(one + k * all_ends)
                columns.append(other + n * all_ends)
                values.append(sign * blocks[:, k, n])
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    every = scipy.sparse.csr_array(scipy.sparse.coo_array(entries, shape=(3 * all_ends, 3 * all_ends)))
    of_points = np.flatnonzero(np.tile(np.arange(all_ends) < p, 3))
    return every if all_ends == p else every[of_points][:, of_points]


def _lowest(net: Net, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Shapes (n, 3, p) [1/sqrt(kg)] and w^2 (n,) [1/s^2] of the `count` lowest modes, without rigid motions of a free
    net.

    Solves the standard problem of M^-1/2 K M^-1/2 on the points that are not fixed.
    """
    moving = np.flatnonzero(np.tile(~net.fixed, 3))
    root = 1.0 / np.sqrt(np.tile(net.mass, 3)[moving])
    weights = scipy.sparse.csr_array((root, (np.arange(len(root)), np.arange(len(root)))))
    stiffness = weights @ tangent_stiffness(net)[moving][:, moving] @ weights
    threads = _assembled(net, net.stiffness[:, None, None] * np.eye(3))[moving][:, moving]
    largest = float(np.abs(stiffness).sum(axis=1).max())  # no eigenvalue is larger (Gershgorin)
    sorted_by = stiffness + THREADS * (weights @ threads @ weights)
    rigid = _rigid_motions(net) if net.is_free else np.zeros((len(moving), 0))
    if len(moving) <= DENSE or 3 * count > len(moving):
        across = np.eye(len(moving)) - rigid @ rigid.T
        without = across @ sorted_by.toarray() @ across + 2.0 * largest * rigid @ rigid.T  # rigid motions come last
        vectors = scipy.linalg.eigh(without, subset_by_index=(0, count - 1))[1]
    else:
        vectors = _sparse(sorted_by, rigid, count, largest * STILL + _pressure(net))
    squares = np.einsum("ia,ia->a", vectors, stiffness @ vectors)
    squares[np.abs(squares) < STILL * largest] = 0.0
    order = np.argsort(squares, kind="stable")
    shapes = np.zeros((len(order), 3 * len(net.mass)))
    shapes[:, moving] = (_facing_up(vectors[:, order]) * root[:, None]).T
    return shapes.reshape(len(order), 3, -1), squares[order]


def _pressure(net: Net) -> float:
    """[1/s^2] a bound: no w^2 is lower than minus this; from the springs under pressure."""
    length = np.linalg.norm(net.along, axis=1)
    pushed = net.stiffness * (net.rest / np.where(length > 0.0, length, 1.0) - 1.0).clip(0.0)
    at_point = np.bincount(net.pairs.ravel(), np.repeat(pushed, 2), len(net.mass))[: len(net.mass)]
    return float(2.0 * (at_point / net.mass).max())


def _sparse(matrix: scipy.sparse.csr_array, rigid: np.ndarray, count: int, below: float) -> np.ndarray:
    """(N, n) lowest eigenvectors by shift and invert, within the orthogonal complement of the columns of `rigid` (N,
    r).

    below: shift [1/s^2], so that matrix + below is positive definite.
    """
    size = matrix.shape[0]
    factors = scipy.sparse.linalg.splu((matrix + below * scipy.sparse.eye_array(size)).tocsc())
    of_rigid = factors.solve(rigid)
    coupling = np.linalg.inv(rigid.T @ of_rigid)

    def across(vectors: np.ndarray) -> np.ndarray:
        return np.asarray(vectors - rigid @ (rigid.T @ vectors))

    def inverse(vector: np.ndarray) -> np.ndarray:
        found = factors.solve(across(vector.ravel()))
        return across(found - of_rigid @ (coupling @ (rigid.T @ found)))

    operator: Any = scipy.sparse.linalg.LinearOperator((size, size), matvec=inverse, dtype=float)
    start = inverse(np.random.default_rng(1).standard_normal(size))  # the same at every call, and without symmetry
    vectors = scipy.sparse.linalg.eigsh(operator, k=count, which="LA", v0=start)[1]
    return np.linalg.qr(across(vectors[:, ::-1]))[0]


def _rigid_motions(net: Net) -> np.ndarray:
    """(3p, 6) orthonormal translations and rotations of a free net, weighted with the roots of the masses."""
    root = np.sqrt(net.mass)
    arms = net.positions - np.average(net.positions, axis=0, weights=net.mass)
    arms = arms / np.abs(arms).max()
    motions = [np.broadcast_to(axis, arms.shape) for axis in np.eye(3)] + [np.cross(axis, arms) for axis in np.eye(3)]
    return np.linalg.qr(np.array([(root[:, None] * motion).T.ravel() for motion in motions]).T)[0]


def _facing_up(vectors: np.ndarray) -> np.ndarray:
    """The same eigenvectors (N, n), each with the sign that makes its first large component positive."""
    large = np.abs(vectors) > 0.5 * np.abs(vectors).max(axis=0)
    signs = np.sign(vectors[large.argmax(axis=0), np.arange(vectors.shape[1])])
    return vectors * signs
