"""Engine record of conducting plates.

LAW        forces and torques of eddy currents on magnets, and their power
OBSERVE    force on each plate, and its heating
"""

from __future__ import annotations

from polhode.engine.model import Step
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.physics.plates.arrays import make_plate_work
from polhode.physics.plates.columns import WIDTH
from polhode.physics.plates.compile import compile_plates
from polhode.physics.plates.eddy_currents import add_eddy_currents


@kernel
def brake(s: Step) -> None:
    """LAW: eddy currents in all plates."""
    add_eddy_currents(
        s.model.plates,
        s.model.permeability,
        s.model.dipoles,
        s.work.bodies,
        s.work.dipoles,
        s.work.plates,
        s.work.power,
    )


@kernel
def observe(s: Step) -> None:
    """OBSERVE: force on each plate [N], and its heating [W]."""
    brake(s)
    for k in range(len(s.model.plates.thickness)):
        for axis in range(3):
            s.out[WIDTH * k + axis] = s.work.plates.force[k, axis]
        s.out[WIDTH * k + 3] = s.work.plates.heating[k]


PART = Part(
    "plates",
    compile=compile_plates,
    work=lambda model: {"plates": make_plate_work(model.plates)},
    is_in=lambda model, inputs: model.plates.side.size > 0,
    laws={"eddy currents": brake},
    observe=(observe,),
    width=lambda model: WIDTH * len(model.plates.thickness),
)
