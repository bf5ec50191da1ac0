"""Couplings and currents of all coils on a placed state, for the hooks of coils."""

from __future__ import annotations

from polhode.engine.model import Step
from polhode.jit.kernel import kernel
from polhode.physics.coils.circuit import add_up, pass_on, write_currents, write_rates_by_motion, write_sources
from polhode.physics.coils.flux import couple_coils, couple_magnets, couple_world


@kernel
def couple(s: Step) -> None:
    """Fluxes, inductances and forces per ampere of all coils, with their changes by motion; all is placed."""
    coils, work = s.model.coils, s.work.coils
    couple_magnets(coils, s.model.dipoles, s.model.permeability, s.work.bodies, s.work.dipoles, work)
    couple_world(coils, s.inputs.field, s.time, s.work.bodies, work)
    couple_coils(coils, s.model.permeability, s.work.bodies, work)
    write_rates_by_motion(coils, s.work.bodies, work)
    add_up(coils, s.model.circuits, s.state, work, s.work.circuits)


@kernel
def solve(s: Step) -> None:
    """The currents of all coils; all is placed."""
    couple(s)
    write_sources(s.model.circuits, s.time, s.work.circuits)
    write_currents(s.model.circuits, s.state[s.model.circuits.at :], s.work.circuits)
    pass_on(s.model.coils, s.work.coils, s.work.circuits)
