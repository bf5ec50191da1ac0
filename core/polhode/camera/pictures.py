"""Pictures with their times from films, cameras, and pipes in place of a camera. Used in the process that decodes.

A film has the times of its container, which need not be even. A camera has the time of arrival of each picture. A pipe
brings a stream in the format YUV4MPEG2, as ffmpeg writes it, in place of a camera.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import IO, Any

import numpy as np

from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

LARGEST = 8192  # pixels along a side
LONGEST_HEAD = 256  # [bytes] of a line of a stream
# Neither other files nor addresses that a film names are opened, and no formats that consist of such names.
FFMPEG_OPTIONS = "protocol_whitelist;file|format_whitelist;mov,matroska,avi|enable_drefs;0|use_absolute_path;0"
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
CHROMA = {"420": 0.5, "420jpeg": 0.5, "420mpeg2": 0.5, "420paldv": 0.5, "422": 1.0, "444": 2.0, "mono": 0.0}
"""[bytes] of colour for each pixel of a stream, by the name of its format."""

Picture = tuple[float, np.ndarray]  # time [s], and (height, width) grey levels or (height, width, 3) colours


class Film:
    """Pictures of a film file."""

    def __init__(self, cv2: Any, path: Path):
        """Raises InvalidValue for a file that is no film, or has pictures that are too large."""
        os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = FFMPEG_OPTIONS
        self._cv2 = cv2
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, 1])
        if not self._capture.isOpened():
            raise InvalidValue(Message("is no film that can be read"), Message("convert it to MP4 with H.264"))
        self.size = _size(cv2, self._capture)
        self.count = max(int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)), 0)  # as stated; 0 where unknown

    def __iter__(self) -> Iterator[Picture]:
        while True:
            is_read, picture = self._capture.read()
            if not is_read:
                return
            yield self._capture.get(self._cv2.CAP_PROP_POS_MSEC) / 1000.0, picture


class Camera:
    """Pictures of a camera of this computer, with their times of arrival since the first one."""

    def __init__(self, cv2: Any, number: int):
        """Raises InvalidValue if there is no such camera."""
        self._capture = cv2.VideoCapture(number)
        if not self._capture.isOpened():
            rule = Message("there is no camera {number}, or another program uses it", number=number)
            raise InvalidValue(rule, Message("connect it, close the other program, or try another number"))
        self.size, self.count = _size(cv2, self._capture), 0

    def __iter__(self) -> Iterator[Picture]:
        begin = None
        while self._capture.grab():
            now = monotonic()
            begin = now if begin is None else begin
            is_read, picture = self._capture.retrieve()
            if not is_read:
                return
            yield now - begin, picture


class Pipe:
    """Grey pictures of a stream (YUV4MPEG2), with their times of arrival since the first one."""

    def __init__(self, stream: IO[bytes]):
        """Raises InvalidValue for another stream."""
        self._stream, self.count = stream, 0
        words = self._line().split()
        if not words or words[0] != "YUV4MPEG2":
            raise InvalidValue(Message("is no stream of pictures"), Message("write it with 'ffmpeg -f yuv4mpegpipe'"))
        stated = {word[0]: word[1:] for word in words[1:]}
        chroma = CHROMA.get(stated.get("C", "420"))
        sides = [stated.get(letter, "") for letter in "WH"]
        if chroma is None or not all(re.fullmatch("[0-9]{1,5}", side) for side in sides):
            rule = Message("has pictures of an unknown format")
            raise InvalidValue(rule, Message("write it with 'ffmpeg -pix_fmt yuv420p'"))
        width, height = map(int, sides)
        check_size(width, height)
        self.size = (width, height)
        self._colours = round(chroma * 4) * ((width + 1) // 2) * ((height + 1) // 2)

    def __iter__(self) -> Iterator[Picture]:
        width, height = self.size
        begin = None
        while self._line().startswith("FRAME"):
            levels = self._stream.read(width * height)
            if len(levels) < width * height or len(self._stream.read(self._colours)) < self._colours:
                return
            now = monotonic()
            begin = now if begin is None else begin
            yield now - begin, np.frombuffer(levels, np.uint8).reshape(height, width)

    def _line(self) -> str:
        return self._stream.readline(LONGEST_HEAD).decode("ascii", "replace")


def check_size(width: int, height: int) -> None:
    """Raise InvalidValue for pictures that are too small or too large."""
    if not (16 <= width <= LARGEST and 16 <= height <= LARGEST):
        rule = Message("has pictures of {width} x {height} pixels", width=width, height=height)
        raise InvalidValue(rule, Message("use 16 to {most} pixels along a side", most=LARGEST))


def _size(cv2: Any, capture: Any) -> tuple[int, int]:
    """Width and height of pictures [pixels]. Raises InvalidValue."""
    width, height = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    check_size(width, height)
    return width, height
