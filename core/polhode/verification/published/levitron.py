"""A top that floats over a coil (after Simon, Heflinger and Ridgway, Am. J. Phys. 65, 286, 1997).

A dipole p along the axis of the top, opposed to the field B(z) on the axis of a loop of radius R, floats where
m g = -p B'. With B_x = -B' x/2 and B_z = B + B'' (z^2 - r^2/2)/2 the complex displacement x + i y and tilt of the axis
have the modes exp(i v t) of

    (m v^2 + p B''/2) (I1 v^2 - I3 w v + p B) = p^2 B'^2/4

w being the spin. All four v are real between two spins: below, the top turns over; above, its axis no longer follows
the field. In the limit of slow modes the heights from R/2 to R sqrt(2/5) are stable in all directions, a window of
weights of 5 %. For their top the authors calculate an upper limit of 3065 turns a minute, and observe 2779; the
numbers of the scene are the program's own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import hypot, log, nan, pi, sqrt
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, curve_fit
from scipy.special import ellipe, ellipk

from polhode.scene.message import Message
from polhode.simulation.simulation import Simulation
from polhode.verification.published.experiment import Experiment, Row, Run

PERMEABILITY, GRAVITY = 1.25663706127e-6, 9.81  # [T m/A], [m/s^2]
RADIUS, CURRENT = 0.06, 1660.0  # [m] R of the coil, [A] of all turns
MASS, MOMENT, SPIN = 0.02, 0.8, 180.0  # [kg], [A m^2] p, [rad/s]
ACROSS, ALONG = 1.016625e-6, 1.76625e-6  # [kg m^2] I1, I3
ASIDE = 5e-4  # [m] displacement at the start
STARTS, FROM, UNTIL = 1e-7, 1e-5, 3e-3  # [rad] tilt at the start of a run for growth, and where it is measured
LONGEST, INTERVAL = 40.0, 0.01  # [s] of such a run, and between two looks at its tilt
OF_LINE = "the square of the rate of growth is extrapolated by a line"
OF_RK4 = "RK4 at 0.2 ms beside DOP853 with a tolerance of 1e-11"


def on_axis(z: float) -> tuple[float, float, float]:
    """B [T], B' [T/m] and B'' [T/m^2] at the height z [m] over the loop."""
    scale, square = 0.5 * PERMEABILITY * CURRENT * RADIUS**2, RADIUS**2 + z**2
    return (
        scale / square**1.5,
        -3.0 * scale * z / square**2.5,
        scale * (12.0 * z**2 - 3.0 * RADIUS**2) / square**3.5,
    )


def height(mass: float = MASS) -> float:
    """Height [m] at which a top of this mass [kg] floats, above R/2."""
    return float(brentq(lambda z: MOMENT * on_axis(z)[1] + mass * GRAVITY, 0.5 * RADIUS, RADIUS, xtol=1e-15))


def growth_of(spin: float = SPIN, mass: float = MASS) -> float:
    """Largest rate [1/s] at which a displacement grows; 0 for a stable top."""
    field, slope, bend = on_axis(height(mass))
    aside = np.poly1d([mass, 0.0, 0.5 * MOMENT * bend])
    tilting = np.poly1d([ACROSS, -ALONG * spin, MOMENT * field])
    return float(np.abs((aside * tilting - (0.5 * MOMENT * slope) ** 2).roots.imag).max())


def edge(growth: Callable[[float], float], stable: float, unstable: float) -> float:
    """The value between two at which stability ends."""
    while abs(stable - unstable) > 1e-9 * abs(stable):
        middle = 0.5 * (stable + unstable)
        stable, unstable = (stable, middle) if growth(middle) > 1e-5 else (middle, unstable)
    return unstable


def heaviest() -> float:
    """Largest mass [kg] that the field holds, at R/2."""
    return -MOMENT * on_axis(0.5 * RADIUS)[1] / GRAVITY


def start(
    spin: float = SPIN, mass: float = MASS, tilt: float = 0.0, aside: float = 0.0, up: float = 0.0
) -> dict[str, Any]:
    """Numbers of the scene: the top at its height, with a tilt [rad] and displacements [m]."""
    return {
        "body[0].position": [aside, 0.0, height(mass) + up],
        "body[0].orientation": {"axis": [0.0, 1.0, 0.0], "angle": tilt},
        "body[0].angular_velocity": [spin * np.sin(tilt), 0.0, spin * np.cos(tilt)],
        "body[0].inertia.mass": mass,
    }


def growth(run: Run, spin: float, mass: float) -> float:
    """Rate [1/s] at which a small tilt of the axis grows in the scene; nan if it does not grow."""
    simulation = Simulation(run.scene.with_values(start(spin, mass, STARTS)))
    found: list[tuple[float, float]] = []
    while simulation.time < LONGEST:
        simulation.advance(INTERVAL)
        axis = simulation.snapshot().bodies.basis[0, 2]
        tilt = hypot(axis[0], axis[1])
        if tilt > UNTIL:
            break
        if tilt > FROM:
            found.append((simulation.time, log(tilt)))
    else:
        return nan
    times, logarithms = np.array(found).T
    return float(np.polyfit(times, logarithms, 1)[0])


def zero_of_line(first: float, second: float, measure: Callable[[float], float]) -> float:
    """Where a line through two measured values is 0."""
    a, b = measure(first), measure(second)
    return first - (second - first) * a / (b - a)


def limit_of_spin(run: Run, first: float, second: float) -> float:
    """Spin [rad/s] at which a tilt begins to grow, by two at which it does."""
    return zero_of_line(first, second, lambda spin: growth(run, spin, MASS) ** 2)


def lightest_of(run: Run) -> float:
    """Mass [g] below which the top leaves the axis."""
    return 1e3 * zero_of_line(0.01922, 0.01916, lambda mass: growth(run, SPIN, mass) ** 2)


def frequency(run: Run, mass: float = MASS) -> float:
    """Frequency [rad/s] of small vertical motions."""
    simulation = Simulation(run.scene.with_values(start(mass=mass, up=1e-5)))
    times, heights = INTERVAL * np.arange(300), []
    for _ in times:
        heights.append(simulation.snapshot().bodies.position[0, 2])
        simulation.advance(INTERVAL)
    z = np.array(heights) - np.mean(heights)
    turns = np.count_nonzero(z[1:] * z[:-1] < 0.0)
    guess = 1e-5, pi * turns / times[-1], 0.0
    fitted, _ = curve_fit(lambda t, a, w, c: a * np.cos(w * t) + c, times, z, guess)
    return float(abs(fitted[1]))


def heaviest_of(run: Run) -> float:
    """Mass [g] above which the top sinks: what a mass is short of it goes as the fourth power of the frequency."""
    return 1e3 * zero_of_line(0.02026, 0.02023, lambda mass: frequency(run, mass) ** 4)


def loop_field(r: float, z: float) -> tuple[float, float]:
    """B_r and B_z [T] of the loop at r, z [m], by the complete elliptic integrals."""
    far, near = (RADIUS + r) ** 2 + z**2, (RADIUS - r) ** 2 + z**2
    m = 4.0 * RADIUS * r / far
    first, second = ellipk(m), ellipe(m)
    scale = PERMEABILITY * CURRENT / (2.0 * pi * sqrt(far))
    outwards = z / r * (-first + (RADIUS**2 + r**2 + z**2) / near * second) if r > 1e-9 else 0.0
    return scale * outwards, scale * (first + (RADIUS**2 - r**2 - z**2) / near * second)


def field_at(x: np.ndarray) -> np.ndarray:
    """B (3,) [T] at x (3,) [m]."""
    r = hypot(x[0], x[1])
    outwards, up = loop_field(r, float(x[2]))
    share = outwards / r if r > 1e-9 else 0.0
    return np.array([share * x[0], share * x[1], up])


def rates(_time: float, state: np.ndarray) -> np.ndarray:
    """(12,) rates of position [m], velocity [m/s], axis and angular momentum [J s], three components each."""
    x, v, axis, momentum = state.reshape(4, 3)
    h = 1e-6
    slopes = [(field_at(x + h * way) - field_at(x - h * way)) / (2.0 * h) for way in np.eye(3)]
    force = -MOMENT * np.array(slopes) @ axis / MASS - (0.0, 0.0, GRAVITY)
    turning = np.cross(momentum, axis) / ACROSS
    return np.concatenate([v, force, turning, -MOMENT * np.cross(axis, field_at(x))])


@cache
def motion(time: float, spin: float = SPIN, aside: float = ASIDE) -> tuple[float, ...]:
    """Position x, y, z [m] of the top at a time [s] after a start at a distance [m] from the axis."""
    first = [aside, 0.0, height(), 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, ALONG * spin]
    found = solve_ivp(rates, (0.0, time), first, "DOP853", rtol=1e-11, atol=1e-13)
    return tuple(found.y[:3, -1].tolist())


def at(time: float, axis: int) -> Callable[[Run], float]:
    """Measures a component of the position [m] at a time [s]."""
    return lambda run: float(run.snapshots[int(np.argmin(np.abs(run.times - time)))].bodies.position[0, axis])


def _row(name: Message, axis: int) -> Row:
    return Row(name, at(5.0, axis), lambda: motion(5.0)[axis], 1e-8, "m", OF_RK4, origin="calculation")


def _limit(name: Message, spins: tuple[float, float], beyond: float) -> Row:
    """A limit of the spin [rad/s], from two spins that are unstable; `beyond` is far on that side."""
    measure = partial(limit_of_spin, first=spins[0], second=spins[1])
    return Row(name, measure, lambda: edge(growth_of, SPIN, beyond), 0.3, "rad/s", OF_LINE, origin="calculation")


LEVITRON = Experiment(
    "levitron",
    5.0,
    (
        _row(Message("x of the top at 5 s"), 0),
        _row(Message("y of the top at 5 s"), 1),
        _row(Message("height of the top at 5 s"), 2),
        _limit(Message("lowest spin of a stable top"), (105.5, 102.2), 60.0),
        _limit(Message("highest spin of a stable top"), (318.0, 321.0), 400.0),
        Row(
            Message("least mass of a stable top"),
            lightest_of,
            lambda: 1e3 * edge(partial(growth_of, SPIN), MASS, 0.0185),
            3e-3,
            "g",
            OF_LINE,
            origin="calculation",
        ),
        Row(
            Message("largest mass of a stable top"),
            heaviest_of,
            lambda: 1e3 * heaviest(),
            3e-3,
            "g",
            "the fourth power of the frequency is extrapolated by a line",
        ),
    ),
    every=50,
)

EXPERIMENTS = (LEVITRON,)
