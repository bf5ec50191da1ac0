"""Mesh files of every format: damaged bytes and words, trees of JSON and parts of archives.

An accepted mesh gets mass properties.
"""

from __future__ import annotations

import io
import json
import random
import struct
import warnings
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import trimesh
from hostile.scene_mutations import _mutate, places

from fuzz.case import Case, Target
from fuzz.damage import damaged
from polhode.mesh.files.corners import ENDINGS
from polhode.mesh.mesh import Request, guess_unit
from polhode.physics.bodies.mass.mass_properties import mesh_properties

WORDS = (
    *("solid", "endsolid", "facet", "endfacet", "vertex", "v", "f", "1/2/3", "-1", "ply", "format", "ascii", "OFF"),
    *("binary_little_endian", "element", "property", "list", "uchar", "int", "double", "end_header", "vertex_indices"),
    *("<node>", "</node>", "<!DOCTYPE a [<!ENTITY b 'c'>]>", "&b;", '"url"', '"file:///etc/passwd"', "#node", "uri"),
    *('"../../a.bin"', "buffers", "accessors", "children", "mesh", '"meter"', "Z_UP", "objectid", "component", "unit"),
)
OPTIONS = (
    *({}, {}, {}, {"hull": True}, {"part": 0}, {"part": 3}, {"unit": "inch", "up": "x"}, {"repair": ("merge",)}),
    *({"repair": ("merge", "orient", "fill_holes")}, {"repair": ("fill_holes",), "part": 0}, {"repair": ("orient",)}),
    {"repair": ("convex_hull",)},
)
HEADER = 20  # [bytes] of a GLB file before its JSON


def bases() -> list[Case]:
    """A box in two parts in every format, in text and binary forms."""
    box = trimesh.creation.box((1.0, 2.0, 3.0))
    two = trimesh.util.concatenate([box, trimesh.creation.icosphere(subdivisions=1).apply_translation((4, 0, 0))])
    scene = trimesh.Scene(box)
    scene.add_geometry(two, transform=np.diag([-1.0, 1, 1, 1]))
    exports = [(ending, two.export(file_type=ending)) for ending in ("stl", "obj", "off")]
    exports += [(ending, box.export(file_type=ending)) for ending in ("stl", "ply", "dae")]
    exports += [(ending, scene.export(file_type=ending)) for ending in ("3mf", "glb")]
    exports.append(("stl", box.export(file_type="stl_ascii")))
    exports.append(("ply", box.export(file_type="ply", encoding="ascii")))
    exports.append(("gltf", box.export(file_type="gltf", embed_buffers=True)["model.gltf"]))
    return [Case(f"mesh.{ending}", text.encode() if isinstance(text, str) else text) for ending, text in exports]


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """The damaged content of a file, mostly with its own ending."""
    ending = Path(case.name).suffix.lower()
    others = [other.content for other in chance.sample(known, 2)]
    form = FORMS.get(ending)
    content = case.content
    if form is not None and chance.random() < 0.8:
        content = form(content, others, chance)
    else:
        content = damaged(content, others, chance, WORDS)
    if chance.random() < 0.02:
        ending = chance.choice(ENDINGS)
    return Case(f"mesh{ending}", content)


def _archive(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """A 3MF file with a part that is damaged, missing, there twice, or very large."""
    packed = io.BytesIO()
    try:
        source = zipfile.ZipFile(io.BytesIO(content))
        parts = [(name, source.read(name)) for name in source.namelist()]
        with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            warnings.simplefilter("ignore")  # of two parts with one name
            chosen = chance.randrange(len(parts))
            for number, (name, part) in enumerate(parts):
                for inner in _part(part, others, chance) if number == chosen else [part]:
                    archive.writestr(name, inner)
    except Exception:  # noqa: BLE001  (it is damaged already)
        return damaged(content, others, chance, WORDS)
    return packed.getvalue()


def _part(part: bytes, others: Sequence[bytes], chance: random.Random) -> list[bytes]:
    kind = chance.random()
    if kind < 0.03:
        return [bytes(2 ** chance.randrange(20, 29))]
    return [] if kind < 0.06 else [part, part] if kind < 0.1 else [damaged(part, others, chance, WORDS)]


def _tree(content: bytes, chance: random.Random) -> bytes:
    """JSON with one to three other values."""
    tree = json.loads(content)
    numbers = np.random.default_rng(chance.randrange(2**40))
    for _ in range(chance.randint(1, 3)):
        known = list(places(tree))
        if not known:
            break
        *way, last = known[chance.randrange(len(known))]
        container = tree
        for step in way:
            container = container[step]
        if chance.random() < 0.5 and isinstance(container[last], int):
            container[last] = chance.choice((-1, 0, 1, 2, 3, 5, 6, 7, 100, 5120, 5121, 5123, 5125, 5126, 2**31, 10**9))
        else:
            _mutate(container, last, numbers)
    return json.dumps(tree).encode()


def _gltf(content: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """A glTF file, JSON or binary, with another tree."""
    try:
        if not content.startswith(b"glTF"):
            return _tree(content, chance)
        length = struct.unpack_from("<I", content, 12)[0]
        tree, rest = content[HEADER : HEADER + length], content[HEADER + length :]
        if chance.random() < 0.2:
            return content[: HEADER + length] + damaged(rest, others, chance)
        tree = _tree(tree, chance)
        tree += b" " * (-len(tree) % 4)
        size = HEADER + len(tree) + len(rest)
        return struct.pack("<4sIIII", b"glTF", 2, size, len(tree), 0x4E4F534A) + tree + rest
    except (ValueError, struct.error, RecursionError):
        return damaged(content, others, chance, WORDS)


FORMS: dict[str, Callable[[bytes, Sequence[bytes], random.Random], bytes]] = {
    ".3mf": _archive,
    ".glb": _gltf,
    ".gltf": _gltf,
}


def read(path: Path, content: bytes) -> str:
    """Read with options that follow from the content; take mass properties, the unit, and the condition."""
    options = OPTIONS[crc32(content) % len(OPTIONS)]
    mesh = Request(path, **options).read()
    mesh_properties(mesh)
    mesh.condition()
    guess_unit(mesh)
    assert mesh.part_count() > 0
    notes = [note.values["note"].template for note in mesh.notes]
    return " ".join([path.suffix.lower(), *options, *notes])


TARGET = Target("mesh", bases, mutate, read, goal=50_000)
