"""Iron whose shapes are one induced dipole each: closed forms, a direct solution, and where it is the default."""

from __future__ import annotations

from math import pi
from time import process_time
from typing import Any

import numpy as np
import pytest
from laws import Laws
from scipy.spatial.distance import cdist

from polhode.engine.compile import build
from polhode.engine.rates import place
from polhode.engine.work import make_work
from polhode.mesh.mesh import Meshes
from polhode.physics.induced.checks import dipoles_too_near
from polhode.physics.induced.shapes import demagnetising_factors
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

MU0 = 1.25663706127e-6
RADIUS = 0.01


def ball(at: list[float], mu: float = 100.0, **of: Any) -> dict[str, Any]:
    iron = {"permeability": mu, "induced": "dipole", **of}
    sphere = {"kind": "sphere", "radius": RADIUS, "mass": 0.03, "iron": iron}
    return {"support": "free", "position": at, "shape": [sphere]}


def scene(bodies: list[dict[str, Any]], field: list[float], **of: Any) -> dict[str, Any]:
    named = [{"name": f"b{k}", **body} for k, body in enumerate(bodies)]
    world = {"gravity": [0, 0, 0], "magnetic_field": {"kind": "uniform", "value": field}}
    return {"world": world, "body": named, **of}


def moment_of(described: dict[str, Any], body: str = "b0") -> np.ndarray:
    table = Simulation(Scene.model_validate(described)).run(0.0)
    return np.array([table[f"{body}.induced_moment.{axis}"][0] for axis in "xyz"])


@pytest.mark.parametrize(
    ("mu", "expected"), [(5.0, 0.5714285715), (100.0, 0.9705882354), (1000.0, 0.9970059882), (np.inf, 1.0)]
)
def test_moment_and_magnetisation_of_a_ball(mu: float, expected: float) -> None:
    described = scene([ball([0, 0, 0], mu)], [0, 0.06, 0.08])
    moment = moment_of(described)
    assert moment == pytest.approx(np.array([0, 0.6, 0.8]) * expected * MU0 / (4e-7 * pi), rel=1e-8, abs=1e-12)
    table = Simulation(Scene.model_validate(described)).run(0.0)
    volume = 4 / 3 * pi * RADIUS**3
    assert table["b0.magnetisation"][0] == pytest.approx(MU0 * np.linalg.norm(moment) / volume, rel=1e-12)


ELLIPSOIDS = [
    ([5, 5, 10], 5.0, [0.125649987, 0.125649987, 0.196743193]),
    ([5, 5, 10], 100.0, [0.196857054, 0.196857054, 0.453724607]),
    ([10, 10, 5], 100.0, [0.676130139, 0.676130139, 0.310192194]),
    ([4, 6, 10], 100.0, [0.154231736, 0.239448588, 0.450698910]),
]


@pytest.mark.parametrize(("axes", "mu", "moments"), ELLIPSOIDS)
def test_moments_and_torque_of_ellipsoids(axes: list[float], mu: float, moments: list[float]) -> None:
    """Moments in 0.1 T along each axis; in a field at 45 degrees between x and z, T = (m_x B_z - m_z B_x) about y."""
    sides = [side * 1e-3 for side in axes]
    shape = {"kind": "ellipsoid", "semi_axes": sides, "mass": 0.01}
    shape["iron"] = {"permeability": mu, "induced": "dipole"}
    body = {"support": "free", "shape": [shape]}
    for k in range(3):
        moment = moment_of(scene([body], (0.1 * np.eye(3)[k]).tolist()))
        assert moment == pytest.approx(moments[k] * np.eye(3)[k], rel=3e-9, abs=1e-15)
    half = 0.1 / np.sqrt(2)
    torque = Laws(scene([body], [half, 0, half])).wrench(0)[3:]
    assert torque == pytest.approx([0, 0.5 * 0.1 * (moments[2] - moments[0]), 0], rel=1e-7, abs=1e-15)


def test_demagnetising_factors() -> None:
    assert demagnetising_factors(np.full(3, 0.02)) == pytest.approx(1 / 3, rel=1e-14)
    assert demagnetising_factors(np.array([4.0, 6, 10])) == pytest.approx([0.508598979, 0.323999937, 0.167401083])


def test_a_thin_shell_and_a_ball_of_the_same_polarisability() -> None:
    """Jackson 5.12; a shell of thickness a is a ball, one of an ideal iron as well."""
    field = [0, 0, 0.1]
    solid, ideal = (moment_of(scene([ball([0, 0, 0], mu)], field)) for mu in (100.0, np.inf))
    assert moment_of(scene([ball([0, 0, 0], thickness=0.9999999 * RADIUS)], field)) == pytest.approx(solid)
    assert moment_of(scene([ball([0, 0, 0], np.inf, thickness=1e-3)], field)) == pytest.approx(ideal, rel=1e-7)
    mu, inner = 100.0, 0.9**3
    ratio = (2 * mu + 1) * (mu - 1) * (1 - inner) / ((2 * mu + 1) * (mu + 2) - 2 * inner * (mu - 1) ** 2)
    found = moment_of(scene([ball([0, 0, 0], thickness=1e-3)], field))
    assert found[2] == pytest.approx(4 * pi * RADIUS**3 * ratio * 0.1 / MU0, rel=1e-12)


def test_two_balls_attract_as_induced_dipoles() -> None:
    """m = alpha (H + 2 m/(4 pi d^3)), F = 3 mu0 m^2/(2 pi d^4) in line; across the field -3 mu0 m^2/(4 pi d^4)."""
    alpha = 4 * pi * RADIUS**3 * 99 / 102
    for distance in (0.03, 0.06):
        for field, share, factor in (([0, 0, 0.1], 2.0, -2.0), ([0.1, 0, 0], -1.0, 1.0)):
            moment = alpha * 0.1 / MU0 / (1 - share * alpha / (4 * pi * distance**3))
            laws = Laws(scene([ball([0, 0, 0]), ball([0, 0, distance])], field))
            expected = factor * 3 * MU0 * moment**2 / (4 * pi * distance**4)
            assert laws.wrench(1)[2] == pytest.approx(expected, rel=1e-9)
            assert laws.wrench(0)[2] == pytest.approx(-expected, rel=1e-9)


def test_far_balls_are_as_those_of_panels() -> None:
    """Four radii apart the page of formulas has -1.4 %; six radii are better by (4/6)^5."""
    found = [ball([0, 0, 0]), ball([0, 0, 6 * RADIUS])]
    force = Laws(scene(found, [0, 0, 0.1])).wrench(0)[2]
    assert force == pytest.approx(0.0444793983, rel=0.014 * (4 / 6) ** 5)


def test_moments_are_those_of_a_direct_solution() -> None:
    """Balls, ellipsoids and magnets in general positions: (1/alpha - T) m = H, by LU."""
    rng = np.random.default_rng(5)
    bodies, centers = [], []
    while len(centers) < 21:
        at = rng.uniform(-0.1, 0.1, 3)
        if all(np.linalg.norm(at - other) > 0.03 for other in centers):
            centers.append(at)
    for at in centers[:20]:
        axes = rng.uniform(0.005, 0.01, 3).tolist()
        shape = {"kind": "ellipsoid", "semi_axes": axes, "mass": 0.01}
        shape["iron"] = {"permeability": 200.0, "induced": "dipole"}
        turn = {"axis": rng.normal(size=3).tolist(), "angle": 1.0}
        bodies.append({"support": "free", "position": at.tolist(), "orientation": turn, "shape": [shape]})
    magnet = {"kind": "sphere", "radius": 0.005, "mass": 0.01, "magnet": {"moment": [0.3, 0.5, 0.2]}}
    bodies.append({"support": "free", "position": centers[20].tolist(), "shape": [magnet]})
    described = scene(bodies, [0.01, 0.02, -0.01])
    found = np.array([moment_of(described, f"b{k}") for k in range(20)])
    made, field = Scene.model_validate(described), np.tile([0.01, 0.02, -0.01], (20, 1)) / MU0
    matrix, at = np.zeros((60, 60)), np.array(centers)
    for i in range(20):
        body = made.bodies[i]
        turn, sides = body.orientation.matrix(), np.array(body.shape[0].semi_axes)  # type: ignore[union-attr]
        alpha = 4 / 3 * pi * sides.prod() / (1 / 199 + demagnetising_factors(sides))
        matrix[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = turn @ np.diag(1 / alpha) @ turn.T
        for j in range(21):
            if i == j:
                continue
            r = at[i] - at[j]
            d = np.linalg.norm(r)
            law = (3 * np.outer(r, r) / d**2 - np.eye(3)) / (4 * pi * d**3)
            if j == 20:
                field[i] += law @ [0.3, 0.5, 0.2]
            else:
                matrix[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] = -law
    expected = np.linalg.solve(matrix, field.ravel()).reshape(20, 3)
    assert np.abs(found - expected).max() < 1e-9 * np.abs(expected).max()


def test_field_in_space_is_that_of_the_moments() -> None:
    """Of a ball beside a coil of 2 A: B of the dipole of its column, of the coil and of the world."""
    winding = {"kind": "loop", "radius": 0.03, "wire_radius": 1e-3}
    coil = {"name": "c", "winding": winding, "turns": 50, "source": {"kind": "current", "current": 2.0}}
    with_ball = scene([ball([0, 0.01, 0.02])], [0.001, 0, 0.002], coil=[coil])
    without = scene([ball([0, 0.01, 0.02], mu=1.0)], [0.001, 0, 0.002], coil=[coil])
    point = np.array([0.03, 0.0, 0.05])
    fields = [Simulation(Scene.model_validate(each)).field(point[None])[0] for each in (with_ball, without)]
    moment, r = moment_of(with_ball), point - [0, 0.01, 0.02]
    d = np.linalg.norm(r)
    assert fields[0] - fields[1] == pytest.approx(
        MU0 / (4 * pi * d**3) * (3 * moment @ r * r / d**2 - moment), rel=1e-8
    )
    assert np.abs(fields[0] - fields[1]).max() > 0.01 * np.abs(fields[1]).max()


def test_a_small_ball_in_a_ring() -> None:
    """Pull at a/sqrt(7) 8.829492e-3 N, of 3 mm and 2 A; a ball of 10 mm adds 2.239e-5 H to 100 turns."""
    small = {"kind": "sphere", "radius": 0.003, "mass": 0.01, "iron": {"permeability": 1000, "induced": "dipole"}}
    winding = {"kind": "loop", "radius": 0.02, "wire_radius": 1e-3}
    coil = {"name": "c", "winding": winding, "turns": 500, "source": {"kind": "current", "current": 2.0}}
    body = {"support": "free", "position": [0, 0, -0.02 / np.sqrt(7)], "shape": [small]}
    assert Laws(scene([body], [0, 0, 0], coil=[coil])).wrench(0)[2] == pytest.approx(8.829492e-3, rel=1e-6)
    wide = {"kind": "loop", "radius": 0.03, "wire_radius": 1e-3}
    shorted = {"name": "c", "winding": wide, "turns": 100, "resistance": 1.0}
    found = []
    for mu in (1000.0, 1.0):
        described = scene([ball([0, 0, 0.015], mu)], [0, 0, 0], coil=[shorted], solver={"time_step": 1e-5})
        found.append(Simulation(Scene.model_validate(described)).inductance()[0, 0])
    assert found[0] - found[1] == pytest.approx(2.239e-5, rel=3e-4)


def test_more_than_twenty_balls_are_dipoles() -> None:
    def induced(count: int, **of: Any) -> int:
        bodies = []
        for k in range(count):
            body = ball([0.04 * k, 0, 0], **of)
            body["shape"][0]["iron"] |= {"induced": None, "panels": 20}
            bodies.append(body)
        return len(build(Scene.model_validate(scene(bodies, [0, 0, 0.1])), Meshes()).model.induced.row)

    assert induced(21) == 21
    assert induced(20) == 0


@pytest.mark.parametrize(
    ("of", "place"),
    [
        ({"kind": "cuboid", "size": [0.01, 0.01, 0.01]}, "body[0].shape[0].iron.induced"),
        ({"iron": {"induced": "dipole", "saturation": 2.0}}, "body[0].shape[0].iron.induced"),
    ],
)
def test_iron_that_can_not_be_a_dipole(of: dict[str, Any], place: str) -> None:
    body = ball([0, 0, 0])
    body["shape"][0] |= of
    if "size" in of:
        del body["shape"][0]["radius"]
    with pytest.raises(InputError) as found:
        Simulation(Scene.model_validate(scene([body], [0, 0, 0.1])))
    assert [problem.place for problem in found.value.problems] == [place]


def test_a_magnet_inside_a_hollow_ball_of_the_same_body_is_refused() -> None:
    body = ball([0, 0, 0], thickness=1e-3) | {"dipole": [{"moment": [0, 0, 0.1], "position": [0, 0, 0.002]}]}
    with pytest.raises(InputError) as found:
        Simulation(Scene.model_validate(scene([body], [0, 0, 0.1])))
    assert [problem.place for problem in found.value.problems] == ["body[0].shape[0].iron.induced"]


def test_resistive_coils_that_do_not_magnetise_are_named() -> None:
    ring = {"kind": "loop", "radius": 0.03, "wire_radius": 1e-3}
    coil = {"name": "c", "winding": ring, "resistance": 1e3, "source": {"kind": "voltage", "voltage": 1.0}}
    run = Simulation(Scene.model_validate(scene([ball([0, 0, 0.015])], [0, 0, 0], coil=[coil])))
    assert "coil[0].resistance" in {warning.place for warning in run.warnings}


TUBE = {"kind": "tube", "radius": 0.01, "inner_radius": 0.008, "length": 0.02, "mass": 0.02}
RINGS = {"conductivity": 5.9e7, "currents": "rings", "panels": 10}
METAL = {"support": "free", "position": [5, 0, 0], "shape": [{**TUBE, "conductor": RINGS}]}
"""Far away: iron of dipoles is solved with currents in metal and with panels then."""


def test_beside_metal_moments_and_forces_are_those_of_dipoles() -> None:
    field = [0, 0.06, 0.08]
    alone = moment_of(scene([ball([0, 0, 0], 5.0)], field))
    assert moment_of(scene([ball([0, 0, 0], 5.0), METAL], field)) == pytest.approx(alone, rel=1e-9, abs=1e-15)
    pair = [ball([0, 0, 0]), ball([0, 0.01, 0.03], np.inf)]
    one, other = (Laws(scene(bodies, field)) for bodies in (pair, [*pair, METAL]))
    assert len(one.compiled.model.iron.body) == 0
    assert len(other.compiled.model.induced.row) == 0
    for body in range(2):
        expected = one.wrench(body)
        assert np.abs(other.wrench(body) - expected).max() < 1e-8 * np.abs(expected).max()


def test_a_ball_of_one_moment_beside_one_of_panels() -> None:
    """Their force is between those of two balls of either kind, and right to 0.2 % six radii apart."""
    forces = []
    for kinds in (("dipole", "dipole"), ("dipole", "surface"), ("surface", "surface")):
        bodies = [ball([0, 0, 6 * RADIUS * k], induced=kind, panels=320) for k, kind in enumerate(kinds)]
        forces.append(Laws(scene(bodies, [0, 0, 0.1])).wrench(0)[2])
    assert forces[0] < forces[1] < forces[2]
    assert forces[1] == pytest.approx(0.0444793983, rel=2e-3)


def test_shapes_of_both_kinds_in_one_body() -> None:
    """The moment of the whole is that of two bodies that do not move, and the columns have it."""
    field, moments = [0.01, 0.0, 0.1], []
    shapes = [ball([0, 0, 0])["shape"][0] | {"position": [0, 0, 0.04]}, ball([0, 0, 0], induced="surface", panels=320)]
    shapes[1] = shapes[1]["shape"][0]
    moments.append(moment_of(scene([{"support": "free", "shape": shapes}], field)))
    apart = scene([{"support": "free", "shape": [shape]} for shape in shapes], field)
    moments.append(moment_of(apart, "b0") + moment_of(apart, "b1"))
    assert moments[0] == pytest.approx(moments[1], rel=1e-5)
    assert moments[0] != pytest.approx(2 * moment_of(scene([ball([0, 0, 0])], field)), rel=1e-2)


@pytest.mark.parametrize("other", [METAL, ball([0.1, 0, 0], induced="surface", panels=80)])
def test_iron_of_dipoles_that_is_too_near_to_others_is_named(other: dict[str, Any]) -> None:
    places = {}
    for distance in (0.03, 0.0215):
        bodies = [ball([0, 0, 0]), {**other, "position": [distance, 0, 0]}]
        run = Simulation(Scene.model_validate(scene(bodies, [0, 0, 0.01])))
        run.advance(1e-3)
        places[distance] = {warning.place for warning in run.warnings}
    assert places[0.03] == set()
    assert places[0.0215] == {"body[0] and body[1]"}


@pytest.mark.nightly
def test_many_balls_beside_metal_are_checked_in_a_fraction_of_a_step() -> None:
    """Pairs that are too near, among many, are those of all distances; a check is shorter than 30 ms."""
    middles = 0.042 * np.mgrid[0:6, 0:6, 0:6].reshape(3, -1).T + np.random.default_rng(3).normal(0, 4e-3, (216, 3))
    described = scene([METAL, *(ball(at.tolist()) for at in middles)], [0, 0, 0.01])
    compiled = build(Scene.model_validate(described), Meshes())
    work = make_work(compiled.model, compiled.inputs)
    place(compiled.model, compiled.inputs, 0.0, compiled.start, work)
    times = []
    for _ in range(3):
        begin = process_time()
        found = {problem.place for problem in dipoles_too_near(compiled, 0.0, compiled.start, work)}
        times.append(process_time() - begin)
    near = cdist(middles, middles) < 3 * RADIUS
    assert found == {f"body[{i + 1}] and body[{j + 1}]" for i, j in zip(*np.nonzero(np.triu(near, 1)), strict=True)}
    assert len(found) > 3
    assert min(times) < 0.03


def test_balls_nearer_than_three_radii_warn() -> None:
    run = Simulation(Scene.model_validate(scene([ball([0, 0, 0]), ball([0, 0, 0.029])], [0, 0, 0.01])))
    run.advance(0.01)
    assert [warning.place for warning in run.warnings] == ["body[0] and body[1]"]


def test_balls_that_overlap_have_no_moments_and_are_named() -> None:
    """In line with the field 2 alpha/(4 pi d^3) is more than 1: the energy has no minimum."""
    found = {}
    for distance in (3.5 * RADIUS, 1.1 * RADIUS):
        simulation = Simulation(Scene.model_validate(scene([ball([0, 0, 0]), ball([0, 0, distance])], [0, 0, 0.1])))
        simulation.advance(1e-3)
        found[distance] = {one.place: one for one in simulation.warnings}
    assert not found[3.5 * RADIUS]
    values = found[1.1 * RADIUS]["body[0].shape and body[1].shape"].rule.values
    assert values["depth"] == pytest.approx(0.9e3 * RADIUS)
    assert values["value"] > 0.01
