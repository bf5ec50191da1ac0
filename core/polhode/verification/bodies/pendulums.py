"""Pendulums: every kind of shape on a pivot and on an axle, at small and at large amplitude.

A body of mass M with the moment I_c about the axis through its centre of mass, at the distance R below its support, is
a pendulum of frequency sqrt(M g R/(I_c + M R^2)) (Steiner's theorem, PEM, equation 3.7). Its period at any amplitude is
`pendulum_period`. Moments of solids: PEM, equations 3.8 to 3.12, the cylinder and the rod corrected; those of capsule,
cone and torus are the usual ones of textbooks.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, exp, sin, sqrt
from typing import Any

from polhode.scene.scene import Scene
from polhode.verification.case import GRAVITY, Case, along, at_end, moments, pendulum_period, period, scene, turned

Y = (0.0, 1.0, 0.0)
ARM = 0.2  # [m] from the support to the centre of mass
TILT = 0.5  # [rad] of a shape's axis on the axle, so that two of its moments matter
SMALL, LARGE = 1e-4, 1.5  # [rad]
TOLERANCE = 3e-10  # of a period
PHASE = "RK4 adds (w dt)^4/120 = 2e-11 of the phase; amplitude and curve between steps a few times that"

# Sizes, and the moments per mass about the local x and z axes through the centre of mass [m^2].
CAPSULE_ENDS = 4 / 3 * 0.03 / (0.08 + 4 / 3 * 0.03)  # part of its volume
SHAPES: dict[str, tuple[dict[str, Any], float, float]] = {
    "sphere": ({"radius": 0.05}, 0.4 * 0.05**2, 0.4 * 0.05**2),
    "cylinder": ({"radius": 0.03, "length": 0.12}, 0.03**2 / 4 + 0.12**2 / 12, 0.03**2 / 2),
    "capsule": (  # two half spheres: 83/320 of m a^2 about their own centres, 3/8 a beyond the cylinder
        {"radius": 0.03, "length": 0.08},
        (1 - CAPSULE_ENDS) * (0.03**2 / 4 + 0.08**2 / 12)
        + CAPSULE_ENDS * (83 / 320 * 0.03**2 + (0.08 / 2 + 3 / 8 * 0.03) ** 2),
        (1 - CAPSULE_ENDS) * 0.03**2 / 2 + CAPSULE_ENDS * 0.4 * 0.03**2,
    ),
    "cone": ({"radius": 0.04, "length": 0.1}, 3 / 80 * (4 * 0.04**2 + 0.1**2), 3 / 10 * 0.04**2),
    "ellipsoid": ({"semi_axes": [0.02, 0.04, 0.06]}, (0.04**2 + 0.06**2) / 5, (0.02**2 + 0.04**2) / 5),
    "cuboid": ({"size": [0.04, 0.08, 0.12]}, (0.08**2 + 0.12**2) / 12, (0.04**2 + 0.08**2) / 12),
    "torus": ({"radius": 0.05, "tube_radius": 0.02}, (4 * 0.05**2 + 5 * 0.02**2) / 8, 0.05**2 + 0.75 * 0.02**2),
    "tube": (
        {"radius": 0.03, "inner_radius": 0.02, "length": 0.12},
        (0.03**2 + 0.02**2) / 4 + 0.12**2 / 12,
        (0.03**2 + 0.02**2) / 2,
    ),
    "rod": ({"length": 0.15}, 0.15**2 / 12, 0.0),
    "point": ({}, 0.0, 0.0),
}
"""Sizes [m], and the moments per mass about the local x and z axes through the centre of mass [m^2]."""


def hung(shape: dict[str, Any], amplitude: float, **body: Any) -> Scene:
    """One shape below its support, turned out of rest about the x axis by an amplitude [rad]."""
    bob = {"name": "bob", "orientation": turned(1, 0, 0, amplitude), "shape": [shape], **body}
    return scene(bob)


def swing(seconds: float) -> Callable[[Scene], float]:
    """The measured period [s] of a pendulum about the x axis, by a run that is long enough for it."""
    return lambda described: period(along(moments(described, seconds), 0, 2, Y))


def case(name: str, described: Scene, expected: float) -> Case:
    """A period [s], with the tolerance of RK4's phase."""
    return Case(name, described, swing(1.35 * expected), expected, TOLERANCE * expected, "s", PHASE)


def on_a_pivot(kind: str) -> Case:
    """Small swings of a shape on a pivot: its moment across counts."""
    fields, across, _ = SHAPES[kind]
    shape = {"kind": kind, "mass": 0.3, "position": [0, 0, -ARM], **fields}
    expected = pendulum_period(sqrt(GRAVITY * ARM / (across + ARM**2)), SMALL)
    return case(f"{kind} on a pivot, {SMALL:g} rad", hung(shape, SMALL), expected)


def on_an_axle(kind: str) -> Case:
    """Large swings of a shape that is tilted on its axle: I = I_x cos^2 + I_z sin^2 of the tilt, about the axle.

    So both moments of a shape are tested, and the projection of the motion on the axle.
    """
    fields, across, lengthwise = SHAPES[kind]
    turn = turned(0, 1, 0, TILT)
    shape = {"kind": kind, "mass": 0.3, "position": [0, 0, -ARM], "orientation": turn, **fields}
    inertia = across * cos(TILT) ** 2 + lengthwise * sin(TILT) ** 2 + ARM**2
    expected = pendulum_period(sqrt(GRAVITY * ARM / inertia), LARGE)
    described = hung(shape, LARGE, support="axle", axis=[1, 0, 0])
    return case(f"tilted {kind} on an axle, {LARGE:g} rad", described, expected)


def leaning_axle() -> Case:
    """An axle that leans out of the horizontal by an angle leaves gravity its cosine: the component across the axle."""
    lean = 0.6
    shape = {"kind": "rod", "length": 0.15, "mass": 0.3, "position": [0, 0, -ARM]}
    # at rest the bob hangs across the axle (cos, 0, sin): turned about y by the lean, then about the axle
    axle = [cos(lean), 0, sin(lean)]
    c, s, swung = cos(lean), sin(lean), LARGE
    basis = [
        [c, 0, s],
        [s * sin(swung), cos(swung), -c * sin(swung)],
        [-s * cos(swung), sin(swung), c * cos(swung)],
    ]
    bob = {"name": "bob", "support": "axle", "axis": axle, "basis": basis, "shape": [shape]}
    frequency = sqrt(GRAVITY * cos(lean) * ARM / (0.15**2 / 12 + ARM**2))
    return case(f"rod on a leaning axle, {LARGE:g} rad", scene(bob), pendulum_period(frequency, LARGE))


def simple() -> Case:
    """A point on a thread, amplitude 2 rad: 4 sqrt(l/g) K(sin^2 1), 1.885377366 s for 0.5 m."""
    shape = {"kind": "point", "mass": 1.0, "position": [0, 0, -0.5]}
    expected = pendulum_period(sqrt(GRAVITY / 0.5), 2.0)
    return case("point on a thread of 0.5 m, 2 rad", hung(shape, 2.0), expected)


def rubbing() -> Case:
    """A wheel with friction alone: I omega' = -c omega, so omega = omega_0 exp(-c t/I) with I = m r^2/2."""
    wheel = {
        "name": "wheel",
        "support": "axle",
        "axis": [0, 0, 1],
        "angular_velocity": [0, 0, 10.0],
        "friction": 2e-3,
        "shape": [{"kind": "cylinder", "radius": 0.1, "length": 0.02, "mass": 0.5}],
    }

    measure = at_end(2.0, lambda now: now.bodies.angular_velocity[0, 2])

    expected = 10.0 * exp(-2e-3 * 2.0 / (0.5 * 0.1**2 / 2))
    reason = "RK4 is off by (a dt)^4/120 < 1e-12 of the decay for a = 0.8 1/s; a thousand roundings"
    return Case("wheel with friction, after 2 s", scene(wheel), measure, expected, 1e-12, "rad/s", reason)


CASES = (simple(), *map(on_a_pivot, SHAPES), *map(on_an_axle, SHAPES), leaning_axle(), rubbing())
