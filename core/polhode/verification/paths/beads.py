"""Spheres on paths: periods, the path's force, and energies on paths at rest and on moving ones.

The motion along a path r(q) under the force F obeys f m u' = F.t - m a0.t with u = dl/dt, f = 1 for a sliding bead and
7/5 for a rolling sphere; the path's force is S = m (a0 + u' t + u^2 chi) - F with the curvature vector chi (Endo,
number 19). Periods on curves with a known arc length follow from the energy, dt = dl/u.
"""

from __future__ import annotations

from collections.abc import Callable
from math import acos, cos, hypot, pi, sin, sqrt
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from scipy.special import ellipe

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.verification.case import GRAVITY, Case, at_end, moments, pendulum_period

PHASE = "RK4 adds (w dt)^4/120 < 1e-10 of the phase; the curve between steps as much"
MASS = 0.3  # [kg]
WAVES = {
    "kind": "formula",
    "x": "cos(q) + 0.3*sin(2*q)",
    "y": "0.4*sin(q)",
    "z": "0.5*sin(q)^2 + 0.2*q",
    "range": [-200, 200],
}
"""A path in space without symmetry: its curvature and speed |r'| change everywhere."""
SHAKEN = {"kind": "formula", "x": "0.1*sin(9*t)", "z": "0.05*cos(7*t)"}
"""A motion of the path with two frequencies, in x and z [m], t [s]."""


def on(path: dict[str, Any], time_step: float = 1e-3, gravity: float = GRAVITY, **bead: Any) -> Scene:
    """One bead of MASS on a path, in a gravity [m/s^2] along -z."""
    described = {"name": "bead", "mass": MASS, "path": path, **bead}
    world, solver = {"gravity": [0, 0, -gravity]}, {"time_step": time_step}
    return Scene.model_validate({"world": world, "solver": solver, "bead": [described]})


def turning_point(number: int, seconds: float) -> Callable[[Scene], float]:
    """The time [s] of the number-th stop after the start, or inf, by a cubic spline through the speeds at the steps."""

    def measure(described: Scene) -> float:
        run = moments(described, seconds)
        times, speeds = [moment.time for moment in run], [moment.beads.speed[0] for moment in run]
        rests = CubicSpline(times, speeds).solve(0.0, extrapolate=False)
        later = rests[rests > 1e-6]
        return float(later[number - 1]) if len(later) >= number else np.inf

    return measure


def parabola() -> Case:
    """Time to the other side of z = x^2: dt = sqrt((1 + 4 x^2)/(2 g (1 - x^2))) dx from x = 1 to -1, 2 E(-4)/sqrt(2 g).

    E is the complete elliptic integral of the second kind of the parameter m; with g = 9.8 it is 1.190454596 s.
    Tolerance: a phase error of 1e-10, and the zero of a spline between steps.
    """
    expected = 2 * float(ellipe(-4.0)) / sqrt(2 * 9.8)
    described = on({"kind": "parabola", "coefficient": 1.0}, gravity=9.8, parameter=1.0)
    return Case("parabola z = x^2 from x = 1", described, turning_point(1, 1.3), expected, 1e-9, "s", PHASE)


def cycloid(start: float) -> Case:
    """Period T = 4 pi sqrt(a/g) on a cycloid of generating radius a, from any start (Huygens).

    From q = 0 the bead starts on a cusp, where the parameter is singular (r' = 0), and returns to it.
    """
    expected = 4 * pi * sqrt(0.3 / GRAVITY)
    described = on({"kind": "cycloid", "radius": 0.3}, parameter=start)
    name = f"cycloid, period from q = {start:g}"
    return Case(name, described, turning_point(2, 1.05 * expected), expected, 3e-9, "s", PHASE)


def circle(rolling: bool) -> Case:
    """Period of the pendulum of length R at an amplitude of 2 rad; of a rolling sphere, sqrt(7/5) times that.

    Its inertia along the path is 7/5 m, and nothing else changes.
    """
    expected = pendulum_period(sqrt(GRAVITY / 0.5), 2.0) * sqrt(1.4 if rolling else 1.0)
    described = on({"kind": "circle", "radius": 0.5}, parameter=2.0 - pi / 2, rolling=rolling)
    name = f"circle, 2 rad, {'rolling' if rolling else 'sliding'}"
    return Case(name, described, turning_point(2, 1.05 * expected), expected, 1e-9, "s", PHASE)


def force_at_the_bottom() -> Case:
    """S = m u^2/R + m g at the lowest point, with u^2 = 2 g R (1 - cos 2): m g (3 - 2 cos 2), the largest that is seen.

    Newton's second law on the circle; S is stationary there, so an error e of the time of passage costs e^2 only.
    """

    measure = at_end(pendulum_period(sqrt(GRAVITY / 0.5), 2.0) / 4, lambda now: now.beads.constraint[0, 2])

    expected = MASS * GRAVITY * (3 - 2 * cos(2.0))
    described = on({"kind": "circle", "radius": 0.5}, parameter=2.0 - pi / 2)
    reason = "at its largest an error of the time counts squared; that of the speed is 1e-11"
    return Case("circle, force of the path at the bottom", described, measure, expected, 1e-9, "N", reason)


def spinning_hoop() -> Case:
    """Second time at rest of a bead let go from 0.05 rad off its equilibrium on a hoop of 0.3 m, spun at 8 1/s.

    Lagrange: R a'' = W^2 R sin a cos a - g sin a, a from the bottom; the period by the integral of the energy of the
    motion relative to the hoop, a'^2/2 - W^2 sin(a)^2/2 - g cos(a)/R, between its turning points.
    """
    radius, spin = 0.3, 8.0
    ratio = GRAVITY / (spin * spin * radius)  # cos a of the equilibrium

    def potential(a: float) -> float:
        return -(spin**2) * (sin(a) ** 2 / 2 + ratio * cos(a))

    start = acos(ratio) + 0.05
    level = potential(start)
    other = brentq(lambda a: potential(a) - level, 0.1, acos(ratio))
    middle, half = (start + other) / 2, (start - other) / 2

    def per_angle(s: float) -> float:  # a = middle + half sin(s) removes the singularities at both ends
        a = middle + half * sin(s)
        return half * cos(s) / sqrt(2 * (level - potential(a)))

    nodes, weights = np.polynomial.legendre.leggauss(60)
    expected = float(sum(w * per_angle(s) for s, w in zip(nodes * pi / 2, weights * pi / 2, strict=True))) * 2
    described = on(
        {"kind": "circle", "radius": radius},
        parameter=start - pi / 2,
        path_motion={"kind": "spin", "angular_velocity": spin},
    )
    return Case("period on a spinning hoop", described, turning_point(2, 1.05 * expected), expected, 1e-9, "s", PHASE)


def slide(name: str, path: dict[str, Any], slope: float, **bead: Any) -> Case:
    """Speed after 1 s on a path that is equally steep everywhere: u = a t with a = g slope/f.

    slope: sine of the angle of descent; of a helix pitch/sqrt(pitch^2 + (2 pi R)^2)

    f is 1, or 7/5 for a rolling sphere.
    """

    measure = at_end(1.0, lambda now: abs(now.beads.speed[0]))

    expected = GRAVITY * slope / (1.4 if bead.get("rolling") else 1.0)
    reason = "RK4 is exact where a force is constant; a thousand roundings"
    return Case(name, on(path, **bead), measure, expected, 1e-12, "m/s", reason)


def bounce() -> Case:
    """Position after five bounces: 0.4 m down a slope of 0.6 to the end and back, 2 sqrt(2 l/a) each, without loss."""

    measure = at_end(10 * sqrt(2 * 0.4 / (0.6 * GRAVITY)), lambda now: now.beads.parameter[0])

    path = {"kind": "line", "start": [0, 0, 0], "end": [0.8, 0, -0.6]}
    reason = "the time of each bounce is found to rounding where the force is constant"
    return Case("slope with an end, after five bounces", on(path, parameter=0.6), measure, 0.6, 1e-11, "m", reason)


def energy(name: str, **bead: Any) -> Case:
    """Gain of energy beyond the ledger, which has the work of the path, in 5 s: 0.

    The path WAVES has no symmetry, so all terms of the equation of motion take part. On a path that moves, dE/dt =
    S.v0.
    """

    def measure(described: Scene) -> float:
        simulation = Simulation(described)
        before = simulation.snapshot()
        simulation.advance(5.0)
        now = simulation.snapshot()
        return now.energy.total - now.ledger.total - before.energy.total

    reason = "RK4 loses some (w dt)^5/100 of what moves per step: 1 J at 30 1/s, 25 000 steps"
    return Case(name, on(WAVES, 2e-4, parameter=0.3, speed=2.0, **bead), measure, 0.0, 2e-8, "J", reason)


def under_its_force() -> Case:
    """How far x'' = (F + S)/m, by DOP853 with S from the snapshots, leads off the path in 1 s: 0.

    So the constraint force that is shown is the one that keeps the bead on its path (Newton's second law), also where
    the path is accelerated (SHAKEN). S between steps is a cubic spline.
    """

    def measure(described: Scene) -> float:
        run = moments(described, 1.0)
        times = np.array([moment.time for moment in run])
        force = CubicSpline(times, [moment.beads.constraint[0] for moment in run])
        weight = np.array([0.0, 0.0, -MASS * GRAVITY])

        def newton(t: float, y: np.ndarray) -> np.ndarray:
            return np.concatenate([y[3:], (force(t) + weight) / MASS])

        start, end = run[0].bodies, run[-1].bodies
        flown = solve_ivp(
            newton, (0, 1), [*start.position[0], *start.velocity[0]], "DOP853", rtol=1e-11, atol=1e-12, max_step=0.01
        )
        return float(np.linalg.norm(flown.y[:3, -1] - end.position[0]))

    described = on(WAVES, parameter=0.3, speed=2.0, path_motion=SHAKEN)
    reason = "S between steps by a cubic: w^4 dt^4/384 of it, w some 20 1/s"
    return Case("free mass under the force of a moving path", described, measure, 0.0, 1e-8, "m", reason)


CASES = (
    parabola(),
    *map(cycloid, (0.0, 1.0, 2.5)),
    circle(False),
    circle(True),
    force_at_the_bottom(),
    spinning_hoop(),
    slide("line of slope 0.6, sliding, after 1 s", {"kind": "line", "start": [0, 0, 0], "end": [8, 0, -6]}, 0.6),
    slide(
        "line of slope 0.6, rolling, after 1 s",
        {"kind": "line", "start": [0, 0, 0], "end": [8, 0, -6]},
        0.6,
        rolling=True,
    ),
    slide(
        "helix, after 1 s",
        {"kind": "helix", "radius": 0.4, "pitch": 0.5, "turns": 5},
        0.5 / hypot(0.5, 0.4 * 2 * pi),
        parameter=30.0,
    ),
    bounce(),
    energy("energy on a path at rest, after 5 s"),
    energy("energy on a moving path less the work of its force", path_motion=SHAKEN),
    under_its_force(),
)
