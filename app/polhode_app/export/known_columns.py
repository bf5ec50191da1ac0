"""Checks of names of columns that a user states."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem


def check_columns(option: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise InputError if a name that an option of the command line states is not one of the known columns."""
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            remedy = (
                Message("did you mean '{near}'?", near=near[0])
                if near
                else Message("the first row of a table names the columns")
            )
            raise InputError("polhode", [Problem(option, Message("'{name}' is not a column", name=name), remedy)])
