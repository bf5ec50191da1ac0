"""Engine records of gravity and of the rotating laboratory.

The weight of bodies is added in every step: core/engine/rates.py.
"""

from __future__ import annotations

import numpy as np

from core.engine.ledger import CENTRIFUGAL
from core.engine.model import Inputs, Model, Work
from core.engine.part import Part
from core.jit.kernel import kernel
from core.jit.vec import Triple
from core.physics.frame.compile import build_rotation
from core.physics.frame.gravity import add_weight_of_bodies, begin_with_weight, weight_energy
from core.physics.frame.rotation import ALL, EULER, add_inertia, add_work_of_frame, centrifugal_energy


@kernel
def weight_of_points(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    begin_with_weight(model.points, inputs.gravity, work.points)
    return 0.0


@kernel
def weight(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    add_weight_of_bodies(model.bodies, len(model.bodies.mass), inputs.gravity, work.bodies)
    begin_with_weight(model.points, inputs.gravity, work.points)
    return 0.0


@kernel
def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    out[1] += weight_energy(model.bodies, model.points, inputs.gravity, state, work.bodies)
    return 0.0


@kernel
def add_parts(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, parts: Triple) -> None:
    """Add the inertial forces with the factors `parts` of the centrifugal, Coriolis and Euler term."""
    add_inertia(model.bodies, model.points, inputs.rotation, time, state, work.bodies, work.points, parts)


@kernel
def inertia(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    add_parts(model, inputs, time, state, work, ALL)
    add_work_of_frame(model.bodies, model.points, inputs.rotation, time, state, work.bodies, work.power)
    return 0.0


@kernel
def centrifugal(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    add_parts(model, inputs, time, state, work, (1.0, 0.0, 0.0))
    return 0.0


@kernel
def coriolis(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    add_parts(model, inputs, time, state, work, (0.0, 1.0, 0.0))
    return 0.0


@kernel
def euler(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    add_parts(model, inputs, time, state, work, EULER)
    return 0.0


@kernel
def energy_of_rotation(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    out[CENTRIFUGAL] += centrifugal_energy(model.bodies, model.points, inputs.rotation, time, state, work.bodies)
    return 0.0


@kernel
def write_energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    out[0] = centrifugal_energy(model.bodies, model.points, inputs.rotation, time, state, work.bodies)
    return 0.0


BODIES = Part(
    "weight",
    input_fields=("gravity",),
    inputs=lambda scene, model: {"gravity": np.array(scene.world.gravity)},
    is_in=lambda model, inputs: True,
    meets_bodies=False,
    energy=(energy,),
    shown={"gravity": weight},
)
POINTS = Part(
    "weight of points",
    is_in=lambda model, inputs: len(model.points.mass) > 0,
    meets_bodies=False,
    laws={"gravity": weight_of_points},
    shown={},
)
ROTATION = Part(
    "rotation",
    inputs=lambda scene, model: {"rotation": build_rotation(scene.world, scene.sensor)},
    is_in=lambda model, inputs: inputs.rotation.rotates,
    laws={"inertia": inertia},
    energy=(energy_of_rotation,),
    observe=(write_energy,),
    width=lambda model: 1,
    shown={"centrifugal": centrifugal, "coriolis": coriolis, "euler": euler},
)
