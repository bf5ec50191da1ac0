"""The base of all models of a scene: frozen, with the messages of files for invalid values, also in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from polhode.scene.checks.bounded_validation import bound_errors
from polhode.scene.checks.uncertain_fields import number_fields
from polhode.scene.checks.validation_messages import no_list, problems
from polhode.scene.field_docs import docstring, field_docs
from polhode.scene.message import Message
from polhode.scene.model_fields import key_of, kind_of
from polhode.scene.problem import InputError
from polhode.scene.uncertain import PATTERN


class ScenePart(BaseModel):
    """Base of everything in a scene file: frozen, and unknown keys are errors.

    `is_validated` is set on parts that validation made. Copies, such as those of `model_copy`, lack it, since their
    values may be any; they are validated when the scene is compiled (core/polhode/scene/checks/changed_parts.py).
    """

    file_field: ClassVar[str] = ""
    """Name of the field with the name of a file, of parts that have one (core/polhode/scene/files/scene_files.py)."""
    has_uncertain: ClassVar[bool] = True
    """Whether its numbers may be uncertain; those of settings are not."""
    in_unit_of_field: ClassVar[tuple[str, ...]] = ()
    """Names of its numbers that are in the unit of the field that the part is in."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    __slots__ = ("is_validated",)

    if not TYPE_CHECKING:  # type checkers derive the parameters from the fields

        def __init__(self, /, **values: Any):
            """Make a part from values in SI, by the names of the fields in files. Raises InputError.

            `kind`, which a file must state, follows from the class. Where the name in files is a word of Python, as
            `from`, an underscore follows it here.
            """
            fields = type(self).model_fields
            for name, value in values.items():  # pydantic would take the fields of a part for the items of a list
                if isinstance(value, BaseModel) and name in fields and get_origin(fields[name].annotation) is tuple:
                    raise InputError.of(type(self).__name__, *no_list(value), name)
            values = {
                key_of(name, fields[name]) if name in fields else name: from_numpy(value)
                for name, value in values.items()
            }
            if (kind := kind_of(type(self))) is not None:
                values.setdefault("kind", kind)
            try:
                super().__init__(**values)
            except ValidationError as error:
                raise InputError(type(self).__name__, problems(error, values, type(self))) from None

        __init__.__pydantic_base_init__ = True  # parts within parts are made by pydantic, which knows their places

        def __setattr__(self, name: str, value: object) -> None:
            """Set a private attribute; raises InputError for any other, since parts can't be changed."""
            if name.startswith("_"):
                super().__setattr__(name, value)
                return
            rule = Message("a part of a scene can't be changed")
            remedy = Message("make a changed scene with Scene.with_values, or change a run with Simulation.set")
            raise InputError.of(type(self).__name__, rule, remedy, name)

    def model_post_init(self, context: Any, /) -> None:
        """Mark the part as validated; called by pydantic."""
        mark_validated(self)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        """The model's own schema, with errors of a bounded number."""
        schema = handler(source)
        bound_errors(handler.resolve_ref_schema(schema))
        return schema

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The description of each key is the docstring of its field."""
        made = handler(schema)
        table, docs = handler.resolve_ref_schema(made), field_docs(cls)
        properties, table["description"] = table["properties"], docstring(cls)
        for name, field in cls.model_fields.items():
            if name in docs:
                properties[field.alias or name]["description"] = docs[name]
        if cls.has_uncertain:
            for key, numbers in number_fields(cls).items():
                if numbers.refused is None:
                    _allow_texts(properties[key])
        return made


def _allow_texts(schema: Any) -> None:
    """Let the numbers of a JSON Schema be uncertain ones, too; changes its argument."""
    if isinstance(schema, list):
        for inner in schema:
            _allow_texts(inner)
    elif isinstance(schema, dict):
        if schema.get("type") == "number":
            schema.update(type=["number", "string"], pattern=PATTERN)
        for inner in schema.values():
            _allow_texts(inner)


def mark_validated(part: BaseModel) -> None:
    """Mark a part whose values are known to be valid."""
    object.__setattr__(part, "is_validated", True)


def from_numpy(value: object) -> object:
    """Arrays and numbers of numpy, also in lists, as those of Python; any other value as it is."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple) and any(isinstance(item, np.ndarray | np.generic) for item in value):
        return type(value)(from_numpy(item) for item in value) if type(value) in (list, tuple) else value
    return value
