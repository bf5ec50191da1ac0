"""Editors of fields that are neither numbers nor text: choices, switches, colours, files and ends of springs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QCheckBox, QColorDialog, QComboBox, QMenu, QToolButton, QWidget

from polhode.scene.display.colors import hexadecimal, opacity, rgb
from polhode.scene.fields import Form
from polhode_app.docks.inspector.number_editors import Editor, NumbersEditor
from polhode_app.docks.inspector.text_editors import TextEditor
from polhode_app.edit.open_file import MESH_ENDINGS
from polhode_app.i18n.field_names import choice
from polhode_app.window.files.mesh_file import ask_mesh, in_folder
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.line_edit import CommitLineEdit
from polhode_app.window.widgets.plain_label import wrapped
from polhode_app.window.widgets.wheel import ComboBox

Names = Callable[[], Sequence[str]]

SWATCH_SIZE = 14  # [pixel]
GREY = QColor("#808080")


def combo() -> QComboBox:
    """A combo box without keyboard focus, because Space starts and pauses the run, and of small minimum width."""
    box = ComboBox()
    box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(6)
    return box


class ChoiceEditor(Editor):
    """A combo box with the values of an enumeration, shown by their translated names."""

    def __init__(self, values: Sequence[str]):
        super().__init__()
        self.list = combo()
        for value in values:
            self.list.addItem(choice(value), value)
        row_of((self.list, 1), on=self, margins=0, spacing=4)
        self.list.activated.connect(lambda _row: self.changed.emit(self.list.currentData(), None))

    def show_value(self, value: Any, settle: bool = False) -> None:
        self.list.setCurrentIndex(self.list.findData(value))


class NameEditor(Editor):
    """A combo box of names, such as those of the bodies; the list is read again at every update."""

    def __init__(self, names: Callable[[], Sequence[str]]):
        super().__init__()
        self._names = names
        self.list = combo()
        row_of((self.list, 1), on=self, margins=0, spacing=4)
        self.list.activated.connect(lambda _row: self.changed.emit(self.list.currentText(), None))

    def show_value(self, value: Any, settle: bool = False) -> None:
        """Show a name; the entries are replaced only if the names have changed."""
        names = list(self._names())
        if names != [self.list.itemText(row) for row in range(self.list.count())]:
            self.list.clear()
            self.list.addItems(names)
        self.list.setCurrentIndex(self.list.findText(value or ""))


class SwitchEditor(Editor):
    """A check box for a boolean field."""

    def __init__(self) -> None:
        super().__init__()
        self.box = QCheckBox()
        self.box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row_of((self.box, 1), on=self, margins=0, spacing=4)
        self.box.clicked.connect(lambda on: self.changed.emit(on, None))

    def show_value(self, value: Any, settle: bool = False) -> None:
        self.box.setChecked(bool(value))


class WholeOrWordEditor(TextEditor):
    """A whole number, or a word such as "all"."""

    def _format(self, value: Any) -> str:
        return "" if value is None else str(value)

    def _parse(self, text: str) -> Any:
        return int(text) if text.lstrip("-").isdecimal() else text


class ColorsEditor(TextEditor):
    """One colour, or several separated by commas that are used in turn."""

    def _format(self, value: Any) -> str:
        return value if isinstance(value, str) else ", ".join(value or ())

    def _parse(self, text: str) -> Any:
        parts = tuple(part.strip() for part in text.split(",") if part.strip())
        return parts[0] if len(parts) == 1 else parts


class ColorEditor(TextEditor):
    """A colour by name or number, with a button that shows it and opens a colour dialog."""

    def __init__(self) -> None:
        super().__init__()
        self.button = QToolButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setToolTip(self.tr("Choose a colour"))
        self.layout().addWidget(self.button)  # type: ignore[union-attr]
        self.button.clicked.connect(lambda _checked: self._open_color_dialog())
        self._color = GREY

    def show_value(self, value: Any, settle: bool = False) -> None:
        """Show a colour and its swatch; grey means no colour."""
        super().show_value(value, settle)
        self._color = QColor.fromRgbF(*rgb(value), opacity(value)) if value else GREY
        swatch = QPixmap(SWATCH_SIZE, SWATCH_SIZE)
        swatch.fill(self._color)
        self.button.setIcon(QIcon(swatch))

    def _open_color_dialog(self) -> None:
        """Open the colour dialog, with its opacity as alpha channel, without blocking.

        Every colour touched in it is applied at once; all of them are undone in one step, and Cancel restores the
        first.
        """
        dialog = QColorDialog(self)
        dialog.setOption(QColorDialog.ColorDialogOption.ShowAlphaChannel)  # before the colour, else it becomes opaque
        dialog.setCurrentColor(self._color)
        dialog.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fields = {"QColorPicker": self.tr("Hue and saturation"), "QColorLuminancePicker": self.tr("Brightness")}
        for field in dialog.findChildren(QWidget):  # without a label
            field.setAccessibleName(fields.get(field.metaObject().className().split("::")[-1], field.accessibleName()))
        stroke, before = object(), self._color
        dialog.currentColorChanged.connect(lambda color: self.changed.emit(hexadecimal(*color.getRgbF()), stroke))
        dialog.rejected.connect(lambda: self.changed.emit(hexadecimal(*before.getRgbF()), stroke))
        dialog.open()


class FileEditor(TextEditor):
    """Path of a file, typed or chosen in a file dialog."""

    def __init__(self, folder: Callable[[], Path], endings: Sequence[str] = MESH_ENDINGS):
        """`folder` returns the folder of the scene, to which paths are relative."""
        super().__init__()
        self._folder, self._endings = folder, endings
        self.button = QToolButton()
        self.button.setText("…")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setToolTip(self.tr("Choose a file"))
        self.layout().addWidget(self.button)  # type: ignore[union-attr]
        self.button.clicked.connect(lambda _checked: self._open_file_dialog())

    def _open_file_dialog(self) -> None:
        """Ask for a file and emit its path."""
        if (path := ask_mesh(self, self._folder(), self._endings)) is not None:
            self.changed.emit(in_folder(path, self._folder()), None)


class ChoicesEditor(Editor):
    """Any subset of several values, chosen in a menu of check marks."""

    def __init__(self, values: Sequence[str]):
        super().__init__()
        self.button = QToolButton()
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(self.button)
        self.actions_of = {value: menu.addAction(choice(value)) for value in values}
        for action in self.actions_of.values():
            action.setCheckable(True)
            action.triggered.connect(lambda _checked: self._emit_choices())
        self.button.setMenu(menu)
        row_of((self.button, 1), on=self, margins=0, spacing=4)

    def show_value(self, value: Any, settle: bool = False) -> None:
        for name, action in self.actions_of.items():
            action.setChecked(name in value)
        names = [choice(name) for name in value]
        self.button.setText(", ".join(names) if names else self.tr("none"))

    def _emit_choices(self) -> None:
        """Emit the checked values in the order of the menu."""
        self.changed.emit(tuple(name for name, action in self.actions_of.items() if action.isChecked()), None)


class EndEditor(Editor):
    """One end of a spring: a named item, a point of a body (body frame, [m]), or a position (laboratory frame, [m]).

    Values are a name, a table with `body` and `point`, or a tuple of three numbers.
    """

    NAME, POINT, POSITION = range(3)

    def __init__(self, form: Form, scale: float, names: Names, bodies: Names):
        """`names` and `bodies` return the names that an end may have now."""
        super().__init__()
        self._bodies = bodies
        self._names = names
        self.kind, self.name, self.body = combo(), CommitLineEdit(), NameEditor(bodies)
        self.kind.addItems([self.tr("an item"), self.tr("a point of a body"), self.tr("a position")])
        self.position = NumbersEditor(Form("numbers", form.unit, count=3), scale)
        head = row_of((self.kind, 1), self.body, spacing=4)
        column_of(head, self.name, self.position, on=self, margins=0, spacing=3)
        self.kind.activated.connect(self._on_kind_activated)
        self.name.editingFinished.connect(
            lambda: self._emit_changed(self.name.text().strip()) if self.name.has_uncommitted_text else None
        )
        self.body.changed.connect(
            lambda name, stroke: self._emit_changed({"body": name, "point": self._position()}, stroke)
        )
        self.position.changed.connect(self._on_position_changed)
        self.position.failed.connect(self.failed)
        self._value: Any = (0.0, 0.0, 0.0)

    def show_value(self, value: Any, settle: bool = False) -> None:
        """Show the kind of an end and the editors that belong to it."""
        self._value = value
        kind = self.NAME if isinstance(value, str) else self.POSITION if isinstance(value, tuple) else self.POINT
        self.kind.setCurrentIndex(kind)
        self.name.setVisible(kind == self.NAME)
        self.body.setVisible(kind == self.POINT)
        self.position.setVisible(kind != self.NAME)
        if kind == self.NAME:
            (self.name.set_committed_text if settle else self.name.update_text)(value)
        else:
            self.position.show_value(self._position(), settle)
        if kind == self.POINT:
            self.body.show_value(value.body, settle)
        self.name.setToolTip(wrapped("\n".join(self._names()[:12])))

    def _position(self) -> tuple[float, float, float]:
        """Position of the current end [m]; zero for a named item."""
        if isinstance(self._value, tuple):
            return self._value
        return (0.0, 0.0, 0.0) if isinstance(self._value, str) else self._value.point

    def _on_kind_activated(self, kind: int) -> None:
        """Emit an end of the chosen kind; the kind is reset if the scene has nothing to attach to."""
        names, bodies = self._names(), self._bodies()
        if kind == self.NAME and names:
            self._emit_changed(names[0] if not hasattr(self._value, "body") else self._value.body)
        elif kind == self.POINT and bodies:
            self._emit_changed({"body": self._value if self._value in bodies else bodies[0], "point": (0.0, 0.0, 0.0)})
        elif kind == self.POSITION:
            self._emit_changed((0.0, 0.0, 0.0))
        else:
            self.show_value(self._value)  # the scene has no such item

    def _on_position_changed(self, position: Any, stroke: object) -> None:
        """Emit the end with another position."""
        self._emit_changed(
            position if isinstance(self._value, tuple) else {"body": self._value.body, "point": position}, stroke
        )

    def _emit_changed(self, value: Any, stroke: object = None) -> None:
        self.changed.emit(value, stroke)
