"""Time of a fit: 60 s of a spherical pendulum at 100 Hz, 6 unknowns, beside MuJoCo.

The rivals are MuJoCo's rollout with scipy's least_squares and, where the libraries of `mujoco[sysid]` are installed,
`mujoco.sysid` with two of its optimizers on residuals by the same rollout. All start from the same values and take
steps of 5 ms by RK4; those with scipy have the same tolerances. The data are made by scipy's DOP853 on plain
equations, with noise of a seed. Ours has the window that grows, what the data can tell and the intervals in its time;
the rivals get a start from which they converge without a growing window.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from polhode.data.measured import MeasuredData, measured
from polhode.fitting.fit import fit
from polhode.scene.scene import Scene

SECONDS, RATE, NOISE, SEED, STEP = 60.0, 100, 0.02, 5, 0.005
LENGTH, RADIUS, MASS = 0.5, 0.03, 0.2
INERTIA = 0.4 * MASS * RADIUS**2 + MASS * LENGTH**2  # about the pivot, across the rod
TRUTH = {
    "body[0].friction": 0.0005,
    "world.gravity[2]": -9.81,
    "body[0].tilt[0]": 0.1,
    "body[0].tilt[1]": -0.05,
    "body[0].angular_velocity[0]": 1.0,
    "body[0].angular_velocity[1]": 0.5,
}
START = {
    "body[0].friction": 0.00055,
    "world.gravity[2]": -9.80,
    "body[0].tilt[0]": 0.0,
    "body[0].tilt[1]": 0.0,
    "body[0].angular_velocity[0]": 1.05,
    "body[0].angular_velocity[1]": 0.48,
}
ANGLE = 1.0  # [rad] about x, before the tilts
RIVAL = """<mujoco><option timestep="{step}" integrator="RK4" gravity="0 0 -9.8"/><worldbody><body>
<joint type="ball" damping="0.0005"/>
<geom type="sphere" size=".03" mass=".2" pos="0 0 -.5" contype="0" conaffinity="0"/>
</body></worldbody></mujoco>"""


def scene() -> Scene:
    """The pendulum with the values of START."""
    ball = {"kind": "sphere", "radius": RADIUS, "mass": MASS, "position": [0.0, 0.0, -LENGTH]}
    body = {
        "name": "bob",
        "support": "pivot",
        "friction": START["body[0].friction"],
        "orientation": {"axis": [1.0, 0.0, 0.0], "angle": ANGLE},
        "angular_velocity": [START["body[0].angular_velocity[0]"], START["body[0].angular_velocity[1]"], 0.0],
        "shape": [ball],
    }
    world = {"gravity": [0.0, 0.0, START["world.gravity[2]"]]}
    return Scene.model_validate({"world": world, "solver": {"method": "rk4", "time_step": STEP}, "body": [body]})


def rotation(vector: np.ndarray) -> np.ndarray:
    """(3, 3) of a rotation vector (3,) [rad]."""
    angle = float(np.linalg.norm(vector))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def made(seconds: float = SECONDS) -> MeasuredData:
    """Angular velocities x and y with noise, by DOP853 on Euler's equation of a body with I about its rod and across.

    State: direction n of the rod from the pivot to the ball, angular velocity w. I across, J along:
    L = I w + (J - I)(w.n) n, dL/dt = m l n x g - k w, dn/dt = w x n.
    """
    along, k = 0.4 * MASS * RADIUS**2, TRUTH["body[0].friction"]
    g = np.array([0.0, 0.0, TRUTH["world.gravity[2]"]])
    tilt = np.array([TRUTH["body[0].tilt[0]"], TRUTH["body[0].tilt[1]"], 0.0])
    n = rotation(tilt) @ rotation(np.array([ANGLE, 0.0, 0.0])) @ np.array([0.0, 0.0, -1.0])
    w = np.array([TRUTH["body[0].angular_velocity[0]"], TRUTH["body[0].angular_velocity[1]"], 0.0])

    def velocity(n: np.ndarray, spin: np.ndarray) -> np.ndarray:
        return spin / INERTIA + (1 / along - 1 / INERTIA) * (spin @ n) * n

    def rate(_time: float, state: np.ndarray) -> np.ndarray:
        n, spin = state[:3], state[3:]
        w = velocity(n, spin)
        return np.concatenate([np.cross(w, n), MASS * LENGTH * np.cross(n, g) - k * w])

    times = np.arange(round(seconds * RATE)) / RATE
    begin = np.concatenate([n, INERTIA * w + (along - INERTIA) * (w @ n) * n])
    run = solve_ivp(rate, (0.0, times[-1]), begin, "DOP853", t_eval=times, rtol=1e-10, atol=1e-12).y
    values = np.array([velocity(state[:3], state[3:]) for state in run.T])
    values += NOISE * np.random.default_rng(SEED).standard_normal(values.shape)
    return measured("made", times, {"wx": values[:, 0], "wy": values[:, 1]})


def ours(data: MeasuredData) -> np.ndarray:
    """(6,) values found."""
    mapping = {"wx": "bob.angular_velocity.x", "wy": "bob.angular_velocity.y"}
    found = fit(scene(), data, mapping, list(TRUTH), {"body[0].friction": (0.0, np.inf)})
    return np.array([each.value for each in found.estimates])


def rollouts(data: MeasuredData) -> Callable[[list[np.ndarray]], list[np.ndarray]]:
    """A function that gives the residuals at several points, by one call of MuJoCo's rollout."""
    import mujoco
    from mujoco import rollout

    text = RIVAL.format(step=STEP)
    models = [mujoco.MjModel.from_xml_string(text) for _ in range(len(TRUTH) + 1)]
    workers = [mujoco.MjData(models[0]) for _ in range(2)]
    steps = round(data.times[-1] / STEP)
    every = round(1 / (RATE * STEP))
    wanted = np.stack([data.column("wx").values, data.column("wy").values], axis=1)

    def runs(points: list[np.ndarray]) -> list[np.ndarray]:
        states = []
        for model, (friction, gravity, *start) in zip(models, points, strict=False):
            model.dof_damping[:] = friction
            model.opt.gravity[2] = gravity
            turn = rotation(np.array([*start[:2], 0.0])) @ rotation(np.array([ANGLE, 0.0, 0.0]))
            quaternion = np.zeros(4)
            mujoco.mju_mat2Quat(quaternion, turn.ravel())
            states.append(np.concatenate([[0.0], quaternion, turn.T @ np.array([*start[2:], 0.0])]))
        found, _ = rollout.rollout(models[: len(points)], workers, np.array(states), nstep=steps)
        values = []
        for start_state, run in zip(states, found, strict=True):
            rows = np.concatenate([[start_state], run])[::every][: len(wanted)]
            u, spin = rows[:, 2:5], rows[:, 5:8]  # quaternion's vector part, and angular velocity in the body frame
            turn = 2.0 * np.cross(u, spin)
            turned = spin + rows[:, 1:2] * turn + np.cross(u, turn)
            values.append((turned[:, :2] - wanted).ravel())
        return values

    return runs


def by_scipy(runs: Callable[[list[np.ndarray]], list[np.ndarray]]) -> np.ndarray:
    """(6,) values found by scipy's least_squares on residuals `runs`."""

    def jacobian(x: np.ndarray) -> np.ndarray:
        moved = [x + 1e-7 * np.eye(len(x))[k] * max(1.0, abs(x[k])) for k in range(len(x))]
        base, *others = runs([x, *moved])
        return np.stack([(other - base) / (each - x).max() for each, other in zip(moved, others, strict=True)], axis=1)

    start = np.array(list(START.values()))
    scales = np.where(start != 0.0, np.abs(start), 1.0)
    bounds = np.array([0.0, *[-np.inf] * 5]), np.full(6, np.inf)
    tight = {"ftol": 1e-12, "xtol": 1e-11, "gtol": 1e-14, "x_scale": scales, "bounds": bounds}
    return least_squares(lambda x: runs([x])[0], start, jacobian, **tight).x


def by_sysid(runs: Callable[[list[np.ndarray]], list[np.ndarray]], optimizer: str) -> np.ndarray:
    """(6,) values found by `mujoco.sysid` on residuals `runs`, with wide finite bounds, which it needs."""
    from mujoco import sysid

    limits = {"body[0].friction": (0.0, 0.1), "world.gravity[2]": (-100.0, 100.0)}
    unknowns = sysid.ParameterDict()
    for name, value in START.items():
        unknowns.add(sysid.Parameter(name, value, *limits.get(name, (-50.0, 50.0))))

    def residuals(x: np.ndarray, _unknowns: object) -> tuple[list[np.ndarray], None, None]:
        if x.ndim == 1:
            return runs([x]), None, None
        return [np.stack(runs(list(x.T)), axis=1)], None, None

    given = {"ftol": 1e-12, "xtol": 1e-11, "gtol": 1e-14} if optimizer == "scipy_parallel_fd" else {}
    if optimizer == "scipy_parallel_fd":  # with scipy's own differences it runs one after another
        given["x_scale"] = np.array([abs(value) or 1.0 for value in START.values()])
    with redirect_stdout(io.StringIO()):  # it prints every iteration
        return sysid.optimize(unknowns, residuals, optimizer, verbose=False, **given)[1].x


def timed(work: Callable[[], np.ndarray], times: int) -> tuple[float, float, np.ndarray]:
    """Least wall time and least processor time [s] of several calls, and the last result."""
    walls, cpus = [], []
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        found = work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return min(walls), min(cpus), found


def main() -> None:
    from mujoco import sysid

    data = made()
    ours(data)  # loads the machine code
    wall, cpu, found = timed(lambda: ours(data), 3)
    print(f"ours {wall:.2f} s, {cpu:.2f} s of processor time; goal 2 s")
    runs = rollouts(data)
    rivals = {"rollout and scipy": lambda: by_scipy(runs)}
    if hasattr(sysid, "optimize"):
        rivals |= {f"sysid, {name}": partial(by_sysid, runs, name) for name in ("mujoco", "scipy_parallel_fd")}
    else:
        print("sysid: the libraries of mujoco[sysid] are not installed")
    values = {"ours": found, "truth": np.array(list(TRUTH.values()))}
    for name, find in rivals.items():
        rival, cpu, values[name] = timed(find, 2)
        print(f"MuJoCo, {name}: {rival:.2f} s, {cpu:.2f} s of processor time: ours {rival / wall:.2f} x; goal 5 x")
    for k, unknown in enumerate(TRUTH):
        print(f"{unknown:30} {'  '.join(f'{name} {each[k]:.6g}' for name, each in values.items())}")


if __name__ == "__main__":
    main()
