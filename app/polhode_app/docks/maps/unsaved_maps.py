"""Files of maps that the window computes: each is written while it is computed, and found again after a crash."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

from platformdirs import user_state_path
from PySide6.QtCore import QLockFile

from polhode.scene.message import Message
from polhode.scene.problem import message_of

log = logging.getLogger(__name__)

SLOTS = 32  # folders: running programs and those that were ended
ENDING = ".h5"


@dataclass(frozen=True)
class LeftMap:
    """The newest map of a program that has ended without saving it."""

    path: Path
    changed: float  # [s] since 1970


class MapFiles:
    """A folder of this program's maps, guarded by a lock, which the operating system releases when the program ends."""

    def __init__(self, folder: Path | None = None):
        """Nothing is written before the first map."""
        self._root = folder or user_state_path("polhode") / "maps"
        self._folder: Path | None = None
        self._lock: QLockFile | None = None
        self._number = 0

    def new(self) -> Path:
        """A file name that is not in use. Raises OSError where there is no folder to write in."""
        if self._folder is None:
            self._claim()
        assert self._folder is not None
        self._number += 1
        return self._folder / f"{self._number}{ENDING}"

    def _claim(self) -> None:
        """Lock the first free folder that holds no map. Raises OSError."""
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        for slot in range(SLOTS):
            folder = self._root / str(slot)
            lock = _locked(folder)
            if lock is None:
                continue
            if not any(folder.glob(f"*{ENDING}")):
                folder.mkdir(mode=0o700, exist_ok=True)
                self._folder, self._lock = folder, lock
                return
            lock.unlock()
        raise OSError(Message("all places in {folder} are taken, or can't be locked", folder=self._root))

    def left(self) -> list[LeftMap]:
        """Maps of programs that have ended, newest first: the first file of each, that of the whole map."""
        found = []
        for folder in self._root.glob("*/") if self._root.is_dir() else ():
            lock = _locked(folder) if folder != self._folder else None
            if lock is None:
                continue
            lock.unlock()
            files = sorted(folder.glob(f"*{ENDING}"), key=lambda path: path.stat().st_mtime)
            found += [LeftMap(files[-1], files[-1].stat().st_mtime)] if files else []
        return sorted(found, key=lambda left: left.changed, reverse=True)

    def adopt(self, left: LeftMap) -> Path:
        """Move a map that was left into the folder of this program. Raises OSError."""
        path = self.new()
        left.path.replace(path)
        self.forget(left)
        return path

    def forget(self, left: LeftMap) -> None:
        """Delete what a program has left."""
        rmtree(left.path.parent, ignore_errors=True)

    def close(self, keep: Path | None) -> None:
        """Release the folder; of its files only `keep` stays, for the next start."""
        if self._folder is None:
            return
        try:
            for path in self._folder.glob("*"):
                if path != keep:
                    path.unlink(missing_ok=True)
            if keep is None:
                self._folder.rmdir()
        except OSError as error:
            log.warning(Message("{file}: {reason}", file=self._folder, reason=message_of(error)))
        if self._lock is not None:
            self._lock.unlock()


def _locked(folder: Path) -> QLockFile | None:
    """The lock of a folder, acquired, or None if a running program holds it."""
    lock = QLockFile(str(folder.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    return lock if lock.tryLock(0) else None
