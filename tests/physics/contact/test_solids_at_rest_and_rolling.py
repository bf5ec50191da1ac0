"""Solids that rest, slide, roll and tip on each other, against statics and equations of motion."""

import numpy as np
import pytest
import trimesh
from scipy.integrate import solve_ivp

from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation
from scenes import scene

G = 9.81
STIFFNESS = 1e5
LAW = {"stiffness": STIFFNESS, "restitution": 0.3, "kinetic_friction": 0.5}
DOWN = [0, 0, -G]


def solid(name, shape, position, **more):
    parts = {"support": "free", "shape": [shape], "contact": LAW, "position": list(position)}
    return {"name": name, **parts, **more}


def cube(name, position, side=0.1, **more):
    return solid(name, {"kind": "cuboid", "size": [side] * 3, "mass": 0.5}, position, **more)


def table(size=2.0, **more):
    shape = {"kind": "cuboid", "size": [size, size, 0.1], "density": 500.0}
    return solid("table", shape, [0, 0, -0.05], **{"support": "fixed", **more})


def inclined(degrees):
    """Gravity of a slope that descends along x."""
    return [G * np.sin(np.radians(degrees)), 0, -G * np.cos(np.radians(degrees))]


def run(*bodies, seconds, gravity=DOWN, step=2e-4, method="rk4", **parts):
    simulation = Simulation(scene(*bodies, gravity=gravity, time_step=step, method=method, **parts))
    simulation.advance_steps(round(seconds / step))
    return simulation


def test_a_stack_of_ten_boxes_stands_still():
    """Box k sinks by the weight above it over the stiffness of the contacts: 4 on the table, 8 between equal boxes,
    whose corners press both ways.
    """
    boxes = [cube(f"box{k}", [0, 0, 0.05 + 0.1 * k]) for k in range(10)]
    bodies = run(table(), *boxes, seconds=2.0, method="semi_implicit_euler").snapshot().bodies
    carried = 0.5 * G * np.arange(10, 0, -1)
    sunk = np.cumsum(carried / (STIFFNESS * np.array([4] + 9 * [8])))
    assert bodies.position[1:, 2] == pytest.approx(0.05 + 0.1 * np.arange(10) - sunk, abs=1e-10)
    assert np.abs(bodies.position[1:, :2]).max() < 1e-12
    assert np.abs(bodies.velocity).max() < 1e-9


def test_a_box_across_another_rests_on_the_eight_crossings_of_their_edges():
    """Each counts by the squared sine of the angle of both edges, 1/2."""
    across = {"axis": [0, 0, 1], "angle": np.pi / 4}
    lower, upper = cube("lower", [0, 0, 0.05]), cube("upper", [0, 0, 0.15], orientation=across)
    bodies = run(table(), lower, upper, seconds=1.0).snapshot().bodies
    sunk = 2 * 0.5 * G / (4 * STIFFNESS), 0.5 * G / (8 * 0.5 * STIFFNESS)
    assert bodies.position[1:, 2] == pytest.approx([0.05 - sunk[0], 0.15 - sum(sunk)], abs=1e-9)
    assert np.abs(bodies.velocity).max() < 1e-6


@pytest.mark.parametrize(("overhang", "falls"), [(0.045, False), (0.055, True)])
def test_a_box_over_the_edge_of_a_table_tips_when_its_centre_is_beyond_it(overhang, falls):
    """The edge is rounded by 2 % of the thickness of the table, 2 mm, beyond which nothing carries."""
    box = cube("box", [1.0 + overhang - 0.05, 0, 0.05])
    bodies = run(table(), box, seconds=0.6).snapshot().bodies
    assert (bodies.position[1, 2] < 0.04) == falls


@pytest.mark.parametrize("kind", ["cylinder", "capsule", "sphere"])
def test_round_solids_roll_down_a_slope(kind):
    """Acceleration g sin/(1 + I/(m r^2)) with I about the axis of rolling."""
    shape = {"kind": kind, "radius": 0.05, "mass": 0.5} | ({} if kind == "sphere" else {"length": 0.1})
    lying = {"axis": [1, 0, 0], "angle": np.pi / 2}
    ball = solid("ball", shape, [-0.5, 0, 0.05 - 1e-5], orientation=lying)
    simulation = run(table(), ball, seconds=0.2, gravity=inclined(10))
    before = simulation.snapshot().bodies
    simulation.advance_steps(1000)
    after, body = simulation.snapshot().bodies, simulation.compiled.model.bodies
    along = body.inertia[1, 2, 2] if kind != "sphere" else body.inertia[1, 0, 0]
    expected = G * np.sin(np.radians(10)) / (1 + along / (0.5 * 0.05**2))
    found = (after.velocity[1, 0] - before.velocity[1, 0]) / 0.2
    assert found == pytest.approx(expected, rel=3e-4)  # it rolls on its radius less the depth, 1e-4 of it
    assert after.velocity[1, 0] == pytest.approx(0.05 * after.angular_velocity[1, 1], rel=1e-3)


@pytest.mark.parametrize("degrees", [20, 35])
def test_a_box_on_a_slope_stands_below_the_angle_of_friction_and_slides_above(degrees):
    """atan(0.5) = 26.6 degrees; beyond it the acceleration is g (sin - mu cos)."""
    box = cube("box", [-0.5, 0, 0.05 - 1e-5])
    simulation = run(table(), box, seconds=0.3, gravity=inclined(degrees))
    before = simulation.snapshot().bodies.velocity[1, 0]
    simulation.advance_steps(500)
    found = (simulation.snapshot().bodies.velocity[1, 0] - before) / 0.1
    expected = G * (np.sin(np.radians(degrees)) - 0.5 * np.cos(np.radians(degrees))) if degrees > 26 else 0.0
    assert found == pytest.approx(expected, abs=1e-6)


def seesaw(t, y, half=0.02, radius=0.05, mass=1.0, plank=3.0, length=2.0):
    """Angle and rate of a plank about its middle, place and speed along it of a ball that rolls on it without slip.

    Lagrange's equations of T = I w^2/2 + m/2 {(v + e w)^2 + (x w)^2} + J/2 (w + v/r)^2, with e = half + r.
    """
    angle, rate, x, speed = y
    inertia, spin, e = plank * (length**2 + 4 * half**2) / 12, 0.4 * mass * radius**2, half + radius
    coupled = mass * e + spin / radius
    matrix = [[mass + spin / radius**2, coupled], [coupled, inertia + mass * (e * e + x * x) + spin]]
    forces = [
        mass * (x * rate**2 + G * np.sin(angle)),
        mass * (G * (e * np.sin(angle) + x * np.cos(angle)) - 2 * x * speed * rate),
    ]
    gained = np.linalg.solve(matrix, forces)
    return [rate, gained[1], speed, gained[0]]


def test_a_ball_on_a_seesaw_moves_as_by_lagrange_s_equations():
    """The difference is that of a contact that gives way by m g/k, 1e-5 m, and falls with 1/k."""
    shape = {"kind": "cuboid", "size": [2.0, 0.3, 0.04], "mass": 3.0}
    law = {"stiffness": 1e6, "restitution": 0.1, "kinetic_friction": 5.0}
    plank = solid("plank", shape, [0, 0, 0], support="axle", axis=[0, 1, 0], contact=law)
    ball = solid("ball", {"kind": "sphere", "radius": 0.05, "mass": 1.0}, [0.02, 0, 0.07 - G / 1e6], contact=law)
    bodies = run(plank, ball, seconds=0.6, step=5e-5).snapshot().bodies
    angle, rate, x, _ = solve_ivp(seesaw, (0, 0.6), [0, 0, 0.02, 0], rtol=1e-10, atol=1e-12).y[:, -1]
    basis = bodies.basis[0]
    assert np.arctan2(-basis[0, 2], basis[0, 0]) == pytest.approx(angle, abs=2e-7)
    assert bodies.position[1] @ basis[0] == pytest.approx(x, abs=2e-7)
    assert bodies.angular_velocity[0, 1] == pytest.approx(rate, abs=1e-6)


def test_the_hull_of_a_mesh_rests_like_the_cuboid_that_it_is(tmp_path):
    trimesh.creation.box(extents=(0.1, 0.1, 0.1)).export(tmp_path / "cube.stl")
    shape = {"kind": "mesh", "file": "cube.stl", "unit": "m", "mass": 0.5}
    described = {
        "world": {"gravity": DOWN},
        "solver": {"method": "rk4", "time_step": 2e-4},
        "body": [table(), solid("mesh", shape, [0, 0, 0.05]), cube("cube", [0.5, 0, 0.05])],
    }
    simulation = Simulation(scene_of(described, "test").in_folder(tmp_path))
    simulation.advance_steps(5000)
    bodies = simulation.snapshot().bodies
    assert bodies.position[1, 2] == pytest.approx(bodies.position[2, 2], abs=1e-9)
    assert bodies.position[2, 2] == pytest.approx(0.05 - 0.5 * G / (4 * STIFFNESS), abs=1e-9)


def test_a_particle_rests_on_a_solid():
    particle = {
        "name": "grain",
        "mass": 0.1,
        "radius": 0.01,
        "position": [0.3, 0.2, 0.01],
        "contact": {"stiffness": 1e5},
    }
    damped = {"stiffness": 1e5, "damping": 20.0}
    simulation = run(table(contact=damped), seconds=1.0, particle=[particle | {"contact": damped}])
    assert simulation.snapshot().points.position[0, 2] == pytest.approx(0.01 - 0.1 * G / 1e5, abs=1e-9)


@pytest.mark.parametrize(("collide", "depth"), [(False, 0.003), (True, 0.0)])
def test_bodies_that_a_joint_ties_press_on_each_other_only_if_told(collide, depth):
    """Two boxes overlap by 3 mm and slide along x on a joint: nothing moves them apart unless they collide."""
    joint = {"kind": "slider", "name": "rail", "first": "a", "second": "b", "axis": [1, 0, 0], "collide": collide}
    boxes = cube("a", [0, 0, 0]), cube("b", [0.097, 0, 0])
    bodies = run(*boxes, seconds=0.2, gravity=[0, 0, 0], joint=[joint]).snapshot().bodies
    assert (bodies.position[1, 0] - bodies.position[0, 0] > 0.1) == collide
    if not collide:
        assert bodies.position[1, 0] == pytest.approx(0.1 - depth, abs=1e-12)


def test_momentum_is_kept_and_the_ledger_closes_while_boxes_tumble():
    """Friction and restitution; the powers are integrated beside the motion, by RK4 through kinks of the force."""
    law = LAW | {"stiffness": 2e3}
    bodies = [
        cube("a", [0, 0, 0], angular_velocity=[3, 2, 1], contact=law),
        cube("b", [0.02, 0.3, 0.03], velocity=[0, -1, 0], angular_velocity=[1, 5, 2], contact=law),
        solid("c", {"kind": "cylinder", "radius": 0.05, "length": 0.1, "mass": 0.4}, [0.04, -0.3, 0.01], contact=law)
        | {"velocity": [0, 1.5, 0], "angular_velocity": [1, 2, 0]},
    ]
    simulation = Simulation(scene(*bodies, gravity=[0, 0, 0], time_step=2e-5, method="rk4"))
    start = simulation.snapshot()
    simulation.advance_steps(25_000)
    end = simulation.snapshot()
    assert end.momentum == pytest.approx(start.momentum, abs=1e-12)
    assert end.ledger.contact < -0.05
    assert end.energy.total - end.ledger.total == pytest.approx(start.energy.total, abs=2e-6)


@pytest.mark.parametrize("thickness", [0.0, 1e-17])
def test_a_mesh_without_thickness_is_refused(tmp_path, thickness):
    trimesh.creation.box(extents=(0.1, 0.1, thickness)).export(tmp_path / "flat.stl")
    shape = {"kind": "mesh", "file": "flat.stl", "unit": "m", "mass": 0.5}
    described = {"solver": {"time_step": 1e-3}, "body": [solid("mesh", shape, [0, 0, 0])]}
    with pytest.raises(InputError, match=r"flat\.stl"):
        Simulation(scene_of(described, "test").in_folder(tmp_path))
