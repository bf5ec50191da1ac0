"""Extraction of files from a container, such as the meshes in a recording: plain names, nothing is overwritten."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from core.scene.file_io import all_bytes
from core.scene.message import Message
from core.scene.problem import InputError, Problem, printable

LONGEST = 255  # [bytes] of a name
SEPARATORS = '/\\:<>"|?*'  # of folders, drives and streams somewhere, and what some systems take in no name
DEVICES = ("CON", "PRN", "AUX", "NUL", *(f"{port}{k}" for port in ("COM", "LPT") for k in range(10)))
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | getattr(os, "O_BINARY", 0)


def is_plain(name: str) -> bool:
    """Whether a name is valid for a file in a folder on every system, without a path."""
    try:
        length = len(name.encode())
    except UnicodeEncodeError:
        return False
    told = printable(name) == name and not any(letter in SEPARATORS for letter in name)
    device = name.split(".")[0].strip().upper() in DEVICES
    return told and 0 < length <= LONGEST and not name.startswith(" ") and name[-1] not in " ." and not device


def plain(number: int, name: str) -> str:
    """A plain name for the file with index `number`, as close to its own as possible."""
    shown = "".join(letter if is_plain(f"_{letter}_") else "_" for letter in name)
    while len(shown.encode()) > LONGEST - 16:
        shown = shown[1:]
    return f"{number}-{shown}" if is_plain(f"{number}-{shown}") else f"{number}-{shown}_"


def check_names(names: Mapping[str, object] | set[str], source: str) -> None:
    """Raise InputError where a name is not plain; `source` is the container."""
    wrong = [name for name in names if not is_plain(name)]
    if wrong:
        rule = Message("has a file named {name!r}, and such a name may lead to other folders", name=printable(wrong[0]))
        raise InputError(
            source, [Problem("", rule, Message("give it another name, or use a file from somebody you know"))]
        )


def unpack(files: Mapping[str, bytes], folder: Path, source: str, overwrite: bool = False) -> None:
    """Write files of `source` into a folder, in which they keep their names.

    Raises InputError, and has written nothing, where a name is not plain, or where something else is there by that
    name, unless `overwrite` says that it is to be replaced. A link is replaced, and what it leads to stays. Raises
    OSError where the disk takes no more.
    """
    check_names(files, source)
    missing = {name: content for name, content in files.items() if not _has(folder / name, content)}
    taken = [name for name in missing if os.path.lexists(folder / name)]
    for name in taken:
        place, path = str(folder / name), folder / name
        if path.is_dir() and not path.is_symlink():
            rule = Message("is a folder, and a file of this name is to be written")
            raise InputError(source, [Problem(place, rule, Message("choose another folder"))])
        if not overwrite:
            rule = Message("is there with other content, and a file of this name is to be written")
            raise InputError(
                source, [Problem(place, rule, Message("choose another folder, or replace it with --overwrite"))]
            )
    for name, content in missing.items():
        _write(folder / name, content, name in taken)


def _has(path: Path, content: bytes) -> bool:
    """Whether a regular file, not a link, has this content."""
    try:
        return not path.is_symlink() and all_bytes(path, len(content), NO_FOLLOW) == content
    except OSError:
        return False


def _write(path: Path, content: bytes, replaces: bool) -> None:
    """Write a file completely or not at all; an existing file is replaced, not written to."""
    written = path.with_name(f".polhode-{os.getpid()}") if replaces else path
    descriptor = os.open(written, NEW, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        if replaces:
            written.replace(path)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
