"""Progress of lessons, kept in files of the user, so that a closed window loses nothing. No Qt."""

from __future__ import annotations

import json
import logging
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from polhode.lessons.variants import plain_name
from polhode.scene.files.file_writing import replace_file
from polhode.scene.message import Message
from polhode.scene.problem import InputError, message_of
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import scene_text
from polhode_app.jobs import Job
from polhode_app.stored_values import json_object

log = logging.getLogger(__name__)

MOST, LARGEST_OF_ALL = 500, 2 * 10**8  # files that are kept, and their bytes; the oldest ones go first
LARGEST = 2**28  # [bytes] of a file that is read


class KeptProgress:
    """One file for each lesson of a scene and name; a changed scene has others. Written in a background thread."""

    def __init__(self, folder: Path | None = None, most_bytes: int = LARGEST_OF_ALL):
        """`folder` is by default in the state folder of the user; `most_bytes` is the size of all files together."""
        self._most_bytes = most_bytes
        self._folder = folder or user_state_path("polhode") / "lessons"
        self._job = Job("progress of a lesson")

    def path_of(self, scene: Scene, number: int, name: str) -> Path:
        """The file of lesson `number` of a scene, for a name."""
        about = f"{scene_text(scene)}\0{number}\0{plain_name(name)}"
        return self._folder / f"{sha256(about.encode()).hexdigest()[:32]}.json"

    def read(self, path: Path) -> dict[str, Any] | None:
        """Contents of a file; None without one, or for a damaged one."""
        self._job.wait()
        try:
            if path.stat().st_size > LARGEST:
                return None
            return json_object(path.read_text("utf-8")) or None
        except (OSError, UnicodeDecodeError):
            return None

    def keep(self, path: Path, data: dict[str, Any]) -> None:
        """Write a file; of several that wait for it only the newest is written."""
        self._job.add(lambda _check: self._write(path, data), path.name)

    def forget(self, path: Path) -> None:
        """Delete a file."""
        self._job.add(lambda _check: path.unlink(missing_ok=True), path.name)

    def close(self) -> None:
        """Wait until all is written."""
        self._job.wait()

    def _write(self, path: Path, data: dict[str, Any]) -> None:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(path, json.dumps(data).encode())
            self._limit(path.parent)
        except (InputError, OSError) as error:  # the lesson continues without; the log has the reason
            log.warning(Message("the progress of the lesson can't be kept: {reason}", reason=message_of(error)))

    def _limit(self, folder: Path) -> None:
        """Delete the oldest files where there are too many of them, or too large ones; the newest stays."""
        newest_first = sorted(folder.glob("*.json"), key=lambda each: each.stat().st_mtime, reverse=True)
        left = self._most_bytes
        for number, each in enumerate(newest_first):
            left -= each.stat().st_size
            if number > 0 and (number >= MOST or left < 0):
                each.unlink(missing_ok=True)
