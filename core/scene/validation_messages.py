"""What the scene models reject, in the words and the places of the scene file."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from core.physics.bodies.shapes import Placed
from core.scene.problem import Problem
from core.scene.scene import Scene
from core.scene.units import field_quantity, fields_by_key

Location = tuple[int | str, ...]


def problems(error: ValidationError, data: object) -> list[Problem]:
    """Every fault of `data`, the tables of a scene file, once."""
    details = [detail for detail in error.errors(include_url=False) if not _follows_from_others(detail, error)]
    return list(dict.fromkeys(_problem(detail, details, data) for detail in details))


def _follows_from_others(detail: ErrorDetails, error: ValidationError) -> bool:
    """A list counts as too short where its items are at fault; the items' own faults are enough."""
    start = detail["loc"]
    return detail["type"] == "too_short" and any(
        other["loc"][: len(start)] == start and len(other["loc"]) > len(start) for other in error.errors()
    )


def _problem(detail: ErrorDetails, details: list[ErrorDetails], data: object) -> Problem:
    location, kind, value = detail["loc"], detail["type"], detail["input"]
    if kind == "missing" and isinstance(location[-1], int):
        needed = max(other["loc"][-1] for other in details if other["loc"][:-1] == location[:-1]) + 1  # type: ignore[operator]
        return Problem(
            place(location[:-1], data),
            f"has {_count(value)}, needs {needed}",
            "give one number for each direction" if needed == 3 else f"give {needed}",
        )
    if kind == "missing":
        return Problem(place(location, data), "is missing", f"add {_example(location)}")
    if kind == "extra_forbidden":
        if location[-1] == "basis" and all(issubclass(model, Placed) for model in models_at(location[:-1])):
            return Problem(
                place(location, data), "stands beside an orientation, which says the same", "keep one of them"
            )
        return Problem(
            place(location, data), f"is not a known key (its value is {shown(value)})", _nearest_key(location)
        )
    if kind == "value_error":
        rule, _, remedy = str(detail["ctx"]["error"]).partition("; ")
        return Problem(place(location, data), rule, remedy)
    rule, remedy = _sentence(kind, detail, value)
    return Problem(place(location, data), rule, remedy)


def _sentence(kind: str, detail: ErrorDetails, value: object) -> tuple[str, str]:
    """Rule and remedy of a value that its own field rejects."""
    context: dict[str, Any] = detail.get("ctx", {})
    but = f"but is {shown(value)}"
    match kind:
        case "greater_than":
            return f"must be greater than {context['gt']:g}, {but}", "give a positive number"
        case "greater_than_equal":
            return f"must be at least {context['ge']:g}, {but}", "give " + (
                "zero or a positive" if context["ge"] == 0 else "a larger"
            ) + " number"
        case "less_than" | "less_than_equal":
            return f"must be at most {context.get('lt', context.get('le')):g}, {but}", "give a smaller number"
        case "float_type" | "int_type" | "int_from_float" | "float_parsing":
            remedy = "write it without quotes" if isinstance(value, str) and _is_number(value) else "give a number"
            return f"must be a {'whole ' if kind.startswith('int') else ''}number, {but}", remedy
        case "finite_number":
            return f"must be finite, {but}", "give a finite number"
        case "literal_error":
            return _choice(value, _choices(context["expected"]))
        case "union_tag_invalid":
            return _choice(context["tag"], _choices(context["expected_tags"]), "kind ")
        case "union_tag_not_found":
            return "has no kind", 'add one, such as kind = "' + _kinds(detail["loc"])[0] + '"'
        case "string_type":
            return f"must be text, {but}", "write it in quotes"
        case "bool_type" | "bool_parsing":
            return f"must be true or false, {but}", "write true or false without quotes"
        case "string_pattern_mismatch":
            return (
                f"is {shown(value)}, but a name has no spaces, dots, commas or control characters and is not empty",
                "rename it",
            )
        case "string_too_short":
            return "is empty", "write the text, or leave the key out"
        case "too_short":
            return f"has {_count(value)}, needs at least {context['min_length']}", "add what is missing"
        case "too_long":
            return f"has {_count(value)}, needs {context['max_length']}", "remove the others"
        case "tuple_type":
            return f"must be a list, {but}", _list_remedy(detail["loc"], value)
        case "model_type" | "model_attributes_type" | "dict_type":
            return f"must be a table, {but}", "write it as { key = value, ... } or under its own [heading]"
    return f"{detail['msg'][:1].lower()}{detail['msg'][1:]}, {but}", "correct the value"


def _choices(expected: str) -> list[str]:
    return [part.strip("'") for part in expected.replace(" or ", ", ").split(", ")]


def _choice(value: object, choices: list[str], what: str = "") -> tuple[str, str]:
    known = ", ".join(choices)
    near = get_close_matches(str(value), choices, 1)
    return f"{what}{shown(value)} is not known", (
        f"did you mean '{near[0]}'? (known: {known})" if near else f"choose from {known}"
    )


def _list_remedy(location: Location, value: object) -> str:
    if isinstance(value, dict):
        heading = ".".join(str(part) for part in location if isinstance(part, str))
        return f"use double brackets, [[{heading}]]"
    return "write it in brackets, [a, b, c]"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _count(value: object) -> str:
    number = len(value) if isinstance(value, list | tuple | dict) else 0
    return f"{number or 'no'} value{'' if number == 1 else 's'}"


def shown(value: object) -> str:
    """A value as a scene file writes it, cut short where it is long."""
    return cut(str(value).lower() if isinstance(value, bool) else repr(value))


def cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def place(location: Location, data: object) -> str:
    """'body[1].shape[0].radius' of a pydantic location, as written in the file: kinds of shapes are no part of it."""
    text, here, kind_seen = "", data, False
    for part in location:
        table = here if isinstance(here, dict) else {}
        if isinstance(part, int):
            text += f"[{part}]"
            here = here[part] if isinstance(here, list) and part < len(here) else None
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


def models_in(annotation: object) -> list[type[BaseModel]]:
    """The models that an annotation allows, unpacked from unions, tuples and Annotated."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in models_in(inner)]


def kind_of(model: type[BaseModel]) -> str | None:
    field = model.model_fields.get("kind")
    return get_args(field.annotation)[0] if field is not None and get_origin(field.annotation) is Literal else None


def models_at(location: Location) -> list[type[BaseModel]]:
    """The models that may stand at a pydantic location."""
    models: list[type[BaseModel]] = [Scene]
    for part in location:
        if isinstance(part, int) or part.startswith("("):
            continue
        of_kind = [model for model in models if kind_of(model) == part]
        if of_kind and len(models) > 1:
            models = of_kind
        else:
            fields = [fields_by_key(model)[part] for model in models if part in fields_by_key(model)]
            models = [model for field in fields for model in models_in(field.annotation)]
    return models


def _kinds(location: Location) -> list[str]:
    return [kind for model in models_at(location) if (kind := kind_of(model)) is not None]


def _nearest_key(location: Location) -> str:
    known = list(dict.fromkeys(name for model in models_at(location[:-1]) for name in fields_by_key(model)))
    near = get_close_matches(str(location[-1]), known, 1)
    return f"did you mean '{near[0]}'?" if near else f"remove it (known here: {', '.join(known)})"


def _example(location: Location) -> str:
    name = str(location[-1])
    for model in models_at(location[:-1]):
        if name in fields_by_key(model):
            quantity = field_quantity(fields_by_key(model)[name])
            return f"{name} = ..." + (f" [{quantity.unit}]" if quantity is not None and quantity.unit else "")
    return name
