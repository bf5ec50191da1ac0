"""Units in which the fields of the inspector show their numbers: one that was typed, or one that fits the value."""

from __future__ import annotations

from polhode.scene.fields import FieldPath
from polhode_app.docks.inspector.number_editors import Editor
from polhode_app.edit.field_numbers import fitting_unit, units_like
from polhode_app.session.settings import Settings


class ShownUnits:
    """The unit that was typed last in the fields of a name, such as radius; kept in the settings."""

    def __init__(self, settings: Settings):
        self._settings = settings

    def of(self, path: FieldPath, unit: str, value: object) -> str:
        """The unit that the field at a path shows, whose own one is `unit`: the typed one, or one that fits `value`."""
        name = self._settings.units.get(name_of(path), "")
        return name if name in units_like(unit) else fitting_unit(unit, value)

    def choose(self, path: FieldPath, name: str) -> None:
        """Let fields of the name of this one show another unit of the same quantity."""
        with self._settings.exclusive():
            self._settings.units = {**self._settings.units, name_of(path): name}


class FormUnits:
    """Units of the fields of one form: they stay while the form does, unless another one is typed."""

    def __init__(self, units: ShownUnits):
        self._units = units
        self._editors: list[tuple[FieldPath, str, Editor]] = []  # path, unit and editor of each field

    def add(self, path: FieldPath, editor: Editor, unit: str, value: object) -> None:
        """Show a field of `unit` in one that fits its value, or was typed before."""
        self._editors.append((path, unit, editor))
        if (shown := self._units.of(path, unit, value)) != unit:
            editor.show_in(shown)
        editor.unit_chosen.connect(lambda name: self._choose(path, unit, name))

    def _choose(self, path: FieldPath, unit: str, name: str) -> None:
        """Show all fields of `unit` with the name of that at `path` in another one."""
        self._units.choose(path, name)
        for other, of_other, editor in self._editors:
            if (name_of(other), of_other) == (name_of(path), unit):
                editor.show_in(name)


def name_of(path: FieldPath) -> str:
    """Name of a field without the items that have it: "radius" of body[0].shape[1].radius."""
    return next((str(key) for key in reversed(path) if isinstance(key, str)), "")
