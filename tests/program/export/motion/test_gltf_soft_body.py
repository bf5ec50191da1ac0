"""Soft bodies of an animated glTF file in Blender: the vertices of their skins are where the run has their points."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from moving_scene import motion_at
from scipy.spatial import cKDTree

from polhode import Simulation
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode_app.export.gltf.scene import write_glb

FRAMES = 24  # 1/s, of Blender: each moment is a frame of its own
LOOKED_AT = (0, 5, 12)
EXACT = 1e-5  # [m] of coordinates in float32, as shapes at rest and their differences
IN_BLENDER = """
import bpy, json, numpy, sys
numpy.bool = bool  # the importer of Debian 12 expects numpy before 1.24
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[-1])
scene, found = bpy.context.scene, {}
assert scene.render.fps == 24
for frame in json.loads(sys.argv[-2]):
    scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    places = []
    for each in bpy.data.objects:
        if each.name.split(".")[0] == "skins" and each.type == "MESH":
            shown = each.evaluated_get(graph)
            places += [[*(shown.matrix_world @ vertex.co)] for vertex in shown.to_mesh().vertices]
    found[frame] = places
print("FOUND" + json.dumps(found))
"""


def points_at(scene: Scene, frame: int) -> np.ndarray:
    """(n, 3) [m] positions of all points at a frame, laboratory frame."""
    simulation = Simulation(scene)
    simulation.advance_steps(round(frame / FRAMES / scene.solver.time_step))
    return simulation.snapshot().points.position


@pytest.mark.skipif(shutil.which("blender") is None, reason="there is no Blender")
@pytest.mark.parametrize(
    ("name", "count"), [("jelly_pendulum", 4**3 - 2**3), ("jelly_by_modes", 8 * 8 * 7 - 6 * 6 * 5)]
)
def test_skins_are_in_blender_where_the_run_has_their_points(name: str, count: int, tmp_path: Path) -> None:
    """At frames that are moments of the file; a jelly of points and springs, and one of modes."""
    scene = read_scene(gallery.path(name))
    step = 1 / FRAMES / np.ceil(1 / FRAMES / scene.solver.time_step)  # frames are steps
    scene = scene.model_copy(update={"solver": scene.solver.model_copy(update={"time_step": float(step)})})
    write_glb(motion_at(scene, [frame / FRAMES for frame in range(LOOKED_AT[-1] + 1)]), tmp_path / "soft.glb")
    (tmp_path / "look.py").write_text(IN_BLENDER, "utf-8")
    words = ["blender", "--background", "--factory-startup", "--python", tmp_path / "look.py", "--"]
    words += [json.dumps(LOOKED_AT), tmp_path / "soft.glb"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=250, check=False)
    if "No module named 'numpy'" in done.stdout + done.stderr:
        pytest.skip("Blender has no numpy")
    line = next((line for line in done.stdout.splitlines() if line.startswith("FOUND")), None)
    assert line is not None, done.stdout[-2000:] + done.stderr[-2000:]
    found = {int(frame): np.array(places) for frame, places in json.loads(line[5:]).items()}
    places = {frame: points_at(scene, frame) for frame in LOOKED_AT}
    gap = {frame: cKDTree(found[frame]).query(places[frame])[0] for frame in LOOKED_AT}
    surface = gap[0] < EXACT  # points inside have no vertex
    assert surface.sum() == count
    assert all(each[surface].max() < EXACT for each in gap.values())
    shapes = [each[surface] - each[surface].mean(axis=0) for each in places.values()]
    assert max(np.abs(shape - shapes[0]).max() for shape in shapes[1:]) > 100 * EXACT  # it wobbles
