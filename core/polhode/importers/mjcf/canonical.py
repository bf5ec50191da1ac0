"""MJCF in one form: attributes of default classes written out, angles in rad, rotations as quaternions, limits decided.

So parts of models with other classes and units can be put together (expanding.py).
"""

from __future__ import annotations

from pathlib import PurePosixPath

import numpy as np

from polhode.importers.kinematics import IDENTITY, to_quaternion
from polhode.importers.mjcf.styles import ACTUATORS, TURNS, CompilerSettings, Styles, turn_of
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message

LIMITS = {"limited": "range", "ctrllimited": "ctrlrange", "forcelimited": "forcerange"}
OF_SECTIONS = {"equality": "equality", "tendon": "tendon"}  # tag in <default> of all elements of a section
OF_WORLD = ("geom", "joint", "site")


def canonical(root: Element, settings: CompilerSettings, under: str) -> None:
    """Bring all elements of a model into this form. Raises InputError.

    under: its folder, from that to which the names of files count
    """
    styles = Styles.of(root)
    for section in root.children:
        if section.tag == "worldbody":
            _world(section, styles, settings)
        elif section.tag == "asset":
            _assets(section, styles, settings, under)
        elif section.tag in (*OF_SECTIONS, "actuator"):
            for element in section.children:
                if section.tag in OF_SECTIONS or element.tag in ACTUATORS:
                    styles.write(element, "", OF_SECTIONS.get(section.tag, "actuator"))
                    _decide_limits(element, settings)


def _world(section: Element, styles: Styles, settings: CompilerSettings) -> None:
    """All elements of the kinematic tree, each with the class around it."""
    waiting = [(section, "")]
    while waiting:
        element, around = waiting.pop()
        if element.tag in OF_WORLD:
            styles.write(element, around, element.tag)
        if element.tag == "joint":
            _joint(element, settings)
        if any(element.has(turn) for turn in TURNS):
            turn = turn_of(element, settings)
            for name in TURNS:
                element.attributes.pop(name, None)
            if not np.array_equal(turn, IDENTITY):
                element.attributes["quat"] = _text(to_quaternion(turn))
        inside = element.attributes.pop("childclass", around)
        waiting += [(child, inside) for child in element.children]


def _joint(joint: Element, settings: CompilerSettings) -> None:
    """A joint: its angles in rad, and whether it is limited."""
    if joint.attributes.get("type", "hinge").strip() in ("hinge", "ball"):
        for name in ("range", "ref", "springref"):
            if joint.has(name):
                joint.attributes[name] = _text(joint.numbers(name, (1, 2)) * settings.angle)
    _decide_limits(joint, settings)


def _decide_limits(element: Element, settings: CompilerSettings) -> None:
    """Write true or false for each limit. Raises InputError for a range that the compiler demands to be decided."""
    for name, numbers in LIMITS.items():
        if element.choice(name, ("true", "false", "auto"), "auto") != "auto":
            continue
        if element.has(numbers) and not settings.autolimits:
            rule = Message("has {numbers}, but not {name}, and autolimits is false", numbers=numbers, name=name)
            raise element.fault(rule, Message('add {name}="true", or "false"', name=name))
        element.attributes[name] = "true" if element.has(numbers) else "false"


def _assets(section: Element, styles: Styles, settings: CompilerSettings, under: str) -> None:
    """Meshes and materials: names of files from the folder of all models."""
    for element in section.children:
        if element.tag in ("mesh", "material"):
            styles.write(element, "", element.tag)
        if element.tag == "mesh" and element.has("file"):
            name = PurePosixPath(element.text("file").replace("\\", "/"))
            element.attributes.setdefault("name", name.stem)
            own = name.name if settings.strips_path else str(name)
            if "://" not in element.text("file"):
                element.attributes["file"] = str(PurePosixPath(under, settings.mesh_folder, own))


def _text(numbers: np.ndarray) -> str:
    return " ".join(repr(float(number)) for number in numbers)
