"""Caveats of a fit: time steps that are too long, structured residuals, a run that explains nothing."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest
from made_data import PENDULUM, swing
from meaning import Meaning
from scipy.integrate import solve_ivp

from polhode.data.measured import MeasuredData, measured
from polhode.fitting.fit import fit
from polhode.fitting.result import FitResult
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of

TRUTH = (0.006, 0.03, 0.2)  # viscous [N m s] and dry friction [N m], and how far the start is off [rad]
FREE = ["body[0].friction", "body[0].dry_friction", "body[0].tilt[1]"]


def driven_swing() -> MeasuredData:
    """A rod with a ball at its side on an axle with dry friction, driven by a torque: 6 s, noise of a seed.

    I a'' = m g.x + 0.25 sin(2.2 t) - k a' - M sign(a'), by DOP853.
    """
    parts = ((0.3, (0.0, -0.2)), (0.25, (0.1, -0.4)))  # masses [kg] with x and z [m]
    inertia = 0.3 * (0.02**2 + 0.4**2) / 12 + 0.4 * 0.25 * 0.05**2 + sum(m * (x * x + z * z) for m, (x, z) in parts)
    viscous, dry, tilt = TRUTH

    def rate(time: float, state: np.ndarray) -> list[float]:
        angle, speed = state
        arm = sum(m * (x * np.cos(angle) + z * np.sin(angle)) for m, (x, z) in parts)
        torque = 9.81 * arm + 0.25 * np.sin(2.2 * time) - viscous * speed - dry * np.tanh(speed / 1e-3)
        return [speed, torque / inertia]

    times = np.arange(0.0, 6.0, 0.04)
    run = solve_ivp(rate, (0.0, 6.0), [1.0 + tilt, 0.0], "DOP853", t_eval=times, rtol=1e-9, atol=1e-11, max_step=0.01)
    noise = 0.04 * np.random.default_rng(2).standard_normal(len(times))
    return measured("made", times, {"w": run.y[1] + noise})


def compound(time_step: float) -> Scene:
    body = {
        "name": "L",
        "support": "axle",
        "axis": [0, 1, 0],
        "orientation": {"axis": [0, 1, 0], "angle": 1.0},
        "friction": 0.015,
        "dry_friction": 0.012,
        "shape": [
            {"kind": "cuboid", "size": [0.02, 0.02, 0.4], "mass": 0.3, "position": [0, 0, -0.2]},
            {"kind": "sphere", "radius": 0.05, "mass": 0.25, "position": [0.1, 0, -0.4]},
        ],
    }
    motor = {"on": "L", "torque": ["0", "0.25*sin(2.2*t)", "0"]}
    world, solver = {"gravity": [0, 0, -9.81]}, {"time_step": time_step}
    return Scene.model_validate({"world": world, "solver": solver, "body": [body], "force": [motor]})


def said(found: FitResult) -> str:
    return "\n".join(str(note) for note in found.notes)


def test_a_time_step_that_moves_the_values_beyond_their_errors_is_told():
    """Dry friction has an error of the first order in the step where a body turns round."""
    mapping, data = {"w": "L.angular_velocity.y"}, driven_swing()
    coarse, fine = (fit(compound(step), data, mapping, FREE) for step in (8e-3, 5e-4))
    assert Meaning("", "step", step=0.008, name="body[0].dry_friction").of(said(coarse))
    assert said(fine) == ""
    for each, value in zip(fine.estimates, TRUTH, strict=True):
        assert abs(each.value - value) < 3 * each.error


def pendulum(time_step: float = 0.005) -> Scene:
    scene = scene_of(tomllib.loads(PENDULUM.format(gravity=9.81, friction=0.002, angle=1.2)), "pendulum")
    return scene.model_copy(update={"solver": scene.solver.model_copy(update={"time_step": time_step})})


def test_the_shift_by_half_the_step_is_that_of_a_fit_with_half_the_step() -> None:
    """Of a smooth motion by RK4 with some 15 steps for a swing: 3 % is what its shift depends on the place."""
    times, free = np.linspace(0.0, 8.0, 200), ["world.gravity[2]", "body[0].friction"]
    noise = 1e-3 * np.random.default_rng(1).standard_normal(200)
    data = measured("made", times, {"w": swing(times)[1] + noise})
    mapping = {"w": "bob.angular_velocity.y"}
    coarse, half = (fit(pendulum(step), data, mapping, free) for step in (0.1, 0.05))
    moved = np.array([b.value - a.value for a, b in zip(coarse.estimates, half.estimates, strict=True)])
    assert coarse.step_shift == pytest.approx(moved, rel=0.03)
    assert Meaning("", step=0.1, name="world.gravity[2]").of(said(coarse))


def test_a_run_that_explains_little_of_a_column_is_told():
    """Degrees per second that are said to be radians per second."""
    times = np.linspace(0.0, 8.0, 200)
    data = measured("made", times, {"w": np.degrees(swing(times, 9.7)[1])}, {"w": "rad/s"})
    found = fit(pendulum(), data, {"w": "bob.angular_velocity.y"}, ["world.gravity[2]"])
    assert Meaning("", "explains", column="w").of(said(found))
    assert Meaning("", "check", column="w").of(said(found))


def test_a_good_fit_says_nothing_against_itself():
    times = np.linspace(0.0, 8.0, 200)
    noise = 0.02 * np.random.default_rng(1).standard_normal(200)
    data = measured("made", times, {"w": swing(times, 9.7)[1] + noise})
    assert fit(pendulum(), data, {"w": "bob.angular_velocity.y"}, ["world.gravity[2]"]).notes == ()
