"""Slow, obvious twins of the kernels: textbook formulas in numpy, derivatives by the complex step, no shared code."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.stats import qmc


def dipole_field(moment: np.ndarray, r: np.ndarray, permeability: float) -> np.ndarray:
    """B [T] at r from a dipole at the origin (Jackson, Classical Electrodynamics, 5.56)."""
    d = np.sqrt(r @ r)
    n = r / d
    return permeability / (4 * np.pi) * (3 * n * (n @ moment) - moment) / d**3


def dipole_force(moment: np.ndarray, source: np.ndarray, r: np.ndarray, permeability: float) -> np.ndarray:
    """grad(moment.B) [N] at r in the field of `source` at the origin, by the complex step (exact to rounding)."""
    step = 1e-30
    shifted = [r + 1j * step * axis for axis in np.eye(3)]
    return np.array([(moment @ dipole_field(source, s, permeability)).imag / step for s in shifted])


def pair_energy(p_a: np.ndarray, p_b: np.ndarray, r: np.ndarray, permeability: float) -> float:
    return -p_b @ dipole_field(p_a, r, permeability)


class PivotBody:
    """A body on a pivot as a plain record: inertia about the pivot and centre of mass in the body frame."""

    def __init__(self, mass, center, inertia, place, turn, spin, friction=0.0, dipoles=(), moves=True):
        self.mass, self.center, self.inertia = mass, np.array(center), np.array(inertia)
        self.place, self.turn, self.spin = np.array(place), np.array(turn), np.array(spin)
        self.moves, self.friction = moves, friction
        self.dipoles = [(np.array(at), np.array(p)) for at, p in dipoles]


def torques(bodies, turns, spins, gravity, field, permeability):
    """Torque [N m] of every body about its pivot, laboratory frame, from fields and their gradients."""
    magnets = [(b.place + q @ at, q @ p) for b, q in zip(bodies, turns, strict=True) for at, p in b.dipoles]
    owner = [k for k, b in enumerate(bodies) for _ in b.dipoles]
    result = [
        np.cross(q @ b.center, b.mass * gravity) - b.friction * w for b, q, w in zip(bodies, turns, spins, strict=True)
    ]
    for i, (x, p) in enumerate(magnets):
        k = owner[i]
        here, force = field.copy(), np.zeros(3)
        for j, (other, source) in enumerate(magnets):
            if owner[j] != k:
                here += dipole_field(source, x - other, permeability)
                force += dipole_force(p, source, x - other, permeability)
        result[k] = result[k] + np.cross(p, here) + np.cross(x - bodies[k].place, force)
    return result


def integrate(bodies, times, gravity=(0, 0, 0), field=(0, 0, 0), permeability=1.25663706127e-6):
    """Turns (len(times), n, 3, 3) by DOP853 on rotation matrices and body-frame angular velocities (Euler's equations).

    Bodies with `moves = False` stand still.
    """
    gravity, field, n = np.array(gravity, float), np.array(field, float), len(bodies)

    def rates(_, y):
        turns, w = y[: 9 * n].reshape(n, 3, 3), y[9 * n :].reshape(n, 3)
        spins = [q @ a for q, a in zip(turns, w, strict=True)]
        result_q, result_w = np.zeros((n, 3, 3)), np.zeros((n, 3))
        for k, torque in enumerate(torques(bodies, turns, spins, gravity, field, permeability)):
            b = bodies[k]
            if b.moves:
                result_q[k] = np.cross(spins[k], turns[k].T).T
                moment = turns[k].T @ torque - np.cross(w[k], b.inertia @ w[k])
                result_w[k] = np.linalg.lstsq(b.inertia, moment, rcond=1e-10)[0]
        return np.concatenate([result_q.ravel(), result_w.ravel()])

    start = np.concatenate([*(b.turn.ravel() for b in bodies), *(b.turn.T @ b.spin for b in bodies)])
    solution = solve_ivp(rates, (0, times[-1]), start, method="DOP853", t_eval=times, rtol=1e-12, atol=1e-13)
    return solution.y.T[:, : 9 * n].reshape(-1, n, 3, 3)


def sampled_inertia(inside, low, high, count=2**18):
    """Volume and inertia about the origin at density 1 of the region inside(points) in a box, by Sobol points."""
    points = qmc.scale(qmc.Sobol(3, seed=1).random(count), low, high)
    cell = np.prod(np.subtract(high, low)) / count
    return cell * inside(points).sum(), cell * point_inertia(points[inside(points)], 1.0)


def point_inertia(points, masses):
    """Inertia about the origin of point masses: sum of m (r^2 1 - rr)."""
    masses = np.broadcast_to(masses, len(points))
    return (masses * (points**2).sum(1)).sum() * np.eye(3) - np.einsum("n,ni,nj->ij", masses, points, points)


def tetrahedra_properties(vertices, faces):
    """Volume, centre and inertia about the origin (density 1) of a closed mesh: a sum of tetrahedra on the origin.

    Int rr dV of a tetrahedron with corners 0, a, b, c is V/20 (aa + bb + cc + ss), s = a + b + c.
    """
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for a, b, c in vertices[faces]:
        v, s = np.linalg.det([a, b, c]) / 6, a + b + c
        volume, first = volume + v, first + v * s / 4
        second = second + v / 20 * sum(np.outer(r, r) for r in (a, b, c, s))
    return volume, first / volume, np.trace(second) * np.eye(3) - second
