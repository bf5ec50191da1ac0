"""Chains of rods on hinges: microseconds per RK4 step of ours beside MuJoCo, and the errors of both.

The rods hang from the laboratory and start at rest at 1 rad, in a plane. Both take equal steps; the error is that of
the directions after 0.5 s, compared with steps an eighth as long.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin

import mujoco
import numpy as np
from timing import best_times, report

from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

LENGTH, MASS, STEP, SECONDS, START = 0.2, 0.1, 1e-3, 0.5, 1.0
WORK = 40_000  # rods times steps in a run that is timed
GOALS = {1: None, 10: 1.0, 100: None, 300: None}  # MuJoCo's files nest no deeper

ROD = f'<geom type="box" size=".005 .005 {LENGTH / 2}" pos="0 0 {-LENGTH / 2}" mass="{MASS}"/>'
HINGE = '<joint type="hinge" axis="0 1 0"/>'


def ours(count: int, step: float) -> Simulation:
    """A chain of `count` rods."""
    turn = {"axis": [0, 1, 0], "angle": START}
    shape = {"kind": "cuboid", "size": [0.01, 0.01, LENGTH], "mass": MASS, "position": [0, 0, -LENGTH / 2]}
    along = -LENGTH * np.array([sin(START), 0.0, cos(START)])
    bodies = [
        {
            "name": f"r{k}",
            "support": "free",
            "position": (k * along).tolist(),
            "orientation": turn,
            "shape": [shape],
        }
        for k in range(count)
    ]
    joints = [
        {"name": f"h{k}", "kind": "hinge", "first": f"r{k}", "axis": [0, 1, 0], "anchor_first": [0, 0, 0]}
        | ({"second": f"r{k - 1}", "anchor_second": [0, 0, -LENGTH]} if k else {})
        for k in range(count)
    ]
    return Simulation(scene_of({"format": 1, "solver": {"time_step": step}, "body": bodies, "joint": joints}, ""))


def by_mujoco(count: int, step: float) -> tuple[mujoco.MjModel, Callable[[], mujoco.MjData]]:
    """MuJoCo's model of the same chain, and what starts it."""
    text = ""
    for k in reversed(range(count)):
        place = "" if k == 0 else f'pos="0 0 {-LENGTH}"'
        text = f"<body {place}>{HINGE}{ROD}{text}</body>"
    option = f'<option timestep="{step}" integrator="RK4" gravity="0 0 -9.80665"><flag contact="disable"/></option>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{text}</worldbody></mujoco>")

    def started() -> mujoco.MjData:
        data = mujoco.MjData(model)
        data.qpos[0] = START
        return data

    return model, started


def directions(count: int, step: float) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) directions of the rods after SECONDS, ours and MuJoCo's."""
    simulation = ours(count, step)
    simulation.advance_steps(round(SECONDS / step))
    model, started = by_mujoco(count, step)
    data = started()
    mujoco.mj_step(model, data, nstep=round(SECONDS / step))
    mujoco.mj_kinematics(model, data)
    return simulation.snapshot().bodies.basis[:, 2], data.xmat.reshape(-1, 3, 3)[1:, :, 2]


def main() -> None:
    """Print the times of chains of several lengths."""
    for count, goal in GOALS.items():
        steps = max(20, WORK // count)
        simulation = ours(count, STEP)
        model, started = by_mujoco(count, STEP)

        def run(simulation: Simulation = simulation, steps: int = steps) -> None:
            simulation.reset()
            simulation.advance_steps(steps)

        def rival(
            model: mujoco.MjModel = model, started: Callable[[], mujoco.MjData] = started, n: int = steps
        ) -> None:
            mujoco.mj_step(model, started(), nstep=n)

        mine, theirs = best_times(run, rival, 5)
        errors = ""
        if count <= 10:
            coarse, fine = directions(count, STEP), directions(count, STEP / 8)
            found = [np.abs(one - other).max() for one, other in zip(coarse, fine, strict=True)]
            errors = f", errors {found[0]:.1e} and {found[1]:.1e}"
        detail = f"{mine / steps * 1e6:.2f} and {theirs / steps * 1e6:.2f} us per step{errors}"
        report(f"chain of {count} rods", theirs / mine, goal, detail)


if __name__ == "__main__":
    main()
