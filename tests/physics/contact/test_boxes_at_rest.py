"""Boxes, plates and stacks stand still below the angle of friction."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from polhode.simulation.simulation import Simulation
from scenes import G, scene


def basis(matrix):
    return {"basis": matrix.T.tolist()}


def body(shapes, position, name, **more):
    return {"name": name, "support": "free", "shape": shapes, "position": list(position), **more}


def way(ground="cuboid", size=(0.1, 0.1, 0.1), mass=0.4, angle=0.35, above=1.02, kinetic=1.0, stiffness=1e4,
        time_step=1e-3, yaw=0.0, count=1, settle=1.0, heavy=None):  # fmt: skip
    """Largest speed [m/s] by which boxes on a slope have moved in a quarter of a second, after `settle` [s].

    above: coefficient of static friction over the tangent of the angle; kinetic: of kinetic over static; heavy: mass of
    another box beside them, if any.
    """
    static = above * np.tan(angle)
    law = {"stiffness": stiffness, "restitution": 0.3, "static_friction": static, "kinetic_friction": kinetic * static}
    turn = Rotation.from_euler("y", angle).as_matrix()
    normal, turned_box = turn[:, 2], turn @ Rotation.from_euler("z", yaw).as_matrix()
    box = {"kind": "cuboid", "size": list(size), "mass": mass}
    dent = [count * mass * G * np.cos(angle) / (4 * stiffness)]
    dent += [(count - k) * mass * G * np.cos(angle) / (8 * stiffness) for k in range(1, count)]
    boxes = [
        body([box], ((k + 0.5) * size[2] - sum(dent[: k + 1])) * normal, f"box{k}", orientation=basis(turned_box),
             contact=law)
        for k in range(count)
    ]  # fmt: skip
    if heavy:
        place = 0.5 * size[2] * normal + np.array([0, 1, 0])
        boxes.append(body([box | {"mass": heavy}], place, "heavy", orientation=basis(turn), contact=law))
    floor = {}
    if ground == "wall":
        floor = {"wall": [{"name": "slope", "normal": normal.tolist()} | law]}
    else:
        block = {"kind": "cuboid", "size": [4, 4, 0.1], "mass": 1.0}
        boxes.append(body([block], -0.05 * normal, "slope", support="fixed", orientation=basis(turn), contact=law))
    simulation = Simulation(scene(*boxes, time_step=time_step, **floor))
    simulation.advance(settle)
    start = simulation.snapshot().bodies.position[:count]
    simulation.advance(0.25)
    moved = simulation.snapshot().bodies.position[:count] - start
    return np.linalg.norm(moved, axis=1).max() / 0.25


PLATE = (0.3, 0.2, 0.04)


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"size": PLATE, "yaw": 0.7},
        {"size": PLATE, "ground": "wall", "angle": 0.6, "mass": 3.0},
        {"size": PLATE, "count": 3, "above": 1.1},
        {"heavy": 1000.0, "time_step": 5e-4},
        {"above": 1.6, "kinetic": 0.6},
    ],
    ids=str,
)
def test_boxes_do_not_creep_below_the_angle_of_friction(case):
    """Neither below that of static friction, though kinetic friction alone would not hold them."""
    assert way(**case) < 1e-6


@pytest.mark.nightly
def test_random_boxes_do_not_creep_below_the_angle_of_friction():
    rng = np.random.default_rng(4)
    for trial in range(60):
        size = tuple(10 ** rng.uniform(-1.5, -0.5) * rng.uniform([0.7, 0.7, 0.15], [1, 1, 0.6]))
        angle, mass = rng.uniform(0.05, 0.6), 10 ** rng.uniform(-2, 2)
        sinks = rng.uniform(0.0005, 0.01) * size[2]  # under its own weight
        case = {"size": size, "angle": angle, "mass": mass, "stiffness": mass * G / (4 * sinks)}
        case |= {"time_step": 0.05 * np.sqrt(sinks / G) * rng.uniform(0.5, 2), "yaw": rng.uniform(0, 2)}
        case |= {"ground": ("wall", "cuboid")[trial % 2], "above": rng.uniform(1.02, 1.3)}
        assert way(**case, settle=0.7) < 1e-6, (trial, case)
