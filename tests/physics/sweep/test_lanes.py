"""SIMD lanes over cells against the scalar loop, and independence of a cell of its lane and of its neighbours."""

import numpy as np
import pytest

from polhode.engine.compile import build
from polhode.engine.registry import SUBJECTS
from polhode.fitting.runs import lanes_have_all_laws
from polhode.mesh.mesh import Meshes
from polhode.run.lanes import agreement
from polhode.run.lanes.agreement import stepped
from polhode.run.lanes.body import lane_body
from polhode.run.lanes.constants import lane_constants
from polhode.run.observers.wells import Wells, no_wells
from polhode.run.status import DIVERGED, PENDING, SETTLED, UNSETTLED
from polhode.simulation.simulation import Simulation
from polhode.sweep import lane_cells as module
from polhode.sweep.cells import CellRunner, Plan
from polhode.sweep.lane_cells import LaneRunner, body_in_lanes
from scenes import TILTED, scene

MAGNETS = [
    {
        "name": f"magnet{k}",
        "support": "fixed",
        "position": [0.1 * np.cos(2.1 * k), 0.1 * np.sin(2.1 * k), 0.02],
        "orientation": {"axis": [1, 0, 0], "angle": 0.3 * k},
        "shape": [{"kind": "sphere", "radius": 0.01, "density": 7500}],
        "dipole": [{"moment": [0, 0, 3]}, {"moment": [1, 0, 0], "position": [0.005, 0, 0]}],
    }
    for k in range(3)
]
DIPOLES = {"dipole": [{"moment": [0.2, 0, 0.5], "position": [0, 0.01, -0.06]}, {"moment": [0, 0.3, 0]}]}
SUPPORTS = {
    "pivot": {"support": "pivot"},
    "axle": {"support": "axle", "axis": [0, 1, 0]},
    "free": {"support": "free", "velocity": [0.1, 0.2, 0.3]},
    "pivot in a wind": {"support": "pivot", "drag": 0.01, "quadratic_drag": 0.02},
    "free in a wind": {"support": "free", "velocity": [0.1, 0.2, 0.3], "drag": 0.01, "quadratic_drag": 0.02},
}
WIND = {"velocity": [0.5, -1.0, 0.2]}
FIELD = {"kind": "uniform", "value": [0.01, 0.0, -0.02]}
ROTATING = {"kind": "rotating", "cosine": [0.1, 0, 0.02], "sine": [0, 0.1, 0], "angular_frequency": 30.0}


def started(support: str, method: str, count: int, field=FIELD):
    """A compiled scene whose body has magnets and meets others, and `count` starts with different pushes."""
    body = {name: value for name, value in TILTED.items() if name != "support"} | DIPOLES | SUPPORTS[support]
    dt = 2e-3 if method == "rk4" else 5e-3
    compiled = build(scene(body, *MAGNETS, method=method, time_step=dt, magnetic_field=field, wind=WIND), Meshes())
    states = np.tile(compiled.start, (count, 1))
    states[:, 15:18] *= np.linspace(0.2, 1.5, count)[:, None]
    return compiled, states, dt


def run_both(compiled, states, plan, wells=None):
    """Ends, status and times by lanes and by the scalar loop."""
    ends, found = states.copy(), states.copy()
    body = lane_body(compiled)
    assert body is not None
    lanes = LaneRunner(body, compiled.scene.solver.method, wells or no_wells()).run(ends, plan)[:2]
    scalar = CellRunner(compiled, wells).run(found, plan)[:2]
    return (ends[:, :18], *lanes), (found[:, :18], *scalar)


@pytest.mark.parametrize("field", [FIELD, ROTATING], ids=["steady", "rotating"])
@pytest.mark.parametrize("method", ["rk4", "dormand_prince_8"])
@pytest.mark.parametrize("support", SUPPORTS)
def test_lanes_end_where_the_scalar_loop_does(support, method, field):
    """Equal but for the order of sums: 1e-9 after 60 steps in which errors of rounding grow little."""
    compiled, states, dt = started(support, method, 13, field)
    (ends, *lanes), (found, *scalar) = run_both(compiled, states, Plan(61, dt, 4, 0, -1, False))
    assert np.abs(found - states[:, :18]).max() > 1e-2
    assert ends == pytest.approx(found, abs=1e-9 * np.abs(found).max())
    assert np.array_equal(lanes, scalar, equal_nan=True)
    assert set(lanes[0]) == {UNSETTLED}


@pytest.mark.parametrize("field", [FIELD, ROTATING], ids=["steady", "rotating"])
@pytest.mark.parametrize("support", SUPPORTS)
def test_constants_that_all_lanes_share_act_as_those_of_each_lane(support, field, monkeypatch):
    compiled, states, dt = started(support, "dormand_prince_8", 11, field)
    plan, body = Plan(60, dt, 5, 0, -1, False), lane_body(compiled)
    shared, each = states.copy(), states.copy()
    LaneRunner(body, "dormand_prince_8", no_wells()).run(shared, plan)
    monkeypatch.setattr(module, "shared_constants", lambda one: lane_constants([one]))
    LaneRunner(body, "dormand_prince_8", no_wells()).run(each, plan)
    assert np.abs(shared - states).max() > 1e-2
    assert shared == pytest.approx(each, abs=1e-12 * np.abs(each).max())


def test_lanes_settle_when_the_scalar_loop_does():
    damped = dict(TILTED) | SUPPORTS["axle"] | {"friction": 4e-3}
    compiled = build(scene(damped, method="rk4", time_step=2e-3), Meshes())
    states = np.tile(compiled.start, (21, 1))
    states[:, 15:18] *= np.linspace(0.2, 1.5, 21)[:, None]
    (_, *lanes), (_, *scalar) = run_both(compiled, states, Plan(4001, 2e-3, 7, 0, -1, True))
    assert np.array_equal(lanes, scalar, equal_nan=True)
    assert set(lanes[0]) == {SETTLED}
    assert len(set(lanes[1])) > 2


def test_cells_below_the_limit_end_alike_in_both_loops():
    """With limits that are no barriers, so that all ways through the loop are taken."""
    compiled, states, dt = started("pivot", "dormand_prince_8", 17)
    still = Simulation(scene(*MAGNETS, magnetic_field=FIELD)).snapshot().energy
    places, limits = np.array([[0.1, 0.3, 0.2], [0.1, -0.3, 0.2]]), np.array([0.2034, 0.2036])
    wells = Wells(lane_body(compiled).body, places, limits, still.gravity + still.magnetic)
    (_, *lanes), (_, *scalar) = run_both(compiled, states, Plan(100, dt, 3, 0, -1, True), wells)
    assert np.array_equal(lanes, scalar, equal_nan=True)
    assert {SETTLED, UNSETTLED} <= set(lanes[0])


def test_a_cell_has_the_same_bits_in_any_lane_beside_any_others():
    compiled, states, dt = started("pivot", "dormand_prince_8", 29)
    plan, runner = Plan(80, dt, 5, 0, -1, False), LaneRunner(lane_body(compiled), "dormand_prince_8", no_wells())
    whole = states.copy()
    runner.run(whole, plan)
    order = np.random.default_rng(3).permutation(29)
    shuffled = states[order].copy()
    runner.run(shuffled, plan)
    assert shuffled.tobytes() == whole[order].tobytes()
    for cell in (0, 5, 28):
        alone = states[cell : cell + 1].copy()
        runner.run(alone, plan)
        assert alone.tobytes() == whole[cell : cell + 1].tobytes()


def test_a_diverged_lane_leaves_the_others_as_they_are():
    compiled, states, dt = started("pivot", "rk4", 9)
    plan, runner = Plan(40, dt, 5, 0, -1, False), LaneRunner(lane_body(compiled), "rk4", no_wells())
    whole = states.copy()
    runner.run(whole, plan)
    states[4, 15:18] *= 1e9
    status, rest, _ = runner.run(states, plan)
    assert status[4] == DIVERGED
    assert np.isnan(rest[4])
    others = np.arange(9) != 4
    assert states[others].tobytes() == whole[others].tobytes()


def test_a_cancelled_runner_leaves_cells_pending():
    compiled, states, dt = started("pivot", "rk4", 9)
    runner = LaneRunner(lane_body(compiled), "rk4", no_wells())
    runner.cancel()
    assert set(runner.run(states, Plan(40, dt, 5, 0, -1, False))[0]) == {PENDING}


@pytest.mark.parametrize(
    "more",
    [
        {"magnetic_field": {"kind": "formula", "x": "0.01 * sin(t)"}},
        {"particle": [{"name": "p", "mass": 1.0, "position": [1, 0, 0]}]},
        {"wind": {"velocity": [0.5, 0, 0], "period": 2.0}},
        {"wind": {"density": "1.225*exp(-z)"}},
        {"wind": {"viscosity": 3e-5}},
        {"body": [{"name": "second", "support": "free", "shape": [{"kind": "sphere", "radius": 0.1, "mass": 1.0}]}]},
    ],
)
def test_scenes_with_more_take_the_scalar_loop(more):
    pendulum = dict(TILTED) | SUPPORTS["pivot in a wind"] | DIPOLES
    assert lane_body(build(scene(pendulum, *MAGNETS), Meshes())) is not None
    assert lane_body(build(scene(pendulum, *MAGNETS, **more), Meshes())) is None


# Admission


def test_a_law_that_lanes_do_not_have_is_refused_there(monkeypatch):
    """A drag that is extended in its subject, but not in the lanes, would be left out of maps and fits."""
    compiled, _, _ = started("free in a wind", "rk4", 1)
    assert body_in_lanes(compiled) is not None
    assert lanes_have_all_laws(compiled)

    def with_lift(given, states, steps):
        ends = stepped(given, states, steps)
        ends[:, 3:6] += 1e-6 * (ends[:, 3:6] - states[:, 3:6])  # a millionth of the force
        return ends

    monkeypatch.setattr(agreement, "stepped", with_lift)
    assert body_in_lanes(compiled) is None
    assert not lanes_have_all_laws(compiled)


def test_subjects_say_whether_they_are_written_for_lanes():
    assert {part.name for part in SUBJECTS if part.in_lanes} == {
        "bodies",
        "air",
        "dry friction of supports",
        "forces by formulas",
        "magnets",
        "pairs of dipoles",
        "weight",
    }
