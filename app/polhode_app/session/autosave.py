"""Autosave of unsaved scenes: after a crash, or an exit without saving, the next start offers to restore them."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_state_path
from PySide6.QtCore import QLockFile

from polhode.scene.message import Message
from polhode.scene.problem import InputError, message_of
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import write_scene
from polhode_app.jobs import Job

log = logging.getLogger(__name__)

EVERY = 5.0  # [s] wall time between two checks
PRIVATE = 0o600  # permissions of the files: a scene that was never saved is not for other users
SLOTS = 32  # of running processes and abandoned documents together


@dataclass
class AbandonedDocument:
    """An unsaved scene of a process that has ended."""

    path: Path
    changed: float  # [s] time of the last change, since 1970
    forget: Callable[[], None]  # deletes the file


class Autosave:
    """Writes unsaved changes to a slot of the state folder.

    A slot is a file name guarded by a lock, which the operating system releases when the process ends. All methods are
    to be called from the GUI thread; files are written in a background thread.
    """

    def __init__(self, folder: Path | None = None):
        self._folder = folder or user_state_path("polhode") / "unsaved"
        self._lock: QLockFile | None = None
        self._path: Path | None = None
        self._written: Scene | None = None  # the scene in the file
        self._job = Job("autosave")
        self._looked = -EVERY
        self._claim()

    def _claim(self) -> None:
        """Lock the first free slot without a file; without a writable folder autosave stays off."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:  # the window works without autosave; the log has the reason
            log.warning(Message("unsaved scenes can't be backed up: {reason}", reason=message_of(error)))
            return
        for slot in range(SLOTS):
            path = self._folder / f"{slot}.toml"
            lock = _locked(path)
            if lock is not None and not _is_there(path):
                self._path, self._lock = path, lock
                return
        log.warning(Message("unsaved scenes can't be backed up: {reason}", reason=_no_slot(self._folder)))

    def left(self) -> list[AbandonedDocument]:
        """Documents of processes that have ended, newest first; files without access are left out."""
        found = []
        for path in self._folder.glob("*.toml"):
            lock = _locked(path) if path != self._path else None
            if lock is None:
                continue
            lock.unlock()
            try:
                changed = path.stat().st_mtime
            except OSError as error:
                log.warning(Message("{file}: {reason}", file=path, reason=message_of(error)))
                continue
            found.append(AbandonedDocument(path, changed, lambda path=path: path.unlink(missing_ok=True)))
        return sorted(found, key=lambda left: left.changed, reverse=True)

    def look(self, wall: float, scene: Scene, saved: bool, like: Path | None) -> None:
        """Write the scene if it has changed, or delete the file if `saved`, at most every EVERY seconds.

        `wall` is a monotonic wall time [s]; `like` is the file whose comments and layout are preserved.
        """
        if wall - self._looked < EVERY or self._path is None:
            return
        self._looked = wall
        self.keep(scene, saved, like)

    def keep(self, scene: Scene, saved: bool, like: Path | None) -> None:
        """Write the scene or delete the file immediately, in a background thread."""
        if self._path is None or self._written == (None if saved else scene):
            return
        self._written = None if saved else scene
        # Large scenes take seconds: one that waits is replaced.
        self._job.add(lambda _check: self._forget() if saved else self._write(scene, like), "scene")

    def wait(self) -> None:
        """Block until the files are written."""
        self._job.wait()

    def close(self) -> None:
        """Release the slot; a scene that is not saved stays in it for the next start."""
        self.wait()
        if self._lock is not None:
            self._lock.unlock()

    def _write(self, scene: Scene, like: Path | None) -> None:
        try:
            write_scene(scene, self._path, like, PRIVATE)
        except (InputError, OSError) as error:
            log.warning(Message("the scene could not be backed up: {reason}", reason=message_of(error)))

    def _forget(self) -> None:
        self._path.unlink(missing_ok=True)


def _no_slot(folder: Path) -> Message:
    """Why no slot of a folder could be locked."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return Message("{file}: {reason}", file=folder, reason=Message(os.strerror(errno.EACCES)))
    return Message("all places in {folder} are taken, or can't be locked", folder=folder)


def _is_there(path: Path) -> bool:
    """Whether a file exists, or its folder does not tell: then nothing may be written over it."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    except OSError as error:
        log.warning(Message("{file}: {reason}", file=path, reason=message_of(error)))
    return True


def _locked(path: Path) -> QLockFile | None:
    """The lock of a slot, acquired, or None if a running process holds it."""
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    return lock if lock.tryLock(0) else None
