"""Scenes with coils against their published and closed values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation


def run(name: str, until: float, every: float, **values: Any) -> Any:
    scene = read_scene(f"scenes/{name}.toml")
    return Simulation(scene.with_values(values.get("values", {}))).run(until, every)


def test_a_magnet_floats_over_a_superconductor() -> None:
    """It rests at 19.611 mm, and oscillates at 6.083 Hz; by 1 um the frequency differs by 1e-5."""
    above = 1e-5
    ring = 2.513274e-8 / 1e-3  # mu0 N m a^2/2 / L
    current = -ring * (0.02**2 + (0.019611 + above) ** 2) ** -1.5
    table = run(
        "superconducting_bearing",
        2.0,
        1e-3,
        values={"body[0].position[2]": 0.019611 + above, "coil[0].current": current},
    )
    z, t = table["magnet.position.z"] - 0.019611, table["time"]
    assert np.abs(z).max() < 1.1 * above
    rises = t[1:][(z[:-1] < z.mean()) & (z[1:] >= z.mean())]
    assert (len(rises) - 1) / (rises[-1] - rises[0]) == pytest.approx(6.083167, rel=2e-3)  # 1 ms of rows


def test_two_magnets_in_one_circuit_end_against_each_other() -> None:
    """Their sum is damped by 2 (dPhi/dz)^2/R, their difference is not but where dPhi/dz varies within the swing."""
    table = run("magnets_in_one_circuit", 8.0, 2e-3)
    left, right, t = table["left.velocity.z"], table["right.velocity.z"], table["time"]
    early, late = t < 1.5, t > 7.0
    apart = np.abs(left - right)[late].max()
    assert np.abs(left + right)[late].max() < 0.05 * apart
    assert 0.75 < apart / np.abs(left - right)[early].max() < 1.0


def test_a_capacitor_gives_a_part_of_its_energy_to_a_magnet() -> None:
    table = run("coil_gun", 0.6, 1e-3)
    stored = 0.5 * 0.04**2 / 2e-3
    assert table["energy.magnetic"][0] == pytest.approx(stored, rel=1e-12)
    assert not table["coil.current"][table["time"] < 0.5].any()
    gained = (table["energy.kinetic"] + table["energy.gravity"])[-1] - table["energy.gravity"][0]
    assert 0.01 * stored < gained < 0.1 * stored
    heat = -(table["work.joule"] + table["work.contact"] + table["work.projection"])[-1]
    assert gained + heat + table["energy.magnetic"][-1] == pytest.approx(stored, rel=1e-3)
