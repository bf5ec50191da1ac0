"""Engine records of soft iron, alone and beside coils.

COUPLE     what iron adds to fluxes and inductances of coils
INDUCE     forces of iron on coils, and voltages by its motion
LAW        charges of panels, their forces and torques on bodies, and power of the world's field
MAGNETISE  the charges of several shapes that saturate
ENERGY     magnetic energy of the iron in the field of everything else
OBSERVE    moment and magnetisation of the iron of each body
"""

from __future__ import annotations

from math import sqrt

from polhode.engine.ledger import MAGNETIC
from polhode.engine.model import Step
from polhode.engine.part import Part
from polhode.engine.program import INDUCE, call_phase
from polhode.jit.kernel import kernel
from polhode.physics.conductors.coupled.arrays import act_beside_coils, saturates_beside_modes
from polhode.physics.iron.arrays import make_iron_work, several_saturate
from polhode.physics.iron.coils import attract, couple, induce
from polhode.physics.iron.columns import WIDTH
from polhode.physics.iron.compile import check_iron, compile_iron
from polhode.physics.iron.forces import load_iron, moment_in_space
from polhode.physics.iron.potentials import multiply, product
from polhode.physics.iron.resistive_coils import given_energy
from polhode.physics.iron.saturation.several_shapes_coils import respond_of_shapes
from polhode.physics.iron.solve import magnetic_energy, solve_shapes, write_charges, write_potential


@kernel
def solve(s: Step) -> None:
    """The charges of all panels; all is placed."""
    write_potential(
        s.model.iron,
        s.model.dipoles,
        s.inputs.field,
        s.model.permeability,
        s.time,
        s.state,
        s.work.bodies,
        s.work.dipoles,
        s.work.iron,
    )
    write_charges(s)


@kernel
def solve_alone(s: Step) -> None:
    """As `solve`, unless the law of coils or of conductors has done so."""
    if len(s.model.coils.body) == 0 and len(s.model.conductors.body) == 0:
        solve(s)


@kernel
def forces(s: Step) -> None:
    """LAW: forces and torques of iron, magnets and the world's field on each other; those of coils are known."""
    solve_alone(s)
    load_iron(
        s.model.iron,
        s.model.dipoles,
        s.inputs.field,
        s.model.permeability,
        s.time,
        s.state,
        s.work.bodies,
        s.work.dipoles,
        s.work.iron,
        s.work.power,
    )


@kernel
def energy(s: Step) -> None:
    """ENERGY: U [J] of all iron; beside slow modes, with which it saturates, these have it."""
    iron, work, charge = s.model.iron, s.work.iron, s.work.iron.of_magnets
    if saturates_beside_modes(iron, s.work.eddy):
        return
    if len(s.model.coils.body) == 0:
        solve(s)
        charge = work.charge
    s.out[MAGNETIC] += magnetic_energy(iron, s.model.permeability, charge, work)


@kernel
def observe(s: Step) -> None:
    """OBSERVE: moment [A m^2] of the iron of each body, and its magnetisation [T], root of a mean square."""
    if len(s.model.coils.body) == 0 and len(s.model.conductors.body) > 0:
        call_phase(INDUCE, s.model, s.inputs, s.time, s.state, s.work, s.out)  # with the charges by currents in metal
    solve_alone(s)
    iron, work = s.model.iron, s.work.iron
    for a in range(len(iron.body)):
        first, end, moment = iron.first[a], iron.first[a + 1], moment_in_space(iron, a, s.state, work)
        for i in range(3):
            s.out[WIDTH * a + i] = moment[i]
        multiply(iron.from_flux, first, end, work.charge, work.inner)
        mean = product(first, end, work.charge, work.inner) / iron.volume[a]
        s.out[WIDTH * a + 3] = s.model.permeability * sqrt(max(mean, 0.0))


PART = Part(
    "iron",
    check=check_iron,
    compile=compile_iron,
    work=lambda model: {"iron": make_iron_work(model.iron, model.coils, model.conductors)},
    is_in=lambda model, inputs: len(model.iron.body) > 0,
    laws={"iron": forces},
    energy=(energy,),
    observe=(observe,),
    width=lambda model: WIDTH * len(model.iron.body),
)
COILS = Part(
    "iron and coils",
    is_in=lambda model, inputs: len(model.iron.body) > 0 and len(model.coils.body) > 0,
    laws={"coils on iron": attract},
    couple=(couple,),
    energy=(given_energy,),
)
VOLTAGES = Part(
    "voltages by iron",
    is_in=lambda model, inputs: (
        COILS.is_in(model, inputs) and not act_beside_coils(model.conductors, model.iron, model.coils)
    ),
    induce=(induce,),
)
SHAPES = Part(
    "shapes of iron that saturate",
    is_in=lambda model, inputs: several_saturate(model.iron, model.conductors) and len(model.coils.body) == 0,
    magnetise=(solve_shapes,),
)
SHAPES_AND_COILS = Part(
    "shapes of iron that saturate beside coils",
    is_in=lambda model, inputs: several_saturate(model.iron, model.conductors) and len(model.coils.body) > 0,
    magnetise=(respond_of_shapes,),
)
PARTS = COILS, VOLTAGES, SHAPES, SHAPES_AND_COILS, PART
