"""Scenes whose runs go in SIMD lanes: one body moves, in gravity, air and magnetic fields, and by formulas of forces.

The fields are a uniform one, steady or of one frequency, and those of dipoles at rest. An axle may have dry friction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.registry import SUBJECTS
from polhode.physics.bodies.arrays import AXLE, FIXED, FREE, PIVOT, body_states
from polhode.physics.forces.arrays import Forces


@dataclass(frozen=True, eq=False)
class LaneBody:
    """Constants of the moving body, and of the laws on it; laboratory frame unless stated otherwise.

    Those of the body itself are explained in core/polhode/physics/bodies/arrays.py.
    """

    body: int  # index of the body that moves
    support: int
    restricted: bool
    round: bool
    mass: float  # [kg]
    friction: float  # [N m s]
    dry_friction: float  # [N m] of an axle
    inverse_moment: float  # [1/(kg m^2)] about the axle
    axis: np.ndarray  # (3,) of the axle, body frame
    drag: np.ndarray  # (2,) [N s/m], [kg/m]
    wind: np.ndarray  # (3,) [m/s] steady
    gravity: np.ndarray  # (3,) [m/s^2]
    field: np.ndarray  # (3,) [T] uniform magnetic field at the start, or its part by the cosine
    sine: np.ndarray  # (3,) [T] its part by the sine
    frequency: float  # [rad/s] of both; 0 of a steady field
    center: np.ndarray  # (3,) [m] body frame
    origin: np.ndarray  # (3,) [m] body frame
    inertia: np.ndarray  # (3, 3) [kg m^2] body frame
    inverse_inertia: np.ndarray  # (3, 3) [1/(kg m^2)] body frame
    turnable: np.ndarray  # (3, 3) body frame
    permeability: float  # mu0 [T m/A]
    arm: np.ndarray  # (d, 3) [m] its dipoles from its reference point, body frame
    moment: np.ndarray  # (d, 3) [A m^2] body frame
    position: np.ndarray  # (f, 3) [m] dipoles of the bodies at rest
    source: np.ndarray  # (f, 3) [A m^2] their moments
    force_arm: np.ndarray  # (k, 3) [m] points of forces by formulas on the body, from its reference point, body frame
    force_address: np.ndarray  # (k,) int64 as in Forces
    force_first: np.ndarray  # (k,) int64
    force_numbers: np.ndarray  # (n,)


def lane_body(compiled: CompiledScene) -> LaneBody | None:
    """The constants of a scene whose subjects are all written for lanes; None of another scene.

    Whether lanes have all laws of these subjects is tested by core/polhode/run/lanes/agreement.py.
    """
    model, inputs, bodies = compiled.model, compiled.inputs, compiled.model.bodies
    moving = np.flatnonzero(bodies.support != FIXED)
    if len(moving) != 1 or bodies.support[moving[0]] not in (PIVOT, AXLE, FREE):
        return None
    if any(part.is_in(model, inputs) for part in SUBJECTS if not part.in_lanes):
        return None
    b = int(moving[0])
    if inputs.air.frequency != 0.0 and bodies.drag[b].any():
        return None
    rubbing = float(model.dry_pivots.torque[model.dry_pivots.body == b].sum())
    if rubbing > 0.0 and (bodies.support[b] != AXLE or bodies.inverse_moments[b, 0] == 0.0):
        return None
    dipoles, is_round = model.dipoles, bool(bodies.round[b])
    own = slice(*dipoles.first[b : b + 2])
    position, source = dipoles_in_space(compiled)
    others = np.r_[0 : own.start, own.stop : len(position)]
    return LaneBody(
        body=b,
        support=int(bodies.support[b]),
        restricted=bool(bodies.restricted[b]),
        round=is_round,
        mass=float(bodies.mass[b]),
        friction=float(bodies.friction[b]),
        dry_friction=rubbing,
        inverse_moment=float(bodies.inverse_moments[b, 0]),
        axis=bodies.axes[b, 0],
        drag=bodies.drag[b],
        wind=inputs.air.wind,
        gravity=inputs.gravity[:3],
        field=inputs.field.cosine,
        sine=inputs.field.sine,
        frequency=float(inputs.field.frequency),
        center=bodies.center[b],
        origin=bodies.origin[b],
        inertia=bodies.inertia[b],
        inverse_inertia=bodies.inverse_moments[b, 0] * np.eye(3) if is_round else bodies.inverse_inertia[b],
        turnable=bodies.turnable[b],
        permeability=float(model.permeability),
        arm=dipoles.position[own],
        moment=dipoles.moment[own],
        position=position[others],
        source=source[others],
        **_forces_on(b, model.forces),
    )


def _forces_on(b: int, forces: Forces) -> dict[str, np.ndarray]:
    """The members of LaneBody for the forces by formulas on body b."""
    on = forces.body == b
    rows = {"force_arm": forces.arm[on], "force_address": forces.address[on], "force_first": forces.first[on]}
    return rows | {"force_numbers": forces.numbers}


def dipoles_in_space(compiled: CompiledScene) -> tuple[np.ndarray, np.ndarray]:
    """Positions (m, 3) [m] and moments (m, 3) [A m^2] of all dipoles at the start, laboratory frame."""
    dipoles = compiled.model.dipoles
    rows = body_states(compiled.model.bodies, compiled.start)
    of_body = np.repeat(np.arange(len(rows)), np.diff(dipoles.first))
    turns = rows[of_body, 6:15].reshape(-1, 3, 3)  # rows u1, u2, u3
    position = rows[of_body, :3] + np.einsum("mk,mki->mi", dipoles.position, turns)
    return position, np.einsum("mk,mki->mi", dipoles.moment, turns)
