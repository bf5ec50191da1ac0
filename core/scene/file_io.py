"""Files read and written as a whole: the bytes of an input, or the reason why there are none; never half a file."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from core.scene.problem import InputError, Problem


def contents(path: Path, largest: int) -> bytes:
    """All bytes of a scene's file, at most `largest` of them. Raises InputError."""

    def fault(rule: str, remedy: str) -> InputError:
        return InputError(str(path), [Problem("", rule, remedy)])

    try:
        if path.is_dir():
            raise fault("is a folder, not a file", "name the scene file in it")
        if (size := path.stat().st_size) > largest:
            raise fault(f"is {size / 2**20:.0f} MB, more than the {largest / 2**20:.0f} of any scene", "is it a scene?")
        content = path.read_bytes()
    except FileNotFoundError:
        raise fault("there is no such file", "check the name and the folder") from None
    except PermissionError:
        raise fault("you may not read this file", "change its permissions") from None
    except ValueError:  # a name with a zero character
        raise fault("has a name that no file can have", "check the name") from None
    except OSError as error:
        raise fault(f"cannot be read ({error.strerror})", "check the file and the disk") from error
    if not content.strip():
        raise fault("is empty", "copy one of the built-in scenes to start from")
    return content


def replace_file(path: Path, text: str) -> None:
    """Writes a text file; it is either the old or the new one, never half. Raises InputError."""
    try:
        _replace(path, text)
    except OSError as error:
        rule = f"cannot be written ({error.strerror})"
        raise InputError(str(path), [Problem("", rule, "choose another name or folder")]) from error


def _replace(path: Path, text: str) -> None:
    """Writes beside the file and renames, with the old file's permissions."""
    target = path.resolve()  # a link stays a link
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
