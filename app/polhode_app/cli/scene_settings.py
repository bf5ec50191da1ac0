"""`--set PATH=VALUE`: other values for fields of the scene that a command reads."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from cyclopts import Parameter

from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import tables_of
from polhode_app.cli.arguments import naming, refusal

STRUCTURED = ("[", "{", '"', "'")  # beginnings of values of TOML that no plain text has
Settings = Annotated[
    tuple[str, ...],
    Parameter(
        name="--set",
        negative_iterable="",
        help="PATH=VALUE in place of the scene's, in SI, such as body[0].friction=0.1; may be repeated.",
    ),
]


def with_settings(scene: Scene, source: str, settings: tuple[str, ...]) -> Scene:
    """The scene with the values of `--set`; `source` names it in messages.

    A value is one of TOML, such as 0.1, true or [0, 0, 1]; any other text counts as a text. Raises InputError for
    unknown paths, and for values that a file could not have.
    """
    if not settings:
        return scene
    values: dict[str, object] = {}
    for text in settings:
        path, sign, value = (part.strip() for part in text.partition("="))
        if not (path and sign):
            rule = Message("must be PATH=VALUE, but is '{text}'", text=text)
            raise refusal("--set", rule, Message("write both, with = between them"))
        if path in values:
            raise refusal("--set", Message("states '{path}' twice", path=path), Message("remove one of them"))
        values[path] = _value(path, value)
    with naming(source):
        return scene.with_values(values)


def refuse_settings(settings: tuple[str, ...]) -> None:
    """Refuse `--set` for what is no scene. Raises InputError."""
    if settings:
        raise refusal("--set", Message("is for scenes"), Message("leave it out, or name a scene"))


def _value(path: str, text: str) -> object:
    """A value of TOML, a number such as .5, or the text itself. Raises InputError for unfinished lists and texts."""
    try:
        table = tables_of(f"value = {text}", "polhode")
    except InputError as error:
        if text.startswith(STRUCTURED):
            rule = Message("'{path}' is '{text}': {reason}", path=path, text=text, reason=error.problems[0].rule)
            raise refusal("--set", rule, Message("close every bracket and quotation mark")) from None
        with suppress(ValueError):
            return float(text)
        return text
    return table["value"] if len(table) == 1 else text
