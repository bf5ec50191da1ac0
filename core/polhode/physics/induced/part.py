"""Engine records of iron whose shapes are one induced dipole each.

Forces, energies in each other's fields, and fluxes are those of dipoles (magnets, coils): here are the moments.

PLACE      moments, and with coils all currents
COUPLE     moments with currents of circuits
INDUCE     inductances with iron, and voltages by changes of the moments
ENERGY     energy of the magnetisation
OBSERVE    moment and magnetisation of the iron of each body
"""

from __future__ import annotations

from math import sqrt

from polhode.engine.ledger import MAGNETIC
from polhode.engine.model import Inputs, Model, Step
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.jit.vec import dot
from polhode.physics.coils.solve import solve_afresh
from polhode.physics.induced.arrays import make_induced_work
from polhode.physics.induced.coils import couple
from polhode.physics.induced.compile import check_induced, compile_induced
from polhode.physics.induced.outputs import induce
from polhode.physics.induced.solve import own_energy, place_induced, write_field, write_moments
from polhode.physics.iron.columns import WIDTH


@kernel
def magnetise(s: Step) -> None:
    """PLACE: moments of all induced dipoles, without coils."""
    place_induced(s.model.induced, s.state, s.work.bodies, s.work.dipoles, 0.0, s.work.induced)
    write_field(s)
    write_moments(s)


@kernel
def magnetise_with_coils(s: Step) -> None:
    """PLACE, ENERGY: moments of all induced dipoles and currents of all circuits."""
    solve_afresh(s)


@kernel
def energy(s: Step) -> None:
    """ENERGY: U [J] of the magnetisation."""
    s.out[MAGNETIC] += own_energy(s)


@kernel
def observe(s: Step) -> None:
    """OBSERVE: moment [A m^2] of the iron of each body, and its magnetisation [T], root of a mean square."""
    induced, work = s.model.induced, s.work.induced
    for k in range(len(induced.iron)):
        mean = 0.0
        for axis in range(4):
            s.out[WIDTH * k + axis] = 0.0
        for i in range(len(induced.row)):
            if induced.body[i] == induced.iron[k]:
                moment = work.moment[0, i], work.moment[1, i], work.moment[2, i]
                for axis in range(3):
                    s.out[WIDTH * k + axis] += moment[axis]
                mean += dot(moment, moment) / induced.own_volume[i]
        s.out[WIDTH * k + 3] = s.model.permeability * sqrt(mean / induced.volume[k])


def has_induced(model: Model, inputs: Inputs) -> bool:
    """Whether iron of a model is of dipoles."""
    return len(model.induced.row) > 0


FIRST = Part(
    "currents beside iron of dipoles",
    is_in=lambda model, inputs: has_induced(model, inputs) and len(model.coils.body) > 0,
    check=check_induced,  # before magnets are made of it
    energy=(magnetise_with_coils,),  # before those of magnets and coils: a switch may have turned since PLACE
)
ALONE = Part(
    "iron of dipoles without coils",
    is_in=lambda model, inputs: has_induced(model, inputs) and len(model.coils.body) == 0,
    place=(magnetise,),
)
COILS = Part(
    "iron of dipoles and coils", is_in=FIRST.is_in, place=(magnetise_with_coils,), couple=(couple,), induce=(induce,)
)
PART = Part(
    "iron of dipoles",
    compile=compile_induced,
    work=lambda model: {"induced": make_induced_work(model.induced, model.coils)},
    is_in=has_induced,
    energy=(energy,),
    observe=(observe,),
    width=lambda model: WIDTH * len(model.induced.iron),
)
PARTS = ALONE, COILS, PART
