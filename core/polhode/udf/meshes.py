"""Meshes inside of UDF files. `FILE.udf#body0-shape2` names the mesh of shape[2] of body[0], as if it were a file.

So a scene that was converted needs no files but the UDF file. The numbers count from 0, in the order of the file; what
follows # is an invention of this program. Conversion to a TOML file writes such meshes as OBJ files beside it.
"""

from __future__ import annotations

import re
from pathlib import Path

from polhode.scene.files.zip_archive import place_in_zip
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.udf.document import read_document
from polhode.udf.schema import Struct

Mesh = tuple[list[tuple[float, float, float]], list[list[int]]]  # vertices in file units, and polygons of their indices


def mesh_name(path: Path, body: int, shape: int) -> str:
    """Name of the mesh of a shape in a scene in the folder of the file: its file name, without a folder."""
    return f"{path.name}#body{body}-shape{shape}"


def mesh_source(path: Path) -> tuple[Path, int, int] | None:
    """The file, the body and the shape that such a name means; None for other names. Capital letters do not matter."""
    found = re.fullmatch(r"(?is)(.*\.udf)#body(\d{1,9})-shape(\d{1,9})", path.name)
    return (path.with_name(found[1]), int(found[2]), int(found[3])) if found else None


def container(path: Path) -> Path:
    """The file on the disk: the UDF file or the zip of a mesh in one, else the path itself."""
    source = mesh_source(path) or place_in_zip(path)
    return source[0] if source else path


def read_mesh_in(path: Path) -> Mesh:
    """Vertices [file units] and polygons of the mesh that a name such as `FILE.udf#body0-shape2` means.

    Polygons are lists of indices of vertices, from 0, as many corners as the file states. Raises InputError for a
    missing mesh, or a faulty face. The whole input of the file is read.
    """
    file, body, shape = mesh_source(path) or (path, 0, 0)
    bodies = read_document(file).data["body"]
    shapes = bodies[body]["shape"] if body < len(bodies) else []
    if shape >= len(shapes) or shapes[shape]["shape"] != "mesh":
        rule = Message("has no mesh in body[{body}].shape[{shape}]", body=body, shape=shape)
        raise InputError.of(str(file), rule, Message("name a shape that is a mesh"))
    return _polygons(shapes[shape]["mesh"], str(file))


def _polygons(mesh: Struct, source: str) -> Mesh:
    """The mesh with indices instead of the file's own numbers of vertices.

    The ids of vertices may be any different whole numbers. Raises InputError with the line of a face that names another
    one, or has fewer than three corners.
    """
    indices = {vertex["id"]: index for index, vertex in enumerate(mesh["vertex"])}
    polygons = []
    for face in mesh["face"]:
        missing = [corner for corner in face["vertex"] if corner not in indices]
        if missing or len(face["vertex"]) < 3:
            rule = (
                Message(
                    "the face {face} names the vertex {vertex}, which is not there", face=face["id"], vertex=missing[0]
                )
                if missing
                else Message("the face {face} has fewer than three corners", face=face["id"])
            )
            place, remedy = Message("line {line}", line=face.line), Message("correct it, or export the mesh again")
            raise InputError.of(source, rule, remedy, place)
        polygons.append([indices[corner] for corner in face["vertex"]])
    return [vertex["position"] for vertex in mesh["vertex"]], polygons
