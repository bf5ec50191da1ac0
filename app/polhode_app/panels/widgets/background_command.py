"""A command of the program that runs in a child process, so that neither view nor simulation is slowed by it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from polhode.process.child_process import ChildProcess
from polhode.recording.scene_bundle import bundle_scene
from polhode.recording.unpacking import unpack
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_text
from polhode_app.environment import LANGUAGE, PROGRESS
from polhode_app.i18n.language import language
from polhode_app.i18n.translation import translate_reason
from polhode_app.panels.widgets.toast import Toast

POLL = 50  # [ms]


def scene_copy(scene: Scene, folder: Path) -> Path:
    """Write a scene with its meshes to a folder, for a command; returns the scene file.

    Raises InputError for a mesh that cannot be read any more, and OSError.
    """
    path = folder / "scene.toml"
    bundle = bundle_scene(scene)
    path.write_text(scene_text(bundle.scene), encoding="utf-8")
    unpack(bundle.files, folder, str(path))
    return path


class BackgroundCommand(QObject):
    """Runs `python -m polhode_app` with some arguments, in the language of the window.

    `progressed` carries the fraction done, 0 to 1, `ended` the exit status and the last line of the messages.
    """

    progressed = Signal(float)
    ended = Signal(int, str)

    def __init__(self, arguments: Sequence[str], parent: QObject, environment: Mapping[str, str] | None = None):
        """Prepare the command; `environment` are further variables."""
        super().__init__(parent)
        self.arguments = arguments
        self._environment = {**os.environ, PROGRESS: "1", LANGUAGE: language(), **(environment or {})}
        self._process: ChildProcess | None = None
        self._timer = QTimer(self, interval=POLL)
        self._timer.timeout.connect(self._poll)

    def start(self) -> None:
        """Start the process."""
        try:
            self._process = ChildProcess(
                "polhode_app", *self.arguments, environment=self._environment, keeps_errors=True
            )
        except OSError as error:
            self.ended.emit(1, translate_reason(error))
            return
        self._timer.start()

    def kill(self) -> None:
        """End the process at once; `ended` is not emitted."""
        self._timer.stop()
        if self._process is not None:
            self._process.close()

    def _poll(self) -> None:
        """Emit what the process has reported since the last call."""
        process = self._process
        assert process is not None
        done = [head["done"] for head, _ in process.poll()]
        if done:
            self.progressed.emit(done[-1])
        if process.has_ended:
            self._timer.stop()
            self.ended.emit(process.status, process.errors.strip().split("\n")[-1])


@dataclass(frozen=True)
class ExportTexts:
    """What an export says while it runs and at its end."""

    running: Callable[[int], str]  # from the part done [%]
    cancel: str  # button
    saved: str  # with {path}
    failed: str  # with {reason}


class Order(NamedTuple):
    """A file that a command is to write."""

    arguments: Sequence[str]
    path: Path
    folder: TemporaryDirectory[str]  # with what the command reads; removed at its end
    texts: ExportTexts


class FileExport(QObject):
    """Writes files by commands, one after another, and shows progress and results in the toast.

    What is asked for while a file is written waits for its turn, and the text of the progress says so.
    """

    def __init__(self, toast: Toast, parent: QObject):
        super().__init__(parent)
        self._toast = toast
        self._command: BackgroundCommand | None = None  # that writes the first of the orders
        self._orders: deque[Order] = deque()
        self._progress = 0.0  # of it
        self._results: list[str] = []  # of the files before it

    @property
    def is_running(self) -> bool:
        """Whether a file is being written."""
        return bool(self._orders)

    def start(self, arguments: Sequence[str], path: Path, folder: TemporaryDirectory[str], texts: ExportTexts) -> None:
        """Write `path` by a command after what is being written; `folder`, which it reads, is removed at its end."""
        self._orders.append(Order(arguments, path, folder, texts))
        if self._command is None:
            self._begin()
        else:
            self._show_progress(self._progress)

    def cancel(self) -> None:
        """End the command that runs; what waits follows."""
        if self._command is not None:
            self._command.kill()
            self._end("")
            if not self._orders:
                self._toast.dismiss()

    def close(self) -> None:
        """End the command that runs, and drop what waits."""
        while len(self._orders) > 1:
            self._orders.pop().folder.cleanup()
        self.cancel()

    def _begin(self) -> None:
        """Start the command of the first order."""
        self._command = BackgroundCommand(self._orders[0].arguments, self)
        self._command.progressed.connect(self._show_progress)
        self._command.ended.connect(self._on_ended)
        self._show_progress(0.0)
        self._command.start()

    def _show_progress(self, progress: float) -> None:
        """Show the fraction done and what waits, with a button to cancel."""
        self._progress = progress
        now, *later = self._orders
        lines = [*self._results[-1:], now.texts.running(round(100 * progress))]
        if later:
            waiting = self.tr("Then: {names}").format(names=", ".join(order.path.name for order in later))
            lines.append(waiting)
        self._toast.show_progress("\n".join(lines), now.texts.cancel, self.cancel)

    def _on_ended(self, status: int, reason: str) -> None:
        """Report the result."""
        order = self._orders[0]
        saved, is_last = status == 0, len(self._orders) == 1
        text = order.texts.saved.format(path=order.path)
        text = text if saved else order.texts.failed.format(reason=reason or status)
        before = self._results
        self._end(text)
        if is_last and saved:
            lines = [*(escaped(each) for each in before), order.texts.saved]
            self._toast.show_file_saved("\n".join(lines), order.path)
        elif is_last:
            self._toast.show_message("\n".join([*before, text]), 20.0)

    def _end(self, result: str) -> None:
        """Go on with the next order after a `result`."""
        self._orders.popleft().folder.cleanup()
        self._command = None
        self._results = [*self._results, *filter(None, [result])] if self._orders else []
        if self._orders:
            self._begin()


def escaped(text: str) -> str:
    """A text that stays as it is when a text with it is formatted."""
    return text.replace("{", "{{").replace("}", "}}")
