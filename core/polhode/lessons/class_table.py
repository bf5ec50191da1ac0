"""The table of a class: a row for each hand-in, with its answers by step and with its problems.

Numbers of measurements, comparisons and own data are in SI; predictions and numbers that a check asks for are in the
unit of their step. Free text is as the student has written it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from polhode.data.csv_line import csv_line
from polhode.lessons.collect import ClassResult, Collected
from polhode.lessons.evaluation import Evaluation
from polhode.lessons.measures import shown_unit, unit_of
from polhode.scene.display.lesson import Lesson
from polhode.scene.problem import Problem

Cell = str | float | int | None
Row = dict[str, Cell]
DIGITS = 12


def rows_of(result: ClassResult, is_anonymous: bool, said: Callable[[Problem], str] = str) -> list[Row]:
    """Rows by the titles of columns, equal in all rows, in the order of `in_order`.

    is_anonymous: leaves out the names of students and of files
    said: text of a problem
    """
    files = in_order(result, is_anonymous)
    return [_row(result, number, each, is_anonymous, said) for number, each in enumerate(files, 1)]


def in_order(result: ClassResult, is_anonymous: bool) -> list[Collected]:
    """The hand-ins in the order of the files, or with `is_anonymous` of the times of their answers."""
    return sorted(result.files, key=_by_times) if is_anonymous else list(result.files)


def csv_text(rows: list[Row]) -> str:
    """The rows as a CSV file, in which a spreadsheet takes no text as a formula."""
    return "".join([csv_line(rows[0]), *(_line(row.values()) for row in rows)])


def _line(cells: Any) -> str:
    """A line of numbers and texts."""
    texts = (csv_line([cell])[:-1] if isinstance(cell, str) else _number(cell) for cell in cells)
    return ",".join(texts) + "\n"


def _number(cell: float | None) -> str:
    return "" if cell is None else f"{cell:.{DIGITS}g}"


def _by_times(each: Collected) -> list[float]:
    """Times of the answers, which an anonymous table is ordered by: they do not depend on names."""
    return [] if each.hand_in is None else [answer.at for answer in each.hand_in.answers]


def _row(result: ClassResult, number: int, each: Collected, is_anonymous: bool, said: Callable[[Problem], str]) -> Row:
    hand_in = each.hand_in
    row: Row = {"number": number}
    if not is_anonymous:
        row |= {"file": each.source, "name": hand_in.name if hand_in is not None else ""}
    row["problems"] = len(each.problems)
    row["variant"] = hand_in.variant if hand_in is not None else None
    row["minutes"] = hand_in.answers[-1].at / 60 if hand_in is not None and hand_in.answers else None
    if result.lesson is not None:
        row |= dict(_cells(result.lesson, each, _units(result)))
    if is_anonymous:  # the rule has names
        said = _without_name(said)
    row["messages"] = " | ".join(said(problem) for problem in each.problems)
    return row


def _without_name(said: Callable[[Problem], str]) -> Callable[[Problem], str]:
    return lambda problem: problem.place if problem.place == "name" else said(problem)


def _units(result: ClassResult) -> Mapping[str, str]:
    """Units of measured columns, as far as a hand-in was repeated."""
    return next((each.repetition.units for each in result.files if each.repetition and each.repetition.units), {})


def _cells(lesson: Lesson, each: Collected, units: Mapping[str, str]) -> Iterator[tuple[str, Cell]]:
    """Titles and cells of all steps; cells are None where there is no answer."""
    hand_in = each.hand_in
    answers = hand_in.answers if hand_in is not None and each.is_whole else ()
    evaluation = Evaluation(lesson, answers, ())
    for number, step in enumerate(lesson.step):
        value = evaluation.latest(number)
        title = f"step {number + 1} {step.kind}"
        for key, unit, cell in _of_step(lesson, number, value, units):
            yield " ".join(filter(None, (title, key, f"[{unit}]" if unit else ""))), cell
        if step.kind == "run":
            yield f"{title}s", sum(answer.step == number for answer in answers)


def _of_step(lesson: Lesson, number: int, value: Any, units: Mapping[str, str]) -> Iterator[tuple[str, str, Cell]]:
    """Names, units and cells of a step."""
    step = lesson.step[number]
    table = value if isinstance(value, dict) else {}
    match step.kind:
        case "predict" if step.predict == "number":
            yield "", step.unit, value
        case "predict" if step.predict == "choice":
            yield "", "", step.choices[value] if isinstance(value, int) and value < len(step.choices) else None
        case "measure":
            unit = step.unit if step.own_data else unit_of(step, units.get(step.of, ""))
            yield "", "SI" if step.own_data and unit else unit, table.get("value") if step.own_data else value
        case "compare":
            yield "difference", "", table.get("difference")
        case "explain":
            yield "", "", value
        case "check":
            if step.ask:
                yield "number", shown_unit(lesson, number, lambda name: units.get(name, "")), table.get("number")
            yield "passed", "", None if "passed" not in table else int(table["passed"])
