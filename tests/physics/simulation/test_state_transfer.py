"""An edit changes what it states, at once, and leaves the rest of the motion as it is."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time

import numpy as np
import pytest
from meaning import Meaning

from polhode.scene.scene_file import read_scene, scene_of
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot

STICK = {"kind": "cylinder", "radius": 0.02, "length": 0.3, "mass": 0.4, "position": [0.05, 0, 0.1]}
THROWN = {
    "name": "stick",
    "support": "free",
    "position": [0, 0, 1],
    "velocity": [0.4, 0, 2],
    "angular_velocity": [3, 1, -2],
    "shape": [STICK],
}
BLOCK = {
    "name": "block",
    "kind": "lattice",
    "counts": [3, 2, 2],
    "spacing": [0.1, 0.1, 0.1],
    "particle_mass": 0.1,
    "stiffness": 100.0,
    "velocity": [0, 0, 1],
    "angular_velocity": [0, 4, 0],
}


def after_a_while(**tables: object) -> Simulation:
    simulation = Simulation(scene_of(tables, "here"))
    simulation.advance(0.2)
    return simulation


def edited(simulation: Simulation, **tables: object) -> Snapshot:
    simulation.load(scene_of(tables, "here"))
    return simulation.snapshot()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("position", [0.3, -0.2, 2.0]),
        ("velocity", [0.0, 1.0, 0.0]),
        ("angular_velocity", [0.0, 0.0, 5.0]),
        ("orientation", {"axis": [1, 1, 0], "angle": 0.7}),
    ],
)
def test_of_a_body_that_flies_an_edit_changes_one_thing(field: str, value: object) -> None:
    simulation = after_a_while(body=[THROWN])
    before = simulation.snapshot().bodies
    scene = scene_of({"body": [{**THROWN, field: value}]}, "here")
    simulation.load(scene)
    after = simulation.snapshot().bodies
    places = {name: getattr(before, name)[0] for name in ("position", "velocity", "angular_velocity", "basis")}
    places[{"orientation": "basis"}.get(field, field)] = (
        scene.body[0].orientation.matrix().T if field == "orientation" else np.array(value)
    )
    for name, expected in places.items():
        assert getattr(after, name)[0] == pytest.approx(expected, abs=1e-12), name


def test_a_pendulum_swings_on_when_its_pivot_is_moved() -> None:
    bob = {"name": "bob", "orientation": {"axis": [0, 1, 0], "angle": 0.8}, "shape": [STICK]}
    simulation = after_a_while(body=[bob])
    before = simulation.snapshot().bodies
    after = edited(simulation, body=[{**bob, "position": [1.0, 2.0, 3.0]}]).bodies
    assert after.basis == pytest.approx(before.basis, abs=1e-15)
    assert after.angular_velocity == pytest.approx(before.angular_velocity, rel=1e-12)
    assert after.position[0] == pytest.approx([1, 2, 3])


def test_a_body_on_an_axle_starts_anew_when_it_is_turned_as_its_axle_is_elsewhere_in_it() -> None:
    wheel = {"name": "wheel", "support": "axle", "axis": [0, 1, 0], "shape": [STICK]}
    simulation = after_a_while(body=[wheel])
    turned = {**wheel, "orientation": {"axis": [0, 1, 0], "angle": 1.0}}
    assert np.abs(edited(simulation, body=[turned]).bodies.angular_velocity).max() == 0


def test_a_soft_body_is_moved_as_it_is_now_and_a_particle_to_its_place() -> None:
    ball = {"name": "ball", "mass": 1.0, "velocity": [1, 0, 0]}
    simulation = after_a_while(soft=[BLOCK], particle=[ball])
    before = simulation.snapshot().points
    where = simulation.compiled.points
    after = edited(
        simulation, soft=[{**BLOCK, "position": [0, 0, 2]}], particle=[{**ball, "position": [5, 0, 0]}]
    ).points
    assert after.velocity == pytest.approx(before.velocity, abs=1e-12)
    assert after.position[where["block"]] == pytest.approx(before.position[where["block"]] + [0, 0, 2], abs=1e-12)
    assert after.position[where["ball"]] == pytest.approx(np.array([[5.0, 0, 0]]))


def test_a_soft_body_that_gets_another_velocity_keeps_its_places() -> None:
    simulation = after_a_while(soft=[BLOCK])
    before = simulation.snapshot().points
    after = edited(simulation, soft=[{**BLOCK, "velocity": [2, 0, 0], "angular_velocity": [0, 0, 0]}]).points
    assert after.position == pytest.approx(before.position, abs=1e-12)
    assert after.velocity == pytest.approx(np.tile([2.0, 0, 0], (12, 1)))


def test_a_soft_body_in_another_shape_starts_from_rest() -> None:
    simulation = after_a_while(soft=[BLOCK])
    wider = {**BLOCK, "spacing": [0.2, 0.1, 0.1]}
    after = edited(simulation, soft=[wider]).points
    fresh = Simulation(scene_of({"soft": [wider]}, "here")).snapshot().points
    assert after.position == pytest.approx(fresh.position)
    assert after.velocity == pytest.approx(fresh.velocity)


def drifting(spin=(0, 0, 0), **tables):
    """Two boxes without gravity, the first drifts away from the second and both turn by `spin` [rad/s]."""
    box = {"support": "free", "shape": [{"kind": "cuboid", "size": [0.1, 0.1, 0.1], "mass": 1}]}
    boxes = [{**box, "name": "a", "velocity": [-0.1, 0, 0], "angular_velocity": spin}]
    boxes += [{**box, "name": "b", "position": [0.3, 0, 0], "angular_velocity": spin}]
    return scene_of({"world": {"gravity": [0, 0, 0]}, "body": boxes, **tables}, "")


HINGE = {"name": "joint", "kind": "hinge", "first": "a", "second": "b", "axis": [0, 0, 1], "anchor": [0.15, 0, 0]}


def test_a_joint_that_does_not_fit_what_has_moved_begins_at_the_start_and_says_so():
    """Half a turn later each anchor is on the far side of its box: the run begins again instead of diverging."""
    spin = [0, np.pi, 0]
    simulation = Simulation(drifting(spin))
    simulation.advance(1.0)
    checkpoint = simulation.checkpoint()
    for change in (lambda: simulation.load(drifting(spin, joint=[HINGE])), lambda: simulation.return_to(checkpoint)):
        change()
        assert simulation.snapshot().bodies.position[:, 0] == pytest.approx([0.0, 0.3])
        assert Meaning("joint[0]", "restarted", "assembled").of(str(simulation.warnings[0]))
        simulation.advance(0.5)  # raises Diverged where joints are violated
        apart = np.diff(simulation.snapshot().bodies.position, axis=0)
        assert np.linalg.norm(apart) == pytest.approx(0.3, abs=1e-9)


def test_a_joint_that_fits_holds_at_once():
    """After 0.1 s the anchors are 1 cm apart: both boxes meet in between, and their speeds agree."""
    simulation = Simulation(drifting())
    simulation.advance(0.1)
    simulation.load(drifting(joint=[HINGE]))
    assert simulation.warnings == ()
    now = simulation.snapshot().bodies
    assert now.position[:, 0] == pytest.approx([-0.005, 0.295], abs=1e-9)
    assert now.velocity[:, 0] == pytest.approx([-0.05, -0.05])
    simulation.advance(1.0)
    assert np.linalg.norm(np.diff(simulation.snapshot().bodies.position, axis=0)) == pytest.approx(0.3, abs=1e-9)


def seconds(run: Callable[[], object]) -> float:
    """Processor time [s] of 20 runs."""
    begun = thread_time()
    for _ in range(20):
        run()
    return thread_time() - begun


@pytest.mark.parametrize("name", ["heavy_top", "bouncing_ball"])
def test_a_loaded_scene_is_run_again_as_fast_as_a_new_simulation(name: str) -> None:
    scene = read_scene(name)
    other = scene.with_values({"solver.time_step": 2 * scene.solver.time_step})
    simulation = Simulation(scene)

    def load_both() -> None:
        for each in (other, scene):
            simulation.load(each)
            simulation.reset()
            simulation.advance(0.5)

    def make_both() -> None:
        for each in (other, scene):
            Simulation(each).advance(0.5)

    for run in (load_both, make_both):
        run()
    assert seconds(load_both) < 2.0 * seconds(make_both)
