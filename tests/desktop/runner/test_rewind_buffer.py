"""The past of a run: gone back to, gone on from, kept within bounds; by commands, and in the window by keys."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gui import LEFT, SOON
from loop_alone import SCENE, Shown, swing
from meaning import Meaning
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.main_window import MainWindow
from polhode_app.messages import AdvanceSteps, BringBackFuture, HistoryTruncated, LoadScene, Reset, Seek
from polhode_app.runner.ghosts import Ghosts
from polhode_app.runner.rewind_buffer import RewindBuffer


@pytest.fixture
def every(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every state is kept, however quickly one follows the other."""
    monkeypatch.setattr("polhode_app.runner.rewind_buffer.FRAME", 0.0)
    monkeypatch.setattr("polhode_app.runner.rewind_buffer.SHARE", np.inf)


def states(scene: Scene, *steps: int) -> list[np.ndarray]:
    simulation = Simulation(scene)
    found = []
    for count in np.diff([0, *steps]):
        simulation.advance_steps(int(count))
        found.append(simulation.snapshot().bodies.basis.copy())
    return found


def test_a_step_back_is_the_state_of_before() -> None:
    scene = swing()
    shown = Shown(scene)
    shown.do(*[AdvanceSteps(7)] * 10)
    expected = states(scene, 52, 69, 70)
    now = shown.do(AdvanceSteps(-1))
    assert now.snapshot.step == 69
    assert not now.running
    assert (now.snapshot.bodies.basis == expected[1]).all()
    assert now.past == (0.0, pytest.approx(0.07))
    now = shown.do(AdvanceSteps(-17))
    assert now.snapshot.step == 52
    assert (now.snapshot.bodies.basis == expected[0]).all()
    assert shown.do(AdvanceSteps(-1000)).snapshot.step == 0
    now = shown.do(Seek(np.inf))
    assert (now.snapshot.bodies.basis == expected[2]).all()


@pytest.mark.usefixtures("every")
def test_who_goes_on_from_a_point_has_another_future() -> None:
    shown = Shown(swing())
    shown.do(*[AdvanceSteps(10)] * 10)
    assert shown.do(Seek(0.041)).snapshot.time == pytest.approx(0.04, abs=0.01)
    assert shown.do().past[1] == pytest.approx(0.1)  # it can still be seen
    back = shown.do(AdvanceSteps(-3)).snapshot.step
    now = shown.do(AdvanceSteps(1))
    assert now.snapshot.step == back + 1
    assert now.past[1] <= now.snapshot.time + 1e-12
    assert shown.do(Seek(np.inf)).snapshot.time <= now.snapshot.time


@pytest.mark.usefixtures("every")
def test_what_is_lost_of_the_future_is_told_once() -> None:
    shown = Shown(swing())
    now = shown.do(*[AdvanceSteps(10)] * 10, Seek(0.041), AdvanceSteps(1), AdvanceSteps(1))
    told = HistoryTruncated(pytest.approx(now.snapshot.time - 0.002), pytest.approx(0.102 - now.snapshot.time), False)
    assert shown.heard(HistoryTruncated) == [told]
    shown.do(AdvanceSteps(-1), LoadScene(swing(world={"gravity": [0, 0, -3.0]}), carry=True))
    told = HistoryTruncated(pytest.approx(now.snapshot.time - 0.001), pytest.approx(0.001), True)
    assert shown.heard(HistoryTruncated)[1:] == [told]
    shown.do(*[AdvanceSteps(1)] * 5)
    assert len(shown.heard(HistoryTruncated)) == 2


@pytest.mark.usefixtures("every")
@pytest.mark.parametrize("back", [Seek(0.041), AdvanceSteps(-57), Seek(0.0)])
def test_the_future_that_a_run_had_comes_back_and_so_does_the_other_one(back: object) -> None:
    shown = Shown(swing())
    end = shown.do(*[AdvanceSteps(10)] * 10)
    fork = shown.do(back)
    other = shown.do(AdvanceSteps(3))
    again = shown.do(BringBackFuture())
    assert again.snapshot.step == fork.snapshot.step
    assert (again.snapshot.bodies.basis == fork.snapshot.bodies.basis).all()
    assert again.past[1] == end.snapshot.time
    assert (shown.do(Seek(np.inf)).snapshot.bodies.basis == end.snapshot.bodies.basis).all()
    shown.do(BringBackFuture())
    last = shown.do(Seek(np.inf))
    assert last.snapshot.step == other.snapshot.step
    assert (last.snapshot.bodies.basis == other.snapshot.bodies.basis).all()


@pytest.mark.usefixtures("every")
def test_an_edit_in_the_past_that_is_undone_gives_the_future_back() -> None:
    first, heavier = swing(), swing(world={"gravity": [0, 0, -3.0]})
    shown = Shown(first)
    end = shown.do(*[AdvanceSteps(10)] * 10)
    shown.do(Seek(0.041), LoadScene(heavier, carry=True), *[AdvanceSteps(10)] * 2)
    now = shown.do(LoadScene(first, carry=True, undoes=True))
    assert now.snapshot.time == pytest.approx(0.04, abs=0.01)
    assert now.past[1] == end.snapshot.time
    assert (shown.do(Seek(np.inf)).snapshot.bodies.basis == end.snapshot.bodies.basis).all()


def test_without_another_future_nothing_comes_back() -> None:
    shown = Shown(swing())
    now = shown.do(*[AdvanceSteps(10)] * 3)
    assert shown.do(BringBackFuture()).snapshot.step == now.snapshot.step
    shown.do(Seek(0.0), AdvanceSteps(1), Reset())
    assert shown.do(BringBackFuture()).past == (0.0, 0.0)


def test_what_is_set_aside_counts_as_memory_and_is_given_up_first() -> None:
    simulation, ghosts, past = Simulation(swing()), Ghosts(), RewindBuffer(budget=100_000)
    past.restart(simulation, ghosts)
    start = past.nearest(0.0)
    many = 60_000 // start.size  # states: more than half of the memory
    for _ in range(many):
        simulation.advance_steps(1)
        past.store(simulation, ghosts)
    simulation.return_to(start.run)
    assert past.go_on(simulation, ghosts) == pytest.approx(many * 1e-3)
    for _ in range(many):
        simulation.advance_steps(1)
        past.store(simulation, ghosts)
        assert past.size <= 100_000
    assert past.bring_back() is None
    assert np.diff([state.time for state in past.states]) == pytest.approx(0.001)


@pytest.mark.nightly
@pytest.mark.usefixtures("every")
def test_undo_brings_back_what_a_step_in_the_past_has_ended(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """By keys: one step while the run is scrubbed back says what it sets aside, and Ctrl+Z takes it back."""
    window = lab(SCENE)
    session, control = window.session, Qt.KeyboardModifier.ControlModifier
    qtbot.waitUntil(lambda: session.frame.snapshot.time > 1.2, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: not session.frame.running, timeout=SOON)
    end = session.frame.past[1]
    session.seek(0.1)
    qtbot.waitUntil(lambda: session.frame.snapshot.time < 0.2, timeout=SOON)
    assert not window.action_table["undo"].isEnabled()
    at = session.frame.snapshot.step
    qtbot.keyClick(window, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: session.frame.past[1] < end, timeout=SOON)
    qtbot.waitUntil(window.toast.isVisible, timeout=SOON)
    assert "set aside" in window.toast.text
    qtbot.keyClick(window, Qt.Key.Key_Z, control)
    qtbot.waitUntil(lambda: session.frame.past[1] == end, timeout=SOON)
    assert session.frame.snapshot.step == at
    qtbot.waitUntil(lambda: not window.toast.isVisible(), timeout=SOON)  # its button would undo something else
    qtbot.keyClick(window, Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: session.frame.past[1] < end, timeout=SOON)


@pytest.mark.nightly
@pytest.mark.usefixtures("every")
def test_undo_of_an_edit_in_the_past_brings_back_what_followed(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """The window shows that the run is paused there, for it would be resumed and lose its future again."""
    window = lab(SCENE)
    session = window.session
    qtbot.waitUntil(lambda: session.frame.snapshot.time > 1.2, timeout=SOON)
    session.seek(0.1)
    qtbot.waitUntil(lambda: session.frame.snapshot.time < 0.2, timeout=SOON)
    end = session.frame.past[1]
    session.edit(swing(world={"gravity": [0, 0, -3.0]}))
    session.play(True)
    qtbot.waitUntil(lambda: session.frame is not None and session.frame.snapshot.time > 0.3, timeout=SOON)
    assert session.frame.past[1] < end
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: session.frame is not None and session.frame.past[1] == end, timeout=SOON)
    qtbot.waitUntil(lambda: not session.running, timeout=SOON)
    assert not session.frame.running
    assert session.frame.snapshot.time == pytest.approx(0.1, abs=0.05)
    qtbot.waitUntil(lambda: "set aside" not in window.toast.text or not window.toast.isVisible(), timeout=SOON)


def test_the_past_of_before_an_edit_is_there_after_it() -> None:
    """Where it was and how fast goes back; what has been edited stays."""
    first = swing()
    shown = Shown(first)
    shown.do(*[AdvanceSteps(10)] * 5)
    heavier = swing(world={"gravity": [0, 0, -3.0]})
    shown.do(LoadScene(heavier, carry=True), *[AdvanceSteps(10)] * 5)
    now = shown.do(Seek(0.0))
    assert now.scene is heavier
    assert now.snapshot.time == 0
    assert (now.snapshot.bodies.basis == states(first, 0)[0]).all()
    found = shown.do(AdvanceSteps(50)).snapshot.bodies.basis
    assert (found == states(heavier, 50)[0]).all()


def test_ghosts_go_back_as_well() -> None:
    scene = swing(ghost=[{"method": "euler"}])
    shown = Shown(scene)
    before = shown.do(AdvanceSteps(20)).ghosts[0]
    shown.do(*[AdvanceSteps(10)] * 5)
    now = shown.do(AdvanceSteps(-50))
    assert now.snapshot.step == 20
    assert now.ghosts[0].time == before.time
    assert (now.ghosts[0].bodies.basis == before.bodies.basis).all()


def test_a_reset_begins_a_new_past() -> None:
    shown = Shown(swing())
    shown.do(AdvanceSteps(50))
    assert shown.do(Reset()).past == (0.0, 0.0)


def test_memory_is_bounded_and_the_start_is_not_forgotten() -> None:
    simulation, ghosts, past = Simulation(swing()), Ghosts(), RewindBuffer(budget=100_000)
    past.restart(simulation, ghosts)
    for _ in range(3000):
        simulation.advance_steps(1)
        past.store(simulation, ghosts)
        assert past.size <= 100_000
    times = [state.time for state in past.states]
    assert past.span == (0.0, simulation.time)
    assert np.diff(times)[-20:] == pytest.approx(0.001)  # the newest are as close as they came
    assert (np.diff(times) > 0).all()
    assert len(past) > 50
    assert past.nearest(1.0).run.time == pytest.approx(1.0, abs=np.diff(times).max())


@pytest.mark.usefixtures("every")
def test_keys_and_mouse_go_back_and_on(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(SCENE)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 0.3, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Left)  # it stops, and goes back then
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    assert window.session.frame.snapshot.time < window.session.frame.past[1]
    at = window.session.frame.snapshot.step
    qtbot.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.step <= at - 10, timeout=SOON)  # less on a slow machine
    qtbot.keyClick(window, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.step == 0, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.step > at - 10, timeout=SOON)
    line = window.transport.timeline
    last = window.session.frame.past[1]
    qtbot.waitUntil(lambda: line.last == last, timeout=SOON)
    where = QPoint(line.width() // 2, line.height() // 2)
    qtbot.mouseClick(line, LEFT, pos=where)
    qtbot.waitUntil(lambda: abs(window.session.frame.snapshot.time - last / 2) < 0.05, timeout=SOON)
    middle = window.session.frame.snapshot.time
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: Meaning("", time=f"{middle:.4g} s").of(window.status.currentMessage()), timeout=SOON)
    qtbot.waitUntil(lambda: window.session.frame.running, timeout=SOON)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > middle + 0.05, timeout=SOON)
    assert window.session.frame.past[1] <= window.session.frame.snapshot.time


def test_a_smaller_memory_thins_at_once() -> None:
    simulation, ghosts, past = Simulation(swing()), Ghosts(), RewindBuffer()
    past.restart(simulation, ghosts)
    for _ in range(500):
        simulation.advance_steps(1)
        past.store(simulation, ghosts)
    past.set_size(50_000)
    assert past.size <= 50_000
    assert past.span == (0.0, simulation.time)


def test_an_edit_that_followed_another_at_once_was_made_at_that_time() -> None:
    first, second, third, fourth = (swing(world={"gravity": [0, 0, -size]}) for size in (9, 5, 2, 1))
    simulation, ghosts, past = Simulation(first), Ghosts(), RewindBuffer()
    past.restart(simulation, ghosts)
    times = []
    for scenes in ((second,), (third, fourth)):
        simulation.advance_steps(10)
        past.store(simulation, ghosts)
        times.append(simulation.time)
        for scene in scenes:
            simulation.load(scene)
            past.store(simulation, ghosts)
    simulation.advance_steps(10)
    past.store(simulation, ghosts)
    assert past.edited_at(first) == times[0]
    assert past.edited_at(second) == past.edited_at(third) == times[1]  # no state has the third one any more
    past.restart(simulation, ghosts)
    assert past.edited_at(third) == simulation.time
