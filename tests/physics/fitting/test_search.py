"""The search of a fit: it ends where the values are settled, with few runs, also for a body on a measured torque."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from polhode.data.measured import MeasuredData
from polhode.fitting.fit import fit
from polhode.fitting.search import SETTLED, next_step
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of

ROWS, SPACING, NOISE = 2500, 0.01, 0.05
TRUTH = {
    "body[0].shape[0].mass": 0.675,
    "body[0].shape[1].mass": 0.6,
    "body[0].friction": 0.1,
    "force[0].torque[1].delay": 0.03,
    "force[0].torque[1].offset": 0.05,
    "body[0].angular_velocity[1]": 0.3,
}
STARTS = (0.6, 0.6, 0.15, 0.0, 0.01, 0.2)
RATE = "arm.angular_velocity.y"


def driven(folder: Path) -> Scene:
    """An arm with a disc on an axle, driven by a measured torque, with the values that a fit starts with."""
    shapes = [
        {"kind": "point", "mass": 0.6, "position": [0, 0, -0.4]},
        {"kind": "sphere", "radius": 0.15, "mass": 0.6},
    ]
    arm = {"name": "arm", "support": "axle", "axis": [0, 1, 0], "shape": shapes, "friction": 0.15}
    torque = {"y": {"data": "in.csv", "column": "torque", "interpolation": "cubic", "outside": "hold"}}
    parts = {"body": [arm], "force": [{"on": "arm", "torque": torque}], "world": {"gravity": [0, 0, -9.81]}}
    scene = scene_of({"solver": {"time_step": 5e-3}, **parts}, "test").in_folder(folder)
    return scene.with_values(dict(zip(TRUTH, STARTS, strict=True)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Scene, MeasuredData]:
    """The scene, and noisy rates [rad/s] of the motion with the true values, by scipy."""
    folder, noise = tmp_path_factory.mktemp("made"), np.random.default_rng(3)
    times, rates = np.arange(ROWS) * SPACING, noise.uniform(0.05, 2.0, 40)
    torque = 0.2 * np.cos(2 * np.pi * np.outer(times, rates) + noise.uniform(0, 6, 40)).sum(axis=1)
    np.savetxt(
        folder / "in.csv", np.column_stack([times, torque]), "%.17g", ",", header="t (s),torque (N m)", comments=""
    )
    mass, disc, friction, delay, offset, start = TRUTH.values()
    inertia, spline = mass * 0.16 + 0.4 * disc * 0.15**2, CubicSpline(times, torque, bc_type="natural")

    def law(t: float, s: np.ndarray) -> list[float]:
        drive = offset + spline(max(t - delay, 0.0)) - mass * 9.81 * 0.4 * np.sin(s[0]) - friction * s[1]
        return [s[1], drive / inertia]

    run = solve_ivp(law, (0, times[-1]), [0.0, start], "DOP853", times, rtol=1e-10, atol=1e-10)
    readings = run.y[1] + noise.normal(0.0, NOISE, ROWS)
    return driven(folder), MeasuredData.of_arrays(times, {"w": readings}, {"w": "rad/s"})


def test_six_unknowns_of_a_driven_arm_take_few_runs(made):
    """All runs have the rows of 42 whole ones; 73 by the conditions of scipy alone."""
    rows = list[int]()
    found = fit(*made, {"w": RATE}, list(TRUTH), progress=rows.append)
    for name, value in TRUTH.items():
        estimate = found.estimate(name)
        assert abs(estimate.value - value) < 4.0 * estimate.error
    assert found.has_converged
    assert sum(rows) < 50 * ROWS


def test_values_are_settled_to_a_part_of_their_deviation(made):
    """More steps of Gauss and Newton, with central differences, change them by less than a twentieth."""
    found = fit(*made, {"w": RATE}, list(TRUTH))
    task, x = found.task, np.array([each.value for each in found.estimates]) / found.task.unknowns.scales
    moved = x.copy()
    for _ in range(2):
        slopes = task.sensitivities(moved)
        moved -= np.linalg.lstsq(slopes, task.residuals(moved), rcond=None)[0]
    errors = np.array([each.error for each in found.estimates]) / found.task.unknowns.scales
    assert np.abs((moved - x) / errors).max() < 0.05


def test_the_next_step_is_in_standard_deviations():
    """A straight line with the slope wrong by two of its standard deviations."""
    t, noise = np.linspace(-1.0, 1.0, 200), np.random.default_rng(1).normal(size=200)
    slopes = np.column_stack([np.ones(200), t])
    noise -= slopes @ np.linalg.lstsq(slopes, noise, rcond=None)[0]
    error = np.sqrt(noise @ noise / 198 / (t @ t))
    assert next_step(noise, slopes)[1] < 1e-12
    step, size = next_step(noise + 1e-3 * error * t, slopes)
    assert size == pytest.approx(SETTLED, rel=1e-6)
    assert step == pytest.approx([0.0, -1e-3 * error], abs=1e-12)
