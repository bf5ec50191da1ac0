"""Ends of paths on bodies: impacts that keep momentum, angular momentum and, in a bounce, energy."""

import numpy as np
import pytest
from carrying_bodies import BOX, HOOP, LINE, SUPPORTS, WIRE, box, on, rod
from meaning import Meaning

from polhode.simulation.scene_from_snapshot import scene_from_snapshot
from polhode.simulation.simulation import Simulation
from scenes import G, bead_scene


def total_of(now) -> np.ndarray:
    return np.concatenate([now.momentum, now.angular_momentum])


def test_a_bead_bounces_along_a_free_rod():
    """Relative speed 2 m/s from the middle of 1 m, so a bounce every 0.5 s; the centre of mass is at rest."""
    bead = on("rod", path=WIRE, parameter=0.5, speed=2.0)
    simulation = Simulation(bead_scene(bead, gravity=0, body=[rod(velocity=[-2.0 / 3, 0, 0])], time_step=3e-3))
    simulation.advance(0.6)
    now = simulation.snapshot()
    assert now.beads.speed[0] == pytest.approx(-2.0, abs=1e-12)
    assert now.beads.parameter[0] == pytest.approx(1.0 - 2.0 * 0.35, abs=1e-11)
    assert now.bodies.velocity[0] == pytest.approx([2.0 / 3, 0, 0], abs=1e-12)
    simulation.advance(10.0)
    now = simulation.snapshot()
    assert total_of(now) == pytest.approx(np.zeros(6), abs=1e-12)
    assert now.energy.total == pytest.approx(0.5 * 0.2 * 2.0**2, abs=1e-12)  # of the reduced mass


@pytest.mark.parametrize("rolling", [False, True])
@pytest.mark.parametrize("ends", ["bounce", "stop", "leave"])
def test_an_end_keeps_what_it_must(ends, rolling):
    """Of a free box: momenta always; the energy but for what a stop loses, which the ledger has."""
    bead = on("box", path=LINE, parameter=0.6, speed=1.5, ends=ends, rolling=rolling)
    other = on("box", path=LINE, parameter=0.2, speed=-0.3)
    simulation = Simulation(bead_scene(bead, other, gravity=0, body=[box("free")], time_step=5e-4))
    first = simulation.snapshot()
    simulation.advance(1.0)
    now = simulation.snapshot()
    assert total_of(now) == pytest.approx(total_of(first), abs=1e-10)
    assert now.energy.total - now.ledger.contact == pytest.approx(first.energy.total, abs=1e-10)
    assert (now.ledger.contact < -0.01) == (ends == "stop")
    assert abs(now.ledger.contact) < 1e-12 or ends == "stop"
    assert now.beads.is_held.tolist() == [ends != "leave", True]
    assert now.beads.speed[0] < 0 or ends != "bounce"
    assert now.beads.speed[0] == 0 or ends != "stop"


@pytest.mark.parametrize("friction", [0.0, 0.05])
@pytest.mark.parametrize("kind", SUPPORTS)
def test_the_ledger_closes_over_bounces(kind, friction):
    alike = {"path": LINE, "kinetic_friction": friction}
    beads = [on("box", **alike, parameter=q, speed=speed) for q, speed in ((0.6, 1.5), (0.3, -0.8))]
    simulation = Simulation(bead_scene(*beads, body=[box(kind)], time_step=5e-4))
    first, turns, last = simulation.snapshot(), 0, np.array([1.5, -0.8])
    for _ in range(20):
        simulation.advance(0.1)
        now = simulation.snapshot()
        turns += int((np.sign(now.beads.speed) != np.sign(last)).sum())
        last = now.beads.speed
        assert now.energy.total - now.ledger.total == pytest.approx(first.energy.total, abs=1e-8)
    assert turns > 2
    assert abs(now.ledger.contact) < 1e-9


def test_bounces_keep_the_order_of_the_method():
    """Between steps of 4 and 2 ms, against 0.25 ms."""
    bead = on("box", path=LINE, parameter=0.6, speed=1.5)
    speeds = []
    for step in (8e-3, 4e-3, 2.5e-4):
        simulation = Simulation(bead_scene(bead, body=[box("pivot")], time_step=step))
        simulation.advance(1.2)
        speeds.append(simulation.snapshot().bodies.angular_velocity[0])
    coarse, fine = (np.linalg.norm(speed - speeds[-1]) for speed in speeds[:2])
    assert np.log2(coarse / fine) > 3.5


def test_a_run_goes_on_from_its_snapshot():
    """Also of a bead at rest relative to a free box, and one that has left its path."""
    beads = [
        on("box", path=LINE, parameter=0.6, speed=1.5, ends="leave"),
        on("box", path=LINE, parameter=0.3, speed=-0.4),
        on("box", path=LINE, parameter=0.7, speed=0.2, rolling=True),
    ]
    simulation = Simulation(bead_scene(*beads, body=[box("free")], time_step=5e-4))
    simulation.advance(0.8)
    resumed, notes = scene_from_snapshot(simulation.compiled, simulation.snapshot())
    (note,) = notes
    assert Meaning("", "path", "free", name="bead0").of(note)
    again = Simulation(resumed)
    for each in (simulation, again):
        each.advance(0.5)
    one, other = simulation.snapshot(), again.snapshot()
    assert other.beads.parameter == pytest.approx(one.beads.parameter[1:], abs=1e-9)
    assert other.bodies.position[0] == pytest.approx(one.bodies.position[0], abs=1e-9)
    assert other.bodies.angular_velocity[0] == pytest.approx(one.bodies.angular_velocity[0], abs=1e-8)


def test_closed_paths_have_no_events():
    assert len(Simulation(bead_scene(on("box", path=HOOP), body=[box("free")]))._work.events.before) == 0
    assert len(Simulation(bead_scene(on("box", path=LINE), body=[box("free")]))._work.events.before) == 2


@pytest.mark.parametrize("method", ["adams_bashforth_2", "euler"])
def test_other_methods_reach_ends_too(method):
    bead = on("rod", path=WIRE, parameter=0.5, speed=2.0)
    scene = bead_scene(bead, gravity=0, body=[rod(velocity=[-2.0 / 3, 0, 0])], time_step=1e-3, method=method)
    simulation = Simulation(scene)
    simulation.advance(0.6)
    now = simulation.snapshot()
    assert now.beads.speed[0] == pytest.approx(-2.0, abs=1e-9)
    assert now.beads.parameter[0] == pytest.approx(0.3, abs=4e-3)
    assert now.momentum == pytest.approx(np.zeros(3), abs=1e-12)


@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_a_bead_rests_at_the_lower_end_until_it_is_tilted_up(friction):
    """A wire that is turned over within 2 s: the bead lies at its lower end, and leaves it as that rises."""
    turning = {"kind": "formula", "axis": [0, 1, 0], "angle": "0.5*pi*t + 0.5"}
    body = {"name": "box", "shape": [BOX], "support": "driven", "motion": turning}
    bead = on("box", path=WIRE, parameter=1.0, kinetic_friction=friction)
    simulation = Simulation(bead_scene(bead, body=[body], time_step=1e-3))
    first = simulation.snapshot()
    seen = []
    for _ in range(24):
        simulation.advance(0.1)
        now = simulation.snapshot()
        seen.append(now.beads.parameter[0])
        assert now.energy.total - now.ledger.total == pytest.approx(first.energy.total, abs=1e-8)
    assert seen[:16] == [1.0] * 16
    assert min(seen) < 0.7


def test_a_resting_bead_weighs_on_its_body():
    """A rod on an axle in its middle, horizontal at first, a bead stops at its end: W' = m g l/(I + m l^2)."""
    body = rod(support="axle", axis=[0, 1, 0])
    bead = on("rod", path=WIRE, parameter=0.9, speed=50.0, ends="stop")
    simulation = Simulation(bead_scene(bead, body=[body], time_step=1e-4))
    simulation.advance(0.01)
    before = simulation.snapshot()
    simulation.advance(0.01)
    now = simulation.snapshot()
    change = (now.bodies.angular_velocity[0, 1] - before.bodies.angular_velocity[0, 1]) / 0.01
    assert change == pytest.approx(0.3 * G * 0.5 / (0.05 + 0.3 * 0.25), rel=1e-3)
