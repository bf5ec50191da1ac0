"""A hundred boxes that fall and pile up: microseconds per step of ours beside MuJoCo, equal steps.

Both start from the same places, 5 layers of 4 x 5 boxes of 10 cm at random angles over a table, and take the first 2 s
of it in steps of 0.5 ms: ours with the semi-implicit Euler method, MuJoCo with its default of the same order and
elliptic cones of friction. A stack of ten boxes at rest follows, where MuJoCo's solver starts from its last solution.
The mean overlaps at the end tell how stiff the contacts of both are.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from timing import best_times, report

from polhode.engine.rates import rates
from polhode.engine.work import make_work
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

STEP, SIDE, DENSITY, FRICTION = 5e-4, 0.1, 500.0, 0.5
STIFFNESS = 2e4  # [N/m]
CASES = {"pile of 100 falling boxes": (2.0, 2.5), "stack of 10 boxes": (0.5, 2.0)}  # seconds, goal
Poses = list[tuple[np.ndarray, np.ndarray]]


def pile() -> Poses:
    """Places (3,) [m] and quaternions (4,), w first, of a hundred boxes that do not touch."""
    random = np.random.default_rng(1)
    places = [np.array([0.18 * (k % 5), 0.18 * (k // 5 % 4), 0.12 + 0.18 * (k // 20)]) for k in range(100)]
    turns = random.normal(size=(100, 4))
    return [(place, turn / np.linalg.norm(turn)) for place, turn in zip(places, turns, strict=True)]


def stack() -> Poses:
    """The same of ten boxes on each other."""
    return [(np.array([0.0, 0.0, SIDE * (k + 0.5)]), np.array([1.0, 0.0, 0.0, 0.0])) for k in range(10)]


def ours(poses: Poses) -> Simulation:
    """Our simulation of boxes over a table."""
    contact = {"stiffness": STIFFNESS, "restitution": 0.3, "kinetic_friction": FRICTION}
    bodies: list[dict[str, Any]] = [
        {
            "name": "table",
            "support": "fixed",
            "position": [0, 0, -0.1],
            "contact": contact,
            "shape": [{"kind": "cuboid", "size": [10, 10, 0.2], "mass": 1.0}],
        }
    ]
    for k, (place, turn) in enumerate(poses):
        matrix = np.zeros(9)
        mujoco.mju_quat2Mat(matrix, turn)
        bodies.append(
            {
                "name": f"box{k}",
                "support": "free",
                "position": place.tolist(),
                "orientation": {"basis": matrix.reshape(3, 3).T.tolist()},
                "contact": contact,
                "shape": [{"kind": "cuboid", "size": [SIDE] * 3, "density": DENSITY}],
            }
        )
    solver = {"method": "semi_implicit_euler", "time_step": STEP}
    return Simulation(scene_of({"format": 1, "solver": solver, "body": bodies}, ""))


def by_mujoco(poses: Poses) -> mujoco.MjModel:
    """MuJoCo's model of the same boxes."""
    half = SIDE / 2
    geom = f'<geom type="box" size="{half} {half} {half}" density="{DENSITY}"/>'
    boxes = "".join(
        f'<body pos="{" ".join(map(str, place))}" quat="{" ".join(map(str, turn))}"><freejoint/>{geom}</body>'
        for place, turn in poses
    )
    option = f'<option timestep="{STEP}" cone="elliptic" gravity="0 0 -9.80665"/>'
    default = f'<default><geom friction="{FRICTION} 0 0"/></default>'
    table = '<geom type="box" size="5 5 .1" pos="0 0 -.1"/>'
    return mujoco.MjModel.from_xml_string(f"<mujoco>{option}{default}<worldbody>{table}{boxes}</worldbody></mujoco>")


def overlap_of(simulation: Simulation) -> float:
    """Mean overlap [m] of the contacts of a simulation, from their normal forces: its boxes hardly move any more."""
    model, inputs, state = simulation.compiled.model, simulation.inputs, simulation.state
    work = make_work(model, inputs)
    rates(model, inputs, simulation.time, state, work, np.zeros_like(state))
    contacts = work.friction_contacts
    return float(contacts.numbers[: contacts.count[0], 0].mean() / STIFFNESS)


def main() -> None:
    for (name, (seconds, goal)), poses in zip(CASES.items(), (pile(), stack()), strict=True):
        simulation, model, steps = ours(poses), by_mujoco(poses), round(seconds / STEP)

        def run(simulation: Simulation = simulation, steps: int = steps) -> None:
            simulation.reset()
            simulation.advance_steps(steps)

        data = mujoco.MjData(model)

        def rival(model: mujoco.MjModel = model, data: mujoco.MjData = data, steps: int = steps) -> None:
            mujoco.mj_resetData(model, data)
            mujoco.mj_step(model, data, nstep=steps)

        mine, theirs = best_times(run, rival, 3)
        depths = overlap_of(simulation), -np.mean([contact.dist for contact in data.contact])
        detail = f"{1e6 * mine / steps:.0f} us per step, MuJoCo {1e6 * theirs / steps:.0f}; "
        detail += "mean overlaps {:.2f} mm, MuJoCo {:.2f}".format(*(1e3 * depth for depth in depths))
        report(name, theirs / mine, goal, detail)


if __name__ == "__main__":
    main()
