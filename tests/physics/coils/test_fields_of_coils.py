"""Fields and inductances of windings against sums over short pieces of wire, magpylib, and published values."""

from __future__ import annotations

import magpylib
import numpy as np
import pytest

from polhode.physics.coils.description import LoopWinding, SolenoidWinding, ThickWinding
from polhode.physics.coils.windings.inductance import between_sheets, coaxial_rings, of_sheet, self_inductance
from polhode.physics.coils.windings.loop import of_loop
from polhode.physics.coils.windings.solenoid import of_sheet as field_of_sheet
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

MU0 = 1.25663706127e-6
A = 0.02
PLACES = [(1e-6, 0.01), (3e-5, 0.007), (1e-4, -0.02), (0.01, 0.003), (0.019, 0.002), (0.03, -0.01), (0.1, 0.2)]


def by_pieces(rho: float, z: float, pieces: int = 20_000) -> tuple[np.ndarray, float]:
    """B (3,) [T/A] and A_phi [T m/A] at (rho, 0, z) of a ring as straight pieces: they converge exponentially."""
    angle = 2 * np.pi * np.arange(pieces) / pieces
    wire = A * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    along = A * np.stack([-np.sin(angle), np.cos(angle), 0 * angle], axis=1) * 2 * np.pi / pieces
    r = np.array([rho, 0.0, z]) - wire
    distance = np.linalg.norm(r, axis=1)[:, None]
    field = (np.cross(along, r) / distance**3).sum(axis=0)
    return MU0 / (4 * np.pi) * field, float(MU0 / (4 * np.pi) * (along / distance).sum(axis=0)[1])


@pytest.mark.parametrize(("rho", "z"), PLACES)
def test_a_loop_has_the_field_of_its_pieces(rho: float, z: float) -> None:
    found, (field, potential) = of_loop(A, rho, z, MU0), by_pieces(rho, z)
    size = np.abs(field).max()
    # close to the axis the braces of the closed form cancel to a part of 1e-3 of the distance in radii
    assert [found.radial * rho, found.axial] == pytest.approx([field[0], field[2]], abs=1e-13 * size)
    assert found.potential * rho == pytest.approx(potential, rel=5e-11)


@pytest.mark.parametrize(("rho", "z"), PLACES)
def test_rates_along_the_axis_are_derivatives(rho: float, z: float) -> None:
    """By differences of the fourth order, whose steps are a thousandth of the distance to the wire."""
    h = 1e-3 * np.hypot(rho - A, z)
    fields = [of_loop(A, rho, z + k * h, MU0) for k in (-2, -1, 1, 2)]
    weights = np.array([1, -8, 8, -1]) / (12 * h)
    axial = float(weights @ [field.axial for field in fields])
    radial = float(weights @ [field.radial for field in fields])
    found = of_loop(A, rho, z, MU0)
    size = max(abs(axial), abs(radial) * rho)
    assert [found.axial_rate, found.radial_rate * rho] == pytest.approx([axial, radial * rho], abs=1e-9 * size)


@pytest.mark.parametrize(("rho", "z"), [*PLACES, (0.015, 0.022)])
def test_a_sheet_is_a_stack_of_loops(rho: float, z: float) -> None:
    half = 0.02
    at, weight = np.polynomial.legendre.leggauss(600)
    loops = [of_loop(A, rho, z - half * float(share), MU0) for share in at]
    found = field_of_sheet(A, half, rho, z, MU0)
    for name in ("radial", "axial", "axial_rate", "radial_rate"):
        stacked = 0.5 * float(weight @ [getattr(loop, name) for loop in loops])
        assert getattr(found, name) == pytest.approx(stacked, rel=1e-9, abs=1e-12 * abs(found.axial)), name


def test_fields_agree_with_magpylib() -> None:
    places = np.array([[0.005, 0.0, 0.004], [0.03, 0.0, -0.01], [0.001, 0.0, 0.06]])
    ring = magpylib.current.Circle(current=1.0, diameter=2 * A)
    for place, field in zip(places, ring.getB(places), strict=True):
        found = of_loop(A, float(place[0]), float(place[2]), MU0)
        assert [found.radial * place[0], found.axial] == pytest.approx([field[0], field[2]], rel=1e-8)


def test_published_inductances() -> None:
    """Maxwell's formula of two rings, Rosa and Grover's of a ring of wire, and Nagaoka's factor of a solenoid."""
    ring = LoopWinding(kind="loop", radius=0.02, wire_radius=0.25e-3)
    assert self_inductance(ring, 1.0, MU0) == pytest.approx(1.18412110e-7, rel=1e-8)
    solenoid = SolenoidWinding(kind="solenoid", radius=0.01, length=0.04)
    assert self_inductance(solenoid, 500.0, MU0) == pytest.approx(2.018669054e-3, rel=1e-9)
    assert coaxial_rings(0.1, 0.05, np.array([0.05]), MU0)[0] == pytest.approx(3.4936623e-8, rel=1e-7)


def test_two_sheets_of_nearly_one_radius_are_coupled_nearly_as_one() -> None:
    alone = of_sheet(0.01, 0.04, MU0)
    near, far = between_sheets(np.array([0.01, 0.01]), np.array([0.010001, 0.012]), 0.04, MU0)
    assert near == pytest.approx(alone, rel=1e-3)
    assert far < alone


def test_a_winding_with_a_square_section_has_the_inductance_of_rosa_and_grover() -> None:
    """mu0 a {ln(8 a/0.2235(w + h)) - 2} for a thin one; its error is of the square of width over radius."""
    winding = ThickWinding(kind="thick", inner_radius=0.0198, outer_radius=0.0202, length=0.0004)
    expected = MU0 * 0.02 * (np.log(8 * 0.02 / (0.2235 * 0.0008)) - 2)
    assert self_inductance(winding, 1.0, MU0) == pytest.approx(expected, rel=3e-5)


def test_the_field_in_space_is_that_of_currents_and_magnets_together() -> None:
    """On the axis of a ring in the laboratory and of one on a body that is turned: mu0 N I a^2/2 (a^2 + z^2)^(-3/2)."""
    ring, ball = {"kind": "loop", "radius": 0.02, "wire_radius": 0.001}, {"kind": "sphere", "radius": 0.01, "mass": 1}
    carrier = {"name": "c", "support": "fixed", "position": [0.5, 0, 0], "shape": [ball]}
    turned = {"axis": [0, 1, 0], "angle": np.pi / 2}
    coils = [
        {"name": "a", "winding": ring, "turns": 100, "source": {"kind": "current", "current": "2*cos(t)"}},
        {"name": "b", "body": "c", "winding": ring, "turns": 50, "source": {"kind": "current", "current": -3.0}},
    ]
    simulation = Simulation(Scene.model_validate({"body": [{**carrier, "orientation": turned}], "coil": coils}))
    simulation.advance(1.0)
    found = simulation.field(np.array([[0.0, 0.0, 0.03], [0.54, 0.0, 0.0]]))

    def on_axis(ampere_turns: float, z: float) -> float:
        return MU0 * ampere_turns * 0.02**2 / 2 * (0.02**2 + z**2) ** -1.5

    def far(ampere_turns: float, distance: float) -> float:  # of a dipole, across its axis, and along it
        return MU0 * ampere_turns * np.pi * 0.02**2 / (4 * np.pi * distance**3)

    first = simulation.snapshot().currents[0]
    assert first == pytest.approx(2 * np.cos(1.0), rel=1e-12)
    assert found[0, 2] == pytest.approx(on_axis(100 * first, 0.03), rel=1e-3)
    assert found[1, 0] == pytest.approx(on_axis(-150, 0.04), rel=1e-3)
    assert found[0, 0] == pytest.approx(2 * far(-150, 0.5), rel=0.05)
