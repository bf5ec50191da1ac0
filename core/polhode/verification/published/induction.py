"""A magnet that falls through a coil and a tube.

A dipole m on the axis of N turns of radius R at the distance z has the flux mu0 N m R^2/(2 (R^2 + z^2)^(3/2)), and with
the speed v it induces the voltage 3/2 mu0 N m R^2 z v/(R^2 + z^2)^(5/2). In a tube of radii a and b and conductivity
sigma it is braked by 15/1024 mu0^2 m^2 sigma (1/a^3 - 1/b^3) v where it is slow (Levin, da Silveira and Rizzato, Am. J.
Phys. 74, 815, 2006; the integral over the wall).
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy.optimize import minimize_scalar

from polhode.scene.message import Message
from polhode.verification.case import GRAVITY
from polhode.verification.published.experiment import Experiment, Row, Run

PERMEABILITY = 1.25663706127e-6  # [T m/A]
MOMENT, MASS = 0.55, 0.006  # [A m^2], [kg]
TURNS, RADIUS, HEIGHT = 100, 0.02, 0.2  # turns, [m] of the coil, [m] of the magnet over it
INNER, OUTER, CONDUCTIVITY = 0.0075, 0.0085, 5.883e7  # [m], [m], [S/m] of the tube
DEEP = 0.07  # [m] height in the tube at which the magnet has its final speed
OF_STEPS = "the largest of steps of 0.5 ms, in which the magnet falls 1 mm"
OF_RINGS = "tube of 150 mm and 100 rings"


def voltage(distance: float) -> float:
    """[V] of the open coil when the magnet is at a distance [m] above its middle."""
    speed = sqrt(2.0 * GRAVITY * (HEIGHT - distance))
    far = (RADIUS**2 + distance**2) ** 2.5
    return 1.5 * PERMEABILITY * TURNS * MOMENT * RADIUS**2 * distance * speed / far


def lobe(sign: float) -> float:
    """Height [V] of the lobe before (sign 1) or after the magnet has passed the coil."""
    found = minimize_scalar(lambda z: -sign * voltage(sign * z), bounds=(0.0, 0.05), method="bounded")
    return -sign * float(found.fun)


def speed_in_tube(run: Run) -> float:
    """Speed [m/s] of the magnet near the lower end of the tube."""
    height = run.column("magnet.position.z")
    return float(np.interp(DEEP, height[::-1], -run.column("magnet.velocity.z")[::-1]))


BRAKING = 15.0 / 1024.0 * PERMEABILITY**2 * MOMENT**2 * CONDUCTIVITY * (1.0 / INNER**3 - 1.0 / OUTER**3)  # [N s/m]

EXPERIMENTS = (
    Experiment(
        "magnet_through_coil_and_tube",
        0.9,
        (
            Row(
                Message("first lobe of the voltage"),
                lambda run: float(run.column("coil.voltage").max()),
                lobe(1.0),
                2e-4,
                "V",
                OF_STEPS,
            ),
            Row(
                Message("second lobe of the voltage"),
                lambda run: float(run.column("coil.voltage").min()),
                lobe(-1.0),
                2e-4,
                "V",
                OF_STEPS,
            ),
            Row(
                Message("final speed in the tube"),
                speed_in_tube,
                MASS * GRAVITY / BRAKING,
                1e-3 * MASS * GRAVITY / BRAKING,
                "m/s",
                OF_RINGS,
            ),
        ),
    ),
)
