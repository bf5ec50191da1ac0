"""Transfer of the state from one compiled scene to the next, after an edit.

Items are matched by name. State that an edit does not change continues; a changed start value applies at once; items
with another support, constraint or shape are reset to their start.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from polhode.engine.compile import assemble
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import NOTHING, Inputs
from polhode.engine.part import Draft
from polhode.engine.rates import place
from polhode.engine.work import make_work
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    BASIS,
    FREE,
    MOMENTUM,
    ON_PATH,
    POSITION,
    Bodies,
    body_states,
)
from polhode.physics.bodies.compile import momentum_of_spin
from polhode.physics.breaking.items import items_of
from polhode.physics.conductors.transfer import transfer_currents
from polhode.physics.joints.arrays import BROKEN
from polhode.physics.modal.compile import reduce_to_modes
from polhode.physics.paths.arrays import bead_states
from polhode.physics.paths.compile import transfer_beads
from polhode.physics.points.arrays import point_states
from polhode.physics.points.description import Soft, Spring
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Body, Scene

RIGID = 1e-9  # relative change of distances below which points have been moved as a rigid whole

NEAR = 0.2  # distance by which a new joint may move bodies in a run, relative to the size of the joints


def transfer_state(old: CompiledScene, state: np.ndarray, new: CompiledScene, time: float) -> np.ndarray:
    """Start state (k,) of `new`, with the motion of everything that `old` has by the same name.

    state: (k,) of `old` at `time` [s]

    Position, basis, velocity and angular velocity of a body are kept, each unless the edit changes its start value,
    which then applies at once. The angular momentum follows from the new inertia. A body with another support is reset
    to its start, and so is the ledger, because an edit changes the energy. `_transfer_points` does soft bodies and
    particles, `transfer_beads` beads, `transfer_currents` currents. `state` is not changed.
    """
    result = new.start.copy()
    rows, old_rows = body_states(new.model.bodies, result), body_states(old.model.bodies, state)
    before = {body.name: (a, body) for a, body in enumerate(old.scene.bodies)}
    for b, body in enumerate(new.scene.bodies):
        a, known = before.get(body.name, (NOTHING, body))
        if a != NOTHING and _is_held_as_before(known, body):
            _transfer_body(old.model.bodies, a, known, old_rows[a], new.model.bodies, b, body, rows[b])
    _transfer_points(old, state, new, result)
    _transfer_broken(old, state, new, result)
    _transfer_joints(old, state, new, result)
    of_beads, old_beads = bead_states(new.model.beads, result), bead_states(old.model.beads, state)
    transfer_beads((old.scene, old.model.beads, old_beads), (new.scene, new.model.beads, of_beads))
    transfer_currents(old, state, new, time, result)
    return result


def _transfer_points(old: CompiledScene, state: np.ndarray, new: CompiledScene, result: np.ndarray) -> None:
    """Write the motion of soft bodies and particles that `old` has by the same name into `result`.

    Items that an edit moves rigidly keep their deformation, a single point to its new start. What starts in another
    shape, or is fixed at other points, is reset.
    """
    placed = state.copy()
    if old.modal:  # their points are not integrated
        place(old.model, old.inputs, 0.0, placed, make_work(old.model, old.inputs))
    before, after = point_states(old.model.points, placed), point_states(new.model.points, result)
    start, old_start = point_states(new.model.points, new.start), point_states(old.model.points, old.start)
    for name, here in new.points.items():
        there = old.points.get(name, slice(0, 0))
        if not np.array_equal(new.inputs.held[here], old.inputs.held[there]):
            continue
        moved, faster = start[..., here] - old_start[..., there]
        size, speed = np.abs(start[..., here]).max(axis=(1, 2))
        if np.ptp(moved, axis=1).max() > RIGID * size:
            continue
        alone = here.stop - here.start == 1 and moved.any()
        after[0, :, here] = start[0, :, here] if alone else before[0, :, there] + moved
        other = np.abs(faster).max() > RIGID * speed
        after[1, :, here] = start[1, :, here] if other else before[1, :, there]
    reduce_to_modes(new.model, result)


def _transfer_broken(old: CompiledScene, state: np.ndarray, new: CompiledScene, result: np.ndarray) -> None:
    """Write which springs are broken into `result`: of soft bodies of the same name, and of single springs between the
    same ends.
    """
    known, breaking = old.model.breaking, new.model.breaking
    before = {name: (item, part) for item, (name, part) in enumerate(items_of(old.scene).items())}
    for item, (name, part) in enumerate(items_of(new.scene).items()):
        k, same = before.get(name, (NOTHING, None))
        if same is None or _ends(part) != _ends(same):
            continue
        (there, until), (here, stop) = known.first[k : k + 2].tolist(), breaking.first[item : item + 2].tolist()
        if until - there == stop - here:
            flags = state[known.at + there : known.at + until]
            result[breaking.at + here : breaking.at + stop] = flags


def _ends(part: Soft | Spring) -> tuple[object, object] | None:
    """Attachments of a single spring, None for a soft body."""
    return (part.from_, part.to) if isinstance(part, Spring) else None


def _transfer_joints(old: CompiledScene, state: np.ndarray, new: CompiledScene, result: np.ndarray) -> None:
    """Write what `old` has of joints of the same name and kind into `result`: angles, counted from the zero of the new
    start, the largest forces, and the status of joints that are broken or did not change.
    """
    before = {joint.name: (number, joint) for number, joint in enumerate(old.scene.joint)}
    joints, known = new.model.joints, old.model.joints
    for n, joint in enumerate(new.scene.joint):
        k, same = before.get(joint.name, (NOTHING, None))
        if same is None or same.kind != joint.kind:
            continue
        there, here = known.at + known.largest + 2 * k, joints.at + joints.largest + 2 * n
        result[here : here + 2] = state[there : there + 2]
        if joints.angle[n] != NOTHING:
            counted = state[known.at + known.angle[k]]
            result[joints.at + joints.angle[n]] = counted + getattr(joint, "angle", 0.0) - getattr(same, "angle", 0.0)
        if joints.status[n] != NOTHING and known.status[k] != NOTHING:
            status = state[known.at + known.status[k]]
            if same == joint or status == BROKEN:
                result[joints.at + joints.status[n]] = status


def _transfer_body(
    old: Bodies, a: int, known: Body, source: np.ndarray, new: Bodies, b: int, body: Body, row: np.ndarray
) -> None:
    """Write into `row`, which holds the start, the motion of `source` as far as both bodies state the same start.

    a, known: index and description of the body in `old`, with the momenta `source`, a row of its state
    b, body: index and description in `new`, with `row` of its state, changed in place

    Positions and velocities are kept, momenta follow the new masses.
    """
    old_turn = source[BASIS:ANGULAR_MOMENTUM].reshape(3, 3)
    spin = old.inverse_inertia[a] @ old_turn @ source[ANGULAR_MOMENTUM:] @ old_turn
    to_origin = old.origin[a] @ old_turn
    position = source[POSITION:MOMENTUM] + to_origin
    velocity = source[MOMENTUM:BASIS] / (old.mass[a] or 1.0) + np.cross(spin, to_origin)
    turn = old_turn if known.orientation == body.orientation else row[BASIS:ANGULAR_MOMENTUM].reshape(3, 3).copy()
    spin = spin if known.angular_velocity == body.angular_velocity else np.array(body.angular_velocity)
    row[BASIS:ANGULAR_MOMENTUM] = turn.ravel()
    row[ANGULAR_MOMENTUM:] = momentum_of_spin(new, b, turn @ spin) @ turn
    if new.support[b] in (FREE, ON_PATH):  # the origin stays, the centre of mass may not
        position = position if known.position == body.position else np.array(body.position)
        velocity = velocity if known.velocity == body.velocity else np.array(body.velocity)
        to_reference = -new.origin[b] @ turn
        row[POSITION:MOMENTUM] = position + to_reference
        row[MOMENTUM:BASIS] = new.mass[b] * (velocity + np.cross(spin, to_reference))


def _is_held_as_before(known: Body, body: Body) -> bool:
    """Whether an edit keeps support, axis and motion of a body; beads are transferred by their paths, or reset.

    A body on an axle that is turned by the edit is reset: its axle is elsewhere in it now.
    """
    held = (known.support, known.axis, known.motion) == (body.support, body.axis, body.motion)
    turned = body.support == "axle" and known.orientation != body.orientation  # its axle has moved in the body frame
    return held and not turned


def held_by_joints(
    known: Scene, compiled: CompiledScene, meshes: Meshes, inputs: Inputs, time: float, state: np.ndarray
) -> tuple[np.ndarray, list[Problem]]:
    """A state (k,) at `time` [s] made to agree with joints that the scene `known` does not have.

    Where that fails, or moves a body by more than NEAR, the start instead, with a warning.
    """
    changed = [number for number, joint in enumerate(compiled.scene.joint) if joint not in known.joint]
    if not changed:
        return state, []
    rows = body_states(compiled.model.bodies, state)
    before = rows[:, POSITION:MOMENTUM].copy()
    with suppress(InputError):
        assemble(Draft(compiled.scene, meshes), compiled.model, inputs, state, time)
        if np.abs(rows[:, POSITION:MOMENTUM] - before).max() < NEAR * compiled.model.joints.scale:
            return state, []
    return compiled.start.copy(), [_begun_again(changed[0])]


def _begun_again(number: int) -> Problem:
    """The warning about a changed joint that can't be assembled at the current positions."""
    rule = Message("run restarted: the edited joint can't be assembled at the current positions")
    return Problem(f"joint[{number}]", rule, Message("reset a run before you change its joints"))
