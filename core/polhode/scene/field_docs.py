"""The docstrings below the fields of models: helps in the inspector, descriptions in the JSON Schema.

They are read from the source on first use. With `use_attribute_docstrings` pydantic would read them for every model
when it is defined, in every process.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache

from pydantic import BaseModel


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
