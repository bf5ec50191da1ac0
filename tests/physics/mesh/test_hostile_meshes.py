"""Mesh files of some kilobytes that describe gigabytes, or take quadratic time: read in a process with limits.

Every format with parts, arrays or archives has its cases; each ends by a refusal or by the triangles that it shows,
within MEMORY and SECONDS.
"""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from understated_zip import understated

from polhode.mesh.files.corners import corners_of

MEMORY = 1_500_000_000  # [bytes] of the address space of the process: half of it is Python with its libraries
SECONDS = 30  # of the processor for all files together, which take three

CHILD = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
from pathlib import Path
from polhode.mesh.files.corners import corners_of
from polhode.mesh.files.damage import Damaged
for line in sys.stdin:
    try:
        print(len(corners_of(Path(line.strip()))[0]), "triangles", flush=True)
    except Damaged as damage:
        print(damage.rule, flush=True)
"""

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype="<f4")


def glb(tree: dict[str, Any], binary: bytes = b"") -> bytes:
    """A GLB file."""
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    rest = struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest


def triangle(binary: bytes = b"", **changes: Any) -> bytes:
    """A GLB file of one triangle, with other entries in its tree and more bytes in its buffer."""
    tree = {
        "buffers": [{"byteLength": 36 + len(binary)}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
    }
    return glb(tree | changes, CORNERS.tobytes() + binary)


def accessor(count: int, **more: Any) -> dict[str, Any]:
    return {"componentType": 5126, "type": "VEC3", "count": count, **more}


def picture(size: int) -> bytes:
    """A black PNG of size x size pixels."""
    packer = zlib.compressobj(1)
    rows = b"".join(packer.compress(bytes(1 + 3 * size)) for _ in range(size)) + packer.flush()
    pieces = ((b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b""))
    chunks = (struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d)) for t, d in pieces)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def textured(size: int) -> bytes:
    """A triangle with two textures of one colour."""
    image = picture(size)
    views = [{"buffer": 0, "byteLength": 36}]
    views += [{"buffer": 0, "byteOffset": 36 + k * len(image), "byteLength": len(image)} for k in range(2)]
    looks = {"baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 1}}
    return triangle(
        image * 2,
        bufferViews=views,
        images=[{"bufferView": k, "mimeType": "image/png"} for k in (1, 2)],
        textures=[{"source": 0}, {"source": 1}],
        materials=[{"pbrMetallicRoughness": looks}],
        meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
    )


MESH = (
    '<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices>'
    '<triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>'
)
OUTSIDE = '<component objectid="0" path="/3D/a.model"/>'
SOLID = f'<object id="0">{MESH}</object>'


def model(objects: str, items: str = '<item objectid="0"/>') -> str:
    """The text of a model of a 3MF file."""
    return f'<model unit="millimeter"><resources>{objects}</resources><build>{items}</build></model>'


def threemf(members: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A 3MF file with these members."""
    with zipfile.ZipFile(out := io.BytesIO(), "w", method) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return out.getvalue()


def doubling(levels: int) -> str:
    """Objects of a 3MF model, each with the next one twice."""
    inner = '<component objectid="{0}"/>' * 2
    objects = (
        f'<object id="{k + 1}"><components>{inner.format((k + 2) % (levels + 1))}</components></object>'
        for k in range(levels)
    )
    return SOLID + "".join(objects)


def dae(parts: str = "", nodes: str = '<node><instance_geometry url="#g"/></node>') -> str:
    """A COLLADA file of a triangle, whose arrays state a thousand million items."""
    params = "".join(f'<param name="{axis}" type="float"/>' for axis in "XYZ")
    return (
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/><library_geometries>'
        '<geometry id="g"><mesh><source id="s"><float_array id="f" count="3000000000">0 0 0 1 0 0 0 1 0</float_array>'
        f'<technique_common><accessor source="#f" count="1000000000" stride="3">{params}</accessor></technique_common>'
        '</source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count="1000000000">'
        '<input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>'
        f'</library_geometries>{parts}<library_visual_scenes><visual_scene id="w">{nodes}</visual_scene>'
        '</library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>'
    )


def instanced_dae(levels: int) -> str:
    node = '<node id="n{0}"><instance_node url="#n{1}"/><instance_node url="#n{1}"/></node>'
    inner = "".join(node.format(k, k + 1) for k in range(levels))
    inner += f'<node id="n{levels}"><instance_geometry url="#g"/></node>'
    return dae(f"<library_nodes>{inner}</library_nodes>", '<node><instance_node url="#n0"/></node>')


ONE = model(SOLID).encode()
SPARSE = {"count": 1, "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0}}
COUNT = 30_000_000
REPEATED = "limit is 1 GB"
LISTS = b"".join(b"property list uchar uchar a%d\n" % k for k in range(3000))
CASES: dict[str, tuple[Callable[[], bytes | str], str]] = {
    "nothing.glb": (lambda: triangle(accessors=[accessor(COUNT)]), f" {COUNT} items"),
    "unused.glb": (lambda: triangle(accessors=[accessor(3, bufferView=0), accessor(COUNT)]), "1 triangles"),
    "sparse.glb": (lambda: triangle(accessors=[accessor(COUNT, sparse=SPARSE)]), "sparse arrays"),
    "long.glb": (lambda: triangle(accessors=[accessor(COUNT, bufferView=0)]), " GLB "),
    "stride.glb": (
        lambda: triangle(
            bufferViews=[{"buffer": 0, "byteLength": 36, "byteStride": 0}], accessors=[accessor(COUNT, bufferView=0)]
        ),
        "overlap",
    ),
    "pictures.glb": (lambda: textured(6000), "1 triangles"),
    "chain.glb": (
        lambda: triangle(nodes=[*({"children": [k + 1]} for k in range(20_000)), {"mesh": 0}]),
        "1 triangles",
    ),
    "many.glb": (lambda: triangle(scenes=[{"nodes": [0] * 600_000}]), REPEATED),
    "doubling.glb": (
        lambda: triangle(nodes=[*({"children": [k + 1] * 2} for k in range(60)), {"mesh": 0}]),
        REPEATED,
    ),
    "cycle.glb": (lambda: triangle(nodes=[{"children": [1], "mesh": 0}, {"children": [0]}]), "contains itself"),
    "shared.glb": (
        lambda: triangle(
            bytes(12_000_000 - 36),
            bufferViews=[{"buffer": 0, "byteLength": 12_000_000}],
            accessors=[accessor(999_999, bufferView=0)],
            meshes=[{"primitives": [{"attributes": {"POSITION": 0}}] * 10_000}],
        ),
        REPEATED,
    ),
    "indexed.glb": (
        lambda: triangle(
            bytes(12_000_000 - 36),
            bufferViews=[{"buffer": 0, "byteLength": 12_000_000}],
            accessors=[
                accessor(1_000_000, bufferView=0),
                {"componentType": 5125, "type": "SCALAR", "count": 3, "bufferView": 0},
            ],
            meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}] * 5000}],
        ),
        "5000 triangles",
    ),
    "deep.gltf": (lambda: '{"a":' * 100_000, " glTF "),
    "deflate.3mf": (lambda: understated(ONE, zipfile.ZIP_DEFLATED, 2**31, "3D/3dmodel.model"), "1 triangles"),
    "bzip2.3mf": (
        lambda: understated(ONE, zipfile.ZIP_BZIP2, 2**21, "3D/3dmodel.model"),
        " deflate",
    ),
    "rels.3mf": (lambda: understated(ONE, zipfile.ZIP_DEFLATED, 2**28, "_rels/.rels"), "no model"),
    "modelx.3mf": (lambda: threemf({"3D/3dmodel.modelx": model(doubling(40))}), "no model"),
    "beside.3mf": (
        lambda: threemf({"3D/3dmodel.modelx": model(doubling(40)), "3D/3dmodel.model": model(SOLID)}),
        "1 triangles",
    ),
    "doubling.3mf": (lambda: threemf({"3D/3dmodel.model": model(doubling(40), '<item objectid="1"/>')}), REPEATED),
    "chain.3mf": (
        lambda: threemf(
            {
                "3D/3dmodel.model": model(
                    SOLID
                    + "".join(
                        f'<object id="{k + 1}"><components><component objectid="{k}"/></components></object>'
                        for k in range(14_000)
                    ),
                    '<item objectid="14000"/>',
                )
            }
        ),
        "1 triangles",
    ),
    "path.3mf": (
        lambda: threemf(
            {
                "3D/3dmodel.model": model(
                    f'<object id="9"><components>{OUTSIDE * 300}</components></object>',
                    '<item objectid="9"/>',
                ),
                "3D/a.model": model(SOLID * 50),
            }
        ),
        "15000 triangles",
    ),
    "states.dae": (dae, "1 triangles"),
    "offset.dae": (lambda: dae().replace('offset="0"', 'offset="900000000"'), " DAE "),
    "deep.dae": (lambda: dae(nodes="<node>" * 20_000 + "</node>" * 20_000), " DAE "),
    "doubling.dae": (lambda: instanced_dae(40), REPEATED),
    "twenty.dae": (lambda: instanced_dae(20), REPEATED),
    "entity.dae": (lambda: '<!DOCTYPE a [<!ENTITY b "bbbb">]>' + dae(), "document type"),
    "states.stl": (lambda: bytes(80) + struct.pack("<I", 2**32 - 1) + bytes(50), "declares 4294967295 triangles"),
    "states.ply": (
        lambda: (
            b"ply\nformat binary_little_endian 1.0\nelement vertex 99999999999\nproperty float x\nelement face "
            b"99999999999\nproperty list uint int vertex_indices\nend_header\n" + bytes(100)
        ),
        "is cut off: 99999999974 of 99999999999 rows",
    ),
    "lists.ply": (
        lambda: b"ply\nformat binary_little_endian 1.0\nelement q 50\n" + LISTS + b"end_header\n" + bytes(150_000),
        "has no faces",
    ),
    "states.off": (lambda: "OFF\n999999999999 999999999999 0\n0 0 0\n", "is cut off: it declares 1999999999998"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of memory")
def test_what_a_small_file_can_cost_is_bounded(tmp_path: Path) -> None:
    for name, (content, _) in CASES.items():
        made = content()
        (tmp_path / name).write_bytes(made if isinstance(made, bytes) else made.encode())
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        input="\n".join(str(tmp_path / name) for name in CASES),
        capture_output=True,
        text=True,
        timeout=120,
    )
    said = dict(zip(CASES, done.stdout.splitlines(), strict=False))
    assert len(said) == len(CASES), f"{[*CASES][len(said)]}: {done.returncode} {done.stderr[-1000:]}"
    assert {name: words for name, words in said.items() if CASES[name][1] not in words} == {}


def random_glb(rng: np.random.Generator) -> bytes:
    """A scene of nested, turned, stretched and mirrored nodes with triangles and strips, in arrays of several kinds."""
    ball = trimesh.creation.icosphere(subdivisions=1)
    n, faces = len(ball.vertices), ball.faces.astype("<u2")
    rows = np.zeros((n, 5), "<f4")  # positions with two other numbers between them
    rows[:, 1:4] = ball.vertices
    strip = rng.permutation(n)[:30].astype("<u4")
    pieces = [
        rows.tobytes(),
        faces.tobytes(),
        strip.tobytes(),
        bytes([2, 5, 7, 0]),
        rng.normal(size=9).astype("<f4").tobytes(),
    ]
    starts = np.cumsum([0, *map(len, pieces)]).tolist()
    views = [{"buffer": 0, "byteOffset": start, "byteLength": len(p)} for start, p in zip(starts, pieces, strict=False)]
    views[0]["byteStride"] = 20
    whole = {"bufferView": 0, "byteOffset": 4, "componentType": 5126, "type": "VEC3", "count": n}
    accessors = [
        whole,
        {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": faces.size},
        {"bufferView": 2, "componentType": 5125, "type": "SCALAR", "count": len(strip)},
    ]
    primitives = [
        {"attributes": {"POSITION": 0}, "indices": 1},
        {"attributes": {"POSITION": 0}, "indices": 2, "mode": 5},
        {"attributes": {"POSITION": 0}},
        {"attributes": {"POSITION": 0}, "mode": 5},
    ]
    nodes: list[dict[str, Any]] = []
    for k in range(8):
        turned = {"rotation": trimesh.unitize(rng.normal(size=4)).tolist(), "scale": rng.normal(size=3).tolist()}
        matrix = np.vstack([rng.normal(size=(3, 4)), [0, 0, 0, 1]])
        place = (
            {"translation": rng.normal(size=3).tolist(), **turned} if k % 3 else {"matrix": matrix.T.ravel().tolist()}
        )
        nodes.append(place | {"mesh": k % 2} | ({"children": [2 * k + 1, 2 * k + 2]} if k < 3 else {}))
    meshes = [{"primitives": primitives[:4]}, {"primitives": primitives[3:]}]
    scenes = [{"nodes": []}, {"nodes": [0, 7]}]
    tree = {"asset": {"version": "2.0"}, "buffers": [{"byteLength": starts[-1]}], "bufferViews": views}
    tree |= {"accessors": accessors, "meshes": meshes, "nodes": nodes, "scenes": scenes, "scene": 1}
    return glb(tree, b"".join(pieces))


def random_3mf(rng: np.random.Generator) -> bytes:
    """Objects in each other, turned and mirrored."""

    def placed() -> str:
        return " ".join(f"{number:.6f}" for number in rng.normal(size=12))

    inner = "".join(f'<component objectid="0" transform="{placed()}"/>' for _ in range(3))
    outer = f'<component objectid="1" transform="{placed()}"/><component objectid="0"/>'
    objects = f'<object id="1"><components>{inner}</components></object><object id="2"><components>{outer}</components>'
    items = (
        f'<item objectid="2" transform="{placed()}"/><item objectid="0"/><item objectid="1" transform="{placed()}"/>'
    )
    return threemf({"3D/3dmodel.model": model(SOLID + objects + "</object>", items)})


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("ending", "made"), [("glb", random_glb), ("3mf", random_3mf)])
def test_our_reader_agrees_with_that_of_trimesh(ending: str, made: Callable, seed: int, tmp_path: Path) -> None:
    """The same triangles, in any order: corners agree to the digits of float32."""
    content = made(np.random.default_rng(seed))
    (tmp_path / f"a.{ending}").write_bytes(content)
    ours, *_ = corners_of(tmp_path / f"a.{ending}")
    theirs = trimesh.load_scene(io.BytesIO(content), file_type=ending, process=False).to_mesh()

    def ordered(corners: np.ndarray) -> np.ndarray:
        """Triangles by their corners, each beginning with its smallest one."""
        first = np.argmin(corners @ [1.0, 0.3, 0.07], axis=1)
        turned = np.take_along_axis(corners, ((first[:, None] + np.arange(3)) % 3)[:, :, None], axis=1)
        return turned[np.argsort(turned @ [1.0, 0.3, 0.07] @ [1.0, 0.4, 0.2])]

    assert ordered(ours) == pytest.approx(ordered(theirs.vertices[theirs.faces]), abs=1e-5)


def test_sparse_numbers_replace_those_of_the_array(tmp_path: Path) -> None:
    """trimesh passes over them."""
    more = bytes([2, 0, 0, 0]) + np.array([5, 6, 7], "<f4").tobytes()
    at = {"bufferView": 1, "componentType": 5121}
    sparse = {"count": 1, "indices": at, "values": {"bufferView": 1, "byteOffset": 4}}
    views = [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 16}]
    for base, first in ((accessor(3, bufferView=0), CORNERS[1]), (accessor(3), np.zeros(3))):
        path = tmp_path / "a.glb"
        path.write_bytes(triangle(more, bufferViews=views, accessors=[base | {"sparse": sparse}]))
        assert corners_of(path)[0][0].tolist() == [[0, 0, 0], first.tolist(), [5, 6, 7]]


def test_normalized_whole_numbers_are_parts_of_the_largest(tmp_path: Path) -> None:
    """KHR_mesh_quantization: c / 127 of signed bytes, at least -1."""
    rows = np.array([[127, -128, 0, 0], [0, 127, 64, 0], [-127, 0, 127, 0]], dtype="i1")
    about = {"bufferView": 1, "componentType": 5120, "type": "VEC3", "count": 3, "normalized": True}
    views = [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 12, "byteStride": 4}]
    path = tmp_path / "a.glb"
    path.write_bytes(triangle(rows.tobytes(), bufferViews=views, accessors=[about]))
    assert corners_of(path)[0][0] == pytest.approx(np.maximum(rows[:, :3] / 127, -1.0), abs=1e-7)


@pytest.mark.parametrize("name", ["3D/3dmodel.model", "/3d/3DModel.model", "parts/other.model"])
def test_the_relationships_name_the_model(name: str, tmp_path: Path) -> None:
    kind = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
    relations = f'<Relationships><Relationship Target="/{name.strip("/")}" Type="{kind}"/></Relationships>'
    path = tmp_path / "a.3mf"
    path.write_bytes(threemf({"_rels/.rels": relations, name: model(SOLID), "3D/3dmodel.modelx": "no XML"}))
    assert len(corners_of(path)[0]) == 1
