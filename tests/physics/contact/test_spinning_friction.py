"""Spinning friction, a torque about the normal of at most b N, of all pairs of surfaces; viscous resistance."""

import numpy as np
import pytest
from sampling import sampled

from polhode.simulation.simulation import Simulation
from scenes import G, scene

STIFFNESS, ARM, SPIN = 1e5, 2e-4, 20.0  # [N/m], [m], [rad/s]
RADIUS, MASS = 0.05, 0.2
BALL = {"kind": "sphere", "radius": RADIUS, "mass": MASS}
DISC = {"kind": "cylinder", "radius": RADIUS, "length": 0.02, "mass": MASS}
BLOCK = {"kind": "cuboid", "size": [2, 2, 0.2], "mass": 1.0}
MOMENTS = {"sphere": 0.4 * MASS * RADIUS**2, "cylinder": 0.5 * MASS * RADIUS**2}
LAW = {"stiffness": STIFFNESS, "spinning_friction": ARM}
HEIGHTS = {"sphere": RADIUS, "cylinder": 0.01}


def body(shape, height, name="top", **more):
    return {"name": name, "support": "free", "shape": [shape], "position": [0, 0, height], **more}


def on(ground, shape, law=None, time_step=1e-3, **more):
    """A spinning body that rests on the ground at z = 0."""
    law = LAW | (law or {})
    base, rest = body(BLOCK, -0.1, "base", support="fixed", contact=law), {}
    stiffness = STIFFNESS * (4 if shape["kind"] == "cylinder" and ground in ("wall", "cuboid") else 1)
    if ground == "wall":
        rest["wall"] = [{"name": "floor"} | law]
    if ground == "surface":
        rest["surface"] = [{"name": "floor", "kind": "formula", "z": "0", "x_range": [-1, 1], "y_range": [-1, 1]} | law]
    if ground == "mesh":
        base["contact"] = law | {"shape": "mesh", "detail": 8}
    if ground == "sphere":
        base = body({"kind": "sphere", "radius": 1.0, "mass": 1.0}, -1.0, "base", support="fixed", contact=law)
    bodies = [body(shape, HEIGHTS[shape["kind"]] - MASS * G / stiffness, contact=law, **more)]
    if ground in ("cuboid", "mesh", "sphere"):
        bodies.append(base)
    return Simulation(scene(*bodies, time_step=time_step, **rest))


@pytest.mark.parametrize(
    ("ground", "shape"),
    [
        ("wall", BALL),
        ("wall", DISC),
        ("surface", BALL),
        ("sphere", BALL),
        ("cuboid", BALL),
        ("cuboid", DISC),
        ("mesh", BALL),
        ("mesh", DISC),
    ],
    ids=lambda each: each if isinstance(each, str) else each["kind"],
)
def test_a_spin_falls_at_a_constant_rate_and_ends(ground, shape):
    """w = w0 - b m g t/I, 0 from I w0/(b m g) on; its energy is in the ledger."""
    inertia = MOMENTS[shape["kind"]]
    simulation = on(ground, shape, angular_velocity=[0, 0, SPIN])
    start, ends = simulation.snapshot(), inertia * SPIN / (ARM * MASS * G)
    simulation.advance(0.5 * ends)
    half = simulation.snapshot()
    assert half.bodies.angular_velocity[0] == pytest.approx([0, 0, 0.5 * SPIN], abs=2e-3 * SPIN)
    assert half.ledger.contact == pytest.approx(-0.75 * 0.5 * inertia * SPIN**2, rel=5e-3)
    assert half.energy.total - half.ledger.total == pytest.approx(start.energy.total, abs=1e-3 * start.energy.kinetic)
    simulation.advance(0.51 * ends)
    simulation.advance(0.1)
    assert np.abs(simulation.snapshot().bodies.angular_velocity[0]).max() < 1e-6


def test_what_spins_slower_than_its_partner_is_carried_along():
    """Angular momentum of two free balls is kept, and both end with the same spin about the line of centres."""
    balls = [
        body(BALL, height, name, contact=LAW, angular_velocity=[0, 0, spin])
        for name, height, spin in (("upper", RADIUS - 1e-4, 9.0), ("lower", -RADIUS + 1e-4, -3.0))
    ]
    simulation = Simulation(scene(*balls, gravity=[0, 0, 0], time_step=1e-3))
    start = simulation.snapshot().angular_momentum
    simulation.advance(0.01)
    now = simulation.snapshot()
    assert now.angular_momentum == pytest.approx(start, abs=1e-12)
    spins = now.bodies.angular_velocity[:, 2]
    assert spins[0] < 9.0
    assert spins[1] > -3.0
    assert spins.sum() == pytest.approx(6.0, abs=1e-9)


def twin(spin, velocity, friction, rolling, arm, until, step=2e-5):
    """Velocity and angular velocity of a ball on a plane after `until` [s]: small steps, signs of Coulomb's laws."""
    v, w, inertia = np.array(velocity, float), np.array(spin, float), 0.4 * MASS * RADIUS**2
    up, weight = np.array([0.0, 0.0, 1.0]), MASS * G

    def against(rate, width):
        return -rate / max(np.linalg.norm(rate), width)

    for _ in range(round(until / step)):
        slip = v + np.cross(w, -RADIUS * up)
        force = friction * weight * against(slip, 1e-3)
        torque = np.cross(-RADIUS * up, force)
        torque += rolling * weight * RADIUS * against(np.array([w[0], w[1], 0.0]), 2e-2)
        torque += arm * weight * against(np.array([0.0, 0.0, w[2]]), 2e-2)
        v, w = v + step * force / MASS, w + step * torque / inertia
    return v, w


@pytest.mark.parametrize("arm", sampled([0.0, 1e-4, 5e-4], 3, 1))
def test_a_ball_that_slides_rolls_and_spins_moves_as_the_twin(arm):
    law = {"kinetic_friction": 0.2, "rolling_resistance": 0.02, "spinning_friction": arm}
    motion = {"velocity": [1.0, 0.5, 0.0], "angular_velocity": [3.0, -8.0, 15.0]}
    simulation = on("wall", BALL, law, **motion)
    for seconds in (0.2, 0.8):
        simulation.advance(seconds - simulation.time)
        velocity, spin = twin(motion["angular_velocity"], motion["velocity"], 0.2, 0.02, arm, seconds)
        now = simulation.snapshot().bodies
        assert now.velocity[0] == pytest.approx(velocity, abs=2e-3)
        assert now.angular_velocity[0] == pytest.approx(spin, abs=5e-2)


def test_a_rolling_ball_on_a_turntable_takes_its_spin():
    """A table with a driven spin carries a ball at its middle along, up to its own spin and no further."""
    table = body(BLOCK, -0.1, "table", support="axle", axis=[0, 0, 1], contact=LAW, angular_velocity=[0, 0, 4.0])
    table["shape"] = [BLOCK | {"mass": 1e6}]
    ball = body(BALL, RADIUS - MASS * G / STIFFNESS, contact=LAW)
    simulation = Simulation(scene(ball, table, time_step=1e-3))
    seconds = 0.4 * MASS * RADIUS**2 * 4.0 / (ARM * MASS * G)
    simulation.advance(0.5 * seconds)
    assert simulation.snapshot().bodies.angular_velocity[0, 2] == pytest.approx(2.0, rel=1e-2)
    simulation.advance(seconds)
    assert simulation.snapshot().bodies.angular_velocity[0, 2] == pytest.approx(4.0, rel=1e-5)


def test_viscous_resistance_slows_a_solid_on_a_solid():
    """w' = -rolling w/I, so that w falls by exp(-rolling t/I)."""
    law = {"spinning_friction": 0.0, "rolling": 1e-4}
    simulation = on("cuboid", DISC, law, angular_velocity=[0, 0, SPIN])
    simulation.advance(0.5)
    expected = SPIN * np.exp(-1e-4 * 0.5 / MOMENTS["cylinder"])
    assert simulation.snapshot().bodies.angular_velocity[0, 2] == pytest.approx(expected, rel=1e-3)
