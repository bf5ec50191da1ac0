"""The field in space of magnets in closed form, inside and outside, against magpylib and at the face of a disc."""

from __future__ import annotations

import magpylib
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from polhode.fitting.quantities.field import field_quantity
from polhode.physics.magnets.exact.cuboid import of_cuboid
from polhode.physics.magnets.exact.cylinder import field_of_cylinder, potential_of_cylinder
from polhode.physics.magnets.exact.inside import in_cuboid, in_cylinder
from polhode.simulation.simulation import Simulation
from scenes import scene, turned

BR = np.array([0.3, -0.2, 1.1])
POINTS = np.random.default_rng(7).uniform(-0.025, 0.025, (400, 3))
SOLIDS = {
    "cuboid": ({"kind": "cuboid", "size": [0.02, 0.012, 0.03]}, magpylib.magnet.Cuboid(dimension=(0.02, 0.012, 0.03))),
    "cylinder": (
        {"kind": "cylinder", "radius": 0.012, "length": 0.02},
        magpylib.magnet.Cylinder(dimension=(0.024, 0.02)),
    ),
    "tube": (
        {"kind": "tube", "radius": 0.012, "inner_radius": 0.005, "length": 0.02},
        magpylib.magnet.CylinderSegment(dimension=(0.005, 0.012, 0.02, 0, 360)),
    ),
    "sphere": ({"kind": "sphere", "radius": 0.011}, magpylib.magnet.Sphere(diameter=0.022)),
}


@pytest.mark.parametrize("field", ["dipoles", "exact"])
@pytest.mark.parametrize("kind", SOLIDS)
def test_the_field_in_space_is_that_of_the_solid(kind: str, field: str) -> None:
    """Of a turned shape off the origin of a turned body, at points of which many are inside."""
    shape, source = SOLIDS[kind]
    kept = {**shape, "density": 7500, "position": [0.001, 0.002, -0.003], "orientation": turned(1, 2, 3, 0.8)}
    if kind != "sphere":
        kept["magnet"] = {"remanence": BR.tolist(), "field": field}
    else:
        kept["magnet"] = {"remanence": BR.tolist()}
    body = {"name": "a", "position": [0.002, -0.001, 0.004], "orientation": turned(0, 1, 1, -0.5), "shape": [kept]}
    simulation = Simulation(scene({**body, "support": "free"}, gravity=[0, 0, 0]))
    of_body, of_shape = simulation.scene.body[0].orientation.matrix(), simulation.scene.body[0].shape[0].orientation
    turn = Rotation.from_matrix(of_body @ of_shape.matrix())
    source.polarization = BR
    source.position = np.array(body["position"]) + of_body @ kept["position"]
    source.orientation = turn
    expected = source.getB(POINTS)
    assert simulation.field(POINTS) == pytest.approx(expected, abs=1e-11 * np.abs(expected).max())


@pytest.mark.parametrize("dipoles", [1, 64])
@pytest.mark.parametrize("kind", SOLIDS)
def test_where_the_cloud_takes_over_both_agree(kind: str, dipoles: int) -> None:
    """Around the magnet, on both sides of the distance beyond which its dipoles are summed."""
    magnet = {"remanence": BR.tolist(), "dipoles": dipoles}
    body = {"name": "a", "shape": [{**SOLIDS[kind][0], "density": 7500, "magnet": magnet}]}
    simulation = Simulation(scene(body, gravity=[0, 0, 0]))
    reach = simulation.compiled.model.exact.reach[0]
    points = reach * POINTS / np.linalg.norm(POINTS, axis=1)[:, None]
    near, far = simulation.field((1 - 1e-9) * points), simulation.field((1 + 1e-9) * points)
    steps = np.linalg.norm(far - near, axis=1) / np.linalg.norm(near, axis=1)
    assert steps.max() < (1e-2 if dipoles == 1 else 5e-4)
    source = SOLIDS[kind][1]
    source.polarization, source.position, source.orientation = BR, (0, 0, 0), None
    assert near == pytest.approx(source.getB((1 - 1e-9) * points), abs=1e-11)


@pytest.mark.parametrize("field", ["dipoles", "exact"])
def test_the_face_of_a_disc(field: str) -> None:
    """0.295161 T on the axis at the face and 0.112927 T at 5 mm, for 1.32 T and 12.7 x 3.175 mm."""
    magnet = {"remanence": [0, 0, 1.32], "field": field}
    disc = {"kind": "cylinder", "radius": 6.35e-3, "length": 3.175e-3, "density": 7500, "magnet": magnet}
    simulation = Simulation(scene({"name": "disc", "shape": [disc], "support": "fixed"}))
    heights = 3.175e-3 / 2 + np.array([0.0, 1e-9, 5e-3])
    found = simulation.field(np.column_stack([0 * heights, 0 * heights, heights]))
    assert found[:, 2] == pytest.approx([0.295161, 0.295161, 0.112927], rel=1e-4)


def test_a_field_measured_by_a_fit_is_exact_close_to_a_magnet() -> None:
    magnet = {"remanence": [0, 0, 1.32]}
    disc = {"kind": "cylinder", "radius": 6.35e-3, "length": 3.175e-3, "density": 7500, "magnet": magnet}
    body = {"name": "disc", "shape": [disc], "support": "free", "position": [0.01, 0.02, 0.0]}
    simulation = Simulation(scene(body, gravity=[0, 0, 0]))
    quantity = field_quantity("field[0.01, 0.02, 0.0017].z", simulation.compiled, lambda *_: None)
    assert quantity is not None
    row = np.array([[0.0, 0.01, 0.02, 0.0, 1, 0, 0, 0, 1, 0, 0, 0, 1]])
    source = magpylib.magnet.Cylinder(polarization=(0, 0, 1.32), dimension=(12.7e-3, 3.175e-3))
    assert quantity.law(row, simulation.compiled)[0] == pytest.approx(source.getB((0, 0, 0.0017))[2], rel=1e-9)


def minus_gradient(potential, point: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """By central differences of the fourth order."""
    found = []
    for step in h * np.eye(3):
        near = potential(point - step) - potential(point + step)
        far = potential(point - 2 * step) - potential(point + 2 * step)
        found.append((8 * near - far) / (12 * h))
    return np.array(found)


def test_fields_are_gradients_of_their_potentials_on_the_axis_and_beside_it() -> None:
    magnetisation = (2e5, -1e5, 9e5)
    close = POINTS[:60] * [1e-3, 1e-3, 1.0]  # within the series about the axis
    for point in [*POINTS[:60], *close]:
        if np.abs(np.abs(point) - 0.01).min() < 1e-4 or abs(np.hypot(*point[:2]) - 0.012) < 1e-4:
            continue  # differences must not reach across a surface
        for field, potential in (
            (
                field_of_cylinder(tuple(point), 0.012, 0.01, magnetisation),
                lambda at: potential_of_cylinder(tuple(at), 0.012, 0.01, magnetisation),
            ),
            (
                of_cuboid(tuple(point), (0.01, 0.01, 0.01), magnetisation)[1],
                lambda at: of_cuboid(tuple(at), (0.01, 0.01, 0.01), magnetisation)[0],
            ),
        ):
            assert minus_gradient(potential, point) == pytest.approx(field, abs=1e-6 * np.linalg.norm(field))


def test_the_forms_keep_digits_far_away_and_are_finite_at_their_surfaces() -> None:
    """A hundred sizes away they are a dipole; at the radius, an end, the axis and an edge's line nothing is nan."""
    magnetisation, volume = np.array([2e5, -1e5, 9e5]), np.pi * 0.012**2 * 0.02
    at = np.array([1.0, -0.8, 1.5])
    moment = magnetisation * volume
    distance = np.linalg.norm(at)
    dipole = (3 * (moment @ at) * at / distance**2 - moment) / (4 * np.pi * distance**3)
    found = np.array(field_of_cylinder(tuple(at), 0.012, 0.01, tuple(magnetisation)))
    assert found == pytest.approx(dipole, abs=2e-4 * np.linalg.norm(dipole))
    special = [(0.012, 0.0, 0.0), (0.012, 0.0, 0.01), (0.0, 0.0, 0.01), (0.0, 0.0, 0.0), (0.0, 0.012, 0.03)]
    for point in special:
        assert np.isfinite(field_of_cylinder(point, 0.012, 0.01, tuple(magnetisation))).all()
        assert np.isfinite(potential_of_cylinder(point, 0.012, 0.01, tuple(magnetisation)))
    for point in ((0.01, 0.01, 0.0), (0.01, 0.01, 0.01), (0.01, 0.01, 0.03), (0.01, 0.0, 0.02), (0.0, 0.0, 0.0)):
        potential, field = of_cuboid(point, (0.01, 0.01, 0.01), tuple(magnetisation))
        assert np.isfinite([potential, *field]).all()


@pytest.mark.parametrize("kind", ["cuboid", "cylinder", "tube"])
def test_the_continuation_inside_is_a_gradient_and_vanishes_outside(kind: str) -> None:
    """By differences; zero outside and in a bore, without a jump of the normal component at charged surfaces."""
    magnetisation = (2.0, -1.0, 3.0)

    def terms(point: np.ndarray) -> tuple[float, tuple[float, float, float]]:
        if kind == "cuboid":
            return in_cuboid(tuple(point), (1.0, 0.6, 0.8), magnetisation)
        return in_cylinder(tuple(point), 1.0, 0.8, 0.5 if kind == "tube" else -1.0, magnetisation)

    compared = 0
    for point in POINTS / 0.02:
        x, y, z = point
        rho = np.hypot(x, y)
        inside = abs(z) < 0.8 and (abs(x) < 1 and abs(y) < 0.6 if kind == "cuboid" else rho < 1)
        potential, field = terms(point)
        if not inside or (kind == "tube" and rho < 0.5):
            assert (potential, *field) == (0.0, 0.0, 0.0, 0.0)
            continue
        compared += 1
        assert minus_gradient(lambda at: terms(at)[0], point, 1e-5) == pytest.approx(field, abs=1e-4)
    assert compared > 30
    # M along the normal of a charged surface, so that H below it is that above; nothing at the other surfaces
    below = 1e-7
    assert terms(np.array([0.7, 0.1, 0.8 - below]))[1] == pytest.approx((0.0, 0.0, 3.0), abs=1e-5)
    assert terms(np.array([1.0 - below, 0.0, 0.3]))[1] == pytest.approx((2.0, 0.0, 0.0), abs=1e-5)


def test_a_potential_without_charged_sides_has_no_force_there() -> None:
    """Of M along z alone: just below the side of a cuboid and of a cylinder the terms vanish with their slopes."""
    for terms in (
        in_cuboid((1.0 - 1e-7, 0.2, 0.3), (1.0, 0.6, 0.8), (0.0, 0.0, 3.0)),
        in_cylinder((1.0 - 1e-7, 0.0, 0.3), 1.0, 0.8, -1.0, (0.0, 0.0, 3.0)),
    ):
        assert (terms[0], *terms[1]) == pytest.approx((0.0, 0.0, 0.0, 0.0), abs=1e-5)
