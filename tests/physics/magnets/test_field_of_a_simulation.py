"""Simulation.field: all sources of the magnetic field, by the formulas of single dipoles."""

from __future__ import annotations

import numpy as np
import pytest

from polhode import Body, Cuboid, Dipole, FormulaField, Orientation, Scene, Simulation, World

POINTS = np.random.default_rng(3).uniform(-0.5, 0.5, (20, 3))
FIELD = FormulaField(x="1e-3*y + 1e-4*t", z="2e-3")


def dipole_field(points: np.ndarray, position: np.ndarray, moment: np.ndarray, permeability: float) -> np.ndarray:
    """mu0/(4 pi d^3) {3 (p.r) r/d^2 - p}, point by point. (Jackson, Classical Electrodynamics, eq. 5.56)"""
    found = []
    for point in points:
        r = point - position
        d = np.linalg.norm(r)
        found.append(permeability / (4 * np.pi * d**3) * (3 * (moment @ r) * r / d**2 - moment))
    return np.array(found)


def test_the_field_is_the_sum_of_all_sources() -> None:
    """Of dipoles of turned bodies that move, and of the world's field at the present time."""
    shape = (Cuboid(size=(0.1, 0.1, 0.1), mass=1.0),)
    dipoles = (Dipole(moment=(0.0, 0.0, 1.0), position=(0.0, 0.0, 0.04)), Dipole(moment=(0.5, 0.0, 0.0)))
    bodies = tuple(
        Body(
            name=name,
            support="free",
            position=(x, 0.0, 0.0),
            velocity=(0.1, 0.0, 0.0),
            angular_velocity=(0.0, 1.0, 2.0),
            orientation=Orientation(axis=(1.0, 1.0, 0.0), angle=0.7),
            shape=shape,
            dipole=dipoles,
        )
        for name, x in (("a", 1.0), ("b", -1.0))
    )
    simulation = Simulation(Scene(body=bodies, world=World(magnetic_field=FIELD, permeability=2e-6)))
    simulation.advance(0.25)
    now = simulation.snapshot()
    expected = np.column_stack([1e-3 * POINTS[:, 1] + 1e-4 * now.time, np.zeros(20), np.full(20, 2e-3)])
    for origin, basis in zip(now.bodies.position, now.bodies.basis, strict=True):
        for dipole in dipoles:
            expected += dipole_field(POINTS, origin + dipole.position @ basis, dipole.moment @ basis, 2e-6)
    assert simulation.field(POINTS) == pytest.approx(expected, rel=1e-12, abs=1e-18)  # rounding of the sums
    assert np.array_equal(simulation.field(POINTS.tolist()), simulation.field(POINTS))


def test_a_field_changes_nothing_in_the_run() -> None:
    one, other = (Simulation(Scene(body=(Body(name="a", shape=(Cuboid(size=(1, 1, 1), mass=1.0),)),))) for _ in "ab")
    for _ in range(5):
        one.advance(0.01)
        one.field(POINTS)
        other.advance(0.01)
    assert np.array_equal(one.state, other.state)
