"""Coils in the implicit method: steps that are longer than L/R, and a circuit with a capacitor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

COIL = {"name": "coil", "turns": 100, "winding": {"kind": "loop", "radius": 0.02, "wire_radius": 5e-4}}
BALL = {"kind": "sphere", "radius": 0.003, "mass": 0.01, "magnet": {"moment": [0, 0, 1.0]}}


def fall(step: float, **of_coil: Any) -> Any:
    described = {
        "solver": {"method": "implicit", "time_step": step},
        "body": [{"name": "bob", "support": "free", "position": [0, 0, 0.05], "shape": [BALL]}],
        "coil": [{**COIL, "resistance": 1.0, **of_coil}],
    }
    return Simulation(Scene.model_validate(described)).run(0.15, 0.05)


def test_a_step_of_many_time_constants_is_stable() -> None:
    """With L/R of a twentieth of a step the magnet falls as without inductance."""
    table = fall(1e-3, inductance=5e-5)
    expected = fall(1e-3, inductance=0.0)
    assert table["bob.position.z"][-1] == pytest.approx(expected["bob.position.z"][-1], abs=2e-5)
    assert np.abs(table["coil.current"]).max() < 0.2


def test_the_fall_through_a_coil_with_inductance() -> None:
    table = fall(2e-4, inductance=1e-3)
    assert table["bob.position.z"][-1] == pytest.approx(-0.057678260, abs=1e-6)
    assert table["coil.current"][-1] == pytest.approx(7.894650e-3, rel=1e-3)


def test_a_circuit_with_a_capacitor() -> None:
    """Q(t) of a damped oscillation that a step of 1/20 of its period resolves."""
    inductance, capacitance, ohms = 1e-3, 1e-3, 0.2
    described = {
        "solver": {"method": "implicit", "time_step": 2e-5},
        "coil": [{**COIL, "resistance": ohms, "inductance": inductance, "source": {"kind": "circuit", "circuit": "c"}}],
        "circuit": [{"name": "c", "coils": ["coil"], "capacitance": capacitance, "charge": 1e-3}],
    }
    table = Simulation(Scene.model_validate(described)).run(5e-3, 1e-3)
    decay = ohms / (2 * inductance)
    omega = np.sqrt(1 / (inductance * capacitance) - decay**2)
    time = table["time"]
    expected = 1e-3 * np.exp(-decay * time) * (np.cos(omega * time) + decay / omega * np.sin(omega * time))
    assert table["c.charge"] == pytest.approx(expected, abs=2e-6)
