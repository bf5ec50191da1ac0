"""The energy ledger: what comes in from outside, and that nothing else does."""

import numpy as np
import pytest

from polhode.integrators import METHODS
from polhode.simulation.simulation import Simulation
from scenes import FREE, OTHER, TILTED, scene

ROUND = {
    "name": "led",
    "support": "driven",
    "position": [0.05, 0.02, -0.35],
    "angular_velocity": [0, 2.0, 1.0],
    "motion": {"kind": "ellipse", "r1": [0.03, 0, 0], "r2": [0, 0.02, 0.01], "angular_frequency": 7.0},
    "shape": [{"kind": "sphere", "radius": 0.005, "mass": 0.004}],
    "dipole": [{"moment": [0.3, 0.1, 0.4]}],
}
TURNING = {"kind": "rotating", "cosine": [3e-3, 0, 1e-3], "sine": [0, 2e-3, 0], "angular_frequency": 11.0}


def busy(method="rk4", time_step=1e-3):
    """Friction, a driven magnet and a turning field at once."""
    rubbing = {**TILTED, "friction": 2e-4}
    return scene(rubbing, OTHER, FREE, ROUND, method=method, time_step=time_step, magnetic_field=TURNING)


def residual(method, time_step, until=0.5):
    simulation = Simulation(busy(method, time_step))
    start = simulation.snapshot()
    assert start.ledger.total == 0
    simulation.advance(until)
    now = simulation.snapshot()
    assert min(map(abs, (now.ledger.friction, now.ledger.drive, now.ledger.field))) > 1e-6  # every line is used
    return now.energy.total - now.ledger.total - start.energy.total


@pytest.mark.parametrize("name", METHODS)
def test_the_ledger_closes_as_well_as_the_method_is_good(name):
    """Half the step leaves 2^-order of the residual or less: an oscillation's own error of energy is an order higher.

    A quarter is left for the next order of the error, which is still seen at these steps.
    """
    step = {1: 5e-4, 8: 4e-3}.get(METHODS[name].ORDER, 1e-3)
    coarse, fine = residual(name, step), residual(name, step / 2)
    assert coarse / fine > 0.75 * 2.0 ** METHODS[name].ORDER


def test_the_ledger_closes_for_small_steps():
    assert abs(residual("rk4", 1e-4)) < 1e-13  # of exchanged energies of 1e-2 J


def test_every_line_is_the_integral_of_its_power():
    """Powers from snapshots alone, integrated by Simpson's rule: an error of some 1e-10 of the lines' sizes."""
    described = busy(time_step=2.5e-4)
    simulation = Simulation(described)
    w, cosine, sine = TURNING["angular_frequency"], np.array(TURNING["cosine"]), np.array(TURNING["sine"])
    times = np.linspace(0, 0.2, 401)
    friction, field = [], []
    for time in times:
        simulation.advance(max(0.0, time - simulation.time))
        now = simulation.snapshot().bodies
        friction.append(-2e-4 * now.angular_velocity[0] @ now.angular_velocity[0])
        rate = w * (sine * np.cos(w * time) - cosine * np.sin(w * time))
        field.append(
            -sum(
                np.array(dipole.moment) @ now.basis[b] @ rate
                for b, body in enumerate(described.body)
                for dipole in body.dipole
            )
        )
    weights = np.array([1, *([4, 2] * 199), 4, 1]) * (times[1] / 3)
    ledger = simulation.snapshot().ledger
    assert ledger.friction == pytest.approx(weights @ friction, rel=1e-7)
    assert ledger.field == pytest.approx(weights @ field, rel=1e-7)


def test_an_edit_begins_a_new_ledger():
    simulation = Simulation(busy())
    simulation.advance(0.1)
    simulation.load(busy(method="verlet"))
    assert simulation.snapshot().ledger.total == 0
