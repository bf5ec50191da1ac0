"""Measurements of curves against closed forms, and against a slow calculation by plain Python."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from polhode.lessons.measures import crossings, measured, unit_of
from polhode.scene.display.lesson import MEASURES, LessonStep

TIMES = np.arange(4001) * 2.5e-3  # [s]
OMEGA, SIZE, MEAN, DECAY = 2.7, 1.3, 0.4, 0.05
WAVE = MEAN + SIZE * np.cos(OMEGA * TIMES)


def step(measure: str, **more: object) -> LessonStep:
    return LessonStep(measure=measure, of="bob.angle", **more)


@pytest.mark.parametrize(
    ("measure", "more", "expected"),
    [
        ("period", {}, 2 * math.pi / OMEGA),
        ("frequency", {}, OMEGA / (2 * math.pi)),
        ("maximum", {}, MEAN + SIZE),
        ("minimum", {}, MEAN - SIZE),
        ("range", {}, 2 * SIZE),
        ("value", {}, MEAN + SIZE * math.cos(OMEGA * 10.0)),
        ("value", {"at": 1.23}, MEAN + SIZE * math.cos(OMEGA * 1.23)),
        ("first_crossing", {"level": MEAN}, math.pi / (2 * OMEGA)),
        ("first_crossing", {"level": 1.0}, math.acos((1.0 - MEAN) / SIZE) / OMEGA),
        ("mean", {}, MEAN + SIZE * math.sin(OMEGA * 10.0) / (OMEGA * 10.0)),
    ],
)
def test_a_wave_has_the_measurements_of_its_formula(measure: str, more: dict[str, float], expected: float) -> None:
    """Straight lines between samples differ by (omega dt)^2 / 8 of the size, 6e-6; a mean by a sample's share."""
    tolerance = 1e-3 if measure == "mean" else 2e-5
    assert measured(step(measure, **more), TIMES, WAVE) == pytest.approx(expected, abs=tolerance)


def test_a_decaying_wave_has_the_period_of_its_angular_frequency() -> None:
    """Rises through the middle are a period apart but for the drift of the wave through it."""
    found = measured(step("period"), TIMES, np.exp(-DECAY * TIMES) * np.cos(OMEGA * TIMES))
    assert found == pytest.approx(2 * math.pi / OMEGA, rel=1e-2)


@pytest.mark.parametrize("measure", ["period", "frequency", "first_crossing"])
def test_a_curve_without_crossings_has_none(measure: str) -> None:
    assert math.isnan(measured(step(measure, level=5.0), TIMES, np.full(len(TIMES), 2.0)))


@pytest.mark.parametrize("at", [10.0012, 10.00125])
def test_the_last_sample_is_the_value_at_the_end_of_a_run(at: float) -> None:
    """A run of 10.00125 s has 4000 steps of 2.5 ms: its number of steps is rounded."""
    assert measured(step("value", at=at), TIMES, WAVE) == WAVE[-1]
    assert math.isnan(measured(step("value", at=at, own_data=True), TIMES, WAVE))


@pytest.mark.parametrize("measure", ["period", "frequency"])
def test_rises_at_one_time_have_no_period(measure: str) -> None:
    """Own data may have times so close together that the interpolation rounds to the same one twice."""
    times, values = 5e-324 * np.arange(4), np.array([-0.51, 0.0, -1.0, 1.0])
    assert crossings(times, values, 0.0).tolist() == [1e-323, 1e-323]
    assert math.isnan(measured(step(measure, own_data=True), times, values))


@pytest.mark.parametrize("at", [10.0013, 20.0])
def test_a_time_outside_of_the_curve_has_no_value(at: float) -> None:
    assert math.isnan(measured(step("value", at=at), TIMES, WAVE))


def test_rows_that_are_not_finite_are_left_out() -> None:
    values = WAVE.copy()
    values[[3, 700]] = np.nan, np.inf
    assert measured(step("maximum"), TIMES, values) == pytest.approx(MEAN + SIZE, abs=1e-6)
    assert math.isnan(measured(step("maximum"), TIMES, np.full(len(TIMES), np.nan)))


def test_crossings_are_rises_by_linear_interpolation() -> None:
    found = crossings(np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.array([0.0, 2.0, -2.0, 2.0, 2.0]), 1.0)
    assert found.tolist() == [0.5, 2.75]


def slow(one: LessonStep, times: list[float], values: list[float]) -> float:
    """The measurement by loops."""

    def rises(signed: list[float], level: float) -> list[float]:
        made = []
        for k in range(len(signed) - 1):
            a, b = signed[k], signed[k + 1]
            if a < level <= b:
                made.append(times[k] + (times[k + 1] - times[k]) * (level - a) / (b - a))
        return made

    match one.measure:
        case "maximum":
            return max(values)
        case "minimum":
            return min(values)
        case "range":
            return max(values) - min(values)
        case "mean":
            return math.fsum(values) / len(values)
        case "first_crossing":
            both = rises(values, one.level) + rises([-each for each in values], -one.level)
            return min(both, default=math.nan)
        case "period" | "frequency":
            found = rises(values, 0.5 * (min(values) + max(values)))
            if len(found) < 2:
                return math.nan
            period = (found[-1] - found[0]) / (len(found) - 1)
            return period if one.measure == "period" else 1 / period
    time = times[-1] if one.at is None else one.at
    if times[-1] < time <= times[-1] + (times[-1] - times[-2]) / 2:
        return values[-1]
    for k in range(len(times) - 1):
        if times[k] <= time <= times[k + 1]:
            return values[k] + (values[k + 1] - values[k]) * (time - times[k]) / (times[k + 1] - times[k])
    return math.nan


@pytest.mark.parametrize("measure", MEASURES)
def test_random_curves_have_the_measurements_of_a_slow_calculation(measure: str) -> None:
    chance = random.Random(5)
    for _ in range(200):
        count = chance.randint(2, 30)
        times = sorted(chance.uniform(0, 10) for _ in range(count))
        values = [round(chance.uniform(-3, 3), chance.choice((0, 6))) for _ in times]
        one = step(measure, level=chance.choice((0.0, 1.0, 0.3)), at=chance.choice((None, chance.uniform(0, 12))))
        found, expected = measured(one, np.array(times), np.array(values)), slow(one, times, values)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("measure", "more", "unit"),
    [("period", {}, "s"), ("frequency", {}, "1/s"), ("maximum", {}, "rad"), ("maximum", {"relative": True}, "")],
)
def test_units_follow_from_the_measurement(measure: str, more: dict[str, bool], unit: str) -> None:
    assert unit_of(step(measure, **more), "rad") == unit
