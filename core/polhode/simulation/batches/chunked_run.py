"""Runs in chunks that take about the same wall time, between which a caller reports, saves or stops."""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from time import perf_counter

from polhode.run.runner import WHOLE
from polhode.simulation.batches.stepping import SteppedScene

CHUNK_SECONDS = 0.1  # [s] longest chunk, unless a single step takes longer
GROWTH = 512  # at most, from a chunk to the next


class ChunkedRun:
    """Advances a simulation in chunks of about `CHUNK_SECONDS` of wall time, whatever the cost of a step."""

    def __init__(self, most: int = 2**62) -> None:
        """most: steps of a chunk"""
        self._steps, self._most = 1, max(1, most)

    def advance(self, simulation: SteppedScene, time: float, progress: Callable[[float], None]) -> None:
        """Advance the simulation to a time [s] by whole steps, and a shorter one where they do not end there.

        `progress` is called after each chunk; where chunks end has no effect on the steps.
        """
        steps = (time - simulation.time) / simulation.time_step
        whole = floor(steps + WHOLE)
        self.advance_steps(simulation, whole, progress)
        if steps - whole > WHOLE:
            simulation.advance(time - simulation.time)
        progress(time)

    def advance_steps(self, simulation: SteppedScene, count: int, progress: Callable[[float], None]) -> None:
        """Advance the simulation by `count` whole steps; `progress` is called after each chunk."""
        while count > 0:
            count -= self.chunk(simulation, count)
            progress(simulation.time)

    def chunk(self, simulation: SteppedScene, most: int) -> int:
        """Advance by one chunk of at most `most` whole steps; returns their number."""
        steps, start = min(most, self._steps), perf_counter()
        simulation.advance_steps(steps)
        if steps == self._steps:
            self._adapt(perf_counter() - start)
        return steps

    def _adapt(self, taken: float) -> None:
        """Change the number of steps per chunk by powers of 2, given the wall time [s] of the last one."""
        if taken < CHUNK_SECONDS / 2:
            factor = min(GROWTH, int(CHUNK_SECONDS / taken))
            self._steps = min(self._steps << factor.bit_length() - 1, self._most)
        elif taken > CHUNK_SECONDS and self._steps > 1:
            self._steps //= 2
