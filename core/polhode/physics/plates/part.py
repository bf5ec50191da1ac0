"""Engine record of conducting plates.

LAW        forces and torques of eddy currents on magnets, and their power
OBSERVE    force on each plate, and its heating
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.plates.arrays import make_plate_work
from polhode.physics.plates.columns import WIDTH
from polhode.physics.plates.compile import compile_plates
from polhode.physics.plates.eddy_currents import add_eddy_currents


@kernel
def brake(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: eddy currents in all plates."""
    add_eddy_currents(
        model.plates, model.permeability, model.dipoles, work.bodies, work.dipoles, work.plates, work.power
    )
    return 0.0


@kernel
def observe(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """OBSERVE: force on each plate [N], and its heating [W]."""
    brake(model, inputs, time, state, work, out)
    for k in range(len(model.plates.thickness)):
        for axis in range(3):
            out[WIDTH * k + axis] = work.plates.force[k, axis]
        out[WIDTH * k + 3] = work.plates.heating[k]
    return 0.0


PART = Part(
    "plates",
    compile=compile_plates,
    work=lambda model: {"plates": make_plate_work(model.plates)},
    is_in=lambda model, inputs: model.plates.side.size > 0,
    laws={"eddy currents": brake},
    observe=(observe,),
    width=lambda model: WIDTH * len(model.plates.thickness),
)
