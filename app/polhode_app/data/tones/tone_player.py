"""Plays the values of one quantity of a run as tones. The only file that knows miniaudio, an optional dependency."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from math import inf, isfinite
from typing import Any

import numpy as np

from polhode.data.optional_library import optional_library
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode_app.data.tones.tone import RATE, Tone, frequency

LATENCY = 60  # [ms] of the buffer: short enough to follow, long enough for a busy interpreter
AFTER_STEP = 0.15  # [s] wall time for which a paused run sounds after a step or a seek
KEPT = 60 * 600  # values that are kept for a file: those of ten minutes at 60 frames per second


def load_miniaudio() -> Any:
    """Import the optional dependency miniaudio. Raises InputError."""
    return optional_library("tones", "miniaudio")


class SoundDevice:
    """Plays a tone on the default output of the system. The library asks for samples in a thread of its own."""

    def __init__(self, tone: Tone, backends: Sequence[Any] = ()):
        """Prepare to play `tone` by one of these backends of miniaudio; without any, by the default of the system."""
        self._tone, self._backends = tone, list(backends)
        self._device: Any = None

    @property
    def is_open(self) -> bool:
        """Whether the device plays."""
        return self._device is not None

    def open(self) -> None:
        """Begin to play. Raises InputError if there is no library or no output for sound."""
        if self._device is not None:
            return
        audio = load_miniaudio()
        try:
            device = audio.PlaybackDevice(
                audio.SampleFormat.FLOAT32, 1, RATE, LATENCY, backends=self._backends, app_name="Polhode"
            )
            samples = self._samples()
            next(samples)  # to its first `yield`, which waits for a number of samples
            device.start(samples)
        except audio.MiniaudioError as error:
            rule = Message("no sound can be played here: {reason}", reason=error.args[0])
            remedy = Message("connect a loudspeaker or headphones, and check the output for sound in the system")
            raise InputError("tones", [Problem("", rule, remedy)]) from error
        self._device = device

    def close(self) -> None:
        """Stop playing."""
        if self._device is not None:
            self._device.close()
            self._device = None

    def _samples(self) -> Generator[np.ndarray, int, None]:
        """Blocks of the lengths that the library asks for."""
        count = yield np.zeros(0, np.float32)
        while True:
            count = yield self._tone.block(count)


class LearnedRange:
    """The range of the values so far."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all values."""
        self.low, self.high = inf, -inf

    def learn(self, value: float) -> None:
        """Extend the range to a finite value."""
        self.low, self.high = min(self.low, value), max(self.high, value)


class TonePlayer:
    """Sets the pitch of a tone by one value for each frame; the tone sounds while the run moves.

    The range of the pitch is that of the values so far, unless `low` or `high` states an end of it. `played` has the
    values with their times, for a file.
    """

    def __init__(self) -> None:
        self.tone = Tone()
        self.device = SoundDevice(self.tone)
        self.learned = LearnedRange()
        self.low: float | None = None
        self.high: float | None = None
        self.volume = 0.5  # 0 to 1
        self.played: deque[tuple[float, float]] = deque(maxlen=KEPT)  # time [s] and value
        self._sounds_until = 0.0  # [s] wall time

    def restart(self) -> None:
        """Forget range and values, for another quantity or scene."""
        self.learned.clear()
        self.played.clear()

    def frequency_of(self, value: float) -> float:
        """Frequency [Hz] of a value."""
        low = self.learned.low if self.low is None else self.low
        high = self.learned.high if self.high is None else self.high
        return frequency(value, low, high) if isfinite(low) and isfinite(high) else frequency(value, value, value)

    def see(self, time: float, value: float, running: bool, wall: float) -> None:
        """Follow a value at a time [s] of a run that moves or is paused, at a wall time [s].

        A time before the last one means that the run was rewound; the values after it are forgotten.
        """
        if not isfinite(value):
            self.silence()
            return
        if not self.played or time != self.played[-1][0]:
            while self.played and time <= self.played[-1][0]:
                self.played.pop()
            self.played.append((time, value))
            self._sounds_until = wall + AFTER_STEP
        self.learned.learn(value)
        self.tone.target_frequency = self.frequency_of(value)
        sounds = running or wall < self._sounds_until
        self.tone.target_amplitude = self.volume**2 if sounds else 0.0  # loudness is perceived by ratios, too

    def silence(self) -> None:
        """Fade out."""
        self.tone.target_amplitude = 0.0

    @property
    def table(self) -> tuple[np.ndarray, np.ndarray]:
        """Times (n,) [s] and values (n,) that were played."""
        pairs = np.array(self.played).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]
