"""A command of the program that runs in a child process, so that neither view nor simulation is slowed by it."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from polhode.recording.scene_bundle import bundle_scene
from polhode.recording.unpacking import unpack
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_text
from polhode_app.environment import LANGUAGE, PROGRESS
from polhode_app.i18n.language import language
from polhode_app.i18n.translation import translate_error
from polhode_app.panels.widgets.toast import Toast
from polhode_app.session.session import Session


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
        self.arguments = ["-m", "polhode_app", *arguments]
        self._process = QProcess(self)
        variables = QProcessEnvironment.systemEnvironment()
        known = os.pathsep.join(filter(None, sys.path))
        own = {PROGRESS: "1", LANGUAGE: language(), "PYTHONPATH": known}
        for name, value in (own | dict(environment or {})).items():
            variables.insert(name, value)
        self._process.setProcessEnvironment(variables)
        self._process.readyReadStandardOutput.connect(self._on_output)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    def start(self) -> None:
        """Start the process."""
        self._process.start(sys.executable, self.arguments)

    def kill(self) -> None:
        """End the process at once; `ended` is not emitted."""
        self._process.blockSignals(True)
        self._process.kill()
        self._process.waitForFinished(5000)

    def _on_output(self) -> None:
        """Read the fraction done."""
        if lines := bytes(self._process.readAllStandardOutput().data()).split():
            self.progressed.emit(float(lines[-1]))

    def _on_finished(self, status: int) -> None:
        """Tell the end, with the last message."""
        text = bytes(self._process.readAllStandardError().data()).decode(errors="replace").strip()
        self.ended.emit(status, text.split("\n")[-1])

    def _on_error(self) -> None:
        """Tell that the process could not be started."""
        if self._process.error() == QProcess.ProcessError.FailedToStart:
            self._on_finished(1)


@dataclass(frozen=True)
class ExportTexts:
    """Messages of an export while it runs and at its end."""

    running: str  # with {percent}
    saved: str  # with {path}
    failed: str  # with {reason}


class Order(NamedTuple):
    """A file that a command is to write."""

    arguments: Sequence[str]
    path: Path
    folder: TemporaryDirectory[str]  # with the input of the command; removed at its end
    texts: ExportTexts


class FileExport(QObject):
    """Writes files by commands, one after another, and shows progress and results in the toast.

    Orders wait while a file is written, and are listed in the text of the progress.
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
        """Write `path` by a command after earlier orders; `folder`, which it reads, is removed at its end."""
        self._orders.append(Order(arguments, path, folder, texts))
        if self._command is None:
            self._begin()
        else:
            self._show_progress(self._progress)

    def start_run(
        self, session: Session, path: Path, arguments: Callable[[Path], Sequence[str]], texts: ExportTexts
    ) -> None:
        """Write `path` from the replay or the scene of a session; `arguments` are those of a command, by its file."""
        folder, replay = TemporaryDirectory(prefix="polhode-"), session.replay
        try:
            source = scene_copy(session.document.scene, Path(folder.name)) if replay is None else replay.path
        except (InputError, OSError) as error:
            folder.cleanup()
            self._toast.show_message(translate_error(error), 20.0)
            return
        self.start(arguments(source), path, folder, texts)

    def cancel(self) -> None:
        """Cancel the running command; the next order follows."""
        if self._command is not None:
            self._command.kill()
            self._end("")
            if not self._orders:
                self._toast.dismiss()

    def close(self) -> None:
        """Cancel the running command, and drop waiting orders."""
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
        """Show the fraction done and the waiting orders, with a button to cancel."""
        self._progress = progress
        now, *later = self._orders
        lines = [*self._results[-1:], now.texts.running.format(percent=round(100 * progress))]
        if later:
            waiting = self.tr("Then: {names}").format(names=", ".join(order.path.name for order in later))
            lines.append(waiting)
        self._toast.show_progress("\n".join(lines), self.tr("Cancel"), self.cancel)

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
        """Start the next order after a `result`."""
        self._orders.popleft().folder.cleanup()
        self._command = None
        self._results = [*self._results, *filter(None, [result])] if self._orders else []
        if self._orders:
            self._begin()


def escaped(text: str) -> str:
    """A text that stays as it is when a text with it is formatted."""
    return text.replace("{", "{{").replace("}", "}}")
