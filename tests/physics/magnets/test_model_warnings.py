"""Warnings where point dipoles are inaccurate models of magnets."""

from __future__ import annotations

import magpylib
import numpy as np
import pytest
from kernel_arguments import placed
from meaning import Meaning
from reference import cloud_field

from polhode.analysis.model_warnings import MOST_WARNINGS, ModelWarnings
from polhode.scene.problem import InputError
from polhode.scene.scene import VACUUM
from polhode.simulation.simulation import Simulation
from scenes import scene, sphere

NO_WEIGHT = [0, 0, 0]
BAR = {"kind": "cuboid", "size": [0.02, 0.02, 0.1], "mass": 0.1}


def bar(name: str, x: float, **more: object) -> dict:
    """A point dipole in a bar of 0.1 m."""
    shape, dipole = {"shape": [BAR]}, {"dipole": [{"moment": [0, 0, 1e-6]}]}
    return {"name": name, "support": "free", "position": [x, 0, 0], **shape, **dipole, **more}


def filled(name: str, x: float, shape: dict) -> dict:
    return {
        "name": name,
        "position": [x, 0, 0],
        "support": "free",
        "shape": [{**shape, "magnet": {"moment": [0, 0, 1e-6]}}],
    }


def test_two_sizes_are_near_and_more_are_not() -> None:
    near = Simulation(scene(bar("a", 0.0), bar("b", 0.199), gravity=NO_WEIGHT))
    (warning,) = near.warnings
    assert Meaning("body[0] and body[1]", "magnets", time=0).of(warning)
    assert "t = 0 s" in warning.rule
    assert "'a' and 'b'" in warning.rule
    assert "magnet = {" in warning.remedy
    assert Simulation(scene(bar("a", 0.0), bar("b", 0.201), gravity=NO_WEIGHT)).warnings == ()


def test_the_size_is_that_of_the_shape_that_holds_the_dipole() -> None:
    """The small one of two, though the large one's box holds the dipole as well."""
    shapes = [{**BAR, "position": [0, 0.3, 0]}, sphere(0.01, 0.1), {"kind": "cuboid", "size": [1, 1, 1], "mass": 1}]
    bodies = [bar("a", 0.0, shape=shapes), bar("b", 0.0, shape=shapes)]
    assert Simulation(scene(bodies[0], {**bodies[1], "position": [0.041, 0, 0]})).warnings == ()
    assert len(Simulation(scene(bodies[0], {**bodies[1], "position": [0.039, 0, 0]})).warnings) == 1


def test_magnets_that_meet_while_running_are_named_once() -> None:
    simulation = Simulation(scene(bar("a", 0.0), bar("b", 0.5, velocity=[-1, 0, 0]), gravity=NO_WEIGHT))
    assert simulation.warnings == ()
    for _ in range(100):
        simulation.advance(0.01)
    (warning,) = simulation.warnings
    time = float(warning.rule.split("t = ")[1].split(" s")[0])
    assert time == pytest.approx(0.3, abs=0.0101)  # it is seen at the end of the batch of 0.01 s
    simulation.load(scene(bar("new", 5.0), bar("a", 0.0), bar("b", 0.1), gravity=NO_WEIGHT))
    assert simulation.warnings == (warning,)  # the same two, whatever their numbers are now


def test_warnings_are_those_of_the_run_and_of_its_scene() -> None:
    """A reset begins another run, and a scene without these bodies has nothing to do with them."""
    simulation = Simulation(scene(bar("a", 0.0), bar("b", 0.5, velocity=[-1, 0, 0]), gravity=NO_WEIGHT))
    simulation.advance(0.45)
    assert len(simulation.warnings) == 1
    simulation.reset()
    assert simulation.warnings == ()
    simulation.advance(0.45)
    assert len(simulation.warnings) == 1  # it has happened again
    simulation.load(scene(bar("a", 0.0), bar("c", 0.5), gravity=NO_WEIGHT))
    assert simulation.warnings == ()


def test_warnings_of_modes_stay_with_the_soft_body_that_has_them() -> None:
    row = {"kind": "chain", "name": "row", "count": 6, "spacing": 1.0, "direction": [1, 0, 0], "fixed": [0, 5]}
    row |= {"particle_mass": 0.1, "stiffness": 100.0, "natural_length": 1.05, "modes": 2}  # too long for its place
    simulation = Simulation(scene(soft=[row], method="verlet", gravity=NO_WEIGHT))
    (warning,) = simulation.warnings
    assert warning.place == "soft[0].modes"
    simulation.reset()
    assert simulation.warnings == (warning,)
    simulation.load(scene(bar("a", 0.0), gravity=NO_WEIGHT))
    assert simulation.warnings == ()


def test_filled_shapes_may_come_nearer() -> None:
    """Spheres to their surface, clouds to about a cell, which of 64 in this bar is 9 mm."""
    ball = sphere(0.02, 0.1)
    assert Simulation(scene(filled("a", 0.0, ball), filled("b", 0.04, ball))).warnings == ()
    assert len(Simulation(scene(filled("a", 0.0, ball), filled("b", 0.03, ball))).warnings) == 1
    assert Simulation(scene(filled("a", 0.0, BAR), filled("b", 0.026, BAR))).warnings == ()
    (warning,) = Simulation(scene(filled("a", 0.0, BAR), filled("b", 0.02, BAR))).warnings
    assert Meaning("body[0] and body[1]", "dipoles").of(warning)


DISC = {"kind": "cylinder", "radius": 6.35e-3, "length": 3.175e-3, "mass": 3e-3}
PLATE = {"kind": "cuboid", "size": [0.02, 0.012, 0.004], "mass": 5e-3}
ROD = {"kind": "cylinder", "radius": 3e-3, "length": 12e-3, "mass": 3e-3}
BR = 1.32


def probed(shape: dict, at: np.ndarray, needle: dict) -> Simulation:
    """A magnet, and a body with its middle at `at` (3,) [m] in the magnet's frame."""
    magnet = {"name": "magnet", "support": "fixed", "shape": [{**shape, "magnet": {"remanence": [0, 0, BR]}}]}
    probe = {"name": "probe", "support": "free", "position": at.tolist(), **needle}
    return Simulation(scene(magnet, probe, gravity=NO_WEIGHT))


TINY = {"shape": [{"kind": "cuboid", "size": [1e-4, 1e-4, 1e-3], "mass": 1e-6}], "dipole": [{"moment": [0, 0, 1e-6]}]}
FILLED = {"shape": [{**TINY["shape"][0], "magnet": {"moment": [0, 0, 1e-6]}}]}


@pytest.mark.parametrize("needle", [TINY, FILLED], ids=["point", "cloud"])
def test_a_needle_between_the_dipoles_of_a_cloud_is_near(needle: dict) -> None:
    """0.2 mm above a disc the field of its 72 dipoles has the wrong sign, though all of them are a cell away."""
    near = probed(DISC, np.array([0, 0, 3.175e-3 / 2 + 0.2e-3 + 0.5e-3]), needle)
    (warning,) = near.warnings
    assert Meaning("body[0] and body[1]", "cells").of(warning)
    assert Meaning("body[0] and body[1]", "dipoles").of(warning)
    assert probed(DISC, np.array([0, 0, 3.175e-3 / 2 + 5e-3]), needle).warnings == ()


@pytest.mark.parametrize("shape", [DISC, PLATE, ROD])
@pytest.mark.parametrize("count", [8, 64, 500])
def test_where_no_warning_is_given_the_field_of_a_cloud_is_right(shape: dict, count: int) -> None:
    """Beyond the clearance 6 % at most, and beyond one and a half times that 1 %, with 8 dipoles 2 %; by magpylib."""
    size = np.array(shape.get("size", [2 * shape.get("radius", 0)] * 2 + [shape.get("length", 0)]))
    dense = {**shape, "magnet": {"remanence": [0, 0, BR], "dipoles": count}}
    fixed = {"name": "magnet", "support": "fixed", "shape": [dense]}
    compiled = Simulation(scene(fixed, gravity=NO_WEIGHT)).compiled
    points, moments, clear = (getattr(compiled.model.dipoles, name) for name in ("position", "moment", "clearance"))
    at = np.random.default_rng(4).uniform(-1, 1, (2000, 3)) * (size / 2 + 2 * clear[0])
    if shape["kind"] == "cuboid":
        source = magpylib.magnet.Cuboid(polarization=(0, 0, BR), dimension=size)
    else:
        source = magpylib.magnet.Cylinder(polarization=(0, 0, BR), dimension=size[1:])
    exact, found = source.getB(at), cloud_field(points, moments, at, VACUUM)
    wrong = np.linalg.norm(found - exact, axis=1) / np.linalg.norm(exact, axis=1)
    apart = np.linalg.norm(at[:, None] - points, axis=2).min(axis=1)  # in the magnet it is less than the clearance
    assert wrong[apart > clear[0]].max() < 0.06
    assert wrong[apart > 1.5 * clear[0]].max() < (0.01 if count >= 64 else 0.02)
    assert np.median(wrong[apart < 0.5 * clear[0]]) > 0.05  # no alarm without a cause


def test_of_many_pairs_some_are_named_and_no_more() -> None:
    bodies = [bar(f"b{k}", 0.05 * k) for k in range(60)]
    simulation = Simulation(scene(*bodies, gravity=NO_WEIGHT))
    assert len(simulation.warnings) == MOST_WARNINGS
    assert len({warning.place for warning in simulation.warnings}) == MOST_WARNINGS


def test_a_large_scene_is_looked_at_bit_by_bit_and_whole() -> None:
    """The only near pair is the last of 200,000; a look of 10,000 pairs finds it in its turn."""
    bodies = [bar(f"b{k}", 0.3 * k) for k in range(650)]
    bodies[-1]["position"] = [0.3 * 648 + 0.15, 0, 0]
    simulation = Simulation(scene(*bodies, gravity=NO_WEIGHT))
    _, inputs, state, work = placed(simulation)
    model_warnings, looks = ModelWarnings(), 0
    model_warnings.set_scene(simulation.compiled)
    while not model_warnings.warnings:
        model_warnings.check(inputs, 0.0, state, work, budget=10_000)
        looks += 1
    assert looks == int(np.ceil(650 * 649 / 2 / 10_000))


def test_magnets_in_one_place_are_refused_by_the_names_of_their_shapes() -> None:
    with pytest.raises(InputError) as refused:
        Simulation(scene(filled("a", 0.0, BAR), filled("b", 0.0, BAR), bar("c", 0.0), bar("d", 0.0)))
    places = [problem.place for problem in refused.value.problems]
    assert places == ["body[1].shape[0].magnet", "body[3].dipole[0].position"]
    assert "body[0].shape[0].magnet, of 'a'" in refused.value.problems[0].rule
