"""Commands of the program in child processes, so that neither view nor simulation is slowed by them."""

from __future__ import annotations

import os
import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from polhode.process.child_process import ChildProcess
from polhode.recording.scene_bundle import bundle_scene
from polhode.recording.unpacking import unpack
from polhode.scene.files.file_writing import temporary_name
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import scene_text
from polhode_app.environment import LANGUAGE, PART, PROGRESS
from polhode_app.i18n.language import language
from polhode_app.i18n.translation import translate_error, translate_reason
from polhode_app.session.session import Session
from polhode_app.window.widgets.toast import Toast

POLL = 50  # [ms]
AFTER_END = (300, 1000, 3000)  # [ms] after cancelling, when the unfinished file is deleted again


def scene_copy(scene: Scene, folder: Path) -> Path:
    """Write a scene with its meshes to a folder, for a command; returns the scene file.

    Raises InputError for a mesh that cannot be read any more, and OSError.
    """
    path = folder / "scene.toml"
    bundle = bundle_scene(scene)
    path.write_text(scene_text(bundle.scene), encoding="utf-8")
    unpack(bundle.files, folder, str(path))
    return path


@dataclass(frozen=True)
class Order:
    """A file that a command is to write."""

    arguments: Sequence[str]
    path: Path
    folder: TemporaryDirectory[str]  # with what the command reads; removed at its end
    details: Any = None  # for who shows it
    module: str = "polhode_app"  # that the arguments are of
    token: str = field(default_factory=lambda: secrets.token_hex(8))  # in the name of the unfinished file


class CommandQueue(QObject):
    """Runs commands that write files, one after another, in the language of the window.

    `ended` carries an order that is not in `orders` any more, the exit status, and the last line of the messages.
    """

    progressed = Signal()  # of the first of the orders, or others wait for it now
    ended = Signal(Order, int, str)

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self.orders: deque[Order] = deque()  # the first one runs
        self.progress = 0.0  # fraction of it that is done
        self.started = 0.0  # when that began [s]
        self._process: ChildProcess | None = None
        self._timer = QTimer(self, interval=POLL)
        self._timer.timeout.connect(self._poll)

    def add(self, order: Order) -> None:
        """Carry out an order after all that were given before."""
        self.orders.append(order)
        if len(self.orders) == 1:
            self._begin()
        else:
            self.progressed.emit()

    def cancel(self) -> None:
        """End the running command, and start the next one; `ended` is not emitted."""
        if self.orders:
            part = temporary_name(self.orders[0].path.resolve(), self.orders[0].token)
            self._drop_first()
            part.unlink(missing_ok=True)
            for later in AFTER_END:  # another program that it has started may create the file after that
                QTimer.singleShot(later, self, lambda: part.unlink(missing_ok=True))
            self._begin()

    def close(self) -> None:
        """End the command that runs, and drop what waits."""
        while len(self.orders) > 1:
            self.orders.pop().folder.cleanup()
        self.cancel()

    def _begin(self) -> None:
        """Start the command of the first order, if there is one."""
        if not self.orders:
            return
        order = self.orders[0]
        self.progress, self.started = 0.0, time.perf_counter()
        environment = {**os.environ, PROGRESS: "1", LANGUAGE: language(), PART: order.token}
        try:
            self._process = ChildProcess(order.module, *order.arguments, environment=environment, keeps_errors=True)
        except OSError as error:
            self._end(1, translate_reason(error))
            return
        self._timer.start()
        self.progressed.emit()

    def _poll(self) -> None:
        """Take what the process has reported since the last call."""
        process = self._process
        assert process is not None
        done = [head["done"] for head, _ in process.poll()]
        if done:
            self.progress = done[-1]
            self.progressed.emit()
        status = process.status
        if process.has_ended and status is not None:
            self._end(status, process.errors.strip().split("\n")[-1])

    def _end(self, status: int, reason: str) -> None:
        """Report the end of the first order, and start the next one."""
        order = self._drop_first()
        self.ended.emit(order, status, reason)
        self._begin()

    def _drop_first(self) -> Order:
        """Remove the first order, with its process."""
        self._timer.stop()
        if self._process is not None:
            self._process.close()
            self._process = None
        order = self.orders.popleft()
        order.folder.cleanup()
        return order


@dataclass(frozen=True)
class ExportTexts:
    """Messages of an export while it runs and at its end."""

    running: str  # with {percent}
    saved: str  # with {path}
    failed: str  # with {reason}


class FileExport(CommandQueue):
    """Shows progress and results of its orders, and the waiting ones, in the toast."""

    def __init__(self, toast: Toast, parent: QObject):
        super().__init__(parent)
        self._toast = toast
        self._results: list[str] = []  # of the files before the one that is written
        self.progressed.connect(self._show_progress)
        self.ended.connect(self._show_result)

    def start(
        self,
        arguments: Sequence[str],
        path: Path,
        folder: TemporaryDirectory[str],
        texts: ExportTexts,
        module: str = "polhode_app",
    ) -> None:
        """Write `path` by a command after earlier orders; `folder`, which it reads, is removed at its end."""
        self.add(Order(arguments, path, folder, texts, module))

    def start_run(
        self, session: Session, path: Path, arguments: Callable[[Path], Sequence[str]], texts: ExportTexts
    ) -> None:
        """Write `path` from the replay or the scene of a session; `arguments` are those of a command, by its file."""
        if session.replay is None:
            self.start_scene(session.document.scene, path, arguments, texts)
        else:
            self.start(arguments(session.replay.path), path, TemporaryDirectory(prefix="polhode-"), texts)

    def start_scene(
        self, scene: Scene, path: Path, arguments: Callable[[Path], Sequence[str]], texts: ExportTexts
    ) -> None:
        """Write `path` from a scene; `arguments` are those of a command, by the file of the scene."""
        folder = TemporaryDirectory(prefix="polhode-")
        try:
            source = scene_copy(scene, Path(folder.name))
        except (InputError, OSError) as error:
            folder.cleanup()
            self._toast.show_message(translate_error(error), 20.0)
            return
        self.start(arguments(source), path, folder, texts)

    def cancel(self) -> None:
        """Cancel the running command; the next order follows."""
        if self.orders:
            super().cancel()
            if not self.orders:
                self._results = []
                self._toast.dismiss()

    def _show_progress(self) -> None:
        """Show the fraction done and the waiting orders, with a button to cancel."""
        now, *later = self.orders
        lines = [*self._results[-1:], now.details.running.format(percent=round(100 * self.progress))]
        if later:
            waiting = self.tr("Then: {names}").format(names=", ".join(order.path.name for order in later))
            lines.append(waiting)
        self._toast.show_progress("\n".join(lines), self.tr("Cancel"), self.cancel)

    def _show_result(self, order: Order, status: int, reason: str) -> None:
        """Report a result, together with those before it as soon as nothing waits."""
        texts, before = order.details, self._results
        is_saved = status == 0
        text = texts.saved.format(path=order.path) if is_saved else texts.failed.format(reason=reason or status)
        self._results = [*before, text] if self.orders else []
        if self.orders:
            return
        if is_saved:
            self._toast.show_file_saved("\n".join([*map(escaped, before), texts.saved]), order.path)
        else:
            self._toast.show_message("\n".join([*before, text]), 20.0)


def escaped(text: str) -> str:
    """A text that stays as it is when a text with it is formatted."""
    return text.replace("{", "{{").replace("}", "}}")
