"""Engine records of forces by formulas.

LAW        forces, torques and their power; those by functions
ENERGY     U of the forces that have a potential
OBSERVE    sum of the forces on each thing; energy
"""

from __future__ import annotations

from polhode.engine.ledger import FORCE
from polhode.engine.model import Step
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.forces.applied_force import add_applied_forces, force_energy, write_forces
from polhode.physics.forces.arrays import no_function_forces
from polhode.physics.forces.compile import adjusted_forces, check_forces, compile_forces
from polhode.physics.forces.function_forces import add_function_forces


@kernel
def apply(s: Step) -> None:
    """LAW: forces and torques by formulas, and their power."""
    add_applied_forces(s.model.points, s.model.forces, s.time, s.state, s.work.bodies, s.work.points, s.work.power)


@kernel
def apply_functions(s: Step) -> None:
    """LAW: forces and torques by functions of a program that uses the library, and their power."""
    add_function_forces(
        s.model.points, s.inputs.function_forces, s.time, s.state, s.work.bodies, s.work.points, s.work.power
    )


@kernel
def observe(s: Step) -> None:
    """OBSERVE: sum of the forces on each thing [N]; U [J] if a force has a potential."""
    count = write_forces(s.model.forces, s.model.points, s.time, s.state, s.work.bodies, s.out)
    if s.model.forces.any_conserves:
        s.out[count] = force_energy(s.model.forces, s.model.points, s.time, s.state, s.work.bodies)


@kernel
def energy(s: Step) -> None:
    """ENERGY: U [J] of the forces that have a potential."""
    s.out[FORCE] += force_energy(s.model.forces, s.model.points, s.time, s.state, s.work.bodies)


FORCES = Part(
    "forces by formulas",
    in_lanes=True,
    check=check_forces,
    compile=compile_forces,
    adjustable={"force[].force[]": adjusted_forces, "force[].torque[]": adjusted_forces},
    is_in=lambda model, inputs: len(model.forces.body) > 0,
    laws={"force": apply},
    observe=(observe,),
    width=lambda model: 3 * len(set(model.forces.column.tolist())) + int(model.forces.any_conserves),
)
ENERGY = Part("energy of forces by formulas", is_in=lambda model, inputs: model.forces.any_conserves, energy=(energy,))
FUNCTIONS = Part(
    "forces by functions",
    inputs=lambda scene, model: {"function_forces": no_function_forces()},
    is_in=lambda model, inputs: len(inputs.function_forces.body) > 0,
    laws={"function": apply_functions},
)
PARTS = (FORCES, ENERGY, FUNCTIONS)
