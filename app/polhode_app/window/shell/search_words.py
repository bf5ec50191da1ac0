"""Other words for the commands of the palette: those that a person types who does not know their names."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from polhode.scene.scene import Scene
from polhode_app.i18n.data_files import read_data
from polhode_app.i18n.field_names import scene_title
from polhode_app.i18n.language import in_all_languages


def other_words(kind: Literal["actions", "items", "scenes", "themes"], name: str) -> str:
    """Other words for an action, a scene or a theme by its name, or for an item to add by its English one."""
    return str(read_data("search_words")[kind].get(name, ""))


def scene_texts(path: Path, scene: Scene) -> tuple[str, str, str]:
    """Title of a built-in scene, other names and its description, the last two in all languages."""
    words = f"{path.stem} {scene.title} {other_words('scenes', path.stem)} {in_all_languages(scene.title)}"
    return scene_title(scene) or path.stem, words, in_all_languages(" ".join(scene.description.split()))
