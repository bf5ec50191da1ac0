"""The window in Japanese: what it says about wrong inputs, and what it calls the built-in scenes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gui import SOON
from PySide6.QtCore import QSettings
from PySide6.QtGui import QFont, QFontInfo, QTextLayout
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from vtkmodules.vtkRenderingCore import vtkTextActor

from polhode.scene import gallery
from polhode_app.application import make_application
from polhode_app.docks.inspector.form import Row
from polhode_app.i18n.field_names import named, quantity
from polhode_app.main_window import MainWindow
from polhode_app.session.settings import Settings
from polhode_app.window.shell.qt_translator import use_language
from polhode_app.window.widgets.problems_dialog import ProblemsDialog

SCENE = gallery.path("course_1_oscillator").read_text("utf-8")


@pytest.fixture
def window(lab: Callable[..., MainWindow], tmp_path: Path) -> Iterator[MainWindow]:
    Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)).language = "ja"
    yield lab()
    use_language("en")


def test_kana_and_kanji_are_drawn_by_one_font(qapp: object) -> None:
    """Qt falls back by script: without a family of its own, kanji came from our font and kana from the system's."""
    usual = QFontInfo(QFont(QApplication.font().families()[:1])).family()
    font = make_application().font()
    japanese = families_of("輪を回るビーズの力", font)
    assert len(japanese) == 1
    assert families_of("English", font) == {usual} != japanese


def families_of(text: str, font: QFont) -> set[str]:
    """Families that draw a text."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return {run.rawFont().familyName() for run in layout.glyphRuns()}


def test_wrong_inputs_are_answered_in_japanese(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(SCENE.replace("[solver]", "[solver]\ntime_stp = 1"))
    window.files.open(bad)
    qtbot.waitUntil(lambda: window.findChild(ProblemsDialog) is not None, timeout=SOON)
    dialog = window.findChild(ProblemsDialog)
    told = [dialog.table.item(0, column).text() for column in range(3)]
    assert told == ["solver.time_stp", "知らないキーです(値は 1)", "「time_step」ではありませんか"]
    assert window.status.currentMessage() == f"{told[0]}: {told[1]}。{told[2]}"
    dialog.close()

    window.action_table["inspector"].setChecked(True)
    window.session.select(("solver",))
    qtbot.waitUntil(
        lambda: window.edit_actions.inspector.isVisible() and window.edit_actions.inspector.form is not None,
        timeout=SOON,
    )
    window.edit_actions.inspector.set_value(("solver", "time_step"), -1.0, None)
    row = window.edit_actions.inspector.form.row_of(("solver", "time_step"))
    assert isinstance(row, Row)
    assert row.error_label.text() == "0 より大きくなければなりませんが、-1.0 です。正の数値にしてください"


def test_a_built_in_scene_is_called_by_its_japanese_name(window: MainWindow, qtbot: QtBot) -> None:
    name = "授業 1: ばねにつるしたおもり、四つの解法で"
    assert window.windowTitle() == f"{name}[*] - Polhode"  # a copy of it is called so, too
    window.session.edit(window.session.scene.model_copy(update={"title": "My own"}))
    qtbot.waitUntil(lambda: window.windowTitle() == "My own[*] - Polhode", timeout=SOON)


def test_lists_of_quantities_have_the_names_of_the_tree(window: MainWindow, qtbot: QtBot) -> None:
    """Quantities, ghosts in the view and the tree name things alike."""
    window.files.open(gallery.path("course_1_oscillator"))
    qtbot.waitUntil(
        lambda: window.session.frame is not None and len(window.session.frame.ghosts) == 3, timeout=4 * SOON
    )
    assert named("Euler") in quantity("ghost.Euler.distance")
    names = {named("Euler"), named("Adams-Bashforth")}
    assert all("(" in name for name in names)  # the translation, and the name of the file
    renderer = window.view.plotter.renderer
    props = renderer.GetViewProps()
    texts = {
        prop.GetInput()
        for prop in (props.GetItemAsObject(k) for k in range(props.GetNumberOfItems()))
        if isinstance(prop, vtkTextActor) and prop.GetVisibility()
    }
    assert names <= texts
