"""The docstrings below the fields of models: helps in the inspector and of `help`, descriptions in the JSON Schema.

They are read from the source on first use. With `use_attribute_docstrings` pydantic would read them for every model
when it is defined, in every process.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from polhode.scene.model_fields import field_quantity, key_of, kind_of


def field_docs(model: type[BaseModel]) -> Mapping[str, str]:
    """The docstring of each field of a model by the field's name, those of its bases included."""
    docs: dict[str, str] = {}
    for base in reversed(model.__mro__):
        docs |= _docs_in(base.__module__).get(base.__qualname__, {}) if issubclass(base, BaseModel) else {}
    return docs


@cache
def _docs_in(module: str) -> Mapping[str, Mapping[str, str]]:
    """The docstrings of fields by class, for the classes of a module."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: _docs_of(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _docs_of(definition: ast.ClassDef) -> Mapping[str, str]:
    docs = {}
    for field, text in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            value = text.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                docs[field.target.id] = inspect.cleandoc(value.value)
    return docs


FIELDS = "Fields, in SI, vectors as tuples:"


def document(model: type[BaseModel]) -> None:
    """Add the fields, with types, units, defaults and helps, to the `__doc__` of a model, for `help`."""
    if FIELDS in (model.__doc__ or ""):
        return
    docs, lines = field_docs(model), [inspect.cleandoc(model.__doc__ or ""), "", FIELDS]
    for name, field in model.model_fields.items():
        quantity = field_quantity(field)
        unit = f" [{quantity.unit}]" if quantity is not None and quantity.unit else ""
        own_kind = kind_of(model) if name == "kind" else None
        default = (
            f" = {repr(own_kind) if own_kind else _short(field.default)}" if own_kind or not field.is_required() else ""
        )
        lines += ["", f"{key_of(name, field)}: {_type_text(field.annotation)}{unit}{default}"]
        lines += [f"    {line}" for line in docs.get(name, "").splitlines()]
    model.__doc__ = "\n".join(lines)
    model.model_rebuild()
    model.__signature__ = inspect.Signature(  # in place of one with all annotations
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if field.is_required() else field.default,
                annotation=_type_text(field.annotation),
            )
            for name, field in model.model_fields.items()
            if name != "kind" or not field.is_required()
        ]
    )


def docstring(model: type[BaseModel]) -> str:
    """The docstring of a model as in its source."""
    return inspect.cleandoc(model.__doc__ or "").partition(FIELDS)[0].strip()


def _short(default: object) -> str:
    """A default; that of a part without its fields."""
    return f"{type(default).__name__}()" if isinstance(default, BaseModel) else repr(default)


def _type_text(annotation: Any) -> str:
    """A type in short, without bounds: "float", "(float, float, float)", "Body, ...", "'pivot' | 'axle'"."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type_text(inner[0])
    if origin in (Union, UnionType):
        return " | ".join(_type_text(each) for each in inner)
    if origin is Literal:
        return " | ".join(map(repr, inner))
    if origin is tuple:
        return f"({', '.join('...' if each is Ellipsis else _type_text(each) for each in inner)})"
    if annotation is NoneType:
        return "None"
    return getattr(annotation, "__name__", str(annotation))
