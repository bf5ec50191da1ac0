"""Coulomb friction of beads on paths of bodies: against minimal coordinates, paths at rest, and conservation laws."""

import numpy as np
import pytest
from carrying_bodies import BOX, KNOT, LINE, WIRE, box, on, rod
from scipy.integrate import solve_ivp

from polhode.simulation.simulation import Diverged, Simulation
from scenes import G, bead_scene


def rod_reference(seconds: float) -> np.ndarray:
    """(2,) s and u on a rod with I = 0.05 kg m^2 that turns freely about its middle: L = (I + m s^2) W is constant,

    u' = W^2 s - mu |N|/m, N = m (2 u W + s W') = 2 m u W I/(I + m s^2) across the rod, as W' = -2 m s u W/(I + m s^2).
    """
    mass, inertia, level = 0.3, 0.05, (0.05 + 0.3 * 0.1**2) * 6.0

    def slope(_t, y):
        s, u = y
        whole = inertia + mass * s * s
        spin = level / whole
        return [u, spin**2 * s - 0.4 * abs(2 * u * spin * inertia / whole)]

    return solve_ivp(slope, (0, seconds), [0.1, 0.2], "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]


@pytest.mark.parametrize("step", [1e-3, 5e-4])
def test_a_bead_rubs_along_a_rod_that_turns_freely(step):
    bead = on("rod", path=WIRE, parameter=0.6, speed=0.2, kinetic_friction=0.4)
    held = rod(support="axle", axis=[0, 0, 1], angular_velocity=[0, 0, 6.0])
    simulation = Simulation(bead_scene(bead, gravity=0, body=[held], time_step=step))
    first = simulation.snapshot()
    simulation.advance(0.3)
    now, (s, u) = simulation.snapshot(), rod_reference(0.3)
    assert [now.beads.parameter[0] - 0.5, now.beads.speed[0]] == pytest.approx([s, u], abs=1e-9)
    assert now.angular_momentum == pytest.approx(first.angular_momentum, abs=1e-11)
    assert now.energy.total - now.ledger.friction == pytest.approx(first.energy.total, abs=1e-9)
    assert now.ledger.friction < -1e-2


@pytest.mark.parametrize(("static", "rests"), [(0.8, True), (0.55, False)])
@pytest.mark.parametrize("support", ["fixed", "driven"])
def test_on_a_body_that_does_not_yield_as_on_a_path_at_rest(support, static, rests):
    """Up an incline of 30 degrees (tan = 0.577), to a stop, and on or back."""
    incline = {"kind": "line", "start": [0, 0, 0], "end": [np.sqrt(3), 0, 1]}
    rubbing = {"path": incline, "parameter": 0.5, "speed": 2.0, "kinetic_friction": 0.3, "static_friction": static}
    moments = []
    for bead in ({"mass": 0.3, "radius": 0.05, **rubbing}, on("box", **rubbing)):
        body = {"name": "box", "shape": [BOX], "support": support}
        simulation = Simulation(bead_scene(bead, body=[body], time_step=1e-3))
        simulation.advance(0.7)
        moments.append(simulation.snapshot())
    one, other = moments
    assert other.beads.parameter == pytest.approx(one.beads.parameter, abs=1e-9)
    assert other.beads.speed == pytest.approx(one.beads.speed, abs=1e-9)
    assert other.beads.constraint == pytest.approx(one.beads.constraint, abs=1e-8)
    assert other.ledger.friction == pytest.approx(one.ledger.friction, abs=1e-9)
    assert (other.beads.speed[0] == 0) == rests


def test_friction_is_internal_to_a_free_body():
    """Momenta stay while two beads rub on a box; both come to rest relative to it, and stay there."""
    rubbing = {"kinetic_friction": 0.5, "static_friction": 50.0}
    beads = [on("box", path=LINE, parameter=0.5, speed=0.8, **rubbing), on("box", path=KNOT, speed=-1.0, **rubbing)]
    simulation = Simulation(bead_scene(*beads, gravity=0, body=[box("free")], time_step=5e-4))
    first = simulation.snapshot()
    simulation.advance(3.0)
    now = simulation.snapshot()
    assert now.momentum == pytest.approx(first.momentum, abs=1e-9)
    assert now.angular_momentum == pytest.approx(first.angular_momentum, abs=1e-9)
    assert now.energy.total - now.ledger.friction == pytest.approx(first.energy.total, abs=1e-7)
    assert now.beads.speed.tolist() == [0.0, 0.0]
    place = now.beads.parameter
    simulation.advance(1.0)
    later = simulation.snapshot()
    assert np.array_equal(later.beads.parameter, place)
    assert later.energy.total == pytest.approx(now.energy.total, abs=1e-9)


def test_stops_keep_the_order_of_the_method():
    bead = on("box", path=LINE, parameter=0.3, speed=1.0, kinetic_friction=0.6, static_friction=20.0)
    spins = []
    for step in (8e-3, 4e-3, 2.5e-4):
        simulation = Simulation(bead_scene(bead, gravity=1.0, body=[box("pivot")], time_step=step))
        simulation.advance(1.0)
        spins.append(simulation.snapshot().bodies.angular_velocity[0])
    assert simulation.snapshot().beads.speed[0] == 0.0
    coarse, fine = (np.linalg.norm(spin - spins[-1]) for spin in spins[:2])
    assert np.log2(coarse / fine) > 3.3


def test_a_bead_slips_when_its_wire_is_tilted_enough():
    """At tan(angle) = static_friction, slowly; the angle is 0.2 t, so that centrifugal forces are 4 % of the weight."""
    tilting = {"kind": "formula", "axis": [0, 1, 0], "angle": "0.02*t"}
    body = {"name": "box", "shape": [BOX], "support": "driven", "motion": tilting}
    bead = on("box", path=WIRE, parameter=0.5, kinetic_friction=0.1, static_friction=0.2)
    simulation = Simulation(bead_scene(bead, body=[body], time_step=2e-3))
    slips = np.arctan(0.2) / 0.02
    simulation.advance(slips - 0.01)
    assert simulation.snapshot().beads.speed[0] == 0.0
    simulation.advance(0.02)
    assert simulation.snapshot().beads.speed[0] > 0.0


def test_a_bead_that_starts_at_rest_on_a_steep_wire_slips_at_once():
    steep = {"kind": "line", "start": [0, 0, 0], "end": [1, 0, -1]}
    bead = on("box", path=steep, kinetic_friction=0.2, parameter=0.1)
    simulation = Simulation(bead_scene(bead, body=[{"name": "box", "shape": [BOX], "support": "fixed"}]))
    simulation.advance(0.2)
    fallen = 0.5 * G * (1 - 0.2) / np.sqrt(2) * 0.2**2
    assert simulation.snapshot().beads.parameter[0] == pytest.approx(0.1 + fallen, abs=1e-11)


def test_friction_that_has_no_solution_stops_the_run():
    """Painleve's paradox: a light rod, on which friction at its end adds more to N than it opposes."""
    slanted = {"kind": "line", "start": [-0.05, 0, 1.0], "end": [0.05, 0, 1.0]}
    light = rod(
        inertia={"mass": 0.01, "tensor": [[1e-4, 0, 0], [0, 1e-4, 0], [0, 0, 1e-4]]}, support="axle", axis=[0, 1, 0]
    )
    leaning = {**light, "orientation": {"axis": [0, 1, 0], "angle": 0.7}}
    bead = on("rod", path=slanted, parameter=0.05, speed=-0.5, kinetic_friction=30.0)
    simulation = Simulation(bead_scene(bead, body=[leaning]))
    with pytest.raises(Diverged):
        simulation.advance(0.01)


@pytest.mark.parametrize("method", ["adams_bashforth_2", "euler"])
def test_other_methods_stop_too(method):
    bead = on("rod", path=WIRE, parameter=0.3, speed=0.8, kinetic_friction=0.5)
    body = {"name": "rod", "shape": [BOX], "support": "fixed"}
    simulation = Simulation(bead_scene(bead, body=[body], time_step=1e-3, method=method))
    simulation.advance(0.5)
    now = simulation.snapshot()
    assert now.beads.speed[0] == 0.0
    assert now.beads.parameter[0] == pytest.approx(0.3 + 0.8**2 / (2 * 0.5 * G), abs=1e-3)


def test_a_bead_at_rest_leaves_a_multistep_method_its_order():
    """A pendulum with a bead that static friction holds on it, by adams_bashforth_2: order 2."""
    bead = on("box", path=LINE, parameter=0.6, kinetic_friction=30.0, static_friction=60.0)
    spins = []
    for step in (2e-3, 1e-3, 1e-4):
        described = bead_scene(bead, body=[box("pivot")], time_step=step, method="adams_bashforth_2")
        simulation = Simulation(described)
        simulation.advance(0.5)
        spins.append(simulation.snapshot().bodies.angular_velocity[0])
        assert simulation.snapshot().beads.parameter[0] == 0.6
    coarse, fine = (np.linalg.norm(spin - spins[-1]) for spin in spins[:2])
    assert np.log2(coarse / fine) == pytest.approx(2, abs=0.2)
