"""Differences between versions of a scene, by which views and panels decide what they rebuild."""

from __future__ import annotations

import pytest

from polhode.scene import gallery
from polhode.scene.fields import parse_path, with_value
from polhode.scene.scene_file import read_scene
from polhode_app.edit.scene_diff import SceneDiff

HEAVY_TOP = read_scene(gallery.path("heavy_top"))


@pytest.mark.parametrize(
    ("path", "value", "field", "invisible"),
    [
        ("world.gravity[2]", -1.6, "world", False),
        ("solver.time_step", 1e-4, "solver", True),
        ("title", "another", "title", True),
        ("body[0].friction", 1e-3, "body", True),
        ("body[0].position[0]", 0.1, "body", False),
        ("body[0].name", "renamed", "body", False),
    ],
)
def test_an_edit_of_one_value_differs_in_one_field(path: str, value: object, field: str, invisible: bool) -> None:
    diff = SceneDiff(HEAVY_TOP, with_value(HEAVY_TOP, parse_path(path), value))
    assert diff.is_edit
    assert diff.fields == {field}
    assert diff.is_only(field, "sensor")
    assert not diff.is_only("sensor")
    assert diff.is_invisible == invisible


def test_a_scene_read_twice_has_no_differences() -> None:
    diff = SceneDiff(HEAVY_TOP, read_scene(gallery.path("heavy_top")))
    assert diff.fields == set()
    assert diff.is_invisible


def test_another_document_differs_in_every_field() -> None:
    diff = SceneDiff(None, HEAVY_TOP)
    assert not diff.is_edit
    assert diff.fields == set(type(HEAVY_TOP).model_fields)
    assert not diff.is_invisible


def test_a_removed_item_is_visible() -> None:
    assert not SceneDiff(HEAVY_TOP, HEAVY_TOP.model_copy(update={"body": ()})).is_invisible


@pytest.mark.parametrize(("friction", "invisible"), [(0.3, True), (0.4, True), (0.03, False), (0.8, False)])
def test_a_friction_that_makes_a_wall_another_material_is_visible(friction: float, invisible: bool) -> None:
    slope = read_scene(gallery.path("rolling_9_impact_with_spin"))
    before = with_value(slope, parse_path("wall[0].kinetic_friction"), 0.25)
    diff = SceneDiff(before, with_value(before, parse_path("wall[0].kinetic_friction"), friction))
    assert diff.is_invisible == invisible
