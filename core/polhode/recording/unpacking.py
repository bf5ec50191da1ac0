"""Extraction of files from a container, such as the meshes in a recording: plain names, nothing is overwritten.

A container may come from anyone. So names with folders, drives, streams, control characters and names of devices are
refused on every system, symbolic links are not followed, and all names are checked before the first file is written.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from polhode.scene.files.file_io import all_bytes
from polhode.scene.files.file_writing import NEW, create_beside, give_name
from polhode.scene.message import Message, printable
from polhode.scene.problem import InputError

LONGEST = 255  # [bytes] of a name
SEPARATORS = '/\\:<>"|?*'  # of folders, drives and streams, and other characters that Windows forbids
DEVICES = ("CON", "PRN", "AUX", "NUL", *(f"{port}{k}" for port in ("COM", "LPT") for k in range(10)))
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def is_plain(name: str) -> bool:
    """Whether a name is valid for a file in a folder on every system, without a path.

    It has 1 to `LONGEST` bytes in UTF-8, no separator or character that Windows forbids, no invisible character, no
    space at its start, no space or dot at its end, and is no name of a device, as NUL or com1.txt.
    """
    try:
        length = len(name.encode())
    except UnicodeEncodeError:
        return False
    is_printable = printable(name) == name and not any(letter in SEPARATORS for letter in name)
    device = name.split(".")[0].strip().upper() in DEVICES
    return is_printable and 0 < length <= LONGEST and not name.startswith(" ") and name[-1] not in " ." and not device


def plain(number: int, name: str) -> str:
    """A plain name for the file with index `number`, as close to its own as possible: "3-rotor.stl".

    Characters that no plain name has become _; of a long name the end is kept, with its suffix. Names for different
    numbers are different.
    """
    shown = "".join(letter if is_plain(f"_{letter}_") else "_" for letter in name)
    while len(shown.encode()) > LONGEST - 16:
        shown = shown[1:]
    return f"{number}-{shown}" if is_plain(f"{number}-{shown}") else f"{number}-{shown}_"


def check_names(names: Mapping[str, object] | set[str], source: str) -> None:
    """Raise InputError where a name is not plain; `source` is the container, for the message."""
    wrong = [name for name in names if not is_plain(name)]
    if wrong:
        rule = Message("has a file named '{name}', and such a name may lead to other folders", name=wrong[0])
        raise InputError.of(source, rule, Message("give it another name, or use a file from a source that you trust"))


def unpack(files: Mapping[str, bytes], folder: Path, source: str, overwrite: bool = False) -> None:
    """Write files, contents by name, of the container `source` into a folder, in which they keep their names.

    An existing file with the same content stays. A link is replaced, its target stays. Raises InputError, and has
    written nothing, where a name is not plain, is that of a folder, or is that of a file with other content, unless
    `overwrite` says to replace it. Raises OSError where the disk takes no more; the files before that one are written
    then.
    """
    check_names(files, source)
    missing = {name: content for name, content in files.items() if not _has(folder / name, content)}
    taken = [name for name in missing if os.path.lexists(folder / name)]
    for name in taken:
        place, path = str(folder / name), folder / name
        if path.is_dir() and not path.is_symlink():
            rule = Message("is a folder, and a file of this name is to be written")
            raise InputError.of(source, rule, Message("choose another folder"), place)
        if not overwrite:
            rule = Message("is there with other content, and a file of this name is to be written")
            raise InputError.of(source, rule, Message("choose another folder, or replace it with --overwrite"), place)
    for name, content in missing.items():
        _write(folder / name, content, name in taken)


def _has(path: Path, content: bytes) -> bool:
    """Whether a path is a regular file, not a link, with exactly this content."""
    try:
        return not path.is_symlink() and all_bytes(path, len(content), NO_FOLLOW) == content
    except OSError:
        return False


def _write(path: Path, content: bytes, replaces: bool) -> None:
    """Write a file completely or not at all; an existing file is replaced by renaming. Raises OSError."""
    written, file = create_beside(path) if replaces else (path, os.fdopen(os.open(path, NEW, 0o666), "wb"))
    try:
        with file:
            file.write(content)
            file.flush()
            if replaces:
                give_name(written, file, path)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
