"""Bodies that ignore each other, tied spheres, and shapes that do not press."""

from __future__ import annotations

import pytest
from meaning import Meaning

from polhode import InputError, Simulation
from polhode.scene.scene_file import scene_of

BALL = {"kind": "sphere", "radius": 0.1, "mass": 1.0}
BOX = {"kind": "cuboid", "size": [0.2, 0.2, 0.2], "mass": 1.0}
SHAPES = [(BALL, BALL), (BOX, BOX), (BALL, BOX)]


def heights(one: dict, other: dict, first: dict | None = None, second: dict | None = None, **more: object) -> list:
    """Heights [m] of two bodies after 0.5 s, of which the upper one starts above the lower one, which is fixed."""
    low = {"name": "low", "support": "fixed", "shape": [one], "contact": first or {}}
    high = {"name": "high", "support": "free", "position": [0, 0, 0.25], "shape": [other], "contact": second or {}}
    scene = scene_of({"body": [low, high], "solver": {"time_step": 1e-3}, **more}, "")
    simulation = Simulation(scene)
    simulation.advance(0.5)
    return [float(position[2]) for position in simulation.snapshot().bodies.position]


@pytest.mark.parametrize(("one", "other"), SHAPES)
def test_bodies_that_ignore_each_other_pass_through(one: dict, other: dict) -> None:
    assert heights(one, other)[1] > 0.15
    assert heights(one, other, {"ignores": ["high"]})[1] == pytest.approx(0.25 - 9.80665 / 8, abs=1e-9)
    assert heights(one, other, None, {"ignores": ["low"]})[1] == pytest.approx(0.25 - 9.80665 / 8, abs=1e-9)


@pytest.mark.parametrize(("one", "other"), SHAPES)
def test_shapes_that_do_not_press_are_seen_only(one: dict, other: dict) -> None:
    assert heights(one, other | {"presses": False})[1] < -0.5
    wall = {"wall": [{"name": "floor", "point": [0, 0, 0.1], "stiffness": 1e5}]}
    assert heights(one | {"presses": False}, other, **wall)[1] > 0.15
    assert heights(one | {"presses": False}, other | {"presses": False}, **wall)[1] < -0.5


def test_ignored_bodies_must_be_there() -> None:
    with pytest.raises(InputError) as caught:
        heights(BALL, BALL, {"ignores": ["hig"]})
    assert any(Meaning("body[0].contact.ignores", "body", name="hig").of(problem) for problem in caught.value.problems)
