"""Soft bodies in modal coordinates as arrays, and reduction of point positions to frames and amplitudes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from polhode.engine.model import Model
from polhode.engine.part import Draft
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, MOMENTUM, POSITION
from polhode.physics.modal.arrays import Modal, frame_states, mode_states
from polhode.physics.modal.normal_modes import MOST_DROPPED, ModalPart, Modes, Net, lowest_modes
from polhode.physics.points.arrays import point_states
from polhode.physics.points.description import SoftBody
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, message_of

MOST_SPRINGS = 200_000  # of a soft body whose modes are computed: a minute of work, less than 1 GB
MOST_NUMBERS = 3e7  # of all shapes of a soft body: a few minutes of work, less than 1 GB


def damping_ratios(soft: SoftBody, count: int) -> np.ndarray:
    """(n,) h of the `count` lowest modes; the last number of a list holds for all further ones."""
    stated = np.atleast_1d(np.array(soft.modal_damping))
    return np.asarray(stated[np.arange(count).clip(max=len(stated) - 1)])


def modal_part(soft: SoftBody, where: slice, net: Net) -> ModalPart:
    """A soft body in modal coordinates. Raises InputError as `modes_of`."""
    modes = modes_of(soft, net)
    return ModalPart(where, net, modes, damping_ratios(soft, len(modes.squares)))


def damped_part(soft: SoftBody, where: slice, net: Net) -> ModalPart | None:
    """A soft body that moves point by point, with those of its modes that modal damping acts on; None without any.

    Raises InputError where they are not defined, or too many for the memory.
    """
    ratios = damping_ratios(soft, max(net.available, 0))
    count = int(np.flatnonzero(ratios).max(initial=-1)) + 1
    if count == 0:
        return None
    most = int(MOST_NUMBERS / (3 * len(net.mass)))
    if count > most:
        rule = Message("acts on {modes} modes of {points} points, too many", modes=count, points=len(net.mass))
        remedy = Message("give a list that ends with 0 and has at most {most} modes before, or set modes", most=most)
        raise InputError(soft.name, [Problem("modal_damping", rule, remedy)])
    _check_frame(soft, net, "modal_damping")
    modes = _found(soft, net, count, "modal_damping")
    damped = np.flatnonzero(ratios[: len(modes.squares)] * modes.frequencies)
    kept = replace(modes, shapes=modes.shapes[damped], squares=modes.squares[damped])
    return ModalPart(where, net, kept, ratios[damped]) if len(damped) else None


def modes_of(soft: SoftBody, net: Net) -> Modes:
    """The modes of a soft body. Raises InputError where it has none, or fewer than requested."""
    if net.available < 1:
        rule = Message("'{name}' has no mode: none of its points moves by itself", name=soft.name)
        raise InputError(soft.name, [Problem("modes", rule, Message("leave it out"))])
    if soft.modes > net.available:
        rule = Message(
            "{modes} is more than the {available} modes that '{name}' has",
            modes=soft.modes,
            available=net.available,
            name=soft.name,
        )
        raise InputError(
            soft.name,
            [
                Problem(
                    "modes", rule, Message("give at most {available}, or 0 to free all points", available=net.available)
                )
            ],
        )
    _check_frame(soft, net, "modes")
    if soft.modes * 3 * len(net.mass) > MOST_NUMBERS:
        rule = Message("{modes} modes of {points} points are too many", modes=soft.modes, points=len(net.mass))
        most = int(MOST_NUMBERS / (3 * len(net.mass)))
        raise InputError(soft.name, [Problem("modes", rule, Message("give at most {available}", available=most))])
    return _found(soft, net, soft.modes, "modes")


def _check_frame(soft: SoftBody, net: Net, field: str) -> None:
    """Raise InputError at a field of a body whose frame is not defined."""
    if net.is_free and net.is_straight:
        rule = Message(
            "the points of '{name}' are on one line and none is fixed: nothing says how it turns about that",
            name=soft.name,
        )
        raise InputError(soft.name, [Problem(field, rule, Message("fix a point, or leave {field} out", field=field))])


def _found(soft: SoftBody, net: Net, count: int, field: str) -> Modes:
    """The `count` lowest modes; failures of the numerical libraries become an InputError at a field.

    So do bodies with too many springs, and those under so much pressure that most modes buckle.
    """
    springs = len(net.pairs)
    if springs > MOST_SPRINGS:
        rule = Message("'{name}' has {springs} springs, too many for its modes", name=soft.name, springs=springs)
        remedy = Message("at most {most}: take fewer points, or leave {field} out", most=MOST_SPRINGS, field=field)
        raise InputError(soft.name, [Problem(field, rule, remedy)])
    try:
        modes = lowest_modes(net, count, soft.unstable_modes == "clamp")
    except (np.linalg.LinAlgError, RuntimeError) as error:  # of LAPACK, SuperLU, ARPACK
        rule = Message("the modes of '{name}' are not found: {reason}", name=soft.name, reason=message_of(error))
        remedy = Message("check masses and stiffness, or leave {field} out", field=field)
        raise InputError(soft.name, [Problem(field, rule, remedy)]) from error
    dropped = len(modes.dropped)
    if not len(modes.squares) or (dropped > MOST_DROPPED and len(modes.squares) < count):
        rule = Message(
            "'{name}' is under so much pressure that its {count} lowest modes buckle", name=soft.name, count=dropped
        )
        remedy = Message("make it smaller, or clamp unstable_modes")
        raise InputError(soft.name, [Problem("natural_length", rule, remedy)])
    return modes


def compile_modal(draft: Draft) -> None:
    """Add the members `modal` and `damped` of the Model."""
    count = len(draft.model["points"].mass)
    draft.model["modal"] = modal_arrays(draft.results["modal"].values(), count)
    draft.model["damped"] = modal_arrays(draft.results.pop("damped").values(), count)


def modal_arrays(parts: Collection[ModalPart], points: int) -> Modal:
    """The modal bodies of a scene with `points` points as kernel arrays."""
    rest = np.zeros((3, points if parts else 0))
    for part in parts:
        rest[:, part.where] = (part.net.positions - _origin(part.net)).T  # laboratory frame if a point is fixed
    sizes = [part.modes.shapes.size for part in parts]
    damping = [2.0 * part.damping_ratios * part.modes.frequencies for part in parts]
    return Modal(
        is_free=np.array([part.net.is_free for part in parts], dtype=np.bool_),
        mass=np.array([part.net.mass.sum() for part in parts]),
        first=np.array([part.where.start for part in parts], dtype=np.int64),
        stop=np.array([part.where.stop for part in parts], dtype=np.int64),
        first_mode=np.concatenate([[0], np.cumsum([len(of_part) for of_part in damping])]).astype(np.int64),
        first_shape=np.concatenate([[0], np.cumsum(sizes)])[:-1].astype(np.int64),
        shapes=np.concatenate([np.zeros(0), *(part.modes.shapes.ravel() for part in parts)]),
        rest=rest,
        damping=np.concatenate([np.zeros(0), *damping]),
    )


def _origin(net: Net) -> np.ndarray:
    """(3,) [m] centre of mass at rest of a free net, the frame's origin.

    Zero of others, whose frame is the laboratory.
    """
    return np.average(net.positions, axis=0, weights=net.mass) if net.is_free else np.zeros(3)


def best_turn(arms: np.ndarray, rest: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """(3, 3) rotation R that takes R `rest` nearest to `arms`, weighted by `mass` (Kabsch); determinant 1.

    In the frame that it turns to, the deformation has no part of a rotation: sum m s x q = 0.

    arms, rest: (3, p) [m] from the centre of mass; mass: (p,) [kg].
    """
    left, _, right = np.linalg.svd(arms * mass @ rest.T)
    return np.asarray(left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right)


def reduce_to_modes(model: Model, state: np.ndarray) -> None:
    """Write frames and amplitudes of all modal bodies into `state` (k,), from the motion of their points there.

    x is the centre of mass, R by `best_turn`, P and L the sums over points, X_a = sum m phi_a.(R^T (r - x) - s) and
    Pi_a = sum m phi_a.R^T v (Kobayashi eq. 3.4).
    """
    modal, modes = model.modal, mode_states(model.modal, state)
    positions, velocities = point_states(model.points, state)
    for s, row in enumerate(frame_states(model.bodies, model.modal, state)):
        here = slice(modal.first[s], modal.stop[s])
        mass, rest, n = model.points.mass[here], modal.rest[:, here], modal.first_mode[s : s + 2]
        shapes = modal.shapes[modal.first_shape[s] :][: (n[1] - n[0]) * rest.size].reshape(-1, *rest.shape)
        origin, turn, momentum, spin = np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3)
        if modal.is_free[s]:
            origin = np.average(positions[:, here], axis=1, weights=mass)
            arms = positions[:, here] - origin[:, None]
            turn = best_turn(arms, rest, mass)
            momentum = velocities[:, here] @ mass
            spin = np.cross(arms, velocities[:, here] * mass, axis=0).sum(axis=1)
        row[POSITION:MOMENTUM], row[MOMENTUM:BASIS], row[ANGULAR_MOMENTUM:] = origin, momentum, spin
        row[BASIS:ANGULAR_MOMENTUM] = turn.T.ravel()
        deformation = turn.T @ (positions[:, here] - origin[:, None]) - rest
        modes[0, n[0] : n[1]] = np.einsum("aki,ki,i->a", shapes, deformation, mass)
        modes[1, n[0] : n[1]] = np.einsum("aki,ki,i->a", shapes, turn.T @ velocities[:, here], mass)
