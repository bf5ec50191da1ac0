"""Estimates before a sweep starts, and what is refused by them."""

import time

import pytest
from command_line import polhode

from polhode.scene.scene_file import read_scene
from polhode.scene.scene_writing import write_scene
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.sweep import Sweep
from scenes import scene

PENDULUM = {
    "name": "bob",
    "support": "axle",
    "axis": [0, 1, 0],
    "shape": [{"kind": "sphere", "radius": 0.02, "mass": 0.3, "position": [0, 0, -0.5]}],
}
YEAR = 3.156e7  # [s]


def settings(count: int, until: float, **outcome) -> SweepSettings:
    axis = {"parameter": "body[0].tilt[1]", "range": [0.1, 3.0], "count": count}
    return SweepSettings.model_validate({"until": until, "axes": [axis], "outcome": outcome})


@pytest.mark.parametrize("outcome", [{"kind": "settled"}, {"kind": "mean", "quantity": "bob.position.x"}])
def test_an_estimate_is_that_of_the_whole_sweep_but_for_a_few_times(outcome):
    """A loose bound: other programs may take the processor during the one or the other."""
    sweep = Sweep(scene(PENDULUM | {"friction": 0.01}), settings(24, 30.0, **outcome), workers=1)
    estimate = sweep.estimate()
    begin = time.perf_counter()
    sweep.run()
    assert 0.1 < estimate / (time.perf_counter() - begin) < 10


def test_estimates_grow_with_cells_and_time():
    given, asked = scene(PENDULUM), {"kind": "settled"}
    short, long = (Sweep(given, settings(8, until, **asked), workers=1).estimate() for until in (100.0, YEAR))
    assert long > 1e4 * short  # 3e5 times as many steps
    assert long > 3600  # 2.5e11 steps


def test_runs_of_a_year_are_refused_before_they_start(tmp_path):
    swept = settings(1000, YEAR, kind="settled").model_copy(update={"name": "year"})
    write_scene(scene(PENDULUM).model_copy(update={"sweep": (swept,)}), tmp_path / "year.toml")
    done = polhode("sweep", "year.toml", "--out", "map.h5", folder=tmp_path)
    assert done.returncode == 2
    assert "days" in done.stderr
    assert "--force" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "map.h5").exists()


def test_maps_of_too_many_cells_are_refused(tmp_path):
    given = read_scene("scenes/basins_of_three_magnets.toml")
    axes = tuple(axis.model_copy(update={"count": 1_000_000}) for axis in given.sweep[0].axes)
    sweep = given.sweep[0].model_copy(update={"axes": axes})
    write_scene(given.model_copy(update={"sweep": (sweep,)}), tmp_path / "many.toml")
    for command in (("check", "many.toml"), ("sweep", "many.toml", "--out", "map.h5")):
        done = polhode(*command, folder=tmp_path)
        assert done.returncode == 2
        assert "sweep[0].axes: has 1000000000000 cells" in done.stderr
        assert "Traceback" not in done.stderr
