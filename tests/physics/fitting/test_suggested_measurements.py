"""Suggested measurements, in scenes whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from meaning import Meaning

from polhode.analysis.columns import columns
from polhode.data.measured import MeasuredData, measured
from polhode.engine.compile import build
from polhode.fitting.fit import prepare
from polhode.fitting.forward import computed
from polhode.fitting.suggested_measurements import is_weak, suggested_measurements
from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene

RATE = "bob.angular_velocity.y"
FRICTION, MASS, GRAVITY, TILT = "body[0].friction", "body[0].shape[0].mass", "world.gravity[2]", "body[0].tilt[1]"


def pendulum(angle: float = 1.0, **more: object) -> Scene:
    """A sphere 0.5 m below its pivot, turned by `angle` [rad] about y."""
    ball = {"kind": "sphere", "radius": 0.03, "mass": 0.2, "position": [0.0, 0.0, -0.5]}
    turned = {"axis": [0.0, 1.0, 0.0], "angle": angle}
    body = {"name": "bob", "support": "pivot", "friction": 0.002, "orientation": turned, "shape": [ball]}
    return Scene.model_validate({"solver": {"time_step": 0.005}, "body": [body], **more})


def data_of(scene: Scene, quantity: str = RATE, until: float = 4.0) -> MeasuredData:
    """The run of a scene without noise."""
    compiled, times = build(scene, Meshes()), np.linspace(0.0, until, 81)
    values = computed(compiled, times, np.array([list(columns(compiled)).index(quantity)]))
    return measured("made", times, {"w": values[:, 0]})


def asked(scene: Scene, free: list[str], quantity: str = RATE):
    """Suggested measurements for a fit to exact data of the scene itself."""
    prepared = prepare(scene, data_of(scene, quantity), {"w": quantity}, free)
    return prepared, suggested_measurements(prepared)


def test_no_further_start_parts_friction_and_mass_but_a_known_mass_does():
    """The equation of the swing has friction/mass alone, whatever the start; a value of either closes the direction."""
    prepared, found = asked(pendulum(), [FRICTION, MASS])
    assert is_weak(prepared)
    assert {(each.kind, each.name) for each in found} == {("value", FRICTION), ("value", MASS)}
    for each in found:
        assert each.before < 1e-6
        assert each.open_after == 0
        # Rows s/sqrt(2) (1, -1) of the data and (0, 1) of the value: the smaller root of t^2 - (s^2 + 1) t + s^2/2.
        square = prepared.determination.singular_values[0] ** 2
        least = (square + 1 - np.sqrt((square + 1) ** 2 - 2 * square)) / 2
        assert each.after == pytest.approx(np.sqrt(least), rel=1e-6)


def test_the_measured_force_of_a_rod_parts_friction_and_mass():
    """It is in proportion to the mass; from any start the motion has drag/mass alone."""
    ball = {"kind": "sphere", "radius": 0.03, "mass": 0.2}
    bob = {"name": "bob", "support": "free", "position": [0.4, 0.0, -0.3], "shape": [ball], "drag": 0.01}
    origin, centre = [0.0, 0.0, 0.0], {"anchor_first": [0.0, 0.0, 0.0]}
    rod = {"name": "rod", "kind": "distance", "first": "bob", "anchor_second": origin, **centre}
    scene = Scene.model_validate({"solver": {"time_step": 0.005}, "body": [bob], "joint": [rod]})
    _, found = asked(scene, ["body[0].drag", MASS], "bob.velocity.x")
    best = next(each for each in found if each.kind == "quantity")
    assert best.name.startswith("rod.force")
    assert best.open_after == 0
    assert not [each for each in found if each.kind == "start"]


def test_of_two_open_directions_each_measurement_closes_one():
    """Friction of the pivot and drag of the air damp alike, and only their ratio to the mass stands in the motion."""
    prepared, found = asked(pendulum(), [FRICTION, MASS, "body[0].drag"])
    assert len(prepared.determination.problems) == 2
    assert {each.open_after for each in found} == {1}
    assert [each.least_determined for each in found] == sorted((each.least_determined for each in found), reverse=True)
    assert found[0].least_determined > 1e-2
    assert Meaning("", "direction", count=1).of(str(found[0].text))


def test_a_pendulum_at_rest_tells_its_friction_only_from_another_start():
    """Nothing moves at the bottom; turned, or pushed, about y it swings."""
    prepared, found = asked(pendulum(0.0), [FRICTION])
    assert prepared.determination.problems
    starts = [each for each in found if each.kind == "start"]
    assert {each.name for each in starts} <= {TILT, "body[0].angular_velocity[1]"}
    assert starts
    assert all(each.before < 1e-6 < 1e-2 < each.after for each in starts)
    assert not [each for each in found if each.kind == "quantity"]


def test_what_a_start_tells_is_not_counted_where_it_is_unknown_itself():
    """The start of another run is another unknown: it does not help to find that of the first."""
    prepared, found = asked(pendulum(), [TILT])
    assert not is_weak(prepared)
    assert not [each for each in found if each.kind == "start"]


def test_the_place_of_the_ball_tells_where_the_sensor_alone_does_not():
    """A gyroscope of unknown scale: the place of the ball, in metres, tells its start, and so do its directions."""
    _, found = asked(pendulum(0.05), [GRAVITY, TILT, "data.w.scale"])
    quantities = [each.name for each in found if each.kind == "quantity"]
    assert quantities
    assert {name.rpartition(".")[0] for name in quantities} <= {"bob.point[0, 0, -0.5]", "bob.u1", "bob.u3", "bob"}


def test_well_determined_unknowns_have_little_to_gain():
    prepared, _ = asked(pendulum(), [GRAVITY, FRICTION])
    assert not is_weak(prepared)
