"""Coils in series, capacitors and switches: closed forms, equality with a coil of all turns, conservation laws."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from laws import imbalance

from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

RING = {"kind": "loop", "radius": 0.02, "wire_radius": 0.001}
BALL = {"kind": "sphere", "radius": 0.003, "mass": 0.01, "magnet": {"moment": [0, 0, 1.0]}}
LC: dict[str, Any] = {
    "solver": {"time_step": 1e-5},
    "coil": [
        {"name": "coil", "winding": RING, "inductance": 1e-3, "source": {"kind": "circuit", "circuit": "loop"}},
    ],
    "circuit": [{"name": "loop", "coils": ["coil"], "resistance": 0.5, "capacitance": 1e-4, "charge": 2e-4}],
}


def run(described: dict[str, Any], until: float, every: float) -> Any:
    return Simulation(Scene.model_validate(described)).run(until, every)


def test_a_capacitor_discharges_through_a_coil() -> None:
    """Damped oscillation Q = Q0 exp(-b t) (cos w t + b/w sin w t), b = R/2L, w^2 = 1/LC - b^2."""
    table = run(LC, 5e-3, 1e-4)
    b, t = 0.5 / 2e-3, table["time"]
    w = np.sqrt(1 / (1e-3 * 1e-4) - b**2)
    charge = 2e-4 * np.exp(-b * t) * (np.cos(w * t) + b / w * np.sin(w * t))
    assert table["loop.charge"] == pytest.approx(charge, abs=2e-4 * 2e-7)  # (w h)^4 w t/120 of RK4
    assert np.ptp(imbalance(table)) < 1e-6 * 0.5 * 2e-4**2 / 1e-4
    assert table["energy.magnetic"][0] == pytest.approx(0.5 * 2e-4**2 / 1e-4, rel=1e-12)
    assert table["coil.voltage"] == pytest.approx(-table["loop.charge"] / 1e-4 - 0.5 * table["coil.current"], abs=1e-12)


def test_without_inductance_a_capacitor_discharges_through_a_resistance() -> None:
    described = copy.deepcopy(LC)
    described["coil"][0]["inductance"] = 0.0
    described["circuit"][0]["resistance"] = 10.0
    table = run(described, 5e-3, 1e-4)
    assert table["loop.charge"] == pytest.approx(2e-4 * np.exp(-table["time"] / 1e-3), rel=1e-9)
    assert np.ptp(imbalance(table)) < 1e-12


def test_ledger_of_a_current_that_decays() -> None:
    """RK4 writes x^5/24 of the energy in each step more heat than the current loses, x = h R/L: x^4/48 of all that
    decays. A method of order 8 keeps the balance to rounding errors.
    """
    described: dict[str, Any] = {"coil": [{"name": "coil", "winding": RING, "inductance": 1e-3, "resistance": 1.0}]}
    described["coil"][0] |= {"current": 2.0, "source": {"kind": "shorted"}}
    for steps in (20, 40):
        described["solver"] = {"method": "rk4", "time_step": 1e-3 / steps}
        table, x = run(described, 8e-3, 1e-3), 1 / steps
        lost = imbalance(table)[-1] - imbalance(table)[0]
        assert lost == pytest.approx(x**4 / 48 * 0.5 * 1e-3 * 2.0**2, rel=0.8 * x)
    described["solver"] = {"method": "dormand_prince_8", "time_step": 1e-3 / 20}
    assert np.ptp(imbalance(run(described, 8e-3, 1e-3))) < 1e-14


def in_series(names: list[str]) -> dict[str, Any]:
    """A magnet falls through two coils of 60 and 40 turns in one place."""
    winding = {"winding": RING, "inductance": 1e-3, "source": {"kind": "circuit", "circuit": "loop"}}
    return {
        "solver": {"time_step": 1e-4},
        "body": [{"name": "bob", "support": "free", "position": [0, 0, 0.05], "shape": [BALL]}],
        "coil": [
            {"name": "left", "turns": 60, "position": [0, 0, 0.005], **winding},
            {"name": "right", "turns": 40, "position": [0, 0, 0], **winding},
        ],
        "circuit": [{"name": "loop", "coils": names, "resistance": 1.0}],
    }


def mutual(described: dict[str, Any]) -> float:
    """M [H] of the two coils."""
    return float(Simulation(Scene.model_validate(described)).compiled.model.coils.inductance[0, 1])


@pytest.mark.parametrize("sign", [1, -1])
def test_coils_in_series_are_one_coil(sign: int) -> None:
    """The current of flux linkage lam = (L1 + L2 +- 2 M) I + Phi1 +- Phi2, here against a second integration."""
    described = in_series(["left", "right" if sign > 0 else "-right"])
    table = run(described, 0.15, 1e-3)
    inductance = 2e-3 + 2 * sign * mutual(described)
    z, v, lam, h = 0.05, 0.0, 0.0, 1e-5

    def flux(z: float) -> tuple[float, float]:
        found = np.zeros(2)
        for turns, at, own in ((60, 0.005, 1), (40, 0.0, sign)):
            height, strength = z - at, 1.25663706127e-6 * turns * 0.02**2 / 2
            square = 0.02**2 + height**2
            found += own * strength * np.array([square**-1.5, -3 * height * square**-2.5])
        return float(found[0]), float(found[1])

    def rates(y: np.ndarray) -> np.ndarray:
        phi, slope = flux(y[0])
        current = (y[2] - phi) / inductance
        return np.array([y[1], -9.80665 + current * slope / 0.01, -current])

    lam = flux(z)[0]
    y = np.array([z, v, lam])
    for _ in range(15_000):
        a = rates(y)
        b = rates(y + h / 2 * a)
        c = rates(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rates(y + h * c))
    assert table["bob.position.z"][-1] == pytest.approx(y[0], abs=1e-9)
    assert table["left.current"][-1] == pytest.approx((y[2] - flux(y[0])[0]) / inductance, rel=1e-6)
    assert table["right.current"] == pytest.approx(sign * table["left.current"], abs=1e-15)
    volts = table["left.voltage"] + sign * table["right.voltage"]
    assert volts == pytest.approx(-1.0 * table["left.current"], abs=1e-12)
    assert np.ptp(imbalance(table)) < 1e-10


def test_a_switch_opens_and_closes() -> None:
    """RL circuits of two coupled coils: the current rises, jumps to 0 where the switch opens, and rises from 0 again.

    When it opens, the flux linkage of the shorted coil beside it stays, so its current takes over M I/L.
    """
    described = in_series(["left"])
    described["body"] = []
    described["coil"][1] |= {"source": {"kind": "shorted"}, "resistance": 0.0}
    described["circuit"][0] |= {"voltage": "2", "switch": "0.5 - abs(1000*t - 1.0003)", "resistance": 3.0}
    described["solver"]["time_step"] = 1e-5
    table = run(described, 3e-3, 1e-5)
    t, current = table["time"], table["left.current"]
    closes, opens = 0.0005003, 0.0015003
    m = mutual(described)
    effective = 1e-3 - m**2 / 1e-3  # with a superconductor beside
    is_on = (t > closes) & (t < opens)
    assert current[~is_on] == pytest.approx(0.0, abs=1e-15)
    assert current[is_on] == pytest.approx(2 / 3 * (1 - np.exp(-3 * (t[is_on] - closes) / effective)), rel=1e-7)
    assert table["right.current"] == pytest.approx(-m / 1e-3 * current, rel=1e-9, abs=1e-15)
    assert np.ptp(imbalance(table)) < 1e-9
    last = 2 / 3 * (1 - np.exp(-3 * (opens - closes) / effective))
    heat = -np.diff(table["work.joule"])[np.searchsorted(t, opens) - 1]
    assert heat == pytest.approx(0.5 * effective * last**2 + 3 * last**2 * (opens - t[t < opens][-1]), rel=1e-3)


def test_an_open_switch_has_the_voltage_of_the_coil() -> None:
    described = in_series(["left"])
    described["circuit"][0]["switch"] = "-1"
    described["coil"][1] |= {"source": {"kind": "open"}}
    table = run(described, 0.15, 1e-3)
    free = copy.deepcopy(described)
    free["circuit"] = []
    free["coil"][0] |= {"source": {"kind": "open"}}
    assert table["left.voltage"] == pytest.approx(run(free, 0.15, 1e-3)["left.voltage"], abs=1e-15)
    assert not table["left.current"].any()


@pytest.mark.parametrize("method", ["verlet", "implicit"])
def test_other_methods(method: str) -> None:
    """Second order: (w h)^2 w t/12 of the phase at most."""
    described = copy.deepcopy(LC)
    described["solver"] |= {"method": method, "time_step": 1e-6}
    table, reference = run(described, 1e-3, 1e-4), run(LC, 1e-3, 1e-4)
    assert table["loop.charge"] == pytest.approx(reference["loop.charge"], abs=2e-4 * 1e-5)


def test_an_edit_keeps_current_charge_and_switch() -> None:
    described = copy.deepcopy(LC)
    described["circuit"][0]["switch"] = "0.001 - t"
    simulation = Simulation(Scene.model_validate(described))
    for until in (5e-4, 2e-3):
        row = simulation.run(until, 1e-5)
        simulation.load(simulation.scene.with_values({"coil[0].turns": 101.0 + until}))
        after = simulation.run(until + 1e-5, 1e-5)
        for name in ("loop.charge", "coil.current"):
            assert after[name][0] == pytest.approx(row[name][-1], rel=1e-9, abs=1e-18)


def test_coils_that_are_not_listed_and_circuits_without_coils() -> None:
    described = in_series([])
    listed = run(in_series(["left", "right"]), 0.05, 1e-3)
    assert (run(described, 0.05, 1e-3)["left.current"] == listed["left.current"]).all()
    described["circuit"].append({"name": "empty"})
    simulation = Simulation(Scene.model_validate(described))
    assert [warning.place for warning in simulation.warnings] == ["circuit[1]"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"circuit": [{"name": "loop", "coils": ["other"]}]}, "circuit[0].coils"),
        ({"circuit": [{"name": "loop", "coils": ["coil", "-coil"]}]}, "circuit[0].coils"),
        ({"circuit": []}, "coil[0].source.circuit"),
        ({"circuit": [{"name": "loop", "coils": ["coil"], "charge": 1.0}]}, "circuit[0].charge"),
        ({"circuit": [{"name": "loop", "coils": ["coil"], "capacitance": 0.0}]}, "circuit[0].capacitance"),
        ({"circuit": [{"name": "loop", "coils": ["coil"], "resistance": -1.0}]}, "circuit[0].resistance"),
        ({"circuit": [{"name": "coil", "coils": ["coil"]}]}, ""),
        ({"circuit": [{"name": "loop", "coils": ["coil"], "voltage": "1/t"}]}, "circuit[0].voltage"),
        ({"circuit": [{"name": "loop", "coils": ["coil"], "switch": "log(t)"}]}, "circuit[0].switch"),
    ],
)
def test_bad_circuits(change: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError) as found:
        Simulation(scene_of({**copy.deepcopy(LC), **change}, "circuits"))
    assert any(problem.place == place for problem in found.value.problems)


def test_sources_are_numbers_that_change_in_a_run_without_a_build() -> None:
    described = in_series(["left"])
    described["body"] = []
    described["coil"][1] |= {"source": {"kind": "current", "current": 0.5}}
    described["circuit"][0] |= {"voltage": 2.0}
    simulation = Simulation(Scene.model_validate(described))
    simulation.advance(0.02)
    built = simulation.compiled.model.coils
    simulation.set({"circuit[0].voltage": 3.0, "coil[1].source.current": -1.0})
    simulation.advance(0.02)
    assert simulation.compiled.model.coils.inductance is built.inductance
    assert simulation.snapshot().currents == pytest.approx([3.0, -1.0], rel=1e-6)  # 20 time constants later


def test_an_edit_keeps_a_current_beside_one_that_has_changed_since_the_start() -> None:
    """The flux that a driven current sends through a coil is that of the time of the edit."""
    described = in_series(["left"])
    described["body"] = []
    described["coil"][1] |= {"source": {"kind": "current", "current": "2*sin(300*t)"}}
    simulation = Simulation(Scene.model_validate(described))
    before = simulation.run(0.005, 1e-4)["left.current"][-1]
    simulation.load(simulation.scene.with_values({"coil[0].inductance": 4e-3, "coil[1].turns": 41.0}))
    assert abs(before) > 1e-3
    assert simulation.snapshot().currents[0] == pytest.approx(before, rel=1e-9)
