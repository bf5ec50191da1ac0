"""The rule about time steps on the scenes of the gallery and on usual edits: what it recommends keeps the energy, it
raises no false alarm, and no step at which the energy drifts goes without one.
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from step_rule import EDITS, Case, case_of, cases

from polhode.analysis.steps.energy_drift import EnergyDrift
from polhode.analysis.steps.stability import largest_step
from polhode.analysis.steps.trials import StepErrors
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.cli.results.run_watches import DriftWatch
from scenes import step_warnings

FEW = ("a heavier ball", "a light ball", "a stiff spring")
NIGHTLY = pytest.mark.nightly


def faults_of(case: Case) -> list[str]:
    """Faults of a case."""
    found = ["false alarm"] * case.is_false_alarm + ["missed"] * case.is_missed
    if case.kept is not None and case.kept.final > 0.01:
        found.append(f"the recommended {case.better} s drifts by {case.kept.final:.2g}")
    if case.kept is not None and case.kept.is_seen:
        found.append(f"a bar at the recommended {case.better} s")
    return found


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in FEW else NIGHTLY) for name in cases()])
def test_scenes_and_usual_edits_are_judged_rightly(name: str) -> None:
    assert faults_of(case_of(name)) == []


def test_enough_is_judged() -> None:
    assert len(cases()) - len(EDITS) >= 60
    assert len(EDITS) >= 40
    assert set(FEW) <= set(cases())
    assert len(set(cases())) == len(cases())


@pytest.mark.parametrize("name", ["a default cuboid", "a default rod"])
def test_the_step_that_an_added_thing_gets_keeps_the_energy(name: str) -> None:
    case = case_of(name)
    assert case.own.final < 0.01
    assert case.verdict.is_good


def arm(name: str, x: float, length: float, rate: float) -> dict:
    """A body on an axle along y at x [m], along the x axis."""
    shape = {"kind": "cuboid", "size": [length, 0.02, 0.02], "mass": 0.3, "position": [length / 2, 0, 0]}
    turn = {"support": "axle", "axis": [0, 1, 0], "angular_velocity": [0, rate, 0]}
    return {"name": name, "position": [x, 0, 0], "shape": [shape], **turn}


def flat_linkage(rate: float) -> Scene:
    """Two arms in a line and a light rod between their ends, which turns no arm in that place: its row is zero."""
    coupler = {"kind": "distance", "first": "a", "second": "b", "anchor_first": [0.2, 0, 0]}
    joint = {"name": "rod", **coupler, "anchor_second": [0.3, 0, 0]}
    return scene_of({"body": [arm("a", 0.0, 0.2, rate), arm("b", 0.4, 0.3, rate)], "joint": [joint]}, "test")


def test_a_dead_centre_sets_no_limit() -> None:
    """Differences of 1e-6 give eigenvalues of 1e6 1/s there, which grow as the differences shrink."""
    compiled = Simulation(flat_linkage(3.0)).compiled
    assert largest_step(compiled.model, compiled.inputs, 0.0, compiled.start, "rk4") > 0.1
    assert step_warnings(compiled, "rk4", 1e-3) == []


def test_growth_that_nobody_can_see_is_no_alarm() -> None:
    """A weight hangs from a spring and swings by nothing: AB2 lets w = 6.6 1/s grow by 0.5 % in 10 s at 10 ms."""
    ball = {"name": "ball", "mass": 0.7, "position": [0, 0, -0.269]}
    spring = {"from": [0, 0, 0], "to": "ball", "rest_length": 0.2, "stiffness": 100.0, "damping": 0.5}
    solver = {"method": "adams_bashforth_2", "time_step": 0.01}
    scene = scene_of({"particle": [ball], "spring": [spring], "solver": solver}, "test")
    compiled = Simulation(scene).compiled
    assert step_warnings(compiled, "adams_bashforth_2", 0.01) == []
    assert largest_step(compiled.model, compiled.inputs, 0.0, compiled.start, "adams_bashforth_2") > 0.01


def test_a_body_that_falls_over_sets_no_limit() -> None:
    """A pendulum on its head grows by itself, by exp(3.1 t)."""
    bob = {"name": "bob", "shape": [{"kind": "point", "mass": 1, "position": [0, 0, 1]}]}
    tilted = {**bob, "orientation": {"axis": [1, 0, 0], "angle": 1e-3}}
    compiled = Simulation(scene_of({"body": [tilted]}, "test")).compiled
    assert step_warnings(compiled, "rk4", 1e-3) == []


def test_an_energy_that_no_step_keeps_is_no_fault_of_the_step() -> None:
    """A loss of 0.3 J of 1 J that half of the step has as well, and one that it has not."""
    times = np.linspace(0.0, 10.0, 101)

    def trial(step: float, lost: np.ndarray, diverged: bool = False) -> StepErrors:
        return StepErrors(step, times, lost, np.ones(101), diverged, is_whole=True)

    coarse = trial(1e-3, -0.03 * times)
    assert coarse.drift == pytest.approx(0.3)
    assert not coarse.differs(trial(5e-4, -0.0295 * times))
    assert coarse.differs(trial(5e-4, -0.01 * times))
    assert coarse.differs(trial(5e-4, -0.03 * times, diverged=True))


def test_a_run_that_drifts_is_warned_of_once() -> None:
    """Euler's method: the energy of a pendulum of w = 4.4 1/s grows by w^2 dt = 10 % in half a second at 10 ms."""
    bob = {"name": "bob", "shape": [{"kind": "point", "mass": 1, "position": [0, 0, -0.5]}]}
    bob["orientation"] = {"axis": [1, 0, 0], "angle": 0.5}
    simulation = Simulation(scene_of({"body": [bob], "solver": {"method": "euler", "time_step": 0.01}}, "test"))
    warnings: list[Problem] = []
    watch = DriftWatch(simulation, warnings.append)
    for _ in range(40):
        simulation.advance(0.1)
        watch.look(simulation.snapshot())
    assert len(warnings) == 1
    assert warnings[0].place == "solver.time_step"
    assert warnings[0].rule.values["time"] < 1.0


def test_a_drift_of_long_ago_is_no_alarm() -> None:
    """3 % in each of ten times 10 s are a slow drift: `lately` counts those of the last 10 s alone."""
    start = Simulation(scene_of({"particle": [{"name": "ball", "mass": 1.0}]}, "test")).snapshot()
    drift = EnergyDrift(start)
    for k in range(1, 1001):  # after a first jump that is older
        energy = replace(start.energy, kinetic=1.0 + 0.003 * 0.1 * k)
        now = SimpleNamespace(time=0.1 * k, energy=energy, ledger=start.ledger)
        recent = drift.lately(now)
    assert drift.at(now) == pytest.approx(1.3 / 1.3)
    assert recent == pytest.approx(0.03 / 1.3, rel=0.02)
