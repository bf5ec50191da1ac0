"""Keyboard focus in a form: it stays where it is when the form is built again, and goes to what is switched on."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.panels.inspector.form import PartForm
from core.scene.fields import Place


class Spot(NamedTuple):
    """A control of a form: the path of its field or part, and its number among the controls of that."""

    place: Place
    number: int


def controls(form: PartForm, place: Place) -> list[QWidget]:
    """The controls of the field or part at a path that take the focus by Tab, beginning with its check box."""
    if place in form.sections:
        choices, box = form.sections[place]
        return [box, choices]
    row = form.rows[place]
    return [row.stated_box, *(widget for widget in row.editor.findChildren(QWidget) if _takes_focus(widget, row))]


def _takes_focus(widget: QWidget, row: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isVisibleTo(row)


def focused(form: PartForm) -> Spot | None:
    """The control of a form that has the focus; None if it is elsewhere."""
    now = QApplication.focusWidget()
    if now is None or not form.isAncestorOf(now):
        return None
    spots = (Spot(place, k) for place in (*form.sections, *form.rows) for k in range(len(controls(form, place))))
    return next((spot for spot in spots if controls(form, spot.place)[spot.number] is now), None)


def focus(form: PartForm, spot: Spot) -> None:
    """Give the focus to a control of a form, as Tab does; without it to none."""
    if spot.place in form.sections or spot.place in form.rows:
        found = controls(form, spot.place)
        if spot.number < len(found):
            found[spot.number].setFocus(Qt.FocusReason.TabFocusReason)


def enter(form: PartForm, place: Place) -> None:
    """Give the focus to the first editor of the field or part at a path, so that its value can be typed at once."""
    inside = [each for each in form.rows if each[: len(place)] == place and form.rows[each].editor.isEnabled()]
    if inside:
        focus(form, Spot(inside[0], 1))
