"""Spheres that roll, slide and strike.

The laws are those of Endo, numbers 1 to 18: static and kinetic friction at a contact, restitution, air drag; and
spinning friction, a torque b N about the normal. A solid sphere has 2/5 m r^2, so a rolling one has 7/5 of its inertia
along its path.
"""

from __future__ import annotations

from math import cos, exp, log, sin, sqrt
from typing import Any

import numpy as np
from scipy.optimize import brentq

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.verification.case import GRAVITY, Case, after, at_end

MASS, RADIUS, STIFFNESS, ANGLE = 0.2, 0.05, 1e4, 0.3
BALL = {"name": "ball", "mass": MASS, "radius": RADIUS}
FLOOR = {"name": "floor", "stiffness": STIFFNESS}
STILL: dict[str, Any] = {"gravity": [0, 0, 0]}


def spheres(parts: dict[str, Any], time_step: float = 1e-3, **world: Any) -> Scene:
    """A scene of spheres, walls and surfaces as a file states them, with RK4."""
    return Scene.model_validate({**parts, "solver": {"time_step": time_step}, "world": world})


def slope(angle: float, friction: float, **ball: Any) -> Scene:
    """A ball that is pressed into a slope by just its weight, so that it does not bounce.

    angle: [rad]; friction: kinetic coefficient; ball: further keys of the ball
    """
    normal = np.array([sin(angle), 0.0, cos(angle)])
    position = (RADIUS - MASS * GRAVITY * cos(angle) / STIFFNESS) * normal
    wall = {**FLOOR, "normal": normal.tolist(), "kinetic_friction": friction}
    return spheres({"sphere": [{**BALL, "position": position.tolist(), **ball}], "wall": [wall]})


def rolling() -> Case:
    """Speed after 1 s down a slope without sliding: a = 5/7 g sin(angle)."""
    expected = 5 / 7 * GRAVITY * sin(ANGLE)

    measure = at_end(1.0, lambda now: np.linalg.norm(now.bodies.velocity[0]))

    reason = "a constant acceleration is exact for RK4: a thousand roundings"
    return Case("rolls down a slope, speed after 1 s", slope(ANGLE, 0.2), measure, expected, 1e-10, "m/s", reason)


def sliding() -> Case:
    """Speed after 1 s down a slope with little friction: a = g (sin(angle) - mu cos(angle))."""
    mu, expected = 0.05, GRAVITY * (sin(ANGLE) - 0.05 * cos(ANGLE))

    measure = at_end(1.0, lambda now: np.linalg.norm(now.bodies.velocity[0]))

    reason = "a constant acceleration is exact for RK4: a thousand roundings"
    return Case("slides down a slope, speed after 1 s", slope(ANGLE, mu), measure, expected, 1e-10, "m/s", reason)


def struck() -> tuple[Case, Case]:
    """Sliding at first, it loses mu g of its speed each second, until it rolls with 5/7 of it, after t = 2 v/(7 mu g).

    The velocity of the lowest point falls by 7/2 mu g per second, since the spin grows by 5/2 mu g/r.
    """
    speed, mu = 2.0, 0.2
    rolls = 2 * speed / (7 * mu * GRAVITY)
    described = slope(0.0, mu, velocity=[speed, 0, 0])

    def time(described: Scene) -> float:
        """Time at which the straight line of the speed of the lowest point reaches zero."""
        slips = []
        for seconds in (0.1, 0.2):
            bodies = after(described, seconds).bodies
            slips.append(bodies.velocity[0, 0] - RADIUS * bodies.angular_velocity[0, 1])
        return float(0.1 + 0.1 * slips[0] / (slips[0] - slips[1]))

    last = at_end(1.0, lambda now: now.bodies.velocity[0, 0])

    reason = "until then all is linear in time, and exact: some hundred roundings"
    ends = "what is left of the sliding decays as exp(-t/(4 steps)): to nothing"
    return (
        Case("sliding ball begins to roll", described, time, rolls, 1e-10, "s", reason),
        Case("sliding ball rolls at last", described, last, 5 / 7 * speed, 1e-10, "m/s", ends),
    )


def spun() -> tuple[Case, Case]:
    """Ball that spins about the vertical: w = w0 - b m g t/I until it rests, turned by w0^2 I/(2 b m g)."""
    spin, arm, step = 10.0, 2e-3, 1e-4
    slowing = arm * MASS * GRAVITY / (0.4 * MASS * RADIUS**2)
    seconds = spin / slowing
    ball = {**BALL, "position": [0, 0, RADIUS - MASS * GRAVITY / STIFFNESS], "angular_velocity": [0, 0, spin]}
    described = spheres({"sphere": [ball], "wall": [{**FLOOR, "spinning_friction": arm}]}, step)

    spinning = at_end(0.5 * seconds, lambda now: now.bodies.angular_velocity[0, 2])

    turned = at_end(2.0 * seconds, lambda now: np.arctan2(now.bodies.basis[0, 0, 1], now.bodies.basis[0, 0, 0]))

    reason = "a constant acceleration is exact for RK4: some thousand roundings"
    ends = "the last spin, that of four steps, decays as exp(-t/(4 steps)): b m g/I times (4 dt)^2"
    return (
        Case("spinning ball slows down", described, spinning, 0.5 * spin, 1e-10, "rad/s", reason),
        Case(
            "spinning ball, angle at rest", described, turned, 0.5 * spin * seconds, slowing * 16 * step**2, "rad", ends
        ),
    )


def given_back() -> Case:
    """Speed after an impact on a damped spring that does not pull: e = exp(-2 z arccos(z)/sqrt(1 - z^2)).

    z is the damping ratio, found from e = 0.6 here once more, by another code (Schwager and Poschel, Granular Matter 9,
    465, 2007).
    """
    wanted, step = 0.6, 1e-6
    ratio = brentq(lambda z: log(wanted) + 2 * z * np.arccos(z) / sqrt(1 - z * z), 1e-6, 0.999)
    ball = {**BALL, "position": [0, 0, 1.001 * RADIUS], "velocity": [0, 0, -1.0]}
    described = spheres({"sphere": [ball], "wall": [{**FLOOR, "restitution": wanted}]}, step, **STILL)
    tolerance = 2 * ratio * sqrt(STIFFNESS / MASS) * step

    measure = at_end(0.03, lambda now: now.bodies.velocity[0, 2])

    reason = "the damper sets in within a step with 2 z w v: the step's share, 2 z w dt, is uncertain"
    return Case("speed after an impact, restitution 0.6", described, measure, wanted, tolerance, "m/s", reason)


def turned_back() -> Case:
    """Garwin's superball: v' = (3 v - 4 r w)/7 with the spin w that rolls backward (Garwin, Am. J. Phys. 37, 88, 1969).

    An impact that keeps the energy, reverses the velocity of the point of contact, and keeps the angular momentum about
    it.
    """
    speed, spin = 1.0, 30.0
    motion = {"velocity": [speed, 0, -1.0], "angular_velocity": [0, -spin, 0]}
    ball = {**BALL, "position": [0, 0, 1.001 * RADIUS], **motion}
    described = spheres({"sphere": [ball], "wall": [{**FLOOR, "rough": True}]}, 1e-5, **STILL)

    measure = at_end(0.03, lambda now: now.bodies.velocity[0, 0])

    expected = (3 * speed - 4 * RADIUS * spin) / 7
    reason = "it sets in and ends within a step: (w dt)^2 = 5e-6 of speeds of 2.5 m/s"
    return Case("rough ball with back spin, speed after", described, measure, expected, 1.3e-5, "m/s", reason)


def gutter() -> Case:
    """Small swings of a ball that rolls in a gutter of radius R: w^2 = 5/7 g/(R - r).

    The distance of the ball's centre from the axis is larger by the dent that its weight makes, m g/k.
    """
    wide, small = 1.0, 1e-3
    far = wide - RADIUS
    stiffness = 1e6
    depth = MASS * GRAVITY / stiffness
    position = [(far + depth) * sin(small), 0, wide - (far + depth) * cos(small)]
    surface: dict[str, Any] = {"name": "gutter", "kind": "formula", "z": "1 - sqrt(1 - x^2)", "x_range": [-0.5, 0.5]}
    surface |= {"y_range": [-1, 1], "stiffness": stiffness, "kinetic_friction": 0.5}
    described = spheres({"sphere": [{**BALL, "position": position}], "surface": [surface]}, 2e-4)

    def measure(described: Scene) -> float:
        """Period [s], from the time of the first two crossings of the middle."""
        simulation, times, before = Simulation(described), list[float](), position[0]
        while len(times) < 2 and simulation.time < 5:
            simulation.advance_steps(10)
            now = float(simulation.snapshot().bodies.position[0, 0])
            if now * before < 0:
                times.append(simulation.time - simulation.time_step * 10 * now / (now - before))
            before = now
        return 2 * (times[1] - times[0]) if len(times) == 2 else np.nan

    expected = 2 * np.pi * sqrt(7 / 5 * (far + depth) / GRAVITY)
    reason = "amplitude 1e-3 rad adds 6e-8; the dent, 2 um, which is known, 1e-6; chords for arcs 1e-5 of 2 ms"
    return Case("rolls in a gutter, period", described, measure, expected, 5e-6, "s", reason)


def elastic() -> tuple[Case, Case, Case]:
    """Twelve spheres that meet in the middle, without friction and without loss: momentum, angular momentum, energy.

    They start towards the origin with 3 1/s times their positions, so that they meet nearly at once in many contacts.
    """
    number = np.arange(12)
    height, turn = 1 - (2 * number + 1) / 12, 2.4 * number
    width = np.sqrt(1 - height**2)
    positions = (0.3 + 0.01 * number)[:, None] * np.column_stack([width * np.cos(turn), width * np.sin(turn), height])
    contact = {"stiffness": 1e5}
    balls = [
        {**BALL, "name": f"b{k}", "position": at.tolist(), "velocity": (-3 * at).tolist(), "contact": contact}
        for k, at in enumerate(positions)
    ]
    described = spheres({"sphere": balls}, 1e-5, **STILL)
    momentum = MASS * -3 * positions.sum(axis=0)
    energy = 0.5 * MASS * 9 * float((positions**2).sum())

    gained = at_end(0.4, lambda now: np.abs(now.momentum - momentum).max())

    spun = at_end(0.4, lambda now: np.abs(now.angular_momentum).max())

    kept = at_end(0.4, lambda now: now.energy.total)

    rounding, product = "forces are opposite: rounding", "RK4 keeps products of x and p to (w dt)^5 = 2e-10"
    ends = "each beginning and end of a contact within a step is good to (w dt)^2 = 5e-5"
    return (
        Case("twelve elastic impacts, change of momentum", described, gained, 0.0, 1e-12, "kg m/s", rounding),
        Case("twelve elastic impacts, angular momentum", described, spun, 0.0, 1e-8, "kg m^2/s", product),
        Case("twelve elastic impacts, energy", described, kept, energy, 1e-4 * energy, "J", ends),
    )


def slowed() -> Case:
    """Speed of a ball in air: m v' = -d v, so v0 exp(-d t/m)."""
    drag, speed = 0.1, 3.0
    described = spheres({"sphere": [{**BALL, "velocity": [speed, 0, 0], "drag": drag}]}, **STILL)

    measure = at_end(1.0, lambda now: now.bodies.velocity[0, 0])

    reason = "RK4 with dt d/m = 5e-4: (dt d/m)^4/120 of the exponent 0.5, and roundings"
    return Case("ball in air, speed after 1 s", described, measure, speed * exp(-drag / MASS), 1e-12, "m/s", reason)


CASES = (rolling(), sliding(), *struck(), *spun(), given_back(), turned_back(), gutter(), slowed(), *elastic())
