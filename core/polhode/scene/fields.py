"""Access to the fields of a scene by path: their forms, their values, and copies with other values.

A path leads to a field step by step, as in messages: ("body", 1, "shape", 0, "radius") is `body[1].shape[0].radius`.
Its names are those of the file (`key_of`), which differ from the names of attributes where a field has an alias, such
as `from` of a spring. Values are in SI, whatever units the file has.

A `Form` says what a field may have. Forms come from the annotations of the models alone, so inspectors, choosers
of parameters and tables of fields need no list of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import AfterValidator, BaseModel, ValidationError
from pydantic.fields import FieldInfo

from polhode.scene.checks.validation_messages import no_list, problems
from polhode.scene.display.colors import known_color
from polhode.scene.field_docs import field_docs
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.message import Message, plural
from polhode.scene.model_fields import fields_by_key, key_of, kind_of, models_in
from polhode.scene.part import ScenePart, mark_validated
from polhode.scene.problem import InputError, InvalidValue, Problem, did_you_mean
from polhode.scene.quantity import PURE, Quantity
from polhode.scene.scene_fields import SceneFields
from polhode.scene.units import Units, quantity_in

FieldPath = tuple[str | int, ...]
Kind = Literal[
    "number",  # of any size between low and high
    "number_or_list",  # of such numbers
    "whole",
    "numbers",  # `count` of them, such as a vector
    "wholes",
    "formula",  # or a number, or measured data where `models` has them
    "formulas",  # `count` of them
    "matrix",  # `count` rows of numbers
    "list",  # any number of numbers or texts
    "rows",  # any number of vectors
    "switch",
    "choice",
    "choices",  # any number of them
    "text",
    "whole_or_word",  # a whole number, or one of `choices`
    "color",
    "colors",
    "end",  # of a spring
    "part",  # one of `models`
    "parts",  # any number of these
    "values",  # of other fields by their paths, which are edited in the file only
    "constant",  # nothing to choose
]
NO_NUMBER = (str, MeasuredInput)  # values of a field that may also be a number
S = TypeVar("S", bound=SceneFields)
P = TypeVar("P", bound=BaseModel)


@dataclass(frozen=True)
class Form:
    """Type, unit and limits of a field. Numbers and limits are in SI.

    A unit of "" means a pure number. `high` itself is always allowed. The kind "end" is a name with an index or a
    position in space [m].
    """

    kind: Kind
    unit: str = ""
    low: float = -inf
    high: float = inf
    beyond: bool = False  # `low` itself is excluded
    count: int = 1
    choices: tuple[str, ...] = ()
    models: tuple[type[ScenePart], ...] = ()
    optional: bool = False  # may be left out
    help: str = ""


def written(path: FieldPath) -> str:
    """The path as text: the inverse of `parse_path`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def parse_path(text: str) -> FieldPath:
    """The path that a text means; whether a scene has a field there is not checked.

    Raises InvalidValue, a ValueError, for anything but names after dots and indices in brackets.
    """
    steps: list[str | int] = []
    for found in re.finditer(r"(?s)(?:^|\.)(\w+)|\[(\d{1,18})\]|(.)", text):
        if found[3] is not None:
            raise InvalidValue(
                Message("'{text}' is not the path of a field", text=text), Message("write it as body[1].position[2]")
            )
        steps.append(found[1] if found[1] is not None else int(found[2]))
    return tuple(steps)


def at(part: object, path: FieldPath) -> Any:
    """The value at a path of a part [SI]; the part itself for an empty path. Raises LookupError for a missing field."""
    for step in path:
        if isinstance(part, BaseModel) and isinstance(step, str):
            names = _names(type(part))
            if step not in names:
                raise LookupError(step)
            part = getattr(part, names[step])
        elif isinstance(part, tuple) and isinstance(step, int):
            part = part[step]
        else:
            raise LookupError(step)
    return part


@cache
def _names(model: Any) -> Mapping[str, str]:
    """Python names of the fields by their names in files."""
    return {key_of(name, field): name for name, field in model.model_fields.items()}


def existing(scene: SceneFields, text: str) -> FieldPath:
    """The path that a text means, where the scene has a field or an item there.

    Raises InvalidValue, with the most similar path as a remedy, where it has none.
    """
    path = parse_path(text)
    if not path:
        raise InvalidValue(Message("names no field"), Message("write its path, such as body[1].position[2]"))
    part: Any = scene
    for number, step in enumerate(path):
        before = written(path[:number])
        if isinstance(part, BaseModel):
            if step not in _names(type(part)):
                known = [written((*path[:number], name)) for name in _names(type(part))]
                names = ", ".join(_names(type(part)))
                rule = Message("'{name}' is not a known key", name=step)
                otherwise = Message("choose from {known}", known=names)
                raise InvalidValue(rule, did_you_mean(written(path[: number + 1]), known, otherwise))
            part = getattr(part, _names(type(part))[str(step)])
        elif isinstance(part, tuple) and isinstance(step, int):
            if step >= len(part):
                rule = plural("'{path}' has {count} item", "'{path}' has {count} items", path=before, count=len(part))
                raise InvalidValue(rule, Message("count them from 0"))
            part = part[step]
        elif part is None:
            raise InvalidValue(Message("'{path}' is not stated", path=before), Message("state it as a whole"))
        else:
            raise InvalidValue(Message("'{path}' has no parts", path=before), Message("change it as a whole"))
    return path


def with_value(scene: S, path: FieldPath, value: object) -> S:
    """The scene with another value at a path, validated as a file is; the given scene is not changed.

    `value` is that of the field itself [SI]: a number, text, tuple or part, or the tables of one. The parts along the
    path are checked with their joint rules; all parts that do not contain the field are the same objects, by which
    compilation and views find what changed. Raises InputError with the problems that a file with this value would have,
    and LookupError for an unknown path.
    """
    return with_values(scene, (), {path: value})


def with_values(scene: S, path: FieldPath, changes: Mapping[str, object] | Mapping[FieldPath, object]) -> S:
    """The scene with other values of several fields of the part at a path, validated together.

    changes: new values [SI] by the name of the field in files, or by its path from there

    For fields of which each alone would break a joint rule. An empty path is the scene itself. Unchanged parts are the
    same objects. Raises InputError and LookupError as `with_value`.
    """
    paths = {(*path, *((key,) if isinstance(key, str) else key)): value for key, value in changes.items()}
    found: list[Problem] = []
    made = _replaced(scene, paths, (), found)
    if found:
        raise InputError(scene.title or "scene", found)
    return made


def _replaced(part: Any, changes: Mapping[FieldPath, object], here: FieldPath, found: list[Problem]) -> Any:
    """`part`, at the path `here`, with other values at paths inside of it; problems are added to `found`."""
    inner: dict[str | int, dict[FieldPath, object]] = {}
    for path, value in changes.items():
        if path:
            inner.setdefault(path[0], {})[path[1:]] = value
        elif isinstance(part, tuple) and isinstance(value, BaseModel):  # which pydantic takes for a list of its fields
            found.append(Problem(written(here), *no_list(value)))
        else:
            part = value
    if not inner:
        return part
    if isinstance(part, tuple):
        items = list(part)
        for step, changed in inner.items():
            if not isinstance(step, int):
                raise LookupError(step)
            items[step] = _replaced(part[step], changed, (*here, step), found)
        return tuple(items)
    if not isinstance(part, BaseModel):
        raise LookupError(here)
    names = _names(type(part))
    return _with_fields(
        part,
        {
            names[str(step)]: _replaced(getattr(part, names[str(step)]), inner[step], (*here, step), found)
            for step in inner
        },
        here,
        found,
    )


def _with_fields(part: P, changes: dict[str, object], here: FieldPath, found: list[Problem]) -> P:
    """`part` with other values by Python names, checked; other fields keep their objects.

    Problems are added to `found`; the result is the same part then.
    """
    fields = type(part).model_fields
    values = {key_of(name, field): changes.get(name, getattr(part, name)) for name, field in fields.items()}
    try:
        checked = type(part).model_validate(values)
    except ValidationError as error:
        found += [each.at(written(here)) if here else each for each in problems(error, values, type(part))]
        return part
    made = part.model_copy(update={name: getattr(checked, name) for name in changes})
    if getattr(part, "is_validated", False):
        mark_validated(made)
    return made


# Forms: types, units and limits of fields


def forms(model: type[BaseModel]) -> Mapping[str, Form]:
    """Forms of the fields of a model by their names in files, in order. Cached for each model.

    Units that depend on the value of another field, as for the parameter of a bead, are added by `form_at` and
    `numbers`.
    """
    return _forms(model)


@cache
def _forms(model: Any) -> Mapping[str, Form]:
    docs = field_docs(model)
    bare = forms_without_help(model).items()
    return {
        key: replace(form, help=docs.get(name, "")) for name, (key, form) in zip(model.model_fields, bare, strict=True)
    }


def forms_without_help(model: type[BaseModel]) -> Mapping[str, Form]:
    """The same with empty helps, which are read from sources."""
    return {key: _form(field.annotation, field.metadata) for key, field in fields_by_key(model).items()}


def form_at(scene: SceneFields, path: FieldPath) -> Form:
    """Form of the field at a path of `scene`, or of one component of a vector.

    A component is a number or whole number, or a formula where the scene has one there; so is a number where a list or
    a formula is possible. The unit is that of this scene; q of a bead counts as its path does. Raises LookupError where
    the scene has no such field.
    """
    *outer, step = path
    if isinstance(step, int):
        whole = form_at(scene, tuple(outer))
        kind: Kind = "whole" if whole.kind == "wholes" else "number"
        return replace(whole, kind="formula" if isinstance(at(scene, path), NO_NUMBER) else kind, count=1)
    part = at(scene, tuple(outer))
    quantity, form = quantity_in(part, _names(part.__class__)[step]), forms(type(part))[step]
    is_number = form.kind in ("number_or_list", "formula") and not isinstance(at(part, (step,)), (tuple, *NO_NUMBER))
    kind = "number" if is_number else form.kind
    return replace(form, kind=kind, unit=quantity.unit if quantity is not None else "")


def numbers(scene: SceneFields) -> Iterator[tuple[FieldPath, Form]]:
    """Paths of all numbers of a scene, stated or default, with their forms, in the order of the fields.

    Components of vectors come one by one, as numbers of their own. Formulas, numbers that are left out, `format` and
    the file's units are not among them. Lazy: the caller may stop at any time.
    """
    for key in type(scene).model_fields:
        value = getattr(scene, key)
        if isinstance(value, BaseModel) and not isinstance(value, Units):
            yield from _numbers(value, (key,))
        elif isinstance(value, tuple):
            for index, part in enumerate(value):
                yield from _numbers(part, (key, index))


def _numbers(part: BaseModel, path: FieldPath) -> Iterator[tuple[FieldPath, Form]]:
    for key, form in forms(type(part)).items():
        value, here = at(part, (key,)), (*path, key)
        if isinstance(value, BaseModel):
            yield from _numbers(value, here)
        elif isinstance(value, tuple) and form.kind == "parts":
            for index, inner in enumerate(value):
                yield from _numbers(inner, (*here, index))
        elif isinstance(value, tuple) and form.kind in ("numbers", "wholes", "formulas", "number_or_list"):
            alone = replace(form, kind="whole" if form.kind == "wholes" else "number", count=1)
            for index, each in enumerate(value):
                if isinstance(each, BaseModel):
                    yield from _numbers(each, (*here, index))
                elif not isinstance(each, str):
                    yield (*here, index), alone
        elif form.kind in ("number", "whole", "number_or_list", "formula") and isinstance(value, int | float):
            quantity = quantity_in(part, _names(type(part))[key])
            kind: Kind = "whole" if form.kind == "whole" else "number"
            yield here, replace(form, kind=kind, unit=quantity.unit if quantity is not None else "")


def _form(annotation: Any, marks: list[Any]) -> Form:
    """The form that a type annotation gives; `marks` are the annotations of its field, of which the last ones count."""
    if get_origin(annotation) is Annotated:
        inner, *more = get_args(annotation)
        return _form(inner, [*_flat(more), *marks])
    if get_origin(annotation) in (Union, UnionType):
        return _form_of_union(list(get_args(annotation)), annotation, marks)
    if get_origin(annotation) is Literal:
        choices = tuple(map(str, get_args(annotation)))
        return Form("choice" if len(choices) > 1 else "constant", choices=choices)
    if get_origin(annotation) is tuple:
        return _form_of_tuple(get_args(annotation), annotation, marks)
    if get_origin(annotation) is dict:
        return Form("values")
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return Form("part", models=tuple(models_in(annotation)))  # type: ignore[arg-type]
    if annotation is bool:
        return Form("switch")
    if annotation is str:
        colored = any(isinstance(mark, AfterValidator) and mark.func is known_color for mark in marks)
        return Form("color" if colored else "text")
    return _bounded(Form("whole" if annotation is int else "number"), marks)


def _form_of_union(args: list[Any], annotation: Any, marks: list[Any]) -> Form:
    """The form of `A | B | None`: optional, and one of several parts, an end of a spring, formula, word or colours."""
    inner = [arg for arg in args if arg is not type(None)]
    optional = len(inner) < len(args)
    if len(inner) == 1:
        return replace(_form(inner[0], marks), optional=optional)
    if models := models_in(annotation):
        if all(models_in(arg) for arg in inner):
            return Form("part", models=tuple(models), optional=optional)  # type: ignore[arg-type]
        if MeasuredInput in models:
            return _bounded(Form("formula", models=(MeasuredInput,), optional=optional), marks)
        return Form("end", "m")
    if set(inner) == {float, str}:
        return _bounded(Form("formula", optional=optional), marks)
    if (form := _form(inner[0], marks)).kind == "whole":
        return replace(form, kind="whole_or_word", choices=_form(inner[1], marks).choices, optional=optional)
    if form.kind == "number":
        return replace(form, kind="number_or_list", optional=optional)
    return Form("colors", optional=optional)


def _form_of_tuple(args: tuple[Any, ...], annotation: Any, marks: list[Any]) -> Form:
    """The form of a tuple: `tuple[A, ...]` is a list of any length, `tuple[A, A, A]` a vector of three."""
    if args[-1] is Ellipsis:
        if models := models_in(annotation):
            return Form("parts", models=tuple(models))  # type: ignore[arg-type]
        inner = _form(args[0], [])
        kinds_of: dict[str, Kind] = {"choice": "choices", "numbers": "rows"}
        return _bounded(Form(kinds_of.get(inner.kind, "list"), choices=inner.choices), marks)
    inner = _form(args[0], marks)
    kinds: dict[str, Kind] = {"number": "numbers", "whole": "wholes", "formula": "formulas", "numbers": "matrix"}
    return replace(inner, kind=kinds[inner.kind], count=len(args))


def _flat(marks: list[Any]) -> list[Any]:
    """Marks of a type, those too that are wrapped in the Field of an inner one."""
    return [inner for mark in marks for inner in (mark.metadata if isinstance(mark, FieldInfo) else [mark])]


def _bounded(form: Form, marks: list[Any]) -> Form:
    """The form with the unit and the bounds that marks state; the last ones count. General bounds are omitted."""
    for mark in marks:
        if isinstance(mark, Quantity):
            form = replace(form, unit=mark.unit)
        elif isinstance(mark, Gt | Ge):
            low = mark.gt if isinstance(mark, Gt) else mark.ge
            low = -inf if low == -PURE[1] else float(low)  # type: ignore[arg-type]
            form = replace(form, low=low, beyond=isinstance(mark, Gt))
        elif isinstance(mark, Lt | Le):
            high = mark.lt if isinstance(mark, Lt) else mark.le
            form = replace(form, high=inf if high == PURE[1] else float(high))  # type: ignore[arg-type]
    return form


def kinds(form: Form) -> dict[str, type[ScenePart]]:
    """The models allowed in a field by the value of their key `kind`; empty for models without kinds."""
    named = {kind_of(model): model for model in form.models}
    return {kind: model for kind, model in named.items() if kind is not None}
