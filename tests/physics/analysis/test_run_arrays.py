"""Run: named arrays of a run, of tables and of recordings; where it begins, ends, and is interrupted."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import polhode
from polhode import Diverged, InputError, Run, Simulation, columns, read_run, read_scene
from polhode.analysis.table.row_times import RowTimes
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of


def swing(**solver: object) -> Scene:
    """A rope of three points, a ball, and a magnet on a pivot."""
    rope = {"name": "rope", "kind": "chain", "count": 3, "spacing": 0.1, "particle_mass": 0.1, "stiffness": 100.0}
    ball = {"name": "ball", "mass": 1.0, "position": [0, 0, 10], "velocity": [1, 0, 0]}
    bob = {"name": "bob", "support": "pivot", "angular_velocity": [0, 2, 0]}
    shape = {"kind": "sphere", "radius": 0.02, "mass": 0.1, "position": [0, 0, -0.2]}
    tables = {"soft": [{**rope, "fixed": [0]}], "particle": [ball], "body": [{**bob, "shape": [shape]}]}
    return scene_of({**tables, "title": "Swing", "solver": {"time_step": 1e-3, **solver}}, "test")


@pytest.fixture(scope="module")
def run() -> Run:
    return Simulation(swing()).run(until=0.5, every=0.01)


def test_rows_are_the_snapshots_of_a_run_that_steps_by_itself(run: Run) -> None:
    simulation = Simulation(swing())
    assert len(run) == 51
    assert run.complete
    for row, time in enumerate(run.time):
        assert time == float(f"{row / 100:.15g}")
        now = simulation.snapshot()
        assert run.numbers[row, 1:].tolist() == now.numbers[1:].tolist()  # bit by bit
        assert run["bob.position"][row].tolist() == now.bodies.position[0].tolist()
        assert run["rope.velocity"][row].tolist() == now.points.velocity[:3].tolist()
        simulation.advance_steps(10)


def test_names_have_shapes_and_units(run: Run) -> None:
    shapes = {"time": (51,), "bob.position": (51, 3), "bob.u1.x": (51,), "rope.position": (51, 3, 3)}
    assert {name: run[name].shape for name in shapes} == shapes
    assert run.units["bob.position"] == run.units["rope.position"] == "m"
    assert run.units["bob.u1"] == ""
    assert run.columns == columns(swing()) == {name: run.units[name] for name in run.names}
    assert "bob.position" in run
    assert "bob" not in run
    assert {*dict(run)} == {*run} == {*run.names}
    assert {*run.names, "bob.position", "rope.position", "rope.2.velocity"} <= {*run._ipython_key_completions_()}
    with pytest.raises(InputError, match="did you mean 'bob.position.z'"):
        run["bob.positon.z"]
    assert "51 rows" in repr(run)


def test_a_run_continues_where_the_last_one_ended(run: Run) -> None:
    simulation = Simulation(swing())
    parts = [simulation.run(until, 0.01) for until in (0.2, 0.5)]
    assert parts[1].time[0] == 0.2
    assert (np.concatenate((parts[0].numbers, parts[1].numbers[1:])) == run.numbers).all()


def test_the_last_row_is_at_the_end(run: Run) -> None:
    assert Simulation(swing()).run(0.0255, 0.01).time.tolist() == [0.0, 0.01, 0.02, 0.0255]
    between = Simulation(swing()).run(0.5, 0.0125)
    assert between.time.tolist() == [k / 80 for k in range(41)]
    np.testing.assert_allclose(between["ball.position"][-1], run["ball.position"][-1], rtol=1e-9)


def test_decimal_times_are_those_of_decimal_numbers() -> None:
    times = RowTimes(1000.0, 0.1, 0.3)
    assert [*times] == [float(f"{0.3 + k / 10:.12g}") for k in range(len(times))]
    assert times.part(len(times) - 1, 10**9).tolist() == [1000.0]


@pytest.mark.parametrize(
    ("until", "every", "place"), [(-1.0, 0.01, "until"), (1.0, 1e-4, "every"), (1.0, 0.0, "every")]
)
def test_impossible_rows_are_refused(until: float, every: float, place: str) -> None:
    with pytest.raises(InputError) as caught:
        Simulation(swing()).run(until, every)
    assert [problem.place for problem in caught.value.problems] == [place]


def test_a_run_that_diverges_keeps_its_rows() -> None:
    simulation = Simulation(swing(method="euler", time_step=0.2))
    with pytest.raises(Diverged) as caught:
        simulation.run(until=1e5, every=0.4)
    kept = caught.value.run
    assert kept is not None
    assert not kept.complete
    assert len(kept) >= 2
    assert kept.time[-1] <= caught.value.time < kept.time[-1] + 0.4 + 1e-9
    assert np.isfinite(kept.numbers).all()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_keeps_the_rows() -> None:
    simulation = Simulation(swing())
    others = signal.signal(signal.SIGINT, signal.default_int_handler)  # of earlier tests in this process

    def press(time: float) -> None:
        if time > 1.0:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.warns(RuntimeWarning, match="of 1e\\+09 s"):
        kept = simulation.run(1e9, 1e4, press)
    assert signal.signal(signal.SIGINT, others) is signal.default_int_handler
    assert not kept.complete
    assert kept.stopped in repr(kept)
    assert len(kept) >= 1
    simulation.advance_steps(1)  # and the simulation can continue


def test_another_thread_may_cancel_a_run() -> None:
    simulation = Simulation(swing())
    timer = threading.Timer(0.2, simulation.cancel)
    timer.start()
    with pytest.warns(RuntimeWarning):
        assert not simulation.run(1e9, 1e4).complete
    timer.join()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_saved_run_is_read_back(run: Run, tmp_path: Path, ending: str) -> None:
    run.save(tmp_path / f"a.{ending}")
    again = read_run(tmp_path / f"a.{ending}")
    assert again.numbers.tobytes() == np.ascontiguousarray(run.numbers).tobytes()
    assert again.columns == run.columns
    if ending == "parquet":
        assert again.about == run.about
        assert scene_of_text(again.about["scene"]) == swing()


def scene_of_text(text: str) -> Scene:
    import tomllib  # noqa: PLC0415

    return scene_of(tomllib.loads(text), "test")


def test_files_that_are_no_tables_are_refused(run: Run, tmp_path: Path) -> None:
    bad = {"a.csv": "time,b\n0,1\n0,x\n", "b.csv": "x,y\n1,2\n", "c.csv": "time,b\n1,2,3\n", "d.parquet": "time"}
    for name, text in bad.items():
        (tmp_path / name).write_text(text)
        with pytest.raises(InputError, match=name):
            read_run(tmp_path / name)
    for name in ("missing.csv", "missing.parquet", "missing.vtkhdf", "run.txt"):
        with pytest.raises(InputError, match=name):
            read_run(tmp_path / name)
    for name in ("a.txt", "no_folder/a.csv"):
        with pytest.raises(InputError, match=name):
            run.save(tmp_path / name)


def test_a_library_that_is_missing_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, use in (("pandas", run.to_pandas), ("xarray", run.to_xarray), ("pyarrow", lambda: run.save("a.parquet"))):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(InputError, match=f"pip install {name}"):
            use()


def test_columns_are_plotted_with_their_units(run: Run) -> None:
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("agg")
    axes = run.plot("bob.position.z", "energy.total", "ball.velocity")
    assert axes.get_xlabel() == "time [s]"
    labels = {part.get_ylabel() for part in axes.figure.axes}
    assert labels == {"bob.position.z [m]", "energy.total [J]", "ball.velocity [m/s]"}
    shown = [text.get_text() for text in axes.get_legend().get_texts()]
    assert shown == ["bob.position.z", "energy.total", *(f"ball.velocity.{x}" for x in "xyz")]
    assert (axes.lines[0].get_ydata() == run["bob.position.z"]).all()
    mpl.pyplot.close(axes.figure)
    with pytest.raises(InputError):
        run.plot()


def test_frames_and_tables_of_libraries(run: Run) -> None:
    pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert (frame["bob.position.z"].to_numpy() == run["bob.position.z"]).all()
    assert (frame.index.to_numpy() == run.time).all()
    assert frame.attrs["units"]["bob.position.z"] == "m"
    pytest.importorskip("xarray")
    data = run.to_xarray()
    assert data["rope.position"].dims == ("time", "rope.point", "axis")
    assert (data["rope.position"].sel(axis="z").to_numpy() == run["rope.position"][..., 2]).all()
    assert data["bob.position"].attrs == {"units": "m"}
    assert len(data["time"]) == len(run)


def test_public_names() -> None:
    assert (polhode.Run, polhode.read_run, polhode.columns) == (Run, read_run, columns)
    assert read_scene("scenes/heavy_top.toml") is not None
