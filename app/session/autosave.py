"""Scenes that are not saved yet, kept aside: after a crash, or an end without saving, the next start offers them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from platformdirs import user_state_path
from PySide6.QtCore import QLockFile

from core.scene.message import Message
from core.scene.problem import InputError, message_of
from core.scene.scene import Scene
from core.scene.scene_file import write_scene

log = logging.getLogger(__name__)

EVERY = 5.0  # [s] wall time between two looks
PLACES = 32  # programs that run at the same time, and what others have left


@dataclass
class AbandonedDocument:
    """What a program that is gone has left."""

    path: Path
    forget: Callable[[], None]


class Autosave:
    """One place of a folder belongs to this program for as long as it runs: a lock that ends with the process."""

    def __init__(self, folder: Path | None = None):
        self._folder = folder or user_state_path("polhode") / "unsaved"
        self._lock: QLockFile | None = None
        self._path: Path | None = None
        self._written: Scene | None = None  # the scene that the file holds
        self._thread: Thread | None = None
        self._looked = -EVERY
        self._claim()

    def _claim(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:  # the window works without; the log says why nothing is kept
            log.warning(Message("unsaved scenes can't be backed up: {reason}", reason=message_of(error)))
            return
        for place in range(PLACES):
            path = self._folder / f"{place}.toml"
            lock = _locked(path)
            if lock is not None and not path.exists():
                self._path, self._lock = path, lock
                return

    def left(self) -> list[AbandonedDocument]:
        """Scenes whose program is gone, newest first."""
        found = []
        for path in sorted(self._folder.glob("*.toml"), key=lambda path: path.stat().st_mtime, reverse=True):
            lock = _locked(path) if path != self._path else None
            if lock is not None:
                lock.unlock()
                found.append(AbandonedDocument(path, lambda path=path: path.unlink(missing_ok=True)))
        return found

    def look(self, wall: float, scene: Scene, saved: bool, like: Path | None) -> None:
        """At wall time [s]: write the scene aside if it has changed, or forget what was written once it is saved."""
        if wall - self._looked < EVERY or self._path is None or (self._thread and self._thread.is_alive()):
            return
        self._looked = wall
        self.keep(scene, saved, like)

    def keep(self, scene: Scene, saved: bool, like: Path | None) -> None:
        """The same at once."""
        if self._path is None or (self._written is None if saved else self._written is scene):
            return
        self.wait()
        self._written = None if saved else scene
        work = self._forget if saved else lambda: self._write(scene, like)
        self._thread = Thread(target=work, name="autosave", daemon=True)  # large scenes take a while
        self._thread.start()

    def wait(self) -> None:
        """Until what was begun is on the disk."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """The program ends: what is not saved stays, for the next start."""
        self.wait()
        if self._lock is not None:
            self._lock.unlock()

    def _write(self, scene: Scene, like: Path | None) -> None:
        try:
            write_scene(scene, self._path, like)
        except (InputError, OSError) as error:
            log.warning(Message("the scene could not be backed up: {reason}", reason=message_of(error)))

    def _forget(self) -> None:
        self._path.unlink(missing_ok=True)


def _locked(path: Path) -> QLockFile | None:
    """The lock of a place, if no living program has it."""
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    return lock if lock.tryLock(0) else None
