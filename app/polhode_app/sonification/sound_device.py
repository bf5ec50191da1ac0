"""The loudspeaker. The only file that knows miniaudio, an optional dependency."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode_app.sonification.tone import RATE, Tone

LATENCY = 60  # [ms] of the buffer: short enough to follow, long enough for a busy interpreter


def load_miniaudio() -> Any:
    """Import the optional dependency miniaudio. Raises InputError."""
    try:
        import miniaudio  # noqa: PLC0415  (optional)
    except ImportError as error:
        rule = Message("needs the library miniaudio, which is not installed")
        raise InputError("tones", [Problem("", rule, Message("install it with 'pip install miniaudio'"))]) from error
    return miniaudio


class SoundDevice:
    """Plays a tone on the default output of the system. The library asks for samples in a thread of its own."""

    def __init__(self, tone: Tone, backends: Sequence[Any] = ()):
        """Prepare to play `tone` by one of these backends of miniaudio; without any, by that of the system."""
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
