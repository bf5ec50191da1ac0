"""GUI tests of the main window under Xvfb, with keys, mouse and files."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pem
import pytest
from gui import LEFT, SOON, next_frame
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLineEdit, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from polhode import read_scene
from polhode.scene import gallery
from polhode.scene.scene import Solver
from polhode_app.edit.add_menu import ADDITIONS
from polhode_app.i18n.field_names import scene_title
from polhode_app.main_window import MainWindow
from polhode_app.window.files.mesh_dialog import SUPPORTS, MeshDialog
from polhode_app.window.shell.lessons import LESSONS, lesson_name
from polhode_app.window.shell.menus import scene_group, scenes
from polhode_app.window.shell.theme import apply_theme
from polhode_app.window.widgets.problems_dialog import ProblemsDialog


def cube(path: Path, side: float = 40.0, missing: int = 0) -> Path:
    """A cube as an ASCII STL file, of which some triangles may be missing."""
    corners = side * np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    squares = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in squares for t in ((a, b, c), (a, c, d))][: 12 - missing]
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*corners[i]) for i in triangle)
        + "endloop\nendfacet\n"
        for triangle in triangles
    )
    path.write_text(f"solid cube\n{facets}endsolid cube\n")
    return path


def time_of(window: MainWindow) -> float:
    """Simulated time [s]; NaN from an edit to the first moment of its run."""
    return math.nan if window.session.frame is None else window.session.frame.snapshot.time


def drop(window: MainWindow, path: Path) -> None:
    """Send the window the events of a dropped file."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(300, 300), action, data, button, keys)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(300, 300), action, data, button, keys))


def dialog(qtbot: QtBot, window: MainWindow, kind: type) -> MeshDialog | ProblemsDialog:
    qtbot.waitUntil(lambda: bool(window.findChildren(kind)), timeout=SOON)
    return window.findChildren(kind)[-1]


def test_opens_on_a_living_picture(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    first = window.view.pixels().astype(int)
    qtbot.waitUntil(lambda: time_of(window) > 0.5, timeout=SOON)
    next_frame(window.view, qtbot)
    later = window.view.pixels().astype(int)
    # Not one colour, as a black or an empty view would be, and not the same as before.
    assert first.std() > 10
    assert (np.abs(later - first).max(axis=2) > 30).mean() > 1e-3


def test_space_pauses_and_goes_on(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    qtbot.waitUntil(lambda: time_of(window) > 0.1, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    paused = time_of(window)
    qtbot.wait(200)
    assert time_of(window) == paused
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: time_of(window) > paused, timeout=SOON)


def test_right_steps_and_backspace_resets(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    steps = window.session.frame.snapshot.step
    qtbot.keyClick(window.view.surface, Qt.Key.Key_Right)  # the view has the focus after a click on it
    qtbot.waitUntil(lambda: window.session.frame.snapshot.step == steps + 1, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: time_of(window) == 0.0, timeout=SOON)


def test_plus_and_minus_change_the_speed(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    qtbot.keyClick(window, Qt.Key.Key_Plus)
    assert window.session.speed == 2.0
    qtbot.waitUntil(lambda: window.session.frame.factor > 1.5, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Minus)
    qtbot.keyClick(window, Qt.Key.Key_Minus)
    assert window.session.speed == 0.5


def test_a_left_drag_turns_the_view(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    camera = window.view.plotter.renderer.GetActiveCamera()
    before = np.array(camera.GetPosition())
    surface, left = window.view.surface, Qt.MouseButton.LeftButton
    qtbot.mousePress(surface, left, pos=QPoint(300, 200))
    qtbot.mouseMove(surface, QPoint(380, 230))
    qtbot.mouseRelease(surface, left, pos=QPoint(380, 230))
    assert np.linalg.norm(np.array(camera.GetPosition()) - before) > 0.05 * camera.GetDistance()


def test_a_damaged_mesh_is_explained_and_the_run_goes_on(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    scene = window.session.document.scene
    drop(window, cube(tmp_path / "open.stl", missing=11))  # one triangle, which no repair closes
    shown = dialog(qtbot, window, ProblemsDialog)
    assert "open.stl" in shown.table.item(0, 1).text()
    assert shown.table.item(0, 2).text()
    shown.close()
    now = time_of(window)
    qtbot.waitUntil(lambda: time_of(window) > now, timeout=SOON)
    assert window.session.document.scene is scene


def test_a_scene_without_its_mesh_is_refused_and_the_run_goes_on(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    scene = window.session.document.scene
    bad = tmp_path / "bad.toml"
    bad.write_text('format = 1\n[[body]]\nname = "a"\n[[body.shape]]\nkind = "mesh"\nfile = "gone.stl"\nmass = 1.0\n')
    drop(window, bad)
    shown = dialog(qtbot, window, ProblemsDialog)
    assert shown.table.item(0, 0).text() == "body[0].shape[0].file"
    shown.close()
    now = time_of(window)
    qtbot.waitUntil(lambda: time_of(window) > now, timeout=SOON)
    assert window.session.document.scene is scene


@pytest.mark.new_window
def test_a_scene_that_the_physics_refuses_at_the_start_gives_way_to_the_default(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    cube(tmp_path / "open.stl", missing=3)
    bad = tmp_path / "bad.toml"
    bad.write_text('format = 1\n[[body]]\nname = "a"\n[[body.shape]]\nkind = "mesh"\nfile = "open.stl"\nmass = 1.0\n')
    window = lab(bad)
    shown = dialog(qtbot, window, ProblemsDialog)
    assert shown.table.item(0, 0).text() == "body[0].shape[0].file"
    shown.close()
    assert window.session.document.path == gallery.path(gallery.DEFAULT)


@pytest.mark.new_window
def test_a_mesh_as_argument_is_asked_about(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    window = lab(cube(tmp_path / "cube.stl"))
    asked = dialog(qtbot, window, MeshDialog)
    assert "cube.stl" in asked.windowTitle()
    before = window.session.document
    asked.reject()
    assert window.session.document is before  # the scene that runs stays
    assert window.session.document.path == gallery.path(gallery.DEFAULT)


def test_a_dropped_mesh_hangs_and_swings(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    window = lab()
    drop(window, cube(tmp_path / "my cube.stl"))
    shown = dialog(qtbot, window, MeshDialog)
    assert shown.unit.currentText() == "mm"
    assert "64 g" in shown.facts.text()  # 40 mm cubed of water
    shown.accept()
    qtbot.waitUntil(lambda: window.session.document.scene.title == "my cube", timeout=SOON)
    qtbot.waitUntil(lambda: time_of(window) > 0.3, timeout=SOON)
    assert window.session.document.scene.body[0].name == "my_cube"

    def turns() -> bool:  # not at the ends of a swing
        return bool(np.linalg.norm(window.session.frame.snapshot.bodies.angular_velocity[0]) > 0.1)

    qtbot.waitUntil(turns, timeout=SOON)


def choose_file(name: str) -> tuple[list[str], Callable[[], bool]]:
    """Types a name into the dialog of a file as soon as that is there; its filters, and whether it was done."""
    filters: list[str] = []

    def choose() -> bool:
        shown = QApplication.activeModalWidget()
        if isinstance(shown, QFileDialog) and not filters:
            filters.extend(shown.nameFilters())
            shown.findChild(QLineEdit).setText(name)
            shown.accept()
        return bool(filters)

    return filters, choose


def test_a_mesh_is_added_to_what_there_is_as_it_is_asked_about(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    before = window.session.document.scene
    filters, choose = choose_file(str(cube(tmp_path / "my cube.stl")))
    timer = QTimer(window, interval=50)
    timer.timeout.connect(choose)
    timer.start()
    window.edit_actions.adding.add(next(addition for addition in ADDITIONS["Body"] if addition.text == "Mesh..."))
    timer.stop()
    assert filters == ["Meshes (*.stl *.obj *.ply *.glb *.gltf *.3mf *.dae *.off)"]
    shown = dialog(qtbot, window, MeshDialog)
    assert shown.windowTitle() == "Add my cube.stl"
    assert shown.unit.currentText() == "mm"
    assert not shown.magnets.isVisible()
    shown.density.setValue(2000.0)
    shown.support.setCurrentIndex(SUPPORTS.index("fixed"))
    qtbot.mouseClick(shown.ok, LEFT)
    qtbot.waitUntil(lambda: len(window.session.document.scene.body) == len(before.body) + 1, timeout=SOON)
    scene = window.session.document.scene
    assert scene.body[:-1] == before.body
    assert scene.title == before.title
    body = scene.body[-1]
    assert (body.name, body.support, body.dipole) == ("my_cube", "fixed", ())
    assert body.position[2] > 0.04  # it stands on nothing
    assert window.session.selection == ("body", len(before.body))
    assert body.shape[0].density == 2000.0
    assert body.shape[0].scale == 0.001


def test_a_click_on_the_mesh_becomes_the_pivot(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    window = lab()
    drop(window, cube(tmp_path / "cube.stl"))
    shown = dialog(qtbot, window, MeshDialog)
    next_frame(shown.preview, qtbot)
    surface = shown.preview.surface
    qtbot.mouseClick(surface, LEFT, pos=surface.rect().center())
    point = np.array(shown.options.pivot)
    # On the surface of the cube: one coordinate is a face's, the others lie between the faces.
    assert np.isclose(point, 0.0, atol=1e-6).any() or np.isclose(point, 0.04, atol=1e-6).any()
    assert (point > -1e-6).all()
    assert (point < 0.04 + 1e-6).all()
    shown.reject()


def test_magnets_too_near_are_said_over_the_view(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "near.toml"
    magnet = 'shape = [{ kind = "sphere", radius = 0.1, mass = 1 }]\ndipole = [{ moment = [0, 0, 1e-6] }]\n'
    bodies = [f'[[body]]\nname = "{name}"\nposition = [{x}, 0, 0]\n{magnet}' for name, x in (("a", 0), ("b", 0.3))]
    path.write_text("[world]\ngravity = [0, 0, 0]\n" + "".join(bodies))
    window = lab(path)
    qtbot.waitUntil(lambda: "'a' and 'b'" in window.toast.text, timeout=SOON)
    assert window.session.running


def test_ctrl_p_saves_a_picture(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    window = lab()
    qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    (file,) = tmp_path.glob("polhode-*.png")
    assert str(file) in window.toast.text
    assert file.stat().st_size > 10_000  # an empty view of this size is 3 kB


@pytest.mark.nightly
def test_a_film_of_what_is_seen(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = lab()
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_R, keys)
    film, walls = window.capture_actions.recorder._recorder, []
    add = film.add
    monkeypatch.setattr(film, "add", lambda picture, wall: (walls.append(wall), add(picture, wall)))
    qtbot.waitUntil(lambda: len(walls) > 1 and walls[-1] - walls[0] > 1.0, timeout=SOON)
    qtbot.waitUntil(window.capture_actions.recorder.bar.isVisible, timeout=SOON)
    with qtbot.waitSignal(window.capture_actions.recorder.ended, timeout=SOON):
        qtbot.keyClick(window, Qt.Key.Key_R, keys)
    (file,) = tmp_path.glob("polhode-*.mp4")
    _, seconds = imageio_ffmpeg.count_frames_and_secs(str(file))
    assert seconds == pytest.approx(walls[-1] - walls[0], abs=0.1)  # it plays in real time
    window.capture_actions.recorder.start(tmp_path / "cancelled.mp4")
    with qtbot.waitSignal(window.capture_actions.recorder.ended, timeout=SOON):
        window.capture_actions.recorder.cancel()
    assert not (tmp_path / "cancelled.mp4").exists()


def test_closing_while_it_runs_ends_the_physics(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    window.close()
    assert window.session.ended


def test_every_key_of_the_window_is_in_its_menus(lab: Callable[..., MainWindow]) -> None:
    window = lab()
    in_menus = {action for top in window.menuBar().actions() for action in top.menu().actions()}
    in_menus |= {action for entry in in_menus if entry.menu() is not None for action in entry.menu().actions()}
    assert all(action in in_menus for action in window.action_table.values())
    keys = [key.toString() for action in window.action_table.values() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert {"Space", "Right", "Backspace", "+", "-", "Ctrl+O", "Ctrl+P", "Ctrl+Shift+R", "F1", "F11", "R"} <= set(keys)


def test_an_edit_keeps_what_moves_and_can_be_undone(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    first = window.session.document.scene
    qtbot.waitUntil(lambda: time_of(window) > 0.3, timeout=SOON)
    before = time_of(window)
    world = first.world.model_copy(update={"gravity": (0.0, 0.0, -1.6)})
    window.session.edit(first.model_copy(update={"world": world}))
    qtbot.waitUntil(lambda: window.session.document.scene.world.gravity[2] == -1.6, timeout=SOON)
    qtbot.waitUntil(lambda: window.session.frame is not None, timeout=SOON)
    qtbot.waitUntil(lambda: time_of(window) >= before, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document.scene is first, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: window.session.document.scene.world.gravity[2] == -1.6, timeout=SOON)


def test_saving_elsewhere_keeps_the_comments_of_the_file(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    scene = 'format = 1\n[[body]]\nname = "ball"\n[[body.shape]]\nkind = "sphere"\nradius = 0.1\nmass = 1.0\n'
    first.write_text(f"# Why this one falls.\n{scene}")
    window = lab(first)
    assert window.session.document.path == first
    assert window.session.save(second)
    assert second.read_text().startswith("# Why this one falls.")


def test_halving_the_step_goes_on_with_half_of_it(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    step = window.session.document.scene.solver.time_step
    qtbot.waitUntil(lambda: time_of(window) > 0.3, timeout=SOON)
    window.session.play(False)
    window.session.set_step(step / 2)
    qtbot.waitUntil(lambda: window.session.document.scene.solver.time_step == step / 2, timeout=SOON)
    qtbot.waitUntil(lambda: time_of(window) > 0.5, timeout=SOON)


STIFF = """
format = 1
particle = [{ name = "ball", mass = 0.01, position = [0, 0, 1] }]
spring = [{ from = "ball", to = [0, 0, 2], rest_length = 0.9, stiffness = 1e4 }]
solver = { method = "verlet", time_step = 2.4e-3 }
"""


def test_after_a_reset_nothing_is_said_of_the_run_that_blew_up(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "stiff.toml"
    path.write_text(STIFF)
    window = lab(path)
    qtbot.waitUntil(lambda: "diverged" in window.status.currentMessage(), timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Backspace)
    assert "diverged" not in window.status.currentMessage()
    assert not window.toast.isVisible()


def test_a_run_that_blows_up_stands_where_it_was_sound_and_one_click_goes_on(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    """w = sqrt(1e4/0.01) = 1000/s: verlet's limit is 2/w = 2 ms."""
    path = tmp_path / "stiff.toml"
    path.write_text(STIFF)
    window = lab(path)
    qtbot.waitUntil(lambda: window.toast.isVisible() and "'ball' diverged" in window.toast.text, timeout=SOON)
    qtbot.waitUntil(lambda: "0.002 s" in window.toast.text, timeout=SOON)
    assert not window.session.running
    qtbot.waitUntil(lambda: np.abs(window.session.frame.snapshot.points.position).max() < 3, timeout=SOON)
    stood = time_of(window)
    halve = next(button for button in window.toast.findChildren(QPushButton) if button.text().startswith("Halve"))
    qtbot.mouseClick(halve, LEFT)
    qtbot.waitUntil(lambda: window.session.running and time_of(window) > stood + 0.1, timeout=SOON)
    assert not window.toast.isVisible()
    assert window.session.document.scene.solver.time_step == 1.2e-3
    window.session.edit(window.session.scene.model_copy(update={"solver": Solver(method="verlet", time_step=2.4e-3)}))
    qtbot.waitUntil(lambda: "diverged" in window.toast.text and window.toast.isVisible(), timeout=SOON)
    window.files.open(gallery.path("course_1_oscillator"))  # of which nothing of that is true
    qtbot.waitUntil(
        lambda: window.session.document.scene.title == read_scene(gallery.path("course_1_oscillator")).title,
        timeout=SOON,
    )
    qtbot.waitUntil(lambda: "diverged" not in window.toast.text or not window.toast.isVisible(), timeout=SOON)
    scene = window.session.document.scene
    qtbot.waitUntil(lambda: getattr(window.session.limits, "scene", None) is scene, timeout=SOON)
    qtbot.wait(100)
    assert not [button for button in window.toast.findChildren(QPushButton) if button.text().startswith("Halve")]
    assert not window.status.currentMessage()


@pytest.mark.nightly
def test_every_built_in_scene_opens_from_the_gallery(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    menu = next(top.menu() for top in window.menuBar().actions() if top.text() == "&Gallery")
    menu.aboutToShow.emit()
    assert menu.actions()[0] is window.action_table["scenes"]
    menus = [action.menu() for action in menu.actions() if action.menu() is not None]
    assert [each.title() for each in menus[: len(LESSONS)]] == [lesson_name(lesson) for lesson in LESSONS]
    groups = menus[len(LESSONS) :]
    assert [menu.title() for menu in groups] == sorted({scene_group(scene) for _, scene in scenes()})
    titles = [action.text() for menu in groups for action in menu.actions()]
    assert sorted(titles) == sorted(scene_title(scene) for _, scene in scenes())
    for action in [menu.actions()[0] for menu in groups[:3]]:  # the physics tests run all scenes
        before = window.session.document.scene
        action.trigger()
        qtbot.waitUntil(lambda before=before: window.session.document.scene is not before, timeout=SOON)
        assert action.text() in window.windowTitle()


def test_the_theme_changes_window_and_view(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    brightness = {}
    for theme in ("light", "dark"):
        window.set_theme(theme)
        next_frame(window.view, qtbot)
        picture = window.grab().toImage()
        brightness[theme] = (window.view.pixels().mean(), picture.pixelColor(picture.width() // 3, 8).lightness())
    assert brightness["light"][0] > brightness["dark"][0] + 40
    assert brightness["light"][1] > brightness["dark"][1] + 100


def test_boxes_of_menus_are_seen_in_both_themes(qtbot: QtBot) -> None:
    before = QApplication.style().objectName()
    QApplication.setStyle("Fusion")  # as the program does
    try:
        for theme in ("light", "dark"):
            apply_theme(theme)
            menu = QMenu()
            qtbot.addWidget(menu)
            menu.addAction("nothing to check")
            box = menu.addAction("a box")
            box.setCheckable(True)
            menu.ensurePolished()
            menu.resize(menu.sizeHint())
            picture, row = menu.grab().toImage(), menu.actionGeometry(box)
            line = [picture.pixelColor(x, row.center().y()).lightness() for x in range(3, 24)]
            ground = menu.palette().base().color().lightness()
            assert max(abs(lightness - ground) for lightness in line) > 40, theme
    finally:
        QApplication.setStyle(before)


def test_lists_of_choices_are_read_in_both_themes(qtbot: QtBot) -> None:
    before = QApplication.style().objectName()
    QApplication.setStyle("Fusion")
    try:
        for theme in ("light", "dark"):
            apply_theme(theme)
            box = QComboBox()
            qtbot.addWidget(box)
            box.addItems(["the chosen one", "another"])
            box.show()
            box.showPopup()
            popup, height = box.view().window().grab().toImage(), box.view().sizeHintForRow(1)
            row = popup.copy(4, popup.height() - height + 2, popup.width() - 8, height - 4)  # the last one
            seen = [row.pixelColor(x, y).lightness() for x in range(row.width()) for y in range(row.height())]
            assert max(seen) - min(seen) > 150, theme
            box.hidePopup()
    finally:
        QApplication.setStyle(before)


def test_the_first_frame_does_not_wait_for_the_compiler() -> None:
    program = "import sys, polhode_app.main_window; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3]).returncode == 0


def test_japanese_is_written_whatever_fonts_the_system_has() -> None:
    program = """
from PySide6.QtGui import QTextLayout
from polhode_app.application import make_application
app = make_application()
text = QTextLayout("\u78c1\u77f3\u306e\u632f\u308a\u5b50", app.font())
text.beginLayout()
text.createLine()
text.endLayout()
assert all(index for run in text.glyphRuns() for index in run.glyphIndexes()), "letters without a font"
"""
    subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3], check=True)


def test_constants_outlive_many_calls_of_qt() -> None:
    program = """
from PySide6.QtCore import QTimer
from polhode_app.pyside_workaround import guard_constants
guard_constants()
timer = QTimer()
for _ in range(500_000):
    timer.setInterval(1)
    timer.objectNameChanged.emit("")
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3]).returncode == 0


def test_a_dropped_file_of_pem_swings_and_is_saved_as_a_scene(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pendulum = tmp_path / "pendulum.udf"
    pendulum.write_text(pem.PENDULUM, encoding="utf-8")
    window = lab()
    drop(window, pendulum)
    qtbot.waitUntil(lambda: window.session.document.path == pendulum, timeout=SOON)
    qtbot.waitUntil(lambda: time_of(window) > 0.1, timeout=SOON)
    asked = []
    monkeypatch.setattr(
        "polhode_app.window.files.file_actions.ask_file", lambda *_: asked.append(1) or tmp_path / "saved.toml"
    )
    window.files.save()
    assert asked
    assert pendulum.read_text("utf-8") == pem.PENDULUM  # a file of PEM is never written over
    assert [body.name for body in read_scene(tmp_path / "saved.toml").body] == ["pendulum0", "body0", "body1"]


def limit_of(window: MainWindow) -> str:
    return window.transport.solver.limit.text()


def test_the_step_limit_stands_beside_the_step_and_warns(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    solver = window.transport.solver
    qtbot.waitUntil(lambda: limit_of(window).startswith("stable ≤"), timeout=SOON)
    assert all(name in solver.limit.toolTip() for name in ("Verlet", "Euler", "Splitting"))
    qtbot.waitUntil(lambda: time_of(window) > 0.2, timeout=SOON)
    before = window.session.frame.snapshot
    qtbot.mouseClick(solver.step, LEFT)
    solver.step.selectAll()
    qtbot.keyClicks(solver.step, "2.5")
    qtbot.keyClick(solver.step, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.scene.solver.time_step == 2.5e-3, timeout=SOON)
    qtbot.waitUntil(lambda: window.session.frame is not None, timeout=SOON)
    qtbot.waitUntil(lambda: time_of(window) >= before.time, timeout=SOON)  # it continues
    assert not limit_of(window).startswith("⚠")
    solver.step.setValue(5000.0)
    qtbot.waitUntil(lambda: limit_of(window).startswith("⚠"), timeout=SOON)
    assert not solver.step.hasFocus()
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: solver.step.value() == 1.0, timeout=SOON)
    qtbot.waitUntil(lambda: limit_of(window).startswith("stable ≤"), timeout=SOON)


def test_the_method_is_changed_while_it_runs_and_undone(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    method = window.transport.solver.method
    qtbot.waitUntil(lambda: time_of(window) > 0.2, timeout=SOON)
    method.setCurrentIndex(method.findData("euler"))
    method.activated.emit(method.currentIndex())
    qtbot.waitUntil(lambda: window.session.document.scene.solver.method == "euler", timeout=SOON)
    qtbot.waitUntil(lambda: window.session.frame is not None, timeout=SOON)
    assert time_of(window) > 0.2
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: method.currentData() == "rk4", timeout=SOON)


def test_digits_in_the_step_turn_no_view(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """1, 3, 7 and Backspace are keys of the window, too."""
    window = lab()
    step = window.transport.solver.step
    camera = window.view.plotter.renderer.GetActiveCamera()
    qtbot.waitUntil(lambda: time_of(window) > 0.1, timeout=SOON)
    now = time_of(window)
    qtbot.mouseClick(step.lineEdit(), LEFT)
    ahead = camera.GetDirectionOfProjection()  # how near it stands follows the size of the view
    assert step.hasFocus()
    step.selectAll()
    for key in (Qt.Key.Key_1, Qt.Key.Key_Period, Qt.Key.Key_3, Qt.Key.Key_7, Qt.Key.Key_Backspace, Qt.Key.Key_Left):
        qtbot.keyClick(QApplication.focusWidget(), key)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document.scene.solver.time_step == 1.3e-3, timeout=SOON)
    assert camera.GetDirectionOfProjection() == pytest.approx(ahead, abs=1e-12)
    qtbot.waitUntil(lambda: time_of(window) >= now, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Space)  # the focus is the window's again
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)


def test_ghosts_run_in_the_window(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(gallery.path("polhode"))
    qtbot.waitUntil(lambda: time_of(window) > 0.5, timeout=SOON)
    (ghost,) = window.session.frame.ghosts
    assert ghost.time == pytest.approx(time_of(window), abs=1e-9)
    window.session.play(False)  # so that nothing but the ghost changes
    qtbot.waitUntil(lambda: not window.session.frame.running and not window.view.glides, timeout=SOON)
    next_frame(window.view, qtbot)
    seen = window.view.pixels().astype(int)
    window.set_view_visible("ghosts", False)
    qtbot.waitUntil(lambda: (np.abs(window.view.pixels() - seen).max(axis=2) > 20).mean() > 1e-3, timeout=SOON)


def test_a_scene_opened_after_an_empty_one_runs(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(gallery.path("heavy_top"))

    def open_and_wait(name: str) -> None:
        path = gallery.path(name)
        window.files.open(path)
        qtbot.waitUntil(lambda: window.session.document.path == path and not window.session.is_pending, timeout=SOON)

    window.action_table["new"].trigger()
    qtbot.waitUntil(lambda: window.session.document.path is None, timeout=SOON)
    assert not window.session.running
    open_and_wait("t_handle")
    assert window.session.running
    window.action_table["play"].trigger()
    open_and_wait("t_handle")  # again: a pause of the user is kept
    assert not window.session.running
    open_and_wait("heavy_top")
    assert window.session.running
