"""Uncertainty of points of bodies: beside runs of displaced scenes, whose point may be displaced with the body."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.uncertainty.points import point_columns, uncertain_point
from polhode.uncertainty.uncertainties import uncertainties

END = np.array([0.02, 0.0, -0.4])  # [m] body frame
DEVIATION, OF_LENGTH = 0.005, 0.004  # of the friction [N m s] and of the length [m]


def pendulum(friction: object, length: object) -> Scene:
    shape = {"kind": "point", "mass": 1.0, "position": [0, 0, length]}
    start = {"axis": [1, 0, 0], "angle": 1.0}
    bob = {"name": "bob", "support": "pivot", "orientation": start, "angular_velocity": [0, 1, 0], "friction": friction}
    return Scene.model_validate({"body": [{**bob, "shape": [shape]}]})


def path(scene: Scene, end: np.ndarray) -> np.ndarray:
    """(n, 3) [m] the point `end` (3,) of the body every 0.1 s."""
    run = Simulation(scene).run(2.0, 0.1)
    columns = np.stack([run[name] for name in point_columns("bob")], axis=1)
    return columns[:, :3] + np.einsum("k,nkj->nj", end, columns[:, 3:].reshape(-1, 3, 3))


def test_the_covariance_is_that_of_displaced_runs() -> None:
    scene = pendulum(f"0.02 +- {DEVIATION}", f"-0.4 +- {OF_LENGTH}")
    found = uncertainties(scene, 2.0, 0.1, columns=["bob.position", "bob.u1", "bob.u2", "bob.u3"], draws=100)
    moved = np.array([[0, 0, OF_LENGTH] if "position" in source.name else [0, 0, 0.0] for source in found.sources])
    point = uncertain_point(found, "bob", END, moved)
    base, part = path(pendulum(0.02, -0.4), END), 1e-3
    of_friction = (path(pendulum(0.02 + part * DEVIATION, -0.4), END) - base) / part
    longer = END + [0, 0, part * OF_LENGTH]
    of_length = (path(pendulum(0.02, -0.4 + part * OF_LENGTH), longer) - base) / part
    expected = sum(np.einsum("ni,nj->nij", each, each) for each in (of_friction, of_length))
    assert point is not None
    assert point.position == pytest.approx(base, abs=1e-9)
    assert point.covariance == pytest.approx(expected, rel=0.01, abs=1e-3 * np.abs(expected).max())
    still = uncertain_point(found, "bob", END)
    assert still is not None
    assert np.trace(still.covariance[0]) == 0.0, "the start is certain"
    assert np.trace(point.covariance[0]) == pytest.approx(OF_LENGTH**2)


def test_draws_differ_later_than_they_begin() -> None:
    found = uncertainties(pendulum("0.02 +- 0.01", "-0.4 +- 0.04"), 10.0, 0.05, draws=100)
    point = uncertain_point(found, "bob", END)
    assert point is not None
    assert 1.0 < point.differs_from < 9.0
    none = uncertain_point(uncertainties(pendulum("0.02 +- 0.01", -0.4), 1.0), "bob", END)
    assert none is not None
    assert none.differs_from == np.inf


def test_certain_points_and_other_bodies_have_none() -> None:
    found = uncertainties(pendulum("0.02 +- 0.005", -0.4), 0.5)
    assert uncertain_point(found, "bob", np.zeros(3)) is None, "the pivot"
    assert uncertain_point(found, "rod", END) is None
