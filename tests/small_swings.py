"""The period of small swings of a pendulum, measured in a run."""

from __future__ import annotations

import numpy as np

from polhode import Simulation
from polhode.scene.scene import Scene

STEP = 1e-3  # [s]


def period_of(scene: Scene, name: str, gravity: float = 9.81) -> float:
    """Period [s] of a body on the only joint of a scene, a hinge with a level axis, pushed where it hangs."""
    number = [body.name for body in scene.body].index(name)
    push = 0.01 * np.array(scene.body[number].orientation.matrix()[:, 0])  # [rad/s] about the x axis of the body
    values = {f"body[{number}].angular_velocity": push.tolist(), "world.gravity": [0.0, 0.0, -gravity]}
    run = Simulation(scene.with_values(values | {"solver.time_step": STEP})).run(2.0, STEP)
    angle, time = run[f"{scene.joint[0].name}.angle"], run["time"]
    risen = (angle[:-1] < 0) & (angle[1:] >= 0) & (time[1:] > 0.1)  # not the start itself, rounded
    before = np.flatnonzero(risen)[0]
    share = angle[before] / (angle[before] - angle[before + 1])
    return float(time[before] + share * STEP)
