"""URDF, the robot description format of ROS, as links of a model.

Links form one tree. The root is fixed in the laboratory; a link on a floating joint is free. Frames of a link are those
of its joint; `origin` is a shift xyz and rolls, pitches and yaws about fixed axes; the inertial frame has the centre of
mass as its origin. All joints start at 0, or at the limit that is nearest to it. http://wiki.ros.org/urdf/XML
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from polhode.importers.geometry import color, scale_of
from polhode.importers.kinematics import HERE, IDENTITY, MassOf, RigidTransform, Tables, of_roll_pitch_yaw
from polhode.importers.links import Gear, JointMotion, Kind, Link, RobotModel
from polhode.importers.notes import known, left_out
from polhode.importers.options import Choice, RobotOptions
from polhode.importers.urdf_meshes import UrdfMeshes
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message, plural

VOCABULARY = {
    "robot": known("name version xmlns xmlns:xsi xmlns:xacro", "link joint material"),
    "link": known("name type", "inertial visual collision"),
    "inertial": known("", "origin mass inertia"),
    "origin": known("xyz rpy"),
    "mass": known("value"),
    "inertia": known("ixx ixy ixz iyy iyz izz"),
    "visual": known("name", "origin geometry material"),
    "collision": known("name", "origin geometry"),
    "geometry": known("", "box cylinder sphere mesh capsule"),
    "box": known("size"),
    "cylinder": known("radius length"),
    "capsule": known("radius length"),
    "sphere": known("radius"),
    "mesh": known("filename scale"),
    "material": known("name", "color"),
    "color": known("rgba"),
    "joint": known("name type", "origin parent child axis limit dynamics mimic"),
    "parent": known("link"),
    "child": known("link"),
    "axis": known("xyz"),
    "limit": known("lower upper"),
    "dynamics": known("damping friction"),
    "mimic": known("joint multiplier offset"),
}
JOINTS = ("fixed", "revolute", "continuous", "prismatic", "floating", "planar")


WATER = 1000.0  # [kg/m^3] of links that move and state no mass


def read_urdf(root: Element, path: Path, notes: list[Message], options: RobotOptions) -> RobotModel:
    """The model of a URDF document; ignored elements are added to `notes`. Raises InputError."""
    notes += left_out(root, VOCABULARY)
    return _Robot(root, path, notes, options).model(path.stem)


class _Robot:
    """Makes a model of a document."""

    def __init__(self, root: Element, path: Path, notes: list[Message], options: RobotOptions):
        self._root, self._notes, self._options = root, notes, options
        self._meshes = UrdfMeshes(root, path, notes, options.packages)
        self._choices: list[Choice] = list(self._meshes.choices)
        self._materials = {each.attributes.get("name", ""): each for each in root.all("material")}
        self._motions: dict[str, JointMotion] = {}
        self._skipped = 0  # collision shapes of links that have others to draw

    def model(self, stem: str) -> RobotModel:
        """The links in order, and the gears of joints that mimic others."""
        elements, joints = _by_name(self._root, "link"), _by_name(self._root, "joint")
        if not elements:
            raise self._root.fault(Message("has no <link>"), Message("add one"))
        model = RobotModel(self._root.attributes.get("name", "").strip() or stem, folder=self._meshes.folder)
        links: dict[str, Link] = {}
        for name, joint in _in_order(self._root, elements, joints):
            if joint is None:
                link = Link(name, elements[name], None, HERE, JointMotion("fixed", elements[name]))
            else:
                parent = links[joint.needed("parent").text("link")]
                motion = self._motions[joint.text("name")] = self._motion(joint)
                link = Link(name, elements[name], parent, _origin(joint), motion)
            self._fill(link)
            links[name] = link
            model.links.append(link)
        model.gears += [gear for joint in _leaders_first(joints) for gear in self._gear(joint)]
        _give_densities(model.links, self._notes)
        self._tell_of_starts()
        model.choices += self._choices
        return model

    def _fill(self, link: Link) -> None:
        """Add mass and shapes to a link."""
        inertial = link.element.first("inertial")
        if inertial is not None:
            link.stated = _mass_of(inertial)
            link.has_mass = link.stated.mass > 0
            link.stated = link.stated if link.has_mass else None
        visuals, collisions = list(link.element.all("visual")), list(link.element.all("collision"))
        self._skipped += len(collisions) if visuals else 0
        for each in visuals or collisions:
            shape = self._shape(each.needed("geometry"))
            if shape is not None:
                link.shapes.append(shape | _origin(each).tables() | self._color(each) | {"mass": 0.0})

    def _shape(self, geometry: Element) -> Tables | None:
        """The form of a geometry; None, with a note, where it can't be drawn. Raises InputError without one."""
        if not geometry.children:
            raise geometry.fault(Message("is empty"), Message("add a box, cylinder, sphere or mesh"))
        form = geometry.children[0]
        match form.tag:
            case "box":
                return {"kind": "cuboid", "size": form.numbers("size", (3,)).tolist()}
            case "cylinder" | "capsule":
                numbers = {key: float(form.numbers(key, (1,))[0]) for key in ("radius", "length")}
                return {"kind": form.tag, **numbers}
            case "sphere":
                return {"kind": "sphere", "radius": float(form.numbers("radius", (1,))[0])}
            case "mesh":
                return {"kind": "mesh", "file": self._meshes.name_of(form), **scale_of(form)}
        return None  # the notes have it

    def _color(self, visual: Element) -> Tables:
        """The colour of a visual: its own, or of the robot's material of this name."""
        material = visual.first("material")
        if material is None:
            return {}
        own = material.first("color")
        if own is None:
            shared = self._materials.get(material.attributes.get("name", ""))
            own = shared.first("color") if shared is not None else None
        return {} if own is None else color(own, own.numbers("rgba", (4,)))

    def _motion(self, joint: Element) -> JointMotion:
        """Motion of the child of a joint, with notes on limits without a range.

        Raises InputError for planar joints and crossed limits.
        """
        kind = joint.choice("type", JOINTS, "")
        if kind == "planar":
            rule = Message("is planar, which is not supported")
            raise joint.fault(rule, Message("take two prismatic joints and a link"))
        if kind in ("fixed", "floating"):
            return JointMotion("fixed" if kind == "fixed" else "free", joint, joint.text("name"))
        motion = _unlimited(joint)
        if kind == "continuous":
            return motion
        limit = joint.needed("limit")
        lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
        if lower == upper == 0.0:
            return self._without_range(joint, limit, motion)
        return _limited(motion, limit, lower, upper)

    def _without_range(self, joint: Element, limit: Element, motion: JointMotion) -> JointMotion:
        """The motion of a joint with the limits 0 and 0: none, or without limits, by choice or by its other numbers."""
        are_zeros = limit.number("effort", 1.0) == limit.number("velocity", 1.0) == 0.0
        usual = self._options.zero_limits or ("free" if are_zeros else "locked")
        chosen = self._options.of_joints.get(motion.name, usual)
        if chosen == "locked":
            note = Message("{place} has the limits 0 and 0 and is fixed", place=joint.place)
        elif are_zeros:
            note = Message(
                "{place} has only zeros as limits, as if none were given: it moves freely", place=joint.place
            )
        else:
            note = Message("{place} has the limits 0 and 0: it moves freely, as chosen", place=joint.place)
        self._notes.append(note)
        self._choices.append(Choice("zero_limits", motion.name, chosen, note))
        return JointMotion("fixed", joint, motion.name) if chosen == "locked" else motion

    def _gear(self, joint: Element) -> list[Gear]:
        """The gear of a joint that mimics another; where they are no hinges or sliders a note. Raises InputError."""
        mimic = joint.first("mimic")
        if mimic is None:
            return []
        name, other = joint.text("name"), mimic.text("joint")
        if other not in self._motions or other == name:
            rule = Message("mimics '{name}', which is no other joint", name=other)
            raise mimic.fault(rule, Message("name one of the joints"))
        first, second = self._motions[other], self._motions[name]
        ratio, offset = mimic.number("multiplier", 1.0), mimic.number("offset", 0.0)
        if first.kind == "fixed" and offset == 0.0:
            rule = Message("'{name}' mimics '{other}', which does not move, and is fixed", name=name, other=other)
            self._notes.append(rule)
            second.kind, second.fields = "fixed", {}
            return []
        if not {first.kind, second.kind} <= {"hinge", "slider"} or ratio == 0.0:
            rule = Message(
                "'{name}' mimics '{other}', but gears tie hinges and sliders: it moves freely", name=name, other=other
            )
            self._notes.append(rule)
            return []
        second.start = ratio * first.start + offset
        return [Gear(f"{name}_mimic", mimic, first, second, ratio)]

    def _tell_of_starts(self) -> None:
        """Add notes on joints that do not start at 0, and on shapes that are not used."""
        for name, motion in self._motions.items():
            if motion.start:
                self._notes.append(Message("'{name}' starts at {start:.6g}", name=name, start=motion.start))
        if self._skipped:
            self._notes.append(
                plural(
                    "{count} collision shape is not used: links do not collide, and are drawn by their visual shapes",
                    "{count} collision shapes are not used: links do not collide, and are drawn by their visual shapes",
                    count=self._skipped,
                )
            )


def _by_name(root: Element, tag: str) -> dict[str, Element]:
    """The children with a tag by their names. Raises InputError for missing and repeated names."""
    found: dict[str, Element] = {}
    for element in root.all(tag):
        name = element.text("name")
        if name in found:
            rule = Message("has the name of the <{tag}> in line {line}", tag=tag, line=found[name].line)
            raise element.fault(rule, Message("give it another name"))
        found[name] = element
    return found


def _leaders_first(joints: dict[str, Element]) -> list[Element]:
    """The joints, each after the one that it mimics. Raises InputError for joints that mimic each other in a circle."""
    order: dict[str, Element] = {}
    for name in joints:
        waiting: list[str] = []
        while name in joints and name not in order:
            if name in waiting:
                rule = Message("mimics itself through other joints")
                raise joints[name].fault(rule, Message("let one of them move by itself"))
            waiting.append(name)
            mimic = joints[name].first("mimic")
            name = "" if mimic is None else mimic.text("joint")
        order |= {each: joints[each] for each in waiting[::-1]}
    return list(order.values())


def _in_order(
    root: Element, links: dict[str, Element], joints: dict[str, Element]
) -> Iterator[tuple[str, Element | None]]:
    """Links in order, parents first, with parent joints, None for the root. Raises InputError if they are no tree."""
    children: dict[str, list[tuple[str, Element]]] = {}
    held: dict[str, Element] = {}
    for joint in joints.values():
        ends = [joint.needed(tag).text("link") for tag in ("parent", "child")]
        for name in ends:
            if name not in links:
                rule = Message("names the link '{name}', which is not there", name=name)
                raise joint.fault(rule, Message("correct the name, or add the link"))
        if ends[1] in held:
            rule = Message("holds '{name}', as does the joint in line {line}", name=ends[1], line=held[ends[1]].line)
            raise joint.fault(rule, Message("remove one of them: each link has one parent"))
        held[ends[1]] = joint
        children.setdefault(ends[0], []).append((ends[1], joint))
    roots = [name for name in links if name not in held]
    if len(roots) != 1:
        rule = Message("has {count} links without a parent, needs one", count=len(roots))
        raise root.fault(rule, Message("make one tree of the links"))
    order: list[tuple[str, Element | None]] = [(roots[0], None)]
    for name, _ in order:  # grows meanwhile
        order += children.get(name, [])
    if len(order) < len(links):
        lost = next(iter(links.keys() - {name for name, _ in order}))
        raise links[lost].fault(Message("hangs on itself in a circle of joints"), Message("make one tree of the links"))
    return iter(order)


def _origin(element: Element) -> RigidTransform:
    """The pose of <origin>; none is the identity."""
    origin = element.first("origin")
    if origin is None:
        return HERE
    return RigidTransform(of_roll_pitch_yaw(origin.vector("rpy")), origin.vector("xyz"))


def _mass_of(inertial: Element) -> MassOf:
    """Mass, centre and tensor in the frame of the link."""
    mass = float(inertial.needed("mass").numbers("value", (1,))[0])
    if mass < 0:
        raise inertial.fault(Message("mass is {mass:g}, less than 0", mass=mass), Message("correct it"))
    moments = inertial.needed("inertia")
    xx, yy, zz = (float(moments.numbers(key, (1,))[0]) for key in ("ixx", "iyy", "izz"))
    xy, xz, yz = (moments.number(key, 0.0) for key in ("ixy", "ixz", "iyz"))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return MassOf(mass, np.zeros(3), tensor).seen_from(_origin(inertial))


def _limited(motion: JointMotion, limit: Element, lower: float, upper: float) -> JointMotion:
    """The motion with limits; it starts at that which is nearest to 0. Raises InputError for crossed ones."""
    if not lower < upper:
        rule = Message("lower, {lower:.6g}, is not below upper, {upper:.6g}", lower=lower, upper=upper)
        raise limit.fault(rule, Message("correct them, or take a fixed or continuous joint"))
    motion.fields["limits"] = {"lower": lower, "upper": upper}
    motion.start = min(max(0.0, lower), upper)
    return motion


def _unlimited(joint: Element) -> JointMotion:
    """The motion of the child of a revolute, continuous or prismatic joint, without its limits."""
    axis = joint.first("axis")
    ahead = IDENTITY[0] if axis is None else axis.direction("xyz", (1.0, 0.0, 0.0))
    kind: Kind = "slider" if joint.attributes["type"].strip() == "prismatic" else "hinge"
    motion = JointMotion(kind, joint, joint.text("name"), axis=ahead)
    dynamics = joint.first("dynamics")
    if dynamics is not None:
        for key, field in (("damping", "friction"), ("friction", "dry_friction")):
            if number := dynamics.number(key, 0.0):
                motion.fields[field] = number
    return motion


def _give_densities(links: list[Link], notes: list[Message]) -> None:
    """Give the shapes of links that move the density of water where neither they nor what is fixed to them has a mass.

    Each of these links gets a note.
    """
    groups: dict[int, list[Link]] = {}  # of links that move as one
    of_links: dict[int, list[Link]] = {}
    for link in links:
        is_part = link.parent is None or link.motion.kind == "fixed"
        group = of_links.get(id(link.parent), []) if is_part and link.parent is not None else []
        group.append(link)
        of_links[id(link)] = group
        groups[id(group)] = group
    for group in groups.values():
        if group[0].parent is None or any(link.has_mass for link in group):
            continue
        for link in group:
            for shape in link.shapes:
                shape.pop("mass")
                shape["density"] = WATER
            if link.shapes:
                link.has_mass = True
                rule = Message(
                    "{place} moves without an inertial: its shapes get {density:g} kg/m^3",
                    place=link.element.place,
                    density=WATER,
                )
                notes.append(rule)
