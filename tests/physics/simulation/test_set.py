"""Values set while a scene runs: the same as a new compilation, without its time, and repeated by recordings."""

from __future__ import annotations

import runpy
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np
import pytest
from meaning import Meaning, refuses
from numba.core import event
from recording_files import advance, begun, ended

from polhode.engine.adjusted import adjusted
from polhode.engine.compile import build
from polhode.jit.kernel_struct import KernelStruct
from polhode.mesh.mesh import Meshes
from polhode.physics.grab.interactions import PullBody
from polhode.recording.playback import Playback
from polhode.recording.reader import read_recording
from polhode.scene import gallery
from polhode.scene.fields import numbers, written
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from scenes import scene

ROOT = Path(__file__).parents[3]
TORQUE, FORCE = "joint[0].motor.torque", "force[0].force[2]"
CART = {"name": "cart", "support": "free", "shape": [{"kind": "cuboid", "size": [0.3, 0.2, 0.1], "mass": 1.0}]}
POLE = {"name": "pole", "support": "free", "shape": [{"kind": "cylinder", "radius": 0.01, "length": 1.0, "mass": 0.1}]}
RAIL = {"kind": "slider", "name": "rail", "first": "cart", "axis": [1, 0, 0], "motor": {"torque": "sin(t)"}}
PIN = {"kind": "hinge", "name": "pin", "first": "cart", "second": "pole", "anchor": [0, 0, 0], "axis": [0, 1, 0]}
LIFT = {"on": "pole", "force": [0, 0, 0.4], "torque": ["-0.1*vx", 0, 0]}


def cart_pole(**more: Any) -> Scene:
    pole = {**POLE, "position": [0, 0, 0.5], "angular_velocity": [0, 0.3, 0]}
    return scene(CART, pole, joint=[RAIL, {**PIN, "spring": {"stiffness": 2.0}}], force=[LIFT], **more)


def same(first: KernelStruct, second: KernelStruct) -> bool:
    """Whether two structs have the same numbers, bit by bit."""
    assert first.members.keys() == second.members.keys()
    for name, value in first.members.items():
        other = second.members[name]
        if isinstance(value, KernelStruct):
            equal = same(value, other)
        elif isinstance(value, np.ndarray):
            equal = value.dtype == other.dtype and value.shape == other.shape and value.tobytes() == other.tobytes()
        else:
            equal = value == other
        if not equal:
            return False
    return True


def adjusted_paths(read: Scene) -> int:
    """Change each number of a scene, and compare the adjusted arrays with those of a build; returns how many there are.

    Torques and speeds of motors are texts in a scene, also where they are numbers.
    """
    meshes, found = Meshes(), 0
    compiled = build(read, meshes)
    motors = [f"joint[{n}].motor.{key}" for n, joint in enumerate(read.joint) for key in ("torque", "speed")]
    known = [written(path) for path, _ in numbers(read) if path[0] in ("body", "joint", "force", "world")]
    for path in [*motors, *known]:
        try:
            changed = read.with_values({path: 0.37})
        except InputError:
            continue
        made = adjusted(compiled, changed, [path], meshes)
        if made is not None:
            other = build(changed, meshes)
            assert same(made.model, other.model), path
            assert same(made.inputs, other.inputs), path
            assert made.start.tobytes() == other.start.tobytes(), path
            found += 1
    return found


def test_numbers_in_arrays_are_those_of_a_compilation() -> None:
    assert adjusted_paths(cart_pole()) > 10
    assert adjusted_paths(read_scene("heavy_top")) > 3


@pytest.mark.nightly
@pytest.mark.parametrize("name", gallery.scene_names())
def test_numbers_in_arrays_of_every_scene_are_those_of_a_compilation(name: str) -> None:
    adjusted_paths(read_scene(name))


@pytest.mark.parametrize("path", [TORQUE, FORCE, "joint[1].spring.stiffness", "world.gravity[0]", "joint[1].friction"])
def test_a_number_set_at_the_start_is_that_of_the_scene(path: str) -> None:
    simulation, other = Simulation(cart_pole()), Simulation(cart_pole().with_values({path: 0.7}))
    simulation.set({path: np.float64(0.7)})
    assert simulation.scene == other.scene
    for each in (simulation, other):
        each.advance(0.3)
    ledger = simulation.compiled.model.ledger
    assert simulation.state[:ledger].tobytes() == other.state[:ledger].tobytes()
    assert simulation.warnings == other.warnings


@pytest.mark.parametrize("path", [TORQUE, "world.gravity[2]", "body[1].shape[0].mass", "joint[1].spring.stiffness"])
def test_the_balance_of_energy_goes_on(path: str) -> None:
    simulation = Simulation(cart_pole())
    simulation.advance(0.1)
    simulation.grab(PullBody(1, (0.0, 0.0, 0.2), (0.1, 0.0, 0.9)))
    for number in range(20):
        simulation.set({path: 1.0 + 0.2 * number})
        simulation.advance(0.02)
    now = simulation.snapshot()
    assert now.interaction_marker is not None
    assert abs(now.ledger.drive) + abs(now.ledger.motor) > 1e-3
    balance = now.energy.total - now.ledger.total
    first = Simulation(cart_pole()).snapshot()
    assert balance == pytest.approx(first.energy.total, abs=1e-6)


def test_other_values_are_edits() -> None:
    values: dict[str, object] = {"body[0].velocity": [0.5, 0.0, 0.0], TORQUE: "0.1*cos(t)", "solver.time_step": 5e-4}
    simulation, other = Simulation(cart_pole()), Simulation(cart_pole())
    heard: list[str] = []
    simulation.listeners.append(lambda name, _: heard.append(name))
    for each in (simulation, other):
        each.advance(0.1)
    simulation.set(values)
    other.load(other.scene.with_values(values))
    for each in (simulation, other):
        each.advance(0.1)
    assert heard == ["load"]
    assert simulation.state.tobytes() == other.state.tobytes()


def test_a_number_is_set_in_a_fraction_of_an_edit_without_new_machine_code() -> None:
    """2 ms where an edit takes 26 ms, on a slow core; both are measured one after the other on the same one."""
    simulation, other = Simulation(cart_pole()), Simulation(cart_pole())
    took: list[float] = []
    edits: list[float] = []
    simulation.set({TORQUE: -0.1, FORCE: 0.2})
    simulation.advance(0.01)
    listener = event.RecordingListener()
    with event.install_listener("numba:compile", listener):
        for number in range(50):
            begun_at = thread_time()
            simulation.set({TORQUE: 0.1 * number - 2.0, FORCE: 0.01 * number})
            took.append(thread_time() - begun_at)
            simulation.advance(0.01)
    for number in range(10):
        edited = other.scene.with_values({TORQUE: 0.1 * number - 2.0, FORCE: 0.01 * number})
        begun_at = thread_time()
        other.load(edited)
        edits.append(thread_time() - begun_at)
    assert [happened.data["dispatcher"].__name__ for _, happened in listener.buffer] == []
    assert min(took) < min(edits) / 4


@pytest.mark.parametrize(
    ("path", "value", "meaning"),
    [
        ("joint[0].motor.torqe", 0.3, Meaning("joint[0].motor.torqe", name="torqe")),
        ("joint[7].friction", 0.3, Meaning("joint[7].friction", count=2)),
        (TORQUE, float("nan"), Meaning(TORQUE, "nan")),
        ("joint[1].friction", -1.0, Meaning("joint[1].friction", value="-1.0")),
        ("joint[1].friction", "much", Meaning("joint[1].friction", "number")),
        ("body[0].support", 5, Meaning("body[0].support", value=5)),
    ],
)
def test_wrong_values_are_refused_and_change_nothing(path: str, value: object, meaning: Meaning) -> None:
    simulation = Simulation(cart_pole())
    simulation.advance(0.1)
    before, read = simulation.state, simulation.scene
    with refuses(meaning):
        simulation.set({FORCE: 0.1, path: value})
    assert simulation.scene is read
    assert simulation.state.tobytes() == before.tobytes()


def test_what_the_sensor_drives_is_left_to_it() -> None:
    simulation = Simulation(read_scene("gravity_by_hand"))
    path = simulation.scene.sensor.drive[0].parameter
    with refuses(Meaning(path, "sensor")):
        simulation.set({path: 1.0})
    simulation.set({"body[0].friction": 1e-4})
    simulation.advance(0.1)
    assert simulation.scene.body[0].friction == 1e-4


def test_a_recording_repeats_what_was_set(tmp_path: Path) -> None:
    simulation, taping = begun(cart_pole(), tmp_path / "run.vtkhdf", 5)
    advance(simulation, taping, 2)
    for number in range(6):
        simulation.set({TORQUE: 0.3 * number, FORCE: -0.1 * number})
        advance(simulation, taping, 1)
    simulation.set({"body[0].velocity[0]": 0.1})
    simulation.set({"body[1].shape[0].mass": 0.2})
    advance(simulation, taping, 2)
    ended(taping)
    run = read_recording(taping.path)
    assert [each.name for each in run.events] == ["set"] * 6 + ["load", "set"]
    assert run.scene_at(0).joint == cart_pole().joint
    assert run.scene_at(5).joint[0].motor.torque == "0.6"
    last = run.scene_at(run.rows - 1)
    assert (last.body, last.joint, last.force) == (
        simulation.scene.body,
        simulation.scene.joint,
        simulation.scene.force,
    )
    playback = Playback(run)
    for row, again in enumerate(playback.rerun()):
        assert again.state.tobytes() == run.state(row).tobytes(), row
    assert playback.snapshot(run.rows - 1).numbers.tobytes() == simulation.snapshot().numbers.tobytes()
    assert playback.snapshot(4).numbers.tobytes() != playback.snapshot(5).numbers.tobytes()


def test_a_cart_balances_a_pole() -> None:
    ran = runpy.run_path(str(ROOT / "docs/recipes/cart_pole.py"))
    assert len(ran["angles"]) == 1000
    assert ran["angles"][0] == pytest.approx(0.1)
    assert max(map(abs, ran["angles"])) < 0.1 + 1e-9
    assert abs(ran["angles"][-1]) < 0.01
