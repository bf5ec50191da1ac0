"""The 3-D view as a widget, drawn by a graphics card (Qt puts it together) or by the processor (it is painted)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
import pyvista as pv
from gui import SOON, next_frame
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from sampling import sampled

from polhode_app.viewport import widget
from polhode_app.viewport.software_surface import SoftwareSurface
from polhode_app.viewport.widget import ViewWidget

TWICE = """
import sys
from PySide6.QtWidgets import QApplication
from polhode_app.viewport import widget
widget.drawn_by_processor = lambda _window: sys.argv[1] == "by the processor"
application = QApplication([])
view = widget.ViewWidget()
view.resize(200, 150)
view.show()
for _ in range(3):
    application.processEvents()
drawn = view.plotter.render_window
print(*drawn.GetSize(), drawn.GetDPI(), *view.grab().size().toTuple(), *view.pixels().shape)
view.stop()
"""
LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(params=["by a card", "by the processor"])
def view(request: pytest.FixtureRequest, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[ViewWidget]:
    """A red ball in the middle, below and left of it a blue one."""
    monkeypatch.setattr(widget, "drawn_by_processor", lambda _window: request.param == "by the processor")
    shown = ViewWidget()
    shown.plotter.set_background("white")
    for center, color in (((0, 0, 0), "red"), ((-0.6, 0, -0.6), "blue")):
        shown.plotter.add_mesh(pv.Sphere(radius=0.3, center=center), color=color, lighting=False, render=False)
    camera = shown.plotter.renderer.GetActiveCamera()
    camera.SetFocalPoint(0, 0, 0)
    camera.SetPosition(0, -4, 0)
    camera.SetViewUp(0, 0, 1)
    shown.plotter.renderer.camera_set = True
    shown.resize(400, 300)
    shown.show()
    shown.start()
    next_frame(shown, qtbot)
    yield shown
    shown.stop()
    shown.close()


def seen(view: ViewWidget) -> np.ndarray:
    """(height, width, 3) of what stands in the window, top row first."""
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def middle_of(picture: np.ndarray, color: int) -> np.ndarray:
    """Mean row and column of what is of one color only."""
    others = [other for other in range(3) if other != color]
    return np.argwhere((picture[..., color] > 200) & (picture[..., others] < 50).all(axis=-1)).mean(axis=0)


def test_the_window_shows_what_is_drawn(view: ViewWidget) -> None:
    picture = seen(view)
    assert picture.shape == (300, 400, 3)
    assert middle_of(picture, 0) == pytest.approx((149.5, 199.5), abs=1.5)
    blue = middle_of(picture, 2)
    assert blue[0] > 180  # below
    assert blue[1] < 170  # and left
    assert np.abs(picture - view.pixels()).max() <= 2  # of 255


def test_another_size_is_another_picture(view: ViewWidget, qtbot: QtBot) -> None:
    view.resize(300, 360)
    next_frame(view, qtbot)
    picture = seen(view)
    assert picture.shape == view.pixels().shape == (360, 300, 3)
    assert middle_of(picture, 0) == pytest.approx((179.5, 149.5), abs=1.5)


def test_a_place_is_the_place_of_what_is_seen_there(view: ViewWidget) -> None:
    row, column = middle_of(seen(view), 2)
    point = view.point_at(QPointF(column, row))
    assert point is not None
    assert np.linalg.norm(point - (-0.6, 0, -0.6)) == pytest.approx(0.3, rel=0.02)
    assert view.point_at(QPointF(390, 10)) is None


def test_the_mouse_turns_moves_and_nears(view: ViewWidget, qtbot: QtBot) -> None:
    camera = view.plotter.renderer.GetActiveCamera()
    place = np.array(camera.GetPosition())
    drag(view, qtbot, Qt.KeyboardModifier.NoModifier)
    turned = np.array(camera.GetPosition())
    assert np.linalg.norm(turned - place) > 0.5
    assert np.array(camera.GetFocalPoint()) == pytest.approx(np.zeros(3), abs=1e-12)

    drag(view, qtbot, SHIFT)
    assert np.linalg.norm(camera.GetFocalPoint()) > 0.1  # by VTK's own hand

    before, at = camera.GetDistance(), QPointF(200, 150)
    to = QPointF(view.surface.mapToGlobal(at.toPoint()))
    buttons, plain, phase = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    QApplication.sendEvent(
        view.surface, QWheelEvent(at, to, QPoint(0, 0), QPoint(0, 240), buttons, plain, phase, False)
    )
    assert camera.GetDistance() < 0.95 * before


def drag(view: ViewWidget, qtbot: QtBot, keys: Qt.KeyboardModifier) -> None:
    qtbot.mousePress(view.surface, LEFT, keys, QPoint(200, 150))
    qtbot.mouseMove(view.surface, QPoint(260, 190))
    qtbot.mouseRelease(view.surface, LEFT, keys, QPoint(260, 190))
    next_frame(view, qtbot)


def test_a_click_and_a_right_click_say_where(view: ViewWidget, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.clicked, timeout=SOON) as left:
        qtbot.mouseClick(view.surface, LEFT, pos=QPoint(120, 80))
    with qtbot.waitSignal(view.asked, timeout=SOON) as right:
        qtbot.mouseClick(view.surface, Qt.MouseButton.RightButton, pos=QPoint(121, 81))
    assert left.args == [QPointF(120, 80)]
    assert right.args == [QPointF(121, 81)]


def test_what_stands_over_the_view_is_no_reason_to_draw_it(view: ViewWidget, qtbot: QtBot) -> None:
    frames: list[None] = []
    view.plotter.render_window.AddObserver("StartEvent", lambda *_: frames.append(None))
    label = QLabel("over it", view)
    label.show()
    qtbot.wait(100)
    frames.clear()
    for number in range(20):
        label.setText(str(number))
        qtbot.wait(5)
    assert len(frames) <= (0 if isinstance(view.surface, SoftwareSurface) else 20)
    next_frame(view, qtbot)
    qtbot.waitUntil(lambda: bool(frames), timeout=SOON)


def test_nobody_draws_what_nobody_sees(view: ViewWidget, qtbot: QtBot) -> None:
    view.hide()
    frames: list[None] = []
    view.plotter.render_window.AddObserver("StartEvent", lambda *_: frames.append(None))
    for _ in range(5):
        view.redraw()
        qtbot.wait(40)
    assert not frames
    view.show()
    next_frame(view, qtbot)
    assert frames


@pytest.mark.parametrize("way", sampled(["by a card", "by the processor"], 2))
def test_a_screen_of_small_pixels_has_as_many_of_them_and_larger_letters(way: str) -> None:
    """The scale of a screen belongs to a process."""
    run = subprocess.run(
        [sys.executable, "-c", TWICE, way],
        env={**os.environ, "QT_SCALE_FACTOR": "2"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert [int(number) for number in run.stdout.split()] == [400, 300, 144, 400, 300, 300, 400, 3]


def test_the_last_picture_stays_until_the_next_is_complete(view: ViewWidget, qtbot: QtBot) -> None:
    frames: list[int] = []
    view.drawn.connect(lambda: frames.append(1))
    qtbot.wait(100)  # what was asked for before is drawn
    ready, count = False, len(frames)
    view.is_ready = lambda: ready
    view.redraw()
    qtbot.wait(200)
    assert len(frames) == count
    with qtbot.waitSignal(view.drawn, timeout=SOON):
        ready = True


def test_what_is_drawn_or_touched_too_early_is_completed_first(view: ViewWidget, qtbot: QtBot) -> None:
    completed: list[str] = []
    view.is_ready, view.complete = lambda: False, lambda: completed.append("")
    qtbot.mousePress(view.surface, LEFT, pos=QPoint(20, 20))
    qtbot.mouseRelease(view.surface, LEFT, pos=QPoint(20, 20))
    assert len(completed) == 1
    with qtbot.waitSignal(view.drawn, timeout=SOON):
        view.resize(320, 240)
    assert len(completed) > 1
