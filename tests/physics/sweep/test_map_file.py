"""Files of maps: what comes back, what a kill leaves, and what is refused."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from command_line import polhode
from meaning import Meaning, refuses

from polhode.run.status import PENDING
from polhode.scene.problem import InputError
from polhode.scene.scene_file import read_scene
from polhode.scene.scene_writing import write_scene
from polhode.scene.variants.outcome import Outcome
from polhode.sweep.maps.map_file import MapWriter, read_map
from polhode.sweep.maps.map_layout import ARRAYS, ROOT
from polhode.sweep.sweep import Sweep

ROOT_FOLDER = Path(__file__).parents[3]


def small(count: int, near: bool = True):
    """The built-in basins with `count` cells a side."""
    given = read_scene("scenes/basins_of_three_magnets.toml")
    sweep = given.sweep[0]
    axes = tuple(axis.model_copy(update={"count": count}) for axis in sweep.axes)
    outcome = sweep.outcome if near else sweep.outcome.model_copy(update={"near": ()})
    return given.model_copy(update={"sweep": (sweep.model_copy(update={"axes": axes, "outcome": outcome}),)})


@pytest.mark.parametrize("near", [True, False])
def test_a_map_comes_back_from_its_file(tmp_path, near):
    scene = small(6, near)
    sweep = Sweep(scene)
    writer = MapWriter(tmp_path / "map.h5", scene, 0, sweep.map, "0.0")
    made = sweep.run(lambda run: writer.write(run.newest))
    writer.write_all()
    stored = read_map(tmp_path / "map.h5")
    for name in (*ARRAYS, "features"):
        assert np.array_equal(getattr(stored.map, name), getattr(made, name), equal_nan=True)
    assert stored.map.fractions() == made.fractions()
    assert stored.scene.sweep == scene.sweep
    assert stored.program == "Polhode 0.0"
    with h5py.File(tmp_path / "map.h5") as file:  # as any reader of HDF5 sees it
        assert file[f"{ROOT}/axis1"][:].tolist() == np.linspace(-5, 5, 6).tolist()
        assert file[f"{ROOT}/axis1"].attrs["parameter"] == "body[0].angular_velocity[1]"
        assert file[f"{ROOT}/axis1"].attrs["unit"] == "rad/s"


def test_a_map_brings_the_meshes_of_its_scene(tmp_path):
    scene = read_scene("scenes/magnet_pendulum.toml")
    axis = {"parameter": "body[0].tilt[0]", "range": [0, 1], "count": 3}
    swept = type(scene).model_validate(dict(scene) | {"sweep": [{"until": 0.1, "axes": [axis]}]})
    scene = swept.in_folder(scene.folder)
    MapWriter(tmp_path / "map.h5", scene, 0, Sweep(scene).map, "0.0")
    stored = read_map(tmp_path / "map.h5")
    assert (stored.map.status == PENDING).all()
    made = Sweep(stored.scene).run()
    assert np.array_equal(made.label, Sweep(scene).run().label)


def test_a_killed_sweep_keeps_its_cells_and_goes_on(tmp_path):
    scene, out = small(120), tmp_path / "map.h5"
    write_scene(scene, tmp_path / "scene.toml")
    command = [sys.executable, "-m", "polhode_app", "sweep", str(tmp_path / "scene.toml"), "--out", str(out)]
    process = subprocess.Popen(command, cwd=ROOT_FOLDER, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (out.exists() and read_map(out).map.done > 0.1):
        time.sleep(0.02)
    assert process.poll() is None, "it was done before it could be killed"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    left = read_map(out).map
    assert 0.1 < left.done < 1.0
    resumed = polhode(*command[3:], "--resume", folder=ROOT_FOLDER)
    assert resumed.returncode == 0, resumed.stderr
    assert "14400 cells" in resumed.stderr
    whole, unbroken = read_map(out).map, Sweep(scene).run()
    known = left.status != PENDING
    for name in ("label", "time", "value", "status"):
        assert getattr(whole, name).tobytes() == getattr(unbroken, name).tobytes()
        assert np.array_equal(getattr(left, name)[known], getattr(whole, name)[known], equal_nan=True)


@pytest.fixture
def written(tmp_path) -> Path:
    scene = small(3)
    MapWriter(tmp_path / "map.h5", scene, 0, Sweep(scene).map, "0.0")
    return tmp_path / "map.h5"


def _set(name, value):
    def change(head):
        head[name][0, 0] = value

    return change


def _delete(name):
    def change(head):
        del head[name]

    return change


def _replace(name, value):
    def change(head):
        del head[name]
        head[name] = value

    return change


def _link(head):
    del head["label"]
    head["label"] = h5py.ExternalLink("/etc/passwd", "/")


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (_set("status", 17), Meaning("", "fit", "sweep")),
        (_set("label", -5), Meaning("", "fit", "sweep")),
        (_delete("label"), Meaning("Polhode-map/label", "data", "set")),
        (_delete("status"), Meaning("Polhode-map/status", "data", "set")),
        (_replace("status", np.zeros((3, 3))), Meaning("Polhode-map/status", found_dimensions=2, found="float64")),
        (_replace("status", np.zeros((4, 4), np.uint8)), Meaning("Polhode-map", "different", "shapes")),
        (_replace("Scene", b"body = 3"), Meaning("body", "list", value=3)),
        (_replace("Scene", b"format = 1"), Meaning("", "sweep", "scene")),
        (_link, Meaning("", "link", label="/Polhode-map/label")),
        (lambda head: head.attrs.update({"format": 99}), Meaning("", "format", made=99)),
        (lambda head: head.attrs.update({"sweep": -1}), Meaning("", "sweep", "scene")),
        (lambda head: head.attrs.update({"sweep": "x"}), Meaning("", "sweep", "scene")),
    ],
)
def test_damaged_maps_are_refused_by_one_message(written, change, rule):
    with h5py.File(written, "r+") as file:
        change(file[ROOT])
    with refuses(rule):
        read_map(written)


def test_other_files_are_no_maps(tmp_path):
    (tmp_path / "text.h5").write_text("no")
    with refuses("text.h5", "map"):
        read_map(tmp_path / "text.h5")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = 3
    with refuses("other.h5", "map", "Polhode"):
        read_map(tmp_path / "other.h5")
    with pytest.raises(InputError, match=r"missing\.h5"):
        read_map(tmp_path / "missing.h5")
    os.mkfifo(tmp_path / "pipe.h5")
    with pytest.raises(InputError, match=r"pipe\.h5"):
        read_map(tmp_path / "pipe.h5")
    (tmp_path / "cut.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(80))
    with refuses("cut.h5", "damaged"):
        read_map(tmp_path / "cut.h5")


def test_a_sweep_of_axes_is_saved_with_its_scene(tmp_path: Path) -> None:
    """A map made in Python, of axes that the scene does not state."""
    spins, ends = {"body[0].angular_velocity[2]": (60.0, 90.0, 3)}, Outcome(kind="final", quantity="top.u3.z")
    run = Sweep(read_scene("heavy_top"), axes=spins, until=0.05, outcome=ends)
    made = run.run()
    run.save(tmp_path / "a.h5")
    found = read_map(tmp_path / "a.h5")
    assert np.array_equal(found.map.value, made.value)
    assert found.scene.sweep[0].axes[0].parameter == "body[0].angular_velocity[2]"
    assert np.array_equal(Sweep(found.scene).run().value, made.value)
