"""Charges of soft iron in the fields of dipoles, of the world, and of other iron.

With q the charges, psi the potential of everything else at the panels, S the potential of unit charges at panels,

    U = mu0 (q.psi + 1/2 q.S q)      S q = -psi, the sum of the charges of each surface 0      U = mu0/2 q.psi

For one body S^-1 is the matrix R, made once. Several bodies have charges of each other in S, which conjugate gradients
solve with R as preconditioner, always from q = -R psi, so that a run repeats to the byte; iron that saturates is in
the folder saturation. Sources that have no
potential, fields by formulas, are given by their fluxes b through panels, psi = -N b, and act on the moments u A n of
the panels, u = N q: both are derivatives of one U.
"""

from __future__ import annotations

from math import isfinite, sqrt

import numpy as np

from polhode.engine.model import Step
from polhode.engine.program import MAGNETISE, call_phase
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, components, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.iron.arrays import Iron, IronWork
from polhode.physics.iron.mutual import place_panels, potential_of_others
from polhode.physics.iron.potentials import (
    add_potential,
    add_uniform,
    multiply,
    multiply_all,
    product,
    subtract_product,
)
from polhode.physics.iron.saturation.one_shape import saturation_energy, write_saturated
from polhode.physics.iron.saturation.several_shapes import solve_saturated
from polhode.physics.magnets.arrays import Dipoles, DipoleWork, WorldField
from polhode.physics.magnets.field_by_formula import field_by_formula
from polhode.physics.magnets.magnetic import world_field

TOLERANCE = 1e-22  # of the energy: the square of that of the charges
MOST_STEPS = 100


@kernel
def panel(of_panels: np.ndarray, i: int) -> Triple:
    """Column i of rows x, y, z (3, n)."""
    return of_panels[0, i], of_panels[1, i], of_panels[2, i]


@kernel
def write_potential(
    iron: Iron,
    dipoles: Dipoles,
    field: WorldField,
    permeability: float,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    dipole_work: DipoleWork,
    work: IronWork,
) -> None:
    """Write the potential of the magnets and of the world at all panels."""
    everywhere = world_field(field, time)
    for a in range(len(iron.body)):
        b = iron.body[a]
        u1, u2, u3 = read_basis(state, b)
        reference = row(body_work.position, b)
        for i in range(iron.first[a], iron.first[a + 1]):
            work.potential[0, i] = iron.own[0, i]
        add_uniform(iron, a, scale(1.0 / permeability, components(everywhere, u1, u2, u3)), work.potential)
        for c in range(len(dipoles.first) - 1):
            if c == b:
                continue
            for i in range(dipoles.first[c], dipoles.first[c + 1]):
                at = components(subtract(row(dipole_work.position, i), reference), u1, u2, u3)
                moment = components(row(dipole_work.moment, i), u1, u2, u3)
                add_potential(iron, a, at, moment, work.potential)
        if field.value.address != 0:
            add_formulas(iron, a, field, permeability, time, (u1, u2, u3), reference, work)


@kernel
def add_formulas(
    iron: Iron,
    a: int,
    field: WorldField,
    permeability: float,
    time: float,
    basis: tuple[Triple, Triple, Triple],
    reference: Triple,
    work: IronWork,
) -> None:
    """Add the potential -N b of a field by formulas at the panels of iron a; `reference` [m], laboratory frame."""
    u1, u2, u3 = basis
    for i in range(iron.first[a], iron.first[a + 1]):
        at = add(reference, combine(panel(iron.middle, i), u1, u2, u3))
        area = combine(panel(iron.area, i), u1, u2, u3)
        work.inner[0, i] = dot(area, field_by_formula(field, at, time)) / permeability
    multiply(iron.from_flux, iron.first[a], iron.first[a + 1], work.inner, work.image)
    for i in range(iron.first[a], iron.first[a + 1]):
        work.potential[0, i] -= work.image[0, i]


@kernel
def is_saturating(iron: Iron) -> bool:
    """Whether any shape of iron saturates."""
    found = False
    for j in range(len(iron.saturation)):
        found = found or isfinite(iron.saturation[j])
    return found


@kernel
def is_by_modes(work: IronWork) -> bool:
    """Whether iron that saturates is one shape, solved by its modes."""
    return work.newton.shape[1] == 0


@kernel
def write_charges(s: Step) -> None:
    """Write the charges of all panels in the potential."""
    iron, work, saturating = s.model.iron, s.work.iron, is_saturating(s.model.iron)
    if saturating and is_by_modes(work):
        write_saturated(iron, work)
        return
    if len(iron.body) > 1:
        place_panels(iron, s.state, s.work.bodies, work)
    if saturating:
        call_phase(MAGNETISE, s.model, s.inputs, s.time, s.state, s.work, s.out)
    else:
        solve_charges(iron, work.potential, work.charge, work)


@kernel
def solve_shapes(s: Step) -> None:
    """MAGNETISE: the charges of several shapes of which some saturate; several bodies are placed."""
    solve_saturated(s.model.iron, s.work.iron.potential, s.work.iron.charge, s.work.iron)


@kernel
def solve_charges(iron: Iron, potential: np.ndarray, charge: np.ndarray, work: IronWork) -> None:
    """Write -S^-1 `potential` into `charge`, (1, n) each; several bodies are placed, and none saturates."""
    end = len(iron.edge)
    if product(0, end, potential, potential) == 0.0:
        for i in range(end):
            charge[0, i] = 0.0
        return
    multiply_all(iron, iron.inverse, potential, charge)
    subtract_product(end, 2.0, charge, charge)
    if len(iron.body) == 1:
        return
    potential_of_others(iron, charge, work)
    for i in range(end):
        work.residual[0, i] = work.of_direction[0, i] = -work.image[0, i]
    multiply_all(iron, iron.inverse, work.residual, work.direction)
    size, limit = (
        product(0, end, work.residual, work.direction),
        -TOLERANCE * product(0, end, charge, potential),
    )
    for _ in range(MOST_STEPS):
        if not size > limit:
            break
        potential_of_others(iron, work.direction, work)
        subtract_product(end, -1.0, work.of_direction, work.image)
        along = product(0, end, work.direction, work.image)
        if not along > 0.0:
            break  # iron so close to other iron that its energy has no minimum
        length = size / along
        subtract_product(end, -length, work.direction, charge)
        subtract_product(end, length, work.image, work.residual)
        multiply_all(iron, iron.inverse, work.residual, work.step)
        left = product(0, end, work.residual, work.step)
        share, size = left / size, left
        for i in range(end):
            work.direction[0, i] = work.step[0, i] + share * work.direction[0, i]
            work.of_direction[0, i] = work.residual[0, i] + share * work.of_direction[0, i]
    if size > limit:
        work.left[0] = max(work.left[0], sqrt(size * TOLERANCE / limit))


@kernel
def magnetic_energy(iron: Iron, permeability: float, charge: np.ndarray, work: IronWork) -> float:
    """U [J] of all iron in the field of magnets and of the world, mu0/2 q.psi unless it saturates.

    charge: (1, n) [A m] without the currents of coils, whose energy is that of their inductances
    """
    energy = 0.5 * product(0, len(iron.edge), charge, work.potential)
    for j in range(len(iron.saturation)):
        if isfinite(iron.saturation[j]):
            energy += saturation_energy(iron, j, work)
    return permeability * energy
