"""The sum of the laws. A law that the scene does not use loops over zero rows."""

from __future__ import annotations

import numpy as np

from core.forces import (
    applied,
    contact,
    drag,
    dry_friction,
    friction,
    gravity,
    magnetic,
    modal_damping,
    rough,
    springs,
    surfaces,
    walls,
)
from core.kernel import kernel
from core.modal_placement import clear_modal
from core.model import LEDGER_SIZE, Inputs, Model, Work
from core.vec import put


@kernel
def clear(work: Work) -> None:
    clear_but_points(work)
    for axis in range(3):
        for i in range(work.point_force.shape[1]):
            work.point_force[axis, i] = 0.0


@kernel
def clear_but_points(work: Work) -> None:
    """Forces on points begin with their weight."""
    for b in range(len(work.force)):
        put(work.force, b, (0.0, 0.0, 0.0))
        put(work.torque, b, (0.0, 0.0, 0.0))
    for q in range(len(work.anchor_force)):
        put(work.anchor_force, q, (0.0, 0.0, 0.0))
    clear_modal(work)
    work.beads.loaded[0] = 0.0
    for k in range(LEDGER_SIZE):
        work.power[k] = 0.0
    work.rubs.count[0] = 0


@kernel
def add_forces(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Forces [N], torques about the reference points [N m] and powers [W] of all laws; all is placed at `time` [s]."""
    clear_but_points(work)
    work.beads.loaded[0] = 1.0
    gravity.add_weight(model, inputs, work)
    friction.add_support_friction(model, work)
    drag.add_drag(model, inputs, time, state, work)
    applied.add_pull(model, inputs, state, work)
    # A law that has nothing to do is not even called: for a single body the calls would cost as much as the physics.
    if len(model.dipoles.moment) > 0:
        magnetic.add_magnetism(model, inputs, time, work)
    if len(model.contacts.radius) > 0:
        contact.add_contacts(model, state, work)
    if len(model.springs.rest) + len(model.runs.rest) > 0:
        springs.add_springs(model, state, work)
        springs.load_bodies(model, work)
    if len(model.modal.mass) > 0:
        modal_damping.add_modal_damping(model, work)
    if len(model.walls.stiffness) > 0:
        walls.add_walls(model, inputs, time, state, work)
    if len(model.surfaces.stiffness) > 0:
        surfaces.add_surfaces(model, inputs, state, work)
    if len(model.rough.first) > 0:
        rough.add_rough(model, state, work)
    if work.rubs.count[0] > 0:  # last: what it has to hold is all the others together
        dry_friction.add_dry_friction(model, inputs, state, work)
