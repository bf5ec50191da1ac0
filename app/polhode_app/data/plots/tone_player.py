"""A quantity as a tone: synthesis without clicks, sound device (by miniaudio, which is optional), WAV file. No Qt."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from math import inf, isfinite
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import wavfile

from polhode.data.optional_library import optional_library
from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem

LOWEST = 220.0  # [Hz] of the lower end of a range
OCTAVES = 2.5  # between both ends
LEAST_WIDTH = 1e-12  # of a range, relative to its ends
RATE = 44_100  # [1/s] samples
GLIDE = 0.02  # [s] time constant in which pitch and loudness follow
SECOND = 0.25  # amplitude of the first overtone relative to the tone, which makes its pitch clearer
LATENCY = 60  # [ms] of a block: short enough to follow, long enough for a busy interpreter
AFTER_STEP = 0.15  # [s] wall time for which a paused run sounds after a step or a seek
KEPT = 10_000  # blocks that are kept for a file: ten minutes


class Tone:
    """A sine with an overtone in blocks, of which the audible ones are kept for a file; silent at first.

    The phase continues, and frequency and amplitude approach their targets exponentially: no jump, so no click.
    """

    def __init__(self) -> None:
        self.target_frequency, self.target_amplitude = 440.0, 0.0  # [Hz], and 0 to 1
        self.frequency, self.amplitude = 440.0, 0.0  # after the last sample
        self.heard: deque[np.ndarray] = deque(maxlen=KEPT)  # blocks that were not silent
        self._phase = 0.0  # [rad] of the next sample

    def block(self, count: int) -> np.ndarray:
        """The next `count` > 0 samples, (count,) int16, 32767 at full amplitude.

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
        self.frequency, self.amplitude = float(frequencies[-1]), float(amplitudes[-1])
        samples = np.sin(phases[:-1]) + SECOND * np.sin(2 * phases[:-1])
        block = (amplitudes * samples / (1 + SECOND) * 32767).round().astype("<i2")
        if block.any():
            self.heard.append(block)
        return block

    def blocks(self) -> Generator[np.ndarray, int, None]:
        """Blocks of the lengths that are sent; the first one has one sample."""
        count = 1
        while True:
            count = yield self.block(count)

    def save(self, path: Path) -> None:
        """Write what was heard as a WAV file, one channel of 16 bits. Raises OSError."""
        with replacing(path) as file:
            wavfile.write(file, RATE, np.concatenate(list(self.heard)))  # a copy: another thread may add one


class TonePlayer:
    """Plays a tone whose pitch follows one value for each frame, while the run moves.

    The range of the pitch is that of the values since `forget`, unless `ends` states it. `backends` of miniaudio play
    it, by default that of the system; the library asks for samples in a thread of its own.
    """

    def __init__(self) -> None:
        self.tone, self.volume = Tone(), 0.5  # 0 to 1
        self.backends: list[Any] = []
        self.ends: tuple[float | None, float | None] = None, None  # of the range; None: learned
        self._device: Any = None
        self._time = self._sounds_until = -inf  # [s] of the last value, and wall time
        self.forget()

    def open(self) -> None:
        """Open the sound device. Raises InputError if there is no library or no output for sound."""
        if self._device is not None:
            return
        audio = optional_library("tones", "miniaudio")
        try:
            form = audio.SampleFormat.SIGNED16
            device = audio.PlaybackDevice(form, 1, RATE, LATENCY, backends=self.backends, app_name="Polhode")
            samples = self.tone.blocks()
            next(samples)  # to its first `yield`, which waits for a number of samples
            device.start(samples)
        except audio.MiniaudioError as error:
            rule = Message("no sound can be played here: {reason}", reason=error.args[0])
            remedy = Message("connect a loudspeaker or headphones, and check the output for sound in the system")
            raise InputError("tones", [Problem("", rule, remedy)]) from error
        self._device = device

    def close(self) -> None:
        """Close the sound device."""
        if self._device is not None:
            self._device.close()
            self._device = None

    def forget(self) -> None:
        """Learn the range again."""
        self._lowest, self._highest = inf, -inf

    def frequency_of(self, value: float) -> float:
        """Frequency [Hz] of a value in the range: f = LOWEST 2^(OCTAVES (value - low) / (high - low)).

        Equal differences are equal intervals. Values outside have the frequency of the nearer end; a range without
        width has that of its middle.
        """
        learned = self._lowest, self._highest
        low, high = (known if stated is None else stated for stated, known in zip(self.ends, learned, strict=True))
        has_width = high - low > LEAST_WIDTH * max(abs(low), abs(high))
        share = (value - low) / (high - low) if has_width else 0.5
        return LOWEST * 2.0 ** (OCTAVES * min(max(share, 0.0), 1.0))

    def see(self, time: float, value: float, running: bool, wall: float) -> None:
        """Follow a value at a time [s] of a run that moves or is paused, at a wall time [s]."""
        if not isfinite(value):
            self.tone.target_amplitude = 0.0
            return
        if time != self._time:
            self._time, self._sounds_until = time, wall + AFTER_STEP
        self._lowest, self._highest = min(self._lowest, value), max(self._highest, value)
        self.tone.target_frequency = self.frequency_of(value)
        sounds = running or wall < self._sounds_until
        self.tone.target_amplitude = self.volume**2 if sounds else 0.0  # loudness is perceived by ratios, too
