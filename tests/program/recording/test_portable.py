"""Portable recordings: the compiled scene in the file, what is taken from it, and what is refused."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from math import prod
from pathlib import Path

import h5py
import numpy as np
import pytest
from command_line import polhode
from import_path import IMPORT_PATH
from recording_files import advance, begun, ended

from polhode.engine.compiled_scene import CompiledScene
from polhode.mesh.mesh import Meshes
from polhode.recording.compiled_arrays import arrays_of
from polhode.recording.reader import read_recording
from polhode.recording.recording import Recording
from polhode.recording.writer import RecordingWriter
from polhode.scene import gallery
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.driven_parameters import build_at
from polhode.simulation.simulation import Simulation
from polhode_app.runner.geometry import geometry

STEPS = 40
TARGET = """
from polhode_app.cli.options.portable_target import choose_generic
choose_generic(True)
from numba.core.registry import cpu_target
from polhode.jit.kernel import OPTIONS
print(cpu_target.target_context.codegen().magic_tuple()[1:], OPTIONS["fastmath"])
"""
# Scenes with machine code of formulas: of fields, paths, surfaces, walls, currents, joints and rotations.
WITH_FORMULAS = (
    "rotating_field",
    "bead_on_circle",
    "ball_on_a_vibrating_table",
    "rolling_2_frictionless_bowl",
    "loudspeaker",
    "meshing_gears",
    "foucault_pendulum",
)


def recorded(path: Path, scene: Scene) -> Path:
    """A portable recording of a few steps."""
    meshes = Meshes()
    simulation = Simulation(scene, meshes)
    taping = RecordingWriter(path, simulation, 1, "test", geometry(meshes), is_portable=True)
    advance(simulation, taping, STEPS)
    ended(taping)
    return path


def build(scene: Scene) -> CompiledScene:
    return build_at(scene, scene.sensor.centre, Meshes())


def top() -> Scene:
    return read_scene(gallery.path("heavy_top"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return recorded(tmp_path / "run.vtkhdf", top())


def last_of(path: Path) -> np.ndarray:
    """(k,) the last state of a repetition of a recording."""
    with read_recording(path, Recording) as run:
        return [again.state for again in run.playback.rerun()][-1]


def index_of(path: Path, member: str) -> int:
    """Index of the first number of a member in `Numbers`."""
    with h5py.File(path) as file:
        at = 0
        for line in file["Polhode/Compiled/Layout"][()].decode().splitlines():
            name, kind, shape = line.split(" ", 2)
            if name == member:
                return at
            at += prod(map(int, re.findall(r"\d+", shape))) if kind.startswith("float") else 0
    raise AssertionError(member)


def test_a_repetition_has_the_same_bits(file: Path) -> None:
    with read_recording(file) as run:
        assert run.about.portable
        assert np.array_equal(last_of(file), run.state(-1))


def test_a_repetition_takes_the_numbers_of_the_file(file: Path) -> None:
    mass = index_of(file, "model.bodies.mass")
    before = last_of(file)
    with h5py.File(file, "a") as changed:
        assert changed["Polhode/Compiled/Numbers"][mass] == build(top()).model.bodies.mass[0]
        changed["Polhode/Compiled/Numbers"][mass] *= 1.0 + 1e-9
    after = last_of(file)
    assert 1e-15 < np.abs(after - before).max() < 1e-6


def test_a_repetition_begins_with_the_first_state_of_the_file(file: Path) -> None:
    before = last_of(file)
    with h5py.File(file, "a") as changed:
        changed["Polhode/State"][0, 0] += 1e-9
    assert not np.array_equal(last_of(file), before)


def replaced(name: str, value: object) -> Callable[[h5py.Group], None]:
    def change(group: h5py.Group) -> None:
        del group[name]
        group[name] = value

    return change


def set_at(name: str, index: int, value: float) -> Callable[[h5py.Group], None]:
    def change(group: h5py.Group) -> None:
        group[name][index] = value

    return change


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (set_at("Numbers", 0, np.nan), "Compiled, 'model.bodies.mass'"),
        (set_at("Numbers", 0, np.inf), "Compiled, 'model.bodies.mass'"),
        (set_at("Numbers", 0, 7.0), "Compiled, 'model.bodies.mass'"),
        (set_at("Whole", 0, 2**40), "Compiled/Whole[0]"),
        (replaced("Numbers", np.zeros(3)), "Compiled/Numbers"),
        (replaced("Whole", np.zeros(3, np.int64)), "Compiled/Whole"),
        (replaced("Numbers", np.zeros(3, np.float32)), "Compiled/Numbers"),
        (replaced("Whole", np.zeros((3, 3), np.int64)), "Compiled/Whole"),
        (replaced("Layout", "model.bodies.mass int64 (9,)"), "Compiled/Layout"),
        (replaced("Layout", np.zeros(3)), "Compiled/Layout"),
        (lambda group: group.clear(), "Compiled"),
    ],
)
def test_other_arrays_than_those_of_the_scene_are_refused(
    file: Path, change: Callable[[h5py.Group], None], place: str
) -> None:
    with h5py.File(file, "a") as changed:
        change(changed["Polhode/Compiled"])
    with pytest.raises(InputError) as refused:
        last_of(file)
    assert refused.value.problems[0].place.startswith(f"Polhode/{place}")


def test_a_portable_recording_without_its_arrays_is_refused(file: Path) -> None:
    with h5py.File(file, "a") as changed:
        del changed["Polhode/Compiled"]
    with pytest.raises(InputError) as refused:
        read_recording(file)
    assert refused.value.problems[0].place == "Polhode/Compiled"


def test_a_recording_without_arrays_is_not_portable(tmp_path: Path) -> None:
    simulation, taping = begun(top(), tmp_path / "run.vtkhdf")
    advance(simulation, taping, 3)
    ended(taping)
    with read_recording(tmp_path / "run.vtkhdf") as run:
        assert not run.about.portable
        assert run.compiled is None


@pytest.mark.parametrize("name", WITH_FORMULAS)
def test_no_address_of_machine_code_is_stored(name: str) -> None:
    compiled = build(read_scene(gallery.path(name)))
    assert np.abs(arrays_of(compiled).whole).max() < 2**32


def test_a_scene_that_is_compiled_during_the_run_is_refused(tmp_path: Path) -> None:
    scene = read_scene(gallery.path("heavy_top")).model_dump()
    scene["sensor"] = {"drive": [{"parameter": "world.gravity[2]", "offset": -9.81}]}
    with pytest.raises(InputError) as refused:
        recorded(tmp_path / "run.vtkhdf", Scene.model_validate(scene))
    assert refused.value.problems[0].place == "sensor.drive"
    assert not (tmp_path / "run.vtkhdf").exists()


def test_the_target_is_a_generic_processor_without_contraction() -> None:
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    words = [sys.executable, "-c", TARGET]
    found = subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout
    assert found.strip() == "('generic', '') False"


def test_the_command_records_and_repeats(tmp_path: Path) -> None:
    told = {"PYTHONHASHSEED": "0"}  # a process of its own, which has not loaded the compiler
    done = polhode("run", "heavy_top", "--portable", "--until", 0.05, "--out", "a.vtkhdf", folder=tmp_path, **told)
    assert done.returncode == 0, done.stderr
    done = polhode("run", "a.vtkhdf", "--out", "b.vtkhdf", folder=tmp_path, **told)
    assert done.returncode == 0, done.stderr
    with read_recording(tmp_path / "a.vtkhdf") as one, read_recording(tmp_path / "b.vtkhdf") as other:
        assert one.about.portable
        assert other.about.portable
        assert np.array_equal(one.states(0, one.rows).view(np.int64), other.states(0, other.rows).view(np.int64))
