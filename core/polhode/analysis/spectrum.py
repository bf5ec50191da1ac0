"""Amplitude spectrum of samples, with a window (Harris, Proc. IEEE 66, 51, 1978), and its highest peak."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

POINTS = 2**15  # largest number of samples of the uniform grid
LEAST = 16  # smallest number of samples
PADDED = 4  # zero padding, so that the drawn curve passes near the top of every peak
WINDOWS = {"hann": (0.5, 0.5), "blackman": (0.42, 0.5, 0.08), "none": (1.0,)}
"""Terms a_k of each window, sum of (-1)^k a_k cos(2 pi k j / n). Hann's window resolves frequencies a little more than
2/T apart, Blackman's shows weak peaks near strong ones; without a window the peaks are narrowest but leak most."""


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Amplitudes over frequency; empty arrays and nan for too few samples."""

    frequencies: np.ndarray  # (m,) [Hz]
    amplitudes: np.ndarray  # (m,) amplitude at each frequency, in the unit of the samples
    peak: float = nan  # [Hz] of the highest amplitude, without the mean
    height: float = nan  # the amplitude there


def spectrum(times: np.ndarray, values: np.ndarray, window: str = "hann") -> Spectrum:
    """Amplitudes of the samples (n,) at times (n,) [s] that grow, about their mean; nan are left out.

    window: one of WINDOWS

    A sine of amplitude A in all samples gives A at its frequency. Samples at uneven times are interpolated on a grid of
    their median spacing, of at most POINTS samples. The mean that is removed is the weighted one, so that it leaves no
    peak at zero. The peak is that of the parabola through the logarithms of the highest amplitude and its neighbours,
    which is exact for a Gaussian peak. Empty for fewer than LEAST samples.
    """
    known = np.isfinite(values)
    times, values = times[known], values[known]
    spacing = float(np.median(np.diff(times))) if len(times) >= LEAST else 0.0
    if spacing <= 0:
        return Spectrum(np.empty(0), np.empty(0))
    count = min(POINTS, round((times[-1] - times[0]) / spacing) + 1)
    grid = np.linspace(times[0], times[-1], count)
    swing = np.interp(grid, times, values)
    weights = _weights(window, count)
    swing = weights * (swing - (weights @ swing) / weights.sum())
    size = PADDED * count
    amplitudes = np.abs(np.fft.rfft(swing, size)) * (2 / weights.sum())
    frequencies = np.arange(len(amplitudes)) / (size * (grid[1] - grid[0]))
    return Spectrum(frequencies, amplitudes, *_peak(frequencies, amplitudes))


def _weights(window: str, count: int) -> np.ndarray:
    """(n,) weights of a window at `count` samples, periodic."""
    phase = 2 * np.pi * np.arange(count) / count
    return sum(
        ((-1) ** k * share * np.cos(k * phase) for k, share in enumerate(WINDOWS[window])), start=np.zeros(count)
    )


def _peak(frequencies: np.ndarray, amplitudes: np.ndarray) -> tuple[float, float]:
    """Frequency [Hz] and amplitude at the top; nan where all samples are alike."""
    top = int(amplitudes[PADDED:-1].argmax()) + PADDED  # without frequencies below one period in all samples
    if amplitudes[top] <= 0:
        return nan, nan
    low, middle, high = np.log(np.maximum(amplitudes[top - 1 : top + 2], 1e-300))
    bend = low - 2 * middle + high
    shift = 0.5 * (low - high) / bend if bend < 0 else 0.0
    step = frequencies[1]
    return float(frequencies[top] + shift * step), float(np.exp(middle - 0.25 * (low - high) * shift))
