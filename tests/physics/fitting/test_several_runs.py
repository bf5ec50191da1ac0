"""Several runs, predictions and comparisons beside the closed forms of linear least squares: throws under gravity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from meaning import refuses
from scipy.stats import f as fishers_f
from scipy.stats import t as students_t

from polhode.data.measured import MeasuredData
from polhode.fitting.fit import fit
from polhode.fitting.inference.comparison import compared
from polhode.fitting.inference.prediction import prediction
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of

GRAVITY, NOISE = 9.7, 0.02
HEIGHT, PULL, SPEED = "ball.position.z", "world.gravity[2]", "body[0].velocity[2]"
TIMES = np.linspace(0.0, 1.0, 41), np.linspace(0.0, 0.6, 31)
SPEEDS = 4.0, 6.5


def throw(speed: float, gravity: float = -9.0) -> Scene:
    """A ball that is thrown upward from the origin."""
    ball = {"name": "ball", "support": "free", "velocity": [0, 0, speed]}
    ball["shape"] = [{"kind": "sphere", "radius": 0.05, "mass": 0.2}]
    return scene_of({"world": {"gravity": [0, 0, gravity]}, "solver": {"time_step": 1e-2}, "body": [ball]}, "throw")


def readings(run: int, seed: int = 4) -> MeasuredData:
    """Noisy heights [m] of a throw."""
    t = TIMES[run]
    heights = SPEEDS[run] * t - GRAVITY * t**2 / 2 + np.random.default_rng(seed + run).normal(0.0, NOISE, len(t))
    return MeasuredData.of_arrays(t, {"z": heights}, {"z": "m"})


def linear(slopes: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Values (p,), their covariance (p, p) and the sum of squares of linear least squares."""
    found, square = np.linalg.lstsq(slopes, values, rcond=None)[:2]
    return found, np.linalg.inv(slopes.T @ slopes) * square[0] / (len(values) - len(found)), float(square[0])


def test_runs_share_gravity_and_have_their_own_speeds():
    data = readings(0), readings(1)
    found = fit(throw(3.0), data[0], {"z": HEIGHT}, [PULL, SPEED], runs=[(throw(5.0, -7.0), data[1])])
    first, second = TIMES
    slopes = np.zeros((len(first) + len(second), 3))
    slopes[:, 0] = np.concatenate(TIMES) ** 2 / 2
    slopes[: len(first), 1], slopes[len(first) :, 2] = first, second
    values, covariance, _ = linear(slopes, np.concatenate([each.column("z").values for each in data]))
    assert [each.unknown.name for each in found.estimates] == [PULL, SPEED, f"run[1].{SPEED}"]
    assert [each.value for each in found.estimates] == pytest.approx(values, rel=1e-6)
    assert [each.error for each in found.estimates] == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-5)
    assert found.scene.body[0].velocity[2] == pytest.approx(values[1], rel=1e-6)
    assert found.residuals[0].count == len(slopes)


def test_runs_share_the_offset_of_a_column_whatever_their_spread():
    data = readings(0), readings(1)
    found = fit(throw(3.0), data[0], {"z": HEIGHT}, ["data.z.offset", PULL, SPEED], runs=[(throw(5.0), data[1])])
    first, second = TIMES
    slopes = np.zeros((len(first) + len(second), 4))
    slopes[:, 0], slopes[:, 1] = -1.0, np.concatenate(TIMES) ** 2 / 2
    slopes[: len(first), 2], slopes[len(first) :, 3] = first, second
    values, covariance, _ = linear(slopes, np.concatenate([each.column("z").values for each in data]))
    errors = np.sqrt(np.diag(covariance))
    # the offset is 1.5e-4 m with an error of 6e-6 m: what is small beside the errors is right
    assert ([each.value for each in found.estimates] - values) / errors == pytest.approx(0.0, abs=1e-5)
    assert [each.error for each in found.estimates] == pytest.approx(errors, rel=1e-5)


def test_a_number_can_be_that_of_each_run():
    found = fit(throw(3.0), readings(0), {"z": HEIGHT}, [PULL, SPEED], runs=[(throw(5.0), readings(1))], own=[PULL])
    alone = [fit(throw(3.0 + 2 * k), readings(k), {"z": HEIGHT}, [PULL, SPEED]) for k in range(2)]
    values = [each.estimate(name).value for each in alone for name in (PULL, SPEED)]
    assert [each.value for each in found.estimates] == pytest.approx(values, rel=1e-6)
    with refuses("own", name="world.gravity[1]"):
        fit(throw(3.0), readings(0), {"z": HEIGHT}, [PULL], runs=[(throw(5.0), readings(1))], own=["world.gravity[1]"])


def test_held_out_rows_are_the_last_of_each_run():
    runs = [(throw(5.0), readings(1))]
    found = fit(throw(3.0), readings(0), {"z": HEIGHT}, [PULL, SPEED], hold_out=0.2, runs=runs)
    kept = found.task.is_of(found.task.first(found.fitted))
    assert not kept[40]
    assert not kept[-1]
    assert kept[:32].all()
    assert kept[41:65].all()
    assert found.held_out[0] < 4 * NOISE
    assert kept.sum() == found.fitted
    assert (found.fitted_rows == kept).all()


@pytest.mark.parametrize("part", [0.01, 0.02])
def test_a_part_below_a_row_of_a_run_can_not_be_held_out(part):
    """Of 72 rows 0.02 is one, of the second run alone."""
    with refuses("hold_out", part=part):
        fit(throw(3.0), readings(0), {"z": HEIGHT}, [PULL, SPEED], hold_out=part, runs=[(throw(5.0), readings(1))])


def test_a_note_about_the_explained_part_is_of_the_fitted_rows_of_each_run():
    """Held-out rows of the first run that nothing explains, before the fitted ones of the second."""
    data = readings(0)
    values = data.column("z").values.copy()
    values[-8:] += 100.0 * np.arange(8)
    odd = MeasuredData.of_arrays(TIMES[0], {"z": values}, {"z": "m"})
    found = fit(throw(3.0), odd, {"z": HEIGHT}, [PULL, SPEED], hold_out=0.2, runs=[(throw(5.0), readings(1))])
    assert found.fitted_rows.sum() == found.fitted
    assert not found.notes


def test_prediction_intervals_are_those_of_linear_least_squares():
    data = readings(0)
    found = fit(throw(3.0), data, {"z": HEIGHT}, [PULL, SPEED])
    later = np.linspace(0.0, 2.0, 9)
    slopes = np.column_stack([TIMES[0] ** 2 / 2, TIMES[0]])
    values, covariance, square = linear(slopes, data.column("z").values)
    rows = np.column_stack([later**2 / 2, later])
    quantile = students_t.ppf(0.975, len(slopes) - 2)
    half = quantile * np.sqrt(square / (len(slopes) - 2) + np.einsum("np,pq,nq->n", rows, covariance, rows))
    predicted = prediction(found, later)
    assert predicted.values[:, 0] == pytest.approx(rows @ values, abs=1e-6)
    assert predicted.upper[:, 0] - predicted.values[:, 0] == pytest.approx(half, rel=1e-4)
    assert predicted.values[:, 0] - predicted.lower[:, 0] == pytest.approx(half, rel=1e-4)
    other = prediction(found, later, throw(8.0))  # its speed is known: gravity alone is uncertain
    assert other.values[:, 0] == pytest.approx(8.0 * later + values[0] * later**2 / 2, abs=1e-6)
    of_gravity = np.sqrt(square / (len(slopes) - 2) + rows[:, 0] ** 2 * covariance[0, 0])
    assert (other.upper - other.values)[:, 0] == pytest.approx(quantile * of_gravity, rel=1e-4)


def test_a_run_that_can_not_be_predicted_is_refused():
    """Air that brakes a ball so much that a step of 10 ms diverges."""
    found = fit(throw(3.0), readings(0), {"z": HEIGHT}, [PULL, SPEED])
    thick = throw(3.0).with_values({"body[0].drag": 1e6})
    with refuses("times"):
        prediction(found, TIMES[0], thick)


def test_wrong_arguments_of_a_prediction_are_refused():
    found = fit(throw(3.0), readings(0), {"z": HEIGHT}, [PULL, SPEED])
    nothing = scene_of({"particle": [{"name": "p", "mass": 1.0}]}, "nothing")
    for place, wrong in {
        "times": (5, "a", [], [np.nan], [[0.0, 1.0]], [-1.0, 0.0, 1.0], [0.0, 1.0, 0.5]),
        "level": (0.0, 1.0, 2, -0.5, np.nan, "a"),
        "scene": (5, "throw", nothing, throw(3.0).with_values({PULL: "-9 + 0*t"})),
        "found": (None, 5),
    }.items():
        for value in wrong:
            with refuses(place):
                prediction(**{"found": found, "times": [0.0, 1.0], place: value})
    assert prediction(found, [0, 1], level=0.5).values[0, 0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("shown", "numbers"),
    [((*range(12), 16, 17), {"number": 2, "count": 2}), ((0, 12, 13, 16), {"count": 4, "unknowns": 4})],
)
def test_a_segment_needs_more_values_than_its_start(shown, numbers):
    """Height and speed are the start: two values determine them, and three leave one for two unknowns and a value."""
    values = np.full(41, np.nan)
    values[list(shown)] = readings(0).column("z").values[list(shown)]
    data = MeasuredData.of_arrays(TIMES[0], {"z": values}, {"z": "m"})
    with refuses("segments", **numbers):
        fit(throw(3.0), data, {"z": HEIGHT}, [PULL, SPEED], segments=4)


def test_two_nested_models_are_compared_by_f_and_aicc():
    """Gravity held at 9.6 or free; F and AICc from the sums of squares of numpy."""
    data = readings(0)
    values, t = data.column("z").values, TIMES[0]
    held = fit(throw(3.0, -9.6), data, {"z": HEIGHT}, [SPEED])
    free = fit(throw(3.0, -9.6), data, {"z": HEIGHT}, [PULL, SPEED])
    one = linear(t[:, None], values + 9.6 * t**2 / 2)[2]
    two = linear(np.column_stack([t**2 / 2, t]), values)[2]
    found, n = compared(held, free), len(t)
    f = (one - two) / (two / (n - 2))
    assert found.is_nested
    assert found.f == pytest.approx(f, rel=1e-4)
    assert found.probability == pytest.approx(fishers_f.sf(f, 1, n - 2), rel=1e-3)
    expected = [n * np.log(s / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1) for s, k in ((one, 2), (two, 3))]
    assert found.aicc == pytest.approx(expected, rel=1e-6)
    differing = np.abs(held.model - free.model)[:, 0]
    assert found.time == t[np.argmax(differing)]
    assert found.separation == pytest.approx(differing.max() / np.sqrt(two / n), rel=1e-5)


def test_a_model_that_leaves_nothing_is_beyond_any_f():
    data = readings(0)
    held, free = (fit(throw(3.0, -9.6), data, {"z": HEIGHT}, names) for names in ([SPEED], [PULL, SPEED]))
    exact = replace(free, model=free.task.values)
    assert compared(held, exact).f == np.inf
    assert compared(held, exact).probability == 0.0
    assert not compared(replace(held, model=held.task.values), exact).prefers_second


def test_fits_in_other_segments_are_not_nested():
    data = readings(0)
    whole = fit(throw(3.0), data, {"z": HEIGHT}, [SPEED])
    names = [PULL, SPEED]
    parted = fit(throw(3.0), data, {"z": HEIGHT}, names, segments=2)
    assert not compared(whole, parted).is_nested
    held = fit(throw(3.0), data, {"z": HEIGHT}, [SPEED], segments=2)
    assert compared(held, parted).is_nested


def test_a_model_without_a_cause_loses_and_one_with_a_superfluous_number_does_not_win():
    data = readings(0)
    fits = {g: fit(throw(3.0, g), data, {"z": HEIGHT}, [SPEED]) for g in (-8.0, -GRAVITY)}
    assert compared(fits[-8.0], fit(throw(3.0, -8.0), data, {"z": HEIGHT}, [PULL, SPEED])).prefers_second
    free = fit(throw(3.0, -GRAVITY), data, {"z": HEIGHT}, [PULL, SPEED])
    assert not compared(fits[-GRAVITY], free).prefers_second
    between = compared(fits[-8.0], fits[-GRAVITY])
    assert not between.is_nested
    assert between.prefers_second
    with refuses("second"):
        compared(fits[-8.0], fit(throw(5.0), readings(1), {"z": HEIGHT}, [SPEED]))
