"""Time for 10 s of a free top at equal error of its orientation: ours beside MuJoCo and scipy's DOP853.

All three start alike, and the orientation at the end is compared with the one that Jacobi's functions give. Each takes
as few steps, or as loose a tolerance, as the error allows. DOP853 has the same equations twice: in numpy's vectors, as
one writes them, and number by number, which is faster in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import cos, sin

import mujoco
import numpy as np
from scipy.integrate import solve_ivp
from timing import best_times, report

from polhode.simulation.simulation import Simulation
from polhode.verification.bodies.tops import I1, I2, I3, SPIN, free_top, jacobi

SECONDS, ERROR = 10.0, 1e-9  # the error is the largest of the nine numbers
MOMENTS = np.array([I1, I2, I3])
RIVAL = """
<mujoco><option timestep="{}" integrator="RK4" gravity="0 0 0"/><worldbody><body><freejoint/>
<geom type="box" size=".15 .1 .05" mass="1" contype="0" conaffinity="0"/></body></worldbody></mujoco>
"""
TOLERANCE = "tolerance 1/{:.1e}"
SIXTH_ROOT = 2 ** (1 / 6)

Law = Callable[[float, np.ndarray], np.ndarray]
Run = Callable[[int], tuple[Callable[[], object], Callable[[], np.ndarray]]]


def basis(time: float) -> np.ndarray:
    """(3, 3) rows u1 u2 u3 of the top, which were 1 at the start.

    L stands still, and Jacobi's functions say where it is in the body. What is left is the angle p by which u3 has gone
    round it: dp/dt = L (I1 w1^2 + I2 w2^2)/(I1^2 w1^2 + I2^2 w2^2), Landau and Lifshitz, Mechanics, section 37.
    """
    nodes, weights = np.polynomial.legendre.leggauss(16)
    panels = np.linspace(0.0, time, 201)  # 20 to a turn: the quadrature leaves nothing but rounding
    width = panels[1]
    spin = np.array([jacobi(start + width * (1 + x) / 2) for start in panels[:-1] for x in nodes])
    length = float(np.linalg.norm(MOMENTS * SPIN))
    rate = length * (spin[:, :2] ** 2 @ MOMENTS[:2]) / (spin[:, :2] ** 2 @ MOMENTS[:2] ** 2)
    angle = float(rate @ np.tile(weights, len(panels) - 1)) * width / 2
    along, toward, beside = frame_of(MOMENTS * SPIN)
    now = np.array([along, cos(angle) * toward + sin(angle) * beside, cos(angle) * beside - sin(angle) * toward])
    return frame_of(MOMENTS * jacobi(time)).T @ now


def frame_of(momentum: np.ndarray) -> np.ndarray:
    """(3, 3) rows: along L, across it towards u3, and the third; in the body frame."""
    along = momentum / np.linalg.norm(momentum)
    toward = np.array([0.0, 0.0, 1.0]) - along[2] * along
    toward /= np.linalg.norm(toward)
    return np.array([along, toward, np.cross(along, toward)])


def ours(steps: int, method: str) -> tuple[Callable[[], object], Callable[[], np.ndarray]]:
    simulation = Simulation(free_top(method, SECONDS / steps))

    def run() -> None:
        simulation.reset()
        simulation.advance_steps(steps)

    return run, lambda: simulation.snapshot().bodies.basis[0]


def by_mujoco(steps: int) -> tuple[Callable[[], object], Callable[[], np.ndarray]]:
    model = mujoco.MjModel.from_xml_string(RIVAL.format(SECONDS / steps))
    data = mujoco.MjData(model)

    def run() -> None:
        mujoco.mj_resetData(model, data)
        data.qvel[3:] = SPIN
        mujoco.mj_step(model, data, nstep=steps)

    def turned() -> np.ndarray:
        matrix = np.empty(9)
        mujoco.mju_quat2Mat(matrix, data.qpos[3:] / np.linalg.norm(data.qpos[3:]))
        return matrix.reshape(3, 3).T

    return run, turned


def rates(_: float, y: np.ndarray) -> np.ndarray:
    """du_i/dt = w x u_i and dL/dt = 0."""
    axes, momentum = y[:9].reshape(3, 3), y[9:]
    spin = ((axes @ momentum) / MOMENTS) @ axes
    rate = np.zeros(12)
    rate[:9] = np.cross(spin, axes).ravel()
    return rate


def scalar_rates(_: float, y: np.ndarray) -> np.ndarray:
    ax, ay, az, bx, by, bz, cx, cy, cz, x, y, z = y.tolist()
    p, q, r = (ax * x + ay * y + az * z) / I1, (bx * x + by * y + bz * z) / I2, (cx * x + cy * y + cz * z) / I3
    u, v, w = p * ax + q * bx + r * cx, p * ay + q * by + r * cy, p * az + q * bz + r * cz
    of_a = v * az - w * ay, w * ax - u * az, u * ay - v * ax
    of_b = v * bz - w * by, w * bx - u * bz, u * by - v * bx
    of_c = v * cz - w * cy, w * cx - u * cz, u * cy - v * cx
    return np.array([*of_a, *of_b, *of_c, 0.0, 0.0, 0.0])


def by_scipy(inverse_tolerance: int, law: Law = rates) -> tuple[Callable[[], object], Callable[[], np.ndarray]]:
    start = np.concatenate([np.eye(3).ravel(), MOMENTS * SPIN])
    end = np.empty(12)

    def run() -> None:
        tolerance = 1 / inverse_tolerance
        end[:] = solve_ivp(law, (0, SECONDS), start, "DOP853", rtol=tolerance, atol=tolerance).y[:, -1]

    return run, lambda: end[:9].reshape(3, 3)


def error(method: Run, effort: int, expected: np.ndarray) -> float:
    run, turned = method(effort)
    run()
    return float(np.abs(turned() - expected).max())


def least_effort(method: Run, effort: int, allowed: float, expected: np.ndarray) -> int:
    """Smallest of a row of efforts, a sixth root of 2 apart, that is good enough."""
    while error(method, effort, expected) > allowed:
        effort = round(effort * SIXTH_ROOT)
    return effort


def compare(name: str, method: str, rival: Run, first: int, goal: float | None, unit: str) -> None:
    expected, own_run = basis(SECONDS), partial(ours, method=method)
    efforts = least_effort(own_run, 100, ERROR, expected), least_effort(rival, first, ERROR, expected)
    errors = error(own_run, efforts[0], expected), error(rival, efforts[1], expected)
    own, others = best_times(own_run(efforts[0])[0], rival(efforts[1])[0])
    detail = (
        f"{own * 1e3:.2f} ms, {efforts[0]} steps, error {errors[0]:.1e}; "
        f"{others * 1e3:.2f} ms, {unit.format(efforts[1])}, error {errors[1]:.1e}"
    )
    report(f"free top, {name} / {method}", others / own, goal, detail)


def main() -> None:
    for method, goal in (("dormand_prince_8", 20), ("rk4", None)):
        compare("MuJoCo", method, by_mujoco, 2000, 1, "{} steps")
        compare("DOP853", method, by_scipy, 10**11, goal, TOLERANCE)
        compare("DOP853 in scalars", method, partial(by_scipy, law=scalar_rates), 10**11, goal, TOLERANCE)


if __name__ == "__main__":
    main()
