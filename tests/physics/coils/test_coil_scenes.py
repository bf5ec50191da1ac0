"""Scenes with coils against their published and closed values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import curve_fit

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


def unexplained(name: str, until: float) -> tuple[float, float]:
    """Range [J] of the energy that no line of the ledger explains, and the heat of the resistances [J]."""
    table = run(name, until, 2e-3)
    ledger = sum(table[column] for column in table if column.startswith("work."))
    return float(np.ptp(table["energy.total"] - ledger)), float(-table["work.joule"][-1])


@pytest.mark.parametrize("name", ["loudspeaker", "geophone", "generator_by_hand"])
def test_the_ledger_of_sources_and_loads_balances(name: str) -> None:
    lost, heat = unexplained(name, 6.0)
    assert heat > 1e-5
    assert lost < 1e-5 * heat


def test_a_voice_coil_has_its_force_per_ampere_and_its_back_emf() -> None:
    """0.134876 N/A half a radius in front of the magnet, and as many volts at 1 m/s."""
    driven = run("loudspeaker", 1e-3, 1e-3, values={"coil[0].source.voltage": "1"})
    assert driven["voice_coil.force.x"][0] / driven["voice_coil.current"][0] == pytest.approx(0.134876, abs=1e-6)
    moving = {"body[1].velocity": (1.0, 0.0, 0.0), "coil[0].source": {"kind": "open"}}
    assert abs(run("loudspeaker", 1e-3, 1e-3, values=moving)["voice_coil.voltage"][0]) == pytest.approx(
        0.134876, abs=1e-6
    )


def test_a_loudspeaker_takes_less_current_at_its_resonance() -> None:
    """By the back EMF: (dPhi/dz)^2/R is 0.6 of the damping of the spring."""
    currents, swings = [], []
    for hertz in (3, 6, 9):
        table = run("loudspeaker", 3.0, 1e-3, values={"coil[0].source.voltage": f"0.1*sin(2*pi*{hertz}*t)"})
        late = table["time"] > 2.0
        currents.append(np.abs(table["voice_coil.current"][late]).max())
        swings.append(np.ptp(table["cone.position.x"][late]))
    assert currents[1] < 0.7 * min(currents[0], currents[2])
    assert swings[1] > 4.0 * max(swings[0], swings[2])


def test_a_load_damps_a_geophone() -> None:
    """The damping ratio is 0.032170 at 4.5 Hz, 0.0181917 N s/m; the case is at rest, and the swings are small."""
    values = {"body[0].motion.z": "0", "body[1].position": (0.0, 0.0, 0.01005)}
    table = run("geophone", 3.0, 1e-3, values=values)

    def swing(t: np.ndarray, cosine: float, sine: float, decay: float, omega: float, middle: float) -> np.ndarray:
        return np.exp(-decay * t) * (cosine * np.cos(omega * t) + sine * np.sin(omega * t)) + middle

    z = (table["magnet.position.z"] - 0.01) / 5e-5
    (_, _, decay, omega, _), _ = curve_fit(swing, table["time"], z, p0=(1.0, 0.0, 0.9, 28.3, 0.0))
    natural = np.hypot(decay, omega)
    assert natural == pytest.approx(2 * np.pi * 4.5, rel=1e-6)
    assert decay / natural == pytest.approx(0.032170, abs=1e-6)
    assert 2 * 0.01 * decay == pytest.approx(0.0181917, abs=1e-6)


@pytest.mark.parametrize(
    ("speed", "torque"), [(100.0, 6.107428e-5), (500.0, 2.4674011e-4), (1000.0, 3.084251e-4), (5000.0, 1.186251e-4)]
)
def test_a_generator_is_hardest_to_turn_at_r_by_l(speed: float, torque: float) -> None:
    """Mean torque of the drag at a constant speed with 1 ohm and 1 mH, from the heat of whole turns."""
    scene = read_scene("scenes/generator_by_hand.toml")
    data = scene.model_dump(exclude_unset=True, by_alias=True)
    rotor, turn = data["body"][0], 2 * np.pi / speed
    rotor |= {"support": "driven", "motion": {"kind": "formula", "axis": [1, 0, 0], "angle": f"{speed}*t"}}
    del rotor["axis"], rotor["angular_velocity"], rotor["friction"]
    data["solver"]["time_step"] = turn / 400
    del data["story"]
    data["circuit"][0].update({"resistance": 1.0, "switch": "1"})
    settled = np.ceil(20e-3 / turn) * turn
    table = Simulation(type(scene).model_validate(data)).run(settled + 4 * turn, turn)
    heat = -np.diff(table["work.joule"])[-4:].mean()
    assert heat / (2 * np.pi) == pytest.approx(torque, rel=1e-5)


def test_the_lamp_of_the_scene_is_hardest_at_its_starting_speed() -> None:
    """Phi^2/(4 L) at R/L = 30 rad/s, whatever R: the torque just after the switch turns, over three turns."""
    scene = read_scene("scenes/generator_by_hand.toml")
    assert scene.circuit[0].resistance / scene.coil[0].inductance == scene.body[0].angular_velocity[0]
    table = run("generator_by_hand", 6.0, 5e-3)
    speed = table["rotor.angular_velocity.x"]
    assert speed[table["time"] < 2.0].min() > 28.0  # only friction
    assert speed[-1] < 0.6 * 28.0
