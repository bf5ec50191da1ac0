"""From what a sensor says to a place: filters do what they promise, calibrations hit their own points."""

from __future__ import annotations

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode_app.sensor.calibration import Calibration, calibrated
from polhode_app.sensor.filtering import GAP, Filter, Filtered, FilterSettings, smoothing_factor

STEP = 0.025  # [s]
KINDS = [
    FilterSettings("none", 1),
    FilterSettings("none", 5),
    FilterSettings("exponential", 1, 2.0),
    FilterSettings("exponential", 3, 5.0),
    FilterSettings("one_euro", 3, 1.5, 0.02),
]


def last(settings: FilterSettings, measured: np.ndarray, step: float = STEP) -> Filtered:
    passed = Filter(settings)
    return [passed(step * k, float(value)) for k, value in enumerate(measured)][-1]


@pytest.mark.parametrize("settings", KINDS)
def test_a_place_at_rest_stays(settings: FilterSettings) -> None:
    assert last(settings, np.full(40, 250.0)) == Filtered(250.0, 0.0, pytest.approx(last(settings, np.ones(40)).lag))


@pytest.mark.parametrize("settings", KINDS)
@pytest.mark.parametrize("velocity", [-400.0, 30.0])
def test_a_steady_motion_is_seen_late_by_the_lag_that_is_told(settings: FilterSettings, velocity: float) -> None:
    times = STEP * np.arange(2000)
    seen = last(settings, 100.0 + velocity * times)
    # The initial transient decays within a second; the rest is rounding of 1e5 mm.
    assert seen.velocity == pytest.approx(velocity, rel=1e-9)
    assert seen.value == pytest.approx(100.0 + velocity * (times[-1] - seen.lag), abs=1e-6)


def test_one_euro_lags_less_when_the_hand_is_quick() -> None:
    times = STEP * np.arange(400)
    slow, quick = (last(FilterSettings(), velocity * times).lag for velocity in (20.0, 500.0))
    assert quick < 0.5 * slow


@pytest.mark.parametrize(
    "settings", [FilterSettings("one_euro", 3), FilterSettings("exponential", 3), FilterSettings("none", 3)]
)
def test_a_single_wrong_measurement_moves_nothing(settings: FilterSettings) -> None:
    measured = np.full(60, 250.0)
    measured[::7] = 2000.0
    assert last(settings, measured[1:]).value == 250.0


def test_the_low_pass_calms_noise_as_far_as_theory_says() -> None:
    """White noise through v += s (x - v) keeps s/(2 - s) of its variance."""
    noise = np.random.default_rng(3).normal(size=100_000)
    passed = Filter(FilterSettings("exponential", 1, 2.0))
    values = np.array([passed(STEP * k, value).value for k, value in enumerate(noise)])[1000:]
    part = smoothing_factor(2.0, STEP)
    # A variance from n values of which 2/s each are correlated is known to sqrt(4/(s n)) of itself: 1.3 %; four times.
    assert values.var() == pytest.approx(part / (2 - part), rel=0.06)


@pytest.mark.parametrize("gap", [GAP + 0.1, -3.0, 0.0])
def test_what_comes_after_a_gap_or_a_reset_of_the_clock_restarts_the_filter(gap: float) -> None:
    passed = Filter(FilterSettings())
    for k in range(20):
        passed(STEP * k, 100.0 + k)
    assert passed(STEP * 19 + gap, 500.0) == Filtered(500.0, 0.0, 0.0)


def test_without_a_calibration_the_sensor_is_believed() -> None:
    assert Calibration()(123.4) == 123.4


def test_a_line_through_two_points_goes_through_them() -> None:
    calibration = calibrated([(100.0, 110.0), (300.0, 290.0)])
    assert [calibration(raw) for raw in (100.0, 200.0, 300.0, 400.0)] == pytest.approx([110.0, 200.0, 290.0, 380.0])
    assert calibration.residual == pytest.approx(0.0, abs=1e-9)


def test_a_line_through_many_points_leaves_the_least_squares() -> None:
    raw = np.array([100.0, 200.0, 300.0, 400.0])
    known = 1.02 * raw + 5 + np.array([1.0, -2.0, 2.0, -1.0])
    calibration = calibrated([*zip(raw, known, strict=True)])
    slope = ((raw - raw.mean()) * known).sum() / ((raw - raw.mean()) ** 2).sum()
    assert calibration(250.0) == pytest.approx(known.mean())
    assert calibration(251.0) - calibration(250.0) == pytest.approx(slope)
    assert calibration.residual == pytest.approx(max(abs(known - [calibration(each) for each in raw])))


def test_a_table_goes_through_its_points_and_straight_on_behind_them() -> None:
    pairs = [(300.0, 100.0), (100.0, 400.0), (200.0, 200.0)]  # falls: the voltage of an infrared sensor does
    calibration = calibrated(pairs, "table")
    assert [calibration(raw) for raw, _ in pairs] == pytest.approx([known for _, known in pairs])
    assert [calibration(raw) for raw in (0.0, 150.0, 250.0, 400.0)] == pytest.approx([600.0, 300.0, 150.0, 0.0])
    assert calibration.residual == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("pairs", "kind", "why"),
    [
        ([(100.0, 100.0)], "line", Meaning("", "measure", "more")),
        ([(100.0, 100.0), (100.0, 200.0)], "line", Meaning("", "distances", "farther")),
        ([(0.0, 100.0), (0.0, 200.0)], "line", Meaning("", "distances", "farther")),
        ([(1.0, 100.0), (2.0, 300.0), (3.0, 200.0)], "table", Meaning("", "stands", "repeat")),
        ([(1.0, 100.0), (2.0, 300.0), (3.0, 300.0)], "table", Meaning("", "stands", "repeat")),
        ([(1.0, 100.0), (2.0, 100.0)], "line", Meaning("", "same", "distance")),
    ],
)
def test_what_determines_no_calibration_is_refused(pairs: list, kind: str, why: Meaning) -> None:
    with refuses(why, raised=ValueError):
        calibrated(pairs, kind)
