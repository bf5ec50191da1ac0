"""Folders of files that only their user can write, each complete or absent: machine code, and distance fields.

Machine code is unpickled, which may execute anything, so a file is read only if this user owns it, no other user may
write it, and its SHA-256 at the end is right. Files are written under another name and renamed. Folders of other
versions are deleted when they are old and not in use.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from platformdirs import user_cache_path

if sys.platform != "win32":
    import fcntl

KERNELS = "kernels"  # folder of all versions in the program's cache folder
KEPT_FOLDERS = 8  # versions that are kept, so that switching between a few does not compile again
YOUNG = 86400.0  # [s] folders used more recently than this are kept as well
USED = "in-use"  # file that is locked while the folder is in use; its time is that of the last start
DIGEST = hashlib.sha256().digest_size
OTHERS = stat.S_IWGRP | stat.S_IWOTH
# No link is followed, and no pipe is waited for.
READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
NAME = re.compile(r"[0-9a-f]{16}")


CACHE = "POLHODE_CACHE"  # environment variable: folder in place of the usual one, set by the starters of installers


def cache_folder() -> Path:
    """Folder of what the program can compute again, of this user alone."""
    return Path(given) if (given := os.environ.get(CACHE)) else user_cache_path("polhode")


class Trouble(NamedTuple):
    """Why files are not stored, or not used."""

    kind: Literal["foreign", "closed", "damaged"]  # others may have written it; the disk refuses; a file is not whole
    why: str = ""  # what the operating system says


class CodeFolder:
    """A folder of files, created at first use. Its methods do not raise: problems are in `trouble`."""

    def __init__(self, path: Path):
        self.path = path
        self.trouble: Trouble | None = None  # the first one
        self._usable: bool | None = None
        self._used = -1  # descriptor of the locked file

    @property
    def usable(self) -> bool:
        """Whether files are read and written."""
        if self._usable is None:
            self._usable = True
            try:
                self._make()
            except OSError as error:
                self._fail(error)
        return self._usable

    def has(self, name: str) -> bool:
        """Whether a file of that name exists; its content is not checked."""
        return self.usable and (self.path / name).exists()

    def read(self, name: str) -> bytes | None:
        """Content of a file; None where it is missing or not trusted."""
        if not self.usable:
            return None
        try:
            file = os.open(self.path / name, READ)
            with os.fdopen(file, "rb") as opened:
                if not _is_own(os.fstat(file)):
                    self._refuse()
                    return None
                content = opened.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._fail(error)
            return None
        if (inner := without_digest(content)) is None:
            self._tell(Trouble("damaged"))
        return inner

    def write(self, name: str, content: bytes) -> None:
        """Store a file under a new name, or one with the same content; with its digest behind it."""
        if not self.usable:
            return
        waiting = self.path / f"{name}.{uuid.uuid4().hex[:16]}"
        try:
            try:
                file = os.open(waiting, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
                with os.fdopen(file, "wb") as opened:
                    opened.write(with_digest(content))
                waiting.replace(self.path / name)
            except OSError:
                waiting.unlink(missing_ok=True)
                if sys.platform != "win32" or not (self.path / name).exists():
                    raise  # Windows refuses while another program reads the file
        except OSError as error:
            self._fail(error)

    def touch(self, name: str) -> None:
        """Note that a file was used now, for `limit`."""
        with suppress(OSError):
            os.utime(self.path / name)

    def limit(self, most: int) -> None:
        """Delete files of this folder and of those of other versions that were not used for longest, until all have no
        more than `most` bytes together. A file that a program reads stays readable for it.
        """
        if not self.usable:
            return
        ages: list[tuple[float, int, Path]] = []
        with suppress(OSError):
            for folder in (path for path in self.path.parent.iterdir() if NAME.fullmatch(path.name)):
                for path in (path for path in folder.iterdir() if path.name != USED):
                    status = path.lstat()
                    if stat.S_ISREG(status.st_mode):
                        ages.append((status.st_mtime, status.st_size, path))
        ages.sort()
        beyond = sum(size for _, size, _ in ages) - most
        for _, size, path in ages:
            if beyond <= 0:
                return
            with suppress(OSError):
                path.unlink()
                beyond -= size

    def _make(self) -> None:
        """Create the folder and those above it with mode 0700, delete old ones, and lock it as in use."""
        root = self.path.parent
        root.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        root.mkdir(mode=0o700, exist_ok=True)
        if not _is_own(root.lstat(), any_mode=True):
            self._refuse()
            return
        root.chmod(0o700)
        if not self.path.exists():
            _delete_older(root)
        self.path.mkdir(mode=0o700, exist_ok=True)
        if not _is_own(self.path.lstat()):
            self._refuse()
            return
        used = self.path / USED
        try:
            self._used = os.open(used, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
            os.utime(used)
            if sys.platform != "win32":
                fcntl.flock(self._used, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            self._tell(Trouble("closed", str(error.strerror or error)))  # files can still be read

    def _refuse(self) -> None:
        """Stop using the folder: others may have written to it."""
        self._usable = False
        self._tell(Trouble("foreign"))

    def _fail(self, error: OSError) -> None:
        """Stop using the folder: the operating system refuses."""
        self._usable = False
        self._tell(Trouble("closed", str(error.strerror or error)))

    def _tell(self, trouble: Trouble) -> None:
        """Keep the first trouble."""
        if self.trouble is None:
            self.trouble = trouble


def with_digest(content: bytes) -> bytes:
    """Content of a file, with its digest behind it."""
    return content + hashlib.sha256(content).digest()


def without_digest(content: bytes) -> bytes | None:
    """Content of a file without the digest behind it; None where the digest is another's."""
    return content[:-DIGEST] if hashlib.sha256(content[:-DIGEST]).digest() == content[-DIGEST:] else None


def _is_own(status: os.stat_result, any_mode: bool = False) -> bool:
    """Whether a folder or file exists, belongs to this user, and no one else may write to it."""
    if not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
        return False
    if sys.platform == "win32":
        return True  # on Windows a user's folders are closed to others
    return status.st_uid == os.geteuid() and (any_mode or not status.st_mode & OTHERS)


def _delete_older(root: Path) -> None:
    """Delete folders of other versions beyond the newest few, unless they are in use."""
    known = [path for path in root.iterdir() if NAME.fullmatch(path.name) and path.is_dir() and not path.is_symlink()]
    ages = {path: _last_used(path) for path in known}
    for old in sorted(known, key=lambda path: ages[path], reverse=True)[KEPT_FOLDERS - 1 :]:
        if time.time() - ages[old] > YOUNG and not _is_locked(old):
            shutil.rmtree(old, ignore_errors=True)


def _last_used(folder: Path) -> float:
    """Time [s] since the epoch at which a folder was last used; now if that is unknown."""
    try:
        used = folder / USED
        return (used if used.exists() else folder).stat().st_mtime
    except OSError:
        return time.time()


def _is_locked(folder: Path) -> bool:
    """Whether a program holds the lock of a folder; False on Windows, where folders in use cannot be deleted."""
    if sys.platform == "win32":
        return False
    try:
        file = os.open(folder / USED, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False
