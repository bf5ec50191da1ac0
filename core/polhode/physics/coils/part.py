"""Engine record of coils.

PLACE      positions and axes
LAW        currents, their forces and torques on bodies, and powers
PROJECT    rates of flux linkages and charges
ENERGY     magnetic energy of currents, energy of capacitors
SWITCH     formulas of switches
IMPACT     switches that open or close
OBSERVE    current, voltage, flux linkage, heat and force of each coil; charges
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import MAGNETIC
from polhode.engine.model import Model, Step
from polhode.engine.part import Part, StateSection
from polhode.engine.program import INDUCE, call_phase
from polhode.jit.kernel import kernel
from polhode.physics.bodies.placement import place_bodies
from polhode.physics.coils.arrays import make_circuit_work, make_coil_work
from polhode.physics.coils.checks import check_coils, check_start
from polhode.physics.coils.circuit import (
    add_powers,
    add_up,
    linkage,
    linkage_of_coils,
    load_coils,
    magnetic_energy,
    pass_on,
    voltage_at_ends,
    write_current_rates,
    write_rates,
    write_sources,
)
from polhode.physics.coils.columns import WIDTH
from polhode.physics.coils.compile import adjusted, compile_coils
from polhode.physics.coils.placement import place_coils
from polhode.physics.coils.solve import couple, couple_all, solve, solve_afresh
from polhode.physics.coils.switches import set_switches, settle_after_step, turn_switches, write_values
from polhode.physics.coils.wiring import wirings
from polhode.physics.magnets.placement import place_dipoles


@kernel
def place(s: Step) -> None:
    """PLACE: positions and axes of all coils."""
    place_coils(s.model.coils, s.state, s.work.bodies, s.work.coils)


@kernel
def load(s: Step) -> None:
    """Forces and torques of the currents, and powers."""
    load_coils(s.model.coils, s.work.bodies, s.work.coils)
    add_powers(s.model.circuits, s.work.circuits, s.work.power)


@kernel
def forces(s: Step) -> None:
    """LAW: forces and torques of the currents; beside iron of dipoles PLACE has found these."""
    if len(s.model.induced.row) == 0:
        solve(s)
    load(s)


@kernel
def rest(s: Step) -> None:
    """REST: flux linkages and charges do not change."""
    for c in range(len(s.model.circuits.kind)):
        s.work.circuits.voltage[c] = s.work.circuits.current[c] = s.work.circuits.drop[c] = 0.0


@kernel
def project(s: Step) -> None:
    """PROJECT: rates of flux linkages and charges."""
    write_rates(s.model.circuits, s.work.circuits, s.out[s.model.circuits.at :])


@kernel
def energy(s: Step) -> None:
    """ENERGY: U [J] of all currents and capacitors."""
    if len(s.model.induced.row) == 0:
        solve(s)
    s.out[MAGNETIC] += magnetic_energy(s.model.circuits, s.work.circuits)


@kernel
def observe(s: Step) -> None:
    """OBSERVE: current [A], voltage [V], flux linkage [Wb], heat [W] and force [N] of each coil; charges [C]."""
    solve_afresh(s)
    load(s)
    coils, circuits, work = s.model.coils, s.model.circuits, s.work.coils
    call_phase(INDUCE, s.model, s.inputs, s.time, s.state, s.work, s.out)
    add_up(coils, circuits, s.state, work, s.work.circuits)
    write_current_rates(circuits, s.work.circuits)
    pass_on(coils, work, s.work.circuits)
    for k in range(len(coils.body)):
        current, at = work.current[k], WIDTH * k
        s.out[at], s.out[at + 1] = current, voltage_at_ends(coils, circuits, k, work, s.work.circuits)
        s.out[at + 2] = linkage(k, work.flux, work.inductance, work.current)
        s.out[at + 3] = coils.resistance[k] * current * current
        for i in range(3):
            s.out[at + 4 + i] = work.on_coil[k, i]
    for i in range(len(circuits.charged)):
        s.out[WIDTH * len(coils.body) + i] = s.state[circuits.at + len(circuits.dynamic) + i]


@kernel
def start_linkages(s: Step) -> None:
    """Assembly of the start: charges, and flux linkages of dynamic circuits from their currents at the start."""
    circuits, work = s.model.circuits, s.work.circuits
    place_bodies(s.model.bodies, s.inputs.sensor_track, s.time, s.state, s.work.bodies)
    place_dipoles(s.model.bodies, s.model.dipoles, s.state, s.work.bodies, s.work.dipoles)
    place_coils(s.model.coils, s.state, s.work.bodies, s.work.coils)
    for i in range(len(circuits.charged)):
        s.state[circuits.at + len(circuits.dynamic) + i] = circuits.charge[circuits.charged[i]]
    couple(s)
    add_up(s.model.coils, circuits, s.state, s.work.coils, work)
    write_sources(circuits, s.time, work)
    for c in circuits.dynamic:
        work.current[c] = 0.0 if work.is_open[c] else circuits.current[c]
    pass_on(s.model.coils, s.work.coils, work)
    work.is_given[0] = True
    couple_all(s)
    work.is_given[0] = False
    for i in range(len(circuits.dynamic)):
        s.state[circuits.at + i] = linkage_of_coils(s.model.coils, circuits.dynamic[i], s.work.coils)


def _is_momentum(model: Model) -> np.ndarray:
    """Flux linkages change by voltages as momenta do by forces; charges change by the currents that these give."""
    circuits = model.circuits
    changing = len(circuits.dynamic) + len(circuits.charged)
    return np.concatenate([np.ones(changing, np.bool_), np.zeros(len(circuits.switched), np.bool_)])


def _owner(compiled: CompiledScene, number: int) -> str:
    """Name of the circuit of a flux linkage, a charge or a switch."""
    circuits = compiled.model.circuits
    all_of = np.concatenate([circuits.dynamic, circuits.charged, circuits.switched])
    return list(wirings(compiled.scene.coil, compiled.scene.circuit))[int(all_of[number])].name


OF_COIL, OF_CIRCUIT = ("resistance", "source.voltage", "source.current"), ("resistance", "capacitance", "voltage")
ADJUSTABLE = (*(f"coil[].{name}" for name in OF_COIL), *(f"circuit[].{name}" for name in OF_CIRCUIT))


PART = Part(
    "coils",
    check=check_coils,
    compile=compile_coils,
    adjustable=dict.fromkeys(ADJUSTABLE, adjusted),
    work=lambda model: {
        "coils": make_coil_work(model.coils, len(model.bodies.mass), len(model.dipoles.moment)),
        "circuits": make_circuit_work(model.circuits),
    },
    section=StateSection(_is_momentum, _owner, "circuits"),
    is_in=lambda model, inputs: len(model.coils.body) > 0,
    assemble=(set_switches, start_linkages),
    assembled=check_start,
    place=(place,),
    rest=(rest,),
    laws={"coils": forces},
    project=(project,),
    energy=(energy,),
    observe=(observe,),
    width=lambda model: WIDTH * len(model.coils.body) + len(model.circuits.charged),
)
SWITCHES = Part(
    "switches",
    is_in=lambda model, inputs: len(model.circuits.switched) > 0,
    finish=(settle_after_step,),
    switch=(write_values,),
    switches=lambda model: len(model.circuits.switched),
    impact=(turn_switches,),
)
PARTS = PART, SWITCHES
