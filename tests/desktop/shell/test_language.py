"""The language of the window changes in place: all texts, while a run, a recording, a film and a grab continue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gui import SOON
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMenu,
    QTableWidget,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot
from rendering import write_to

from polhode.physics.grab.interactions import PullBody
from polhode.recording.reader import read_recording
from polhode.scene import gallery
from polhode_app.i18n.language import set_language, tr
from polhode_app.main_window import MainWindow
from polhode_app.messages import Interact
from polhode_app.window.shell.qt_translator import use_language


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    use_language("en")


DOCKS = ("tree", "inspector", "plots", "modes", "sensor", "path")


def shown_texts(window: MainWindow) -> dict[str, list[str]]:
    """Texts and tool tips of a window by the kind of widget, without numbers, and without what the toast said last."""
    found: dict[str, list[str]] = {}
    for action in window.findChildren(QAction):
        if action.text():
            found.setdefault("action", []).append(f"{action.text()} | {action.toolTip()}")
    for widget in window.findChildren(QWidget):
        texts = [widget.toolTip(), widget.windowTitle() if isinstance(widget, QDockWidget) else ""]
        if isinstance(widget, QComboBox):
            texts += [widget.itemText(row) for row in range(widget.count())]
        elif isinstance(widget, QTabWidget):
            texts += [widget.tabText(row) for row in range(widget.count())]
        elif isinstance(widget, QLineEdit):
            texts.append(widget.placeholderText())
        elif isinstance(widget, QTableWidget):
            heads = (widget.horizontalHeaderItem(column) for column in range(widget.columnCount()))
            texts += [f"{head.text()} | {head.toolTip()}" for head in heads if head is not None]
        elif isinstance(widget, QAbstractButton | QLabel):
            texts.append(widget.text())
        said = [text for text in texts if text and not re.search(r"\d", text)]
        if said and not isinstance(widget.window(), QMenu) and not window.toast.isAncestorOf(widget):
            found.setdefault(type(widget).__name__, []).extend(said)
    return {kind: sorted(said) for kind, said in found.items()}


def opened_with_all_docks(window: MainWindow, qtbot: QtBot) -> None:
    window.session.play(False)
    for name in DOCKS:
        window.action_table[name].setChecked(True)
    window.session.select(("soft", 0))
    qtbot.waitUntil(
        lambda: window.docks.dock("sensor") is not None and window.docks.docks["sensor"].tabs.count() == 3, timeout=SOON
    )
    qtbot.waitUntil(lambda: bool(window.docks.docks["plots"].list.model.names), timeout=SOON)
    qtbot.waitUntil(lambda: window.docks.docks["modes"].table.rowCount() > 0, timeout=SOON)
    qtbot.waitUntil(lambda: window.transport.solver.limit.text() != "", timeout=SOON)  # has been estimated
    qtbot.wait(500)  # numbers and states have been written
    window.toast.dismiss()
    window.status.clearMessage()


@pytest.mark.nightly
def test_all_texts_are_those_of_a_window_that_begins_in_that_language(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    path = gallery.path("jelly_magnet")
    window = lab(path)
    opened_with_all_docks(window, qtbot)
    english = shown_texts(window)
    window.set_language("ja")
    qtbot.waitUntil(lambda: window.docks.docks["plots"].windowTitle() == "グラフ", timeout=SOON)
    qtbot.wait(500)
    window.toast.dismiss()
    window.status.clearMessage()
    japanese = shown_texts(window)
    fresh = lab(path)  # in the language that is set
    opened_with_all_docks(fresh, qtbot)
    qtbot.waitUntil(lambda: shown_texts(fresh) == japanese, timeout=SOON)
    fresh.close()
    window.set_language("en")
    qtbot.waitUntil(lambda: window.docks.docks["plots"].windowTitle() == "Plots", timeout=SOON)
    qtbot.wait(500)
    window.toast.dismiss()
    window.status.clearMessage()
    # Labels of live values may lack a number for a moment.
    qtbot.waitUntil(lambda: shown_texts(window) == english, timeout=SOON)


@pytest.mark.nightly
def test_film_recording_and_grab_go_on_while_the_language_changes(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("capture_actions", "recording_bar"):
        write_to(tmp_path, monkeypatch, module)
    window = lab()
    qtbot.waitUntil(lambda: window.session.frame is not None, timeout=SOON)
    window.action_table["tape"].trigger()
    window.action_table["record"].trigger()
    grip = PullBody(0, (0.0, 0.0, 0.0), (0.3, 0.0, 0.0))
    window.session.send(Interact(window.session.document.generation, grip))

    def held() -> bool:
        marker = window.session.frame.snapshot.interaction_marker
        return marker is not None and marker.interaction == grip

    qtbot.waitUntil(held, timeout=SOON)
    qtbot.waitUntil(lambda: window.session.frame.recording is not None, timeout=SOON)
    step = window.session.frame.snapshot.step
    for language, file in (("ja", "ファイル(&F)"), ("en", "&File")):
        window.set_language(language)
        qtbot.waitUntil(lambda file=file: window.menuBar().actions()[0].text() == file, timeout=SOON)
        assert held()
        assert window.capture_actions.recorder.recording
    qtbot.waitUntil(lambda: window.session.frame.snapshot.step > step + 50, timeout=SOON)
    assert held()
    assert window.session.frame.recording.path == tmp_path / "mine.vtkhdf"
    window.action_table["record"].trigger()
    with qtbot.waitSignal(window.session.recording_ended, timeout=SOON):
        window.action_table["tape"].trigger()
    qtbot.waitUntil((tmp_path / "mine.mp4").exists, timeout=SOON)
    run = read_recording(tmp_path / "mine.vtkhdf")
    assert [event.name for event in run.events] == ["grab"]
    assert run.steps[-1] > step


def test_texts_are_said_in_the_language_of_now() -> None:
    set_language("ja")
    assert tr("gravity") == "重力"
    assert tr("no such text") == "no such text"
    set_language("en")
    assert tr("gravity") == "gravity"
