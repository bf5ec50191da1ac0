"""The option `--portable`: the same bits on every computer."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from polhode.jit.storage.shipped_code import target_generic
from polhode.scene.message import Message
from polhode_app.cli.options.arguments import refusal

Portable = Annotated[
    bool,
    Parameter(
        negative="",
        help="Same bits on every computer: code for a generic processor; a recording has the compiled scene.",
    ),
]


def choose_generic(portable: bool, place: str = "--portable") -> None:
    """Make a generic processor the target where `portable` is True.

    Raises InputError, at `place`, once the compiler is loaded.
    """
    if portable and not target_generic():
        rule = Message("needs a process of its own: the compiler is loaded for this processor already")
        raise refusal(place, rule, Message("start the command by itself"))
