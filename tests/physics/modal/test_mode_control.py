"""Single modes of what moves: their energies, one set off without the others, and some kept out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.physics.modal.arrays import mode_states
from polhode.physics.modal.mode_control import farthest, mode_energies, net_in, posed
from polhode.physics.modal.normal_modes import lowest_modes
from polhode.physics.points.lattice import pairs
from polhode.physics.points.soft_bodies import soft_runs
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from scenes import SOFT as JELLY
from scenes import TUMBLING as MOVING
from scenes import scene

NONE = {"gravity": [0, 0, 0]}
ALL = 3 * 12 - 6  # its modes
HELD = {"fixed": [0, 3, 6, 9]}


def floating(*soft: dict, **parts: object) -> Scene:
    """Soft bodies without gravity."""
    return scene(soft=list(soft), **{"world": NONE, **parts})


def energies(simulation: Simulation, count: int = ALL) -> np.ndarray:
    net = net_in(simulation.compiled, "jelly")
    here, now = simulation.compiled.points["jelly"], simulation.snapshot().points
    modes = lowest_modes(net, min(count, net.available), True)
    return mode_energies(net, modes, now.position[here], now.velocity[here])


def shapes(simulation: Simulation, count: int = ALL) -> np.ndarray:
    return lowest_modes(net_in(simulation.compiled, "jelly"), count, True).shapes


def balance(simulation: Simulation) -> float:
    now = simulation.snapshot()
    return now.energy.total - now.ledger.total


@pytest.mark.parametrize("natural_length", [0.9, 1.0])
@pytest.mark.parametrize("modes", [0, 6])
def test_the_net_of_a_body_that_runs_is_that_of_the_scene(modes: int, natural_length: float) -> None:
    ends = (("jelly.1", "jelly.10"), ("rope.2", "jelly.4"))
    described = floating(
        {"kind": "chain", "name": "rope", "count": 3, "spacing": 0.1, "particle_mass": 0.1, "stiffness": 10.0},
        {**JELLY, **HELD, "modes": modes, "natural_length": natural_length},
        spring=[{"from": start, "to": end, "stiffness": 5.0} for start, end in ends],
    )
    compiled = build(described, Meshes())
    positions, joined = soft_runs(described.soft[1], described, Meshes())
    own = pairs(joined)
    length = np.linalg.norm(positions[own[:, 1]] - positions[own[:, 0]], axis=1)
    net, crossing = net_in(compiled, "jelly"), np.linalg.norm(positions[10] - positions[1])
    assert (net.positions == positions).all()
    assert net.pairs.tolist() == [*own.tolist(), [1, 10]]
    assert net.rest == pytest.approx([*natural_length * length, crossing], rel=1e-14)
    assert net.stiffness.tolist() == [*[described.soft[1].stiffness] * len(own), 5.0]
    assert np.flatnonzero(net.fixed).tolist() == HELD["fixed"]


@pytest.mark.parametrize("fixed", [{}, HELD])
def test_the_energies_of_all_modes_are_the_energy_of_the_deformation(fixed: dict) -> None:
    """A free body turns and flies on besides; amplitudes of 1e-4 of its size leave 1e-4 of w^2 X^2 as not linear."""
    simulation = Simulation(floating({**JELLY, **fixed, **({} if fixed else MOVING), "modes": 0}))
    rigid = simulation.snapshot().energy.kinetic
    shape = shapes(simulation, 8)[6]
    simulation.excite("jelly", shape, 1e-3)
    expected = 0.5 * (1e-3 / farthest(shape)) ** 2
    assert energies(simulation).sum() == pytest.approx(expected, rel=1e-9)
    assert simulation.snapshot().energy.kinetic - rigid == pytest.approx(expected, rel=1e-3 if fixed else 0.05)
    if fixed:
        simulation.advance(0.1)
        now = simulation.snapshot().energy
        assert energies(simulation).sum() == pytest.approx(now.kinetic + now.elastic, rel=1e-3)


def test_the_energies_of_modes_follow_from_the_amplitudes_in_the_state() -> None:
    """Of a deformed body with fixed points Pi = X': the state holds what the points are asked for."""
    simulation = Simulation(floating({**JELLY, **HELD, "modes": 10, "velocity": [0.3, 0.1, 0.2]}))
    simulation.advance(0.2)
    x, rate = mode_states(simulation.compiled.model.modal, simulation.state)
    w = simulation.compiled.modal["jelly"].modes.frequencies
    assert energies(simulation, 10) == pytest.approx(0.5 * rate**2 + 0.5 * w**2 * x**2, abs=1e-14)


@pytest.mark.parametrize("modes", [0, 12])
@pytest.mark.parametrize("body", [HELD, MOVING])
def test_a_mode_that_is_excited_gains_energy_and_no_other_does(modes: int, body: dict) -> None:
    """Also in the midst of a run; the free one turns and is deformed. The ledger has every bit of it."""
    simulation = Simulation(floating({**JELLY, **body, "modes": modes, "modal_damping": 0.02}))
    simulation.advance(0.3)
    before, sum_before, start = energies(simulation, 12), balance(simulation), simulation.snapshot()
    shape = shapes(simulation, 12)[4]
    simulation.excite("jelly", shape, 0.2)
    after, now = energies(simulation, 12), simulation.snapshot()
    assert balance(simulation) == pytest.approx(sum_before, abs=1e-13)
    assert now.ledger.hand == pytest.approx(now.energy.kinetic - start.energy.kinetic, abs=1e-13)
    gained = now.points.velocity - start.points.velocity
    assert np.linalg.norm(gained, axis=1).max() == pytest.approx(0.2, rel=1e-9)
    assert np.array_equal(now.points.position, start.points.position) or modes
    assert now.points.position == pytest.approx(start.points.position, abs=1e-14)
    others = np.arange(12) != 4
    assert after[others] == pytest.approx(before[others], abs=1e-13)
    assert now.momentum == pytest.approx(start.momentum, abs=1e-13) or body is HELD
    root = np.sqrt(2 * 0.5 * (0.2 / farthest(shape)) ** 2)  # what X' gains
    assert abs(after[4] - before[4]) > 1e-3 * root**2
    simulation.advance(0.5)
    assert balance(simulation) == pytest.approx(sum_before, abs=1e-6 * now.energy.kinetic)  # RK4's error


@pytest.mark.parametrize("body", [HELD, {}])
def test_a_mode_swings_at_its_own_frequency(body: dict) -> None:
    """A quarter of its period after a push from rest all its energy is in the springs: 5e-4 of 0.25 m."""
    simulation = Simulation(floating({**JELLY, **body, "modes": 8}))
    modes = simulation.compiled.modal["jelly"].modes
    simulation.excite("jelly", modes.shapes[2], 2e-3)
    start = simulation.snapshot().energy
    assert start.kinetic == pytest.approx(0.5 * (2e-3 / farthest(modes.shapes[2])) ** 2, rel=1e-12)
    simulation.advance(0.5 * np.pi / modes.frequencies[2])
    now = simulation.snapshot().energy
    assert now.elastic == pytest.approx(start.total, rel=1e-5)
    assert now.kinetic < 1e-4 * start.total


@pytest.mark.parametrize("body", [HELD, MOVING])
@pytest.mark.parametrize("method", ["rk4", "verlet", "splitting"])
def test_a_silent_mode_stays_silent_while_the_others_move(body: dict, method: str) -> None:
    described = floating({**JELLY, **body, "modes": 12}, solver={"time_step": 1e-3, "method": method}, world={})
    simulation = Simulation(described)
    simulation.excite("jelly", simulation.compiled.modal["jelly"].modes.shapes[3], 0.3)
    simulation.advance(0.1)
    begun, before = balance(simulation), simulation.snapshot()
    assert energies(simulation, 12)[3] > 1e-4
    simulation.mute("jelly", 3)
    assert simulation.muted == {("jelly", 3)}
    assert balance(simulation) == pytest.approx(begun, abs=1e-12)
    for _ in range(20):
        simulation.advance(0.02)
        now = energies(simulation, 12)
        assert now[3] < 1e-25
        assert now[np.arange(12) != 3].max() > 1e-4
    after = simulation.snapshot()
    assert abs(balance(simulation) - begun) < {"rk4": 1e-7}.get(method, 1e-3) * abs(begun)
    if body is MOVING:  # of what the hand took nothing was momentum
        fall = [0, 0, -9.80665 * 6.0 * (after.time - before.time)]
        assert after.momentum == pytest.approx(before.momentum + fall, rel=1e-9)


def test_the_others_move_as_if_a_silent_mode_had_never_been_kept() -> None:
    """The same as a body that keeps the first three alone."""
    few, more = (Simulation(floating({**JELLY, **MOVING, "modes": count})) for count in (3, 5))
    for mode in (3, 4):
        more.mute("jelly", mode)
    for simulation in (few, more):
        simulation.excite("jelly", shapes(few, 3)[1], 0.4)
        simulation.advance(0.5)
    assert more.snapshot().points.position == pytest.approx(few.snapshot().points.position, abs=1e-12)


@pytest.mark.parametrize("body", [HELD, MOVING])
def test_a_mode_that_sounds_again_begins_from_rest_and_with_the_sum_unchanged(body: dict) -> None:
    simulation = Simulation(floating({**JELLY, **body, "modes": 12, "velocity": [0.4, 0, 0]}))
    simulation.mute("jelly", 2)
    simulation.advance(0.2)
    before, begun = simulation.snapshot(), balance(simulation)
    simulation.mute("jelly", 2, False)
    now = simulation.snapshot()
    assert simulation.muted == frozenset()
    assert now.points.position == pytest.approx(before.points.position, abs=1e-14)
    assert now.points.velocity == pytest.approx(before.points.velocity, abs=1e-13)
    assert now.energy.total == pytest.approx(before.energy.total, abs=1e-12)
    simulation.excite("jelly", shapes(simulation, 12)[2], 0.3)
    simulation.advance(0.3)
    assert energies(simulation, 12)[2] > 1e-4
    assert balance(simulation) == pytest.approx(begun, abs=1e-7)


def test_a_silent_mode_takes_nothing_up() -> None:
    simulation = Simulation(floating({**JELLY, **HELD, "modes": 6}))
    simulation.mute("jelly", 1)
    simulation.excite("jelly", shapes(simulation, 6)[1], 1.0)
    assert simulation.snapshot().energy.kinetic < 1e-25


def test_an_edit_keeps_what_is_silent_and_a_reset_and_a_body_of_points_do_not() -> None:
    body = {**JELLY, **HELD, "modes": 6, "velocity": [0.3, 0.2, 0]}
    simulation = Simulation(floating(body))
    whole = simulation.compiled.model.modal.shapes.copy()
    for mode in (1, 5):
        simulation.mute("jelly", mode)
    simulation.advance(0.1)
    simulation.load(floating(body, solver={"time_step": 5e-4, "method": "rk4"}))
    assert simulation.muted == {("jelly", 1), ("jelly", 5)}
    simulation.advance(0.1)
    assert energies(simulation, 6)[[1, 5]] == pytest.approx(0, abs=1e-25)
    simulation.load(floating({**body, "modes": 4}))
    assert simulation.muted == {("jelly", 1)}
    simulation.load(floating(body))
    simulation.reset()
    assert simulation.muted == frozenset()
    assert np.array_equal(simulation.compiled.model.modal.shapes, whole)
    assert energies(simulation, 6)[1] > 0
    simulation.mute("jelly", 1)
    simulation.load(floating({**body, "modes": 0}))
    assert simulation.muted == frozenset()


@pytest.mark.parametrize(
    ("name", "mode", "said"),
    [
        ("jelly", 6, Meaning("soft", name="jelly", mode=6, kept=6)),
        ("jelly", -1, Meaning("soft", name="jelly", mode=-1)),
        ("no", 0, Meaning("soft", name="no")),
    ],
)
def test_what_has_no_such_mode_is_named(name: str, mode: int, said: Meaning) -> None:
    simulation = Simulation(floating({**JELLY, "modes": 6}))
    before = simulation.state
    with refuses(said):
        simulation.mute(name, mode)
    with refuses("soft", "soft", name="box"):
        simulation.excite("box", np.ones((3, 4)), 1.0)
    assert np.array_equal(simulation.state, before)


def test_a_pose_is_the_shape_about_the_place_and_the_turn_of_now() -> None:
    simulation = Simulation(floating({**JELLY, **MOVING, "modes": 6}))
    net, shape = net_in(simulation.compiled, "jelly"), shapes(simulation, 6)[0]
    simulation.advance(0.4)
    now = simulation.snapshot().points.position
    at_rest, there, back = (posed(net, now, shape, reach) for reach in (0.0, 0.05, -0.05))
    assert there + back == pytest.approx(2 * at_rest, abs=1e-14)
    assert np.linalg.norm(there - at_rest, axis=1).max() == pytest.approx(0.05, rel=1e-12)
    assert at_rest.mean(axis=0) == pytest.approx(now.mean(axis=0), abs=1e-14)
    apart = [np.linalg.norm(x[:, None] - x, axis=-1) for x in (at_rest, net.positions)]
    assert apart[0] == pytest.approx(apart[1], abs=1e-14)  # it is turned, not deformed
    assert np.linalg.norm(at_rest - now, axis=1).max() < 0.1
    for one, other in pairwise((at_rest, there)):
        assert not np.array_equal(one, other)
