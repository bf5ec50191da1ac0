"""Air whose density and viscosity depend on the place: closed forms, DOP853, the ledger, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from meaning import Meaning
from scipy.integrate import solve_ivp
from scipy.special import expi

from polhode.scene.fields import parse_path, with_value
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.scene.toml_edit import stated
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot

MASS, G, HEIGHT = 0.5, 9.80665, 40.0  # [kg], [m/s^2], [m] in which the density falls by e
BAROMETRIC = f"1.225*exp(-z/{HEIGHT})"
NOTHING = {"gravity": [0, 0, 0]}


def described(wind: dict[str, Any], ball: dict[str, Any], method: str = "dormand_prince_8", **world: Any) -> Scene:
    """A scene with a ball, and with a particle beside it that has the linear drag of the wind."""
    solver = {"method": method, "time_step": 5e-3}
    particle = {"name": "point", "mass": MASS, "position": [0.1, 0.2, 0.3], "velocity": [1.0, -2.0, 3.0]}
    sphere = {"name": "ball", "mass": MASS, "radius": 0.1, **ball}
    return scene_of(
        {"solver": solver, "world": {"wind": wind, **world}, "sphere": [sphere], "particle": [particle]}, "test"
    )


def run(scene: Scene, until: float) -> Snapshot:
    simulation = Simulation(scene)
    before = simulation.snapshot().energy.total
    simulation.advance(until)
    now = simulation.snapshot()
    assert now.energy.total - now.ledger.total == pytest.approx(before, abs=1e-8 * abs(before))
    return now


def test_a_ball_that_falls_from_rest_in_a_barometric_atmosphere_has_the_speed_of_the_closed_form() -> None:
    """With u = v^2 and s = 2 k H exp(-z/H), k = d2/m: u' + u = 2 g H/s, u = 2 g H exp(-s) (Ei(s) - Ei(s0))."""
    drag, top = 0.02, 90.0
    now = run(
        described({"density": BAROMETRIC}, {"position": [0, 0, top], "quadratic_drag": drag}, gravity=[0, 0, -G]), 6.0
    )
    z = now.bodies.position[0, 2]
    s, first = (2 * drag / MASS * HEIGHT * np.exp(-at / HEIGHT) for at in (z, top))
    speed = np.sqrt(2 * G * HEIGHT * np.exp(-s) * (expi(s) - expi(first)))
    assert now.bodies.velocity[0, 2] == pytest.approx(-speed, rel=1e-10)
    assert speed < 0.5 * np.sqrt(2 * G * (top - z))
    terminal = np.sqrt(MASS * G / (drag * np.exp(-z / HEIGHT)))
    assert speed > terminal  # of the denser air that it comes into: it is slowed down


@pytest.mark.parametrize(("thing", "axis"), [("bodies", 0), ("points", 2)])
def test_linear_drag_follows_the_viscosity_and_not_the_density(thing: str, axis: int) -> None:
    """m v dv/dx = -d exp(-x/L) v, so v = v0 - d L/m (1 - exp(-x/L))."""
    drag, length = 0.3, 2.0
    wind = {"viscosity": f"1.7894e-5*exp(-{'xyz'[axis]}/{length})", "density": "1 + x^2", "drag": drag}
    ball = {"position": [0.2, 0, 0], "velocity": [3.0, 0, 0], "drag": drag}
    scene = described(wind, ball, **NOTHING)
    particle = scene.particle[0].model_copy(update={"velocity": (0.0, 0.0, 3.0)})
    now = getattr(run(scene.model_copy(update={"particle": (particle,)}), 2.0), thing)
    x, first = now.position[0, axis], 0.2 if thing == "bodies" else 0.3
    speed = 3.0 - drag * length / MASS * (np.exp(-first / length) - np.exp(-x / length))
    assert now.velocity[0, axis] == pytest.approx(speed, rel=1e-10)
    assert speed < 2.5


def solved(wind: Any, viscosity: Any, density: Any, drag: tuple[float, float], start: list[float], until: float) -> Any:
    """Position and velocity at the end, by DOP853: a slow twin of the law."""

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        against = wind(t, y) - y[3:]
        factor = drag[0] * viscosity(y) / 1.7894e-5 + drag[1] * density(y) / 1.225 * np.linalg.norm(against)
        return np.concatenate([y[3:], factor * against / MASS + [0, 0, -G]])

    return solve_ivp(rate, (0, until), start, "DOP853", rtol=1e-12, atol=1e-12, max_step=0.02).y[:, -1]


@pytest.mark.parametrize("way", ["numbers that swing", "formulas"])
def test_balls_and_points_in_wind_and_air_by_place_move_as_a_slow_twin(way: str) -> None:
    wind: dict[str, Any] = {"density": "1.225 + 3*x^2 + y^2", "viscosity": "2e-5*exp(-z/5)", "drag": 0.2}
    if way == "formulas":
        wind["velocity"] = ["2*sin(t)", "z", "0.1*x"]
    else:
        wind |= {"velocity": [2.0, 1.0, -0.5], "period": 0.7}

    def blowing(t: float, y: np.ndarray) -> np.ndarray:
        if way == "formulas":
            return np.array([2 * np.sin(t), y[2], 0.1 * y[0]])
        return np.array([2.0, 1.0, -0.5]) * np.cos(2 * np.pi * t / 0.7)

    start = [0.3, -0.2, 0.1, 0.5, 1.0, -0.3]
    ball = {"position": start[:3], "velocity": start[3:], "drag": 0.1, "quadratic_drag": 0.15}
    now = run(described(wind, ball, gravity=[0, 0, -G]), 1.5)
    air = (lambda y: 2e-5 * np.exp(-y[2] / 5), lambda y: 1.225 + 3 * y[0] ** 2 + y[1] ** 2)
    expected = solved(blowing, *air, (0.1, 0.15), start, 1.5)
    assert np.concatenate([now.bodies.position[0], now.bodies.velocity[0]]) == pytest.approx(expected, abs=1e-8)
    expected = solved(blowing, *air, (0.2, 0.0), [0.1, 0.2, 0.3, 1.0, -2.0, 3.0], 1.5)
    assert np.concatenate([now.points.position[0], now.points.velocity[0]]) == pytest.approx(expected, abs=1e-8)


def test_numbers_count_in_proportion_and_the_usual_ones_change_nothing() -> None:
    ball = {"velocity": [3.0, 0, 0], "drag": 0.1, "quadratic_drag": 0.2}
    thick = {**ball, "drag": 0.3, "quadratic_drag": 0.4}
    one, other = (
        run(described({"density": 2.45, "viscosity": 3 * 1.7894e-5}, ball), 1.0),
        run(described({}, thick), 1.0),
    )
    assert one.bodies.velocity == pytest.approx(other.bodies.velocity, rel=1e-12)
    stated_air = described({"density": 1.225, "viscosity": 1.7894e-5}, ball)
    assert np.array_equal(run(stated_air, 1.0).bodies.velocity, run(described({}, ball), 1.0).bodies.velocity)


def test_where_a_formula_is_negative_there_is_no_air() -> None:
    ball = {"position": [0.5, 0, 0], "velocity": [3.0, 0, 0], "quadratic_drag": 0.5}
    scene = described({"density": "1.225*(1 - x)", "viscosity": "1e-5 - 1e-5*x", "drag": 0.1}, ball, **NOTHING)
    simulation = Simulation(scene)
    simulation.advance(0.5)
    now = simulation.snapshot(forces=True)
    assert now.bodies.position[0, 0] > 1.2
    assert 2.0 < now.bodies.velocity[0, 0] < 2.9
    assert not now.forces["drag"].on_bodies.any()


WHERE = "x = 0.5, y = 0, z = 0"


@pytest.mark.parametrize(
    ("wind", "said"),
    [
        ({"density": -1.0}, Meaning("world.wind.density", "least", limit=0, value=-1.0)),
        ({"viscosity": -1e-5}, Meaning("world.wind.viscosity", "least", limit=0)),
        ({"density": "1.225*exp(-h/8500)"}, Meaning("world.wind.density", column=12)),
        ({"density": "1 + t"}, Meaning("world.wind.density", column=5)),
        ({"density": "x - 2"}, Meaning("world.wind.density", "negative", "max", place=WHERE, value=-1.5)),
        ({"viscosity": "-x"}, Meaning("world.wind.viscosity", "negative", place=WHERE)),
        ({"density": "1/(x - 0.5)"}, Meaning("world.wind.density", "finite", value="inf")),
        ({"density": True}, Meaning("world.wind.density", variables="x, y, z", value=True)),
    ],
)
def test_what_is_wrong_is_found_before_the_run(wind: dict[str, Any], said: Meaning) -> None:
    with pytest.raises(InputError) as caught:
        Simulation(described(wind, {"position": [0.5, 0, 0]}))
    assert said.of(caught.value), caught.value


def test_numbers_count_in_the_units_of_the_file_and_formulas_in_si() -> None:
    units = {"length": 0.01, "mass": 0.001}
    wind = scene_of({"units": units, "world": {"wind": {"density": 1.2e-3, "viscosity": "2e-5"}}}, "test").world.wind
    assert wind.density == pytest.approx(1.2, rel=1e-14)
    assert wind.viscosity == "2e-5"
    scene = described({"density": BAROMETRIC, "viscosity": 2e-5}, {})
    assert scene_of(stated(scene), "again") == scene


def test_the_sensor_drives_the_density_from_the_usual_one_on() -> None:
    """The law by formulas is called from the moment on at which the air becomes another one."""
    drive = {"parameter": "world.wind.density", "scale": 10.0, "offset": 1.225}
    scene = described({}, {"velocity": [3.0, 0, 0], "quadratic_drag": 0.2}, "rk4", **NOTHING)
    driven = scene_of(stated(scene) | {"sensor": {"drive": [drive]}}, "driven")
    simulation = Simulation(driven)
    simulation.drive((1.225,))
    simulation.sensor_drive.active = False
    simulation.advance(0.1)
    simulation.drive((12.25,))
    simulation.advance(0.1)
    plain = Simulation(scene)
    plain.advance(0.1)
    plain.load(with_value(plain.scene, parse_path("world.wind.density"), 12.25))
    plain.advance(0.1)
    assert np.array_equal(simulation.snapshot().bodies.velocity, plain.snapshot().bodies.velocity)
    v = 3.0 / (1 + 0.4 * 3.0 * 0.1)
    assert plain.snapshot().bodies.velocity[0, 0] == pytest.approx(v / (1 + 4.0 * v * 0.1), rel=1e-6)
