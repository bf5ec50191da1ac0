"""Rough spheres: spin and speed are exchanged, and energy, momentum and angular momentum are as before."""

import numpy as np
import pytest
from meaning import refuses

from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

MASS, RADIUS = 0.2, 0.05
STIFF = {"stiffness": 1e4, "rough": True}
BALL = {"mass": MASS, "radius": RADIUS}


def run(spheres, walls=(), method="rk4", time_step=1e-5, until=0.05, gravity=(0, 0, 0)):
    """Snapshots before and after."""
    data = {"world": {"gravity": list(gravity)}, "solver": {"time_step": time_step, "method": method}}
    simulation = Simulation(Scene.model_validate({**data, "sphere": list(spheres), "wall": list(walls)}))
    before = simulation.snapshot()
    simulation.advance(until)
    return before, simulation.snapshot()


def contact_velocity(bodies, k, arm):
    return bodies.velocity[k] + np.cross(bodies.angular_velocity[k], arm)


@pytest.mark.parametrize("method", ["rk4", "verlet", "splitting", "dormand_prince_8"])
def test_a_wall_turns_back_the_velocity_of_the_place_of_contact(method):
    """Garwin's superball: along v' = (3 v - 4 r w)/7 and r w' = -(10 v + 3 r w)/7 of a solid sphere, spin w backward.

    The steps in which the contact begins and ends leave (w dt)^2, w dt = 0.0022.
    """
    start = {"velocity": [1.0, 0.3, -1.0], "angular_velocity": [3.0, -8.0, 5.0]}
    ball = {"name": "a", **BALL, "position": [0, 0, 1.01 * RADIUS], **start}
    before, after = run([ball], [{"name": "floor", **STIFF}], method)
    arm = np.array([0, 0, -RADIUS])
    slips = [contact_velocity(moment.bodies, 0, arm) for moment in (before, after)]
    assert slips[1] == pytest.approx(-slips[0], abs=1e-5)
    v, w = 1.0, -RADIUS * -8.0
    assert after.bodies.velocity[0, 0] == pytest.approx((3 * v - 4 * w) / 7, abs=1e-5)
    assert after.bodies.angular_velocity[0, 1] * -RADIUS == pytest.approx(-(10 * v + 3 * w) / 7, abs=1e-5)
    assert after.bodies.angular_velocity[0, 2] == pytest.approx(5.0, abs=1e-9)
    assert after.energy.total == pytest.approx(before.energy.total, rel=1e-5)
    assert abs(after.ledger.contact) < 1e-5 * before.energy.total  # next to nothing of the spring is forgotten


def test_back_spin_makes_it_come_back():
    start = {"velocity": [1.0, 0, -1.0], "angular_velocity": [0, -100.0, 0]}
    _, after = run([{"name": "a", **BALL, "position": [0, 0, 1.01 * RADIUS], **start}], [{"name": "floor", **STIFF}])
    assert after.bodies.velocity[0, 0] < -1.0


@pytest.mark.parametrize("mass", [MASS, 1.0])
def test_two_spheres_turn_back_their_surfaces_and_keep_all(mass):
    """A glancing impact: the normal turns by a little while they touch, so the exchange is good to a few percent."""
    one = {"name": "a", **BALL, "contact": {**STIFF, "stiffness": 1e6}, "velocity": [1, 0, 0]}
    one["angular_velocity"] = [5.0, 0, 10.0]
    other = {**one, "name": "b", "mass": mass, "position": [2.01 * RADIUS, 0.02, 0], "velocity": [-1, 0, 0]}
    before, after = run([one, other], time_step=2e-6, until=0.02)
    normal = np.array([-np.sqrt(4 * RADIUS**2 - 0.02**2), -0.02, 0]) / (2 * RADIUS)
    slips = [
        contact_velocity(moment.bodies, 0, -RADIUS * normal) - contact_velocity(moment.bodies, 1, RADIUS * normal)
        for moment in (before, after)
    ]
    along = [slip - (slip @ normal) * normal for slip in slips]
    assert np.linalg.norm(along[0]) > 0.3
    assert along[1] == pytest.approx(-along[0], abs=0.05 * np.linalg.norm(along[0]))
    assert after.momentum == pytest.approx(before.momentum, abs=1e-12)
    assert after.angular_momentum == pytest.approx(before.angular_momentum, abs=1e-12)
    assert after.energy.total == pytest.approx(before.energy.total, rel=1e-5)


def test_many_rough_impacts_keep_momentum_angular_momentum_and_energy():
    """Springs that still hold something when spheres part give it back; what is forgotten is booked.

    The ends of steps in which contacts begin leave (w dt)^2 of each, 1e-4.
    """
    rng, k = np.random.default_rng(4), np.arange(14)
    height, turn = 1 - (2 * k + 1) / 14, 2.4 * k  # spread evenly over a sphere
    width = np.sqrt(1 - height**2)
    places = (0.3 + 0.01 * k)[:, None] * np.column_stack([width * np.cos(turn), width * np.sin(turn), height])
    balls = [
        {
            "name": f"b{k}",
            **BALL,
            "contact": {**STIFF, "stiffness": 1e5},
            "position": place.tolist(),
            "velocity": (-3 * place).tolist(),
            "angular_velocity": rng.normal(0, 20, 3).tolist(),
        }
        for k, place in enumerate(places)
    ]
    before, after = run(balls, until=0.4)
    turned = np.linalg.norm(after.bodies.angular_velocity - before.bodies.angular_velocity, axis=1)
    assert (turned > 0.1).sum() > 5
    assert after.momentum == pytest.approx(before.momentum, abs=1e-12)
    assert after.angular_momentum == pytest.approx(before.angular_momentum, abs=1e-8)
    assert after.energy.total - after.ledger.total == pytest.approx(before.energy.total, rel=1e-3)
    assert abs(after.ledger.contact) < 2e-3 * before.energy.total


def test_a_fixed_rough_sphere_turns_back_the_surface():
    """As a wall: the fixed one takes all momentum, and no energy."""
    peg = {"name": "peg", **BALL, "fixed": True, "contact": {**STIFF, "stiffness": 1e6}}
    ball = {**peg, "name": "b", "fixed": False, "position": [2.01 * RADIUS, 0, 0], "velocity": [-1.0, 0.2, 0]}
    before, after = run([peg, ball], until=0.02, time_step=2e-6)
    assert after.energy.total == pytest.approx(before.energy.total, rel=1e-5)
    arm = np.array([-RADIUS, 0, 0])
    slips = [contact_velocity(moment.bodies, 1, arm)[1] for moment in (before, after)]
    assert slips[1] == pytest.approx(-slips[0], abs=0.02)


def test_what_is_too_rough_is_refused():
    data = {"sphere": [{"name": "b", **BALL, "contact": {**STIFF, "kinetic_friction": 0.1}}]}
    with refuses("sphere[0].contact", "rough", "friction"):
        scene_of(data, "scene.toml")
    with refuses("wall[0]", "rough", "friction"):
        scene_of({"wall": [{"name": "w", **STIFF, "static_friction": 0.1}]}, "scene.toml")
    block = {"kind": "grid", "counts": [11, 10, 1], "spacing": [1, 1, 1]}
    crowd = {"sphere": [{"name": "b", **BALL, "contact": STIFF, "arrangement": block}]}
    with refuses("contact.rough", spheres=110, walls=0, count=5995, most=5000):
        Simulation(Scene.model_validate(crowd))
