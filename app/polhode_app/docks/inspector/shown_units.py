"""Units in which the fields of the inspector show their numbers: those of the file, or others that were typed."""

from __future__ import annotations

from polhode_app.edit.field_numbers import units_like
from polhode_app.session.settings import Settings


class ShownUnits:
    """The unit that was typed last for each quantity, by the unit [SI] of a field; kept in the settings."""

    def __init__(self, settings: Settings):
        self._settings = settings

    def of(self, unit: str) -> str:
        """The unit that fields of `unit` show; itself until another one was typed, or where that is unknown."""
        name = self._settings.units.get(unit, unit)
        return name if name in units_like(unit) else unit

    def choose(self, unit: str, name: str) -> None:
        """Let fields of `unit` show another one of the same quantity."""
        with self._settings.exclusive():
            self._settings.units = {**self._settings.units, unit: name}
