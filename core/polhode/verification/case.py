"""Analytic cases, and how their runs are measured.

Quantities between steps, such as the time of a zero, come from cubic Hermite curves through values and exact slopes at
the steps. Their error is h^4/384 of the fourth derivative, far below that of the tolerances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.special import ellipk

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Diverged, Simulation
from polhode.simulation.snapshot import Snapshot

GRAVITY = 9.80665  # [m/s^2] the default of a scene


@dataclass(frozen=True)
class Result:
    """One line of the table, in the unit of its case. A run that diverged has the value nan."""

    case: Case
    value: float

    @property
    def error(self) -> float:
        """Value minus expected value."""
        return self.value - self.case.expected

    @property
    def passed(self) -> bool:
        """Whether the error is within the tolerance of the case."""
        return bool(abs(self.error) <= self.case.tolerance)  # False for nan


@dataclass(frozen=True, eq=False)
class Case:
    """A scene whose motion is known in closed form. The expected value is worked out without the scene.

    measure: runs a scene from its start, and returns one number in `unit`; nan or inf if it cannot be measured
    expected: closed form, from the numbers of the case
    tolerance: largest difference that passes; reason: its derivation
    """

    name: str
    scene: Scene
    measure: Callable[[Scene], float]  # runs the scene
    expected: float
    tolerance: float  # of the difference
    unit: str
    reason: str  # reason of the tolerance

    def run(self, scene: Scene | None = None) -> Result:
        """The result of the case's own scene, or of another one in its place.

        Another scene may have another method, or a wrong number, for which the case should fail. Raises InputError
        where a scene can't be compiled.
        """
        try:
            return Result(self, float(self.measure(self.scene if scene is None else scene)))
        except Diverged:
            return Result(self, np.nan)


def scene(*bodies: dict[str, Any], method: str = "rk4", time_step: float = 1e-3, **world: Any) -> Scene:
    """A scene of bodies, as a file states them; `world` are the fields of its table of this name."""
    solver = {"method": method, "time_step": time_step}
    return Scene.model_validate({"body": bodies, "world": world, "solver": solver})


def moments(scene: Scene, seconds: float) -> list[Snapshot]:
    """The start and every step of a run of `seconds` [s]."""
    simulation = Simulation(scene)
    found = [simulation.snapshot()]
    for _ in range(round(seconds / simulation.time_step)):
        simulation.advance_steps(1)
        found.append(simulation.snapshot())
    return found


def after(scene: Scene, seconds: float) -> Snapshot:
    """The snapshot at the end of a run of `seconds` [s]."""
    simulation = Simulation(scene)
    simulation.advance(seconds)
    return simulation.snapshot()


def at_end(seconds: float, quantity: Callable[[Snapshot], Any]) -> Callable[[Scene], float]:
    """Measures a quantity of the snapshot at the end of a run of `seconds` [s]."""
    return lambda described: float(quantity(after(described, seconds)))


def along(run: list[Snapshot], b: int, k: int, direction: tuple[float, float, float]) -> CubicHermiteSpline:
    """Component of the basis vector u_(k+1) of body b along a direction of the laboratory, as a curve of time [s].

    Its slope is (omega x u).direction, so the curve is good to the fourth order of the step.
    """
    basis = np.array([moment.bodies.basis[b, k] for moment in run])
    spin = np.array([moment.bodies.angular_velocity[b] for moment in run])
    return CubicHermiteSpline([moment.time for moment in run], basis @ direction, np.cross(spin, basis) @ direction)


def period(curve: CubicHermiteSpline) -> float:
    """Time [s] from the first zero of a curve to its third, by all zeros of its cubic pieces; infinite for fewer."""
    zeros = curve.solve(0.0, extrapolate=False)
    return float(zeros[2] - zeros[0]) if len(zeros) > 2 else np.inf


def pendulum_period(frequency: float, amplitude: float) -> float:
    """4 K(sin^2(amplitude/2))/frequency [s] of x'' = -frequency^2 sin x (Landau, Lifshitz, Mechanics, section 11).

    frequency: [rad/s] of small oscillations
    amplitude: [rad] of its position

    K is the complete elliptic integral of the first kind, of the parameter m = k^2 as in scipy.
    """
    return float(4 * ellipk(np.sin(amplitude / 2) ** 2) / frequency)


def turned(x: float, y: float, z: float, angle: float) -> dict[str, Any]:
    """The orientation by an angle [rad] about an axis, as a file states it."""
    return {"axis": [x, y, z], "angle": angle}
