"""Scene files: TOML to Scene and back."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import ValidationError
from tomlkit.exceptions import TOMLKitError

from core.physics.bodies.shapes import MeshShape
from core.physics.contact.surfaces import MeshSurface
from core.physics.points.description import SoftMesh
from core.physics.sensor.description import Sensor
from core.scene.cross_field_rules import broken_rules
from core.scene.file_io import contents, replace_file
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene
from core.scene.toml_edit import comments_to_headings, describes, document_of, edit, stated
from core.scene.units import scene_in_si
from core.scene.validation_messages import problems

LARGEST_FILE = 16 * 2**20  # [bytes]; scenes are written by people, and meshes are files of their own


def read_scene(path: Path | str) -> Scene:
    """The scene of a TOML file, in SI. Raises InputError with everything that is wrong with it."""
    path = Path(path)
    data = tables_of(_read_text(path), str(path))
    return scene_of(data, str(path)).in_folder(path.parent)


def scene_of(data: dict[str, Any], source: str) -> Scene:
    """The scene that the tables of a file describe, in SI; `source` names the file in messages."""
    try:
        return scene_in_si(Scene.model_validate(data))
    except ValidationError as error:
        found = dict.fromkeys([*problems(error, data), *broken_rules(data)])
        raise InputError(source, list(found)) from error


def write_scene(scene: Scene, path: Path | str, like: Path | str | None = None) -> None:
    """Writes a scene to a TOML file in the scene's own units; the file is either the old or the new one, never half.

    `like`, by default the file itself where it exists, is the file whose comments, order and untouched numbers stay.
    Raises InputError where the file cannot be written.
    """
    path = Path(path)
    tables = stated(with_files_from(scene, path.parent))
    text = _edited(tables, path if like is None else Path(like)) or tomlkit.dumps(document_of(tables))
    replace_file(path, text)


def scene_text(scene: Scene) -> str:
    """The scene as the text of a file, with all digits."""
    return tomlkit.dumps(document_of(stated(scene)))


def scene_schema() -> dict[str, Any]:
    """The JSON Schema of scene files, with the unit and the help of every key, for completion in editors."""
    schema = Scene.model_json_schema()
    _name_units(schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _name_units(schema: Any) -> None:
    """Ends each description in `schema` with its unit; changes its last argument."""
    if isinstance(schema, list):
        for inner in schema:
            _name_units(inner)
    if not isinstance(schema, dict):
        return
    units = [inner["unit"] for inner in [schema, *schema.get("anyOf", [])] if "unit" in inner]
    if units and units[0] and isinstance(schema.get("description"), str):
        schema["description"] = f"{schema['description'].rstrip('.')} [{units[0]}]."
    for inner in schema.values():
        _name_units(inner)


def _edited(tables: dict[str, Any], like: Path) -> str | None:
    """The text of `like` changed so that it states `tables`; None where that file is no scene or resists."""
    try:
        text = _read_text(like)
        old = stated(scene_of(tables_of(text, str(like)), str(like)))
        document = tomlkit.parse(text)
        comments_to_headings(document)
        edit(document, old, tables)
        changed = tomlkit.dumps(document)
    except (InputError, TOMLKitError):
        return None
    return changed if describes(changed, tables) else None


def with_files_from(scene: Scene, folder: Path) -> Scene:
    """The scene with its files named as seen from `folder`."""
    if scene.folder.absolute() == folder.absolute():
        return scene

    def moved(shape: Any) -> Any:
        named = isinstance(shape, MeshShape | MeshSurface | SoftMesh | Sensor) and shape.file
        if not named or Path(shape.file).is_absolute():
            return shape
        file = (scene.folder / shape.file).absolute()
        try:
            name = os.path.relpath(file, folder.absolute())
        except ValueError:  # another drive
            name = str(file)
        return shape.model_copy(update={"file": Path(name).as_posix()})

    bodies = tuple(body.model_copy(update={"shape": tuple(map(moved, body.shape))}) for body in scene.body)
    others = {"soft": tuple(map(moved, scene.soft)), "surface": tuple(map(moved, scene.surface))}
    return scene.model_copy(update={"body": bodies, "sensor": moved(scene.sensor), **others}).in_folder(folder)


def _read_text(path: Path) -> str:
    """The text of a scene file. Raises InputError."""
    content = contents(path, LARGEST_FILE)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            str(path),
            [
                Problem(
                    Message("line {line}", line=line),
                    Message("is not UTF-8 text (byte {byte:#04x})", byte=content[error.start]),
                    Message("save the file as UTF-8"),
                )
            ],
        ) from None


# What Python's reader of TOML says about a text. It says no more than a text of its own, so it is known by that.
TOML_FAULTS = (
    Message("expected '=' after a key in a key/value pair"),
    Message("expected newline or end of document after a statement"),
    Message("expected ']' at the end of a table declaration"),
    Message("expected ']]' at the end of an array declaration"),
    Message("invalid statement"),
    Message("invalid value"),
    Message("invalid initial character for a key part"),
    Message("invalid hex value"),
    Message("invalid date or datetime"),
    Message("escaped character is not a Unicode scalar value"),
    Message("unescaped '\\' in a string"),
    Message("unterminated string"),
    Message("unclosed array"),
    Message("unclosed inline table"),
    Message("cannot overwrite a value"),
    Message("expected {found}"),
    Message("found invalid character {found}"),
    Message("illegal character {found}"),
    Message("cannot declare {found} twice"),
    Message("cannot mutate immutable namespace {found}"),
    Message("cannot redefine namespace {found}"),
    Message("duplicate inline table key {found}"),
)


def tables_of(text: str, source: str) -> dict[str, Any]:
    """The tables of a TOML text. Raises InputError; `source` names the text there."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        problem = Problem("", Message("is nested too deeply"), Message("remove the brackets that are too many"))
    except ValueError as error:  # of tomllib itself, or of a number with thousands of digits
        rule, where = _located(str(error), text)
        problem = Problem(
            where,
            Message("is not TOML: {reason}", reason=_reason(rule[:1].lower() + rule[1:])),
            Message("correct this line"),
        )
    raise InputError(source, [problem])


def _located(said: str, text: str) -> tuple[str, Message | str]:
    """What tomllib says without the place at its end, and that place."""
    found = re.fullmatch(r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", said)
    if found is None:
        return said, ""
    line, column = int(found[2] or text.count("\n") + 1), int(found[3] or len(text) - text.rfind("\n"))
    return found[1], Message("line {line}, column {column}", line=line, column=column)


def _reason(said: str) -> Message:
    """What tomllib says as a message with its value."""
    for template in TOML_FAULTS:
        before, value, after = template.partition("{found}")
        if said == template:
            return template
        if value and said.startswith(before) and said.endswith(after):
            return Message(template, found=said.removeprefix(before).removesuffix(after))
    return Message(said)
