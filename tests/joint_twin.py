"""Slow twin of joints: rigid bodies with constraint forces, integrated by DOP853.

Nothing is shared with core/polhode/physics/joints. The equations c(x, R) = 0 of each joint are written down once, for
complex numbers; their first and second derivatives along any motion are Cauchy integrals on a circle in the complex
plane, of which the upper half is enough, for the equations are real where their arguments are. The multipliers come
from a dense least-squares solution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

CIRCLE = 0.03 * np.exp(2j * np.pi * np.arange(6) / 10)  # [s]; at 24 rad/s terms of order 10 are 1e-9
WEIGHTS = np.array([1, 2, 2, 2, 2, 1]) / 10


@dataclass
class Rigid:
    """A free rigid body about its centre of mass: mass, tensor (3, 3) in its frame, start."""

    mass: float
    inertia: np.ndarray
    position: np.ndarray
    turn: np.ndarray
    velocity: np.ndarray
    spin: np.ndarray


Pose = tuple[np.ndarray, np.ndarray]
Equation = Callable[[list[Pose], float], np.ndarray]


def cross_matrix(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turned(turn, axis, way):
    """exp(way axis x) turn, for a complex `way`."""
    size = np.linalg.norm(axis)
    if size == 0:
        return turn.astype(complex)
    k = cross_matrix(axis / size)
    return (np.eye(3) + np.sin(size * way) * k + (1 - np.cos(size * way)) * k @ k) @ turn


def moved(poses: Sequence[Pose], motion: np.ndarray, way: complex) -> list[Pose]:
    """Poses after `way` times the velocities (n, 6)."""
    return [(x + way * u[:3], turned(r, u[3:], way)) for (x, r), u in zip(poses, motion, strict=True)]


@dataclass
class Twin:
    """Bodies, equations of (poses, t), and forces (poses, motion, t) -> (n, 6) about the centres of mass."""

    bodies: list[Rigid]
    equations: Equation
    forces: Callable[[list[Pose], np.ndarray, float], np.ndarray]
    multipliers: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def _poses(self, state):
        rows = state.reshape(-1, 18)
        return [(row[:3], row[3:12].reshape(3, 3)) for row in rows], rows[:, 12:]

    def _along(self, poses, motion, time, order):
        """Derivative of the equations along a motion (n, 6) of constant velocities, at a fixed or running time."""
        values = np.array([self.equations(moved(poses, motion, way), time + way) for way in CIRCLE])
        return order * np.real(WEIGHTS @ (values / CIRCLE[:, None] ** order))

    def jacobian(self, poses, time):
        """J (r, 6 n), by differences of what each velocity adds to the rate of the time alone."""
        still = self._along(poses, np.zeros((len(poses), 6)), time, 1)
        columns = np.eye(6 * len(poses)).reshape(-1, len(poses), 6)
        return np.array([self._along(poses, each, time, 1) - still for each in columns]).T

    def rate(self, time, state):
        poses, motion = self._poses(state)
        loads = self.forces(poses, motion, time)
        free = np.empty_like(motion)
        weights = np.zeros((6 * len(poses), 6 * len(poses)))
        for k, (body, (_, turn), load) in enumerate(zip(self.bodies, poses, loads, strict=True)):
            tensor, omega = turn @ body.inertia @ turn.T, motion[k, 3:]
            weights[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = np.eye(3) / body.mass
            weights[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = np.linalg.inv(tensor)
            free[k, :3] = load[:3] / body.mass
            free[k, 3:] = np.linalg.solve(tensor, load[3:] - np.cross(omega, tensor @ omega))
        jacobian, bias = self.jacobian(poses, time), self._along(poses, motion, time, 2)
        matrix = jacobian @ weights @ jacobian.T
        self.multipliers = np.linalg.lstsq(matrix, -(jacobian @ free.ravel() + bias), rcond=1e-9)[0]
        change = (free.ravel() + weights @ jacobian.T @ self.multipliers).reshape(-1, 6)
        rows = [
            np.concatenate([u[:3], (cross_matrix(u[3:]) @ r).ravel(), a])
            for (_, r), u, a in zip(poses, motion, change, strict=True)
        ]
        return np.concatenate(rows)

    def run(self, until, tolerance=1e-11):
        """Positions (n, 3), bases (n, 3, 3) with columns u1, u2, u3, and velocities (n, 6) at a time."""
        start = np.concatenate([np.concatenate([b.position, b.turn.ravel(), b.velocity, b.spin]) for b in self.bodies])
        end = solve_ivp(self.rate, (0, until), start, "DOP853", rtol=tolerance, atol=tolerance).y[:, -1]
        poses, motion = self._poses(end)
        self.rate(until, end)
        return np.array([x for x, _ in poses]), np.array([r for _, r in poses]), motion


def angle(x, y):
    """Angle of (x, y), analytic for complex numbers."""
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))
