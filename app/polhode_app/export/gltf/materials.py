"""Looks as materials of glTF, and meshes as its primitives."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
from PIL import Image

from polhode_app.export.gltf.glb import INDICES, VERTICES, Glb, Table
from polhode_app.export.motion.actors import ActorMesh, Look

TRIANGLES, LINES = 4, 1  # modes of primitives
REPEAT, LINEAR, MIPMAPS = 10497, 9729, 9987
UNLIT = "KHR_materials_unlit"


def linear(colors: np.ndarray | tuple[float, ...]) -> np.ndarray:
    """Components of colours as light, 0 to 1, from those of the screen (sRGB, IEC 61966-2-1)."""
    seen = np.asarray(colors, float)
    return np.where(seen <= 0.04045, seen / 12.92, ((seen + 0.055) / 1.055) ** 2.4)


def material(glb: Glb, look: Look, texture: np.ndarray | None = None, is_clear: bool = False) -> int:
    """Index of the material of a look, perhaps with a grey picture (h, w) that repeats.

    is_clear: its vertices have opacities
    """
    is_metal = look.metallic > 0
    surface: Table = {
        "baseColorFactor": [*linear(look.color).tolist(), look.opacity],
        "metallicFactor": 0.85 if is_metal else 0.0,
        "roughnessFactor": look.roughness if is_metal else min(0.75, max(0.2, 0.66 - 0.55 * look.specular)),
    }
    if texture is not None:
        surface["baseColorTexture"] = {"index": _texture(glb, texture)}
    made: Table = {"pbrMetallicRoughness": surface, "doubleSided": look.culls == ""}
    if look.opacity < 1 or is_clear:
        made["alphaMode"] = "BLEND"
    if not look.is_lit:
        made["extensions"] = {UNLIT: {}}
        glb.json["extensionsUsed"] = [UNLIT]
    return glb.add_once("materials", made)


def _texture(glb: Glb, grey: np.ndarray) -> int:
    """Index of a texture; the rows of `grey` go upwards, those of glTF downwards."""
    Image.fromarray(grey[::-1]).save(buffer := io.BytesIO(), format="png")
    image = glb.add("images", {"bufferView": glb.view(buffer.getvalue()), "mimeType": "image/png"})
    sampler = glb.add_once("samplers", {"magFilter": LINEAR, "minFilter": MIPMAPS, "wrapS": REPEAT, "wrapT": REPEAT})
    return glb.add("textures", {"source": image, "sampler": sampler})


def primitives(glb: Glb, mesh: ActorMesh, look: Look, texture: np.ndarray | None = None) -> list[Table]:
    """The triangles and the lines of a mesh, perhaps with a grey picture (h, w) of uint8 that repeats."""
    attributes = {"POSITION": glb.accessor(mesh.points.astype(np.float32), VERTICES, True)}
    lines_only = dict(attributes)
    if mesh.normals is not None:
        attributes["NORMAL"] = glb.accessor(_units(mesh.normals), VERTICES)
    if mesh.texture is not None:
        flipped = mesh.texture * np.float32([1, -1]) + np.float32([0, 1])
        attributes["TEXCOORD_0"] = glb.accessor(flipped, VERTICES)
    is_clear = False
    if mesh.colors is not None:  # they replace the colour of the look
        shades = mesh.colors / 255
        light = np.column_stack([linear(shades[:, :3]), shades[:, 3]])
        attributes["COLOR_0"] = glb.accessor(light.astype(np.float32), VERTICES)
        look, is_clear = replace(look, color=(1.0, 1.0, 1.0)), bool((mesh.colors[:, 3] < 255).any())
    made: list[Table] = []
    if len(mesh.triangles):
        corners = glb.accessor(mesh.triangles.astype(np.uint32).ravel(), INDICES)
        table = {"attributes": attributes, "indices": corners, "mode": TRIANGLES}
        made.append({**table, "material": material(glb, look, texture, is_clear)})
    if len(mesh.lines):
        ends = glb.accessor(mesh.lines.astype(np.uint32).ravel(), INDICES)
        made.append({"attributes": lines_only, "indices": ends, "mode": LINES, "material": material(glb, look)})
    return made


def _units(normals: np.ndarray) -> np.ndarray:
    """(n, 3) float32 unit vectors; zero vectors become upward ones."""
    size = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(size > 0, normals / np.maximum(size, 1e-30), [0.0, 0.0, 1.0]).astype(np.float32)
