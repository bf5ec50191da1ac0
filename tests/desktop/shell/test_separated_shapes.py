"""A scene whose shapes overlap deeply at the start: a notice with a button that separates them, as one edit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import SOON, click
from pytestqt.qtbot import QtBot

from polhode.scene.scene_file import scene_of
from polhode_app.main_window import MainWindow

RING = {"kind": "torus", "radius": 0.02, "tube_radius": 0.005, "density": 1000.0}
LAW = {"shape": "mesh", "detail": 32}
BODIES = [
    {"name": "held", "support": "fixed", "shape": [RING], "contact": LAW},
    {"name": "other", "support": "free", "position": [0, 0, 0.006], "shape": [RING], "contact": LAW},
]


def test_a_button_separates_shapes_that_overlap(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    session = window.session
    session.open_scene(scene_of({"format": 1, "world": {"gravity": [0, 0, 0]}, "body": BODIES}, ""))
    qtbot.waitUntil(lambda: "4.1 mm" in window.toast.text, timeout=2 * SOON)
    (button,) = [each for each in window.toast._buttons if each.text() == "Apply"]
    click(qtbot, button)
    qtbot.waitUntil(lambda: not session.is_pending and session.document.undo != (), timeout=2 * SOON)
    assert session.scene.body[1].position[2] == pytest.approx(0.0101, abs=1e-4)
    qtbot.waitUntil(lambda: session.frame is not None and session.frame.snapshot.time > 0.05, timeout=SOON)
    assert session.frame.snapshot.energy.kinetic < 1e-12  # nothing pushes
    window.action_table["undo"].trigger()
    qtbot.waitUntil(lambda: session.scene.body[1].position[2] == 0.006, timeout=SOON)
