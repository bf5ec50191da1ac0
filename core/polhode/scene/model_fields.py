"""Fields of models: their names in files, their quantities, and the models that they hold."""

from __future__ import annotations

from typing import Annotated, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from polhode.scene.quantity import Quantity

Location = tuple[int | str, ...]
"""Path of a value as pydantic reports it, with the tags of unions among its steps."""


def field_quantity(field: FieldInfo) -> Quantity | None:
    """The Quantity that a field is annotated with, also where the field may be None; else None."""
    found = [mark for mark in field.metadata if isinstance(mark, Quantity)]
    return found[-1] if found else _inner_quantity(field.annotation)


def _inner_quantity(annotation: object) -> Quantity | None:
    """Quantity of `Annotated[number, Quantity] | None`; those of the fields of a nested part are not its own."""
    if get_origin(annotation) is Annotated:
        for mark in get_args(annotation):
            if isinstance(mark, Quantity):
                return mark
    for inner in get_args(annotation):
        if (quantity := _inner_quantity(inner)) is not None:
            return quantity
    return None


def key_of(name: str, field: FieldInfo) -> str:
    """Name of a field in files: its alias, or its Python name."""
    return field.alias or name


def fields_by_key(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a model by their names in files, in order."""
    return {key_of(name, field): field for name, field in model.model_fields.items()}


def models_in(annotation: object) -> list[type[BaseModel]]:
    """The models that an annotation allows, from unions, tuples and Annotated."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in models_in(inner)]


def kind_of(model: type[BaseModel]) -> str | None:
    """The value of the key `kind` of a model; None for a model without kinds."""
    field = model.model_fields.get("kind")
    return get_args(field.annotation)[0] if field is not None and get_origin(field.annotation) is Literal else None


def models_at(root: type[BaseModel], location: Location) -> list[type[BaseModel]]:
    """The models allowed at a pydantic location within `root`.

    Several where a kind decides between them and the location names none.
    """
    models: list[type[BaseModel]] = [root]
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
