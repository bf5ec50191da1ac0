"""A bead on a path by Hamilton's equations in q: derivatives by the complex step, DOP853, nothing of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, exp, sin

import numpy as np
from scipy.integrate import solve_ivp

STEP = 1e-30


@dataclass
class Waves:
    """r(q) = sum a_k sin(k q + phase_k) + slope q, along each axis: a smooth curve that nobody has chosen."""

    amplitude: np.ndarray  # (3, n) [m]
    phase: np.ndarray  # (3, n)
    slope: np.ndarray  # (3,) [m]

    @classmethod
    def random(cls, seed: int) -> Waves:
        random = np.random.default_rng(seed)
        decay = np.array([0.5, 0.25, 0.1])
        return cls(random.normal(size=(3, 3)) * decay, random.uniform(0, 6, (3, 3)), random.uniform(0.3, 0.8, 3))

    def __call__(self, q):
        k = np.arange(1, self.amplitude.shape[1] + 1)
        return (self.amplitude * np.sin(k * q + self.phase)).sum(axis=1) + self.slope * q

    def rate(self, q):
        k = np.arange(1, self.amplitude.shape[1] + 1)
        return (self.amplitude * k * np.cos(k * q + self.phase)).sum(axis=1) + self.slope

    def texts(self, variable: str = "q") -> dict[str, str]:
        """The same as formulas of a scene."""

        def text(amplitudes, phases, slope):
            terms = [
                f"({a!r})*sin({k + 1}*{variable} + {p!r})"
                for k, (a, p) in enumerate(zip(amplitudes, phases, strict=True))
            ]
            return " + ".join([*terms, f"({slope!r})*{variable}"])

        rows = zip(self.amplitude.tolist(), self.phase.tolist(), self.slope.tolist(), strict=True)
        return {axis: text(*row) for axis, row in zip("xyz", rows, strict=True)}


def at_rest(t):
    return np.zeros(3)


def bead_motion(
    path: Waves,
    potential: Callable,
    mass: float,
    q: float,
    speed: float,
    times,
    factor: float = 1.0,
    shift: Callable = at_rest,
    shift_rate: Callable = at_rest,
) -> np.ndarray:
    """(2, n) q and dl/dt [m/s] at times of a bead in a potential [J] of its place.

    L = m |r' q' + v0|^2/2 + (f - 1) m |r'|^2 q'^2/2 - U(r + x0), p = dL/dq', dp/dt = dL/dq.
    """

    def lagrangian(q, rate, t):
        along = path.rate(q) * rate
        moving = along + shift_rate(t)
        kinetic = moving @ moving + (factor - 1) * (along @ along)
        return mass / 2 * kinetic - potential(path(q) + shift(t))

    def rate_of(q, p, t):
        first = path.rate(q)
        return (p / mass - first @ shift_rate(t)) / (factor * (first @ first))

    def hamilton(t, y):
        rate = rate_of(*y, t)
        return [rate, lagrangian(y[0] + 1j * STEP, rate, t).imag / STEP]

    first = path.rate(q)
    start = mass * (factor * speed * np.sqrt(first @ first) + first @ shift_rate(times[0]))
    found = solve_ivp(
        hamilton, (times[0], times[-1]), [q, start], method="DOP853", rtol=1e-12, atol=1e-12, t_eval=times
    )
    qs, momenta = found.y
    speeds = [rate_of(a, p, t) * np.linalg.norm(path.rate(a)) for a, p, t in zip(qs, momenta, times, strict=True)]
    return np.array([qs, speeds])


def free_flight(force: Callable, mass: float, place, velocity, times) -> np.ndarray:
    """(3, n) [m] where a mass is at times under a force [N] of the time, by Newton's law alone."""

    def newton(t, y):
        return np.concatenate([y[3:], force(t) / mass])

    start = np.concatenate([place, velocity])
    return solve_ivp(newton, (times[0], times[-1]), start, method="DOP853", rtol=1e-11, atol=1e-12, t_eval=times).y[:3]


def squared_speed_in_a_loop(angle, friction, radius, start, squared, gravity=9.80665):
    """v^2 at an angle from the horizontal in a vertical loop, where the loop pushes inward.

    d(v^2)/da = -2 g R cos a - 2 mu (v^2 - g R sin a) is linear: C exp(-2 mu a) + A cos a + B sin a.
    """
    b = gravity * radius * (4 * friction**2 - 2) / (1 + 4 * friction**2)
    a = 2 * friction * (b - gravity * radius)
    left = squared - a * cos(start) - b * sin(start)
    return left * exp(-2 * friction * (angle - start)) + a * cos(angle) + b * sin(angle)
