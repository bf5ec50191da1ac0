"""The records of all views of arrows that are off by default, and the quantities that they draw.

A new one is a Quantity, with a function of a stage that makes a function of a snapshot, and its record in ARROWS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import BeadStates, JointStates, Snapshot
from polhode_app.viewport.base.palette import PALETTE
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.things.joints import JointAnchors, visible_joints
from polhode_app.viewport.vectors.arrows import ArrowQuantity, Finder, Vectors, arrows, moving
from polhode_app.viewport.vectors.curvature import CURVATURE, CurvatureView, held
from polhode_app.viewport.vectors.laws import FORCES, SUM_OF_FORCES, TORQUES

REST = 1e-6  # [rad/s], [rad/s^2] or [radii of the stage per second]; smaller values are rounding errors


def has_beads(scene: Scene) -> bool:
    """Whether a scene has beads."""
    return bool(scene.bead)


def has_joints(scene: Scene) -> bool:
    """Whether a scene has joints."""
    return bool(scene.joint)


def velocities(stage: Stage) -> Finder:
    """Velocities [m/s] of bodies, at their centres of mass, and of points."""

    def vectors(now: Snapshot) -> Iterator[Vectors]:
        bodies, arms = now.bodies, arms_of(stage, now)
        at = np.vstack([bodies.position + arms, now.points.position])
        velocity = np.vstack([bodies.velocity + np.cross(bodies.angular_velocity, arms), now.points.velocity])
        yield Vectors(at, moving(velocity, REST * stage.radius))

    return vectors


def of_bodies(field: Callable[[Snapshot], np.ndarray]) -> Callable[[Stage], Finder]:
    """A vector of each body at its centre of mass, given those (n, 3) of all, or (0, 3) of a snapshot without them."""

    def at_stage(stage: Stage) -> Finder:
        def vectors(now: Snapshot) -> Iterator[Vectors]:
            if len(found := field(now)):
                yield Vectors(now.bodies.position + arms_of(stage, now), moving(found, REST))

        return vectors

    return at_stage


def arms_of(stage: Stage, now: Snapshot) -> np.ndarray:
    """(n, 3) [m] from the origins of bodies to their centres of mass, laboratory frame."""
    return np.asarray(np.einsum("nij,ni->nj", now.bodies.basis, stage.centers))


def of_beads(field: Callable[[BeadStates], np.ndarray]) -> Callable[[Stage], Finder]:
    """A vector of each bead that is on its path, given those (c, 3) of all."""

    def vectors(now: Snapshot) -> Iterator[Vectors]:
        which, at = held(now)
        yield Vectors(at, field(now.beads)[which])

    return lambda stage: vectors


def of_joints(field: Callable[[JointStates], np.ndarray]) -> Callable[[Stage], Finder]:
    """A vector of each visible joint, at its place in its second body, given those (j, 3) of all."""

    def at_stage(stage: Stage) -> Finder:
        shown = visible_joints(stage.scene)
        known = {id(joint) for joint in shown}
        numbers = [number for number, joint in enumerate(stage.scene.joint) if id(joint) in known]
        anchors = JointAnchors(stage.scene, shown)

        def vectors(now: Snapshot) -> Iterator[Vectors]:
            if len(now.joints.force) == len(stage.scene.joint):
                yield Vectors(anchors.at(now)[:, 1], field(now.joints)[numbers])

        return vectors

    return at_stage


VELOCITY = ArrowQuantity(
    of=velocities,
    name=Message("velocity"),
    symbol="v",
    color=PALETTE[2],
    scale=Message("longest velocity {number} m/s"),
)
SPIN = ArrowQuantity(
    of=of_bodies(lambda now: now.bodies.angular_velocity),
    name=Message("angular velocity"),
    symbol="ω",
    color=PALETTE[5],
    scale=Message("longest angular velocity {number} rad/s"),
)
ANGULAR_ACCELERATION = ArrowQuantity(
    of=of_bodies(lambda now: now.angular_acceleration),
    name=Message("angular acceleration"),
    symbol="α",
    color=PALETTE[1],
    scale=Message("longest angular acceleration {number} rad/s²"),
    has_two_heads=True,
)
PATH_FORCE = ArrowQuantity(
    of=of_beads(lambda beads: beads.constraint),
    name=Message("force of the path"),
    symbol="S",
    color=PALETTE[3],
    scale=Message("force of the path S, longest arrow {longest}"),
    unit="N",
    has_symbols=False,
    is_in_front=False,
)
JOINT_FORCE = ArrowQuantity(
    of=of_joints(lambda joints: joints.force),
    name=Message("force of a joint"),
    symbol="F",
    color=PALETTE[3],
    scale=Message("force in a joint on its second body, longest arrow {longest}"),
    unit="N",
    has_symbols=False,
)
JOINT_TORQUE = ArrowQuantity(
    of=of_joints(lambda joints: joints.torque),
    name=Message("torque of a joint"),
    symbol="N",
    color=PALETTE[1],
    scale=Message("torque in a joint on its second body, longest arrow {longest}"),
    unit="N m",
    has_symbols=False,
)
TANGENT = ArrowQuantity(
    of=of_beads(lambda beads: beads.tangent),
    name=Message("tangent"),
    symbol="t",
    color="arrow",
    scale=Message("tangent"),
    length=0.16,
    has_symbols=False,
    is_in_front=False,
)

ARROWS = (
    arrows("velocities", VELOCITY, SPIN, rebuilt_by="all", offered=True, words="speed 速さ"),
    arrows("angular_accelerations", ANGULAR_ACCELERATION, needs_forces=True, rebuilt_by="all", words="alpha 角加速度"),
    arrows("forces", FORCES, needs_forces=True, offered=True),
    arrows("sum_of_forces", SUM_OF_FORCES, needs_forces=True, words="net resultant acceleration 合力 加速度"),
    arrows("torques", TORQUES, needs_forces=True, rebuilt_by="all"),
    arrows("path_force", PATH_FORCE, is_in=has_beads),
    arrows("joint_forces", JOINT_FORCE, is_in=has_joints),
    arrows("joint_torques", JOINT_TORQUE, is_in=has_joints),
    arrows("tangents", TANGENT, is_in=has_beads),
    arrows("curvature", CURVATURE, make=CurvatureView, is_in=has_beads),
)
"""In the order of the menu View > Show, of their legends in the picture and of rendering."""
