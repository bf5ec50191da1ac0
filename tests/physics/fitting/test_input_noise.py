"""Noise of a measured torque in the intervals of fits: made sets by scipy, and the tangents beside dense ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sampling import sampled
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.stats import binom

from polhode.data.measured import MeasuredData
from polhode.fitting.fit import fit
from polhode.fitting.inference.input_noise import input_noise, tangents_of, variance_of_readings
from polhode.fitting.profile import profile_curve
from polhode.fitting.result import FitResult
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of

ROWS, SPACING, STEP = 120, 0.05, 0.025
NOISE, DEVIATION = 0.01, 0.15  # [rad] of the angle, [N m] of the torque
MASS, INERTIA, FRICTION, LENGTH, GRAVITY = 0.6, 0.12, 0.08, 0.4, 9.81
TRUTH = {"body[0].inertia.mass": MASS, "body[0].inertia.tensor[1][1]": INERTIA, "body[0].friction": FRICTION}
ANGLE = "arm.deflection"
TIMES = np.arange(ROWS) * SPACING
TORQUE = 1.2 * np.sin(2.3 * TIMES) + 0.8 * np.sin(5.1 * TIMES + 1.0)


def driven(path: Path, deviation: float) -> Scene:
    """An arm on an axle that the torque of a table drives; wrong values to begin with."""
    tensor = [[0.3, 0, 0], [0, 1.1 * INERTIA, 0], [0, 0, 0.3]]
    arm = {"name": "arm", "support": "axle", "axis": [0, 1, 0], "friction": 0.7 * FRICTION}
    arm["inertia"] = {"mass": 1.1 * MASS, "center": [0, 0, -LENGTH], "tensor": tensor}
    arm["shape"] = [{"kind": "point", "mass": 1.0, "position": [0, 0, -LENGTH]}]
    torque = {"data": path.name, "column": "torque", "interpolation": "cubic", "deviation": deviation}
    parts = {"force": [{"on": "arm", "torque": {"y": torque}}], "world": {"gravity": [0, 0, -GRAVITY]}}
    return scene_of({"solver": {"time_step": STEP}, "body": [arm], **parts}, "test").in_folder(path.parent)


def angles(torque: np.ndarray) -> np.ndarray:
    """(n,) [rad] of the arm at TIMES, with the natural spline through torques (n,) [N m], by DOP853."""
    spline = CubicSpline(TIMES, torque, bc_type="natural")

    def law(t: float, s: np.ndarray) -> list[float]:
        return [s[1], (spline(t) - MASS * GRAVITY * LENGTH * np.sin(s[0]) - FRICTION * s[1]) / INERTIA]

    return solve_ivp(law, (0, TIMES[-1]), [0.0, 0.0], "DOP853", TIMES, rtol=1e-9, atol=1e-10).y[0]


def fitted(
    folder: Path,
    random: np.random.Generator,
    deviation: float,
    stated: float,
    clean: np.ndarray,
    segments: int = 1,
) -> FitResult:
    """The fit of one made set: noise in the angles, and in the torques that the scene reads."""
    path = folder / "in.csv"
    read = TORQUE + random.normal(0.0, deviation, ROWS)
    np.savetxt(path, np.column_stack([TIMES, read]), "%.12g", ",", header="t (s),torque (N m)", comments="")
    readings = clean + random.normal(0.0, NOISE, ROWS)
    data = MeasuredData.of_arrays(TIMES, {"a": readings}, {"a": "rad"})
    return fit(driven(path, stated), data, {"a": ANGLE}, list(TRUTH), segments=segments)


def covered(folder: Path, sets: int, deviation: float, stated: float, seed: int) -> np.ndarray:
    """(p,) number of sets whose 95 % intervals contain the truth."""
    random, clean, found = np.random.default_rng(seed), angles(TORQUE), np.zeros(len(TRUTH), dtype=int)
    for _ in range(sets):
        result = fitted(folder, random, deviation, stated, clean)
        found += [each.low < TRUTH[each.unknown.name] < each.high for each in result.estimates]
    return found


def test_tangents_are_those_of_dense_differences(tmp_path):
    """J_u by one run of scipy for each reading of the torque: the middle of the sandwich, its size, and variances."""
    result = fitted(tmp_path, np.random.default_rng(1), 0.0, DEVIATION, angles(TORQUE))
    task, values = result.task, np.array([TRUTH[name] for name in TRUTH])
    x = values / task.unknowns.scales
    jacobian = task.sensitivities(x)
    base, change = angles(TORQUE), 1e-3
    dense = np.stack([(angles(TORQUE + change * row) - base) / change for row in np.eye(ROWS)], axis=1)
    dense /= task.sigma[0]
    tangents = tangents_of(task, values)
    assert tangents is not None
    basis = np.linalg.qr(jacobian)[0]
    found = input_noise(tangents, jacobian, basis)
    middle = DEVIATION**2 * jacobian.T @ dense @ dense.T @ jacobian
    assert found.middle == pytest.approx(middle, rel=0.05, abs=0.02 * np.abs(middle).max())
    assert found.size == pytest.approx(DEVIATION**2 * np.sum(dense**2), rel=0.05)
    assert found.explained == pytest.approx(DEVIATION**2 * np.sum((basis.T @ dense) ** 2), rel=0.05)
    variances = variance_of_readings(tangents, task)[:, 0]
    expected = DEVIATION**2 * np.sum((dense * task.sigma[0]) ** 2, axis=1)
    assert variances[5:] == pytest.approx(expected[5:], rel=0.1)


@pytest.mark.nightly
def test_intervals_cover_with_noise_of_the_torque(tmp_path):
    """Few made sets: a hit count that a coverage of 95 % misses once in a thousand, and the plain intervals miss."""
    sets = 10
    least = binom.ppf(1e-3, sets, 0.95)
    assert covered(tmp_path, sets, DEVIATION, DEVIATION, 11).min() >= least
    assert covered(tmp_path, sets, DEVIATION, 0.0, 11).max() < least


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("deviation", [0.0, DEVIATION])
def test_intervals_of_a_thousand_sets_cover_95_percent(tmp_path, deviation):
    found = covered(tmp_path, 1000, deviation, deviation, 5) / 1000
    assert (found > 0.93).all()
    assert (found < 0.97).all()


@pytest.mark.parametrize("segments", sampled([1, 2], 2))
def test_a_profile_has_the_interval_of_the_fit(tmp_path, segments):
    result = fitted(tmp_path, np.random.default_rng(3), DEVIATION, DEVIATION, angles(TORQUE), segments)
    name = "body[0].inertia.mass"
    estimate, curve = result.estimate(name), profile_curve(result, name, count=7)
    assert curve.rises.min() == pytest.approx(0.0, abs=0.02)
    assert curve.interval == pytest.approx((estimate.low, estimate.high), abs=0.15 * (estimate.high - estimate.low))


def test_a_profile_is_in_the_residuals_where_the_inputs_explain_all_of_them(tmp_path):
    result = fitted(tmp_path, np.random.default_rng(2), 0.0, 10 * DEVIATION, angles(TORQUE), 2)
    assert result.covariance.by_inputs > 1.0
    noise = NOISE / result.task.sigma[0]  # which is left for the readings
    assert 0.2 * noise**2 < result.covariance.variance < 2.0 * noise**2
    rises = profile_curve(result, "body[0].inertia.mass", count=3, width=0.1).rises
    assert rises[1] == pytest.approx(0.0, abs=0.02)
    assert (rises[[0, 2]] > 0.02).all()


def test_too_large_a_deviation_is_noted(tmp_path):
    result = fitted(tmp_path, np.random.default_rng(2), 0.0, 10 * DEVIATION, angles(TORQUE))
    assert result.covariance.by_inputs > 1.5
    assert any("deviation" in note.template for note in result.notes)


def test_residuals_by_the_noise_of_the_torque_have_no_structure(tmp_path):
    """Of nine fits of the true model, whose residuals are correlated; but friction that is left out is found."""
    random, clean = np.random.default_rng(21), angles(TORQUE)
    results = [fitted(tmp_path, random, DEVIATION, DEVIATION, clean) for _ in range(9)]
    tests = [result.residuals[0] for result in results]
    assert np.mean([test.durbin_watson for test in tests]) == pytest.approx(2.0, abs=0.15)
    assert sum(test.ljung_box < 0.05 for test in tests) <= 2  # 99 % of nine independent ones
    assert not any(test.has_structure for test in tests)
    data = MeasuredData.of_arrays(TIMES, {"a": clean + random.normal(0.0, NOISE, ROWS)}, {"a": "rad"})
    lacking = driven(tmp_path / "in.csv", DEVIATION).with_values({"body[0].friction": 0.0})
    names = [name for name in TRUTH if "friction" not in name]
    assert fit(lacking, data, {"a": ANGLE}, names).residuals[0].has_structure
