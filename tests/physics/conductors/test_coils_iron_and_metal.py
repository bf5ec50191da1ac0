"""Coils, iron and metal together, and several metals beside coils: a twin in numpy, gradients, laws of conservation,
limits, and rings beside a coil integrated by scipy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from laws import Laws, check_ledger_and_voltages, difference, imbalance
from metal_and_coils import FORMULA, ROTATING, mixed
from scipy.integrate import solve_ivp
from scipy.special import ellipe, ellipk

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.physics.conductors.loops import loops_of_body
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.units import units_to_run

MU0 = 1.25663706127e-6
PLACES = [[-0.01, 0.01, -0.02], [0.012, -0.01, 0.014]]
BALL = {"kind": "ellipsoid", "semi_axes": [0.004, 0.003, 0.006], "mass": 0.002}
SATURATING, DIPOLE = {"saturation": 0.05}, {"induced": "dipole"}
CASES = [
    ("rings", 0, "sheet", {}),
    ("sheet", 1, None, {}),
    ("rings", 2, "rings", {}),
    ("rings", 2, None, DIPOLE),
    ("rings", 1, None, SATURATING),
    ("sheet", 2, "rings", SATURATING),
]
FLAT = {"kind": "cylinder", "radius": 0.02, "length": 0.003, "mass": 0.01}


def together(
    currents: str, irons: int, second: str | None, iron: dict[str, Any] | None = None, conductivity: float = 3.7e7
) -> dict[str, Any]:
    """A moving tube with a coil, a magnet with two, one in the laboratory, pieces of iron, and a disc; `iron` is of
    the last piece.
    """
    described = mixed(currents)
    wall = described["body"][0]["shape"][0]
    wall["conductor"]["conductivity"] = conductivity
    if currents == "sheet":
        wall["length"], wall["conductor"]["panels"] = 0.03, 120
    for number in range(irons):
        of_it = (iron or {}) if number == irons - 1 else {}
        shape = {**BALL, "iron": {"permeability": 500.0, "panels": 80, **of_it}}
        motion = {"velocity": [0.2, -0.1, 0.05], "angular_velocity": [4, -3, 2 * number]}
        ball = {"name": f"ball{number}", "support": "free", "position": PLACES[number], **motion, "shape": [shape]}
        described["body"].append(ball)
    if second is not None:
        metal = {"conductivity": conductivity, "currents": second, "panels": 60 if second == "sheet" else 8}
        motion = {"velocity": [0, 0.1, -0.3], "angular_velocity": [1, 4, 2]}
        turned = {"position": [0.01, 0, 0.055], "orientation": {"axis": [1, 0, 0], "angle": 0.3}}
        disc = {"name": "disc", "support": "free", **turned, **motion, "shape": [{**FLAT, "conductor": metal}]}
        described["body"].append(disc)
    return described


def with_currents(described: dict[str, Any]) -> Laws:
    """The laws of a scene with all modes as states, and currents in all of them."""
    described["solver"] = {"method": "implicit", "time_step": 1e-3}
    laws = Laws(described)
    start, conductors = laws.compiled.start, laws.compiled.model.conductors
    assert conductors.slow.sum() == conductors.first_node[-1]
    start[conductors.at : conductors.at + conductors.slow.sum()] *= 1.5
    return laws


@pytest.mark.parametrize(("currents", "irons", "second", "iron"), CASES)
def test_forces_and_torques_are_the_gradient_of_the_energy(
    currents: str, irons: int, second: str | None, iron: dict[str, Any]
) -> None:
    described = together(currents, irons, second, iron)
    described["world"]["magnetic_field"] = ROTATING
    laws = with_currents(described)
    for body in range(len(described["body"])):
        assert difference(laws.wrench(body), laws.by_difference(body)) < 1e-6, body


@pytest.mark.parametrize("step", [5e-5, None])
@pytest.mark.parametrize(("currents", "irons", "second", "iron"), CASES)
def test_forces_are_opposite(
    currents: str, irons: int, second: str | None, iron: dict[str, Any], step: float | None
) -> None:
    """With fast modes and with all modes as states, all coils being on bodies."""
    described = together(currents, irons, second, iron)
    described["coil"][1] |= {"body": "bob"}
    described["solver"]["time_step"] = step
    laws = Laws(described) if step else with_currents(described)
    bodies = range(len(described["body"]))
    found = np.array([laws.wrench(body) for body in bodies])
    places = np.array([laws.compiled.start[18 * b : 18 * b + 3] for b in bodies])
    turning = found[:, 3:] + np.cross(places, found[:, :3])
    assert np.abs(found[:, :3].sum(axis=0)).max() < 1e-12 * np.abs(found[:, :3]).max()
    assert np.abs(turning.sum(axis=0)).max() < 1e-12 * np.abs(turning).max()


@pytest.mark.parametrize(
    ("currents", "irons", "second", "iron"), [*CASES[:-1], pytest.param(*CASES[-1], marks=pytest.mark.nightly)]
)
def test_ledger_and_voltages(currents: str, irons: int, second: str | None, iron: dict[str, Any]) -> None:
    """Where steps resolve all modes."""

    def described(step: float) -> dict[str, Any]:
        found = together(currents, irons, second, iron, 1e9)
        found["world"]["magnetic_field"] = ROTATING if irons == 2 else FORMULA
        found["coil"][1]["source"] = {"kind": "voltage", "voltage": "8*sin(300*t)"}
        found["solver"]["time_step"] = step
        return found

    check_ledger_and_voltages(described)


@pytest.mark.parametrize("irons", [1, 2])
def test_fast_modes_take_from_given_currents_and_from_motion_what_they_heat(irons: int) -> None:
    """Steps resolve no mode of the metal beside iron: the ledger closes to the order of the method."""
    drifts = []
    for step in (1e-3, 5e-4):
        described = together("rings", irons, "rings", conductivity=1e6)
        described["coil"] = [described["coil"][2]]
        described["solver"]["time_step"] = step
        simulation = Simulation(Scene.model_validate(described))
        assert simulation.compiled.model.conductors.slow.sum() == 0
        table = simulation.run(0.02, 2e-3)
        drifts.append(np.ptp(imbalance(table)))
    assert -table["work.joule"][-1] > 100 * drifts[1]
    assert drifts[0] / drifts[1] > 8


def apart(one: Any, other: Any, names: list[str]) -> float:
    """Largest difference of two runs, relative to the largest value of each column."""
    return max(float(np.abs(one[name] - other[name]).max() / np.abs(one[name]).max()) for name in names)


COMMON = ["own.current", "lab.current", "open.voltage", "tube.velocity.x", "bob.velocity.z", "lab.force.z"]


def run_of(described: dict[str, Any]) -> Any:
    described["solver"]["time_step"] = 2e-5
    return Simulation(Scene.model_validate(described)).run(0.002, 1e-4)


@pytest.mark.parametrize("currents", ["rings", "sheet"])
def test_metal_that_does_not_conduct_and_iron_that_is_not_magnetic_are_not_there(currents: str) -> None:
    whole = run_of(together(currents, 1, None))
    insulating = together(currents, 1, None, conductivity=1e-3)
    without = together(currents, 1, None)
    del without["body"][0]["shape"][0]["conductor"]
    assert apart(run_of(insulating), run_of(without), [*COMMON, "ball0.induced_moment.z"]) < 1e-8
    weak = run_of(together(currents, 1, None, {"permeability": 1.0 + 1e-9}))
    without = together(currents, 0, None)
    ball = {"name": "ball0", "support": "free", "position": PLACES[0], "shape": [BALL]}
    without["body"].append({**ball, "velocity": [0.2, -0.1, 0.05], "angular_velocity": [4, -3, 0]})
    assert apart(weak, run_of(without), [*COMMON, "tube.heating"]) < 1e-7
    assert apart(whole, weak, COMMON) > 3e-4


def mutual(a: float, b: float, z: float) -> float:
    """M [H] of coaxial loops (Maxwell)."""
    m = 4 * a * b / ((a + b) ** 2 + z * z)
    k = np.sqrt(m)
    return MU0 * np.sqrt(a * b) * ((2 / k - k) * ellipk(m) - 2 / k * ellipe(m))


def slope(a: float, b: float, z: float, h: float = 1e-5) -> float:
    """dM/dz [H/m]."""
    near, far = mutual(a, b, z + h) - mutual(a, b, z - h), mutual(a, b, z + 2 * h) - mutual(a, b, z - 2 * h)
    return float(8 * near - far) / (12 * h)


def test_two_free_rings_over_a_coil() -> None:
    """Positions and currents of rings that a discharge throws off, by scipy with textbook inductances."""
    sigma, width, height, start = 3.7e7, 0.003, 0.003, [0.008, 0.02]
    middles, turns, radius, ohms, henry = [0.024, 0.03], 60, 0.025, 0.3, 4e-4
    bodies = []
    for number, (middle, z) in enumerate(zip(middles, start, strict=True)):
        shape = {"kind": "tube", "radius": middle + width / 2, "inner_radius": middle - width / 2, "length": height}
        shape |= {"mass": 0.004, "conductor": {"conductivity": sigma, "currents": "rings", "panels": 1}}
        bodies.append({"name": f"ring{number}", "support": "free", "position": [0, 0, z], "shape": [shape]})
    coil = {"name": "coil", "winding": {"kind": "loop", "radius": radius, "wire_radius": 1e-3}, "turns": turns}
    coil |= {"resistance": ohms, "inductance": henry, "source": {"kind": "voltage", "voltage": "30*sin(500*t)"}}
    solver = {"method": "rk4", "time_step": 1e-5}
    scene = Scene.model_validate({"world": {"gravity": [0, 0, 0]}, "solver": solver, "body": bodies, "coil": [coil]})
    table = Simulation(scene).run(0.012, 1e-3)
    ends = [(m - width / 2, m + width / 2) for m in middles]
    radii = [((a**-3 - b**-3) / (3 * width)) ** -0.25 for a, b in ends]
    own = [MU0 * m * (np.log(8 * m / (0.2235 * (width + height))) - 2) for m in middles]
    resistance = np.array([ohms, *(2 * np.pi * r / (sigma * width * height) for r in radii)])

    def inductance(z: np.ndarray, of: Any) -> np.ndarray:
        pairs = {(0, 1): turns * of(radius, radii[0], z[0]), (0, 2): turns * of(radius, radii[1], z[1])}
        pairs[1, 2] = of(radii[0], radii[1], z[1] - z[0])
        found = np.zeros((3, 3))
        for (i, j), value in pairs.items():
            found[i, j] = found[j, i] = value
        return found

    def currents(y: np.ndarray) -> np.ndarray:
        return np.linalg.solve(inductance(y[:2], mutual) + np.diag([henry, *own]), y[4:])

    def rate(time: float, y: np.ndarray) -> np.ndarray:
        i, slopes = currents(y), inductance(y[:2], slope)
        pull = np.array([i[0] * i[1] * slopes[0, 1] - i[1] * i[2] * slopes[1, 2], i[2] * (i[:2] @ slopes[:2, 2])])
        volts = np.array([30 * np.sin(500 * time), 0, 0]) - resistance * i
        return np.concatenate([y[2:4], pull / 0.004, volts])

    found = solve_ivp(
        rate, (0, 0.012), [*start, *[0.0] * 5], method="DOP853", t_eval=table["time"], rtol=1e-11, atol=1e-13
    )
    amperes = np.array([currents(y) for y in found.y.T])
    for number in range(2):
        assert np.abs(table[f"ring{number}.position.z"] - found.y[number]).max() < 1e-8
        assert np.ptp(found.y[number]) > 9e-4
        heat = resistance[1 + number] * amperes[:, 1 + number] ** 2
        assert np.abs(table[f"ring{number}.heating"] - heat).max() < 1e-6 * heat.max()
    assert np.abs(table["coil.current"] - amperes[:, 0]).max() < 1e-6 * np.abs(amperes[:, 0]).max()


class Twin:
    """The energy of one coil, three rings, an iron ball and a magnet at given flux linkages, slowly, in numpy."""

    POINTS = 400  # of each ring

    def __init__(self, described: dict[str, Any]):
        self.laws = with_currents(described)
        self.model, self.start = self.laws.compiled.model, self.laws.compiled.start
        self.loops = loops_of_body(self.laws.compiled.scene.body[0], MU0)

    def pose(self, b: int) -> tuple[np.ndarray, np.ndarray]:
        return self.start[18 * b : 18 * b + 3], self.start[18 * b + 6 : 18 * b + 15].reshape(3, 3)

    def wires(self) -> list[np.ndarray]:
        """Points (p, 3) [m] of the coil and of each ring."""
        angle = 2 * np.pi * np.arange(self.POINTS)[:, None] / self.POINTS
        coil = 0.04 * np.hstack([np.cos(angle), np.sin(angle), 0 * angle]) + [0, 0, 0.03]
        (at, turn), found = self.pose(0), [coil]
        conductors = self.model.conductors
        for place, area, across in zip(conductors.position, conductors.area, conductors.across, strict=True):
            other = np.cross(area, across) / np.linalg.norm(area)
            found.append((place + across * np.cos(angle) + other * np.sin(angle)) @ turn + at)
        return found

    @staticmethod
    def along(wire: np.ndarray) -> np.ndarray:
        """Elements of a circle, exact to all orders: derivative by the angle times the step."""
        wave = np.fft.fftfreq(len(wire), 1 / len(wire))[:, None]
        return np.fft.ifft(1j * wave * np.fft.fft(wire, axis=0), axis=0).real * 2 * np.pi / len(wire)

    def field(self, wire: np.ndarray, at: np.ndarray) -> np.ndarray:
        """B (n, 3) [T/A] by Biot and Savart."""
        r = at[:, None] - wire
        return MU0 / (4 * np.pi) * (np.cross(self.along(wire), r) / np.linalg.norm(r, axis=2)[..., None] ** 3).sum(1)

    def energy(self) -> float:
        """U = -mu0/2 psi.R psi + 1/2 (lam - Phi).L^-1 (lam - Phi), L with iron."""
        iron, turns = self.model.iron, np.array([self.model.coils.turns[0], 1.0, 1.0, 1.0])
        (at, turn), count = self.pose(2), len(iron.edge)
        points = np.einsum("tcn,cd->tnd", iron.point.reshape(3, 3, -1), turn) + at
        middles, areas = iron.middle.T @ turn + at, iron.area.T @ turn
        magnet, moment = self.pose(1)[0], self.model.dipoles.moment[0] @ self.pose(1)[1]
        r = points - magnet
        psi = (r @ moment / np.linalg.norm(r, axis=2) ** 3).mean(axis=0) / (4 * np.pi)
        wires = self.wires()
        through = [t * (self.field(w, middles) * areas).sum(axis=1) / MU0 for t, w in zip(turns, wires, strict=True)]
        own = [-iron.from_flux[:, :count] @ b for b in through]
        inverse = iron.inverse[:, :count]
        inductance = np.zeros((4, 4))
        inductance[0, 0] = self.model.coils.inductance[0, 0]
        inductance[1:, 1:] = self.loops.inductance
        for ring in (1, 2, 3):
            dl, distance = self.along(wires[ring]), np.linalg.norm(wires[0][:, None] - wires[ring], axis=2)
            neumann = MU0 / (4 * np.pi) * (self.along(wires[0]) @ dl.T / distance).sum()
            inductance[0, ring] = inductance[ring, 0] = turns[0] * neumann
        flux = np.array([t * self.field(w, magnet[None])[0] @ moment for t, w in zip(turns, wires, strict=True)])
        for i in range(4):
            flux[i] += MU0 * own[i] @ inverse @ psi
            for j in range(4):
                inductance[i, j] += MU0 * own[i] @ inverse @ own[j]
        conductors, circuits = self.model.conductors, self.model.circuits
        of_modes = self.start[conductors.at : conductors.at + 3]
        linkages = np.array([self.start[circuits.at], *np.linalg.solve(conductors.mode, of_modes)])
        excess = linkages - flux
        return float(0.5 * excess @ np.linalg.solve(inductance, excess) - 0.5 * MU0 * psi @ inverse @ psi)


def test_the_energy_is_that_of_one_matrix_of_inductances() -> None:
    described = together("rings", 1, None)
    described["body"][0]["shape"][0]["conductor"]["panels"] = 3
    described["body"][0]["shape"][0] |= {"length": 0.012, "inner_radius": 0.0255}
    described["body"][1]["shape"][0]["magnet"] |= {"dipoles": 1}
    loop = {"kind": "loop", "radius": 0.04, "wire_radius": 1e-3}
    described["coil"] = [described["coil"][1] | {"winding": loop}]
    twin = Twin(described)
    assert twin.laws.energy(twin.start) == pytest.approx(twin.energy(), rel=1e-9)


def test_an_edit_keeps_all_currents() -> None:
    described = together("rings", 1, "rings", conductivity=1e9)
    described["solver"] = {"method": "rk4", "time_step": 1e-5}
    simulation = Simulation(Scene.model_validate(described))
    before = simulation.run(0.0011, 1e-5)
    simulation.load(simulation.scene.with_values({"coil[1].resistance": 0.7, "body[1].shape[0].mass": 0.04}))
    after = simulation.run(0.00112, 1e-5)
    for name in ("own.current", "lab.current", "tube.heating", "disc.heating"):
        assert after[name][0] == pytest.approx(before[name][-1], rel=1e-9)


def test_a_switch_and_a_checkpoint() -> None:
    """The ledger has the spark of a switch that opens; a run goes back to the same bytes."""
    drifts = []
    for step in (2e-5, 1e-5):
        described = together("rings", 1, "rings", conductivity=1e9)
        described["solver"]["time_step"] = step
        described["coil"][1] |= {"source": {"kind": "circuit", "circuit": "loop"}}
        del described["coil"][1]["current"]
        described["circuit"] = [{"name": "loop", "coils": ["lab"], "voltage": "5", "switch": "sin(2000*t) + 0.3"}]
        simulation = Simulation(Scene.model_validate(described))
        table = simulation.run(0.004, 1e-4)
        drifts.append(np.ptp(imbalance(table)))
    current = table["lab.current"]
    assert np.ptp(current[current != 0.0]) > 0
    assert (current == 0.0).any()
    assert drifts[1] < 1e-9 * np.ptp(table["energy.magnetic"])
    assert drifts[0] / drifts[1] > 10
    kept = simulation.checkpoint()
    first = simulation.run(0.005, 1e-4)
    simulation.return_to(kept)
    again = simulation.run(0.005, 1e-4)
    assert all((first[name] == again[name]).all() for name in first.columns)


@pytest.mark.nightly
def test_an_iron_core_lifts_a_ring_higher() -> None:
    """Thomson's ring with a core in the coil and through the ring: it jumps and hovers higher, and energy is kept."""
    data = read_scene("jumping_ring").model_dump(exclude_unset=True, by_alias=True)
    core = {"kind": "cylinder", "radius": 0.01, "length": 0.06, "mass": 0.15, "iron": {"panels": 200}}
    heights = []
    for bodies in ([], [{"name": "core", "support": "fixed", "shape": [core]}]):
        simulation = Simulation(Scene.model_validate({**data, "body": [*data["body"], *bodies]}))
        table = simulation.run(1.0, 1e-3)
        assert not simulation.warnings
        assert np.ptp(imbalance(table)) < 3e-6 * np.ptp(table["work.field"])
        heights.append((table["ring.position.z"].max(), table["ring.position.z"][-100:].mean()))
    assert heights[1][0] > 2.5 * heights[0][0]
    assert heights[1][1] > 1.8 * heights[0][1]


def test_scenes_with_two_of_them_have_no_unit_of_three() -> None:
    three = together("sheet", 1, None)
    several = together("sheet", 0, "sheet")
    names = []
    for described in (three, {**three, "coil": []}, together("sheet", 0, None), several, {**several, "coil": []}):
        units = units_to_run(build(Scene.model_validate(described), Meshes()))
        found = {unit.kernel.__module__.rsplit(".", 1)[-1] for unit in units if ".coupled." in unit.kernel.__module__}
        names.append(found)
    assert names == [{"beside_coils"}, {"part", "iron"}, set(), {"mutual"}, {"mutual"}]
