"""Spheres that press on each other: a neighbour list beside a loop over all pairs of the same law; and how it grows.

Then spheres that fly, spin and collide in a box, beside MuJoCo at the same steps; both take the forces once per step.
"""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
from timing import best_times, report

from polhode.engine.model import Work
from polhode.engine.rates import place
from polhode.engine.work import make_work
from polhode.physics.contact.colliders import colliders_of
from polhode.physics.contact.sphere_contact import add_contacts
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

COUNTS = (100, 300, 1000, 3000, 10_000)
FASTER_FROM = 300
COLLIDING = (10, 100, 1000, 4000)
STEP = 1e-4  # [s]
CONTACT = {"stiffness": 1000.0, "damping": 1.0}


def heap(count: int) -> Scene:
    """Balls of 0.5 to 1 cm at random, each in touch with one or two others."""
    rng = np.random.default_rng(1)
    places = rng.uniform(0, 0.017 * count ** (1 / 3), (count, 3)).tolist()
    radii = rng.uniform(0.005, 0.01, count).tolist()
    balls = [
        {"name": f"ball{k}", "mass": 0.01, "radius": radius, "position": at, "contact": CONTACT}
        for k, (at, radius) in enumerate(zip(places, radii, strict=True))
    ]
    return Scene.model_validate({"particle": balls})


def compare(count: int) -> float:
    """Time [s] of one evaluation by the neighbour list, which is valid."""
    simulation = Simulation(heap(count))
    model, state = simulation.compiled.model, simulation.state
    work, inputs = make_work(model, simulation.inputs), simulation.compiled.inputs
    place(model, inputs, 0.0, state, work)
    unlisted = work.with_members(neighbours=replace(work.neighbours, is_listed=np.zeros(1, dtype=np.int64)))
    turns = max(1, 200_000 // count**2)

    def evaluate(work: Work) -> np.ndarray:
        colliders = colliders_of.py_func(model, inputs, state, work)
        for _ in range(turns):
            work.points.force[:] = 0.0
            add_contacts(colliders, model.contacts, work.contacts, work.neighbours, work.friction_contacts, work.power)
        return work.points.force.copy()

    ours, rival = best_times(lambda: evaluate(work), lambda: evaluate(unlisted))
    error = np.abs(evaluate(work) - evaluate(unlisted)).max()
    goal = 1.0 if count >= FASTER_FROM else None
    report(
        f"{count} spheres, all pairs / list",
        rival / ours,
        goal,
        f"{ours / turns / count * 1e9:.0f} ns each, {error:g} N apart",
    )
    return ours / turns


def in_box(count: int) -> Scene:
    """Balls of 1 cm that fill a fifth of a closed box, at 1 m/s, with friction."""
    rng, side = np.random.default_rng(2), int(np.ceil(count ** (1 / 3)))
    half = side * 0.0138
    k = np.arange(count)
    places = (np.column_stack([k % side, k // side % side, k // side**2]) + 0.5) * 0.0276 - half
    speeds = rng.normal(size=(count, 3))
    speeds /= np.linalg.norm(speeds, axis=1)[:, None]
    contact = {"stiffness": 2000.0, "restitution": 0.9, "kinetic_friction": 0.2}
    balls = [
        {"name": f"b{k}", "mass": 0.01, "radius": 0.01, "position": at, "velocity": v, "contact": contact}
        for k, (at, v) in enumerate(zip(places.tolist(), speeds.tolist(), strict=True))
    ]
    walls = [
        {"name": f"w{axis}{sign}", "stiffness": 2000.0, "restitution": 0.9, "kinetic_friction": 0.2}
        | {"normal": (-sign * np.eye(3)[axis]).tolist(), "point": (sign * half * np.eye(3)[axis]).tolist()}
        for axis in range(3)
        for sign in (1, -1)
    ]
    world, solver = {"gravity": [0, 0, 0]}, {"method": "semi_implicit_euler", "time_step": STEP}
    return Scene.model_validate({"world": world, "solver": solver, "sphere": balls, "wall": walls})


def of_mujoco(scene: Scene) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The same spheres and walls."""
    planes = "".join(
        f'<geom type="plane" size="9 9 1" pos="{wall.point[0]} {wall.point[1]} {wall.point[2]}" '
        f'zaxis="{wall.normal[0]} {wall.normal[1]} {wall.normal[2]}"/>'
        for wall in scene.wall
    )
    bodies = "".join(
        f'<body pos="{ball.position[0]} {ball.position[1]} {ball.position[2]}"><freejoint/>'
        '<geom type="sphere" size="0.01" mass="0.01" friction="0.2 0 0"/></body>'
        for ball in scene.sphere
    )
    option = f'<option timestep="{STEP}" gravity="0 0 0"/><size memory="900M"/>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{planes}{bodies}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    data.qvel.reshape(-1, 6)[:, :3] = [ball.velocity for ball in scene.sphere]
    return model, data


def collide(count: int) -> float:
    """Time [s] of one of our steps."""
    scene = in_box(count)
    simulation = Simulation(scene)
    model, data = of_mujoco(scene)
    simulation.advance(0.05)
    mujoco.mj_step(model, data, 50)
    steps = max(2, 20_000 // count)

    def ours() -> None:
        simulation.advance(steps * STEP)

    def rival() -> None:
        mujoco.mj_step(model, data, max(1, steps // 10))

    mine, other = best_times(ours, rival, 3)
    mine, other = mine / steps, other / max(1, steps // 10)
    touching = f"{mine / count * 1e9:.0f} ns each and step, MuJoCo touches in {data.ncon} places"
    report(f"{count} colliding, MuJoCo / ours", other / mine, 1.0, touching)
    return mine


def main() -> None:
    times = [compare(count) for count in COUNTS]
    growth = np.log(times[-1] / times[-3]) / np.log(COUNTS[-1] / COUNTS[-3])
    print(f"time grows from {COUNTS[-3]} on as the number to the power {growth:.2f}")
    times = [collide(count) for count in COLLIDING]
    growth = np.log(times[-1] / times[-2]) / np.log(COLLIDING[-1] / COLLIDING[-2])
    print(f"steps of colliding spheres: from {COLLIDING[-2]} on as the number to the power {growth:.2f}")


if __name__ == "__main__":
    main()
