"""Constants and scratch arrays of dipoles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel_struct import KernelStruct
from core.physics.magnets.tree import Settings, TreeWork, make_tree_work


@dataclass(frozen=True, eq=False)
class Dipoles(KernelStruct):
    """Dipoles in the order of their bodies: those of body b are first[b] ... first[b + 1] - 1."""

    first: np.ndarray  # (n + 1,) int64
    position: np.ndarray  # (m, 3) [m] from the reference point, body frame
    moment: np.ndarray  # (m, 3) [A m^2] body frame
    size: np.ndarray  # (m,) [m] distance scale: dipoles nearer than the sum of their sizes do not describe the magnets
    reach: np.ndarray  # (n,) [m] largest distance of a dipole, with its size, from the body's reference point


@dataclass(frozen=True, eq=False)
class WorldField(KernelStruct):
    """The world's magnetic field: cosine cos(frequency t) + sine sin(frequency t)."""

    cosine: np.ndarray  # (3,) [T]
    sine: np.ndarray  # (3,) [T]
    frequency: float  # [rad/s], 0 for a uniform field


@dataclass(frozen=True, eq=False)
class DipoleWork(KernelStruct):
    """Scratch, laboratory frame: arm, position and moment are written by the place phase, field and force by the
    laws.
    """

    arm: np.ndarray  # (m, 3) [m] from the body's reference point
    position: np.ndarray  # (m, 3) [m]
    moment: np.ndarray  # (m, 3) [A m^2]
    first: np.ndarray  # (1, m) index of the first dipole of the same body, constant, as float for SIMD comparisons
    field: np.ndarray  # (m, 3) [T] at each dipole, of other bodies' dipoles and the world
    force: np.ndarray  # (m, 3) [N] on each dipole, by the gradient of that field
    tree: TreeWork


def make_dipole_work(dipoles: Dipoles, tree: Settings) -> DipoleWork:
    """Scratch arrays of the sizes that the dipoles need."""
    first, count = dipoles.first, len(dipoles.moment)
    of_body = np.repeat(first[:-1], np.diff(first)).astype(float)[np.newaxis]
    arm, position, moment, field, force = (np.zeros((count, 3)) for _ in range(5))
    return DipoleWork(arm, position, moment, of_body, field, force, make_tree_work(tree, len(first) - 1, count))
