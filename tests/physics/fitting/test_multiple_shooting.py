"""Fits through segments: a driven compass and a double pendulum, whose motions are chaotic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sampling import sampled

from polhode.analysis.columns import columns
from polhode.data.measured import MeasuredData, measured
from polhode.engine.compile import build
from polhode.fitting.chained import chained_sensitivities, is_sensitive, segments_for
from polhode.fitting.fit import fit, prepare
from polhode.fitting.following import followed
from polhode.fitting.forward import computed
from polhode.fitting.segments import Segments
from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene

NOISE = 0.1  # [rad/s]


def compass(moment: float = 0.1, friction: float = 1e-6) -> Scene:
    """A needle in a field of 1 mT that swings to and fro once a second."""
    shape = {"kind": "cuboid", "size": [0.06, 0.006, 0.002], "mass": 0.005}
    needle = {
        "name": "needle",
        "support": "axle",
        "axis": [0.0, 0.0, 1.0],
        "friction": friction,
        "orientation": {"axis": [0.0, 0.0, 1.0], "angle": 1.0},
        "shape": [shape],
        "dipole": [{"position": [0.0, 0.0, 0.0], "moment": [moment, 0.0, 0.0]}],
    }
    field = {"kind": "rotating", "cosine": [1e-3, 0, 0], "sine": [0, 0, 0], "angular_frequency": 2 * np.pi}
    solver = {"method": "rk4", "time_step": 0.002}
    return Scene.model_validate({"world": {"magnetic_field": field}, "solver": solver, "body": [needle]})


def double_pendulum(gravity: float = 9.81) -> Scene:
    """Two rods let go from above the horizontal, at rest."""
    angle, rod = 2.2, {"kind": "cuboid", "size": [0.05, 0.02, 0.4], "mass": 0.3, "position": [0.0, 0.0, -0.2]}
    turned: dict[str, Any] = {"support": "free", "orientation": {"axis": [0, 1, 0], "angle": angle}, "shape": [rod]}
    elbow = [-0.4 * np.sin(angle), 0.0, -0.4 * np.cos(angle)]
    joint: dict[str, Any] = {"kind": "hinge", "axis": [0, 1, 0], "first": "upper"}
    described = {
        "world": {"gravity": [0.0, 0.0, -gravity]},
        "solver": {"method": "rk4", "time_step": 0.002},
        "body": [{"name": "upper", **turned}, {"name": "lower", "position": elbow, **turned}],
        "joint": [
            {"name": "shoulder", **joint},
            {"name": "elbow", "second": "lower", "anchor_first": [0, 0, -0.4], "anchor_second": [0, 0, 0], **joint},
        ],
    }
    return Scene.model_validate(described)


def data_of(scene: Scene, mapping: dict[str, str], until: float, count: int, noise: float = NOISE) -> MeasuredData:
    """Made data: the run of a scene with normal noise of the seed 0."""
    times, compiled = np.linspace(0.0, until, count), build(scene, Meshes())
    chosen = np.array([list(columns(compiled)).index(quantity) for quantity in mapping.values()])
    values = computed(compiled, times, chosen)
    values = values + noise * np.random.default_rng(0).standard_normal(values.shape)
    return measured("made", times, dict(zip(mapping, values.T, strict=True)))


OF_NEEDLE = {"w": "needle.angular_velocity.z"}
OF_RODS = {"u": "upper.angular_velocity.y", "v": "lower.angular_velocity.y"}
FREE = ["body[0].dipole[0].moment[0]", "body[0].friction"]
BOUNDS = {"body[0].friction": (0.0, 1.0)}


@pytest.mark.parametrize("factors", sampled([[2.68, 1.31], [0.44, 1.0]], 2))
def test_a_chaotic_motion_is_fitted_from_far_starts(factors: list[float]) -> None:
    """20 s, in which neighbouring runs part by a factor of 1e9 or more: growing windows alone end at residuals that are
    30 times the noise and larger, from each of these starts.
    """
    data = data_of(compass(), OF_NEEDLE, 20.0, 800)
    found = fit(compass(0.1 * factors[0], 1e-6 * factors[1]), data, OF_NEEDLE, FREE, BOUNDS)
    assert found.residuals[0].rms == pytest.approx(NOISE, rel=0.1)  # 5 standard errors of 800 values are 0.12
    assert found.estimate(FREE[0]).value == pytest.approx(0.1, rel=1e-3)
    assert found.estimate(FREE[1]).value == pytest.approx(1e-6, rel=1e-2)
    assert not found.residuals[0].has_structure


@pytest.mark.nightly
def test_a_gap_of_some_swings_does_not_end_the_fit_of_a_chaotic_motion() -> None:
    """Of the segments in the gap there is nothing to follow."""
    data = data_of(compass(), OF_NEEDLE, 20.0, 800)
    values = data.column("w").values.copy()
    values[300:420] = np.nan
    found = fit(compass(0.15), measured("made", data.times, {"w": values}), OF_NEEDLE, FREE, BOUNDS)
    assert found.estimate(FREE[0]).value == pytest.approx(0.1, rel=1e-3)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_9_of_10_fits_of_a_chaotic_motion_converge_from_starts_off_by_up_to_a_factor_of_three() -> None:
    random, data, good = np.random.default_rng(11), data_of(compass(), OF_NEEDLE, 20.0, 800), 0
    for _ in range(10):
        factors = 3.0 ** random.uniform(-1, 1, 2)
        found = fit(compass(0.1 * factors[0], 1e-6 * factors[1]), data, OF_NEEDLE, FREE, BOUNDS)
        good += abs(found.residuals[0].rms / NOISE - 1) < 0.1
    assert good >= 9


@pytest.mark.parametrize("scene", [compass(), double_pendulum()])
def test_sensitivities_by_the_chain_rule_are_those_of_whole_runs(scene: Scene) -> None:
    """A second, in which nothing grows much: both are one-sided or central differences, alike to 1e-3."""
    mapping, free = (OF_RODS, ["world.gravity[2]"]) if scene.joint else (OF_NEEDLE, FREE)
    prepared = prepare(scene, data_of(scene, mapping, 1.0, 60), mapping, free, BOUNDS if not scene.joint else None)
    whole = prepared.part.sensitivities(prepared.start)
    chained = chained_sensitivities(prepared.part, prepared.start)
    assert segments_for(prepared.part) > 1
    assert chained == pytest.approx(whole, abs=2e-3 * np.abs(whole).max())


def test_segments_that_continue_each_other_are_one_run() -> None:
    """To rounding: segments begin on the grid of the time step. Joints leave two turns and their rates."""
    scene = double_pendulum()
    prepared = prepare(scene, data_of(scene, OF_RODS, 1.0, 60), OF_RODS, ["world.gravity[2]"])
    here = Segments(prepared.part, prepared.start, 5).whole(prepared.start)
    assert here.residuals == pytest.approx(prepared.part.residuals(prepared.start), abs=1e-12)
    assert here.defects == pytest.approx(0.0, abs=1e-12)
    assert here.defects.shape == (4, 4)


def test_starts_follow_the_data_where_the_unknowns_are_wrong() -> None:
    """A moment that is too large by half: the run leaves the data, segments of half a second stay near."""
    data = data_of(compass(), OF_NEEDLE, 10.0, 400)
    prepared = prepare(compass(moment=0.15), data, OF_NEEDLE, FREE)
    segments = Segments(prepared.part, prepared.start, 20)
    one_run = segments.whole(prepared.start)
    here = followed(segments, prepared.start)
    assert np.abs(here.residuals).std() < 0.2 * np.abs(one_run.residuals).std()
    assert np.abs(here.defects).max() > 0.05


def test_growth_of_sensitivities_tells_chaos_from_a_swing() -> None:
    times = np.linspace(0.0, 20.0, 400)
    assert is_sensitive((0.01 * np.exp(times) * np.sin(times))[:, None])
    assert not is_sensitive((times * np.sin(times))[:, None])


def test_readings_within_a_few_time_steps_are_fitted():
    """Noise that no run explains, so that segments are tried: most of them have no row."""
    noise = np.random.default_rng(2).standard_normal(100)
    data = measured("made", np.linspace(0.0, 0.0035, 100), {"w": noise})
    assert fit(compass(), data, {"w": "needle.angular_velocity.z"}, ["body[0].friction"]).fitted == 100
