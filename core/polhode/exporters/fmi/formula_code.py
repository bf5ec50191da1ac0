"""Formulas as steps that the library of FMUs interprets (core/polhode/compilation/fmi_library/source/formulas.c)."""

from __future__ import annotations

from polhode.exporters.fmi.words import Words
from polhode.formulas.codegen import FormulaTemplate
from polhode.formulas.expression import FUNCTIONS
from polhode.jit.libm.by_name import name_of_unit
from polhode.scene.message import Message
from polhode.scene.problem import InputError

OPERATIONS = (
    *("number", "variable", "power", "table", "+", "-", "*", "/", "min", "max", "abs", "neg", "floor", "sqrt", "sign"),
    *("function of 1", "function of 2"),
)
"""Operations by their numbers, which formulas.h has, too."""
MOST_STEPS, MOST_FORMULAS = 8192, 256  # as there


def write_formula(words: Words, form: FormulaTemplate) -> None:
    """Write the steps of a form, and which of them are results."""
    words.whole(len(form.steps), len(form.results))
    for head, arguments in form.steps:
        _write_step(words, form, str(head) if arguments else "variable", str(head), arguments)
    words.whole(*form.results)


def _write_step(words: Words, form: FormulaTemplate, kind: str, head: str, arguments: tuple[int, ...]) -> None:
    """Write operation, first and second argument of a step, then the name of the unit that it calls, if any."""
    if kind == "variable":
        words.whole(OPERATIONS.index(kind), form.variables.index(head), 0)
    elif kind in OPERATIONS:
        words.whole(OPERATIONS.index(kind), *arguments, *[0] * (2 - len(arguments)))
    else:
        count = (FUNCTIONS | {"^": 2})[kind]
        words.whole(OPERATIONS.index(f"function of {count}"), *arguments, *[0] * (2 - len(arguments)))
        words.text(name_of_unit(kind))


def check_formulas(forms: list[FormulaTemplate]) -> None:
    """Raise InputError for more formulas, or longer ones, than the library takes."""
    if len(forms) > MOST_FORMULAS or any(len(form.steps) > MOST_STEPS for form in forms):
        rule = Message(
            "has {count} different formulas; an FMU takes {most} of at most {steps} steps",
            count=len(forms),
            most=MOST_FORMULAS,
            steps=MOST_STEPS,
        )
        raise InputError.of("scene", rule, Message("use fewer of them, or shorter ones"))
