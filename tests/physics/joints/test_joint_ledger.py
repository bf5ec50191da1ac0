"""Lines of the energy ledger that joints have: friction, motors, and the projection onto their equations."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.engine.diagnostics import total_energy
from polhode.engine.ledger import PROJECTION
from polhode.engine.model import Step
from polhode.engine.rates import rates
from polhode.engine.work import make_work, run_hooks
from polhode.physics.bodies.arrays import MOMENTUM, POSITION, body_states
from polhode.physics.joints.part import LOOPS, PROJECTED, TREES
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

LENGTH = 0.5


def rods(*ends, motor=None, **hinge):
    """Two rods on hinges along y that hang at 1 rad, and what else the first hinge has; `ends`: further joints."""
    along = -LENGTH * np.array([np.sin(1.0), 0.0, np.cos(1.0)])
    shape = {"kind": "cuboid", "size": [0.02, 0.01, LENGTH], "mass": 0.6, "position": [0, 0, -LENGTH / 2]}
    turn = {"axis": [0, 1, 0], "angle": 1.0}
    parts = [
        {
            "name": f"r{k}",
            "support": "free",
            "position": (k * along).tolist(),
            "orientation": turn,
            "angular_velocity": [0, 2.0 - k, 0],
            "velocity": (k * np.cross([0, 2.0, 0], along)).tolist(),
            "shape": [shape],
        }
        for k in range(2)
    ]
    joints = [
        {"name": "h0", "kind": "hinge", "first": "r0", "axis": [0, 1, 0], "anchor_first": [0, 0, 0]} | hinge,
        {
            "name": "h1",
            "kind": "hinge",
            "first": "r1",
            "second": "r0",
            "axis": [0, 1, 0],
            "anchor_first": [0, 0, 0],
            "anchor_second": [0, 0, -LENGTH],
        },
    ]
    if motor is not None:
        joints[0]["motor"] = motor
    return scene_of({"format": 1, "body": parts, "joint": [*joints, *ends]}, "")


@pytest.mark.parametrize("hinge", [{}, {"limits": {"lower": -9.0}}], ids=["tree", "equations"])
@pytest.mark.parametrize("moved", ["momenta", "positions"])
def test_the_energy_of_a_projection_is_that_which_it_adds(hinge, moved):
    """A state beside the equations is projected: the line is the change of the total energy."""
    compiled = Simulation(rods(spring={"stiffness": 2.0}, **hinge)).compiled
    model, inputs, state = compiled.model, compiled.inputs, compiled.start.copy()
    work, rng = make_work(model, inputs), np.random.default_rng(3)
    rates(model, inputs, 0.0, state, work, work.rate)
    at, size = (MOMENTUM, 1e-2) if moved == "momenta" else (POSITION, 1e-6)  # the former adds energy of second order
    body_states(model.bodies, state)[:, at : at + 3] += size * rng.normal(size=(2, 3))
    before = total_energy(model, inputs, 0.0, state, work)
    rates(model, inputs, 0.0, state, work, work.rate)
    part = LOOPS if hinge else TREES
    run_hooks((*part.assemble, *PROJECTED.finish), Step(model, inputs, 0.0, state, work, work.rate))
    added = total_energy(model, inputs, 0.0, state, work) - before
    assert abs(added) > 1e-8
    assert state[model.ledger + PROJECTION] == pytest.approx(added, rel=1e-4)


@pytest.mark.parametrize("method", ["rk4", "semi_implicit_euler"])
def test_lines_of_friction_motor_and_projection_close_the_ledger(method):
    scene = rods(friction=0.05, motor={"torque": "0.3*sin(5*t)"}, spring={"stiffness": 1.0, "damping": 0.02})
    simulation = Simulation(scene.model_copy(update={"solver": scene.solver.model_copy(update={"method": method})}))
    start = simulation.snapshot().energy.total
    simulation.advance_steps(500)
    now = simulation.snapshot()
    assert now.ledger.joint_friction < -1e-3
    assert abs(now.ledger.motor) > 1e-3
    assert now.ledger.damping < -1e-4
    assert now.ledger.friction == now.ledger.drive == 0.0
    tolerance = 1e-8 if method == "rk4" else 2e-2
    assert now.energy.total - now.ledger.total == pytest.approx(start, abs=tolerance)


def test_a_motor_that_enforces_a_speed_has_its_own_line():
    simulation = Simulation(rods(motor={"speed": "3*cos(4*t)"}))
    start = simulation.snapshot().energy.total
    simulation.advance_steps(500)
    now = simulation.snapshot()
    assert abs(now.ledger.motor) > 1e-2
    assert now.ledger.drive == 0.0
    assert now.energy.total - now.ledger.total == pytest.approx(start, abs=1e-8)
