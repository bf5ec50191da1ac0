"""Sheets of current: shells, tubes, discs and plates in closed form, against rings, and conservation laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode.physics.conductors.compile import modes_of
from polhode.physics.conductors.loops import loops_of_body
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

MU0 = 1.25663706127e-6
SIGMA, ALUMINIUM = 5.96e7, 3.7e7  # [S/m]
SLOW_DRAG = 0.30545271  # [N s/m] of a dipole of 0.55 A m^2 in a thin wall of 1 mm with the radius 8 mm
ON_AXIS = 0.997856  # of it in a tube of 40 mm
PLANE_DRAG = 5.448700e-3  # [N s/m] of 1 A m^2 at 20 mm over a plane of aluminium of 2 mm
TUBE = {"kind": "tube", "inner_radius": 7.5e-3, "radius": 8.5e-3, "length": 0.04}


def metal(shape: dict[str, Any], panels: int, conductivity: float = SIGMA, **more: Any) -> dict[str, Any]:
    return {**shape, "density": 8960.0, "conductor": {"panels": panels, "conductivity": conductivity, **more}}


def scene(shape: dict[str, Any], step: float, moment: list[float], **bob: Any) -> dict[str, Any]:
    ball = {"kind": "sphere", "radius": 0.003, "mass": 0.006, "magnet": {"moment": moment}}
    bodies = [
        {"name": "bob", "support": "free", "shape": [ball], **bob},
        {"name": "metal", "support": "fixed", "shape": [shape]},
    ]
    return {"solver": {"method": "rk4", "time_step": step}, "body": bodies}


def drag(shape: dict[str, Any], place: list[float], moment: list[float], along: int = 2) -> float:
    """[N s/m] of a slow magnet."""
    velocity = [1e-3 * (axis == along) for axis in range(3)]
    moving = {"support": "driven", "motion": {"kind": "uniform", "velocity": velocity}}
    described = scene(shape, 1e-2, moment, position=place, **moving)
    table = Simulation(Scene.model_validate(described)).run(1e-2, 1e-2)
    return float(table["metal.heating"][0]) / 1e-3**2


def loops(shape: dict[str, Any]) -> Any:
    return loops_of_body(Scene.model_validate(scene(shape, 1e-3, [0, 0, 1.0], position=[0, 0, 1.0])).body[1], MU0)


@pytest.mark.parametrize(("panels", "errors"), [(80, (0.059, 0.13)), (320, (0.015, 0.036))])
def test_time_constants_of_a_spherical_shell(panels: int, errors: tuple[float, float]) -> None:
    """tau_l = mu0 sigma w a/(2l + 1), 2l + 1 of each; errors of the flat triangles."""
    radius, wall = 0.05, 1e-3
    shape = metal({"kind": "sphere", "radius": radius + wall / 2}, panels, thickness=wall)
    found, _ = modes_of(loops(shape), 1e-4)
    exact = MU0 * SIGMA * wall * radius
    assert 1 - 3 * found[:3] / exact == pytest.approx(errors[0], abs=1e-3)
    assert 1 - 5 * found[3:8] / exact == pytest.approx(errors[1], abs=2e-3)


def test_drag_in_a_tube_on_and_off_its_axis() -> None:
    """Closed forms of an infinitely thin wall; the edges of the triangles are 2 mm."""
    shape = metal(TUBE, 760)
    on_axis = drag(shape, [0, 0, 0], [0, 0, 0.55])
    assert on_axis == pytest.approx(SLOW_DRAG * ON_AXIS, rel=0.02)
    assert drag(shape, [2e-3, 0, 0], [0, 0, 0.55]) / on_axis == pytest.approx(1.3706, rel=0.006)
    rings = metal(TUBE, 200, currents="rings")
    assert on_axis == pytest.approx(drag(rings, [0, 0, 0], [0, 0, 0.55]), rel=0.01)


@pytest.mark.nightly
def test_drag_of_a_dipole_across_a_long_tube() -> None:
    shape = metal({**TUBE, "length": 0.08}, 1500)
    lying = drag(shape, [0, 0, 0], [0.55, 0, 0]) / drag(shape, [0, 0, 0], [0, 0, 0.55])
    assert lying == pytest.approx(0.686059, rel=0.01)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("aside", "ratio", "error"), [(1e-3, 1.082735, 0.01), (2e-3, 1.380806, 0.01), (4e-3, 4.005376, 0.05)]
)
def test_drag_off_the_axis_of_a_long_tube(aside: float, ratio: float, error: float) -> None:
    """Triangles of 2 mm, and the wall 4 mm from the last magnet."""
    shape = metal({**TUBE, "length": 0.08}, 2000)
    found = drag(shape, [aside, 0, 0], [0, 0, 0.55]) / drag(shape, [0, 0, 0], [0, 0, 0.55])
    assert found == pytest.approx(ratio, rel=error)


def test_drag_over_the_middle_of_a_disc() -> None:
    """Triangles of 8 mm at 20 mm take 5 % of the drag: less with more of them."""
    disc = {"kind": "cylinder", "radius": 0.1, "length": 2e-3}
    coarse, fine = (drag(metal(disc, n, ALUMINIUM), [0, 0, 0.02], [0, 0, 1.0], 0) / PLANE_DRAG for n in (400, 1248))
    assert fine == pytest.approx(0.958, abs=0.025)
    assert coarse < fine < 1.0


@pytest.mark.nightly
def test_a_wide_sheet_is_as_a_plate_without_edges() -> None:
    """A square of 200 mm, in two directions."""
    square = metal({"kind": "cuboid", "size": [0.2, 0.002, 0.2]}, 1200, ALUMINIUM)
    assert drag(square, [0, 0.02, 0], [0, 1.0, 0], 0) == pytest.approx(PLANE_DRAG, rel=0.08)
    assert drag(square, [0, -0.02, 0], [0, 1.0, 0], 2) == pytest.approx(PLANE_DRAG, rel=0.08)


def test_the_current_around_the_hole_of_a_ring() -> None:
    """The slowest mode of an annulus, beside that of rings, which know how thick it is."""
    ring = {"kind": "tube", "inner_radius": 0.03, "radius": 0.04, "length": 1e-3}
    annulus = loops(metal(ring, 300))
    constants, modes = modes_of(annulus, 1e-9)
    moment = modes[0] @ areas(annulus)
    assert np.abs(moment[:2]).max() < 1e-9 * abs(moment[2])
    assert constants[0] == pytest.approx(modes_of(loops(metal(ring, 60, currents="rings")), 1e-9)[0][0], rel=0.05)


def areas(found: Any) -> np.ndarray:
    """(n, 3) [m^2] moments of the nodes for 1 A."""
    total = np.zeros((len(found.resistance), 3))
    for k in range(3):
        known = found.node[:, k] >= 0
        np.add.at(total, found.node[known, k], found.share[known, k, None] * found.area[known])
    return total


def test_shapes_of_one_body_act_on_each_other() -> None:
    """The inductance of two discs on one axis, however the body is described."""
    disc = metal({"kind": "cylinder", "radius": 0.02, "length": 1e-3}, 100)
    described = scene(disc, 1e-3, [0, 0, 1.0], position=[0, 0, 1.0])
    described["body"][1]["shape"].append({**disc, "position": [0, 0, 5e-3]})
    flat = loops_of_body(Scene.model_validate(described).body[1], MU0)
    half = len(flat.resistance) // 2
    assert 0 < flat.inductance[0, half] < flat.inductance[0, 0]
    turned = {"axis": [0, 1, 0], "angle": np.pi / 2}
    described["body"][1]["shape"] = [{**disc, "orientation": turned, "position": [x, 0, 0]} for x in (0.1, 0.105)]
    upright = loops_of_body(Scene.model_validate(described).body[1], MU0)
    assert upright.inductance == pytest.approx(flat.inductance, rel=1e-6, abs=1e-9 * flat.inductance.max())
    assert np.linalg.eigvalsh(upright.inductance).min() > 0


def drifting(shape: dict[str, Any], step: float) -> dict[str, Any]:
    turning = {"axis": [1, 2, 0], "angle": 0.7}
    bob = {"position": [4e-3, 3e-3, 0.03], "velocity": [0.02, 0, -0.7], "angular_velocity": [40, 9, 5]}
    described = scene(shape, step, [0.1, 0, 0.55], orientation=turning, **bob)
    described["body"][1] |= {"support": "free", "angular_velocity": [3, -8, 20]}
    return described | {"world": {"gravity": [0, 0, 0]}}


SHAPES = {
    "tube": metal({"kind": "tube", "inner_radius": 0.014, "radius": 0.015, "length": 0.02}, 120),
    "shell": metal({"kind": "sphere", "radius": 0.012}, 80, thickness=1e-3),
    "disc": metal({"kind": "cylinder", "radius": 0.02, "length": 1e-3}, 100),
    "plate": metal({"kind": "cuboid", "size": [0.04, 0.03, 1e-3]}, 100),
}


@pytest.mark.parametrize("step", [1e-3, 2e-5])
@pytest.mark.parametrize("kind", SHAPES)
def test_a_sheet_takes_energy_and_keeps_momentum(kind: str, step: float) -> None:
    """With modes that have an inductance, and without; for 18 ms, in which the magnet comes near."""
    simulation = Simulation(Scene.model_validate(drifting(SHAPES[kind], step)))
    table = simulation.run(0.018, 1e-3)
    momentum = 0.006 * table["bob.velocity.z"] + simulation.compiled.properties[1].mass * table["metal.velocity.z"]
    assert np.ptp(momentum) < 1e-13 * np.abs(momentum).max()
    acting = simulation.snapshot(forces=True).forces["conductors"]
    total = (acting.torque + np.cross(acting.about, acting.on_bodies)).sum(axis=0)
    assert np.abs(total).max() < 1e-12 * np.abs(acting.torque).max()
    assert table["metal.heating"].min() >= 0.0
    assert -table["work.joule"][-1] > 1e-6
    imbalance = table["energy.total"] - sum(table[name] for name in table.columns if name.startswith("work."))
    assert np.ptp(imbalance) < (1e-5 if step == 1e-3 else 1e-6) * table["energy.total"][0]


@pytest.mark.parametrize(
    ("shape", "field"),
    [
        (metal({"kind": "sphere", "radius": 0.02}, 80), "thickness"),
        (metal({"kind": "sphere", "radius": 0.02}, 80, thickness=0.03), "currents"),
        (metal({"kind": "cone", "radius": 0.02, "length": 0.03}, 80), "currents"),
        (metal({"kind": "cylinder", "radius": 0.02, "length": 0.03}, 80), "currents"),
        (metal(TUBE, 80, thickness=1e-3), "thickness"),
        ({**metal(TUBE, 80), "iron": {}}, "conductor"),
    ],
)
def test_what_has_no_thin_wall_is_refused(shape: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        Simulation(scene_of(scene(shape, 1e-3, [0, 0, 1.0], position=[0, 0, 0.1]), ""))
    places = [problem.place for problem in caught.value.problems]
    assert any(place.startswith("body[1].shape[0].conductor") and place.endswith(field) for place in places), places


def test_sheet_and_rings_on_one_body_are_refused() -> None:
    described = scene(metal(TUBE, 80), 1e-3, [0, 0, 1.0], position=[0, 0, 0.1])
    described["body"][1]["shape"].append(metal({**TUBE, "position": [0, 0, -0.1]}, 80, currents="rings"))
    with pytest.raises(InputError) as caught:
        Simulation(Scene.model_validate(described))
    assert [problem.place for problem in caught.value.problems] == ["body[1].shape[1].conductor.currents"]
