"""IFToMM A05, the stiff flyball governor, beside Radau's method for its three coordinates.

The rods have the angle theta from the vertical, the slider the height z; phi' of the shaft follows from the angular
momentum L about it, which is constant:

    phi' = L/(I_0 + 2 I_z(theta))
    J theta'' = phi'^2 I_z'(theta) - 2 (m l/2 + M l) g sin(theta) - 2 F dd/dtheta
    m_s z'' = -m_s g - 2 F dd/dz      F = k (d - d_0) + c d'

I_z is the moment of inertia of one rod with its ball about the shaft, J = 2 (I + m l^2/4 + M l^2) and d the length of a
spring.
"""

from __future__ import annotations

from functools import cache
from math import cos, hypot, pi, sin

import numpy as np
from scipy.integrate import solve_ivp

from polhode.scene.message import Message
from polhode.verification.published.experiment import Experiment, Row, Run

GRAVITY = 9.81  # [m/s^2]
LENGTH, WIDTH, DENSITY = 1.0, 0.01, 3000.0  # [m], [m], [kg/m^3] of rods and shaft
ROD = DENSITY * LENGTH * WIDTH**2  # [kg]
BALL, SLIDER, SIDE = 5.0, 3.0, 0.1  # [kg], [kg], [m]
OFFSET = 0.05  # [m] of the hinges from the shaft
STIFFNESS, DAMPING, REST = 8e5, 4e4, 0.5  # [N/m], [N s/m], [m]
START, SPEED = pi / 3.0, 2.0 * pi  # [rad] from the vertical, [rad/s]
ALONG = ROD * WIDTH**2 / 6.0  # [kg m^2] of a rod about itself
ACROSS = ROD * (WIDTH**2 + LENGTH**2) / 12.0
OF_RADAU = "RK4 at 0.2 ms is 1e-9 m off; the value is of Radau's method with a tolerance of 1e-10"


def about_shaft(angle: float) -> float:
    """I_z [kg m^2] of a rod with its ball."""
    turned = ALONG * cos(angle) ** 2 + ACROSS * sin(angle) ** 2
    middle, end = OFFSET + 0.5 * LENGTH * sin(angle), OFFSET + LENGTH * sin(angle)
    return turned + ROD * middle**2 + BALL * end**2


def slope_about_shaft(angle: float) -> float:
    """dI_z/dtheta [kg m^2]."""
    middle, end = OFFSET + 0.5 * LENGTH * sin(angle), OFFSET + LENGTH * sin(angle)
    turned = 2.0 * (ACROSS - ALONG) * sin(angle) * cos(angle)
    return turned + (ROD * middle + 2.0 * BALL * end) * LENGTH * cos(angle)


@cache
def heights(gravity: float = GRAVITY) -> dict[float, float]:
    """Height [m] of the slider at 1, 2, 5 and 10 s; gravity in m/s^2."""
    inertia = ALONG + SLIDER * SIDE**2 / 6.0
    momentum = (inertia + 2.0 * about_shaft(START)) * SPEED
    swings = 2.0 * (ACROSS + ROD * LENGTH**2 / 4.0 + BALL * LENGTH**2)
    lever = 2.0 * (0.5 * ROD + BALL) * LENGTH * gravity

    def rates(_time: float, state: np.ndarray) -> list[float]:
        angle, turning, height, rising = state
        up, out = LENGTH - 0.5 * LENGTH * cos(angle) - height, 0.5 * LENGTH * sin(angle)
        long = hypot(out, up)
        by_angle = 0.5 * LENGTH * (out * cos(angle) + up * sin(angle)) / long
        by_height = -up / long
        force = STIFFNESS * (long - REST) + DAMPING * (by_angle * turning + by_height * rising)
        spin = momentum / (inertia + 2.0 * about_shaft(angle))
        torque = spin**2 * slope_about_shaft(angle) - lever * sin(angle) - 2.0 * force * by_angle
        return [turning, torque / swings, rising, -gravity - 2.0 * force * by_height / SLIDER]

    times = [1.0, 2.0, 5.0, 10.0]
    found = solve_ivp(rates, (0.0, 10.0), [START, 0.0, 0.5, 0.0], "Radau", times, rtol=1e-10, atol=1e-12)
    return dict(zip(times, found.y[2].tolist(), strict=True))


def _at(time: float) -> Row:
    def measure(run: Run) -> float:
        return float(np.interp(time, run.times, run.column("slider.position.z")))

    name = Message("height of the slider at {time:g} s", time=time)
    return Row(name, measure, lambda: heights()[time], 1e-6, "m", OF_RADAU, origin="calculation")


GOVERNOR = Experiment("flyball_governor", 10.0, tuple(map(_at, (1.0, 2.0, 5.0, 10.0))), every=50)

EXPERIMENTS = (GOVERNOR,)
