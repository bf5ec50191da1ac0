"""Conductors of different bodies: gradients, conservation laws, closed inductances, and circuits solved by scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from laws import BOB, YOKE, Laws, difference, imbalance
from scipy.integrate import solve_ivp

from polhode.physics.coils.windings.inductance import coaxial_rings
from polhode.physics.conductors.loops import loops_of_body
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

MU0 = 1.25663706127e-6
STILL = {"gravity": [0, 0, 0]}
KINDS = [("sheet", "sheet"), ("rings", "rings"), ("rings", "sheet"), ("sheet", "rings")]


def both(one: str, other: str, conductivity: float = 3.7e7) -> dict[str, Any]:
    """A tube and a disc that move and turn beside a magnet and a ball of iron."""
    wall = {"kind": "tube", "radius": 0.0265, "inner_radius": 0.0235, "length": 0.03, "mass": 0.03}
    metal = {"conductivity": conductivity, "currents": one, "panels": 120 if one == "sheet" else 12}
    tube = {"name": "tube", **YOKE, "shape": [{**wall, "conductor": metal}]}
    metal = {"conductivity": conductivity, "currents": other, "panels": 100 if other == "sheet" else 8}
    flat = {"kind": "cylinder", "radius": 0.02, "length": 0.003, "mass": 0.01, "conductor": metal}
    motion = {
        "velocity": [0, 0.1, -0.3],
        "angular_velocity": [1, 4, 2],
        "orientation": {"axis": [1, 0, 0], "angle": 0.3},
    }
    disc = {"name": "disc", "support": "free", "position": [0.01, 0, 0.04], **motion, "shape": [flat]}
    magnet = {"kind": "sphere", "radius": 0.002, "mass": 0.01, "magnet": {"moment": [0.1, 0, 0.5]}}
    bob = BOB | {"position": [0.02, 0.005, 0.07], "shape": [magnet]}
    iron = {"kind": "ellipsoid", "semi_axes": [0.004, 0.003, 0.006], "mass": 0.01, "iron": {"panels": 80}}
    ball = {"name": "ball", "support": "free", "position": [0, 0.01, -0.02], "velocity": [1, 0, 0], "shape": [iron]}
    return {"world": STILL, "solver": {"method": "implicit", "time_step": 1e-3}, "body": [tube, disc, bob, ball]}


@pytest.mark.parametrize("with_iron", [False, True])
@pytest.mark.parametrize(("one", "other"), KINDS)
def test_forces_are_opposite_and_the_gradient_of_the_energy(one: str, other: str, with_iron: bool) -> None:
    described = both(one, other)
    described["body"] = described["body"][: 4 if with_iron else 3]
    laws = Laws(described)
    start, conductors = laws.compiled.start, laws.compiled.model.conductors
    assert conductors.slow.sum() == conductors.first_node[-1]
    start[conductors.at : conductors.at + conductors.slow.sum()] *= 1.5
    bodies = range(len(described["body"]))
    found = np.array([laws.wrench(body) for body in bodies])
    for body in bodies:
        assert difference(found[body], laws.by_difference(body)) < 1e-6, body
    places = np.array([start[18 * b : 18 * b + 3] for b in bodies])
    turning = found[:, 3:] + np.cross(places, found[:, :3])
    assert np.abs(found[:, :3].sum(axis=0)).max() < 1e-12 * np.abs(found[:, :3]).max()
    assert np.abs(turning.sum(axis=0)).max() < 1e-12 * np.abs(turning).max()
    mutual = laws.work.eddy.mutual
    assert np.abs(mutual - np.diag(np.diag(mutual))).max() > 0.01 * mutual.max()
    assert np.linalg.eigvalsh(mutual).min() > 0


@pytest.mark.parametrize(("one", "other"), KINDS[:3])
def test_ledger(one: str, other: str) -> None:
    drifts = []
    for step in (2e-4, 1e-4):
        described = both(one, other, 1e9)
        described["solver"] = {"method": "rk4", "time_step": step}
        table = Simulation(Scene.model_validate(described)).run(0.008, 2e-3)
        drifts.append(np.ptp(imbalance(table)))
    assert -table["work.joule"][-1] > 1e5 * drifts[1]
    assert drifts[1] < 1e-6 * np.ptp(table["energy.magnetic"])
    assert drifts[0] / drifts[1] > 12


@pytest.mark.parametrize("aside", [0.0, 1e-9])
def test_two_shorted_rings_in_an_alternating_field(aside: float) -> None:
    """R I + L dI/dt = -A dB/dt with Maxwell's mutual inductance, by scipy."""
    shapes = [
        {"kind": "tube", "radius": radius + 0.001, "inner_radius": radius - 0.001, "length": 0.002, "mass": 0.01}
        | {"conductor": {"conductivity": 5e8, "currents": "rings", "panels": 1}}
        for radius in (0.02, 0.03)
    ]
    bodies = [
        {"name": name, "support": "fixed", "position": [at * aside, 0, 0.01 * at], "shape": [shape]}
        for at, (name, shape) in enumerate(zip(("inner", "outer"), shapes, strict=True))
    ]
    omega, strength = 500.0, 0.01
    field = {"kind": "rotating", "cosine": [0, 0, strength], "sine": [0, 0, 0], "angular_frequency": omega}
    described = {"world": {**STILL, "magnetic_field": field}, "body": bodies}
    described["solver"] = {"method": "rk4", "time_step": 5e-5}
    scene = Scene.model_validate(described)
    loops = [loops_of_body(body, MU0) for body in scene.body]
    radii = [float(each.radius[0]) for each in loops]
    resistance = np.array([float(each.resistance[0, 0]) for each in loops])
    inductance = np.diag([float(each.inductance[0, 0]) for each in loops])
    inductance[0, 1] = inductance[1, 0] = float(coaxial_rings(radii[0], radii[1], np.array([0.01]), MU0)[0])
    assert inductance[0, 1] > 0.2 * inductance[0, 0]

    def rate(time: float, current: np.ndarray) -> np.ndarray:
        change = -strength * omega * np.sin(omega * time) * np.pi * np.array(radii) ** 2
        return np.linalg.solve(inductance, -resistance * current - change)

    expected = solve_ivp(rate, (0, 0.03), [0, 0], t_eval=np.arange(0, 0.03001, 1e-3), rtol=1e-10, atol=1e-10)
    table = Simulation(scene).run(0.03, 1e-3)
    for name, current, ohm in zip(("inner", "outer"), expected.y, resistance, strict=True):
        heat = ohm * current**2
        assert np.abs(table[f"{name}.heating"] - heat).max() < 1e-5 * heat.max()


def test_a_sheet_far_from_another_is_a_dipole() -> None:
    """Mutual inductance of the slowest modes of two discs on one axis: mu0 m^2/(2 pi d^3) of their moments."""
    flat = {"kind": "cylinder", "radius": 0.02, "length": 0.001, "mass": 0.01, "conductor": {"panels": 150}}
    bodies = [
        {"name": name, "support": "fixed", "position": [0, 0, at], "shape": [flat]}
        for name, at in (("low", 0), ("high", 0.4))
    ]
    laws = Laws({"world": STILL, "solver": {"method": "rk4", "time_step": 1e-4}, "body": bodies})
    laws.wrench(0)
    eddy, slow = laws.work.eddy, laws.compiled.model.conductors.slow
    moments = eddy.of_mode @ eddy.area[2]
    expected = MU0 * moments[0] * moments[slow[0]] / (2 * np.pi * 0.4**3)
    assert eddy.mutual[0, slow[0]] == pytest.approx(expected, rel=0.01)


def test_an_edit_keeps_the_currents_of_coupled_metal() -> None:
    described = both("rings", "sheet", 1e9)
    described["solver"] = {"method": "rk4", "time_step": 1e-5}
    simulation = Simulation(Scene.model_validate(described))
    before = simulation.run(0.0011, 1e-5)
    simulation.load(simulation.scene.with_values({"body[2].shape[0].mass": 0.04}))
    after = simulation.run(0.00112, 1e-5)
    for name in ("tube.heating", "disc.heating"):
        assert before[name][-1] > 0
        assert after[name][0] == pytest.approx(before[name][-1], rel=1e-9)
