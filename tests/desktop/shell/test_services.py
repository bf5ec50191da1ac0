"""The palette of commands, the log, what is offered after a crash, a file that others change, and the language."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from gui import LEFT, SOON, buttons
from meaning import Meaning
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from polhode.scene.scene_file import read_scene
from polhode_app.edit.add_menu import ADDITIONS
from polhode_app.main_window import MainWindow
from polhode_app.session.autosave import Autosave
from polhode_app.session.settings import Settings
from polhode_app.window.arrow_sizes_dialog import ArrowSizesDialog
from polhode_app.window.settings_dialog import SettingsDialog
from polhode_app.window.shell.log import LogDialog
from polhode_app.window.shell.qt_translator import use_language
from polhode_app.window.widgets.toast import Toast
from scenes import SWING

pytestmark = pytest.mark.new_window  # what was said of the last scene would still be there

SCENE = "# how it begins" + SWING.replace("Swing", "first")
CRASHING = """
import sys
from pathlib import Path
from time import monotonic
from platformdirs import user_state_path
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication
from polhode_app.main_window import MainWindow
from polhode_app.session.settings import Settings
app = QApplication([])
window = MainWindow(Settings(QSettings(sys.argv[2], QSettings.Format.IniFormat)), Path(sys.argv[1]))
window.show()
def edit():
    if window.session.frame is None:
        return
    if window.session.scene.title == "first":
        window.session.edit(window.session.scene.model_copy(update={"title": "edited and lost"}))
    unsaved = user_state_path("polhode") / "unsaved"
    if any("edited and lost" in path.read_text() for path in unsaved.glob("*.toml")):
        print("kept", flush=True)
timer = QTimer(interval=100)
timer.timeout.connect(edit)
timer.start()
app.exec()
"""


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polhode_app.session.autosave.EVERY", 0.2)


@pytest.fixture(autouse=True)
def _english_again(qapp: object) -> object:
    yield
    use_language("en")


def test_the_palette_does_what_is_typed(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    qtbot.keyClick(window, Qt.Key.Key_F3)
    palette = window.dialogs.palette
    qtbot.waitUntil(palette.isVisible, timeout=SOON)
    qtbot.keyClicks(palette.line, "paus")
    assert palette.list.currentItem().text() == "Pause"
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    assert not palette.isVisible()
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_P, keys)
    qtbot.keyClicks(window.dialogs.palette.line, "velocities")
    qtbot.keyClick(window.dialogs.palette.line, Qt.Key.Key_Return)
    assert window.scene_view.visible["velocities"]
    qtbot.keyClick(window, Qt.Key.Key_F3)
    qtbot.keyClicks(window.dialogs.palette.line, "heavy top")
    qtbot.keyClick(window.dialogs.palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "top" in window.windowTitle(), timeout=SOON)


def test_the_palette_adds_parts(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()

    def found(letters: str) -> list[str]:
        if window.dialogs.palette is not None:
            window.dialogs.palette.close()
        qtbot.keyClick(window, Qt.Key.Key_F3)
        qtbot.keyClicks(window.dialogs.palette.line, letters)
        rows = window.dialogs.palette.list
        return [rows.item(row).text() for row in range(rows.count())]

    everything = found("add >")
    for group, addition in window.edit_actions.adding.additions():
        assert " > ".join(filter(None, ["Add", group, addition.text.removesuffix("...")])) in everything
    inside = {group for group, entries in ADDITIONS.items() if all(entry.inside for entry in entries)}
    assert not any(group in text for text in everything for group in inside)  # no body is chosen
    window.session.select(("body", 0))
    assert {f"Add > {group} > Torus" for group in inside} & {*found("torus")}
    assert "Add > Ghost" in found("ghost")
    rows = window.dialogs.palette.list
    rows.setCurrentItem(rows.findItems("Add > Ghost", Qt.MatchFlag.MatchExactly)[0])
    qtbot.keyClick(window.dialogs.palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(window.session.document.scene.ghost) == 1, timeout=SOON)


@pytest.mark.nightly
def test_only_a_long_start_says_that_it_is_long(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polhode_app.window.widgets.toast.LONG_COMPILATION", 0.3)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 300)
    window.show()
    toast = Toast(window)
    toast.show_preparing()
    assert Meaning("", "Preparing").of(toast.text)
    qtbot.waitUntil(lambda: Meaning("", "seconds").of(toast.text), timeout=SOON)
    for end in (toast.hide, lambda: toast.show_message("Something else")):  # what ends it, ends both
        toast.show_preparing()
        end()
        before = toast.text
        qtbot.wait(600)
        assert toast.text == before
    window.close()


def test_arrows_grow_with_their_slider_and_stay_so(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    window.action_table["sizes"].trigger()
    dialog = window.findChild(ArrowSizesDialog)
    assert dialog.isVisible()
    assert window.session.frame.running
    box, slider = dialog.boxes["velocities"], dialog.sliders["velocities"]
    before = window.scene_view.stage.long(1.0, "velocities")
    qtbot.mouseClick(box, LEFT, pos=box.rect().center() - QPoint(box.rect().width() // 2 - 8, 0))
    assert window.scene_view.visible["velocities"]
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_PageUp)
    assert window.scene_view.stage.long(1.0, "velocities") == pytest.approx(2 * before)
    assert window.settings.sizes == {"velocities": 2.0}
    dialog.close()
    again = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    assert again.sizes == {"velocities": 2.0}
    window.action_table["sizes"].trigger()
    dialog = window.findChildren(ArrowSizesDialog)[-1]
    assert dialog.sliders["velocities"].value() == 10
    qtbot.mouseClick(dialog.defaults_button, LEFT)
    assert window.settings.sizes == {}
    assert window.scene_view.stage.long(1.0, "velocities") == pytest.approx(before)


def test_what_was_said_can_be_read_again(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.toast.show_message("Something was said.")
    qtbot.waitUntil(lambda: "Something was said." in window.dialogs.log.text(), timeout=SOON)
    qtbot.mouseClick(window.status, LEFT)
    dialog = window.findChild(LogDialog)
    assert "Something was said." in dialog.page.toPlainText()
    dialog.close()


def test_a_file_that_another_program_changes_is_read_and_goes_on(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    path = tmp_path / "scene.toml"
    before = window.session.frame.snapshot.time
    path.write_text(SCENE.replace("mass = 1", "mass = 3"))
    qtbot.waitUntil(lambda: window.session.document.scene.body[0].shape[0].mass == 3, timeout=SOON)
    assert window.session.frame is None or window.session.frame.snapshot.time >= before
    assert window.session.document.is_saved
    path.write_text(SCENE.replace("mass = 1", "mass = -1"))
    qtbot.waitUntil(lambda: "mass" in window.toast.text, timeout=SOON)
    assert window.session.document.scene.body[0].shape[0].mass == 3
    window.session.edit(window.session.scene.model_copy(update={"title": "mine"}))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "mine", timeout=SOON)
    path.write_text(SCENE.replace("mass = 1", "mass = 4"))
    qtbot.waitUntil(lambda: any("Reload from disk" in button.text() for button in buttons(window)), timeout=SOON)
    assert window.session.document.scene.title == "mine"
    take = buttons(window)[0]
    qtbot.mouseClick(take, LEFT)
    qtbot.waitUntil(lambda: window.session.document.scene.body[0].shape[0].mass == 4, timeout=SOON)
    window.session.undo()
    qtbot.waitUntil(lambda: window.session.document.scene.title == "mine", timeout=SOON)


def test_after_a_crash_the_unsaved_scene_is_offered(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "lost.toml"
    path.write_text(SCENE)
    arguments = [sys.executable, "-c", CRASHING, str(path), str(tmp_path / "other.ini")]
    child = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert child.stdout.readline() == "kept\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    window = lab()
    qtbot.waitUntil(lambda: len(buttons(window)) == 2, timeout=SOON)
    open_it = next(button for button in buttons(window) if "Open" in button.text())
    qtbot.mouseClick(open_it, LEFT)
    window.crash_recovery.tick(monotonic() + 60.0, [])  # a backup that is due while the scene is being opened
    qtbot.waitUntil(lambda: window.session.document.scene.title == "edited and lost", timeout=SOON)
    assert not window.session.document.is_saved
    unsaved = tmp_path / "state" / "polhode" / "unsaved"
    qtbot.waitUntil(lambda: len([*unsaved.glob("*.toml")]) == 1, timeout=SOON)  # it is this window's now
    (kept,) = unsaved.glob("*.toml")
    assert "# how it begins" in kept.read_text()


def test_what_is_not_saved_at_the_end_is_offered_and_what_is_saved_is_not(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    window.session.edit(window.session.scene.model_copy(update={"title": "not saved"}))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "not saved", timeout=SOON)
    window.close()
    (left,) = Autosave().left()
    assert read_scene(left.path).title == "not saved"
    left.forget()
    window = lab()
    window.session.edit(window.session.scene.model_copy(update={"title": "saved"}))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "saved", timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.is_saved, timeout=SOON)
    window.close()
    assert Autosave().left() == []


def test_what_is_replaced_unsaved_is_marked_and_can_be_taken_back(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    session = window.session
    assert not window.isWindowModified()
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not session.document.scene.body, timeout=SOON)
    qtbot.wait(100)
    assert not buttons(window)  # a scene that has a file is not lost
    window.files.open(tmp_path / "scene.toml")
    qtbot.waitUntil(lambda: bool(session.document.scene.body), timeout=SOON)
    for title in ("second", "third"):
        session.edit(session.scene.model_copy(update={"title": title}))
        qtbot.waitUntil(lambda title=title: session.document.scene.title == title, timeout=SOON)
    assert window.isWindowModified()
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(buttons(window)), timeout=SOON)
    assert Meaning("", "saved", title="third").of(window.toast.text)
    take = buttons(window)[0]
    qtbot.mouseClick(take, LEFT)
    qtbot.waitUntil(lambda: session.document.scene.title == "third", timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: session.document.scene.title == "second", timeout=SOON)
    assert session.document.path == tmp_path / "scene.toml"


def replace_unsaved(window: MainWindow, qtbot: QtBot) -> None:
    """Replace an unsaved scene with the title "second" by a new one."""
    window.session.edit(window.session.scene.model_copy(update={"title": "second"}))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "second", timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: Meaning("", "saved", title="second").of(window.toast.text), timeout=SOON)


def test_what_is_said_in_between_does_not_end_the_offer_of_what_was_replaced(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    replace_unsaved(window, qtbot)
    window.toast.show_message("Something passes.", 0.2)
    assert [button.text() for button in buttons(window)] == []
    qtbot.waitUntil(lambda: [button.text() for button in buttons(window)] == ["Restore", "Close"], timeout=SOON)
    window.files.open(tmp_path / "scene.toml")  # which says that it prepares the physics
    qtbot.waitUntil(lambda: bool(window.session.document.scene.body), timeout=SOON)
    assert Meaning("", "saved", title="second").of(window.toast.text)
    take = buttons(window)[0]
    qtbot.mouseClick(take, LEFT)
    qtbot.waitUntil(lambda: window.session.document.scene.title == "second", timeout=SOON)
    assert not window.toast.isVisible()


def test_what_was_replaced_is_in_the_menu_long_after_it_was_offered(
    lab: Callable[..., MainWindow], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polhode_app.window.crash_recovery.OFFER_TIME", 0.2)
    window = lab()
    replace_unsaved(window, qtbot)
    qtbot.waitUntil(lambda: not window.toast.isVisible(), timeout=SOON)
    file = window.menuBar().actions()[0].menu()
    (lost,) = [action.menu() for action in file.actions() if "unsaved scene" in action.text()]
    qtbot.keyClick(window.menuBar(), Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(file, Qt.Key.Key_U)
    qtbot.waitUntil(lost.isVisible, timeout=SOON)
    assert [action.text() for action in lost.actions()] == ["second"]
    qtbot.keyClick(lost, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.scene.title == "second", timeout=SOON)
    lost.aboutToShow.emit()
    assert not any(action.isEnabled() for action in lost.actions())  # nothing more


def test_an_offer_changes_its_language(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    replace_unsaved(window, qtbot)
    window.set_language("ja")
    qtbot.waitUntil(lambda: [button.text() for button in buttons(window)] == ["復元する", "閉じる"], timeout=SOON)
    assert window.toast.text == "「second」は保存されていません。"
    take = buttons(window)[0]
    qtbot.mouseClick(take, LEFT)
    qtbot.waitUntil(lambda: window.session.document.scene.title == "second", timeout=SOON)


def test_what_is_replaced_after_it_was_saved_is_not_offered(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.session.edit(window.session.scene.model_copy(update={"title": "second"}))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "second", timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not window.session.document.scene.body, timeout=SOON)
    qtbot.wait(100)
    assert not buttons(window)


def test_the_language_changes_while_it_runs(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.session.edit(window.session.scene.model_copy(update={"title": "second"}))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "second", timeout=SOON)
    step, camera = window.session.frame.snapshot.step, window.view.plotter.renderer.GetActiveCamera()
    window.action_table["plots"].setChecked(True)
    qtbot.waitUntil(lambda: window.docks.docks["plots"].is_built, timeout=SOON)
    window.docks.docks["plots"].plot(["energy.gravity"])
    window.docks.docks["plots"].column.setCurrentIndex(window.docks.docks["plots"].column.findData("energy.gravity"))
    window.docks.docks["plots"].maxima.click()
    window.docks.docks["plots"].kind.setCurrentIndex(window.docks.docks["plots"].kind.findData("spectrum"))
    window.docks.docks["plots"].kind.activated.emit(window.docks.docks["plots"].kind.currentIndex())
    qtbot.waitUntil(lambda: len(window.docks.docks["plots"].history.times) > 100, timeout=SOON)
    begun, tree = window.docks.docks["plots"].history.times[0], window.docks.docks["tree"].width()
    window.session.select(("body", 0))
    camera.Azimuth(40)
    position = camera.GetPosition()
    window.set_language("ja")
    qtbot.waitUntil(lambda: window.menuBar().actions()[0].text() == "ファイル(&F)", timeout=SOON)
    assert camera.GetPosition() == pytest.approx(position, abs=1e-9)  # up to rounding
    qtbot.waitUntil(lambda: window.session.frame.snapshot.step > step + 100, timeout=SOON)
    plots = window.docks.docks["plots"]
    assert "energy.gravity" in plots.plotted_units
    assert plots.kind.currentData() == "spectrum"
    assert plots.kind.currentText() == "スペクトル"
    assert plots.maxima.isChecked()
    assert plots.time_plot.marked == "energy.gravity"
    assert plots.history.times[0] == begun
    assert window.docks.docks["tree"].selected_paths == [("body", 0)]
    assert window.docks.docks["tree"].width() == pytest.approx(tree, abs=4)
    assert window.session.frame.running
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.scene.title == "first", timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)


def test_settings_count_at_once_and_are_remembered(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.action_table["settings"].trigger()
    dialog = window.findChild(SettingsDialog)
    dialog.memory.setValue(32)
    assert window.settings.past == 32
    qtbot.keyClick(dialog.theme, Qt.Key.Key_Home)
    window.action_table["tree"].setChecked(False)
    window.action_table["plots"].setChecked(True)
    (docks,) = dialog.findChildren(QPushButton, options=Qt.FindChildOption.FindDirectChildrenOnly)
    default = [button.text().replace("&", "") for button in dialog.findChildren(QPushButton) if button.isDefault()]
    assert default == ["Close"]
    qtbot.mouseClick(docks, LEFT)
    assert window.action_table["tree"].isChecked()
    assert window.docks.docks["tree"].isVisible()
    assert not window.docks.docks["plots"].isVisible()
    dialog.close()


def test_a_language_is_chosen_in_the_settings_and_they_stay_open(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.action_table["settings"].trigger()
    dialog = window.findChild(SettingsDialog)
    qtbot.keyClick(dialog.language, Qt.Key.Key_Down)  # of the list by its keys

    def titles() -> list[str]:
        return [each.windowTitle() for each in window.findChildren(SettingsDialog) if each.isVisible()]

    qtbot.waitUntil(lambda: titles() == ["設定"], timeout=SOON)
    (again,) = (each for each in window.findChildren(SettingsDialog) if each.isVisible())
    assert again.language.currentData() == "ja"
    qtbot.keyClick(again.language, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: titles() == ["Settings"], timeout=SOON)
