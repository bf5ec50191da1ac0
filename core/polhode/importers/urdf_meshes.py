"""URDF: meshes of a model, in its folder, its package, or packages whose folders are given."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from polhode.importers.geometry import mesh_file
from polhode.importers.options import Choice
from polhode.importers.packages import SCHEME, package_folders
from polhode.mesh.files.collada import pictures_of
from polhode.mesh.files.damage import Damaged
from polhode.mesh.files.formats import LARGEST
from polhode.scene.files.xml_tree import Element
from polhode.scene.files.zip_archive import file_or_member, place_in_zip
from polhode.scene.message import Message


class UrdfMeshes:
    """Finds the meshes of one document."""

    def __init__(self, root: Element, path: Path, notes: list[Message], given: Mapping[str, Path]):
        """given: folders of packages, by name. Raises InputError for packages that are not found."""
        self._notes, self._model = notes, path.parent
        self._pictures: dict[Path, tuple[str, ...]] = {}  # by the files of meshes
        self._packages = package_folders(root, path.parent, given)
        around = [folder for folder in self._packages.values() if path.parent.resolve().is_relative_to(folder)]
        self._home = min(around, key=lambda folder: len(folder.parts), default=path.parent)
        self.folder = path.parent
        """Folder from which the names of meshes count."""
        if (inside := place_in_zip(path)) is not None:
            self.folder = inside[0].parent
        elif self._packages:
            self.folder = path.parent.resolve()
        self.choices = [
            Choice("package", name, str(folder), Message("package '{name}': {folder}", name=name, folder=folder))
            for name, folder in self._packages.items()
        ]

    def name_of(self, mesh: Element) -> str:
        """The name of the file of a <mesh> from `folder`, with a note on its pictures. Raises InputError."""
        address = mesh.attributes.get("filename", "").strip()
        if address.startswith(SCHEME):
            package, _, inside = address.removeprefix(SCHEME).partition("/")
            base = home = self._packages[package]
            mesh = replace(mesh, attributes=mesh.attributes | {"filename": inside})
        else:
            base, home = self._model, self._home
        name = mesh_file(mesh, "filename", base, home=home)
        for picture in self._pictures_in(base / name):
            self._notes.append(Message("{place}: its picture '{name}' is not used", place=mesh.place, name=picture))
        return name if base == self.folder else _seen_from(self.folder, base / name)

    def _pictures_in(self, file: Path) -> tuple[str, ...]:
        """Names of the pictures in a COLLADA file, each once; none of other files, and of those that can't be read."""
        if file not in self._pictures:
            names: tuple[str, ...] = ()
            if file.suffix.lower() == ".dae":
                with suppress(Damaged, OSError, ValueError):  # reported when the mesh is read
                    names = tuple(dict.fromkeys(pictures_of(file_or_member(file, LARGEST))))
            self._pictures[file] = names
        return self._pictures[file]


def _seen_from(folder: Path, file: Path) -> str:
    """The name of a file from a folder, with slashes; the whole path on another drive of Windows."""
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:
        return file.as_posix()
