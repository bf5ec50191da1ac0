"""Engine record of coils.

PLACE      positions and axes
LAW        currents, their forces and torques on bodies, and powers
PROJECT    rates of flux linkages
ENERGY     magnetic energy of currents
OBSERVE    current, voltage, flux linkage, heat and force of each coil
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import MAGNETIC
from polhode.engine.model import Step
from polhode.engine.part import Part, StateSection
from polhode.jit.kernel import kernel
from polhode.physics.bodies.placement import place_bodies
from polhode.physics.coils.arrays import DYNAMIC, make_coil_work
from polhode.physics.coils.checks import check_coils, check_start
from polhode.physics.coils.circuit import (
    linkage,
    load_coils,
    magnetic_energy,
    voltage_at_ends,
    write_current_rates,
    write_currents,
    write_linkage_rates,
    write_rates_by_motion,
    write_sources,
)
from polhode.physics.coils.columns import WIDTH
from polhode.physics.coils.compile import adjusted_resistance, compile_coils
from polhode.physics.coils.flux import couple_coils, couple_magnets, couple_world
from polhode.physics.coils.placement import place_coils
from polhode.physics.magnets.placement import place_dipoles


@kernel
def place(s: Step) -> None:
    """PLACE: positions and axes of all coils."""
    place_coils(s.model.coils, s.state, s.work.bodies, s.work.coils)


@kernel
def couple(s: Step) -> None:
    """Fluxes, inductances and forces per ampere of all coils, with their changes by motion; all is placed."""
    couple_magnets(s.model.coils, s.model.dipoles, s.model.permeability, s.work.bodies, s.work.dipoles, s.work.coils)
    couple_world(s.model.coils, s.inputs.field, s.time, s.work.bodies, s.work.coils)
    couple_coils(s.model.coils, s.model.permeability, s.work.bodies, s.work.coils)
    write_rates_by_motion(s.model.coils, s.work.bodies, s.work.coils)


@kernel
def solve(s: Step) -> None:
    """The currents of all coils; all is placed."""
    couple(s)
    write_sources(s.model.coils, s.time, s.work.coils)
    write_currents(s.model.coils, s.state[s.model.coils.at :], s.work.coils)


@kernel
def forces(s: Step) -> None:
    """LAW: forces and torques of the currents."""
    solve(s)
    load_coils(s.model.coils, s.work.bodies, s.work.coils, s.work.power)


@kernel
def rest(s: Step) -> None:
    """REST: flux linkages do not change."""
    for k in range(len(s.model.coils.kind)):
        s.work.coils.voltage[k] = s.work.coils.current[k] = 0.0


@kernel
def project(s: Step) -> None:
    """PROJECT: rates of flux linkages."""
    write_linkage_rates(s.model.coils, s.work.coils, s.out[s.model.coils.at :])


@kernel
def energy(s: Step) -> None:
    """ENERGY: U [J] of all currents."""
    solve(s)
    s.out[MAGNETIC] += magnetic_energy(s.model.coils, s.work.coils)


@kernel
def observe(s: Step) -> None:
    """OBSERVE: current [A], voltage [V], flux linkage [Wb], heat [W] and force [N] of each coil."""
    forces(s)
    write_current_rates(s.model.coils, s.work.coils)
    for k in range(len(s.model.coils.kind)):
        current, at = s.work.coils.current[k], WIDTH * k
        s.out[at], s.out[at + 1] = current, voltage_at_ends(s.model.coils, k, s.work.coils)
        s.out[at + 2], s.out[at + 3] = linkage(k, s.work.coils), s.model.coils.resistance[k] * current * current
        for i in range(3):
            s.out[at + 4 + i] = s.work.coils.on_coil[k, i]


@kernel
def start_linkages(s: Step) -> None:
    """Assembly of the start: flux linkages of dynamic coils from their currents at the start."""
    place_bodies(s.model.bodies, s.inputs.sensor_track, s.time, s.state, s.work.bodies)
    place_dipoles(s.model.bodies, s.model.dipoles, s.state, s.work.bodies, s.work.dipoles)
    place_coils(s.model.coils, s.state, s.work.bodies, s.work.coils)
    couple(s)
    write_sources(s.model.coils, s.time, s.work.coils)
    for i in range(len(s.work.coils.order)):
        k = s.work.coils.order[i]
        s.work.coils.current[k] = s.model.coils.current[k]
    for i in range(len(s.work.coils.order)):
        s.state[s.model.coils.at + i] = linkage(s.work.coils.order[i], s.work.coils)


def _owner(compiled: CompiledScene, number: int) -> str:
    """Name of the coil of a flux linkage."""
    return compiled.scene.coil[int(np.flatnonzero(compiled.model.coils.kind == DYNAMIC)[number])].name


PART = Part(
    "coils",
    check=check_coils,
    compile=compile_coils,
    adjustable={"coil[].resistance": adjusted_resistance},
    work=lambda model: {"coils": make_coil_work(model.coils, len(model.bodies.mass))},
    section=StateSection(
        lambda model: np.ones(np.count_nonzero(model.coils.kind == DYNAMIC), np.bool_), _owner, "coils"
    ),
    is_in=lambda model, inputs: len(model.coils.kind) > 0,
    assemble=(start_linkages,),
    assembled=check_start,
    place=(place,),
    rest=(rest,),
    laws={"coils": forces},
    project=(project,),
    energy=(energy,),
    observe=(observe,),
    width=lambda model: WIDTH * len(model.coils.kind),
)
