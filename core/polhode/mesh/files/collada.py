"""COLLADA (DAE): XML that states its unit, by default the metre, and its up axis, by default y.

Names of pictures are replaced before trimesh reads it: surfaces need none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from polhode.mesh.files.damage import Damaged
from polhode.mesh.files.references import HERE, Edge, check_expansion, refuse_reference, scan_xml
from polhode.mesh.files.scanned import Scanned
from polhode.mesh.frame import FileFrame, UpAxis
from polhode.scene.message import Message

UP: dict[str, UpAxis] = {"X_UP": "x", "Y_UP": "y", "Z_UP": "z"}
URIS = ("url", "source")  # attributes that hold addresses; those inside the file begin with #
IMAGES = (["image", "init_from"], ["init_from", "ref"])  # ends of paths of elements that name a picture
NO_PICTURE = "none"  # name of each picture for trimesh
PART = 10_000  # [bytes] that a node or a geometry takes in trimesh, wherever it occurs
SHORTEST, LONGEST = 1e-12, 1e12  # [m] of a unit


class ColladaFile:
    """Collector of a document: unit and up axis, and the nodes and geometries in each node."""

    def __init__(self) -> None:
        self.unit, self.up = "1", "Y_UP"
        self.pictures: dict[int, str] = {}  # names by the place where they end [bytes]
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
            self.pictures[at] = text.strip()
        match path[-1]:
            case "up_axis" if len(path) == 3:
                self.up = text.strip()
            case "node":
                self._open.pop()
            case "geometry":
                self.sizes[self._geometry] = [at - self._begin]


def _scanned(content: bytes) -> ColladaFile:
    """The document of a file. Raises Damaged."""
    document = ColladaFile()
    scan_xml(content, document.start, document.end)
    return document


def check_dae(content: bytes) -> Scanned:
    """A COLLADA file with its frame. Raises Damaged for references out of the file and for content that is not read."""
    document = _scanned(content)
    for end in sorted(document.pictures, reverse=True):
        content = content[: content.rfind(b">", 0, end) + 1] + NO_PICTURE.encode() + content[end:]
    if document.pictures:
        for name, left in zip(document.pictures.values(), _scanned(content).pictures.values(), strict=True):
            if left != NO_PICTURE:
                refuse_reference(name)
    check_expansion(document.parts, document.sizes, "file", triangle=1.0, part=PART)  # bytes of text, not triangles
    try:
        unit = float(document.unit)
    except ValueError:
        unit = 0.0
    if not SHORTEST <= unit <= LONGEST:
        raise Damaged(Message("has the unknown unit '{unit}'", unit=document.unit[:40]))
    if document.up not in UP:
        raise Damaged(Message("has the unknown up axis '{axis}'", axis=document.up[:40]))
    return Scanned(content, FileFrame(unit, UP[document.up]))
