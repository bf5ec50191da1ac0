"""COLLADA (DAE): XML that states its unit, by default the metre, and its up axis, by default y. Pictures that it names
are passed over: they colour the mesh, and are not looked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from polhode.mesh.files.damage import Damaged
from polhode.mesh.files.references import HERE, Edge, check_expansion, refuse_reference, scan_xml
from polhode.mesh.frame import FileFrame, UpAxis
from polhode.scene.message import Message

UP: dict[str, UpAxis] = {"X_UP": "x", "Y_UP": "y", "Z_UP": "z"}
URIS = ("url", "source")  # attributes that hold addresses; those inside the file begin with #
IMAGES = (["image", "init_from"], ["init_from", "ref"])  # ends of paths of elements that name a picture
PART = 10_000  # [bytes] that a node or a geometry takes in trimesh, wherever it occurs
SHORTEST, LONGEST = 1e-12, 1e12  # [m] of a unit


class ColladaFile:
    """Collector of a document: unit and up axis, names of pictures, and the nodes and geometries in each node."""

    def __init__(self) -> None:
        self.unit, self.up = "1", "Y_UP"
        self.pictures: list[str] = []
        self.parts: dict[str, list[Edge]] = defaultdict(list)
        self.sizes: dict[str, list[int]] = {}  # [bytes]
        self._open: list[str] = ["file"]  # names of the nodes around an element
        self._geometry, self._begin = "", 0

    def start(self, path: Sequence[str], attributes: Mapping[str, str], at: int) -> None:
        """Read the start of an element."""
        for key in URIS:
            if not attributes.get(key, "#").startswith("#"):
                refuse_reference(attributes[key])
        match path[-1]:
            case "unit" if len(path) == 3:
                self.unit = attributes.get("meter", self.unit)
            case "node":
                name = "#" + attributes.get("id", f" {at}")
                self.parts[self._open[-1]].append((name, HERE))
                self._open.append(name)
            case "instance_node" | "instance_geometry" | "instance_controller":
                self.parts[self._open[-1]].append((attributes.get("url", ""), HERE))
            case "geometry":
                self._geometry, self._begin = "#" + attributes.get("id", ""), at

    def end(self, path: Sequence[str], text: str, at: int) -> None:
        """Note the text of an element, or how large it was."""
        if list(path[-2:]) in IMAGES and text.strip():
            self.pictures.append(text.strip())
        match path[-1]:
            case "up_axis" if len(path) == 3:
                self.up = text.strip()
            case "node":
                self._open.pop()
            case "geometry":
                self.sizes[self._geometry] = [at - self._begin]


def pictures_of(content: bytes) -> list[str]:
    """Names of the pictures that a COLLADA file would be coloured with. Raises Damaged as `check_dae`."""
    return _scanned(content).pictures


def _scanned(content: bytes) -> ColladaFile:
    document = ColladaFile()
    scan_xml(content, document.start, document.end)
    return document


def check_dae(content: bytes) -> FileFrame:
    """The frame of a COLLADA file.

    Raises Damaged for references to other files than pictures, and for content that is not read.
    """
    document = _scanned(content)
    check_expansion(document.parts, document.sizes, "file", triangle=1.0, part=PART)  # bytes of text, not triangles
    try:
        unit = float(document.unit)
    except ValueError:
        unit = 0.0
    if not SHORTEST <= unit <= LONGEST:
        raise Damaged(Message("has the unknown unit '{unit}'", unit=document.unit[:40]))
    if document.up not in UP:
        raise Damaged(Message("has the unknown up axis '{axis}'", axis=document.up[:40]))
    return FileFrame(unit, UP[document.up])
