"""Beads on paths of bodies: against minimal coordinates, conservation laws, and paths that formulas move."""

import numpy as np
import pytest
from carrying_bodies import BOX, HOOP, KNOT, SUPPORTS, WIRE, box, hoop, on, rod
from scipy.integrate import solve_ivp

from polhode.integrators import METHODS
from polhode.simulation.simulation import Simulation
from scenes import G, bead_scene

EXACT = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}


def hoop_reference(start: float, speed: float, rate: float, times: np.ndarray) -> np.ndarray:
    """(n, 3) q, u and W: (I + m R^2 cos^2 q) W = L is constant, R q'' = -g cos q - W^2 R sin q cos q; R = 0.4."""
    radius, inertia, mass = 0.4, 0.02, 0.3
    level = (inertia + mass * (radius * np.cos(start)) ** 2) * rate

    def spin(q):
        return level / (inertia + mass * (radius * np.cos(q)) ** 2)

    def slope(_t, y):
        return [y[1] / radius, -G * np.cos(y[0]) - spin(y[0]) ** 2 * radius * np.sin(y[0]) * np.cos(y[0])]

    found = solve_ivp(slope, (0, times[-1]), [start, speed], t_eval=times, **EXACT)
    return np.column_stack([*found.y, spin(found.y[0])])


CIRCLE = {"kind": "circle", "radius": 0.4}


def test_a_bead_slows_a_hoop_that_is_free_to_turn():
    bead = on("hoop", path=CIRCLE, parameter=-1.2, speed=0.3)
    simulation = Simulation(bead_scene(bead, body=[hoop()], time_step=5e-4))
    first, times = simulation.snapshot(), np.array([0.5, 1.0, 1.7, 2.5])
    for time, (q, u, rate) in zip(times, hoop_reference(-1.2, 0.3, 6.0, times), strict=True):
        simulation.advance(time - simulation.time)
        now = simulation.snapshot()
        found = [now.beads.parameter[0], now.beads.speed[0], now.bodies.angular_velocity[0, 2]]
        assert found == pytest.approx([q, u, rate], abs=1e-8)
        assert now.energy.total == pytest.approx(first.energy.total, abs=1e-9)
        assert now.angular_momentum[2] == pytest.approx(first.angular_momentum[2], abs=1e-12)
    assert np.ptp(hoop_reference(-1.2, 0.3, 6.0, np.linspace(0, 2.5, 99))[:, 2]) > 1.0


def order(described, measure, steps: tuple[float, float], seconds: float, expected: float) -> float:
    """Order at which `measure` of a snapshot converges, from two time steps [s]."""
    errors = []
    for step in steps:
        simulation = Simulation(described(step))
        simulation.advance(seconds)
        errors.append(abs(measure(simulation.snapshot()) - expected))
    return float(np.log2(errors[0] / errors[1]))


@pytest.mark.parametrize("method", METHODS)
def test_methods_keep_their_order(method):
    bead = on("hoop", path=CIRCLE, parameter=-1.2, speed=0.3)
    expected = hoop_reference(-1.2, 0.3, 6.0, np.array([0.8]))[0]
    nominal = METHODS[method].ORDER
    coarse = {1: 5e-4, 2: 2e-3, 4: 8e-3, 8: 4e-2}[nominal]
    found = order(
        lambda step: bead_scene(bead, body=[hoop()], time_step=step, method=method),
        lambda now: now.bodies.angular_velocity[0, 2],
        (coarse, coarse / 2),
        0.8,
        expected[2],
    )
    assert found > nominal - 0.35


def test_a_bead_on_a_free_rod_keeps_momentum_and_angular_momentum():
    """About the common centre of mass s'' = W^2 s and (I + mu s^2) W = L, with the reduced mass mu; q = s + 0.5 m."""
    bead = on("rod", path=WIRE, parameter=0.6, speed=0.05)
    simulation = Simulation(bead_scene(bead, gravity=0, body=[rod(angular_velocity=[0, 0, 2.0])], time_step=5e-4))
    first = simulation.snapshot()
    reduced, inertia = 0.6 * 0.3 / 0.9, 0.05
    level = (inertia + reduced * 0.1**2) * 2.0

    def slope(_t, y):
        return [y[1], (level / (inertia + reduced * y[0] ** 2)) ** 2 * y[0]]

    expected = solve_ivp(slope, (0, 0.8), [0.1, 0.05], **EXACT).y[:, -1]
    simulation.advance(0.8)
    now = simulation.snapshot()
    assert [now.beads.parameter[0] - 0.5, now.beads.speed[0]] == pytest.approx(expected, abs=1e-10)
    assert now.bodies.angular_velocity[0, 2] == pytest.approx(level / (inertia + reduced * expected[0] ** 2), abs=1e-9)
    assert now.momentum == pytest.approx(first.momentum, abs=1e-10)
    assert now.angular_momentum == pytest.approx(first.angular_momentum, abs=1e-10)
    assert expected[0] > 0.25


def pendulum_reference(seconds: float) -> np.ndarray:
    """(4,) angle, rate, s, s' of a pendulum with M = 0.5 kg, l = 0.3 m, I = 0.08 kg m^2 about its axle y, and a bead of
    0.3 kg at (s, 0, -0.5) of its frame.

    From T = I th'^2/2 + m [(s' - d th')^2 + (s th')^2]/2 and V = -m g (s sin th + d cos th) - M g l cos th, d = 0.5.
    """
    mass, own, length, inertia, d = 0.3, 0.5, 0.3, 0.08, 0.5

    def slope(_t, y):
        th, rate, s, speed = y
        matrix = [[inertia + mass * (d * d + s * s), -mass * d], [-d, 1.0]]
        turning = mass * G * (s * np.cos(th) - d * np.sin(th)) - own * G * length * np.sin(th)
        change = np.linalg.solve(matrix, [turning - 2 * mass * s * speed * rate, s * rate**2 + G * np.sin(th)])
        return [rate, change[0], speed, change[1]]

    return solve_ivp(slope, (0, seconds), [0.3, 0.0, 0.1, 0.2], **EXACT).y[:, -1]


@pytest.mark.parametrize("support", ["axle", "pivot"])
def test_a_bead_on_a_wire_of_a_pendulum(support):
    tensor = [[0.08, 0, 0], [0, 0.08, 0], [0, 0, 0.03]]
    look = {"kind": "sphere", "radius": 0.02, "mass": 0.5, "position": [0, 0, -0.3]}
    stated = {"inertia": {"mass": 0.5, "center": [0, 0, -0.3], "tensor": tensor}, "shape": [look]}
    held = {"support": support} | ({"axis": [0, 1, 0]} if support == "axle" else {})
    turn = {"orientation": {"axis": [0, 1, 0], "angle": 0.3}}
    wire = {"kind": "line", "start": [-2, 0, -0.5], "end": [2, 0, -0.5]}
    bead = on("arm", path=wire, parameter=2.1, speed=0.2)
    described = bead_scene(bead, body=[{"name": "arm", **held, **turn, **stated}], time_step=5e-4)
    simulation = Simulation(described)
    first = simulation.snapshot()
    simulation.advance(0.6)
    now, (angle, rate, s, speed) = simulation.snapshot(), pendulum_reference(0.6)
    assert [now.beads.parameter[0] - 2.0, now.beads.speed[0]] == pytest.approx([s, speed], abs=1e-9)
    assert now.bodies.angular_velocity[0, 1] == pytest.approx(rate, abs=1e-9)
    assert now.bodies.basis[0, 0] == pytest.approx([np.cos(angle), 0, -np.sin(angle)], abs=1e-9)
    assert now.energy.total == pytest.approx(first.energy.total, abs=1e-9)


BEADS = (
    on("box", path=KNOT, parameter=0.4, speed=0.5),
    on("box", path=HOOP, parameter=2.0, speed=-0.7, rolling=True, radius=0.08, moment=[0.3, 0.1, 0.2]),
    on("box", path=HOOP, parameter=1.0, friction=0.2, mass=0.1),
)


@pytest.mark.parametrize("kind", SUPPORTS)
def test_the_ledger_closes(kind):
    field = {"value": [0.02, 0.01, -0.03]}
    simulation = Simulation(bead_scene(*BEADS, body=[box(kind)], time_step=2.5e-4, magnetic_field=field))
    first = simulation.snapshot()
    simulation.advance(2.0)
    now = simulation.snapshot()
    assert now.energy.total - now.ledger.total == pytest.approx(first.energy.total, abs=2e-8)
    assert now.ledger.friction < -1e-3
    assert (abs(now.ledger.drive) > 1e-3) == (kind in ("driven", "turned", "round", "shaken"))


def test_a_free_body_and_its_beads_keep_momentum_and_angular_momentum():
    rolling = [{**bead, "moment": None, "friction": 0.0} for bead in BEADS]
    simulation = Simulation(bead_scene(*rolling, gravity=0, body=[box("free")], time_step=2e-4))
    first = simulation.snapshot()
    simulation.advance(2.0)
    now = simulation.snapshot()
    assert now.momentum == pytest.approx(first.momentum, abs=1e-10)
    assert now.angular_momentum == pytest.approx(first.angular_momentum, abs=1e-10)
    assert now.energy.total == pytest.approx(first.energy.total, abs=1e-10)
    assert np.abs(now.bodies.angular_momentum[0] - first.bodies.angular_momentum[0]).max() > 1e-3


@pytest.mark.parametrize("rolling", [False, True])
def test_newton_holds_under_the_force_of_the_path(rolling):
    """m x'' = F + S by central differences, and the body feels -S: M v' = M g - S of one bead."""
    step = 1e-4
    bead = on("box", path=KNOT, parameter=0.4, speed=0.5, rolling=rolling)
    simulation = Simulation(bead_scene(bead, body=[box("free")], time_step=step))
    simulation.advance(0.5)
    moments = []
    for _ in range(3):
        moments.append(simulation.snapshot())
        simulation.advance_steps(1)
    places = np.array([moment.bodies.position[-1] for moment in moments])
    force = 0.3 * (places[0] - 2 * places[1] + places[2]) / step**2 + [0, 0, 0.3 * G]
    assert moments[1].beads.constraint[0] == pytest.approx(force, abs=2e-5)
    own = [moment.momentum - 0.3 * moment.bodies.velocity[-1] for moment in moments]
    assert (own[2] - own[0]) / (2 * step) + [0, 0, 0.8 * G] == pytest.approx(-force, abs=2e-5)
    q, pose = moments[1].beads.parameter[0], moments[1].bodies
    at_rest = [0.3 * np.cos(q), 0.2 * np.sin(2 * q), 0.2 * np.sin(3 * q + 0.5)]
    assert places[1] == pytest.approx(at_rest @ pose.basis[0] + pose.position[0], abs=1e-13)


@pytest.mark.parametrize(
    ("motion", "body"),
    [
        (
            {"kind": "spin", "angular_velocity": 7.0},
            {"support": "driven", "angular_velocity": [0, 0, 7.0], "motion": {"kind": "still"}},
        ),
        (
            {"kind": "formula", "x": "0.1*sin(3*t)", "z": "0.2*t^2"},
            {"support": "driven", "motion": {"kind": "formula", "x": "0.1*sin(3*t)", "z": "0.2*t^2"}},
        ),
        ({"kind": "still"}, {"support": "fixed"}),
    ],
    ids=["spin", "formula", "still"],
)
@pytest.mark.parametrize("rolling", [False, True])
def test_a_body_that_is_driven_moves_its_path_as_a_formula_does(motion, body, rolling):
    alike = {"path": HOOP, "parameter": -1.4, "speed": 0.4, "rolling": rolling, "mass": 0.3}
    carrier = {"name": "box", "shape": [BOX], **body}
    moments = []
    for bead in ({**alike, "path_motion": motion}, on("box", **alike)):
        simulation = Simulation(bead_scene({"radius": 0.05, **bead}, body=[carrier], time_step=5e-4))
        simulation.advance(2.0)
        moments.append(simulation.snapshot())
    one, other = moments
    for name in ("parameter", "speed", "constraint", "tangent", "normal"):
        assert getattr(other.beads, name) == pytest.approx(getattr(one.beads, name), abs=1e-8)
    assert other.bodies.position[-1] == pytest.approx(one.bodies.position[-1], abs=1e-9)
    assert other.bodies.angular_velocity[-1] == pytest.approx(one.bodies.angular_velocity[-1], abs=1e-8)
    assert other.ledger.drive == pytest.approx(one.ledger.drive, abs=1e-8)


def test_other_laws_act_on_carried_beads():
    """Springs, air and a rotating laboratory, of a box that swings on its pivot: the ledger closes."""
    spring = {"from": "bead0", "to": [0.4, 0.3, 0.8], "stiffness": 8.0, "rest_length": 0.3}
    beads = [{**BEADS[0], "drag": 0.05}, BEADS[1], {**BEADS[2], "friction": 0.0}]
    more = {"spring": [spring], "rotation": [0.3, -0.5, 1.0], "time_step": 2.5e-4}
    simulation = Simulation(bead_scene(*beads, body=[box("pivot")], **more))
    first = simulation.snapshot()
    simulation.advance(2.0)
    now = simulation.snapshot()
    assert now.energy.total - now.ledger.total == pytest.approx(first.energy.total, abs=2e-8)
    assert abs(now.energy.elastic - first.energy.elastic) > 1e-2
    assert now.ledger.air < -1e-3
    assert abs(now.energy.centrifugal - first.energy.centrifugal) > 1e-2
