"""Laws by formulas whose motion is known: an orbit, a magnet in a gradient, a spring of the third power, a push."""

from __future__ import annotations

from math import cos, gamma, pi, sin, sqrt
from typing import Any

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from polhode.scene.scene import Scene
from polhode.verification.case import Case, after, at_end, moments, period


def particle_scene(time_step: float = 1e-3, method: str = "dormand_prince_8", **parts: Any) -> Scene:
    """A scene of one particle of 0.5 kg, without gravity unless it is stated."""
    ball = {"name": "ball", "mass": 0.5, **parts.pop("ball", {})}
    world = {"gravity": [0, 0, 0], **parts.pop("world", {})}
    solver = {"method": method, "time_step": time_step}
    return Scene.model_validate({"world": world, "solver": solver, "particle": [ball], **parts})


def orbit() -> Case:
    """After 2 pi sqrt(a^3/mu) a body on an ellipse is where it was (Kepler's third law)."""
    mu, speed = 2.0, 1.7
    axis = 1 / (2 - speed**2 / mu)  # from the distance of 1 m
    gravity = {name: f"-{mu}*{name}/(x^2 + y^2 + z^2)^1.5" for name in "xyz"}
    ball = {"position": [1, 0, 0], "velocity": [0, speed, 0]}
    time = 2 * pi * sqrt(axis**3 / mu)
    described = particle_scene(time / 2000, ball=ball, world={"gravity": gravity})

    measure = at_end(time, lambda now: np.linalg.norm(now.points.position[0] - [1, 0, 0]))

    reason = "order 8 with 2000 steps an orbit; an energy off by 1e-15 shifts it by 1e-12 m"
    return Case("orbit in gravity by formulas", described, measure, 0.0, 1e-10, "m", reason)


def magnet() -> Case:
    """A magnet along a field that grows along z is pulled by m dB/dz: z = m dB/dz t^2/(2 M)."""
    gradient, moment, mass, time = 0.2, 1.5, 0.3, 2.0
    field = {"kind": "formula", "x": f"-{gradient / 2}*x", "y": f"-{gradient / 2}*y", "z": f"1 + {gradient}*z"}
    ball = {"name": "magnet", "support": "free", "shape": [{"kind": "sphere", "radius": 0.05, "mass": mass}]}
    body = {**ball, "dipole": [{"moment": [0, 0, moment]}]}
    world = {"gravity": [0, 0, 0], "magnetic_field": field}
    described = Scene.model_validate({"world": world, "body": [body]})

    measure = at_end(time, lambda now: now.bodies.position[0, 2])

    reason = "RK4 is exact on parabolas; 2000 roundings"
    expected = moment * gradient * time**2 / (2 * mass)
    return Case("magnet in a field gradient by formulas", described, measure, expected, 1e-12, "m", reason)


def third_power() -> Case:
    """A mass between springs of force k x^3 swings with the period 4 sqrt(2 M/k)/A int_0^1 du/sqrt(1 - u^4).

    The integral is Gamma(1/4)^2/(4 sqrt(2 pi)) (Landau and Lifshitz, Mechanics, section 11).
    """
    k, amplitude, mass = 40.0, 0.4, 0.5
    spring = {"from": [0, 0, 0], "to": "ball", "force": f"{k}*l^3", "rest_length": 0.0}
    described = particle_scene(ball={"position": [amplitude, 0, 0]}, spring=[spring])

    def measure(described: Scene) -> float:
        run = moments(described, 4.0)
        positions, speeds = (
            np.array([getattr(now.points, name)[0, 0] for now in run]) for name in ("position", "velocity")
        )
        return period(CubicHermiteSpline([now.time for now in run], positions, speeds))

    expected = 4 * sqrt(2 * mass / k) / amplitude * gamma(0.25) ** 2 / (4 * sqrt(2 * pi))
    reason = "the curve between steps: h^4/384 of the fourth derivative"
    return Case("spring of the third power by a formula", described, measure, expected, 1e-9, "s", reason)


def push() -> Case:
    """A mass at rest on a spring under F sin(wt): x = F/(M (w0^2 - w^2)) (sin wt - w/w0 sin w0 t)."""
    strength, w, stiffness, mass, time = 0.8, 3.0, 12.5, 0.5, 7.0
    spring = {"from": [0, 0, 0], "to": "ball", "stiffness": stiffness, "rest_length": 0.0}
    force = {"on": "ball", "force": {"x": f"{strength}*sin({w}*t)", "y": "0", "z": "0"}}
    described = particle_scene(spring=[spring], force=[force])
    w0 = sqrt(stiffness / mass)

    measure = at_end(time, lambda now: now.points.position[0, 0])

    expected = strength / (mass * (w0**2 - w**2)) * (sin(w * time) - w / w0 * sin(w0 * time))
    return Case("resonance of a force by a formula", described, measure, expected, 1e-12, "m", "rounding")


def shaken() -> Case:
    """A pivot that falls freely by a formula leaves its pendulum without weight: it turns uniformly."""
    spin, time = 2.5, 3.0
    fall = {"kind": "formula", "x": "0.3*t", "z": "-0.5*9.80665*t^2"}
    rod = {"kind": "cuboid", "size": [0.1, 0.02, 0.4], "mass": 0.3, "position": [0, 0, -0.2]}
    body = {"name": "rod", "support": "pivot", "angular_velocity": [0, spin, 0], "motion": fall, "shape": [rod]}
    described = Scene.model_validate({"body": [body]})

    def measure(described: Scene) -> float:
        basis = after(described, time).bodies.basis[0]
        return float(np.abs(basis[0] - [cos(spin * time), 0, -sin(spin * time)]).max())

    reason = "RK4 adds (w dt)^4/120 w t = 2e-12 to the turn"
    return Case("pendulum on a pivot that falls by a formula", described, measure, 0.0, 1e-11, "", reason)


CASES = (orbit(), magnet(), third_power(), push(), shaken())
