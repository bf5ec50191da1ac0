"""The card that introduces a scene: one sentence, and things to try, each with a button."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue

from polhode.scene.display.view import ViewName
from polhode.scene.part import ScenePart

MOST_TRIED = MOST_SET = 100  # buttons of a card, and fields that one of them sets


class Trial(ScenePart):
    """Something to try, done by a button of the card."""

    label: Annotated[str, Field(min_length=1)]
    """Text of the button, such as "Turn friction off"."""
    set: dict[str, JsonValue] = Field(default={}, max_length=MOST_SET)
    """New values of fields by their paths, such as { "body[0].friction" = 0.0 }; always in SI."""
    show: tuple[ViewName, ...] = ()
    """Views that are switched on, by the names of View > Show."""
    restart: bool = False
    """Whether the run starts again, as after a change of start values."""


class Story(ScenePart):
    """Card that introduces the scene, with changes to try. The window shows it when the scene is opened."""

    model_config = ConfigDict(validate_by_name=True)

    text: str = ""
    """One sentence about the scene."""
    try_: Annotated[tuple[Trial, ...], Field(alias="try", max_length=MOST_TRIED)] = ()
    """Two or three things to try."""
