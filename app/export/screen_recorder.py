"""A film of what is seen, written while it is seen: pictures go to a thread that feeds the encoder."""

from __future__ import annotations

import logging
import queue
import threading
from pathlib import Path

import numpy as np

from app.export.video_file import VideoFile
from core.scene.message import Message
from core.scene.problem import message_of

log = logging.getLogger(__name__)

WAITING = 12  # pictures between window and encoder; with a slower encoder pictures stand longer, time stays true


class ScreenRecorder:
    """Add pictures with their wall time; the film runs as fast as they came. Raises InputError as Film does."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float = 30.0):
        self.failure = ""  # why the file could not be written
        self._size = size  # (width, height) of all frames
        self._film = VideoFile(path, size, fps)
        self._begun: float | None = None
        self._taken = 0  # frames up to the newest picture
        self._pictures: queue.Queue[tuple[np.ndarray, int] | None] = queue.Queue(WAITING)
        self._cancelled = False
        self._thread = threading.Thread(target=self._work, name="film", daemon=True)
        self._thread.start()

    @property
    def path(self) -> Path:
        return self._film.path

    @property
    def seconds(self) -> float:
        """Length so far [s]."""
        return self._taken / self._film.fps

    @property
    def progress(self) -> float:
        """Part of the frames that is with the encoder, 0 ... 1."""
        return self._film.frames / max(self._taken, 1)

    @property
    def writing(self) -> bool:
        return self._thread.is_alive()

    def wants(self, wall: float) -> bool:
        """It is time for the next picture, and there is room for it."""
        return self.writing and self._due(wall) > 0 and not self._pictures.full()

    def add(self, picture: np.ndarray, wall: float) -> None:
        """A picture (height, width, 3) uint8, seen at wall time [s]; it stands for the time since the last one."""
        count = self._due(wall)
        self._begun = wall if self._begun is None else self._begun
        self._taken += count
        self._pictures.put((picture, count))

    def finish(self) -> None:
        """No more pictures; the rest is written in the background."""
        # The queue may be full, and the window must not wait for the encoder.
        threading.Thread(target=self._pictures.put, args=(None,), daemon=True).start()

    def cancel(self) -> None:
        """Stop and leave no file."""
        self._cancelled = True
        self.finish()

    def join(self, patience: float) -> None:
        """Wait up to `patience` seconds until the file is whole."""
        self._thread.join(patience)

    def _due(self, wall: float) -> int:
        return 1 if self._begun is None else int((wall - self._begun) * self._film.fps) + 1 - self._taken

    def _work(self) -> None:
        try:
            while (taken := self._pictures.get()) is not None and not self._cancelled:
                picture, count = taken
                frame = self._fitted(picture)
                for _ in range(count):
                    self._film.add(frame)
            self._film.cancel() if self._cancelled else self._film.close()
        except Exception as error:  # the thread boundary: disk full, no encoder; the window says it
            log.exception(Message("the film could not be written"))
            self.failure = message_of(error)

    def _fitted(self, picture: np.ndarray) -> np.ndarray:
        """The picture in the film's size: cut, or with black around it where the window became smaller."""
        width, height = self._size
        if picture.shape[:2] == (height, width):
            return picture
        frame = np.zeros((height, width, 3), np.uint8)
        rows, columns = min(height, picture.shape[0]), min(width, picture.shape[1])
        frame[:rows, :columns] = picture[:rows, :columns]
        return frame
