"""Bands of uncertainty in pictures of the view, which another process draws."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import SOON, START
from PIL import Image
from pytestqt.qtbot import QtBot
from rendering import asked, save, write_to

from polhode_app.main_window import MainWindow

DRAWN = 120_000  # [ms] of another process
SCENE = """
[[body]]
name = "bob"
support = "pivot"
orientation = { axis = [1, 0, 0], angle = 1.0 }
shape = [{ kind = "point", mass = 1.0, position = [0, 0, "-0.458 +- 0.02"] }]
"""


def test_a_picture_has_the_bands_of_the_view(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_to(tmp_path, monkeypatch)
    window = lab()
    qtbot.waitUntil(lambda: window.uncertain_trails.runs.found is not None, timeout=START)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 1.0, timeout=START)
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    qtbot.waitUntil(lambda: window.scene_view.now is window.session.frame.snapshot, timeout=SOON)
    pictures = []
    for has_bands in (True, False):
        if not has_bands:
            window.scene_view.views["trails"].show_bands(None)  # type: ignore[attr-defined]
        save(asked(window, "picture_as", (900, 500)))
        qtbot.waitUntil(lambda: (tmp_path / "mine.png").exists(), timeout=DRAWN)
        qtbot.waitUntil(lambda: not window.context.exports.orders, timeout=DRAWN)
        pictures.append(np.asarray(Image.open(tmp_path / "mine.png").convert("RGB")).astype(int))
        (tmp_path / "mine.png").unlink()
    differs = np.abs(pictures[0] - pictures[1]).max(axis=2) > 8
    assert 500 < differs.sum() < 0.3 * differs.size
