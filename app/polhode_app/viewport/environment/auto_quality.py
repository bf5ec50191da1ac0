"""Choice of the quality by measured times of frames. No graphics here."""

from __future__ import annotations

from statistics import median
from typing import Literal, get_args

from polhode_app.viewport.environment.quality import LEVELS, Level

Choice = Literal["auto", "low", "medium", "high"]
CHOICES: tuple[Choice, ...] = get_args(Choice)
COUNT = 12  # frames that are measured at a level
SKIPPED = 2  # frames after a change, in which shaders are compiled
FAST = 1 / 40  # [s] a better level is tried if a frame takes less than this
FREE = 1 / 110  # [s] and is kept if a frame still takes less than this,
COST = 1.1  # or less than this in times at the level below
SLOW = 1 / 20  # [s] a frame that takes longer lowers the level


class AutoQuality:
    """Level of quality: the chosen one, or by itself the best one that the measured times of frames allow."""

    def __init__(self, choice: Choice, is_software: bool):
        """With `is_software` the processor draws: ambient occlusion takes it several frames, and is not tried."""
        self._is_software = is_software
        self.choose(choice)

    def choose(self, choice: Choice) -> None:
        """Set the level, or let it be found."""
        self.choice: Choice = choice
        self.level: Level = choice if choice != "auto" else "low" if self._is_software else "high"
        self.restart()

    def restart(self) -> None:
        """Measure again, for another scene; the level stays at first."""
        self._best = len(LEVELS) - 1 - self._is_software
        self._before = 0.0  # [s] of a frame at the level below, while a level is tried
        self._measure()

    def drawn(self, seconds: float) -> bool:
        """Note the time [s] that a frame took; returns whether the level has changed."""
        if self.choice != "auto":
            return False
        self._skipped += 1
        if self._skipped > SKIPPED:
            self._times.append(seconds)
        if len(self._times) < COUNT:
            return False
        change = self._decide(median(self._times))
        self._measure()
        self.level = LEVELS[LEVELS.index(self.level) + change]
        return change != 0

    def _measure(self) -> None:
        """Begin to measure."""
        self._times: list[float] = []
        self._skipped = 0

    def _decide(self, time: float) -> int:
        """Change of the level, -1, 0 or 1, if a frame takes `time` [s]."""
        number, before = LEVELS.index(self.level), self._before
        self._before = 0.0
        is_dear = before > 0 and time > max(COST * before, FREE)
        if number > 0 and (time > SLOW or is_dear):
            self._best = number - 1
            return -1
        if number < self._best and time < FAST:
            self._before = time
            return 1
        return 0
