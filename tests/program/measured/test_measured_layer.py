"""Measured data laid over a run, without a window: assignments, smoothing, places, fits as edits, background work."""

from __future__ import annotations

import threading
import time
import tomllib
from dataclasses import replace

import numpy as np
import pytest
from made_data import PENDULUM
from meaning import Meaning, refuses

from polhode.data.measured import measured
from polhode.engine.compile import build
from polhode.fitting.forward import computed
from polhode.fitting.quantities.known import observe
from polhode.fitting.result import Estimate
from polhode.fitting.unknowns import unknowns_of
from polhode.fitting.unstated import with_stated
from polhode.mesh.mesh import Meshes
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.ghost_runs import ghost_scene
from polhode_app.data.measured.fit_run import compare_run
from polhode_app.data.measured.fitted_scene import BEFORE, with_fit
from polhode_app.data.measured.measured_layer import MeasuredLayer, compare, smoothed
from polhode_app.jobs import Job

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
    assert made.tracks()["bob.position"] == pytest.approx(np.array([[2.0, 7.0, 2.0], [4.0, 7.0, 4.0]]))
    assert layer().assigned("x", "bob.position.x").measured_positions() == {}


def test_places_in_the_frame_of_a_body_and_along_directions_are_drawn_in_the_laboratory() -> None:
    """The cart is turned by a quarter turn about z: its u1 is y, its u2 is -x."""
    pose = {"cart.position.x": 10.0, "cart.position.y": 20.0, "cart.u1.y": 1.0, "cart.u2.x": -1.0, "cart.u3.z": 1.0}

    def run(_scene: Scene, names: list[str], times: np.ndarray) -> np.ndarray:
        return np.tile([pose.get(name, 5.0 if "in[cart]" in name else 0.0) for name in names], (len(times), 1))

    laid = layer().assigned("x", "bob.point[0, 0, 1].in[cart].x").assigned("z", "bob.point[0,0,1].in[cart].z")
    found = compare(laid, Scene(), run).tracks()["bob.point[0, 0, 1].in[cart]"]
    assert found == pytest.approx(np.array([[5.0, 22.0, 2.0], [5.0, 24.0, 4.0]]))  # 10 - 5, 20 + x, z
    oblique = layer().assigned("x", "bob.position.along[0, 1, 1]").assigned("z", "bob.position.along[0, 0, 3]")
    found = compare(oblique, Scene(), run).tracks()["bob.position"]
    root = np.sqrt(2.0)
    assert found == pytest.approx(np.array([[0.0, 2 * root - 2, 2.0], [0.0, 4 * root - 4, 4.0]]))
    mixed = layer().assigned("x", "bob.position.x").assigned("z", "bob.position.in[cart].z")
    assert mixed.measured_positions() == {}
    assert layer().assigned("x", "bob.point[0].x").assigned("z", "bob.point[0].z").measured_positions() == {}


def test_a_track_in_the_frame_of_a_body_is_that_of_a_real_run() -> None:
    """The track in the frame of a spinning cart is, in the laboratory, free fall from 1 m aside."""
    ball = {"kind": "sphere", "radius": 0.1, "mass": 1.0}
    cart = {"name": "cart", "support": "free", "angular_velocity": (1.0, 2.0, 0.5), "shape": (ball,)}
    bob = {"name": "bob", "support": "free", "position": (1.0, 0.0, 0.0), "shape": (ball,)}
    scene = Scene.model_validate({"body": (cart, bob), "world": {"gravity": (0.0, 0.0, -2.0)}})
    times = np.linspace(0.0, 1.0, 11)
    compiled, names = build(scene, Meshes()), [f"bob.position.in[cart].{axis}" for axis in "xy"]
    seen = observe(names, compiled)
    x, y = seen.of_columns(computed(compiled, times, seen.chosen), compiled).T
    laid = MeasuredLayer(measured("made", times, {"x": x, "y": y})).assigned("x", names[0]).assigned("y", names[1])
    track = compare_run(laid, scene, lambda: None).tracks()["bob.position.in[cart]"]
    assert track == pytest.approx(np.stack([np.ones(11), np.zeros(11), -(times**2)], axis=1), abs=1e-6)
    assert np.ptp(x) > 0.5


def test_times_that_no_run_reaches_are_told_instead_of_waiting() -> None:
    """Such as the seconds since 1970."""
    late = MeasuredLayer(measured("late.csv", 1.7e9 + TIMES, {"w": TIMES})).assigned("w", "bob.angular_velocity.y")
    with refuses("", "steps", most=20000000):
        compare_run(late, pendulum(), lambda: None)


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


def test_the_ghost_of_a_fit_has_the_stiffness_that_was_left_out() -> None:
    scene = Scene.model_validate({"body": pendulum().model_dump()["body"], "wall": [{"name": "floor"}]})
    (unknown,) = unknowns_of(
        with_stated(scene, ["wall[0].stiffness"], Meshes()),
        ["wall[0].stiffness"],
        {},
        measured("made", np.array([0.0, 1.0]), {"w": np.array([0.0, 1.0])}),
    ).each
    changed = with_fit(scene, [Estimate(unknown, 123.0, 0.0, 123.0, 123.0)], True)
    assert changed.wall[0].stiffness == 123.0
    assert ghost_scene(changed, changed.ghost[0]).wall[0].stiffness == unknown.start > 0.0


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
    with refuses("values[0].parameter", "number", text="world.gravty[2]"):
        ghost_scene(scene, scene.ghost[0])


def result_of(job: Job) -> object:
    """Result of a job within a minute."""
    for _ in range(12_000):
        if (result := job.poll()) is not None:
            return result
        time.sleep(0.005)
    raise AssertionError("no result")


def test_the_newest_work_wins_and_errors_come_back() -> None:
    job, begun = Job("test"), threading.Event()

    def endless(check_cancelled):
        begun.set()
        while True:
            check_cancelled()

    job.start(endless)
    assert begun.wait(60.0)
    job.start(lambda _check: "new")
    assert result_of(job) == "new"
    assert job.poll() is None
    error = InputError("file", [Problem("", "rule", "remedy")])

    def fails(_check):
        raise error

    job.start(fails)
    assert result_of(job) is error
    job.start(lambda _check: 1 // 0)
    assert Meaning("", "background", "failed").of(result_of(job))
    job.close()
    assert not job.is_running
