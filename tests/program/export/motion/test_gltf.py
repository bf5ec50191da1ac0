"""Animated glTF files: their nodes are where the run has its things, for our own reader, trimesh and Blender."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from moving_scene import TIMES, everything, motion_at

from polhode import Simulation
from polhode.scene.scene_file import scene_of
from polhode_app.export.gltf.rotation_keys import rotation_keys
from polhode_app.export.gltf.scene import write_glb

UP = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # from the laboratory to glTF
KINDS = {5121: "<u1", 5125: "<u4", 5126: "<f4"}
COLUMNS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
IN_BLENDER = """
import bpy, json, numpy, sys
numpy.bool = bool  # the importer of Debian 12 expects numpy before 1.24
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[-1])
scene, found = bpy.context.scene, {}
for frame in (0, 6, 12):
    scene.frame_set(frame)
    found[frame / scene.render.fps] = {each.name: [[*row] for row in each.matrix_world] for each in bpy.data.objects}
print("FOUND" + json.dumps([found, [len(each.key_blocks) for each in bpy.data.shape_keys]]))
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gltf") / "run.glb"
    write_glb(motion_at(everything(), TIMES), path)
    return path


class Reader:
    """A glTF file, read by its specification."""

    def __init__(self, path: Path):
        data = path.read_bytes()
        assert struct.unpack_from("<4sII", data) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        self.json: dict[str, Any] = json.loads(data[20 : 20 + size])
        self.binary = data[28 + size :]

    def array(self, number: int) -> np.ndarray:
        table = self.json["accessors"][number]
        start, columns = self.json["bufferViews"][table["bufferView"]]["byteOffset"], COLUMNS[table["type"]]
        kind = np.dtype(KINDS[table["componentType"]])
        found = np.frombuffer(self.binary, kind, table["count"] * columns, start).reshape(-1, columns)
        return found[:, 0] if columns == 1 else found

    def node(self, name: str) -> int:
        return next(k for k, node in enumerate(self.json["nodes"]) if node["name"] == name)

    def keys(self, name: str, path: str) -> tuple[np.ndarray, np.ndarray]:
        """Times [s] and values of an animated property of a node."""
        (animation,) = self.json["animations"]
        target = {"node": self.node(name), "path": path}
        channel = next(each for each in animation["channels"] if each["target"] == target)
        sampler = animation["samplers"][channel["sampler"]]
        return self.array(sampler["input"]), self.array(sampler["output"])


def matrix_of(quaternion: np.ndarray) -> np.ndarray:
    """(3, 3) rotation of a quaternion, scalar last as in glTF."""
    x, y, z, w = quaternion.astype(float)
    return trimesh.transformations.quaternion_matrix([w, x, y, z])[:3, :3]


def moment(time: float) -> Any:
    simulation = Simulation(everything())
    simulation.advance_steps(round(time / 1e-3))
    return simulation.snapshot()


def test_bodies_are_nodes_with_their_rotations(file: Path) -> None:
    times, turned = Reader(file).keys("bob", "rotation")
    for time in (0.0, 0.2, 0.5):
        row = int(np.abs(times - time).argmin())
        assert times[row] == pytest.approx(time, abs=1e-6)
        assert np.abs(matrix_of(turned[row]) - moment(time).bodies.basis[0].T).max() < 1e-6  # float32


def test_fast_rotations_have_keys_between_the_moments(file: Path) -> None:
    """At 400 rad/s from one moment to the next there are 8 rad: six keys."""
    times, turned = Reader(file).keys("gyro", "rotation")
    assert len(times) == 6 * (len(TIMES) - 1) + 1
    steps = 2 * np.arccos(np.abs((turned[1:] * turned[:-1]).sum(axis=1)).clip(max=1))
    assert steps == pytest.approx(np.full(len(steps), 8 / 6), abs=2e-3)


def test_a_coil_ends_at_its_ends(file: Path) -> None:
    reader = Reader(file)
    start = np.array(reader.json["nodes"][reader.node("spring 1")]["translation"])
    _, scale = reader.keys("spring 1", "scale")
    assert start == pytest.approx([-0.3, -0.3, 0.9], abs=1e-6)
    length = np.linalg.norm(moment(0.5).points.position[-1] - start)
    assert scale[-1] == pytest.approx([1, 1, length], abs=1e-5)


def test_soft_bodies_have_their_shapes_as_morph_targets(file: Path) -> None:
    reader = Reader(file)
    skins = [k for k, node in enumerate(reader.json["nodes"]) if node["name"] == "skins"]
    mesh = reader.json["meshes"][reader.json["nodes"][skins[0]]["mesh"]]
    (primitive,) = mesh["primitives"]
    last = reader.array(primitive["attributes"]["POSITION"]) + reader.array(primitive["targets"][-1]["POSITION"])
    points = moment(0.5).points.position[:12]
    assert np.linalg.norm(last[None] - points[:, None], axis=2).min(axis=1).max() < 1e-5
    assert len(mesh["weights"]) == len(primitive["targets"]) == len(TIMES) - 1


def test_indices_and_bounds_hold(file: Path) -> None:
    reader = Reader(file)
    for number, table in enumerate(reader.json["accessors"]):
        values = reader.array(number)
        assert np.isfinite(values).all()
        if "min" in table:
            assert values.reshape(len(values), -1).min(axis=0).tolist() == pytest.approx(table["min"])
    for mesh in reader.json["meshes"]:
        for primitive in mesh["primitives"]:
            assert reader.array(primitive["indices"]).max() < len(reader.array(primitive["attributes"]["POSITION"]))


def test_trimesh_opens_it_with_everything_in_its_place(file: Path) -> None:
    scene, start = trimesh.load_scene(file), moment(0.0).bodies
    matrix, _ = scene.graph["bob"]
    assert matrix[:3, 3] == pytest.approx(UP @ start.position[0], abs=1e-6)
    assert np.abs(matrix[:3, :3] - UP @ start.basis[0].T).max() < 1e-6


@pytest.mark.skipif(shutil.which("blender") is None, reason="there is no Blender")
def test_blender_opens_it_and_plays_it(file: Path, tmp_path: Path) -> None:
    (tmp_path / "look.py").write_text(IN_BLENDER, "utf-8")
    command = ["blender", "--background", "--factory-startup", "--python", tmp_path / "look.py", "--", file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    if "No module named 'numpy'" in done.stdout + done.stderr:
        pytest.skip("Blender has no numpy")
    line = next((line for line in done.stdout.splitlines() if line.startswith("FOUND")), None)
    assert line is not None, done.stdout[-2000:] + done.stderr[-2000:]
    found, keys = json.loads(line[5:])
    assert set(keys) == {len(TIMES)}
    for time, objects in found.items():  # Blender has z upwards, as the laboratory
        expected, matrix = moment(float(time)).bodies, np.array(objects["bob"])
        assert matrix[:3, 3] == pytest.approx(expected.position[0], abs=1e-5)
        own = expected.basis[0].T @ UP  # the importer turns the axes of every mesh, too
        assert np.abs(matrix[:3, :3] - own).max() < 5e-3  # chords between keys, on frames of 1/24 s


def test_rotation_keys_go_the_long_way_where_turns_say_so() -> None:
    turned = np.array([[1.0, 0, 0, 0], [np.cos(0.5), 0, 0, np.sin(0.5)]])
    times, keys = rotation_keys(np.array([0.0, 1.0]), turned, np.array([1]))
    angles = np.unwrap(2 * np.arctan2(keys[:, 3], keys[:, 0]))
    assert angles == pytest.approx((1 + 2 * np.pi) * times)
    assert np.diff(angles).max() <= np.pi / 2


def test_bodies_that_move_alike_have_nodes_of_their_own(tmp_path: Path) -> None:
    """Two on one pivot with the same motion, two at rest in the same place, and many of the same shape."""
    ball = {"kind": "sphere", "radius": 0.05, "mass": 1, "position": [0, 0, -0.3]}
    box = {"kind": "cuboid", "size": [0.1, 0.1, 0.1], "mass": 1, "position": [0, 0, -0.3]}
    alike = {"support": "pivot", "angular_velocity": [0, 2, 0]}
    bodies = [
        {"name": "first", **alike, "shape": [ball]},
        {"name": "second", **alike, "shape": [ball | {"color": "#ff0000"}]},
        *({"name": f"still_{k}", "support": "fixed", "shape": [box]} for k in range(2)),
        *({"name": f"many_{k}", **alike, "shape": [box]} for k in range(20)),
    ]
    write_glb(motion_at(scene_of({"body": bodies}, "test"), TIMES), tmp_path / "alike.glb")
    reader = Reader(tmp_path / "alike.glb")
    nodes = {node["name"]: node for node in reader.json["nodes"]}
    assert nodes.keys() >= {body["name"] for body in bodies}
    for name, other in (("first", "second"), ("many_3", "many_9")):
        parts = reader.json["meshes"][nodes[name]["mesh"]]["primitives"]
        assert len(parts) == (2 if name == "first" else 4)  # of the body, whose faces have three shades, and its thread
        assert np.array_equal(reader.keys(name, "rotation")[1], reader.keys(other, "rotation")[1])
    assert nodes["first"]["mesh"] != nodes["second"]["mesh"]  # of another colour
    assert not [each for each in reader.json["animations"][0]["channels"] if "still" in _name_of(each, reader)]


def _name_of(channel: dict[str, Any], reader: Reader) -> str:
    return str(reader.json["nodes"][channel["target"]["node"]]["name"])


def test_a_bench_has_the_colours_of_its_vertices(tmp_path: Path) -> None:
    ball = {"kind": "sphere", "radius": 0.05, "mass": 1.0, "position": [0, 0, -0.3]}
    body = {"name": "bob", "support": "pivot", "position": [0, 0, 0.5], "shape": [ball]}
    motion = motion_at(scene_of({"body": [body], "view": {"place": "bench"}}, "test"), [0.0, 0.1])
    write_glb(motion, path := tmp_path / "bench.glb")
    reader = Reader(path)
    (seen,) = [part.mesh.colors for part in motion.parts if part.view == "place" and part.mesh.colors is not None]
    (light,) = [
        reader.array(each["attributes"]["COLOR_0"])
        for mesh in reader.json["meshes"]
        for each in mesh["primitives"]
        if "COLOR_0" in each["attributes"]
    ]
    again = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)  # IEC 61966-2-1
    assert np.abs(255 * again[:, :3] - seen[:, :3]).max() < 0.5
    assert (light[:, 3] == 1).all()


def test_a_scene_without_anything_is_a_file(tmp_path: Path) -> None:
    write_glb(motion_at(scene_of({"title": "nothing"}, "test"), [0.0, 0.1]), tmp_path / "nothing.glb")
    data = (tmp_path / "nothing.glb").read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    assert json.loads(data[20 : 20 + size])["nodes"][0]["name"] == "laboratory"
