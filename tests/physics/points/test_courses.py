"""Strings over pulleys on bodies and with strands: forces as gradients, conservation laws, a tackle, bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from meaning import refuses
from scipy.integrate import solve_ivp

from polhode import Simulation
from polhode.scene.scene_file import scene_of

G = 9.80665
POINTS = {"a": [[0.05, 0.1, -0.02]], "b": [[0.1, -0.05, 0.05], [-0.1, 0.0, 0.02]], "c": [[0.0, 0.1, 0.1]]}
PLACES = {"a": [0.0, 0.0, 0.0], "b": [0.6, 0.1, 0.2], "c": [0.9, -0.5, 0.3]}
STRANDS = (2.0, 0.0, 1.0 / 3.0)


def body(name: str, position: list[float], mass: float, **more: Any) -> dict[str, Any]:
    shape = {"kind": "cuboid", "size": [0.2, 0.3, 0.1], "mass": mass}
    return {"name": name, "support": "free", "position": position, "shape": [shape]} | more


def three(**string: Any) -> Simulation:
    """Three free bodies without gravity, and a string from a over two points of b to c."""
    bodies = [body(name, PLACES[name], 1.0 + k, angular_velocity=[0.3, k, -1.0]) for k, name in enumerate("abc")]
    given = {
        "from": {"body": "a", "point": POINTS["a"][0]},
        "to": {"body": "c", "point": POINTS["c"][0]},
        "over": POINTS["b"],
        "over_bodies": ["b", "b"],
    }
    tables = {
        "solver": {"time_step": 1e-3},
        "world": {"gravity": [0, 0, 0]},
        "body": bodies,
        "spring": [given | string],
    }
    return Simulation(scene_of(tables, ""))


def total(simulation: Simulation) -> np.ndarray:
    now = simulation.snapshot()
    mass = np.array([1.0, 2.0, 3.0])[:, None]
    of_frame = mass / 12 * np.array([0.1, 0.05, 0.13])  # (b^2 + c^2), (a^2 + c^2), (a^2 + b^2)
    own = np.einsum(
        "ni,nij,nj,njk->nk",
        now.bodies.angular_velocity,
        now.bodies.basis.transpose(0, 2, 1),
        of_frame,
        now.bodies.basis,
    )
    angular = own + np.cross(now.bodies.position, mass * now.bodies.velocity)
    return np.concatenate([(mass * now.bodies.velocity).sum(axis=0), angular.sum(axis=0)])


@pytest.mark.parametrize("strands", [(), STRANDS])
def test_a_string_over_moving_pulleys_keeps_energy_and_momenta(strands: tuple[float, ...]) -> None:
    simulation = three(stiffness=200.0, rest_length=0.5, **({"strands": list(strands)} if strands else {}))
    before, start = total(simulation), simulation.snapshot().energy
    simulation.advance(0.5)
    now = simulation.snapshot().energy
    np.testing.assert_allclose(total(simulation), before, atol=1e-6)  # as far as rk4 does
    assert now.total == pytest.approx(start.total, rel=1e-6)
    assert abs(now.kinetic - start.kinetic) > 0.1


@pytest.mark.parametrize("strands", [(1.0, 1.0, 1.0), STRANDS])
def test_forces_are_gradients_of_the_energy(strands: tuple[float, ...]) -> None:
    """Velocities after a short step from rest are -dU/dx h/m, with U = k (l - l0)^2/2 and numerical derivatives."""
    stiffness, rest, short = 50.0, 0.4, 1e-6
    simulation = three(stiffness=stiffness, rest_length=rest, strands=list(strands))
    at_rest = simulation.scene.body
    still = [each.model_copy(update={"angular_velocity": (0.0, 0.0, 0.0)}) for each in at_rest]
    solver = simulation.scene.solver.model_copy(update={"time_step": short})
    simulation = Simulation(simulation.scene.model_copy(update={"body": tuple(still), "solver": solver}))
    simulation.advance(short)
    velocity, turning = simulation.snapshot().bodies.velocity, simulation.snapshot().bodies.angular_velocity

    def energy(shift: np.ndarray, turn: np.ndarray) -> float:
        course = []
        for k, name in enumerate("abc"):
            for point in POINTS[name]:
                arm = np.array(point)
                course.append(np.array(PLACES[name]) + shift[k] + arm + np.cross(turn[k], arm))
        length = sum(w * np.linalg.norm(q - p) for w, p, q in zip(strands, course[:-1], course[1:], strict=True))
        return 0.5 * stiffness * (length - rest) ** 2

    for k in range(3):
        mass = 1.0 + k
        moments = mass / 12 * np.array([0.1, 0.05, 0.13])
        for axis in range(3):
            step = np.zeros((3, 3))
            step[k, axis] = 1e-6
            none = np.zeros((3, 3))
            pushed = -(energy(step, none) - energy(-step, none)) / 2e-6 / mass * short
            turned = -(energy(none, step) - energy(none, -step)) / 2e-6 / moments[axis] * short
            assert velocity[k, axis] == pytest.approx(pushed, rel=1e-5, abs=1e-12)
            assert turning[k, axis] == pytest.approx(turned, rel=1e-5, abs=1e-12)


def test_a_tackle_lifts_with_the_number_of_its_strands() -> None:
    """A weight M on a block with 4 strands and a counterweight m on one: l = 4 x + y, 4 m lifts M as m does on a scale.

    Both hang from [0, 0, 0] and [1, 0, 0]: M x'' = M g - 4 T, m y'' = m g - T with T = k (4 x + y - l0).
    """
    heavy, light, stiffness, rest = 3.0, 0.8, 400.0, 4.0 * 0.5 + 0.7
    bodies = [body("heavy", [0, 0, -0.5], heavy), body("light", [1, 0, -0.7], light)]
    spring = {"from": "heavy", "to": "light", "over": [[0, 0, 0], [1, 0, 0]], "strands": [4, 0, 1]}
    spring |= {"stiffness": stiffness, "rest_length": rest}
    tables = {"solver": {"time_step": 1e-3}, "world": {"gravity": [0, 0, -G]}, "body": bodies, "spring": [spring]}
    simulation = Simulation(scene_of(tables, ""))
    simulation.advance(0.4)

    def rates(_: float, y: np.ndarray) -> list[float]:
        tension = stiffness * (4 * y[0] + y[1] - rest)
        return [y[2], y[3], G - 4 * tension / heavy, G - tension / light]

    wanted = solve_ivp(rates, (0, 0.4), [0.5, 0.7, 0, 0], "DOP853", rtol=1e-11, atol=1e-12).y[:2, -1]
    np.testing.assert_allclose(-simulation.snapshot().bodies.position[:, 2], wanted, atol=1e-7)


def test_courses_in_the_laboratory_pull_as_fixed_pulleys() -> None:
    """One strand of each part, stated or not."""
    bodies = [body("a", [0, 0, -0.5], 1.0, velocity=[0.3, 0.1, 0])]
    spring = {"from": {"body": "a", "point": [0, 0.1, 0.05]}, "to": [1, 0, -1], "over": [[0, 0, 0], [1, 0, 0]]}
    spring |= {"stiffness": 30.0, "damping": 0.5, "rest_length": 1.5, "pull_only": True}
    ends = []
    for more in ({}, {"strands": [1, 1, 1]}):
        tables = {"solver": {"time_step": 1e-3}, "body": bodies, "spring": [spring | more]}
        simulation = Simulation(scene_of(tables, ""))
        simulation.advance(0.8)
        ends.append(simulation.snapshot())
    np.testing.assert_allclose(ends[0].bodies.position, ends[1].bodies.position, atol=1e-12)
    assert ends[0].ledger.damping == pytest.approx(ends[1].ledger.damping, abs=1e-12)
    assert ends[0].ledger.damping < -1e-3


def test_the_natural_length_is_that_of_all_strands_at_the_start() -> None:
    simulation = three(stiffness=10.0, strands=list(STRANDS))
    course = [np.array(PLACES[name]) + point for name in "abc" for point in POINTS[name]]
    wanted = 2 * np.linalg.norm(course[1] - course[0]) + np.linalg.norm(course[3] - course[2]) / 3
    assert simulation.compiled.model.springs.rest[0] == pytest.approx(wanted, rel=1e-12)


def test_a_straight_spring_has_strands_too() -> None:
    """Two strands of half the stiffness pull as far as one: T = k (2 l - 2 l0)/4 at 2 strands."""
    ends = []
    for law in ({"stiffness": 40.0, "rest_length": 0.5}, {"stiffness": 10.0, "rest_length": 1.0, "strands": [2]}):
        simulation = three(over=[], over_bodies=[], **law)
        simulation.advance(0.3)
        ends.append(simulation.snapshot().bodies.position)
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)


@pytest.mark.parametrize(
    ("string", "meaning"),
    [
        ({"over_bodies": ["b"]}, ("spring[0].over_bodies", "pulleys")),
        ({"over_bodies": ["b", "d"]}, ("spring[0].over_bodies", "body")),
        ({"strands": [1, 2]}, ("spring[0].strands", "pulleys")),
        ({"strands": [0, 0, 0]}, ("spring[0].strands", "zeros")),
        ({"strands": [1, -1, 1]}, ("spring[0].strands[1]",)),
        ({"over": [[0, 0, 0], [0, 0, 0]]}, ("spring[0].over[1]", "pulley")),
    ],
)
def test_wrong_courses_are_refused(string: dict[str, Any], meaning: tuple[str, ...]) -> None:
    with refuses(*meaning):
        three(stiffness=10.0, **string)
