"""Engine records of forces by formulas.

LAW        forces, torques and their power
ENERGY     U of the forces that have a potential
OBSERVE    sum of the forces on each thing; energy
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import FORCE
from polhode.engine.model import Inputs, Model, Work
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.forces.applied_force import add_applied_forces, force_energy, write_forces
from polhode.physics.forces.compile import check_forces, compile_forces


@kernel
def apply(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: forces and torques by formulas, and their power."""
    add_applied_forces(model.points, model.forces, time, state, work.bodies, work.points, work.power)
    return 0.0


@kernel
def observe(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """OBSERVE: sum of the forces on each thing [N]; U [J] if a force has a potential."""
    count = write_forces(model.forces, model.points, time, state, work.bodies, out)
    if model.forces.any_conserves:
        out[count] = force_energy(model.forces, model.points, time, state, work.bodies)
    return 0.0


@kernel
def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """ENERGY: U [J] of the forces that have a potential."""
    out[FORCE] += force_energy(model.forces, model.points, time, state, work.bodies)
    return 0.0


FORCES = Part(
    "forces by formulas",
    check=check_forces,
    compile=compile_forces,
    is_in=lambda model, inputs: len(model.forces.body) > 0,
    laws={"force": apply},
    observe=(observe,),
    width=lambda model: 3 * len(set(model.forces.column.tolist())) + int(model.forces.any_conserves),
)
ENERGY = Part(
    "energy of forces by formulas",
    is_in=lambda model, inputs: model.forces.any_conserves,
    energy=(energy,),
)
PARTS = (FORCES, ENERGY)
