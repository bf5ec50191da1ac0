"""Scenes changed in Python: values by path, constructors, and copies, all with the messages of files."""

from __future__ import annotations

import time
from math import inf, nan

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.physics.bodies.shapes import Cuboid, Orientation
from polhode.scene import gallery
from polhode.scene.checks.changed_parts import validated
from polhode.scene.part import ScenePart
from polhode.scene.problem import InputError
from polhode.scene.scene import Body, Scene
from polhode.scene.scene_file import read_scene, scene_of, tables_of
from polhode.scene.scene_writing import scene_text
from polhode.scene.variants.numbers import tilted
from polhode.simulation.simulation import Simulation

TOP = read_scene(gallery.path("heavy_top"))
BOX = Cuboid(size=(1, 1, 1), mass=1)


def test_values_by_path_make_another_scene_and_leave_the_first() -> None:
    values = {"body[0].friction": 0.1, "solver.time_step": 1e-4, "world.gravity[2]": -1.6, "title": "Slow"}
    made = TOP.with_values(values)
    assert (made.body[0].friction, made.solver.time_step, made.world.gravity[2], made.title) == (
        0.1,
        1e-4,
        -1.6,
        "Slow",
    )
    assert TOP.body[0].friction == 0.0
    assert made.body[0].shape is TOP.body[0].shape, "unchanged parts are the same objects"
    assert made.folder == TOP.folder
    assert TOP.with_values({}) is TOP


def test_vectors_parts_and_joint_rules_are_checked_together() -> None:
    shape = {"body[0].shape[0].density": None, "body[0].shape[0].mass": np.float64(0.1)}
    made = TOP.with_values({**shape, "body[0].velocity": np.zeros(3), "body[0].shape[1]": BOX})
    assert (made.body[0].shape[0].mass, made.body[0].shape[1], made.body[0].velocity) == (0.1, BOX, (0.0, 0.0, 0.0))
    with refuses("body[0].shape[0]", "mass", "density"):
        TOP.with_values({"body[0].shape[0].mass": 0.1})


def test_a_tilt_turns_the_start() -> None:
    made = TOP.with_values({"body[0].tilt[0]": 0.1, "body[0].friction": 0.5})
    assert made.body[0].orientation == tilted(TOP, 0, np.array([0.1, 0.0, 0.0]))
    assert made.body[0].friction == 0.5


@pytest.mark.parametrize(
    ("values", "meaning"),
    [
        ({"body[0].fricton": 5}, Meaning("body[0].fricton", near="body[0].friction")),
        ({"bodi[0].friction": 5}, Meaning("bodi[0].friction", near="body")),
        ({"body[7].friction": 5}, Meaning("body[7].friction", path="body", count=1)),
        ({"body[0].friction.x": 5}, Meaning("body[0].friction.x", path="body[0].friction")),
        ({"body[0].shape[0].magnet.dipoles": 5}, Meaning("body[0].shape[0].magnet.dipoles", "stated")),
        ({"body 0": 5}, Meaning("body 0", text="body 0")),
        ({"body[0].friction": -5}, Meaning("body[0].friction", "least", value="-5")),
        ({"body[0].friction": nan}, Meaning("body[0].friction", "finite")),
        ({"body[0].friction": "1"}, Meaning("body[0].friction", "quotes")),
        ({"body[0].support": "pivott"}, Meaning("body[0].support", near="pivot")),
        ({"body[0].tilt[0]": inf}, Meaning("body[0].tilt[0]", "finite")),
        ({"body[0].position": (0, 0)}, Meaning("body[0].position", needed=3)),
        ({"body": (), "view.hide": ("nobody",)}, Meaning("", name="nobody")),
    ],
)
def test_wrong_paths_and_values_are_refused_with_their_place(values: dict[str, object], meaning: Meaning) -> None:
    with refuses(meaning):
        TOP.with_values(values)


def test_all_problems_are_listed_at_once() -> None:
    with pytest.raises(InputError) as stop:
        TOP.with_values({"body[0].friction": -5, "solver.time_step": nan, "world.gravity[0]": "g("})
    assert [each.place for each in stop.value.problems] == [
        "body[0].friction",
        "solver.time_step",
        "world.gravity[0]",
    ]


def test_constructors_refuse_as_files_do() -> None:
    with refuses("bodies", near="body"):
        Scene(bodies=())  # type: ignore[call-arg]
    with refuses("size", needed=3):
        Cuboid(size=(1, 2), mass=1)  # type: ignore[arg-type]
    with refuses("", "mass", "density"):
        Cuboid(size=(1, 1, 1))
    with refuses("body[0].support", near="pivot"):
        Scene(body=[{"name": "a", "support": "pivott", "shape": [BOX]}])  # type: ignore[list-item, arg-type]
    assert Body(name="a", position=np.array([0, 0, 1]), shape=(BOX,)).position == (0, 0, 1)  # type: ignore[arg-type]


def test_parts_of_another_class_and_a_single_part_for_a_list_are_refused() -> None:
    with refuses("shape", "list", "brackets"):
        Body(name="a", shape=BOX)  # type: ignore[arg-type]
    with refuses("body[0]", name="Body"):
        Scene(body=[BOX])  # type: ignore[list-item, arg-type]
    with refuses("body[0].shape", "list"):
        Scene(body=[{"name": "a", "shape": 5}])  # type: ignore[list-item, arg-type]


def test_a_part_that_is_changed_names_the_remedy() -> None:
    body = Body(name="a", shape=(BOX,))
    with refuses("friction", "Scene.with_values"):
        body.friction = 1.0  # type: ignore[misc]
    assert body.friction == 0.0


def test_the_place_of_a_color_is_that_of_the_file() -> None:
    for color, place in (("blurb", "sphere[0].color"), (["red", "blurb"], "sphere[0].color[1]")):
        with refuses(place, near="blue"):
            scene_of({"sphere": [{"name": "a", "mass": 1, "radius": 1, "color": color}]}, "test")


def test_a_scene_of_constructors_is_the_same_as_from_its_file() -> None:
    scene = Scene(
        body=(Body(name="box", support="free", shape=(BOX,), orientation=Orientation(axis=(0, 0, 1), angle=1)),)
    )
    assert scene_of(tables_of(scene_text(scene), "text"), "text") == scene


@pytest.mark.parametrize(
    ("changes", "meaning"),
    [
        ({"fricton": 5}, Meaning("body[0].fricton", near="friction")),
        ({"friction": -5}, Meaning("body[0].friction", "least")),
        ({"friction": nan}, Meaning("body[0].friction", "finite")),
        ({"friction": "1"}, Meaning("body[0].friction", "quotes")),
        ({"support": "pivott"}, Meaning("body[0].support", near="pivot")),
        ({"shape": ()}, Meaning("body[0].shape", needed=1)),
        ({"shape": 5}, Meaning("body[0].shape", "list")),
    ],
)
def test_copies_with_wrong_values_are_refused_before_they_run(changes: dict[str, object], meaning: Meaning) -> None:
    wrong = TOP.model_copy(update={"body": (TOP.body[0].model_copy(update=changes),)})
    with refuses(meaning):
        Simulation(wrong)
    simulation = Simulation(TOP)
    with refuses(meaning):
        simulation.load(wrong)
    assert simulation.scene is TOP


def test_copies_with_lists_in_place_of_tuples_run() -> None:
    body = TOP.body[0].model_copy(update={"position": [0.0, 0.0, 0.5], "angular_velocity": np.ones(3)})
    made = validated(TOP.model_copy(update={"body": [body]}))
    assert made.body[0].position == (0.0, 0.0, 0.5)
    assert made.body[0].angular_velocity == (1.0, 1.0, 1.0)
    assert isinstance(made.body, tuple)
    assert made.folder == TOP.folder


def test_every_builtin_scene_is_valid_as_it_is_and_after_a_copy_of_all_parts() -> None:
    for name in gallery.scene_names():
        scene = read_scene(gallery.path(name))
        assert validated(scene) is scene
        copied = scene.model_copy(deep=True)
        assert not any(getattr(part, "is_validated", False) for part in (copied, copied.world, *copied.body))
        assert validated(copied) == scene


def test_a_validated_scene_costs_less_than_a_millisecond() -> None:
    validated(TOP)
    begun = time.thread_time()
    for _ in range(100):
        validated(TOP)
    assert time.thread_time() - begun < 0.1, "100 times 1 ms; it takes a twentieth"


def test_the_base_of_all_parts_has_no_field() -> None:
    assert ScenePart.model_fields == {}
