"""An X server without a monitor whose picture is watched from outside: when does something move on it?"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

SIZE = 1600, 1000
PERIOD = 0.1  # [s] between two looks; slower pictures count as none that move
STREAK = 5  # looks in a row that see a change: a scene that moves, not a window that appears


class WatchedScreen:
    """Xvfb with its frame buffer in a file."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory()
        reading, writing = os.pipe()
        words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-ac", "-noreset"]
        words += ["-fbdir", self._folder.name, "-nolisten", "tcp"]
        self._process = subprocess.Popen(words, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            self.display = f":{told.readline().strip()}"
        file = Path(self._folder.name) / "Xvfb_screen0"
        header = np.fromfile(file, ">u4", 25)
        first = int(header[0] + 12 * header[19])  # size of the header, and the entries of the colour map
        self._pixels = np.memmap(file, np.uint8, "r", first, (SIZE[1], SIZE[0], 4))

    def close(self) -> None:
        """End the X server."""
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()

    def picture(self) -> np.ndarray:
        """(height, width, 3) of what is seen now, in red, green and blue."""
        return self._pixels[..., 2::-1].copy()

    def save(self, path: Path) -> None:
        """Write what is seen now to a file."""
        Image.fromarray(self.picture()).save(path)

    def until_it_moves(self, begun: float, limit: float) -> float | None:
        """Seconds from `begun` (of time.monotonic) to the first of STREAK looks that see the middle change.

        None where nothing moves within `limit` seconds.
        """
        rows, columns = slice(SIZE[1] // 4, 3 * SIZE[1] // 4), slice(SIZE[0] // 3, 2 * SIZE[0] // 3)
        before, since, streak = self._pixels[rows, columns].copy(), begun, 0
        while (now := time.monotonic()) - begun < limit:
            seen = self._pixels[rows, columns].copy()
            if np.array_equal(seen, before):
                streak = 0
            else:
                since, streak = (since, streak + 1) if streak else (now, 1)
            if streak == STREAK:
                return since - begun
            before = seen
            time.sleep(PERIOD)
        return None
