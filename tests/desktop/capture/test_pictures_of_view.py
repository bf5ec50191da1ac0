"""Pictures of the view: quick ones, and those of any size that a process beside the window draws."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import LEFT, SOON, buttons, click, is_at_rest, next_frame
from meaning import Meaning
from PIL import Image
from PySide6.QtCore import QPoint, QTimer
from pytestqt.qtbot import QtBot
from rendering import SWING, asked, save, write_to

from polhode_app.main_window import MainWindow
from polhode_app.viewport.base.picture import USUAL
from polhode_app.window.shell.qt_translator import use_language

SCENE = SWING
GHOST = """
[[ghost]]
name = "slower"
body = "bob"
angular_velocity = [0, -1, 0]
"""
DRAWN = 120_000  # [ms] of another process
LEAST = 0.001  # share of squares that edges of different smoothness may change
GAP = 0.25  # [s] between two events of the window: drawing its own frames on a busy machine takes up to half of it
HALT = 2.0  # [s] that other programs may cause on a busy machine; a picture of 4K in this process takes longer


@pytest.fixture
def window(lab: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    write_to(tmp_path, monkeypatch)
    return lab()


def is_busy(window: MainWindow) -> bool:
    """Whether a file is written beside the window."""
    return bool(window.context.exports.orders)


def pause(window: MainWindow, qtbot: QtBot) -> None:
    """Pause the run, and wait until the view shows it at rest."""
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    qtbot.waitUntil(lambda: window.scene_view.now is window.session.frame.snapshot, timeout=SOON)
    qtbot.waitUntil(lambda: is_at_rest(window.view), timeout=SOON)
    next_frame(window.view, qtbot)


def blocks(path: Path) -> np.ndarray:
    """Mean colours of squares of 8 x 8 pixels, which smooth and jagged edges of one thing share."""
    picture = np.asarray(Image.open(path).convert("RGB")).astype(float)
    height, width = (side // 8 * 8 for side in picture.shape[:2])
    return picture[:height, :width].reshape(height // 8, 8, width // 8, 8, 3).mean(axis=(1, 3))


def test_a_picture_has_the_size_that_was_asked_for(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    pause(window, qtbot)
    dialog = asked(window, "picture_as", (900, 500))
    dialog.transparent.setChecked(True)
    dialog.clock.setChecked(True)
    save(dialog)
    qtbot.waitUntil(lambda: "Picture saved" in window.toast.text, timeout=DRAWN)
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
    write_to(tmp_path, monkeypatch, "capture_actions", "quick")

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
    qtbot.waitUntil(lambda: "Picture saved" in window.toast.text, timeout=DRAWN)
    before = window.view.pixels().astype(int)
    time = window.session.frame.snapshot.time
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > time + 0.3, timeout=SOON)
    qtbot.waitUntil(lambda: np.abs(window.view.pixels().astype(int) - before).max() > 60, timeout=SOON)


def small_picture(window: MainWindow, qtbot: QtBot, path: Path, plain: bool) -> np.ndarray:
    """A picture of 320 x 200 by the dialog, by clicks."""
    dialog = asked(window, "picture_as", (320, 200))
    if plain:
        qtbot.mouseClick(dialog.annotations, LEFT, pos=QPoint(8, dialog.annotations.height() // 2))
    assert dialog.annotations.isChecked() is not plain
    dialog.path.setText(str(path))
    save(dialog)
    qtbot.waitUntil(lambda: path.exists() and not is_busy(window), timeout=DRAWN)
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def test_axes_and_grid_label_can_be_left_out(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    pause(window, qtbot)
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
    pause(window, qtbot)
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


def test_the_window_answers_while_a_large_picture_is_drawn(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """The run continues, the view is drawn, and the share that is done is shown."""
    dialog = asked(window, "picture_as", (3840, 2160))
    qtbot.wait(200)
    gaps, last, shares, frames = [], [time.perf_counter()], set(), set()

    def look() -> None:
        now = time.perf_counter()
        gaps.append(now - last[0])
        last[0] = now
        shares.add(window.toast.text)
        frames.add(window.scene_view.now.time)

    timer = QTimer(interval=5)
    timer.timeout.connect(look)
    timer.start()
    save(dialog)
    assert not dialog.isVisible()
    assert "%" in window.toast.text
    qtbot.waitUntil(lambda: (tmp_path / "mine.png").exists() and not is_busy(window), timeout=DRAWN)
    timer.stop()
    assert np.percentile(gaps, 95) < GAP, sorted(gaps)[-5:]
    assert max(gaps) < HALT
    assert len([text for text in shares if "%" in text]) >= 4
    assert len(frames) > 10
    with Image.open(tmp_path / "mine.png") as image:
        assert image.size == (3840, 2160)


def test_a_picture_is_what_the_window_shows(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trails, ghosts with their names, arrows with their scale, hidden kinds, theme and camera, in Japanese.

    A picture of the size of the view equals the one that the window draws, which no selection, theme, kind or camera
    from before does.
    """
    write_to(tmp_path, monkeypatch, "capture_actions", "quick")
    window = lab(SCENE + GHOST)
    window.resize(1100, 720)  # text of the view and of a picture of its height have one size
    qtbot.waitUntil(lambda: window.view.surface.height() < USUAL, timeout=SOON)
    window.set_language("ja")
    window.set_view_visible("forces", True)
    window.set_view_visible("shadows", False)  # those of the window are a frame late
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 1.5, timeout=SOON)
    pause(window, qtbot)

    def difference(name: str) -> float:
        """Share of the squares in which the quick picture differs from another one by more than a twelfth."""
        first, second = blocks(tmp_path / "quick.png"), blocks(tmp_path / f"{name}.png")
        return float((np.abs(first - second).max(axis=2) > 21).mean())

    def draw(name: str) -> None:
        dialog = asked(window, "picture_as", tuple(window.view.plotter.render_window.GetSize()))
        dialog.path.setText(str(tmp_path / f"{name}.png"))
        save(dialog)
        qtbot.waitUntil(lambda: (tmp_path / f"{name}.png").exists() and not is_busy(window), timeout=DRAWN)

    try:
        draw("trails")
        for name, on in (("trails", False), ("ground", False), ("ghosts", False)):
            window.action_table["take_picture"].trigger()
            assert difference(name) < LEAST, name
            window.set_view_visible(name, on)
            next_frame(window.view, qtbot)
            window.action_table["take_picture"].trigger()
            assert difference(name) > 1.5 * LEAST, name
            draw({"trails": "ground", "ground": "ghosts", "ghosts": "camera"}[name])
        window.action_table["top"].trigger()
        qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
        window.set_theme("dark")
        next_frame(window.view, qtbot)
        window.action_table["take_picture"].trigger()
        assert difference("camera") > 1.5 * LEAST
        draw("last")
        assert difference("last") < LEAST
    finally:
        use_language("en")
        window.set_theme("light")


def test_a_cancelled_picture_leaves_no_file(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    save(asked(window, "picture_as", (3840, 2160)))
    qtbot.waitUntil(lambda: window.context.exports.progress >= 0.7, timeout=DRAWN)
    (cancel,) = buttons(window)
    click(qtbot, cancel)
    assert not is_busy(window)
    qtbot.wait(300)
    assert list(tmp_path.glob("*.png")) == []
    assert list(tmp_path.glob(".polhode-*")) == []


def test_why_a_picture_can_not_be_saved_is_said(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = asked(window, "picture_as", (320, 200))
    dialog.path.setText(str(tmp_path / "none" / "mine.png"))
    save(dialog)
    assert Meaning("mine.png", folder=tmp_path / "none").of(window.toast.text)
    assert not is_busy(window)
