"""Writing of scenes as TOML files, with the comments and the order of an older file.

Apart from reading, which does not need the library that keeps comments.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from polhode.scene.checks.arguments import checked
from polhode.scene.checks.changed_parts import validated
from polhode.scene.files.file_io import contents
from polhode.scene.files.file_writing import replace_file
from polhode.scene.files.scene_files import with_files_from
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import LARGEST_FILE, scene_of, tables_of, text_of_bytes
from polhode.scene.toml_edit import comments_to_headings, describes, document_of, edit, stated

ENDING = ".toml"


@checked
def write_scene(scene: Scene, path: Path | str, like: Path | str | None = None, mode: int | None = None) -> None:
    """Write a scene to a TOML file in the scene's own units; the file is either the old or the new one, never half.

    like: file whose comments, order and untouched numbers stay, by default the file itself where it exists
    mode: permissions of the file, by default those of the old one, or the usual ones of a new file

    Defaults are left out. Names of meshes are rewritten so that they lead from the folder of `path` to the same files.
    What is written describes the very scene that is given: where `like` can't be edited to do so, a file without
    comments is written. Raises InputError for a scene that is not valid, and where the file can't be written.

        write_scene(scene.with_values({"title": "Slower"}), "slower.toml", like="scenes/heavy_top.toml")
    """
    path = Path(path)
    if path.suffix.lower() != ENDING:
        rule = Message("'{name}' has no ending of a scene", name=path.name)
        raise InputError.of(str(path), rule, Message("choose an ending out of {endings}", endings=ENDING))
    tables = stated(with_files_from(validated(scene), path.parent))
    text = _edited(tables, path if like is None else Path(like)) or tomlkit.dumps(document_of(tables))
    replace_file(path, text, mode)


def scene_text(scene: Scene) -> str:
    """The scene as the text of a file, with all digits."""
    return tomlkit.dumps(document_of(stated(scene)))


def _edited(tables: dict[str, Any], like: Path) -> str | None:
    """The text of `like`, changed to state `tables`; None if it is no scene or does not describe them (`describes`)."""
    try:
        text = text_of_bytes(contents(like, LARGEST_FILE), str(like))
        old = stated(scene_of(tables_of(text, str(like)), str(like)))
        document = tomlkit.parse(text)
        comments_to_headings(document)
        edit(document, old, tables)
        changed = tomlkit.dumps(document)
    except (InputError, TOMLKitError):
        return None
    return changed if describes(changed, tables) else None
