"""Makes the tables of this folder: runs of plain equations by scipy's DOP853, with noise of a seed.

They were not measured. They are made without the engine of Polhode: a fit of a scene to them checks both.
python measurements/make.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import trimesh
from scipy.integrate import solve_ivp

FOLDER = Path(__file__).parent
G = 9.81  # [m/s^2] of the place where they would have been measured
MU = 1.25663706127e-6  # [N/A^2]
NEEDLE = {"length": 0.06, "width": 0.006, "height": 0.001, "mass": 0.0028}  # of the compass [m], [kg]
TRUTH: dict[str, dict[str, float]] = {
    "pendulum": {"world.gravity[2]": -G, "body[0].friction": 0.0008, "body[0].tilt[1]": 0.05},
    "hammer": {"body[0].inertia.tensor[1][1]": 0.0, "body[0].friction": 0.004},  # the first one is that of the mesh
    "compass": {"body[0].dipole[0].moment[0]": 0.13, "body[0].friction": 2.5e-7},
    "pendulum_over_magnet": {"body[0].dipole[0].moment[2]": -1.1, "body[0].friction": 0.0003},
    "force_of_magnets": {"body[1].dipole[0].moment[2]": 1.1},
    "rolling_ball": {"wall[0].rolling_resistance": 0.018, "data.x.offset": 0.03},
    "spring": {"spring[0].stiffness": 38.0, "spring[0].damping": 0.06, "spring[0].rest_length": 0.19},
}
"""True values of what the examples find, by scene and unknown."""


def integrated(
    rate: Callable[[float, np.ndarray], Sequence[float]], start: list[float], times: np.ndarray
) -> np.ndarray:
    """(n, k) states at times (n,)."""
    return solve_ivp(rate, (0.0, times[-1]), start, "DOP853", t_eval=times, rtol=1e-11, atol=1e-13).y.T


def write(name: str, times: np.ndarray, columns: dict[str, np.ndarray], noise: float, unit: str, seed: int) -> None:
    """Write a table with normal noise [that unit] in each column, marked as made."""
    random = np.random.default_rng(seed)
    noisy = [values + noise * random.standard_normal(len(times)) for values in columns.values()]
    head = f"# made by measurements/make.py, not measured: normal noise of {noise:g} {unit}, seed {seed}\n"
    head += ",".join(["t (s)", *columns])
    table = np.stack([times, *noisy], axis=1)
    np.savetxt(FOLDER / f"{name}.csv", table, delimiter=",", header=head, comments="", fmt="%.6g")


def pendulum() -> None:
    """A ball of 0.2 kg, 0.5 m below its axle: I a'' = -m g l sin a - k a', from rest at 2.45 rad."""
    truth = TRUTH["pendulum"]
    times = np.arange(0.0, 12.0, 0.02)
    mass, arm, radius, start = 0.2, 0.5, 0.03, 2.4 + truth["body[0].tilt[1]"]
    inertia = 0.4 * mass * radius**2 + mass * arm**2

    def rate(_time: float, now: np.ndarray) -> list[float]:
        return [now[1], (-mass * G * arm * np.sin(now[0]) - truth["body[0].friction"] * now[1]) / inertia]

    run = integrated(rate, [start, 0.0], times)
    write("pendulum", times, {"wy (rad/s)": run[:, 1]}, 0.03, "rad/s", 1)


def hammer_properties() -> tuple[float, np.ndarray, float]:
    """Mass [kg], centre of mass (3,) [m] and moment of inertia [kg m^2] about y of the hammer of steel, by trimesh."""
    mesh = trimesh.load_mesh(FOLDER.parent / "meshes" / "hammer.stl")
    mesh.apply_scale(1e-3)
    mesh.density = 7800.0
    tensor = mesh.moment_inertia + mesh.mass * (mesh.center_mass @ mesh.center_mass * np.eye(3))
    tensor -= mesh.mass * np.outer(mesh.center_mass, mesh.center_mass)
    return float(mesh.mass), np.asarray(mesh.center_mass), float(tensor[1, 1])


def hammer() -> None:
    """It swings about an axle along y through the hole in its handle: I a'' = m g (cx cos a + cz sin a) - k a'."""
    mass, center, inertia = hammer_properties()
    times = np.arange(0.0, 8.0, 0.02)

    def rate(_time: float, now: np.ndarray) -> list[float]:
        torque = mass * G * (center[0] * np.cos(now[0]) + center[2] * np.sin(now[0]))
        return [now[1], (torque - TRUTH["hammer"]["body[0].friction"] * now[1]) / inertia]

    run = integrated(rate, [0.7, 0.0], times)
    write("hammer", times, {"wy (rad/s)": run[:, 1]}, 0.02, "rad/s", 2)


def compass() -> None:
    """A needle on an axle in the field of the earth, 20 uT along x: I a'' = -p B sin a - c a', from rest at 1 rad."""
    truth = TRUTH["compass"]
    times = np.arange(0.0, 20.0, 0.04)
    inertia = NEEDLE["mass"] * (NEEDLE["length"] ** 2 + NEEDLE["width"] ** 2) / 12

    def rate(_time: float, now: np.ndarray) -> list[float]:
        torque = -truth["body[0].dipole[0].moment[0]"] * 20e-6 * np.sin(now[0]) - truth["body[0].friction"] * now[1]
        return [now[1], torque / inertia]

    run = integrated(rate, [1.0, 0.0], times)
    write("compass", times, {"wz (rad/s)": run[:, 1]}, 0.03, "rad/s", 3)


def pendulum_over_magnet() -> None:
    """The pendulum with a magnet in its ball, over another one on the table, both pointing down.

    U = mu0/(4 pi) (m.M / r^3 - 3 (m.r) (M.r) / r^5) of two dipoles; its torque is -dU/da, by the complex step.
    """
    truth = TRUTH["pendulum_over_magnet"]
    times = np.arange(0.0, 10.0, 0.02)
    mass, arm, radius, below, other = 0.2, 0.5, 0.015, -0.6, -1.5
    inertia = 0.4 * mass * radius**2 + mass * arm**2

    def energy(angle: complex) -> complex:
        down = np.array([-np.sin(angle), -np.cos(angle)])  # of the body, in the plane of x and z
        apart = arm * down - np.array([0.0, below])
        moment, fixed = -truth["body[0].dipole[0].moment[2]"] * down, np.array([0.0, other])
        far = np.sqrt(apart @ apart)
        return MU / (4 * np.pi) * (moment @ fixed / far**3 - 3 * (moment @ apart) * (fixed @ apart) / far**5)

    def rate(_time: float, now: np.ndarray) -> list[float]:
        magnetic = -float(np.imag(energy(now[0] + 1e-30j))) / 1e-30
        torque = -mass * G * arm * np.sin(now[0]) + magnetic - truth["body[0].friction"] * now[1]
        return [now[1], torque / inertia]

    run = integrated(rate, [0.35, 0.0], times)
    write("pendulum_over_magnet", times, {"wy (rad/s)": run[:, 1]}, 0.01, "rad/s", 14)


def force_of_magnets() -> None:
    """A magnet on a scale, the other one lifted above it with 5 mm/s: F = 3 mu0 m M / (2 pi d^4) less the weight."""
    times = np.arange(0.0, 16.0, 0.1)
    far = 0.04 + 0.005 * times
    force = 3 * MU * TRUTH["force_of_magnets"]["body[1].dipole[0].moment[2]"] * 1.5 / (2 * np.pi * far**4)
    write("force_of_magnets", times, {"scale (N)": force - 0.05 * G}, 0.002, "N", 5)


def rolling_ball() -> None:
    """A ball rolls on a table that resists with c of the pressure: x'' = -5/7 c g, from 1.5 m/s; a ruler's zero."""
    truth = TRUTH["rolling_ball"]
    times = np.arange(0.0, 3.0, 0.04)
    place = 1.5 * times - 5 / 14 * truth["wall[0].rolling_resistance"] * G * times**2
    write("rolling_ball", times, {"x (mm)": 1000 * (place - truth["data.x.offset"])}, 4.0, "mm", 6)


def spring() -> None:
    """A mass of 0.1 kg on a spring: m u'' = m g - k (u - l) - c u' of its length u, from rest at 0.19 m."""
    stiffness, damping, rest = TRUTH["spring"].values()
    times = np.arange(0.0, 10.0, 0.02)

    def rate(_time: float, now: np.ndarray) -> list[float]:
        return [now[1], G - (stiffness * (now[0] - rest) + damping * now[1]) / 0.1]

    run = integrated(rate, [0.19, 0.0], times)
    write("spring", times, {"z (mm)": -1000 * run[:, 0]}, 1.0, "mm", 8)


if __name__ == "__main__":
    for make in (pendulum, hammer, compass, pendulum_over_magnet, force_of_magnets, rolling_ball, spring):
        make()
