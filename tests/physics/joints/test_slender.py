"""Bodies of joints without inertia about an axis, or with little: the limit of thinner and thinner ones."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest
from joint_twin import Rigid, Twin
from sampling import sampled
from scipy.integrate import solve_ivp

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import body_properties
from polhode.physics.bodies.shapes import Orientation
from polhode.physics.joints.ends import ends_of, frames_of
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

G = 9.80665


# A rod that hangs on a turning cylinder: Lagrange's solution

CYLINDER, ROD, LENGTH = 0.5 * 1.0 * 0.02**2, 0.2 * 0.3**2 / 3, 0.3
"""Moments [kg m^2] of the cylinder about its axis, and of the rod about its end; length [m] of the rod."""


def hanging_rod(radius=None, leaning=1.0, spin=10.0, torque="0", swapped=False, **solver):
    """A cylinder on a hinge about z, and on it, by a hinge about y, a rod that leans from straight down."""
    shape = {"kind": "rod"} if radius is None else {"kind": "cylinder", "radius": radius}
    place = LENGTH / 2 * np.array([-sin(leaning), 0.0, -cos(leaning)])
    moving = {"support": "free", "angular_velocity": [0, 0, spin]}
    cylinder = moving | {"name": "a", "shape": [{"kind": "cylinder", "radius": 0.02, "length": 0.3, "mass": 1.0}]}
    rod = moving | {
        "name": "b",
        "position": place.tolist(),
        "velocity": np.cross([0, 0, spin], place).tolist(),
        "orientation": {"axis": [0, 1, 0], "angle": leaning},
        "shape": [shape | {"length": LENGTH, "mass": 0.2}],
    }
    bearing = {"name": "h", "kind": "hinge", "first": "a", "axis": [0, 0, 1], "anchor": [0, 0, 0]}
    # the laboratory is the second body, on which the torque acts
    bearing["motor"] = {"torque": f"-({torque})"}
    across = {"name": "j", "kind": "hinge", "first": "a", "second": "b", "axis": [0, 1, 0], "anchor": [0, 0, 0]}
    if swapped:  # y of the laboratory is y of the rod as well
        across |= {"first": "b", "second": "a"}
    data = {"format": 1, "world": {"gravity": [0, 0, -G]}, "solver": {"time_step": 1e-3} | solver}
    return scene_of(data | {"body": [rod, cylinder] if swapped else [cylinder, rod], "joint": [bearing, across]}, "")


def rate_by_lagrange(time, radius=0.0, leaning=1.0, spin=10.0, torque=0.0):
    """Rate [rad/s] about z: L_z = (C + A sin^2 b + c cos^2 b) w, A b'' = (A - c) w^2 sin b cos b - m g l/2 sin b."""
    c = 0.2 * radius**2 / 2
    a = ROD + 0.2 * radius**2 / 4

    def inertia(b):
        return CYLINDER + a * sin(b) ** 2 + c * cos(b) ** 2

    def rates(_, y):
        w = y[2] / inertia(y[0])
        return y[1], ((a - c) * w**2 * cos(y[0]) - 0.2 * G * LENGTH / 2) * sin(y[0]) / a, torque

    end = solve_ivp(rates, (0, time), [leaning, 0, inertia(leaning) * spin], "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    return end[2] / inertia(end[0])


def rate_after(scene, time):
    simulation = Simulation(scene)
    simulation.advance(time)
    return float(simulation.snapshot().bodies.angular_velocity[[body.name for body in scene.body].index("a"), 2])


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("radius", [None, 1e-7, 1e-5, 1e-3])
def test_a_rod_on_a_turning_cylinder_moves_as_lagrange_says(radius, swapped):
    """At a step of 1 ms RK4 leaves 2e-9; by 4 ms, 256 times that."""
    for step in (1e-3, 4e-3):
        found = [rate_after(hanging_rod(radius, swapped=swapped, time_step=step), time) for time in (0.1, 1.0)]
        wanted = [rate_by_lagrange(time, radius or 0.0) for time in (0.1, 1.0)]
        assert found == pytest.approx(wanted, abs=1e-8 * (step / 1e-3) ** 4)
    assert wanted == pytest.approx([9.7847, 9.9833], abs=1e-4)


def test_a_motor_in_the_bearing_turns_the_rod():
    found = rate_after(hanging_rod(torque="0.05"), 0.5)
    assert found == pytest.approx(rate_by_lagrange(0.5, torque=0.05), abs=1e-7)


def test_a_motor_that_enforces_a_speed_turns_the_rod():
    """At the rate w the rod leans by cos b = 3 g/(2 l w^2): it stays there when it begins there."""
    leaning = float(np.arccos(3 * G / (2 * LENGTH * 12.0**2)))
    data = hanging_rod(leaning=leaning, spin=12.0).model_dump(exclude_unset=True)
    data["joint"][0]["motor"] = {"speed": "-12"}
    simulation = Simulation(scene_of(data, ""))
    start = simulation.snapshot()
    simulation.advance(0.5)
    now = simulation.snapshot()
    assert now.bodies.angular_velocity == pytest.approx(np.tile([0, 0, 12.0], (2, 1)), abs=1e-8)
    assert now.bodies.position[1, 2] == pytest.approx(start.bodies.position[1, 2], abs=1e-9)
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, abs=1e-9)


def test_nothing_turns_an_axis_that_no_joint_holds():
    """A rod on a ball joint, under a torque about itself: the limit is no motion that has any inertia."""
    rod = {"name": "a", "support": "free", "position": [0.15, 0, 0], "shape": [{"kind": "rod", "length": LENGTH}]}
    rod["shape"][0]["mass"] = 0.2
    rod |= {"orientation": {"axis": [0, 1, 0], "angle": np.pi / 2}, "dipole": [{"moment": [0, 0.4, 0]}]}
    ball = {"name": "j", "kind": "ball", "first": "a", "anchor": [0, 0, 0]}
    world = {"gravity": [0, 0, 0], "magnetic_field": {"kind": "uniform", "value": [0, 0, 0.5]}}
    simulation = Simulation(scene_of({"format": 1, "world": world, "body": [rod], "joint": [ball]}, ""))
    simulation.advance(0.2)
    now = simulation.snapshot().bodies
    assert now.angular_velocity[0] == pytest.approx([0, 0, 0], abs=1e-12)
    assert now.position[0] == pytest.approx([0.15, 0, 0], abs=1e-12)


@pytest.mark.parametrize("support", ["pivot", "axle"])
@pytest.mark.parametrize("radius", [None, 1e-6])
def test_a_support_holds_a_thin_body_as_a_joint_does(support, radius):
    """A rod that hangs on a pivot or lies along its axle, and a block on a hinge across it: as on a ball or a hinge."""
    shape = {"kind": "rod"} if radius is None else {"kind": "cylinder", "radius": radius}
    turned, leaning = ({"axis": [0, 1, 0], "angle": 0.5}, [0.3, 0, 5]) if support == "pivot" else (None, [0, 0, 5])
    rod = {"name": "a", "shape": [shape | {"length": LENGTH, "mass": 0.2, "position": [0, 0, -LENGTH / 2]}]}
    rod |= {"angular_velocity": leaning} | ({} if turned is None else {"orientation": turned})
    block = {"name": "b", "support": "free", "position": [0, 0.2, -0.3], "angular_velocity": [0, 0, 5]}
    block |= {"shape": [{"kind": "cuboid", "size": [0.1, 0.2, 0.15], "mass": 0.7}], "velocity": [-1.0, 0, 0]}
    across = {"name": "j", "kind": "hinge", "first": "a", "second": "b", "axis": [1, 0, 0], "anchor": [0, 0, -0.3]}
    held = {"name": "p", "first": "a", "anchor": [0, 0, 0], "kind": "ball" if support == "pivot" else "hinge"}
    held |= {} if support == "pivot" else {"axis": [0, 0, 1]}
    axle = {"axis": [0, 0, 1]} if support == "axle" else {}

    def after(body, joints):
        data = {"format": 1, "world": {"gravity": [0, 0, -G]}, "solver": {"time_step": 2e-4}}
        simulation = Simulation(scene_of(data | {"body": [body, block], "joint": joints}, ""))
        start = simulation.snapshot().energy.total
        simulation.advance(0.2)
        now = simulation.snapshot()
        assert now.energy.total - now.ledger.total == pytest.approx(start, abs=1e-8)
        return now.bodies

    supported = after(rod | {"support": support} | axle, [across])
    jointed = after(rod | {"support": "free"}, [across, held])
    assert np.abs(supported.angular_velocity).max() > 1.0
    np.testing.assert_allclose(supported.angular_velocity, jointed.angular_velocity, rtol=0, atol=1e-6)
    np.testing.assert_allclose(supported.basis, jointed.basis, rtol=0, atol=1e-7)


def test_a_rod_on_an_axle_along_itself_stays_at_rest():
    """Nothing says how it turns: no inertia, and nothing that holds it."""
    rod = {"name": "a", "support": "axle", "axis": [1, 2, 3], "shape": [{"kind": "rod", "length": LENGTH, "mass": 0.2}]}
    rod["shape"][0]["orientation"] = {"axis": [-2, 1, 0], "angle": float(np.arccos(3 / np.sqrt(14)))}
    simulation = Simulation(scene_of({"format": 1, "world": {"gravity": [0, 0, -G]}, "body": [rod]}, ""))
    simulation.advance(0.1)
    assert np.abs(simulation.snapshot().bodies.angular_velocity).max() == 0.0


# Chains of bodies without inertia about an axis, or about any, against the twin with small moments in place of 0

SMALL = 2e-5  # moment in place of 0, in parts of the largest one
DURATION = 0.05  # [s]
SHAPES = {
    "cuboid": {"size": [0.1, 0.2, 0.15], "mass": 0.7},
    "rod": {"length": 0.3, "mass": 0.2},
    "point": {"mass": 0.3},
}
AXIAL = ("hinge", "slider", "cylindrical", "universal")


def chain(seed):
    """A cuboid, free or held, on which a rod or a point hangs by any joint, and maybe a third body on that."""
    rng = np.random.default_rng(seed)
    count, bodies, joints = int(rng.integers(2, 4)), [], []
    kinds = ["cuboid", str(rng.choice(["rod", "rod", "point"])), str(rng.choice(["cuboid", "rod"]))]
    for k in range(count):
        turn = {"axis": rng.normal(size=3).tolist(), "angle": float(rng.uniform(0, 3))}
        moving = {"velocity": rng.normal(size=3).tolist(), "angular_velocity": (2 * rng.normal(size=3)).tolist()}
        shape = [SHAPES[kinds[k]] | {"kind": kinds[k]}]
        place = {"support": "free", "position": rng.uniform(-0.3, 0.3, 3).tolist(), "orientation": turn}
        bodies.append(place | moving | {"name": f"b{k}", "shape": shape})
    turns = [Orientation(**body["orientation"]).matrix() for body in bodies]
    for k in range(int(rng.integers(2)), count):
        kind, axis, at = str(rng.choice([*AXIAL, "ball", "weld"])), rng.normal(size=3), rng.uniform(-0.1, 0.1, 3)
        joint = {"name": f"j{k}", "kind": kind, "first": f"b{k}", "anchor": (bodies[k]["position"] + at).tolist()}
        joint |= {"second": f"b{k - 1}"} if k else {}
        if kind in AXIAL:
            joint["axis"] = (turns[k].T @ axis).tolist()
        if kind == "universal":
            joint["second_axis"] = (turns[k - 1].T @ np.cross(axis, rng.normal(size=3))).tolist()
            joint["second_axis"] = joint["second_axis"] if k else np.cross(axis, rng.normal(size=3)).tolist()
        joints.append(joint)
    data = {"format": 1, "world": {"gravity": [0, 0, -G]}, "solver": {"time_step": 5e-4}}
    return scene_of(data | {"body": bodies, "joint": joints}, "")


def equations_of(scene):
    """The equations of all joints, written down for complex poses; origins of bodies are their centres of mass."""
    rows = {body.name: k for k, body in enumerate(scene.body)}
    tied = [(joint.kind, ends := ends_of(scene, joint, rows), frames_of(joint, ends)) for joint in scene.joint]

    def equations(poses, _):
        found = []
        for kind, ends, frames in tied:
            sides = [(np.zeros(3), np.eye(3)) if b is None else poses[b] for b in ends.bodies]
            places = [x + turn @ anchor for (x, turn), anchor in zip(sides, ends.anchors, strict=True)]
            (n, e1, e2), (m, _, f2) = (frame @ turn.T for (_, turn), frame in zip(sides, frames, strict=True))
            gap = places[1] - places[0]
            found += [e1 @ gap, e2 @ gap] if kind in ("slider", "cylindrical") else list(gap)
            found += [e1 @ m, e2 @ m] if kind in ("hinge", "slider", "cylindrical", "weld") else []
            found += [e1 @ f2] if kind in ("slider", "weld") else []
            found += [n @ m] if kind == "universal" else []
        return np.array(found)

    return equations


def thinner_and_thinner(scene, start):
    """Positions and rates of the twin at the end, extrapolated from SMALL and half of it to moments of 0."""
    masses = [body_properties(scene, body, Meshes()) for body in scene.body]

    def loads(poses, motion, time):
        return np.array([[0, 0, -G * each.mass, 0, 0, 0] for each in masses])

    ends = []
    for small in (SMALL, SMALL / 2):
        rigid = []
        for k, each in enumerate(masses):
            moments, axes = np.linalg.eigh(each.inertia)
            largest = moments[-1] or 0.01 * each.mass
            tensor = axes @ np.diag(np.where(moments < 1e-9 * largest, small * largest, moments)) @ axes.T
            now = (getattr(start, name)[k] for name in ("velocity", "angular_velocity"))
            rigid.append(Rigid(each.mass, tensor, start.position[k], start.basis[k].T, *now))
        position, _, motion = Twin(rigid, equations_of(scene), loads).run(DURATION, 1e-10)
        ends.append((position, motion[:, 3:]))
    return (2 * half - whole for whole, half in zip(*ends, strict=True))


@pytest.mark.parametrize("seed", sampled(range(40), 24))
def test_chains_agree_with_bodies_that_become_thinner(seed):
    simulation = Simulation(chain(seed))
    start = simulation.snapshot()
    position, rate = thinner_and_thinner(simulation.scene, start.bodies)
    simulation.advance(DURATION)
    now = simulation.snapshot()
    np.testing.assert_allclose(now.bodies.position, position, rtol=0, atol=2e-8)
    np.testing.assert_allclose(now.bodies.angular_velocity, rate, rtol=2e-6, atol=2e-6)  # rounding over small moments
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, abs=1e-9)
