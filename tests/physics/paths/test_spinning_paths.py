"""Beads on paths that turn: against Lagrange's equation, Newton's law under S, and the ledger."""

import numpy as np
import pytest
from meaning import refuses
from scipy.integrate import solve_ivp

from polhode.integrators import METHODS
from polhode.physics.paths.path_geometry import path_pose
from polhode.physics.paths.path_motions import SpinMotion
from polhode.simulation.simulation import Simulation
from scenes import G, bead_scene

RADIUS, RATE = 0.4, 7.0
HOOP = {"kind": "circle", "radius": RADIUS}
SPIN = {"kind": "spin", "angular_velocity": RATE}
TILTED = {"kind": "spin", "axis": [1, -2, 2], "point": [0.3, -0.2, 0.1], "angular_velocity": -3.0}
KNOT = {"kind": "formula", "x": "cos(q)", "y": "0.5*sin(2*q)", "z": "0.4*sin(3*q + 0.5)", "range": [0, "2*pi"]}


def run(*beads, **settings):
    return Simulation(bead_scene(*beads, **settings))


def reference(start: float, speed: float, times: list[float]) -> np.ndarray:
    """(n, 2) angle [rad] from the horizontal and speed [m/s] on HOOP, spun about the vertical, by DOP853.

    Lagrange: R q'' = -g cos q - W^2 R sin q cos q, with the height R sin q and the distance R cos q from the axis.
    """

    def rate(_t, y):
        return [y[1] / RADIUS, -G * np.cos(y[0]) - RATE**2 * RADIUS * np.sin(y[0]) * np.cos(y[0])]

    found = solve_ivp(rate, (0, times[-1]), [start, speed], "DOP853", times, rtol=1e-12, atol=1e-13)
    return found.y.T


def test_a_bead_on_a_spinning_hoop_moves_as_lagrange_says():
    simulation = run({"path": HOOP, "path_motion": SPIN, "parameter": -1.4, "speed": 0.2}, time_step=5e-4)
    times = [0.5, 1.0, 1.5, 2.0]
    for time, expected in zip(times, reference(-1.4, 0.2, times), strict=True):
        simulation.advance(time - simulation.time)
        now = simulation.snapshot()
        assert [now.beads.parameter[0], now.beads.speed[0]] == pytest.approx(expected, abs=1e-9)
        q, turned = expected[0], RATE * time
        place = RADIUS * np.array([np.cos(q) * np.cos(turned), np.cos(q) * np.sin(turned), np.sin(q)])
        assert now.bodies.position[0] == pytest.approx(place, abs=1e-9)


@pytest.mark.parametrize("rate", [4.0, 4.9, 5.1, 7.0])
def test_above_the_critical_rate_the_bead_rests_off_the_bottom(rate):
    """Omega_c = sqrt(g/R) = 4.95 1/s; above it cos(theta) = g/(W^2 R), theta from the bottom."""
    bead = {"path": HOOP, "path_motion": {**SPIN, "angular_velocity": rate}, "friction": 2.0, "parameter": -1.3}
    simulation = run(bead, time_step=2e-3)
    simulation.advance(300.0)
    expected = np.arccos(min(1.0, G / (rate**2 * RADIUS)))
    assert simulation.snapshot().beads.parameter[0] + np.pi / 2 == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("rolling", [False, True])
@pytest.mark.parametrize("path", [HOOP, KNOT], ids=["hoop", "knot"])
def test_the_path_does_the_work_that_the_ledger_says(path, rolling):
    """E less the work of the path stays: RK4 at 2e-4 s loses 1e-9 J of some 5 J."""
    field = {"value": [0.02, 0.01, -0.03]}
    bead = {"path": path, "path_motion": TILTED, "rolling": rolling, "speed": 1.0, "moment": [0.3, 0.1, 0.2]}
    simulation = run(bead, time_step=2e-4, magnetic_field=field)
    first = simulation.snapshot()
    simulation.advance(3.0)
    now = simulation.snapshot()
    assert abs(now.ledger.drive) > 0.05
    assert now.energy.total - now.ledger.total == pytest.approx(first.energy.total, abs=1e-8)


@pytest.mark.parametrize("rolling", [False, True])
def test_newton_and_euler_hold_under_the_force_of_the_path(rolling):
    """m x'' = F + S by central differences of the positions; a rolling bead turns by W + u/r e, without slipping."""
    step = 1e-4
    bead = {"path": KNOT, "path_motion": TILTED, "rolling": rolling, "speed": 1.0, "mass": 0.7, "radius": 0.06}
    simulation = run(bead, time_step=step)
    simulation.advance(0.5)
    moments = []
    for _ in range(3):
        moments.append(simulation.snapshot())
        simulation.advance_steps(1)
    before, now, after = (moment.bodies.position[0] for moment in moments)
    force = 0.7 * (before - 2 * now + after) / step**2 + [0, 0, 0.7 * G]
    assert moments[1].beads.constraint[0] == pytest.approx(force, abs=2e-4)  # x'''' dt^2/12 and rounding/dt^2
    if rolling:
        spin = -3.0 * np.array([1, -2, 2]) / 3
        relative = moments[1].bodies.angular_velocity[0] - spin
        assert np.linalg.norm(relative) == pytest.approx(abs(moments[1].beads.speed[0]) / 0.06, rel=1e-9)
        assert relative @ moments[1].beads.tangent[0] == pytest.approx(0, abs=1e-9)
        basis = [moment.bodies.basis[0] for moment in moments]  # rows: basis vectors
        change = (basis[2] - basis[0]) / (2 * step)
        assert change == pytest.approx(np.cross(moments[1].bodies.angular_velocity[0], basis[1]), abs=1e-4)


@pytest.mark.parametrize("ends", ["bounce", "stop", "leave"])
def test_at_the_ends_of_a_spinning_rod_the_ledger_closes(ends):
    """A bead is flung outward along a rod; per event an error of the third order of the step, (3e-3)^3 J."""
    rod = {"kind": "line", "start": [0.1, 0, 0], "end": [0.5, 0, 0]}
    simulation = run(
        {"path": rod, "path_motion": {**SPIN, "angular_velocity": 3.0}, "parameter": 0.1, "ends": ends}, time_step=1e-3
    )
    first = simulation.snapshot()
    simulation.advance(1.5)
    now = simulation.snapshot()
    assert now.energy.total - now.ledger.total == pytest.approx(first.energy.total, abs=1e-6)
    if ends == "leave":  # tangentially with W r, radially with sqrt(W^2 (b^2 - a^2))
        speed = 3.0 * np.hypot(0.5, np.sqrt(0.5**2 - 0.2**2))
        assert np.linalg.norm(now.bodies.velocity[0, :2]) == pytest.approx(speed, rel=1e-6)


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if method.ORDER == 4])
def test_methods_keep_their_order_on_a_spinning_path(method):
    bead = {"path": HOOP, "path_motion": SPIN, "parameter": -1.4, "speed": 0.2}
    errors = []
    for step in (8e-3, 4e-3):
        simulation = run(bead, time_step=step, method=method)
        simulation.advance(0.8)
        errors.append(abs(simulation.snapshot().beads.parameter[0] - reference(-1.4, 0.2, [0.8])[0, 0]))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.3)


def test_the_pose_of_a_path_is_where_its_bead_is():
    simulation = run({"path": KNOT, "path_motion": TILTED, "speed": 1.0})
    simulation.advance(0.7)
    now = simulation.snapshot()
    bead = simulation.scene.bead[0]
    q = now.beads.parameter[0]
    at_rest = np.array([[np.cos(q), 0.5 * np.sin(2 * q), 0.4 * np.sin(3 * q + 0.5)]])
    pose = path_pose(bead.path_motion, now.time, 0.0)
    assert pose.apply(at_rest)[0] == pytest.approx(now.bodies.position[0], abs=1e-12)
    assert pose.undo(pose.apply(at_rest)) == pytest.approx(at_rest, abs=1e-14)


def test_an_axis_without_a_direction_is_refused():
    with refuses("bead[0].path_motion.axis", "zero", "direction"):
        run({"path": HOOP, "path_motion": {**SPIN, "axis": [0, 0, 0]}})
    assert SpinMotion(kind="spin", angular_velocity=2.0).formulas() is None
