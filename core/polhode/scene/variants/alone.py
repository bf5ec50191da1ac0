"""The scene of a single run: without the runs beside it, and what its card sets there."""

from __future__ import annotations

import re
from typing import TypeVar

from polhode.scene.display.story import CardSlider, Story, Trial
from polhode.scene.scene import Scene
from polhode.scene.variants.sweep import SweepSettings

Part = TypeVar("Part", Trial, CardSlider)
OF_VARIANTS = re.compile(r"(ghost|sweep)\b")  # beginnings of paths of ghosts and sweeps


def alone(scene: Scene, *sweeps: SweepSettings) -> Scene:
    """The scene without ghosts, and without sweeps but those given.

    Nor does it have lessons. Values of ghosts and sweeps that buttons and sliders of the card set are left out with
    them, as are buttons and sliders that would do nothing else.
    """
    return scene.model_copy(update={"ghost": (), "sweep": sweeps, "story": _story_without(scene.story), "lesson": ()})


def _story_without(story: Story) -> Story:
    """The story without values of ghosts and sweeps; itself if it has none."""
    trials, sliders = map(_kept, story.try_), map(_kept, story.sliders)
    made = story.model_copy(
        update={
            "try_": tuple(trial for trial in trials if trial is not None),
            "sliders": tuple(slider for slider in sliders if slider is not None),
        }
    )
    return story if (made.try_, made.sliders) == (story.try_, story.sliders) else made


def _kept(part: Part) -> Part | None:
    """A button or slider without values of ghosts and sweeps; None if it has only those."""
    values = {text: value for text, value in part.set.items() if OF_VARIANTS.match(text) is None}
    if len(values) == len(part.set):
        return part
    does_more = bool(values) or (isinstance(part, Trial) and bool(part.show))
    return part.model_copy(update={"set": values}) if does_more else None
