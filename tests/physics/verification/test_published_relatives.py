"""Relatives of published experiments: the same scenes with other numbers, beside the same formulas."""

from dataclasses import replace
from math import pi, sqrt
from typing import Any

import numpy as np
import pytest

from polhode.verification.bodies.rotation import azimuth_rate
from polhode.verification.published import (
    Experiment,
    contacts,
    governor,
    induction,
    oscillations,
    slinky,
    spinning,
)
from polhode.verification.published.experiment import Run


def changed(experiment: Experiment, numbers: dict[str, Any], seconds: float | None = None) -> Run:
    """A run of an experiment with other numbers, of another duration [s] if one is given."""
    return replace(experiment, seconds=seconds or experiment.seconds).run(experiment.scene.with_values(numbers))


def test_a_swinging_spring_from_another_start() -> None:
    start = (0.1, 0.02, -1.05, 0.0, -0.05, 0.1)
    numbers = {"particle[0].position": list(start[:3]), "particle[0].velocity": list(start[3:])}
    run = changed(oscillations.SWINGING_SPRING, numbers, 20.0)
    for axis in range(3):
        found = oscillations.at(20.0, axis)(run)
        assert found == pytest.approx(oscillations.spring_at(20.0, start)[axis], abs=1e-7)


def test_a_folded_chain_in_stronger_gravity() -> None:
    run = changed(oscillations.FOLDED_CHAIN, {"world.gravity": [0.0, 0.0, -14.0]}, 0.4)
    found = oscillations.falling_time(run, oscillations.LINKS + 1, 0.8)
    assert found == pytest.approx(oscillations.chain_time(0.8, 14.0), rel=0.015)
    assert found < 0.95 * sqrt(2.0 * 0.8 / 14.0)


@pytest.mark.parametrize(("rotation", "amplitude"), [(-0.05, 0.15), (0.08, 0.12)])
def test_foucault_pendulums_of_other_amplitudes(rotation: float, amplitude: float) -> None:
    scene = oscillations.FOUCAULT.scene.with_values(oscillations.of_rotation(rotation, amplitude))
    assert azimuth_rate(scene) == pytest.approx(oscillations.plane_rate(rotation, amplitude), abs=5e-6)


def test_a_weaker_magnet_in_coil_and_tube() -> None:
    """Voltages are in proportion to its moment, and the speed in the tube to one over its square."""
    (experiment,) = induction.EXPERIMENTS
    share = 0.5 / induction.MOMENT
    run = changed(experiment, {"body[0].shape[0].magnet.moment": [0.0, 0.0, 0.5]})
    assert run.column("coil.voltage").max() == pytest.approx(share * induction.lobe(1.0), abs=2e-4)
    assert run.column("coil.voltage").min() == pytest.approx(share * induction.lobe(-1.0), abs=2e-4)
    speed = induction.MASS * 9.80665 / (induction.BRAKING * share**2)
    assert induction.speed_in_tube(run) == pytest.approx(speed, rel=2e-3)


def test_a_weaker_push_under_less_gravity() -> None:
    push = 143.0 / sqrt(2.0)
    run = changed(contacts.PUSHED, {"force[0].force": [str(push), str(push), "0"], "world.gravity": [0, 0, -9.5]})
    expected = contacts.of_box(143.0, 9.5)
    assert contacts.acceleration("box")(run) == pytest.approx(expected, abs=1e-3)
    assert contacts.acceleration("ball7")(run) == pytest.approx(2.0 / 7.0 * expected, abs=5e-4)


@pytest.mark.nightly
def test_a_governor_under_less_gravity() -> None:
    run = changed(governor.GOVERNOR, {"world.gravity": [0.0, 0.0, -4.0]})
    for time in (1.0, 5.0, 10.0):
        found = float(np.interp(time, run.times, run.column("slider.position.z")))
        assert found == pytest.approx(governor.heights(4.0)[time], abs=1e-6)


@pytest.mark.nightly
def test_a_tippe_top_under_less_gravity() -> None:
    """Upright and upside down: both limits are lower by the root of gravity, while the friction is the same."""
    run = Run(spinning.TIPPE_TOP.scene.with_values({"world.gravity": [0.0, 0.0, -7.0]}), [], ())
    for limit, tilt in (
        (spinning.upright_limit(7.0), spinning.SMALL),
        (spinning.inverted_limit(7.0), pi - spinning.SMALL),
    ):
        assert spinning.limit_between(limit - 1.6, limit + 1.4, tilt)(run) == pytest.approx(limit, abs=0.15)


def test_a_slinky_on_another_planet(monkeypatch: pytest.MonkeyPatch) -> None:
    """It hangs shorter, and falls more slowly."""
    monkeypatch.setattr(slinky, "GRAVITY", 6.0)
    hanging = slinky.hanging()
    numbers = {f"particle[{k}].position": [0.0, 0.0, float(height)] for k, height in enumerate(hanging)}
    run = changed(slinky.SLINKY, numbers | {"world.gravity": [0.0, 0.0, -6.0]}, 0.2)
    expected = slinky.heights.__wrapped__((0.1, 0.2))
    for row, time in enumerate((0.1, 0.2)):
        assert slinky.height(0, time)(run) == pytest.approx(expected[row, 0], abs=1e-5)
        assert slinky.height(slinky.COUNT - 1, time)(run) == pytest.approx(0.0, abs=1e-6)
    assert hanging[0] < 0.8 * 1.006
