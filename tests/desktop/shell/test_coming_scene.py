"""A scene whose physics is still compiled: it is drawn at once, named, and can be replaced by another one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gui import SOON
from meaning import Meaning
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode.scene.problem import InputError
from polhode_app.compilation import processes
from polhode_app.compilation.preparation import CompilerPool
from polhode_app.edit.open_file import open_scene
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window

# A compiler that takes its time: each unit takes so long [s] as a unit of a first start may.
SLOW = """
import sys, time
from polhode.process.messages import receive, send
while (message := receive(sys.stdin.buffer)) is not None:
    time.sleep(0.4)
    send(sys.stdout.buffer, *message)
"""
Lab = Callable[..., MainWindow]


@pytest.fixture
def window(lab: Lab, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """A window with a running scene, for which nothing else is compiled, by slow compilers."""
    made = lab(gallery.path("heavy_top"))
    made.docks.open("tree")
    qtbot.waitUntil(lambda: made.docks.dock("tree") is not None, timeout=SOON)
    (tmp_path / "slow_compiler.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(processes, "SERVER", "slow_compiler")
    monkeypatch.setattr("polhode_app.compilation.preparation.missing", list)
    return made


def bodies_drawn(window: MainWindow) -> int:
    stage = window.scene_view.stage
    assert stage is not None
    return len(stage.scene.bodies)


def test_new_shows_an_empty_scene_at_once(window: MainWindow, qtbot: QtBot) -> None:
    session, bar = window.session, window.background_compilation.bar
    accepted = session.document
    window.action_table["new"].trigger()
    qtbot.waitUntil(lambda: session.coming is not None, timeout=SOON)
    assert session.document is accepted
    assert session.is_pending
    assert bodies_drawn(window) == 0
    assert window.story.empty_hint.isVisible()
    assert not window.story.card.isVisible()
    rows = [row.path for row in window.docks.docks["tree"].rows]
    assert ("body", 0) not in rows
    assert ("wall", 0) in rows
    qtbot.waitUntil(bar.isVisible, timeout=SOON)
    time = window.session._runner.frame.snapshot.time
    qtbot.wait(300)  # [ms] several frames: none of the run before is drawn, which is paused
    assert bodies_drawn(window) == 0
    assert session.frame is None
    assert window.session._runner.frame.snapshot.time - time < 0.2
    qtbot.waitUntil(lambda: not session.is_pending, timeout=SOON)
    assert session.coming is None
    assert session.document.scene.body == ()
    qtbot.waitUntil(bar.isHidden, timeout=SOON)


def test_cancel_returns_to_the_scene_before(window: MainWindow, qtbot: QtBot) -> None:
    """From a scene that is opened as from an edit; the run continues."""
    session, bar = window.session, window.background_compilation.bar
    accepted = session.document
    changed = accepted.scene.with_values({"body[0].shape[0].density": 1234.0})
    for begin in (lambda: window.files.open(gallery.path("compass")), lambda: session.edit(changed)):
        begin()
        qtbot.waitUntil(bar.isVisible, timeout=SOON)
        [cancel] = [button for button in bar.findChildren(QPushButton) if button.isVisible()]
        qtbot.mouseClick(cancel, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(bar.isHidden, timeout=SOON)
        qtbot.waitUntil(lambda: session.coming is None and not session.is_pending, timeout=SOON)
        assert session.document is accepted
        assert bodies_drawn(window) == 1
        time = session.frame.snapshot.time
        qtbot.waitUntil(lambda t=time: session.frame.snapshot.time > t, timeout=SOON)
    assert session.running


def test_another_scene_takes_the_compilers_over(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools: list[CompilerPool] = []
    made = CompilerPool.__init__
    monkeypatch.setattr(
        CompilerPool, "__init__", lambda pool, *units, **more: pools.append(pool) or made(pool, *units, **more)
    )
    session, bar = window.session, window.background_compilation.bar
    window.files.open(gallery.path("double_rod_pendulum"))
    qtbot.waitUntil(lambda: session.coming is not None and bar.isVisible(), timeout=SOON)
    assert session.newest.scene.title in bar.text
    first = session.newest
    window.files.open(gallery.path("two_masses"))
    qtbot.waitUntil(lambda: session.coming is session.newest is not first, timeout=SOON)
    title = session.newest.scene.title
    qtbot.waitUntil(lambda: title in bar.text, timeout=SOON)
    assert window.windowTitle().startswith(title)
    assert len(pools) == 1  # what the children compile at that time is not lost
    totals = set()
    session.compiling.connect(lambda progress: totals.add(progress.total))
    qtbot.waitUntil(lambda: not session.is_pending, timeout=2 * SOON)
    assert len(totals - {None, 0}) == 1  # one total
    assert session.document.scene.title == title
    qtbot.waitUntil(lambda: session.frame is not None and session.frame.snapshot.time > 0.1, timeout=SOON)
    qtbot.waitUntil(lambda: all(child._process.status is not None for child in pools[0].children), timeout=SOON)


RUN_DOCKS = ("plots", "energies", "maps", "measured", "tones", "modes", "equilibria", "sensor", "path")


def test_docks_of_the_run_name_the_scene_that_is_prepared(window: MainWindow, qtbot: QtBot) -> None:
    """None shows the scene before as if it were the new one, nor takes input for it, also if it is opened then."""
    session, docks = window.session, window.docks
    for name in ("inspector", "plots", "energies"):
        docks.open(name)
        qtbot.waitUntil(lambda name=name: docks.dock(name) is not None, timeout=SOON)
    window.files.open(gallery.path("double_rod_pendulum"))
    qtbot.waitUntil(lambda: session.coming is not None, timeout=SOON)
    for name in RUN_DOCKS:
        docks.open(name)
        qtbot.waitUntil(lambda name=name: docks.dock(name) is not None, timeout=SOON)
        assert session.coming is not None
        dock, cover = docks.docks[name], docks._covers[name]
        qtbot.waitUntil(lambda dock=dock, cover=cover: dock.widget().geometry() == cover.geometry(), timeout=SOON)
        assert not dock.widget().isEnabled()
        assert cover.isVisibleTo(dock)
        assert session.coming.scene.title in cover.label.text()
    assert {*docks._covers} == {*RUN_DOCKS}
    for name in ("tree", "inspector"):  # they show the scene itself
        assert docks.docks[name].widget().isEnabled()
    window.files.open(gallery.path("two_masses"))
    qtbot.waitUntil(lambda: "Two masses" in docks._covers["plots"].label.text(), timeout=SOON)
    qtbot.waitUntil(lambda: session.coming is None, timeout=2 * SOON)
    assert not docks._covers
    assert all(docks.docks[name].widget().isEnabled() for name in RUN_DOCKS)


BODY = """[[body]]
name = "b{k}"
support = "{support}"
position = {place}
shape = [{{ kind = "cuboid", size = [0.3, 0.3, 0.3], mass = 1.0 }}]
"""
JOINT = """[[joint]]
name = "j{k}"
kind = "{kind}"
first = "b{k}"
second = "b{other}"
anchor = {anchor}
"""
CORNERS = [0, 0, 0], [1.0, 0, 0], [0, 1.0, 0]


def torn() -> str:
    """Text of a ring of three bodies that does not close, as one axis leans by 8e-6 rad; it is drawn all the same."""
    places = [0.5, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0]
    bodies = [BODY.format(k=k, support="free" if k else "fixed", place=places[k]) for k in range(3)]
    kinds = "universal", "weld", "weld"
    joints = [JOINT.format(k=k, kind=kinds[k], other=(k + 2) % 3, anchor=CORNERS[k]) for k in range(3)]
    joints[0] += "axis = [1, 0, 0]\nsecond_axis = [8e-6, 1, 0]\n"
    return "".join(["format = 1\ntitle = 'Torn'\n", *bodies, *joints])


def test_a_refused_scene_gives_way_to_the_run_before(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session, accepted = window.session, window.session.document
    path = tmp_path / "torn.toml"
    path.write_text(torn())
    refused: list[InputError] = []
    session.refused.connect(refused.append)
    window.docks.open("plots")
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    window.files.open(path)
    qtbot.waitUntil(lambda: session.coming is not None, timeout=SOON)
    assert bodies_drawn(window) == 3
    assert not window.docks.docks["plots"].widget().isEnabled()
    qtbot.waitUntil(lambda: bool(refused), timeout=SOON)
    assert Meaning("joint[2]", "assembled").of(refused[0])
    assert session.document is accepted
    assert window.docks.docks["plots"].widget().isEnabled()
    qtbot.waitUntil(lambda: bodies_drawn(window) == 1, timeout=SOON)
    before = session.frame.snapshot.time
    qtbot.waitUntil(lambda: session.frame.snapshot.time > before + 0.1, timeout=SOON)
    for dialog in window.findChildren(QDialog):
        dialog.close()


def test_returning_to_the_scene_before_shows_it(window: MainWindow, qtbot: QtBot) -> None:
    session, accepted = window.session, window.session.document
    window.files.open(gallery.path("double_rod_pendulum"))
    qtbot.waitUntil(lambda: session.coming is not None, timeout=SOON)
    window.files.open(gallery.path("heavy_top"))
    qtbot.waitUntil(lambda: session.coming is session.newest and bodies_drawn(window) == 1, timeout=SOON)
    qtbot.waitUntil(lambda: not session.is_pending, timeout=SOON)
    assert session.document is not accepted
    assert session.document.scene == accepted.scene


def test_a_scene_is_edited_while_it_is_compiled(window: MainWindow, qtbot: QtBot) -> None:
    """The edit is drawn, marked as unsaved, and undone, before the physics has accepted the scene."""
    session = window.session
    window.files.open(gallery.path("double_rod_pendulum"))
    qtbot.waitUntil(lambda: session.coming is not None, timeout=SOON)
    opened = session.newest.scene
    bodies = bodies_drawn(window)
    assert not window.isWindowModified()
    assert not window.action_table["undo"].isEnabled()
    session.edit(opened.model_copy(update={"body": (*opened.body, opened.body[0].model_copy(update={"name": "more"}))}))
    qtbot.waitUntil(window.isWindowModified, timeout=SOON)
    assert session.compiled is None or session.frame is None  # not accepted yet
    assert bodies_drawn(window) == bodies + 1
    window.action_table["undo"].trigger()
    qtbot.waitUntil(lambda: not window.isWindowModified(), timeout=SOON)
    assert bodies_drawn(window) == bodies
    qtbot.waitUntil(lambda: not session.is_pending, timeout=2 * SOON)
    assert session.document.scene == opened
    assert window.action_table["redo"].isEnabled()


def test_a_refused_edit_of_a_scene_that_is_compiled_leaves_the_scene(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    session = window.session
    path = tmp_path / "torn.toml"
    path.write_text(torn())
    window.files.open(gallery.path("double_rod_pendulum"))
    qtbot.waitUntil(lambda: session.coming is not None, timeout=SOON)
    opened = session.newest.scene
    refused: list[InputError] = []
    session.edit_refused.connect(refused.append)
    session.edit(open_scene(path))
    qtbot.waitUntil(lambda: bool(refused), timeout=SOON)
    assert Meaning("joint[2]", "assembled").of(refused[0])
    qtbot.waitUntil(lambda: not session.is_pending, timeout=2 * SOON)
    assert session.document.scene == opened
    assert bodies_drawn(window) == len(opened.body)
    for dialog in window.findChildren(QDialog):
        dialog.close()
