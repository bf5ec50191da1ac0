"""Save as replaces no file that nobody was asked about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow
from polhode_app.window.files.save_dialog import ask_file, file_name


def chosen(qtbot: QtBot, folder: Path, name: str, replace: bool = False) -> Path | None:
    """Path returned by the dialog for a typed name; every question gets the same answer."""
    parent = QWidget()
    qtbot.addWidget(parent)

    def answer() -> None:
        shown = QApplication.activeModalWidget()
        if isinstance(shown, QMessageBox):
            kind = QMessageBox.StandardButton.Yes if replace else QMessageBox.StandardButton.No
            shown.button(kind).click()
        elif isinstance(shown, QFileDialog):
            line = shown.findChild(QLineEdit)
            if line.text() != name:
                line.setText(name)
                QTimer.singleShot(0, shown.accept)

    timer = QTimer()
    timer.timeout.connect(answer)
    timer.start(100)
    try:
        return ask_file(parent, folder, "a title")
    finally:
        timer.stop()


@pytest.mark.parametrize(("name", "file"), [("run", "run.toml"), ("run1.5", "run1.5.toml"), ("run.toml", "run.toml")])
def test_the_ending_is_added_and_nothing_is_cut(qtbot: QtBot, tmp_path: Path, name: str, file: str) -> None:
    assert chosen(qtbot, tmp_path, name) == tmp_path / file


@pytest.mark.parametrize("replace", [True, False])
def test_a_file_that_the_ending_leads_to_is_asked_about(qtbot: QtBot, tmp_path: Path, replace: bool) -> None:
    there = tmp_path / "run1.5.toml"
    there.touch()
    assert chosen(qtbot, tmp_path, "run1.5", replace) == (there if replace else None)


def test_a_title_becomes_a_name_for_a_file() -> None:
    assert file_name("Top / bottom: 50 % *new*") == "Top bottom 50 % new.toml"
    assert file_name("../..") == "scene.toml"
    assert file_name("") == "scene.toml"


def test_a_scene_without_a_title_is_called_by_its_file_in_the_tree(
    lab: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = lab('format = 1\n[[body]]\nname = "ball"\nshape = [{kind = "sphere", mass = 1, radius = 0.1}]')
    assert window.edit_actions.tree.tree.topLevelItem(0).text(0) == "scene"  # scene.toml
    assert window.session.save(tmp_path / "ramp.toml")
    assert window.edit_actions.tree.tree.topLevelItem(0).text(0) == "ramp"
