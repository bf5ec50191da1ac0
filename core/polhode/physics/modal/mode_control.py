"""Single modes of a running soft body: their energies, excitation, and muting. Between batches of steps; not compiled.

Bodies of points have modes as well: their energies are found by projection, and excitation changes velocities of
points.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, MOMENTUM, POSITION
from polhode.physics.modal.arrays import frame_states, mode_states
from polhode.physics.modal.compile import best_turn
from polhode.physics.modal.nets import net_of
from polhode.physics.modal.normal_modes import Modes, Net
from polhode.physics.points.arrays import point_states
from polhode.scene.checks.arguments import check_array
from polhode.scene.message import Message
from polhode.scene.problem import InputError, did_you_mean

SEE = Message("see polhode modes for what there is")


def net_in(compiled: CompiledScene, name: str) -> Net:
    """A soft body at rest, with the springs that count in its modes."""
    if name in compiled.modal:
        return compiled.modal[name].net
    return net_of(
        compiled.points[name], compiled.rest_points, compiled.model.points, compiled.springs, compiled.fixed_anchors
    )


def frame_in(net: Net, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Origin (3,) [m] and axes (3, 3), in columns, of a body's frame when its points are at `positions` (3, n) [m].

    The frame of a body with fixed points is that of the laboratory.
    """
    if not net.is_free:
        return np.zeros(3), np.eye(3)
    origin = np.average(positions, axis=1, weights=net.mass)
    return origin, best_turn(positions - origin[:, None], _arms(net), net.mass)


def _arms(net: Net) -> np.ndarray:
    """(3, n) [m] positions of the points at rest, from the frame's origin."""
    middle = np.average(net.positions, axis=0, weights=net.mass) if net.is_free else np.zeros(3)
    return np.asarray((net.positions - middle).T)


def posed(net: Net, positions: np.ndarray, shape: np.ndarray, reach: float) -> np.ndarray:
    """(n, 3) [m] the body at rest in the frame of its points at `positions`, deformed along a shape, laboratory frame.

    positions: (n, 3) [m]; shape: (3, n), frame components; reach: largest displacement [m].
    """
    origin, turn = frame_in(net, positions.T)
    deformed = _arms(net) + reach / farthest(shape) * shape
    return np.asarray((turn @ deformed).T + origin)


def farthest(shape: np.ndarray) -> float:
    """Largest displacement of a point in a shape (3, n), in its unit."""
    return float(np.linalg.norm(shape, axis=0).max())


def mode_energies(net: Net, modes: Modes, positions: np.ndarray, velocities: np.ndarray) -> np.ndarray:
    """(k,) [J] (X'^2 + w^2 X^2)/2 of each mode of a body; of w^2 < 0, X'^2/2.

    X_a = sum m phi_a.(q - s) in the body's frame, and X_a' of what is left of the velocities without the frame's own:
    its omega is that for which sum m s x q' = 0, or sum m {(s.q) 1 - q s^T} omega = sum m s x w, w = R^T (v - V).

    positions: (n, 3) [m]; velocities: (n, 3) [m/s]; laboratory frame.
    """
    origin, turn = frame_in(net, positions.T)
    rest, q, mass = _arms(net), turn.T @ (positions.T - origin[:, None]), net.mass
    rate = turn.T @ velocities.T
    if net.is_free:
        rate = rate - np.average(rate, axis=1, weights=mass)[:, None]
        around = np.cross(rest, mass * rate, axis=0).sum(axis=1)
        omega = np.linalg.solve(np.vdot(rest, mass * q) * np.eye(3) - mass * q @ rest.T, around)
        rate = rate - np.cross(omega, q.T).T
    flat = modes.shapes.reshape(len(modes.squares), -1)
    amplitude, swing = flat @ (mass * (q - rest)).ravel(), flat @ (mass * rate).ravel()
    return np.asarray(0.5 * swing**2 + 0.5 * modes.squares.clip(0.0) * amplitude**2)


def excite_mode(
    compiled: CompiledScene, name: str, shape: np.ndarray, speed: float, held: np.ndarray, state: np.ndarray
) -> None:
    """Add velocities along a shape, at most `speed` [m/s], to a body's points in the placed `state`.

    Points that are held by themselves keep theirs. Modal bodies gain the momenta of the impulses m dv: P += sum m dv, L
    += sum (r - x) x m dv, Pi_a += sum m phi_a.R^T dv.

    shape: (3, n) in the body's frame; held: (p,) bool; state: (k,) changed.
    """
    here, model = compiled.points[name], compiled.model
    mass, (positions, velocities) = model.points.mass[here], point_states(model.points, state)[..., here]
    gain = speed / farthest(shape) * shape
    if name not in compiled.modal:
        turn = frame_in(net_in(compiled, name), positions)[1]
        velocities += np.where(held[here], 0.0, turn @ gain)
        return
    row, modes = (
        frame_states(model.bodies, model.modal, state)[list(compiled.modal).index(name)],
        _modes_of(compiled, name),
    )
    mode_states(model.modal, state)[1, modes] += np.einsum("aki,ki,i->a", _mode_shapes(compiled, name), gain, mass)
    if compiled.modal[name].net.is_free:
        impulse = mass * (row[BASIS:ANGULAR_MOMENTUM].reshape(3, 3).T @ gain)
        row[MOMENTUM:BASIS] += impulse.sum(axis=1)
        row[ANGULAR_MOMENTUM:] += np.cross(positions - row[POSITION:MOMENTUM, None], impulse, axis=0).sum(axis=1)


def mute_modes(compiled: CompiledScene, muted: Collection[tuple[str, int]]) -> CompiledScene:
    """The compiled scene with zero shapes of muted modes: no force acts on such a mode, and no point moves with it.

    Muted modes are pairs of a body's name and a number from 0. The layout of the state does not change.
    """
    if not muted:
        return compiled
    modal = replace(compiled.model.modal, shapes=compiled.model.modal.shapes.copy())
    quieter = replace(compiled, model=compiled.model.with_members(modal=modal))
    for name, mode in muted:
        _mode_shapes(quieter, name)[mode] = 0.0
    return quieter


def clear_modes(compiled: CompiledScene, changed: Collection[tuple[str, int]], state: np.ndarray) -> np.ndarray:
    """Set amplitude and rate of some modes to zero in the placed state (k,), which is returned.

    No point moves by that when a mode is unmuted; it has no rate where Pi_a = sum m phi_a.R^T v.
    """
    model, velocities = compiled.model, point_states(compiled.model.points, state)[1]
    for name, mode in changed:
        here, number = compiled.points[name], list(compiled.modal).index(name)
        turn = frame_states(model.bodies, model.modal, state)[number, BASIS:ANGULAR_MOMENTUM].reshape(3, 3).T
        local = model.points.mass[here] * (turn.T @ velocities[:, here])
        at = _modes_of(compiled, name).start + mode
        mode_states(model.modal, state)[:, at] = 0.0, np.vdot(_mode_shapes(compiled, name)[mode], local)
    return state


def _modes_of(compiled: CompiledScene, name: str) -> slice:
    """Range of the modes of body `name` among the modes of all bodies."""
    number, first = list(compiled.modal).index(name), compiled.model.modal.first_mode
    return slice(int(first[number]), int(first[number + 1]))


def _mode_shapes(compiled: CompiledScene, name: str) -> np.ndarray:
    """(k, 3, n) [1/sqrt(kg)] view of the shapes of a body's modes; 0 of muted ones."""
    number, modal = list(compiled.modal).index(name), compiled.model.modal
    shape = compiled.modal[name].modes.shapes.shape
    start = modal.first_shape[number]
    return modal.shapes[start : start + int(np.prod(shape))].reshape(shape)


def size_of(net: Net) -> float:
    """[m] longest side of the bounding box of a body at rest, along the axes of its positions."""
    return float(np.ptp(net.positions, axis=0).max())


def reach_of(net: Net, shape: np.ndarray, part: float, slope: float) -> float:
    """[m] amplitude at which to draw a shape: `part` of the body's size, limited by the strain of its springs.

    The ends of no spring move by more than `slope` of its length relative to each other.

    shape: (3, n), of any length.
    """
    moved = np.concatenate([shape, np.zeros_like(net.fixed_anchors.T)], axis=1)
    length = np.linalg.norm(net.along, axis=1)
    distance = np.linalg.norm(moved[:, net.pairs[:, 1]] - moved[:, net.pairs[:, 0]], axis=0)
    steepest = float((distance[length > 0] / length[length > 0]).max(initial=0.0))
    return min(part * size_of(net), slope * farthest(shape) / steepest) if steepest > 0 else part * size_of(net)


def check_soft_body(compiled: CompiledScene, name: str) -> None:
    """Raises InputError where the scene has no soft body of that name."""
    names = [soft.name for soft in compiled.scene.soft]
    if name not in names:
        remedy = did_you_mean(name, names, SEE)
        _refuse(compiled, Message("'{name}' is no soft body of the scene", name=name), remedy)


def check_shape(compiled: CompiledScene, name: str, shape: np.ndarray) -> None:
    """Raises InputError where a shape is not that of a soft body's points, (3, n), or moves none of them."""
    here = compiled.points[name]
    check_array("excite", "shape", shape, (3, here.stop - here.start))
    if not np.any(shape):
        _refuse(compiled, Message("a shape of zeros moves no point"))


def check_mode(compiled: CompiledScene, name: str, mode: int) -> None:
    """Raises InputError where the body does not move by that mode, counted from 0; also for a body of points."""
    kept = compiled.modes_kept(name)
    if not 0 <= mode < kept:
        _refuse(
            compiled,
            Message("'{name}' does not move by a mode {mode}: it keeps {kept}", name=name, mode=mode, kept=kept),
        )


def _refuse(compiled: CompiledScene, rule: Message, remedy: Message = SEE) -> None:
    raise InputError.of(compiled.scene.title or "scene", rule, remedy, "soft")
