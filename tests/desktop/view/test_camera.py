"""The camera: smooth ways to presets, following a part, a view that is kept in the scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from gui import SOON, next_frame
from meaning import Meaning, refuses
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from polhode import read_scene
from polhode.simulation.simulation import Simulation
from polhode_app.main_window import MainWindow
from polhode_app.viewport.base.camera_animation import CameraPose, between, pose_of
from polhode_app.viewport.base.mesh_preview_loader import PreviewLoader
from polhode_app.viewport.base.picture import offscreen, pixels
from polhode_app.viewport.view import SceneView

Lab = Callable[..., MainWindow]
SCENE = """
format = 1
[[particle]]
name = "ball"
mass = 1.0
radius = 0.1
velocity = [0.5, 0, 4]
[[particle]]
name = "stone"
mass = 1.0
radius = 0.1
position = [2, 0, 0]
fixed = true
"""
CAMERA = """
[view]
camera = { position = [3, -4, 1], target = [1, 0, 0], up = [0, 0, 1] }
"""


def test_the_way_begins_and_ends_where_it_should_and_turns_without_a_jump():
    one = CameraPose(np.zeros(3), np.array([0.0, -1, 0]), 1.0, np.array([0.0, 0, 1]), 1.0)
    other = CameraPose(np.ones(3), np.array([0.0, 0, 1]), 100.0, np.array([0.0, 1, 0]), 5.0)
    stands = [between(one, other, share) for share in np.linspace(0, 1, 201)]
    for stand, end in ((stands[0], one), (stands[-1], other)):
        np.testing.assert_allclose(stand.back, end.back, atol=1e-12)
        np.testing.assert_allclose(stand.target, end.target, atol=1e-12)
        assert stand.far == pytest.approx(end.far)
    backs = np.array([stand.back for stand in stands])
    np.testing.assert_allclose(np.linalg.norm(backs, axis=1), 1.0)
    assert np.linalg.norm(np.diff(backs, axis=0), axis=1).max() < 0.03  # a right angle in 200 pieces, at most 3 of them
    assert stands[100].far == pytest.approx(10.0)  # halfway by ratio


def test_opposite_directions_have_a_way_between_them():
    one = CameraPose(np.zeros(3), np.array([1.0, 0, 0]), 1.0, np.array([0.0, 0, 1]), 1.0)
    other = CameraPose(np.zeros(3), np.array([-1.0, 0, 0]), 1.0, np.array([0.0, 0, 1]), 1.0)
    for share in np.linspace(0, 1, 21):
        assert np.isfinite(between(one, other, share).back).all()


def test_a_key_goes_to_a_preset_smoothly_and_a_hand_takes_over(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE)
    camera = window.view.plotter.renderer.GetActiveCamera()
    before = np.array(camera.GetDirectionOfProjection())
    window.view.glide(lambda: window.scene_view.reset_camera("side"))
    assert window.view.glides
    np.testing.assert_allclose(camera.GetDirectionOfProjection(), before, atol=1e-9)  # it has only set out
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_7)
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
    np.testing.assert_allclose(camera.GetDirectionOfProjection(), (0, 0, -1), atol=1e-9)
    qtbot.keyClick(window, Qt.Key.Key_1)
    qtbot.mousePress(window.view.surface, Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    assert not window.view.glides
    qtbot.mouseRelease(window.view.surface, Qt.MouseButton.LeftButton, pos=QPoint(300, 200))


def test_what_is_followed_stays_in_the_middle(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE)
    window.action_table["follow"].trigger()
    assert not window.action_table["follow"].isChecked()  # nothing is chosen
    window.session.select(("particle", 0))
    qtbot.keyClick(window, Qt.Key.Key_C)
    camera = window.view.plotter.renderer.GetActiveCamera()
    stand = pose_of(camera)
    then = window.session.frame.snapshot.time
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > then + 1.0, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    next_frame(window.view, qtbot)
    ball = window.session.frame.snapshot.points.position[0]
    qtbot.waitUntil(lambda: np.allclose(camera.GetFocalPoint(), ball, atol=1e-6), timeout=SOON)  # once it is drawn
    np.testing.assert_allclose(pose_of(camera).back, stand.back, atol=1e-9)  # it goes along and does not turn
    assert camera.GetDistance() == pytest.approx(stand.far)
    qtbot.keyClick(window, Qt.Key.Key_C)
    assert not window.action_table["follow"].isChecked()


@pytest.mark.nightly
def test_a_view_is_kept_in_the_scene_and_seen_when_it_is_opened(lab: Lab, qtbot: QtBot, tmp_path) -> None:
    window = lab(SCENE)
    qtbot.keyClick(window, Qt.Key.Key_3)
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)
    kept = pose_of(window.view.plotter.renderer.GetActiveCamera())
    window.action_table["keep_view"].trigger()
    qtbot.waitUntil(lambda: window.session.document.scene.view.camera is not None, timeout=SOON)
    path = tmp_path / "kept.toml"
    assert window.session.save(path)
    window.close()
    again = lab(path.read_text())
    seen = pose_of(again.view.plotter.renderer.GetActiveCamera())
    for name in ("target", "back", "up"):
        np.testing.assert_allclose(getattr(seen, name), getattr(kept, name), atol=1e-6)
    assert seen.far == pytest.approx(kept.far, rel=0.05)  # in a picture of another shape, all that was in it still is
    qtbot.keyClick(again, Qt.Key.Key_R)  # everything, from the usual side
    qtbot.waitUntil(lambda: not again.view.glides, timeout=SOON)
    assert pose_of(again.view.plotter.renderer.GetActiveCamera()).back[1] < -0.5


@pytest.mark.parametrize(
    ("camera", "rule"),
    [
        ("{ position = [1, 0, 0], target = [1, 0, 0] }", Meaning("view.camera", "target")),
        ("{ position = [0, 0, 5], target = [0, 0, 0] }", Meaning("view.camera", "up", "sight")),
    ],
)
def test_a_camera_that_sees_nothing_is_refused(camera: str, rule: Meaning, tmp_path) -> None:
    path = tmp_path / "scene.toml"
    path.write_text(f"{SCENE}\n[view]\ncamera = {camera}\n")
    with refuses(rule):
        read_scene(path)


def test_what_flies_off_takes_nothing_else_along(tmp_path) -> None:
    """The depth buffer has few digits: a thing a million times as far away must not clip what is near."""
    path = tmp_path / "scene.toml"
    path.write_text(SCENE + CAMERA)
    scene = read_scene(path)
    plotter = offscreen((320, 240))
    view = SceneView(plotter, PreviewLoader())
    snapshot = Simulation(scene).snapshot()
    view.show(scene, snapshot)
    view.set_visible("trails", False)
    view.reset_camera()
    plotter.render_window.Render()
    usual = pixels(plotter).astype(int)
    away = snapshot.points.position.copy()
    away[0] = (-1e6, 1.5e6, -5e5)
    view.update(replace(snapshot, points=replace(snapshot.points, position=away)))
    plotter.render_window.Render()
    stone = usual[100:140, 140:320]
    now = pixels(plotter).astype(int)[100:140, 140:320]
    near, _ = plotter.renderer.GetActiveCamera().GetClippingRange()
    view.close()
    plotter.close()
    assert near < 4.0
    assert np.abs(now - stone).mean() < 5
