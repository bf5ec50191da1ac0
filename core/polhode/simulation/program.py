"""Functions of the program that is installed with the library: pictures, films and recordings."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from polhode.scene.message import Message
from polhode.scene.problem import InputError

GROUP = "polhode.program"
"""Its entry points `picture`, `film` and `record` take checked arguments."""


def function_of_program(name: str) -> Callable[..., Any]:
    """The function of an entry point. Raises InputError where the program is not installed."""
    for entry in entry_points(group=GROUP, name=name):
        made: Callable[..., Any] = entry.load()
        return made
    rule = Message("needs the program that draws, polhode_app, which is not installed")
    raise InputError.of(name, rule, Message("install the whole wheel of Polhode"))
