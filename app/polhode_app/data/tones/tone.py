"""From values to tones: pitch, synthesis without clicks, and WAV files."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np

from polhode.scene.file_writing import replacing

LOWEST = 220.0  # [Hz] of the lower end of a range
OCTAVES = 2.5  # between both ends
LEAST_WIDTH = 1e-12  # of a range, relative to its ends
RATE = 44_100  # [1/s] samples
GLIDE = 0.02  # [s] time constant in which pitch and loudness follow
SECOND = 0.25  # amplitude of the first overtone relative to the tone, which makes its pitch clearer
BLOCK = 441  # samples between two values of a file: 10 ms
LOUDNESS = 0.5  # amplitude of a file


def frequency(value: float, low: float, high: float) -> float:
    """Frequency [Hz] of a value in a range: f = LOWEST 2^(OCTAVES (value - low) / (high - low)).

    Pitch is perceived by ratios of frequencies, so the exponential makes equal differences sound equal. Values outside
    have the frequency of the nearer end; a range without width that of its middle.
    """
    has_width = high - low > LEAST_WIDTH * max(abs(low), abs(high))
    share = (value - low) / (high - low) if has_width else 0.5
    return LOWEST * 2.0 ** (OCTAVES * min(max(share, 0.0), 1.0))


class Tone:
    """A sine with an overtone, computed in blocks.

    The phase continues from block to block, and frequency and amplitude approach their targets exponentially, sample by
    sample: neither jumps, so nothing clicks. A new tone is silent.
    """

    def __init__(self) -> None:
        self.target_frequency, self.target_amplitude = 440.0, 0.0  # [Hz], and 0 to 1
        self.frequency, self.amplitude = 440.0, 0.0  # after the last sample
        self._phase = 0.0  # [rad] of the next sample

    def block(self, count: int) -> np.ndarray:
        """The next `count` samples, (count,) float32 between -1 and 1.

        With weights w_k = exp(-k / (RATE GLIDE)), amplitude and logarithm of the frequency of sample k are
        target + (last - target) w_k, and the phase is the sum of 2 pi f / RATE. Silence begins with the right pitch.
        """
        if self.amplitude < 1e-6:
            self.frequency = self.target_frequency
        frequency, amplitude = self.target_frequency, self.target_amplitude
        weights = np.exp(-np.arange(1, count + 1) / (RATE * GLIDE))
        frequencies = frequency * (self.frequency / frequency) ** weights
        amplitudes = amplitude + (self.amplitude - amplitude) * weights
        phases = self._phase + np.concatenate([[0.0], np.cumsum(2 * np.pi * frequencies / RATE)])
        self._phase = float(phases[-1] % (2 * np.pi))
        if count:
            self.frequency, self.amplitude = float(frequencies[-1]), float(amplitudes[-1])
        samples = np.sin(phases[:-1]) + SECOND * np.sin(2 * phases[:-1])
        return (amplitudes * samples / (1 + SECOND)).astype(np.float32)


def tones(times: np.ndarray, values: np.ndarray, speed: float = 1.0) -> np.ndarray:
    """Samples (n,) float32 of a quantity: its values (k,) at increasing times (k,) [s] as pitches over their range.

    One second lasts 1 / `speed` seconds. Between the times the values are interpolated linearly. The tone fades in, and
    out over the last blocks.
    """
    finite = np.isfinite(values)
    times, values = times[finite], values[finite]
    low, high = float(values.min()), float(values.max())
    count = max(int((times[-1] - times[0]) / speed * RATE / BLOCK), 1)
    tone, blocks = Tone(), []
    for value in np.interp(times[0] + np.arange(count) * BLOCK / RATE * speed, times, values):
        tone.target_frequency, tone.target_amplitude = frequency(float(value), low, high), LOUDNESS
        blocks.append(tone.block(BLOCK))
    tone.target_amplitude = 0.0
    return np.concatenate([*blocks, tone.block(RATE // 5)])


def write_wav(path: Path, samples: np.ndarray) -> None:
    """Write samples (n,) between -1 and 1 as a WAV file, one channel of 16 bits. Raises OSError."""
    with replacing(path) as file, wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes((np.clip(samples, -1.0, 1.0) * 32767).round().astype("<i2").tobytes())
