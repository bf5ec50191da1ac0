"""Problems of joints: names, positions, axes, formulas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from polhode.data.inputs import formula_of
from polhode.engine.part import Draft
from polhode.formulas.curve_checks import derivatives
from polhode.formulas.vector_fields import infinite_values
from polhode.physics.bodies.shapes import unit
from polhode.physics.joints.arrays import BROKEN, FIRST, SECOND, Joints, status_of
from polhode.physics.joints.description import (
    CylindricalJoint,
    DistanceJoint,
    GearJoint,
    HingeJoint,
    Joint,
    Limits,
    SliderJoint,
    TendonJoint,
    UniversalJoint,
)
from polhode.physics.joints.ends import Ends, displacement_at_start, ends_of, length_at_start
from polhode.scene.checks.known_names import KnownNames
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

PERPENDICULAR = 1e-5  # cosine between the axes of a universal joint that rounding in a file may leave
ROUNDING = 1e-9  # of a limit, by which a joint may begin outside
NO_HINGE = Message("there is no hinge or slider with that name")
MOST_BETWEEN = 100  # joints of the same two bodies: the time to eliminate them grows with the third power
FAR, FAR_VARIED = 1e-3, 0.3
"""Largest distance of the two anchors at the start, in parts of the arms or of the radii of gyration, as rounding in a
file leaves it, and where numbers are varied; smaller ones are closed."""


def check_joints(draft: Draft) -> None:
    """Add the problems of all joints: names, positions, axes, formulas."""
    scene = draft.scene
    named = {joint.name: joint for joint in scene.joint}
    rows = {body.name: b for b, body in enumerate(scene.bodies)}
    hinges = {name for name, each in named.items() if isinstance(each, HingeJoint | SliderJoint)}
    beads = {bead.name for bead in scene.bead}
    of_hinges = KnownNames(sorted(hinges), Message("name a joint of the kind hinge or slider"))
    of_bodies = KnownNames(rows)
    for number, joint in enumerate(scene.joint):
        if isinstance(joint, GearJoint):
            found = _gear_problems(joint, hinges, of_hinges)
        elif isinstance(joint, TendonJoint):
            unknown = [name for name in joint.joints if name not in hinges]
            found = [Problem("joints", NO_HINGE, of_hinges.remedy(name)) for name in unknown]
            found = found or [*_tendon_limits(joint, scene), *_motor_problems(joint, scene.folder)]
        else:
            found = _name_problems(joint, scene, rows, beads, of_bodies) or _shape_problems(joint, draft, rows)
        draft.problems += [problem.at(f"joint[{number}]") for problem in found]
    draft.problems += _crowded(scene)


def _crowded(scene: Scene) -> list[Problem]:
    """The problem of the first joint that ties two bodies beyond MOST_BETWEEN others."""
    found: Counter[frozenset[str | None]] = Counter()
    for number, joint in enumerate(scene.joint):
        if isinstance(joint, Joint):
            ends = frozenset((joint.first, joint.second))
            found[ends] += 1
            if found[ends] > MOST_BETWEEN:
                rule = Message("ties the same two ends as {count} other joints", count=MOST_BETWEEN)
                remedy = Message("remove joints: six equations hold two bodies together")
                return [Problem("", rule, remedy).at(f"joint[{number}]")]
    return []


def broken_joints(scene: Scene, joints: Joints, state: np.ndarray) -> Iterator[Problem]:
    """Warnings of the joints that are broken in a state (k,)."""
    for j in joints.switching.tolist():
        if status_of.py_func(joints, j, state) == BROKEN:
            rule = Message(
                "'{name}' has broken: its force reached {force:.6g} N",
                name=scene.joint[j].name,
                force=joints.breaks_at[j],
            )
            yield Problem(f"joint[{j}].breaks_at", rule, Message("reset the run, or enter a larger force"))


def _gear_problems(gear: GearJoint, hinges: set[str], known: KnownNames) -> list[Problem]:
    """Problems of the names of a gear's hinges."""
    return [
        Problem(key, NO_HINGE, known.remedy(name))
        for key, name in (("first", gear.first), ("second", gear.second))
        if name not in hinges
    ]


def _name_problems(
    joint: Joint, scene: Scene, rows: dict[str, int], beads: set[str], known: KnownNames
) -> list[Problem]:
    """Problems of the names of a joint's bodies, and of bodies that it can't hold."""
    found = []
    for key, name in (("first", joint.first), ("second", joint.second)):
        if name is None:
            continue
        if name not in rows:
            rule = Message("there is no body named '{name}'", name=name)
            found.append(Problem(key, rule, known.remedy(name)))
        elif name in beads:
            rule = Message("is a bead, which its path holds")
            found.append(Problem(key, rule, Message("name a body or a sphere")))
        elif getattr(scene.bodies[rows[name]], "dry_friction", 0.0) > 0.0:
            rule = Message("has dry friction on its support, which does not know the forces of joints")
            found.append(Problem(key, rule, Message("take friction instead of dry_friction")))
    if not found and not any(_is_mobile(scene, rows, name) for name in (joint.first, joint.second)):
        rule = Message("ties things that do not move")
        found.append(Problem("first", rule, Message('give one of them another support, such as "free"')))
    return found


def _is_mobile(scene: Scene, rows: dict[str, int], name: str | None) -> bool:
    return name is not None and scene.bodies[rows[name]].support not in ("fixed", "driven")


def _shape_problems(joint: Joint, draft: Draft, rows: dict[str, int]) -> list[Problem]:
    """Problems of axes, lengths and formulas of a joint whose bodies are known."""
    ends = ends_of(draft.scene, joint, rows)
    found = _gap_problems(joint, ends, _largest_radius(draft, ends), FAR_VARIED if draft.is_varied else FAR)
    if isinstance(joint, UniversalJoint):
        cosine = (ends.turns[FIRST] @ unit(joint.axis)) @ (ends.turns[SECOND] @ unit(joint.second_axis))
        if abs(cosine) > PERPENDICULAR:
            rule = Message("makes an angle of {angle:.4g} degrees with axis", angle=np.degrees(np.arccos(cosine)))
            found.append(Problem("second_axis", rule, Message("turn one of them: they must be perpendicular")))
    if isinstance(joint, DistanceJoint) and joint.length is None and not np.any(np.ptp(ends.positions, axis=0)):
        rule = Message("is left out, but both anchors are at the same place")
        found.append(Problem("length", rule, Message("move one of them, or take a ball joint")))
    found += _limit_problems(joint, ends)
    return found + (_motor_problems(joint, draft.scene.folder) if isinstance(joint, HingeJoint | SliderJoint) else [])


def _motor_problems(joint: HingeJoint | SliderJoint | TendonJoint, folder: Path) -> list[Problem]:
    """The problem of a motor whose formula is not finite."""
    if joint.motor is None:
        return []
    key = "motor.speed" if joint.motor.enforces_speed else "motor.torque"
    return infinite_values(derivatives(formula_of(joint.motor.source, folder), "t")[:2], [key] * 2, {})[:1]


def _limit_problems(joint: Joint, ends: Ends) -> list[Problem]:
    """The problem of a joint that begins outside its limits."""
    if not isinstance(joint, HingeJoint | SliderJoint | CylindricalJoint) or joint.limits is None:
        return []
    if isinstance(joint, HingeJoint):
        now, unit_name = joint.angle, "rad"
        remedy = Message("give the angle of the hinge at the start as angle, or widen the limits")
    else:
        now, unit_name = displacement_at_start(joint, ends), "m"
        remedy = Message("move one of its bodies, or widen the limits")
    return _beyond(joint.limits, now, unit_name, remedy)


def _tendon_limits(tendon: TendonJoint, scene: Scene) -> list[Problem]:
    """The problem of a tendon that begins outside its limits; none where its joints have problems of names."""
    if tendon.limits is None:
        return []
    try:
        now = length_at_start(scene, tendon)
    except KeyError:
        return []
    return _beyond(tendon.limits, now, "m", Message("widen the limits, or begin with other angles and displacements"))


def _beyond(limits: Limits, now: float, unit_name: str, remedy: Message) -> list[Problem]:
    """The problem of a coordinate that begins outside its limits. now: [unit_name]"""
    for key, limit, sign in (("lower", limits.lower, -1.0), ("upper", limits.upper, 1.0)):
        if limit is not None and sign * (now - limit) > ROUNDING * max(abs(limit), 1.0):
            rule = Message(
                "is {limit:.6g} {unit}, but the joint begins at {now:.6g} {unit}", limit=limit, unit=unit_name, now=now
            )
            return [Problem(f"limits.{key}", rule, remedy)]
    return []


def _largest_radius(draft: Draft, ends: Ends) -> float:
    """The largest radius of gyration [m] of the bodies of a joint; 0 where shapes have problems."""
    known = draft.results["properties"]
    if len(known) < len(draft.scene.bodies):
        return 0.0
    found = [known[b] for b in ends.bodies if b is not None and known[b].mass > 0.0]  # fixed bodies may have none
    return max((float(np.sqrt(each.principal()[0][-1] / each.mass)) for each in found), default=0.0)


def _gap_problems(joint: Joint, ends: Ends, radius: float, far: float) -> list[Problem]:
    """The problem of anchors that are apart at the start by more than `far` in parts of the arms.

    radius: the largest one of gyration of the bodies [m]
    """
    first, second = ends.positions
    gap = second - first
    if isinstance(joint, SliderJoint | CylindricalJoint):
        axis = ends.turns[FIRST] @ unit(joint.axis)
        gap = gap - (gap @ axis) * axis
    distance, arms = float(np.linalg.norm(gap)), np.linalg.norm(ends.positions - ends.origins, axis=1)
    if isinstance(joint, DistanceJoint):
        length = joint.length or distance
        rule = Message(
            "is {length:.6g} m, but the anchors are {distance:.6g} m apart", length=length, distance=distance
        )
        if (distance - length if joint.pull_only else abs(distance - length)) > far * length:
            return [Problem("length", rule, Message("leave it out, or move one of the bodies"))]
    elif distance > far * max(arms.max(), radius):
        rule = Message(
            "has its anchors {distance:.6g} m apart at the start: {first} and {second}",
            distance=distance,
            first=[round(each, 6) for each in first.tolist()],
            second=[round(each, 6) for each in second.tolist()],
        )
        remedy = Message(
            "move '{name}' by {way}, or leave one of the anchors out",
            name=joint.first,
            way=[round(each, 6) for each in gap.tolist()],
        )
        return [Problem("", rule, remedy)]
    return []
