"""The process that decodes pictures (picture_server.py), as its user sees it: checks, limits and refusals."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from polhode.data.optional_library import missing_library
from polhode.process.child_process import SINGLE_THREADED, ChildProcess
from polhode.scene.files.file_io import NotRegular, regular
from polhode.scene.message import Message
from polhode.scene.problem import InputError, reason_of

SERVER = "polhode.camera.picture_server"
PATIENCE = 60.0  # [s] wall time for each picture of a film, and for opening a camera
STALL = 5.0  # [s] without a picture, after which a camera counts as stalled
MOST_PICTURES = 2_000_000
SIGNATURES = ((4, b"ftyp"), (4, b"moov"), (4, b"mdat"), (4, b"wide"), (0, b"\x1a\x45\xdf\xa3"), (0, b"RIFF"))
"""Position and bytes at the start of MP4 and QuickTime, of Matroska and WebM, and of AVI."""


@dataclass(frozen=True)
class Source:
    """Where pictures come from: a film file, the number of a camera, or a pipe in place of one."""

    kind: Literal["film", "camera", "pipe"]
    name: str

    @property
    def is_live(self) -> bool:
        """Whether pictures come as they are taken."""
        return self.kind != "film"

    def __str__(self) -> str:
        return f"camera {self.name}" if self.kind == "camera" else self.name


def check_library(source: str) -> None:
    """Raise InputError if OpenCV is not installed. source: what needs it"""
    if find_spec("cv2") is None:
        instead = Message("if this Polhode brings its own Python, use one that pipx or pip has installed")
        raise missing_library(source, "opencv-python-headless", instead)


def check_film(path: Path) -> None:
    """Raise InputError if a file is no film, by its first bytes."""
    remedy = Message("name a film as MP4, MOV, MKV, WebM or AVI")
    try:
        with regular(path) as file:
            start = file.read(16)
    except IsADirectoryError:
        raise InputError.of(str(path), Message("is a folder"), remedy) from None
    except NotRegular:
        raise InputError.of(str(path), Message("is a device, a pipe or a socket"), remedy) from None
    except OSError as error:
        raise InputError.of(str(path), Message("can't be read ({reason})", reason=reason_of(error)), remedy) from None
    if not any(start[at : at + len(sign)] == sign for at, sign in SIGNATURES):
        raise InputError.of(str(path), Message("is no film of a known kind"), remedy)


class PictureProcess:
    """Pictures of a source, and what is seen in them. Only the iteration waits."""

    def __init__(self, source: Source, check_cancelled: Callable[[], None] = lambda: None):
        """Open the source. Raises InputError; what `check_cancelled` raises ends the process."""
        check_library(str(source))
        if source.kind == "film":
            check_film(Path(source.name))
        self.source, self._check = source, check_cancelled
        name = source.name if source.kind == "camera" else str(Path(source.name).absolute())
        self._process = ChildProcess(SERVER, environment={**os.environ, **SINGLE_THREADED})
        self._process.send({"kind": source.kind, "name": name})
        opened = self._receive(STALL if source.kind == "pipe" else PATIENCE)
        self.size: tuple[int, int] = (opened["size"][0], opened["size"][1])
        self.count: int = opened["count"]

    def look(self, wanted: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The answer for each picture, in order. wanted: what to look for, as in picture_server.py

        Raises InputError where the source stalls or is damaged, and for a film without pictures.
        """
        self._process.send(wanted)
        count = 0
        while "end" not in (answer := self._receive(STALL if self.source.is_live else PATIENCE)):
            count += 1
            yield answer
            if count >= MOST_PICTURES:
                self.close()
                rule = Message("has more than {most} pictures", most=MOST_PICTURES)
                raise InputError.of(str(self.source), rule, Message("cut it into shorter films"))
        if count == 0:
            remedy = Message("check that it plays; convert it to MP4 with H.264")
            raise InputError.of(str(self.source), Message("has no pictures"), remedy)

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _receive(self, patience: float) -> dict[str, Any]:
        """The next message. Raises InputError."""
        try:
            message = self._process.receive(patience, self._check)
        except TimeoutError:
            rule = Message("has brought no picture for {time:g} s", time=patience)
            remedy = Message("check the cable of the camera, or other programs that use it")
            if not self.source.is_live:
                remedy = Message("check that it plays; convert it to MP4 with H.264")
            raise InputError.of(str(self.source), rule, remedy) from None
        if message is None:
            rule = Message("is damaged, or takes too much memory or time to decode")
            raise InputError.of(str(self.source), rule, Message("check that it plays; convert it to MP4 with H.264"))
        head = message[0]
        if "refused" in head:
            rule, remedy = map(Message.restored, head["refused"])
            raise InputError.of(str(self.source), rule, remedy)
        return head
