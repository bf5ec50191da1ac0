"""3MF: a zip archive of XML models. It states its unit, by default the millimetre; z is up."""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from io import BytesIO

from core.mesh.files.damage import Damaged
from core.mesh.files.references import check_expansion, refuse_reference, scan_xml
from core.mesh.frame import FileFrame
from core.scene.message import Message

UNITS = {
    "micron": 1e-6,
    "millimeter": 1e-3,
    "centimeter": 1e-2,
    "inch": 0.0254,
    "foot": 0.3048,
    "meter": 1.0,
}  # [m], the names of the specification


class Model:
    """What is collected from the models of an archive: the unit, and which objects contain which."""

    def __init__(self, names: Sequence[str]):
        self.names = names
        self.unit = "millimeter"
        self.parts: dict[str, list[str]] = defaultdict(list)
        self.sizes: dict[str, float] = defaultdict(float)
        self._object, self._begin = "", 0

    def start(self, path: Sequence[str], attributes: Mapping[str, str], at: int) -> None:
        """Note what the start of an element states."""
        match path[-1]:
            case "model" if len(path) == 1:
                self.unit = attributes.get("unit", self.unit)
            case "object":
                self._object, self._begin = attributes.get("id", ""), at
            case "component" | "item":
                inside = "file" if path[-1] == "item" else self._object
                self.parts[inside].append(attributes.get("objectid", ""))
                target = attributes.get("path", "").strip("/")
                if target and target not in self.names:
                    refuse_reference(target)
            case "Relationship" if attributes.get("TargetMode") == "External":
                refuse_reference(attributes.get("Target", ""))

    def end(self, path: Sequence[str], _text: str, at: int) -> None:
        """Note how large an object was."""
        if path[-1] == "object":
            self.sizes[self._object] += at - self._begin


def check_3mf(content: bytes, largest: int) -> FileFrame:
    """The frame of a 3MF file, whose parts may have `largest` bytes in all. Raises Damaged."""
    try:
        archive = zipfile.ZipFile(BytesIO(content))
        size = sum(member.file_size for member in archive.infolist())
        if size > largest:
            rule = Message(
                "has {size:.2g} GB when unpacked, the limit is {most:.2g} GB", size=size / 1e9, most=largest / 1e9
            )
            raise Damaged(rule, Message("reduce its triangles"))
        model = Model(archive.namelist())
        for name in model.names:
            if name.lower().endswith((".model", ".rels")):
                scan_xml(archive.read(name), model.start, model.end)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        raise Damaged(Message("is not a 3MF file, or is cut off")) from None
    if model.unit not in UNITS:
        raise Damaged(Message("has the unknown unit '{unit}'", unit=model.unit[:40]))
    check_expansion(model.parts, model.sizes, "file")
    return FileFrame(UNITS[model.unit], "z")
