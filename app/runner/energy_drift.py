"""Energy error of the integration."""

from __future__ import annotations

from dataclasses import astuple

from core.simulation.snapshot import Snapshot


class EnergyDrift:
    """Relative error of the total energy: its change that no entry of the energy ledger accounts for.

    The total energy is no suitable scale, since the zero of a potential is arbitrary. The scale is the energy
    exchanged: the largest change of a kind of energy, or the work of friction.
    """

    def __init__(self, start: Snapshot):
        """Measure the error relative to the snapshot `start`."""
        self._start = start
        self._exchanged = 0.0  # [J] largest exchange so far

    def at(self, now: Snapshot) -> float:
        """(total - ledger, minus the same at the start) / energy exchanged so far; 0 as long as nothing has moved."""
        before, after = self._start.energy, now.energy
        changes = [abs(later - earlier) for later, earlier in zip(astuple(after), astuple(before), strict=True)]
        self._exchanged = max(self._exchanged, after.kinetic, abs(now.ledger.friction), *changes)
        lost = (after.total - now.ledger.total) - (before.total - self._start.ledger.total)
        return lost / self._exchanged if self._exchanged > 0 else 0.0
