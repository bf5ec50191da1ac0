"""Measured data laid over a run, without a window: assignments, smoothing, places, fits as edits, background work."""

from __future__ import annotations

import threading
import time
import tomllib
from dataclasses import replace

import numpy as np
import pytest
from made_data import PENDULUM

from app.compilation.background_job import BackgroundJob
from app.measured.fitted_scene import BEFORE, with_fit
from app.measured.measured_layer import MeasuredLayer, compare, smoothed
from core.data.measured import measured
from core.fitting.result import Estimate
from core.fitting.unknowns import unknowns_of
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene
from core.scene.scene_file import scene_of
from core.simulation.ghost_runs import ghost_scene

TIMES = np.array([-0.5, 0.0, 0.5, 1.0])


def layer() -> MeasuredLayer:
    columns = {name: np.array([1.0, 2.0, np.nan, 4.0]) for name in ("x", "z", "w")}
    return MeasuredLayer(measured("made", TIMES, columns))


def pendulum() -> Scene:
    return scene_of(tomllib.loads(PENDULUM.format(gravity=9.4, friction=0.004, angle=1.2)), "pendulum")


def test_a_quantity_belongs_to_one_column() -> None:
    one = layer().assigned("x", "bob.position.x")
    other = one.assigned("w", "bob.position.x")
    assert one.mapping == {"x": "bob.position.x"}
    assert other.mapping == {"w": "bob.position.x"}
    assert other.assigned("w", "").mapping == {}


def test_only_unusual_numbers_are_stated() -> None:
    laid = replace(layer().assigned("w", "q").calibrated("w", -1.0, 0.0), time_offset=0.5)
    assert laid.stated == {"data.time_offset": 0.5, "data.w.scale": -1.0}
    assert laid.with_numbers({"data.w.offset": 2.0, "data.time_offset": 0.0}).stated == {
        "data.w.scale": -1.0,
        "data.w.offset": 2.0,
    }


def test_residuals_are_those_within_the_run_without_gaps() -> None:
    """The run gives q = 10 t; the reading -1 at t = -0.5 s comes before it, and one cell is empty."""
    laid = layer().assigned("w", "q")
    made = compare(laid, Scene(), lambda _scene, names, times: np.stack([10 * times for _ in names], axis=1))
    assert made.residuals("w").tolist() == [0.0 - 2.0, 10.0 - 4.0]


def test_an_axis_that_was_not_measured_is_that_of_the_run() -> None:
    laid = layer().assigned("x", "bob.position.x").assigned("z", "bob.position.z")
    assert laid.wanted() == ["bob.position.x", "bob.position.z", "bob.position.y"]
    made = compare(laid, Scene(), lambda _scene, names, times: np.full((len(times), len(names)), 7.0))
    assert made.tracks()["bob.position"].tolist() == [[2.0, 7.0, 2.0], [4.0, 7.0, 4.0]]
    assert layer().assigned("x", "bob.position.x").places() == {}


def test_smoothing_leaves_lines_and_gaps_as_they_are_and_lessens_noise() -> None:
    random = np.random.default_rng(2)
    times = np.sort(random.uniform(0.0, 10.0, 400))
    line = 3.0 - 2.0 * times
    line[7] = np.nan
    assert smoothed(times, line, 0.0) is line
    assert smoothed(times, line, 0.5)[8:] == pytest.approx(line[8:], abs=1e-9)
    noise = random.standard_normal(400)
    assert np.std(smoothed(times, noise, 1.0)) < 0.4  # about 40 values each: 1/sqrt(40), more at the ends
    alone = smoothed(np.array([0.0, 1.0, 2.0]), np.array([1.0, 5.0, 2.0]), 0.1)
    assert alone.tolist() == [1.0, 5.0, 2.0]


def test_a_fit_is_an_edit_with_a_ghost_that_has_the_former_numbers() -> None:
    scene = pendulum()
    data = measured("made", np.array([0.0, 1.0]), {"w": np.array([0.0, 1.0])})
    free = ["body[0].friction", "body[0].tilt[1]", "data.w.offset"]
    unknowns = unknowns_of(scene, free, {}, data, ["w"])
    values = [0.002, 0.3, 9.0]
    found = [Estimate(each, value, 0.0, value, value) for each, value in zip(unknowns.each, values, strict=True)]
    changed = with_fit(scene, found, True)
    assert changed.body[0].friction == 0.002
    before = ghost_scene(changed, changed.ghost[0])
    assert changed.ghost[0].name == BEFORE
    assert before.body[0].friction == 0.004
    assert before.body[0].orientation.matrix() == pytest.approx(scene.body[0].orientation.matrix(), abs=1e-12)
    assert len(with_fit(changed, found, True).ghost) == 1  # the former one is replaced
    assert with_fit(changed, found, False).ghost == ()


def test_a_ghost_with_a_wrong_number_is_refused_with_its_place() -> None:
    table = {"ghost": [{"name": "g", "values": [{"parameter": "world.gravty[2]", "value": 1.0}]}]}
    scene = scene_of(table, "scene")
    with pytest.raises(InputError, match=r"values\[0\].parameter: 'world.gravty\[2\]' is no number"):
        ghost_scene(scene, scene.ghost[0])


def result_of(job: BackgroundJob) -> object:
    """What a job gives within 5 s."""
    for _ in range(1000):
        if (result := job.poll()) is not None:
            return result
        time.sleep(0.005)
    raise AssertionError("no result")


def test_the_newest_work_wins_and_errors_come_back() -> None:
    job, begun = BackgroundJob("test"), threading.Event()

    def endless(breathe):
        begun.set()
        while True:
            breathe()

    job.start(endless)
    assert begun.wait(5.0)
    job.start(lambda _breathe: "new")
    assert result_of(job) == "new"
    assert job.poll() is None
    error = InputError("file", [Problem("", "rule", "remedy")])

    def fails(_breathe):
        raise error

    job.start(fails)
    assert result_of(job) is error
    job.start(lambda _breathe: 1 // 0)
    assert "work in the background failed" in str(result_of(job))
    job.close()
    assert not job.is_running
