"""The rotating laboratory beside Newton's laws in an inertial frame, beside closed forms, and what it has to keep."""

import numpy as np
import pytest
from meaning import Meaning
from rotating_reference import Laboratory, free_body, pendulum, point_on_a_spring, skew
from runs import snapshots
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from polhode.analysis.columns import columns
from polhode.integrators import METHODS
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import body_properties
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.scene.toml_edit import stated
from polhode.scene.variants.drivable_parameters import parameters
from polhode.simulation.scene_from_snapshot import scene_from_snapshot
from polhode.simulation.simulation import Simulation
from scenes import AXLE, FREE, OTHER, TILTED, scene, sphere

W = ["0.3 + 0.5*sin(2*t)", -0.4, "0.7*cos(t)"]
GRAVITY = [0.3, -0.2, -9.81]
LAB = Laboratory(
    lambda t: [0.3 + 0.5 * np.sin(2 * t), -0.4, 0.7 * np.cos(t)],
    lambda t: [np.cos(2 * t), 0, -0.7 * np.sin(t)],
    GRAVITY,
)
TIMES = np.linspace(0, 1.5, 7)
LONELY = {key: value for key, value in FREE.items() if key != "dipole"}
BOB = {key: value for key, value in TILTED.items() if key not in ("dipole", "friction")}


def fine(*bodies, rotation=W, gravity=GRAVITY, **parts):
    world = {"gravity": gravity, "rotation": rotation}
    solver = {"method": "dormand_prince_8", "time_step": 2.5e-3}
    return Scene.model_validate({"world": world, "solver": solver, "body": list(bodies), **parts})


def test_a_free_body_moves_as_in_the_inertial_frame():
    described = fine(LONELY)
    body = described.body[0]
    p, turn = body_properties(described, body, Meshes()), body.orientation.matrix()
    start = np.array(body.position) + turn @ p.center
    velocity = np.array(body.velocity) + np.cross(body.angular_velocity, turn @ p.center)
    spin = np.array(body.angular_velocity)
    places, turns = free_body(LAB, p.mass, p.about(p.center), start, velocity, turn, spin, TIMES)
    for now, place, turn in zip(snapshots(described, TIMES), places, turns, strict=True):
        assert np.abs(now.bodies.basis[0].T - turn).max() < 1e-9
        assert np.abs(now.bodies.position[0] + turn @ p.center - place).max() < 1e-9


def test_a_pendulum_moves_as_in_the_inertial_frame():
    described = fine(BOB)
    body = described.body[0]
    p, turn = body_properties(described, body, Meshes()), body.orientation.matrix()
    pivot, spin = np.array(body.position), np.array(body.angular_velocity)
    turns = pendulum(LAB, p.mass, p.center, p.about(p.center), pivot, turn, spin, TIMES)
    for now, turn in zip(snapshots(described, TIMES), turns, strict=True):
        assert np.abs(now.bodies.basis[0].T - turn).max() < 1e-9


def test_a_point_on_a_spring_moves_as_in_the_inertial_frame():
    ball = {"name": "ball", "mass": 0.5, "position": [0.3, 0.1, -1.2], "velocity": [0.2, -0.5, 0.1]}
    spring = {"from": [0.2, 0.1, 0], "to": "ball", "stiffness": 40.0, "damping": 0.3, "rest_length": 1.0}
    end, place, velocity = (np.array(a) for a in (spring["from"], ball["position"], ball["velocity"]))
    expected = point_on_a_spring(LAB, 0.5, (40.0, 0.3, 1.0), end, place, velocity, TIMES)
    found = snapshots(fine(particle=[ball], spring=[spring]), TIMES)
    assert np.abs(np.array([now.points.position[0] for now in found]) - expected).max() < 1e-9


TOP = {
    "name": "top",
    "support": "free",
    "position": [0.4, 0.1, 0.2],
    "velocity": [0.3, 0.1, -0.2],
    "angular_velocity": [0.5, 9.0, 0.7],
    "shape": [{"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 1.0}],
}
STEADY = np.array([0.3, -0.5, 0.8])


def in_inertial(part):
    """The same part as one sees it who does not turn with the laboratory."""
    spin = np.add(part["angular_velocity"], STEADY).tolist()
    return part | {
        "angular_velocity": spin,
        "velocity": np.add(part["velocity"], np.cross(STEADY, part["position"])).tolist(),
    }


def test_a_free_asymmetric_top_is_the_transform_of_the_inertial_one():
    turning, still = (
        snapshots(fine(part, rotation=w, gravity=[0, 0, 0]), [3.0])[0].bodies
        for part, w in ((TOP, STEADY.tolist()), (in_inertial(TOP), [0, 0, 0]))
    )
    back = expm(-3.0 * skew(STEADY))
    assert np.abs(turning.position[0] - back @ still.position[0]).max() < 1e-11
    assert np.abs(turning.basis[0] - still.basis[0] @ back.T).max() < 1e-11
    assert np.abs(turning.angular_velocity[0] - (back @ still.angular_velocity[0] - STEADY)).max() < 1e-10


@pytest.mark.parametrize("modes", [None, 5])
def test_a_soft_body_is_the_transform_of_the_inertial_one(modes):
    """Point by point and by its modes; it turns, shakes and flies."""
    jelly = {
        "kind": "lattice",
        "name": "jelly",
        "counts": [3, 2, 2],
        "spacing": [0.1, 0.12, 0.15],
        "particle_mass": 0.02,
        "stiffness": 20.0,
        "damping": 0.02,
        "position": [0.4, 0.1, 0.2],
        "velocity": [0.3, 0.1, -0.2],
        "angular_velocity": [0.5, 3.0, 0.7],
    }
    jelly |= {} if modes is None else {"modes": modes}
    turning, still = (
        snapshots(fine(soft=[part], rotation=w, gravity=[0, 0, 0]), [1.0])[0].points.position
        for part, w in ((jelly, STEADY.tolist()), (in_inertial(jelly), [0, 0, 0]))
    )
    assert np.abs(turning - still @ expm(skew(STEADY))).max() < 1e-9


RADIUS = 0.5


def on_hoop(angle, speed, rotation, **bead):
    """A bead on a circle in the xz plane; q = 0 at its lowest point."""
    path = {"kind": "formula", "x": "0.5*sin(q)", "z": "-0.5*cos(q)", "range": [0, "2*pi"]}
    start = {"parameter": angle, "speed": RADIUS * speed}
    bead = {"name": "bead", "mass": 0.1, "radius": 0.02, "path": path, **start, **bead}
    return fine(rotation=rotation, gravity=[0, 0, -9.81], bead=[bead])


@pytest.mark.parametrize("rolling", [False, True])
def test_a_bead_on_a_turning_hoop(rolling):
    """f q'' = sin q (W^2 cos q - g/R), f = 7/5 of a bead that rolls; W' acts across the hoop."""
    heavy = 1.4 if rolling else 1.0

    def rates(t, y):
        return [y[1], np.sin(y[0]) * ((4 + np.sin(t)) ** 2 * np.cos(y[0]) - 9.81 / RADIUS) / heavy]

    expected = solve_ivp(rates, (0, 3), [0.3, 0.5], "DOP853", TIMES, rtol=1e-13, atol=1e-13).y[0]
    found = snapshots(on_hoop(0.3, 0.5, [0, 0, "4 + sin(t)"], rolling=rolling), TIMES)
    assert np.abs([now.beads.parameter[0] for now in found] - expected).max() < 1e-9


def test_a_bead_rests_on_a_turning_hoop_where_the_plumb_line_is_across_it():
    """cos q = g/(W^2 R); and the hoop presses on it with m g/cos q = m W^2 R, straight to the middle."""
    angle = np.arccos(9.81 / (36 * RADIUS))
    now = snapshots(on_hoop(angle, 0.0, [0, 0, 6.0]), [2.0])[0]
    assert now.beads.parameter[0] == pytest.approx(angle, abs=1e-12)
    force = 0.1 * 36 * RADIUS * np.array([-np.sin(angle), 0, np.cos(angle)])
    assert now.beads.constraint[0] == pytest.approx(force, abs=1e-12)


def swinging(amplitude, pivot, w, length=1.0):
    """A point on a thread, let go at rest in the laboratory, out in x."""
    bob = {"kind": "point", "mass": 1.0, "position": [0, 0, -length]}
    turn = {"axis": [0, 1, 0], "angle": -amplitude}
    body = {"name": "bob", "position": pivot, "orientation": turn, "shape": [bob]}
    return fine(body, rotation=[0, 0, w], gravity=[0, 0, -9.81])


def cusps(described, count):
    """Times and azimuths of the bob where it is farthest out."""
    simulation, found, before = Simulation(described), [], None
    while len(found) < count:
        simulation.advance_steps(1)
        now = simulation.snapshot().bodies
        place = -now.basis[0, 2]
        velocity = np.cross(now.angular_velocity[0], place)
        inward = place[:2] @ velocity[:2]
        if before is not None and before[1] > 0 >= inward:
            share = before[1] / (before[1] - inward)
            azimuths = [np.arctan2(*at[1::-1]) for at in (before[2], place)]
            found.append((before[0] + share * (simulation.time - before[0]), np.interp(share, [0, 1], azimuths)))
        before = simulation.time, inward, place
    return np.array(found)


@pytest.mark.parametrize("amplitude", [0.02, 0.1, 0.2])
def test_foucault_turns_by_the_rotation_less_the_precession_of_a_wide_swing(amplitude):
    """-W (1 - 3/8 a^2): in the inertial frame an ellipse of semi-axes a L and a L W/w, which runs on by 3/8 w a b.

    (the area precession of the spherical pendulum; Olsson, Am. J. Phys. 46, 1118, 1978) The next term is of order a^4.
    """
    w = 0.1
    found = cusps(swinging(amplitude, [0, 0, 0], w), 9)
    rate = (found[-1, 1] - found[0, 1]) / (found[-1, 0] - found[0, 0])
    assert rate == pytest.approx(-w * (1 - 3 / 8 * amplitude**2), rel=0.1 * amplitude**4 + 1e-7)


def test_foucault_far_from_the_axis_turns_about_the_true_plumb_line():
    """Of a small swing, by the normal modes about the line along which gravity and the centrifugal force pull.

    With c = cos of its angle to the axis: x'' = -(w^2 - (W c)^2) x + 2 W c y', y'' = -(w^2 - W^2) y - 2 W c x'.
    """
    turning, away, small = 0.3, 40.0, 1e-5
    pull = np.array([turning**2 * away, 0, -9.81])
    # the pendulum reaches out to its plumb line, and so still farther
    for _ in range(60):
        down = pull / np.linalg.norm(pull)
        pull = np.array([turning**2 * (away + down[0]), 0, -9.81])
    lean, size = np.arctan2(down[0], -down[2]), np.linalg.norm(pull)
    described = swinging(lean + small, [away, 0, 0], turning)
    c = np.cos(lean)
    modes = np.zeros((4, 4))
    modes[:2, 2:] = np.eye(2)
    modes[2, 0], modes[3, 1] = -(size - (turning * c) ** 2), -(size - turning**2)
    modes[2, 3], modes[3, 2] = 2 * turning * c, -2 * turning * c
    out, up = np.array([c, 0, np.sin(lean)]), np.array([0, 1, 0])
    simulation = Simulation(described)
    for _ in range(20):
        simulation.advance(0.5)
        place = -simulation.snapshot().bodies.basis[0, 2] - down
        expected = expm(modes * simulation.time) @ [small, 0, 0, 0]
        assert np.abs([place @ out, place @ up] - expected[:2]).max() < 3e-5 * small
    fast, slow = np.sort(np.abs(np.linalg.eigvals(modes).imag))[[3, 0]]
    p, q = np.sqrt(size - (turning * c) ** 2), np.sqrt(size - turning**2)
    assert (fast - slow) / 2 == pytest.approx(np.hypot(turning * c, (p - q) / 2), rel=1e-12)  # it goes round so fast


def busy(method="rk4", time_step=1e-3, rotation=W):
    """Every support, a spring, a soft body by modes and a bead, in a laboratory that turns ever otherwise."""
    beam = {"kind": "lattice", "name": "beam", "counts": [3, 2, 2], "spacing": [0.1] * 3, "particle_mass": 0.02}
    beam |= {"stiffness": 20.0, "position": [-0.5, 0, 0.4], "angular_velocity": [1, 0, 2]}
    by_modes = beam | {"name": "by_modes", "position": [-0.5, 0.6, 0.4], "modes": 4}
    led = {"name": "led", "support": "driven", "position": [0.5, 0, -0.4], "angular_velocity": [0, 2.0, 1.0]}
    led |= {"motion": {"kind": "ellipse", "r1": [0.03, 0, 0], "r2": [0, 0.02, 0.01], "angular_frequency": 7.0}}
    path = {"kind": "formula", "x": "0.2*cos(q)", "y": "0.3*sin(q)", "z": "0.1*sin(2*q)", "range": [0, "2*pi"]}
    led |= {"shape": [sphere(radius=0.05)]}
    parts = {
        "body": [TILTED, OTHER, FREE, AXLE, led],
        "soft": [beam, by_modes],
        "bead": [{"name": "bead", "radius": 0.02, "rolling": True, "path": path, "speed": 0.3}],
        "particle": [{"name": "ball", "mass": 0.5, "position": [0.3, 0.1, -1.2]}],
        "spring": [{"from": [0.2, 0.1, 0], "to": "ball", "stiffness": 40.0, "damping": 0.3, "rest_length": 1.0}],
    }
    solver, world = {"method": method, "time_step": time_step}, {"gravity": GRAVITY, "rotation": rotation}
    return Scene.model_validate({"world": world, "solver": solver, **parts})


def unbooked(described, until=0.4):
    """Energy [J] that no line of the ledger has."""
    start, now = snapshots(described, [0, until])
    assert start.energy.centrifugal < 0
    assert now.energy.centrifugal != start.energy.centrifugal
    return now.energy.total - now.ledger.total - start.energy.total


@pytest.mark.parametrize("method", METHODS)
def test_the_ledger_closes_as_well_as_the_method_is_good(method):
    step = {1: 5e-4, 8: 8e-3}.get(METHODS[method].ORDER, 2e-3)
    coarse, fine = unbooked(busy(method, step)), unbooked(busy(method, step / 2))
    assert abs(coarse / fine) > 0.75 * 2.0 ** METHODS[method].ORDER or abs(fine) < 1e-12


def test_the_ledger_closes_for_small_steps():
    assert abs(unbooked(busy("dormand_prince_8", 1e-3))) < 1e-11  # of exchanged energies of some J


def test_a_steady_rotation_keeps_kinetic_and_potential_energy_together():
    described = fine(LONELY, BOB, rotation=STEADY.tolist())
    start, now = snapshots(described, [0, 2.0])
    assert now.ledger.total == 0
    assert now.energy.total == pytest.approx(start.energy.total, abs=1e-12)
    assert abs(now.energy.kinetic - start.energy.kinetic) > 0.1


@pytest.mark.parametrize("method", METHODS)
def test_methods_keep_their_order(method):
    """Also those that split the motion, although the Coriolis force knows velocities."""
    described = scene(BOB, {**LONELY, "name": "other"}, gravity=GRAVITY, rotation=W)
    best = snapshots(described.model_copy(update={"solver": fine().solver}), [0.4])[0].bodies
    order, errors = METHODS[method].ORDER, []
    for steps in {1: (2000, 4000), 2: (400, 800), 4: (100, 200), 8: (16, 32)}[order]:
        solver = described.solver.model_copy(update={"method": method, "time_step": 0.4 / steps})
        now = snapshots(described.model_copy(update={"solver": solver}), [0.4])[0].bodies
        errors.append(np.linalg.norm(now.basis - best.basis) + np.linalg.norm(now.position - best.position))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3 if order == 8 else 0.1)


def test_laws_are_shown_one_by_one():
    """Centrifugal, Coriolis and Euler forces of a free body beside dF = -dm [...] of its corners."""
    described = fine(LONELY)
    now = Simulation(described).snapshot(forces=True)
    body, p = described.body[0], body_properties(described, described.body[0], Meshes())
    turn, spin = body.orientation.matrix(), np.array(body.angular_velocity)
    w, change = np.array(LAB.w(0.0)), np.array(LAB.change(0.0))
    place = np.array(body.position) + turn @ p.center
    velocity = np.array(body.velocity) + np.cross(spin, turn @ p.center)
    expected = {
        "centrifugal": -p.mass * np.cross(w, np.cross(w, place)),
        "coriolis": -2 * p.mass * np.cross(w, velocity),
        "euler": -p.mass * np.cross(change, place),
    }
    tensor = turn @ p.about(p.center) @ turn.T
    second = np.trace(tensor) / 2 * np.eye(3) - tensor  # integral of s s^T dm
    arms = np.linalg.cholesky(second).T  # as much as six equal masses at +-arm: the same integral
    for law, force in expected.items():
        assert now.forces[law].on_bodies[0] == pytest.approx(force, abs=1e-13)
    for law, of_arm in {
        "centrifugal": lambda s: -np.cross(w, np.cross(w, s)),
        "coriolis": lambda s: -2 * np.cross(w, np.cross(spin, s)),
        "euler": lambda s: -np.cross(change, s),
    }.items():
        torque = sum(np.cross(s, of_arm(s)) for s in arms)
        assert now.forces[law].torque[0] == pytest.approx(torque, abs=1e-15)


def test_what_the_hand_turns_keeps_its_velocity_in_the_inertial_frame():
    """A driven rotation jumps a hundred times a second; a free ball and a free top are not affected."""
    ball = {"name": "ball", "mass": 0.5, "position": [0.3, 0.1, -1.2], "velocity": [0.2, -0.5, 0.1]}
    drive = {"parameter": "world.rotation[2]", "scale": 10.0, "offset": 1.0}
    sensor = {"centre": 0.0, "amplitude": 0.2, "period": 1.5, "drive": [drive]}
    described = fine(TOP, rotation=[0, 0, 1.0], gravity=[0, 0, 0], particle=[ball], sensor=sensor)
    assert described.sensor.drive
    simulation = Simulation(described)
    simulation.advance(0.7)
    now = simulation.snapshot()
    angle = 1.0 * 0.7 + 2.0 * 1.5 / (2 * np.pi) * (1 - np.cos(2 * np.pi * 0.7 / 1.5))
    labs = expm(angle * skew([0, 0, 1.0]))
    place = np.array(ball["position"]) + 0.7 * (np.array(ball["velocity"]) + np.cross([0, 0, 1.0], ball["position"]))
    assert labs @ now.points.position[0] == pytest.approx(place, abs=2e-4)
    spin = np.add(TOP["angular_velocity"], [0, 0, 1.0])
    momentum = now.bodies.angular_momentum[0]
    tensor = np.diag([13, 10, 5]) / 1200
    basis = now.bodies.basis[0].T
    turning = simulation.driven[0] if simulation.driven else 1.0
    whole = momentum + basis @ tensor @ basis.T @ [0, 0, turning]
    assert labs @ whole == pytest.approx(tensor @ spin, abs=2e-5)
    assert now.energy.total - now.ledger.total == pytest.approx(Simulation(described).snapshot().energy.total, abs=1e-9)


def test_a_moment_of_it_goes_on_as_a_scene():
    described = fine(LONELY)
    simulation = Simulation(described)
    simulation.advance(0.4)
    moved, notes = scene_from_snapshot(simulation.compiled, simulation.snapshot())
    other = Simulation(moved)
    simulation.advance(0.4)
    other.advance(0.4)
    assert notes == []
    assert np.abs(simulation.snapshot().bodies.position - other.snapshot().bodies.position).max() < 1e-12


def test_only_a_scene_that_may_rotate_has_the_column():
    still, turning = scene(BOB), scene(BOB, rotation=[0, 0, 0.5])
    names = [list(columns(Simulation(described).compiled)) for described in (still, turning)]
    assert "energy.centrifugal" not in names[0]
    assert [name for name in names[1] if name != "energy.centrifugal"] == names[0]
    simulation = Simulation(turning)
    now = simulation.snapshot()
    assert now.numbers[names[1].index("energy.centrifugal")] == now.energy.centrifugal < 0
    table = dict(zip(names[1], now.numbers, strict=True))
    kinds = ("kinetic", "gravity", "magnetic", "elastic", "centrifugal")
    assert table["energy.total"] == pytest.approx(sum(table[f"energy.{kind}"] for kind in kinds), rel=1e-15)
    assert Simulation(still).snapshot().energy.centrifugal == 0.0


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([0, 0], Meaning("world.rotation", "direction", count=2, needed=3)),
        ([0, 0, True], Meaning("world.rotation[2]", "formula", variables="t", value=True)),
        ([0, "1/t", 0], Meaning("world.rotation[1]", "derivative", "formula")),
        ([0, 0, "sin(x)"], Meaning("world.rotation[2]", "known", shown="x")),
        ([0, 0, float("inf")], Meaning("world.rotation[2]", "finite", value="inf")),
    ],
)
def test_what_is_no_rotation_is_said_so(value, said):
    with pytest.raises(InputError) as refusal:
        scene_of({"format": 1, "world": {"rotation": value}}, "it")
    assert said.of(refusal.value.problems[0])


def test_a_file_keeps_numbers_and_formulas():
    described = scene_of({"format": 1, "units": {"time": 0.5}, "world": {"rotation": [1, "0.5*t", -2.0]}}, "it")
    assert described.world.rotation == (2.0, "0.5*t", -4.0)
    assert scene_of(stated(described), "it").world.rotation == described.world.rotation
    assert stated(described)["world"] == {"rotation": [1.0, "0.5*t", -2.0]}
    numbers = [place for place, _ in parameters(described) if place[:2] == ("world", "rotation")]
    assert numbers == [("world", "rotation", 0), ("world", "rotation", 2)]
