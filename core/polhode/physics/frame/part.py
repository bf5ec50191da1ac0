"""Engine records of gravity and of the rotating laboratory.

LAW        weight of points, first of all laws on points; gravity by formulas; inertial forces. Weight of bodies:
           core/polhode/engine/rates.py
ENERGY     weight U into GRAVITY, centrifugal U into CENTRIFUGAL
OBSERVE    centrifugal energy, of a scene that rotates
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import CENTRIFUGAL, GRAVITY
from polhode.engine.model import Inputs, Model, Step, Work
from polhode.engine.part import Part
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple
from polhode.physics.frame.compile import build_gravity_field, build_rotation, check_gravity, uniform_gravity
from polhode.physics.frame.gravity import add_weight_of_bodies, begin_with_weight, weight_energy
from polhode.physics.frame.gravity_field import field_energy, pull_bodies, pull_points
from polhode.physics.frame.rotation import ALL, EULER, add_inertia, add_work_of_frame, centrifugal_energy


@kernel
def weight_of_points(s: Step) -> None:
    """LAW: weight of points, the first force on them."""
    begin_with_weight(s.model.points, s.inputs.gravity, s.work.points)


@kernel
def weight(s: Step) -> None:
    """Hook for display: the weight of bodies and points alone."""
    add_weight_of_bodies(s.model.bodies, len(s.model.bodies.mass), s.inputs.gravity, s.work.bodies)
    begin_with_weight(s.model.points, s.inputs.gravity, s.work.points)


@kernel
def energy(s: Step) -> None:
    """ENERGY: U [J] of the weight."""
    s.out[GRAVITY] += weight_energy(s.model.bodies, s.model.points, s.inputs.gravity, s.state, s.work.bodies)


@kernel
def gravity_by_formula(s: Step) -> None:
    """LAW: gravity by formulas on bodies and points, and its power if it has no potential."""
    pull_bodies(s.model.bodies, s.inputs.gravity_field, s.time, s.state, s.work.bodies, s.work.power)
    pull_points(s.model.points, s.inputs.gravity_field, s.time, s.state, s.work.points, s.work.power)


@kernel
def potential_energy(s: Step) -> None:
    """ENERGY: U [J] in gravity by formulas, if it has a potential."""
    if s.inputs.gravity_field.has_potential:
        s.out[GRAVITY] += field_energy(s.model.bodies, s.model.points, s.inputs.gravity_field, s.state, s.work.bodies)


@kernel
def add_parts(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, parts: Triple) -> None:
    """Add the inertial forces with the factors `parts` of the centrifugal, Coriolis and Euler term."""
    add_inertia(model.bodies, model.points, inputs.rotation, time, state, work.bodies, work.points, parts)


@kernel
def inertia(s: Step) -> None:
    """LAW: all inertial forces, and the power of a changing rotation."""
    add_parts(s.model, s.inputs, s.time, s.state, s.work, ALL)
    add_work_of_frame(s.model.bodies, s.model.points, s.inputs.rotation, s.time, s.state, s.work.bodies, s.work.power)


@kernel
def centrifugal(s: Step) -> None:
    """Hook for display: the centrifugal force alone."""
    add_parts(s.model, s.inputs, s.time, s.state, s.work, (1.0, 0.0, 0.0))


@kernel
def coriolis(s: Step) -> None:
    """Hook for display: the Coriolis force alone."""
    add_parts(s.model, s.inputs, s.time, s.state, s.work, (0.0, 1.0, 0.0))


@kernel
def euler(s: Step) -> None:
    """Hook for display: the Euler force alone."""
    add_parts(s.model, s.inputs, s.time, s.state, s.work, EULER)


@kernel
def energy_of_rotation(s: Step) -> None:
    """ENERGY: U [J] of the centrifugal force."""
    s.out[CENTRIFUGAL] += centrifugal_energy(
        s.model.bodies, s.model.points, s.inputs.rotation, s.time, s.state, s.work.bodies
    )


@kernel
def write_energy(s: Step) -> None:
    """OBSERVE: U [J] of the centrifugal force."""
    s.out[0] = centrifugal_energy(s.model.bodies, s.model.points, s.inputs.rotation, s.time, s.state, s.work.bodies)


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
    check_inputs=check_gravity,
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
