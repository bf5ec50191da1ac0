"""Pictures of any size and films made beside the window, by their dialogs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from gui import LEFT, SOON, buttons, click, is_at_rest, next_frame
from meaning import Meaning
from PIL import Image
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow
from polhode_app.window.capture.render_dialog import SIZES, RenderDialog
from polhode_app.window.shell.qt_translator import use_language

SCENE = """
title = "Swing"
[[body]]
name = "bob"
support = "pivot"
position = [0, 0, 0.6]
angular_velocity = [0, 2, 0]
shape = [{ kind = "sphere", radius = 0.05, mass = 1, position = [0, 0, -0.5], color = "tomato" }]
"""
FILM = 280_000  # [ms] of another process that may have to compile


@pytest.fixture
def window(lab: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    monkeypatch.setattr(
        "polhode_app.window.capture.film_renderer.new_file", lambda ending, _scene: tmp_path / f"mine.{ending}"
    )
    return lab()


def save(dialog: RenderDialog) -> None:
    dialog.buttons.button(QDialogButtonBox.StandardButton.Save).click()


def ask_small_film(window: MainWindow) -> RenderDialog:
    """The dialog of half a second of it."""
    window.action_table["film_as"].trigger()
    dialog = window.film_renderer.dialog
    dialog.sizes.setCurrentIndex(dialog.sizes.count() - 1)
    dialog.width_box.setValue(160)
    dialog.height_box.setValue(90)
    dialog.fps.setValue(10.0)
    dialog.until.setValue(0.5)
    return dialog


def test_a_picture_has_the_size_that_was_asked_for(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    qtbot.wait(50)
    window.action_table["picture_as"].trigger()
    dialog = window.film_renderer.dialog
    dialog.sizes.setCurrentIndex(dialog.sizes.count() - 1)
    dialog.width_box.setValue(900)
    dialog.height_box.setValue(500)
    dialog.transparent.setChecked(True)
    dialog.clock.setChecked(True)
    save(dialog)
    qtbot.waitUntil(lambda: "Picture saved" in window.toast.text, timeout=SOON)
    with Image.open(tmp_path / "mine.png") as image:
        assert image.size == (900, 500)
        assert image.text["Title"] == "Swing"
        assert float(image.text["Simulated time"].split()[0]) == window.session.frame.snapshot.time
        picture = np.asarray(image).astype(int)
    assert picture[250, 5, 3] == 0
    red = (picture[..., 0] > 120) & (picture[..., 2] < 110) & (picture[..., 3] > 200)
    assert red.sum() > 200  # the bob
    drawn = window.view.pixels()
    assert drawn.shape[:2] != (500, 900)  # the window has kept its own


def test_a_quick_picture_knows_what_it_is_of(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "polhode_app.window.capture.capture_actions.new_file", lambda ending, _scene: tmp_path / f"quick.{ending}"
    )

    def drawn() -> float:
        return float(window.film_renderer.metadata().get("Simulated time", "0 s").split()[0])

    qtbot.waitUntil(lambda: drawn() > 0.05, timeout=SOON)
    window.action_table["take_picture"].trigger()
    with Image.open(tmp_path / "quick.png") as image:
        assert image.text["Title"] == "Swing"
        assert image.text["Scene"] == "scene.toml"
        assert float(image.text["Simulated time"].split()[0]) > 0.05


def test_the_view_goes_on_after_a_picture(window: MainWindow, qtbot: QtBot) -> None:
    window.action_table["picture_as"].trigger()
    save(window.film_renderer.dialog)
    qtbot.waitUntil(lambda: "Picture saved" in window.toast.text, timeout=SOON)
    before = window.view.pixels().astype(int)
    time = window.session.frame.snapshot.time
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > time + 0.3, timeout=SOON)
    qtbot.waitUntil(lambda: np.abs(window.view.pixels().astype(int) - before).max() > 60, timeout=SOON)


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


def small_picture(window: MainWindow, qtbot: QtBot, path: Path, plain: bool) -> np.ndarray:
    """A picture of 320 x 200 by the dialog, by clicks."""
    window.action_table["picture_as"].trigger()
    dialog = window.film_renderer.dialog
    dialog.sizes.setCurrentIndex(dialog.sizes.count() - 1)
    dialog.width_box.setValue(320)
    dialog.height_box.setValue(200)
    if plain:
        qtbot.mouseClick(dialog.annotations, LEFT, pos=QPoint(8, dialog.annotations.height() // 2))
    assert dialog.annotations.isChecked() is not plain
    dialog.path.setText(str(path))
    save(dialog)
    qtbot.waitUntil(lambda: path.exists() and not window.film_renderer.pictures.is_busy, timeout=SOON)
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def test_axes_and_grid_label_can_be_left_out(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    qtbot.waitUntil(lambda: is_at_rest(window.view), timeout=SOON)
    next_frame(window.view, qtbot)
    usual, plain = (small_picture(window, qtbot, tmp_path / f"{on}.png", on) for on in (False, True))
    changed = np.abs(usual - plain).max(axis=2) > 12
    assert changed[160:, :40].any()  # the axes
    assert changed[160:, 240:].any()  # the length of a cell
    assert not changed[:140].any()


def test_a_quick_picture_leaves_out_the_selection(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.session.select(("body", 0))  # the first selection opens the inspector, beside a narrower view
    qtbot.waitUntil(lambda: window.docks.dock("inspector") is not None, timeout=SOON)
    qtbot.waitUntil(window.docks.docks["inspector"].isVisible, timeout=SOON)
    window.session.select(None)
    made = iter(tmp_path / f"quick{k}.png" for k in range(2))
    monkeypatch.setattr("polhode_app.window.capture.capture_actions.new_file", lambda _ending, _scene: next(made))
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    qtbot.waitUntil(lambda: is_at_rest(window.view), timeout=SOON)
    next_frame(window.view, qtbot)
    window.action_table["take_picture"].trigger()
    before = window.view.pixels().astype(int)
    window.session.select(("body", 0))
    next_frame(window.view, qtbot)
    selected = window.view.pixels().astype(int)
    assert (np.abs(selected - before).max(axis=2) > 40).sum() > 100  # the outline
    window.action_table["take_picture"].trigger()
    first, second = (np.asarray(Image.open(tmp_path / f"quick{k}.png").convert("RGB")).astype(int) for k in range(2))
    assert np.abs(first - second).max() <= 2
    next_frame(window.view, qtbot)
    assert np.abs(window.view.pixels().astype(int) - selected).max() <= 2  # it is drawn again


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


def test_the_window_answers_while_a_large_picture_is_saved(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.action_table["picture_as"].trigger()
    dialog = window.film_renderer.dialog
    dialog.sizes.setCurrentIndex(1 + SIZES.index((2560, 1440)))
    save(dialog)
    assert not dialog.isVisible()
    pictures, said, ticks = window.film_renderer.pictures, [], []
    window.toast.message_shown.connect(said.append)
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append(pictures._job.is_running))
    timer.start()
    assert "%" in window.toast.text
    shares = set()

    def is_saved() -> bool:
        shares.add(window.toast.text)
        return (tmp_path / "mine.png").exists() and not pictures.is_busy

    qtbot.waitUntil(is_saved, timeout=SOON)
    assert len([text for text in shares if "%" in text]) >= 3
    assert sum(ticks) >= 3  # the window has answered while the file was packed
    with Image.open(tmp_path / "mine.png") as image:
        assert image.size == (2560, 1440)


def test_a_cancelled_picture_leaves_no_file(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.action_table["picture_as"].trigger()
    save(window.film_renderer.dialog)
    (cancel,) = buttons(window)
    click(qtbot, cancel)
    assert not window.film_renderer.pictures.is_busy
    qtbot.wait(300)
    assert list(tmp_path.glob("*.png")) == []


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
