"""Scene files: TOML to Scene and back."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.problem import InputError, Problem
from core.scene import Scene
from core.scene_problems import problems
from core.scene_units import scene_in_si

LARGEST_FILE = 16 * 2**20  # [bytes]; scenes are written by people, and meshes are files of their own


def read_scene(path: Path | str) -> Scene:
    """The scene of a TOML file, in SI. Raises InputError with everything that is wrong with it."""
    path = Path(path)
    data = _tables(_text(path), str(path))
    return scene_of(data, str(path)).in_folder(path.parent)


def scene_of(data: dict[str, Any], source: str) -> Scene:
    """The scene that the tables of a file describe, in SI; `source` names the file in messages."""
    try:
        return scene_in_si(Scene.model_validate(data))
    except ValidationError as error:
        raise InputError(source, problems(error, data)) from error


def _text(path: Path) -> str:
    """Contents of the file, or the reason why there are none."""

    def fault(rule: str, remedy: str) -> InputError:
        return InputError(str(path), [Problem("", rule, remedy)])

    try:
        if path.is_dir():
            raise fault("is a folder, not a file", "name the scene file in it")
        if (size := path.stat().st_size) > LARGEST_FILE:
            raise fault(
                f"is {size / 2**20:.0f} MB, more than the {LARGEST_FILE / 2**20:.0f} of any scene", "is it a scene?"
            )
        content = path.read_bytes()
    except FileNotFoundError:
        raise fault("there is no such file", "check the name and the folder") from None
    except PermissionError:
        raise fault("you may not read this file", "change its permissions") from None
    except OSError as error:
        raise fault(f"cannot be read ({error.strerror})", "check the file and the disk") from error
    if not content.strip():
        raise fault("is empty", "copy one of the built-in scenes to start from")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            str(path),
            [
                Problem(
                    f"line {line}", f"is not UTF-8 text (byte {content[error.start]:#04x})", "save the file as UTF-8"
                )
            ],
        ) from None


def _tables(text: str, source: str) -> dict[str, Any]:
    """The tables of a TOML text."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        problem = Problem("", "is nested too deeply", "remove the brackets that are too many")
    except ValueError as error:  # of tomllib itself, or of a number with thousands of digits
        found = re.fullmatch(r"(?s)(.*) \(at (.*)\)", str(error))
        rule, where = found.groups() if found else (str(error), "")
        problem = Problem(where, f"is not TOML: {rule[:1].lower()}{rule[1:]}", "correct this line")
    raise InputError(source, [problem])
