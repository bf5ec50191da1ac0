"""MJCF, the format of MuJoCo, as links of a model.

Poses of bodies are in the frame of their parents, those of geoms, joints and inertials in that of their body.
Attributes that are not stated come from default classes; `childclass` names that of everything inside. Angles are
degrees unless <compiler> says otherwise. https://mujoco.readthedocs.io/en/stable/XMLreference.html
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from polhode.importers.geometry import moved
from polhode.importers.kinematics import HERE, MassOf, RigidTransform, Tables, listed, to_quaternion
from polhode.importers.links import JointMotion, Link, Push, RobotModel
from polhode.importers.masses import bounded, mass_of_link
from polhode.importers.mjcf.actuators import Target, add_actuators, all_actuators
from polhode.importers.mjcf.contacts import PRESSING, excluded, pressing_of
from polhode.importers.mjcf.joints import motions_of
from polhode.importers.mjcf.keyframes import chosen, controls_of, keyframes_of, start_at
from polhode.importers.mjcf.loading import loaded
from polhode.importers.mjcf.shapes import UNREAD, Shapes
from polhode.importers.mjcf.styles import pose_of, settings_of
from polhode.importers.mjcf.tendons import add_cords, fixed_tendons
from polhode.importers.mjcf.ties import Named, add_ties
from polhode.importers.mjcf.vocabulary import FLAGS
from polhode.importers.mjcf.vocabulary import VOCABULARY as VOCABULARY
from polhode.importers.notes import left_out
from polhode.importers.options import RobotOptions
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message

DISABLED = {"spring": "stiffness", "damper": "damping", "frictionloss": "frictionloss", "limit": "limited"}
"""Attributes of joints and tendons without effect, by the flag that disables them."""
MOVING = ("joint", "freejoint", "composite", "flexcomp", "attach")
INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast")


def read_mjcf(root: Element, path: Path, notes: list[Message], options: RobotOptions) -> RobotModel:
    """The model of an MJCF document; ignored elements are added to `notes`. Raises InputError."""
    folder = path.parent if options.root is None else options.root
    loaded(root, path, folder, lambda part: notes.extend(left_out(part, VOCABULARY)))
    model = _MjcfFile(root, path.stem, folder, notes, options.start).model
    model.folder = folder
    _check_motion(root, model, notes)
    return model


def _check_motion(root: Element, model: RobotModel, notes: list[Message]) -> None:
    """Raise InputError, with all that was left out, where nothing moves in the model, but something in the file."""
    found = list(root.all("worldbody"))
    for element in found:  # grows meanwhile
        found += element.children
    moving = next((element for element in found if element.tag in MOVING), None)
    if moving is None or any(link.motion.kind != "fixed" for link in model.links):
        return
    rule = Message("is among the parts that move, all of which are left out: {notes}", notes="; ".join(map(str, notes)))
    raise moving.fault(rule, Message("replace them by bodies with joints"))


class _MjcfFile:
    """Makes a model of a document."""

    def __init__(self, root: Element, stem: str, folder: Path, notes: list[Message], start: str | None):
        self._root, self._notes, self._settings = root, notes, settings_of(root)
        self._shapes = Shapes(root, folder, self._settings, notes)
        self._names: dict[str, Link] = {}
        self._joint_names: set[str] = set()
        self._sites: dict[str, tuple[Link, RigidTransform]] = {}
        self.model = RobotModel(root.attributes.get("model", "").strip() or stem)
        self._options()
        self._disable()
        worlds = [root.needed("worldbody"), *list(root.all("worldbody"))[1:]]
        ground = Link("world", worlds[0], None, HERE, JointMotion("fixed", worlds[0]))
        self.model.links.append(ground)
        for world in worlds:
            self._fill(world, ground, HERE, HERE)
        self._set_total_mass()
        self._compensate_gravity()
        keys, controls = keyframes_of(root), [0.0] * len(all_actuators(root))
        self.model.starts = tuple(keys)
        if start is not None:
            key = chosen(root, keys, start)
            start_at(key, self.model.links, notes)
            controls = controls_of(key, len(controls))
        motions = {link.motion.name: link.motion for link in self.model.links if link.motion.name}
        tendons = fixed_tendons(root, motions, self.model, notes)
        if self._enabled("equality"):
            of_joints = {name: winding.terms for name, winding in tendons.items()}
            add_ties(root, self.model, Named(self._names, motions, self._sites, of_joints), notes)
        targets: dict[str, Sequence[Target]] = {f"joint {name}": [(each, 1.0)] for name, each in motions.items()}
        for name, winding in tendons.items():
            targets[f"tendon {name}"] = winding.terms if len(winding.terms) == 1 else [(winding, 1.0)]
        targets |= {f"tendon {name}": [] for name in self._spatial_tendons()}
        add_cords(root, self.model, self._sites, notes)
        if self._enabled("actuation"):
            add_actuators(root, targets, controls, notes)
        self.model.apart = excluded(root, self._names)
        self.model.parents_press = not self._enabled("filterparent")

    def _set_total_mass(self) -> None:
        """Multiply all masses by one factor, so that they add up to that which the compiler states, if any."""
        total = sum(mass_of_link(link).mass for link in self.model.links)
        if not (self._settings.total_mass > 0 and total > 0):
            return
        factor = self._settings.total_mass / total
        for link in self.model.links:
            for shape in link.shapes:
                for key in shape.keys() & {"mass", "density"}:
                    shape[key] *= factor
            if link.stated is not None:
                link.stated = MassOf(factor * link.stated.mass, link.stated.center, factor * link.stated.tensor)

    def _compensate_gravity(self) -> None:
        """Let forces relieve bodies of the part of their weight that they state."""
        for link in self.model.links:
            if not link.is_between and (part := link.element.number("gravcomp", 0.0)):
                mass = mass_of_link(link)
                force = -part * mass.mass * np.array(self.model.world["gravity"])
                self.model.pushes.append(Push(link, mass.center, force))

    def _options(self) -> None:
        """Gravity and time step. The method is rk4 for all integrators."""
        option = Element("option", self._root.source, self._root.line)
        for each in self._root.all("option"):
            option.line = each.line
            option.attributes |= each.attributes
        flags = [flag for each in self._root.all("option") for flag in each.all("flag")]
        self._disabled = {
            name for flag in flags for name in FLAGS if flag.attributes.get(name, "enable").strip() == "disable"
        }
        gravity = option.vector("gravity", (0.0, 0.0, -9.81)) if self._enabled("gravity") else np.zeros(3)
        self.model.world["gravity"] = listed(gravity)
        self.model.solver = {"method": "rk4", "time_step": option.number("timestep", 0.002)}
        integrator = option.choice("integrator", INTEGRATORS, "RK4")
        if integrator != "RK4":
            self._notes.append(Message("the integrator {name} is replaced by rk4", name=integrator))

    def _disable(self) -> None:
        """Take what flags disable out of the joints and tendons."""
        waiting = [self._root]
        for element in waiting:  # grows meanwhile
            waiting += element.children
            for flag, name in DISABLED.items():
                if not self._enabled(flag) and element.has(name):
                    element.attributes[name] = "false" if name == "limited" else "0"

    def _enabled(self, name: str) -> bool:
        """Whether a part of the physics is not disabled by a <flag>."""
        return name not in self._disabled

    def _spatial_tendons(self) -> list[str]:
        """Names of the spatial tendons, on which no actuator can act here."""
        tendons = [each for section in self._root.all("tendon") for each in section.all("spatial")]
        return [each.attributes.get("name", "") for each in tendons]

    def _fill(self, element: Element, link: Link, frame: RigidTransform, laboratory: RigidTransform | None) -> None:
        """Add the geoms and bodies of an element to a link.

        frame: pose of the element in the frame of the link
        laboratory: pose of a fixed link in the laboratory, else None
        """
        for child in element.children:
            match child.tag:
                case "frame":
                    self._fill(child, link, frame @ pose_of(child), laboratory)
                case "geom":
                    self._geom(child, link, frame, laboratory)
                case "site" if child.attributes.get("name"):
                    self._sites[child.attributes["name"].strip()] = (link, frame @ pose_of(child))
                case "body":
                    self._body(child, link, frame, laboratory)

    def _body(self, element: Element, parent: Link, frame: RigidTransform, laboratory: RigidTransform | None) -> None:
        """Add a body and everything inside of it."""
        name = element.attributes.get("name", "").strip() or f"body{len(self.model.links)}"
        if name in self._names or name == "world":
            raise element.fault(Message("has the name of another body"), Message("give it another name"))
        own = list(placed_in(element, HERE))
        joints = [each for each in own if each.tag != "inertial"]
        for joint in joints:
            self._check_joint_name(joint)
        *before, motion = motions_of(joints, self._notes) or [JointMotion("fixed", element)]
        if motion.kind == "free" and parent.parent is not None:
            raise element.fault(Message("is free, but inside of another body"), Message("move it to <worldbody>"))
        pose = frame @ pose_of(element)
        for number, outer in enumerate(before, 1):  # one body between each two joints
            parent = Link(f"{name}_{number}", element, parent, pose, outer, has_mass=True, is_between=True)
            self.model.links.append(parent)
            pose = HERE
        link = self._names[name] = Link(name, element, parent, pose, motion)
        self.model.links.append(link)
        inertial = next((each for each in own if each.tag == "inertial"), None)
        if inertial is not None and self._settings.mass_from != "true":
            link.stated = _mass_of(inertial)
            link.has_mass = link.stated.mass > 0
        still = laboratory @ pose if laboratory is not None and motion.kind == "fixed" else None
        self._fill(element, link, HERE, still)
        is_bounded = link.has_mass and (any(self._settings.least) or self._settings.balances)
        if link.parts or is_bounded:  # else the shapes tell the mass
            link.stated = bounded(mass_of_link(link), self._settings.least, self._settings.balances)
        if before or motion.kind != "fixed":
            self._check_mass(element, link, [*before, motion])

    def _check_mass(self, element: Element, link: Link, motions: list[JointMotion]) -> None:
        """Let a body not move, with a note, of which everything that has mass was left out."""
        waiting, is_left_out = [element], False
        for each in waiting:  # grows meanwhile
            waiting += [child for child in each.children if child.tag in ("frame", "composite", "flexcomp")]
            types = (self._shapes.type_of(child) for child in each.children if child.tag == "geom")
            is_left_out |= each.tag in ("composite", "flexcomp") or any(type_ in UNREAD for type_ in types)
        if link.has_mass or not is_left_out or any(each.parent is link for each in self.model.links):
            return
        for motion in motions:
            motion.kind, motion.fields = "fixed", {}
        self._notes.append(Message("{place} has no mass here and does not move", place=element.place))

    def _check_joint_name(self, joint: Element) -> None:
        """Raise InputError for a joint with the name of another one."""
        name = joint.attributes.get("name", "").strip()
        if name and name in self._joint_names:
            raise joint.fault(Message("has the name of another joint"), Message("give it another name"))
        self._joint_names.add(name)

    def _geom(self, geom: Element, link: Link, frame: RigidTransform, laboratory: RigidTransform | None) -> None:
        """Add a geom to a link, or a wall. Raises InputError for a plane that moves."""
        collides = geom.number("contype", 1.0) != 0 or geom.number("conaffinity", 1.0) != 0
        if self._shapes.type_of(geom) == "plane":
            if laboratory is None:
                raise geom.fault(Message("is a plane in a body that moves"), Message("move it to <worldbody>"))
            if collides and self._enabled("contact"):
                self._wall(geom, laboratory @ frame @ pose_of(geom))
            else:
                self._notes.append(Message("{place} is a plane that nothing touches and is left out", place=geom.place))
            return
        counts = laboratory is None or (self._settings.total_mass > 0 and link is not self.model.links[0])
        weighs = counts and link.stated is None and self._settings.mass_from != "false"
        shape, mass = self._shapes.shape(geom, weighs)
        if shape is not None:
            may_press = collides and self._enabled("contact") and shape["kind"] in PRESSING
            more = self._shapes.as_pressing(geom) if may_press else None
            if more is not None:
                link.pressing.append(pressing_of(geom, *self._shapes.pressing_points(geom)).moved(frame))
            link.shapes.append(moved(shape | ({"presses": False} if more is None else more), frame))
            link.has_mass |= shape.get("mass", 1.0) > 0
        if mass is not None:
            link.parts.append(mass.seen_from(frame))
            link.has_mass |= mass.mass > 0

    def _wall(self, geom: Element, pose: RigidTransform) -> None:
        """Add the wall of a plane, whose normal is its z axis."""
        name = geom.attributes.get("name", "").strip() or f"plane{len(self.model.walls)}"
        friction = float(geom.numbers("friction", (1, 2, 3), [1.0])[0])
        if friction < 0:
            raise geom.fault(Message("friction is less than 0"), Message("correct it"))
        wall: Tables = {"name": name, "point": listed(pose.position), "normal": listed(pose.turn[:, 2])}
        self.model.walls.append((wall | {"kinetic_friction": friction}, geom))


def placed_in(element: Element, frame: RigidTransform) -> Iterator[Element]:
    """The joints and the inertial of a body, also those in frames, in the frame of the body.

    frame: pose of the element in that
    """
    for child in element.children:
        if child.tag == "frame":
            yield from placed_in(child, frame @ pose_of(child))
        elif child.tag in ("joint", "freejoint", "inertial"):
            yield child if frame is HERE else _moved(child, frame)


def _moved(element: Element, frame: RigidTransform) -> Element:
    """A joint or an inertial within a frame, with its place and its direction in the outer frame."""
    pose = frame @ pose_of(element)
    numbers = {"pos": pose.position}
    if element.tag == "inertial":
        numbers["quat"] = to_quaternion(pose.turn)
    elif element.tag == "joint":
        numbers["axis"] = frame.turn @ element.vector("axis", (0.0, 0.0, 1.0))
    texts = {key: " ".join(repr(float(number)) for number in values) for key, values in numbers.items()}
    return replace(element, attributes=element.attributes | texts)


def _mass_of(inertial: Element) -> MassOf:
    """Stated mass, centre and tensor in the frame of the body. Raises InputError for a negative mass."""
    mass = float(inertial.numbers("mass", (1,))[0])
    if mass < 0:
        raise inertial.fault(Message("mass is {mass:g}, less than 0", mass=mass), Message("correct it"))
    pose = pose_of(inertial)
    if inertial.has("fullinertia"):
        xx, yy, zz, xy, xz, yz = inertial.numbers("fullinertia", (6,))
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if inertial.has("diaginertia"):
            raise inertial.fault(Message("has fullinertia beside diaginertia"), Message("remove one of them"))
    else:
        tensor = np.diag(inertial.numbers("diaginertia", (3,)))
    return MassOf(mass, np.zeros(3), tensor).seen_from(pose)
