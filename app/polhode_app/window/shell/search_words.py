"""Other words for the commands of the palette: those that a person types who does not know their names."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from polhode.scene.scene import Scene
from polhode_app.i18n.data_files import read_data
from polhode_app.i18n.field_names import scene_title
from polhode_app.i18n.language import in_all_languages, tr


def other_words(kind: Literal["actions", "items", "scenes", "themes"], name: str) -> str:
    """Other words for an action, a scene or a theme by its name, or for an item to add by its English one."""
    return str(read_data("search_words")[kind].get(name, ""))


def scene_texts(path: Path, scene: Scene) -> tuple[str, str, str]:
    """Title of a built-in scene, other names, and its texts: description, card and document.

    The last two are in all languages.
    """
    words = f"{path.stem} {scene.title} {other_words('scenes', path.stem)} {in_all_languages(scene.title)}"
    texts = [scene.description, scene.story.text, *(part.label for part in (*scene.story.try_, *scene.story.sliders))]
    texts += _document_of(path.stem)
    return scene_title(scene) or path.stem, words, " ".join(in_all_languages(" ".join(text.split())) for text in texts)


def document_title(name: str) -> str:
    """Translated title of the document from which a built-in scene is; "" for all others."""
    title, _ = _document_of(name)
    return tr(title)


def _document_of(name: str) -> tuple[str, str]:
    """Title of the document of a built-in scene, and other words; empty for a scene of none."""
    for key, document in read_data("search_words")["documents"].items():
        if any(fnmatchcase(name, pattern) for pattern in document["scenes"]):
            return read_data("errata")[key]["title"], document["words"]
    return "", ""
