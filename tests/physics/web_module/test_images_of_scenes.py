"""Images of built-in scenes: no trace of the process that makes them, and which scenes need Python."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import numba
import numpy as np
import pytest

from polhode import Simulation, read_scene
from polhode.exporters.image.difference import difference
from polhode.exporters.image.packing import image_of
from polhode.exporters.image.qualification import problems_of
from polhode.scene.message import printable

SCENES = Path(__file__).parents[3] / "scenes"
EVERY = sorted(path.stem for path in SCENES.glob("*.toml"))
FEW = ["heavy_top", "bead_on_circle", "rotating_field", "double_rod_pendulum", "magnet_pendulum"]
"""Bodies alone, formulas of a path and of a field, a tree of joints, and magnets with springs."""
IN_ANOTHER_PROCESS = """
import hashlib, json, sys
from polhode import Simulation, read_scene
from polhode.exporters.image.packing import UnknownCode, image_of
for path in sys.argv[1:]:
    try:
        digest = hashlib.sha256(image_of(Simulation(read_scene(path))).content).hexdigest()
    except UnknownCode as unknown:
        digest = str(unknown)
    print(json.dumps(digest), flush=True)
"""


def started(name: str) -> Simulation:
    """A built-in scene at its start."""
    return Simulation(read_scene(SCENES / f"{name}.toml"))


def in_another_process(names: Iterable[str]) -> list[str]:
    """Digests of the images of scenes at their start, made by another process."""
    paths = [str(SCENES / f"{name}.toml") for name in names]
    done = subprocess.run([sys.executable, "-c", IN_ANOTHER_PROCESS, *paths], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_images_of_two_processes_are_equal():
    """An address without its mark would be another one there."""
    own = [hashlib.sha256(image_of(started(name)).content).hexdigest() for name in FEW]
    assert in_another_process(FEW) == own


@pytest.mark.nightly
@pytest.mark.timeout(3000)
def test_images_of_all_scenes_are_equal_in_two_processes():
    one, other = in_another_process(EVERY), in_another_process(EVERY)
    assert [name for name, *digests in zip(EVERY, one, other, strict=True) if digests[0] != digests[1]] == []


def test_other_formulas_have_no_difference():
    """The code of a form is not part of the block."""
    scene = read_scene(SCENES / "double_well.toml")
    other, steeper = (
        scene.with_values({"bead[0].path.z": text}) for text in ("0.2*(q^4 - cos(q))", "0.3*((q/0.6)^2 - 1)^2")
    )
    start = image_of(Simulation(scene))
    assert difference(start, image_of(Simulation(other))) is None
    assert difference(start, image_of(Simulation(steeper))) is not None


def test_built_in_scenes_qualify_unless_the_sensor_drives_them():
    assert problems_of(started("heavy_top")) == []
    (problem,) = problems_of(started("gravity_by_hand"))
    assert problem.place.startswith("sensor.drive")
    assert printable(problem.remedy)


def still(time, position, velocity, basis, angular_velocity):
    """No force and no torque."""
    return np.zeros(3), np.zeros(3)


@pytest.mark.parametrize("function", [still, numba.njit(still)], ids=["Python", "numba"])
def test_a_force_by_a_function_does_not_qualify(function):
    simulation = started("heavy_top")
    name = simulation.scene.bodies[0].name
    simulation.add_force(name, function)
    (problem,) = problems_of(simulation)
    assert problem.place == "add_force"
    simulation.remove_force(name)
    assert problems_of(simulation) == []


def test_a_played_motion_of_the_target_does_not_qualify():
    simulation = started("heavy_top")
    simulation.play(lambda time: 0.2)
    assert [problem.place for problem in problems_of(simulation)] == ["play"]
