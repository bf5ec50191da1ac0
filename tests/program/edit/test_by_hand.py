"""Numbers that are made by the mouse have the digits that a pointer can give; stated ones stay as they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polhode.physics.bodies.shapes import Orientation
from polhode.scene.scene_file import scene_of
from polhode_app.edit.field_numbers import at_least, by_hand, text_of
from polhode_app.edit.fields import switched
from polhode_app.edit.joint_handles import DraggedJoint
from polhode_app.edit.transform import DraggedPart

BALL = {"kind": "sphere", "radius": 0.05, "mass": 1.0}
EXACT = 0.123456789  # as files state it
SCENE = scene_of(
    {
        "format": 2,
        "body": [{"name": "ball", "support": "free", "position": [0, 0, EXACT], "shape": [BALL]}],
        "spring": [{"from": "ball", "to": [0.3, 0, EXACT], "stiffness": 1.0, "rest_length": EXACT}],
        "wall": [{"name": "floor", "point": [0, 0, -0.5], "normal": [0, 0, 1]}],
        "joint": [
            {"kind": "distance", "first": "ball", "anchor_second": [0.1, 0, 0.5], "pull_only": True, "name": "string"}
        ],
    },
    "scene",
)
SHIFT = np.array([0.01234567891, 0.02345678912, -0.0345678912])


def digits(*numbers: float) -> int:
    """Most characters of numbers as fields show them."""
    return max(len(text_of(number)) for number in numbers)


@given(st.floats(1e-6, 1e3))
def test_a_string_of_a_drawn_length_is_not_too_short(length: float) -> None:
    made = at_least(length)
    assert length * (1 - 1e-7) <= made <= length * (1 + 1.001e-4)
    assert len(f"{made:.10g}".lstrip("0.").partition("e")[0].replace(".", "")) <= 6


def test_a_stated_length_is_kept_by_rounding() -> None:
    assert [at_least(each) for each in (0.5, 0.4, 1.25, 0.0301)] == [0.5, 0.4, 1.25, 0.0301]


def test_places_have_four_decades_below_the_size_of_the_scene() -> None:
    assert by_hand((0.123456789, -2.0, -0.00000001), 1.0) == (0.1235, -2.0, 0.0)
    assert by_hand((0.000123456789, 0, 0), 2e-3) == (0.0001235, 0.0, 0.0)


@pytest.mark.parametrize(("path", "field"), [(("wall", 0), "point"), (("spring", 0), "to")])
def test_what_is_dragged_by_handles_has_no_digits_below_the_pointer(path: tuple[str, int], field: str) -> None:
    dragged = DraggedPart(SCENE, path, np.zeros(3), np.eye(3), None, np.eye(3), 0.8)
    before, part = getattr(getattr(SCENE, path[0])[0], field), getattr(dragged.moved(SHIFT), path[0])[0]
    assert np.subtract(getattr(part, field), before) == pytest.approx(SHIFT, abs=1e-5)
    assert digits(*getattr(part, field)[:2]) <= len("0.31235")


def test_the_drag_of_an_end_keeps_the_stated_natural_length() -> None:
    dragged = DraggedPart(SCENE, ("spring", 0), np.zeros(3), np.eye(3), None, np.eye(3), 0.8)
    assert dragged.moved(SHIFT).spring[0].rest_length == EXACT


def test_the_anchor_of_a_string_has_no_digits_below_the_pointer() -> None:
    dragged = DraggedJoint(SCENE, ("joint", 0), np.zeros(3), np.eye(3), 0.8)
    anchor = dragged.moved(SHIFT).joint[0].anchor_first
    assert anchor == pytest.approx(SHIFT, abs=1e-5)
    assert digits(*anchor) <= len("-0.03457")


def test_the_length_that_a_string_gets_in_the_inspector_is_not_too_short() -> None:
    string = switched(SCENE, ("joint", 0, "length"), True, 0.1).joint[0]
    distance = np.linalg.norm(np.subtract((0.1, 0, 0.5), (0, 0, EXACT)))
    assert 0.0 <= string.length - distance <= 1e-4 * distance
    assert digits(string.length) <= len("0.39123")


def test_a_rotation_has_no_digits_below_the_pointer() -> None:
    about = np.array([0.36, 0.48, 0.8])
    turn = Orientation(axis=(0.36, 0.48, 0.8), angle=0.7123456789).matrix()
    turned = DraggedPart(SCENE, ("body", 0), np.zeros(3), np.eye(3), None, np.eye(3), 0.8).turned(turn).body[0]
    assert turned.orientation.angle == 0.7123
    assert turned.orientation.axis == pytest.approx(about, abs=1e-5)
    assert digits(*turned.orientation.axis) <= len("0.36000")
