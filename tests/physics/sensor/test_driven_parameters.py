"""Numbers of a scene that the hand over the sensor drives: what they do, whose energy that is, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from meaning import Meaning
from sampling import sampled
from scipy.integrate import solve_ivp

from polhode import read_scene
from polhode.physics.grab.interactions import PullPoint
from polhode.scene import gallery
from polhode.scene.fields import at, parse_path, with_value, written
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of
from polhode.scene.toml_edit import stated
from polhode.scene.variants.drivable_parameters import parameter_at, parameters
from polhode.simulation.driven_parameters import BUILT, WRITTEN
from polhode.simulation.simulation import Simulation
from scenes import scene

STEP = 1e-3
SENSOR = {"centre": 0.3, "amplitude": 0.1, "period": 2.0}
BALL = {"name": "ball", "mass": 2.0, "radius": 0.1}
BOB = {
    "name": "bob",
    "support": "axle",
    "axis": [0, 1, 0],
    "friction": 0.01,
    "angular_velocity": [0, 1, 0],
    "shape": [{"kind": "sphere", "radius": 0.1, "mass": 1.0, "position": [0.3, 0, -0.4]}],
    "dipole": [{"position": [0, 0, -0.1], "moment": [5, 0, 1]}],
}
SPRING = {"from": [0, 0, 0.5], "to": "ball", "stiffness": 50.0, "damping": 0.3, "rest_length": 0.3}
WALL = {"name": "floor", "point": [0, 0, -0.15], "stiffness": 500.0, "damping": 2.0}
CHAIN = {"name": "chain", "kind": "chain", "count": 4, "spacing": 0.1, "position": [1, 0, 1], "fixed": [0]}
CHAIN |= {"particle_mass": 0.1, "stiffness": 100.0, "direction": [1, 0, -0.3]}
EVERYTHING = {"particle": [BALL], "body": [BOB], "spring": [SPRING], "wall": [WALL], "soft": [CHAIN]}
WIND = {"velocity": [1, 0, 0], "drag": 0.2}


def drive(parameter, scale, offset=0.0, **limits):
    return {"parameter": parameter, "scale": scale, "offset": offset, **limits}


def driven_scene(*drives, sensor=None, **parts):
    return scene(time_step=STEP, sensor={**SENSOR, **(sensor or {}), "drive": [*drives]}, **(parts or EVERYTHING))


def test_a_ball_falls_by_a_gravity_that_the_hand_drives():
    """g = sin(pi t) leads to z(2 s) = 2/pi; in steps of h, each with its middle, it is x/sin x of that, x = pi h/2."""
    simulation = Simulation(driven_scene(drive("world.gravity[2]", 10.0, -3.0), particle=[BALL]))
    simulation.advance(2.0)
    now, x = simulation.snapshot(), np.pi * WRITTEN / 2
    assert now.points.position[0, 2] == pytest.approx(2 / np.pi * x / np.sin(x), rel=1e-9)
    assert now.energy.total - now.ledger.total == pytest.approx(0.0, abs=1e-12)


def test_a_pendulum_swings_as_the_equation_with_that_gravity_says():
    """I th'' = -m g(t) l sin th, by another program. The stairs of g have an error of order 2 in their length."""
    bob = {**BOB, "friction": 0.0, "angular_velocity": [0, 0, 0], "dipole": []}
    simulation = Simulation(driven_scene(drive("world.gravity[2]", -40.0, 2.0), body=[bob]))
    before = simulation.snapshot()
    simulation.advance(3.0)
    inertia, arm, start = 0.4 * 0.1**2 + 0.25, 0.5, np.arctan2(0.3, 0.4)

    def rate(t, y):
        g = 40 * (0.3 + 0.1 * np.sin(np.pi * t)) - 2.0
        return [y[1], -arm * g * np.sin(y[0]) / inertia]

    end = solve_ivp(rate, (0, 3.0), [start, 0.0], method="DOP853", rtol=1e-10, atol=1e-12).y[0, -1]
    u1, u3 = simulation.snapshot().bodies.basis[0, [0, 2]]
    place = 0.3 * u1 - 0.4 * u3
    assert np.arctan2(place[0], -place[2]) == pytest.approx(end, abs=1e-3)
    now = simulation.snapshot()
    assert now.energy.total - now.ledger.total == pytest.approx(before.energy.total, abs=1e-9)


@pytest.mark.parametrize(
    ("parameter", "scale", "offset"),
    [
        ("world.gravity[0]", 20.0, -6.0),
        ("world.magnetic_field.value[0]", 2.0, -0.5),
        ("world.wind.velocity[1]", 30.0, 0.0),
        ("world.wind.drag", 2.0, 0.0),
        ("body[0].friction", 0.5, 0.0),
        ("body[0].shape[0].mass", 5.0, 0.0),
        ("body[0].shape[0].position[0]", 2.0, -0.3),
        ("body[0].dipole[0].moment[2]", 20.0, 0.0),
        ("particle[0].mass", 5.0, 0.5),
        ("spring[0].stiffness", 200.0, 0.0),
        ("spring[0].rest_length", 1.0, 0.0),
        ("spring[0].from[2]", 1.0, 0.2),
        ("wall[0].stiffness", 3000.0, 0.0),
        ("wall[0].point[2]", 0.5, -0.3),
        ("soft[0].stiffness", 500.0, 0.0),
        ("soft[0].particle_mass", 0.5, 0.0),
        ("soft[0].natural_length", 2.0, 0.4),
    ],
)
def test_the_energy_of_what_is_driven_is_in_the_ledger(parameter, scale, offset):
    """Between two writings nothing is driven, and each brings in what the energy jumps by: RK4 has an error of 1e-7."""
    world = {"wind": WIND, "magnetic_field": {"value": [0.1, 0, 0.1]}}
    simulation = Simulation(driven_scene(drive(parameter, scale, offset), world=world, **EVERYTHING))
    plain = Simulation(driven_scene(world=world, **EVERYTHING))
    start, values = simulation.snapshot(), []
    for _ in range(20):
        simulation.advance(0.05)
        values.append(at(simulation.driven_scene, parse_path(parameter)))
    now = simulation.snapshot()
    plain.advance(1.0)
    assert values == pytest.approx(
        [scale * (0.3 + 0.1 * np.sin(np.pi * t)) + offset for t in 0.05 * np.arange(1, 21)],
        abs=scale * 0.1 * np.pi * BUILT,
    )
    assert len(set(values)) > 10
    assert np.abs(now.numbers[1:] - plain.snapshot().numbers[1:]).max() > 1e-3
    # The impact on the floor has a corner in its force: of order 1 in the step, 1e-3 of what goes through it.
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total - start.ledger.total, abs=2e-2)


def test_a_stretched_spring_that_gets_harder_gains_the_difference():
    """The ends stand still: k x^2/2 before and after."""
    fixed = {**BALL, "fixed": True}
    simulation = Simulation(driven_scene(drive("spring[0].stiffness", 1000.0), particle=[fixed], spring=[SPRING]))
    before = simulation.snapshot()
    assert before.energy.elastic == pytest.approx(0.5 * 300.0 * 0.2**2)
    simulation.track(0.4, 0.0, 0.1)
    simulation.advance(0.3)
    now = simulation.snapshot()
    assert now.energy.elastic == pytest.approx(0.5 * 400.0 * 0.2**2)
    assert now.ledger.drive == pytest.approx(0.5 * 100.0 * 0.2**2)


def test_a_body_keeps_its_velocity_when_its_mass_changes():
    simulation = Simulation(driven_scene(drive("particle[0].mass", 10.0), sensor={"amplitude": 0.0}, particle=[BALL]))
    simulation.advance(0.5)
    before = simulation.snapshot()
    simulation.track(0.4, 0.0, 0.1)
    simulation.advance(0.2)
    now = simulation.snapshot()
    assert now.points.velocity[0, 2] == pytest.approx(before.points.velocity[0, 2] - 9.80665 * 0.2)
    assert now.momentum[2] == pytest.approx(4.0 * now.points.velocity[0, 2])


@pytest.mark.parametrize("parameter", ["world.gravity[0]", "soft[0].stiffness", "body[0].shape[0].mass"])
def test_how_steps_come_in_batches_changes_no_bit(parameter):
    described = driven_scene(drive(parameter, 10.0))
    one, other = Simulation(described), Simulation(described)
    one.advance_steps(210)
    for count in (1, 9, 50, 3, 77, 70):
        other.advance_steps(count)
    assert np.array_equal(one.state, other.state)
    one.reset()
    one.advance_steps(210)
    assert np.array_equal(one.state, other.state)


def test_an_edit_a_hand_and_a_step_back_leave_it_driven():
    simulation = Simulation(driven_scene(drive("world.gravity[0]", 10.0), drive("spring[0].stiffness", 100.0)))
    simulation.advance(0.4)

    def driven():
        compiled = simulation.compiled
        return compiled.inputs.gravity[0], compiled.springs.stiffness[-1]

    before, state, steps = driven(), simulation.state, simulation.snapshot().step
    assert before[0] == pytest.approx(10 * (0.3 + 0.1 * np.sin(0.4 * np.pi)), abs=0.05)
    simulation.load(simulation.scene.model_copy(update={"title": "edited"}))
    assert driven() == pytest.approx(before, rel=0.05)
    simulation.grab(PullPoint(0, (0.0, 0.0, 1.0)))
    simulation.advance(0.2)
    assert simulation.snapshot().interaction_marker is not None
    simulation.release()
    assert driven() != pytest.approx(before, rel=1e-3)
    simulation.restore(0.4, steps, state)
    simulation.advance(2 * STEP)
    assert driven() == pytest.approx(before, rel=0.05)
    simulation.reset()
    assert driven() == pytest.approx((3.0, 30.0))


def test_the_past_has_the_numbers_that_were_driven_then():
    """A body whose mass changes: a run restored to an earlier state continues as before, with velocity and energy."""
    stone = {"name": "stone", "support": "free", "velocity": [1, 0, 2], "shape": [BOB["shape"][0]]}
    described = driven_scene(drive("body[0].shape[0].mass", 10.0), drive("world.gravity[0]", 5.0), body=[stone])
    simulation = Simulation(described)
    simulation.advance(0.455)
    then, mark = simulation.snapshot(), simulation.checkpoint()
    simulation.advance(0.5)
    later = simulation.snapshot()
    simulation.return_to(mark)
    assert simulation.snapshot().numbers == pytest.approx(then.numbers, rel=1e-12)
    simulation.advance(0.5)
    assert simulation.snapshot().numbers == pytest.approx(later.numbers, rel=1e-9, abs=1e-12)


def test_limits_hold_and_a_number_leaves_the_range_of_its_field_never():
    limited = drive("world.gravity[0]", 10.0, 0.0, lowest=2.5, highest=3.5)
    simulation = Simulation(driven_scene(limited, drive("body[0].friction", 1.0, -0.3)))
    seen = []
    for _ in range(200):
        simulation.advance(0.01)
        seen.append((simulation.compiled.inputs.gravity[0], simulation.compiled.model.bodies.friction[0]))
    assert np.min(seen, axis=0) == pytest.approx([2.5, 0.0])
    assert np.max(seen, axis=0) == pytest.approx([3.5, 0.1], abs=1e-3)


def test_what_its_part_does_not_allow_is_warned_of_and_the_rest_goes_on():
    """The coefficient at rest would fall below that of sliding."""
    floor = {**WALL, "damping": 0.0, "kinetic_friction": 0.3, "static_friction": 0.31}
    simulation = Simulation(driven_scene(drive("wall[0].static_friction", 1.0, 0.01), particle=[BALL], wall=[floor]))
    simulation.advance(2.0)
    assert simulation.time == pytest.approx(2.0)
    (warning,) = simulation.warnings
    assert warning.place == "sensor.drive[0]"
    assert "static_friction' can't be 0.2" in str(warning)


def test_a_played_hand_is_the_same_every_time_and_passes_through_its_places():
    floor = {**WALL, "motion": {"kind": "sensor"}}
    described = driven_scene(drive("world.gravity[0]", 10.0), sensor={"fastest": 10.0}, particle=[BALL], wall=[floor])
    ways = []
    for batches in ([400], [1] * 100 + [30, 270]):
        simulation = Simulation(described)
        simulation.play(lambda t: 0.3 + 0.2 * t)
        for steps in batches:
            simulation.advance_steps(steps)
        assert simulation.snapshot().walls == pytest.approx([0.3 + 0.2 * 0.4], abs=1e-12)
        assert simulation.compiled.inputs.gravity[0] == pytest.approx(3.8, abs=2.0 * WRITTEN)
        ways.append(simulation.state)
    assert np.array_equal(*ways)


@pytest.mark.parametrize(
    ("drives", "place", "said"),
    [
        (
            [drive("world.gravity", 1.0)],
            "sensor.drive[0].parameter",
            Meaning("sensor.drive[0].parameter", text="world.gravity", near="world.gravity[2]"),
        ),
        (
            [drive("body[0].position[2]", 1.0)],
            "sensor.drive[0].parameter",
            Meaning("sensor.drive[0].parameter", "number", text="body[0].position[2]"),
        ),
        (
            [drive("solver.time_step", 1.0)],
            "sensor.drive[0].parameter",
            Meaning("sensor.drive[0].parameter", "number", text="solver.time_step"),
        ),
        (
            [drive("body[1].friction", 1.0)],
            "sensor.drive[0].parameter",
            Meaning("sensor.drive[0].parameter", near="body[0].friction"),
        ),
        (
            [drive("world.gravity[2]", 1.0)] * 2,
            "sensor.drive[1].parameter",
            Meaning("sensor.drive[1].parameter", "driven", parameter="world.gravity[2]"),
        ),
        ([drive("world.gravity[2]", 0.0)], "sensor.drive[0]", Meaning("sensor.drive[0]", "leads", "nowhere")),
        (
            [drive("world.gravity[2]", 1.0, lowest=1.0, highest=0.0)],
            "sensor.drive[0]",
            Meaning("sensor.drive[0]", lowest=1, unit=""),
        ),
        ([drive("", 1.0)], "sensor.drive[0].parameter", Meaning("sensor.drive[0].parameter", "empty")),
        ([drive("wall[0].normal[2]", 1.0, -0.3)], "sensor.drive[0]", Meaning("sensor.drive[0]", "direction")),
    ],
)
def test_what_can_not_be_driven_is_refused(drives, place, said):
    with pytest.raises(InputError) as refused:
        Simulation(driven_scene(*drives))
    (problem,) = refused.value.problems
    assert problem.place == place
    assert said.of(problem)


@pytest.mark.parametrize("name", sampled(gallery.scene_names(), 3))
def test_every_number_of_every_scene_is_found_at_its_place(name):
    described = read_scene(gallery.path(name))
    found = [*parameters(described)]
    assert len({place for place, _ in found}) == len(found)
    for place, form in found[:100]:
        assert parameter_at(described, written(place)) == (place, form)
        value = at(described, place)
        assert form.low <= value <= form.high
        assert with_value(described, place, value) == described


def test_a_drive_is_written_to_a_file_as_it_was_read():
    described = driven_scene(drive("world.gravity[2]", 2.0, -1.0, highest=5.0))
    assert stated(described)["sensor"]["drive"] == [drive("world.gravity[2]", 2.0, -1.0, highest=5.0)]
    assert scene_of(stated(described), "") == described
