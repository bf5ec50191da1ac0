"""The surfaces that press are computed beside the window: it draws, plays and says so meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trimesh
from gui import SOON, inspect
from pytestqt.qtbot import QtBot

from polhode.physics.contact import shapes_in_contact as module
from polhode_app.docks.inspector.hull_notes import COMPUTING
from polhode_app.i18n.translation import translate
from polhode_app.main_window import MainWindow
from polhode_app.window.widgets.compile_bar import CompileBar

SCENE = """
format = 2
[[body]]
name = "ring"
support = "free"
angular_velocity = [0, 0, 1]
contact = { detail = 16 }
[[body.shape]]
kind = "mesh"
file = "ring.stl"
density = 1000
"""


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Until it is set, surfaces are not finished; threads that have computed them are in `threads`."""
    opened, compute = threading.Event(), module.shapes_in_contact

    def slow(*args: object) -> list[module.ShapeInContact]:
        assert threading.current_thread() is not threading.main_thread()
        opened.wait(SOON / 1000)
        return compute(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "shapes_in_contact", slow)
    yield opened
    opened.set()


def test_the_window_plays_while_surfaces_are_computed(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, gate: threading.Event
) -> None:
    trimesh.creation.annulus(r_min=0.08, r_max=0.1, height=0.02).export(tmp_path / "ring.stl")
    (tmp_path / "ring.toml").write_text(SCENE)
    window = lab(tmp_path / "ring.toml")
    view, [bar] = window.scene_view, window.findChildren(CompileBar)
    inspector = inspect(window, "body", 0)
    window.set_view_visible("hulls", True)
    qtbot.waitUntil(lambda: bar.isVisible() and window.scene_view.job.progress == 0.0, timeout=SOON)
    assert translate(COMPUTING) in inspector.header.text()
    frame = window.session.frame
    qtbot.waitUntil(lambda: view.now.time > frame.snapshot.time + 0.2, timeout=SOON)  # it is drawn and plays
    assert not view.views["hulls"].copies
    gate.set()
    qtbot.waitUntil(lambda: len(view.views["hulls"].copies) == 1, timeout=SOON)
    qtbot.waitUntil(lambda: not bar.isVisible(), timeout=SOON)
    [copies] = view.views["hulls"].copies
    assert copies.actor.GetVisibility()
    qtbot.waitUntil(lambda: translate(COMPUTING) not in inspector.header.text(), timeout=SOON)
    qtbot.waitUntil(lambda: "cm3" in inspector.header.text() or "cm³" in inspector.header.text(), timeout=SOON)


def test_surfaces_of_a_scene_that_was_left_are_dropped(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, gate: threading.Event
) -> None:
    trimesh.creation.annulus(r_min=0.08, r_max=0.1, height=0.02).export(tmp_path / "ring.stl")
    (tmp_path / "ring.toml").write_text(SCENE)
    (tmp_path / "other.toml").write_text(
        SCENE.replace('kind = "mesh"\nfile = "ring.stl"', 'kind = "sphere"\nradius = 0.1')
    )
    window = lab(tmp_path / "ring.toml")
    view = window.scene_view
    window.set_view_visible("hulls", True)
    qtbot.waitUntil(lambda: view.job.progress == 0.0, timeout=SOON)
    before = window.session.document.generation
    window.session.open(tmp_path / "other.toml")
    qtbot.waitUntil(lambda: window.session.document.generation > before, timeout=SOON)
    gate.set()
    qtbot.waitUntil(lambda: not view.job.is_running, timeout=SOON)
    assert not view.views["hulls"].copies
