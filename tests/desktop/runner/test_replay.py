"""Recordings in the window: made while it runs, opened, scrubbed, plotted, gone on with."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import SOON
from loop_alone import SCENE, Shown, swing
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from recording_files import advance, begun, ended
from rendering import write_to

from polhode.physics.grab.interactions import PullAll
from polhode.recording.playback import Playback
from polhode.recording.reader import read_recording
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode_app.main_window import MainWindow
from polhode_app.messages import (
    AdvanceSteps,
    Interact,
    LoadScene,
    Pause,
    Play,
    RecordingEnded,
    ReplayEnded,
    ReplaySceneChanged,
    Reset,
    ResumeFromReplay,
    Seek,
    SetSampledColumns,
    ShowRecording,
    StartRecording,
    StopRecording,
)


def recorded(path: Path, rows: int = 30) -> Path:
    """Of the swing, with an edit in the middle."""
    simulation, taping = begun(swing(), path, 10)
    advance(simulation, taping, rows // 2)
    world = simulation.scene.world.model_copy(update={"gravity": (0.0, 0.0, -1.0)})
    simulation.load(simulation.scene.model_copy(update={"world": world}))
    advance(simulation, taping, rows - rows // 2)
    ended(taping)
    return path


def test_a_run_is_recorded_while_it_is_watched(tmp_path: Path) -> None:
    shown = Shown(swing())
    moment = shown.do(StartRecording(tmp_path / "run.vtkhdf", "test"))
    assert moment.recording.path == tmp_path / "run.vtkhdf"
    assert 0 < moment.recording.hourly < 2**30
    for _ in range(20):
        shown.do(AdvanceSteps(7))  # moments fall between the ends of batches
    assert shown.frames[-1].recording.seconds == pytest.approx(0.136)
    assert shown.do(StopRecording()).recording is None
    assert [(event.path, event.failure) for event in shown.heard(RecordingEnded)] == [(tmp_path / "run.vtkhdf", "")]
    run = read_recording(tmp_path / "run.vtkhdf")
    assert run.steps.tolist() == [*range(0, 137, 17), 140]
    playback = Playback(run)
    assert [again.state.tobytes() for again in playback.rerun()] == [run.state(row).tobytes() for row in range(10)]


def with_another(scene: Scene) -> Scene:
    other = scene.body[0].model_copy(update={"name": "other", "position": (1.0, 0.0, 0.0)})
    return scene.model_copy(update={"body": (*scene.body, other)})


def test_a_recording_goes_on_in_a_file_beside_when_time_is_turned_back_or_other_things_come(tmp_path: Path) -> None:
    scene = swing()
    shown = Shown(scene)
    (tmp_path / "run-3.vtkhdf").write_bytes(b"another file")
    shown.do(StartRecording(tmp_path / "run.vtkhdf", "test"), AdvanceSteps(100), AdvanceSteps(-80), AdvanceSteps(-10))
    assert not shown.heard(RecordingEnded)  # the next file is not known yet
    begun = shown.frames[-1].snapshot.time
    moment = shown.do(AdvanceSteps(50))
    assert moment.recording.path == tmp_path / "run-2.vtkhdf"
    assert moment.recording.seconds == pytest.approx(0.05, abs=0.017)
    shown.do(LoadScene(with_another(scene), carry=True), AdvanceSteps(50))
    last = shown.do(Reset(), AdvanceSteps(40), Reset(), StopRecording())
    assert last.recording is None
    names = ["run.vtkhdf", "run-2.vtkhdf", "run-4.vtkhdf", "run-5.vtkhdf"]
    heard = [(event.path.name, event.failure, event.next and event.next.name) for event in shown.heard(RecordingEnded)]
    assert heard == [(name, "", after) for name, after in zip(names, [*names[1:], None], strict=True)]
    runs = [read_recording(tmp_path / name) for name in names]
    assert [len(run.scene.body) for run in runs] == [1, 1, 2, 2]
    assert [runs[0].about.from_start, runs[2].about.from_start, runs[3].about.from_start] == [True, False, True]
    assert [float(run.times[0]) for run in runs] == pytest.approx([0.0, begun, begun + 0.05, 0.0], abs=1e-12)
    ends = [0.1, begun + 0.05, begun + 0.1, 0.04]  # where time is turned back, and a frame or less before an edit
    assert [run.until for run in runs] == pytest.approx(ends, abs=0.017)
    assert [runs[0].until, runs[2].until] == pytest.approx([ends[0], ends[2]], abs=1e-12)
    for run in runs:
        assert [again.state.tobytes() for again in Playback(run).rerun()] == [
            run.state(row).tobytes() for row in range(run.rows)
        ]
    assert (tmp_path / "run-3.vtkhdf").read_bytes() == b"another file"


def test_a_recording_goes_on_in_a_file_beside_when_an_edit_starts_the_run_again(tmp_path: Path) -> None:
    scene = swing()
    shown = Shown(scene)
    shown.do(StartRecording(tmp_path / "run.vtkhdf", "test"), AdvanceSteps(100))
    shown.do(LoadScene(with_another(scene), restarts=True), AdvanceSteps(40), StopRecording())
    heard = [(event.path.name, event.failure, event.next and event.next.name) for event in shown.heard(RecordingEnded)]
    assert heard == [("run.vtkhdf", "", "run-2.vtkhdf"), ("run-2.vtkhdf", "", None)]
    runs = [read_recording(tmp_path / name) for name, _, _ in heard]
    assert [len(run.scene.body) for run in runs] == [1, 2]
    assert [float(run.times[0]) for run in runs] == [0.0, 0.0]
    assert [run.until for run in runs] == pytest.approx([0.1, 0.04], abs=1e-12)


def test_a_recording_that_can_not_begin_is_said(tmp_path: Path) -> None:
    shown = Shown(swing())
    assert shown.do(StartRecording(tmp_path / "none" / "run.vtkhdf", "test")).recording is None
    assert shown.heard(RecordingEnded)[0].failure


def test_a_recording_is_scrubbed_and_shows_its_moments_as_they_were(tmp_path: Path) -> None:
    run = read_recording(recorded(tmp_path / "run.vtkhdf"))
    shown = Shown()
    moment = shown.do(ShowRecording(run))
    assert moment.replays
    assert moment.past == (0.0, 0.3)
    playback = Playback(run)
    for time in (0.2, 0.05, 0.3, 0.0, 0.123):
        moment = shown.do(Seek(time))
        assert moment.snapshot.time == pytest.approx(time, abs=0.0051)
        assert moment.snapshot.numbers.tobytes() == playback.snapshot(run.row_at(time)).numbers.tobytes()
    assert [event.scene.world.gravity[2] for event in shown.heard(ReplaySceneChanged)] == [
        -1.0,
        -9.80665,
        -1.0,
        -9.80665,
    ]
    assert shown.do(Seek(np.inf)).snapshot.time == 0.3
    assert shown.do(AdvanceSteps(-2)).snapshot.time == pytest.approx(0.28)
    assert shown.do(AdvanceSteps(1)).snapshot.time == pytest.approx(0.29)
    assert shown.do(Reset()).snapshot.time == 0.0
    grip = PullAll((0.0, 0.0, 1.0))
    assert (
        shown.do(Interact(shown.frames[-1].generation, grip)).snapshot.interaction_marker is None
    )  # what was recorded is not pulled


def test_a_recording_plays_to_its_end_and_rests(tmp_path: Path) -> None:
    run = read_recording(recorded(tmp_path / "run.vtkhdf"))
    shown = Shown()
    shown.do(ShowRecording(run), Play())
    while not shown.heard(ReplayEnded):
        shown.run.batch()
    assert shown.frames[-1].snapshot.time == run.until
    assert not shown.frames[-1].running


def test_going_on_from_a_moment_is_a_run_again(tmp_path: Path) -> None:
    run = read_recording(recorded(tmp_path / "run.vtkhdf"))
    shown = Shown()
    moment = shown.do(ShowRecording(run), Seek(0.1), ResumeFromReplay(), AdvanceSteps(50))
    assert not moment.replays
    assert moment.snapshot.bodies.basis.tobytes() == Playback(run).snapshot(15).bodies.basis.tobytes()


def test_an_edit_goes_on_from_the_moment_that_is_shown(tmp_path: Path) -> None:
    run = read_recording(recorded(tmp_path / "run.vtkhdf"))
    shown = Shown()
    moment = shown.do(ShowRecording(run), Seek(0.1))
    world = run.scene.world.model_copy(update={"gravity": (0.0, 0.0, 0.0)})
    after = shown.do(LoadScene(run.scene.model_copy(update={"world": world}), carry=True))
    assert not after.replays
    assert after.snapshot.time == moment.snapshot.time
    assert after.snapshot.bodies.basis == pytest.approx(moment.snapshot.bodies.basis, abs=1e-12)


def test_plots_see_the_whole_recording(tmp_path: Path) -> None:
    run = read_recording(recorded(tmp_path / "run.vtkhdf"))
    shown = Shown()
    shown.do(ShowRecording(run), SetSampledColumns(("energy.total", "bob.u3.z", "nobody.position.x")))
    shown.run.batch()
    shown.run.batch()
    numbers = np.concatenate([sampled.numbers for sampled in shown.sampled])
    assert shown.sampled[0].columns == ("time", "energy.total", "bob.u3.z")
    assert np.array_equal(numbers, Playback(run).table("time", "energy.total", "bob.u3.z"))


def test_a_recording_in_the_window(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_to(tmp_path, monkeypatch, "recording_bar")
    window = lab(SCENE)
    qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.recording_actions.indicator.isVisible(), timeout=SOON)
    qtbot.waitUntil(lambda: window.session.frame.recording.seconds > 0.4, timeout=SOON)
    assert window.action_table["tape"].isChecked()
    qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "Run recorded" in window.toast.text, timeout=SOON)
    assert read_recording(tmp_path / "mine.vtkhdf").span > 0.3

    window.files.open(tmp_path / "mine.vtkhdf")
    qtbot.waitUntil(lambda: window.session.replay is not None, timeout=SOON)
    qtbot.waitUntil(lambda: window.session.frame is not None and window.session.frame.replays, timeout=SOON)
    assert window.recording_actions.bar.isVisible()
    assert not window.action_table["tape"].isEnabled()
    assert not window.isWindowModified()  # all that is in it is in its file
    qtbot.keyClick(window, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time == window.session.replay.until, timeout=SOON)
    window.scene_view.set_visible("forces", True)
    qtbot.waitUntil(lambda: bool(window.session.frame.snapshot.forces), timeout=SOON)
    window.recording_actions.bar.resume_button.click()
    qtbot.waitUntil(lambda: not window.session.frame.replays, timeout=SOON)
    assert not window.recording_actions.bar.isVisible()
    before = window.session.frame.snapshot.time
    window.session.play(True)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > before + 0.1, timeout=SOON)


ENDLESS = "import time\nwhile True: time.sleep(1)"


def test_reading_a_recording_can_be_cancelled_and_the_window_goes_on(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reading process never answers here; the shown run continues meanwhile."""
    path = recorded(tmp_path / "run.vtkhdf")
    window = lab(SCENE)
    (tmp_path / "endless.py").write_text(ENDLESS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("polhode.recording.checks.isolated_file.SERVER", "endless")
    window.files.open(path)
    before, frames = window.session.frame.snapshot.time, window.session.frame
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > before + 0.2, timeout=SOON)
    assert window.session.frame is not frames
    assert window.toast.text == "Reading run.vtkhdf..."
    (reads,) = (thread for thread in threading.enumerate() if thread.name == "opening")
    window.toast.findChildren(QPushButton)[0].click()
    reads.join(10.0)
    assert not reads.is_alive()
    assert window.session.opening.poll() is None
    assert not window.toast.isVisible()
    monkeypatch.undo()
    window.files.open(path)
    qtbot.waitUntil(lambda: window.session.replay is not None, timeout=SOON)


def test_what_is_said_of_a_replay_and_of_its_film_stands_one_below_the_other(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_to(tmp_path, monkeypatch, "capture_actions")
    window = lab(SCENE)
    window.files.open(recorded(tmp_path / "run.vtkhdf"))
    qtbot.waitUntil(lambda: window.recording_actions.bar.isVisible(), timeout=SOON)
    alone = window.recording_actions.bar.geometry()
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_R, keys)
    qtbot.waitUntil(lambda: window.capture_actions.recorder.bar.isVisible(), timeout=SOON)
    assert window.recording_actions.bar.geometry() == alone
    assert window.capture_actions.recorder.bar.y() >= alone.bottom()
    window.recording_actions.bar.resume_button.click()
    qtbot.waitUntil(lambda: not window.recording_actions.bar.isVisible(), timeout=SOON)
    assert window.capture_actions.recorder.bar.y() == alone.y()
    window.capture_actions.recorder.cancel()
    qtbot.waitUntil(lambda: not window.capture_actions.recorder.bar.isVisible(), timeout=SOON)


def test_a_recording_of_the_gallery_opens_with_its_meshes(tmp_path: Path) -> None:
    simulation, taping = begun(read_scene(gallery.path("magnet_pendulum")), tmp_path / "run.vtkhdf", 20)
    advance(simulation, taping, 5)
    ended(taping)
    moment = Shown().do(ShowRecording(read_recording(taping.path)), Seek(np.inf), Pause())
    assert moment.snapshot.numbers.tobytes() == simulation.snapshot().numbers.tobytes()
