"""Rules of lessons in scene files: each with its place, value and remedy."""

from __future__ import annotations

import pytest
from lesson_files import lesson_scene

from polhode.engine.compile import build
from polhode.lessons.lesson_columns import check_lessons, columns_of_lesson
from polhode.lessons.lesson_run import check_repeatable
from polhode.mesh.mesh import Meshes
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
NUMBER = '{ predict = "number" }'


def scene_with(*steps: str, more: str = "") -> Scene:
    """A scene with a lesson of these steps. Raises InputError."""
    return lesson_scene(f'{BODY}\n[[lesson]]\ntitle = "L"\n{more}\nstep = [{", ".join(steps)}]\n')


def problem_of(scene: Scene) -> str:
    """The one problem of compiling a scene, or of its lessons then."""
    with pytest.raises(InputError) as refused:
        check_lessons(scene, build(scene, Meshes()))
    assert len(refused.value.problems) == 1
    return str(refused.value.problems[0])


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (['{ text = "a" }'], "lesson[0].step: has no run; add a step with run = [], or with fields to change"),
        (
            [RUN, "{}"],
            "lesson[0].step[1]: has neither a text nor one of predict, run, measure, compare, explain, check",
        ),
        ([RUN, '{ run = [], explain = "a" }'], "lesson[0].step[1]: has run and explain; make two steps of it"),
        (
            ['{ predict = "choice", choices = ["a"] }', RUN],
            "lesson[0].step[0].choices: has 1 choices; state at least two",
        ),
        (
            ['{ predict = "choice", choices = ["a", "b"], bounds = [1.0, 2.0] }', RUN],
            "lesson[0].step[0].bounds: has 2 bounds of 2 choices; state one bound less than there are choices",
        ),
        (
            ['{ predict = "choice", choices = ["a", "b", "c"], bounds = [2.0, 1.0] }', RUN],
            "lesson[0].step[0].bounds: do not increase; sort the bounds, and the choices with them",
        ),
        (['{ predict = "curve" }', RUN], "lesson[0].step[0]: predicts a curve of no quantity; add of = ..."),
        (
            ['{ run = [], range = { "solver.time_step" = [1e-3, 2e-3] } }'],
            "lesson[0].step[0].range: 'solver.time_step' is not one of the fields of run; add it there",
        ),
        (
            ['{ run = ["body[0].tilt[0]"], range = { "body[0].tilt[0]" = [1.0, 1.0] } }'],
            "lesson[0].step[0].range: of 'body[0].tilt[0]' is from 1 to 1; state the smaller value first",
        ),
        ([RUN, '{ measure = "period" }'], "lesson[0].step[1]: measures no quantity; add of = ..., or own_data = true"),
        (
            [MEASURE, RUN],
            "lesson[0].step[0]: has measure, and no step before it has run; add a step with run = [] before it",
        ),
        (
            [RUN, '{ measure = "maximum", of = "bob.u3.x", relative = true }'],
            "lesson[0].step[1]: has measure, and no step before it has measure; remove relative, or measure twice",
        ),
        (
            [RUN, "{ compare = true }"],
            "lesson[0].step[1]: has compare, and no step before it has predict; "
            "add a step with predict = ... before it",
        ),
        (
            [NUMBER, RUN, "{ compare = true }"],
            "lesson[0].step[2]: has compare, and no step before it has measure; "
            "add a step with measure = ... before it",
        ),
        (
            [RUN, '{ check = {}, ask = "How much?" }'],
            "lesson[0].step[1]: has check, and no step before it has measure; add a step with measure = ... before it",
        ),
        (
            ['{ predict = "choice", choices = ["a", "b"] }', RUN, MEASURE, "{ check = {} }"],
            "lesson[0].step[3]: has check, and no step before it has bounds; "
            "add bounds = ... to the prediction, at which its choices part",
        ),
    ],
)
def test_a_lesson_that_is_none_is_refused(steps: list[str], said: str) -> None:
    with pytest.raises(InputError) as refused:
        scene_with(*steps)
    assert said in "\n".join(map(str, refused.value.problems))


@pytest.mark.parametrize(
    ("more", "steps", "said"),
    [
        (
            'vary = { "body[0].mas" = [1.0, 2.0] }',
            [RUN],
            "lesson[0].vary: 'body[0].mas' is no number of the scene; did you mean",
        ),
        (
            'vary = { "body[0].shape[0].density" = [-1.0, 2.0] }',
            [RUN],
            "lesson[0].vary: 'body[0].shape[0].density': ",
        ),
        ("", ['{ run = ["body[1].tilt[0]"] }'], "lesson[0].step[0].run: the scene has no body 1 that can be tilted"),
        (
            "",
            ['{ predict = "number", unit = "fortnight" }', RUN],
            "lesson[0].step[0].unit: 'fortnight' is no known unit; ",
        ),
        (
            "",
            [RUN, '{ measure = "maximum", of = "bob.u3.w" }'],
            "lesson[0].step[1].of: the table has no column 'bob.u3.w'; did you mean 'bob.u3.",
        ),
        (
            "",
            ['{ predict = "curve", of = "bob.u3" }', RUN],
            "lesson[0].step[0].of: the table has no column 'bob.u3'; did you mean 'bob.u3.",
        ),
    ],
)
def test_a_step_that_names_what_the_scene_lacks_is_refused(more: str, steps: list[str], said: str) -> None:
    assert problem_of(scene_with(*steps, more=more)).startswith(said)


def test_a_range_of_vary_must_not_be_empty() -> None:
    with pytest.raises(InputError, match="state the smaller value first"):
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
