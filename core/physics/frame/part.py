"""Engine records of gravity and of the rotating laboratory.

LAW        weight of points, first of all laws on points; inertial forces. Weight of bodies: core/engine/rates.py
ENERGY     weight U into GRAVITY, centrifugal U into CENTRIFUGAL
OBSERVE    centrifugal energy, of a scene that rotates
"""

from __future__ import annotations

import numpy as np

from core.engine.ledger import CENTRIFUGAL, GRAVITY
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
    """LAW: weight of points, the first force on them."""
    begin_with_weight(model.points, inputs.gravity, work.points)
    return 0.0


@kernel
def weight(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """Hook for display: the weight of bodies and points alone."""
    add_weight_of_bodies(model.bodies, len(model.bodies.mass), inputs.gravity, work.bodies)
    begin_with_weight(model.points, inputs.gravity, work.points)
    return 0.0


@kernel
def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """ENERGY: U [J] of the weight."""
    out[GRAVITY] += weight_energy(model.bodies, model.points, inputs.gravity, state, work.bodies)
    return 0.0


@kernel
def add_parts(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, parts: Triple) -> None:
    """Add the inertial forces with the factors `parts` of the centrifugal, Coriolis and Euler term."""
    add_inertia(model.bodies, model.points, inputs.rotation, time, state, work.bodies, work.points, parts)


@kernel
def inertia(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: all inertial forces, and the power of a changing rotation."""
    add_parts(model, inputs, time, state, work, ALL)
    add_work_of_frame(model.bodies, model.points, inputs.rotation, time, state, work.bodies, work.power)
    return 0.0


@kernel
def centrifugal(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """Hook for display: the centrifugal force alone."""
    add_parts(model, inputs, time, state, work, (1.0, 0.0, 0.0))
    return 0.0


@kernel
def coriolis(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """Hook for display: the Coriolis force alone."""
    add_parts(model, inputs, time, state, work, (0.0, 1.0, 0.0))
    return 0.0


@kernel
def euler(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """Hook for display: the Euler force alone."""
    add_parts(model, inputs, time, state, work, EULER)
    return 0.0


@kernel
def energy_of_rotation(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    """ENERGY: U [J] of the centrifugal force."""
    out[CENTRIFUGAL] += centrifugal_energy(model.bodies, model.points, inputs.rotation, time, state, work.bodies)
    return 0.0


@kernel
def write_energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """OBSERVE: U [J] of the centrifugal force."""
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
    input_fields=("rotation",),
    inputs=lambda scene, model: {"rotation": build_rotation(scene.world, scene.sensor)},
    is_in=lambda model, inputs: inputs.rotation.rotates,
    laws={"inertia": inertia},
    energy=(energy_of_rotation,),
    observe=(write_energy,),
    width=lambda model: 1,
    shown={"centrifugal": centrifugal, "coriolis": coriolis, "euler": euler},
)
