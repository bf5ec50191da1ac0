"""glTF 2.0, binary (GLB) or JSON: metres, y up. Buffers and images must stand in the file itself."""

from __future__ import annotations

import json
from typing import Any

from core.mesh.files.damage import Damaged
from core.mesh.files.references import check_expansion, refuse_reference
from core.mesh.frame import FileFrame
from core.scene.message import Message

CORNER = 24.0  # [bytes] of one corner of a triangle
LARGEST = 10**8  # items of all arrays together
LOOKS = ("KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_mesh_quantization", "EXT_texture_")
TRIANGLE_FAN = 6


def check_gltf(content: bytes) -> FileFrame:
    """The frame of a glTF file. Raises Damaged for references out of the file and for content that is not read."""
    tree = _tree(content)
    for item in [*tree.get("buffers", []), *tree.get("images", [])]:
        uri = item.get("uri", "data:")
        if not uri.startswith("data:"):
            refuse_reference(uri)
    for name in tree.get("extensionsRequired", []):
        if not name.startswith(LOOKS):
            rule = Message("needs the extension '{name}', which is not read", name=name)
            raise Damaged(rule, Message("export it again without compression"))
    _check_primitives(tree)
    _check_nodes(tree)
    return FileFrame(1.0, "y")


def _tree(content: bytes) -> dict[str, Any]:
    """The JSON of the file. Raises Damaged."""
    if content.startswith(b"glTF"):
        content = content[20 : 20 + int.from_bytes(content[12:16], "little")]
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        raise Damaged(Message("is not a glTF file, or is cut off")) from None
    if not isinstance(tree, dict):
        raise Damaged(Message("is not a glTF file, or is cut off"))
    return tree


def _check_primitives(tree: dict[str, Any]) -> None:
    """Check that arrays fit in memory, and that no triangles are in fans, which trimesh passes over."""
    counts = [accessor.get("count", 0) for accessor in tree.get("accessors", [])]
    if min(counts, default=0) < 0 or sum(counts) > LARGEST:
        rule = Message("has arrays with more than {most} items", most=LARGEST)
        raise Damaged(rule, Message("reduce its triangles"))
    modes = [primitive.get("mode", 4) for mesh in tree.get("meshes", []) for primitive in mesh.get("primitives", [])]
    if TRIANGLE_FAN in modes:
        raise Damaged(Message("has fans of triangles, which are not read"), Message("export it again, as triangles"))


def _check_nodes(tree: dict[str, Any]) -> None:
    """Check the size of the scene with all its instances."""
    counts = [float(accessor.get("count", 0)) for accessor in tree.get("accessors", [])]
    sizes = {
        f"mesh {index}": CORNER * sum(counts[_corners_of(primitive)] for primitive in mesh.get("primitives", []))
        for index, mesh in enumerate(tree.get("meshes", []))
    }
    nodes = tree.get("nodes", [])
    parts = {f"node {index}": _inside(node) for index, node in enumerate(nodes)}
    parts["file"] = [f"node {child}" for scene in tree.get("scenes", []) for child in scene.get("nodes", [])]
    check_expansion(parts, sizes, "file")


def _corners_of(primitive: dict[str, Any]) -> int:
    """Number of the accessor that has an item for each corner of a primitive."""
    return int(primitive.get("indices", primitive["attributes"]["POSITION"]))


def _inside(node: dict[str, Any]) -> list[str]:
    """What a node contains: its mesh, and its children."""
    own = [f"mesh {node['mesh']}"] if "mesh" in node else []
    return own + [f"node {child}" for child in node.get("children", [])]
