"""How much energy the solver, or friction, has made or lost."""

from __future__ import annotations

from core.snapshot import Energy


class EnergyDrift:
    """Change of the total energy since the start, in parts of the energy that has gone to and fro.

    The zero of a potential is arbitrary, so the total itself is no scale; what kinetic and potential energy have
    exchanged is.
    """

    def __init__(self, start: Energy):
        self._start = start
        self._exchanged = 0.0  # [J]

    def at(self, now: Energy) -> float:
        """(total - total at the start) / energy exchanged so far; 0 while nothing moved."""
        kinds = ("kinetic", "gravity", "magnetic", "elastic")
        changes = [abs(getattr(now, kind) - getattr(self._start, kind)) for kind in kinds]
        self._exchanged = max(self._exchanged, now.kinetic, *changes)
        return (now.total - self._start.total) / self._exchanged if self._exchanged > 0 else 0.0
