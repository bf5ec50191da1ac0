"""Scenes whose cells run in SIMD lanes: one body moves, in gravity and in the fields of dipoles that stand still."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.engine.compile import CompiledScene
from core.engine.registry import SUBJECTS
from core.engine.work import subjects_in
from core.jit.kernel_struct import KernelStruct
from core.physics.bodies.arrays import AXLE, FIXED, FREE, PIVOT, Bodies, body_states

SUITABLE = {"bodies", "magnets", "pairs of dipoles", "weight"}  # names of subjects (core/engine/registry.py)


@dataclass(frozen=True, eq=False)
class LaneBody(KernelStruct):
    """Constants of the body that moves, and what acts on it; laboratory frame unless said otherwise."""

    bodies: Bodies
    body: int
    """Index of the body that moves."""
    gravity: np.ndarray
    """(3,) [m/s^2]."""
    field: np.ndarray
    """(3,) [T] uniform magnetic field."""
    permeability: float
    """mu0 [T m/A]."""
    arm: np.ndarray
    """(d, 3) [m] its dipoles from its reference point, body frame."""
    moment: np.ndarray
    """(d, 3) [A m^2] body frame."""
    place: np.ndarray
    """(f, 3) [m] dipoles of the bodies that stand still."""
    source: np.ndarray
    """(f, 3) [A m^2] their moments."""


def lane_body(built: CompiledScene) -> LaneBody | None:
    """The constants of a scene whose cells can run in lanes; None of another scene."""
    model, inputs = built.model, built.inputs
    names = {part.name for part, is_in in zip(SUBJECTS, subjects_in(model, inputs), strict=True) if is_in}
    moving = np.flatnonzero(model.bodies.support != FIXED)
    if not names <= SUITABLE or len(moving) != 1 or model.bodies.support[moving[0]] not in (PIVOT, AXLE, FREE):
        return None
    if inputs.field.frequency != 0.0 or np.any(model.bodies.drag[moving[0]]):
        return None
    dipoles, number = model.dipoles, int(moving[0])
    own = slice(*dipoles.first[number : number + 2])
    place, source = dipoles_in_space(built)
    others = np.r_[0 : own.start, own.stop : len(place)]
    return LaneBody(
        bodies=model.bodies,
        body=number,
        gravity=inputs.gravity[:3].copy(),
        field=inputs.field.cosine.copy(),
        permeability=float(model.permeability),
        arm=np.ascontiguousarray(dipoles.position[own]),
        moment=np.ascontiguousarray(dipoles.moment[own]),
        place=np.ascontiguousarray(place[others]),
        source=np.ascontiguousarray(source[others]),
    )


def dipoles_in_space(built: CompiledScene) -> tuple[np.ndarray, np.ndarray]:
    """Positions (m, 3) [m] and moments (m, 3) [A m^2] of all dipoles at the start, laboratory frame."""
    dipoles = built.model.dipoles
    rows = body_states(built.model.bodies, built.start)
    of_body = np.repeat(np.arange(len(rows)), np.diff(dipoles.first))
    turns = rows[of_body, 6:15].reshape(-1, 3, 3)  # rows u1, u2, u3
    place = rows[of_body, :3] + np.einsum("mk,mki->mi", dipoles.position, turns)
    return place, np.einsum("mk,mki->mi", dipoles.moment, turns)
