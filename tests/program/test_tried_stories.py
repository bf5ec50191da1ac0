"""Suggestions of the stories of built-in scenes are recognised as active, and are not unsaved changes."""

from __future__ import annotations

import pytest

from polhode.scene import gallery
from polhode.scene.checks.story_rules import is_on, is_tried_only, tried, untried, with_sound_story
from polhode.scene.fields import with_value
from polhode.scene.scene_file import read_scene


@pytest.mark.parametrize("name", gallery.scene_names())
def test_each_thing_to_try_is_recognised(name: str) -> None:
    saved = read_scene(gallery.path(name))
    for trial in saved.story.try_:
        scene = with_sound_story(tried(saved, trial))
        assert is_tried_only(scene, saved)
        assert is_on(scene, trial) == bool(trial.set)
        assert untried(scene, trial, saved).model_copy(update={"story": saved.story}) == saved
        assert not is_on(saved, trial)  # its button would look pressed at the start
        own = with_value(scene, ("title",), "Something of my own")
        assert not is_tried_only(own, saved)
