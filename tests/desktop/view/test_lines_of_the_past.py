"""Every published state reaches the trails once and in order, however long the rest of a frame takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from gui import SOON
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode.simulation.snapshot import Snapshot
from polhode_app.main_window import MainWindow
from polhode_app.runner.passage import SPAN

Lab = Callable[..., MainWindow]
SLOW = 0.05  # [s] that the plots take per frame, while the physics continues


def test_trails_see_every_state_in_order_beside_slow_docks(
    lab: Lab, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = lab(gallery.path("heavy_top"))
    seen: list[float] = []
    trails = window.scene_view.views["trails"]
    follow, tick = trails.follow, window.docks.tick

    def followed(now: Snapshot) -> None:
        seen.append(now.time)
        follow(now)

    def slow(*given: object) -> bool:
        time.sleep(SLOW)
        return tick(*given)

    monkeypatch.setattr(trails, "follow", followed)
    monkeypatch.setattr(window.docks, "tick", slow)
    qtbot.waitUntil(lambda: len(seen) > 20, timeout=SOON)  # the views of the scene are all built
    del seen[:]
    qtbot.waitUntil(lambda: len(seen) > 150, timeout=SOON)
    steps = [after - before for before, after in pairwise(seen)]
    assert min(steps) >= 0
    assert max(steps) <= SPAN + 1e-3, sorted(steps)[-8:]
