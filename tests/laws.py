"""Energies of a scene in given states, and forces at its start, without steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polhode.engine.compile import build
from polhode.engine.diagnostics import energies
from polhode.engine.rates import rates
from polhode.engine.work import make_work
from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

BOB = {
    "name": "bob",
    "support": "free",
    "position": [0.02, 0.005, 0.01],
    "orientation": {"axis": [3, 1, 0], "angle": 1.0},
    "velocity": [0.1, 0, -0.2],
    "angular_velocity": [20, 0, 10],
}
"""A body that moves and turns, without a shape."""
YOKE = {
    "support": "free",
    "orientation": {"axis": [1, 2, 3], "angle": 0.4},
    "velocity": [0.3, 0.1, 0.2],
    "angular_velocity": [3, -2, 5],
}
"""Another one, without a name."""
BODY = 18  # numbers of a body in the state: position, momentum, basis, angular momentum


class Laws:
    """Magnetic energy, forces and torques of a scene."""

    def __init__(self, described: dict[str, Any]):
        self.compiled = build(Scene.model_validate(described), Meshes())
        self.work = make_work(self.compiled.model, self.compiled.inputs)

    def energy(self, state: np.ndarray) -> float:
        """Magnetic energy [J] in a state (k,)."""
        energies(self.compiled.model, self.compiled.inputs, 0.0, state, self.work)
        return float(self.work.energy[2])

    def wrench(self, body: int) -> np.ndarray:
        """(6,) force [N] and torque [N m] on a body at the start."""
        rate = np.zeros_like(self.compiled.start)
        state = self.compiled.start.copy()
        rates(self.compiled.model, self.compiled.inputs, 0.0, state, self.work, rate)
        at = BODY * body
        return np.concatenate([rate[at + 3 : at + 6], rate[at + 15 : at + 18]])

    def by_difference(self, body: int, h: float = 1e-6, angle: float = 1e-4) -> np.ndarray:
        """(6,) the same from energies, the rest of the state being as at the start; displaced by h [m]."""
        start, found = self.compiled.start, np.zeros(6)
        for k in range(3):
            ends = []
            for sign in (1, -1):
                moved = start.copy()
                moved[BODY * body + k] += sign * h
                ends.append(self.energy(moved))
            found[k] = -(ends[0] - ends[1]) / (2 * h)
            axis, ends = np.eye(3)[k], []
            for sign in (1, -1):
                turned = start.copy()
                at = BODY * body + 6
                turn = np.cos(angle) * np.eye(3) + sign * np.sin(angle) * np.cross(np.eye(3), axis)
                turn += (1 - np.cos(angle)) * np.outer(axis, axis)
                turned[at : at + 9] = (start[at : at + 9].reshape(3, 3) @ turn.T).ravel()
                ends.append(self.energy(turned))
            found[3 + k] = -(ends[0] - ends[1]) / (2 * angle)
        return found


def difference(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference of two wrenches (6,), relative to the largest force and the largest torque of the first."""
    scale = np.repeat([np.abs(found[:3]).max(), np.abs(found[3:]).max()], 3)
    return float(np.abs((found - expected) / scale).max())


def imbalance(table: Any) -> np.ndarray:
    """(n,) [J] energy less the ledger."""
    return np.asarray(table["energy.total"] - sum(table[name] for name in table.columns if name.startswith("work.")))


def check_ledger_and_voltages(described_with: Callable[[float], dict[str, Any]]) -> None:
    """Energy to the fourth order of RK4, voltages as differences of flux linkages; a scene for each step [s]."""
    drifts = []
    for step in (2e-5, 1e-5):
        described = described_with(step)
        table = Simulation(Scene.model_validate(described)).run(0.004, 1e-4)
        drifts.append(np.ptp(imbalance(table)))
    assert abs(table["work.source"][-1]) > 1e-4
    assert table["work.joule"][-1] < -1e-4
    assert table["tube.heating"].max() > 1e-4
    assert drifts[1] < 1e-6 * np.ptp(table["energy.magnetic"])
    assert drifts[0] / drifts[1] > 10
    for number, one in enumerate(described["coil"]):
        name = one["name"]
        flux, resistance = table[f"{name}.flux"], one.get("resistance", 0.0)
        voltage = table[f"{name}.voltage"] - resistance * table[f"{name}.current"]
        rate = (flux[:-4] - 8 * flux[1:-3] + 8 * flux[3:-1] - flux[4:]) / (12 * 1e-4)
        assert np.abs(voltage[2:-2] - rate)[8:].max() < 1e-2 * np.abs(voltage[10:]).max(), number
