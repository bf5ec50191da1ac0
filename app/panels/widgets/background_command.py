"""A command of the program that runs in a child process, so that neither view nor simulation is slowed by it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from app.environment import LANGUAGE, PROGRESS
from app.i18n.language import language
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
