"""Engine records of gravity and of the rotating laboratory.

LAW        weight of points, first of all laws on points; gravity by formulas; inertial forces. Weight of bodies:
           core/polhode/engine/rates.py
ENERGY     weight U into GRAVITY, centrifugal U into CENTRIFUGAL
OBSERVE    centrifugal energy, of a scene that rotates
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import CENTRIFUGAL, GRAVITY
from polhode.engine.model import Inputs, Model, Work
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple
from polhode.physics.frame.compile import build_gravity_field, build_rotation, check_gravity, uniform_gravity
from polhode.physics.frame.gravity import add_weight_of_bodies, begin_with_weight, weight_energy
from polhode.physics.frame.gravity_field import field_energy, pull_bodies, pull_points
from polhode.physics.frame.rotation import ALL, EULER, add_inertia, add_work_of_frame, centrifugal_energy


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
def gravity_by_formula(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    """LAW: gravity by formulas on bodies and points, and its power if it has no potential."""
    pull_bodies(model.bodies, inputs.gravity_field, time, state, work.bodies, work.power)
    pull_points(model.points, inputs.gravity_field, time, state, work.points, work.power)
    return 0.0


@kernel
def potential_energy(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    """ENERGY: U [J] in gravity by formulas, if it has a potential."""
    if inputs.gravity_field.has_potential:
        out[GRAVITY] += field_energy(model.bodies, model.points, inputs.gravity_field, state, work.bodies)
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
    in_lanes=True,
    input_fields=("gravity",),
    inputs=lambda scene, model: {"gravity": uniform_gravity(scene.world)},
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
FIELD = Part(
    "gravity by formulas",
    check=check_gravity,
    inputs=lambda scene, model: {"gravity_field": build_gravity_field(scene)},
    is_in=lambda model, inputs: inputs.gravity_field.present,
    laws={"gravity by formulas": gravity_by_formula},
    energy=(potential_energy,),
    shown={"gravity": gravity_by_formula},
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
