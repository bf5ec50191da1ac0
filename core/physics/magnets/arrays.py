"""The arrays of dipoles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel_struct import KernelStruct
from core.physics.magnets.tree import Settings, TreeWork, make_tree_work


@dataclass(frozen=True, eq=False)
class Dipoles(KernelStruct):
    """Dipoles stand in the order of their bodies: those of body b are first[b] ... first[b + 1] - 1."""

    first: np.ndarray  # (n + 1,) int64
    position: np.ndarray  # (m, 3) [m] from the reference point, body frame
    moment: np.ndarray  # (m, 3) [A m^2] body frame
    size: np.ndarray  # (m,) [m] two dipoles that are nearer than their sizes together say little of the magnets
    reach: np.ndarray  # (n,) [m] no dipole of a body, with its size, is farther from its reference point


@dataclass(frozen=True, eq=False)
class WorldField(KernelStruct):
    """The world's magnetic field: cosine cos(frequency t) + sine sin(frequency t)."""

    cosine: np.ndarray  # (3,) [T]
    sine: np.ndarray  # (3,) [T]
    frequency: float  # [rad/s], 0 for a uniform field


@dataclass(frozen=True, eq=False)
class DipoleWork(KernelStruct):
    """Scratch: where the dipoles are in space, written when they are placed, and what acts on them."""

    arm: np.ndarray  # (m, 3) [m] from the body's reference point
    position: np.ndarray  # (m, 3) [m]
    moment: np.ndarray  # (m, 3) [A m^2]
    first: np.ndarray  # (1, m) which dipole is the first of its body: constant, a float as lanes compare it
    field: np.ndarray  # (m, 3) [T] at each dipole, of all other bodies' dipoles and the world
    force: np.ndarray  # (m, 3) [N] on each dipole by the gradient of that field
    tree: TreeWork


def make_dipole_work(dipoles: Dipoles, tree: Settings) -> DipoleWork:
    """Scratch arrays of the sizes that the dipoles need."""
    first, count = dipoles.first, len(dipoles.moment)
    of_body = np.repeat(first[:-1], np.diff(first)).astype(float)[np.newaxis]
    arm, position, moment, field, force = (np.zeros((count, 3)) for _ in range(5))
    return DipoleWork(arm, position, moment, of_body, field, force, make_tree_work(tree, len(first) - 1, count))
