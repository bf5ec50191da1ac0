"""An X server without a monitor whose picture is watched from outside: when does something move on it?"""

from __future__ import annotations

import os
import subprocess
import time
from collections import deque
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

SIZE = 1600, 1000
PERIOD = 0.05  # [s] between two looks
# Changes of the picture, and the time [s] within which they come: a scene that moves, not a window that appears.
CHANGES, WITHIN = 5, 1.5


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
        """Seconds from `begun` (of time.monotonic) to the last of CHANGES that the middle shows within the time WITHIN.

        So it is rather too long than too short. None where nothing moves within `limit` seconds.
        """
        rows, columns = slice(SIZE[1] // 8, SIZE[1] // 2), slice(SIZE[0] // 4, SIZE[0] // 2)
        before, changes = self._pixels[rows, columns].copy(), deque[float](maxlen=CHANGES)
        while (now := time.monotonic()) - begun < limit:
            seen = self._pixels[rows, columns].copy()
            if not np.array_equal(seen, before):
                changes.append(now)
                if len(changes) == CHANGES and now - changes[0] < WITHIN:
                    return now - begun
            before = seen
            time.sleep(PERIOD)
        return None
