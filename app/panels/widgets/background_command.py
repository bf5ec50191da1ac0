"""A command of the program that runs in a child process, so that neither view nor simulation is slowed by it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from app.environment import LANGUAGE, PROGRESS
from app.i18n.language import language
from app.panels.widgets.toast import Toast
from core.recording.scene_bundle import bundle_scene
from core.recording.unpacking import unpack
from core.scene.scene import Scene
from core.scene.scene_file import scene_text

PACKAGE_ROOT = Path(__file__).parents[3]  # folder from which `app` is imported


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
    """Runs `python -m app` with some arguments, in the language of the window.

    `progressed` carries the fraction done, 0 to 1, `ended` the exit status and the last line of the messages.
    """

    progressed = Signal(float)
    ended = Signal(int, str)

    def __init__(self, arguments: Sequence[str], parent: QObject, environment: Mapping[str, str] | None = None):
        """Prepare the command; `environment` are further variables."""
        super().__init__(parent)
        self.arguments = ["-m", "app", *arguments]
        self._process = QProcess(self)
        variables = QProcessEnvironment.systemEnvironment()
        paths = [str(PACKAGE_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        own = {PROGRESS: "1", LANGUAGE: language(), "PYTHONPATH": os.pathsep.join(paths)}
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
    """What an export says while it runs and at its end."""

    running: Callable[[int], str]  # from the part done [%]
    cancel: str  # button
    saved: str  # with {path}
    failed: str  # with {reason}


class FileExport(QObject):
    """Writes one file at a time by a command, and shows progress and result in the toast."""

    def __init__(self, toast: Toast, parent: QObject):
        super().__init__(parent)
        self._toast = toast
        self._running: tuple[BackgroundCommand, Path, TemporaryDirectory[str], ExportTexts] | None = None

    @property
    def is_running(self) -> bool:
        """Whether a file is being written."""
        return self._running is not None

    def start(self, arguments: Sequence[str], path: Path, folder: TemporaryDirectory[str], texts: ExportTexts) -> None:
        """Start a command that writes `path`; `folder`, with what it reads, is removed at its end."""
        assert self._running is None
        command = BackgroundCommand(arguments, self)
        self._running = command, path, folder, texts
        command.progressed.connect(self._show_progress)
        command.ended.connect(self._on_ended)
        self._show_progress(0.0)
        command.start()

    def cancel(self) -> None:
        """End the command."""
        if self._running is not None:
            command, _, folder, _ = self._running
            self._running = None
            command.kill()
            folder.cleanup()
            self._toast.dismiss()

    def _show_progress(self, progress: float) -> None:
        """Show the fraction done, with a button to cancel."""
        assert self._running is not None
        texts = self._running[-1]
        self._toast.show_progress(texts.running(round(100 * progress)), texts.cancel, self.cancel)

    def _on_ended(self, status: int, reason: str) -> None:
        """Report the result."""
        assert self._running is not None
        _, path, folder, texts = self._running
        self._running = None
        folder.cleanup()
        if status == 0:
            self._toast.show_file_saved(texts.saved, path)
        else:
            self._toast.show_message(texts.failed.format(reason=reason or status), 20.0)
