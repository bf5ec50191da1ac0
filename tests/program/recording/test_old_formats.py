"""A recording that an older version of the format has made is opened by this one. The files are never made again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from recording_files import Animation

from polhode.physics.grab.interactions import PullPoint
from polhode.recording.contents import FORMAT
from polhode.recording.playback import Playback
from polhode.recording.reader import read_recording

KEPT = Path(__file__).parents[2] / "recordings"


def test_every_format_has_its_file():
    assert [path.name for path in sorted(KEPT.iterdir())] == [f"format_{k}.vtkhdf" for k in range(1, FORMAT + 1)]


def test_the_first_format():
    run = read_recording(KEPT / "format_1.vtkhdf")
    assert run.about.title == "Kept by the first version of the format"
    assert (run.rows, run.about.method, run.about.time_step) == (16, "rk4", 1e-3)
    assert run.times == pytest.approx(np.arange(16) * 0.01, abs=1e-15)
    assert [event.name for event in run.events] == ["grab", "release", "load"]
    assert run.interaction_at(8) == PullPoint(0, (0.5, 0.0, 0.1))
    assert [run.scene_at(row).world.gravity[2] for row in (0, 15)] == [-9.80665, -1.62]
    # As the version that made it has computed them from the states; they may be rounded otherwise since.
    expected = [
        [-0.29552020666133955, 0.0, -4.684325290541811],
        [-0.2782150333377421, -0.02307767012913341, -4.686769384170029],
        [-0.24086858522618834, -0.01204552048789109, -0.7010468268110716],
    ]
    table = Playback(run).table("bob.u3.y", "ball.position.z", "energy.total")
    assert table[[0, 8, 15]] == pytest.approx(np.array(expected), rel=1e-12)


def test_the_first_format_is_run_again():
    run = read_recording(KEPT / "format_1.vtkhdf")
    playback = Playback(run)
    for row, again in enumerate(playback.rerun()):
        stored = run.state(row)  # without the ledger's lines for joints and coils, which are the last numbers
        assert again.state[: len(stored)] == pytest.approx(stored, abs=1e-9)  # other machines round otherwise
        assert len(again.state) == len(stored) + 5
        assert not again.state[len(stored) :].any()


def test_vtk_reads_the_first_format():
    animation = Animation(KEPT / "format_1.vtkhdf")
    assert len(animation.times) == 16
    blocks = animation.at(animation.times[-1])
    assert set(blocks) == {"Run", "Bodies", "Motion", "Points", "Walls"}
    run = read_recording(KEPT / "format_1.vtkhdf")
    assert blocks["Points"]["points"][0] == pytest.approx(Playback(run).snapshot(15).points.position[0], abs=1e-4)
