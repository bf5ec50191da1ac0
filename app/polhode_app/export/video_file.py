"""Film files written frame by frame: MP4, WebM or GIF, encoded by ffmpeg in a child process; or numbered pictures."""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import suppress
from errno import EDQUOT, EFBIG, EIO, ENOSPC
from pathlib import Path

import imageio_ffmpeg
import numpy as np

from polhode.scene.files.file_writing import discard, empty_beside, give_name, target_of
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, message_of
from polhode_app.edit.open_file import is_sequence
from polhode_app.environment import PART
from polhode_app.viewport.base.picture import check_target, save

ENDINGS = (".mp4", ".webm", ".gif")
H264 = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
VP9 = ("-c:v", "libvpx-vp9", "-crf", "32", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "6", "-row-mt", "1")
OWN_COLORS = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=sierra2_4a"
FULL = (ENOSPC, EDQUOT, EFBIG, EIO)  # errors of a full or failing disk


class VideoFile:
    """A film file. The encoder is started at once, so that errors appear before the work.

    The file has a temporary name until `close`. Closing early, also after an error or Ctrl-C, keeps the frames so far;
    `cancel` deletes them.
    """

    def __init__(self, path: Path, size: tuple[int, int], fps: float = 30.0):
        """Start the encoder for frames of `size` (width, height) [pixel]. Raises InputError."""
        self.path = path
        self.frames = 0
        self.fps = film_rate(path, fps)
        check_target(path, ENDINGS)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (open as long as the encoder)
        self._target = target_of(path)[0]
        self._temporary, self._held = empty_beside(path, os.environ.get(PART, ""))
        try:
            self._encoder = subprocess.Popen(
                _command(self._temporary, path.suffix.lower(), size, self.fps),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                start_new_session=True,  # otherwise Ctrl-C would end the encoder before the file is complete
            )
        except (RuntimeError, OSError) as error:
            self._remove()
            rule = Message("no encoder: {reason}", reason=message_of(error))
            if isinstance(error, RuntimeError):  # imageio has found none
                rule = Message("there is no ffmpeg, which encodes films")
            raise _input_error(path, rule, Message("install imageio-ffmpeg or ffmpeg")) from error

    def add(self, frame: np.ndarray) -> None:
        """Append a frame (height, width, 3) uint8. Raises the errors of `close` if the encoder has ended."""
        assert self._encoder.stdin is not None
        self.frames += 1
        try:
            self._encoder.stdin.write(np.ascontiguousarray(frame))
        except BrokenPipeError:
            self.close()

    def close(self) -> None:
        """Complete the file and rename it to its final name. Without any frame no file is left.

        Raises OSError if the disk is full, and InputError for other failures of the encoder; then no file is left.
        """
        if self.frames == 0:
            self.cancel()
            return
        if self._end() != 0:
            self._remove()
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
            raise _input_error(self.path, rule, Message("try another ending"))
        try:
            give_name(self._temporary, self._held, self._target)
        finally:
            self._remove()

    def cancel(self) -> None:
        """Stop the encoder and delete the file."""
        self._end()
        self._remove()

    def _remove(self) -> None:
        """Delete the unfinished file, if there is one."""
        discard(self._temporary, self._held)

    def _end(self) -> int:
        """Close the input of the encoder and wait; returns its exit status."""
        assert self._encoder.stdin is not None
        with suppress(BrokenPipeError):  # it has ended already; the exit status tells the result
            self._encoder.stdin.close()
        return self._encoder.wait()


class ImageSequence:
    """Numbered PNG pictures, for names such as frame-%04d.png. Has the interface of VideoFile."""

    def __init__(self, path: Path, fps: float = 30.0):
        """Check that the folder is writable. Raises InputError."""
        self.path, self.fps, self.frames = path, fps, 0
        try:
            check_target(self._name(0), (".png",))
        except InputError as error:
            raise InputError(str(path), list(error.problems)) from error

    def _name(self, number: int) -> Path:
        """File of a frame."""
        return self.path.with_name(self.path.name % number)

    def add(self, frame: np.ndarray) -> None:
        """Save a frame (height, width, 3) uint8."""
        save(frame, self._name(self.frames))
        self.frames += 1

    def close(self) -> None:
        """Do nothing: every frame is complete once it is added."""

    def cancel(self) -> None:
        """Delete all pictures."""
        for number in range(self.frames):
            self._name(number).unlink(missing_ok=True)


def open_film(path: Path, size: tuple[int, int], fps: float) -> VideoFile | ImageSequence:
    """Open a film or a series of pictures, by the file name. Raises InputError."""
    return ImageSequence(path, fps) if is_sequence(path) else VideoFile(path, size, fps)


def film_rate(path: Path, fps: float) -> float:
    """The frame rate that a file can store: delays of GIF are multiples of 10 ms, at least 20 ms."""
    return 100 / max(2, round(100 / fps)) if path.suffix.lower() == ".gif" else fps


def _command(part: Path, ending: str, size: tuple[int, int], fps: float) -> list[str]:
    """Command line of ffmpeg for raw RGB frames on stdin, which become a film of the format of `ending`."""
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
    if ending == ".gif":
        kind = ["-filter_complex", OWN_COLORS, "-f", "gif"]
    elif ending == ".webm":
        kind = ["-vf", _pad_to_even(*size), *VP9, "-pix_fmt", "yuv420p", "-f", "webm"]
        kind += ["-fflags", "+bitexact"]  # else a random number stands in every file
    else:
        kind = ["-vf", _pad_to_even(*size), *H264, "-f", "mp4"]
    return [imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-v", "error", *source, *kind, str(part)]


def _pad_to_even(width: int, height: int) -> str:
    """Filter that pads to even width and height, required by 4:2:0 colour; the last column or row is repeated."""
    right, bottom = width % 2, height % 2
    return f"pad={width + right}:{height + bottom},format=gbrp,fillborders=right={right}:bottom={bottom}"


def _input_error(path: Path, rule: Message, remedy: Message) -> InputError:
    """An InputError about the file."""
    return InputError(str(path), [Problem("", rule, remedy)])
