"""Every field of a scene, what it means, what it can be and what can be added is said in Japanese, and nothing else."""

from __future__ import annotations

from app.edit.add_menu import ADDITIONS
from app.edit.fields import WAYS
from app.i18n.field_names import ONE, english
from app.translations.ja import TEXTS
from app.translations.ja.fields import ADDITIONS as ADDED
from app.translations.ja.fields import CHOICES, HELPS, NAMES
from app.translations.ja.fields import TEXTS as FIELDS
from core.scene.fields import forms
from core.scene.scene import Scene


def models() -> list[type]:
    found: list[type] = [Scene]
    for model in found:
        found += [inner for form in forms(model).values() for inner in form.models if inner not in found]
    return found


def test_every_name_of_a_field_has_its_japanese() -> None:
    keys = {key for model in models() for key in forms(model)} - {"format"}
    lists = {key for key, form in forms(Scene).items() if form.kind == "parts"} | {"shape", "dipole"}
    single = {ONE.get(key) or key.replace("_", " ").capitalize() for key in lists}
    wanted = {english(key) for key in keys} | single
    assert wanted - NAMES.keys() - ADDED.keys() == set()
    assert NAMES.keys() - wanted == set()


def test_every_help_has_its_japanese() -> None:
    wanted = {form.help for model in models() for form in forms(model).values()} - {""}
    assert wanted - HELPS.keys() == set()
    assert HELPS.keys() - wanted == set()


def test_everything_that_a_field_can_be_has_its_japanese() -> None:
    wanted = {
        choice.replace("_", " ") for model in models() for form in forms(model).values() for choice in form.choices
    }
    wanted |= {"not turned", "axis and angle", "basis"}
    assert len(WAYS) == 3
    assert wanted - CHOICES.keys() == {"1"}  # the version of the format
    assert CHOICES.keys() - wanted == set()


def test_everything_that_can_be_added_has_its_japanese() -> None:
    wanted = {group for group in ADDITIONS if group} | {each.text for group in ADDITIONS.values() for each in group}
    assert wanted == ADDED.keys()


def test_no_other_part_of_the_window_says_these_words_otherwise() -> None:
    assert {text: TEXTS[text] for text in FIELDS} == FIELDS
