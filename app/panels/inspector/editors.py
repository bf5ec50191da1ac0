"""Editors of everything that is no number: choices, switches, texts, colours, files, names, lists."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QColorDialog,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.edit.open_file import MESH_ENDINGS
from app.i18n.field_names import choice
from app.panels.inspector.number_editors import Editor, NumbersEditor, number_in, text_of
from app.panels.widgets.line_edit import CommitLineEdit
from app.panels.widgets.plain_label import wrapped
from core.formulas.parser import FormulaError
from core.scene.colors import rgb
from core.scene.fields import Form
from core.scene.message import Message
from core.scene.problem import Problem

Names = Callable[[], Sequence[str]]

LONG = 60  # [pixel] height of a text of several lines
SWATCH = 14  # [pixel]


def _across(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    for place, widget in enumerate(widgets):
        row.addWidget(widget, 0 if place else 1)
    return row


def combo() -> QComboBox:
    """A list that leaves Space to play, and is no wider than there is room."""
    made = QComboBox()
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(6)
    return made


class ChoiceEditor(Editor):
    """One of several values."""

    def __init__(self, values: Sequence[str]):
        super().__init__()
        self.list = combo()
        for value in values:
            self.list.addItem(choice(value), value)
        self.setLayout(_across(self.list))
        self.list.activated.connect(lambda _row: self.changed.emit(self.list.currentData(), None))

    def show_value(self, value: Any, settle: bool = False) -> None:
        self.list.setCurrentIndex(self.list.findData(value))


class NameEditor(Editor):
    """The name of one of the things that there are."""

    def __init__(self, names: Callable[[], Sequence[str]]):
        super().__init__()
        self._names = names
        self.list = combo()
        self.setLayout(_across(self.list))
        self.list.activated.connect(lambda _row: self.changed.emit(self.list.currentText(), None))

    def show_value(self, value: Any, settle: bool = False) -> None:
        names = list(self._names())
        if names != [self.list.itemText(row) for row in range(self.list.count())]:
            self.list.clear()
            self.list.addItems(names)
        self.list.setCurrentIndex(self.list.findText(value or ""))


class SwitchEditor(Editor):
    def __init__(self) -> None:
        super().__init__()
        self.box = QCheckBox()
        self.box.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setLayout(_across(self.box))
        self.box.clicked.connect(lambda on: self.changed.emit(on, None))

    def show_value(self, value: Any, settle: bool = False) -> None:
        self.box.setChecked(bool(value))


class TextEditor(Editor):
    """A line of text: a name, a formula, a title."""

    def __init__(self, fixed: bool = False):
        super().__init__()
        self.field = CommitLineEdit("", fixed)
        self.setLayout(_across(self.field))
        self.field.editingFinished.connect(self._enter)

    def show_value(self, value: Any, settle: bool = False) -> None:
        (self.field.settle if settle else self.field.put)(self._text(value))

    def mark(self, column: int | None) -> None:
        self.field.underline(column)

    def _text(self, value: Any) -> str:
        return value or ""

    def _value(self, text: str) -> Any:
        return text

    def _enter(self) -> None:
        if self.field.has_uncommitted_text:
            try:
                self.changed.emit(self._value(self.field.text().strip()), None)
            except FormulaError as error:
                self.failed.emit(error.problem)
            except ValueError:
                rule, remedy = (
                    Message("is not valid"),
                    Message("give values separated by commas, such as 0, 3, 7"),
                )
                self.failed.emit(Problem("", rule, remedy))


class ListEditor(TextEditor):
    """Numbers or names with commas between them."""

    def __init__(self, numbers: bool):
        super().__init__(fixed=numbers)
        self._numbers = numbers

    def _text(self, value: Any) -> str:
        if value and isinstance(value[0], tuple):
            return json.dumps(value)
        return ", ".join(text_of(item) if self._numbers else str(item) for item in value or ())

    def _value(self, text: str) -> Any:
        if text.startswith("[["):
            return tuple(tuple(row) for row in json.loads(text))
        parts = [part.strip() for part in text.strip("[]").split(",") if part.strip()]
        return tuple(number_in(part, whole=True) for part in parts) if self._numbers else tuple(parts)


class ColorsEditor(TextEditor):
    """A colour, or several that are taken in turn."""

    def _text(self, value: Any) -> str:
        return value if isinstance(value, str) else ", ".join(value or ())

    def _value(self, text: str) -> Any:
        parts = tuple(part.strip() for part in text.split(",") if part.strip())
        return parts[0] if len(parts) == 1 else parts


class LinesEditor(Editor):
    """A text of several lines; it is entered when the focus goes."""

    def __init__(self) -> None:
        super().__init__()
        self.box = _Lines(self._enter)
        self.setLayout(_across(self.box))
        self._value = ""

    def show_value(self, value: Any, settle: bool = False) -> None:
        if settle or not self.box.hasFocus():
            self._value = value or ""
            if self.box.toPlainText() != self._value:
                self.box.setPlainText(self._value)

    def _enter(self) -> None:
        if self.box.toPlainText() != self._value:
            self.changed.emit(self.box.toPlainText(), None)


class _Lines(QPlainTextEdit):
    def __init__(self, left: Callable[[], None]):
        super().__init__()
        self._left = left
        self.setFixedHeight(LONG)
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        self._left()


class ColorEditor(TextEditor):
    """A colour by name or number, and a button that shows it and opens the chooser."""

    def __init__(self) -> None:
        super().__init__()
        self.button = QToolButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.button.setToolTip(self.tr("Choose a colour"))
        self.layout().addWidget(self.button)  # type: ignore[union-attr]
        self.button.clicked.connect(lambda _checked: self._choose())
        self._color = "#808080"

    def show_value(self, value: Any, settle: bool = False) -> None:
        super().show_value(value, settle)
        self._color = QColor.fromRgbF(*rgb(value)).name() if value else "#808080"
        swatch = QPixmap(SWATCH, SWATCH)
        swatch.fill(QColor(self._color))
        self.button.setIcon(QIcon(swatch))

    def _choose(self) -> None:
        """The chooser's colours are seen at once, and undone as one."""
        dialog = QColorDialog(QColor(self._color), self)
        dialog.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        stroke, before = object(), self._color
        dialog.currentColorChanged.connect(lambda color: self.changed.emit(color.name(), stroke))
        dialog.rejected.connect(lambda: self.changed.emit(before, stroke))
        dialog.open()


class FileEditor(TextEditor):
    """A file, by its path or a dialog."""

    def __init__(self, folder: Callable[[], Path], endings: Sequence[str] = MESH_ENDINGS):
        super().__init__()
        self._folder, self._endings = folder, endings
        self.button = QToolButton()
        self.button.setText("…")
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.button.setToolTip(self.tr("Choose a file"))
        self.layout().addWidget(self.button)  # type: ignore[union-attr]
        self.button.clicked.connect(lambda _checked: self._choose())

    def _choose(self) -> None:
        if (path := ask_mesh(self, self._folder(), self._endings)) is not None:
            self.changed.emit(in_folder(path, self._folder()), None)


def ask_mesh(parent: QWidget, folder: Path, endings: Sequence[str] = MESH_ENDINGS) -> Path | None:
    """A file that somebody chooses, or None."""
    kinds = parent.tr("Meshes ({endings})") if endings == MESH_ENDINGS else parent.tr("Tables ({endings})")
    kinds = kinds.format(endings=" ".join(f"*{ending}" for ending in endings))
    name, _ = QFileDialog.getOpenFileName(parent, parent.tr("Choose a file"), str(folder), kinds)
    return Path(name) if name else None


def in_folder(path: Path, folder: Path) -> str:
    """How a scene in a folder names a file: relative where it is near."""
    try:
        return path.absolute().relative_to(folder.absolute()).as_posix()
    except ValueError:
        return path.absolute().as_posix()


class ChoicesEditor(Editor):
    """Any of several values, in a menu."""

    def __init__(self, values: Sequence[str]):
        super().__init__()
        self.button = QToolButton()
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        menu = QMenu(self.button)
        self.actions_of = {value: menu.addAction(choice(value)) for value in values}
        for action in self.actions_of.values():
            action.setCheckable(True)
            action.triggered.connect(lambda _checked: self._choose())
        self.button.setMenu(menu)
        self.setLayout(_across(self.button))

    def show_value(self, value: Any, settle: bool = False) -> None:
        for name, action in self.actions_of.items():
            action.setChecked(name in value)
        names = [choice(name) for name in value]
        self.button.setText(", ".join(names) if names else self.tr("none"))

    def _choose(self) -> None:
        self.changed.emit(tuple(name for name, action in self.actions_of.items() if action.isChecked()), None)


class EndEditor(Editor):
    """An end of a spring: a named thing, a point of a body, or a place in space."""

    NAME, POINT, PLACE = range(3)

    def __init__(self, form: Form, scale: float, names: Names, bodies: Names):
        super().__init__()
        self._bodies = bodies
        self._names = names
        self.what, self.name, self.body = combo(), CommitLineEdit("", fixed=False), NameEditor(bodies)
        self.what.addItems([self.tr("an item"), self.tr("a point of a body"), self.tr("a position")])
        self.place = NumbersEditor(Form("numbers", form.unit, count=3), scale)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(_across(self.what, self.body))
        column.addWidget(self.name)
        column.addWidget(self.place)
        self.what.activated.connect(self._become)
        self.name.editingFinished.connect(
            lambda: self._say(self.name.text().strip()) if self.name.has_uncommitted_text else None
        )
        self.body.changed.connect(lambda name, stroke: self._say({"body": name, "point": self._place()}, stroke))
        self.place.changed.connect(self._take_place)
        self.place.failed.connect(self.failed)
        self._now: Any = (0.0, 0.0, 0.0)

    def show_value(self, value: Any, settle: bool = False) -> None:
        self._now = value
        kind = self.NAME if isinstance(value, str) else self.PLACE if isinstance(value, tuple) else self.POINT
        self.what.setCurrentIndex(kind)
        self.name.setVisible(kind == self.NAME)
        self.body.setVisible(kind == self.POINT)
        self.place.setVisible(kind != self.NAME)
        if kind == self.NAME:
            (self.name.settle if settle else self.name.put)(value)
        else:
            self.place.show_value(self._place(), settle)
        if kind == self.POINT:
            self.body.show_value(value.body, settle)
        self.name.setToolTip(wrapped("\n".join(self._names()[:12])))

    def _place(self) -> tuple[float, float, float]:
        if isinstance(self._now, tuple):
            return self._now
        return (0.0, 0.0, 0.0) if isinstance(self._now, str) else self._now.point

    def _become(self, kind: int) -> None:
        names, bodies = self._names(), self._bodies()
        if kind == self.NAME and names:
            self._say(names[0] if not hasattr(self._now, "body") else self._now.body)
        elif kind == self.POINT and bodies:
            self._say({"body": self._now if self._now in bodies else bodies[0], "point": (0.0, 0.0, 0.0)})
        elif kind == self.PLACE:
            self._say((0.0, 0.0, 0.0))
        else:
            self.show_value(self._now)  # there is nothing of that kind

    def _take_place(self, place: Any, stroke: object) -> None:
        self._say(place if isinstance(self._now, tuple) else {"body": self._now.body, "point": place}, stroke)

    def _say(self, value: Any, stroke: object = None) -> None:
        self.changed.emit(value, stroke)
