"""Progress through a lesson: what is reached, what is computed, and what is valid still after a repetition."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from lesson_files import ENTERED, answer_step, finished, lesson_scene, ticks
from meaning import Meaning, refuses

from polhode.lessons.answers import MOST_RUNS
from polhode.lessons.evaluation import Evaluation, curve_difference
from polhode.lessons.lesson_run import run_lesson
from polhode.lessons.progress import Progress
from polhode.lessons.variants import variant_of, varied_scene
from polhode.scene.problem import InputError

NUMBER, RUN, MEASURE, COMPARE, CURVE = 1, 2, 3, 4, 5


def begun(upto: int = 0) -> Progress:
    """A lesson whose steps before one are answered."""
    clock = ticks()
    made = Progress(lesson_scene(), 0, "Ada", lambda: next(clock))
    while made.current < upto:
        answer_step(made)
        assert made.forward()
    return made


def test_the_scene_is_that_of_the_name() -> None:
    made = begun()
    assert made.variant == variant_of("Ada")
    assert made.scene == varied_scene(made.given, made.lesson, made.variant)


def test_a_step_is_left_only_when_it_is_answered() -> None:
    made = begun(NUMBER)
    assert not made.can_go_on
    assert not made.forward()
    made.answer(1000.0)
    assert made.can_go_on
    assert made.forward()
    assert made.current == RUN
    assert made.back()
    assert made.current == NUMBER


def test_a_finished_lesson_is_complete() -> None:
    made = finished("Ada")
    assert made.is_complete
    assert made.current == len(made.lesson.step) - 1
    assert not made.forward()
    times = [answer.at for answer in made.answers]
    assert times == sorted(set(times))


def test_measurements_are_those_of_the_run() -> None:
    made = begun(COMPARE)
    values = made.runs[0].run.columns["bob.u3.x"]
    rises = np.flatnonzero((values[:-1] < 0) & (values[1:] >= 0)) * made.scene.solver.time_step
    assert made.value_of(MEASURE) == pytest.approx(np.diff(rises).mean(), abs=made.scene.solver.time_step)
    found = made.answer()
    assert found == {
        "predicted": 1.1,
        "measured": made.value_of(MEASURE),
        "difference": pytest.approx(1.1 - made.value_of(MEASURE)),
    }


def test_a_curve_differs_by_the_root_mean_square() -> None:
    made = begun(CURVE + 3)
    run, given = made.runs[1].run, ENTERED["curve"]
    squares = []
    for time, value in zip(run.times, run.columns["bob.u3.x"], strict=True):
        if time <= made.lesson.step[CURVE].until:
            squares.append((np.interp(time, given["times"], given["values"]) - value) ** 2)  # type: ignore[index]
    expected = math.sqrt(sum(squares) / len(squares))
    assert made.value_of(CURVE + 2)["difference"] == pytest.approx(expected, rel=1e-12)


def test_a_curve_that_is_the_run_does_not_differ() -> None:
    made = begun(CURVE + 3)
    run, step = made.runs[1].run, made.lesson.step[CURVE]
    curve = {"times": run.times.tolist(), "values": run.columns[step.of].tolist()}
    assert curve_difference(step, curve, run)[0] == 0.0


def test_a_prediction_holds_once_a_run_has_begun() -> None:
    made = begun(NUMBER)
    made.answer(1000.0)
    made.answer(1100.0)
    made.forward()
    answer_step(made)
    made.back()
    assert made.is_locked(NUMBER)
    with refuses("step[1]", "holds"):
        made.answer(1117.5)
    assert made.value_of(NUMBER) == 1100.0


def test_a_repeated_run_makes_its_measurements_due_again() -> None:
    made = begun(CURVE)
    assert made.is_answered(COMPARE)
    while made.current > RUN:
        made.back()
    made.add_run({}, run_lesson(made.run_scene({}), made.step.until, made.columns))
    assert not made.is_answered(MEASURE)
    assert not made.is_answered(COMPARE)
    assert made.is_answered(NUMBER)
    before = made.value_of(MEASURE)
    assert made.forward()
    assert not made.forward()
    assert made.answer() != before
    assert made.run_of(MEASURE) is made.runs[1]


def test_the_same_answer_again_is_not_stored() -> None:
    made = begun(NUMBER)
    made.answer(1000.0)
    made.answer(1000.0)
    assert len(made.answers) == 2


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("number", "1.0"),
        ("number", math.nan),
        ("number", None),
        ("number", True),
        ("curve", {"times": [0.0, 1.0], "values": [1.0]}),
        ("curve", {"times": [1.0, 0.0], "values": [1.0, 2.0]}),
        ("curve", {"times": [0.0], "values": [0.0]}),
        ("curve", 3.0),
        ("choice", 3),
        ("choice", -1),
        ("choice", 1.0),
        ("own_data", {"times": [0.0, 1.0], "values": [1.0, 2.0]}),
        ("own_data", None),
        ("explain", ""),
        ("explain", "  "),
        ("check", None),
        ("check", "many"),
        ("check", math.inf),
    ],
)
def test_an_answer_of_another_form_is_refused(form: str, value: object) -> None:
    steps = {"number": NUMBER, "curve": CURVE, "choice": 8, "own_data": 13, "explain": 14, "check": 16}
    made = finished("Ada")
    again = Progress.restored(lesson_scene(), json.loads(json.dumps(made.as_json())))
    again.answers = again.answers[: steps[form]]
    again.current = steps[form]
    with pytest.raises(InputError) as refused:
        again.answer(value)
    assert refused.value.problems[0].place.startswith(f"step[{steps[form]}]")
    assert len(again.answers) == steps[form]


@pytest.mark.parametrize(
    ("values", "meaning"),
    [
        ({"world.gravity[2]": -1.0}, Meaning("step[2].values", "fields", path="world.gravity[2]")),
        ({"body[0].tilt[1]": 1.5}, Meaning("step[2].values", path="body[0].tilt[1]", value=1.5, low=-1.0, high=1.0)),
    ],
)
def test_values_that_the_step_does_not_allow_are_refused(values: dict[str, float], meaning: Meaning) -> None:
    made = begun(RUN)
    with refuses(meaning):
        made.run_scene(values)


def test_more_runs_than_a_hand_in_holds_are_refused() -> None:
    made = begun(RUN + 1)
    made.back()
    made.runs *= MOST_RUNS
    with refuses("step[2]", count=MOST_RUNS):
        made.run_scene({})


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "x" * 101])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        Progress(lesson_scene(), 0, name)


def test_progress_is_restored_from_json() -> None:
    made = finished("Ada")
    again = Progress.restored(lesson_scene(), json.loads(json.dumps(made.as_json())), lambda: 100.0)
    assert again.answers == made.answers
    assert again.current == made.current
    assert again.is_complete
    assert Evaluation(again.lesson, again.answers, again.runs).measurement(15) == made.value_of(15)
    assert again.elapsed == pytest.approx(made.elapsed, abs=2.0)


@pytest.mark.parametrize("key", ["title", "lesson", "answers", "runs", "current", "name"])
def test_progress_of_another_lesson_is_refused(key: str) -> None:
    data = finished("Ada").as_json()
    for changed in ({**data, key: 99}, {name: value for name, value in data.items() if name != key}):
        with pytest.raises(InputError):
            Progress.restored(lesson_scene(), changed)


def test_a_run_is_packed_once() -> None:
    made = begun(MEASURE)
    (first,) = made.as_json()["runs"]
    made.answer()
    assert made.as_json()["runs"][0] is first
    restored = Progress.restored(made.given, json.loads(json.dumps(made.as_json())))
    assert restored.as_json()["runs"] == made.as_json()["runs"]


def test_a_lesson_has_begun_with_an_answer_that_is_no_text() -> None:
    made = begun(NUMBER)
    assert made.answers
    assert not made.has_begun
    made.answer(1000.0)
    assert made.has_begun
