"""Items have the names of the tree in messages, names of numbers and headings, in the language of the window."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.scene import gallery
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene_file import read_scene, scene_of
from polhode_app.edit.transform import with_origin
from polhode_app.i18n.item_names import item_title, named_all
from polhode_app.i18n.language import in_language
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.i18n.translation import translate, translate_error

BALL = {"kind": "sphere", "radius": 0.1, "mass": 1}
BOB = {"name": "bob", "shape": [BALL], "inertia": {"mass": 1, "center": [0, 0, 0], "tensor": np.eye(3).tolist()}}


def test_a_message_about_an_item_has_its_translated_name() -> None:
    with pytest.raises(InputError) as refused:
        with_origin(scene_of({"format": 2, "body": [BOB]}, "scene"), 0, np.ones(3))
    with in_language("ja"):
        assert "おもり (bob)" in translate_error(refused.value)
    assert "(bob)" not in translate_error(refused.value)
    assert "bob" in translate_error(refused.value)


def test_names_outside_of_quotes_stay_as_files_have_them() -> None:
    with in_language("ja"):
        assert translate(Message("{name} = ...", name="bob")) == "bob = ..."
        assert translate(Message("'{file}'", file="bob")) == "'bob'"
        assert translate(Message("'{name}'", name="mine")) == "'mine'"


def test_numbers_and_lists_of_items_have_the_names_of_the_tree() -> None:
    scene = read_scene(gallery.path("pendulum_wave"))
    with in_language("ja"):
        assert parameter_name(scene, "body[0].friction").startswith("おもり 0 (bob0):")
        assert named_all(["bob0", "mine"]) == "おもり 0 (bob0), mine"
        assert item_title(scene, ("body", 0)) == "おもり 0 (bob0)"
    assert parameter_name(scene, "body[0].friction").startswith("bob0:")
    assert item_title(scene, ("body", 0)) == "bob0"


def test_springs_are_called_by_their_ends_and_shapes_by_their_kind() -> None:
    scene = read_scene(gallery.path("course_6_chain"))
    with in_language("ja"):
        assert item_title(scene, ("spring", 1)) == "玉 1 (ball1) – 玉 2 (ball2)"
    assert item_title(scene, ("spring", 1)) == "ball1 – ball2"
    assert item_title(read_scene(gallery.path("heavy_top")), ("body", 0, "shape", 0)) == "cone"
