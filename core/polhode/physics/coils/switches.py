"""Switches of circuits: closed while a formula of t is positive (core/polhode/engine/events.py).

An open switch is a status in the state, 1. Where it opens its current becomes 0, the flux linkages of all other
circuits stay, and the energy U of the currents drops: the spark, in the ledger's line JOULE. Where it closes the
current begins at 0: its flux linkage is that of all other currents and magnets.
"""

from __future__ import annotations

from polhode.engine.events import FREE as UNDIVIDED
from polhode.engine.ledger import JOULE, MAGNETIC
from polhode.engine.model import Step
from polhode.engine.program import ENERGY, call_phase
from polhode.engine.rates import place
from polhode.jit.formula_calls import call_1_2
from polhode.jit.kernel import kernel
from polhode.physics.coils.arrays import Circuits
from polhode.physics.coils.circuit import linkage_of_coils
from polhode.physics.paths.path_ends import add_to_ledger

KEPT = 1.0  # value of a switch that has just changed


@kernel
def status_at(circuits: Circuits, n: int) -> int:
    """Index of the status of switch n in the state."""
    return circuits.at + len(circuits.dynamic) + len(circuits.charged) + n


@kernel
def formula_of(circuits: Circuits, n: int, time: float) -> float:
    """Value of the formula of switch n at `time` [s]."""
    return call_1_2(circuits.switch_address[n], circuits.numbers, circuits.switch_first[n], time)[0]


@kernel
def write_values(s: Step) -> None:
    """SWITCH: write the formula of each closed switch into `out` (s,), and its opposite of each open one."""
    circuits = s.model.circuits
    for n in range(len(circuits.switched)):
        value = formula_of(circuits, n, s.time)
        if s.state[status_at(circuits, n)] != 0.0:
            value = -value if value != 0.0 else KEPT  # open at 0
        s.out[n] = value


@kernel
def energy_of_currents(s: Step) -> float:
    """U [J] of all currents, and of iron and conductors beside them; all is placed. Overwrites `work.energy`."""
    s.work.energy[MAGNETIC] = 0.0
    call_phase(ENERGY, s.model, s.inputs, s.time, s.state, s.work, s.work.energy)
    return s.work.energy[MAGNETIC]


@kernel
def turn_switch(s: Step, n: int) -> None:
    """Open switch n, or close it; all is placed."""
    circuits, at = s.model.circuits, status_at(s.model.circuits, n)
    before = energy_of_currents(s)
    s.state[at] = 1.0 if s.state[at] == 0.0 else 0.0
    for i in range(len(circuits.dynamic)):
        if s.state[at] == 0.0 and circuits.dynamic[i] == circuits.switched[n]:
            s.state[circuits.at + i] = linkage_of_coils(s.model.coils, circuits.dynamic[i], s.work.coils)
    add_to_ledger(s.model.ledger, s.state, JOULE, energy_of_currents(s) - before)


@kernel
def turn_switches(s: Step) -> None:
    """IMPACT: turn the switches with negative values in `out` (s,), and make these positive."""
    placed = False
    for n in range(len(s.model.circuits.switched)):
        if s.out[n] > 0.0:
            continue
        if not placed:
            place(s.model, s.inputs, s.time, s.state, s.work)
            placed = True
        turn_switch(s, n)
        s.out[n] = KEPT


@kernel
def settle_after_step(s: Step) -> None:
    """FINISH of steps that are not divided: switches are turned at the end of the step."""
    if s.work.events.mode[0] == UNDIVIDED:
        values = Step(s.model, s.inputs, s.time, s.state, s.work, s.work.circuits.switching)
        write_values(values)
        turn_switches(values)


@kernel
def set_switches(s: Step) -> None:
    """Assembly of the start: which switches are open."""
    for n in range(len(s.model.circuits.switched)):
        is_closed = formula_of(s.model.circuits, n, s.time) > 0.0
        s.state[status_at(s.model.circuits, n)] = 0.0 if is_closed else 1.0
