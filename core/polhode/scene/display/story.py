"""The card that introduces a scene: one sentence, sliders of some of its numbers, and things to try with a button."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue, model_validator

from polhode.scene.display.view import ViewName
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Finite

MOST_SLIDERS = 3  # of a card
MOST_TRIED = MOST_SET = 100  # buttons of a card, and fields that one of them sets


class Trial(ScenePart):
    """Something to try, done by a button of the card."""

    has_uncertain = False
    label: Annotated[str, Field(min_length=1)]
    """Text of the button, such as "Turn friction off"."""
    set: dict[str, JsonValue] = Field(default={}, max_length=MOST_SET)
    """New values of fields by their paths, such as { "body[0].friction" = 0.0 }; always in SI."""
    show: tuple[ViewName, ...] = ()
    """Views that are switched on, by the names of View > Show."""
    restart: bool = False
    """Whether the run starts again, as after a change of start values."""


class CardSlider(ScenePart):
    """A number of the scene that a slider of the card changes while it runs."""

    has_uncertain = False
    label: Annotated[str, Field(min_length=1)]
    """Text beside the slider, such as "Length"."""
    set: dict[str, Finite] = Field(min_length=1, max_length=MOST_SET)
    """Fields by their paths, and by what the value is multiplied for each: { "world.gravity[2]" = -1.0 }."""
    low: Finite
    """Value at the left end, in SI."""
    high: Finite
    """Value at the right end, in SI."""
    restart: bool = False
    """Whether the run starts again, as after a change of start values."""

    @model_validator(mode="after")
    def _has_a_range(self) -> CardSlider:
        if not self.low < self.high:
            rule = Message("is {low:g}, which is not above low, {start:g}", low=self.high, start=self.low)
            raise InvalidValue(rule, Message("enter a larger number"), "high")
        if 0.0 in self.set.values():
            rule = Message("multiplies by 0, so that the value is lost")
            raise InvalidValue(rule, Message("enter another factor"), "set")
        return self


class Story(ScenePart):
    """Card that introduces the scene, with changes to try. The window shows it when the scene is opened."""

    model_config = ConfigDict(validate_by_name=True)

    text: str = ""
    """One sentence about the scene."""
    try_: Annotated[tuple[Trial, ...], Field(alias="try", max_length=MOST_TRIED)] = ()
    """Two or three things to try."""
    sliders: Annotated[tuple[CardSlider, ...], Field(max_length=MOST_SLIDERS)] = ()
    """Up to three numbers of the scene with sliders on the card, such as a length, a mass and gravity."""
