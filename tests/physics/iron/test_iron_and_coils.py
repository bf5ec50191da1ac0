"""Iron beside coils: closed forms, energies against forces, conservation laws, voltages, and what is refused."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from laws import BOB, YOKE, Laws, difference, imbalance
from sampling import sampled

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.physics.coils.arrays import RESISTIVE
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.units import units_to_run
from polhode.verification.iron import added

WORLD = {"gravity": [0, 0, 0]}
RING = {"kind": "loop", "radius": 0.02, "wire_radius": 1e-3}
BALL = {"kind": "sphere", "radius": 0.003, "mass": 0.01}


def ball(at: float, panels: int = 320, mu: float = 1000, **shape: Any) -> dict[str, Any]:
    iron = {"permeability": mu, "panels": panels}
    return {"name": "ball", "support": "free", "position": [0, 0, at], "shape": [{**BALL, "iron": iron, **shape}]}


def coil(**of: Any) -> dict[str, Any]:
    return {"name": "coil", "winding": RING, "turns": 500, **of}


def given(current: Any) -> dict[str, Any]:
    return {"source": {"kind": "current", "current": current}}


def test_pull_of_a_ring_on_a_ball_of_iron() -> None:
    """The series of multipoles; of a small ball a dipole in the ring's field, 8.829492e-3 N (r/3 mm)^3."""
    at, h = 0.02 / np.sqrt(7), 1e-6
    for radius in (0.001, 0.003):
        ends = [added(radius, 0.02, 500, at + shift, 1000.0) for shift in (h, -h)]
        expected = 0.5 * 2.0**2 * (ends[1] - ends[0]) / (2 * h)
        described = {"world": WORLD, "body": [ball(-at, radius=radius)], "coil": [coil(**given(2.0))]}
        found = Laws(described).wrench(0)
        assert found[2] == pytest.approx(expected, rel=1e-3)
        assert np.abs(found[[0, 1, 3, 4, 5]]).max() < 1e-5 * found[2]
        assert expected == pytest.approx(8.829492e-3 * (radius / 0.003) ** 3, rel=700 * radius**2)


def solenoid_and_core(at: float, panels: int, mu: float = np.inf) -> dict[str, Any]:
    rod = {"kind": "cylinder", "radius": 0.004, "length": 0.04, "mass": 0.016}
    rod["iron"] = {"permeability": mu, "panels": panels}
    winding = {"kind": "solenoid", "radius": 0.006, "length": 0.04}
    body = {"name": "core", "support": "free", "position": [0, 0, at], "shape": [rod]}
    return {"world": WORLD, "body": [body], "coil": [coil(winding=winding, **given(2.0))]}


@pytest.mark.parametrize(("at", "pull"), [(0.005, 0.360), (0.01, 0.485), (0.015, 0.494), (0.02, 0.4405), (0.03, 0.234)])
def test_a_core_is_pulled_into_a_solenoid(at: float, pull: float) -> None:
    """Axisymmetric rings of charge, by an independent program, to 1 %; the gap of 2 mm is a panel of 864."""
    assert Laws(solenoid_and_core(at, 864)).wrench(0)[2] == pytest.approx(-pull, rel=0.02)


def test_iron_adds_to_an_inductance() -> None:
    """2.329e-5 H in the reference, for 1000; an induced dipole alone would add 2.239e-5."""
    assert added(0.01, 0.03, 100, 0.015, 1000.0) == pytest.approx(2.329e-5, rel=2e-4)
    found = []
    for at in (0.015, 1.0):
        wide = {"kind": "loop", "radius": 0.03, "wire_radius": 1e-3}
        described = {"world": WORLD, "solver": {"time_step": 1e-5}, "body": [ball(at, radius=0.01)]}
        described["coil"] = [coil(winding=wide, turns=100, resistance=1.0, source={"kind": "shorted"})]
        found.append(Simulation(Scene.model_validate(described)).inductance()[0, 0])
    assert found[0] - found[1] == pytest.approx(2.329e-5, rel=1e-3)


def mixed() -> dict[str, Any]:
    """Two irons, one with an own magnet and an own coil, a magnet and coils on it and in the laboratory, all moving."""
    pole = {"kind": "cuboid", "size": [0.01, 0.012, 0.008], "mass": 0.03}
    yoke = {
        "name": "yoke",
        **YOKE,
        "dipole": [{"moment": [0, 0.3, 0.2], "position": [0, 0.02, 0]}],
        "shape": [{**pole, "iron": {"permeability": 50, "panels": 108}}],
    }
    magnet = {"kind": "sphere", "radius": 0.002, "mass": 0.01, "magnet": {"moment": [0.1, 0, 0.5]}}
    bob = BOB | {"shape": [magnet]}
    second = ball(0.006, 80, np.inf, radius=0.006)
    second["position"] = [-0.02, 0.024, 0.006]
    thick = {"kind": "thick", "inner_radius": 0.011, "outer_radius": 0.013, "length": 0.004}
    wide = {"kind": "solenoid", "radius": 0.03, "length": 0.02}
    shared = {"resistance": 0.5, "source": {"kind": "shorted"}, "turns": 200}
    coils = [
        coil(**{**shared, "name": "own", "body": "yoke", "winding": thick, "current": 1.5}),
        coil(**{**shared, "name": "lab", "winding": wide, "position": [0, 0, 0.03], "current": -2.0}),
        coil(name="driven", body="bob", winding={**RING, "radius": 0.008}, turns=50, **given("3*cos(100*t)")),
        coil(name="open", body="ball", winding={**RING, "radius": 0.009}, turns=30, source={"kind": "open"}),
    ]
    world = copy.deepcopy(WORLD)
    return {"world": world, "solver": {"time_step": 1e-4}, "body": [yoke, bob, second], "coil": coils}


def saturating() -> dict[str, Any]:
    described = mixed()
    described["body"] = described["body"][:2]
    described["body"][0]["shape"][0]["iron"] |= {"saturation": 0.05, "permeability": 500}
    described["coil"] = described["coil"][:3]
    return described


def several() -> dict[str, Any]:
    """The same with iron that saturates in one of two shapes of one body, and in that of another body."""
    described = mixed()
    yoke, second = described["body"][0], described["body"][2]
    for body in (yoke, second):
        body["shape"][0]["iron"] |= {"saturation": 0.05, "permeability": 500}
    end = {"kind": "sphere", "radius": 0.003, "mass": 0.01, "position": [0, 0.002, -0.012]}
    yoke["shape"].append({**end, "iron": {"permeability": 200, "panels": 20}})
    return described


def of_dipoles() -> dict[str, Any]:
    """The same with iron of dipoles, two of them on one body."""
    described = mixed()
    yoke, second = described["body"][0], described["body"][2]
    yoke["shape"] = [
        {"kind": "ellipsoid", "semi_axes": [0.005, 0.006, 0.004], "mass": 0.03},
        {"kind": "sphere", "radius": 0.004, "mass": 0.01, "position": [0, -0.01, 0.002]},
    ]
    second["shape"] = [{"kind": "ellipsoid", "semi_axes": [0.004, 0.006, 0.005], "mass": 0.01}]
    for shape, mu in ((yoke["shape"][0], 50), (yoke["shape"][1], np.inf), (second["shape"][0], 1000)):
        shape["iron"] = {"permeability": mu, "induced": "dipole"}
    return described


FIELDS = {
    "none": {"kind": "uniform", "value": [0, 0, 0]},
    "rotating": {"kind": "rotating", "cosine": [0, 0, 0.02], "sine": [0.01, 0, 0], "angular_frequency": 200.0},
    "formula": {"kind": "formula", "x": "2*x*z + 0.01", "y": "y", "z": "x^2 - z + 3*x*y*t"},
}
SCENES = (mixed, saturating, several, of_dipoles)
EACH_WITH_EACH = [
    ([*FIELDS][(number + shift) % len(FIELDS)], scene)
    for number, scene in enumerate(SCENES)
    for shift in range(len(FIELDS))
]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("scene", [mixed, saturating, several, of_dipoles])
def test_forces_and_torques_are_the_gradient_of_the_energy_at_constant_flux_linkages(field: str, scene: Any) -> None:
    described = scene()
    described["world"]["magnetic_field"] = FIELDS[field]
    laws = Laws(described)
    for body in range(len(described["body"])):
        assert difference(laws.wrench(body), laws.by_difference(body)) < 1e-6, body


@pytest.mark.parametrize("scene", [mixed, several, of_dipoles])
def test_iron_and_coils_act_on_each_other_with_opposite_forces(scene: Any) -> None:
    described = scene()
    described["coil"][1] |= {"body": "carrier"}
    disc = {"kind": "cylinder", "radius": 0.03, "length": 0.01, "mass": 0.1}
    described["body"].append({"name": "carrier", "support": "free", "shape": [disc]})
    laws = Laws(described)
    forces = np.array([laws.wrench(body) for body in range(4)])
    positions = np.array([laws.compiled.start[18 * b : 18 * b + 3] for b in range(4)])
    assert np.abs(forces[:, :3].sum(axis=0)).max() < 1e-12 * np.abs(forces[:, :3]).max()
    turning = forces[:, 3:] + np.cross(positions, forces[:, :3])
    assert np.abs(turning.sum(axis=0)).max() < 1e-12 * np.abs(turning).max()


@pytest.mark.parametrize(("field", "scene"), sampled(EACH_WITH_EACH, len(FIELDS)))
def test_ledger_and_voltages(field: str, scene: Any) -> None:
    """Energy to the fourth order of RK4, and voltages of coils as differences of their flux linkages."""
    drifts = []
    for step in (1e-4, 5e-5):
        described = scene()
        described["world"]["magnetic_field"] = FIELDS[field]
        described["coil"][1]["source"] = {"kind": "voltage", "voltage": "8*sin(300*t)"}
        described["solver"]["time_step"] = step
        table = Simulation(Scene.model_validate(described)).run(0.006, 1e-4)
        drifts.append(np.ptp(imbalance(table)))
    assert abs(table["work.source"][-1]) > 1e-4
    assert table["work.joule"][-1] < -1e-4
    assert drifts[1] < 1e-6 * np.ptp(table["energy.magnetic"])
    assert drifts[0] / drifts[1] > 10
    for number, one in enumerate(described["coil"]):
        flux, name = table[f"{one['name']}.flux"], one["name"]
        resistance = one.get("resistance", 0.0)
        voltage = table[f"{name}.voltage"] - resistance * table[f"{name}.current"]
        rate = (flux[:-4] - 8 * flux[1:-3] + 8 * flux[3:-1] - flux[4:]) / (12 * 1e-4)
        assert np.abs(voltage[2:-2] - rate).max() < 2e-3 * np.abs(voltage).max(), number


@pytest.mark.parametrize("scene", [mixed, saturating, several, of_dipoles])
def test_the_implicit_method_takes_long_steps_to_the_same_end(scene: Any) -> None:
    ends = []
    for method, step in (("rk4", 1e-4), ("implicit", 1e-3), ("implicit", 5e-4)):
        described = scene()
        described["solver"] = {"method": method, "time_step": step}
        table = Simulation(Scene.model_validate(described)).run(0.01, 0.005)
        ends.append(np.array([table["own.current"][-1], table["lab.current"][-1], table["yoke.velocity.x"][-1]]))
    errors = [np.abs(end / ends[0] - 1).max() for end in ends[1:]]
    assert errors[1] < 0.02
    assert errors[0] / errors[1] > 2.5


def test_without_resistance_flux_linkages_are_kept_in_every_bit() -> None:
    described = mixed()
    for one in described["coil"][:2]:
        one["resistance"] = 0.0
    simulation = Simulation(Scene.model_validate(described))
    at = simulation.compiled.model.circuits.at
    before = simulation.state[at : at + 2]
    simulation.advance(0.01)
    assert (simulation.state[at : at + 2] == before).all()


def test_an_edit_keeps_the_currents_beside_iron() -> None:
    for scene in (mixed, saturating, several):
        simulation = Simulation(Scene.model_validate(scene()))
        simulation.advance(0.002)
        before = simulation.snapshot().currents.copy()
        simulation.load(simulation.scene.with_values({"coil[1].resistance": 0.7, "body[0].shape[0].mass": 0.04}))
        assert simulation.snapshot().currents == pytest.approx(before, rel=1e-9)


def test_field_at_the_place_of_a_coil_beside_iron() -> None:
    """The flux of the field in space through a small open coil is the flux of the coil."""
    described = {"world": WORLD, "body": [ball(-0.01, mu=np.inf, radius=0.006)], "coil": [coil(**given(2.0))]}
    small = {"kind": "loop", "radius": 1e-4, "wire_radius": 1e-5}
    probe = {"name": "probe", "winding": small, "turns": 1, "position": [0, 0, 0.004], "source": {"kind": "open"}}
    described["coil"].append(probe)
    simulation = Simulation(Scene.model_validate(described))
    simulation.snapshot()
    through = simulation.run(1e-3, 1e-3)["probe.flux"][0] / (np.pi * 1e-8)
    assert simulation.field(np.array([[0, 0, 0.004]]))[0, 2] == pytest.approx(through, rel=5e-3)


def test_coils_alone_and_iron_alone_have_no_unit_of_both() -> None:
    both = {"world": WORLD, "body": [ball(-0.01)], "coil": [coil(**given(2.0))]}
    names = []
    for left in (both, {**both, "coil": []}, {**both, "body": []}):
        units = units_to_run(build(Scene.model_validate(left), Meshes()))
        names.append({unit.kernel.__module__ for unit in units})
    assert "polhode.physics.iron.coils" in names[0]
    assert not {"polhode.physics.iron.coils", "polhode.physics.coils.part"} & names[1]
    assert not any("iron" in name for name in names[2])


@pytest.mark.parametrize(
    ("of_coil", "shape", "place", "words"),
    [
        ({"position": [0.02, 0, -0.01], "winding": {**RING, "radius": 0.019}}, {}, "coil[0]", "wire"),
        (
            {"position": [0.02, 0, -0.01], "winding": {**RING, "radius": 0.008}},
            {"kind": "torus", "radius": 0.02, "tube_radius": 0.003},
            "coil[0]",
            "encloses",
        ),
    ],
)
def test_coils_that_do_not_suit_iron_are_refused(of_coil: Any, shape: Any, place: str, words: str) -> None:
    one = coil(**{"source": {"kind": "open"}, **of_coil})
    if "torus" in shape.values():
        one["orientation"] = {"axis": [1, 0, 0], "angle": np.pi / 2}
    body = ball(-0.01, 120)
    if shape:
        body["shape"][0] = {"mass": 0.01, "iron": {"panels": 240}, **shape}
    with pytest.raises(InputError) as caught:
        Simulation(Scene.model_validate({"world": WORLD, "body": [body], "coil": [one]}))
    assert [problem.place for problem in caught.value.problems] == [place]
    assert words in str(caught.value.problems[0])


def test_a_wire_nearer_than_a_panel_is_named() -> None:
    places = []
    for panels in (40, 320):
        one = coil(winding={"kind": "loop", "radius": 0.0045, "wire_radius": 1e-3}, **given(0.1))
        simulation = Simulation(Scene.model_validate({"world": WORLD, "body": [ball(0.0, panels)], "coil": [one]}))
        simulation.advance(0.02)
        places.append([warning.place for warning in simulation.warnings])
    assert places == [["coil[0].winding"], []]


@pytest.mark.parametrize(("current", "rises"), [(1.98, False), (2.01, True), (-2.01, True)])
def test_the_crane_of_the_scene_lifts_its_ball_from_a_current_on(current: float, rises: bool) -> None:
    scene = read_scene("electromagnet_crane").with_values({"coil[0].source.current": current})
    height = Simulation(scene).run(1.0, 2e-3)["ball.position.z"]
    assert bool(height.max() > height[0] + 1e-4) == rises


def resistive(scene: Any, step: float = 1e-4) -> dict[str, Any]:
    """Coils whose time constants are below a step."""
    described = scene()
    for number, voltage in ((0, 1500.0), (1, "2000*sin(300*t + 1)")):
        described["coil"][number] |= {"resistance": 1e3, "source": {"kind": "voltage", "voltage": voltage}}
        described["coil"][number].pop("current")
    described["solver"]["time_step"] = step
    described["body"][1]["shape"][0].pop("magnet")
    described["body"][0].pop("dipole")
    return described


@pytest.mark.parametrize("scene", [mixed, saturating, several])
def test_resistive_coils_magnetise_iron_as_given_currents_do(scene: Any) -> None:
    described = resistive(scene)
    for body in described["body"]:
        body |= {"velocity": [0, 0, 0], "angular_velocity": [0, 0, 0]}
    without = copy.deepcopy(described)  # what resistive and driven coils do to each other directly is not in U
    for body in (0, 2)[: len(described["body"]) - 1]:
        without["body"][body]["shape"][0]["iron"] = {"permeability": 1.0, "panels": 20}
    laws, plain = Laws(described), Laws(without)
    assert laws.compiled.model.circuits.kind.tolist()[:2] == [RESISTIVE] * 2
    for body in range(len(described["body"])):
        by_iron = laws.wrench(body) - plain.wrench(body)
        assert difference(by_iron, laws.by_difference(body) - plain.by_difference(body)) < 2e-6, body
    assert np.abs(by_iron[:3]).max() > 1e-4


@pytest.mark.parametrize("driven", [False, True])
@pytest.mark.parametrize("scene", [mixed, saturating, several, of_dipoles])
def test_ledger_of_resistive_coils_beside_iron(scene: Any, driven: bool) -> None:
    """With a dynamic one among them. What a driven one induces in them directly has a rate that is not in the power."""
    drifts = []
    for step in (1e-4, 5e-5):
        described = resistive(scene, step)
        lab = {**described["coil"][1], "resistance": 0.5, "source": {"kind": "shorted"}, "current": 1.0}
        described["coil"].append({**lab, "name": "dynamic", "position": [0, 0, -0.03]})
        if not driven:
            del described["coil"][2]
        simulation = Simulation(Scene.model_validate(described))
        table = simulation.run(0.006, 1e-3)
        drifts.append(np.ptp(imbalance(table)))
    assert {warning.place for warning in simulation.warnings} >= {"coil[0].resistance", "coil[1].resistance"}
    assert drifts[1] < 1e-6 * np.ptp(table["energy.magnetic"])
    assert driven or drifts[0] / drifts[1] > 10


@pytest.mark.parametrize("ohms", [0.5, 1e3])
def test_a_switch_beside_iron_that_saturates_closes_the_ledger(ohms: float) -> None:
    described = saturating()
    coils = described["coil"]
    coils[1] |= {"source": {"kind": "circuit", "circuit": "loop"}, "resistance": ohms}
    coils[1].pop("current")
    described["circuit"] = [{"name": "loop", "coils": ["lab"], "voltage": 2 * ohms, "switch": "sin(2000*t + 1)"}]
    described["body"][1]["shape"][0].pop("magnet")
    described["body"][0].pop("dipole")
    table = Simulation(Scene.model_validate(described)).run(0.004, 1e-4)
    assert (table["lab.current"] == 0.0).any()
    assert (table["lab.current"] != 0.0).any()
    assert np.ptp(imbalance(table)) < 1e-5 * np.ptp(table["work.joule"])
