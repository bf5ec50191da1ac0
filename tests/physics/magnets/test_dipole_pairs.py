"""Forces and torques between dipoles: against the slow twin, magpylib, and Newton's third law."""

import magpylib
import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

from polhode.physics.magnets.pair import pair

MU0 = 1.25663706127e-6
component = st.floats(-1, 1)
vector = st.tuples(component, component, component)
apart = vector.filter(lambda r: np.linalg.norm(r) > 0.05)


@given(apart, vector, vector)
def test_pair_agrees_with_field_gradient_and_energy_of_the_twin(r, p_a, p_b):
    field_a, field_b, force_a = pair(r, p_a, p_b, MU0)
    r, p_a, p_b = np.array(r), np.array(p_a), np.array(p_b)
    size = MU0 / np.linalg.norm(r) ** 3  # fields and forces cancel to rounding of this times moments of at most 2
    assert field_a == pytest.approx(reference.dipole_field(p_b, -r, MU0), abs=1e-14 * size)
    assert field_b == pytest.approx(reference.dipole_field(p_a, r, MU0), abs=1e-14 * size)
    assert force_a == pytest.approx(reference.dipole_force(p_a, p_b, -r, MU0), abs=1e-14 * size / np.linalg.norm(r))
    energy = -np.dot(p_a, field_a)
    assert energy == pytest.approx(reference.pair_energy(p_a, p_b, r, MU0), abs=1e-14 * size)


@given(apart, vector, vector)
def test_two_dipoles_conserve_angular_momentum(r, p_a, p_b):
    """T_a + T_b + r x F_b = 0: what the pair does to itself turns nothing."""
    field_a, field_b, force_a = pair(r, p_a, p_b, MU0)
    total = np.cross(p_a, field_a) + np.cross(p_b, field_b) + np.cross(r, -np.array(force_a))
    assert total == pytest.approx(np.zeros(3), abs=1e-14 * MU0 / np.linalg.norm(r) ** 3)


def test_field_and_force_agree_with_magpylib():
    """magpylib takes the gradient by finite differences: the force is good to about 1e-5 there."""
    rng = np.random.default_rng(7)
    for _ in range(5):
        r, p_a, p_b = rng.normal(size=(3, 3))
        field_a, _, force_a = pair(tuple(r), tuple(p_a), tuple(p_b), magpylib.mu_0)
        target = magpylib.misc.Dipole(position=(0, 0, 0), moment=p_a)
        source = magpylib.misc.Dipole(position=r, moment=p_b)
        assert field_a == pytest.approx(source.getB((0, 0, 0)), rel=1e-9)
        force, torque = magpylib.getFT(source, target, pivot=(0, 0, 0))
        assert force_a == pytest.approx(force, rel=1e-4, abs=1e-4 * np.abs(force).max())
        assert np.cross(p_a, field_a) == pytest.approx(torque, rel=1e-6, abs=1e-6 * np.abs(torque).max())
