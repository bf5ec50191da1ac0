"""The process that computes maps (app/polhode_app/maps/server.py), as the window sees it. No Qt."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from polhode.recording.contents import receive, send
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_text

COMMAND = (sys.executable, "-m", "polhode_app.maps.server")
NO_WINDOW = 0x08000000  # CREATE_NO_WINDOW of Windows
ENDED = {"event": "ended", "out": ""}


class MapProcess:
    """Starts the process with its first order, and again if it has ended. Nothing here waits for it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.SimpleQueue[tuple[subprocess.Popen[bytes], dict[str, Any]]] = queue.SimpleQueue()
        self._orders: queue.SimpleQueue[tuple[dict[str, Any], list[bytes]] | None] = queue.SimpleQueue()

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    @property
    def has_ended(self) -> bool:
        """Whether the process was there and is not any more."""
        return self._process is not None and self._process.poll() is not None

    @property
    def number(self) -> int:
        """Process id; 0 without a process."""
        return self._process.pid if self._process is not None else 0

    def start(self) -> None:
        """Start the process, if it is not there, so that it has loaded the program when orders come. Raises OSError."""
        if not self.is_running:
            self._start()

    def prepare(self, scene: Scene, workers: int) -> None:
        """Load what the sweep of a scene needs, so that its first cells come sooner. Raises OSError."""
        self._order({"order": "prepare", "folder": str(scene.folder.absolute()), "workers": workers}, scene)

    def run(self, scene: Scene, out: Path, workers: int) -> None:
        """Compute the pending cells of the one sweep of `scene` into the file `out`. Raises OSError."""
        head = {"order": "run", "out": str(out), "folder": str(scene.folder.absolute()), "workers": workers}
        self._order(head, scene)

    def pause(self) -> None:
        """End the run that is under way; what it has computed stays."""
        if self.is_running:
            self._orders.put(({"order": "pause"}, []))

    def answers(self) -> Iterator[dict[str, Any]]:
        """What the process has answered since the last call; {"event": "ended"} where it has ended by itself."""
        while not self._answers.empty():
            process, answer = self._answers.get()
            if process is self._process:
                yield answer

    def stop(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        if process is not None:
            self._orders.put(None)
            process.kill()
            process.wait()

    def _order(self, head: dict[str, Any], scene: Scene) -> None:
        self.start()
        self._orders.put((head, [scene_text(scene).encode()]))

    def _start(self) -> None:
        """Start the process, and the threads that read and write its pipes."""
        known = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": known},
            creationflags=NO_WINDOW if sys.platform == "win32" else 0,
        )
        self._orders = queue.SimpleQueue()
        for work in (self._read, self._write):
            threading.Thread(target=work, args=(self._process, self._orders), name="maps", daemon=True).start()

    def _read(self, process: subprocess.Popen[bytes], orders: queue.SimpleQueue[Any]) -> None:
        """Body of the thread that reads answers."""
        assert process.stdout is not None
        with process.stdout as stream:
            while (answer := receive(stream)) is not None:
                self._answers.put((process, answer[0]))
        process.wait()
        orders.put(None)
        self._answers.put((process, ENDED))

    def _write(self, process: subprocess.Popen[bytes], orders: queue.SimpleQueue[Any]) -> None:
        """Body of the thread that writes orders."""
        assert process.stdin is not None
        with process.stdin as stream:
            while (order := orders.get()) is not None:
                try:
                    send(stream, *order)
                except OSError:  # it has ended, which the other thread tells
                    return
