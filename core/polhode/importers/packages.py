"""Folders of ROS packages that addresses such as package://arm/meshes/link.stl name.

A package is the folder that is given for its name, or one above the model that has its name, or whose package.xml
states it; nothing else is searched. In a zip the search ends at its root.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from polhode.scene.files.xml_tree import Element, read_xml
from polhode.scene.files.zip_archive import is_file_or_member, place_in_zip
from polhode.scene.gallery import seen_as
from polhode.scene.message import Message
from polhode.scene.problem import InputError

SCHEME = "package://"
MOST_LEVELS = 5  # folders above a model that are searched


def packages_named(root: Element) -> dict[str, Element]:
    """The names of the packages in the addresses of meshes, each with the first element that has it."""
    names: dict[str, Element] = {}
    found = [root]
    for element in found:  # grows meanwhile
        found += element.children
        address = element.attributes.get("filename", "").strip()
        if element.tag == "mesh" and address.startswith(SCHEME):
            names.setdefault(address.removeprefix(SCHEME).partition("/")[0], element)
    return names


def package_folders(root: Element, folder: Path, given: Mapping[str, Path]) -> dict[str, Path]:
    """The folder of each package that the meshes of a model in `folder` name, links resolved.

    given: folders by the names of packages, before any other

    Raises InputError for a package that is neither given nor above the model, and for a given folder that is none.
    """
    found: dict[str, Path] = {}
    for name, element in packages_named(root).items():
        place = given[name].resolve() if name in given else package_above(name, folder)
        if not name:
            raise element.fault(Message("names no package"), Message("write package://NAME/ before the path"))
        if place is None:
            rule = Message("names the package '{name}', which is no folder above the model", name=name)
            remedy = Message(
                "give its folder as --package {name}=FOLDER, in Python packages={{'{name}': FOLDER}}", name=name
            )
            raise element.fault(rule, remedy)
        if name in given and not seen_as(Path.is_dir, place):
            rule = Message(
                "names the package '{name}', for which {folder} is given, no folder", name=name, folder=place
            )
            raise element.fault(rule, Message("give the folder that has its package.xml or its meshes"))
        found[name] = place
    return found


def package_above(name: str, folder: Path) -> Path | None:
    """The folder of a package by its name, in or above `folder`, links resolved; None without one."""
    inner = folder.resolve()
    for place in [inner, *inner.parents][:MOST_LEVELS]:
        if name and name in (place.name, _stated_name(place / "package.xml")):
            return place
        if place_in_zip(inner) is not None and place_in_zip(place.parent) is None:
            return None
    return None


def _stated_name(file: Path) -> str:
    """The name that a package.xml states; empty without one that can be read."""
    if not is_file_or_member(file):
        return ""
    try:
        stated = read_xml(file).first("name")
    except InputError:
        return ""
    return stated.content.strip() if stated is not None else ""


def packages_of(root: Element, folder: Path, given: Mapping[str, Path]) -> dict[str, Path | None]:
    """The packages that the meshes of a model in `folder` name, each with its folder as in `package_folders`; None
    where it is missing.
    """
    return {name: given[name] if name in given else package_above(name, folder) for name in packages_named(root)}
