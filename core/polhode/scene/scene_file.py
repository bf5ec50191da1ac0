"""Scene files: TOML to Scene and back.

Where a file is checked, in this order; InputError has all problems of the first step that finds any:

- contents: a regular file of at most LARGEST_FILE, not empty (core/polhode/scene/files/file_io.py); UTF-8, with or
  without a mark
- tables: the syntax of TOML 1.0, with line and column (`tables_of`)
- fields: types, bounds, unknown keys, in the file's units (core/polhode/scene/checks/validation_messages.py), together
  with the rules that join fields (core/polhode/scene/checks/cross_field_rules.py)
- in SI: the same checks again, as a unit may bring a number out of range (core/polhode/scene/units.py)

References between items, meshes and shapes are checked when the scene is compiled (core/polhode/engine/compile.py).
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from polhode.scene.checks.arguments import checked
from polhode.scene.checks.counts import check_counts, has_deep_key
from polhode.scene.checks.cross_field_rules import broken_rules
from polhode.scene.checks.validation_messages import cut, problems
from polhode.scene.files.file_io import contents
from polhode.scene.gallery import find
from polhode.scene.message import Message
from polhode.scene.problem import MOST as MOST_LISTED
from polhode.scene.problem import InputError, Problem
from polhode.scene.quantity import IN_FILE_UNITS
from polhode.scene.scene import Scene, scene_in_si

DEEPEST = 50  # tables and lists in each other; scenes have no more than ten
LONGEST_NUMBER = 4096  # [bits]; Python's own limit for decimal numbers is 4300 digits
OTHER_READERS = {".udf": "read_udf", ".xml": "read_robot", ".urdf": "read_robot"}  # of files that describe scenes, too
LARGEST_FILE = 16 * 2**20  # [bytes]; scenes are written by people, and meshes are files of their own


@checked
def read_scene(path: Path | str) -> Scene:
    """The scene of a TOML file, or the built-in scene of a name (`scene_names`), in SI.

    A name without a folder or an ending is that of a built-in scene, unless the current folder has such a file. Names
    of meshes are relative to the folder of the file. Raises InputError with the place, the rule, the value and the
    remedy of each problem.

        from polhode import read_scene

        scene = read_scene("heavy_top")
        print(scene.title, [body.name for body in scene.bodies])
    """
    path = find(str(path))
    content = contents(path, LARGEST_FILE)
    if (reader := OTHER_READERS.get(path.suffix.lower())) is not None:
        rule = Message("is no scene file")
        raise InputError.of(str(path), rule, Message("read it with {reader}", reader=reader))
    return scene_of_text(content, str(path), path.parent)


def scene_of_text(content: bytes, source: str, folder: Path) -> Scene:
    """The scene that the contents of a file describe, with `folder` as its folder; `source` names it in messages.

    Raises InputError as `read_scene` does.
    """
    return scene_of(tables_of(text_of_bytes(content, source), source), source).in_folder(folder)


def scene_of(data: dict[str, Any], source: str) -> Scene:
    """The scene that the tables of a file describe, in SI; `source` names the file in messages.

    Raises InputError with all problems of fields and of the rules that join them, each once, up to a number that is
    still read. `data` is not changed.
    """
    check_counts(data, source)
    context = IN_FILE_UNITS if data.get("units") else None
    with np.errstate(all="ignore"):  # results that are not finite are refused
        try:
            return scene_in_si(Scene.model_validate(data, context=context))
        except ValidationError as error:
            found = problems(error, data, Scene)
            if len(found) <= MOST_LISTED:  # more would not be seen
                found = list(dict.fromkeys([*found, *broken_rules(data)]))
            raise InputError(source, found) from error


def scene_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of scene files, with the unit and the help of every key, for completion in editors.

    Key `unit` is an addition to the standard; the description of a key ends with it in brackets too.
    """
    schema = Scene.model_json_schema()
    _name_units(schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _name_units(schema: Any) -> None:
    """End each description in `schema` with its unit; changes its last argument."""
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


def text_of_bytes(content: bytes, source: str) -> str:
    """The text of a scene file. Raises InputError where it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError.of(
            source,
            Message("is not UTF-8 text (byte {byte:#04x})", byte=content[error.start]),
            Message("save the file as UTF-8"),
            Message("line {line}", line=line),
        ) from None


QUOTED = Path(__file__).with_name("quoted_texts.toml")
"""Texts of other programs that messages quote, listed for their translation."""


def tables_of(text: str, source: str) -> dict[str, Any]:
    """The tables of a TOML text, with Python's values. `source` names the text in messages.

    Raises InputError with line and column where it is not TOML, or nested so deeply that the parser gives up, and for
    whole numbers of more than LONGEST_NUMBER bits.
    """
    too_deep = Problem("", Message("is nested too deeply"), Message("remove the brackets that are too many"))
    if has_deep_key(text, DEEPEST):
        raise InputError(source, [too_deep])
    try:
        tables = tomllib.loads(text)
        found = _long_number(tables) if _depth(tables) <= DEEPEST else too_deep
        if found is None:
            return tables
        problem = found
    except RecursionError:
        problem = too_deep
    except ValueError as error:  # of tomllib itself, or of a number with thousands of digits
        rule, where = _located(str(error), text)
        problem = Problem(
            where,
            Message("is not TOML: {reason}", reason=_reason(rule[:1].lower() + rule[1:])),
            Message("correct this line"),
        )
    raise InputError(source, [problem])


def _depth(tables: dict[str, Any]) -> int:
    """Depth of nested tables and lists, counted up to DEEPEST + 1, without recursion."""
    inner: list[Any] = [tables]
    for depth in range(DEEPEST + 1):
        inner = [
            item
            for value in inner
            for item in (value.values() if isinstance(value, dict) else value)
            if isinstance(item, dict | list)
        ]
        if not inner:
            return depth + 1
    return DEEPEST + 1


def _long_number(value: Any, path: str = "") -> Problem | None:
    """The first whole number of more than LONGEST_NUMBER bits, which neither float64 nor a message can hold.

    Hexadecimal, octal and binary numbers have no other limit. `path` is the path of `value`, a table or a list.
    """
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        inside = f"{path}[{key}]" if isinstance(value, list) else f"{path}.{cut(str(key))}".removeprefix(".")
        if isinstance(item, int) and item.bit_length() > LONGEST_NUMBER:
            rule = Message(
                "is a whole number of {bits} bits, more than {most}", bits=item.bit_length(), most=LONGEST_NUMBER
            )
            return Problem(inside, rule, Message("give a smaller number"))
        if isinstance(item, dict | list) and (found := _long_number(item, inside)):
            return found
    return None


def _located(said: str, text: str) -> tuple[str, Message | str]:
    """The message of tomllib without the position at its end, and that position, "line 3, column 7", or ""."""
    found = re.fullmatch(r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", said)
    if found is None:
        return said, ""
    line, column = int(found[2] or text.count("\n") + 1), int(found[3] or len(text) - text.rfind("\n"))
    return found[1], Message("line {line}, column {column}", line=line, column=column)


def _reason(said: str) -> Message:
    """The message of tomllib, which has no codes for its errors, with its value separated, for translation."""
    for template in tomllib.loads(QUOTED.read_text("utf-8"))["toml"]:
        before, value, after = template.partition("{found}")
        if said == template:
            return Message(template)
        if value and said.startswith(before) and said.endswith(after):
            return Message(template, found=said.removeprefix(before).removesuffix(after))
    return Message(said)
