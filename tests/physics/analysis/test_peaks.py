"""Maxima and periods of what swings."""

import numpy as np

from polhode.analysis.peaks import Maxima, maxima


def test_the_period_of_a_sampled_swing_is_found_between_the_samples():
    """A parabola through three samples errs by some (w dt)^2 dt: 1e-5 s for w = 14 1/s and 5 ms."""
    w, found = np.sqrt(200.0), Maxima()
    times = np.arange(0, 3, 5e-3)
    tops = [(found.time, found.period) for time in times if found.add(time, np.cos(w * time - 1.0))]
    expected = (1.0 + 2 * np.pi * np.arange(len(tops))) / w
    assert len(tops) == 7
    assert np.allclose([time for time, _ in tops], expected, atol=3e-5)
    assert np.isnan(tops[0][1])
    assert np.allclose([period for _, period in tops[1:]], 2 * np.pi / w, atol=3e-5)


def test_a_slope_has_no_maximum_and_a_plateau_one():
    found = Maxima()
    assert [found.add(t, y) for t, y in enumerate([0, 1, 2, 3])] == [False] * 4
    assert [found.add(t, y) for t, y in enumerate([3, 3, 2], start=4)] == [True, False, False]


def test_maxima_of_an_array_are_those_that_are_found_one_by_one():
    times = np.cumsum(np.random.default_rng(1).uniform(1e-3, 9e-3, 2000))
    values, found = np.sin(7 * times) + 0.3 * np.cos(19 * times), Maxima()
    tops = [found.time for time, value in zip(times, values, strict=True) if found.add(time, value)]
    at, heights = maxima(times, values)
    assert at.tolist() == tops
    # A parabola leaves the curve by y''' h^3 / 15 at most: 2300 / s^3 and 9 ms.
    np.testing.assert_allclose(heights, np.sin(7 * at) + 0.3 * np.cos(19 * at), atol=1.2e-4)
