"""Forces, torques and energies of magnets by closed forms: against double sums of charges, magpylib and tables."""

from __future__ import annotations

from itertools import combinations

import magpylib
import numpy as np
import pytest
from kernel_arguments import placed
from meaning import Meaning
from reference import cuboid_charges, cylinder_charges

from polhode.engine.model import Step
from polhode.engine.work import run_hooks
from polhode.physics.magnets.part import every_force
from polhode.scene.problem import InputError
from polhode.scene.scene import VACUUM as MU0
from polhode.simulation.simulation import Simulation
from polhode.sweep.lane_cells import body_in_lanes
from scenes import scene, turned

REMANENCE = (0.3, -0.2, 1.1)
SHAPES = {
    "cuboid": {"kind": "cuboid", "size": [0.02, 0.012, 0.008]},
    "cylinder": {"kind": "cylinder", "radius": 0.007, "length": 0.01},
    "tube": {"kind": "tube", "radius": 0.008, "inner_radius": 0.004, "length": 0.006},
    "sphere": {"kind": "sphere", "radius": 0.006},
    "capsule": {"kind": "capsule", "radius": 0.004, "length": 0.006},
    "dipole": {"kind": "sphere", "radius": 0.002},
}
DISC = {"kind": "cylinder", "radius": 6.35e-3, "length": 3.175e-3}
PULL = {0.1: 28.4401, 0.5: 18.7256, 1.0: 12.7640, 2.0: 6.86519, 5.0: 1.60575}
"""Pull [N] of the disc of 1.32 T over an infinite plane of soft iron, by the gap [mm]: that of its image at twice the
gap (pi mu0 M^2 R^2 times the integral of J1(kR)^2/k e^(-2kg) (1 - e^(-kt))^2 over k; magpylib on the image agrees)."""


def magnet(name: str, shape: dict, at=(0, 0, 0), field="exact", remanence=REMANENCE, dipoles=64, **body) -> dict:
    """A free magnet in one piece; a capsule has no closed form, and "dipole" is a point."""
    table = {"name": name, "position": list(at), "support": "free", **body}
    if shape is SHAPES["dipole"]:
        return {**table, "shape": [{**shape, "density": 7500}], "dipole": [{"moment": [0.2, 0.1, -0.3]}]}
    field = "dipoles" if shape["kind"] == "capsule" else field
    kept = {"remanence": list(remanence), "field": field, "dipoles": dipoles}
    return {**table, "shape": [{**shape, "density": 7500, "magnet": kept}]}


def pair_of(one: dict, other: dict, **world) -> Simulation:
    return Simulation(scene(one, other, gravity=[0, 0, 0], **world))


def loads(simulation: Simulation) -> tuple[np.ndarray, np.ndarray]:
    """Forces [N] and torques [N m] about the centres of mass, (n, 3) each, of the magnets alone."""
    model, inputs, state, work = placed(simulation)
    work.bodies.force[:] = work.bodies.torque[:] = 0.0
    run_hooks([every_force], Step(model, inputs, 0.0, state, work, work.energy))
    arm = work.bodies.com_offset
    return work.bodies.force.copy(), work.bodies.torque - np.cross(arm, work.bodies.force)


def energy(simulation: Simulation) -> float:
    return simulation.snapshot().energy.magnetic


def discs(gap: float, **more) -> Simulation:
    """Two discs of 1.32 T in a line, whose faces have a distance `gap` [m]."""
    of = {"remanence": (0, 0, 1.32), **more}
    return pair_of(magnet("a", DISC, **of), magnet("b", DISC, (0, 0, DISC["length"] + gap), **of))


@pytest.mark.parametrize("gap", PULL)
def test_discs_attract_each_other_as_their_images_do(gap: float) -> None:
    """Within 0.1 %, where a cloud of 64 dipoles is wrong by half at 0.5 mm."""
    force, _ = loads(discs(2e-3 * gap))
    assert -force[1, 2] == pytest.approx(PULL[gap], rel=1e-3)
    assert force[0, 2] == pytest.approx(PULL[gap], rel=1e-3)


def test_discs_that_touch_and_overlap_a_little() -> None:
    """34.0781 N on contact; with an overlap of 0.02 mm, as a contact allows, about the same force, not its opposite."""
    pulls = [-loads(discs(gap))[0][1, 2] for gap in (2e-5, 1e-9, -1e-9, -2e-5)]
    assert pulls[1] == pytest.approx(34.0781, rel=1e-2)
    assert pulls[2] == pytest.approx(pulls[1], rel=1e-5)
    assert pulls[0] < pulls[1]
    assert pulls[3] == pytest.approx(pulls[1], rel=3e-2)
    cubes = {"kind": "cuboid", "size": [0.01, 0.01, 0.01]}
    of = {"remanence": (0, 0, 1.2)}
    one, other = (
        loads(pair_of(magnet("a", cubes, **of), magnet("b", cubes, (0, 0, 0.01 + gap), **of)))[0][1, 2]
        for gap in (1e-9, -1e-9)
    )
    assert one < 0.0
    assert other == pytest.approx(one, rel=1e-5)


def test_the_energy_is_that_of_all_pairs_of_charges() -> None:
    """The obvious double sum over both surfaces, for a skew cuboid and cylinder half a width apart."""
    at, turn = np.array([0.004, 0.005, 0.02]), turned(1, 2, 0.5, 0.6)
    cuboid, cylinder = SHAPES["cuboid"], SHAPES["cylinder"]
    simulation = pair_of(magnet("a", cuboid), magnet("b", cylinder, at, orientation=turn))
    matrix = simulation.scene.bodies[1].orientation.matrix()
    magnetisation = np.array(REMANENCE) / MU0
    points, charges = cuboid_charges(np.array(cuboid["size"]), magnetisation)
    others, of_others = cylinder_charges(cylinder["radius"], cylinder["length"], magnetisation)
    distances = np.linalg.norm(points[:, None] - (others @ matrix.T + at), axis=2)
    expected = MU0 / (4 * np.pi) * charges @ (1 / distances) @ of_others
    assert energy(simulation) == pytest.approx(expected, rel=2e-4)


CLOSED = {"cuboid", "cylinder", "tube"}
PAIRS = [names for names in combinations(SHAPES, 2) if CLOSED & set(names)]


@pytest.mark.parametrize("names", [*PAIRS, ("cuboid", "cuboid"), ("tube", "tube")])
def test_forces_and_torques_are_the_gradient_of_the_energy_and_opposite(names: tuple[str, str]) -> None:
    """By central differences of the energy, in a uniform field, to 1e-6; third law about the origin to rounding."""
    at, world = np.array([0.006, -0.004, 0.018]), {"magnetic_field": {"value": [0.01, 0.02, -0.03]}}

    def placed_at(shift: np.ndarray, turn: np.ndarray) -> Simulation:
        angle = float(np.linalg.norm(turn))
        orientation = turned(*turn, angle) if angle else turned(1, 0, 0, 0.0)
        other = magnet("b", SHAPES[names[1]], at + shift, orientation=orientation)
        return pair_of(magnet("a", SHAPES[names[0]], remanence=(1.0, 0.2, 0.4)), other, **world)

    zero = np.zeros(3)
    force, torque = loads(placed_at(zero, zero))
    for axis in np.eye(3):
        h, k = 2e-5 * axis, 2e-4 * axis
        pull = (energy(placed_at(-h, zero)) - energy(placed_at(h, zero))) / 4e-5
        # differences of the fourth order
        pull += (pull - (energy(placed_at(-2 * h, zero)) - energy(placed_at(2 * h, zero))) / 8e-5) / 3
        turning = (energy(placed_at(zero, -k)) - energy(placed_at(zero, k))) / 4e-4
        turning += (turning - (energy(placed_at(zero, -2 * k)) - energy(placed_at(zero, 2 * k))) / 8e-4) / 3
        assert force[1] @ axis == pytest.approx(pull, abs=1e-6 * np.linalg.norm(force[1]))
        assert torque[1] @ axis == pytest.approx(turning, abs=1e-6 * (np.linalg.norm(torque[1]) + 1e-4))
    without, about = loads(
        pair_of(magnet("a", SHAPES[names[0]], remanence=(1.0, 0.2, 0.4)), magnet("b", SHAPES[names[1]], at))
    )
    assert without[0] == pytest.approx(-without[1], abs=1e-13 * np.linalg.norm(without[1]))
    assert about[0] + about[1] + np.cross(at, without[1]) == pytest.approx(zero, abs=1e-14 * np.linalg.norm(without))


@pytest.mark.parametrize(
    ("one", "other", "gap", "tolerance"),
    [
        ("cuboid", "cuboid", 2e-3, 1e-2),
        ("cuboid", "cylinder", 1e-3, 1e-2),
        ("cylinder", "tube", 1e-3, 1e-2),
        ("cuboid", "sphere", 5e-4, 1e-4),
        ("tube", "dipole", 5e-4, 1e-4),
    ],
)
def test_forces_close_by_are_those_of_dense_charges_in_the_field_of_magpylib(one, other, gap, tolerance) -> None:
    """The field of the second magnet, by other formulas, on 100 x 100 charges on each face of the first."""
    lift = {"cuboid": 0.004, "cylinder": 0.005, "tube": 0.003, "sphere": 0.006, "dipole": 0.0}
    at = np.array([0.003, 0.001, lift[one] + lift[other] + gap])
    force, _ = loads(pair_of(magnet("a", SHAPES[one]), magnet("b", SHAPES[other], at)))
    magnetisation, shape = np.array(REMANENCE) / MU0, SHAPES[one]
    source = magpylib.misc.Dipole(moment=(0.2, 0.1, -0.3))
    solid = SHAPES[other]
    if other == "sphere":
        source = magpylib.magnet.Sphere(polarization=REMANENCE, diameter=2 * solid["radius"])
    elif other == "cuboid":
        source = magpylib.magnet.Cuboid(polarization=REMANENCE, dimension=solid["size"])
    elif other != "dipole":
        source = magpylib.Collection(magpylib.magnet.Cylinder(polarization=REMANENCE, dimension=_lengths(solid)))
        if other == "tube":
            bore = {"radius": solid["inner_radius"], "length": solid["length"]}
            source.add(magpylib.magnet.Cylinder(polarization=-np.array(REMANENCE), dimension=_lengths(bore)))
    if shape["kind"] == "cuboid":
        points, charges = cuboid_charges(np.array(shape["size"]), magnetisation, 100)
    else:
        points, charges = cylinder_charges(shape["radius"], shape["length"], magnetisation, 100)
        if one == "tube":
            inner, of_inner = cylinder_charges(shape["inner_radius"], shape["length"], -magnetisation, 100)
            points, charges = np.vstack([points, inner]), np.concatenate([charges, of_inner])
    expected = MU0 * charges @ source.getH(points - at)
    assert np.linalg.norm(force[0] - expected) < tolerance * np.linalg.norm(expected)


def _lengths(solid: dict) -> tuple[float, float]:
    return 2 * solid["radius"], solid["length"]


def test_energy_momentum_and_angular_momentum_of_magnets_that_pass_each_other() -> None:
    """Two discs pass each other with a gap of a seventh of their width; the energy falls with the step as of RK4."""

    def passing(time_step: float) -> tuple[float, float]:
        one = magnet("a", DISC, velocity=[2, 0, 0], remanence=(0, 0, 0.25))
        other = magnet("b", DISC, (0.03, 0.002, 0.005), velocity=[-2, 0, 0], remanence=(0, 0, 0.25))
        for body in one, other:
            body["shape"][0]["density"] = 2e5  # so that they turn little on the way
        simulation = Simulation(scene(one, other, gravity=[0, 0, 0], time_step=time_step))
        start, least, exchanged, lost = simulation.snapshot(), np.inf, 0.0, 0.0
        momentum = simulation.snapshot().bodies.angular_momentum
        for _ in range(150):
            simulation.advance(1e-4)
            now = simulation.snapshot()
            exchanged = max(exchanged, abs(now.energy.magnetic - start.energy.magnetic))
            lost = max(lost, abs(now.energy.total - start.energy.total))
            least = min(least, float(np.linalg.norm(now.bodies.position[1] - now.bodies.position[0])))
        mass = simulation.compiled.properties[0].mass
        speed = now.bodies.velocity.sum(axis=0)
        orbit = np.cross(now.bodies.position, mass * now.bodies.velocity)
        before = np.cross(start.bodies.position, mass * start.bodies.velocity)
        turning = (now.bodies.angular_momentum + orbit).sum(axis=0) - (momentum + before).sum(axis=0)
        assert speed == pytest.approx(np.zeros(3), abs=1e-13)
        assert turning == pytest.approx(np.zeros(3), abs=1e-9 * np.abs(orbit).max())
        assert least < 0.0055
        return exchanged, lost

    exchanged, coarse = passing(5e-5)
    _, fine = passing(2e-5)
    assert coarse < 1e-7 * exchanged
    assert fine < 0.1 * coarse


def test_dipoles_beside_closed_forms_act_on_each_other_as_before() -> None:
    """A far exact magnet changes nothing of the pair law of a dipole and a cloud."""
    at = (0.0, 0.0, 0.02)
    ball, capsule = SHAPES["dipole"], SHAPES["capsule"]
    alone = pair_of(magnet("a", ball), magnet("b", capsule, at))
    far = magnet("c", SHAPES["cuboid"], (1e6, 0.0, 0.0))
    together = Simulation(scene(magnet("a", ball), magnet("b", capsule, at), far, gravity=[0, 0, 0]))
    for one, other in zip(loads(together), loads(alone), strict=True):
        assert one[:2] == pytest.approx(other, rel=1e-9)


def test_only_clouds_are_too_coarse_close_by() -> None:
    assert discs(1e-4).warnings == ()
    (warning,) = discs(1e-4, field="dipoles").warnings
    assert Meaning("body[0] and body[1]", "magnets", time=0).of(warning)


def test_more_dipoles_make_more_charges() -> None:
    """The error of discs that overlap by half, 0.2 mm apart, falls below 1 % with 256."""

    def aside(dipoles: int) -> np.ndarray:
        of = {"remanence": (0, 0, 1.32), "dipoles": dipoles}
        at = (4e-3, 1e-3, DISC["length"] + 2e-4)
        return loads(pair_of(magnet("a", DISC, **of), magnet("b", DISC, at, **of)))[0][1]

    finest = aside(4096)
    few, many = (float(np.linalg.norm(aside(n) - finest) / np.linalg.norm(finest)) for n in (64, 256))
    assert few < 0.05
    assert many < 0.01


def test_lanes_leave_exact_magnets_to_scalar_runs() -> None:
    """SIMD lanes of maps and fits know dipoles alone, so such a scene must not run in them."""
    for field, is_laned in (("dipoles", True), ("exact", False)):
        still = magnet("a", DISC, field=field, support="fixed")
        hung = magnet("b", DISC, (0, 0, 0.03), field=field, support="pivot")
        assert (body_in_lanes(Simulation(scene(still, hung)).compiled) is not None) == is_laned


def test_what_has_no_closed_form_is_refused() -> None:
    shape = {**SHAPES["capsule"], "density": 7500, "magnet": {"remanence": [0, 0, 1], "field": "exact"}}
    with pytest.raises(InputError) as caught:
        Simulation(scene({"name": "a", "shape": [shape]}))
    assert [problem.place for problem in caught.value.problems] == ["body[0].shape[0].magnet.field"]
    with pytest.raises(InputError) as caught:
        Simulation(scene(magnet("a", SHAPES["cuboid"]), solver={"dipole_sum": "tree"}))
    assert [problem.place for problem in caught.value.problems] == ["solver.dipole_sum"]
