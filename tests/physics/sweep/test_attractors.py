"""Attractors that are no rests: synchronous rotations of a compass, which turns with the field or against it."""

import numpy as np
import pytest
from driven_compass import NEEDLE, compass
from meaning import Meaning, refuses

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.run.status import SETTLED
from polhode.scene.problem import InputError
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.maps.similarity import TOLERANCE, share_cells
from polhode.sweep.measure import check_sweeps
from polhode.sweep.sweep import Sweep
from scenes import scene

FREQUENCY = 9.0  # [rad/s]
RATE = "needle.angular_velocity.z"
BY_MEAN = {"features": [{"quantity": RATE, "tolerance": 1.0}], "after": 40.0}
BY_GRID = {
    "grid": [
        {"quantity": "needle.u1.x", "range": [-1.1, 1.1], "count": 40},
        {"quantity": "needle.u1.y", "range": [-1.1, 1.1], "count": 40},
        {"quantity": RATE, "range": [-40.0, 40.0], "count": 100},
    ],
    "period": 2 * np.pi / FREQUENCY,
}


def asked(count: int, outcome: dict, until: float = 80.0, **more) -> SweepSettings:
    axis = {"parameter": "body[0].angular_velocity[2]", "range": [-20.0, 20.0], "count": count}
    return SweepSettings.model_validate({"until": until, "axes": [axis], "outcome": outcome} | more)


def test_runs_are_grouped_by_the_mean_rate_which_is_that_of_the_field():
    """A needle that is locked to a field that swings as cos(w t), two fields that rotate, has the mean rate w or -w."""
    made = Sweep(compass(FREQUENCY), asked(24, BY_MEAN)).run()
    settled = made.status == SETTLED
    assert settled.sum() >= 16
    means = made.features[..., 0] / TOLERANCE
    assert {-1, 1} <= set(np.round(means[settled] / FREQUENCY).astype(int)) <= {-1, 0, 1}
    # 40 s are no whole number of periods: the mean errs by an amplitude over the time.
    assert np.abs(means / FREQUENCY - np.round(means / FREQUENCY))[settled].max() < 0.05
    labels = made.label[settled]
    order = np.unique(np.round(means[settled] / FREQUENCY).astype(int), return_inverse=True)[1]
    assert np.array_equal(labels, order)  # numbered by their features


def test_recurrences_on_a_grid_find_the_same_attractors():
    by_mean = Sweep(compass(FREQUENCY), asked(24, BY_MEAN)).run()
    by_grid = Sweep(compass(FREQUENCY), asked(24, BY_GRID, until=200.0)).run()
    both = (by_mean.status == SETTLED) & (by_grid.status == SETTLED)
    assert both.sum() >= 16
    pairs = set(zip(by_mean.label[both].tolist(), by_grid.label[both].tolist(), strict=True))
    assert len({one for one, _ in pairs}) >= 2
    assert len({other for _, other in pairs}) == len(pairs)  # none of the grid's holds two of the others
    assert (by_grid.time[both] > 0).all()
    assert (by_grid.time[both] < 200).all()


@pytest.mark.parametrize("outcome", [BY_MEAN, BY_GRID])
def test_labels_do_not_depend_on_threads_or_chunks(outcome, monkeypatch):
    one = Sweep(compass(FREQUENCY), asked(10, outcome), workers=1).run()
    monkeypatch.setattr("polhode.sweep.sweep.CHUNK_SECONDS", 0.01)
    two = Sweep(compass(FREQUENCY), asked(10, outcome), workers=3).run()
    for name in ("label", "time", "status", "features"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()


def test_a_cycle_is_one_attractor_from_all_of_its_points():
    """A wheel that a motor keeps at 2 rad/s against friction: the circle of its angles, from each start on it."""
    torque = {"on": "wheel", "torque": {"x": "0", "y": "0", "z": "2e-3"}}
    wheel = {"name": "wheel", "support": "axle", "axis": [0, 0, 1], "angular_velocity": [0, 0, 1.0], "friction": 1e-3}
    wheel["shape"] = [{"kind": "cylinder", "radius": 0.05, "length": 0.02, "mass": 0.5}]
    given = scene(wheel, force=[torque], time_step=0.01)
    grid = [{"quantity": f"wheel.u1.{k}", "range": [-1.1, 1.1], "count": 20} for k in "xy"]
    sweep = {"until": 60.0, "axes": [{"parameter": "body[0].tilt[2]", "range": [0, 6], "count": 7}]}
    made = Sweep(given, SweepSettings.model_validate(sweep | {"outcome": {"grid": grid}})).run()
    assert (made.status == SETTLED).all()
    assert (made.label == 0).all()


def test_common_cells():
    one = np.array([1.0, 2, 3, 4])
    some = np.array([[1.0, 9, 9, 9], [5, 6, 7, 8], [4, np.nan, np.nan, np.nan], [np.nan] * 4])
    assert share_cells(some, one).tolist() == [True, False, True, False]


def test_ways_that_exclude_each_other_and_columns_that_do_not_exist():
    axis = {"parameter": "body[0].friction", "range": [0, 1], "count": 2}
    one = {"quantity": RATE, "tolerance": 1.0}
    for outcome, text in (
        ({"features": [one], "grid": BY_GRID["grid"]}, Meaning("", "together", names="features")),
        ({"kind": "mean", "quantity": RATE, "features": [one]}, Meaning("", name="features", kind="mean")),
        ({"grid": [{"quantity": RATE, "range": [1, 0], "count": 5}]}, Meaning("", "range", low=1, high=0)),
    ):
        with refuses(text, raised=ValueError):
            SweepSettings.model_validate({"until": 1.0, "axes": [axis], "outcome": outcome})
    outcome = {"features": [one, one | {"quantity": "needle.angular_velocity.q"}]}
    given = scene(NEEDLE, sweep=[{"until": 1.0, "axes": [axis], "outcome": outcome}])
    with pytest.raises(InputError) as caught:
        check_sweeps(given, build(given, Meshes()))
    assert [problem.place for problem in caught.value.problems] == ["sweep[0].outcome.features[1].quantity"]
