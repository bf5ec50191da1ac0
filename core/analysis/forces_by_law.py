"""The forces of a moment law by law, for who wants to see them; the solver itself only ever has their sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from core.engine.forces import add_forces, clear
from core.engine.model import FREE, Inputs, Model, Work
from core.physics.air import drag
from core.physics.bodies import pivot_friction
from core.physics.bodies.placement import place
from core.physics.contact import sphere_contact, surface_contact, tangential_friction, wall_contact
from core.physics.frame import gravity
from core.physics.grab import mouse_pull
from core.physics.magnets import magnetic
from core.physics.points import springs
from core.simulation.snapshot import Forces

Law = Callable[[Model, Inputs, float, np.ndarray, Work], None]


def _friction(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """What dry friction does; it is not known without all the others."""
    add_forces(model, inputs, time, state, work)
    for array in (work.force, work.torque, work.point_force, work.anchor_force):
        array[:] = 0.0
    rubs, count = work.rubs, work.rubs.count[0]
    for body, point, sign in ((0, 1, 1.0), (2, 3, -1.0)):
        ends, force, rolling = rubs.ends[:count], sign * rubs.force[:count], sign * rubs.torque[:count]
        of_body, of_point = ends[:, body] >= 0, ends[:, point] >= 0
        bodies, points = ends[of_body, body], ends[of_point, point]
        arms = rubs.place[:count][of_body] - work.position[bodies]
        np.add.at(work.force, bodies, force[of_body])
        np.add.at(work.torque, bodies, rolling[of_body] + np.cross(arms, force[of_body]))
        np.add.at(work.point_force.T, points, force[of_point])


LAWS: Mapping[str, Law] = MappingProxyType(
    {
        "gravity": lambda model, inputs, time, state, work: gravity.add_weight(model, inputs, work),
        "magnetic": lambda model, inputs, time, state, work: magnetic.add_magnetism(model, inputs, time, work),
        "contact": lambda model, inputs, time, state, work: sphere_contact.add_contacts(model, state, work),
        "springs": lambda model, inputs, time, state, work: springs.add_springs(model, state, work),
        "friction": lambda model, inputs, time, state, work: pivot_friction.add_support_friction(model, work),
        "drag": lambda model, inputs, time, state, work: drag.add_drag(model, inputs, time, state, work),
        "walls": lambda model, inputs, time, state, work: wall_contact.add_walls(model, inputs, time, state, work),
        "surfaces": lambda model, inputs, time, state, work: surface_contact.add_surfaces(model, inputs, state, work),
        "rough": lambda model, inputs, time, state, work: tangential_friction.add_rough(model, state, work),
        "dry_friction": _friction,
        "applied": lambda model, inputs, time, state, work: mouse_pull.add_pull(model, inputs, state, work),
    }
)
"""The laws by the names of their files; the friction of supports is a torque alone."""


def force_parts(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> Mapping[str, Forces]:
    """What each law does to bodies and points at `time` [s]; a law that does nothing is left out."""
    place(model, inputs, time, state, work)
    found = {}
    for name, law in LAWS.items():
        clear(work)
        law(model, inputs, time, state, work)
        springs.load_bodies(model, work)
        if work.force.any() or work.torque.any() or work.point_force.any():
            found[name] = _told(model, work)
    return found


def _told(model: Model, work: Work) -> Forces:
    free = (model.bodies.support == FREE)[:, None]
    torque = np.where(free, work.torque - np.cross(work.arm, work.force), work.torque)
    center = work.position + work.arm
    about = np.where(free, center, work.position)
    return Forces(work.force.copy(), center, work.point_force.T.copy(), torque, about)
