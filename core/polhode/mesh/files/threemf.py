"""3MF: a zip archive of XML models. It states its unit, by default the millimetre; z is up.

The relationships of the archive name its model, usually 3D/3dmodel.model, whose components may be objects of other
models in the archive. These members alone are unpacked, each once and counted; vertices and triangles are read in the
same pass in which they are checked.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from io import BytesIO
from zipfile import ZipInfo

import numpy as np

from polhode.mesh.files.damage import Damaged
from polhode.mesh.files.references import HERE, Edge, Piece, check_expansion, placed_corners, refuse_reference, scan_xml
from polhode.mesh.frame import FileFrame
from polhode.scene.files.file_io import TooLarge
from polhode.scene.files.zip_archive import open_zip, unpacked
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

UNITS = {
    "micron": 1e-6,
    "millimeter": 1e-3,
    "centimeter": 1e-2,
    "inch": 0.0254,
    "foot": 0.3048,
    "meter": 1.0,
}  # [m], the names of the specification
RELATIONS, USUAL = "_rels/.rels", "3d/3dmodel.model"  # names in the archive, in small letters


class ThreemfModel:
    """Contents of the models of an archive: the unit, the triangles of objects, and their components.

    An object is called by the name of its model and its own number.
    """

    def __init__(self, names: Mapping[str, ZipInfo], root: str):
        self.names, self.root = names, root
        self.unit = "millimeter"
        self.parts: dict[str, list[Edge]] = defaultdict(list)
        self.pieces: dict[str, list[Piece]] = defaultdict(list)
        self.left = [root]  # models that are still to be read
        self._seen = {root}
        self._member = self._object = ""
        self._vertices, self._faces = array("d"), array("q")

    def read(self, member: str, content: bytes) -> None:
        """Collect from a model. Raises Damaged."""
        self._member = member
        scan_xml(content, self._start, self._end)

    def _start(self, path: Sequence[str], attributes: Mapping[str, str], _at: int) -> None:
        """Read the start of an element."""
        match path[-3:]:
            case [*_, "mesh", "vertices", "vertex"]:
                self._vertices.extend((float(attributes["x"]), float(attributes["y"]), float(attributes["z"])))
            case [*_, "mesh", "triangles", "triangle"]:
                self._faces.extend((int(attributes["v1"]), int(attributes["v2"]), int(attributes["v3"])))
            case ["model"] if self._member == self.root:
                self.unit = attributes.get("unit", self.unit)
            case [*_, "object"]:
                self._object = f"{self._member}#{attributes.get('id', '')}"
            case [*_, "mesh"]:
                self._vertices, self._faces = array("d"), array("q")
            case [*_, "components", "component"]:
                self.parts[self._object].append(self._edge(attributes))
            case [*_, "build", "item"] if self._member == self.root:
                self.parts["file"].append(self._edge(attributes))

    def _end(self, path: Sequence[str], _text: str, _at: int) -> None:
        """Keep the triangles of a mesh."""
        if path[-2:] == ["object", "mesh"]:
            piece = np.array(self._vertices).reshape(-1, 3), np.array(self._faces).reshape(-1, 3)
            self.pieces[self._object].append(piece)

    def _edge(self, attributes: Mapping[str, str]) -> Edge:
        """The object that a component or an item names, and its transformation; other files are read later."""
        target = attributes.get("path", "").strip("/")
        member = target.lower() or self._member
        if member not in self.names:
            refuse_reference(target)
        if member not in self._seen:
            self._seen.add(member)
            self.left.append(member)
        transform = HERE
        if "transform" in attributes:
            transform = HERE.copy()
            transform[:3] = np.array(attributes["transform"].split(), dtype=np.float64).reshape(4, 3).T
        return f"{member}#{attributes.get('objectid', '')}", transform


def read_3mf(content: bytes, largest: int) -> tuple[np.ndarray, FileFrame]:
    """(m, 3, 3) float64 corners of the triangles of all items, in the unit of the file, and its frame.

    The members may state `largest` bytes in all, and those that are read may have as many. Raises Damaged, and for an
    element of another form than the specification's whatever reading it raises.
    """
    try:
        model = _read(content, largest)
    except TooLarge as error:
        rule = Message(
            "has {size:.2g} GB when unpacked, the limit is {most:.2g} GB", size=error.size / 1e9, most=largest / 1e9
        )
        raise Damaged(rule, Message("reduce its triangles")) from None
    except InvalidValue as error:
        raise Damaged(Message("is not a 3MF file, or is cut off: it {fault}", fault=error.rule), error.remedy) from None
    if model.unit not in UNITS:
        raise Damaged(Message("has the unknown unit '{unit}'", unit=model.unit[:40]))
    counts = {name: [len(faces) for _, faces in own] for name, own in model.pieces.items()}
    check_expansion(model.parts, counts, "file")
    return placed_corners(model.parts, "file", model.pieces), FileFrame(UNITS[model.unit], "z")


def _read(content: bytes, largest: int) -> ThreemfModel:
    """All that is needed of an archive. Raises TooLarge, InvalidValue and Damaged."""
    archive = open_zip(BytesIO(content))
    infos = archive.infolist()
    if (size := sum(info.file_size for info in infos)) > largest:
        raise TooLarge(size)
    names = {info.filename.strip("/").lower(): info for info in infos}
    left = largest

    def content_of(member: str) -> bytes:
        nonlocal left
        (found,) = unpacked(archive, [names[member]], left).values()
        left -= len(found)
        return found

    root = _model_named(content_of(RELATIONS)) if RELATIONS in names else ""
    root = root if root in names else USUAL
    if root not in names:
        raise Damaged(Message("has no model in it"))
    model = ThreemfModel(names, root)
    while model.left:
        member = model.left.pop()
        model.read(member, content_of(member))
    return model


def _model_named(relations: bytes) -> str:
    """Name of the model that the relationships of an archive state, "" without any. Raises Damaged."""
    found = [""]

    def start(path: Sequence[str], attributes: Mapping[str, str], _at: int) -> None:
        if path[-1] != "Relationship":
            return
        if attributes.get("TargetMode") == "External":
            refuse_reference(attributes.get("Target", ""))
        if attributes.get("Type", "").endswith("/3dmodel"):
            found.append(attributes.get("Target", "").strip("/").lower())

    scan_xml(relations, start)
    return found[-1]
