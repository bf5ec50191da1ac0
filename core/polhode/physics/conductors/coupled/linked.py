"""Slow modes of conductors that iron, or the currents of other conductors, couple to each other.

    lam = L I + Phi      L_kj = tau_k delta_kj + M_kj      I = L^-1 (lam - Phi)      U = 1/2 I.L I

The phase LINK adds Phi and M; the currents are handed on as linkages tau_k I_k + Phi_k, of which modes without M would
have them. Coils are not in these scenes.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Step
from polhode.engine.program import LINK, call_phase
from polhode.jit.cholesky import solve_positive
from polhode.jit.kernel import kernel
from polhode.jit.vec import row
from polhode.physics.bodies.arrays import read_basis
from polhode.physics.conductors.induction import through_mode


@kernel
def is_linked(s: Step) -> bool:
    """Whether iron or other conductors act on conductors."""
    first = s.work.program.first
    return first[LINK] < first[LINK + 1]


@kernel
def link(s: Step) -> None:
    """Add fluxes and their changes to those of nodes, and write the inductances of slow modes; `change` is written."""
    conductors, mutual, k = s.model.conductors, s.work.eddy.mutual, 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            for j in range(len(mutual)):
                mutual[k, j] = 0.0
            mutual[k, k] = conductors.time_constant[m]
            k += 1
    compare_poses(s)
    call_phase(LINK, s.model, s.inputs, s.time, s.state, s.work, s.out)


@kernel
def compare_poses(s: Step) -> None:
    """Write whether bodies of conductors or iron are elsewhere than when their inductances were written."""
    conductors, iron, eddy = s.model.conductors, s.model.iron, s.work.eddy
    eddy.is_moved[0] = False
    for n in range(len(eddy.pose)):
        metal = len(conductors.body)
        b = conductors.body[n] if n < metal else iron.body[n - metal]
        axes, at = read_basis(s.state, b), row(s.work.bodies.position, b)
        for i in range(3):
            for value, k in ((at[i], i), (axes[0][i], 3 + i), (axes[1][i], 6 + i), (axes[2][i], 9 + i)):
                if eddy.pose[n, k] != value:
                    eddy.pose[n, k], eddy.is_moved[0] = value, True


@kernel
def add_matrix(matrix: np.ndarray, total: np.ndarray) -> None:
    """Add a matrix (d, d) to `total`."""
    for k in range(len(matrix)):
        for j in range(len(matrix)):
            total[k, j] += matrix[k, j]


@kernel
def solve_modes(matrix: np.ndarray, factor: np.ndarray, right: np.ndarray) -> None:
    """`right` (d,) becomes matrix^-1 right, by the Cholesky factor of the matrix (d, d)."""
    for i in range(len(right)):
        for j in range(i + 1):
            factor[i, j] = matrix[i, j]
    solve_positive(factor, right)


@kernel
def write_alone(s: Step) -> None:
    """Write the linkages (d,) [Wb] into `right` with which modes without M have the currents of slow modes."""
    conductors, work, right, k = s.model.conductors, s.work.conductors, s.work.eddy.right, 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            right[k] = s.state[conductors.at + k] - through_mode(conductors, c, m, work.flux)
            k += 1
    solve_modes(s.work.eddy.mutual, s.work.eddy.factor, right)
    k = 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            right[k] = conductors.time_constant[m] * right[k] + through_mode(conductors, c, m, work.flux)
            k += 1


@kernel
def mutual_linkage(s: Step, k: int) -> float:
    """Sum of M_kj I_j [Wb] of slow mode k."""
    conductors, mutual, total, j = s.model.conductors, s.work.eddy.mutual, 0.0, 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            own = conductors.time_constant[m] if j == k else 0.0
            total += (mutual[k, j] - own) * s.work.conductors.current[m]
            j += 1
    return total


@kernel
def mutual_energy(s: Step) -> float:
    """U [J] = 1/2 I.M I of slow modes."""
    conductors, energy, k = s.model.conductors, 0.0, 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            energy += 0.5 * s.work.conductors.current[m] * mutual_linkage(s, k)
            k += 1
    return energy
