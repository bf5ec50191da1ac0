"""Plays the values of one quantity of a run as tones."""

from __future__ import annotations

from collections import deque
from math import isfinite

import numpy as np

from polhode_app.sonification.pitch import LearnedRange, frequency
from polhode_app.sonification.sound_device import SoundDevice
from polhode_app.sonification.tone import Tone

AFTER_STEP = 0.15  # [s] wall time for which a paused run is heard after a step or a seek
KEPT = 60 * 600  # values that are kept for a file: those of ten minutes at 60 frames per second


class TonePlayer:
    """From values, one for each frame, to the pitch of a tone that sounds while the run moves.

    The range of the pitch is that of the values so far, unless `low` or `high` states an end of it. `heard` has the
    values with their times, for a file.
    """

    def __init__(self) -> None:
        self.tone = Tone()
        self.device = SoundDevice(self.tone)
        self.learned = LearnedRange()
        self.low: float | None = None
        self.high: float | None = None
        self.volume = 0.5  # 0 to 1
        self.heard: deque[tuple[float, float]] = deque(maxlen=KEPT)  # time [s] and value
        self._sounds_until = 0.0  # [s] wall time

    def restart(self) -> None:
        """Forget range and values, for another quantity or scene."""
        self.learned.clear()
        self.heard.clear()

    @property
    def range(self) -> tuple[float, float] | None:
        """The values of the lowest and the highest pitch; None before the first value."""
        if self.learned.is_empty:
            return None
        low = self.learned.low if self.low is None else self.low
        high = self.learned.high if self.high is None else self.high
        return low, max(high, low)

    def frequency_of(self, value: float) -> float:
        """Frequency [Hz] of a value."""
        if (self.low is None and self.high is None) or (span := self.range) is None:
            return self.learned.frequency(value)
        return frequency(value, *span)

    def see(self, time: float, value: float, running: bool, wall: float) -> None:
        """Follow a value at a time [s] of a run that moves or is paused, at a wall time [s].

        A time before the last one means that the run was rewound; what was heard after it is forgotten.
        """
        if not isfinite(value):
            self.silence()
            return
        if not self.heard or time != self.heard[-1][0]:
            while self.heard and time <= self.heard[-1][0]:
                self.heard.pop()
            self.heard.append((time, value))
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
        """Times (n,) [s] and values (n,) that were heard."""
        pairs = np.array(self.heard).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]
