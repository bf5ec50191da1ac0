"""Motion near an equilibrium: eigenvalues of the linearised equations, frequencies and shapes.

    y'' = r_y y + r_v y'      ->      (y, y')' = A (y, y'),   A = [[0, 1], [r_y, r_v]]

Eigenvalues lambda of A are complex: the motion is exp(lambda t). An equilibrium is unstable if one of them has a
positive real part. Directions without stiffness have the eigenvalue 0 exactly, because their stiffness, which is
rounding, is removed from r_y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from polhode.equilibria.families import Zero
from polhode.equilibria.system import System

REAL = 1e-7  # of the largest |lambda|: smaller real parts are rounding errors
NONE = 1e-6  # of the largest |lambda|: smaller eigenvalues are 0

Stability = Literal["stable", "neutral", "unstable"]


@dataclass(frozen=True, eq=False)
class Mode:
    """One eigenvector of the motion about an equilibrium; a pair of conjugate eigenvalues is one mode."""

    eigenvalue: complex  # [1/s] lambda, with a non-negative imaginary part
    shape: np.ndarray  # (n,) mass-weighted displacements of the coordinates, the largest 1 in units of its coordinate

    @property
    def frequency(self) -> float:
        """[Hz] |Im lambda| / (2 pi); 0 of a motion that does not oscillate."""
        return abs(self.eigenvalue.imag) / (2 * np.pi)

    @property
    def damping_ratio(self) -> float:
        """-Re lambda / |lambda|: 0 without damping, 1 of a motion that creeps, negative of one that grows."""
        size = abs(self.eigenvalue)
        return -self.eigenvalue.real / size if size else 0.0


@dataclass(frozen=True, eq=False)
class Oscillations:
    """Eigenvalues of the motion about an equilibrium."""

    eigenvalues: np.ndarray  # (2 t,) complex [1/s], by falling real part, then imaginary part
    modes: tuple[Mode, ...]  # without those of eigenvalue 0; the fastest growing first, then by rising frequency
    stability: Stability

    @property
    def unstable_directions(self) -> int:
        """Number of eigenvalues with a positive real part."""
        return int((self.eigenvalues.real > 0).sum())


def motion_about(system: System, zero: Zero) -> Oscillations:
    """Eigenvalues and modes of the motion about a zero of the forces."""
    count = len(zero.slope)
    if not count:
        return Oscillations(np.zeros(0, dtype=complex), (), "neutral")
    across = zero.slope @ (np.eye(count) - zero.neutral @ zero.neutral.T)
    damping = system.damping(zero.state, zero.tangent)
    matrix = np.block([[np.zeros((count, count)), np.eye(count)], [across, damping]])
    values, vectors = np.linalg.eig(matrix)
    values = _without_noise(values)
    order = np.lexsort((-values.imag, -values.real))
    modes = [
        Mode(complex(values[k]), _shape(system, vectors[:count, k], zero.tangent))
        for k in order.tolist()
        if values[k] != 0 and values[k].imag >= 0
    ]
    modes.sort(key=lambda mode: (mode.eigenvalue.real <= 0, abs(mode.eigenvalue)))
    grows = bool((values.real > 0).any())
    stability: Stability = "unstable" if grows else "neutral" if zero.neutral.shape[1] else "stable"
    return Oscillations(values[order], tuple(modes), stability)


def _without_noise(values: np.ndarray) -> np.ndarray:
    """The eigenvalues (m,) with parts that are rounding errors set to zero."""
    largest = np.abs(values).max(initial=0.0)
    real = np.where(np.abs(values.real) < REAL * largest, 0.0, values.real)
    imaginary = np.where(np.abs(values.imag) < REAL * largest, 0.0, values.imag)
    return np.where(np.abs(values) < NONE * largest, 0.0, real + 1j * imaginary)


def _shape(system: System, vector: np.ndarray, tangent: np.ndarray | None) -> np.ndarray:
    """(n,) real displacements of an eigenvector (t,), turned to the phase in which its largest component is real."""
    full = np.asarray(system.embedded(vector, tangent))
    relative = full / system.unit
    largest = relative[np.argmax(np.abs(relative))]
    return np.asarray((full / largest).real) if largest else full.real
