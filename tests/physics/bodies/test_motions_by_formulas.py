"""Bodies and supports that formulas move, beside closed forms and solutions of scipy; work of what moves them."""

import numpy as np
import pytest
from meaning import Meaning
from runs import continued, drift, snapshots
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import body_properties
from polhode.physics.bodies.rotation_vectors import acceleration_of_turn, turned_by, velocity_of_turn
from polhode.physics.plates.compile import start_poses
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

TIMES = np.linspace(0.0, 1.5, 6)
SHAKEN = {"kind": "formula", "x": "0.1*sin(7*t)", "y": "0.05*t^2", "z": "0.08*cos(11*t)"}
SHAPES = [
    {"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 0.5, "position": [0.0, 0.05, -0.3]},
    {"kind": "point", "mass": 0.2, "position": [0.1, 0.0, 0.0]},
]
BOB = {"name": "bob", "position": [0.2, 0.1, 0.5], "angular_velocity": [1.0, -2.0, 0.5], "shape": SHAPES}
TURNED = {"axis": [1, 2, 0.5], "angle": 0.7}


def described(*bodies, method="dormand_prince_8", time_step=2.5e-3, **parts) -> Scene:
    solver = {"method": method, "time_step": time_step}
    return scene_of({"solver": solver, "body": list(bodies), **parts}, "test")


def run(scene: Scene):
    return snapshots(scene, TIMES)


def test_a_driven_body_is_where_its_formulas_say():
    motion = {"kind": "formula", "x": "0.1*sin(3*t)", "y": "t^2", "z": "0", "axis": [0, 3, 4], "angle": "2*t + sin(t)"}
    body = {**BOB, "support": "driven", "motion": motion, "orientation": TURNED, "angular_velocity": [0, 0, 0]}
    scene = described(body, method="rk4", time_step=1e-2)
    axis = np.array([0.0, 0.6, 0.8])
    for now in run(scene):
        t = now.time
        assert np.abs(now.bodies.position[0] - [0.2 + 0.1 * np.sin(3 * t), 0.1 + t * t, 0.5]).max() < 1e-14
        assert np.abs(now.bodies.velocity[0] - [0.3 * np.cos(3 * t), 2 * t, 0.0]).max() < 1e-14
        turn = Rotation.from_rotvec((2 * t + np.sin(t)) * axis).as_matrix() @ scene.body[0].orientation.matrix()
        assert np.abs(now.bodies.basis[0].T - turn).max() < 1e-14
        assert np.abs(now.bodies.angular_velocity[0] - (2 + np.cos(t)) * axis).max() < 1e-14


@pytest.mark.parametrize("method", ["rk4", "verlet", "splitting", "implicit", "adams_bashforth_2", "euler"])
def test_every_method_turns_a_driven_body_alike(method):
    motion = {"kind": "formula", "axis": [0, 0, 1], "angle": "2*t", "x": "sin(t)"}
    body = {**BOB, "support": "driven", "motion": motion, "angular_velocity": [0, 0, 0]}
    now = run(described(body, method=method, time_step=1e-2))[-1]
    turn = Rotation.from_rotvec([0, 0, 2 * now.time]).as_matrix()
    assert np.abs(now.bodies.basis[0].T - turn).max() < 1e-13


TURN = {"turn_x": "2*t", "turn_y": "0.3 + sin(3*t)", "turn_z": "t^2 - 0.2"}


def turn_at(t: float) -> np.ndarray:
    return np.array([2 * t, 0.3 + np.sin(3 * t), t * t - 0.2])


def test_a_driven_body_turns_by_a_rotation_vector():
    """Its basis, and its angular velocity by differences."""
    motion = {"kind": "formula", "x": "t", **TURN}
    body = {**BOB, "support": "driven", "motion": motion, "orientation": TURNED, "angular_velocity": [0, 0, 0]}
    scene, step = described(body, method="rk4", time_step=1e-2), 1e-5
    for now in run(scene):
        t = now.time
        turn = Rotation.from_rotvec(turn_at(t)).as_matrix() @ scene.body[0].orientation.matrix()
        assert np.abs(now.bodies.basis[0].T - turn).max() < 1e-14
        between = Rotation.from_rotvec(turn_at(t + step)) * Rotation.from_rotvec(turn_at(t - step)).inv()
        assert now.bodies.angular_velocity[0] == pytest.approx(between.as_rotvec() / (2 * step), abs=1e-8)


def test_a_rotation_vector_along_an_axis_is_an_angle():
    """Also for what it carries: a pendulum on a hinge at the body."""
    bob = {"name": "bob", "support": "free", "position": [0.5, 0, 0], "shape": SHAPES}
    hinge = {"kind": "hinge", "name": "hinge", "first": "arm", "second": "bob", "anchor": [0.5, 0, 0]}
    found = []
    for motion in ({"axis": [0, 0, 1], "angle": "sin(3*t)"}, {"turn_z": "sin(3*t)"}):
        arm = {"name": "arm", "support": "driven", "motion": {"kind": "formula", **motion}, "shape": SHAPES}
        found.append(run(described(arm, bob, joint=[{**hinge, "axis": [0, 1, 0]}]))[-1])
    assert found[0].bodies.angular_velocity[1] == pytest.approx(found[1].bodies.angular_velocity[1], abs=1e-9)
    assert np.abs(found[0].bodies.angular_velocity[1]).max() > 0.5


@pytest.mark.parametrize("size", [0.0, 1e-3, 0.0315, 0.0317, 1.0, 3.0])
def test_acceleration_of_a_rotation_vector_is_that_of_its_velocity(size: float):
    """By differences, on both sides of the series for small ones."""
    turn, rate, change = size * np.array([0.6, 0.0, 0.8]), np.array([0.3, -0.7, 0.2]), np.array([1.0, 0.5, -0.4])
    step = 1e-4
    ahead, before = (
        np.array(velocity_of_turn(tuple(turn + s * rate + 0.5 * s * s * change), tuple(rate + s * change)))
        for s in (step, -step)
    )
    found = acceleration_of_turn(tuple(turn), tuple(rate), tuple(change))
    assert np.array(found) == pytest.approx((ahead - before) / (2 * step), abs=1e-7)
    turned = turned_by(tuple(turn), (0.1, 0.2, 0.3))
    assert np.array(turned) == pytest.approx(Rotation.from_rotvec(turn).apply([0.1, 0.2, 0.3]), abs=1e-14)


@pytest.mark.parametrize("changes", [{"support": "pivot"}, {"angle": "t"}, {"angular_velocity": [0, 0, 1.0]}])
def test_a_rotation_vector_is_of_driven_bodies_alone_and_instead_of_an_angle(changes: dict):
    motion = {"kind": "formula", **TURN, **{key: changes[key] for key in changes if key == "angle"}}
    rest = {key: changes[key] for key in changes if key != "angle"}
    with pytest.raises(InputError):
        described({**BOB, "support": "driven", "angular_velocity": [0, 0, 0], "motion": motion, **rest})


def pendulum(scene: Scene) -> np.ndarray:
    """(n, 9) basis of a pendulum on a pivot with SHAKEN: of all masses about the moving point."""
    body = scene.body[0]
    p, turn, spin = body_properties(scene, body, Meshes()), body.orientation.matrix(), np.array(body.angular_velocity)
    tensor = p.about(np.zeros(3))

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        turn, momentum = y[:9].reshape(3, 3), y[9:]
        w = turn @ np.linalg.solve(tensor, turn.T @ momentum)
        a = np.array([-4.9 * np.sin(7 * t), 0.1, -0.08 * 121 * np.cos(11 * t)])
        torque = np.cross(turn @ p.center, p.mass * (np.array([0, 0, -9.80665]) - a))
        return np.concatenate([np.cross(w, turn.T).T.ravel(), torque])

    start = np.concatenate([turn.ravel(), turn @ tensor @ turn.T @ spin])
    return solve_ivp(rate, (0, TIMES[-1]), start, "DOP853", TIMES, rtol=1e-12, atol=1e-12).y.T[:, :9]


def test_a_pendulum_on_a_moving_pivot():
    scene = described({**BOB, "motion": SHAKEN, "orientation": TURNED})
    found = run(scene)
    turns = pendulum(scene).reshape(-1, 3, 3).transpose(0, 2, 1)
    assert np.abs(np.array([now.bodies.basis[0] for now in found]) - turns).max() < 1e-7
    t = found[-1].time
    place = [0.2 + 0.1 * np.sin(7 * t), 0.1 + 0.05 * t * t, 0.5 + 0.08 * np.cos(11 * t)]
    assert found[-1].bodies.position[0] == pytest.approx(place)
    assert abs(found[-1].ledger.drive) > 0.1
    assert drift(found) < 1e-8


def test_kinetic_energy_is_that_of_all_masses():
    shapes = [{"kind": "point", "mass": m, "position": at} for m, at in ((0.3, [0, 0.1, -0.2]), (0.2, [0.1, 0, -0.4]))]
    now = run(described({**BOB, "shape": [*shapes, {**shapes[0], "position": [0.2, 0.1, 0]}], "motion": SHAKEN}))[-1]
    at, v, w = now.bodies.basis[0], now.bodies.velocity[0], now.bodies.angular_velocity[0]
    masses = ((0.3, [0, 0.1, -0.2]), (0.2, [0.1, 0, -0.4]), (0.3, [0.2, 0.1, 0]))
    energy = sum(0.5 * m * ((v + np.cross(w, np.array(place) @ at)) ** 2).sum() for m, place in masses)
    assert now.energy.kinetic == pytest.approx(energy, rel=1e-12)


def test_a_body_on_a_moving_axle_swings_as_in_a_plane():
    arm, tensor = 0.4, 0.5 * 0.16
    rod = {
        "name": "rod",
        "support": "axle",
        "axis": [0, 1, 0],
        "shape": [{"kind": "point", "mass": 0.5, "position": [0, 0, -arm]}],
    }
    motion = {"kind": "formula", "x": "0.1*sin(7*t)", "z": "0.05*cos(40*t)", "y": "0.3*t"}
    found = run(described({**rod, "angular_velocity": [0, 1.5, 0], "motion": motion}))

    def rate(t: float, y: np.ndarray) -> list[float]:
        a = np.array([-4.9 * np.sin(7 * t), 0, 9.80665 - 0.05 * 1600 * np.cos(40 * t)])
        place = -arm * np.array([np.sin(y[0]), 0, np.cos(y[0])])
        return [y[1], np.cross(place, -0.5 * a)[1] / tensor]

    expected = solve_ivp(rate, (0, TIMES[-1]), [0, 1.5], "DOP853", TIMES, rtol=1e-12, atol=1e-12).y
    angles = [np.arctan2(now.bodies.basis[0, 2, 0], now.bodies.basis[0, 2, 2]) for now in found]
    assert np.abs(np.exp(1j * np.array(angles)) - np.exp(1j * expected[0])).max() < 1e-7
    assert drift(found) < 1e-8


def test_what_hangs_on_a_moving_body_is_moved_by_its_work():
    """A ball on a spring at a turning driven body, and friction of a moved pivot."""
    motion = {"kind": "formula", "x": "0.2*sin(4*t)", "angle": "3*sin(2*t)"}
    arm = {**BOB, "name": "arm", "support": "driven", "motion": motion, "angular_velocity": [0, 0, 0]}
    ball = {"name": "ball", "mass": 0.2, "position": [0.6, 0.1, 0.2]}
    spring = {"from": {"body": "arm", "point": [0.3, 0, 0]}, "to": "ball", "stiffness": 30.0, "damping": 0.1}
    bob = {**BOB, "motion": SHAKEN, "friction": 0.01}
    found = run(described(arm, bob, particle=[ball], spring=[spring]))
    assert abs(found[-1].ledger.drive) > 0.1
    assert found[-1].ledger.friction < -1e-3
    assert drift(found) < 1e-8


@pytest.mark.parametrize("method", ["rk4", "verlet", "splitting", "adams_bashforth_2", "implicit"])
def test_the_ledger_of_a_moved_pivot_closes_with_every_method(method):
    steps = []
    for time_step in (4e-3, 2e-3):
        found = run(described({**BOB, "motion": SHAKEN, "orientation": TURNED}, method=method, time_step=time_step))
        steps.append(drift(found))
    assert steps[1] < 0.35 * steps[0] or steps[1] < 1e-8


BAD = [
    ({"support": "free"}, Meaning("body[0]", "formulas", support="free")),
    ({"support": "pivot", "angle": "t"}, Meaning("body[0]", "motion", support="pivot")),
    ({"support": "driven", "angle": "t"}, Meaning("body[0]", "velocity", "motion")),
    ({"x": "sqrt(t)"}, Meaning("body[0].motion.x", "finite")),
    ({"z": "1/(t - 3.3)"}, Meaning("body[0].motion.z", "finite")),
    ({"y": "x"}, Meaning("body[0].motion.y")),
    ({"axis": [0, 0, 0]}, Meaning("body[0].motion.axis", "direction", "zero")),
]


@pytest.mark.parametrize(("changed", "said"), BAD)
def test_what_is_wrong_is_found_before_the_run(changed, said):
    motion = {"kind": "formula", **{key: value for key, value in changed.items() if key != "support"}}
    with pytest.raises(InputError) as caught:
        Simulation(described({**BOB, "support": changed.get("support", "pivot"), "motion": motion}))
    assert said.of(caught.value)


def test_motions_are_written_and_go_on_from_a_later_moment():
    turning = {"kind": "formula", "x": "0.2*sin(4*t)", "angle": "3*sin(2*t)"}
    arm = {**BOB, "name": "arm", "support": "driven", "motion": turning, "angular_velocity": [0, 0, 0]}
    scene = described({**BOB, "motion": SHAKEN}, arm)
    again, once = continued(scene)
    assert np.abs(again.bodies.basis - once.bodies.basis).max() < 1e-11
    assert np.abs(again.bodies.position - once.bodies.position).max() < 1e-12


def test_a_scene_of_a_later_state_has_the_rotation_vector_of_that_time():
    motion = {"kind": "formula", "x": "0.1*t", **TURN}
    body = {**BOB, "support": "driven", "motion": motion, "orientation": TURNED, "angular_velocity": [0, 0, 0]}
    again, run_on = continued(described(body, method="rk4", time_step=1e-2))
    assert again.bodies.basis[0] == pytest.approx(run_on.bodies.basis[0], abs=1e-12)
    assert again.bodies.position[0] == pytest.approx(run_on.bodies.position[0], abs=1e-12)


def test_the_pose_at_the_start_has_the_rotation_vector():
    """For what is computed before the run, such as on which side of a plate a magnet is."""
    motion = {"kind": "formula", **TURN}
    body = {**BOB, "support": "driven", "motion": motion, "orientation": TURNED, "angular_velocity": [0, 0, 0]}
    scene = described(body)
    simulation = Simulation(scene)
    _, bases = start_poses(scene, simulation.compiled.model.bodies)
    assert bases[0] == pytest.approx(simulation.snapshot().bodies.basis[0], abs=1e-12)
    assert np.abs(bases[0].T - scene.body[0].orientation.matrix()).max() > 0.1
