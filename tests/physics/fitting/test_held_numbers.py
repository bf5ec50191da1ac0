"""Uncertain numbers that a fit holds, in its intervals and predictions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode.data.measured import MeasuredData
from polhode.fitting.fit import fit
from polhode.fitting.inference.prediction import prediction
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of

LENGTH, DEVIATION, G, NOISE = 0.458, 0.005, 9.80665, 1e-3
TIMES = np.arange(200) * 0.02
GRAVITY, QUANTITY = "world.gravity[2]", "bob.deflection"


def pendulum(length: float | str, gravity: float = -9.5) -> Scene:
    """A mass on an axle; length: its place along z."""
    bob = {"name": "bob", "support": "axle", "axis": [0, 1, 0], "orientation": {"axis": [0, 1, 0], "angle": 0.2}}
    bob["shape"] = [{"kind": "point", "mass": 1.0, "position": [0, 0, length]}]
    return scene_of({"world": {"gravity": [0, 0, gravity]}, "body": [bob]}, "test")


def swing(seed: int) -> MeasuredData:
    """Angles [rad] by an independent integrator, with noise."""
    exact = solve_ivp(
        lambda _, s: [s[1], -G / LENGTH * np.sin(s[0])], (0, TIMES[-1]), [0.2, 0.0], "DOP853", TIMES, rtol=1e-10
    ).y[0]
    readings = exact + np.random.default_rng(seed).normal(0.0, NOISE, len(TIMES))
    return MeasuredData.of_arrays(TIMES, {"a": readings}, {"a": "rad"})


def test_gravity_is_as_uncertain_as_the_length_of_the_pendulum() -> None:
    """g = (2 pi/T)^2 L: its deviation by the length is g s_L/L, beside which that by the noise is small."""
    certain = fit(pendulum(-LENGTH), swing(1), {"a": QUANTITY}, [GRAVITY]).estimate(GRAVITY)
    held = fit(pendulum(f"{-LENGTH} +- {DEVIATION}"), swing(1), {"a": QUANTITY}, [GRAVITY]).estimate(GRAVITY)
    assert held.value == pytest.approx(certain.value, rel=1e-9)
    assert held.error**2 == pytest.approx(certain.error**2 + (G * DEVIATION / LENGTH) ** 2, rel=1e-2)


def test_a_uniform_length_has_the_deviation_of_its_distribution() -> None:
    held = fit(pendulum(f"{-LENGTH} +- {DEVIATION} uniform"), swing(1), {"a": QUANTITY}, [GRAVITY]).estimate(GRAVITY)
    assert held.error == pytest.approx(G * DEVIATION / LENGTH / np.sqrt(3), rel=2e-2)


def test_runs_with_one_length_do_not_make_it_more_certain() -> None:
    """The length is the same in both: two runs have the deviation of one."""
    scene = pendulum(f"{-LENGTH} +- {DEVIATION}")
    found = fit(scene, swing(1), {"a": QUANTITY}, [GRAVITY], runs=[(scene, swing(2))])
    assert found.estimate(GRAVITY).error == pytest.approx(G * DEVIATION / LENGTH, rel=1e-2)


def test_a_repetition_with_the_same_pendulum_is_predicted_as_if_its_length_were_known() -> None:
    """Only the ratio of gravity and length acts on the motion, and that is measured."""
    certain = fit(pendulum(-LENGTH), swing(1), {"a": QUANTITY}, [GRAVITY])
    held = fit(pendulum(f"{-LENGTH} +- {DEVIATION}"), swing(1), {"a": QUANTITY}, [GRAVITY])
    widths = [np.ptp([each.lower, each.upper], axis=0) for each in (prediction(certain), prediction(held))]
    assert widths[1] == pytest.approx(widths[0], rel=1e-3)


def test_a_pendulum_of_another_length_is_predicted_with_the_gravity_found() -> None:
    """With a length that is known the whole deviation of gravity acts: dT/T = -dg/(2 g)."""
    held = fit(pendulum(f"{-LENGTH} +- {DEVIATION}"), swing(1), {"a": QUANTITY}, [GRAVITY])
    times = np.linspace(0.0, 1.0, 21)
    found = prediction(held, times, pendulum(-0.3))
    rate = np.sqrt(G / 0.3)
    slope = 0.2 * times * np.sin(rate * times) * rate / (2 * G)  # of the angle to gravity, for small swings
    expected = 1.972 * np.hypot(slope * G * DEVIATION / LENGTH, NOISE)
    assert (found.upper - found.lower)[:, 0] / 2 == pytest.approx(expected, rel=0.1)


def test_a_fit_in_segments_says_what_it_does_not_count() -> None:
    scene = pendulum(f"{-LENGTH} +- {DEVIATION}")
    names = [note.values["names"] for note in fit(scene, swing(1), {"a": QUANTITY}, [GRAVITY], segments=4).notes]
    assert names == ["body[0].shape[0].position[2]"]
