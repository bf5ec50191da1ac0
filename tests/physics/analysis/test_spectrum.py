"""Spectra and sections beside closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.analysis.poincare import between, crossings
from polhode.analysis.spectrum import WINDOWS, spectrum

TIMES = np.arange(0, 20, 1e-3)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("frequency", [1.0, 1.63, 12.3456])
def test_a_sine_has_its_frequency_and_amplitude(window: str, frequency: float):
    found = spectrum(TIMES, 5.0 + 0.3 * np.sin(2 * np.pi * frequency * TIMES + 0.4), window)
    # The leakage of the peak at -f to +f falls with the distance 2f of the two in lines of 1/T: for 20 s and no window,
    # whose feet are the longest, by 1/(2 pi f T) = 1/125 in amplitude, slanted by at most as much of a line.
    assert found.peak == pytest.approx(frequency, abs=0.01 / 20)
    assert found.height == pytest.approx(0.3, rel=0.012)
    assert found.frequencies[-1] == pytest.approx(500.0, rel=1e-3)  # half of 1000 samples per second


def test_two_swings_have_two_peaks():
    found = spectrum(TIMES, np.sin(2 * np.pi * 2 * TIMES) + 0.01 * np.sin(2 * np.pi * 3 * TIMES), "blackman")
    near = np.abs(found.frequencies - 3) < 0.1
    assert found.amplitudes[near].max() == pytest.approx(0.01, rel=0.01)  # Blackman's feet are below 2e-4 there
    assert found.peak == pytest.approx(2.0, abs=1e-4)


def test_samples_at_uneven_times_and_gaps_give_the_same_peak():
    kept = np.random.default_rng(1).random(len(TIMES)) < 0.8
    values = np.sin(2 * np.pi * 1.5 * TIMES)
    values[5000:5100] = np.nan
    assert spectrum(TIMES[kept], values[kept]).peak == pytest.approx(1.5, abs=1e-3)


@pytest.mark.parametrize("values", [np.zeros(0), np.zeros(5), np.full(100, np.nan), np.ones(100)])
def test_what_does_not_swing_has_no_peak(values: np.ndarray):
    found = spectrum(np.arange(len(values)) * 0.01, values)
    assert np.isnan(found.peak) or found.height < 1e-12


def test_a_section_finds_where_a_sine_rises():
    swing = np.sin(TIMES)
    rows, parts = crossings(swing, 0.5)
    expected = np.pi / 6 + 2 * np.pi * np.arange(4)  # sin t = 1/2, rising
    # Between samples 1 ms apart the chord of a sine is off by at most dt^2/8, its slope there is 0.87.
    np.testing.assert_allclose(between(TIMES, rows, parts), expected[expected < 20], atol=1.5e-7)
    np.testing.assert_allclose(between(np.cos(TIMES), rows, parts), np.cos(np.pi / 6), atol=1e-6)


def test_next_to_a_gap_nothing_passes():
    rows, parts = crossings(np.array([-1.0, np.nan, 1.0, -1.0, 0.0, 1.0]), 0.0)
    assert rows.tolist() == [3]  # a sample on the level counts as above it, and once
    assert parts.tolist() == [1.0]
