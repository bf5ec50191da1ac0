"""Built-in scenes of lessons whose numbers have closed forms: large swings, and resonance."""

from __future__ import annotations

from math import sin

import numpy as np
import pytest
from scipy.special import ellipk

from polhode import Outcome, Simulation, Sweep, read_scene

FINE = 2e-3  # [s] the time step; a line through two velocities near a zero crosses within (w dt)^3 < 1e-5 of a step


@pytest.mark.parametrize(("name", "amplitude"), [("small", 0.2), ("wide", 1.2), ("wider", 2.2), ("widest", 3.0)])
def test_the_period_of_a_large_swing_is_the_elliptic_integral(name: str, amplitude: float) -> None:
    """T = 4 sqrt(I / (m g d)) K(sin^2(theta/2)), with the moment of inertia and the arm of the compiled body."""
    scene = read_scene("large_swings")
    simulation = Simulation(scene)
    bodies, number = simulation.compiled.model.bodies, [body.name for body in scene.body].index(name)
    mass, arm = bodies.mass[number], -bodies.center[number][2]
    rotates = bodies.inertia[number][1, 1]  # about the axle
    expected = 4.0 * np.sqrt(rotates / (mass * 9.80665 * arm)) * ellipk(sin(amplitude / 2.0) ** 2)
    run = simulation.run(until=2.6 * expected, every=FINE)
    velocity = run[f"{name}.angular_velocity"][:, 1]
    rises = np.flatnonzero((velocity[:-1] < 0.0) & (velocity[1:] >= 0.0))  # at the turning points of one side
    crossed = run.time[rises] - velocity[rises] * FINE / (velocity[rises + 1] - velocity[rises])
    assert np.diff(crossed)[-1] == pytest.approx(expected, rel=1e-6)


def forced(stiffness: float, frequency: float) -> float:
    """Amplitude [m] of a mass of 0.1 kg on a spring with a damper of 0.09 N s/m, whose end moves by 5 mm [rad/s]."""
    square, damping = stiffness / 0.1, 0.09 / 0.1
    above = square**2 + (damping * frequency) ** 2
    return float(0.005 * np.sqrt(above / ((square - frequency**2) ** 2 + (damping * frequency) ** 2)))


@pytest.mark.parametrize("name", ["slow", "resonant", "fast"])
def test_masses_on_a_shaken_bar_have_the_amplitudes_of_forced_oscillations(name: str) -> None:
    scene = read_scene("resonance")
    stiffness = next(spring.stiffness for spring in scene.spring if spring.to == name)
    assert stiffness is not None
    run = Simulation(scene).run(until=45.0, every=2e-3)
    late = run[f"{name}.position"][run.time > 40.0, 2]  # exp(-40 s c / 2 m) = 1.5e-8 of the first amplitude is left
    assert np.ptp(late) / 2.0 == pytest.approx(forced(stiffness, 9.0), rel=1e-4)  # (w dt)^2 / 8 = 4e-5 below the crest


def test_the_map_of_the_scene_is_the_resonance_curve() -> None:
    frequencies = {"body[0].motion.angular_frequency": (5.0, 15.0, 11)}
    highest = Outcome(kind="extreme", quantity="resonant.position.z", after=40.0)
    found = Sweep(read_scene("resonance"), axes=frequencies, until=50.0, outcome=highest).run().value
    rest = 0.5 - 0.1 - 9.8 / 81.0  # [m] where the spring carries the weight
    expected = [rest + forced(8.1, frequency) for frequency in np.linspace(5.0, 15.0, 11)]
    np.testing.assert_allclose(np.ravel(found), expected, atol=2e-5)  # steps of 2 ms: A (w dt)^2 / 8 below the crest
