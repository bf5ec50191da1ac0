"""The scenes of rolling and colliding spheres, one to eighteen: each does what its description says."""

import re
from itertools import pairwise
from math import cos, pi, radians, sin, sqrt

import numpy as np
import pytest

from polhode.scene import gallery
from polhode.scene.scene_file import read_scene, scene_of
from polhode.simulation.simulation import Simulation

G, R, ANGLE = 9.80665, 0.05, radians(20)
NORMAL, DOWN = np.array([sin(ANGLE), 0, cos(ANGLE)]), np.array([cos(ANGLE), 0, -sin(ANGLE)])
GENTLE = radians(5)
GENTLE_NORMAL, GENTLE_DOWN = np.array([sin(GENTLE), 0, cos(GENTLE)]), np.array([cos(GENTLE), 0, -sin(GENTLE)])


def opened(number):
    (name,) = (name for name in gallery.scene_names() if name.startswith(f"rolling_{number}_"))
    return Simulation(read_scene(gallery.path(name)))


def moments(simulation, until, count):
    """Snapshots at equal times, the first at the start."""
    found = [simulation.snapshot()]
    for _ in range(count):
        simulation.advance(until / count)
        found.append(simulation.snapshot())
    return found


def slip(moment, k=0, arm=(0, 0, -R)):
    """(3,) [m/s] of the lowest place of a ball, or of another."""
    return moment.bodies.velocity[k] + np.cross(moment.bodies.angular_velocity[k], arm)


def same(before, after, rel=1e-4):
    """Momentum, angular momentum and energy."""
    assert after.momentum == pytest.approx(before.momentum, abs=1e-12)
    assert after.angular_momentum == pytest.approx(before.angular_momentum, abs=1e-8)
    assert after.energy.total == pytest.approx(before.energy.total, rel=rel)


def test_every_number_has_its_scene_and_they_are_a_series():
    names = [name for name in gallery.scene_names() if re.fullmatch(r"rolling_\d+_.*", name)]
    titles = [read_scene(gallery.path(name)).title for name in names]
    assert [title.split(":")[0] for title in titles] == [f"Rolling {number}" for number in range(1, 19)]


def test_1_slides_down_with_g_sin_and_comes_back():
    simulation = opened(1)
    for moment in moments(simulation, 1.0, 5)[1:]:
        assert moment.bodies.velocity[0] @ DOWN == pytest.approx(G * sin(ANGLE) * moment.time, rel=1e-7)
        assert np.abs(moment.bodies.angular_velocity).max() < 1e-10
    simulation.advance(2 * sqrt(2 * 2.0 / (G * sin(ANGLE))) - 1.0)
    # the stop holds it for pi sqrt(m/k) = 4 ms, in which it would have slid 4 ms g sin and more
    assert simulation.snapshot().bodies.position[0] == pytest.approx([R * sin(ANGLE), 0, R * cos(ANGLE)], abs=1e-3)


def test_2_slides_round_the_bowl_and_keeps_energy_and_angular_momentum():
    start, *later = moments(opened(2), 3.0, 6)
    for moment in later:
        assert moment.energy.total == pytest.approx(start.energy.total, rel=1e-6)
        assert moment.angular_momentum[2] == pytest.approx(start.angular_momentum[2], rel=1e-8)
        assert np.abs(moment.bodies.angular_velocity).max() < 1e-12


def test_3_rolls_down_with_five_sevenths_of_g_sin():
    for moment in moments(opened(3), 1.2, 4)[1:]:
        assert moment.bodies.velocity[0] @ DOWN == pytest.approx(5 / 7 * G * sin(ANGLE) * moment.time, rel=1e-6)
        assert np.abs(slip(moment, arm=-R * NORMAL)).max() < 1e-6
        assert abs(moment.ledger.contact) < 1e-6


def test_4_rolls_round_the_bowl_without_losing_energy():
    start, *later = moments(opened(4), 3.0, 6)
    for moment in later:
        assert moment.energy.total == pytest.approx(start.energy.total, rel=1e-6)
        assert abs(moment.ledger.contact) < 1e-6 * start.energy.total
        assert np.linalg.norm(moment.bodies.angular_velocity) > 1


def test_5_rolls_at_five_sevenths_of_its_speed_from_the_time_that_the_closed_form_says():
    simulation = opened(5)
    rolls = 2 * 3.0 / (7 * 0.2 * G)
    simulation.advance(0.98 * rolls)
    assert np.linalg.norm(slip(simulation.snapshot())) > 0.01
    simulation.advance(0.03 * rolls)
    assert simulation.snapshot().bodies.velocity[0] == pytest.approx([5 / 7 * 3, 0, 0], abs=1e-5)  # exp(-11) is left


def test_6_loses_to_friction_what_the_ledger_says_until_it_rolls():
    start, *later = moments(opened(6), 4.0, 8)
    assert later[-1].energy.total - later[-1].ledger.contact == pytest.approx(start.energy.total, rel=1e-6)
    assert later[-1].ledger.contact < -0.3 * start.energy.kinetic
    assert later[-1].ledger.contact == pytest.approx(later[-2].ledger.contact, rel=1e-3)  # nothing slides any more


def test_7_is_slowed_by_rolling_resistance_and_by_air():
    """v0 - 5/7 c g t; and m 7/5 v' = -d v - c m g has v = (v0 + u) exp(-5 d t/7 m) - u, u = c m g/d."""
    (_, end) = moments(opened(7), 1.5, 1)
    c, mass, d = 0.02, 0.17, 0.05
    plain, linear, quadratic = end.bodies.velocity[:, 0]
    assert plain == pytest.approx(1 - 5 / 7 * c * G * 1.5, rel=1e-8)
    still = c * mass * G / d
    assert linear == pytest.approx((1 + still) * np.exp(-5 / 7 * d / mass * 1.5) - still, rel=1e-6)
    assert linear < quadratic < plain
    assert end.ledger.air < 0


def test_8_keeps_its_speed_along_the_slope_and_loses_a_fifth_of_that_across():
    """Freed of what gravity has done since the start, speeds change in impacts alone; across, at the first one, from
    -v to 0.8 v, v^2 = 2 g cos h of the height h over the slope at first. In the impact gravity acts on for 4 ms."""
    simulation = opened(8)
    start = simulation.snapshot().bodies
    height = start.position[0] @ NORMAL - R
    meets = sqrt(2 * G * cos(ANGLE) * height)
    when = meets / (G * cos(ANGLE))
    simulation.advance(when + 0.02)
    now = simulation.snapshot().bodies.velocity[0]
    assert now @ DOWN == pytest.approx(G * sin(ANGLE) * simulation.time, rel=1e-9)
    assert now @ NORMAL + G * cos(ANGLE) * 0.02 == pytest.approx(0.8 * meets, abs=0.004 * G)


def test_9_spin_throws_the_balls_to_either_side_by_what_friction_allows():
    """mu (1 + e) v_n = 1.92 m/s would end the sliding of at most 3.3 m/s, so they leave rolling: u - 2/7 (u - r w).

    The impact takes 4 ms, in which gravity acts on along the slope.
    """
    simulation = opened(9)
    height = simulation.snapshot().bodies.position[0] @ GENTLE_NORMAL - R
    speed = sqrt(2 * G * height / cos(GENTLE))
    simulation.advance(0.6)
    along = speed * sin(GENTLE)
    since = 0.6 - speed / G
    rolling = np.array([along - 2 / 7 * (along - R * spin) for spin in (0, 60, -60)])
    found = simulation.snapshot().bodies.velocity @ GENTLE_DOWN
    assert found == pytest.approx(rolling + G * sin(GENTLE) * since, abs=0.004 * G * sin(GENTLE) + 1e-3)


def test_10_alike_spheres_part_at_a_right_angle():
    before, after = moments(opened(10), 0.6, 1)
    same(before, after)
    one, other = after.bodies.velocity
    assert abs(one @ other) < 0.02 * np.linalg.norm(one) * np.linalg.norm(other)
    assert np.abs(after.bodies.angular_velocity).max() < 1e-10


def test_11_two_at_once_take_what_symmetry_says():
    before, after = moments(opened(11), 0.6, 1)
    same(before, after)
    assert after.bodies.velocity[0] == pytest.approx([-1.5 / 5, 0, 0], abs=0.02)
    speed = 2 * sqrt(3) / 5 * 1.5
    assert after.bodies.velocity[1] == pytest.approx([speed * cos(pi / 6), speed / 2, 0], abs=0.02)
    assert after.bodies.velocity[2] == pytest.approx(after.bodies.velocity[1] * [1, -1, 1], abs=1e-12)


def test_12_the_blow_goes_through_the_row():
    before, after = moments(opened(12), 0.4, 1)
    same(before, after)
    assert after.bodies.velocity[-1, 0] > 0.85 * 1.5
    assert (np.diff(after.bodies.velocity[:, 0]) > 0).all()


def test_13_spin_throws_the_struck_ball_aside():
    before, after = moments(opened(13), 0.6, 1)
    assert after.momentum == pytest.approx(before.momentum, abs=1e-12)
    assert after.angular_momentum == pytest.approx(before.angular_momentum, abs=1e-8)
    assert after.energy.total - after.ledger.contact == pytest.approx(before.energy.total, rel=1e-4)
    assert after.ledger.contact < -0.05 * before.energy.total
    # the surface of the striking one moves with r w = 4 m/s: friction slides, mu of the blow (1 + e)/2 m v
    thrown = 0.2 * 1.95 / 2 * 1.5
    assert np.abs(after.bodies.velocity[[1, 3], 1]) == pytest.approx([thrown, thrown], rel=0.03)
    assert after.bodies.velocity[1, 1] == pytest.approx(-after.bodies.velocity[3, 1], rel=1e-6)


def test_14_a_fixed_sphere_stays_and_the_spin_becomes_speed():
    start, *later = moments(opened(14), 0.5, 50)
    assert not later[-1].bodies.velocity[0].any()
    assert later[-1].bodies.angular_velocity[1, 1] > start.bodies.angular_velocity[1, 1] + 10
    assert later[-1].energy.total - later[-1].ledger.total == pytest.approx(start.energy.total, rel=1e-3)


def test_15_a_rough_slope_turns_the_lowest_place_back_and_takes_no_energy():
    """Between two moments 0.01 s apart with an impact between them; gravity along the slope adds 0.0085 m/s at most."""
    start, *later = moments(opened(15), 2.0, 200)
    flying = [moment for moment in later if moment.energy.elastic == 0]
    turned = 0
    for before, after in pairwise(flying):
        if after.bodies.velocity[0] @ GENTLE_NORMAL > before.bodies.velocity[0] @ GENTLE_NORMAL:
            slips = [slip(moment, arm=-R * GENTLE_NORMAL)[0] / GENTLE_DOWN[0] for moment in (before, after)]
            assert slips[1] == pytest.approx(-slips[0], abs=0.02)
            turned += 1
    assert turned >= 3
    assert later[-1].energy.total == pytest.approx(start.energy.total, rel=1e-3)


def test_16_two_rough_spheres_exchange_spin_and_keep_all():
    before, after = moments(opened(16), 0.6, 1)
    same(before, after, rel=1e-3)
    assert abs(after.bodies.angular_velocity[0, 2]) > 5
    assert np.linalg.norm(after.bodies.velocity[1]) > 0.5


def test_17_two_rough_ones_at_once_leave_spinning_against_each_other():
    before, after = moments(opened(17), 0.6, 1)
    same(before, after, rel=2e-3)
    spins = after.bodies.angular_velocity[:, 2]
    assert abs(spins[1]) > 1
    assert spins[1] == pytest.approx(-spins[2], rel=1e-6)
    assert abs(spins[0]) < 1e-6


def test_18_a_held_sphere_takes_no_energy():
    """The first impact turns the slip of the ball on the bead back; the ring, not the bead, takes what is across it."""
    simulation = opened(18)
    start, *later = moments(simulation, 0.24, 12)
    met = later[-1]
    q = met.beads.parameter[0]
    assert met.beads.speed[0] > 1  # the bead runs up the ring
    assert met.bodies.position[1] == pytest.approx([0.3 * np.cos(q), 0, 0.5 + 0.3 * np.sin(q)], abs=1e-12)
    assert met.bodies.velocity[0, 2] - start.bodies.velocity[0, 2] > -9.80665 * met.time + 1  # the spin lifts the ball
    assert met.bodies.angular_velocity[0, 1] < start.bodies.angular_velocity[0, 1] / 2
    # The ends of the steps in which the contact begins and ends leave (w dt)^2, 1e-3, of what meets.
    assert met.energy.total - met.ledger.total == pytest.approx(start.energy.total, rel=1e-4)
    assert abs(met.ledger.contact) < 1e-4 * start.energy.total


def test_the_break_shot_scatters_all_fifteen_on_the_table():
    simulation = Simulation(read_scene(gallery.path("break_shot")))
    before, *_, after = moments(simulation, 1.5, 10)
    ways = np.linalg.norm(after.bodies.position - before.bodies.position, axis=1)
    assert (ways[1:] > 0.01).all()
    assert np.median(ways[1:]) > 0.3
    assert (np.abs(after.bodies.position) < [1.0, 0.5, 0.3]).all()
    assert after.energy.total - after.ledger.total == pytest.approx(before.energy.total, rel=1e-3)


def test_the_blow_goes_through_the_cradle_on_strings():
    """Half a period later the last ball is where the first was, but for what strikes and strings take."""
    simulation = Simulation(read_scene(gallery.path("cradle_of_spheres")))
    before, *later = moments(simulation, 0.55, 20)
    highest = max(moment.bodies.position[4, 2] for moment in later)
    fallen = before.bodies.position[0, 2] - 0.05
    assert highest - 0.05 > 0.85 * fallen
    assert max(np.abs(later[-1].bodies.velocity[1:4, 0])) < 0.3


def test_spheres_that_touch_nothing_but_the_floor_roll_as_each_alone():
    """Their friction is found at once, also while the friction of others in the same scene is not."""
    ball = {"mass": 0.2, "radius": 0.05, "contact": {"stiffness": 1e4, "kinetic_friction": 0.1}}
    alone = [
        ball | {"name": "a", "position": [-5, 0, 0.05], "velocity": [1, 0, 0]},
        ball | {"name": "b", "position": [5, 0, 0.05], "angular_velocity": [0, 20, 3]},
    ]
    row = [ball | {"name": f"row{k}", "position": [0.0999 * k, 0, 0.05], "velocity": [0, k, 0]} for k in range(3)]
    floor = {"name": "floor", "kinetic_friction": 0.3, "rolling_resistance": 0.02, "stiffness": 2e4}

    def states(*spheres):
        simulation = Simulation(scene_of({"sphere": spheres, "wall": [floor]}, "test"))
        simulation.advance(0.2)
        bodies = simulation.snapshot().bodies
        return np.hstack([bodies.position, bodies.velocity, bodies.angular_velocity])

    together = states(alone[0], *row, alone[1])
    assert np.array_equal(together[[0, -1]], [states(each)[0] for each in alone])
    assert abs(together[0, 3]) < 0.9  # it was slowed down
