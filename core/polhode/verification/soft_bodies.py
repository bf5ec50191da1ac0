"""Two masses in a row by points and by modes, with equal damping (Kobayashi, figure 4, table 1 and section 4).

Two masses m hang below each other, k1 to the ceiling and k2 between them, and are let go with springs at their natural
lengths. With x the displacements downwards, M x'' + c x' + K x = m g, and c = Phi^-T C Phi^-1, C_i = 2 h w_i M_i (eq.
3.10). The document prints how far modes and points are apart after 100 and 1000 steps; done right it is rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
from scipy.linalg import eigh, expm

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.verification.case import GRAVITY, Case

MASS, K1, K2, RATIO, STEP = 10.0, 3000.0, 2000.0, 0.005, 1e-4  # table 1 [kg], [N/m], [N/m], 1, [s]
LENGTH = 0.5  # [m] of both springs
PRINTED = {(1, 100): "7.29762e-9", (2, 100): "7.29683e-9", (1, 1000): "5.21981e-7", (2, 1000): "5.82287e-7"}
"""Distances [m] of modes and points in section 4, by mass and steps; the signs of the exponents are lost there."""


def two_masses() -> Scene:
    """The two masses twice: by points, and by all of their modes."""
    row = {
        "kind": "chain",
        "count": 3,
        "spacing": LENGTH,
        "fixed": [0],
        "particle_mass": MASS,
        "stiffness": [K1, K2],
        "modal_damping": RATIO,
    }
    soft = [{**row, "name": "points"}, {**row, "name": "modes", "modes": 6}]
    return Scene.model_validate({"soft": soft, "solver": {"method": "verlet", "time_step": STEP}})


def exact(time: float) -> np.ndarray:
    """(2,) [m] displacements by the matrix exponential of the linear equations of motion."""
    mass, stiffness = MASS * np.eye(2), np.array([[K1 + K2, -K2], [-K2, K2]])
    squares, shapes = eigh(stiffness, mass)  # unit modal masses
    inverse = np.linalg.inv(shapes)
    damping = inverse.T @ np.diag(2 * RATIO * np.sqrt(squares)) @ inverse
    rates = np.block([[np.zeros((2, 2)), np.eye(2)], [-stiffness / MASS, -damping / MASS]])
    rest = np.linalg.solve(stiffness, [MASS * GRAVITY, MASS * GRAVITY])
    return np.asarray(rest - (expm(rates * time) @ [*rest, 0.0, 0.0])[:2])


def displacement(simulation: Simulation, body: str, number: int) -> float:
    """[m] of mass 1 or 2 of a body downwards from where its spring has its natural length."""
    position = simulation.snapshot().points.position[simulation.compiled.points[body]][number]
    return float(-number * LENGTH - position[2])


def after(steps: int, found: Callable[[Simulation], float]) -> Callable[[Scene], float]:
    def measure(described: Scene) -> float:
        simulation = Simulation(described)
        simulation.advance_steps(steps)
        return found(simulation)

    return measure


def beside_exponential(body: str, number: int, steps: int) -> Case:
    """One mass by points or by modes beside the matrix exponential."""
    name = f"two masses by {body}, x{number} after {steps} steps"
    time = steps * STEP
    fastest = sqrt(600.0)  # w of the second mode
    tolerance = float((fastest * STEP) ** 2 / 12 * GRAVITY * time**2 / 2)
    measure = after(steps, lambda simulation: displacement(simulation, body, number))
    reason = "Verlet's method: (w dt)^2/12 of w^2 and of the first step of the damping, of what gravity alone would do"
    return Case(name, two_masses(), measure, float(exact(time)[number - 1]), tolerance, "m", reason)


def beside_points(number: int, steps: int) -> Case:
    """One mass by modes beside the same by points; the name has what the document prints."""
    name = f"modes - points, x{number}, {steps} steps (printed {PRINTED[number, steps]})"

    def measured(simulation: Simulation) -> float:
        return displacement(simulation, "modes", number) - displacement(simulation, "points", number)

    reason = "all modes are the same equations in other coordinates: rounding of positions of 1 m in each step"
    return Case(name, two_masses(), after(steps, measured), 0.0, 2e-14, "m", reason)


def frequency(number: int) -> Case:
    """w of one of the two modes along the row, after four across it: m^2 w^4 - m (k1 + 2 k2) w^2 + k1 k2 = 0."""
    half = (K1 + 2 * K2) / (2 * MASS)
    expected = sqrt(half + (-1, 1)[number - 1] * sqrt(half**2 - K1 * K2 / MASS**2))

    def measure(described: Scene) -> float:
        return float(Simulation(described).compiled.modal["modes"].modes.frequencies[3 + number])

    return Case(f"two masses, w{number}", two_masses(), measure, expected, 1e-11, "rad/s", "rounding")


CASES = (
    frequency(1),
    frequency(2),
    *(beside_exponential(body, number, steps) for body in ("points", "modes") for number, steps in PRINTED),
    *(beside_points(number, steps) for number, steps in PRINTED),
)
