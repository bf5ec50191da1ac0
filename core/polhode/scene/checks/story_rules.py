"""Checks of a story: its buttons and sliders set fields that the scene has, to values that a file could state."""

from __future__ import annotations

from itertools import islice

from polhode.scene.display.story import CardSlider, Trial
from polhode.scene.fields import FieldPath, at, numbers, parse_path, with_value, with_values, written
from polhode.scene.message import Message
from polhode.scene.problem import MOST as MOST_LISTED
from polhode.scene.problem import InputError, InvalidValue, Problem, did_you_mean
from polhode.scene.scene import Scene
from polhode.scene.variants.drivable_parameters import MOST


def story_problems(scene: Scene) -> list[Problem]:
    """Problems of all things to try, with their places."""
    found: list[Problem] = []
    for number, trial in enumerate(scene.story.try_):
        where = f"story.try[{number}].set"
        try:
            tried(scene, trial, suggests=len(found) < MOST_LISTED)
        except InvalidValue as error:
            found.append(error.problem.at(where))
        except InputError as error:
            found += [Problem(where, problem.rule, problem.remedy) for problem in error.problems]
    for number, slider in enumerate(scene.story.sliders):
        where = f"story.sliders[{number}].set"
        try:
            for value in (slider.low, slider.high):
                moved(scene, slider, value, suggests=len(found) < MOST_LISTED)
        except InvalidValue as error:
            found.append(error.problem.at(where))
        except InputError as error:
            found += [Problem(where, problem.rule, problem.remedy) for problem in error.problems]
    return found


def moved(scene: Scene, slider: CardSlider, value: float, suggests: bool = True) -> Scene:
    """The scene with the fields of a slider at a value [SI].

    Raises InvalidValue for a path at which the scene has no number, and InputError for a value that it refuses.
    """
    changes = {}
    for text, factor in slider.set.items():
        path = _known_path(scene, text, suggests)
        if not isinstance(at(scene, path), float):
            raise InvalidValue(Message("'{text}' is not a number", text=text), Message("name a number of the scene"))
        changes[path] = factor * value
    return with_values(scene, (), changes)


def slider_value(scene: Scene, slider: CardSlider) -> float | None:
    """The value [SI] of a slider in a scene, by its first field; None if it has another value, such as a formula."""
    text, factor = next(iter(slider.set.items()))
    try:
        number = at(scene, parse_path(text))
    except (LookupError, InvalidValue):
        return None
    return number / factor if isinstance(number, float) else None


def _known_path(scene: Scene, text: str, suggests: bool) -> FieldPath:
    """The path that a text means. Raises InvalidValue where the scene has no such field."""
    path = parse_path(text)
    try:
        at(scene, path)
    except LookupError:
        rule = Message("the scene has no field '{text}'", text=text)
        raise InvalidValue(rule, _similar(scene, text, MOST if suggests else 0)) from None
    return path


def tried(scene: Scene, trial: Trial, suggests: bool = True) -> Scene:
    """The scene with the values that a thing to try sets.

    Raises InvalidValue for a path at which the scene has no field, with a similar one as a remedy if `suggests`, and
    InputError for a value that it refuses.
    """
    for text, value in trial.set.items():
        scene = with_value(scene, _known_path(scene, text, suggests), value)
    return scene


def is_on(scene: Scene, trial: Trial) -> bool:
    """Whether a scene has all values that a thing to try sets; one that sets none is never on."""
    try:
        return bool(trial.set) and tried(scene, trial, suggests=False) == scene
    except (InvalidValue, InputError):
        return False


def untried(scene: Scene, trial: Trial, saved: Scene) -> Scene:
    """The scene with the values of a saved one in all fields that a thing to try sets.

    Raises LookupError where either has no such field, and InputError for a value that the scene refuses.
    """
    return with_values(scene, (), {path: at(saved, path) for path in map(parse_path, trial.set)})


def is_tried_only(scene: Scene, saved: Scene) -> bool:
    """Whether a scene differs from a saved one in nothing but fields that the saved one's card sets."""
    try:
        parts: tuple[Trial | CardSlider, ...] = (*saved.story.try_, *saved.story.sliders)
        paths = {parse_path(text) for part in parts for text in part.set}
        scene = with_values(scene, (), {path: at(saved, path) for path in paths})
    except (LookupError, InvalidValue, InputError):
        return False
    return scene.model_copy(update={"story": saved.story}) == saved


def _similar(scene: Scene, text: str, most: int) -> Message:
    """Remedy for an unknown path: the most similar one of the first `most` numbers."""
    paths = [path for path, _ in islice(numbers(scene), most)]
    whole = [path[:-1] for path in paths if isinstance(path[-1], int)]  # vectors of which only parts are numbers
    known = dict.fromkeys(map(written, (*whole, *paths)))
    return did_you_mean(text, known, Message("name one as messages do, such as world.gravity[2]"))


def with_sound_story(scene: Scene) -> Scene:
    """The scene without the things to try, and the sliders, that an edit has made impossible."""
    story = scene.story
    trials = tuple(trial for trial in story.try_ if _is_sound(scene, trial))
    sliders = tuple(slider for slider in story.sliders if _is_sound(scene, slider))
    if (len(trials), len(sliders)) == (len(story.try_), len(story.sliders)):
        return scene
    return scene.model_copy(update={"story": story.model_copy(update={"try_": trials, "sliders": sliders})})


def _is_sound(scene: Scene, part: Trial | CardSlider) -> bool:
    try:
        if isinstance(part, Trial):
            tried(scene, part, suggests=False)
        else:
            for value in (part.low, part.high):
                moved(scene, part, value, suggests=False)
    except (InvalidValue, InputError):
        return False
    return True
