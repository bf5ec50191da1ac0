"""Bands about trails in a window: those of uncertain scenes, with the trails, until all numbers are certain."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gui import SOON, START, inspect, row_of, type_in
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow
from polhode_app.viewport.geometry.trail_bands import AROUND
from polhode_app.viewport.things import predicted_trails

SCENE = """
[[body]]
name = "bob"
support = "pivot"
orientation = { axis = [1, 0, 0], angle = 1.0 }
friction = 0.02
shape = [{ kind = "point", mass = 1.0, position = [0, 0, "-0.458 +- 0.01"] }]
"""
Lab = Callable[..., MainWindow]


def bands_of(window: MainWindow) -> Any:
    return window.scene_view.views["trails"]._bands  # type: ignore[attr-defined]


def is_drawn(window: MainWindow) -> bool:
    """Whether the actor of the bands is in the picture, with some opacity."""
    bands = bands_of(window)
    if bands._actor is None or not bands._actor.GetVisibility():
        return False
    return bool(np.asarray(bands._surface.point_data["color"])[:, 3].any())


def test_an_uncertain_pendulum_has_a_band_of_two_deviations(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE)
    qtbot.waitUntil(lambda: is_drawn(window), timeout=START)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 1.0, timeout=START)
    window.session.play(False)
    qtbot.wait(200)
    bands = bands_of(window)
    points = np.asarray(bands._surface.points)[: AROUND * bands._color.shape[1]].reshape(-1, AROUND, 3)
    shown = np.asarray(bands._surface.point_data["color"])[: AROUND * len(points) : AROUND, 3] > 0
    from_pivot = np.linalg.norm(points[shown], axis=2)
    length = np.linalg.norm(window.scene_view.views["trails"]._trails[0, -1])  # type: ignore[attr-defined]
    half = 2 * 0.01 * length / 0.458  # the drawn size of a point grows with its arm
    assert from_pivot.max(axis=1) == pytest.approx(length + half, abs=2e-3)
    assert from_pivot.min(axis=1) == pytest.approx(length - half, abs=2e-3)


def test_bands_are_computed_beside_the_window(lab: Lab, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    displaced = predicted_trails._displaced

    def watched(stage: Any, source: Any) -> Any:
        threads.append(threading.current_thread())
        return displaced(stage, source)

    monkeypatch.setattr(predicted_trails, "_displaced", watched)
    window = lab(SCENE.replace("+- 0.01", "+- 0.02"))
    qtbot.waitUntil(lambda: bool(threads), timeout=START)
    qtbot.waitUntil(lambda: is_drawn(window), timeout=START)
    assert threading.main_thread() not in threads


def test_the_band_goes_with_the_trails_and_with_the_uncertainty(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE)
    qtbot.waitUntil(lambda: is_drawn(window), timeout=START)
    window.set_view_visible("trails", False)
    qtbot.waitUntil(lambda: not is_drawn(window), timeout=SOON)
    window.set_view_visible("trails", True)
    qtbot.waitUntil(lambda: is_drawn(window), timeout=START)
    inspect(window, "body", 0)
    type_in(qtbot, window.edit_actions.inspector.form.length_row.editor.field, "0.458 m")
    qtbot.waitUntil(lambda: not is_drawn(window), timeout=SOON)
    type_in(qtbot, row_of(window, "body[0].friction").editor.field, "0.02 +- 0.005")
    qtbot.waitUntil(lambda: is_drawn(window), timeout=START)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not is_drawn(window), timeout=SOON)


def test_a_certain_scene_computes_nothing(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE.replace('"-0.458 +- 0.01"', "-0.458"))
    qtbot.waitUntil(lambda: window.session.frame is not None, timeout=START)
    qtbot.wait(300)
    assert not window.uncertain_trails.runs.is_running
    assert not is_drawn(window)
