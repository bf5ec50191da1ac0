"""Bodies that a measured pose drives: their motion is that of the tag, from the body's own pose on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from meaning import refuses
from runs import snapshots
from scipy.spatial.transform import Rotation

from polhode.camera.pose_rows import POSE_COLUMNS, PoseRows
from polhode.camera.watching import csv_row
from polhode.data.csv_line import csv_line
from polhode.data.measured import MeasuredData
from polhode.data.reading import read_data
from polhode.data.times import TimeOptions
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.scene.scene_writing import write_scene
from polhode_app.data.measured.measured_layer import Assignment, MeasuredLayer
from polhode_app.data.measured.measured_motion import driven_by_pose
from polhode_app.data.measured.measured_poses import AXES, assignments_of_pose, poses, readings_at

SCENE = """
[[body]]
name = "lid"
support = "axle"
axis = [0, 0, 1]
friction = 0.1
dry_friction = 0.01
position = [1, 2, 3]
angular_velocity = [0, 0, 2]
orientation = { axis = [1, 0, 0], angle = 0.5 }
shape = [{ kind = "cuboid", size = [0.1, 0.2, 0.3], mass = 0.5 }]
"""
USUAL = TimeOptions()
START = Rotation.from_rotvec([0.4, -0.3, 2.0])


def turn_at(t: float) -> np.ndarray:
    return np.array([1.5 * np.sin(2 * t), 4.0 * t, 0.5 * np.cos(3 * t) - 0.5])


def place_at(t: float) -> np.ndarray:
    return np.array([0.3 * np.sin(t), 0.2 * t, 1.0 - 0.1 * np.cos(4 * t)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scene.toml").write_text(SCENE)
    rows = PoseRows()
    turned = [(t, Rotation.from_rotvec(turn_at(t)) * START, place_at(t)) for t in np.arange(0.0, 3.01, 1 / 60)]
    text = "".join(csv_row(rows.row(t, turn, place, 0.99)) for t, turn, place in turned)
    (tmp_path / "pose.csv").write_text(csv_line(POSE_COLUMNS) + text)
    return tmp_path


def driven(folder: Path, layer: MeasuredLayer | None = None, times: TimeOptions = USUAL) -> Scene:
    scene = read_scene(folder / "scene.toml")
    layer = layer or MeasuredLayer(read_data(folder / "pose.csv"))
    write_scene(driven_by_pose(scene, ("body", 0), "pose.csv", layer, "", times), folder / "driven.toml")
    return read_scene(folder / "driven.toml")


def ball(folder: Path) -> MeasuredData:
    """The data without a rotation."""
    data = read_data(folder / "pose.csv")
    return replace(data, columns=tuple(column for column in data.columns if column.name in AXES))


def test_a_body_moves_and_turns_as_the_tag(folder: Path):
    """More than one turn about y; a film of 60 pictures per second, with a spline between them."""
    before = read_scene(folder / "scene.toml").body[0]
    for now in snapshots(driven(folder), (0.0, 0.7, 1.31, 2.9)):
        turned = Rotation.from_rotvec(turn_at(now.time)).as_matrix() @ before.orientation.matrix()
        assert np.abs(now.bodies.basis[0].T - turned).max() < 2e-4
        moved = np.array(before.position) + place_at(now.time) - place_at(0.0)
        assert now.bodies.position[0] == pytest.approx(moved, abs=2e-5)


def test_a_ball_has_no_rotation(folder: Path):
    now = snapshots(driven(folder, MeasuredLayer(ball(folder))), (1.31,))[0]
    before = read_scene(folder / "scene.toml").body[0]
    assert now.bodies.basis[0].T == pytest.approx(before.orientation.matrix())
    assert now.bodies.position[0] == pytest.approx([1, 2, 3] + place_at(1.31) - place_at(0.0), abs=2e-5)


def test_the_file_is_read_as_in_the_dock(folder: Path):
    """Its units, its times and its clock: of frames without units, here in mm and 20 per second."""
    lines = [f"{9990 + 10 * k},{-k},0" for k in range(40)]
    (folder / "pose.csv").write_text("\n".join(["x,y,z", *lines]))
    data = read_data(folder / "pose.csv", dict.fromkeys(AXES, "mm"), rate=20.0)
    layer = MeasuredLayer(data, time_offset=0.5, time_scale=2.0)
    for now in snapshots(driven(folder, layer, TimeOptions(rate=20.0)), (0.0, 1.5, 2.9)):
        frames = 20.0 * max(now.time - 0.5, 0.0) / 2.0
        assert now.bodies.position[0] == pytest.approx([1 + 0.01 * frames, 2 - 0.001 * frames, 3], abs=1e-6)


def test_data_that_begin_before_the_run_move_the_body_from_its_own_position(folder: Path):
    before = read_scene(folder / "scene.toml").body[0]
    for now in snapshots(driven(folder, MeasuredLayer(ball(folder), time_offset=-0.7)), (0.0, 1.31)):
        moved = np.array(before.position) + place_at(now.time + 0.7) - place_at(0.7)
        assert now.bodies.position[0] == pytest.approx(moved, abs=2e-5)


def test_scales_of_the_dock_are_those_of_the_motion(folder: Path):
    """A column that is read with a scale of -2; its offset has no effect, since the body begins in its own place."""
    layer = MeasuredLayer(read_data(folder / "pose.csv"), {"x": Assignment("lid.position.x", -2.0, 0.7)})
    at_rest = read_scene(folder / "scene.toml").body[0].position
    for now in snapshots(driven(folder, layer), (0.0, 1.31)):
        moved = now.bodies.position[0] - at_rest
        assert moved == pytest.approx([-2.0, 1.0, 1.0] * (place_at(now.time) - place_at(0.0)), abs=1e-4)


def test_a_rotation_at_the_start_is_refused(folder: Path):
    """Before the run; in a table whose first rows were cut off; but not where it is below the noise."""
    data = read_data(folder / "pose.csv")
    with refuses("pose.csv", least=0.0, angle=float(np.linalg.norm(turn_at(0.7)))):
        driven(folder, MeasuredLayer(data, time_offset=-0.7))
    head, *rows = (folder / "pose.csv").read_text().splitlines()
    (folder / "pose.csv").write_text("\n".join([head, *rows[30:]]))
    with refuses("pose.csv", names="turn.x, turn.y, turn.z", angle=float(np.linalg.norm(turn_at(0.5)))):
        driven(folder)


def test_the_rest_of_the_body_is_kept(folder: Path):
    made, before = driven(folder).body[0], read_scene(folder / "scene.toml").body[0]
    assert made.support == "driven"
    for key in ("name", "position", "orientation", "shape"):
        assert getattr(made, key) == getattr(before, key)


def test_data_that_are_missing_are_refused(folder: Path):
    made = driven(folder)
    (folder / "pose.csv").unlink()
    with pytest.raises(InputError):
        snapshots(made, (0.0,))


def layer_of(folder: Path) -> MeasuredLayer:
    data = read_data(folder / "pose.csv")
    layer = MeasuredLayer(data)
    for column, quantity in assignments_of_pose([each.name for each in data.columns], "lid").items():
        layer = layer.assigned(column, quantity)
    return layer


def test_a_particle_has_a_position_alone(folder: Path):
    names = [column.name for column in read_data(folder / "pose.csv").columns]
    assert assignments_of_pose(names, "p", has_axes=False) == {axis: f"p.position.{axis}" for axis in AXES}


def test_times_of_the_run_are_computed_once(folder: Path):
    layer = layer_of(folder)
    assert layer.times is layer.times
    assert replace(layer, time_offset=0.5).times == pytest.approx(layer.times + 0.5)


def test_a_pose_is_found_between_the_rows(folder: Path):
    layer = layer_of(folder)
    assert len(layer.mapping) == 12
    time = 1.0 + 1 / 130
    (found,) = poses(layer, readings_at(layer, time))
    assert found[0] == "lid"
    assert found[1].position == pytest.approx(place_at(time), abs=1e-3)
    assert found[1].basis is not None
    assert found[1].basis @ found[1].basis.T == pytest.approx(np.eye(3), abs=1e-12)
    turned = Rotation.from_rotvec(turn_at(time)) * START
    assert found[1].basis.T == pytest.approx(turned.as_matrix(), abs=5e-3)
    assert list(poses(layer, readings_at(layer, -0.1))) == []
    assert list(poses(layer, readings_at(layer, 3.1))) == []


def test_scale_and_offset_of_a_column_move_the_pose(folder: Path):
    layer = layer_of(folder).calibrated("x", 2.0, 0.5)
    for axis in "xyz":
        layer = layer.calibrated(f"u1.{axis}", -1.0, 0.0)
    ((_, found),) = poses(layer, readings_at(layer, 1.0))
    assert found.position[0] == pytest.approx(0.5 + 2.0 * place_at(1.0)[0])
    assert found.basis is None  # a reflection


def test_without_a_column_there_is_no_pose(folder: Path):
    layer = layer_of(folder)
    ((_, found),) = poses(layer.assigned("u2.y", ""), readings_at(layer, 1.0))
    assert found.basis is None
    assert list(poses(layer.assigned("z", ""), readings_at(layer, 1.0))) == []
