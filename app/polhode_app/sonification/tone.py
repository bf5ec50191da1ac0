"""Synthesis of a tone whose pitch and loudness change without clicks."""

from __future__ import annotations

import numpy as np

RATE = 44_100  # [1/s] samples
GLIDE = 0.02  # [s] time constant in which pitch and loudness follow
SECOND = 0.25  # amplitude of the first overtone relative to the tone, which makes its pitch clearer


class Tone:
    """A sine with an overtone, computed in blocks.

    The phase goes on from block to block, and frequency and amplitude approach their targets exponentially, sample by
    sample: neither jumps, so nothing clicks. A new tone is silent.
    """

    def __init__(self, rate: int = RATE):
        """`rate` [1/s] is that of the samples."""
        self.rate = rate
        self.target_frequency, self.target_amplitude = 440.0, 0.0  # [Hz], and 0 to 1
        self.frequency, self.amplitude = 440.0, 0.0  # after the last sample
        self._phase = 0.0  # [rad] of the next sample

    def block(self, count: int) -> np.ndarray:
        """The next `count` samples, (count,) float32 between -1 and 1.

        With weights w_k = exp(-k / (rate GLIDE)), amplitude and logarithm of the frequency of sample k are
        target + (last - target) w_k, and the phase is the sum of 2 pi f / rate. Silence begins with the right pitch.
        """
        if self.amplitude < 1e-6:
            self.frequency = self.target_frequency
        frequency, amplitude = self.target_frequency, self.target_amplitude
        weights = np.exp(-np.arange(1, count + 1) / (self.rate * GLIDE))
        frequencies = frequency * (self.frequency / frequency) ** weights
        amplitudes = amplitude + (self.amplitude - amplitude) * weights
        phases = self._phase + np.concatenate([[0.0], np.cumsum(2 * np.pi * frequencies / self.rate)])
        self._phase = float(phases[-1] % (2 * np.pi))
        if count:
            self.frequency, self.amplitude = float(frequencies[-1]), float(amplitudes[-1])
        wave = np.sin(phases[:-1]) + SECOND * np.sin(2 * phases[:-1])
        return (amplitudes * wave / (1 + SECOND)).astype(np.float32)
