"""Claims of each integration method: its order, its growth of energy, and how it keeps a basis orthonormal.

Every method of METHODS is measured, on a needle in a field, in one plane, and on a free top in space, against closed
forms.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, log2, sin, sqrt

import numpy as np
from scipy.special import ellipj, ellipk

from polhode.integrators import METHODS
from polhode.scene.scene import Scene, Solver
from polhode.simulation.simulation import Simulation
from polhode.verification.bodies.tops import free_top, jacobi
from polhode.verification.case import Case, scene
from polhode.verification.magnets import FIELD, INERTIA, MOMENT, needle

END = 0.5  # [s] where errors are measured: no turning point of either motion
STEPS = {1: 4000, 2: 1000, 4: 200, 8: 20}  # by order: errors far above rounding
FREQUENCY = sqrt(MOMENT * 10 * FIELD / INERTIA)  # [rad/s] of a small swing of the needle
AMPLITUDE = 2.0  # [rad]


def swinging(amplitude: float, method: str, time_step: float) -> Scene:
    """The needle of core/polhode/verification/magnets.py in ten times the field, let go at an amplitude [rad]."""
    field = {"value": [10 * FIELD, 0, 0]}
    return scene(needle(amplitude), method=method, time_step=time_step, magnetic_field=field)


def needle_error(simulation: Simulation) -> float:
    """Distance of the needle's direction at END from sin(x/2) = k cd(w t), k = sin(amplitude/2).

    The pendulum in Jacobi's elliptic functions (Landau and Lifshitz, Mechanics, section 11): cd(u) = sn(u + K).
    """
    k = sin(AMPLITUDE / 2)
    sine, *_ = ellipj(FREQUENCY * END + float(ellipk(k**2)), k**2)
    angle = 2 * np.arcsin(k * sine)
    return float(np.linalg.norm(simulation.snapshot().bodies.basis[0, 0] - [np.cos(angle), np.sin(angle), 0]))


def top_error(simulation: Simulation) -> float:
    """Distance [rad/s] of the free top's angular velocity at END, body frame, from Jacobi's functions."""
    bodies = simulation.snapshot().bodies
    return float(np.linalg.norm(bodies.basis[0] @ bodies.angular_velocity[0] - jacobi(END)))


def measured_order(error: Callable[[Simulation], float]) -> Callable[[Scene], float]:
    """log2 of the ratio of the errors at END with the scene's step and with half of it: the order of the method."""

    def measure(described: Scene) -> float:
        errors = []
        for halves in (1, 2):
            solver: Solver = described.solver.model_copy(update={"time_step": described.solver.time_step / halves})
            simulation = Simulation(described.model_copy(update={"solver": solver}))
            simulation.advance(END)
            errors.append(error(simulation))
        return log2(errors[0] / errors[1])

    return measure


def orders(method: str) -> tuple[Case, Case]:
    """Order of a method on two motions. The number of steps is such that errors are far above rounding.

    Expected is the order that the method states; the measured one is off by a share of the order of the step.
    """
    order = METHODS[method].ORDER
    step = END / STEPS[order]
    reason = "the next term of the error is smaller by the step"
    motions = (
        ("a needle", swinging(AMPLITUDE, method, step), needle_error),
        ("a top", free_top(method, step), top_error),
    )
    of_needle, of_top = (
        Case(
            f"order of {method} on {name}",
            described,
            measured_order(error),
            order,
            0.15 if order == 8 else 0.1,
            "",
            reason,
        )
        for name, described, error in motions
    )
    return of_needle, of_top


def drift(method: str) -> Case:
    """ln E/E0 of a small swing after 1000 steps of w dt = 0.1, against the growth that the method states.

    On x'' = -w^2 x a method multiplies the amplitude in each step by |R(i w dt)|, so ln E grows by 2 ln |R| per step.
    Steps of a multistep method that have no earlier rates are those of Euler, with 1 + (w dt)^2 for the energy.
    """
    step, count = 0.1 / FREQUENCY, 1000
    rows = METHODS[method].HISTORY
    first = (
        rows if rows < METHODS[method].ORDER else 0
    )  # steps without earlier rates are Euler's; more rows are scratch
    grown = 2 * (count - first) * log(METHODS[method].growth(np.array(0.1j))) + first * log(1 + 0.1**2)
    expected = round(grown, 12)  # a growth of 1 is known to rounding

    def measure(described: Scene) -> float:
        simulation = Simulation(described)
        rest = -MOMENT * 10 * FIELD
        start = simulation.snapshot().energy.total - rest
        simulation.advance_steps(count)
        end = simulation.snapshot().energy.total - rest
        return log(end / start) if end > 0 else np.nan

    reason = (
        "the energy swings about its course, by w dt, (w dt)^2/4 or (w dt)^4/100 at order 1, 2 or 4; rounding is 1e-6"
    )
    tolerance = {1: 0.1, 2: 0.0025, 4: 1e-6, 8: 1e-6}[METHODS[method].ORDER]
    described = swinging(1e-5, method, step)
    return Case(f"drift of {method}, ln E/E0", described, measure, expected, tolerance, "", reason)


def basis_drift(name: str, method: str, expected: float, tolerance: float, reason: str) -> Case:
    """Error of the basis of a wheel of 300 rad/s in a step, before it is repaired: the largest |u_i.u_j - delta_ij|."""
    wheel = {
        "name": "wheel",
        "angular_velocity": [0, 0, 300.0],
        "shape": [{"kind": "cylinder", "radius": 0.1, "length": 0.02, "mass": 0.5}],
    }

    def measure(described: Scene) -> float:
        simulation = Simulation(described)
        simulation.advance(1.0)
        return simulation.basis_drift

    return Case(name, scene(wheel, method=method), measure, expected, tolerance, "", reason)


def orthonormality() -> tuple[Case, ...]:
    """Loss of an orthonormal basis by rk4 and splitting in a step with z = w dt = 0.3.

    RK4 shrinks a turning vector by |R(i z)|, so u.u falls to |R|^2 = 1 - z^6/72 + z^8/576; splitting turns it exactly.
    """
    z = 0.3  # w dt
    lost = 1 - float(METHODS["rk4"].growth(np.array(z * 1j))) ** 2  # z^6/72 - z^8/576
    return (
        basis_drift("orthonormality lost per step of rk4", "rk4", lost, 1e-12, "a basis repaired to rounding"),
        basis_drift("orthonormality lost per step of splitting", "splitting", 0.0, 1e-14, "turns are exact: rounding"),
    )


CASES = (
    *(case for method in METHODS for case in orders(method)),
    *map(drift, METHODS),
    *orthonormality(),
)
