"""Forces on soft iron, and by it on magnets, once its charges are known."""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import FIELD
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, add, combine, components, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.iron.arrays import Iron, IronWork
from polhode.physics.iron.mutual import load_pairs
from polhode.physics.iron.potentials import field_of_charges, moment_of, multiply
from polhode.physics.iron.solve import panel
from polhode.physics.magnets.arrays import Dipoles, DipoleWork, WorldField
from polhode.physics.magnets.field_by_formula import on_dipole
from polhode.physics.magnets.magnetic import world_field, world_field_rate

Basis = tuple[Triple, Triple, Triple]


@kernel
def moment_in_space(iron: Iron, a: int, state: np.ndarray, work: IronWork) -> Triple:
    """Magnetic moment [A m^2] of iron a, laboratory frame."""
    u1, u2, u3 = read_basis(state, iron.body[a])
    return combine(moment_of(iron, a, work.charge), u1, u2, u3)


@kernel
def load_magnets(
    iron: Iron,
    a: int,
    dipoles: Dipoles,
    permeability: float,
    basis: Basis,
    body_work: BodyWork,
    dipole_work: DipoleWork,
    work: IronWork,
) -> None:
    """Add the forces of iron a on the magnets of other bodies, and the opposite ones on its own body."""
    own, (u1, u2, u3) = iron.body[a], basis
    reference = row(body_work.position, own)
    for c in range(len(dipoles.first) - 1):
        if c == own or dipoles.first[c] == dipoles.first[c + 1]:
            continue
        force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for i in range(dipoles.first[c], dipoles.first[c + 1]):
            moment = row(dipole_work.moment, i)
            at = components(subtract(row(dipole_work.position, i), reference), u1, u2, u3)
            field, pull = field_of_charges(iron, a, work.charge, at, components(moment, u1, u2, u3))
            pull = scale(permeability, combine(pull, u1, u2, u3))
            turn = cross(moment, scale(permeability, combine(field, u1, u2, u3)))
            force, torque = add(force, pull), add(torque, add(turn, cross(row(dipole_work.arm, i), pull)))
        accumulate(body_work.force, c, force)
        accumulate(body_work.torque, c, torque)
        about = add(torque, cross(subtract(row(body_work.position, c), reference), force))
        accumulate(body_work.force, own, scale(-1.0, force))
        accumulate(body_work.torque, own, scale(-1.0, about))


@kernel
def load_by_formulas(
    iron: Iron,
    a: int,
    field: WorldField,
    time: float,
    basis: Basis,
    body_work: BodyWork,
    work: IronWork,
    power: np.ndarray,
) -> None:
    """Add the forces of a field by formulas on the moments u A n of the panels of iron a, and its power."""
    own, (u1, u2, u3) = iron.body[a], basis
    multiply(iron.from_flux, iron.first[a], iron.first[a + 1], work.charge, work.inner)
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(iron.first[a], iron.first[a + 1]):
        arm = combine(panel(iron.middle, i), u1, u2, u3)
        moment = scale(work.inner[0, i], combine(panel(iron.area, i), u1, u2, u3))
        pull, turn, gained = on_dipole(field, add(row(body_work.position, own), arm), moment, time)
        force, torque = add(force, pull), add(torque, add(turn, cross(arm, pull)))
        power[FIELD] -= gained
    accumulate(body_work.force, own, force)
    accumulate(body_work.torque, own, torque)


@kernel
def load_iron(
    iron: Iron,
    dipoles: Dipoles,
    field: WorldField,
    permeability: float,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    dipole_work: DipoleWork,
    work: IronWork,
    power: np.ndarray,
) -> None:
    """LAW: add the forces of iron, magnets and the world on each other to their bodies; power[FIELD] gets -m.dB/dt."""
    everywhere, rate = world_field(field, time), world_field_rate(field, time)
    for a in range(len(iron.body)):
        basis = read_basis(state, iron.body[a])
        load_magnets(iron, a, dipoles, permeability, basis, body_work, dipole_work, work)
        moment = moment_in_space(iron, a, state, work)
        accumulate(body_work.torque, iron.body[a], cross(moment, everywhere))
        power[FIELD] -= dot(moment, rate)
        if field.value.address != 0:
            load_by_formulas(iron, a, field, time, basis, body_work, work, power)
    load_pairs(iron, permeability, body_work, work)
