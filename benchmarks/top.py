"""Steps per second of one top on a pivot, RK4, beside MuJoCo's RK4 with a ball joint."""

from __future__ import annotations

from collections.abc import Callable

from timing import best_times, report

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

STEPS, RIVAL_STEPS = 200_000, 20_000
SPIN = [0.0, 3.0, 100.0]
RIVAL = """
<mujoco><option timestep="0.001" integrator="RK4"/><worldbody><body><joint type="ball"/>
<geom type="cylinder" size=".03 .01" pos="0 0 .05" mass=".1" contype="0" conaffinity="0"/></body></worldbody></mujoco>
"""


def top() -> Scene:
    disc = {"kind": "cylinder", "radius": 0.03, "length": 0.02, "mass": 0.1, "position": [0, 0, 0.05]}
    return Scene.model_validate({"body": [{"name": "top", "angular_velocity": SPIN, "shape": [disc]}]})


def rival() -> Callable[[int], None] | None:
    """Steps of the same top in MuJoCo; None where it is not installed."""
    try:
        import mujoco
    except ImportError:
        return None
    model = mujoco.MjModel.from_xml_string(RIVAL)
    data = mujoco.MjData(model)
    data.qvel[:] = SPIN
    return lambda steps: mujoco.mj_step(model, data, nstep=steps)


def main() -> None:
    simulation, steps = Simulation(top()), rival()
    assert steps is not None, "needs MuJoCo"
    ours, theirs = best_times(lambda: simulation.advance_steps(STEPS), lambda: steps(RIVAL_STEPS))
    speed, rival_speed = STEPS / ours, RIVAL_STEPS / theirs
    detail = f"{speed / 1e6:.2f} M steps/s, MuJoCo {rival_speed / 1e6:.2f} M steps/s"
    report("top on a pivot, RK4 / MuJoCo RK4", speed / rival_speed, 30, detail)


if __name__ == "__main__":
    main()
