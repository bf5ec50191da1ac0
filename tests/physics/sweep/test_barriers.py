"""Energies below which a run can't leave its attractor: bounds against samples, and runs that would have gone on."""

from dataclasses import replace

import numpy as np
import pytest

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.run.lanes.body import lane_body
from polhode.run.observers.wells import no_wells
from polhode.run.starts import starts
from polhode.run.status import SETTLED
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode.sweep.barriers import axial_potential, lowest_barriers, wells_of
from polhode.sweep.cells import Plan
from polhode.sweep.lane_cells import LaneRunner
from polhode.sweep.measure import centers
from polhode.sweep.sweep import Sweep
from polhode.sweep.variation import resolve

BASINS = "scenes/basins_of_three_magnets.toml"


@pytest.fixture(scope="module")
def basins():
    given = read_scene(BASINS)
    compiled = build(given.model_copy(update={"sweep": ()}), Meshes())
    body = lane_body(compiled)
    potential = axial_potential(body, compiled.start[:3].copy())
    return given, compiled, body, potential, centers(compiled, compiled.start[None])[0, 1:]


def sphere(count: int, seed: int = 0) -> np.ndarray:
    n = np.random.default_rng(seed).normal(size=(count, 3))
    return n / np.linalg.norm(n, axis=1, keepdims=True)


def test_the_potential_is_that_of_the_simulation(basins):
    given, _, _, potential, _ = basins
    found, expected = [], []
    for angle in (0.0, 0.3, 1.2, 2.8):
        turn = {"axis": [1, 2, 0.5], "angle": angle}
        bob = given.body[0].model_copy(update={"orientation": type(given.body[0].orientation).model_validate(turn)})
        run = Simulation(given.model_copy(update={"sweep": (), "body": (bob, *given.body[1:])})).snapshot()
        expected.append(run.energy.gravity + run.energy.magnetic)
        found.append(potential.energy((bob.orientation.matrix() @ potential.axis)[None])[0])
    assert np.diff(found) == pytest.approx(np.diff(expected), rel=1e-10)
    assert np.ptp(expected) > 0.1


def test_slopes_are_bounds(basins):
    """No difference of two energies is larger than the slope within the way between them allows."""
    *_, potential, _ = basins
    n, m = sphere(4000), sphere(4000, 1)
    for radius in (0.3, 0.05, 1e-3):
        other = n + radius * m * np.random.default_rng(2).uniform(0, 1, (len(n), 1))
        other /= np.linalg.norm(other, axis=1, keepdims=True)
        way = np.arccos(np.clip((n * other).sum(axis=1), -1, 1))
        slope = potential.slope(n, np.full(len(n), radius) * 1.6)  # n + d is at most asin(radius) away
        difference = np.abs(potential.energy(other) - potential.energy(n))
        assert (difference <= way * slope + 1e-12).all()
    near_limit = np.abs(potential.energy(other) - potential.energy(n)) / np.maximum(way, 1e-9) / slope
    assert near_limit.max() > 0.3  # the bound is of the right size


def test_barriers_lie_below_all_borders_and_above_the_attractors(basins):
    *_, potential, near = basins
    bound = lowest_barriers(potential, near)
    n = sphere(400_000)
    way = np.linalg.norm(potential.pivot + potential.arm * n[:, None] - near, axis=2)
    energy, nearest = potential.energy(n), way.argmin(axis=1)
    least = np.sort(way, axis=1)
    on_border = least[:, 1] - least[:, 0] < 1e-3
    for k in range(3):
        lowest = energy[on_border & (nearest == k)].min()
        assert bound[k] < lowest + 5e-4  # [J] samples are 1e-3 m from the border
        assert bound[k] > lowest - 2e-3  # the barrier is 1e-2 above the bottom
        assert bound[k] > energy[nearest == k].min() + 5e-3
    assert bound == pytest.approx(np.full(3, bound.mean()), abs=2e-4)  # the scene is symmetric but for rounded places


def test_runs_that_ended_by_their_energy_would_have_kept_their_label(basins):
    given, compiled, body, _, _ = basins
    sweep = given.sweep[0].model_copy(
        update={"axes": tuple(axis.model_copy(update={"count": 24}) for axis in given.sweep[0].axes)}
    )
    variation = resolve(given, sweep)
    states = starts(given, variation.paths, compiled, variation.values(np.arange(576)))
    wells = wells_of(compiled, body, 0, (1, 2, 3))
    early, late = states.copy(), states.copy()
    method, plan = compiled.scene.solver.method, Plan(1200, 0.025, 2, 0, -1, True)
    status, decided, _ = LaneRunner(body, method, wells).run(early, plan)
    _, rested, _ = LaneRunner(body, method, no_wells()).run(late, plan)
    assert set(status) == {SETTLED}
    assert decided.mean() < 0.4 * rested.mean()
    measure = Sweep(given, sweep).measure
    assert np.array_equal(measure.labels(compiled, early), measure.labels(compiled, late))


@pytest.mark.parametrize("change", [{"friction": 0.0}, {"support": "free", "friction": 0.0}, {"tilted": True}])
def test_where_nothing_is_proved_nothing_ends_early(change):
    given = read_scene(BASINS)
    bob = given.body[0]
    if change.pop("tilted", False):  # a moment across the axis: the potential depends on the turn about it
        change = {"dipole": (bob.dipole[0].model_copy(update={"moment": (1.0, 0.0, 4.0)}),)}
    changed = given.model_copy(update={"sweep": (), "body": (bob.model_copy(update=change), *given.body[1:])})
    compiled = build(changed, Meshes())
    assert (wells_of(compiled, lane_body(compiled), 0, (1, 2, 3)).limit == -np.inf).all()
    assert (wells_of(compiled, lane_body(compiled), 1, (1, 2, 3)).limit == -np.inf).all()


@pytest.mark.parametrize(("wind", "is_proved"), [((0.0, 0.0, 0.0), True), ((1.0, 0.0, 0.0), False)])
def test_in_a_wind_nothing_is_proved(wind, is_proved):
    """Air at rest only takes energy; a wind gives it, and a field that rotates."""
    given = read_scene(BASINS)
    world = given.world.model_copy(update={"wind": given.world.wind.model_copy(update={"velocity": wind})})
    bob = given.body[0].model_copy(update={"drag": 1e-3})
    compiled = build(given.model_copy(update={"sweep": (), "world": world, "body": (bob, *given.body[1:])}), Meshes())
    assert np.isfinite(wells_of(compiled, lane_body(compiled), 0, (1, 2, 3)).limit).all() == is_proved
    body = replace(lane_body(compiled), wind=np.zeros(3), frequency=1.0)
    assert (wells_of(compiled, body, 0, (1, 2, 3)).limit == -np.inf).all()
