"""Impacts of spheres: restitution, friction, and what must be the same before and after."""

from math import hypot, sqrt

import numpy as np
import pytest

from polhode.physics.contact.restitution import damping_ratio, restitution
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

STILL = {"gravity": [0, 0, 0]}
MASS, RADIUS, STIFFNESS = 0.2, 0.05, 1e4


def impact(spheres, walls=(), time_step=1e-5, until=0.1):
    """Snapshots before and after."""
    data = {"world": STILL, "solver": {"time_step": time_step}, "sphere": list(spheres), "wall": list(walls)}
    simulation = Simulation(Scene.model_validate(data))
    before = simulation.snapshot()
    simulation.advance(until)
    return before, simulation.snapshot()


def on_floor(velocity, spin=(0, 0, 0), mass=MASS, **law):
    ball = {"name": "a", "mass": mass, "radius": RADIUS, "position": [0, 0, 1.01 * RADIUS]}
    ball |= {"velocity": list(velocity), "angular_velocity": list(spin)}
    _, after = impact([ball], [{"name": "floor", "stiffness": STIFFNESS, **law}])
    return after.bodies.velocity[0], after.bodies.angular_velocity[0]


def numerical_restitution(z):
    """x'' + 2 z x' + x = 0 from x = 0 until it would pull: by the roots of its own polynomial, and bisection."""
    roots = np.roots([1.0, 2 * z, 1.0]).astype(complex)

    def x(t, order):
        return float(np.real((roots**order) @ (np.array([1, -1]) / (roots[0] - roots[1]) * np.exp(roots * t))))

    low = high = 1e-6
    while x(high, 0) + 2 * z * x(high, 1) > 0:
        low, high = high, high + 0.1
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if x(middle, 0) + 2 * z * x(middle, 1) > 0 else (low, middle)
    return -x(low, 1)


@pytest.mark.parametrize("z", [0.01, 0.1, 0.5, 0.7, 0.9, 1.1, 2.0])
def test_restitution_of_a_damping_ratio(z):
    assert restitution(z) == pytest.approx(numerical_restitution(z), rel=1e-8)
    assert damping_ratio(restitution(z)) == pytest.approx(z, rel=1e-9)


def test_no_restitution_is_the_nearest_damping():
    assert restitution(damping_ratio(0.0)) == pytest.approx(0.01, rel=1e-12)
    (_, _, away), _ = on_floor((0, 0, -1.0), mass=0.2, restitution=0)
    w = sqrt(STIFFNESS / 0.2)
    assert away == pytest.approx(0.01, abs=2 * damping_ratio(0.0) * w * 1e-5 + (w * 1e-5) ** 2)


@pytest.mark.parametrize("e", [0.05, 0.3, 0.7, 0.95, 1.0])
@pytest.mark.parametrize("mass", [0.2, 0.01])
def test_a_wall_gives_back_the_restitution_that_is_asked_for(e, mass):
    """The damper begins with its full force 2 z w v within a step dt: that much, 2 z w dt, is uncertain.

    So is (w dt)^2 by the spring's.
    """
    (_, _, away), _ = on_floor((0, 0, -1.0), mass=mass, restitution=e)
    w = sqrt(STIFFNESS / mass)
    assert away == pytest.approx(e, abs=2 * damping_ratio(e) * w * 1e-5 + (w * 1e-5) ** 2)


@pytest.mark.parametrize("mass", [0.2, 3.0])
def test_two_spheres_part_with_the_restitution_that_is_asked_for(mass):
    contact = {"stiffness": STIFFNESS, "restitution": 0.6}
    ball = {"mass": MASS, "radius": RADIUS, "contact": contact}
    one = {"name": "a", **ball, "velocity": [1, 0, 0]}
    other = {"name": "b", **ball, "mass": mass, "position": [2.01 * RADIUS, 0, 0], "velocity": [-0.5, 0, 0]}
    before, after = impact([one, other])
    w = sqrt(STIFFNESS * (1 / MASS + 1 / mass))
    parted = after.bodies.velocity[1, 0] - after.bodies.velocity[0, 0]
    assert parted == pytest.approx(0.6 * 1.5, abs=2 * damping_ratio(0.6) * w * 1e-5 * 1.5)
    assert after.momentum == pytest.approx(before.momentum, abs=1e-13)


@pytest.mark.parametrize(("mu", "e"), [(0.1, 1.0), (0.1, 0.6), (0.2, 0.8)])
def test_a_glancing_impact_slides_all_the_way(mu, e):
    """Friction takes mu (1 + e) v_n from the speed along, and gives 5/2 of it over r to the spin.

    That holds while mu (1 + e) v_n < 2/7 v_t; as in the normal direction the first step is uncertain.
    """
    (along, _, away), spin = on_floor((2.0, 0, -1.0), restitution=e, kinetic_friction=mu)
    taken = mu * (1 + e)
    assert taken < 2 / 7 * 2.0
    assert away == pytest.approx(e, abs=1e-3)
    assert along == pytest.approx(2.0 - taken, abs=mu * 1e-3)
    assert spin[1] == pytest.approx(2.5 * taken / RADIUS, abs=mu * 1e-3 * 2.5 / RADIUS)


def test_a_steep_impact_leaves_it_rolling():
    """Friction ends the sliding: along 5/7 v_t + 2/7 r w whatever mu is, and the place of contact stands."""
    (along, _, away), spin = on_floor((0.3, 0, -1.0), spin=(0, -8.0, 0), restitution=0.9, kinetic_friction=0.5)
    assert along == pytest.approx(5 / 7 * 0.3 + 2 / 7 * RADIUS * -8.0, abs=1e-6)
    assert along - RADIUS * spin[1] == pytest.approx(0, abs=1e-6)
    assert away == pytest.approx(0.9, abs=1e-3)


def test_without_friction_the_spin_stays():
    _, spin = on_floor((0.3, 0.1, -1.0), spin=(3.0, -8.0, 5.0))
    assert spin == pytest.approx([3.0, -8.0, 5.0], abs=1e-12)


def thrown(count, contact, seed):
    """Spheres of different sizes that fly towards the middle of a ball."""
    rng = np.random.default_rng(seed)
    places = rng.normal(size=(count, 3))
    places *= (0.35 * rng.uniform(0.8, 1.2, count) / np.linalg.norm(places, axis=1))[:, None]
    return [
        {
            "name": f"b{k}",
            "mass": float(mass),
            "radius": float(radius),
            "position": place.tolist(),
            "velocity": (-3 * place + rng.normal(0, 0.1, 3)).tolist(),
            "angular_velocity": rng.normal(0, 20, 3).tolist(),
            "contact": contact,
        }
        for k, (place, mass, radius) in enumerate(
            zip(places, rng.uniform(0.1, 0.3, count), rng.uniform(0.03, 0.06, count), strict=True)
        )
    ]


@pytest.mark.parametrize("count", [12, 80])  # all pairs, and a grid
def test_many_elastic_impacts_keep_momentum_angular_momentum_and_energy(count):
    """The step in which two touch is uncertain by (w dt)^2 of their energy: w dt = 0.014 and some impacts each.

    RK4 keeps sums, but products such as x x p to (w dt)^5.
    """
    before, after = impact(thrown(count, {"stiffness": 1e5}, 3), time_step=1e-5, until=0.2)
    turned = np.linalg.norm(after.bodies.velocity - before.bodies.velocity, axis=1)
    assert (turned > 0.1).sum() > count / 3
    scale = np.linalg.norm(before.momentum) + 0.1
    assert after.momentum == pytest.approx(before.momentum, abs=1e-12 * scale)
    assert after.angular_momentum == pytest.approx(before.angular_momentum, abs=1e-8 * scale)
    assert after.energy.total == pytest.approx(before.energy.total, rel=1e-4)


def test_many_impacts_with_friction_keep_momenta_and_book_what_they_lose():
    contact = {"stiffness": 1e5, "restitution": 0.8, "kinetic_friction": 0.3, "rolling_resistance": 0.01}
    before, after = impact(thrown(40, contact, 5), time_step=1e-5, until=0.2)
    assert after.momentum == pytest.approx(before.momentum, abs=1e-12)
    assert after.angular_momentum == pytest.approx(before.angular_momentum, abs=1e-8)
    assert after.ledger.contact < -0.05 * before.energy.total
    assert after.energy.total - after.ledger.total == pytest.approx(before.energy.total, rel=1e-3)


def test_a_fixed_sphere_turns_back_what_strikes_it():
    contact = {"stiffness": STIFFNESS}
    peg = {"name": "peg", "mass": 1.0, "radius": RADIUS, "fixed": True, "contact": contact}
    ball = {"name": "b", "mass": MASS, "radius": RADIUS, "contact": contact, "velocity": [-1.0, 0, 0]}
    before, after = impact([peg, {**ball, "position": [0.2, 0.06, 0]}], until=0.4)
    normal = np.array([sqrt(0.1**2 - 0.06**2), 0.06, 0]) / 0.1
    expected = np.array([-1, 0, 0]) - 2 * (np.array([-1, 0, 0]) @ normal) * normal
    # it is pressed in by v sqrt(m/k) = 4.5 mm, on which the normal turns by that over the distance of the middles
    assert after.bodies.velocity[1] == pytest.approx(expected, abs=0.09)
    assert hypot(*after.bodies.velocity[1][:2]) == pytest.approx(1.0, abs=1e-6)
    assert not after.bodies.velocity[0].any()
    assert before.energy.total == pytest.approx(after.energy.total, rel=1e-6)


def test_a_row_of_touching_spheres_hands_the_blow_on():
    """Hertz's contacts would send off the last alone; with springs that are linear the last takes most of it.

    Momentum and energy are those of the first in any case.
    """
    contact = {"stiffness": 1e5}
    ball = {"mass": MASS, "radius": RADIUS, "contact": contact}
    row = [{"name": f"b{k}", **ball, "position": [2 * RADIUS * k, 0, 0]} for k in range(4)]
    first = {"name": "first", **ball, "position": [-2.5 * RADIUS, 0, 0], "velocity": [1, 0, 0]}
    before, after = impact([first, *row])
    assert after.momentum == pytest.approx(before.momentum, abs=1e-14)
    assert after.energy.kinetic == pytest.approx(before.energy.kinetic, rel=1e-6)
    assert after.bodies.velocity[4, 0] > 0.85
    assert (np.diff(after.bodies.velocity[:, 0]) > -1e-12).all()


def test_spheres_a_little_apart_strike_one_after_the_other():
    """Then the last one leaves alone, as in Newton's cradle."""
    contact = {"stiffness": 1e6}
    ball = {"mass": MASS, "radius": RADIUS, "contact": contact}
    row = [{"name": f"b{k}", **ball, "position": [(2 * RADIUS + 5e-3) * k, 0, 0]} for k in range(4)]
    _, after = impact([{**row[0], "velocity": [1, 0, 0]}, *row[1:]])
    assert after.bodies.velocity[:, 0] == pytest.approx([0, 0, 0, 1], abs=1e-4)
