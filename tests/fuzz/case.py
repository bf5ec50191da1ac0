"""A reader as a target of fuzzing, a case, and what reading a case ends in."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, Problem
from polhode_app.i18n.language import set_language
from polhode_app.i18n.translation import translate_problem

ROOT = Path(__file__).parents[2]
LONGEST_PROBLEM = 6000  # characters of one problem in a message: a value of 400 characters may be written as escapes
ACCEPTED, REFUSED = "accepted", "refused"
UNDOCUMENTED, HANG, CRASH = "undocumented", "hang", "crash"
FAULTS = (UNDOCUMENTED, HANG, CRASH)


class Case(NamedTuple):
    """A file: its name and its bytes."""

    name: str
    content: bytes


class Outcome(NamedTuple):
    """Outcome of reading a case; the label is the same for cases with the same outcome."""

    kind: str
    label: str


class Refused(Exception):
    """A reader in another process refused a case; the text is the label of the outcome."""


@dataclass(frozen=True)
class Target:
    """A reader with its cases and limits."""

    name: str
    bases: Callable[[], list[Case]]  # whole inputs that are mutated, besides those of the corpus
    mutate: Callable[[Case, Sequence[Case], random.Random], Case]  # a case from one of these, and from all of them
    read: Callable[[Path, bytes], str]  # what the program does with a file; the label of an accepted one
    goal: int  # cases of a long campaign
    quick: int = 50  # new cases in the ordinary tests
    seconds: int = 10  # [s] processor time of a case
    memory: int = 4 * 2**30  # [bytes] that the process may use beyond what it had at its start
    unit: int = 1  # [cases] counted for each case: bytes, for a stream of them

    def case(self, number: int, known: Sequence[Case]) -> Case:
        """The case of a number, made of the `known` ones."""
        chance = random.Random(number)
        return self.mutate(chance.choice(known), known, chance)

    def outcome(self, path: Path) -> Outcome:
        """Read a file and say what that ended in."""
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                outcome = Outcome(ACCEPTED, self.read(path, path.read_bytes()))
            except (InputError, InvalidValue, Refused) as error:
                outcome = _refusal(error)
            except Exception as error:  # noqa: BLE001  (the faults that are looked for)
                outcome = Outcome(UNDOCUMENTED, _described(error))
        if warned and outcome.kind not in FAULTS:
            return Outcome(UNDOCUMENTED, _warned(warned[0]))
        return outcome


def _refusal(error: Exception) -> Outcome:
    """The outcome of a refusal: undocumented where its message is not one that a user can read."""
    if isinstance(error, Refused):
        return Outcome(REFUSED, str(error))
    problems = error.problems if isinstance(error, InputError) else (error.problem,)
    if not problems:
        return Outcome(UNDOCUMENTED, "an error without a problem")
    for problem in problems:
        if wrong := _wrong_with(problem):
            return Outcome(UNDOCUMENTED, f"message {wrong}: {_template(problem.rule)[:200]}")
    return Outcome(REFUSED, _template(problems[0].rule))


def _template(text: str) -> str:
    """The template of a message with those of the messages among its values; numbers in it become #."""
    if not isinstance(text, Message):
        return "not a Message"
    inner = [_template(value) for value in text.values.values() if isinstance(value, Message)]
    return " / ".join([re.sub(r"0x[0-9a-f]+|\d+", "#", text.template), *inner])


def _wrong_with(problem: Problem) -> str:
    """Defect of a message, in either language; "" if there is none."""
    if not problem.rule.strip() or not problem.remedy.strip():
        return "without rule or remedy"
    for language in ("en", "ja"):
        set_language(language)
        text = translate_problem(problem)
        if len(text) > LONGEST_PROBLEM:
            return "too long"
        if "\n" in text or "\x1b" in text:
            return "not printable"
    set_language("en")
    if "MemoryError" in problem.rule or "Unable to allocate" in problem.rule:
        return "about the memory of the process"
    return ""


def _described(error: Exception) -> str:
    """Type of an exception, and the last line of the program in its traceback."""
    at, frame = "", error.__traceback__
    while frame is not None:
        file = Path(frame.tb_frame.f_code.co_filename)
        if file.is_relative_to(ROOT / "core") or file.is_relative_to(ROOT / "app"):
            at = f"{file.relative_to(ROOT)}:{frame.tb_lineno}"
        frame = frame.tb_next
    return f"{type(error).__name__} at {at}: {str(error)[:120]}"


def _warned(warning: warnings.WarningMessage) -> str:
    """A warning that a user would see on the terminal, and its line."""
    file = Path(warning.filename)
    shown = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file.name
    return f"{warning.category.__name__} at {shown}:{warning.lineno}: {str(warning.message)[:120]}"
