"""MJCF, the format of MuJoCo, as links of a model.

Poses of bodies are in the frame of their parents, those of geoms, joints and inertials in that of their body.
Attributes that are not stated come from default classes; `childclass` names that of everything inside. Angles are
degrees unless <compiler> says otherwise. https://mujoco.readthedocs.io/en/stable/XMLreference.html
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from polhode.importers.geometry import moved
from polhode.importers.kinematics import HERE, MassOf, RigidTransform, Tables, listed
from polhode.importers.links import JointMotion, Link, RobotModel
from polhode.importers.masses import bounded, mass_of_link
from polhode.importers.mjcf.joints import motions_of
from polhode.importers.mjcf.loading import loaded
from polhode.importers.mjcf.shapes import Shapes
from polhode.importers.mjcf.styles import pose_of, settings_of
from polhode.importers.mjcf.ties import add_ties
from polhode.importers.notes import anything, known, left_out
from polhode.importers.reading import Element
from polhode.scene.message import Message

TURNS = "quat axisangle euler xyaxes zaxis"
GEOM = (
    "name class type size pos fromto mass density rgba material mesh fitscale group contype conaffinity friction "
    + TURNS
)
JOINT = "name class type pos axis range limited damping stiffness springref ref frictionloss armature group"
MESH = (
    "name class file scale refpos refquat vertex face normal texcoord builtin params inertia smoothnormal maxhullvert "
    "content_type material"
)
COMPILER = (
    "angle eulerseq coordinate autolimits meshdir assetdir texturedir inertiafromgeom inertiagrouprange discardvisual "
    "fusestatic fitaabb strippath settotalmass boundmass boundinertia balanceinertia usethread"
)
INSIDE = "body geom joint freejoint inertial frame replicate attach"
VOCABULARY = {
    "mujoco": known("model", "compiler option default asset worldbody equality actuator"),
    "compiler": known(COMPILER),
    "option": known("gravity timestep integrator"),
    "default": known("class", "default geom joint mesh material"),
    "asset": known("", "mesh material texture model"),
    "model": known("name file content_type"),
    "texture": anything(),
    "mesh": known(MESH),
    "material": anything(),
    "worldbody": known("", "body geom frame replicate attach"),
    "body": known(f"name pos childclass {TURNS}", INSIDE),
    "frame": known(f"name pos childclass {TURNS}", "body geom frame replicate attach"),
    "attach": known("model body frame prefix"),
    "replicate": known("count offset euler sep childclass", "body geom frame replicate attach"),
    "geom": known(GEOM),
    "joint": known(JOINT + " joint1 joint2 polycoef active"),
    "freejoint": known("name group"),
    "inertial": known(f"pos mass diaginertia fullinertia {TURNS}"),
    "equality": known("", "connect weld joint"),
    "connect": known("name class body1 body2 anchor active"),
    "weld": known("name class body1 body2 relpose anchor active"),
    "actuator": known(),
}
MOVING = ("joint", "freejoint", "composite", "flexcomp", "attach")
INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast")
# Contact of MuJoCo's default solref 0.02 1 and solimp 0.9 0.95: frequency squared and rate of its damper.
HARDNESS = 1 / (0.95 * 0.02) ** 2  # [1/s^2] stiffness of a plane over the mass of all that moves
RATE = 2 / (0.95 * 0.02)  # [1/s] damping of a plane over the smallest mass that moves


def read_mjcf(root: Element, path: Path, notes: list[Message], home: Path | None = None) -> RobotModel:
    """The model of an MJCF document; ignored elements are added to `notes`. Raises InputError.

    home: folder in or below which all of its files must be; None: that of the model
    """
    folder = path.parent if home is None else home
    loaded(root, path, folder, lambda part: notes.extend(left_out(part, VOCABULARY)))
    model = _MjcfFile(root, path.stem, folder, notes).model
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

    def __init__(self, root: Element, stem: str, folder: Path, notes: list[Message]):
        self._root, self._notes, self._settings = root, notes, settings_of(root)
        self._shapes = Shapes(root, folder, self._settings, notes)
        self._names: dict[str, Link] = {}
        self._joint_names: set[str] = set()
        self._colliding: set[int] = set()  # ids of links whose geoms would collide
        self.model = RobotModel(root.attributes.get("model", "").strip() or stem)
        self._options()
        worlds = [root.needed("worldbody"), *list(root.all("worldbody"))[1:]]
        ground = Link("world", worlds[0], None, HERE, JointMotion("fixed", worlds[0]))
        self.model.links.append(ground)
        for world in worlds:
            self._fill(world, ground, HERE, HERE)
        self._set_total_mass()
        add_ties(root, self.model, self._names, notes)
        self._harden_walls()
        if len(self._colliding) > 1:
            notes.append(Message("bodies do not collide with each other here, with planes only"))

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

    def _options(self) -> None:
        """Gravity and time step. The method is rk4 for all integrators."""
        option = Element("option", self._root.source, self._root.line)
        for each in self._root.all("option"):
            option.line = each.line
            option.attributes |= each.attributes
        self.model.world["gravity"] = listed(option.vector("gravity", (0.0, 0.0, -9.81)))
        self.model.solver = {"method": "rk4", "time_step": option.number("timestep", 0.002)}
        integrator = option.choice("integrator", INTEGRATORS, "RK4")
        if integrator != "RK4":
            self._notes.append(Message("the integrator {name} is replaced by rk4", name=integrator))

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
                case "body":
                    self._body(child, link, frame, laboratory)

    def _body(self, element: Element, parent: Link, frame: RigidTransform, laboratory: RigidTransform | None) -> None:
        """Add a body and everything inside of it."""
        name = element.attributes.get("name", "").strip() or f"body{len(self.model.links)}"
        if name in self._names or name == "world":
            raise element.fault(Message("has the name of another body"), Message("give it another name"))
        joints = [each for each in element.children if each.tag in ("joint", "freejoint")]
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
        inertial = element.first("inertial")
        if inertial is not None and self._settings.mass_from != "true":
            link.stated = _mass_of(inertial)
            link.has_mass = True
        still = laboratory @ pose if laboratory is not None and motion.kind == "fixed" else None
        self._fill(element, link, HERE, still)
        is_bounded = link.has_mass and (any(self._settings.least) or self._settings.balances)
        if link.parts or is_bounded:  # else the shapes tell the mass
            link.stated = bounded(mass_of_link(link), self._settings.least, self._settings.balances)

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
            if collides:
                self._wall(geom, laboratory @ frame @ pose_of(geom))
            else:
                self._notes.append(Message("{place} is a plane that nothing touches and is left out", place=geom.place))
            return
        counts = laboratory is None or (self._settings.total_mass > 0 and link is not self.model.links[0])
        weighs = counts and link.stated is None and self._settings.mass_from != "false"
        shape, mass = self._shapes.shape(geom, weighs)
        if collides:
            self._colliding.add(id(link))
        if shape is not None:
            link.shapes.append(moved(shape, frame))
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

    def _harden_walls(self) -> None:
        """Give walls the stiffness and damping of MuJoCo's default contact, by the masses of what moves."""
        masses = [mass_of_link(link).mass for link in self.model.links if link.has_mass]
        masses = [mass for mass in masses if mass > 0] or [1.0]
        for wall, _ in self.model.walls:
            wall |= {"stiffness": HARDNESS * sum(masses), "damping": RATE * min(masses)}


def _mass_of(inertial: Element) -> MassOf:
    """Stated mass, centre and tensor in the frame of the body. Raises InputError without a positive mass."""
    mass = float(inertial.numbers("mass", (1,))[0])
    if not mass > 0:
        raise inertial.fault(Message("mass is {mass:g}, not above 0", mass=mass), Message("correct it"))
    pose = pose_of(inertial)
    if inertial.has("fullinertia"):
        xx, yy, zz, xy, xz, yz = inertial.numbers("fullinertia", (6,))
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if inertial.has("diaginertia"):
            raise inertial.fault(Message("has fullinertia beside diaginertia"), Message("remove one of them"))
    else:
        tensor = np.diag(inertial.numbers("diaginertia", (3,)))
    return MassOf(mass, np.zeros(3), tensor).seen_from(pose)
