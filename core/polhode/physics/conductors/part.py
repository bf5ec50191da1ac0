"""Engine record of conductors.

PLACE      positions and areas of all loops
LAW        induced currents, their forces and torques on bodies, and powers
PROJECT    rates of flux linkages
ENERGY     magnetic energy of currents
OBSERVE    heating of each body
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import MAGNETIC
from polhode.engine.model import Model, Step
from polhode.engine.part import Part, StateSection
from polhode.jit.kernel import kernel
from polhode.physics.bodies.placement import place_bodies
from polhode.physics.conductors.arrays import make_conductor_work
from polhode.physics.conductors.checks import check_conductors, check_start
from polhode.physics.conductors.compile import compile_conductors
from polhode.physics.conductors.flux import clear_nodes, couple_magnets, couple_world, write_changes
from polhode.physics.conductors.induction import (
    load_bodies,
    magnetic_energy,
    write_currents,
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
    write_currents(s.model.conductors, s.state[s.model.conductors.at :], s.work.conductors)


@kernel
def forces(s: Step) -> None:
    """LAW: forces and torques of the currents."""
    solve(s)
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
    """ENERGY: U [J] of all currents."""
    solve(s)
    s.out[MAGNETIC] += magnetic_energy(s.model.conductors, s.work.conductors)


@kernel
def observe(s: Step) -> None:
    """OBSERVE: heating [W] of each conductor."""
    solve(s)
    for c in range(len(s.model.conductors.body)):
        s.out[c] = s.work.conductors.heating[c]


@kernel
def start_linkages(s: Step) -> None:
    """Assembly of the start: flux linkages of slow modes from their currents in the work arrays, which are 0."""
    place_bodies(s.model.bodies, s.inputs.sensor_track, s.time, s.state, s.work.bodies)
    place_dipoles(s.model.bodies, s.model.dipoles, s.state, s.work.bodies, s.work.dipoles)
    place_conductors(s.model.conductors, s.state, s.work.bodies, s.work.conductors)
    couple(s)
    conductors, work = s.model.conductors, s.work.conductors
    write_linkages(conductors, work.current, work, s.state[conductors.at :])


def slow_modes(model: Model) -> np.ndarray:
    """(d,) int64 indices of the modes whose flux linkages are in the state."""
    conductors = model.conductors
    starts = zip(conductors.first_mode[:-1], conductors.slow, strict=True)
    return np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(first, first + n) for first, n in starts)])


def _owner(compiled: CompiledScene, number: int) -> str:
    """Name of the body of a flux linkage."""
    conductors = compiled.model.conductors
    c = int(np.searchsorted(np.cumsum(conductors.slow), number, side="right"))
    return compiled.scene.bodies[conductors.body[c]].name


PART = Part(
    "conductors",
    check=check_conductors,
    compile=compile_conductors,
    work=lambda model: {"conductors": make_conductor_work(model.conductors)},
    section=StateSection(lambda model: np.ones(len(slow_modes(model)), np.bool_), _owner, "conductors"),
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
