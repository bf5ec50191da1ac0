"""Maps of a window, also while their dock does not exist: the process that computes them, and files of maps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from polhode.scene.problem import InputError
from polhode_app.data.maps.process import MapProcess
from polhode_app.docks.maps.unsaved_maps import MapFiles
from polhode_app.jobs import CheckCancelled, Job
from polhode_app.messages import FrameData
from polhode_app.window.files.file_actions import FileActions
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext

if TYPE_CHECKING:
    from polhode.sweep.maps.map_file import StoredMap  # with the compiler, which the window does not wait for

IDLE = 4.0  # [s] that a scene with sweeps runs before the process of maps is started


class WindowMaps(QObject, WindowPart):
    """Opens maps from files in the dock, offers unsaved ones, and keeps the process for the dock."""

    def __init__(self, context: WindowContext, files: FileActions):
        super().__init__(context.window)
        self._context = context
        self.files, self.process = MapFiles(), MapProcess()
        self._opening = Job("map")
        self._is_offered, self._since = False, 0.0
        context.docks.on_made("maps", self._on_dock_made)
        files.map_wanted.connect(self.open)

    def _on_dock_made(self, dock: Any) -> None:
        dock.files, dock.process = self.files, self.process

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Offer an unsaved map once, and start the process."""
        if not self._is_offered and self._context.session.meshes is not None and not self._context.toast.isVisible():
            self._offer_left()
        self._start_early(wall)
        if (opened := self._opening.poll()) is not None:
            QTimer.singleShot(0, self, lambda: self._on_opened(opened))  # no frame changes the scene
        return False

    def _start_early(self, wall: float) -> None:
        """Start the process once a scene with sweeps has run for a while, so that a map does not wait for it."""
        if self.process.is_running or self.process.has_ended or not self._context.session.scene.sweep:
            return
        if self._context.session.frame is None or not self._since:
            self._since = wall
        elif wall - self._since > IDLE:
            try:
                self.process.start()
            except OSError:
                self._since = inf  # the first order says why

    def stop(self) -> None:
        """End the process and readers; the dock has ended its work before."""
        self._opening.close()
        if self._context.docks.dock("maps") is None:
            self.files.close(None)
        self.process.stop()

    # Maps from files

    def open(self, path: Path, own: bool = False) -> None:
        """Read the file of a map, and show it with its scene; `own`: the file is one that this program writes."""
        text = self.tr("Reading {name}...").format(name=path.name)
        self._context.toast.show_message(text, None, {self.tr("Cancel"): self._cancel})

        def work(check_cancelled: CheckCancelled) -> tuple[StoredMap, bool]:
            from polhode.sweep.maps.map_file import read_map  # noqa: PLC0415  (as above)

            return read_map(path, check_cancelled), own

        self._opening.start(work)

    def _cancel(self) -> None:
        self._opening.cancel()
        self._context.toast.dismiss()

    def _on_opened(self, opened: tuple[StoredMap, bool] | InputError) -> None:
        """Open the scene of a map that was read, and show the map in the dock."""
        self._context.toast.dismiss()
        if isinstance(opened, InputError):
            self._context.session.refused.emit(opened)
            return
        stored, own = opened
        self._context.session.open_scene(stored.scene)
        if not own:
            self._context.settings.opened(stored.path)
        path = stored.path if own else None
        self._context.docks.open("maps", lambda dock: dock.controller.show_stored(stored, path))

    def _offer_left(self) -> None:
        """Offer the newest map of a program that has ended without saving it; once after the start."""
        self._is_offered = True
        left = self.files.left()
        if not left:
            return
        when = datetime.fromtimestamp(left[0].changed).strftime("%Y-%m-%d %H:%M")

        def take() -> None:
            try:
                self.open(self.files.adopt(left[0]), own=True)
            except OSError as error:
                self._context.toast.show_message(str(error))

        def discard() -> None:
            self.files.forget(left[0])
            self._context.toast.dismiss()

        self._context.toast.show_message(
            self.tr("A map of {when} that was not saved can be opened.").format(when=when),
            None,
            {self.tr("Open"): take, self.tr("Discard"): discard},
        )
