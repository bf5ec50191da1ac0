"""Lessons follow items that are reordered, renamed and removed, and fields that a teacher has changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from lesson_scenes import PENDULUM, WHOLE

from polhode.scene import gallery
from polhode.scene.checks.lesson_rules import lesson_problems
from polhode.scene.fields import with_value
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene, scene_of_text
from polhode.scene.scene_writing import scene_text
from polhode_app.data.lessons.recorded_lesson import RecordedLesson
from polhode_app.edit.parts import renamed, reordered, without

ANOTHER = PENDULUM.split("[[body]]")[1].replace('"rod"\nsupport', '"other"\nsupport')


@pytest.fixture
def scene() -> Scene:
    return scene_of_text((PENDULUM + "[[body]]" + ANOTHER + WHOLE).encode(), "lesson", Path())


def test_paths_follow_a_reordered_item(scene: Scene) -> None:
    lesson = reordered(scene, ("body", 0), 1).lesson[0]
    assert list(lesson.vary) == ["body[1].shape[0].length"]
    assert lesson.step[4].run == ("body[1].tilt[1]",)
    assert list(lesson.step[4].range) == ["body[1].tilt[1]"]


def test_columns_follow_a_renamed_item(scene: Scene) -> None:
    assert renamed(scene, ("body", 0), "bar").lesson[0].step[5].of == "bar.u3.x"
    assert renamed(scene, ("body", 1), "bar").lesson[0] is not None
    assert renamed(scene, ("body", 1), "bar").lesson[0].step[5].of == "rod.u3.x"


def test_fields_of_a_removed_item_are_left_out(scene: Scene) -> None:
    left = without(scene, ("body", 0)).lesson[0]
    assert (dict(left.vary), left.step[4].run, dict(left.step[4].range)) == ({}, (), {})
    assert without(scene, ("body", 1)).lesson == scene.lesson


def test_a_recorded_lesson_has_the_changed_fields_and_keeps_the_scene(scene: Scene) -> None:
    plain = scene.model_copy(update={"lesson": ()})
    recorded = RecordedLesson(plain)
    recorded.add({"predict": "number", "unit": "s", "ask": "How long?"})
    changed = plain.with_values({"body[0].friction": 0.01, "world.gravity[2]": -1.6})
    recorded.follow(changed)
    recorded.add_run(4.06)
    recorded.add_run(7.0)  # goes on with the same run
    recorded.add({"measure": "period", "of": "rod.u3.x"})
    made = recorded.finished(changed, "Friction")
    (lesson,) = made.lesson
    assert lesson.step[1].run == ("world.gravity[2]", "body[0].friction")
    assert lesson.step[1].until == 7.0
    assert (made.body, made.world) == (plain.body, plain.world)
    assert not lesson_problems(made)
    assert scene_of_text(scene_text(made).encode(), "written", Path()).lesson == made.lesson


def test_a_recorded_lesson_follows_items(scene: Scene) -> None:
    plain = scene.model_copy(update={"lesson": ()})
    recorded = RecordedLesson(plain)
    changed = plain.with_values({"body[0].friction": 0.01, "body[1].friction": 0.02})
    assert not recorded.follow(changed)
    recorded.add_run(4.0)
    recorded.add({"measure": "period", "of": "rod.u3.x"})
    moved = renamed(reordered(changed, ("body", 0), 1), ("body", 1), "bar")
    assert not recorded.follow(reordered(changed, ("body", 0), 1))
    assert not recorded.follow(moved)
    assert recorded.changed == {"body[0].friction": 0.0, "body[1].friction": 0.0}
    assert recorded.steps[0]["run"] == ["body[1].friction", "body[0].friction"]
    assert recorded.steps[1]["of"] == "bar.u3.x"
    left = without(moved, ("body", 0))
    assert recorded.follow(left) == ["body[0].friction"]
    assert recorded.fields == recorded.steps[0]["run"] == ["body[0].friction"]
    recorded.add({"explain": "Why?"})
    recorded.move(2, -2)
    assert not recorded.follow(left.with_values({"world.gravity[2]": -1.6}))
    assert not recorded.follow(left)
    assert not recorded.follow(moved)  # by undo
    assert recorded.changed == {"body[0].friction": 0.0, "body[1].friction": 0.0}
    assert [step.get("run") for step in recorded.steps] == [None, ["body[1].friction", "body[0].friction"], None]
    assert recorded.follow(left) == ["body[0].friction"]
    made = recorded.finished(left, "Followed")
    assert made.body[0].name == "bar"
    assert made.body[0].friction == 0.0
    assert not lesson_problems(made)


def test_a_recorded_lesson_follows_shapes(scene: Scene) -> None:
    plain = with_value(scene, ("body", 0, "shape"), (*scene.body[0].shape, *scene.body[1].shape))
    plain = plain.with_values({"body[0].shape[1].length": 0.3})
    recorded = RecordedLesson(plain)
    changed = plain.with_values({"body[0].shape[1].mass": 0.4})
    recorded.follow(changed)
    assert recorded.changed == {"body[0].shape[1].mass": 0.2}
    recorded.follow(without(changed, ("body", 0, "shape", 0)))
    assert recorded.changed == {"body[0].shape[0].mass": 0.2}


@pytest.mark.parametrize(
    ("title", "steps", "place"),
    [("", [{"run": []}], "title"), ("No run", [{"text": "Look."}], "lesson[0].step")],
)
def test_a_lesson_that_breaks_a_rule_is_refused(title: str, steps: list[dict], place: str, scene: Scene) -> None:
    plain = scene.model_copy(update={"lesson": ()})
    recorded = RecordedLesson(plain)
    for step in steps:
        recorded.add(step)
    with pytest.raises(InputError) as caught:
        recorded.finished(plain, title)
    assert str(caught.value.problems[0].place) == place


def test_a_step_that_breaks_a_rule_is_refused(scene: Scene) -> None:
    with pytest.raises(InputError, match="choices"):
        RecordedLesson(scene).add({"predict": "choice", "choices": ("one",)})


def test_whole_numbers_become_no_fields_of_runs() -> None:
    magnets = read_scene(gallery.path("catching_magnets"))
    recorded = RecordedLesson(magnets)
    path = ("body", 0, "shape", 0, "magnet", "dipoles")
    recorded.follow(with_value(with_value(magnets, path, 65), ("body", 0, "friction"), 0.01))
    assert recorded.fields == ["body[0].friction"]
