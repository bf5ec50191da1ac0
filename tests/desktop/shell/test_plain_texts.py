"""Names that look like HTML are shown as they are written, wherever they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from gui import LEFT, SOON
from meaning import Meaning
from PySide6.QtGui import Qt, QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QTableWidget, QTreeWidget, QTreeWidgetItemIterator
from pytestqt.qtbot import QtBot

from polhode.scene.fields import parse_path
from polhode.scene.problem import InputError, Problem
from polhode_app.docks.plots.xy_panel import select_column
from polhode_app.main_window import MainWindow
from polhode_app.window.widgets.problems_dialog import ProblemsDialog

NAME = "<b>bold</b>"
SCENE = f"""
[[body]]
name = "{NAME}"
support = "driven"
motion = {{ kind = "sensor" }}
shape = [{{ kind = "sphere", radius = 0.1, mass = 1.0 }}]
[[body]]
name = "other"
position = [0, 1, 0]
shape = [{{ kind = "sphere", radius = 0.1, mass = 1.0 }}]
[[spring]]
from = "{NAME}"
to = "other"
stiffness = 1.0
"""


def drawn(text: str, format_: Qt.TextFormat = Qt.TextFormat.AutoText) -> str:
    """The visible characters of a text."""
    rich = Qt.mightBeRichText(text) if format_ == Qt.TextFormat.AutoText else format_ == Qt.TextFormat.RichText
    if not rich:
        return text
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


def texts() -> Iterator[tuple[str, str]]:
    """All labels and tips that name the body: as they are given, and as they are seen."""
    for widget in QApplication.allWidgets():
        tips = [widget.toolTip()]
        if isinstance(widget, QLabel):
            yield widget.text(), drawn(widget.text(), widget.textFormat())
        elif isinstance(widget, QTreeWidget):
            rows = iter(QTreeWidgetItemIterator(widget))
            tips += [row.value().toolTip(0) for row in rows]
        elif isinstance(widget, QTableWidget):
            cells = [widget.item(row, column) for row in range(widget.rowCount()) for column in range(3)]
            tips += [cell.toolTip() for cell in cells if cell is not None]
        yield from ((tip, drawn(tip)) for tip in tips)


@pytest.mark.nightly
def test_a_name_that_looks_like_html_is_seen_as_it_is(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(SCENE)
    for deed in ("inspector", "plots", "sensor"):
        window.action_table[deed].setChecked(True)
    qtbot.waitUntil(lambda: window.docks.dock("sensor") is not None, timeout=SOON)
    drives = window.docks.docks["sensor"].drives
    qtbot.waitUntil(lambda: drives.isVisible() and "bold" in drives.description.text(), timeout=SOON)
    window.session.select(("spring", 0))
    window.session.select(("body", 1))
    row = window.edit_actions.inspector.form.rows[parse_path("body[1].name")]
    qtbot.mouseClick(row.editor.field, LEFT)
    row.editor.field.selectAll()
    qtbot.keyClicks(row.editor.field, NAME)  # it is taken
    qtbot.keyClick(row.editor.field, Qt.Key.Key_Return)
    assert Meaning("", "parts").of(row.error_label.text())
    assert f"'{NAME}'" in row.error_label.text()
    window.toast.show_message(f"{NAME} was removed")
    dialog = ProblemsDialog(InputError(f"{NAME}.toml", [Problem(NAME, "is wrong", "mend it")]), window)
    dialog.show()
    found = [pair for pair in texts() if "bold" in pair[0]]
    window.session.select(("body", 0))
    found += [pair for pair in texts() if "bold" in pair[0]]
    assert [given for given, seen in found if NAME not in seen] == []
    heads = [seen for given, seen in found if given == window.edit_actions.inspector.header.text()]
    assert heads == [f"{NAME}\nBody"]
    dialog.close()

    plots = window.docks.docks["plots"]
    qtbot.waitUntil(lambda: len(plots.list.model.names) > 0, timeout=SOON)
    model = plots.list.model
    tips = [model.data(model.index(k), Qt.ItemDataRole.ToolTipRole) for k in range(len(model.names))]
    named = [tip for tip in tips if "bold" in tip]
    assert named
    assert [tip for tip in named if NAME not in drawn(tip)] == []
    axis = f"{NAME}.position.x"
    plots.xy_panel.set_quantities({axis: "m"}, {axis: "#ff0000"}, {})
    select_column(plots.xy_panel.x, axis)
    plots.xy_panel.update_axis_labels()
    label = plots.xy_panel.plane.plot.getAxis("bottom").labelString()
    assert drawn(label, Qt.TextFormat.RichText).startswith(NAME)
