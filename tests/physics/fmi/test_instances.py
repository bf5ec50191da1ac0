"""Instances of an FMU: their states, several of them, their memory, and calls that are refused."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException
from fmpy.simulation import simulate_fmu
from fmu_calls import Caller
from fmu_host import RunningFmu
from import_path import IMPORT_PATH

Start = Callable[..., RunningFmu]
PUSH, STEP = "force[0].torque[2]", 0.05
TESTS = Path(__file__).parents[2]
CRASHED = 300  # sequences of calls of a process
DISCARD, ERROR = 2, 3


def steps(fmu: RunningFmu, count: int) -> np.ndarray:
    """Outputs after some communication steps."""
    for _ in range(count):
        fmu.step(STEP)
    return fmu.get()


def bits(row: np.ndarray) -> list[int]:
    """The bits of numbers."""
    return row.view(np.int64).tolist()


def refused(call: Callable[[], object]) -> int:
    """The status of a call that is refused."""
    with pytest.raises(FMICallException) as caught:
        call()
    return int(caught.value.status)


def test_a_state_that_is_restored_continues_with_the_same_bits(started: Start) -> None:
    fmu = started()
    steps(fmu, 3)
    fmu.set({PUSH: 0.03})
    state, time = fmu.slave.getFMUState(), fmu.time
    expected = steps(fmu, 4)
    fmu.slave.setFMUState(state)
    fmu.time = time
    assert bits(steps(fmu, 4)) == bits(expected)
    fmu.slave.freeFMUState(state)


def test_a_serialised_state_continues_in_another_instance(started: Start) -> None:
    one, other = started("one"), started("other")
    steps(one, 2)
    one.set({PUSH: 0.03})
    state = one.slave.getFMUState()
    kept = one.slave.serializeFMUState(state)
    one.slave.freeFMUState(state)
    expected = steps(one, 3)
    steps(other, 1)
    other.slave.setFMUState(other.slave.deserializeFMUState(kept))
    other.time = 2 * STEP
    assert bits(steps(other, 3)) == bits(expected)


def test_damaged_bytes_are_no_state(started: Start) -> None:
    fmu = started()
    steps(fmu, 1)
    kept = bytearray(fmu.slave.serializeFMUState(fmu.slave.getFMUState()))
    kept[len(kept) // 2] ^= 1
    assert refused(lambda: fmu.slave.deserializeFMUState(bytes(kept))) == ERROR
    assert refused(lambda: fmu.slave.deserializeFMUState(bytes(kept[:-8]))) == ERROR


def test_a_state_of_another_scene_is_refused(started: Start) -> None:
    """Whose bytes are as many."""
    one, other = started("one"), started("other", scene="heavier")
    for each in (one, other):
        each.step(STEP)
    state = one.slave.getFMUState()
    kept = one.slave.serializeFMUState(state)
    assert len(other.slave.serializeFMUState(other.slave.getFMUState())) == len(kept)
    assert refused(lambda: other.slave.deserializeFMUState(kept)) == ERROR
    other.slave.reset()
    assert refused(lambda: other.slave.setFMUState(state)) == ERROR


def test_two_instances_do_not_disturb_each_other(started: Start) -> None:
    expected = steps(started("alone"), 4)
    one, other = started("one"), started("other")
    other.set({PUSH: 0.2})
    for _ in range(4):
        one.step(STEP)
        other.step(STEP)
    assert bits(one.get()) == bits(expected)
    assert bits(other.get()) != bits(expected)


def test_a_reset_instance_begins_again(started: Start) -> None:
    fmu = started()
    expected = steps(fmu, 2)
    fmu.set({PUSH: 0.3})
    steps(fmu, 2)
    fmu.slave.reset()
    fmu.begin()
    assert bits(steps(fmu, 2)) == bits(expected)


def test_inputs_before_the_start_act_from_the_start_on(started: Start) -> None:
    """A torque that the scene itself could have."""
    fmu, other = started("one"), started("other")
    fmu.slave.reset()
    fmu.begin(**{PUSH: 0.5})
    steps(fmu, 1)
    steps(other, 1)
    spin = "ball.angular_velocity.z"
    assert fmu.get(spin) == pytest.approx(50.0 * other.get(spin), rel=1e-12)


def test_an_fmu_is_run_by_fmpy_alone(pushed: Path) -> None:
    found = simulate_fmu(
        str(pushed / "pushed.fmu"), stop_time=0.5, output_interval=0.1, output=["ball.position.z", "time"]
    )
    assert found["time"].tolist() == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert found["ball.position.z"][-1] == pytest.approx(-9.80665 * 0.25 / 2.0, rel=0.05)


def test_a_thousand_instances_leak_nothing(pushed: Path, started: Start) -> None:
    """Each has 70 kB of its own, and so has each of its states."""

    def resident() -> int:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    started()  # which extracts it
    caller, chance = Caller(pushed / "pushed"), Random(0)
    for number in range(1050):
        if number == 50:
            before = resident()
        caller.run(chance, calls=4)
    assert resident() - before < 20e6  # 70 MB and more if each were kept


@pytest.mark.parametrize("step", [0.0, -0.1, float("nan"), float("inf")])
def test_a_step_of_no_length_is_an_error(started: Start, step: float) -> None:
    fmu = started()
    assert refused(lambda: fmu.step(step)) == ERROR


def test_a_value_that_is_no_number_is_discarded_and_changes_nothing(started: Start) -> None:
    fmu, other = started("one"), started("other")
    for value in (float("nan"), float("inf")):
        assert refused(lambda value=value: fmu.set({PUSH: value})) == DISCARD
    assert refused(lambda: fmu.set({"body[0].friction": -1.0})) == DISCARD
    assert bits(steps(fmu, 2)) == bits(steps(other, 2))


def test_calls_in_the_wrong_order_are_errors(started: Start) -> None:
    fmu = started()
    assert refused(lambda: fmu.slave.enterInitializationMode()) == ERROR
    assert refused(lambda: fmu.step(STEP)) == ERROR  # it is terminated now
    fmu.slave.reset()
    assert refused(lambda: fmu.step(STEP)) == ERROR
    fmu.slave.reset()
    fmu.begin()
    fmu.step(STEP)
    assert refused(lambda: fmu.slave.setFloat64([fmu.references["ball.position.x"]], [0.0])) == ERROR


@pytest.mark.parametrize("begin", [-3.0, 1.7e9])
def test_a_run_may_begin_at_any_time(started: Start, begin: float) -> None:
    """Times of this size are known to 2e-7 s; the scene begins at 0."""
    usual, later = started("usual"), started("later", begin=begin)
    usual.step(STEP)
    later.step(STEP)
    assert later.get("time") == begin + STEP
    assert bits(later.get()) == bits(usual.get())
    later.time += 0.001  # a step of the scene
    assert refused(lambda: later.step(STEP)) == ERROR


def test_steps_that_are_nearly_whole_do_not_part_from_the_clock_outside(started: Start) -> None:
    """Each is 4e-10 s longer than 50 steps of the scene: after 200 of them that is 0.08 us."""
    fmu = started()
    for _ in range(200):
        fmu.step(STEP + 4e-10)
    spin, time = fmu.get("ball.angular_velocity.z", "time")
    inertia = 0.4 * 0.5 * 0.05**2  # of a solid sphere
    assert spin == pytest.approx(0.01 / inertia * time, abs=0.01 / inertia * 2e-9)


def test_zero_with_a_sign_is_zero(started: Start) -> None:
    """It changes nothing: also the history of rates of a method would begin again."""
    one, other = started("one"), started("other")
    one.set({"force[0].force[0]": -0.0})
    assert bits(steps(one, 3)) == bits(steps(other, 3))


def test_measured_data_end_a_step_before_it(started: Start) -> None:
    fmu = started(scene="measured")
    fmu.step(0.9)
    assert refused(lambda: fmu.step(0.2)) == DISCARD
    fmu.step(0.1)
    assert fmu.get("time")[0] == pytest.approx(1.0)


def test_a_run_that_diverges_is_an_error_and_a_state_from_before_continues(started: Start) -> None:
    fmu, other = started("one"), started("other")
    state = fmu.slave.getFMUState()
    fmu.set({"force[0].force[0]": 1e308})
    assert refused(lambda: fmu.step(1.0)) == ERROR
    fmu.slave.setFMUState(state)
    fmu.time = 0.0
    assert bits(steps(fmu, 2)) == bits(steps(other, 2))


def test_a_step_from_another_time_is_an_error(started: Start) -> None:
    fmu = started()
    fmu.time = 0.5
    assert refused(lambda: fmu.step(STEP)) == ERROR


def test_an_unknown_reference_is_an_error(started: Start) -> None:
    fmu = started()
    assert refused(lambda: fmu.slave.getFloat64([10**6])) == ERROR


@pytest.mark.parametrize("at", [0, 8, 24, 32, 40, 200, -8])
def test_a_damaged_scene_is_no_instance(started: Start, pushed: Path, tmp_path: Path, at: int) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(started().folder, folder)
    file = folder / "resources/scene.bin"
    content = bytearray(file.read_bytes())
    content[at] ^= 0xFF
    file.write_bytes(content)
    with pytest.raises(Exception, match="instantiate"):
        RunningFmu(pushed / "pushed.fmu", folder)


def test_a_model_description_of_another_scene_is_no_instance(started: Start, pushed: Path) -> None:
    fmu = started()
    fmu.slave.guid = "0" * 16 + "-" + "0" * 16
    with pytest.raises(Exception, match="instantiate"):
        fmu.slave.instantiate(loggingOn=True)


@pytest.mark.parametrize("first", [0, pytest.param(1_000_000, marks=pytest.mark.nightly)])
def test_no_sequence_of_calls_ends_the_process(pushed: Path, started: Start, first: int) -> None:
    started().get()  # which extracts it
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((IMPORT_PATH, str(TESTS)))}
    count = CRASHED if first == 0 else 100 * CRASHED
    words = [sys.executable, str(TESTS / "fmu_calls.py"), str(pushed / "pushed"), str(first), str(count)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout[-500:], done.stderr[-3000:])
