"""Beads on rough and on one-sided tracks: Coulomb friction, and where a track that cannot pull loses a bead.

With N the force of the path across it, a bead that slides with Coulomb's coefficient mu has u' = F.t/m - mu |N|/m. On a
circle of radius R in a vertical plane, a from the horizontal, the bead inside, N = m (v^2/R - g sin a), and v^2 obeys
the linear equation d(v^2)/da = -2 g R cos a - 2 mu (v^2 - g R sin a).
"""

from __future__ import annotations

from collections.abc import Callable
from math import acos, cos, exp, hypot, pi, sin, sqrt
from typing import Any

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.verification.case import GRAVITY, Case, after, at_end
from polhode.verification.paths.beads import MASS, on

RADIUS, FRICTION = 0.5, 0.2
CIRCLE = {"kind": "circle", "radius": RADIUS}
DOWN, LEVEL = 0.6, 0.8  # sine and cosine of the incline
INCLINE = {"kind": "line", "start": [0, 0, 0], "end": [8, 0, -6]}
HEIGHT = 2.2 * RADIUS  # [m] above the bottom of a loop
AS_FROM_ABOVE = {"parameter": -pi / 2, "speed": sqrt(2 * GRAVITY * HEIGHT)}
EVENT = "RK4 also within the step that has an event: (w dt)^4/120, w some 13 1/s"


def parameter_after(seconds: float) -> Callable[[Scene], float]:
    """The path parameter after a time [s]."""
    return at_end(seconds, lambda now: now.beads.parameter[0])


def rises_and_returns() -> Case:
    """Place 1 s after it is pushed up an incline: it stops after u/a, a = g (sin + mu cos), and slides back."""
    up, down = GRAVITY * (DOWN + FRICTION * LEVEL), GRAVITY * (DOWN - FRICTION * LEVEL)
    speed = 2.0
    expected = 4.0 - speed**2 / (2 * up) + down * (1.0 - speed / up) ** 2 / 2
    described = on(INCLINE, parameter=4.0, speed=-speed, kinetic_friction=FRICTION)
    reason = "RK4 is exact where forces are constant, and so is the time of the stop; a thousand roundings"
    return Case("up an incline with friction and back", described, parameter_after(1.0), expected, 1e-11, "m", reason)


def comes_to_rest() -> Case:
    """Place where friction stops a bead for good on an incline below the angle of friction: u^2/(2 a) further on."""
    friction, speed = 0.9, 1.5
    expected = 4.0 + speed**2 / (2 * GRAVITY * (friction * LEVEL - DOWN))
    described = on(INCLINE, parameter=4.0, speed=speed, kinetic_friction=friction)
    reason = "the time of the stop is known to rounding where forces are constant, and nothing creeps"
    return Case("at rest on an incline by friction", described, parameter_after(3.0), expected, 1e-11, "m", reason)


def squared_speed(angle: float, start: float, squared: float) -> float:
    """v^2 [m^2/s^2] in the loop at an angle from the horizontal: A cos a + B sin a + C exp(-2 mu a)."""
    sine = GRAVITY * RADIUS * (4 * FRICTION**2 - 2) / (1 + 4 * FRICTION**2)
    cosine = 2 * FRICTION * (sine - GRAVITY * RADIUS)
    left = squared - cosine * cos(start) - sine * sin(start)
    return left * exp(-2 * FRICTION * (angle - start)) + cosine * cos(angle) + sine * sin(angle)


def rough_loop() -> Case:
    """Excess of v^2 over the closed form at the position of a bead that has gone through the top of a rough loop: 0."""

    def measure(described: Scene) -> float:
        beads = after(described, 0.5).beads
        return float(beads.speed[0] ** 2 - squared_speed(beads.parameter[0], -pi / 2, 81.0))

    described = on(CIRCLE, parameter=-pi / 2, speed=9.0, kinetic_friction=FRICTION, one_sided="inside")
    return Case("squared speed in a loop with friction", described, measure, 0.0, 1e-8, "m^2/s^2", EVENT)


def departure(name: str, expected: float, **bead: Any) -> Case:
    """Cosine of the angle from the top at which a circle loses a bead."""

    def measure(described: Scene) -> float:
        simulation = Simulation(described)
        while simulation.snapshot().beads.is_held[0] and simulation.time < 2.0:
            simulation.advance_steps(10)
        return sin(simulation.snapshot().beads.parameter[0])

    return Case(name, on(CIRCLE, **bead), measure, expected, 1e-9, "", EVENT)


def off_a_ball() -> Case:
    """From rest beside the top, outside: m g cos = m v^2/R with v^2 = 2 g R (cos a0 - cos), so cos = (2/3) cos a0."""
    start = 0.1
    return departure("falls off a ball", 2 / 3 * cos(start), parameter=pi / 2 - start, one_sided="outside")


def out_of_a_loop() -> Case:
    """Inside a loop, as fast as from h above its bottom: g R cos = v^2 = 2 g (h - R - R cos) where it leaves."""
    expected = 2 * (HEIGHT - RADIUS) / (3 * RADIUS)
    return departure("falls out of a loop", expected, one_sided="inside", **AS_FROM_ABOVE)


def lands() -> Case:
    """Energy lost where that bead meets the loop again: that of the velocity across the loop at the end of a parabola.

    The time of flight is the root of |x(t)| = R after the departure, by bisection.
    """
    top = acos(2 * (HEIGHT - RADIUS) / (3 * RADIUS))  # angle from the top, to the right
    speed = sqrt(GRAVITY * RADIUS * cos(top))
    x, z, forward, upward = RADIUS * sin(top), RADIUS * cos(top), -speed * cos(top), speed * sin(top)
    early, late = 0.1, 1.0
    for _ in range(60):
        time = (early + late) / 2
        inside = hypot(x + forward * time, z + upward * time - GRAVITY * time * time / 2) < RADIUS
        early, late = (time, late) if inside else (early, time)
    position = x + forward * early, z + upward * early - GRAVITY * early * early / 2
    across = (position[0] * forward + position[1] * (upward - GRAVITY * early)) / RADIUS

    measure = at_end(1.0, lambda now: now.ledger.contact)

    described = on(CIRCLE, one_sided="inside", **AS_FROM_ABOVE)
    name = "falls out of a loop and lands, energy lost"
    return Case(name, described, measure, -MASS * across**2 / 2, 1e-9, "J", EVENT)


CASES = (rises_and_returns(), comes_to_rest(), rough_loop(), off_a_ball(), out_of_a_loop(), lands())
