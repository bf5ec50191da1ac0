"""Rows of the form: an editor of one field with its error, links to the parts of a list, and their focus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QWidget,
)

from polhode.scene.fields import FieldPath, Form
from polhode.scene.problem import Problem
from polhode_app.docks.inspector.number_editors import Editor
from polhode_app.i18n.field_names import choice
from polhode_app.i18n.translation import translate
from polhode_app.window.widgets.layouts import focus_by_tab, grid_of
from polhode_app.window.widgets.line_edit import CommitLineEdit
from polhode_app.window.widgets.plain_label import NoteLabel

LABEL_WIDTH = 96  # [pixel] minimum width of the labels


def form_grid(parent: QWidget) -> QGridLayout:
    """A grid of labels and editors in a widget."""
    grid = QGridLayout(parent)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(5)
    grid.setColumnMinimumWidth(0, LABEL_WIDTH)
    grid.setColumnStretch(1, 1)
    return grid


def _advice(problem: Problem) -> str:
    """Rule and remedy of a problem in the current language, without its location."""
    return translate(problem.advice)


class Row(QWidget):
    """An editor of one field with the error below it.

    Optional fields have a check box, `stated_box`; unchecked means that the scene does not state the field.
    """

    def __init__(self, form: Form, editor: Editor, optional: bool):
        super().__init__()
        self.form, self.editor = form, editor
        self.problem: Problem | None = None
        self._value: object = None
        self.stated_box = QCheckBox()
        focus_by_tab(self.stated_box)
        self.error_label = NoteLabel(is_error=True)
        rows = (self.stated_box, editor), ((self.error_label, 2),)
        grid_of(*rows, on=self, margins=0, spacing=(2, 2), stretched=[1])
        self.stated_box.setVisible(optional)  # once it has a parent: before, it would be a window
        for field in editor.findChildren(CommitLineEdit):
            field.textEdited.connect(lambda _text: self.show_problem(None))  # the message was about the previous text
        for box in editor.findChildren(QPlainTextEdit):
            box.textChanged.connect(lambda: self.show_problem(None))

    def show_value(self, value: Any, settle: bool) -> None:
        """Show a value.

        Text with an error stays as it was typed until the value changes by other means or `settle` is set.
        """
        if self.problem is not None and not settle and value == self._value:
            return
        self._value = value
        self.show_problem(None)
        self.stated_box.setChecked(value is not None)
        self.editor.setEnabled(value is not None)
        self.editor.show_value(value if value is not None or not self.stated_box.isVisibleTo(self) else None, settle)

    def expect(self, value: Any) -> None:
        """Keep a text that was refused as long as the scene has this value."""
        self._value = value

    def show_problem(self, problem: Problem | None, words: Callable[[Problem], str] = _advice) -> None:
        """Show the problem of the entered text and underline it; None removes the message."""
        self.problem = problem
        self.error_label.show_text(words(problem) if problem else "")
        self.editor.mark(problem.rule.values.get("column") if problem else None)


class Links(QWidget):
    """Links to the parts of a list, such as the shapes of a body; a click selects one."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._label = QLabel()
        self._label.setWordWrap(True)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._label.linkActivated.connect(lambda number: self.chosen.emit(int(number)))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._label, 1)

    def show_parts(self, parts: tuple[Any, ...]) -> None:
        """Show one link for each part, named by its kind or its number from 1."""
        names = [choice(part.kind) if hasattr(part, "kind") else str(number + 1) for number, part in enumerate(parts)]
        links = [f"<a href='{number}'>{name}</a>" for number, name in enumerate(names)]
        self._label.setText(" · ".join(links) or self.tr("none"))


# Keyboard focus: it is kept when a form is rebuilt, and moves to a field that is switched on


class FormRows(Protocol):
    """A form: its rows by path, and the list of kinds and the check box of each part."""

    rows: dict[FieldPath, Row]
    sections: dict[FieldPath, tuple[QComboBox, QCheckBox]]

    def isAncestorOf(self, child: QWidget) -> bool: ...


class Spot(NamedTuple):
    """A control of a form: the path of its field or part, and its number among the controls of that."""

    path: FieldPath
    number: int


def controls(form: FormRows, path: FieldPath) -> list[QWidget]:
    """The controls of the field or part at a path that take the focus by Tab, beginning with its check box."""
    if path in form.sections:
        choices, box = form.sections[path]
        return [box, choices]
    row = form.rows[path]
    return [row.stated_box, *(widget for widget in row.editor.findChildren(QWidget) if _takes_focus(widget, row))]


def _takes_focus(widget: QWidget, row: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isVisibleTo(row)


def focused(form: FormRows) -> Spot | None:
    """The control of a form that has the focus; None if it is elsewhere."""
    now = QApplication.focusWidget()
    if now is None or not form.isAncestorOf(now):
        return None
    spots = (Spot(path, k) for path in (*form.sections, *form.rows) for k in range(len(controls(form, path))))
    return next((spot for spot in spots if controls(form, spot.path)[spot.number] is now), None)


def focus(form: FormRows, spot: Spot) -> None:
    """Give the focus to a control of a form, as Tab does; without it to none."""
    if spot.path in form.sections or spot.path in form.rows:
        found = controls(form, spot.path)
        if spot.number < len(found):
            found[spot.number].setFocus(Qt.FocusReason.TabFocusReason)


def enter(form: FormRows, path: FieldPath) -> None:
    """Give the focus to the first editor of the field or part at a path, so that its value can be typed at once."""
    inside = [each for each in form.rows if each[: len(path)] == path and form.rows[each].editor.isEnabled()]
    if inside:
        focus(form, Spot(inside[0], 1))
