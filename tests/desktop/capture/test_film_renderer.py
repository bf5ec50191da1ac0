"""Films made beside the window, by their dialog."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from gui import LEFT, SOON, click, is_at_rest, next_frame
from meaning import Meaning
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from rendering import SWING, asked, save, write_to

from polhode_app.main_window import MainWindow
from polhode_app.window.capture.render_dialog import SIZES, RenderDialog
from polhode_app.window.shell.qt_translator import use_language

SCENE = SWING
FILM = 280_000  # [ms] of another process that may have to compile


@pytest.fixture
def window(lab: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    write_to(tmp_path, monkeypatch)
    return lab()


def ask_small_film(window: MainWindow) -> RenderDialog:
    """The dialog of half a second of it."""
    dialog = asked(window, "film_as", (160, 90))
    dialog.fps.setValue(10.0)
    dialog.until.setValue(0.5)
    return dialog


@pytest.mark.nightly
def test_a_film_is_made_beside_the_window(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = ask_small_film(window)
    dialog.camera.setCurrentIndex(1)
    assert "0.5 s of film, 6 frames" in dialog.summary.text()
    window.scene_view.set_arrow_size("dipoles", 2.5)
    save(dialog)
    arguments = window.film_renderer.films.orders[0].arguments
    assert arguments[arguments.index("--arrows") + 1] == "dipoles=2.5"
    assert window.film_renderer.bar.isVisible()
    assert not (tmp_path / "mine.mp4").exists()
    qtbot.waitUntil(lambda: "Video saved" in window.toast.text, timeout=FILM)
    assert window.session.running  # again
    reader = imageio_ffmpeg.read_frames(str(tmp_path / "mine.mp4"))
    assert next(reader)["size"] == (160, 90)
    pictures = [np.frombuffer(frame, np.uint8).astype(int) for frame in reader]
    assert len(pictures) == 6
    assert np.abs(pictures[0] - pictures[-1]).max() > 60
    assert not window.film_renderer.bar.isVisible()


@pytest.mark.nightly
def test_a_film_goes_on_while_the_language_changes(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.play(False)
    save(ask_small_film(window))
    window.set_language("ja")
    assert window.film_renderer.bar.isVisible()
    qtbot.waitUntil(lambda: "動画を保存しました" in window.toast.text, timeout=FILM)
    assert not window.film_renderer.bar.isVisible()
    reader = imageio_ffmpeg.read_frames(str(tmp_path / "mine.mp4"))
    assert next(reader)["size"] == (160, 90)
    assert len([*reader]) == 6
    use_language("en")


@pytest.mark.nightly
def test_a_cancelled_film_leaves_nothing(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.play(False)
    window.action_table["film_as"].trigger()
    dialog = window.film_renderer.dialog
    dialog.until.setValue(1000.0)
    save(dialog)
    qtbot.waitUntil(lambda: bool(list(tmp_path.glob(".polhode-*.part"))), timeout=FILM)
    window.film_renderer.cancel()
    assert not window.film_renderer.bar.isVisible()
    qtbot.waitUntil(lambda: not list(tmp_path.glob("*mine*.mp4")), timeout=FILM)
    assert "cancelled" in window.toast.text


@pytest.mark.nightly
def test_why_a_film_can_not_be_made_is_said(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.play(False)
    window.action_table["film_as"].trigger()
    window.film_renderer.dialog.path.setText(str(tmp_path / "none" / "film.mp4"))
    save(window.film_renderer.dialog)
    qtbot.waitUntil(lambda: Meaning("film.mp4", folder=tmp_path / "none").of(window.toast.text), timeout=FILM)


def test_keys_of_the_camera_are_taken_from_the_view(qtbot: QtBot, window: MainWindow) -> None:
    window.action_table["film_as"].trigger()
    dialog = window.film_renderer.dialog
    dialog.camera.setCurrentIndex(2)
    dialog.add_key.click()
    window.action_table["top"].trigger()
    camera = window.view.plotter.renderer.GetActiveCamera()
    qtbot.waitUntil(lambda: camera.GetDirectionOfProjection()[2] < -1 + 1e-9, timeout=SOON)  # it glides there
    dialog.add_key.click()
    dialog.kind.setCurrentIndex(dialog.kind.findData(".webm"))
    wish = dialog.options
    dialog.reject()
    assert [key.time for key in wish.keys] == [0.0, 2.0]
    first, second = (np.subtract(key.position, key.look_at) for key in wish.keys)
    assert abs(second[2]) == pytest.approx(np.linalg.norm(second))
    assert abs(first[2]) < 0.9 * np.linalg.norm(first)
    assert wish.path.suffix == ".webm"


def widths_of(window: MainWindow, qtbot: QtBot) -> int:
    """Number of widths that the view has within half a second."""
    found = set()
    for _ in range(10):
        qtbot.wait(50)
        found.add(window.view.surface.width())
    return len(found)


def test_a_recorded_film_leaves_out_the_selection(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By keys: from the first frame on, also one that is selected meanwhile; the selection is seen again afterwards."""
    window.session.select(("body", 0))  # the first selection opens the inspector, beside a narrower view
    qtbot.waitUntil(lambda: widths_of(window, qtbot) == 1, timeout=SOON)
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    window.view.shows_whole = True  # as during a film, so that pictures can be compared
    qtbot.waitUntil(lambda: is_at_rest(window.view), timeout=SOON)
    window.session.select(None)
    next_frame(window.view, qtbot)
    alone = window.view.pixels().astype(int)
    window.session.select(("body", 0))
    next_frame(window.view, qtbot)
    assert (np.abs(window.view.pixels().astype(int) - alone).max(axis=2) > 40).sum() > 100
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    recorder, frames = window.capture_actions.recorder, []
    qtbot.keyClick(window, Qt.Key.Key_R, keys)
    film = recorder._recorder
    add = film.add
    monkeypatch.setattr(film, "add", lambda picture, wall: (frames.append(picture.astype(int)), add(picture, wall)))
    for selection in (None, ("body", 0)):
        window.session.select(selection)
        window.view.redraw()
        before = len(frames)
        qtbot.waitUntil(lambda before=before: len(frames) > before, timeout=SOON)
    with qtbot.waitSignal(recorder.ended, timeout=SOON):
        qtbot.keyClick(window, Qt.Key.Key_R, keys)
    assert max(np.abs(frame - alone).max() for frame in frames) <= 2
    window.view.shows_whole = True
    next_frame(window.view, qtbot)
    assert (np.abs(window.view.pixels().astype(int) - alone).max(axis=2) > 40).sum() > 100


def test_each_format_names_the_size_of_its_file(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask_small_film(window)

    def megabytes(ending: str) -> float:
        text = dialog.kind.itemText(dialog.kind.findData(ending))
        number, unit = re.search(r"([\d.]+) (MB|GB)", text).groups()
        return float(number) * {"MB": 1, "GB": 1000}[unit]

    dialog.sizes.setCurrentIndex(1 + SIZES.index((1920, 1080)))
    dialog.fps.setValue(30.0)
    dialog.until.setValue(10.0)
    ten = {ending: megabytes(ending) for ending in (".mp4", ".webm", ".gif", "-%04d.png")}
    assert ten[".webm"] <= ten[".mp4"] < ten[".gif"] < ten["-%04d.png"]
    dialog.until.setValue(1000.0)
    assert megabytes(".gif") == pytest.approx(100 * ten[".gif"], rel=0.3)  # of one digit
    dialog.reject()


@pytest.mark.parametrize("plays", [False, True])
def test_the_run_pauses_for_a_film(window: MainWindow, qtbot: QtBot, plays: bool) -> None:
    session = window.session
    save(ask_small_film(window))
    qtbot.waitUntil(lambda: session.frame is not None and not session.frame.running, timeout=SOON)
    assert not session.running
    bar = window.film_renderer.bar
    lines = bar.text.count("\n")
    if plays:  # the person decides
        qtbot.keyClick(window, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: session.running, timeout=SOON)
        window.session.play(False)
    click(qtbot, bar._cancel_button)
    assert session.running is not plays
    assert lines == 1


def test_the_run_goes_on_beside_a_film_if_wanted(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask_small_film(window)
    qtbot.mouseClick(dialog.pauses, LEFT, pos=QPoint(8, dialog.pauses.height() // 2))
    save(dialog)
    assert window.session.running
    window.film_renderer.cancel()
    assert window.session.running
