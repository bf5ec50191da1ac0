"""Variation of a sweep: values of axes, scenes of cells, and messages about axes without a parameter."""

import numpy as np
import pytest
from meaning import Meaning, refuses
from pydantic import ValidationError
from scipy.spatial.transform import Rotation

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.run.starts import starts
from polhode.scene.problem import InputError
from polhode.scene.scene import Ghost
from polhode.scene.scene_file import scene_of
from polhode.scene.variants.numbers import rotation
from polhode.scene.variants.sweep import SweepSettings
from polhode.simulation.ghost_runs import ghost_scene
from polhode.sweep.chunks import fast_starts
from polhode.sweep.variation import resolve
from scenes import TILTED, scene

BALL = {"kind": "sphere", "radius": 0.02, "mass": 0.3}


def sweep(*axes, **more) -> SweepSettings:
    return SweepSettings.model_validate({"until": 1.0, "axes": axes} | more)


def span(parameter: str, low=-0.5, high=0.5, count=5) -> dict:
    return {"parameter": parameter, "range": [low, high], "count": count}


def test_the_last_axis_varies_fastest():
    variation = resolve(scene(TILTED), sweep(span("body[0].tilt[0]", 0, 1, 2), span("world.gravity[2]", -9, -7, 3)))
    assert variation.shape == (2, 3)
    values = variation.values(np.arange(6))
    assert values.tolist() == [[0, -9], [0, -8], [0, -7], [1, -9], [1, -8], [1, -7]]
    assert variation.units == ("rad", "m/s^2")
    last = variation.scene_with(values[5])
    assert last.world.gravity == (0.0, 0.0, -7.0)
    assert last.body[0].friction == TILTED["friction"]


def test_a_tilt_is_that_of_a_ghost():
    given = scene(TILTED)
    tilt = (0.3, -0.2, 0.4)
    axes = [span(f"body[0].tilt[{k}]", value, value + 1, 2) for k, value in enumerate(tilt)]
    made = resolve(given, sweep(*axes)).scene_with(np.array(tilt)).body[0].orientation.matrix()
    ghost = ghost_scene(given, Ghost(body="tilted", tilt=tilt)).body[0].orientation.matrix()
    assert made == pytest.approx(ghost, abs=1e-15)


def test_rotation_vectors_are_those_of_scipy():
    rng = np.random.default_rng(1)
    vectors = np.concatenate([rng.normal(size=(50, 3)), 1e-9 * rng.normal(size=(5, 3)), np.zeros((1, 3))])
    assert rotation(vectors) == pytest.approx(Rotation.from_rotvec(vectors).as_matrix(), abs=1e-14)


def test_draws_vary_together_about_the_stated_value():
    axes = [
        {"parameter": name, "draws": {"distribution": kind, "deviation": 0.1, "count": 4000, "seed": 5}}
        for name, kind in (("body[0].angular_velocity[2]", "normal"), ("world.gravity[2]", "uniform"))
    ]
    variation = resolve(scene(TILTED), sweep(*axes))
    assert variation.shape == (4000,)
    spins, falls = variation.values(np.arange(4000)).T
    # The standard error of a mean of 4000 values is 0.016 deviations, that of a deviation 0.011.
    assert spins.mean() == pytest.approx(TILTED["angular_velocity"][2], abs=5 * 0.0016)
    assert spins.std() == pytest.approx(0.1, rel=0.06)
    assert np.abs(falls + 9.80665).max() <= 0.1
    assert falls.std() == pytest.approx(0.1 / np.sqrt(3), rel=0.06)
    assert abs(np.corrcoef(spins, falls)[0, 1]) < 0.08  # the two axes have generators of their own
    again = resolve(scene(TILTED), sweep(*axes)).values(np.arange(4000))
    assert np.array_equal(again.T, [spins, falls])


SUPPORTS = [
    {"support": "pivot"},
    {"support": "free", "velocity": [0.1, 0.2, -0.3]},
    {"support": "axle", "axis": [0.2, 1.0, 0.1], "angular_velocity": [0.4, 2.0, 0.2]},
]


@pytest.mark.parametrize("support", SUPPORTS, ids=lambda support: support["support"])
def test_fast_starts_are_those_of_the_compiler(support):
    given = scene(TILTED | support, {"name": "other", "support": "free", "position": [1, 1, 1], "shape": [BALL]})
    meshes = Meshes()
    compiled, free, axle = build(given, meshes), support["support"] == "free", support["support"] == "axle"
    for names in (
        ["tilt[0]", "tilt[2]", "angular_velocity[0]"] if not axle else ["position[0]"],
        ["position[1]", "velocity[2]", "tilt[1]"] if free else ["position[1]"],
    ):
        variation = resolve(given, sweep(*(span(f"body[0].{name}", 0.2, 0.9, 2) for name in names)))
        assert fast_starts(variation, compiled, meshes)
        values = variation.values(np.arange(variation.count))
        for start, row in zip(starts(given, variation.paths, compiled, values), values, strict=True):
            assert start == pytest.approx(build(variation.scene_with(row), meshes).start, abs=1e-14)


def test_numbers_of_the_model_are_no_starts():
    given, meshes = scene(TILTED), Meshes()
    variation = resolve(given, sweep(span("body[0].friction", 0.0, 1e-3)))
    assert not fast_starts(variation, build(given, meshes), meshes)


def test_an_axle_keeps_its_axis():
    body = TILTED | {"support": "axle", "axis": [0, 1, 0], "angular_velocity": [0, 1, 0]}
    made = resolve(scene(body), sweep(span("body[0].tilt[0]"))).scene_with(np.array([0.5]))
    assert made.body[0].orientation.matrix() == pytest.approx(scene(body).body[0].orientation.matrix(), abs=1e-15)


@pytest.mark.parametrize(
    ("axis", "said"),
    [
        (
            span("body[0].frction"),
            Meaning("sweep[4].axes[0].parameter", text="body[0].frction", near="body[0].friction"),
        ),
        (
            span("body[3].tilt[0]"),
            Meaning("sweep[4].axes[0].parameter", "tilted", "axle", number=3),
        ),
        (
            span("body[0].name"),
            Meaning("sweep[4].axes[0].parameter", "number", text="body[0].name"),
        ),
        (
            span("units.length"),
            Meaning("sweep[4].axes[0].parameter", "number", text="units.length"),
        ),
        (
            span("body[0]..x"),
            Meaning("sweep[4].axes[0].parameter", "number", text="body[0]..x"),
        ),
    ],
)
def test_axes_that_name_nothing(axis, said):
    with pytest.raises(InputError) as caught:
        resolve(scene(TILTED), sweep(axis), "sweep[4]")
    (problem,) = caught.value.problems
    assert problem.place == "sweep[4].axes[0].parameter"
    assert said.of(problem)


def test_too_many_cells_are_refused_before_any_array_is_made():
    axes = [span(f"body[0].tilt[{k}]", count=10_000) for k in range(3)]
    with refuses("sweep[0].axes", "cells", count=1000000000000, most=100000000):
        resolve(scene(TILTED), sweep(*axes))


@pytest.mark.parametrize(
    ("axis", "rule"),
    [
        (
            {"parameter": "world.gravity[2]", "range": [1, 1], "count": 3},
            Meaning("sweep[0].axes[0]", "range", "value", value=1),
        ),
        ({"parameter": "world.gravity[2]"}, Meaning("sweep[0].axes[0]", "values")),
        (
            {"parameter": "world.gravity[2]", "range": [0, 1], "count": 1},
            Meaning("sweep[0].axes[0].count", "least", limit=2, value=1),
        ),
        (
            span("world.gravity[2]") | {"draws": {"deviation": 1, "count": 3}},
            Meaning("sweep[0].axes[0]", "range", "draws"),
        ),
        (
            {"parameter": "world.gravity[2]", "draws": {"deviation": -1, "count": 3}},
            Meaning("sweep[0].axes[0].draws.deviation", "greater", limit=0, value=-1),
        ),
    ],
)
def test_axes_without_values(axis, rule):
    with pytest.raises(InputError) as caught:
        scene_of({"sweep": [{"until": 1.0, "axes": [axis]}]}, "test")
    assert rule.of(caught.value)
    with pytest.raises(ValidationError):
        sweep(axis)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"outcome": {"kind": "mean"}}, Meaning("sweep[0].outcome", "quantity", kind="mean")),
        ({"outcome": {"near": ["a"]}}, Meaning("sweep[0].outcome", "fewer", "different")),
        ({"axes": []}, Meaning("sweep[0].axes", "least", needed=1)),
        ({"axes": [span("world.gravity[2]"), span("world.gravity[2]")]}, Meaning("sweep[0]", "same", "number")),
    ],
)
def test_sweeps_that_ask_nothing(changes, rule):
    stated = {"until": 1.0, "axes": [span("world.gravity[2]")]} | changes
    with pytest.raises(InputError) as caught:
        scene_of({"sweep": [stated]}, "test")
    assert rule.of(caught.value)
