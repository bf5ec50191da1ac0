"""Rules of lessons in scene files: each with its place, value and remedy."""

from __future__ import annotations

import pytest
from lesson_files import lesson_scene
from meaning import Meaning, refuses

from polhode.engine.compile import build
from polhode.lessons.lesson_columns import check_lessons, columns_of_lesson
from polhode.lessons.lesson_run import check_repeatable
from polhode.mesh.mesh import Meshes
from polhode.scene.checks.lesson_rules import lesson_problems
from polhode.scene.display.lesson import KINDS
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import scene_text

BODY = """
[[body]]
name = "bob"
support = "pivot"
shape = [{ kind = "cuboid", size = [0.02, 0.02, 0.4], density = 1000, position = [0, 0, 0.2] }]
"""
RUN, MEASURE = "{ run = [] }", '{ measure = "maximum", of = "bob.u3.x" }'
WHOLE = "body[0].shape[0].magnet.dipoles"
NUMBER = '{ predict = "number" }'


def scene_with(*steps: str, more: str = "") -> Scene:
    """A scene with a lesson of these steps. Raises InputError."""
    return lesson_scene(f'{BODY}\n[[lesson]]\ntitle = "L"\n{more}\nstep = [{", ".join(steps)}]\n')


@pytest.mark.parametrize(
    ("steps", "meaning"),
    [
        (['{ text = "a" }'], Meaning("lesson[0].step", "run", "[]")),
        ([RUN, "{}"], Meaning("lesson[0].step[1]", "text", kinds=", ".join(KINDS))),
        ([RUN, '{ run = [], explain = "a" }'], Meaning("lesson[0].step[1]", "two", first="run", second="explain")),
        (['{ predict = "choice", choices = ["a"] }', RUN], Meaning("lesson[0].step[0].choices", count=1)),
        (
            ['{ predict = "choice", choices = ["a", "b"], bounds = [1.0, 2.0] }', RUN],
            Meaning("lesson[0].step[0].bounds", count=2, choices=2),
        ),
        (
            ['{ predict = "choice", choices = ["a", "b", "c"], bounds = [2.0, 1.0] }', RUN],
            Meaning("lesson[0].step[0].bounds", "increase", "sort"),
        ),
        (['{ predict = "curve" }', RUN], Meaning("lesson[0].step[0]", "quantity", "of")),
        (
            ['{ run = [], range = { "solver.time_step" = [1e-3, 2e-3] } }'],
            Meaning("lesson[0].step[0].range", "run", path="solver.time_step"),
        ),
        (
            ['{ run = ["body[0].tilt[0]"], range = { "body[0].tilt[0]" = [1.0, 1.0] } }'],
            Meaning("lesson[0].step[0].range", "smaller", path="body[0].tilt[0]", low=1.0, high=1.0),
        ),
        ([RUN, '{ measure = "period" }'], Meaning("lesson[0].step[1]", "quantity", "own_data")),
        ([MEASURE, RUN], Meaning("lesson[0].step[0]", kind="measure", needed="run")),
        (
            [RUN, '{ measure = "maximum", of = "bob.u3.x", relative = true }'],
            Meaning("lesson[0].step[1]", "relative", kind="measure", needed="measure"),
        ),
        ([RUN, "{ compare = true }"], Meaning("lesson[0].step[1]", kind="compare", needed="predict")),
        ([NUMBER, RUN, "{ compare = true }"], Meaning("lesson[0].step[2]", kind="compare", needed="measure")),
        ([RUN, '{ check = {}, ask = "How much?" }'], Meaning("lesson[0].step[1]", kind="check", needed="measure")),
        (
            ['{ predict = "choice", choices = ["a", "b"] }', RUN, MEASURE, "{ check = {} }"],
            Meaning("lesson[0].step[3]", kind="check", needed="bounds"),
        ),
        (
            ["{ run = [], until = 2.0 }", '{ measure = "value", of = "bob.u3.x", at = 2.5 }'],
            Meaning("lesson[0].step[1].at", "earlier", at=2.5, until=2.0),
        ),
    ],
)
def test_a_lesson_that_is_none_is_refused(steps: list[str], meaning: Meaning) -> None:
    with refuses(meaning):
        scene_with(*steps)


@pytest.mark.parametrize(
    ("more", "steps", "meaning"),
    [
        ('vary = { "body[0].mas" = [1.0, 2.0] }', [RUN], Meaning("lesson[0].vary", "number", text="body[0].mas")),
        (
            'vary = { "body[0].shape[0].density" = [-1.0, 2.0] }',
            [RUN],
            Meaning("lesson[0].vary", path="body[0].shape[0].density"),
        ),
        ("", ['{ run = ["body[1].tilt[0]"] }'], Meaning("lesson[0].step[0].run", number=1)),
        ("", ['{ predict = "number", unit = "fortnight" }', RUN], Meaning("lesson[0].step[0].unit", unit="fortnight")),
        (
            "",
            [RUN, '{ measure = "maximum", of = "bob.u3.w" }'],
            Meaning("lesson[0].step[1].of", "column", name="bob.u3.w"),
        ),
        ("", ['{ predict = "curve", of = "bob.u3" }', RUN], Meaning("lesson[0].step[0].of", "column", name="bob.u3")),
    ],
)
def test_a_step_that_names_what_the_scene_lacks_is_refused(more: str, steps: list[str], meaning: Meaning) -> None:
    scene = scene_with(*steps, more=more)
    with refuses(meaning) as refused:
        check_lessons(scene, build(scene, Meshes()))
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize(
    ("more", "step", "place"),
    [
        (f'vary = {{ "{WHOLE}" = [1.0, 100.0] }}', RUN, "lesson[0].vary"),
        ("", f'{{ run = ["{WHOLE}"] }}', "lesson[0].step[0].run"),
    ],
)
def test_a_lesson_changes_no_whole_numbers(more: str, step: str, place: str) -> None:
    """Values of lessons are any numbers between two ends, which such a field refuses."""
    body = BODY.replace("density =", "magnet = { moment = [0, 0, 1] }, density =")
    scene = lesson_scene(f'{body}\n[[lesson]]\ntitle = "L"\n{more}\nstep = [{step}]\n')
    problem, *others = lesson_problems(scene)
    assert not others
    assert Meaning(place, "whole", path=WHOLE).of(problem)


def test_a_range_of_vary_must_not_be_empty() -> None:
    with refuses("lesson[0].vary", "smaller", path="world.gravity[2]", low=-9.0, high=-10.0):
        scene_with(RUN, more='vary = { "world.gravity[2]" = [-9.0, -10.0] }')


def test_a_scene_whose_runs_need_a_sensor_has_no_lesson() -> None:
    scene = scene_with(RUN).model_dump()
    scene["sensor"] = {"source": "serial", "drive": [{"parameter": "world.gravity[2]", "offset": -9.81}]}
    with pytest.raises(InputError) as refused:
        check_repeatable(Scene.model_validate(scene))
    assert [problem.place for problem in refused.value.problems] == ["sensor.drive", "sensor.source"]


def test_each_measured_column_is_sampled_once() -> None:
    assert columns_of_lesson(lesson_scene().lesson[0]) == ("bob.u3.x",)


def test_a_scene_with_a_lesson_is_written_and_read_again() -> None:
    scene = lesson_scene()
    assert lesson_scene(scene_text(scene)) == scene
