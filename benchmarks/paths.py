"""A sphere under gravity on paths of every kind, in the path's own coordinate by RK4, beside a circle written by hand.

Both integrate dq/dt = u/|r'|, du/dt = g.t; one asks path_kernels for r' of path i, the other has the circle's cosine
and sine in its own text. Compared is one step with its four evaluations of the path.
"""

from __future__ import annotations

from math import cos, sin, sqrt

import numba
import numpy as np
from pydantic import TypeAdapter
from timing import best_times, report

from polhode.physics.paths.compile_paths import build_paths
from polhode.physics.paths.description import Path
from polhode.physics.paths.path_kernels import Paths, curve
from polhode.physics.paths.path_motions import StillPath

STEPS = 200_000
STEP = 1e-3
GRAVITY = 9.8
SLOWER = 3.0  # times the circle by hand: the most that a formula may cost

CIRCLE = {"kind": "formula", "x": "cos(q)", "z": "sin(q)", "range": [0, "2*pi"]}
KNOT = {"x": "(2 + cos(3*q))*cos(2*q)", "y": "(2 + cos(3*q))*sin(2*q)", "z": "sin(3*q)", "range": [0, "2*pi"]}
TRACK = [[0, 0, 1], [1, 0.5, 0], [2, 0, 0.5], [3, -1, 0.2], [2, -2, 1], [0, -2, 0.5]]
CASES: dict[str, tuple[dict[str, object], bool]] = {  # what it is, and whether the goal is about it
    "circle": ({"kind": "circle", "radius": 1.0}, True),
    "circle, as a formula": (CIRCLE, True),
    "parabola": ({"kind": "parabola", "coefficient": 1.0}, True),
    "q^2 exp(-q^2)": ({"kind": "formula", "x": "q", "z": "q^2*exp(-q^2)", "range": [-3, 3]}, True),
    "trefoil knot": ({"kind": "formula", **KNOT}, True),
    "cycloid": ({"kind": "cycloid", "radius": 0.5, "arches": 3}, False),
    "spline of 6 points": ({"kind": "spline", "points": TRACK, "closed": True}, False),
}


@numba.njit(error_model="numpy")
def along_path(paths: Paths, i: int, q: float, u: float) -> tuple[float, float]:
    _, d, _ = curve(paths, i, q)
    speed = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    return u / speed, -GRAVITY * d[2] / speed


@numba.njit(error_model="numpy")
def along_circle(q: float, u: float) -> tuple[float, float]:
    d = (-sin(q), 0.0, cos(q))
    speed = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    return u / speed, -GRAVITY * d[2] / speed


@numba.njit(error_model="numpy")
def steps_on_path(paths: Paths, i: int, steps: int, h: float, q: float, u: float) -> tuple[float, float]:
    for _ in range(steps):
        k1, l1 = along_path(paths, i, q, u)
        k2, l2 = along_path(paths, i, q + 0.5 * h * k1, u + 0.5 * h * l1)
        k3, l3 = along_path(paths, i, q + 0.5 * h * k2, u + 0.5 * h * l2)
        k4, l4 = along_path(paths, i, q + h * k3, u + h * l3)
        q += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        u += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    return q, u


@numba.njit(error_model="numpy")
def steps_on_circle(steps: int, h: float, q: float, u: float) -> tuple[float, float]:
    for _ in range(steps):
        k1, l1 = along_circle(q, u)
        k2, l2 = along_circle(q + 0.5 * h * k1, u + 0.5 * h * l1)
        k3, l3 = along_circle(q + 0.5 * h * k2, u + 0.5 * h * l2)
        k4, l4 = along_circle(q + h * k3, u + h * l3)
        q += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        u += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    return q, u


def main() -> None:
    described = [TypeAdapter(Path).validate_python(stated) for stated, _ in CASES.values()]
    paths = build_paths([(path, StillPath()) for path in described])
    by_hand = steps_on_circle(1000, STEP, 0.3, 0.0)
    assert np.allclose(steps_on_path(paths, 0, 1000, STEP, 0.3, 0.0), by_hand, rtol=1e-12)
    for i, (name, (_, counts)) in enumerate(CASES.items()):
        ours, rival = best_times(
            lambda i=i: steps_on_path(paths, i, STEPS, STEP, 0.3, 0.0),
            lambda: steps_on_circle(STEPS, STEP, 0.3, 0.0),
        )
        each = f"{1e9 * ours / STEPS:.0f} ns a step, {1e9 * rival / STEPS:.0f} by hand"
        report(name, rival / ours, round(1 / SLOWER, 2) if counts else None, each)


if __name__ == "__main__":
    main()
