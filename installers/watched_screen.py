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
PERIOD = 0.05  # [s] between two looks
# Changes of the picture, and the longest time [s] between two of them: a scene that moves, not a window or a card that
# appears.
CHANGES, GAP = 5, 0.3
# Rows and columns of the screen that the 3-D view fills, without the card of the story: a window begins in the corner.
VIEW = slice(40, 540), slice(640, 1140)


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
        """Seconds from `begun` (of time.monotonic) to the second of CHANGES in the view that are at most GAP apart.

        The first may be a card that appears, and the window itself counts as none. None where nothing moves so within
        `limit` seconds.
        """
        before, since, count, last = self._pixels[VIEW].copy(), 0.0, 0, -GAP
        while (now := time.monotonic()) - begun < limit:
            seen = self._pixels[VIEW].copy()
            if before.any() and not np.array_equal(seen, before):
                count = count + 1 if now - last <= GAP else 1
                last = now
                if count == 2:
                    since = now
                if count == CHANGES:
                    return since - begun
            before = seen
            time.sleep(PERIOD)
        return None
