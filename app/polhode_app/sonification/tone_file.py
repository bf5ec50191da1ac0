"""A column of a table as a WAV file of tones."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np

from polhode.scene.file_writing import replacing
from polhode_app.sonification.pitch import frequency
from polhode_app.sonification.tone import RATE, Tone

BLOCK = 441  # samples between two values: 10 ms
LOUDNESS = 0.5  # amplitude


def tones(times: np.ndarray, values: np.ndarray, speed: float = 1.0) -> np.ndarray:
    """Samples (n,) float32 of a quantity: its values (k,) at increasing times (k,) [s] as pitches over their range.

    One second lasts 1 / `speed` seconds. Between the times the values are interpolated linearly. The tone fades in, and
    out over the last blocks.
    """
    finite = np.isfinite(values)
    times, values = times[finite], values[finite]
    low, high = float(values.min()), float(values.max())
    duration = (times[-1] - times[0]) / speed
    count = max(int(duration * RATE / BLOCK), 1)
    tone, blocks = Tone(), []
    for value in np.interp(times[0] + np.arange(count) * BLOCK / RATE * speed, times, values):
        tone.target_frequency, tone.target_amplitude = frequency(float(value), low, high), LOUDNESS
        blocks.append(tone.block(BLOCK))
    tone.target_amplitude = 0.0
    blocks.append(tone.block(RATE // 5))
    return np.concatenate(blocks)


def write_wav(path: Path, samples: np.ndarray, rate: int = RATE) -> None:
    """Write samples (n,) between -1 and 1 as a WAV file, one channel of 16 bits. Raises OSError."""
    with replacing(path) as file, wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes((np.clip(samples, -1.0, 1.0) * 32767).round().astype("<i2").tobytes())
