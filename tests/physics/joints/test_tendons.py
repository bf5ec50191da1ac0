"""Tendons over hinges and sliders: a double pendulum and its twin by Lagrange's equations, limits, friction, energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from meaning import refuses
from scipy.integrate import solve_ivp

from polhode import Simulation
from polhode.scene.scene_file import scene_of

G, MASS, DEPTH, LENGTH, ACROSS = 9.80665, 0.8, 0.3, 0.5, 0.02  # of both links: centre and next hinge below the own one
START = (0.9, -0.4)
BASE = {"name": "base", "support": "fixed", "shape": [{"kind": "sphere", "radius": 0.05, "mass": 1.0}]}
FAR = {"lower": -90.0, "upper": 90.0}  # limits that nothing reaches: the joints are solved by the matrix
COEFFICIENTS = (0.5, -0.8)


def link(name: str, at: np.ndarray, angle: float) -> dict[str, Any]:
    tensor = np.diag([ACROSS, ACROSS, 0.01]) + MASS * DEPTH**2 * np.diag([1.0, 1.0, 0.0])
    stated = {"mass": MASS, "center": [0, 0, -DEPTH], "tensor": tensor.tolist()}
    turned = {"axis": [0, 1, 0], "angle": angle}
    point = {"kind": "point", "mass": MASS}
    return {
        "name": name,
        "support": "free",
        "inertia": stated,
        "shape": [point],
        "position": at.tolist(),
        "orientation": turned,
    }


def pendulum(tendon: dict[str, Any], start: tuple[float, float] = START, step: float = 1e-3) -> Simulation:
    """Two links in a plane, angles about y, with a tendon over both hinges."""
    one, two = start
    elbow = -LENGTH * np.array([np.sin(one), 0, np.cos(one)])
    bodies = [BASE, link("upper", np.zeros(3), one), link("lower", elbow, one + two)]
    hinges = [
        {"name": "h1", "kind": "hinge", "first": "base", "second": "upper", "axis": [0, 1, 0], "angle": one},
        {"name": "h2", "kind": "hinge", "first": "upper", "second": "lower", "axis": [0, 1, 0], "angle": two,
         "anchor_first": [0, 0, -LENGTH]},
    ]  # fmt: skip
    given = {"name": "t", "kind": "tendon", "joints": ["h1", "h2"], "coefficients": list(COEFFICIENTS)} | tendon
    return Simulation(scene_of({"solver": {"time_step": step}, "body": bodies, "joint": [*hinges, given]}, ""))


def twin(tension, armature: float = 0.0, until: float = 1.0, held: bool = False) -> np.ndarray:
    """(2,) angles at the end, by Lagrange's equations.

    tension: of length, rate and time; held: the length is constant
    """
    c = np.array(COEFFICIENTS)
    weight = np.array([MASS * DEPTH + MASS * LENGTH, MASS * DEPTH]) * G

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        relative, speed = y[:2], y[2:]
        to = np.array([[1.0, 0.0], [1.0, 1.0]])  # absolute angles
        a, w = to @ relative, to @ speed
        mixed = MASS * LENGTH * DEPTH
        own = ACROSS + MASS * DEPTH**2
        inertia = np.array([[own + MASS * LENGTH**2, mixed * np.cos(a[1] - a[0])], [mixed * np.cos(a[1] - a[0]), own]])
        swing = mixed * np.sin(a[1] - a[0]) * np.array([w[1] ** 2, -(w[0] ** 2)])
        matrix = to.T @ inertia @ to + armature * np.outer(c, c)
        force = to.T @ (swing - weight * np.sin(a)) + c * tension(c @ relative, c @ speed, t)
        if held:
            whole = np.block([[matrix, -c[:, None]], [c[None], np.zeros((1, 1))]])
            return np.concatenate([speed, np.linalg.solve(whole, np.append(force, 0.0))[:2]])
        return np.concatenate([speed, np.linalg.solve(matrix, force)])

    found = solve_ivp(rates, (0, until), [*START, 0.0, 0.0], "DOP853", rtol=1e-11, atol=1e-12)
    return np.asarray(found.y[:2, -1])


def free(length: float, rate: float, time: float) -> float:
    return -30.0 * (length - 0.4) - 0.5 * rate + 2.0 * np.sin(3.0 * time)


FREE = {"spring": {"stiffness": 30.0, "damping": 0.5, "rest": 0.4}, "motor": {"torque": "2*sin(3*t)"}}


@pytest.mark.parametrize("more", [{}, {"limits": FAR}, {"armature": 0.3}, {"armature": 0.3, "limits": FAR}])
def test_a_tendon_pulls_at_both_hinges_as_in_the_twin(more: dict[str, Any]) -> None:
    """By the tree without equations of its own, and by the matrix with a rotor or limits."""
    simulation = pendulum(FREE | more)
    run = simulation.run(1.0, 0.05)
    wanted = twin(free, more.get("armature", 0.0))
    angles = [float(np.asarray(run[f"h{k}.angle"])[-1]) for k in (1, 2)]
    np.testing.assert_allclose(angles, wanted, atol=1e-8)
    np.testing.assert_allclose(
        run["t.length"], COEFFICIENTS[0] * run["h1.angle"] + COEFFICIENTS[1] * run["h2.angle"], atol=1e-12
    )
    works = sum(np.asarray(run[name]) for name in run if name.startswith("work."))
    assert np.ptp(np.asarray(run["energy.total"]) - works) < 1e-6
    assert np.ptp(np.asarray(run["work.motor"])) > 0.01
    assert np.ptp(np.asarray(run["energy.elastic"])) > 0.1


def test_columns_of_a_tendon_are_its_torque_on_the_second_body_of_its_first_joint() -> None:
    """The torque is c T about the axis, with the tension of the spring at the start."""
    simulation = pendulum({"spring": {"stiffness": 30.0, "rest": 0.4}})
    tension = -30.0 * (np.dot(COEFFICIENTS, START) - 0.4)
    joints = simulation.snapshot().joints
    np.testing.assert_allclose(joints.torque[2], [0.0, COEFFICIENTS[0] * tension, 0.0], atol=1e-12)
    np.testing.assert_allclose(joints.force[2], 0.0, atol=1e-12)
    assert joints.coordinate[2] == pytest.approx(np.dot(COEFFICIENTS, START))


def test_a_limit_holds_the_length_while_it_is_pressed() -> None:
    """Begun at its upper limit with a motor that presses: a constant length, as in the twin with a constraint."""
    length = float(np.dot(COEFFICIENTS, START))
    simulation = pendulum({"limits": {"upper": length}, "motor": {"torque": 40.0}})
    run = simulation.run(0.5, 0.05)
    np.testing.assert_allclose(run["t.length"], length, atol=1e-9)
    wanted = twin(lambda *_: 40.0, until=0.5, held=True)
    np.testing.assert_allclose([float(np.asarray(run[f"h{k}.angle"])[-1]) for k in (1, 2)], wanted, atol=1e-7)


@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_a_tendon_bounces_at_its_limit(restitution: float) -> None:
    """The rate of the length becomes -e times itself, and the energy is lost to the line of contacts."""
    start = (0.0, 0.0)
    simulation = pendulum(
        {"limits": {"upper": 0.05, "restitution": restitution}, "motor": {"torque": 20.0}}, start, 1e-4
    )
    run = simulation.run(0.1, 1e-4)
    length, times = np.asarray(run["t.length"]), np.asarray(run["time"])
    hit = int(np.argmax(length >= 0.05 - 1e-9)) if restitution == 0.0 else int(np.argmax(np.diff(length) < 0))
    rate = np.diff(length) / np.diff(times)
    assert rate[hit - 3] > 0.3
    assert rate[hit + 2] == pytest.approx(-restitution * rate[hit - 3], abs=0.15)
    assert length.max() < 0.05 + 1e-9
    lost = np.asarray(run["work.contact"])
    assert lost[-1] < -1e-3
    works = sum(np.asarray(run[name]) for name in run if name.startswith("work."))
    assert np.ptp(np.asarray(run["energy.total"]) - works) < 1e-6


def test_dry_friction_holds_a_tendon() -> None:
    """The weight pulls with less than the friction: the length stays, and the links swing as with a constraint."""
    simulation = pendulum({"dry_friction": 60.0})
    run = simulation.run(0.5, 0.05)
    np.testing.assert_allclose(run["t.length"], np.dot(COEFFICIENTS, START), atol=1e-9)
    np.testing.assert_allclose(
        float(np.asarray(run["h1.angle"])[-1]), twin(lambda *_: 0.0, until=0.5, held=True)[0], atol=1e-7
    )


def test_a_motor_enforces_the_speed_of_a_tendon() -> None:
    simulation = pendulum({"motor": {"speed": "0.3*t"}})
    run = simulation.run(0.6, 0.05)
    times = np.asarray(run["time"])
    np.testing.assert_allclose(run["t.length"], np.dot(COEFFICIENTS, START) + 0.15 * times**2, atol=1e-9)


def test_a_tendon_over_three_joints_keeps_the_energy() -> None:
    """Six slots of bodies: a slider, and two hinges; with limits, so that it has an equation."""
    bodies = [BASE, *({"name": f"b{k}", "support": "free", "position": [0.3 * k, 0, 0.1 * k], "shape": [
        {"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 0.5 + k}]} for k in range(3))]  # fmt: skip
    joints = [
        {
            "name": "s",
            "kind": "slider",
            "first": "base",
            "second": "b0",
            "axis": [1, 0, 0.5],
            "anchor_first": [0, 0, 0],
        },
        {
            "name": "h",
            "kind": "hinge",
            "first": "b0",
            "second": "b1",
            "axis": [0, 1, 0.3],
            "anchor_second": [0, 0, 0.1],
        },
        {"name": "k", "kind": "hinge", "first": "b1", "second": "b2", "axis": [0, 1, 0], "anchor_second": [0.1, 0, 0]},
    ]
    given = {"name": "t", "kind": "tendon", "joints": ["s", "h", "k"], "coefficients": [2.0, 0.3, -0.4]}
    spring = {"stiffness": 200.0, "rest": 0.1}
    ends = []
    for more in ({}, {"limits": FAR}, {"limits": {"lower": -0.05, "upper": 0.05, "restitution": 1.0}}):
        tables = {"solver": {"time_step": 1e-3}, "body": bodies, "joint": [*joints, given | {"spring": spring} | more]}
        simulation = Simulation(scene_of(tables, ""))
        run = simulation.run(0.5, 0.01)
        assert np.ptp(np.asarray(run["energy.total"])) < 1e-6
        assert np.ptp(np.asarray(run["t.length"])) > 0.02
        assert np.abs(np.asarray(run["t.length"])).max() < more.get("limits", FAR)["upper"] + 1e-9
        ends.append(simulation.snapshot().bodies.position.copy())
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)
    assert np.abs(ends[0] - ends[2]).max() > 1e-3


@pytest.mark.parametrize(
    ("tendon", "meaning"),
    [
        ({"joints": ["h1", "elbow"]}, ("joint[2].joints", "hinge")),
        ({"joints": ["h1", "h1"]}, ("joint[2].joints", "joint")),
        ({"coefficients": [1.0]}, ("joint[2].coefficients", "joints")),
        ({"coefficients": [1.0, 0.0]}, ("joint[2].coefficients", "joint")),
        ({"joints": [], "coefficients": []}, ("joint[2].joints",)),
        ({"limits": {"upper": -9.0}}, ("joint[2].limits.upper", "joint")),
        ({"motor": {"torque": "1/t"}}, ("joint[2].motor.torque",)),
        ({"motor": {"speed": 1.0}, "dry_friction": 1.0}, ("joint[2].dry_friction", "motor")),
    ],
)  # fmt: skip
def test_wrong_tendons_are_refused(tendon: dict[str, Any], meaning: tuple[str, ...]) -> None:
    with refuses(*meaning):
        pendulum(tendon)


def test_a_tendon_of_a_broken_hinge_holds_nothing() -> None:
    """The hinge breaks at once: the links fly freely, and the spring does not pull."""
    simulation = pendulum({"spring": {"stiffness": 30.0}})
    scene = simulation.scene
    broken = scene.joint[1].model_copy(update={"breaks_at": 1e-3})
    simulation = Simulation(scene.model_copy(update={"joint": (scene.joint[0], broken, scene.joint[2])}))
    simulation.advance(0.1)
    now = simulation.snapshot()
    assert now.joints.is_broken[1]
    assert now.energy.elastic == 0.0


def test_numbers_of_a_tendon_change_during_a_run() -> None:
    simulation = pendulum({"spring": {"stiffness": 30.0, "rest": 0.4}})
    simulation.set({"joint[2].spring.stiffness": 0.0})
    simulation.advance(1.0)
    wanted = twin(lambda *_: 0.0)
    np.testing.assert_allclose(simulation.snapshot().joints.coordinate[:2], wanted, atol=1e-8)
