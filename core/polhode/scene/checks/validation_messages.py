"""Validation errors of the scene models as messages with the paths of the scene file.

pydantic reports a location, a type of error and the input. Here the location becomes a path as in the file (`path_of`),
the type a rule that names the value, and a remedy: a limit, the nearest known key or choice, the unit of a missing one.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from polhode.scene.checks.bounded_validation import MORE, TOO_MANY, count_of_others
from polhode.scene.message import Message, plural
from polhode.scene.model_fields import Location, field_quantity, fields_by_key, kind_of, models_at
from polhode.scene.problem import InvalidValue, Problem, did_you_mean, message_of, more
from polhode.scene.uncertain import HOW_TO_STATE, SIGN

MEANT_AS_UNCERTAIN = re.compile(rf"{SIGN}|\d\s*\(")
"""In texts that are meant as numbers with an uncertainty, such as "0,5 +- 0,1" and "0.5(1)"."""
CORRECT = Message("correct the value")


def problems(error: ValidationError, data: object, root: type[BaseModel]) -> list[Problem]:
    """The problems of `data`, the tables of a model `root`, each once; `error` is what its validation raised.

    Those of each list and table up to a number; one problem counts the others (bounded_validation.py).
    """
    found = error.errors(include_url=False)
    details = [detail for detail in found if detail["type"] != MORE and not _follows_from_others(detail, found)]
    listed = list(dict.fromkeys(_problem(detail, details, data, root) for detail in details))
    others = count_of_others(found)
    return [*listed, more(others)] if others else listed


def _follows_from_others(detail: ErrorDetails, details: list[ErrorDetails]) -> bool:
    """A list counts as too short where its items are invalid; the problems of the items suffice."""
    start = detail["loc"]
    return detail["type"] == "too_short" and any(
        other["loc"][: len(start)] == start and len(other["loc"]) > len(start) for other in details
    )


def _problem(detail: ErrorDetails, details: list[ErrorDetails], data: object, root: type[BaseModel]) -> Problem:
    """One error of pydantic as a Problem. `details` are all errors, to count the missing items of a vector once."""
    location, kind, value = detail["loc"], detail["type"], detail["input"]
    if kind == "missing" and isinstance(location[-1], int):
        needed = max(other["loc"][-1] for other in details if other["loc"][:-1] == location[:-1]) + 1  # type: ignore[operator]
        three = needed == 3
        remedy = Message("give one number for each direction") if three else Message("give {needed}", needed=needed)
        return Problem(path_of(location[:-1], data), _has(value, needed), remedy)
    where = path_of(location, data)
    if kind == "missing":
        return Problem(where, Message("is missing"), _addition(root, location))
    if kind == "extra_forbidden":
        if location[-1] == "basis" and all(
            "orientation" in model.model_fields for model in models_at(root, location[:-1])
        ):
            rule = Message("is given together with an orientation, which states the same")
            return Problem(where, rule, Message("keep one of them"))
        rule = Message("is not a known key (its value is {value})", value=shown(value))
        return Problem(where, rule, _nearest_key(root, location))
    if kind == "value_error":
        error = detail["ctx"]["error"]
        return (
            error.problem.at(where) if isinstance(error, InvalidValue) else Problem(where, message_of(error), CORRECT)
        )
    return Problem(where, *_sentence(kind, detail, value, root))


def rule_and_remedy(detail: ErrorDetails) -> tuple[Message, Message]:
    """Rule and remedy of an error of pydantic about a value that is no part of a scene."""
    error = detail.get("ctx", {}).get("error")
    if isinstance(error, InvalidValue):
        return error.rule, error.remedy
    return _sentence(detail["type"], detail, detail["input"], BaseModel)


def _sentence(kind: str, detail: ErrorDetails, value: object, root: type[BaseModel]) -> tuple[Message, Message]:
    """Rule and remedy of a value that its field rejects."""
    context: dict[str, Any] = detail.get("ctx", {})
    match kind:
        case "greater_than" | "greater_than_equal" | "less_than" | "less_than_equal":
            return _out_of_range(kind, context, shown(value))
        case "float_type" | "int_type" | "int_from_float" | "float_parsing":
            return _no_number(kind, value)
        case "finite_number":
            return Message("must be finite, but is {value}", value=shown(value)), Message("give a finite number")
        case "literal_error":
            choices = _choices(context["expected"])
            return Message("{value} is not known", value=shown(value)), _choice(value, choices)
        case "union_tag_invalid":
            tag, choices = context["tag"], _choices(context["expected_tags"])
            return Message("kind {value} is not known", value=shown(tag)), _choice(tag, choices)
        case "union_tag_not_found":
            return Message("has no kind"), Message(
                'add one, such as kind = "{kind}"', kind=_kinds(root, detail["loc"])[0]
            )
        case "string_pattern_mismatch":
            rule = Message(
                "is {value}, but a name has no spaces, dots, commas or control characters and is not empty",
                value=shown(value),
            )
            return rule, Message("rename it")
        case "string_too_short":
            return Message("is empty"), Message("write the text, or leave the key out")
        case "too_short":
            return _has_at_least(value, context["min_length"]), Message("add what is missing")
        case "too_long":
            return _has(value, context["max_length"]), Message("remove the others")
        case _ if kind == TOO_MANY:
            return Message("has {count} values, more than {most}", **context), Message("remove the others")
    return _other_type(kind, detail, value)


def _other_type(kind: str, detail: ErrorDetails, value: object) -> tuple[Message, Message]:
    """Rule and remedy of a value of a wrong type."""
    match kind:
        case "string_type":
            return Message("must be text, but is {value}", value=shown(value)), Message("write it in quotes")
        case "bool_type" | "bool_parsing":
            rule = Message("must be true or false, but is {value}", value=shown(value))
            return rule, Message("write true or false without quotes")
        case "tuple_type":
            return no_list(value)[0], _list_remedy(detail["loc"], value)
        case "sequence_str":
            return no_list(value)
        case "model_type" if isinstance(value, BaseModel):
            return other_class(detail["ctx"]["class_name"], value)
        case "model_type" | "model_attributes_type" | "dict_type":
            rule = Message("must be a table, but is {value}", value=shown(value))
            return rule, Message("write it as { key = value, ... } or under its own [heading]")
    fault = f"{detail['msg'][:1].lower()}{detail['msg'][1:]}"
    return Message("{fault}, but is {value}", fault=fault, value=shown(value)), CORRECT


def no_list(value: object) -> tuple[Message, Message]:
    """Rule and remedy of a value that should be a list."""
    return Message("must be a list, but is {value}", value=shown(value)), Message("write it in brackets, [a, b, c]")


def other_class(name: str, value: object) -> tuple[Message, Message]:
    """Rule and remedy of a value that is no object of a class."""
    rule = Message("must be of class {name}, but is {value}", name=name, value=shown(value))
    return rule, Message("see help(polhode)")


def _out_of_range(kind: str, context: dict[str, Any], value: str) -> tuple[Message, Message]:
    """Rule and remedy of a number out of range."""
    match kind:
        case "greater_than":
            rule = Message("must be greater than {limit:g}, but is {value}", limit=context["gt"], value=value)
            return rule, Message("give a positive number")
        case "greater_than_equal":
            rule = Message("must be at least {limit:g}, but is {value}", limit=context["ge"], value=value)
            zero = context["ge"] == 0
            return rule, Message("give zero or a positive number") if zero else Message("give a larger number")
    limit = context.get("lt", context.get("le"))
    return Message("must be at most {limit:g}, but is {value}", limit=limit, value=value), Message(
        "give a smaller number"
    )


def _no_number(kind: str, value: object) -> tuple[Message, Message]:
    quoted = isinstance(value, str) and _is_number(value)
    remedy = Message("write it without quotes") if quoted else Message("give a number")
    if isinstance(value, str) and not quoted and MEANT_AS_UNCERTAIN.search(value) is not None:
        remedy = HOW_TO_STATE
    if kind.startswith("int"):
        return Message("must be a whole number, but is {value}", value=shown(value)), remedy
    return Message("must be a number, but is {value}", value=shown(value)), remedy


def _choices(expected: str) -> list[str]:
    """The choices that pydantic lists as "'a', 'b' or 'c'"."""
    return [part.strip("'") for part in expected.replace(" or ", ", ").split(", ")]


def _choice(value: object, choices: list[str]) -> Message:
    """The remedy for a value that is no valid choice."""
    known = ", ".join(choices)
    near = get_close_matches(str(value), choices, 1)
    if near:
        return Message("did you mean '{near}'? (known: {known})", near=near[0], known=known)
    return Message("choose from {known}", known=known)


def _list_remedy(location: Location, value: object) -> Message:
    """The remedy for a value that should be a list; a single table needs double brackets."""
    if isinstance(value, dict):
        heading = ".".join(str(part) for part in location if isinstance(part, str))
        return Message("use double brackets, [[{heading}]]", heading=heading)
    return Message("write it in brackets, [a, b, c]")


def _is_number(text: str) -> bool:
    """Whether a text would be a number without its quotes."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _count(value: object) -> int:
    return len(value) if isinstance(value, list | tuple | dict) else 0


def _has(value: object, needed: int) -> Message:
    """The rule of a list that has a wrong number of values."""
    if (count := _count(value)) == 0:
        return Message("has no values, needs {needed}", needed=needed)
    return plural("has {count} value, needs {needed}", "has {count} values, needs {needed}", count=count, needed=needed)


def _has_at_least(value: object, needed: int) -> Message:
    """The rule of a list that has too few values."""
    if (count := _count(value)) == 0:
        return Message("has no values, needs at least {needed}", needed=needed)
    return plural(
        "has {count} value, needs at least {needed}",
        "has {count} values, needs at least {needed}",
        count=count,
        needed=needed,
    )


def shown(value: object) -> str:
    """A value as a scene file writes it, cut to 60 characters."""
    return cut(str(value).lower() if isinstance(value, bool) else repr(value))


def cut(text: str) -> str:
    """The text, at most 60 characters of it; the last three are dots then."""
    return text if len(text) <= 60 else text[:57] + "..."


def path_of(location: Location, data: object) -> str:
    """'body[1].shape[0].radius' of a pydantic location, as written in the file.

    `data` are the tables of the file: they tell the names of kinds, which pydantic puts into its locations, from keys,
    and whether an orientation is written in its short form, `basis`, which is no step of the path.
    """
    text, here, kind_seen = "", data, False
    for part in location:
        table = here if isinstance(here, dict) else {}
        if isinstance(part, int):
            text += f".{'xyz'[part]}" if isinstance(here, dict) else f"[{part}]"  # a vector may be a table
            here = here[part] if isinstance(here, list | tuple) and part < len(here) else None
        elif part.startswith("(") or (part not in table and part == table.get("kind") and not kind_seen):
            kind_seen = True
            continue
        elif part == "orientation" and part not in table and "basis" in table:
            continue  # the short form, `basis = [...]` of the part itself
        else:
            text += f".{cut(part)}" if text else cut(part)
            here = table.get(part)
        kind_seen = False
    return text


def _kinds(root: type[BaseModel], location: Location) -> list[str]:
    """Kinds of the models at a location, in order."""
    return [kind for model in models_at(root, location) if (kind := kind_of(model)) is not None]


def _nearest_key(root: type[BaseModel], location: Location) -> Message:
    """The remedy for an unknown key: the most similar one of the models at its place, or all that are known there."""
    known = list(dict.fromkeys(name for model in models_at(root, location[:-1]) for name in fields_by_key(model)))
    otherwise = Message("remove it (known here: {known})", known=", ".join(known))
    return did_you_mean(str(location[-1]), known, otherwise)


def _addition(root: type[BaseModel], location: Location) -> Message:
    """The remedy for a key that is missing."""
    name = str(location[-1])
    for model in models_at(root, location[:-1]):
        if name in fields_by_key(model):
            quantity = field_quantity(fields_by_key(model)[name])
            if quantity is not None and quantity.unit:
                return Message("add {name} = ... [{unit}]", name=name, unit=quantity.unit)
            return Message("add {name} = ...", name=name)
    return Message("add {name}", name=name)
