"""MJCF: settings of the compiler, default classes, and notations of rotations."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from polhode.importers.kinematics import IDENTITY, RigidTransform, of_euler, of_quaternion, turned_about, z_to
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message

MAIN = "main"  # class of elements that name none
TURNS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
ACTUATORS = (
    "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "dcmotor",
    "pid", "orientation", "plugin",
)  # of <actuator>, which share their defaults  # fmt: skip
OF_LAWS = ("kp", "kv", "gainprm", "biasprm", "dynprm", "gaintype", "biastype", "dyntype", "timeconst")  # of actuators
YES_OR_NO = ("true", "false")


@dataclass(frozen=True)
class CompilerSettings:
    """Attributes of <compiler>; several of them count as one."""

    angle: float = np.pi / 180  # [rad] unit of angles
    sequence: str = "xyz"
    autolimits: bool = True
    mesh_folder: str = ""
    mass_from: str = "auto"  # inertiafromgeom
    groups: tuple[float, float] = (0.0, 5.0)  # of shapes that have mass
    fits_box: bool = False  # fitaabb: a form that is fitted to a mesh has the size of the box around it
    strips_path: bool = False  # strippath: files are named without their folders
    total_mass: float = 0.0  # [kg] settotalmass; 0: as masses are
    least: tuple[float, float] = (0.0, 0.0)  # [kg] boundmass, [kg m^2] boundinertia
    balances: bool = False  # balanceinertia: moments that no solid has become equal


def settings_of(root: Element) -> CompilerSettings:
    """The settings of a document. Raises InputError for values that are not known."""
    compilers = list(root.all("compiler"))
    if not compilers:
        return CompilerSettings()
    merged = Element("compiler", root.source, compilers[0].line)
    for each in compilers:
        merged.attributes |= each.attributes
    sequence = merged.attributes.get("eulerseq", "xyz").strip()
    if len(sequence) != 3 or any(letter.lower() not in "xyz" for letter in sequence):
        rule = Message("eulerseq is '{value}', needs three letters out of xyzXYZ", value=sequence)
        raise merged.fault(rule, Message("write it like xyz"))
    if merged.attributes.get("coordinate", "local") != "local":
        rule = Message("coordinate is not local, and others are not read")
        raise merged.fault(rule, Message("save the model with MuJoCo, which writes local coordinates"))
    lowest, highest = merged.numbers("inertiagrouprange", (2,), (0, 5))
    folder = merged.attributes.get("meshdir", merged.attributes.get("assetdir", "")).strip()
    return CompilerSettings(
        angle=np.pi / 180 if merged.choice("angle", ("degree", "radian"), "degree") == "degree" else 1.0,
        sequence=sequence,
        autolimits=merged.choice("autolimits", YES_OR_NO, "true") == "true",
        mesh_folder=folder,
        mass_from=merged.choice("inertiafromgeom", ("auto", *YES_OR_NO), "auto"),
        groups=(float(lowest), float(highest)),
        fits_box=merged.choice("fitaabb", YES_OR_NO, "false") == "true",
        strips_path=merged.choice("strippath", YES_OR_NO, "false") == "true",
        total_mass=max(merged.number("settotalmass", 0.0), 0.0),
        least=(merged.number("boundmass", 0.0), merged.number("boundinertia", 0.0)),
        balances=merged.choice("balanceinertia", YES_OR_NO, "false") == "true",
    )


@dataclass
class Styles:
    """The attributes of default classes, by class and tag; each class has those of the classes around it."""

    classes: dict[str, dict[str, dict[str, str]]] = field(default_factory=lambda: {MAIN: {}})

    @classmethod
    def of(cls, root: Element) -> Styles:
        """The default classes of a document. Raises InputError for a class without a name."""
        styles = cls()
        for default in root.all("default"):
            name = default.attributes.get("class", MAIN)
            styles._add(default, name, {})
            styles.classes[MAIN] = styles.classes[name]  # the outermost class is for elements that name none
        return styles

    def write(self, element: Element, around: str, tag: str) -> None:
        """Write the attributes of its class, or of `around` it, into an element, which then has none.

        tag: in <default>, of its kind

        Raises InputError for an unknown class.
        """
        name = element.attributes.pop("class", around) or MAIN
        if name not in self.classes:
            rule = Message("is of the class '{name}', which is not there", name=name)
            raise element.fault(rule, Message('add <default class="{name}">', name=name))
        element.attributes = self.classes[name].get(tag, {}) | element.attributes

    def _add(self, default: Element, name: str, outer: dict[str, dict[str, str]]) -> None:
        own = self.classes.setdefault(name, {})
        for tag, attributes in outer.items():
            own[tag] = attributes | own.get(tag, {})
        for each in default.children:
            if each.tag != "default":
                tag, before = each.tag, own.get(each.tag, {})
                if each.tag in ACTUATORS:  # one of another kind has a law of its own, and keeps the rest
                    tag, before = "actuator", own.get("actuator", {})
                    lost = () if each.tag == "general" else OF_LAWS
                    before = {key: value for key, value in before.items() if key not in lost}
                own[tag] = before | each.attributes
        for inner in default.all("default"):
            self._add(inner, inner.text("class"), own)


def turn_of(element: Element, settings: CompilerSettings) -> np.ndarray:
    """(3, 3) rotation that an element states as quat, axisangle, euler, xyaxes or zaxis; the identity for none.

    Raises InputError for more than one of them, and for axes without a direction.
    """
    given = [key for key in TURNS if element.has(key)]
    if len(given) > 1:
        rule = Message("has {first} beside {second}", first=given[0], second=given[1])
        raise element.fault(rule, Message("remove one of them"))
    match given:
        case ["quat"]:
            return of_quaternion(element.unit("quat", element.numbers("quat", (4,))))
        case ["axisangle"]:
            numbers = element.numbers("axisangle", (4,))
            return turned_about(element.unit("axisangle", numbers[:3]), numbers[3] * settings.angle)
        case ["euler"]:
            return of_euler(element.vector("euler") * settings.angle, settings.sequence)
        case ["xyaxes"]:
            numbers = element.numbers("xyaxes", (6,))
            x = element.unit("xyaxes", numbers[:3])
            y = element.unit("xyaxes", numbers[3:] - (numbers[3:] @ x) * x)
            return np.array([x, y, np.cross(x, y)]).T
        case ["zaxis"]:
            return z_to(element.direction("zaxis", (0.0, 0.0, 1.0)))
    return IDENTITY


def pose_of(element: Element) -> RigidTransform:
    """The pose that an element states by a position and a quaternion, as canonical.py leaves them."""
    turn = of_quaternion(element.unit("quat", element.numbers("quat", (4,)))) if element.has("quat") else IDENTITY
    return RigidTransform(turn, element.vector("pos"))
