"""Energy error of the integration."""

from __future__ import annotations

from collections import deque
from dataclasses import astuple

from polhode.simulation.snapshot import Snapshot

THERMAL = 4e-21  # [J] energy of thermal motion at room temperature: what exchanges less than that is at rest
HORIZON = 10.0  # [s] simulated time over which a drift is judged
SLIGHT, BAD = 0.01, 0.05
"""Drift over HORIZON up to which a step is good, and from which on it is too long."""
EARLY = 0.5  # [s] simulated time from which on a drift is judged: before, little has moved that it is relative to
KEPT = 100  # moments that are kept of the last HORIZON


class EnergyDrift:
    """Relative error of the total energy: its change that no entry of the energy ledger accounts for.

    The total energy is no suitable scale, since the zero of a potential is arbitrary. The scale is the energy
    exchanged: the largest change of a kind of energy, or the work of friction.
    """

    def __init__(self, start: Snapshot):
        """Measure the error relative to the snapshot `start`."""
        self._start = start
        self.since = start.time  # [s]
        self.exchanged = 0.0  # [J] largest exchange so far
        self._past = deque([(start.time, 0.0)])  # times [s] and energies lost [J]

    def at(self, now: Snapshot) -> float:
        """`lost` / energy exchanged so far; 0 as long as nothing has moved but by rounding errors."""
        lost = self.lost(now)
        return lost / self.exchanged if self.exchanged > THERMAL else 0.0

    def lately(self, now: Snapshot) -> float:
        """As `at`, for the loss within the last HORIZON, as far as `at` was called; 0 until EARLY."""
        lost, past = self.lost(now), self._past
        while past and past[-1][0] > now.time:  # the run was rewound
            past.pop()
        if not past:
            past.append((now.time, lost))
        if now.time - past[-1][0] >= HORIZON / KEPT:
            past.append((now.time, lost))
        while len(past) > 1 and now.time - past[1][0] >= HORIZON:
            past.popleft()
        is_early = now.time - self.since < EARLY
        return 0.0 if is_early or self.exchanged <= THERMAL else (lost - past[0][1]) / self.exchanged

    def lost(self, now: Snapshot) -> float:
        """(total - ledger) [J], minus the same at the start; updates `exchanged`."""
        before, after = self._start.energy, now.energy
        changes = [abs(later - earlier) for later, earlier in zip(astuple(after), astuple(before), strict=True)]
        self.exchanged = max(self.exchanged, after.kinetic, abs(now.ledger.friction), *changes)
        return (after.total - now.ledger.total) - (before.total - self._start.ledger.total)
