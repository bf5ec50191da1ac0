"""The motion of a model in MuJoCo, beside that of the scene that is read from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from polhode import Simulation, read_robot
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import body_properties
from polhode.scene.scene import Scene

# Both integrate by rk4; at 0.2 ms its error after half a second, by halving the step, is below 1e-9 in all models.
STEP, TIME, NEAR = 2e-4, 0.5, 1e-6


def opened(folder: Path, text: str, name: str = "model.xml") -> Scene:
    path = folder / name
    path.write_text(text)
    return read_robot(path).scene


def twin(text: str, names: list[str], step: float = STEP):
    """Positions and axes of bodies in MuJoCo at the end. step: [s] that the text states"""
    import mujoco  # noqa: PLC0415  for tests that skip without it

    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    for _ in range(round(TIME / step)):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    return {name: (data.body(name).xpos.copy(), data.body(name).xmat.reshape(3, 3).copy()) for name in names}


def ours(scene: Scene) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Positions of the origins and axes of the bodies of a scene at the end."""
    simulation = Simulation(scene.model_copy(update={"wall": ()}))
    simulation.advance(TIME)
    bodies = simulation.snapshot().bodies
    found = {}
    for b, body in enumerate(scene.bodies):
        found[body.name] = bodies.position[b], bodies.basis[b].T
    return found


def compare_masses(path: Path, near: float = 1e-6, root: Path | None = None) -> set[str]:
    """Compare masses, centres and tensors of all bodies that move with MuJoCo's; returns their names."""
    import mujoco  # noqa: PLC0415  for tests that skip without it

    scene, model = read_robot(path, root=root).scene, mujoco.MjModel.from_xml_path(str(path))
    compared = set()
    for body in scene.body:
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, body.name)
        if number < 0 or body.support == "fixed":
            continue
        turn, found = np.zeros(9), body_properties(scene, body, Meshes())
        mujoco.mju_quat2Mat(turn, model.body_iquat[number])
        axes = turn.reshape(3, 3)
        tensor = axes @ np.diag(model.body_inertia[number]) @ axes.T
        assert abs(found.mass / model.body_mass[number] - 1) < near, body.name
        assert np.abs(found.center - model.body_ipos[number]).max() < near, body.name
        assert np.abs(found.inertia - tensor).max() < near * np.abs(tensor).max(), body.name
        compared.add(body.name)
    return compared


def compare(scene: Scene, text: str, names: list[str]) -> None:
    found, wanted = ours(scene), twin(text, names)
    for name in names:
        for one, other in zip(found[name], wanted[name], strict=True):
            assert np.abs(one - other).max() < NEAR, name
