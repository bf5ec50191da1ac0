"""Scenes of meshes that press as they look, beside closed forms: a tube and marbles, a chain, a ratchet, two gears."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_arguments import placed
from pressing import pressed
from scipy.optimize import brentq

import polhode
from polhode.engine.model import Model
from polhode.physics.bodies.arrays import BODY_SIZE
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from scenes import scene

G = 9.81
RING, WIRE = 0.015, 0.003  # [m] of the chain: radius of the middle of the wire, and of the wire
RINGS = 40
STIFFNESS = 2.5e5  # [N/m] harder than the scene, where the chain is at rest sooner
DRY = {"kinetic_friction": 0.2, "rolling_resistance": 2e-3}


def over_the_tube(off: float, **law: float) -> Simulation:
    """A ball of 10 mm, 0.1 m above the middle of the tube of the scene, and `off` [m] from its axis."""
    contact = {"shape": "mesh", "restitution": 0.3, "stiffness": 5e3} | law
    tube = {"kind": "mesh", "file": "../meshes/tube.stl", "scale": 0.001, "density": 1200.0}
    ball = {"kind": "sphere", "radius": 0.01, "density": 2500.0}
    described = scene(
        {"name": "tube", "support": "fixed", "shape": [tube], "contact": contact},
        {"name": "ball", "support": "free", "position": [off, 0, 0.1], "shape": [ball], "contact": contact},
        world={"gravity": [0, 0, -G]},
        solver={"time_step": 2e-4},
    )
    return Simulation(described.in_folder(gallery.FOLDER))


def touches(simulation: Simulation, until: float) -> bool:
    """Whether anything has pressed at any of the steps up to a time [s]."""
    touched = False
    while simulation.time < until - 1e-9:
        simulation.advance_steps(1)
        touched |= simulation.snapshot().energy.elastic > 0.0
    return touched


def test_a_ball_on_the_axis_of_a_tube_falls_through_it() -> None:
    simulation = over_the_tube(0.0)
    assert not touches(simulation, 0.2)
    simulation.advance(0.201928 - simulation.time)
    ball = simulation.snapshot().bodies
    assert ball.position[1] == pytest.approx([0, 0, -0.1], abs=1e-6)
    assert ball.velocity[1] == pytest.approx([0, 0, -1.98091], abs=1e-5)


def test_a_ball_over_the_rim_of_a_tube_comes_to_rest_on_it() -> None:
    """Its centre is a radius above the rim, less its weight over the stiffness. The face of the field is not quite
    level: without resistance to rolling the ball would move by some mm/s.
    """
    simulation = over_the_tube(0.035, **DRY)
    simulation.advance(2.0)
    ball, weight = simulation.snapshot().bodies, 4 / 3 * np.pi * 0.01**3 * 2500 * G
    assert np.abs(ball.velocity[1]).max() < 1e-6
    assert ball.position[1] == pytest.approx([0.035, 0, 0.06 - weight / 5e3], abs=3e-5)


def test_a_ball_on_a_frictionless_rim_does_not_drift_sideways() -> None:
    """The tube is 51.2 cells wide; the field is symmetric all the same."""
    simulation = over_the_tube(0.035)
    simulation.advance(2.0)
    assert abs(simulation.snapshot().bodies.position[1][1]) < 1e-6


def test_a_ball_over_the_inner_edge_of_a_tube_touches_its_wall() -> None:
    """First the edge, 0.1 m - 0.05 m - sqrt(r^2 - (30 mm - 25 mm)^2) below its start."""
    simulation = over_the_tube(0.025)
    fall = 0.05 - np.sqrt(0.01**2 - 0.005**2)
    first = np.sqrt(2 * fall / G)
    assert not touches(simulation, first - 1e-3)
    assert touches(simulation, first + 2e-3)
    simulation.advance(0.6)
    assert simulation.snapshot().bodies.position[1][2] < -0.06  # it has fallen through the tube


def test_marbles_of_the_scene_are_in_the_bowl_but_for_the_one_on_the_rim() -> None:
    simulation = polhode.Simulation(polhode.read_scene("tube_and_marbles"))
    simulation.advance(1.5)
    at, moving = simulation.snapshot().bodies.position[2:], simulation.snapshot().bodies.velocity[3]
    assert at[1] == pytest.approx([0.035, 0.0, 0.26], abs=1e-4)
    assert np.abs(moving).max() < 1e-6
    rest = np.delete(at, 1, axis=0)
    assert rest[:, 2].max() < 0.05
    assert np.hypot(rest[:, 0], rest[:, 1]).max() < 0.07


def overlap_energy(model: Model, stiffness: float, below: float) -> float:
    """Energy [J] of two rings across each other whose centres are `below` [m] beyond the distance at which exact tori
    touch: the law of docs/solids.md with the exact distance of a torus in place of its field.
    """
    fields, shift = model.fields, 2 * (RING - WIRE) + below
    squares = 0.0
    for k, sign in ((0, 1.0), (1, -1.0)):
        first, end = fields.first_point[k], fields.first_point[k + 1]
        x, y, z = (fields.point[first:end] @ fields.axes[k]).T
        x, y, z = -y, x, z + sign * shift  # as the other ring sees them, which is turned by a right angle
        outside = np.hypot(np.hypot(x, z) - RING, y) - WIRE
        overlap = np.maximum(fields.rounding[k] - outside, 0.0)
        squares += 0.5 * np.sum(fields.area[first:end] * overlap**4) / fields.patch.min()
    soft = 0.02 * fields.rounding.min()
    return 0.5 * stiffness * (np.sqrt(squares + soft**4) - soft**2)


def hanging() -> tuple[Scene, np.ndarray, float]:
    """The chain upright and without friction, each ring as much lower than 2 (R - r) below the one above as makes
    that one carry the weight of all below; these overlaps (40,) [m], and the mass [kg] of a ring.
    """
    upright = polhode.read_scene("chain_of_forty_rings")
    turns = ({"axis": (0, 0, 1), "angle": 0.0}, {"axis": (0, 0, 1), "angle": np.pi / 2})
    smooth: dict[str, object] = {f"body[{k}].contact.kinetic_friction": 0.0 for k in range(RINGS + 1)}
    smooth |= {f"body[{k}].contact.stiffness": STIFFNESS for k in range(RINGS + 1)} | {"solver.time_step": 1e-4}
    down = 2 * (RING - WIRE) * np.arange(RINGS + 1)

    def at(depths: np.ndarray) -> Scene:
        values = {f"body[{k}].position": (0.0, 0.0, 1.1 - z) for k, z in enumerate(depths)}
        return upright.with_values(values | {f"body[{k}].orientation": turns[k % 2] for k in range(RINGS + 1)} | smooth)

    simulation = Simulation(at(down))
    model, stiffness = simulation.compiled.model, STIFFNESS
    mass = float(model.bodies.mass[1])

    def pull(below: float) -> float:
        step = 1e-7
        return (overlap_energy(model, stiffness, below + step) - overlap_energy(model, stiffness, below - step)) / (
            2 * step
        )

    weights = mass * G * np.arange(RINGS, 0, -1)
    overlaps = np.array([brentq(lambda below, w=w: pull(below) - w, 1e-6, 1e-3) for w in weights])
    return at(down + np.concatenate([[0.0], np.cumsum(overlaps)])), overlaps, mass


def carried(simulation: Simulation) -> np.ndarray:
    """Vertical forces (40,) [N] of each ring on the next one: of its contact alone, as all others are far away."""
    arguments, found = placed(simulation), []
    for k in range(RINGS):
        state = simulation.state.copy()
        for b in {*range(RINGS + 1)} - {k, k + 1}:
            state[BODY_SIZE * b] += 10.0 + b
        found.append(pressed(arguments, state)[1][k + 1, 2])
    return np.array(found)


@pytest.mark.nightly
def test_each_ring_of_a_chain_carries_those_below_it() -> None:
    """Forces between neighbours are the weights to 1e-3, as means of a second in which the chain swings by some mm/s;
    distances of centres have the error of a facet of the mesh.
    """
    described, overlaps, mass = hanging()
    simulation, forces, gaps = Simulation(described), [], []
    simulation.advance(1.5)
    for _ in range(25):
        simulation.advance(0.04)
        forces.append(carried(simulation))
        gaps.append(np.linalg.norm(np.diff(simulation.snapshot().bodies.position, axis=0), axis=1))
    assert np.abs(simulation.snapshot().bodies.velocity).max() < 2e-2
    assert np.mean(forces, axis=0) == pytest.approx(mass * G * np.arange(RINGS, 0, -1), rel=1e-3)
    assert np.mean(gaps, axis=0) == pytest.approx(2 * (RING - WIRE) + overlaps, abs=3e-5)
    assert overlaps[0] > 5 * overlaps[-1]


@pytest.mark.nightly
def test_a_ratchet_turns_one_way_by_whole_teeth() -> None:
    """Two of twenty in each stroke of 2.7; from its end the load turns the wheel back by less than half a tooth."""
    run = polhode.Simulation(polhode.read_scene("ratchet")).run(until=4.0, every=0.01)
    teeth = 20 / (2 * np.pi) * run["axle.angle"]
    assert np.diff(teeth[100::100]) == pytest.approx(2.0, abs=0.01)
    assert (np.maximum.accumulate(teeth) - teeth).max() < 0.5


@pytest.mark.nightly
def test_without_the_pawl_that_holds_the_load_turns_a_wheel_back() -> None:
    scene_of_ratchet = polhode.read_scene("ratchet").with_values({"joint[2].spring.rest": -0.5})
    run = polhode.Simulation(scene_of_ratchet).run(until=2.0, every=0.01)
    teeth = 20 / (2 * np.pi) * run["axle.angle"]
    assert (np.maximum.accumulate(teeth) - teeth).max() > 1.0


@pytest.mark.nightly
@pytest.mark.timeout(1200)
def test_gears_keep_their_ratio_at_each_moment_of_a_turn() -> None:
    """To 1e-3 with the cells of the scene, of a quarter of a millimetre; to 3e-3 with those of a third."""
    cells = {"body[0].contact.detail": 128, "body[1].contact.detail": 186}
    for values, most in (({}, 1e-3), (cells, 3e-3)):
        simulation = Simulation(polhode.read_scene("meshing_gears").with_values(values))
        simulation.advance(0.3)
        run = simulation.run(until=0.3 + 2 * np.pi / 6, every=5e-4)
        assert np.abs(run["wheel.angular_velocity.z"] / 6 - 1).max() < most
