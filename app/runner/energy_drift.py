"""How much energy the solver has made or lost."""

from __future__ import annotations

from core.simulation.snapshot import Snapshot


class EnergyDrift:
    """Change of the total energy that no line of the ledger accounts for, in parts of the energy that went to and fro.

    The zero of a potential is arbitrary, so the total itself is no scale; what kinetic and potential energy have
    exchanged, or friction has taken, is.
    """

    def __init__(self, start: Snapshot):
        self._start = start
        self._exchanged = 0.0  # [J]

    def at(self, now: Snapshot) -> float:
        """(total - ledger, less the same at the start) / energy exchanged so far; 0 while nothing moved."""
        before, after = self._start.energy, now.energy
        kinds = ("kinetic", "gravity", "magnetic", "elastic", "centrifugal")
        changes = [abs(getattr(after, kind) - getattr(before, kind)) for kind in kinds]
        self._exchanged = max(self._exchanged, after.kinetic, abs(now.ledger.friction), *changes)
        lost = (after.total - now.ledger.total) - (before.total - self._start.ledger.total)
        return lost / self._exchanged if self._exchanged > 0 else 0.0
