"""Couplings and currents of all coils on a placed state, for the hooks of coils.

Iron and conductors in the scene add to fluxes and inductances in the phase COUPLE.
"""

from __future__ import annotations

from polhode.engine.model import Step
from polhode.engine.program import COUPLE, call_phase
from polhode.jit.kernel import kernel
from polhode.jit.vec import put
from polhode.physics.coils.circuit import add_up, pass_on, write_currents, write_rates_by_motion, write_sources
from polhode.physics.coils.flux import couple_coils, couple_magnets, couple_world


@kernel
def couple(s: Step) -> None:
    """Fluxes of magnets and of the world, inductances without iron, forces per ampere, and their changes by motion.

    All is placed.
    """
    coils, work = s.model.coils, s.work.coils
    for k in range(len(coils.body)):
        for j in range(len(coils.body)):
            work.inductance[k, j] = coils.inductance[k, j]
    couple_magnets(coils, s.model.dipoles, s.model.permeability, s.work.bodies, s.work.dipoles, work)
    couple_world(coils, s.inputs.field, s.time, s.work.bodies, work)
    couple_coils(coils, s.model.permeability, s.work.bodies, work)
    write_rates_by_motion(coils, s.work.bodies, work)


@kernel
def couple_all(s: Step) -> None:
    """Fluxes and inductances of coils and circuits with all that is in the scene; sources are written."""
    first = s.work.program.first
    if first[COUPLE] < first[COUPLE + 1]:  # a call takes longer than the rate of a magnet and a coil
        call_phase(COUPLE, s.model, s.inputs, s.time, s.state, s.work, s.out)
    add_up(s.model.coils, s.model.circuits, s.state, s.work.coils, s.work.circuits)


@kernel
def solve_afresh(s: Step) -> None:
    """`solve` where iron of dipoles may have its moments already, which it gets in COUPLE."""
    for i in s.model.induced.row:
        put(s.work.dipoles.moment, i, (0.0, 0.0, 0.0))
    solve(s)


@kernel
def solve(s: Step) -> None:
    """The currents of all coils; all is placed."""
    couple(s)
    write_sources(s.model.circuits, s.time, s.work.circuits)
    couple_all(s)
    write_currents(s.model.circuits, s.state[s.model.circuits.at :], s.work.circuits)
    pass_on(s.model.coils, s.work.coils, s.work.circuits)
