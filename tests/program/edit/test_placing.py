"""Free places of new items: clear of the ground, of walls, of surfaces and of all other items."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sampling import sampled

from polhode.analysis.steps.limits import step_limits
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.edit.add_menu import ADDITIONS, with_addition
from polhode_app.edit.contacts import all_colliding, passing, suited, with_floor, with_rigid_walls
from polhode_app.edit.part_defaults import Placement
from polhode_app.edit.placing import beside, lifted, overlapping

UNIT = np.array([[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]])
CENTERS = arrays(np.float64, st.tuples(st.integers(0, 12), st.just(3)), elements=st.floats(-3, 3, width=32))
FLOOR = scene_of({"wall": [{"name": "floor", "point": [0, 0, -1], "stiffness": 1e3}]}, "test")


@given(centers=CENTERS, at=arrays(np.float64, 3, elements=st.floats(-3, 3, width=32)))
def test_what_is_lifted_or_put_beside_overlaps_nothing_and_is_above_the_floor(
    centers: np.ndarray, at: np.ndarray
) -> None:
    others = centers[:, None, :] + 0.8 * UNIT
    for place in (lifted, beside):
        box = UNIT + at
        shift = place(box, others, FLOOR, -1.0)
        assert not overlapping(box + shift, others).any()
        assert (box + shift)[0, 2] >= -1.0 - 1e-12
    assert not lifted(UNIT + at, others, FLOOR, -1.0)[:2].any()  # straight up


def test_a_box_is_moved_to_the_free_side_of_a_sloping_wall_and_above_a_bowl() -> None:
    normal = np.array([1.0, 0.0, 1.0]) / np.sqrt(2)
    bowl = {"name": "bowl", "kind": "formula", "z": "x^2 + y^2", "x_range": [-2, 2], "y_range": [-2, 2]}
    wall = {"name": "slope", "normal": normal.tolist(), "stiffness": 1e3}
    nothing = np.zeros((0, 2, 3))
    shift = lifted(UNIT, nothing, scene_of({"wall": [wall]}, "test"), -9.0)
    assert shift == pytest.approx(normal * (shift @ normal))
    assert (UNIT[0] + shift) @ normal == pytest.approx(0.0, abs=1e-12)
    shift = lifted(UNIT, nothing, scene_of({"surface": [{**bowl, "stiffness": 1e3}]}, "test"), -9.0)
    assert shift[2] - 0.5 > 0.5  # above the highest place below it, at its corners
    assert not shift[:2].any()


def test_files_without_contacts_stay_so_until_they_are_asked_for() -> None:
    table = {
        "body": [{"name": "a", "shape": [{"kind": "sphere", "radius": 0.1, "mass": 1}]}],
        "particle": [{"name": "p", "mass": 1, "radius": 0.1}, {"name": "point", "mass": 1}],
        "sphere": [{"name": "s", "mass": 1, "radius": 0.1, "contact": {"stiffness": 7.0}}],
    }
    scene = scene_of(table, "test")
    assert suited(scene) is scene
    assert passing(scene) == ["a", "p"]  # a point has no size to press with
    made = all_colliding(scene)
    assert passing(made) == []
    assert made.sphere == scene.sphere  # its own law is kept
    assert made.body[0].contact is not None
    assert made.particle[1].contact is None


SPHERE = next(entry for entry in ADDITIONS["Body"] if entry.text == "Sphere")
JELLY = next(entry for entry in ADDITIONS["Soft body"] if entry.text == "Jelly block")


@pytest.mark.parametrize(
    ("kind", "size"),
    [("sphere", size) for size in (0.005, 0.03, 0.1, 2.0)]
    + sampled([("jelly", size) for size in (0.03, 0.005, 0.1, 2.0)], 4),
)
def test_things_of_any_size_lie_on_the_usual_floor_with_a_practical_step(kind: str, size: float) -> None:
    """They sink in by less than 2 % of their size, and the step is stable and at least 0.1 ms."""
    entry = {"sphere": SPHERE, "jelly": JELLY}[kind]
    scene, _ = with_addition(with_floor(Scene()), entry, Placement(size, (0.0, 0.0, 0.6 * size)), None)
    assert scene.solver.time_step >= 1e-4
    simulation = Simulation(scene)
    limit = step_limits(simulation.compiled, 0.0, simulation.state)[scene.solver.method]
    assert limit.step > scene.solver.time_step
    simulation.advance(3.0)
    now = simulation.snapshot()
    if entry is SPHERE:
        radius = scene.body[0].shape[0].radius
        assert now.bodies.position[0, 2] == pytest.approx((1 - 2 * 0.002) * radius, abs=0.001 * radius)
    else:
        lowest = now.points.position[:, 2].min() - scene.soft[0].particle_radius
        assert -0.02 * size < lowest < 0.02 * size


def test_a_stated_floor_can_be_made_as_soft_as_what_touches_it() -> None:
    stated = scene_of({"wall": [{"name": "floor", "stiffness": 6000.0, "restitution": 0.5}]}, "test")
    scene, _ = with_addition(stated, SPHERE, Placement(0.005, (0.0, 0.0, 0.01)), None)
    assert scene.wall == stated.wall  # what a file states is left alone
    assert scene.solver.time_step < 2e-4
    again = with_rigid_walls(scene, 1e-3)
    assert (again.wall[0].stiffness, again.solver.time_step) == (None, 1e-3)
    assert suited(again).solver.time_step >= 2e-4
