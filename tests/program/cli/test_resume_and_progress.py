"""`polhode run --resume`, tables as Parquet files, and progress without a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import polhode

from polhode import InputError, Simulation, read_recording, read_run, read_scene
from polhode.scene import gallery
from polhode_app.cli.terminal import console
from polhode_app.cli.terminal.console import ProgressLines
from polhode_app.cli.terminal.progress_options import ProgressOptions

SCENE = """
title = "Swing"
[solver]
method = "{method}"
time_step = 1e-3
[[body]]
name = "bob"
support = "pivot"
angular_velocity = [0, 2, 0]
[[body.shape]]
kind = "sphere"
radius = 0.02
mass = 0.1
position = [0, 0, -0.2]
[[wall]]
name = "floor"
normal = [0, 0, 1]
stiffness = 1e3
point = [0, 0, -0.5]
motion = {{ kind = "sine", amplitude = 0.1, period = 1.0 }}
"""


def write(folder: Path, method: str) -> str:
    (folder / "swing.toml").write_text(SCENE.format(method=method))
    return "swing.toml"


@pytest.mark.parametrize("method", ["rk4", "dormand_prince_8", "implicit", "adams_bashforth_2"])
def test_a_resumed_recording_goes_on_as_if_it_had_not_ended(tmp_path: Path, method: str) -> None:
    scene = write(tmp_path, method)
    for words in (
        (scene, "--until", 1, "--out", "whole.vtkhdf"),
        (scene, "--until", 0.4, "--out", "first.vtkhdf"),
        ("--resume", "first.vtkhdf", "--until", 1, "--out", "second.vtkhdf"),
        ("--resume", "first.vtkhdf", "--until", 1, "--out", "second.parquet"),
    ):
        done = polhode("run", *words, folder=tmp_path)
        assert done.returncode == 0, done.stderr
    is_same = method in ("rk4", "dormand_prince_8")
    assert ("uses earlier steps" in done.stderr) == (not is_same)
    with read_recording(tmp_path / "whole.vtkhdf") as whole, read_recording(tmp_path / "second.vtkhdf") as second:
        assert second.times.tolist() == whole.times[40:].tolist()
        same = second.states(0, len(second)) == whole.states(40, len(whole))
        assert same[0].all()
        assert same.all() == is_same
        assert (second.run().numbers == read_run(tmp_path / "second.parquet").numbers).all()


def test_a_recording_is_resumed_only_beyond_its_end(tmp_path: Path) -> None:
    scene = write(tmp_path, "rk4")
    assert polhode("run", scene, "--until", 0.1, "--out", "a.vtkhdf", folder=tmp_path).returncode == 0
    for words, said in (
        (("--resume", "a.vtkhdf", "--until", 0.1), "0.1 s, and"),
        (("--resume", "a.vtkhdf", "--until", 1, "--method", "verlet"), "--method"),
        ((scene, "--resume", "a.vtkhdf", "--until", 1), "--resume"),
        (("--until", 1), "SCENE"),
        (("--resume", "b.vtkhdf", "--until", 1), "b.vtkhdf"),
    ):
        done = polhode("run", *words, "--out", "c.csv", folder=tmp_path)
        assert done.returncode == 2
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "c.csv").exists()


def test_a_parquet_table_has_the_rows_of_the_csv_table(tmp_path: Path) -> None:
    scene = write(tmp_path, "rk4")
    for name in ("a.csv", "a.parquet"):
        assert polhode("run", scene, "--until", 0.3, "--out", name, "--units", folder=tmp_path).returncode == 0
    one, other = read_run(tmp_path / "a.csv"), read_run(tmp_path / "a.parquet")
    assert (one.numbers == other.numbers).all()
    assert one.columns == other.columns
    assert other.about["title"] == "Swing"


def test_a_parquet_table_keeps_the_rows_before_a_run_diverges(tmp_path: Path) -> None:
    write(tmp_path, "euler")
    done = polhode(
        "run", "swing.toml", "--until", 1e5, "--step", 0.2, "--every", 0.4, "--out", "a.parquet", folder=tmp_path
    )
    assert done.returncode == 3
    assert len(read_run(tmp_path / "a.parquet")) >= 2


def test_an_unknown_scene_is_reported_before_a_missing_option(tmp_path: Path) -> None:
    for command in ("run", "render", "sweep", "fit"):
        done = polhode(command, "heavy_to", folder=tmp_path)
        assert done.returncode == 2
        assert "did you mean 'heavy_top'" in done.stderr
        assert "requires" in polhode(command, "heavy_top", folder=tmp_path).stderr


def lines_of(monkeypatch: pytest.MonkeyPatch, options: ProgressOptions, seconds: float) -> list[str]:
    """Lines about a run of 100 s at 2 simulated seconds per second, reported every second for some seconds."""
    clock, said = [0.0], []
    monkeypatch.setattr(console, "monotonic", lambda: clock[0])
    monkeypatch.setattr(console, "say", said.append)
    lines = ProgressLines("top", 100.0, "s", options)
    while clock[0] < seconds:
        lines.report(2.0 * clock[0])
        clock[0] += 1.0
    lines.end()
    return [str(line) for line in said]


def test_progress_has_time_speed_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = lines_of(monkeypatch, ProgressOptions(), 35.0)
    numbers = [re.findall(r"[\d:]*\d", line) for line in usual]
    assert numbers == [["20", "100", "2", "0:00:40"], ["40", "100", "2", "0:00:30"], ["60", "100", "2", "0:00:20"]]
    verbose = lines_of(monkeypatch, ProgressOptions(verbose=True), 35.0)
    assert len(verbose) == 35
    assert verbose[-1] == "top: 0:00:35 in total"


def test_short_commands_print_no_progress_and_verbose_ones_do(tmp_path: Path) -> None:
    scene = write(tmp_path, "rk4")
    said = {
        option: polhode("run", scene, "--until", 0.1, "--out", "a.csv", *option, folder=tmp_path).stderr
        for option in ((), ("--quiet",), ("--verbose",))
    }
    assert said[()] == said["--quiet",] == ""
    assert re.fullmatch(r"(.*\n)*swing.toml: 0:00:\d\d in total\n", said["--verbose",])


def test_objects_are_shown_in_a_few_lines(tmp_path: Path) -> None:
    scene = read_scene(gallery.path("heavy_top"))
    simulation = Simulation(scene)
    snapshot = simulation.snapshot()
    assert repr(scene) == str(scene) == "Scene 'Heavy top' (bodies: 1)"
    assert repr(simulation).startswith("Simulation at t = 0 s of Scene 'Heavy top'")
    assert repr(snapshot).startswith("Snapshot at t = 0 s, step 0 (bodies: 1), ")
    assert {"bodies", "energy", "time", "joints"} <= {*dir(simulation.snapshot())}
    done = polhode("run", write(tmp_path, "rk4"), "--until", 0.1, "--out", "a.vtkhdf", folder=tmp_path)
    assert done.returncode == 0
    with read_recording(tmp_path / "a.vtkhdf") as recording:
        assert "t = 0 ... 0.1 s, 11 frames" in repr(recording)
        assert len(recording) == 11
        assert [now.time for now in recording] == recording.times.tolist()
        assert recording["bob.position"].shape == (11, 3)
        assert (recording["bob.u1"][:, 2] == recording["bob.u1.z"]).all()
    with pytest.raises(InputError):
        read_recording(tmp_path / "b.vtkhdf")
