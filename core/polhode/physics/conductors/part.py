"""Engine records of conductors, alone and beside coils.

COUPLE     slow modes in fluxes and inductances of coils
INDUCE     forces of conductors on coils, and voltages by their currents and by motion
PLACE      positions and areas of all loops
LAW        induced currents, their forces and torques on bodies, and powers
PROJECT    rates of flux linkages
ENERGY     magnetic energy of currents
OBSERVE    heating of each body

Iron and conductors of other bodies act in the phase LINK (coupled/part.py).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import MAGNETIC
from polhode.engine.model import Model, Step
from polhode.engine.part import Part, StateSection
from polhode.jit.kernel import kernel
from polhode.physics.bodies.placement import place_bodies
from polhode.physics.coils.arrays import OPEN
from polhode.physics.conductors.arrays import make_conductor_work, slow_modes
from polhode.physics.conductors.checks import check_conductors, check_start
from polhode.physics.conductors.coils import (
    add_modes,
    couple_to_nodes,
    forces_beside_coils,
    induce,
    write_free,
    write_through,
)
from polhode.physics.conductors.compile import compile_conductors
from polhode.physics.conductors.coupled.arrays import act_beside_coils
from polhode.physics.conductors.coupled.linked import (
    divide_by_inductance,
    is_linked,
    link,
    mutual_energy,
    mutual_linkage,
    subtract_by_iron,
)
from polhode.physics.conductors.flux import clear_nodes, couple_magnets, couple_world, write_changes
from polhode.physics.conductors.induction import (
    load_bodies,
    magnetic_energy,
    write_currents,
    write_excess,
    write_linkage_rates,
    write_linkages,
)
from polhode.physics.conductors.placement import place_conductors
from polhode.physics.magnets.placement import place_dipoles


@kernel
def place(s: Step) -> None:
    """PLACE: positions and areas of all loops."""
    place_conductors(s.model.conductors, s.state, s.work.bodies, s.work.conductors)


@kernel
def couple(s: Step) -> None:
    """Fluxes through all nodes and forces per ampere; all is placed."""
    clear_nodes(s.work.conductors)
    couple_magnets(s.model.conductors, s.model.dipoles, s.model.permeability, s.work.dipoles, s.work.conductors)
    couple_world(s.model.conductors, s.inputs.field, s.time, s.work.bodies, s.work.conductors)


@kernel
def solve(s: Step) -> None:
    """The currents of all modes; all is placed."""
    couple(s)
    write_changes(s.model.conductors, s.work.bodies, s.work.conductors)
    if is_linked(s):
        link(s)
    write_excess(s.model.conductors, s.state[s.model.conductors.at :], s.work.conductors, s.work.conductors.current)
    if is_linked(s):
        subtract_by_iron(s, s.work.conductors.current)
    divide_by_inductance(s, s.work.conductors.current)
    write_currents(s.model.conductors, s.work.conductors)


@kernel
def solve_alone(s: Step) -> None:
    """As `solve`, unless the law of coils or of iron has done so."""
    if len(s.model.coils.body) == 0 and len(s.model.iron.body) == 0:
        solve(s)


@kernel
def forces(s: Step) -> None:
    """LAW: forces and torques of the currents in the fields of magnets and of the world."""
    solve_alone(s)
    load_bodies(s.model.conductors, s.work.bodies, s.work.conductors, s.work.power)


@kernel
def rest(s: Step) -> None:
    """REST: flux linkages do not change."""
    for k in range(len(s.work.conductors.current)):
        s.work.conductors.current[k] = 0.0


@kernel
def project(s: Step) -> None:
    """PROJECT: rates of flux linkages."""
    write_linkage_rates(s.model.conductors, s.work.conductors, s.out[s.model.conductors.at :])


@kernel
def energy(s: Step) -> None:
    """ENERGY: U [J] of all currents; beside coils that of the modes without them."""
    current = s.work.conductors.free
    if len(s.model.coils.body) == 0:
        solve(s)
        current = s.work.conductors.current
    s.out[MAGNETIC] += magnetic_energy(s.model.conductors, current)
    if is_linked(s):
        s.out[MAGNETIC] += mutual_energy(s, current)


@kernel
def observe(s: Step) -> None:
    """OBSERVE: heating [W] of each conductor."""
    solve_alone(s)
    for c in range(len(s.model.conductors.body)):
        s.out[c] = s.work.conductors.heating[c]


@kernel
def start_linkages(s: Step) -> None:
    """Assembly of the start: flux linkages of slow modes from their currents in the work arrays, which are 0, and from
    those of coils.
    """
    place_bodies(s.model.bodies, s.inputs.sensor_track, s.time, s.state, s.work.bodies)
    place_dipoles(s.model.bodies, s.model.dipoles, s.state, s.work.bodies, s.work.dipoles)
    place_conductors(s.model.conductors, s.state, s.work.bodies, s.work.conductors)
    couple(s)
    conductors, work = s.model.conductors, s.work.conductors
    for k in range(len(work.mutual)):
        for n in range(len(work.flux)):
            work.flux[n] += work.mutual[k, n] * s.work.coils.current[k]
    linked, eddy = is_linked(s), s.work.eddy
    if linked:
        s.work.circuits.is_given[0] = True
        link(s)
        s.work.circuits.is_given[0] = False
    write_linkages(conductors, work.current, work, s.state[conductors.at :])
    for k in range(len(eddy.mutual) if linked else 0):
        total = eddy.by_magnets[k] + mutual_linkage(s, k, work.current)
        for j in range(len(eddy.by_coils)):
            total += eddy.by_coils[j, k] * s.work.coils.current[j]
        s.state[conductors.at + k] += total


@kernel
def couple_coils(s: Step) -> None:
    """COUPLE: add slow modes to fluxes and inductances of coils; where the currents of these are given, those of modes
    are, too.
    """
    conductors, coils, work, given = s.model.conductors, s.model.coils, s.work.conductors, s.work.circuits.is_given[0]
    if given:
        place(s)
    couple(s)
    write_changes(conductors, s.work.bodies, work)
    for k in range(len(coils.body)):
        for m in range(len(work.free)):
            work.through[k, m] = work.answer[k, m] = 0.0
        if s.model.circuits.kind[coils.circuit[k]] != OPEN:
            couple_to_nodes(s, k)
    if is_linked(s):
        link(s)
    write_free(s)
    for k in range(len(coils.body)):
        if s.model.circuits.kind[coils.circuit[k]] == OPEN:
            continue
        write_through(s, k)
        if not given:
            add_modes(s, k)
            continue
        for m in range(len(work.current)):
            s.work.coils.flux[k] += work.through[k, m] * work.current[m]


def are_beside_both(model: Model) -> bool:
    """Whether a scene has conductors beside coils and iron that acts on both."""
    return act_beside_coils(model.conductors, model.iron, model.coils)


def _owner(compiled: CompiledScene, number: int) -> str:
    """Name of the body of a flux linkage."""
    conductors = compiled.model.conductors
    c = int(np.searchsorted(np.cumsum(conductors.slow), number, side="right"))
    return compiled.scene.bodies[conductors.body[c]].name


PART = Part(
    "conductors",
    check=check_conductors,
    compile=compile_conductors,
    work=lambda model: {"conductors": make_conductor_work(model.conductors, model.coils)},
    section=StateSection(lambda model: np.ones(len(slow_modes(model.conductors)), np.bool_), _owner, "conductors"),
    is_in=lambda model, inputs: len(model.conductors.body) > 0,
    assemble=(start_linkages,),
    assembled=check_start,
    place=(place,),
    rest=(rest,),
    laws={"conductors": forces},
    project=(project,),
    energy=(energy,),
    observe=(observe,),
    width=lambda model: len(model.conductors.body),
)
COILS = Part(
    "conductors and coils",
    is_in=lambda model, inputs: len(model.conductors.body) > 0 and len(model.coils.body) > 0,
    laws={"coils on conductors": forces_beside_coils},
)
MODES = Part(
    "modes beside coils",
    is_in=lambda model, inputs: COILS.is_in(model, inputs) and not are_beside_both(model),
    couple=(couple_coils,),
)
VOLTAGES = Part("voltages by metal", is_in=MODES.is_in, induce=(induce,))
PARTS = COILS, VOLTAGES, PART
