"""MJCF: actuators as motors, springs and dampers of joints.

An actuator whose force g (u) + b0 + b1 L + b2 dL/dt is linear in the length L = gear sum(c q) of what it acts on is a
torque by a formula of its control u, and a spring and a damper about q = 0. Controls are numbers; a filtered or
integrated one is the formula of t that it gives. Others are listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from polhode.importers.links import JointMotion, Winding
from polhode.importers.notes import left_out_here
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message

Target = tuple[JointMotion | Winding, float]  # a hinge, a slider or a tendon, and its coefficient in the length
READ = ("general", "motor", "position", "velocity", "intvelocity", "damper")
FILTERS = ("filter", "filterexact")


@dataclass(frozen=True, eq=False)
class Law:
    """gain and bias of 1, L and dL/dt, and what makes the activation of the control."""

    gain: np.ndarray  # (3,) times the control
    bias: np.ndarray  # (3,)
    activation: str = "none"  # none, integrator, filter or filterexact
    time: float = 0.0  # [s] constant of a filter


def add_actuators(
    root: Element, targets: Mapping[str, Sequence[Target]], controls: Sequence[float], notes: list[Message]
) -> None:
    """Add the actuators of a document to the motions of joints, with notes on those that are left out.

    targets: what joints and tendons move, by "joint NAME" and "tendon NAME"; controls: of all actuators in order

    Raises InputError.
    """
    for element, control in zip(all_actuators(root), controls, strict=True):
        reason = _add(element, targets, control, notes) if element.tag in READ else None  # the notes have the others
        if reason is not None:
            notes.append(left_out_here(element, reason))


def all_actuators(root: Element) -> list[Element]:
    """The actuators of a document in order."""
    return [element for section in root.all("actuator") for element in section.children]


def _add(
    element: Element, targets: Mapping[str, Sequence[Target]], control: float, notes: list[Message]
) -> Message | None:
    """Add an actuator; the reason where it is left out. Raises InputError."""
    law = _law(element)
    if law is None:
        return Message("has a law that is not linear")
    given = [(tag, element.text(key)) for tag, key in TRANSMISSIONS if element.has(key)]
    if not given or given[0][0] == "":
        return Message("does not act on a joint or a tendon")
    moved = targets.get(" ".join(given[0]))
    if moved is None:
        rule = Message("{tag} is '{name}', which is not there", tag=given[0][0], name=given[0][1])
        raise element.fault(rule, Message("correct the name"))
    if not moved or any(motion.kind not in ("hinge", "slider", "tendon") for motion, _ in moved):
        return Message("acts on more than hinges and sliders")
    if element.attributes.get("ctrllimited") == "true":
        lower, upper = element.numbers("ctrlrange", (2,))
        control = float(np.clip(control, lower, upper))
    gear = float(element.numbers("gear", (1, 2, 3, 4, 5, 6), [1.0])[0])
    needs = law.bias[1:] + control * law.gain[1:]  # of L and dL/dt
    if np.any(needs > 0):
        return Message("drives the motion on the further or the faster it is")
    if element.attributes.get("forcelimited") == "true" and np.any(needs):
        notes.append(Message("{place}: forcerange is not used, its force has no limits here", place=element.place))
    for motion, coefficient in moved:
        _drive(motion, element, law, gear * coefficient, control)
    return None


TRANSMISSIONS = (
    ("joint", "joint"), ("joint", "jointinparent"), ("tendon", "tendon"), ("", "site"), ("", "body"), ("", "cranksite"),
)  # fmt: skip


def _law(element: Element) -> Law | None:
    """The law of an actuator; None for kinds that are not read. Raises InputError."""
    gain, none = element.numbers("gainprm", tuple(range(1, 11)), [1.0]), np.zeros(3)
    first = float(gain[0])
    kp, kv = element.number("kp", first), element.number("kv", first if element.tag in ("velocity", "damper") else 0.0)
    match element.tag:
        case "motor":
            return Law(np.array([1.0, 0.0, 0.0]), none)
        case "position" | "intvelocity":
            time = element.number("timeconst", 0.0)
            activation = "integrator" if element.tag == "intvelocity" else "filterexact" if time > 0 else "none"
            return Law(np.array([kp, 0.0, 0.0]), np.array([0.0, -kp, -kv]), activation, time)
        case "velocity":
            return Law(np.array([kv, 0.0, 0.0]), np.array([0.0, 0.0, -kv]))
        case "damper":
            return Law(np.array([0.0, 0.0, -kv]), none)
        case "general":
            return _general(element, gain)
    return None


def _general(element: Element, gain: np.ndarray) -> Law | None:
    """The law of a <general>; None for kinds of gain, bias or activation that are not linear. Raises InputError."""
    kinds = [element.attributes.get(key, usual).strip() for key, usual in GENERAL.items()]
    if kinds[0] not in ("fixed", "affine") or kinds[1] not in ("none", "affine"):
        return None
    if kinds[2] not in ("none", "integrator", *FILTERS):
        return None
    found = [np.zeros(3), np.zeros(3)]
    bias = element.numbers("biasprm", tuple(range(1, 11)), [0.0])
    for law, numbers, kind in zip(found, (gain, bias), kinds, strict=False):
        count = {"none": 0, "fixed": 1}.get(kind, 3)
        law[: min(count, len(numbers))] = numbers[:3][: min(count, len(numbers))]
    time = float(element.numbers("dynprm", tuple(range(1, 11)), [1.0])[0])
    return Law(found[0], found[1], kinds[2], time)


GENERAL = {"gaintype": "fixed", "biastype": "none", "dyntype": "none"}


def _drive(motion: JointMotion | Winding, element: Element, law: Law, lever: float, control: float) -> None:
    """Add a law to the fields of a joint. lever: length of the actuator per coordinate"""
    stiffness, damping = (float(each) * lever**2 for each in -(law.bias[1:] + control * law.gain[1:]))
    damping += float(element.numbers("damping", (1, 2, 3), [0.0])[0]) * lever**2
    armature = element.number("armature", 0.0) * lever**2
    force, text = law.gain[0], _activated(law, control)
    if law.gain[0] and element.attributes.get("forcelimited") == "true" and not (stiffness or damping):
        lower, upper = element.numbers("forcerange", (2,)).tolist()
        text, force = f"max({lower!r}, min({upper!r}, {float(force)!r}*({text})))", 1.0
    terms = [f"{float(lever * force)!r}*({text})"] if force else []
    terms += [repr(float(lever * law.bias[0]))] if law.bias[0] else []
    if terms:
        before = motion.fields.get("motor", {}).get("torque")
        motion.fields["motor"] = {"torque": " + ".join([*([before] if before else []), *terms])}
    if stiffness or damping:
        _add_spring(motion, stiffness, damping)
    if armature:
        motion.fields["armature"] = motion.fields.get("armature", 0.0) + armature


def _activated(law: Law, control: float) -> str:
    """The control, or the formula of t of the activation that it makes from 0 on."""
    if control and law.activation == "integrator":
        return f"{control!r}*t"
    if control and law.activation in FILTERS and law.time > 0:
        return f"{control!r}*(1 - exp(-t/{law.time!r}))"
    return repr(control) if control else "0"


def _add_spring(motion: JointMotion | Winding, stiffness: float, damping: float) -> None:
    """Add a spring about 0 and a damper to those of a joint."""
    spring = {"stiffness": 0.0, "damping": 0.0, "rest": 0.0} | motion.fields.get("spring", {})
    total = spring["stiffness"] + stiffness
    rest = spring["stiffness"] * spring["rest"] / total if total else 0.0
    motion.fields["spring"] = {"stiffness": total, "damping": spring["damping"] + damping, "rest": rest}
