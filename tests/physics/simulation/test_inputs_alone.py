"""An edit of what only inputs depend on, such as gravity, keeps the model, the state and what is held."""

from __future__ import annotations

from time import thread_time

import numpy as np
import pytest

from polhode.analysis.columns import columns
from polhode.physics.grab.interactions import PullBody
from polhode.scene.fields import parse_path, with_value
from polhode.scene.problem import InputError
from polhode.scene.scene import FormulaField
from polhode.simulation.simulation import Simulation
from scenes import bead_scene, scene, sphere

BALL = {"name": "ball", "support": "free", "shape": [sphere()]}


def with_gravity(simulation: Simulation, value: float) -> None:
    simulation.load(with_value(simulation.scene, parse_path("world.gravity[2]"), value))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("world.gravity[2]", -1.62),
        ("world.magnetic_field.value[0]", 1e-3),
        ("world.wind.velocity[1]", 2.0),
        ("world.wind.viscosity", 5e-5),
        ("world.rotation[1]", 0.5),
    ],
)
def test_the_model_is_kept_and_the_run_is_that_of_another_build(field: str, value: float) -> None:
    drag = {"drag": 0.1, "dipole": [{"moment": [0, 1, 0]}]}
    kept, compiled = (Simulation(scene({**BALL, **drag}, rotation=[0, 0, 1.0])) for _ in range(2))
    edited = with_value(kept.scene, parse_path(field), value)
    model = kept.compiled.model
    for simulation in (kept, compiled):
        simulation.advance(0.1)
    kept.load(edited)
    other = Simulation(edited)
    assert kept.compiled.model is model
    assert kept.scene == edited
    compiled.load(edited, other.compiled)  # a build from nothing, and the transfer of the state
    assert compiled.compiled.model is not model
    for simulation in (kept, compiled):
        simulation.advance(0.1)
    assert np.array_equal(kept.state, compiled.state)


@pytest.mark.parametrize(
    ("field", "formula"),
    [
        ("world.gravity[2]", "1/z"),
        ("world.magnetic_field", FormulaField(kind="formula", x="1/x")),
        ("world.wind.velocity[1]", "log(y)"),
        ("world.wind.density", "x - 1"),
    ],
)
def test_a_formula_without_a_value_at_the_start_is_refused_there_too(field: str, formula: object) -> None:
    simulation = Simulation(scene({**BALL, "drag": 0.1, "dipole": [{"moment": [0, 1, 0]}]}))
    before = simulation.scene
    edited = with_value(before, parse_path(field), formula)
    with pytest.raises(InputError) as caught:
        simulation.load(edited)
    assert [problem.place[: len("world.wind")] for problem in caught.value.problems] == [field[: len("world.wind")]]
    assert simulation.scene is before


def test_an_edit_that_adds_a_column_builds_again() -> None:
    simulation = Simulation(scene(BALL))
    model = simulation.compiled.model
    simulation.load(with_value(simulation.scene, parse_path("world.rotation[2]"), 1.0))
    assert simulation.compiled.model is not model
    names, now = list(columns(simulation.compiled)), simulation.snapshot()
    assert len(now.numbers) == len(names)
    assert now.numbers[names.index("energy.centrifugal")] == now.energy.centrifugal


def test_what_is_held_stays_held() -> None:
    simulation = Simulation(scene(BALL))
    simulation.grab(PullBody(0, np.zeros(3), (0.0, 0.0, 0.5)))
    simulation.advance(0.5)
    with_gravity(simulation, -1.62)
    hand = simulation.snapshot().interaction_marker
    assert hand is not None
    assert hand.pointer == pytest.approx((0.0, 0.0, 0.5))
    simulation.advance(5.0)
    assert simulation.snapshot().bodies.position[0, 2] > 0.2  # it hangs from the hand


def test_the_ledger_begins_again_and_closes() -> None:
    simulation = Simulation(scene(BALL))
    simulation.advance(0.3)
    with_gravity(simulation, -1.62)
    before = simulation.snapshot()
    assert before.ledger.total == 0.0
    simulation.advance(0.3)
    after = simulation.snapshot()
    assert after.energy.total - after.ledger.total == pytest.approx(before.energy.total, abs=1e-12)


def test_a_bead_whose_path_has_a_side_by_gravity_is_built_again() -> None:
    circle = {"kind": "circle", "center": [0, 0, 0], "radius": 0.3, "normal": [0, 1, 0]}
    simulation = Simulation(bead_scene({"mass": 0.1, "radius": 0.02, "path": circle}))
    model = simulation.compiled.model
    with_gravity(simulation, 9.80665)
    assert simulation.compiled.model is not model


def test_it_takes_less_than_a_frame_in_a_scene_of_many_magnets() -> None:
    needles = [
        {
            "name": f"needle{k}",
            "support": "pivot",
            "position": [0.1 * (k % 20), 0.1 * (k // 20), 0],
            "shape": [sphere(position=(0, 0, -0.01))],
            "dipole": [{"moment": [0, 0, 1]}],
        }
        for k in range(400)
    ]
    simulation = Simulation(scene(*needles))
    simulation.advance_steps(1)
    times = []
    for value in (-1.0, -2.0, -3.0, -4.0, -5.0):
        edited = with_value(simulation.scene, parse_path("world.gravity[2]"), value)
        begun = thread_time()
        simulation.load(edited)
        times.append(thread_time() - begun)
    print(f"median {1e3 * np.median(times):.1f} ms")
    rebuilt = thread_time()
    Simulation(edited)
    assert np.median(times) < 0.2 * (thread_time() - rebuilt)


def test_a_fork_with_the_same_scene_shares_nothing() -> None:
    simulation = Simulation(scene(BALL))
    simulation.advance(0.1)
    other = simulation.fork(simulation.scene)
    before = simulation.state
    other.advance(0.1)
    assert np.array_equal(simulation.state, before)
    assert not np.array_equal(other.state, before)
