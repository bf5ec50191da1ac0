"""Films and cameras as sources of measured data, in the real window. A pipe of pictures is the camera."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from filmed_tag import Filming, facing, frames, uneven, write_film
from gui import SOON, START, accepted, click, opened_row, type_in
from measured_window import drop
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from polhode.camera import picture_process
from polhode.camera.lens import Lens
from polhode.camera.tags import Tag
from polhode.data.reading import read_data
from polhode_app.docks.measured.measured_dock import MeasuredDock
from polhode_app.docks.measured.rows.camera_row import CAMERA, PIPE, CameraRow
from polhode_app.main_window import MainWindow
from polhode_app.viewport.picking.picking import Picker
from polhode_app.window.widgets.data_drag import pose_data

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

SCENE = """
title = "A card"
world = { gravity = [0, 0, 0] }
[[body]]
name = "card"
support = "fixed"
position = [0, 1, 0]
shape = [{ kind = "cuboid", size = [0.3, 0.3, 0.1], mass = 0.1 }]
"""
TAG, SIDE, COUNT, INTERVAL, JITTER = Tag("36h11", 3), 0.04, 20, 0.1, 0.02
SMALL = Filming(focal=560.0, size=(640, 360), centre=(322.0, 181.0), distortion=(0.0,) * 5)
"""A camera with small pictures, which are read fast."""


SEEN_Z = -0.05 - 1.5 * 0.8 / SMALL.focal
"""[m] z of a tag 0.05 m below the axis of the assumed lens, which is in the middle of the picture."""


def pose(time: float):
    angle = 0.4 * np.sin(2.0 * time)
    turned = cv2.Rodrigues(np.array([0.0, 0.0, angle]))[0] @ facing(0.4, 0.3)
    return turned, np.array([0.2 * np.sin(2.0 * time), 0.1 * time - 0.1, 0.8])


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "card.mp4"
    shown = frames(SMALL, TAG.bitmap(cv2), SIDE, pose, uneven(COUNT, INTERVAL, JITTER))
    write_film(path, shown, SMALL.size, INTERVAL, JITTER)
    Lens((SMALL.focal,) * 2, SMALL.centre, SMALL.size).save(path.with_name("camera.toml"))
    return path


def opened(window: MainWindow, qtbot: QtBot) -> tuple[CameraRow, MeasuredDock]:
    row = opened_row(window, qtbot, "camera")
    return row, window.docks.docks["measured"]


def watched(window: MainWindow, qtbot: QtBot, film: Path) -> tuple[CameraRow, MeasuredDock]:
    """Type the files of a film and a calibration, and watch it to its end."""
    row, dock = opened(window, qtbot)
    click(qtbot, row.path)
    qtbot.keyClicks(row.path, str(film))
    click(qtbot, row.calibration)
    qtbot.keyClicks(row.calibration, str(film.with_name("camera.toml")))
    click(qtbot, row.watch)
    assert dock.camera.link.is_watching
    qtbot.waitUntil(lambda: not dock.camera.link.is_watching, timeout=START)
    return row, dock


def dropped_on_the_body(window: MainWindow, qtbot: QtBot, action: int) -> None:
    """Drop the pose on the body in the view, and choose an action of the menu by keys."""
    view, frame, stage = window.view, window.session.frame, window.scene_view.stage
    assert frame is not None
    assert stage is not None
    picker = Picker(stage)
    places = [QPoint(x, y) for x in range(12, view.width(), 12) for y in range(12, view.height(), 12)]
    on_it = [at for at in places if (seen := picker.see(view.ray_at(at.toPointF()), frame.snapshot)) and seen.name]
    beside = next(at for at in places if picker.see(view.ray_at(at.toPointF()), frame.snapshot) is None)
    drop(view, pose_data(), beside)
    assert QApplication.activePopupWidget() is None
    drop(view, pose_data(), on_it[len(on_it) // 2])
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None, timeout=SOON)
    menu = QApplication.activePopupWidget()
    for _ in range(action + 1):
        qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)


def upright(vector: np.ndarray) -> np.ndarray:
    return np.array([vector[0], vector[2], -vector[1]])


def test_a_film_lies_over_a_body_and_drives_it(
    lab: Callable[..., MainWindow], qtbot: QtBot, film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pose of the tag as a ghost at the time of the run; dropped again, it moves the body from where that was."""
    window = lab(SCENE)
    row, dock = watched(window, qtbot, film)
    assert not row.error.isVisible()
    qtbot.waitUntil(lambda: dock.data.layer is not None, timeout=SOON)
    assert len(dock.data.layer.data.times) == COUNT
    dropped_on_the_body(window, qtbot, 0)
    assert dock.data.layer.mapping["x"] == "card.position.x"
    assert dock.data.layer.mapping["u3.z"] == "card.u3.z"
    window.session.set_speed(0.5)
    window.session.reset()
    times = dock.data.layer.times

    def ghost_is_right() -> bool:
        ghosts, frame = dock.pose._ghosts, window.session.frame
        if ghosts is None or 0 not in ghosts.poses or not times[1] < frame.snapshot.time < times[-2]:
            return False
        now = frame.snapshot.time
        place, axes = ghosts.poses[0]
        right, up, out = pose(now)[0].T
        turned = np.array([upright(right), -upright(out), upright(up)])
        return np.abs(place - upright(pose(now)[1])).max() < 0.03 and np.abs(axes - turned).max() < 0.1

    qtbot.waitUntil(ghost_is_right, timeout=START)
    path = tmp_path / "pose.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(path), ""))
    before = window.session.document.scene.body[0]
    dropped_on_the_body(window, qtbot, 1)  # asks for a file first
    children = Qt.FindChildOption.FindDirectChildrenOnly
    qtbot.waitUntil(lambda: not dock.data_tab.pose.findChildren(QMenu, options=children), timeout=SOON)
    qtbot.waitUntil(lambda: window.session.document.scene.body[0].support == "driven", timeout=START)
    scene = accepted(window, qtbot)
    assert scene.body[0].position == before.position
    assert {scene.body[0].motion.x.data, scene.body[0].motion.turn_z.data} == {"pose.csv"}
    assert len(read_data(path).times) == COUNT
    assert dock.data.path == path
    window.session.set_speed(1.0)
    qtbot.waitUntil(lambda: (window.session.frame.snapshot.time or 0) > times[-1] + 0.1, timeout=START)
    moved = window.session.frame.snapshot.bodies.position[0] - before.position
    assert moved == pytest.approx(upright(pose(times[-1])[1] - pose(0.0)[1]), abs=0.01)
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot).body[0] == before


def choose(dock: MeasuredDock, action: int) -> None:
    """An action of the menu that takes the pose to a body: 0 lays it over the first body, 1 drives that."""
    menu = dock.data_tab.pose.menu
    menu.aboutToShow.emit()
    menu.actions()[action].trigger()


@pytest.mark.parametrize("answer", ["cancelled", "unwritable"])
def test_a_body_is_not_driven_by_a_later_table(
    lab: Callable[..., MainWindow],
    qtbot: QtBot,
    film: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
) -> None:
    """Where the table that it was to be driven by was not saved."""
    window = lab(SCENE)
    row, dock = watched(window, qtbot, film)
    qtbot.waitUntil(lambda: dock.data.layer is not None, timeout=SOON)
    names = ["" if answer == "cancelled" else str(tmp_path / "none" / "pose.csv"), str(tmp_path / "pose.csv")]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (names.pop(0), ""))
    choose(dock, 1)
    if answer == "unwritable":
        qtbot.waitUntil(row.error.isVisible, timeout=SOON)
    assert len(names) == 1
    before = window.session.document.scene
    click(qtbot, row.save)
    qtbot.waitUntil(lambda: dock.data.path == tmp_path / "pose.csv", timeout=SOON)
    qtbot.wait(100)
    assert accepted(window, qtbot) is before


def stream(pipe: Path, positions: Iterable[float], pause: float, end: threading.Event | None = None) -> None:
    """Pictures of a tag at positions [m] along x, in the format of a camera's pipe."""
    noise = np.random.default_rng(0)
    with suppress(BrokenPipeError), pipe.open("wb", buffering=0) as file:
        file.write(b"YUV4MPEG2 W640 H360 F30:1 Cmono\n")
        for x in positions:
            picture = SMALL.picture(TAG.bitmap(cv2), SIDE, [(facing(0.4), np.array([x, 0.05, 0.8]))], noise)
            file.write(b"FRAME\n" + picture.tobytes())
            time.sleep(pause)
        if end is not None:
            end.wait(60)


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "camera.y4m"
    os.mkfifo(path)
    yield path
    descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)  # a thread that waits for a reader may end
    time.sleep(0.1)
    os.close(descriptor)


def begun(window: MainWindow, qtbot: QtBot, pipe: Path) -> tuple[CameraRow, MeasuredDock]:
    """Choose the pipe as the camera, and watch it."""
    row, dock = opened(window, qtbot)
    row.source.setCurrentIndex(row.source.findData(PIPE))
    type_in(qtbot, row.path, str(pipe))  # Return watches
    assert dock.camera.link.is_watching
    return row, dock


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_the_pose_of_a_camera_moves_the_ghost_at_once(lab: Callable[..., MainWindow], qtbot: QtBot, pipe: Path) -> None:
    """While its table grows in the plot; the rows stay when it stalls."""
    window, moved, end = lab(SCENE), threading.Event(), threading.Event()
    sent: list[float] = []

    def positions() -> Iterator[float]:
        """They grow until the ghost has moved, and at least 20 times."""
        while len(sent) < 20 or (not moved.is_set() and len(sent) < 140):
            sent.append(-0.1 + 0.002 * len(sent))
            yield sent[-1]

    thread = threading.Thread(target=stream, args=(pipe, positions(), 0.15, end), daemon=True)
    thread.start()
    row, dock = begun(window, qtbot, pipe)
    qtbot.waitUntil(lambda: dock.data.layer is not None, timeout=START)
    dropped_on_the_body(window, qtbot, 0)
    seen: list[float] = []

    def ghost_has_moved() -> bool:
        if dock.pose._ghosts is not None and 0 in dock.pose._ghosts.poses:
            seen.append(float(dock.pose._ghosts.poses[0][0][0]))
        return len(set(seen)) > 5

    qtbot.waitUntil(ghost_has_moved, timeout=START)
    assert seen == sorted(seen)
    count = len(dock.data.layer.data.times)
    qtbot.waitUntil(lambda: len(dock.data.layer.data.times) > count, timeout=START)
    moved.set()
    assert dock.data.layer.mapping["x"] == "card.position.x"  # while it grows
    qtbot.waitUntil(lambda: not dock.camera.link.is_watching, timeout=START)  # it stalls
    end.set()
    thread.join()
    assert row.error.isVisible()
    assert row.save.isVisible()
    qtbot.waitUntil(lambda: len(dock.data.layer.data.times) == len(sent), timeout=START)
    assert dock.data.layer.data.column("z").values == pytest.approx(SEEN_Z, abs=1e-3)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_stopping_keeps_what_a_camera_has_brought(
    lab: Callable[..., MainWindow], qtbot: QtBot, pipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: ("", ""))
    window, end = lab(SCENE), threading.Event()
    thread = threading.Thread(target=stream, args=(pipe, [0.01 * k for k in range(12)], 0.05, end), daemon=True)
    thread.start()
    row, dock = begun(window, qtbot, pipe)
    qtbot.waitUntil(lambda: dock.camera.link.state.pictures >= 8 and dock.data.layer is not None, timeout=START)
    assert not dock.data_tab.pose.error.isVisible()
    choose(dock, 1)  # more rows may come
    assert dock.data_tab.pose.error.isVisible()
    click(qtbot, row.watch)
    assert not dock.camera.link.is_watching
    end.set()
    qtbot.waitUntil(lambda: dock.data.layer is not None and len(dock.data.layer.data.times) >= 8, timeout=SOON)
    assert not row.error.isVisible()
    assert row.save.isVisible()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_the_window_never_waits_for_a_camera(
    lab: Callable[..., MainWindow], qtbot: QtBot, pipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe without a writer blocks when it is opened: frames are drawn meanwhile, and a message says so."""
    monkeypatch.setattr(picture_process, "STALL", 3.0)
    window = lab(SCENE)
    row, dock = begun(window, qtbot, pipe)
    frames_before = window.session.frame.snapshot.time
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > frames_before + 0.5, timeout=2500)
    assert dock.camera.link.is_watching
    qtbot.waitUntil(lambda: row.error.isVisible(), timeout=SOON)
    assert not dock.camera.link.is_watching
    assert dock.data.layer is None


@pytest.mark.parametrize("fault", ["library", "no file", "tag", "unseen", "no film", "camera"])
def test_bad_requests_are_told_beside_the_controls(
    lab: Callable[..., MainWindow],
    qtbot: QtBot,
    film: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
) -> None:
    """And what is shown of other data stays."""
    window = lab(SCENE)
    if fault == "library":
        monkeypatch.setattr(picture_process, "find_spec", lambda _name: None)
    row, dock = opened(window, qtbot)
    path = film
    if fault == "library":
        qtbot.waitUntil(row.error.isVisible, timeout=SOON)  # before anything is asked for
    elif fault in ("tag", "unseen"):
        type_in(qtbot, row.tag, "36h11:999" if fault == "tag" else "36h11:5")
    elif fault == "no film":
        path = film.with_name("none.mp4")
        path.write_bytes(b"\0\0\0\x18ftypmp42" + bytes(100))
    if fault == "camera":
        row.source.setCurrentIndex(row.source.findData(CAMERA))
        row.number.setValue(99)
    elif fault != "no file":
        click(qtbot, row.path)
        qtbot.keyClicks(row.path, str(path))
    click(qtbot, row.watch)
    qtbot.waitUntil(lambda: row.error.isVisible() and not dock.camera.link.is_watching, timeout=START)
    assert row.watch.isEnabled()
    assert not row.save.isVisible()
    if fault == "library":
        assert "opencv-python-headless" in row.error.text()


def test_a_film_that_is_dropped_on_the_window_is_the_source(
    lab: Callable[..., MainWindow], qtbot: QtBot, film: Path
) -> None:
    window, data = lab(SCENE), QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(film))])
    drop(window, data)
    qtbot.waitUntil(lambda: window.docks.dock("measured") is not None, timeout=SOON)
    row = window.docks.docks["measured"].data_tab.camera
    qtbot.waitUntil(row.isVisible, timeout=SOON)
    assert row.path.text() == str(film)


def test_sheets_and_the_calibration_are_remembered(
    lab: Callable[..., MainWindow], qtbot: QtBot, film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = lab(SCENE)
    row, _ = watched(window, qtbot, film)
    path = tmp_path / "sheet.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(path), ""))
    row.actions_of["tag"].trigger()
    qtbot.waitUntil(path.exists, timeout=SOON)
    assert path.read_bytes().startswith(b"%PDF")
    assert window.settings.camera_calibration == str(film.with_name("camera.toml"))
    type_in(qtbot, row.size, "0.3")  # wider than the paper
    path.unlink()
    row.actions_of["tag"].trigger()
    qtbot.waitUntil(row.error.isVisible, timeout=SOON)
    assert not path.exists()
