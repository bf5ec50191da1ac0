"""The process that runs lessons (server.py), as a program sees it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from polhode.jit.storage.shipped_code import GENERIC
from polhode.lessons.lesson_run import LessonRun
from polhode.lessons.passing import refusal_of_message, run_of_message
from polhode.process.child_process import SINGLE_THREADED, ChildProcess
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import scene_text

SERVER = "polhode.lessons.server"
ENDED = Message("the process that runs lessons has ended too early")
MEMORY = Message("free some memory: most often there is too little")


@dataclass(frozen=True)
class Compiling:
    """Units of machine code that are compiled before a run, once on each computer."""

    done: int
    total: int


@dataclass(frozen=True)
class Running:
    """How far a run is."""

    time: float
    """[s] of simulated time"""


@dataclass(frozen=True)
class Prepared:
    """A scene is compiled."""


Answer = Compiling | Running | Prepared | LessonRun | InputError


def lesson_server(temporary: str | None = None) -> ChildProcess:
    """The process, started. Raises OSError.

    temporary: folder for its temporary files, which it leaves there when it is killed
    """
    places = {} if temporary is None else dict.fromkeys(("TMPDIR", "TEMP", "TMP"), temporary)
    return ChildProcess(SERVER, environment={**os.environ, **SINGLE_THREADED, **GENERIC, **places})


class LessonProcess:
    """Starts the process with its first order, and again if it has ended. Nothing here waits for it."""

    def __init__(self) -> None:
        self._process: ChildProcess | None = None

    def prepare(self, scene: Scene) -> None:
        """Compile what the runs of a scene need; answered by Prepared. Raises OSError."""
        self._order({"order": "prepare"}, scene)

    def run(self, scene: Scene, until: float, columns: Collection[str]) -> None:
        """Run a scene to `until` [s] (`run_lesson`); answered by a LessonRun. Raises OSError.

        Orders are carried out one after the other; `stop` ends a run that is under way.
        """
        self._order({"order": "run", "until": until, "columns": list(columns)}, scene)

    def answers(self) -> Iterator[Answer]:
        """Answers since the last call; an InputError where an order is refused or the process has ended by itself."""
        process = self._process
        if process is None:
            return
        for head, blobs in process.poll():
            match head["event"]:
                case "compiling":
                    yield Compiling(head["done"], head["total"])
                case "running":
                    yield Running(head["time"])
                case "prepared":
                    yield Prepared()
                case "finished":
                    yield run_of_message(head, blobs)
                case "refused":
                    yield refusal_of_message(head)
        if process.has_ended:
            self._process = None
            yield InputError.of("lesson", ENDED, MEMORY)

    def stop(self) -> None:
        """End the process at once, with what it computes."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _order(self, head: dict[str, object], scene: Scene) -> None:
        if self._process is None or self._process.status is not None:
            self._process = lesson_server()
        self._process.send({**head, "folder": str(scene.folder.absolute())}, [scene_text(scene).encode()])
