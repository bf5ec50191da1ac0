"""Film of the window: frames are encoded in a background thread while the window runs."""

from __future__ import annotations

import logging
import queue
import threading
from pathlib import Path

import numpy as np

from polhode.scene.message import Message
from polhode.scene.problem import message_of
from polhode_app.export.video_file import VideoFile

log = logging.getLogger(__name__)

WAITING = 12  # length of the queue to the encoder; when it is full, frames are repeated and the timing is kept


class ScreenRecorder:
    """Encodes frames with time stamps to a film of constant frame rate, which plays in real time.

    All methods are to be called from the GUI thread.
    """

    def __init__(self, path: Path, size: tuple[int, int], fps: float = 30.0):
        """Open the film for frames of `size` (width, height) [pixel]. Raises InputError as VideoFile does."""
        self.failure = ""  # reason why the file could not be written
        self._size = size  # (width, height) of all frames
        self._film = VideoFile(path, size, fps)
        self._start: float | None = None
        self._taken = 0  # number of frames up to the newest picture
        self._pictures: queue.SimpleQueue[tuple[np.ndarray, int] | None] = queue.SimpleQueue()
        self._cancelled = False
        self._thread = threading.Thread(target=self._work, name="film", daemon=True)
        self._thread.start()

    @property
    def path(self) -> Path:
        """Path of the film."""
        return self._film.path

    @property
    def seconds(self) -> float:
        """Length so far [s]."""
        return self._taken / self._film.fps

    @property
    def progress(self) -> float:
        """Fraction of the frames that has been passed to the encoder, 0 to 1."""
        return self._film.frames / max(self._taken, 1)

    @property
    def writing(self) -> bool:
        """Whether the encoding thread runs."""
        return self._thread.is_alive()

    def wants(self, wall: float) -> bool:
        """Whether the next frame is due at wall time [s], and the queue has room for it."""
        return self.writing and self._due(wall) > 0 and self._pictures.qsize() < WAITING

    def add(self, picture: np.ndarray, wall: float) -> None:
        """Add a frame (height, width, 3) uint8 shown at wall time [s].

        The frame is repeated to fill the time since the previous one.
        """
        count = self._due(wall)
        self._start = wall if self._start is None else self._start
        self._taken += count
        self._pictures.put((picture, count))

    def finish(self) -> None:
        """End the film; the remaining frames are encoded in the background."""
        self._pictures.put(None)

    def cancel(self) -> None:
        """Stop and delete the file."""
        self._cancelled = True
        self.finish()

    def join(self, patience: float) -> None:
        """Wait up to `patience` [s] for the file to be complete."""
        self._thread.join(patience)

    def _due(self, wall: float) -> int:
        """Number of frames due at wall time [s]."""
        return 1 if self._start is None else int((wall - self._start) * self._film.fps) + 1 - self._taken

    def _work(self) -> None:
        """Body of the encoding thread."""
        try:
            while (taken := self._pictures.get()) is not None and not self._cancelled:
                picture, count = taken
                frame = self._resized(picture)
                for _ in range(count):
                    self._film.add(frame)
            self._film.cancel() if self._cancelled else self._film.close()
        except Exception as error:  # the thread boundary: disk full, no encoder; reported by the window
            log.exception(Message("the film could not be written"))
            self.failure = message_of(error)

    def _resized(self, picture: np.ndarray) -> np.ndarray:
        """The frame cropped or padded with black to the size of the film, for windows that were resized."""
        width, height = self._size
        if picture.shape[:2] == (height, width):
            return picture
        frame = np.zeros((height, width, 3), np.uint8)
        rows, columns = min(height, picture.shape[0]), min(width, picture.shape[1])
        frame[:rows, :columns] = picture[:rows, :columns]
        return frame
