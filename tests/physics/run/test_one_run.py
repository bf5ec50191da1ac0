"""One meaning of a run: simulations, cells of maps and models of fits compute the same states, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest
from random_scenes import random_scene
from sampling import sampled
from scipy.integrate import solve_ivp
from switching_scenes import IN_GALLERY, LAWS, rod_on_a_hinge, scene_with

from polhode.analysis.columns import columns
from polhode.engine.compile import build
from polhode.fitting.forward import computed
from polhode.mesh.mesh import Meshes
from polhode.run.method import UNDIVIDED
from polhode.scene import gallery
from polhode.scene.fields import parse_path, with_value
from polhode.scene.scene import Scene, World
from polhode.scene.scene_file import read_scene, scene_of
from polhode.scene.variants.sweep import SweepSettings
from polhode.simulation.diverged import Diverged
from polhode.simulation.simulation import Simulation
from polhode.sweep.cells import CellRunner, Plan
from polhode.sweep.sweep import Sweep

STEPS = 150
EVERY = 25  # steps between two states that are compared
LOCATING = ("rk4", "verlet", "splitting", "dormand_prince_8", "implicit", "semi_implicit_euler", "euler")


def states_of(scene: Scene, pieces: tuple[int, ...] = (EVERY,)) -> np.ndarray:
    """(n, k) states after every EVERY steps of a simulation that advances by pieces."""
    simulation, found, turn = Simulation(scene), [], 0
    while simulation.steps < STEPS:
        due = EVERY * (len(found) + 1)
        simulation.advance_steps(min(pieces[turn % len(pieces)], due - simulation.steps))
        turn += 1
        if simulation.steps == due:
            found.append(simulation.state)
    return np.array(found)


def states_of_cells(scene: Scene, others: int) -> np.ndarray:
    """(n, k) states at the ends of cells that are run after `others` from another start, by one runner."""
    compiled = build(scene, Meshes())
    runner, found = CellRunner(compiled), []
    for steps in range(EVERY, STEPS + 1, EVERY):
        states = np.repeat(compiled.start[None], others + 1, axis=0)
        states[:others, compiled.model.is_momentum] *= 0.9
        states[:others, compiled.model.ledger :] = 0.0
        runner.run(states, Plan(steps, scene.solver.time_step, 7, 0, -1, ends_early=False))
        found.append(states[others])
    return np.array(found)


def columns_of_fit(scene: Scene, chosen: np.ndarray) -> np.ndarray:
    """(n, c) columns at the same steps, as the model of a fit computes them, beside times that are no steps."""
    times = np.arange(EVERY, STEPS + 1, EVERY) * scene.solver.time_step
    between = np.sort(np.concatenate([times, times - 0.4 * scene.solver.time_step]))
    return computed(build(scene, Meshes()), between, chosen)[1::2]


def check(scene: Scene) -> None:
    """All roads have the same bits."""
    expected = states_of(scene)
    assert np.isfinite(expected).all()
    np.testing.assert_array_equal(states_of(scene, (1, 3, 2)), expected)
    for others in (0, 3):
        np.testing.assert_array_equal(states_of_cells(scene, others), expected)
    simulation, rows = Simulation(scene), []
    while simulation.steps < STEPS:
        simulation.advance_steps(EVERY)
        rows.append(simulation.snapshot().numbers)
    np.testing.assert_array_equal(columns_of_fit(scene, np.arange(len(rows[0]))), rows)


@pytest.mark.parametrize("law", [*LAWS, *sampled(IN_GALLERY, 2)])
def test_laws_that_switch_do_so_at_the_same_bits(law: str) -> None:
    check(scene_with(law))


@pytest.mark.parametrize("method", LOCATING[1:])
def test_every_method_that_locates_events_does_so_everywhere(method: str) -> None:
    check(scene_with("limits", method))


@pytest.mark.parametrize("method", UNDIVIDED)
@pytest.mark.parametrize("law", ["limits", pytest.param("ends of paths", marks=pytest.mark.nightly)])
def test_methods_that_divide_no_step_act_at_its_end_everywhere(law: str, method: str) -> None:
    check(scene_with(law, method))


@pytest.mark.nightly
@pytest.mark.parametrize("law", [*LAWS, *IN_GALLERY])
@pytest.mark.parametrize("method", LOCATING[1:])
def test_every_law_by_every_method(law: str, method: str) -> None:
    check(scene_with(law, method))


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(gallery.scene_names()))
def test_scenes_of_the_gallery_run_with_the_same_bits(name: str) -> None:
    """But for numbers that the distance sensor drives, which have no part in maps and fits."""
    scene = read_scene(gallery.path(name)).model_copy(update={"sweep": (), "ghost": ()})
    check(scene.model_copy(update={"sensor": scene.sensor.model_copy(update={"drive": ()})}))


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(0, 200, 25))
def test_random_scenes_run_with_the_same_bits(first: int) -> None:
    """Those whose runs end before, where two bodies are pushed through each other, have nothing to compare."""
    compared, divided = 0, 0
    for seed in range(first, first + 25):
        simulation = Simulation(random_scene(seed))
        try:
            simulation.advance_steps(STEPS)
        except Diverged:
            continue
        check(random_scene(seed))
        compared += 1
        divided += len(simulation._work.events.before) > 0 and bool(simulation._work.events.divided[0])
    assert compared > 20
    assert divided > 5


def test_a_scene_switches_within_the_steps_that_are_compared() -> None:
    """A law that did not switch would prove nothing."""
    quiet = []
    for law in LAWS:
        simulation = Simulation(scene_with(law))
        simulation.advance_steps(STEPS)
        if len(simulation._work.events.before) and not simulation._work.events.divided[0]:
            quiet.append(law)
    assert not quiet


# Air that depends on the place


def falling(density: float | str, method: str = "rk4") -> Scene:
    """A ball on a pivot and one that falls, in air of a density."""
    shape = {"kind": "sphere", "radius": 0.05, "mass": 0.2, "position": [0.1, 0, -0.3]}
    bob = {"name": "bob", "support": "pivot", "shape": [shape], "quadratic_drag": 0.05, "drag": 0.02}
    ball = {"name": "ball", "mass": 0.2, "radius": 0.05, "position": [1, 0, 0.3], "quadratic_drag": 0.05}
    wind = {"density": density, "viscosity": "1.7894e-5*(1 + x^2)"}
    solver = {"method": method, "time_step": 2e-3}
    return scene_of({"solver": solver, "world": {"wind": wind}, "body": [bob], "sphere": [ball]}, "")


@pytest.mark.parametrize("method", ["rk4", "splitting", "dormand_prince_8"])
def test_air_by_place_acts_with_the_same_bits_everywhere(method: str) -> None:
    check(falling("1.225*exp(-z/0.2)", method))


def test_cells_of_a_map_over_the_density_are_the_runs_with_it() -> None:
    """From the usual density on, with which a pendulum alone would go in SIMD lanes."""
    plain = falling(1.225).model_copy(update={"sphere": (), "world": World()})
    axis = {"parameter": "world.wind.density", "range": [1.225, 30.0], "count": 4}
    outcome = {"kind": "final", "quantity": "bob.angular_velocity.y"}
    made = Sweep(plain, SweepSettings.model_validate({"until": 0.8, "axes": [axis], "outcome": outcome})).run()
    for density, value in zip(made.axis_values[0], made.value, strict=True):
        simulation = Simulation(with_value(plain, parse_path("world.wind.density"), float(density)))
        simulation.advance(0.8)
        assert (
            simulation.snapshot().numbers[list(columns(simulation.compiled)).index("bob.angular_velocity.y")] == value
        )
    assert len(set(made.value.tolist())) == 4


# A rod between limits


def angle_by_dop853(speed: float, until: float) -> float:
    """Angle [rad] of the rod by an independent integration that is divided at impacts."""
    mass, arm = 0.3, 0.2
    inertia = mass * (0.02**2 + 0.4**2) / 12 + mass * arm**2

    def rates(t: float, y: np.ndarray) -> list[float]:
        return [y[1], -mass * 9.80665 * arm / inertia * np.sin(y[0])]

    def lower(t: float, y: np.ndarray) -> float:
        return y[0] + 0.5

    def upper(t: float, y: np.ndarray) -> float:
        return y[0] - 0.7

    lower.terminal = upper.terminal = True
    lower.direction, upper.direction = -1, 1
    time, y = 0.0, np.array([0.0, -speed])  # the angle of the joint counts against the rotation of its first body
    while time < until:
        run = solve_ivp(rates, (time, until), y, "DOP853", max_step=5e-3, rtol=1e-11, events=(lower, upper))
        time, y = run.t[-1], run.y[:, -1]
        if run.status == 1:
            y = np.array([y[0], -0.8 * y[1]])
    return float(y[0])


def test_a_rod_between_limits_is_in_a_map_and_in_a_run_where_an_independent_integration_has_it() -> None:
    """Impacts are located, so RK4 at 2 ms keeps its order: 5 digits after up to ten impacts."""
    solver = {"method": "rk4", "time_step": 2e-3}
    scene = scene_of({"format": 1, "solver": solver, "world": {"gravity": [0, 0, -9.80665]}} | rod_on_a_hinge(3.0), "")
    axis = {"parameter": "body[0].angular_velocity[1]", "range": [3.0, 8.0], "count": 6}
    outcome = {"kind": "final", "quantity": "pin.angle"}
    settings = SweepSettings.model_validate({"until": 2.0, "axes": [axis], "outcome": outcome})
    made = Sweep(scene, settings).run()
    for speed, value in zip(made.axis_values[0], made.value, strict=True):
        data = {"format": 1, "solver": solver, "world": {"gravity": [0, 0, -9.80665]}} | rod_on_a_hinge(float(speed))
        simulation = Simulation(scene_of(data, ""))
        simulation.advance(2.0)
        assert simulation.snapshot().numbers[list(columns(simulation.compiled)).index("pin.angle")] == value
        assert value == pytest.approx(angle_by_dop853(speed, 2.0), abs=2e-5)
