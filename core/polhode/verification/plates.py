"""Magnets that eddy currents brake: falling along a plate, spinning over it, approaching it.

A dipole p at the height h above a plate of thickness T and conductivity s, slow enough for its magnetic Reynolds number
to be small, has the drag coefficient c = mu0^2 s p^2/(128 pi) {1/h^3 - 1/(h + T)^3} along the plate where it is
perpendicular to it. That is the drag 3 mu0^2 s p^2 dT/(128 pi h^4) of a thin sheet (W. M. Saslow, Am. J. Phys. 60, 693,
1992, for low speeds), integrated over the depth. It is 2 c across the plate.
"""

from __future__ import annotations

from math import exp, pi
from typing import Any

from polhode.scene.scene import Scene
from polhode.verification.case import GRAVITY, Case, at_end

PERMEABILITY = 1.25663706127e-6  # [T m/A] the default of a scene
CONDUCTIVITY, THICKNESS = 3.7e7, 0.004  # of aluminium [S/m], [m]
MOMENT, MASS, HEIGHT = 4.0, 0.031, 0.015  # [A m^2], [kg], [m] above the face: a sphere of 0.02 m of neodymium
FACTOR = PERMEABILITY**2 * CONDUCTIVITY * MOMENT**2 / (128 * pi)
ALONG = FACTOR * (1 / HEIGHT**3 - 1 / (HEIGHT + THICKNESS) ** 3)  # [N s/m]


LEVEL = {"point": [0, 0, -THICKNESS / 2], "normal": [0, 0, 1]}  # with the upper face at z = 0
UPRIGHT = {"point": [-THICKNESS / 2, 0, 0], "normal": [1, 0, 0]}  # with a face at x = 0
REASON = "RK4 is off by (c dt/M)^4/120 of the exponent, 1e-14; roundings"


def beside(plane: dict[str, Any], **parts: Any) -> Scene:
    """A scene with a plate, at steps of a thousandth of the time in which the drag stops a magnet."""
    plate = {**plane, "conductivity": CONDUCTIVITY, "thickness": THICKNESS}
    return Scene.model_validate({"plate": [plate], "solver": {"method": "rk4", "time_step": 1e-4}, **parts})


def fall() -> Case:
    """A magnet on a vertical wire beside a plate: v = (M g/c) (1 - exp(-c t/M)), at last M g/c."""
    path = {"kind": "line", "start": [HEIGHT, 0, 10], "end": [HEIGHT, 0, -10]}
    bead = {"name": "magnet", "mass": MASS, "radius": 0.01, "path": path, "moment": [MOMENT, 0, 0], "parameter": 0.4}
    time = MASS / ALONG

    measure = at_end(time, lambda now: -now.bodies.velocity[0, 2])

    expected = MASS * GRAVITY / ALONG * (1 - exp(-ALONG * time / MASS))
    described = beside(UPRIGHT, bead=[bead])
    return Case("magnet falls beside a plate", described, measure, expected, 1e-12 * expected, "m/s", REASON)


def spin() -> Case:
    """A level needle on a vertical axle over a plate slows down: w = w0 exp(-C t/I), C = mu0^2 s p^2 T/(64 pi h (h +
    T)).

    Its rate of change w p acts like a moment along the plate: the sheets of the plate add up the square of 1/(8 z).
    """
    rate, length = 5.0, 0.05
    inertia = MASS * length**2 / 12
    brake = PERMEABILITY**2 * CONDUCTIVITY * MOMENT**2 * THICKNESS / (64 * pi * HEIGHT * (HEIGHT + THICKNESS))
    time = inertia / brake
    turned = {"axis": [0, 1, 0], "angle": pi / 2}
    needle = {
        "name": "needle",
        "support": "axle",
        "axis": [0, 0, 1],
        "position": [0, 0, HEIGHT],
        "angular_velocity": [0, 0, rate],
        "shape": [{"kind": "rod", "length": length, "mass": MASS, "orientation": turned}],
        "dipole": [{"moment": [MOMENT, 0, 0]}],
    }
    described = beside(LEVEL, body=[needle])

    measure = at_end(time, lambda now: now.bodies.angular_velocity[0, 2])

    return Case("needle spins over a plate", described, measure, rate / exp(1), 1e-12 * rate, "rad/s", REASON)


def approach() -> Case:
    """A magnet thrown at a plate comes to rest where M v = int 2 c dh = FACTOR {1/h^2 - 1/(h + T)^2}, less the start's.

    The drag depends on the height alone, so the loss of momentum is an integral over the path.
    """
    near = 0.011

    def momentum(height: float) -> float:
        return FACTOR * (1 / height**2 - 1 / (height + THICKNESS) ** 2)

    speed = (momentum(near) - momentum(HEIGHT)) / MASS
    ball = {"kind": "sphere", "radius": 0.01, "mass": MASS, "magnet": {"moment": [0, 0, MOMENT]}}
    thrown = {"support": "free", "position": [0, 0, HEIGHT], "velocity": [0, 0, -speed], "shape": [ball]}
    described = beside(LEVEL, body=[{"name": "magnet", **thrown}], world={"gravity": [0, 0, 0]})

    measure = at_end(1.0, lambda now: now.bodies.position[0, 2])

    return Case("magnet thrown at a plate stops", described, measure, near, 1e-12, "m", REASON)


CASES = (fall(), spin(), approach())
