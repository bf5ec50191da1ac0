"""Slow modes of conductors that iron, or the currents of other conductors, couple to each other.

    lam = L I + Phi      L_kj = tau_k delta_kj + M_kj      I = L^-1 (lam - Phi)      U = 1/2 I.L I

The phase LINK adds Phi and M. Beside coils I are the currents without those of the circuits (conductors/coils.py).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Step
from polhode.engine.program import LINK, call_phase
from polhode.jit.cholesky import POSITIVE, closest_row, factorise, substitute
from polhode.jit.kernel import kernel
from polhode.jit.vec import row
from polhode.physics.bodies.arrays import read_basis


@kernel
def is_linked(s: Step) -> bool:
    """Whether iron or other conductors act on conductors."""
    first = s.work.program.first
    return first[LINK] < first[LINK + 1]


@kernel
def link(s: Step) -> None:
    """Add fluxes and their changes to those of nodes, and write the inductances of slow modes with their Cholesky
    factor; `change` is written, and with coils the charges of iron.
    """
    reset_mutual(s)
    compare_poses(s)
    call_phase(LINK, s.model, s.inputs, s.time, s.state, s.work, s.out)
    if s.work.eddy.is_moved[0]:
        write_factor(s)


@kernel
def reset_mutual(s: Step) -> None:
    """Write the inductances of slow modes without iron and other conductors."""
    conductors, eddy, k = s.model.conductors, s.work.eddy, 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            for j in range(len(eddy.mutual)):
                eddy.mutual[k, j] = 0.0
            eddy.mutual[k, k] = conductors.time_constant[m]
            k += 1


@kernel
def write_factor(s: Step) -> None:
    """Write the Cholesky factor of the inductances of slow modes; their energy has no minimum where there is none."""
    eddy = s.work.eddy
    for i in range(len(eddy.mutual)):
        for j in range(i + 1):
            eddy.factor[i, j] = eddy.mutual[i, j]
    k, coupling = factorise(eddy.factor)
    if k != POSITIVE:
        eddy.failed[0], eddy.failed[1], eddy.failed[2] = k, closest_row(eddy.mutual, k), coupling


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
def divide_by_inductance(s: Step, of_modes: np.ndarray) -> None:
    """Flux linkages `of_modes` (k,) [Wb] of slow modes become the currents [A] that have these."""
    conductors, right, linked, k = s.model.conductors, s.work.eddy.right, is_linked(s), 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            if linked:
                right[k] = of_modes[m]
            else:
                of_modes[m] /= conductors.time_constant[m]
            k += 1
    if not linked:
        return
    substitute(s.work.eddy.factor, right)
    k = 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            of_modes[m] = right[k]
            k += 1


@kernel
def subtract_by_iron(s: Step, of_modes: np.ndarray) -> None:
    """Subtract the fluxes of charges of magnets in iron from the linkages (k,) [Wb] of slow modes."""
    conductors, d = s.model.conductors, 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            of_modes[m], d = of_modes[m] - s.work.eddy.by_magnets[d], d + 1


@kernel
def mutual_linkage(s: Step, k: int, current: np.ndarray) -> float:
    """Sum of M_kj I_j [Wb] of slow mode k; `current` (m,) [A] of all modes."""
    conductors, mutual, total, j = s.model.conductors, s.work.eddy.mutual, 0.0, 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            own = conductors.time_constant[m] if j == k else 0.0
            total += (mutual[k, j] - own) * current[m]
            j += 1
    return total


@kernel
def mutual_energy(s: Step, current: np.ndarray) -> float:
    """U [J] = 1/2 I.M I of slow modes; `current` (m,) [A] of all modes."""
    conductors, energy, k = s.model.conductors, 0.0, 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            energy += 0.5 * current[m] * mutual_linkage(s, k, current)
            k += 1
    return energy
