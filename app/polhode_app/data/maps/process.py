"""The process that computes maps (app/polhode_app/data/maps/server.py), as the window sees it. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from polhode.process.child_process import ChildProcess
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import scene_text

SERVER = "polhode_app.data.maps.server"
ENDED = {"event": "ended", "out": ""}


class MapProcess:
    """Starts the process with its first order, and again if it has ended. Nothing here waits for it."""

    def __init__(self) -> None:
        self._process: ChildProcess | None = None

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.status is None

    @property
    def has_ended(self) -> bool:
        """Whether the process was there and is not any more."""
        return self._process is not None and self._process.status is not None

    @property
    def number(self) -> int:
        """Process id; 0 without a process."""
        return self._process.number if self._process is not None else 0

    def start(self) -> None:
        """Start the process, if it is not there, so that it has loaded the program when orders come. Raises OSError."""
        self._running()

    def prepare(self, scene: Scene, workers: int) -> None:
        """Load what the sweep of a scene needs, so that its first cells come sooner. Raises OSError."""
        self._order({"order": "prepare", "folder": str(scene.folder.absolute()), "workers": workers}, scene)

    def run(self, scene: Scene, out: Path, workers: int) -> None:
        """Compute the pending cells of the one sweep of `scene` into the file `out`. Raises OSError."""
        head = {"order": "run", "out": str(out), "folder": str(scene.folder.absolute()), "workers": workers}
        self._order(head, scene)

    def pause(self) -> None:
        """End the run that is under way; what it has computed stays."""
        if self._process is not None:
            self._process.send({"order": "pause"})

    def answers(self) -> Iterator[dict[str, Any]]:
        """Answers of the process since the last call; {"event": "ended"} if it has ended by itself."""
        process = self._process
        if process is None or process.has_ended:
            return
        for head, _ in process.poll():
            yield head
        if process.has_ended:
            yield ENDED

    def stop(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _order(self, head: dict[str, Any], scene: Scene) -> None:
        self._running().send(head, [scene_text(scene).encode()])

    def _running(self) -> ChildProcess:
        """The process, started if it is not there. Raises OSError."""
        if self._process is None or self._process.status is not None:
            self._process = ChildProcess(SERVER)
        return self._process
