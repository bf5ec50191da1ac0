"""MJCF: copies that <replicate> and <attach> make, as elements with names of their own.

What refers to a copied part from outside, such as a tendon, is copied with it: replicas take everything that refers to
them, attached parts of a model what refers to them alone. Models are in the form of canonical.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from polhode.importers.kinematics import HERE, RigidTransform, to_quaternion
from polhode.importers.mjcf.styles import ACTUATORS, pose_of
from polhode.scene.files.xml_tree import MOST_ELEMENTS, Element
from polhode.scene.message import Message

SECTIONS = ("contact", "tendon", "equality", "actuator")  # what refers to parts of the tree; each to those before it
NAMESPACES = {"freejoint": "joint", "spatial": "tendon", "fixed": "tendon", **dict.fromkeys(ACTUATORS, "actuator")}
REFERENCES = {
    "joint": "joint", "body": "body", "site": "site", "geom": "geom", "tendon": "tendon", "mesh": "mesh",
    "material": "material", "sidesite": "site", "slidersite": "site", "cranksite": "site", "refsite": "site",
    "jointinparent": "joint", "actuator": "actuator",
}  # fmt: skip
Names = set[tuple[str, str]]  # namespace and name


@dataclass(frozen=True)
class Naming:
    """How the names of a copy are changed."""

    names: Names  # of what is copied
    prefix: str = ""
    suffix: str = ""

    def copied(self, element: Element) -> Element:
        """A copy of an element with everything in it."""
        attributes = dict(element.attributes)
        for key, namespace, name in _references(element):
            if (namespace, name) in self.names:
                attributes[key] = self.prefix + name + self.suffix
        if attributes.get("name"):
            attributes["name"] = self.prefix + attributes["name"] + self.suffix
        inside = [self.copied(child) for child in element.children]
        return Element(element.tag, element.source, element.line, attributes, inside, file=element.file)


def _references(element: Element) -> Iterator[tuple[str, str, str]]:
    """Attribute, namespace and name of everything that an element itself refers to."""
    for key, value in element.attributes.items():
        namespace = REFERENCES.get(re.sub(r"\d$", "", key))
        if namespace is not None:
            yield key, namespace, value.strip()


def _all_references(element: Element) -> Names:
    """Namespaces and names to which an element and everything in it refer, without those of materials."""
    found = {(space, name) for _, space, name in _references(element) if space != "material"}
    return found.union(*map(_all_references, element.children))


def _names(element: Element) -> Names:
    """The names of an element and of everything in it."""
    name = element.attributes.get("name", "")
    own = {(NAMESPACES.get(element.tag, element.tag), name)} if name else set()
    return own.union(*map(_names, element.children))


def size_of(element: Element) -> int:
    """The number of elements in one, with itself."""
    return 1 + sum(map(size_of, element.children))


@dataclass
class Expansion:
    """Makes the copies in one model."""

    root: Element
    models: Mapping[str, Element]  # those that may be attached, expanded, by name
    room: int = MOST_ELEMENTS  # elements that may be made
    _assets: set[tuple[str, str]] = field(default_factory=set)  # models and prefixes whose assets are copied

    def expand(self) -> None:
        """Replace each <replicate> and <attach> by its copies. Raises InputError."""
        for world in self.root.all("worldbody"):
            self._inside(world)

    def _inside(self, element: Element) -> None:
        """The copies in an element, those inside others first."""
        found: list[Element] = []
        for child in element.children:
            self._inside(child)
            match child.tag:
                case "replicate":
                    found += self._replicas(child)
                case "attach":
                    found += self._attached(child)
                case _:
                    found.append(child)
        element.children = found

    def _replicas(self, replicate: Element) -> list[Element]:
        """The frames of a <replicate>, each in the place of the one before. Raises InputError."""
        number = float(replicate.numbers("count", (1,))[0])
        if number < 1 or number != round(number):
            rule = Message("count is {value:g}, not a whole number from 1 on", value=number)
            raise replicate.fault(rule, Message("correct it"))
        names, count = _names(replicate), int(number)
        self._claim(replicate, number * size_of(replicate), Message("repeat it less often"))
        step, pose = RigidTransform(pose_of(replicate).turn, replicate.vector("offset")), HERE
        separator, digits = replicate.attributes.get("sep", ""), len(str(count - 1))
        frames, namings = [], []
        for each in range(count):
            naming = Naming(names, suffix=f"{separator}{each:0{digits}d}")
            frame = Element("frame", replicate.source, replicate.line, _attributes(pose), file=replicate.file)
            frame.children = [naming.copied(child) for child in replicate.children]
            frames.append(frame)
            namings.append(naming)
            pose = pose @ step
        for section in self._sections(self.root):
            section.children = [
                made
                for element in section.children
                for made in (
                    [naming.copied(element) for naming in namings] if _all_references(element) & names else [element]
                )
            ]
        return frames

    def _attached(self, attach: Element) -> list[Element]:
        """The part of a model that an <attach> names, with what belongs to it. Raises InputError."""
        model = attach.attributes.get("model", "").strip()
        if model and model not in self.models:
            rule = Message("names the model '{name}', which is not there", name=model)
            raise attach.fault(rule, Message("add it to <asset>"))
        source = self.models[model] if model else self.root
        part = _part(attach, source)
        self._claim(attach, size_of(part), Message("attach it less often"))
        prefix, names = attach.attributes.get("prefix", ""), _names(part)
        if model:
            names |= self._with_assets(source, model, prefix)
        naming = Naming(names, prefix=prefix)
        for section in SECTIONS:
            elements = [each for found in source.all(section) for each in found.children]
            for element in elements:
                needed = _all_references(element)
                if needed and needed <= names:
                    names |= _names(element)
                    self._claim(attach, size_of(element), Message("attach it less often"))
                    _section(self.root, section).children.append(naming.copied(element))
        return [naming.copied(part)]

    def _with_assets(self, source: Element, model: str, prefix: str) -> Names:
        """Copy the assets of a model once for each prefix; returns their names."""
        names: Names = set().union(*(_names(section) for section in source.all("asset")))
        if (model, prefix) not in self._assets:
            self._assets.add((model, prefix))
            naming, assets = Naming(names, prefix=prefix), _section(self.root, "asset")
            for section in source.all("asset"):
                assets.children += [naming.copied(each) for each in section.children if each.tag != "model"]
        return names

    def _claim(self, element: Element, count: float, remedy: Message) -> None:
        """Take some of the room that is left. Raises InputError where there is too little."""
        if count > self.room:
            raise element.fault(Message("makes more than {most} elements", most=MOST_ELEMENTS), remedy)
        self.room -= int(count)

    def _sections(self, root: Element) -> Iterator[Element]:
        return (section for section in root.children if section.tag in SECTIONS)


def _section(root: Element, tag: str) -> Element:
    """The first section with a tag; a new one where there is none."""
    found = root.first(tag)
    if found is None:
        found = Element(tag, root.source, root.line)
        root.children.append(found)
    return found


def _part(attach: Element, source: Element) -> Element:
    """The body or frame that an <attach> names, or a frame with everything. Raises InputError."""
    given = [(tag, attach.text(tag)) for tag in ("body", "frame") if attach.has(tag)]
    if not given:
        if source.first("worldbody") is None or not attach.has("model"):
            raise attach.fault(Message("names neither a body nor a frame"), Message("name one of them"))
        inside = [child for world in source.all("worldbody") for child in world.children]
        return Element("frame", attach.source, attach.line, {}, inside, file=attach.file)
    waiting = list(source.all("worldbody"))
    for element in waiting:  # grows meanwhile
        waiting += element.children
        if (element.tag, element.attributes.get("name", "")) == given[0]:
            return element
    rule = Message("names the {tag} '{name}', which is not there", tag=given[0][0], name=given[0][1])
    raise attach.fault(rule, Message("correct the name"))


def _attributes(pose: RigidTransform) -> dict[str, str]:
    """The attributes of a frame."""
    numbers = {"pos": pose.position, "quat": to_quaternion(pose.turn)}
    return {key: " ".join(repr(float(number)) for number in values) for key, values in numbers.items()}
