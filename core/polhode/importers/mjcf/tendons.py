"""MJCF: tendons. Spatial ones are springs and strings over sites, fixed ones sums of coordinates of joints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from polhode.importers.kinematics import RigidTransform, Tables
from polhode.importers.links import Cord, JointMotion, Link, RobotModel, Winding
from polhode.importers.notes import left_out_here
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message

Sites = Mapping[str, tuple[Link, RigidTransform]]  # link and pose in its frame, by name


def fixed_tendons(
    root: Element, motions: Mapping[str, JointMotion], model: RobotModel, notes: list[Message]
) -> dict[str, Winding]:
    """The fixed tendons by name. Those of several joints are added to the model; what that of a single joint does is
    added to its motion. Raises InputError.
    """
    found: dict[str, Winding] = {}
    for section in root.all("tendon"):
        for tendon in section.all("fixed"):
            terms: list[tuple[JointMotion, float]] = []
            for joint in tendon.all("joint"):
                terms.append(_target(joint, motions))
                if any(terms[-1][0] is motion for motion, _ in terms[:-1]):
                    raise joint.fault(Message("names a joint twice"), Message("add their coefficients"))
            name = tendon.attributes.get("name", "").strip()
            winding = found[name] = Winding(name or f"tendon{len(model.windings)}", tendon, terms, _own(tendon, terms))
            if len(terms) == 1 and winding.kind == "tendon" and terms[0][1] != 0.0:
                _on_joint(winding.fields, *terms[0])
            elif winding.kind == "tendon":
                winding.terms = [term for term in terms if term[1] != 0.0]
                model.windings.append(winding)
            elif winding.fields:
                notes.append(left_out_here(tendon, Message("acts on more than hinges and sliders")))
            lengths = tendon.numbers("springlength", (1, 2), [-1.0])
            if "spring" in winding.fields and len(lengths) == 2 and lengths[1] > lengths[0]:
                rule = Message("{place}: the smaller springlength is not used", place=tendon.place)
                notes.append(rule)
    return found


def _own(tendon: Element, terms: Sequence[tuple[JointMotion, float]]) -> Tables:
    """Spring, damper, friction, rotor and limits of a tendon, as fields of a scene. Raises InputError."""
    fields: Tables = {}
    stiffness, damping = _hardness(tendon)
    if stiffness or damping:
        length = float(tendon.numbers("springlength", (1, 2), [-1.0])[-1])
        rest = sum(factor * motion.spring_reference for motion, factor in terms) if length == -1 else length
        fields["spring"] = {"stiffness": stiffness, "damping": damping, "rest": rest}
    for field, key in (("dry_friction", "frictionloss"), ("armature", "armature")):
        if value := tendon.number(key, 0.0):
            fields[field] = value
    if tendon.attributes.get("limited") == "true":
        lower, upper = tendon.numbers("range", (2,)).tolist()
        fields["limits"] = {"lower": lower, "upper": upper}
    return fields


def _target(joint: Element, motions: Mapping[str, JointMotion]) -> tuple[JointMotion, float]:
    """The motion that a <joint> of a tendon names, and its coefficient. Raises InputError."""
    name = joint.text("joint")
    if name not in motions:
        rule = Message("joint is '{name}', which is no joint", name=name)
        raise joint.fault(rule, Message("correct the name"))
    return motions[name], joint.number("coef", 0.0)


def _on_joint(fields: Tables, motion: JointMotion, coefficient: float) -> None:
    """Add spring, damper, friction and limits of a tendon L = c q to its joint."""
    square = coefficient**2
    if "spring" in fields:
        own = fields["spring"]
        stiffness, rest = own["stiffness"] * square, own["rest"] / coefficient
        spring = {"stiffness": 0.0, "damping": 0.0, "rest": 0.0} | motion.fields.get("spring", {})
        total = spring["stiffness"] + stiffness
        middle = (spring["stiffness"] * spring["rest"] + stiffness * rest) / total if total else 0.0
        damping = spring["damping"] + own["damping"] * square
        motion.fields["spring"] = {"stiffness": total, "damping": damping, "rest": middle}
    for field, factor in (("dry_friction", abs(coefficient)), ("armature", square)):
        if field in fields:
            motion.fields[field] = motion.fields.get(field, 0.0) + fields[field] * factor
    if "limits" in fields:
        lower, upper = sorted(fields["limits"][key] / coefficient for key in ("lower", "upper"))
        before = motion.fields.get("limits", {"lower": lower, "upper": upper})
        motion.fields["limits"] = {"lower": max(lower, before["lower"]), "upper": min(upper, before["upper"])}


def add_cords(root: Element, model: RobotModel, sites: Sites, notes: list[Message]) -> None:
    """Add the springs and strings of spatial tendons, with notes on those that are left out. Raises InputError."""
    for section in root.all("tendon"):
        for tendon in section.all("spatial"):
            reason = _add(tendon, model, sites)
            if reason is not None:
                notes.append(left_out_here(tendon, reason))


def _add(tendon: Element, model: RobotModel, sites: Sites) -> Message | None:
    """Add a spatial tendon; the reason where it is left out. Raises InputError."""
    if any(child.tag == "geom" for child in tendon.children):
        return Message("runs around geoms")
    places: list[tuple[Link, np.ndarray]] = []
    strands: list[float] = []
    for branch, number in _branches(tendon):
        if len(branch) < 2:
            return Message("has a branch without two sites")
        found = [_site(child, sites) for child in branch]
        strands += [*([0.0] if places else []), *([number] * (len(found) - 1))]
        places += [(link, pose.position) for link, pose in found]
    if not places:
        return Message("has no sites")
    name = tendon.attributes.get("name", "").strip() or f"tendon{len(model.cords)}"
    fields = _spring(tendon)
    if fields is not None:
        model.cords.append(Cord(name, tendon, places, strands, fields, _hardness(tendon)))
    if tendon.attributes.get("limited") == "true":
        length = float(tendon.numbers("range", (2,))[1])
        if not length > 0:
            raise tendon.fault(Message("range ends at {value:g}", value=length), Message("give a length above 0"))
        model.cords.append(Cord(name, tendon, places, strands, {"length": length, "pull_only": True}))
    return None


def _branches(tendon: Element) -> Iterator[tuple[list[Element], float]]:
    """The sites of each branch of a tendon, and the part of its tension there: 1 over the divisor of the pulley before.

    Raises InputError for a divisor that is not above 0.
    """
    branch: list[Element] = []
    number = 1.0
    for child in tendon.children:
        if child.tag != "pulley":
            branch.append(child)
            continue
        if branch:
            yield branch, number
        divisor = child.number("divisor", 1.0)
        if not divisor > 0:
            raise child.fault(Message("divisor is {value:g}", value=divisor), Message("give a number above 0"))
        branch, number = [], 1.0 / divisor
    if branch:
        yield branch, number


def _site(child: Element, sites: Sites) -> tuple[Link, RigidTransform]:
    """The link and the pose of a site that a tendon names. Raises InputError."""
    name = child.text("site")
    if name not in sites:
        raise child.fault(Message("site is '{name}', which is no site", name=name), Message("correct the name"))
    return sites[name]


def _hardness(tendon: Element) -> tuple[float, float]:
    """Stiffness and damping of a tendon, to the first order. Raises InputError for negative ones."""
    stiffness, damping = (float(tendon.numbers(key, (1, 2, 3), [0.0])[0]) for key in ("stiffness", "damping"))
    if stiffness < 0 or damping < 0:
        raise tendon.fault(Message("stiffness or damping is less than 0"), Message("correct it"))
    return stiffness, damping


def _spring(tendon: Element) -> Tables | None:
    """The fields of the spring of a tendon; None without stiffness and damping. Raises InputError."""
    stiffness, damping = _hardness(tendon)
    if not (stiffness or damping):
        return None
    lengths = tendon.numbers("springlength", (1, 2), [-1.0])
    if len(lengths) == 2 and lengths[1] > lengths[0] >= 0:
        low, high = (float(each) for each in lengths)
        pull = f"{stiffness!r}*max(l - {high!r}, 0)" + (f" + {stiffness!r}*min(l - {low!r}, 0)" if low else "")
        return {"force": pull + (f" + {damping!r}*v" if damping else "")}
    if not stiffness:
        return {"force": f"{damping!r}*v"}
    rest = {"rest_length": float(lengths[0])} if lengths[0] >= 0 else {}  # without one: that of the reference
    return {"stiffness": stiffness, "damping": damping, **rest}
