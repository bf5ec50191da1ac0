"""Writing of files: replacement in one step, and tables that grow by whole rows.

A file is written under another name in the same folder and then renamed: a reader, a full disk or a kill finds the old
or the new file whole. The other name is unpredictable and is created exclusively, so that it leads through no link that
another user has put there. It is locked until it is renamed: what no process holds was left by a killed program.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from time import time
from typing import BinaryIO

from polhode.scene.files.file_io import READ, NotRegular
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, reason_of

if sys.platform != "win32":
    import fcntl

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

UNFINISHED = re.compile(r"\.polhode-[0-9a-f]{16}\.part")
ABANDONED = 86_400  # [s] without a change, after which an unfinished file is left over where no locks are known
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class CutShort(OSError):
    """The disk takes no more of a table, which ends with its last whole row."""

    def __init__(self, error: OSError, rows: int):
        reason = Message("{reason}; it holds {rows} rows", reason=reason_of(error), rows=rows)
        super().__init__(error.errno, reason)
        self.rows = rows


def temporary_name(path: Path, token: str = "") -> Path:
    """A name in the folder of `path` for its replacement, unique by `token`, by default 16 random digits."""
    return path.with_name(f".polhode-{token or secrets.token_hex(8)}.part")


def problem_of_place(path: Path) -> Problem | None:
    """The problem with the path of an output file, or None, for a check before the work."""
    if path.is_dir():
        return Problem("", Message("is a folder"), Message("give the name of a file"))
    if not path.parent.is_dir():
        rule = Message("there is no folder '{folder}'", folder=path.parent)
        return Problem("", rule, Message("make it, or choose another"))
    return None


def check_place(path: Path) -> None:
    """Raise InputError if an output file has no place."""
    if (problem := problem_of_place(path)) is not None:
        raise InputError(str(path), [problem])


def target_of(path: Path) -> tuple[Path, int | None]:
    """The file that is replaced in place of `path`, which may be a link to it, and its permissions.

    These are None for a new file. Raises NotRegular for a device, a pipe or a socket, or another OSError.
    """
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return target, None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise NotRegular
    return target, stat.S_IMODE(mode)


def create_beside(path: Path, mode: int | None = None, token: str = "") -> tuple[Path, BinaryIO]:
    """Create the file that is to replace `path`, open for writing; returns its path and the file. Raises OSError.

    mode: permissions, by default the usual ones of a new file

    While the file is open no other program removes it; `give_name` ends that.
    """
    beside = temporary_name(path, token)
    remove_leftovers(str(beside.parent))
    descriptor = os.open(beside, NEW, 0o666 if mode is None else mode & 0o777)
    if not _hold(descriptor):  # another program has removed it in the meantime
        os.close(descriptor)
        descriptor = os.open(beside, NEW, 0o666 if mode is None else mode & 0o777)
        _hold(descriptor)
    if mode is not None:
        with suppress(OSError):  # a file system without permissions
            beside.chmod(mode)  # exactly, whatever the umask
    return beside, os.fdopen(descriptor, "wb")


def _hold(descriptor: int) -> bool:
    """Lock an unfinished file for this process; whether it still has its name."""
    if sys.platform != "win32":
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
    return os.fstat(descriptor).st_nlink > 0


def give_name(beside: Path, file: BinaryIO, target: Path) -> None:
    """Rename a complete file that `create_beside` has made, in place of `target`, and close it. Raises OSError."""
    if sys.platform == "win32":  # open files can't be renamed there
        file.close()
    beside.replace(target)
    file.close()


@cache  # once in each folder
def remove_leftovers(folder: str) -> None:
    """Remove files that a killed program has left in a folder: names as of `temporary_name`, regular, the user's own,
    and held by no process. Files that can't be removed stay.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if UNFINISHED.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_leftover(Path(entry.path))


def _remove_leftover(path: Path) -> None:
    """Remove an unfinished file of this user unless a process holds it. Raises OSError."""
    descriptor = os.open(path, READ | NO_FOLLOW)
    try:
        about = os.fstat(descriptor)
        own = not hasattr(os, "getuid") or about.st_uid == os.getuid()
        is_left = own and stat.S_ISREG(about.st_mode) and not _is_held(descriptor, about)
        if is_left and sys.platform != "win32":  # before the lock ends
            path.unlink()
    finally:
        os.close(descriptor)
    if is_left and sys.platform == "win32":  # open files can't be removed there
        path.unlink()


def _is_held(descriptor: int, about: os.stat_result) -> bool:
    """Whether a process may still write an unfinished file. Where it is not, the file is locked."""
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            pass  # a file system without locks
        else:
            return False
    return time() - about.st_mtime <= ABANDONED


def empty_beside(path: Path, token: str = "") -> tuple[Path, BinaryIO]:
    """Create an empty file that another program fills, to replace what `path` leads to. Raises OSError.

    Returns its path and the file, which holds it: `give_name`, or `discard` it.
    """
    target, mode = target_of(path)
    return create_beside(target, mode, token)


def discard(beside: Path, file: BinaryIO) -> None:
    """Close an unfinished file and remove it, also where closing it fails. Raises OSError."""
    try:
        file.close()
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path, mode: int | None = None, token: str = "") -> Iterator[BinaryIO]:
    """A binary file that replaces `path` where the context ends without an exception, and else leaves no trace.

    mode: permissions, by default those of the old file, or the usual ones of a new file
    token: of the unfinished file, as of `temporary_name`

    The data reach the disk (fsync) before the rename, so a loss of power leaves one of the two files as well. Of a
    symbolic link the file that it leads to is replaced. Raises OSError; the old file is then as it was.
    """
    target, before = target_of(path)
    beside, file = create_beside(target, before if mode is None else mode, token)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            give_name(beside, file, target)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def replace_file(path: Path, content: str | bytes, mode: int | None = None) -> None:
    """As `replacing`, bytes, or a text in UTF-8 with its line ends. Raises InputError if the system refuses."""
    try:
        with replacing(path, mode) as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise not_written(path, error) from error


def not_written(path: Path, error: OSError) -> InputError:
    """The error for a file that the system refuses to write."""
    rule = Message("cannot be written ({reason})", reason=reason_of(error))
    return InputError.of(str(path), rule, Message("choose another name or folder"))


class RowFile:
    """A table in a text file that grows by whole rows, each at its end on the disk as soon as it is added.

    Where the disk takes no more, the file is cut back to its last whole row. `rows` is their number, without the
    heading.
    """

    def __init__(self, path: Path, heading: str):
        """Replace a file by one with the heading alone; a device or a pipe is written as it is.

        Raises OSError; an older file is then as it was.
        """
        self.rows = 0
        self._size = 0  # [bytes] of the heading and the whole rows
        try:
            with replacing(path) as file:
                self._size = file.write(heading.encode())
            self._file = path.open("ab", buffering=0)
        except NotRegular:
            self._file = path.open("wb", buffering=0)
            self._append(heading.encode())

    def add(self, rows: str) -> None:
        """Append rows, each with its line end. Raises CutShort where the disk takes no more."""
        content = rows.encode()
        try:
            self._append(content)
        except OSError as error:
            raise CutShort(error, self.rows) from error
        self.rows += content.count(b"\n")

    def _append(self, content: bytes) -> None:
        """Append `content`; after an OSError the file ends with the last row that fits, which is counted."""
        done = 0
        try:
            while done < len(content):
                done += self._file.write(content[done:])
        except OSError:
            whole = content[: content.rfind(b"\n", 0, done) + 1]
            self._size += len(whole)
            self.rows += whole.count(b"\n")
            with suppress(OSError):  # a device
                self._file.truncate(self._size)
            raise
        self._size += done

    def close(self) -> None:
        """Close the file."""
        self._file.close()
