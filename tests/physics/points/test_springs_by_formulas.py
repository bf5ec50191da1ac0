"""Springs by formulas beside solutions of scipy, ordinary springs, and what is refused."""

from math import cos, expm1
from time import process_time

import numpy as np
import pytest
from meaning import Meaning
from runs import drift, snapshots
from scipy.integrate import quad, solve_ivp

from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.scene.toml_edit import stated
from polhode.simulation.simulation import Simulation

TIMES = np.linspace(0.0, 2.0, 6)
LAW = "100*(l - 0.2)^3 + 0.1*v + 5*(l - 0.2)"
BALL = {"name": "ball", "mass": 0.5, "position": [0.3, 0.0, -0.4], "velocity": [0.0, 0.6, 0.2]}
OTHER = {"name": "other", "mass": 0.3, "position": [0.5, 0.4, -0.6], "velocity": [0.1, 0.0, 0.0]}
BOX = {
    "name": "box",
    "support": "free",
    "position": [0.6, 0.0, -0.3],
    "angular_velocity": [0.0, 2.0, -0.5],
    "shape": [{"kind": "cuboid", "size": [0.3, 0.2, 0.1], "mass": 0.4}],
}


def described(*springs, **parts) -> Scene:
    solver = {"method": "dormand_prince_8", "time_step": 2.5e-3}
    return scene_of({"solver": solver, "spring": list(springs), **parts}, "test")


def run(scene: Scene):
    return snapshots(scene, TIMES)


def test_a_particle_on_a_spring_by_a_formula_moves_as_it_says():
    def rate(t: float, s: np.ndarray) -> np.ndarray:
        length = np.linalg.norm(s[:3])
        v = s[:3] @ s[3:] / length
        force = 100 * (length - 0.2) ** 3 + 0.1 * v + 5 * (length - 0.2)
        return np.concatenate([s[3:], [0, 0, -9.80665] - force / 0.5 * s[:3] / length])

    found = run(described({"from": [0, 0, 0], "to": "ball", "force": LAW}, particle=[BALL]))
    start = BALL["position"] + BALL["velocity"]
    expected = solve_ivp(rate, (0, TIMES[-1]), start, "DOP853", TIMES, rtol=1e-12, atol=1e-12).y.T
    assert np.abs(np.array([now.points.position[0] for now in found]) - expected[:, :3]).max() < 1e-7
    assert found[-1].ledger.damping < -1e-3
    assert drift(found) < 1e-9


def test_the_energy_is_the_integral_of_the_force_from_the_natural_length():
    law = "2*sinh(5*(l - 0.3)) + exp(-l)*v"
    spring = {"from": [0, 0, 0], "to": "ball", "force": law, "rest_length": 0.3}
    found = run(described(spring, particle=[BALL]))
    for now in found:
        length = np.linalg.norm(now.points.position[0])
        energy = quad(lambda s: 2 * np.sinh(5 * (s - 0.3)), 0.3, length, epsabs=1e-13)[0]
        assert now.energy.elastic == pytest.approx(energy, abs=1e-12)
    assert drift(found) < 1e-9


@pytest.mark.parametrize("length", [0.4, 0.1005, 0.0999, 0.09, 0.02])
def test_the_energy_of_a_stop_that_acts_far_from_the_natural_length(length: float):
    """5 N/m and a natural length of 0.8 m, with a stop of 1e4 N/m below 0.1 m, and a jump of 2 N at 0.3 m."""
    law = "5*(l - 0.8) - 1e4*max(0.1 - l, 0) + 1 + sign(0.3 - l)"
    spring = {"from": [0, 0, 0], "to": "ball", "force": law, "rest_length": 0.8}
    now = Simulation(described(spring, particle=[BALL | {"position": [length, 0.0, 0.0]}])).snapshot()
    stop, jump = 5e3 * max(0.1 - length, 0.0) ** 2, 2.0 * min(length - 0.3, 0.0)
    assert now.energy.elastic == pytest.approx(2.5 * (length - 0.8) ** 2 + stop + jump, rel=1e-9)


def elastic(law: str, rest: float, length: float) -> tuple[float, float]:
    """Elastic energy [J] of a spring, and the least processor time [s] of a snapshot of it."""
    spring = {"from": [0, 0, 0], "to": "ball", "force": law, "rest_length": rest}
    simulation, times = Simulation(described(spring, particle=[BALL | {"position": [length, 0.0, 0.0]}])), list[float]()
    simulation.snapshot()
    for _ in range(5):
        begin = process_time()
        now = simulation.snapshot()
        times.append(process_time() - begin)
    return now.energy.elastic, min(times)


@pytest.mark.parametrize(("stiffness", "rest"), [(10.0, 0.3), (0.3, 0.1), (1.0, 1.0)])
@pytest.mark.parametrize("stretch", [1e-9, 1e-7, 1e-3])
def test_the_energy_of_a_short_stretch_is_as_accurate_as_the_length(stiffness: float, rest: float, stretch: float):
    """The rounding of l changes U by 2 eps l/|l - l0|; an integral that is halved for it takes milliseconds."""
    longer = (rest + stretch) - rest
    found, seconds = elastic(f"exp({stiffness}*(l - {rest})) - 1", rest, rest + stretch)
    x = stiffness * longer
    expected = (expm1(x) - x) / stiffness
    rounding = np.finfo(float).eps * max(rest, 1 / stiffness) / longer
    assert found == pytest.approx(expected, rel=8 * rounding)
    assert seconds < 1e-4


def test_an_integral_that_can_not_be_found_ends():
    """A force of 1.6e8 periods per metre has no integral by halves; one of 160 has."""
    assert elastic("sin(1e9*(l - 0.3))", 0.3, 1.0)[1] < 0.1
    assert elastic("sin(1000*(l - 0.3))", 0.3, 1.0)[0] == pytest.approx((1 - cos(700)) / 1000, abs=1e-15)


def test_a_linear_formula_is_an_ordinary_spring():
    """Between a body, a particle and a place; forces, torques, energy and damping."""
    ends = [({"body": "box", "point": [0.1, 0.05, 0.02]}, "ball"), ("ball", "other"), ([0, 0, 0], "box")]
    plain = [{"from": a, "to": b, "stiffness": 20.0, "damping": 0.3, "rest_length": 0.2} for a, b in ends]
    told = [{"from": a, "to": b, "force": "20*(l - 0.2) + 0.3*v", "rest_length": 0.2} for a, b in ends]
    parts = {"particle": [BALL, OTHER], "body": [BOX]}
    one, other = (run(described(*springs, **parts))[-1] for springs in (plain, told))
    assert np.abs(one.points.position - other.points.position).max() < 1e-11
    assert np.abs(one.bodies.basis - other.bodies.basis).max() < 1e-11
    assert one.energy.elastic == pytest.approx(other.energy.elastic, abs=1e-11)
    assert one.ledger.damping == pytest.approx(other.ledger.damping, abs=1e-11)


def test_the_arrows_show_the_forces_of_all_springs():
    springs = [{"from": [0, 0, 0], "to": "ball", "force": "3*l"}, {"from": "ball", "to": "other", "stiffness": 2.0}]
    now = Simulation(described(*springs, particle=[BALL, OTHER])).snapshot(forces=True)
    assert now.forces["springs"].on_points[0] == pytest.approx(-3 * np.array(BALL["position"]))


BAD = [
    ({"force": "l", "stiffness": 3.0}, Meaning("spring[0]", "either")),
    ({"force": "l", "damping": 3.0}, Meaning("spring[0]", "either")),
    ({}, Meaning("spring[0]", "either")),
    ({"force": "x"}, Meaning("spring[0].force")),
    ({"force": "1/(l - 0.6)"}, Meaning("spring[0].force", l=0.6, v=0)),
    ({"force": "sqrt(v)"}, Meaning("spring[0].force", l=0.05, v=-1, value="nan")),
]


@pytest.mark.parametrize(("law", "said"), BAD)
def test_what_is_wrong_is_found_before_the_run(law, said):
    with pytest.raises(InputError) as caught:
        Simulation(described({"from": [0, 0, 0], "to": "ball", **law}, particle=[BALL]))
    assert said.of(caught.value)


def test_a_spring_by_a_formula_is_written_as_read():
    scene = described({"from": [0, 0, 0], "to": "ball", "force": LAW}, particle=[BALL])
    assert scene_of(stated(scene), "again") == scene
