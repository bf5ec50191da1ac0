"""Forces by formulas beside solutions of scipy, their energies and works, and what is refused."""

import numpy as np
import pytest
from meaning import Meaning
from runs import continued, drift, snapshots
from scipy.integrate import solve_ivp

from polhode.analysis.columns import columns
from polhode.scene.fields import parse_path, with_value
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.edit.parts import added, duplicated, renamed, without

TIMES = np.linspace(0.0, 1.5, 6)
BALL = {"name": "ball", "mass": 0.5, "position": [0.3, -0.2, 0.1], "velocity": [0.5, 1.0, -0.3]}
BOX = {
    "name": "box",
    "support": "free",
    "position": [0.1, 0.2, 0.0],
    "angular_velocity": [1.0, 2.0, -0.5],
    "velocity": [0.2, 0.0, 0.1],
    "shape": [{"kind": "cuboid", "size": [0.3, 0.2, 0.1], "mass": 0.4}],
}
JELLY = {"kind": "chain", "name": "jelly", "count": 3, "spacing": 0.2, "particle_mass": 0.1, "stiffness": 50.0}


def described(*forces, **parts) -> Scene:
    solver = {"method": "dormand_prince_8", "time_step": 2.5e-3}
    world = {"gravity": [0, 0, 0]}
    return scene_of({"solver": solver, "world": world, "force": list(forces), **parts}, "test")


def run(scene: Scene):
    return snapshots(scene, TIMES)


def solved(start, rate) -> np.ndarray:
    return solve_ivp(rate, (0, TIMES[-1]), start, "DOP853", TIMES, rtol=1e-12, atol=1e-12).y.T


def test_a_force_of_place_velocity_and_time_moves_a_particle():
    force = {"x": "-3*x - 0.2*vx + sin(4*t)", "y": "0.5*vz*y", "z": "-vy*x"}

    def rate(t: float, s: np.ndarray) -> np.ndarray:
        x, y, _, vx, vy, vz = s
        return np.array([*s[3:], *(np.array([-3 * x - 0.2 * vx + np.sin(4 * t), 0.5 * vz * y, -vy * x]) / 0.5)])

    found = run(described({"on": "ball", "force": force}, particle=[BALL]))
    expected = solved(BALL["position"] + BALL["velocity"], rate)
    assert np.abs(np.array([now.points.position[0] for now in found]) - expected[:, :3]).max() < 1e-7
    assert abs(found[-1].ledger.drive) > 0.05
    assert drift(found) < 1e-9


def test_a_force_at_a_point_of_a_body_and_a_torque_turn_it():
    arm, moments = np.array([0.1, 0.05, -0.02]), 0.4 / 12 * np.array([0.05, 0.1, 0.13])

    def rate(t: float, s: np.ndarray) -> np.ndarray:
        turn, w = s[6:15].reshape(3, 3), None
        w = turn @ (turn.T @ s[15:] / moments)
        at, there = s[:3] + turn @ arm, s[3:6] + np.cross(w, turn @ arm)
        force = np.array([-2 * at[0], np.cos(3 * t), -0.3 * there[2]])
        torque = np.cross(turn @ arm, force) + [0.01 * np.sin(t), -0.02 * there[0], 0.0]
        return np.concatenate([s[3:6], force / 0.4, np.cross(w, turn.T).T.ravel(), torque])

    told = {"force": ["-2*x", "cos(3*t)", "-0.3*vz"], "torque": {"x": "0.01*sin(t)", "y": "-0.02*vx", "z": "0"}}
    found = run(described({"on": "box", "point": arm.tolist(), **told}, body=[BOX]))
    start = [BOX["position"], BOX["velocity"], np.eye(3).ravel(), moments * BOX["angular_velocity"]]
    expected = solved(np.concatenate(start), rate)
    assert np.abs(np.array([now.bodies.position[0] for now in found]) - expected[:, :3]).max() < 1e-7
    turns = expected[:, 6:15].reshape(-1, 3, 3).transpose(0, 2, 1)
    assert np.abs(np.array([now.bodies.basis[0] for now in found]) - turns).max() < 1e-7
    assert drift(found) < 1e-9


@pytest.mark.parametrize("force", [{}, {"force": ["-2*x*(1 + 0.1*t) - y", "-x", "-z^3"]}], ids=["left out", "stated"])
def test_a_force_with_an_energy_is_its_gradient(force):
    """Its work is no line of the ledger, but the change of the energy with time is."""
    energy = "x^2*(1 + 0.1*t) + x*y + z^4/4"
    scene = described({"on": "ball", "energy": energy, **force}, particle=[BALL])
    found = run(scene)
    assert found[-1].energy.force != found[0].energy.force
    assert 1e-4 < abs(found[-1].ledger.drive) < 0.1
    assert drift(found) < 1e-9
    pull = Simulation(scene).snapshot(forces=True).forces["force"].on_points[0]
    for axis in range(3):
        steps = [
            Simulation(with_value(scene, parse_path(f"particle[0].position[{axis}]"), BALL["position"][axis] + h))
            .snapshot()
            .energy.force
            for h in (-1e-3, 1e-3)
        ]
        assert pull[axis] == pytest.approx(-(steps[1] - steps[0]) / 2e-3, abs=1e-6)


def test_an_energy_at_a_point_of_a_body_turns_it_conservatively():
    found = run(described({"on": "box", "point": [0.15, 0.0, 0.05], "energy": "20*(x^2 + 2*y^2 + z^2)"}, body=[BOX]))
    assert found[-1].ledger.drive == 0.0
    assert np.ptp([now.energy.total for now in found]) < 1e-9
    assert np.abs(found[-1].bodies.angular_momentum[0] - found[0].bodies.angular_momentum[0]).max() > 1e-2


def test_columns_and_arrows_show_the_force():
    forces = [
        {"on": "ball", "force": [0, "3*x", 0]},
        {"on": "jelly.1", "energy": "2*z"},
        {"on": "ball", "force": [1, 0, 0]},
    ]
    simulation = Simulation(described(*forces, particle=[BALL], soft=[JELLY]))
    simulation.advance(0.1)
    now, names = simulation.snapshot(forces=True), list(columns(simulation.compiled))
    row = dict(zip(names, now.numbers.tolist(), strict=True))
    x = now.points.position[3, 0]
    assert [row[f"ball.applied_force.{axis}"] for axis in "xyz"] == pytest.approx([1, 3 * x, 0])
    assert [row[f"jelly.1.applied_force.{axis}"] for axis in "xyz"] == pytest.approx([0, 0, -2])
    assert row["energy.force"] == now.energy.force == pytest.approx(2 * now.points.position[1, 2])
    assert row["energy.total"] == pytest.approx(now.energy.total)
    assert now.forces["force"].on_points[[1, 3]] == pytest.approx(np.array([[0, 0, -2], [1, 3 * x, 0]]))
    plain = list(columns(Simulation(described(particle=[BALL])).compiled))
    assert not any("force" in name for name in plain)


def test_the_work_on_a_pendulum_and_on_a_driven_body_is_in_the_ledger():
    bob = {**BOX, "support": "pivot", "shape": [{**BOX["shape"][0], "position": [0, 0, -0.3]}]}
    bob = {key: value for key, value in bob.items() if key != "velocity"}
    sled = {**BOX, "name": "sled", "support": "driven", "motion": {"kind": "uniform", "velocity": [1, 0, 0]}}
    sled = {key: value for key, value in sled.items() if key != "velocity"}
    push = [{"on": "box", "point": [0, 0, -0.3], "force": ["sin(5*t)", 0, "-2"], "torque": [0.1, 0, 0]}]
    push += [{"on": "sled", "force": ["-5*x", 0, 0]}]
    found = run(described(*push, body=[bob, sled]))
    assert abs(found[-1].ledger.drive) > 0.01
    assert drift(found) < 1e-9


def test_a_constant_torque_spins_a_sphere_up():
    ball = {"name": "ball", "radius": 0.1, "mass": 0.5, "position": [0, 0, 0]}
    found = run(described({"on": "ball", "torque": [0, 0, 0.01]}, sphere=[ball]))
    assert found[-1].bodies.angular_velocity[0] == pytest.approx([0, 0, 0.01 * 1.5 / (0.4 * 0.5 * 0.01)])


BAD = [
    ({"on": "bal", "force": [1, 0, 0]}, Meaning("force[0].on", name="bal", near="ball")),
    ({"on": "jelly", "force": [1, 0, 0]}, Meaning("force[0].on", name="jelly", near="jelly")),
    ({"on": "jelly.3", "force": [1, 0, 0]}, Meaning("force[0].on", name="jelly.3", near="jelly")),
    ({"on": "ball", "torque": [1, 0, 0]}, Meaning("force[0].torque", "acts", "point")),
    ({"on": "ball", "force": [1, 0, 0], "point": [0, 0, 1]}, Meaning("force[0].point", "body", "point")),
    ({"on": "ball"}, Meaning("force[0]", "neither", "torque")),
    ({"on": "ball", "force": ["sqrt(vz)", 0, 0]}, Meaning("force[0].force.x", "finite", t=0)),
    ({"on": "box", "torque": [0, 0, "1/(t - 2.03)"]}, Meaning("force[0].torque.z", "finite", t=2.03, value="inf")),
    ({"on": "ball", "energy": "log(y)"}, Meaning("force[0].energy", "finite", t=0)),
    ({"on": "ball", "energy": "vx"}, Meaning("force[0].energy")),
    (
        {"on": "ball", "energy": "x^2", "force": ["-x", 0, 0]},
        Meaning("force[0].energy", gradient="[-0.6, -0, -0]", place="[0.3, -0.2, 0.1]"),
    ),
    (
        {"on": "ball", "energy": "x^2", "force": ["-2*x - 0.1*vx", 0, 0]},
        Meaning("force[0].energy", gradient="[-0.6, -0, -0]", place="[0.3, -0.2, 0.1]"),
    ),
    ({"on": "ball", "force": ["q", 0, 0]}, Meaning("force[0].force[0]")),
]


@pytest.mark.parametrize(("force", "said"), BAD)
def test_what_is_wrong_is_found_before_the_run(force, said):
    with pytest.raises(InputError) as caught:
        Simulation(described(force, particle=[BALL], soft=[JELLY], body=[BOX]))
    assert said.of(caught.value)


def test_forces_are_written_and_go_on_from_a_later_moment():
    forces = [{"on": "ball", "force": ["sin(4*t)", "0", "-vx"]}, {"on": "box", "energy": "x^2*cos(t)"}]
    scene = described(*forces, particle=[BALL], body=[BOX])
    again, once = continued(scene)
    assert np.abs(again.points.position - once.points.position).max() < 1e-12
    assert np.abs(again.bodies.basis - once.bodies.basis).max() < 1e-12


def test_edits_keep_forces_with_what_they_act_on():
    scene = described(
        {"on": "ball", "force": [1, 0, 0]}, {"on": "jelly.1", "force": [1, 0, 0]}, particle=[BALL], soft=[JELLY]
    )
    assert [force.on for force in renamed(scene, ("soft", 0), "rope").force] == ["ball", "rope.1"]
    assert [force.on for force in without(scene, ("particle", 0)).force] == ["jelly.1"]
    more, place = duplicated(scene, ("force", 0), np.ones(3))
    assert place == ("force", 1)
    assert [force.point for force in more.force] == [(0.0, 0.0, 0.0)] * 3
    more, place = added(scene, "force", {"on": "ball", "energy": "x"})
    assert more.force[2].energy == "x"
