"""Values that lessons compute from answers: units of checks, and which answers contradict them."""

from __future__ import annotations

import time
from typing import Any

import pytest

from polhode.lessons.contradictions import contradictions, wrong_values
from polhode.lessons.evaluation import Answer, Evaluation
from polhode.lessons.hand_in import HandIn
from polhode.lessons.measures import factor_at, shown_unit
from polhode.scene.display.lesson import Lesson

DATA = {"times": [0.0, 1.0, 2.0], "values": [0.0, 0.25, 0.1], "file": "own.csv"}
UNITS = {"bob.u3.x": "m", "bob.angle": "rad"}


def lesson_of(*steps: dict[str, Any]) -> Lesson:
    return Lesson.model_validate({"title": "L", "step": [{"run": []}, *steps]})


def hand_in_of_answers(*answers: tuple[int, Any]) -> HandIn:
    """A hand-in without runs."""
    made = tuple(Answer(step, float(at), value) for at, (step, value) in enumerate(answers))
    return HandIn("a.handin", "1", "window", "", {}, 0, "L", "", 0, made, ())


OWN = {"measure": "maximum", "own_data": True}
CURVE = {"predict": "curve", "of": "bob.angle"}
ASK = {"check": {"absolute": 2.0}, "ask": "How much?"}


@pytest.mark.parametrize(
    ("steps", "unit", "factor"),
    [
        ([{"measure": "maximum", "of": "bob.u3.x", "unit": "mm"}, ASK], "mm", 1e-3),
        ([{"measure": "maximum", "of": "bob.u3.x", "unit": "mm"}, ASK | {"unit": "cm"}], "cm", 1e-2),
        ([{"measure": "maximum", "of": "bob.u3.x"}, ASK], "m", 1.0),
        ([{"measure": "period", "of": "bob.u3.x"}, ASK], "s", 1.0),
        ([OWN, ASK], "", 1.0),
        ([CURVE | {"unit": "deg"}, {"run": []}, {"check": {}}], "deg", 0.017453292519943295),
        ([CURVE, {"run": []}, {"compare": True}], "rad", 1.0),
        ([CURVE | {"unit": "deg"}, {"measure": "period", "of": "bob.u3.x", "unit": "ms"}, ASK], "ms", 1e-3),
        ([{"explain": "Why?"}], "", 1.0),
    ],
)
def test_numbers_of_a_check_are_in_the_unit_of_the_measured_value(
    steps: list[dict[str, Any]], unit: str, factor: float
) -> None:
    lesson = lesson_of(*steps)
    assert shown_unit(lesson, len(steps), lambda name: UNITS.get(name, "")) == unit
    assert factor_at(lesson, len(steps)) == pytest.approx(factor, rel=1e-15)


def test_a_check_without_an_own_unit_has_that_of_the_measurement() -> None:
    """0.25 m in mm: 251 mm agrees within `absolute` of 2 mm, 253 mm does not."""
    lesson = lesson_of(OWN | {"unit": "mm"}, ASK)
    evaluation = Evaluation(lesson, [Answer(1, 0.0, {"value": 0.25, **DATA})], ())
    assert evaluation.check(2, 251.0)["difference"] == pytest.approx(1e-3)
    assert [evaluation.check(2, number)["passed"] for number in (251.0, 253.0)] == [True, False]


@pytest.mark.parametrize("key", ["predicted", "measured", "difference"])
def test_each_number_is_compared_with_its_own_size(key: str) -> None:
    """A large prediction does not hide another measurement."""
    lesson = lesson_of({"predict": "number"}, OWN, {"compare": True})
    right = {"predicted": 1e9, "measured": 0.25, "difference": 1e9 - 0.25}
    before = (1, 1e9), (2, {"value": 0.25, **DATA})
    assert not [*wrong_values(hand_in_of_answers(*before, (3, right)), lesson, ())]
    wrong = right | {key: right[key] + {"predicted": 3.0, "measured": 0.1, "difference": 3.0}[key]}
    problems = [*wrong_values(hand_in_of_answers(*before, (3, wrong)), lesson, ())]
    assert [problem.rule.values["key"] for problem in problems] == [key]


def test_the_difference_of_nearly_equal_numbers_may_be_rounded() -> None:
    lesson = lesson_of(OWN, ASK)
    given = {"number": 0.25 + 1e-12, "measured": 0.25, "difference": 1.1e-12, "passed": True}
    assert not [*wrong_values(hand_in_of_answers((1, {"value": 0.25, **DATA}), (2, given)), lesson, ())]


def test_a_changed_prediction_after_a_run_is_found_among_many_answers() -> None:
    """In a time that is proportional to the number of answers."""
    lesson = lesson_of({"predict": "number"}, {"run": []}, {"explain": "Why?"})
    many = [(1, 1.0)] * 2 + [(3, "Because.")] * 10_000
    begun = time.process_time()
    found = contradictions(hand_in_of_answers((0, 0), (1, 1.0), (2, 0), *many), lesson)
    assert time.process_time() - begun < 1.0
    assert [problem.place for problem in found if "prediction" in problem.rule] == ["answers[3]", "answers[4]"]
