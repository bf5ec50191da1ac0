"""Pairs of dipoles eight at a time: the same as one by one, however many there are in whichever bodies."""

from typing import NamedTuple

import numpy as np
import pytest

from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH
from polhode.physics.magnets.pair import pair
from polhode.physics.magnets.pair_blocks import FEW, add_all_pairs

MU0 = 1.25663706127e-6


class Arrays(NamedTuple):
    """Of dipoles, each (m, 3)."""

    position: np.ndarray
    moment: np.ndarray
    field: np.ndarray
    force: np.ndarray


@kernel
def all_pairs(permeability, first, dipoles):
    add_all_pairs(0, len(dipoles.moment), permeability, first, dipoles)


def sums(owner, position, moment):
    """Fields [T] and forces [N] by the program; owner (m,): the body of each."""
    first = np.searchsorted(owner, owner).astype(float)[np.newaxis]
    field, force = np.zeros((2, len(owner), 3))
    all_pairs(MU0, first, Arrays(position, moment, field, force))
    return field, force


def sums_one_by_one(owner, position, moment):
    field, force = np.zeros((2, len(owner), 3))
    for b in range(len(owner)):
        for a in range(b):
            if owner[a] != owner[b]:
                pair_of = tuple(position[b] - position[a]), tuple(moment[a]), tuple(moment[b])
                field_a, field_b, force_a = np.array(pair(*pair_of, MU0))
                field[a], field[b] = field[a] + field_a, field[b] + field_b
                force[a], force[b] = force[a] + force_a, force[b] - force_a
    return field, force


def random_dipoles(rng, count):
    """In a few bodies or in many, in places of a cube."""
    owner = np.sort(rng.integers(0, rng.integers(1, count + 2), count))
    return owner, 4 * rng.random((count, 3)), rng.normal(size=(count, 3))


@pytest.mark.parametrize("count", range(2 * WIDTH + 5))
def test_lanes_agree_with_the_formula(count):
    """To the rounding of sums of up to 20 terms, of the largest of them."""
    rng = np.random.default_rng(count)
    for _ in range(20):
        dipoles = random_dipoles(rng, count)
        for found, expected in zip(sums(*dipoles), sums_one_by_one(*dipoles), strict=True):
            assert np.abs(found - expected).max(initial=0) <= 1e-14 * np.abs(expected).max(initial=0)


@pytest.mark.parametrize("count", [FEW, FEW + 1, WIDTH, WIDTH + FEW + 1, 5 * WIDTH + 3])
def test_forces_of_all_dipoles_cancel(count):
    rng = np.random.default_rng(count)
    _, force = sums(np.arange(count), 4 * rng.random((count, 3)), rng.normal(size=(count, 3)))
    assert np.abs(force.sum(axis=0)).max() <= 1e-14 * np.abs(force).sum()


def test_two_dipoles_pull_each_other_equally_to_the_last_bit_also_among_others_that_have_no_moment():
    rng = np.random.default_rng(1)
    for count in range(2, 4 * WIDTH):
        a, b = sorted(rng.choice(count, 2, replace=False))
        moment = np.zeros((count, 3))
        moment[[a, b]] = rng.normal(size=(2, 3))
        _, force = sums(np.arange(count), rng.random((count, 3)), moment)
        assert force[a].any()
        assert (force[a] == -force[b]).all()


@pytest.mark.parametrize("bodies", [1, 2, 3])
def test_dipoles_of_one_body_do_nothing_to_each_other_not_even_in_one_place(bodies):
    """Not in the last bit: those of a body alone leave zeros, and infinite fields would leave no numbers."""
    rng = np.random.default_rng(bodies)
    for count in range(bodies, 4 * WIDTH):
        owner = np.arange(count) * bodies // count
        position = np.eye(3)[owner]
        field, force = sums(owner, position, 1e6 * rng.normal(size=(count, 3)))
        assert np.isfinite(field).all()
        assert np.isfinite(force).all()
        assert field.any() == force.any() == (bodies > 1)


def test_equal_places_give_equal_bytes_wherever_they_stand_in_memory():
    """Also where what lies behind the last dipole is no number."""
    rng = np.random.default_rng(2)
    for count in range(1, 3 * WIDTH):
        owner, position, moment = random_dipoles(rng, count)
        expected = sums(owner, position, moment)
        for shift in range(3):
            behind = np.full((2, count + WIDTH, 3), np.nan)
            behind[:, shift : shift + count] = position, moment
            found = sums(owner, *(np.ascontiguousarray(rows[shift : shift + count]) for rows in behind))
            views = sums(owner, *behind[:, shift : shift + count])
            for of_all in zip(expected, found, views, strict=True):
                assert len({numbers.tobytes() for numbers in of_all}) == 1


@pytest.mark.parametrize("spoilt", [np.nan, np.inf])
def test_places_that_are_no_numbers_end_in_fields_that_are_none(spoilt):
    rng = np.random.default_rng(3)
    for count in (2, WIDTH, 3 * WIDTH - 1):
        position, moment = rng.random((count, 3)), rng.normal(size=(count, 3))
        position[count // 2, 1] = spoilt
        field, _ = sums(np.arange(count), position, moment)
        assert not np.isfinite(field).all()
