"""Conductors beside coils: an alternating current in the frequency domain, gradients, conservation laws, voltages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from laws import Laws, check_ledger_and_voltages, difference, imbalance
from metal_and_coils import RING, ROTATING, mixed

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.physics.coils.windings.inductance import coaxial_rings
from polhode.physics.conductors.loops import loops_of_body
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.units import units_to_run

MU0 = 1.25663706127e-6
WORLD = {"gravity": [0, 0, 0]}
PRIMARY = {"name": "coil", "winding": {"kind": "loop", "radius": 0.025, "wire_radius": 2e-3}, "turns": 500}
ALUMINIUM = 3.7e7  # [S/m]


def ring(panels: int, step: float, aside: float = 0.0) -> dict[str, Any]:
    """An aluminium ring 10 mm over a coil with 5 A at 50 Hz."""
    shape = {**RING, "conductor": {"conductivity": ALUMINIUM, "currents": "rings", "panels": panels}}
    body = {"name": "ring", "support": "fixed", "position": [aside, 0, 0.01], "shape": [shape]}
    source = {"kind": "current", "current": "5*sin(2*pi*50*t)"}
    return {
        "world": WORLD,
        "solver": {"method": "rk4", "time_step": step},
        "body": [body],
        "coil": [{**PRIMARY, "source": source}],
    }


def lift_of(described: dict[str, Any]) -> tuple[float, float]:
    """Mean lift [N] and mean heat [W] of rings over the coil, in the frequency domain."""
    loops = loops_of_body(Scene.model_validate(described).body[0], MU0)
    height, omega, current = loops.position[:, 2] + 0.01, 2 * np.pi * 50, 5.0

    def mutual(shift: float) -> np.ndarray:
        pairs = zip(loops.radius.tolist(), (height + shift).tolist(), strict=True)
        return np.array([500 * coaxial_rings(0.025, r, np.array([z]), MU0)[0] for r, z in pairs])

    slope = (mutual(1e-7) - mutual(-1e-7)) / 2e-7
    induced = np.linalg.solve(loops.resistance + 1j * omega * loops.inductance, -1j * omega * mutual(0.0) * current)
    lift = 0.5 * current * float(np.real(np.conj(induced) @ slope))
    return lift, 0.5 * float(np.real(np.conj(induced) @ loops.resistance @ induced))


@pytest.mark.parametrize(("panels", "aside"), [(1, 0.0), (20, 0.0), (20, 1e-9)])
def test_an_alternating_current_lifts_a_ring(panels: int, aside: float) -> None:
    """Also slightly beside the axis, where the coaxial form of the mutual inductance does not hold."""
    described = ring(panels, 2e-5, aside)
    table = Simulation(Scene.model_validate(described)).run(0.06, 1e-4)
    period = slice(400, 600)
    lift, heat = lift_of(described)
    assert -table["coil.force.z"][period].mean() == pytest.approx(lift, rel=2e-4)  # of modes faster than two steps
    assert table["ring.heating"][period].mean() == pytest.approx(heat, rel=2e-4)
    given, lost = (table[name][600] - table[name][400] for name in ("work.field", "work.joule"))
    assert given == pytest.approx(-lost, rel=1e-6)
    if panels == 1:  # the reference has 0.7 % more inductance
        assert lift == pytest.approx(0.0976101, rel=0.02)


SCENES = {"sheet": mixed, "rings": lambda: mixed("rings")}


@pytest.mark.parametrize("scene", SCENES)
def test_forces_and_torques_are_the_gradient_of_the_energy_at_constant_flux_linkages(scene: str) -> None:
    described = SCENES[scene]()
    described["solver"] = {"method": "implicit", "time_step": 0.1}  # all modes have their flux linkages in the state
    laws = Laws(described)
    start = laws.compiled.start
    conductors = laws.compiled.model.conductors
    assert conductors.slow.sum() == conductors.first_mode[-1]
    start[conductors.at : conductors.at + conductors.slow.sum()] *= 1.5  # currents in all of them
    for body in range(len(described["body"])):
        assert difference(laws.wrench(body), laws.by_difference(body)) < 2e-6, body


def test_metal_and_coils_act_on_each_other_with_opposite_forces() -> None:
    described = mixed()
    disc = {"kind": "cylinder", "radius": 0.03, "length": 0.01, "mass": 0.1}
    described["body"].append({"name": "carrier", "support": "free", "velocity": [1, 0, 3], "shape": [disc]})
    described["coil"][1] |= {"body": "carrier"}
    described["solver"]["time_step"] = 5e-5
    laws = Laws(described)
    forces = np.array([laws.wrench(body) for body in range(3)])
    positions = np.array([laws.compiled.start[18 * b : 18 * b + 3] for b in range(3)])
    assert np.abs(forces[:, :3].sum(axis=0)).max() < 1e-12 * np.abs(forces[:, :3]).max()
    turning = forces[:, 3:] + np.cross(positions, forces[:, :3])
    assert np.abs(turning.sum(axis=0)).max() < 1e-12 * np.abs(turning).max()


@pytest.mark.parametrize("scene", SCENES)
def test_ledger_and_voltages(scene: str) -> None:
    """Where steps resolve all modes."""

    def described(step: float) -> dict[str, Any]:
        found = SCENES[scene]()
        found["world"]["magnetic_field"] = ROTATING
        found["coil"][1]["source"] = {"kind": "voltage", "voltage": "8*sin(300*t)"}
        for shape in found["body"][0]["shape"]:
            shape["conductor"] |= {"conductivity": 3e8}
        found["solver"]["time_step"] = step
        return found

    check_ledger_and_voltages(described)


def test_fast_modes_take_from_given_currents_and_from_motion_what_they_heat() -> None:
    """Steps resolve no mode of the metal: the ledger closes to the order of the method."""
    drifts = []
    for step in (2e-3, 1e-3):
        described = mixed("rings")
        described["coil"] = [described["coil"][2]]
        described["solver"]["time_step"] = step
        simulation = Simulation(Scene.model_validate(described))
        assert simulation.compiled.model.conductors.slow.sum() == 0
        table = simulation.run(0.04, 4e-3)
        drifts.append(np.ptp(imbalance(table)))
    assert -table["work.joule"][-1] > 100 * drifts[1]
    assert drifts[0] / drifts[1] > 8


def test_the_implicit_method_has_all_modes_at_long_steps() -> None:
    ends = []
    for method, step in (("rk4", 1e-5), ("implicit", 4e-4), ("implicit", 2e-4)):
        described = mixed("rings")
        described["solver"] = {"method": method, "time_step": step}
        table = Simulation(Scene.model_validate(described)).run(0.008, 4e-3)
        ends.append(np.array([table["own.current"][-1], table["lab.current"][-1], table["tube.velocity.x"][-1]]))
    errors = [np.abs(end / ends[0] - 1).max() for end in ends[1:]]
    assert errors[1] < 0.02
    assert errors[0] / errors[1] > 2.5


def test_an_edit_keeps_the_currents_of_coils_and_metal() -> None:
    simulation = Simulation(Scene.model_validate(mixed("rings")))
    simulation.advance(0.001)
    before = simulation.run(0.00101, 1e-5)
    simulation.load(simulation.scene.with_values({"coil[1].resistance": 0.7, "body[1].shape[0].mass": 0.04}))
    after = simulation.run(0.00102, 1e-5)
    for name in ("own.current", "lab.current", "tube.heating"):
        assert after[name][0] == pytest.approx(before[name][-1], rel=1e-9)


def test_coils_alone_and_metal_alone_have_no_unit_of_both() -> None:
    both = mixed()
    names = []
    for left in (both, {**both, "coil": []}, {**both, "body": both["body"][1:], "coil": both["coil"][1:]}):
        units = units_to_run(build(Scene.model_validate(left), Meshes()))
        names.append({(unit.kernel.__module__.rsplit(".", 2)[-2], unit.kernel.__name__) for unit in units})
    assert {("conductors", "couple_coils"), ("conductors", "induce")} <= names[0]
    assert not {("conductors", "couple_coils"), ("conductors", "induce"), ("coils", "forces")} & names[1]
    assert not any(folder == "conductors" for folder, _ in names[2])


def test_the_ring_of_the_scene_hovers() -> None:
    """The lift at an amplitude of 5 A, in the frequency domain, and the amplitude at which it is the weight."""
    scene = read_scene("jumping_ring")
    data = scene.model_dump(exclude_unset=True, by_alias=True)
    data["joint"], data["body"][0]["support"] = (), "fixed"
    data["coil"][0]["source"]["current"] = "5*sin(2*pi*50*t)"
    table = Simulation(Scene.model_validate(data)).run(0.1, 1e-4)
    lift = -table["primary.force.z"][600:1000].mean()
    assert lift == pytest.approx(lift_of(data)[0], rel=5e-3)  # of modes faster than a step
    weight = 2700 * np.pi * (0.0265**2 - 0.0235**2) * 0.01 * 9.80665
    assert 5.0 * np.sqrt(weight / lift) == pytest.approx(5.24, abs=0.01)
    height = Simulation(scene).run(2.0, 1e-3)["ring.position.z"]
    assert height.max() > 0.03
    assert height[-100:].mean() == pytest.approx(0.0216, abs=3e-4)
