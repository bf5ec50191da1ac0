"""A film file that grows frame by frame: MP4 or GIF, encoded by ffmpeg in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from contextlib import suppress
from errno import EDQUOT, EFBIG, EIO, ENOSPC
from pathlib import Path

import imageio_ffmpeg
import numpy as np

from app.viewport.base.picture import part_beside, save
from core.scene.message import Message
from core.scene.problem import InputError, Problem, message_of

ENDINGS = (".mp4", ".webm", ".gif")
H264 = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
VP9 = ("-c:v", "libvpx-vp9", "-crf", "32", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "6", "-row-mt", "1")
OWN_COLORS = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=sierra2_4a"
FULL = (ENOSPC, EDQUOT, EFBIG, EIO)  # a disk that takes no more
SEQUENCE = re.compile(r"[^%]*%0?\d{0,2}d[^%]*")


class VideoFile:
    """Opened at once, so that every objection comes before the work. `close` keeps the film, `cancel` does not.

    The file has another name until it is whole. Closing early, at an error or Ctrl-C too, keeps the frames so far.
    """

    def __init__(self, path: Path, size: tuple[int, int], fps: float = 30.0):
        self.path = path
        self.frames = 0
        self.fps = film_rate(path, fps)
        self._part = part_beside(path, ENDINGS)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the process that writes to it)
        try:
            self._encoder = subprocess.Popen(
                _command(self._part, size, self.fps),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                start_new_session=True,  # or Ctrl-C would stop it before the file is whole
            )
        except (RuntimeError, OSError) as error:
            self._part.unlink(missing_ok=True)
            raise _objection(
                path,
                Message("no encoder: {reason}", reason=message_of(error)),
                Message("install imageio-ffmpeg or ffmpeg"),
            ) from error

    def add(self, frame: np.ndarray) -> None:
        """Append a frame (height, width, 3) of bytes."""
        assert self._encoder.stdin is not None
        self.frames += 1
        try:
            self._encoder.stdin.write(np.ascontiguousarray(frame))
        except BrokenPipeError:
            self.close()

    def close(self) -> None:
        """Finish the file and give it its name. Without a frame there is no file.

        Raises OSError where the disk is full, and InputError where the encoder does not want to; then there is none.
        """
        if self.frames == 0:
            self.cancel()
            return
        if self._end() != 0:
            self._part.unlink(missing_ok=True)
            self._errors.seek(0)
            said = self._errors.read().decode(errors="replace").strip().splitlines()
            for number in FULL:
                if any(line.endswith(os.strerror(number)) for line in said):
                    raise OSError(number, os.strerror(number), str(self.path))
            rule = (
                Message("the encoder stopped: {reason}", reason=said[-1])
                if said
                else Message("the encoder stopped: no reason given")
            )
            raise _objection(self.path, rule, Message("try another ending"))
        self._part.replace(self.path)

    def cancel(self) -> None:
        """End without a file."""
        self._end()
        self._part.unlink(missing_ok=True)

    def _end(self) -> int:
        assert self._encoder.stdin is not None
        with suppress(BrokenPipeError):  # it has ended by itself: its exit status says why
            self._encoder.stdin.close()
        return self._encoder.wait()


class ImageSequence:
    """Pictures one by one, where a name has a place for their numbers: frame-%04d.png."""

    def __init__(self, path: Path, fps: float = 30.0):
        self.path, self.fps, self.frames = path, fps, 0
        try:
            part_beside(self._name(0), (".png",)).unlink()
        except InputError as error:
            raise InputError(str(path), list(error.problems)) from error

    def _name(self, number: int) -> Path:
        return self.path.with_name(self.path.name % number)

    def add(self, frame: np.ndarray) -> None:
        """Save a frame (height, width, 3) of bytes."""
        save(frame, self._name(self.frames))
        self.frames += 1

    def close(self) -> None:
        """All are there."""

    def cancel(self) -> None:
        """End without a file."""
        for number in range(self.frames):
            self._name(number).unlink(missing_ok=True)


def is_sequence(path: Path) -> bool:
    """Whether a name is that of many pictures."""
    return path.suffix.lower() == ".png" and SEQUENCE.fullmatch(path.name) is not None


def film_at(path: Path, size: tuple[int, int], fps: float) -> VideoFile | ImageSequence:
    """The film that an ending asks for, or pictures one by one. Raises InputError."""
    return ImageSequence(path, fps) if is_sequence(path) else VideoFile(path, size, fps)


def film_rate(path: Path, fps: float) -> float:
    """Frames per second that the file can really hold: a GIF counts its delays in whole 1/100 s."""
    return 100 / max(2, round(100 / fps)) if path.suffix.lower() == ".gif" else fps


def _command(part: Path, size: tuple[int, int], fps: float) -> list[str]:
    source = [
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        f"{size[0]}x{size[1]}",
        "-framerate",
        f"{fps:.6f}",
        "-i",
        "-",
    ]
    if part.suffix.lower() == ".gif":
        kind = ["-filter_complex", OWN_COLORS, "-f", "gif"]
    elif part.suffix.lower() == ".webm":
        kind = ["-vf", _even(*size), *VP9, "-pix_fmt", "yuv420p", "-f", "webm"]
    else:
        kind = ["-vf", _even(*size), *H264, "-f", "mp4"]
    return [imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-v", "error", *source, *kind, str(part)]


def _even(width: int, height: int) -> str:
    """H.264 halves the colour's rows and columns: an odd last one is drawn twice, a black one would be seen."""
    right, bottom = width % 2, height % 2
    return f"pad={width + right}:{height + bottom},format=gbrp,fillborders=right={right}:bottom={bottom}"


def _objection(path: Path, rule: Message, remedy: Message) -> InputError:
    return InputError(str(path), [Problem("", rule, remedy)])
