"""Folders of ROS packages that addresses such as package://arm/meshes/link.stl name.

A package is a folder above the model that has its name, or whose package.xml states it; nothing else is searched.
"""

from __future__ import annotations

from pathlib import Path

from polhode.importers.reading import Element, read_xml
from polhode.scene.gallery import seen_as
from polhode.scene.message import Message
from polhode.scene.problem import InputError

SCHEME = "package://"
MOST_LEVELS = 5  # folders above a model that are searched


def package_folder(root: Element, folder: Path) -> Path:
    """The folder of the package that the meshes of a model in `folder` name; `folder` where none names a package.

    Raises InputError for a package that is not above the model, and for a second one.
    """
    home, known = folder.resolve(), ""
    found = [root]
    for element in found:  # grows meanwhile
        found += element.children
        address = element.attributes.get("filename", "").strip()
        if element.tag != "mesh" or not address.startswith(SCHEME):
            continue
        name = address.removeprefix(SCHEME).partition("/")[0]
        if known and name != known:
            rule = Message("names the package '{name}' beside '{other}'", name=name, other=known)
            raise element.fault(rule, Message("put the meshes into one package"))
        if not known:
            home, known = _above(element, name, home), name
    return home if known else folder


def _above(element: Element, name: str, folder: Path) -> Path:
    """The folder of a package by its name. Raises InputError without one."""
    for place in [folder, *folder.parents][:MOST_LEVELS]:
        if name and name in (place.name, _stated_name(place / "package.xml")):
            return place
    rule = Message("names the package '{name}', which is no folder above the model", name=name)
    raise element.fault(rule, Message("put the model into a folder of this name, with the meshes below it"))


def _stated_name(file: Path) -> str:
    """The name that a package.xml states; empty without one that can be read."""
    if not seen_as(Path.is_file, file):
        return ""
    try:
        stated = read_xml(file).first("name")
    except InputError:
        return ""
    return stated.content.strip() if stated is not None else ""
