"""Files written by the menu: plot data, their folders, and the action that opens them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gui import LEFT, SOON, buttons
from loop_alone import SCENE
from meaning import Meaning
from PySide6.QtCore import QObject, QStandardPaths, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.main_window import MainWindow
from polhode_app.session.new_file import new_file


class Desktop(QObject):
    """Takes the folders that are to be opened, as a file manager would."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[Path] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(Path(url.toLocalFile()))


@pytest.fixture
def desktop() -> Iterator[Desktop]:
    made = Desktop()
    QDesktopServices.setUrlHandler("file", made, "open")
    yield made
    QDesktopServices.unsetUrlHandler("file")


def test_the_menu_has_the_data_of_the_plots(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    window = lab(SCENE)
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    assert window.docks.dock("plots") is None
    window.action_table["plot_data"].trigger()
    qtbot.waitUntil(window.docks.docks["plots"].isVisible, timeout=SOON)
    assert Meaning("", "plot", "data").of(window.toast.text)
    assert not list(tmp_path.glob("*.csv"))
    window.session.play(True)
    qtbot.waitUntil(lambda: len(window.docks.docks["plots"].history.times) > 20, timeout=SOON)
    window.action_table["plot_data"].trigger()
    (path,) = tmp_path.glob("*.csv")
    heading, *rows = csv.reader(path.open(encoding="utf-8", newline=""))
    assert [each.split(" [")[0] for each in heading] == ["time", *window.docks.docks["plots"].history.columns]
    assert len(rows) > 20
    assert str(path) in window.toast.text


def test_a_picture_is_beside_its_scene_and_its_folder_opens(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, desktop: Desktop
) -> None:
    window = lab(SCENE)
    window.action_table["take_picture"].trigger()
    (path,) = tmp_path.glob("*.png")
    assert str(path) in window.toast.text
    (button,) = buttons(window)
    qtbot.mouseClick(button, LEFT)
    assert desktop.opened == [tmp_path]


def test_a_picture_on_the_clipboard_is_the_one_of_a_file(lab: Callable[..., MainWindow], tmp_path: Path) -> None:
    window = lab(SCENE)
    window.session.play(False)
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    window.action_table["copy_picture"].trigger()
    copied = clipboard.image()
    assert not list(tmp_path.glob("*.png"))
    assert copied.size().width() > 100
    colors = {copied.pixel(x, y) for x in range(0, copied.width(), 7) for y in range(0, copied.height(), 7)}
    assert len(colors) > 20  # a picture of the scene, not of an empty view
    window.action_table["take_picture"].trigger()
    (path,) = tmp_path.glob("*.png")
    assert copied.size() == QImage(str(path)).size()


def test_files_of_nobody_go_to_the_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures, mine = tmp_path / "pictures", tmp_path / "mine"
    pictures.mkdir()
    mine.mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _place: str(pictures))
    assert new_file("png", None).parent == pictures
    assert new_file("png", gallery.path(gallery.DEFAULT)).parent == pictures
    assert new_file("png", mine / "scene.toml").parent == mine
    assert new_file("png", tmp_path / "gone" / "scene.toml").parent == pictures
    first = new_file("png", mine / "scene.toml")
    first.write_bytes(b"")
    assert not new_file("png", mine / "scene.toml").exists()
