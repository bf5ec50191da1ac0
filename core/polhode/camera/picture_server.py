"""Decodes pictures and looks for tags in a process of its own, with limits of memory and time, for watching.py.

Films come from other people, and their decoders are large: whatever one does to them ends this process, and no other.
Messages (core/polhode/process/messages.py):

    {"kind": "film", "name": PATH}                           the request; or "camera" and "pipe"
    {"refused": [rule, remedy]}                              why there are no pictures; the end
    {"size": [width, height], "count": n}                    pictures that the film states, 0 for unknown
    {"lens": {...}, "family": F, "tags": {NUMBER: SIDE}}     what to look for; or "board": true, or "ball": DIAMETER
    {"time": t, "tags": [[NUMBER, [[...], ...]], ...]}       each picture: poses of each tag that is seen
    {"time": t, "board": [[...], [...]]}                     or corners of the board, and their numbers
    {"time": t, "ball": [...] or None}                       or position [m] and radius [pixels] of the ball
    {"end": true}                                            the end of the film
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from polhode.camera.ball import BallFinder
from polhode.camera.board import BoardFinder
from polhode.camera.lens import Lens
from polhode.camera.pictures import Camera, Film, Pipe
from polhode.camera.tag_finder import TagFinder
from polhode.process.limits import allow_time, ignore_interrupts, limit_memory
from polhode.process.messages import receive, send
from polhode.scene.problem import InvalidValue

MEMORY = 4 * 2**30  # [bytes]
TIME = 20  # [s] of processor time for each picture
Finder = Callable[[np.ndarray], dict[str, Any]]


def opened(kind: str, name: str) -> Film | Camera | Pipe:
    """The pictures of a request. Raises InvalidValue and OSError."""
    if kind == "camera":
        return Camera(cv2, int(name))
    return Pipe(Path(name).open("rb")) if kind == "pipe" else Film(cv2, Path(name))


def finder(wanted: dict[str, Any]) -> Finder:
    """The function that looks for the things of a request in a picture."""
    if "board" in wanted:
        return BoardFinder(cv2)
    if "ball" in wanted:
        return BallFinder(cv2, Lens(**wanted["lens"]), wanted["ball"])
    sides = {int(number): side for number, side in wanted["tags"].items()}
    return TagFinder(cv2, Lens(**wanted["lens"]), wanted["family"], sides)


def main() -> None:
    """Answer the request on stdin. An exception of the library ends the process."""
    ignore_interrupts()
    limit_memory(MEMORY)
    allow_time(TIME)
    cv2.setNumThreads(1)
    out = sys.stdout.buffer
    if (request := receive(sys.stdin.buffer)) is None:
        return
    try:
        pictures = opened(request[0]["kind"], request[0]["name"])
    except InvalidValue as error:
        send(out, {"refused": [error.rule.serialized(), error.remedy.serialized()]})
        return
    send(out, {"size": pictures.size, "count": pictures.count})
    if (request := receive(sys.stdin.buffer)) is None:
        return
    find = finder(request[0])
    for time, picture in pictures:
        allow_time(TIME)
        send(out, {"time": time, **find(picture)})
    send(out, {"end": True})


if __name__ == "__main__":
    main()
