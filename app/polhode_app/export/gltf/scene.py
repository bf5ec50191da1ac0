"""A run as an animated glTF scene: a node with keys for each body and point, morph targets for deformed parts.

glTF has y upwards: one node at the top turns the laboratory, in which z is, by -90 degrees about x. Its times begin
with 0. Arrows, trails, the ground and shadows are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyvista as pv

from polhode.scene.files.file_writing import replacing
from polhode_app.export.gltf.coils import coils_of
from polhode_app.export.gltf.glb import VERTICES, Glb, Table
from polhode_app.export.gltf.materials import primitives
from polhode_app.export.gltf.rotation_keys import continued, rotation_keys
from polhode_app.export.motion.actors import ActorMesh, Look
from polhode_app.export.motion.parts import Deformed, MotionPart, Posed, RunMotion, Spheres, Still
from polhode_app.export.motion.turns import extra_turns
from polhode_app.version import version
from polhode_app.viewport.registry import VIEWS
from polhode_app.viewport.things.instances import quaternions

KINDS = ("item", "surroundings")  # of views that a file has, where they are on
SHAPES = 120  # morph targets of one mesh at most
NUMBERS = 16_000_000  # of all morph targets of one mesh at most
UPRIGHT = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]  # quaternion, scalar last


class GltfScene:
    """The file of a motion."""

    def __init__(self, motion: RunMotion):
        """Put the file together."""
        self._motion, self._glb = motion, Glb(f"Polhode {version()}")
        self._times = (motion.times - motion.times[0]).astype(np.float32)
        self._turns = extra_turns(motion.poses)
        self._samplers: list[Table] = []
        self._channels: list[Table] = []
        self._names = [body.name for body in motion.stages["dark"].scene.bodies]
        parts = [part for part in motion.parts if VIEWS[part.view].kind in KINDS and part.view in motion.shown]
        children = [*self._still(parts), *self._posed(parts)]
        for part in parts:
            if isinstance(part.movement, Spheres):
                children += self._spheres(part, part.movement)
            elif isinstance(part.movement, Deformed) and "coils" in part.movement.structure:
                children += self._coils(part, part.movement)
            elif isinstance(part.movement, Deformed):
                children.append(self._deformed(part, part.movement))
        scene = motion.stages["dark"].scene
        root = self._glb.add("nodes", {"name": "laboratory", "rotation": UPRIGHT, "children": children})
        if not children:
            self._glb.json["nodes"][root].pop("children")
        self._glb.add("scenes", {"name": scene.title or "scene", "nodes": [root]})
        self._glb.json["scene"] = 0
        if self._channels:
            self._glb.add("animations", {"name": "run", "channels": self._channels, "samplers": self._samplers})

    def packed(self) -> bytes:
        """The bytes of the file."""
        return self._glb.packed()

    def _still(self, parts: Sequence[MotionPart]) -> list[int]:
        """A node for each body that stands still, and for each view with all else that does."""
        by_name: defaultdict[str, list[Table]] = defaultdict(list)
        for part in parts:
            if isinstance(part.movement, Still):
                is_body = part.view == "bodies" and part.body is not None
                name = self._names[part.body or 0] if is_body else f"fixed {part.view}"
                by_name[name] += primitives(self._glb, part.mesh, part.look, part.texture)
        return [self._node(name, self._mesh(found)) for name, found in by_name.items()]

    def _posed(self, parts: Sequence[MotionPart]) -> list[int]:
        """A node for each body, and for what else moves as a whole."""
        by_pose: defaultdict[int, list[MotionPart]] = defaultdict(list)
        for part in parts:
            if isinstance(part.movement, Posed):
                for pose in part.movement.poses.tolist():
                    by_pose[pose].append(part)
        names, made = self._names, []
        for pose, of_pose in sorted(by_pose.items()):
            found = [each for part in of_pose for each in primitives(self._glb, part.mesh, part.look, part.texture)]
            name = names[pose] if pose < len(names) else f"{of_pose[0].view} {pose - len(names) + 1}"
            node = self._node(name, self._mesh(found))
            self._move(node, self._motion.poses.position[:, pose])
            times, turned = rotation_keys(
                self._times.astype(float), self._motion.poses.quaternion[:, pose], self._turns[:, pose]
            )
            self._animate(node, "rotation", times, turned[:, [1, 2, 3, 0]])
            made.append(node)
        return made

    def _spheres(self, part: MotionPart, spheres: Spheres) -> list[int]:
        """A node for each point."""
        ball = pv.Sphere(radius=1.0, theta_resolution=24, phi_resolution=16)
        none = np.zeros((0, 2), np.int32)
        points = np.asarray(ball.points, np.float32)
        mesh = ActorMesh(points, points, ball.regular_faces.astype(np.int32), none)
        made, known = [], {}
        for k, (radius, color) in enumerate(zip(spheres.radius.tolist(), spheres.colors.tolist(), strict=True)):
            if tuple(color) not in known:
                look = Look((color[0] / 255, color[1] / 255, color[2] / 255), color[3] / 255)
                known[tuple(color)] = self._mesh(primitives(self._glb, mesh, look))
            node = self._node(f"{part.view} {k}", known[tuple(color)], scale=[radius] * 3)
            self._move(node, spheres.points[:, k])
            made.append(node)
        return made

    def _coils(self, part: MotionPart, deformed: Deformed) -> list[int]:
        """A node for each coil spring, which keys stretch."""
        made = []
        for k, coil in enumerate(coils_of(deformed)):
            triangles = part.mesh.triangles[(part.mesh.triangles < len(coil.points)).all(axis=1)]  # alike for all coils
            normals = _normals(coil.points, triangles)
            mesh = ActorMesh(coil.points, normals, triangles, np.zeros((0, 2), np.int32))
            node = self._node(f"spring {k + 1}", self._mesh(primitives(self._glb, mesh, part.look)))
            self._move(node, coil.start)
            turned = continued(quaternions(coil.basis))
            self._animate(node, "rotation", self._times, turned[:, [1, 2, 3, 0]])
            self._animate(node, "scale", self._times, coil.scale)
            made.append(node)
        return made

    def _deformed(self, part: MotionPart, deformed: Deformed) -> int:
        """A node whose mesh has its shapes at some frames as morph targets."""
        points, mesh = deformed.points, part.mesh
        count = int(min(len(points), SHAPES, max(2, NUMBERS // (6 * points.shape[1]))))
        chosen = np.unique(np.round(np.linspace(0, len(points) - 1, count)).astype(int))
        shapes = points[chosen]
        normals = [_normals(shape, mesh.triangles) for shape in shapes] if len(mesh.triangles) else None
        base = ActorMesh(shapes[0], normals[0] if normals else None, mesh.triangles, mesh.lines)
        tables = primitives(self._glb, base, part.look)
        targets = []
        for k in range(1, len(shapes)):
            target = {"POSITION": self._glb.accessor(shapes[k] - shapes[0], VERTICES, True)}
            if normals:
                target["NORMAL"] = self._glb.accessor((normals[k] - normals[0]).astype(np.float32), VERTICES)
            targets.append(target)
        for table in tables:
            if targets:
                has_normals = "NORMAL" in table["attributes"]
                table["targets"] = [t if has_normals else {"POSITION": t["POSITION"]} for t in targets]
        node = self._node(part.view, self._mesh(tables, len(targets)))
        if targets:
            weights = np.eye(len(shapes), dtype=np.float32)[:, 1:]
            self._animate(node, "weights", self._times[chosen], weights.reshape(-1))
        return node

    def _mesh(self, tables: list[Table], targets: int = 0) -> int:
        weights = {"weights": [0.0] * targets} if targets else {}
        return self._glb.add_once("meshes", {"primitives": tables, **weights})

    def _node(self, name: str, mesh: int, **more: object) -> int:
        return self._glb.add("nodes", {"name": name, "mesh": mesh, **more})

    def _move(self, node: int, positions: np.ndarray) -> None:
        """Let a node be at `positions` (f, 3) [m]."""
        self._glb.json["nodes"][node]["translation"] = [float(part) for part in positions[0]]
        if np.ptp(positions, axis=0).any():
            self._animate(node, "translation", self._times, positions)

    def _animate(self, node: int, path: str, times: np.ndarray, values: np.ndarray) -> None:
        """Let something of a node follow `values` at times (k,) [s], along straight lines or great circles."""
        if path in ("rotation", "scale"):
            self._glb.json["nodes"][node][path] = [float(part) for part in values[0]]
        if len(times) < 2 or not np.ptp(values, axis=0).any():
            return
        sampler = {
            "input": self._glb.accessor(_increasing(times), bounds=True),
            "output": self._glb.accessor(values.astype(np.float32)),
            "interpolation": "LINEAR",
        }
        self._samplers.append(sampler)
        self._channels.append({"sampler": len(self._samplers) - 1, "target": {"node": node, "path": path}})


def _increasing(times: np.ndarray) -> np.ndarray:
    """Times as float32, each later than the one before."""
    rounded = times.astype(np.float32)
    for k in range(1, len(rounded)):
        if rounded[k] <= rounded[k - 1]:
            rounded[k] = np.nextafter(rounded[k - 1], np.float32(np.inf))
    return rounded


def _normals(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n, 3) float32 unit normals at points, weighted by the areas of their triangles."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    across = np.cross(b - a, c - a)
    corners, count = triangles.ravel(), len(points)
    total = np.column_stack([np.bincount(corners, across.repeat(3, axis=0)[:, axis], count) for axis in range(3)])
    size = np.linalg.norm(total, axis=1, keepdims=True)
    return np.where(size > 0, total / np.maximum(size, 1e-30), [0.0, 0.0, 1.0]).astype(np.float32)


def write_glb(motion: RunMotion, out: Path) -> None:
    """Write the animated glTF file of a motion. Raises OSError, and then Diverged if the run has."""
    with replacing(out) as file:
        file.write(GltfScene(motion).packed())
    if motion.stopped is not None:
        raise motion.stopped
