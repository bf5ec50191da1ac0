"""Joints: every kind against a slow twin, closed forms of reactions, order of the methods, drift, redundant sets."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from joint_twin import Rigid, Twin, angle
from meaning import Meaning
from scipy.integrate import solve_ivp

from polhode.analysis.columns import columns
from polhode.engine.diagnostics import observed
from polhode.engine.work import make_work
from polhode.integrators import METHODS
from polhode.physics.bodies.shapes import Orientation
from polhode.physics.joints.redundancy import redundancy_note, redundant_equations
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

G = 9.80665
SIZES = np.array([[0.3, 0.1, 0.05], [0.1, 0.2, 0.3], [0.2, 0.15, 0.1]])
MASSES = np.array([0.7, 1.3, 0.4])
AXES = [(1.0, 2.0, -0.5), (0.3, -1.0, 1.0), (-1.0, 0.4, 0.8)]
ANGLES = [0.7, -1.1, 2.0]


def orientation(k):
    return Orientation(axis=AXES[k], angle=ANGLES[k]).matrix()


def bodies(count):
    """Free cuboids, of which the origin of the second one is not the centre of mass."""
    return [
        {
            "name": f"b{k}",
            "support": "free",
            "position": [0.4 * k, 0.1 * k, -0.05 * k],
            "orientation": {"axis": AXES[k], "angle": ANGLES[k]},
            "velocity": [0.3 - 0.2 * k, 0.1, 0.2 * k],
            "angular_velocity": [1.0 - k, 0.5 * k, 2.0 - 1.5 * k],
            "shape": [
                {
                    "kind": "cuboid",
                    "size": SIZES[k].tolist(),
                    "mass": float(MASSES[k]),
                    "position": [0.0, 0.02 * (k == 1), 0.0],
                }
            ],
        }
        for k in range(count)
    ]


def simulated(count, joints, **settings):
    solver = {"time_step": 2.5e-4} | settings
    return Simulation(scene_of({"format": 1, "solver": solver, "body": bodies(count), "joint": joints}, ""))


def twin_of(simulation, equations, forces=None):
    """The twin that begins where a simulation does; `equations` of poses (centre of mass, columns u1 u2 u3) and t."""
    now = simulation.snapshot().bodies
    rigid = []
    for k in range(len(now.position)):
        turn = now.basis[k].T
        arm = turn @ np.array([0.0, 0.02 * (k == 1), 0.0])
        moments = MASSES[k] / 12 * np.diag(np.sum(SIZES[k] ** 2) - SIZES[k] ** 2)
        spin = now.angular_velocity[k]
        rigid.append(
            Rigid(MASSES[k], moments, now.position[k] + arm, turn, now.velocity[k] + np.cross(spin, arm), spin)
        )

    def loads(poses, motion, time):
        found = np.zeros((len(poses), 6))
        found[:, 2] = -G * MASSES[: len(poses)]
        return found if forces is None else found + forces(poses, motion, time)

    return Twin(rigid, equations, loads)


def agree(simulation, twin, until, tolerance=3e-9):
    """Run both, and compare poses, velocities and accelerations at the end."""
    simulation.advance_steps(round(until / simulation.time_step))
    position, turn, motion = twin.run(until)
    now = simulation.snapshot().bodies
    arms = np.array([t @ [0.0, 0.02 * (k == 1), 0.0] for k, t in enumerate(turn)])
    np.testing.assert_allclose(now.position + arms, position, rtol=0, atol=tolerance)
    np.testing.assert_allclose(np.swapaxes(now.basis, 1, 2), turn, rtol=0, atol=tolerance)
    np.testing.assert_allclose(now.angular_velocity, motion[:, 3:], rtol=0, atol=10 * tolerance)
    np.testing.assert_allclose(now.velocity + np.cross(now.angular_velocity, arms), motion[:, :3], atol=10 * tolerance)


def table(simulation):
    """The row of the table now, by the names of the columns."""
    compiled = simulation.compiled
    work, state = make_work(compiled.model, compiled.inputs), simulation.state.copy()
    row = observed(compiled.model, compiled.inputs, np.array([simulation.time]), state[None], work)[0]
    return dict(zip(columns(simulation.compiled), row.tolist(), strict=True))


# Every kind between two free bodies, against the twin

A, B = np.array([0.2, 0.05, -0.1]), np.array([0.1, 0.0, 0.3])
"""Place of the joint in the laboratory at the start, and its axis."""
AXIS = B / np.linalg.norm(B)


def local(k, place):
    """A place in the laboratory at the start, in the frame of body k, from its centre of mass."""
    origin = np.array([0.4 * k, 0.1 * k, -0.05 * k])
    return orientation(k).T @ (np.asarray(place) - origin) - np.array([0.0, 0.02 * (k == 1), 0.0])


def vector(k, direction):
    return orientation(k).T @ np.asarray(direction)


def at(pose, arm):
    return pose[0] + pose[1] @ arm


E1 = np.cross(AXIS, [0.0, 1.0, 0.0]) / np.linalg.norm(np.cross(AXIS, [0.0, 1.0, 0.0]))
E2 = np.cross(AXIS, E1)


def directions(poses, pairs):
    """p.q of directions p of the first and q of the second body, given in the laboratory at the start."""
    return np.array([(poses[0][1] @ vector(0, p)) @ (poses[1][1] @ vector(1, q)) for p, q in pairs])


def gap(poses):
    return at(poses[1], local(1, A)) - at(poses[0], local(0, A))


def across(poses):
    """Components of the gap across the axis of the first body."""
    return np.array([gap(poses) @ (poses[0][1] @ vector(0, e)) for e in (E1, E2)])


def turn_angle(poses):
    """Angle of the second body about the axis."""
    (x, y) = directions(poses, [(E1, E1), (E2, E1)])
    return angle(x, y)


PERPENDICULAR = [(E1, AXIS), (E2, AXIS)]
EQUATIONS = {
    "ball": lambda poses, t: gap(poses),
    "hinge": lambda poses, t: np.concatenate([gap(poses), directions(poses, PERPENDICULAR)]),
    "slider": lambda poses, t: np.concatenate([across(poses), directions(poses, [*PERPENDICULAR, (E1, E2)])]),
    "cylindrical": lambda poses, t: np.concatenate([across(poses), directions(poses, PERPENDICULAR)]),
    "universal": lambda poses, t: np.concatenate([gap(poses), directions(poses, [(AXIS, E1)])]),
    "weld": lambda poses, t: np.concatenate([gap(poses), directions(poses, [*PERPENDICULAR, (E1, E2)])]),
    "distance": lambda poses, t: np.array([rod(poses) @ rod(poses)]),
}


def rod(poses):
    return poses[1][0] - at(poses[0], local(0, A))


def joint(kind, **more):
    """A joint of a kind between the first two bodies."""
    stated = {"name": "j", "kind": kind, "first": "b0", "second": "b1", "anchor": A.tolist()}
    if kind not in ("ball", "weld", "distance"):
        stated["axis"] = vector(0, AXIS).tolist()
    if kind == "universal":
        stated["second_axis"] = vector(1, E1).tolist()
    if kind == "distance":
        del stated["anchor"]
        stated["anchor_first"] = (local(0, A)).tolist()
        stated["anchor_second"] = [0.0, 0.02, 0.0]
    return stated | more


@pytest.mark.parametrize("kind", EQUATIONS)
def test_every_kind_agrees_with_the_twin(kind):
    simulation = simulated(2, [joint(kind)])
    agree(simulation, twin_of(simulation, EQUATIONS[kind]), 0.1)


def test_springs_friction_and_motors_agree_with_the_twin():
    law = {
        "friction": 0.02,
        "spring": {"stiffness": 3.0, "damping": 0.05, "rest": 0.4},
        "motor": {"torque": "sin(9*t)"},
    }

    def forces(poses, motion, time):
        axis = np.real(poses[0][1] @ vector(0, AXIS))
        rate = (motion[1, 3:] - motion[0, 3:]) @ axis
        along = -3.0 * (np.real(turn_angle(poses)) + 0.3 - 0.4) - 0.07 * rate + sin(9 * time)
        return np.array([[0, 0, 0, *(-along * axis)], [0, 0, 0, *(along * axis)]])

    simulation = simulated(2, [joint("hinge", angle=0.3, **law)])
    agree(simulation, twin_of(simulation, EQUATIONS["hinge"], forces), 0.04)
    now = simulation.snapshot()
    start = Simulation(simulation.scene).snapshot()
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, abs=1e-9)
    assert now.ledger.joint_friction < -1e-4
    assert now.ledger.damping < -1e-4


def test_a_slider_with_a_spring_and_a_force_agrees_with_the_twin():
    law = {"friction": 0.4, "spring": {"stiffness": 30.0, "damping": 0.5, "rest": 0.1}, "motor": {"torque": "2*t"}}

    def forces(poses, motion, time):
        (x, r), (y, s) = poses
        axis, n = np.real(r @ vector(0, AXIS)), local(1, A)
        arm_b, arm_a = s @ n, at((y, s), n) - x
        rate = motion[1, :3] + np.cross(motion[1, 3:], arm_b) - motion[0, :3] - np.cross(motion[0, 3:], r @ local(0, A))
        way = at((y, s), n) - at((x, r), local(0, A))
        speed = axis @ rate + np.cross(motion[0, 3:], axis) @ way
        pull = (-30.0 * (axis @ way - 0.1) - 0.9 * speed + 2 * time) * axis
        return np.array([[*-pull, *np.cross(arm_a, -pull)], [*pull, *np.cross(arm_b, pull)]])

    simulation = simulated(2, [joint("slider", **law)])
    agree(simulation, twin_of(simulation, EQUATIONS["slider"], forces), 0.04)


@pytest.mark.parametrize("kind", ["hinge", "slider"])
def test_a_motor_enforces_its_speed(kind):
    """The twin has the integral of the speed, 3 + 2 sin(4 t), as a place."""

    def equations(poses, t):
        place = turn_angle(poses) if kind == "hinge" else gap(poses) @ (poses[0][1] @ vector(0, AXIS))
        wanted = scale * (3 * t + (1 - np.cos(4 * t)) / 2)
        return np.concatenate([EQUATIONS[kind](poses, t), [place - wanted]])

    scale = 1.0 if kind == "hinge" else 0.1
    simulation = simulated(2, [joint(kind, motor={"speed": f"{scale}*(3 + 2*sin(4*t))"})])
    start = simulation.snapshot()
    agree(simulation, twin_of(simulation, equations), 0.1)
    now = simulation.snapshot()
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, abs=1e-9)
    assert abs(now.ledger.motor) > 1e-4


def test_a_gear_ties_two_hinges():
    hinges = [
        {"name": f"h{k}", "kind": "hinge", "first": f"b{k}", "anchor_first": [0, 0.02 * (k == 1), 0], "axis": axis}
        for k, axis in enumerate(([1, 0, 0], [0, 1, 0]))
    ]
    gear = {"name": "g", "kind": "gear", "first": "h0", "second": "h1", "ratio": -2.5}
    simulation = simulated(2, [*hinges, gear])
    starts = [orientation(k) for k in range(2)]
    places = [np.array([0.4 * k, 0.1 * k, -0.05 * k]) + orientation(k) @ [0, 0.02 * (k == 1), 0] for k in range(2)]
    axes = [starts[k] @ np.eye(3)[k] for k in range(2)]

    def equations(poses, t):
        found, angles = [], []
        for k, (x, turn) in enumerate(poses):
            e = np.eye(3)[1 - k]
            f = np.cross(np.eye(3)[k], e)
            found += [x - places[k], np.array([(turn @ each) @ axes[k] for each in (e, f)])]
            angles.append(-angle((turn @ e) @ (starts[k] @ e), (turn @ e) @ (starts[k] @ f)))
        return np.concatenate([*found, [angles[1] + 2.5 * angles[0]]])

    agree(simulation, twin_of(simulation, equations), 0.1)
    row = table(simulation)
    assert row["h1.angle"] == pytest.approx(-2.5 * row["h0.angle"], abs=1e-12)


def test_three_bodies_in_a_closed_loop_agree_with_the_twin():
    """Ball joints between all three, and one to the laboratory: nothing is redundant."""
    places = {(0, 1): [0.2, 0.0, 0.1], (1, 2): [0.6, 0.2, 0.0], (2, 0): [0.3, 0.3, -0.2], (0, None): [0.0, 0.1, 0.2]}
    joints = [
        {"name": f"j{a}{b}", "kind": "ball", "first": f"b{a}", "anchor": at}
        | ({} if b is None else {"second": f"b{b}"})
        for (a, b), at in places.items()
    ]

    def equations(poses, t):
        return np.concatenate(
            [
                at(poses[a], local(a, place)) - (np.array(place) if b is None else at(poses[b], local(b, place)))
                for (a, b), place in places.items()
            ]
        )

    simulation = simulated(3, joints)
    agree(simulation, twin_of(simulation, equations), 0.04)


@pytest.mark.parametrize("kind", ["ball", "hinge", "slider", "cylindrical", "universal", "weld"])
@pytest.mark.parametrize("chain", [False, True])
def test_trees_and_the_matrix_agree(kind, chain, monkeypatch):
    """By articulated bodies and by the factors of J W J^T: motion and reactions, also where the child comes first."""
    joints = [joint(kind)]
    if chain:
        joints += [{"name": "k", "kind": kind, "first": "b2", "second": "b1", "anchor": [0.5, 0.1, 0.0]}]
        joints += [{"name": "l", "kind": "ball", "first": "b2", "anchor": [0.9, 0.1, 0.0]}]
        if kind not in ("ball", "weld"):
            joints[1]["axis"] = vector(2, AXIS).tolist()
        if kind == "universal":
            joints[1]["second_axis"] = vector(1, E1).tolist()
    by_trees = simulated(3 if chain else 2, joints)
    assert len(by_trees.compiled.model.joints.trees.body) == (3 if chain else 2)
    monkeypatch.setattr("polhode.physics.joints.trees.order.FREEDOM", {})
    by_matrix = simulated(3 if chain else 2, joints)
    assert len(by_matrix.compiled.model.joints.trees.body) == 0
    for simulation in (by_trees, by_matrix):
        simulation.advance_steps(200)
    one, other = by_trees.snapshot(), by_matrix.snapshot()
    np.testing.assert_allclose(one.bodies.basis, other.bodies.basis, rtol=0, atol=1e-11)
    np.testing.assert_allclose(one.bodies.position, other.bodies.position, rtol=0, atol=1e-11)
    np.testing.assert_allclose(one.bodies.velocity, other.bodies.velocity, rtol=0, atol=1e-10)
    np.testing.assert_allclose(one.joints.force, other.joints.force, rtol=0, atol=1e-7)
    np.testing.assert_allclose(one.joints.torque, other.joints.torque, rtol=0, atol=1e-7)


def test_each_component_is_solved_in_its_own_way():
    """A pendulum of two rods beside a loop of ball joints: each moves as alone, the first one as a tree."""
    loop = [
        {
            "name": f"l{k}",
            "kind": "ball",
            "first": f"b{k}",
            "second": f"b{(k + 1) % 3}",
            "anchor": [0.2 * k, 0.1 * k**2, 0.0],
        }
        for k in range(3)
    ]
    tree = rods(1.0, 0.4, time_step=2.5e-4)
    alone = Simulation(tree), simulated(3, loop)
    both = Simulation(
        scene_of(
            {
                "format": 1,
                "solver": {"time_step": 2.5e-4},
                "body": [*bodies(3), *(body.model_dump(exclude_unset=True) for body in tree.body)],
                "joint": [*loop, *(each.model_dump(exclude_unset=True) for each in tree.joint)],
            },
            "",
        )
    )
    assert [len(each.compiled.model.joints.trees.body) for each in (*alone, both)] == [2, 0, 2]
    for simulation in (*alone, both):
        simulation.advance_steps(400)
    one, other, now = (simulation.snapshot() for simulation in (*alone, both))
    for name in ("position", "basis", "velocity"):
        wanted = np.concatenate([getattr(other.bodies, name), getattr(one.bodies, name)])
        np.testing.assert_allclose(getattr(now.bodies, name), wanted, rtol=0, atol=1e-13)
    np.testing.assert_allclose(now.joints.force, np.concatenate([other.joints.force, one.joints.force]), atol=1e-10)


# Closed forms


def rods(*angles, length=0.5, mass=0.6, **solver):
    """A pendulum of thin rods that hang on hinges along y, at angles [rad] from the vertical."""
    parts, joints, place = [], [], np.zeros(3)
    for k, start in enumerate(angles):
        shape = {"kind": "cuboid", "size": [0.01, 0.01, length], "mass": mass, "position": [0, 0, -length / 2]}
        turn = {"axis": [0, 1, 0], "angle": float(start)}
        parts.append(
            {"name": f"r{k}", "support": "free", "position": place.tolist(), "orientation": turn, "shape": [shape]}
        )
        joints.append(
            {"name": f"h{k}", "kind": "hinge", "first": f"r{k}", "axis": [0, 1, 0], "anchor_first": [0, 0, 0]}
        )
        if k > 0:
            joints[-1] |= {"second": f"r{k - 1}", "anchor_second": [0, 0, -length]}
        place = place - length * np.array([sin(start), 0.0, cos(start)])
    return scene_of({"format": 1, "solver": {"time_step": 1e-3} | solver, "body": parts, "joint": joints}, "")


def double_pendulum(time, y, length=0.5, mass=0.6):
    """Angles from the vertical and their rates of two equal rods, by Lagrange's equations."""
    a, b, p, q = y
    own = mass * (length**2 + 1e-4) / 12 + mass * length**2 / 4
    matrix = np.array(
        [
            [own + mass * length**2, mass * length**2 / 2 * cos(a - b)],
            [mass * length**2 / 2 * cos(a - b), own],
        ]
    )
    bend = mass * length**2 / 2 * sin(a - b)
    force = [
        -bend * q**2 - 1.5 * mass * G * length * sin(a),
        bend * p**2 - 0.5 * mass * G * length * sin(b),
    ]
    return [p, q, *np.linalg.solve(matrix, force)]


def test_a_double_rod_pendulum_agrees_with_minimal_coordinates():
    simulation = Simulation(rods(1.0, 1.0, time_step=2e-4))
    simulation.advance_steps(25_000)
    wanted = solve_ivp(double_pendulum, (0, 5), [1.0, 1.0, 0, 0], "DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    row = table(simulation)
    assert [sin(wanted[0]), cos(wanted[0])] == pytest.approx([row["r0.u3.x"], row["r0.u3.z"]], abs=1e-8)
    assert [sin(wanted[1]), cos(wanted[1])] == pytest.approx([row["r1.u3.x"], row["r1.u3.z"]], abs=1e-8)


def test_reactions_of_a_swinging_rod_are_those_of_the_textbook():
    """At the angle a the hinge of a rod of mass m, length l and inertia J about it carries along the rod
    m g cos a + m (l/2) w^2 and across it m g sin a (1 - m l^2/(4 J)).
    """
    simulation = Simulation(rods(1.0))
    simulation.advance_steps(300)
    row = table(simulation)
    m, length = 0.6, 0.5
    about = m * (length**2 + 1e-4) / 12 + m * length**2 / 4
    along = np.array([row["r0.u3.x"], row["r0.u3.y"], row["r0.u3.z"]])
    swing = np.arctan2(along[0], along[2])
    rate = row["r0.angular_velocity.y"]
    force = -np.array([row["h0.force.x"], row["h0.force.y"], row["h0.force.z"]])  # on the rod, the first body
    across = np.array([along[2], 0.0, -along[0]])
    assert force @ along == pytest.approx(m * G * cos(swing) + m * length / 2 * rate**2, rel=1e-12)
    assert abs(force @ across) == pytest.approx(m * G * abs(sin(swing)) * (1 - m * length**2 / 4 / about), rel=1e-9)
    assert row["h0.angle"] == pytest.approx(1.0 - swing, abs=1e-12)  # of the laboratory about the rod


def test_small_swings_of_a_chain_are_those_of_its_matrices():
    """Squares of the angular frequencies of rods are the eigenvalues of M^-1 K; a mode comes back after its period."""
    n, length, mass = 3, 0.5, 0.6
    inertia, weight = np.zeros((n, n)), np.zeros(n)
    for k in range(n):
        arms = np.where(np.arange(n) < k, length, np.where(np.arange(n) == k, length / 2, 0.0))
        inertia += mass * np.outer(arms, arms)
        inertia[k, k] += mass * (length**2 + 1e-4) / 12
        weight += mass * G * arms
    squares, modes = np.linalg.eig(np.linalg.solve(inertia, np.diag(weight)))
    mode = 1e-5 * modes[:, 0] / np.abs(modes[:, 0]).max()
    period = 2 * pi / sqrt(squares[0])
    simulation = Simulation(rods(*mode, time_step=period / 2000))
    simulation.advance_steps(2000)
    np.testing.assert_allclose(simulation.snapshot().bodies.basis[:, 2, 0], np.sin(mode), rtol=0, atol=1e-12)


# Orders, drift, redundant sets


@pytest.mark.parametrize("method", METHODS)
def test_methods_keep_their_order(method):
    errors = []
    exact = Simulation(rods(1.0, 0.4, time_step=1e-4))
    exact.advance_steps(5000)
    steps = (25, 50) if METHODS[method].ORDER == 8 else (100, 200)
    for count in steps:
        simulation = Simulation(rods(1.0, 0.4, time_step=0.5 / count, method=method))
        simulation.advance_steps(count)
        errors.append(np.abs(simulation.snapshot().bodies.basis - exact.snapshot().bodies.basis).max())
    assert errors[1] < 1e-11 or np.log2(errors[0] / errors[1]) > METHODS[method].ORDER - 0.25


@pytest.mark.parametrize("steps", [20_000, pytest.param(1_000_000, marks=pytest.mark.nightly)])
def test_constraints_do_not_drift(steps):
    simulation = Simulation(rods(2.0, 1.0, 2.5))
    start = simulation.snapshot().energy.total
    simulation.advance_steps(steps)
    now = simulation.snapshot().bodies
    ends = now.position[:-1] - 0.5 * now.basis[:-1, 2]
    np.testing.assert_allclose(now.position[1:], ends, rtol=0, atol=1e-14)
    np.testing.assert_allclose(now.position[0], 0.0, rtol=0, atol=1e-14)
    np.testing.assert_allclose(now.basis[:, 1], [[0, 1, 0]] * 3, rtol=0, atol=1e-14)
    assert abs(simulation.snapshot().energy.total - start) < 1e-9 * steps


def four_bars(kinds=("hinge",) * 4):
    """A parallelogram of three bars and the laboratory, in a plane: with four hinges three equations are redundant."""
    places = [(0.0, 0.0), (0.0, -0.4), (0.6, -0.4), (0.6, 0.0)]
    bars, joints = [], []
    for k in range(3):
        (x, z), (u, w) = places[k], places[k + 1]
        size = [abs(u - x) or 0.02, 0.02, abs(w - z) or 0.02]
        shape = {"kind": "cuboid", "size": size, "mass": 0.5}
        bars.append({"name": f"bar{k}", "support": "free", "position": [(x + u) / 2, 0, (z + w) / 2], "shape": [shape]})
    for k, (x, z) in enumerate(places):
        first = f"bar{min(k, 2)}"
        joints.append({"name": f"h{k}", "kind": kinds[k], "first": first, "anchor": [x, 0, z]})
        if kinds[k] == "hinge":
            joints[-1]["axis"] = [0, 1, 0]
        if k in (1, 2):
            joints[-1]["second"] = f"bar{k - 1}"
    bars[0]["angular_velocity"] = [0, 2.0, 0]
    return scene_of({"format": 1, "body": bars, "joint": joints}, "")


def test_a_redundant_linkage_moves_as_one_that_is_not():
    """One hinge and three joints that leave more room hold a parallelogram in its plane as well."""
    both = [Simulation(four_bars()), Simulation(four_bars(("hinge", "ball", "universal", "ball")[:1] + ("ball",) * 3))]
    start = both[0].snapshot().energy.total
    for simulation in both:
        simulation.advance_steps(1500)
    one, other = (simulation.snapshot() for simulation in both)
    np.testing.assert_allclose(one.bodies.position, other.bodies.position, rtol=0, atol=1e-9)
    redundant = [redundant_equations(simulation.compiled).sum() for simulation in both]
    assert redundant == [3, 0]  # 20 equations hold 18 freedoms but one
    note = redundancy_note(both[0].compiled)
    assert note is not None
    assert Meaning("", "equations", count=3).of(note)
    assert one.energy.total == pytest.approx(start, abs=1e-7)
    assert np.abs(one.bodies.position[1] - [0.3, 0, -0.4]).max() > 0.005


def test_momentum_of_a_free_linkage_is_kept():
    data = {"format": 1, "world": {"gravity": [0, 0, 0]}, "solver": {"time_step": 1e-3}, "body": bodies(3)}
    data["joint"] = [
        joint("universal"),
        {"name": "k", "kind": "ball", "first": "b1", "second": "b2", "anchor": [0.5] * 3},
    ]
    simulation = Simulation(scene_of(data, ""))
    before = simulation.snapshot()
    simulation.advance_steps(2000)
    after = simulation.snapshot()
    assert np.array(after.momentum) == pytest.approx(np.array(before.momentum), abs=1e-12)
    assert np.array(after.angular_momentum) == pytest.approx(np.array(before.angular_momentum), abs=1e-9)


def test_a_rod_hangs_on_a_driven_body_and_the_ledger_closes():
    driven = {
        "name": "hand",
        "support": "driven",
        "motion": {"kind": "ellipse", "r1": [0.1, 0, 0], "r2": [0, 0.05, 0], "angular_frequency": 5.0},
        "angular_velocity": [0, 0, 1.0],
        "shape": [{"kind": "sphere", "radius": 0.02, "mass": 1}],
    }
    rod_ = {
        "name": "rod",
        "support": "free",
        "position": [0.1, 0, -0.2],
        "shape": [{"kind": "cuboid", "size": [0.02, 0.02, 0.4], "mass": 0.3}],
    }
    held = {"name": "j", "kind": "universal", "first": "rod", "second": "hand", "anchor": [0.1, 0, 0]}
    held |= {"axis": [1, 0, 0], "second_axis": [0, 1, 0], "friction": 0.01}
    errors = []
    for step in (1e-3, 5e-4):
        data = {"format": 1, "body": [driven, rod_], "joint": [held], "solver": {"time_step": step}}
        simulation = Simulation(scene_of(data, ""))
        start = simulation.snapshot()
        simulation.advance_steps(round(2 / step))
        now = simulation.snapshot()
        errors.append(now.energy.total - now.ledger.total - start.energy.total + start.ledger.total)
        assert abs(now.ledger.drive) > 1e-2
    assert abs(errors[0]) < 1e-6
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.3)  # of the fourth order
