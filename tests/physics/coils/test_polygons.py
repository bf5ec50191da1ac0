"""Coils of straight pieces of wire: closed forms, rings as their limit, energies against forces, and magpylib."""

from __future__ import annotations

from typing import Any

import magpylib
import numpy as np
import pytest
from laws import BOB, YOKE, Laws, difference
from pydantic import ValidationError

from polhode.physics.coils.description import PolygonWinding
from polhode.physics.coils.windings.inductance import self_inductance
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

MU0 = 1.25663706127e-6
RING = {"kind": "loop", "radius": 0.02, "wire_radius": 1e-4}
FRAME = {"kind": "polygon", "points": [[0, 0, 0], [0.04, 0, 0.01], [0.05, 0.03, 0], [0.01, 0.04, -0.01]]}
FRAME["wire_radius"] = 2e-4


def round_polygon(corners: int = 400, radius: float = 0.02) -> dict[str, Any]:
    """A regular polygon with the area of a circle."""
    angle = 2 * np.pi / corners
    outside = radius / np.sqrt(np.sin(angle) / angle)
    points = [[outside * np.cos(k * angle), outside * np.sin(k * angle), 0.0] for k in range(corners)]
    return {"kind": "polygon", "points": points, "wire_radius": 1e-4}


def scene(first: dict[str, Any], second: dict[str, Any] | None = None, **of: Any) -> dict[str, Any]:
    """Two magnets in a field by formulas, beside a coil in the laboratory and another one on a body that moves."""
    magnet = {"kind": "sphere", "radius": 0.003, "mass": 0.01, "magnet": {"moment": [0.2, 0.1, 0.5]}}
    coils = [{"name": "lab", "winding": first, "turns": 50, "resistance": 0.5, "current": 1.0}]
    if second is not None:
        carried = {"name": "own", "body": "bob", "turns": 30, "resistance": 0.5, "current": -2.0}
        coils.append({**carried, "winding": second})
    bob = BOB | {"position": [0.012, 0.01, 0.03], "shape": [magnet]}
    other = {"name": "other", **YOKE, "position": [-0.012, 0.02, -0.03], "shape": [magnet]}
    field = {"kind": "formula", "x": "0.01 + x*z", "y": "y", "z": "x^2 - z"}
    world = {"gravity": [0, 0, 0], "magnetic_field": field}
    return {"world": world, "solver": {"time_step": 1e-4}, "coil": coils, "body": [bob, other], **of}


def test_field_of_a_frame() -> None:
    """magpylib's polyline, at general points and outside of the plane."""
    described = {"world": {"gravity": [0, 0, 0]}, "coil": [{"name": "c", "winding": FRAME, "turns": 7}]}
    described["coil"][0] |= {"source": {"kind": "current", "current": 3.0}, "position": [0.01, 0.02, 0.03]}
    described["coil"][0]["orientation"] = {"axis": [1, 2, 3], "angle": 0.7}
    coil = Scene.model_validate(described).coil[0]
    corners = np.array([*FRAME["points"], FRAME["points"][0]]) @ coil.orientation.matrix().T + coil.position
    rng = np.random.default_rng(3)
    points = rng.uniform(-0.06, 0.1, (30, 3))
    expected = magpylib.current.Polyline(current=21.0, vertices=corners).getB(points)
    found = Simulation(Scene.model_validate(described)).field(points)
    assert np.abs(found - expected).max() < 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize(
    ("first", "second"), [("polygon", None), ("polygon", "ring"), ("ring", "polygon"), ("polygon",) * 2]
)
def test_a_polygon_of_many_corners_is_a_ring(first: str, second: str | None) -> None:
    kinds = {"ring": RING, "polygon": round_polygon()}
    rings = Laws(scene(RING, None if second is None else RING))
    found = Laws(scene(kinds[first], None if second is None else kinds[second]))
    for body in range(2):
        assert difference(rings.wrench(body), found.wrench(body)) < 3e-5, body  # the sides are 1e-4 of the radius off


@pytest.mark.parametrize(("first", "second"), [(FRAME, None), (FRAME, RING), (RING, FRAME), (FRAME, FRAME)])
def test_forces_and_torques_are_the_gradient_of_the_energy(
    first: dict[str, Any], second: dict[str, Any] | None
) -> None:
    laws = Laws(scene(first, second))
    for body in range(2):
        assert difference(laws.wrench(body), laws.by_difference(body)) < 1e-6, body


@pytest.mark.parametrize("induced", ["surface", "dipole"])
def test_iron_beside_a_polygon(induced: str) -> None:
    described = scene(FRAME)
    ball = {"kind": "ellipsoid", "semi_axes": [0.004, 0.005, 0.006], "mass": 0.01}
    ball["iron"] = {"permeability": 100, "induced": induced, "panels": 80}
    described["body"][1]["shape"] = [ball]
    laws = Laws(described)
    for body in range(2):
        assert difference(laws.wrench(body), laws.by_difference(body)) < 1e-6, body


def test_rings_of_metal_beside_a_polygon() -> None:
    """A tube that falls through a shorted polygon, and through a ring."""
    tube = {"kind": "tube", "radius": 0.012, "inner_radius": 0.011, "length": 0.01, "mass": 0.01}
    tube["conductor"] = {"currents": "rings", "panels": 4}
    ends = []
    for winding in (RING, round_polygon(100)):
        described = scene(winding, body=[BOB | {"shape": [tube], "position": [0.002, 0.001, 0.01]}])
        described["coil"][0]["source"] = {"kind": "current", "current": "20*cos(2000*t)"}
        table = Simulation(Scene.model_validate(described)).run(0.002)
        ends.append([table[f"bob.velocity.{axis}"][-1] - table[f"bob.velocity.{axis}"][0] for axis in "xyz"])
    assert np.abs(np.subtract(*ends)).max() < 1e-3 * np.abs(ends[0]).max()


def test_self_inductance_of_a_square_and_of_a_ring() -> None:
    """2 mu0 a/pi {ln(a/r) - 0.77401 + 1/4} (F. W. Grover, Inductance Calculations, chapter 8), 1/4 of the inside."""
    side, wire = 0.1, 1e-4
    square = PolygonWinding(
        kind="polygon", points=((0, 0, 0), (side, 0, 0), (side, side, 0), (0, side, 0)), wire_radius=wire
    )
    expected = 2 * MU0 * side / np.pi * (np.log(side / wire) - 0.77401 + 0.25)
    assert self_inductance(square, 3, MU0) == pytest.approx(9 * expected, rel=1e-6)
    winding = PolygonWinding.model_validate(round_polygon(100))
    ring = MU0 * 0.02 * (np.log(8 * 0.02 / 1e-4) - 1.75)
    assert self_inductance(winding, 1, MU0) == pytest.approx(ring, rel=3e-4)


def test_resistance_of_a_frame_by_its_wire() -> None:
    wire = {"radius": 1e-4, "conductivity": 5.9e7}
    described = {"coil": [{"name": "c", "winding": FRAME, "turns": 7, "wire": wire}]}
    points = np.array(FRAME["points"])
    length = 7 * np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1).sum()
    assert Scene.model_validate(described).coil[0].ohms == pytest.approx(length / (5.9e7 * np.pi * 1e-8))


def test_points_nearer_than_the_wire_is_thick() -> None:
    described = {"coil": [{"name": "c", "winding": {**FRAME, "wire_radius": 0.03}, "resistance": 1.0}]}
    with pytest.raises(ValidationError) as found:
        Scene.model_validate(described)
    assert [error["loc"] for error in found.value.errors()] == [("coil", 0, "winding", "polygon")]


def test_a_polygon_that_turns_back() -> None:
    points = [[0, 0, 0], [0.1, 0, 0], [0.03, 0, 0], [0, 0.1, 0]]
    described = {"coil": [{"name": "c", "winding": {**FRAME, "points": points}, "resistance": 1.0}]}
    with pytest.raises(ValidationError) as found:
        Scene.model_validate(described)
    assert "point 1" in str(found.value)


def test_a_magnet_that_starts_in_the_wire() -> None:
    described = scene(FRAME)
    described["body"][0]["position"] = [0.02, 0.0001, 0.005]
    with pytest.raises(InputError) as found:
        Simulation(Scene.model_validate(described))
    assert [problem.place for problem in found.value.problems] == ["body[0]"]
