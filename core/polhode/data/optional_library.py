"""Libraries that the program can do without."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from polhode.scene.message import Message
from polhode.scene.problem import InputError


def optional_library(source: str, module: str, instead: Message | None = None, package: str = "") -> Any:
    """Import a module of a library that may be missing, such as "pyarrow.parquet".

    source: what needs it, for the message: a file, or a function of the library
    instead: what to do without it, as the end of "install it with ..., or"
    package: name for pip, where that is not the name of the module

    Raises InputError with the command that installs it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        top = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != top:  # the library is there, and lacks another
            raise
    raise missing_library(source, package or top, instead) from None


def missing_library(source: str, name: str, instead: Message | None = None) -> InputError:
    """The error for a library that is not installed; arguments as of `optional_library`, `name` as pip knows it."""
    rule = Message("needs the library {name}, which is not installed", name=name)
    remedy = Message("install it with 'pip install {name}'", name=name)
    if instead is not None:
        remedy = Message("{remedy}, or {instead}", remedy=remedy, instead=instead)
    return InputError.of(source, rule, remedy)
