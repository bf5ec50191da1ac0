"""The tree of dipoles: its tolerance against the plain sum, who acts on whom, and what it keeps."""

from typing import NamedTuple

import numpy as np
import pytest
import reference

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.physics.magnets.compile import MANY, many
from polhode.physics.magnets.tree import make_tree_work, settings
from polhode.physics.magnets.tree_sum import add_tree_sum
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

MU0 = 1.25663706127e-6
SINGLES = 1200  # enough for four floors of cells, few enough for the twin


def random_places(rng, count):
    return rng.random((count, 3))


def square_lattice(rng, count):
    side = int(np.ceil(np.sqrt(count)))
    k = np.arange(count)
    return 0.05 * np.stack([k % side, k // side, 0 * k], axis=1)


def cubic_lattice(rng, count):
    side = int(np.ceil(np.cbrt(count)))
    k = np.arange(count)
    return 0.05 * np.stack([k % side, k // side % side, k // side**2], axis=1)


def clusters(rng, count):
    centers = rng.random((12, 3)) * [10, 1, 0.1]
    sizes = np.geomspace(1e-3, 0.3, 12)
    which = rng.integers(0, 12, count)
    return centers[which] + sizes[which, None] * rng.normal(size=(count, 3))


def far_from_the_origin(rng, count):
    return random_places(rng, count) + [300.0, -200.0, 100.0]


PLACES = [random_places, square_lattice, cubic_lattice, clusters, far_from_the_origin]


def parallel(rng, count):
    return np.tile([0.3, 0.2, 1.0], (count, 1))


def any_direction(rng, count):
    return rng.normal(size=(count, 3))


class Arrays(NamedTuple):
    """Of dipoles, each (m, 3)."""

    position: np.ndarray
    moment: np.ndarray
    field: np.ndarray
    force: np.ndarray


def tree_sums(counts, positions, moments, tolerance, work=None):
    """Fields, forces and scratch by the tree; counts: how many dipoles each body has."""
    first = np.concatenate([[0], np.cumsum(counts)])
    chosen = settings(tolerance)
    work = work or make_tree_work(chosen, len(counts), len(moments))
    field, force = np.zeros((2, len(moments), 3))
    add_tree_sum(chosen, MU0, first, Arrays(positions, moments, field, force), work)
    return field, force, work


def rms(vectors):
    return np.sqrt((vectors**2).sum(axis=1).mean())


@pytest.mark.parametrize("moments_of", [parallel, any_direction])
@pytest.mark.parametrize("places", PLACES)
def test_error_is_within_the_tolerance(places, moments_of):
    """Of the root mean square of fields and forces, at every order that the tolerances ask for."""
    rng = np.random.default_rng(5)
    positions, moments = places(rng, SINGLES), moments_of(rng, SINGLES)
    field, force = reference.dipole_sums(np.arange(SINGLES), positions, moments, MU0)
    for tolerance in (1e-2, 1e-3, 1e-4, 1e-6):
        near_field, near_force, _ = tree_sums(np.ones(SINGLES, int), positions, moments, tolerance)
        assert rms(near_field - field) <= tolerance * rms(field)
        assert rms(near_force - force) <= tolerance * rms(force)


def test_groups_do_meet_as_wholes():
    """Where all dipoles met one by one, every tolerance would hold, and nothing would be gained."""
    rng = np.random.default_rng(5)
    positions, moments = square_lattice(rng, SINGLES), any_direction(rng, SINGLES)
    coarse, _, _ = tree_sums(np.ones(SINGLES, int), positions, moments, 1e-2)
    fine, _, _ = tree_sums(np.ones(SINGLES, int), positions, moments, 1e-6)
    assert rms(coarse - fine) > 1e-6 * rms(fine)


@pytest.mark.parametrize("counts", [[1] * 500 + [300] + [40] * 10, [2500], [1500, 1], [0] * 20 + [7] * 100 + [0]])
def test_dipoles_of_one_body_do_not_act_on_each_other(counts):
    """Also where they stand in one place, and where one body fills many cells, or several share one."""
    rng = np.random.default_rng(6)
    owner = np.repeat(np.arange(len(counts)), counts)
    positions = rng.random((len(counts), 3))[owner] + 0.02 * rng.normal(size=(len(owner), 3))
    twins = np.flatnonzero(owner[1:] == owner[:-1])[::3]
    positions[twins + 1] = positions[twins]
    moments = rng.normal(size=(len(owner), 3))
    field, force = reference.dipole_sums(owner, positions, moments, MU0)
    near_field, near_force, _ = tree_sums(counts, positions, moments, 1e-6)
    assert rms(near_field - field) <= 1e-6 * rms(field)
    assert rms(near_force - force) <= 1e-6 * rms(force)


def test_forces_sum_to_zero():
    """To rounding, not to the tolerance: what two cells do to each other is cut off alike."""
    rng = np.random.default_rng(7)
    positions, moments = cubic_lattice(rng, SINGLES), any_direction(rng, SINGLES)
    _, force, _ = tree_sums(np.ones(SINGLES, int), positions, moments, 1e-2)
    assert np.abs(force.sum(axis=0)).max() <= 1e-12 * np.abs(force).sum()


def test_equal_places_give_equal_bytes_whatever_came_before():
    rng = np.random.default_rng(8)
    counts, moments = np.ones(SINGLES, int), any_direction(rng, SINGLES)
    lattice, cloud = cubic_lattice(rng, SINGLES), random_places(rng, SINGLES)
    field, force, work = tree_sums(counts, lattice, moments, 1e-4)
    tree_sums(counts, cloud, moments, 1e-4, work)
    again, pull, _ = tree_sums(counts, lattice, moments, 1e-4, work)
    assert field.tobytes() == again.tobytes()
    assert force.tobytes() == pull.tobytes()


@pytest.mark.parametrize("spoilt", [np.nan, np.inf])
def test_places_that_are_no_numbers_end_in_fields_that_are_none(spoilt):
    rng = np.random.default_rng(9)
    positions, moments = random_places(rng, 200), any_direction(rng, 200)
    positions[17, 1] = spoilt
    field, _, _ = tree_sums(np.ones(200, int), positions, moments, 1e-4)
    assert not np.isfinite(field).all()


def needles(count, dipole_sum):
    """Needles on pivots, half a distance apart as long as they are, with two magnets each."""
    rod = {"kind": "cylinder", "radius": 0.003, "length": 0.02, "mass": 0.01}
    ends = [{"position": [0, 0, z], "moment": [0, 0, 0.1]} for z in (-0.005, 0.005)]
    turns = np.random.default_rng(10).random((count, 4))
    bodies = [
        {
            "name": f"needle{k}",
            "position": [k % 20 * 0.05, k // 20 * 0.05, 0],
            "orientation": {"axis": (turn[:3] - 0.5).tolist(), "angle": 3 * turn[3]},
            "shape": [rod],
            "dipole": ends,
        }
        for k, turn in enumerate(turns)
    ]
    return Scene.model_validate({"solver": {"dipole_sum": dipole_sum}, "body": bodies})


def test_a_scene_moves_alike_by_tree_and_by_pairs():
    """Torques that are 1e-4 off turn a needle by that part of its way, here from rest; the energy likewise."""
    plain, tree = Simulation(needles(300, "direct")), Simulation(needles(300, "tree"))
    start = plain.snapshot().bodies.basis
    assert tree.snapshot().energy.magnetic == pytest.approx(plain.snapshot().energy.magnetic, rel=1e-4)
    for simulation in (plain, tree):
        simulation.advance_steps(20)
    way = plain.snapshot().bodies.basis - start
    off = tree.snapshot().bodies.basis - plain.snapshot().bodies.basis
    assert np.abs(way).max() > 0.05
    assert rms(off.reshape(-1, 3)) <= 1e-4 * rms(way.reshape(-1, 3))
    assert tree.snapshot().energy.total == pytest.approx(plain.snapshot().energy.total, rel=1e-4)


@pytest.mark.nightly
def test_auto_takes_the_tree_where_there_are_many():
    assert build(needles(MANY // 2, "auto"), Meshes()).model.tree.opening > 0
    assert build(needles(MANY // 2 - 1, "auto"), Meshes()).model.tree.opening == 0
    assert build(needles(MANY // 2, "direct"), Meshes()).model.tree.opening == 0
    assert build(needles(2, "tree"), Meshes()).model.tree.opening > 0


def test_auto_waits_for_more_where_the_tolerance_is_small():
    """The numbers by which a tree pays go up with the accuracy, and never below the usual one."""
    assert many(1e-2) == many(1e-4) == MANY
    assert many(1e-8) > many(1e-6) > 2 * MANY
    described = needles(MANY // 2, "auto")
    tight = described.model_copy(update={"solver": described.solver.model_copy(update={"dipole_tolerance": 1e-6})})
    assert build(tight, Meshes()).model.tree.opening == 0
