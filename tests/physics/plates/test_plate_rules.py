"""Refused plates, warnings, and conditions that stop a run."""

from __future__ import annotations

import re

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Diverged, Simulation
from scenes import scene, sphere, turned

PLATE = {"conductivity": 5.9e7, "thickness": 0.01}
DISC = {"kind": "cylinder", "radius": 0.02, "length": 0.01, "mass": 0.05, "magnet": {"moment": [0, 0, 1.0]}}


def ball(height: float, **more) -> dict:
    magnet = {"moment": [0, 0, 0.5], "dipoles": 1}
    shape = {**sphere(0.005, 0.01), "magnet": magnet}
    return {"name": "ball", "support": "free", "position": [0, 0, height], "shape": [shape], **more}


def problems(found) -> list[str]:
    with pytest.raises(InputError) as error:
        found()
    return [f"{problem.place}: {problem.rule}" for problem in error.value.problems]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"conductivity": 0.0}, Meaning("plate[0].conductivity", "greater", limit=0)),
        ({"conductivity": "copper"}, Meaning("plate[0].conductivity", "number", value="'copper'")),
        ({"conductivity": None}, Meaning("plate[0].conductivity", "missing")),
        ({"thickness": -0.01}, Meaning("plate[0].thickness", "greater", limit=0)),
        ({"thickness": None}, Meaning("plate[0].thickness", "missing")),
        ({"normal": [0, 0, 0]}, Meaning("plate[0].normal", "direction", "zero")),
        ({"normal": [0, 1]}, Meaning("plate[0].normal", count=2, needed=3)),
        ({"point": [0, 0, "z"]}, Meaning("plate[0].point[2]", "number", value="'z'")),
        ({"point": [0, 0, 1e300]}, Meaning("plate[0].point", value=1e300, limit=1e15)),
        ({"name": "two words"}, Meaning("plate[0].name", "spaces", value="'two words'")),
        ({"name": "ball"}, Meaning("", "parts", name="ball")),
        ({"color": "coppery"}, Meaning("plate[0].color", "colour", color="coppery")),
        ({"conductvity": 1.0}, Meaning("plate[0].conductvity", "known", value=1.0)),
    ],
)
def test_a_wrong_field_is_named(fields, message):
    stated = {key: value for key, value in {**PLATE, **fields}.items() if value is not None}
    found = problems(lambda: scene_of({"plate": [stated], "body": [ball(0.1)]}, "test"))
    assert any(message.of(problem) for problem in found), found


def test_conductivities_follow_the_units_of_the_file():
    """S/m = A^2 s^3/(kg m^3): in centimetres and grams 5.9e7 S/m are 5.9e-2."""
    units = {"length": 0.01, "mass": 0.001}
    found = scene_of({"units": units, "plate": [{"conductivity": 5.9e-2, "thickness": 1.0}]}, "test").plate[0]
    assert found.conductivity == pytest.approx(5.9e7)
    assert found.thickness == pytest.approx(0.01)


OVER = {"kind": "ellipse", "r1": [0, 0, -0.0905], "r2": [0.1, 0, 0], "angular_frequency": 1.0}


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        (ball(0.0099), "0.0001"),
        (ball(0.0), "0.01"),
        (ball(-0.0095), "0.0005"),
        (
            {"name": "disc", "position": [0, 0, 0.024], "orientation": turned(1, 0, 0, np.pi / 2), "shape": [DISC]},
            "0.001",
        ),
        ({"name": "disc", "position": [0, 0, 0.0095], "shape": [DISC]}, "0.0005"),
        ({**ball(0.02), "support": "driven", "motion": {"kind": "formula", "z": "-0.0125*cos(t)"}}, "0.0025"),
        ({**ball(0.1), "support": "driven", "motion": OVER}, "0.0005"),
    ],
)
def test_a_magnet_that_touches_a_plate_at_the_start_is_refused(body, depth):
    """By its outline: the disc is 0.01 m thick and has a radius of 0.02 m; the face is 0.005 m above the plane."""
    (found,) = problems(lambda: Simulation(scene(body, plate=[PLATE])))
    name = body["name"]
    assert Meaning("body[0]", "magnet", plate="plate").of(found)
    assert float(re.search(r" (\S+) m ", found)[1]) == pytest.approx(float(depth), abs=1e-9), name


def test_what_is_no_magnet_may_reach_through_a_plate():
    rod = {"kind": "rod", "length": 1.0, "mass": 0.1}
    bob = {**sphere(0.02, 0.1, [0, 0, -0.5]), "magnet": {"moment": [0, 0, 1.0]}}
    pendulum = {"name": "pendulum", "position": [0, 0, 0.7], "shape": [{**rod, "position": [0, 0, -0.5]}, bob]}
    assert Simulation(scene(pendulum, plate=[{**PLATE, "point": [0, 0, 0.5]}])).warnings == ()


def test_a_single_dipole_counts_as_the_shape_that_holds_it():
    body = {"name": "ball", "shape": [sphere(0.02, 0.1)], "dipole": [{"moment": [0, 0, 1.0]}]}
    assert problems(lambda: Simulation(scene({**body, "position": [0, 0, 0.0249]}, plate=[PLATE])))
    Simulation(scene({**body, "position": [0, 0, 0.0251]}, plate=[PLATE]))


def test_a_magnet_that_reaches_a_plate_is_warned_about_and_stops_the_run_inside():
    """A thrown one touches it with its surface at first, and is inside with its dipole when the run stops."""
    thrown = ball(0.02, velocity=[0, 0, -30.0])
    poor = {**PLATE, "conductivity": 1e-12}
    simulation = Simulation(scene(thrown, plate=[poor], time_step=1e-5, gravity=[0, 0, 0]))
    for _ in range(24):
        simulation.advance(2e-5)
    with refuses("", part="ball", plate="plate", raised=Diverged) as stop:
        simulation.advance(1e-3)
    assert stop.value.time == pytest.approx(0.015 / 30.0, abs=2e-5)
    places = [warning.place for warning in simulation.warnings]
    assert places == ["body[0] and plate[0]"]
    assert Meaning("body[0] and plate[0]", "touches", plate="plate").of(simulation.warnings[0])


def test_a_magnet_cannot_leap_over_a_thin_plate():
    thrown = ball(0.0305, velocity=[0, 0, -30.0])
    foil = {"conductivity": 1e-12, "thickness": 1e-6}
    simulation = Simulation(scene(thrown, plate=[foil], time_step=1e-3, gravity=[0, 0, 0]))
    with refuses("", "into", plate="plate", raised=Diverged):
        simulation.advance(0.01)
    assert simulation.snapshot().bodies.position[0, 2] > 0


def test_another_divergence_does_not_blame_the_plate():
    ghost = {"name": "spun", "shape": [sphere(0.1, 0.1, [0, 0, 0.5])], "friction": 1e9, "angular_velocity": [1, 0, 0]}
    simulation = Simulation(scene(ball(0.3), ghost, plate=[PLATE], time_step=1e-2, method="euler"))
    with pytest.raises(Diverged) as stop:
        simulation.advance(2.0)
    assert "plate" not in str(stop.value)


def test_fast_magnets_are_warned_about_with_the_magnetic_reynolds_number():
    """mu0 s v d with d the thickness: 0.2 in 0.01 m of copper at 0.27 m/s."""
    limit = 0.2 / (1.25663706127e-6 * 5.9e7 * 0.01)
    slow, fast = (
        Simulation(
            scene(ball(0.1, support="driven", motion={"kind": "uniform", "velocity": [0, speed, 0]}), plate=[PLATE])
        )
        for speed in (0.99 * limit, 1.01 * limit)
    )
    for simulation in (slow, fast):
        simulation.advance(0.01)
    assert slow.warnings == ()
    (warning,) = fast.warnings
    assert warning.place == "plate[0]"
    assert Meaning("plate[0]", body="ball", plate="plate", limit=0.2).of(warning)


@pytest.mark.parametrize(("axis", "warns"), [((1, 0, 0), True), ((0, 0, 1), False)])
def test_fast_turning_of_the_moment_counts_as_well(axis, warns):
    """0.1 m times 30 rad/s about x; about z the moment stays, and so does its field."""
    spin = [30.0 * part for part in axis]
    turning = scene(ball(0.1, angular_velocity=spin), plate=[PLATE], gravity=[0, 0, 0], time_step=1e-4)
    simulation = Simulation(turning)
    simulation.advance(1e-3)
    assert [warning.place for warning in simulation.warnings] == ["plate[0]"] * warns


def test_a_dipole_without_moment_feels_nothing_and_warns_of_nothing():
    still = {"name": "ball", "support": "free", "position": [0, 0, 0.1], "velocity": [5.0, 0, 0]}
    body = {**still, "shape": [sphere(0.005, 0.01)], "dipole": [{"moment": [0, 0, 0]}]}
    simulation = Simulation(scene(body, plate=[PLATE], gravity=[0, 0, 0]))
    simulation.advance(0.01)
    assert simulation.warnings == ()
    assert simulation.snapshot().bodies.velocity[0].tolist() == [5.0, 0.0, 0.0]


def test_a_magnet_nearer_than_its_size_is_warned_about():
    bar = {"kind": "cuboid", "size": [0.1, 0.01, 0.01], "mass": 0.1}
    body = {"name": "bar", "support": "free", "shape": [bar], "dipole": [{"moment": [1e-6, 0, 0]}]}
    near = Simulation(scene({**body, "position": [0, 0, 0.104]}, plate=[PLATE]))
    (warning,) = near.warnings
    assert Meaning("body[0] and plate[0]", "magnet", body="bar", plate="plate").of(warning)
    assert Simulation(scene({**body, "position": [0, 0, 0.106]}, plate=[PLATE])).warnings == ()


@pytest.mark.parametrize(
    "field",
    [
        {"kind": "rotating", "cosine": [1e-3, 0, 0], "sine": [0, 1e-3, 0], "angular_frequency": 3.0},
        {"kind": "formula", "z": "1e-3*sin(t)"},
    ],
)
def test_a_changing_field_of_the_world_is_warned_about(field):
    with_plate = Simulation(scene(ball(0.1), plate=[PLATE], magnetic_field=field))
    assert [warning.place for warning in with_plate.warnings] == ["world.magnetic_field"]
    assert Simulation(scene(ball(0.1), magnetic_field=field)).warnings == ()
    steady = {"value": [0, 0, 1e-3]}
    assert Simulation(scene(ball(0.1), plate=[PLATE], magnetic_field=steady)).warnings == ()
