"""Joints of a scene as arrays: names are resolved, frames derived from the start, positions assembled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from polhode.data.inputs import formula_of
from polhode.engine.model import NOTHING, Model
from polhode.engine.part import Draft
from polhode.formulas.codegen import CompiledFormulas, compile_expressions, joined, no_formulas
from polhode.formulas.curve_checks import derivatives
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.arrays import DRIVEN, FIXED, Bodies
from polhode.physics.bodies.compile import compile_bodies, compile_mass_properties
from polhode.physics.bodies.compile_motions import compile_motions
from polhode.physics.joints.arrays import ENFORCED, FORCED, PER_JOINT, Joints, JointWork
from polhode.physics.joints.description import (
    SLIDES,
    TURNS,
    WINDS,
    AnyJoint,
    CylindricalJoint,
    DistanceJoint,
    GearJoint,
    OfJoints,
)
from polhode.physics.joints.elimination import eliminate
from polhode.physics.joints.ends import ends_of, frames_of
from polhode.physics.joints.slender import NEEDLE, slender, slender_members
from polhode.physics.joints.ties import kinds_of, motors_of, nodes_of, terms_of, tied_bodies
from polhode.physics.joints.trees.arrays import make_tree_work
from polhode.physics.joints.trees.order import trees_of
from polhode.scene.scene import Scene

LIGHT = 1e-5
"""Mass, in parts of the largest one, below which a matrix needs the geometry of its own state: its entries are inverse
masses, and a shift changes their differences, which the heavy bodies have, by itself over this part."""
NO_SPRING = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class JointFrames:
    """Where joints are fixed in their bodies; arrays as in Joints."""

    anchor: np.ndarray  # (n, 2, 3) [m]
    frame: np.ndarray  # (n, 2, 3, 3)
    length: np.ndarray  # (n,) [m]
    displacement: np.ndarray  # (n,) [m] along the axis at the start
    size: float  # [m] of the joints and their bodies

    @classmethod
    def of(cls, scene: Scene, bodies: Bodies) -> JointFrames:
        """The joints of a scene."""
        rows = {body.name: b for b, body in enumerate(scene.bodies)}
        count = len(scene.joint)
        anchor, frame = np.zeros((count, 2, 3)), np.zeros((count, 2, 3, 3))
        length, positions, displacement = np.ones(count), np.zeros((count, 2, 3)), np.zeros(count)
        for j, joint in enumerate(scene.joint):
            if isinstance(joint, OfJoints):
                continue
            ends = ends_of(scene, joint, rows)
            frame[j], positions[j] = frames_of(joint, ends), ends.positions
            anchor[j] = ends.anchors + [np.zeros(3) if b is None else bodies.origin[b] for b in ends.bodies]
            displacement[j] = (ends.turns[0] @ frame[j, 0, 0]) @ (positions[j, 1] - positions[j, 0])
            if isinstance(joint, DistanceJoint):
                length[j] = joint.length or float(np.linalg.norm(ends.positions[1] - ends.positions[0]))
        spans = np.linalg.norm(positions - positions.mean(axis=(0, 1)), axis=2) if count else np.zeros(1)
        tied = tied_bodies(scene)
        masses = np.where(bodies.mass > 0.0, bodies.mass, inf)  # fixed bodies may have none
        radii = np.sqrt(np.linalg.eigvalsh(bodies.inertia)[:, -1] / masses)  # of gyration
        sizes = np.concatenate([spans.ravel(), np.linalg.norm(anchor, axis=2).ravel(), radii[tied[tied != NOTHING]]])
        size = float(sizes.max(initial=0.0)) or 1.0  # 1 of points that are all in one place
        return cls(anchor, frame, length, displacement, size)


def compile_joints(draft: Draft) -> None:
    """Add the member `joints` of the Model."""
    draft.model["joints"] = _joints(draft) if draft.scene.joint else _no_joints()


@cache
def _no_joints() -> Joints:
    """The member of scenes without joints, which their bodies do not change."""
    draft = Draft(Scene(), Meshes())
    for compile_member in (compile_mass_properties, compile_bodies, compile_motions):
        compile_member(draft)
    return _joints(draft)


def _joints(draft: Draft) -> Joints:
    """The member of a scene."""
    joints, bodies = draft.scene.joint, draft.model["bodies"]
    tied = tied_bodies(draft.scene)
    placed = JointFrames.of(draft.scene, bodies)
    kind, motor = kinds_of(joints), motors_of(joints)
    armature = np.array([getattr(joint, "armature", 0.0) for joint in joints], dtype=float)
    nodes = nodes_of(joints, tied, bodies.support, bodies.restricted | slender(bodies, NEEDLE).any(axis=1))
    linked = np.array(sorted({*tied.ravel().tolist()} - {NOTHING, *(node.body for node in nodes)}), dtype=np.int64)
    trees = trees_of(nodes, kind, tied, placed.anchor, placed.frame, armature, linked, bodies)
    in_tree = trees.node != NOTHING
    angles = np.array([joint.coordinate == TURNS for joint in joints], dtype=bool)
    stops = _stops(joints, placed.length, int(angles.sum()))
    own_rows = np.array([joint.rows for joint in joints], dtype=np.int64)
    sizes = np.where(in_tree, 0, own_rows + (armature > 0.0) + (motor == ENFORCED) + stops["holds"]).tolist()
    listed = np.where((tied == NOTHING) | in_tree[:, None], NOTHING, np.searchsorted(linked, tied))
    moves = np.append(~np.isin(bodies.support, [FIXED, DRIVEN]), False)  # the last one for NOTHING
    member = np.where(moves[tied], listed, NOTHING)
    return Joints(
        at=0,
        kind=kind,
        body=tied,
        member=member,
        listed=listed,
        linked=linked,
        moved=_motions(linked, draft.model["body_motions"].body),
        anchor=placed.anchor,
        frame=placed.frame,
        row=np.cumsum([0, *sizes]).astype(np.int64),
        jacobian=_first_rows(sizes, tied.shape[1]),
        angle=np.where(angles, np.cumsum(angles) - 1, NOTHING).astype(np.int64),
        length=placed.length,
        armature=armature,
        rotors=np.flatnonzero(armature > 0.0).astype(np.int64),
        rotor=np.where((armature > 0.0) & ~in_tree, own_rows, NOTHING).astype(np.int64),
        **stops,
        **_terms(joints, placed.displacement),
        **_axis_laws(joints, motor, draft.scene.folder),
        scale=placed.size,
        row_scale=_row_scales(joints, sizes, placed.size),
        contrasts=_contrasts(bodies.mass[linked]),
        **slender_members(bodies, linked, tied, placed.anchor),
        jointed=np.array(sorted(b for b in {*tied.ravel().tolist()} if moves[b]), dtype=np.int64),
        factor=eliminate(member, sizes),
        trees=trees,
    )


def _motions(linked: np.ndarray, driven: np.ndarray) -> np.ndarray:
    """Number of the prescribed motion of each linked body (n,) among those of the bodies `driven`, or NOTHING."""
    numbers = {b: k for k, b in enumerate(driven.tolist())}
    return np.array([numbers.get(b, NOTHING) for b in linked.tolist()], dtype=np.int64)


def adjusted_axis_laws(scene: Scene, model: Model) -> dict[str, Joints]:
    """The member `joints` of the Model with the friction, the springs and the motors of a scene."""
    return {"joints": replace(model.joints, **_axis_laws(scene.joint, model.joints.motor, scene.folder))}


def _contrasts(masses: np.ndarray) -> bool:
    """Whether one of the masses (m,) [kg] is far below another one; those of 0 do not move."""
    moved = masses[masses > 0.0]
    return bool(len(moved)) and bool(moved.min() < LIGHT * moved.max())


def _terms(joints: Sequence[AnyJoint], displacement: np.ndarray) -> dict[str, Any]:
    """The members of Joints for gears and tendons. displacement: (n,) [m] along axes"""
    slides = np.array([joint.coordinate == SLIDES for joint in joints], dtype=bool)
    starts = np.where(slides, displacement, [getattr(joint, "angle", 0.0) for joint in joints])
    terms, offset = terms_of(joints), np.zeros(len(joints))
    for j, joint in enumerate(joints):
        if isinstance(joint, GearJoint):
            (first, _), (second, _) = terms[j]
            offset[j] = starts[second] - joint.ratio * starts[first]
    return {
        "first_term": np.cumsum([0, *map(len, terms)]).astype(np.int64),
        "tied": np.array([k for each in terms for k, _ in each], dtype=np.int64),
        "coefficient": np.array([coefficient for each in terms for _, coefficient in each], dtype=float),
        "offset": offset,
    }


def _axis_laws(joints: Sequence[AnyJoint], motor: np.ndarray, folder: Path) -> dict[str, Any]:
    """The members of Joints for friction, springs and motors. motor: (n,) of `motors_of`; `folder` of the scene"""
    address, first_number, numbers = joined([_motor_code(joint, folder) for joint in joints])
    friction = np.array([getattr(joint, "friction", 0.0) for joint in joints], dtype=float)
    spring = np.array([_spring(joint) for joint in joints], dtype=float).reshape(-1, 3)
    dry = np.array([getattr(joint, "dry_friction", 0.0) for joint in joints], dtype=float)
    acts = (friction > 0.0) | (dry > 0.0) | (spring[:, :2] > 0.0).any(axis=1) | (motor == FORCED)
    return {
        "friction": friction,
        "dry_friction": dry,
        "spring": spring,
        "motor": motor,
        "address": address,
        "first_number": first_number,
        "numbers": numbers,
        "acting": np.flatnonzero(acts).astype(np.int64),
    }


def _stops(joints: Sequence[AnyJoint], length: np.ndarray, angles: int) -> dict[str, Any]:
    """The members of Joints for limits, strings, dry friction and breaking.

    length: (n,) [m] of rods and strings; angles: number of joints with an angle, which comes before the status
    """
    holds = np.array([_limited(joint) or getattr(joint, "dry_friction", 0.0) > 0.0 for joint in joints], dtype=bool)
    strings = np.array([getattr(joint, "pull_only", False) for joint in joints], dtype=bool)
    breaks_at = np.array([getattr(joint, "breaks_at", None) or inf for joint in joints])
    switches = np.array([joint.has_status for joint in joints], dtype=bool)
    return {
        "status": np.where(switches, angles + np.cumsum(switches) - 1, NOTHING).astype(np.int64),
        "switching": np.flatnonzero(switches).astype(np.int64),
        "largest": angles + int(switches.sum()),
        "holds": holds,
        "pull_only": strings,
        "limits": np.array([_limits(joint, span) for joint, span in zip(joints, length, strict=True)]).reshape(-1, 2),
        "restitution": np.array([_restitution(joint) for joint in joints], dtype=float),
        "breaks_at": breaks_at,
    }


def _row_scales(joints: Sequence[AnyJoint], sizes: Sequence[int], size: float) -> np.ndarray:
    """(r,) to which residuals are compared. sizes: number of equations of each joint; size: [m]"""
    of_joints = [np.ones(count) for count in sizes]
    for joint, scales in zip(joints, of_joints, strict=True):
        scales[: joint.lengths] = size
        if joint.coordinate in (SLIDES, WINDS) or isinstance(joint, CylindricalJoint):
            scales[joint.rows :] = size  # a displacement that is held
    return np.concatenate([np.zeros(0), *of_joints])


def _first_rows(sizes: Sequence[int], slots: int) -> np.ndarray:
    """(n, slots) index of the first row of each slot among the rows of the Jacobian."""
    starts = np.cumsum([0, *(slots * size for size in sizes)])[:-1]
    return (starts[:, None] + np.outer(sizes, np.arange(slots))).astype(np.int64).reshape(-1, slots)


def _limited(joint: object) -> bool:
    return getattr(joint, "limits", None) is not None


def _limits(joint: AnyJoint, length: float) -> tuple[float, float]:
    """Smallest and largest coordinate of a joint, infinite without limits; of a string its length [m] at most."""
    if isinstance(joint, DistanceJoint):
        return -inf, length
    limits = getattr(joint, "limits", None)
    lower, upper = (None, None) if limits is None else (limits.lower, limits.upper)
    return -inf if lower is None else lower, inf if upper is None else upper


def _restitution(joint: AnyJoint) -> float:
    """Restitution at the limits, or of a string."""
    if isinstance(joint, DistanceJoint):
        return joint.restitution
    limits = getattr(joint, "limits", None)
    return 0.0 if limits is None else limits.restitution


def _spring(joint: object) -> tuple[float, float, float]:
    """Stiffness, damping and rest of a joint's spring; zeros without one."""
    spring = getattr(joint, "spring", None)
    return (spring.stiffness, spring.damping, spring.rest) if spring is not None else NO_SPRING


def _motor_code(joint: object, folder: Path) -> CompiledFormulas:
    """Machine code of a motor's value and its derivative; none without a motor."""
    motor = getattr(joint, "motor", None)
    if motor is None:
        return no_formulas()
    return compile_expressions(derivatives(formula_of(motor.source, folder), "t")[:2], ["t"])


def make_joint_work(joints: Joints) -> JointWork:
    """Scratch arrays of joints."""
    rows, factor = int(joints.row[-1]), joints.factor
    sizes = np.diff(joints.row)[factor.order] if len(joints.kind) else np.zeros(0, dtype=np.int64)
    columns = [
        sizes[p] * sizes[factor.below[factor.first[p] : factor.first[p + 1]]].sum() for p in range(len(factor.order))
    ]
    count, linked, jointed = len(joints.switching), len(joints.linked), len(joints.jointed)
    of_rows = ("bias", "residual", "speed", "multiplier", "kept", "original", "inverse")
    return JointWork(
        **{name: np.zeros(rows) for name in of_rows},
        **{name: np.zeros((joints.body.shape[1] * rows, 6)) for name in ("jacobian", "mobile")},
        **{name: np.zeros((linked, 6)) for name in ("acceleration", "still")},
        **{name: np.zeros((jointed, 3)) for name in ("load", "moment")},
        **{name: np.zeros(count) for name in ("rebound", "pressed")},
        **{name: np.zeros(count, dtype=bool) for name in ("reached", "bounces")},
        **{name: np.zeros(1) for name in ("kinetic", "left")},
        matrix=np.zeros(factor.size),
        column=np.zeros(int(max(columns, default=0))),
        applied=np.zeros(len(joints.kind)),
        values=np.zeros(PER_JOINT * count),
        poses=np.zeros((jointed, 4, 3)),
        tree=make_tree_work(joints.trees),
    )
