"""Recordings on the command line: made, told of, run again, and turned into tables and scenes."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from decimal import Decimal
from functools import partial
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from command_line import polhode
from meaning import Meaning, refuses
from recording_files import Animation, advance, begun, ended
from sampling import sampled

from polhode import Simulation, read_recording, read_scene
from polhode.recording.playback import Playback
from polhode.scene import gallery
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of
from polhode_app.cli.results.recording_export import unwind

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a.vtkhdf and a.csv of the same run."""
    folder = tmp_path_factory.mktemp("recordings")
    for name in ("a.vtkhdf", "a.csv"):
        done = polhode("run", "rotating_field", "--until", "0.5", "--out", name, folder=folder)
        assert (done.returncode, done.stderr) == (0, "")
    return folder


def split_times(path: Path) -> tuple[list[str], list[str]]:
    """The times of a table and the rest of its rows. A run states multiples of --every, a recording its own clock."""
    rows = [row.split(",", 1) for row in path.read_text("utf-8").splitlines()]
    return [row[0] for row in rows], [row[1] for row in rows]


def same(first: Path, second: Path) -> bool:
    """Whether two tables are equal to the last digit; times may differ by rounding."""
    (times, rows), (other_times, other_rows) = split_times(first), split_times(second)
    assert list(map(float, times[1:])) == pytest.approx(list(map(float, other_times[1:])), rel=1e-15)
    return rows == other_rows


@pytest.mark.parametrize(
    ("step", "every"), sampled([(0.0001, 0.0003), (0.001, 0.001), (0.007, 0.007), (0.0002, 0.1)], 2)
)
def test_times_are_decimal_in_tables_of_runs_and_of_recordings(tmp_path: Path, step: float, every: float) -> None:
    """0.0003 after 3 steps of 0.0001 s, whose product as floats is 0.00030000000000000003."""
    words = ["run", "heavy_top", "--step", step, "--every", every, "--until", float(10 * Decimal(repr(every)))]
    for out in ("run.csv", "run.vtkhdf"):
        assert polhode(*words, "--out", out, folder=tmp_path).returncode == 0
    assert polhode("convert", "run.vtkhdf", "converted.csv", folder=tmp_path).returncode == 0
    expected = [repr(float(k * Decimal(repr(every)))) for k in range(11)]
    for table in ("run.csv", "converted.csv"):
        with (tmp_path / table).open() as file:
            assert [row["time"] for row in csv.DictReader(file)] == expected


def test_a_recording_becomes_the_table_that_the_run_would_have_written(folder: Path) -> None:
    done = polhode("convert", "a.vtkhdf", "b.csv", folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert same(folder / "b.csv", folder / "a.csv")


def test_a_recording_that_is_run_again_is_the_same(folder: Path) -> None:
    for name in ("again.vtkhdf", "again.csv"):
        done = polhode("run", "a.vtkhdf", "--out", name, folder=folder)
        assert (done.returncode, done.stderr) == (0, "")
    assert same(folder / "again.csv", folder / "a.csv")
    first, second = read_recording(folder / "a.vtkhdf"), read_recording(folder / "again.vtkhdf")
    assert first.states(0, first.rows).tobytes() == second.states(0, second.rows).tobytes()


def test_another_method_is_a_comparison(folder: Path) -> None:
    done = polhode("run", "a.vtkhdf", "--out", "other.csv", "--method", "rk4", "--step", "2e-4", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    tables = [np.genfromtxt(folder / name, delimiter=",", names=True) for name in ("a.csv", "other.csv")]
    assert tables[0]["time"] == pytest.approx(tables[1]["time"], rel=1e-15)
    column = tables[0].dtype.names[7]
    assert tables[0][column] == pytest.approx(tables[1][column], abs=1e-3)
    assert not np.array_equal(tables[0][column], tables[1][column])


def test_info_tells_what_a_recording_holds(folder: Path) -> None:
    done = polhode("info", "a.vtkhdf", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "51, from 0 s to 0.5 s, 100 per second" in done.stdout
    told = json.loads(polhode("info", "a.vtkhdf", "--json", folder=folder).stdout)
    assert (told["moments"], told["method"], told["deeds"]) == (51, "splitting", {})


def test_any_moment_becomes_a_scene_that_goes_on_alike(folder: Path) -> None:
    done = polhode("convert", "a.vtkhdf", "later.toml", "--at", "0.3", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    again = Simulation(read_scene(folder / "later.toml"))
    again.advance(0.2)
    run = read_recording(folder / "a.vtkhdf")
    bodies = Playback(run).snapshot(run.rows - 1).bodies
    # The basis of a scene's body is repaired once more, which is rounding; half a second makes little of it.
    assert again.snapshot().bodies.position == pytest.approx(bodies.position, abs=1e-9)
    assert again.snapshot().bodies.basis == pytest.approx(bodies.basis, abs=1e-9)


SOFT = ("jelly_pendulum", "jelly_magnet", "cloth_on_ball", "cloth_by_modes", "jelly_by_modes", "flag")


@pytest.mark.parametrize("name", sampled(SOFT, 3))
def test_soft_bodies_go_on_from_any_moment_as_they_did(name: str, tmp_path: Path) -> None:
    scene = read_scene(gallery.path(name))
    steady = scene.world.wind.model_copy(update={"period": 0.0})  # a periodic wind restarts
    scene = scene.model_copy(update={"world": scene.world.model_copy(update={"wind": steady})})
    simulation, taping = begun(scene, tmp_path / "run.vtkhdf", max(1, round(0.05 / scene.solver.time_step)))
    advance(simulation, taping, 7)
    ended(taping)
    run = read_recording(taping.path)
    assert unwind(run, tmp_path / "later.toml", float(run.times[4]), lambda share: None) == []
    again = Simulation(read_scene(tmp_path / "later.toml"))
    playback = Playback(run)
    then = playback.snapshot(4)
    size = np.ptp(then.points.position, axis=0).max()
    # Places are told from those at rest, and frames are found from places: that is rounding.
    assert again.snapshot().points.position == pytest.approx(then.points.position, rel=0, abs=1e-14 * size)
    for row in (5, 7):
        again.advance_steps(int(run.steps[row] - run.steps[4]) - again.steps)
        now = playback.snapshot(row)
        assert again.snapshot().points.position == pytest.approx(now.points.position, rel=0, abs=1e-9 * size)
        fastest = np.abs(now.points.velocity).max()
        assert again.snapshot().points.velocity == pytest.approx(now.points.velocity, rel=0, abs=1e-7 * fastest)
    moved = np.abs(playback.snapshot(7).points.position - then.points.position).max()
    assert moved > 1e-4 * size


def test_an_initial_state_of_other_points_is_refused() -> None:
    chain = {"name": "rope", "kind": "chain", "count": 3, "spacing": 0.1, "particle_mass": 0.1, "stiffness": 10}
    soft = chain | {"initial_state": {"velocities": [[0, 0, 1], [0, 0, 0]]}}
    with refuses("soft[0].initial_state.velocities", vectors=2, count=3, name="rope"):
        Simulation(scene_of({"soft": [soft]}, ""))


@pytest.mark.nightly
def test_a_recording_from_python(folder: Path) -> None:
    run = read_recording(folder / "a.vtkhdf")
    table = np.genfromtxt(folder / "a.csv", delimiter=",", skip_header=1)
    playback = Playback(run)
    assert [*playback.columns] == (folder / "a.csv").read_text().split("\n")[0].split(",")
    assert np.array_equal(playback.table()[:, 1:], table[:, 1:])
    assert playback.table()[:, 0] == pytest.approx(table[:, 0], rel=1e-15)
    name = [*playback.columns][5]
    assert np.array_equal(playback[name], table[:, 5])
    assert run.times[-1] == 0.5


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("convert a.vtkhdf b.xls", Meaning("b.xls", name="a.vtkhdf", endings=".csv, .parquet, .toml")),
        ("convert a.vtkhdf b.toml --at 7", Meaning("--at", time=7, first=0, last=0.5)),
        ("convert a.vtkhdf b.csv --at 0.1", Meaning("--at", "scenes", "frames")),
        ("convert a.vtkhdf none/b.csv", Meaning("none/b.csv", "folder", folder="none")),
        ("convert a.csv b.toml", Meaning("b.toml", "conversions", name="a.csv")),
        (
            "run a.vtkhdf --out b.csv --method rk5",
            Meaning("--method", "known", value="'rk5'"),
        ),
        ("run heavy_top --out b.csv", Meaning("--until", "missing", "run")),
    ],
)
def test_what_does_not_go_is_said(folder: Path, command: str, message: Meaning) -> None:
    done = polhode(*command.split(), folder=folder)
    assert done.returncode == 2
    assert message.of(done.stderr)


def test_parquet_has_the_same_numbers_with_units(folder: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = polhode("convert", "a.vtkhdf", "a.parquet", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    table = parquet.read_table(folder / "a.parquet")
    run = read_recording(folder / "a.vtkhdf")
    playback = Playback(run)
    assert table.column_names == [*playback.columns]
    numbers, expected = np.column_stack([column.to_numpy() for column in table.columns]), playback.table()
    assert np.array_equal(numbers[:, 1:], expected[:, 1:])
    assert numbers[:, 0] == pytest.approx(expected[:, 0], rel=1e-15)  # in tables they are decimal
    assert table.schema.field("energy.total").metadata == {b"unit": b"J"}


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
def test_ctrl_c_leaves_a_whole_recording(tmp_path: Path) -> None:
    path = tmp_path / "long.vtkhdf"
    command = [sys.executable, "-m", "polhode_app", "run", "heavy_top", "--until", "1e6", "--force", "--out", str(path)]
    # A shell that runs the tests in the background has told its children to ignore Ctrl-C.
    hear = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, preexec_fn=hear)
    try:
        deadline = time.monotonic() + 240.0
        while moments(path) <= 10:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=120)[1]
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert Meaning("", "Stopped", "output").of(said)
    assert read_recording(path).rows == len(Animation(path).times) > 10


def moments(path: Path) -> int:
    """How many a file has that is still written, or not even begun."""
    with suppress(InputError), closing(read_recording(path)) as run:
        return run.rows
    return 0


@pytest.mark.nightly
def test_a_recording_becomes_a_film_or_a_picture_of_a_moment(folder: Path) -> None:
    done = polhode("convert", "a.vtkhdf", "film.mp4", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    frames = list(imageio_ffmpeg.read_frames(str(folder / "film.mp4")))
    assert frames[0]["size"] == (1280, 720)
    assert len(frames) - 1 == pytest.approx(30 * 0.5, abs=1)
    done = polhode("convert", "a.vtkhdf", "moment.png", "--at", "0.3", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "moment.png").stat().st_size > 10_000
