"""glTF 2.0, binary (GLB) or JSON: metres, y up. Buffers must be in the file itself. Only the positions of
nodes and the triangles are read: arrays of positions and indices, also sparse ones. Images, materials, animations and
all other arrays are skipped. Nodes are walked once, with a list of those that are open, and triangles are made as often
as nodes name their mesh, up to LARGEST_EXPANDED.
"""

from __future__ import annotations

import json
from base64 import b64decode
from functools import cache
from typing import Any

import numpy as np

from polhode.mesh.files.damage import Damaged
from polhode.mesh.files.references import HERE, Piece, check_expansion, placed_corners, refuse_reference
from polhode.mesh.frame import FileFrame
from polhode.scene.message import Message

LARGEST = 10**8  # items of all arrays together
COPIES = 20  # [bytes] of arrays that are not in the file as they are used, for each byte of it
LOOKS = ("KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_mesh_quantization", "EXT_texture_")
TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3}  # numbers of an item of the arrays that are read
TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN = 4, 5, 6


def read_gltf(content: bytes) -> tuple[np.ndarray, FileFrame]:
    """(m, 3, 3) float64 corners of the triangles of the default scene [m], and the frame.

    Raises Damaged for references out of the file and for content that is not read, and for a tree of another form than
    the standard's whatever reading it raises.
    """
    tree, binary = _tree(content)
    for item in tree.get("buffers", []):
        uri = item.get("uri", "data:")
        if not uri.startswith("data:"):
            refuse_reference(uri)
    for name in tree.get("extensionsRequired", []):
        if not name.startswith(LOOKS):
            rule = Message("needs the extension '{name}', which is not read", name=name)
            raise Damaged(rule, Message("export it again without compression"))
    _check_arrays(tree)
    return _GltfFile(tree, binary, len(content)).corners(), FileFrame(1.0, "y")


def _tree(content: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON of the file, and the binary buffer after it. Raises Damaged."""
    binary = b""
    if content.startswith(b"glTF"):
        end = 20 + int.from_bytes(content[12:16], "little")
        length = int.from_bytes(content[end : end + 4], "little")
        content, binary = content[20:end], content[end + 8 : end + 8 + length]
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        raise Damaged(Message("is not a glTF file, or is cut off")) from None
    if not isinstance(tree, dict):
        raise Damaged(Message("is not a glTF file, or is cut off"))
    return tree, binary


def _check_arrays(tree: dict[str, Any]) -> None:
    """Check that arrays fit in memory, and that no triangles are in fans."""
    counts = [accessor.get("count", 0) for accessor in tree.get("accessors", [])]
    if min(counts, default=0) < 0 or sum(counts) > LARGEST:
        rule = Message("has arrays with more than {most} items", most=LARGEST)
        raise Damaged(rule, Message("reduce its triangles"))
    modes = [primitive.get("mode", 4) for mesh in tree.get("meshes", []) for primitive in mesh.get("primitives", [])]
    if TRIANGLE_FAN in modes:
        raise Damaged(Message("has fans of triangles, which are not read"), Message("export it again, as triangles"))


class _GltfFile:
    """The arrays, meshes and nodes of a tree; whatever is not used by a mesh is never read."""

    def __init__(self, tree: dict[str, Any], binary: bytes, size: int):
        self._tree, self._binary = tree, binary
        self._buffer, self._piece = cache(self._read_buffer), cache(self._read_piece)
        self._left = COPIES * size  # [bytes] of copies

    def corners(self) -> np.ndarray:
        """Corners (m, 3, 3) of the triangles of all nodes of the default scene."""
        meshes = self._tree.get("meshes", [])
        nodes = [(f"node {k}", _transform(node)) for k, node in enumerate(self._tree.get("nodes", []))]
        shapes = [(f"mesh {k}", HERE) for k in range(len(meshes))]
        parts = {}
        for (name, _), node in zip(nodes, self._tree.get("nodes", []), strict=True):
            own = [_item(shapes, node["mesh"])] if "mesh" in node else []
            parts[name] = own + [_item(nodes, child) for child in node.get("children", [])]
        scenes = self._tree.get("scenes", [])
        roots = _item(scenes, self._tree.get("scene", 0)).get("nodes", []) if scenes else []
        parts["file"] = [_item(nodes, root) for root in roots]
        counts = {f"mesh {k}": [self._count_of(each) for each in _solid(mesh)] for k, mesh in enumerate(meshes)}
        check_expansion(parts, counts, "file")
        pieces = {f"mesh {k}": [self._piece_of(each) for each in _solid(mesh)] for k, mesh in enumerate(meshes)}
        return placed_corners(parts, "file", pieces)

    def _count_of(self, primitive: dict[str, Any]) -> int:
        """Number of the triangles of a primitive, before one of them is read."""
        index = primitive.get("indices", primitive["attributes"]["POSITION"])
        count = int(_item(self._tree["accessors"], index)["count"])
        return count // 3 if primitive.get("mode", TRIANGLES) == TRIANGLES else max(0, count - 2)

    def _piece_of(self, primitive: dict[str, Any]) -> Piece:
        """Vertices (n, 3) and faces (m, 3) of a primitive; the same arrays are read once."""
        mode = primitive.get("mode", TRIANGLES)
        return self._piece(primitive["attributes"]["POSITION"], primitive.get("indices"), mode)

    def _read_piece(self, positions: int, indices: int | None, mode: int) -> Piece:
        """Vertices and faces from the numbers of their arrays; without one of indices vertices follow each other."""
        vertices = self._array(positions, "VEC3")
        row = np.arange(len(vertices)) if indices is None else self._array(indices, "SCALAR")[:, 0]
        return vertices, row.reshape(-1, 3) if mode == TRIANGLES else _strip(row)

    def _array(self, index: int, kind: str) -> np.ndarray:
        """(count, width) numbers of an accessor, without a copy where it is not sparse."""
        accessor = _item(self._tree["accessors"], index)
        if accessor["type"] != kind:
            raise Damaged(
                Message("has an array of {kind} where one of {needed} belongs", kind=accessor["type"], needed=kind)
            )
        numbers = self._base(accessor)
        if "sparse" in accessor or accessor.get("normalized"):
            self._count_copy(numbers.size * 4)
        if (sparse := accessor.get("sparse")) is not None:
            rows = self._view(sparse["indices"], sparse["count"], 1, sparse["indices"]["componentType"])[:, 0]
            numbers = numbers.copy()
            numbers[rows] = self._view(sparse["values"], sparse["count"], WIDTHS[kind], accessor["componentType"])
        if accessor.get("normalized") and numbers.dtype.kind in "iu":
            return np.maximum(numbers / np.float32(np.iinfo(numbers.dtype).max), np.float32(-1.0))
        return numbers

    def _base(self, accessor: dict[str, Any]) -> np.ndarray:
        """The numbers of an accessor without its sparse ones: zeros where it has no buffer."""
        count, width, component = accessor["count"], WIDTHS[accessor["type"]], accessor["componentType"]
        if "bufferView" in accessor:
            return self._view(accessor, count, width, component)
        if "sparse" not in accessor:
            raise Damaged(Message("has an array of {count} items without their numbers", count=count))
        self._count_copy(count * width * 4)
        return np.zeros((count, width), TYPES[component])

    def _count_copy(self, size: int) -> None:
        """Count [bytes] that no byte of the file holds. Raises Damaged."""
        self._left -= size
        if self._left < 0:
            raise Damaged(Message("has sparse arrays of many more items than it has numbers"))

    def _view(self, source: dict[str, Any], count: int, width: int, component: int) -> np.ndarray:
        """(count, width) numbers in the buffer view of `source`; numpy refuses data beyond the buffer."""
        view, kind = _item(self._tree["bufferViews"], source["bufferView"]), np.dtype(TYPES[component])
        begin = view.get("byteOffset", 0)
        data = memoryview(self._buffer(view["buffer"]))[begin : begin + view["byteLength"]]
        stride = view.get("byteStride", kind.itemsize * width)
        if stride < kind.itemsize * width:
            raise ValueError("items of an array overlap")
        return np.ndarray((count, width), kind, data, source.get("byteOffset", 0), (stride, kind.itemsize))

    def _read_buffer(self, index: int) -> bytes:
        """The bytes of a buffer: those after the JSON, or those of an address that holds them."""
        uri = _item(self._tree["buffers"], index).get("uri")
        return self._binary if uri is None else b64decode(uri.partition(",")[2])


def _item(items: list[Any], index: int) -> Any:
    """An item of a list of the tree. Raises IndexError for a missing one, also for negative numbers."""
    if not 0 <= index < len(items):
        raise IndexError(f"there is no item {index}")
    return items[index]


def _solid(mesh: dict[str, Any]) -> list[dict[str, Any]]:
    """The primitives of a mesh that have triangles; others are points and lines."""
    return [each for each in mesh["primitives"] if each.get("mode", TRIANGLES) in (TRIANGLES, TRIANGLE_STRIP)]


def _transform(node: dict[str, Any]) -> np.ndarray:
    """(4, 4) matrix of a node in the one around it: its matrix, or translation times rotation times scale."""
    transform = np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T if "matrix" in node else np.eye(4)
    if "translation" in node:
        transform[:3, 3] += transform[:3, :3] @ np.reshape(node["translation"], 3)
    if "rotation" in node:
        transform[:3, :3] = transform[:3, :3] @ _rotation(*np.reshape(node["rotation"], 4).astype(np.float64).tolist())
    if "scale" in node:
        transform[:3, :3] = transform[:3, :3] * np.reshape(node["scale"], 3)
    return transform


def _rotation(x: float, y: float, z: float, w: float) -> np.ndarray:
    """(3, 3) rotation by the quaternion x i + y j + z k + w, of any length but 0."""
    n = x * x + y * y + z * z + w * w
    if n == 0.0:
        return np.eye(3)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + 2.0 / n * (w * cross + cross @ cross)


def _strip(row: np.ndarray) -> np.ndarray:
    """(m, 3) triangles of a strip (m + 2,) of vertices; every second one has the other orientation."""
    faces = np.stack([row[:-2], row[1:-1], row[2:]], axis=1)
    faces[1::2] = faces[1::2, ::-1]
    return faces
