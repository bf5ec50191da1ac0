"""Maps of many runs in the window: the dock, what is done in it, and maps that are opened from files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from polhode.scene.problem import InputError
from polhode_app.jobs import CheckCancelled, Job
from polhode_app.maps.process import MapProcess
from polhode_app.messages import FrameData
from polhode_app.panels.files.file_actions import FileActions
from polhode_app.panels.shell.dock_manager import DockManager
from polhode_app.panels.shell.window_context import WindowContext
from polhode_app.session.map_files import MapFiles

if TYPE_CHECKING:
    from polhode.sweep.maps.map_file import StoredMap
    from polhode_app.panels.maps.map_controller import (
        MapController,  # with the compiler, which the window does not wait for
    )
    from polhode_app.panels.maps.maps_dock import MapsDock

WIDTH = 400  # [pixel] initial width
IDLE = 4.0  # [s] that a scene with sweeps runs before the process of maps is started
WAY_EVERY = 0.05  # [s] between two drawings of the way


class MapsPanel(QObject):
    """Registers the dock, makes it in steps that do not hold the window, and opens the files of maps."""

    def __init__(self, context: WindowContext, docks: DockManager, files: FileActions):
        super().__init__(context.window)
        self._context, self._docks = context, docks
        self._action = context.actions["maps"]
        self.files, self.process = MapFiles(), MapProcess()
        self.controller: MapController | None = None
        self._opening = Job("map")
        self._waiting: tuple[StoredMap, Path | None] | None = None  # until the dock is made
        self._drawn_at, self._is_offered, self._since = 0.0, False, 0.0
        right = Qt.DockWidgetArea.RightDockWidgetArea
        docks.register("maps", self._action, self._make, right, WIDTH, build=self._build)
        files.map_wanted.connect(self.open)

    @property
    def dock(self) -> MapsDock | None:
        """The dock, or None as long as it was never opened."""
        return self._docks.docks.get("maps")

    def tick(self, wall: float, passed: Sequence[FrameData]) -> None:
        """Called once per frame, at a wall time [s], with the frames since the last call."""
        if not self._is_offered and self._context.session.meshes is not None and not self._context.toast.isVisible():
            self._offer_left()
        self._start_early(wall)
        if (opened := self._opening.poll()) is not None:
            QTimer.singleShot(0, self, lambda: self._on_opened(opened))  # no frame changes the scene
        if self.controller is not None and self.dock is not None and self.dock.isVisible():
            self.controller.take_frames(passed)
            if wall - self._drawn_at > WAY_EVERY:
                self._drawn_at = wall
                self.controller.draw_way()

    def _start_early(self, wall: float) -> None:
        """Start the process once a scene with sweeps has run for a while, so that a map does not wait for it."""
        if self.process.is_running or self.process.has_ended or not self._context.session.scene.sweep:
            return
        if self._context.session.moment is None or not self._since:
            self._since = wall
        elif wall - self._since > IDLE:
            try:
                self.process.start()
            except OSError:
                self._since = inf  # the first order says why

    def stop(self) -> None:
        """End what computes and what reads."""
        self._opening.close()
        if self.controller is not None:
            self.controller.stop()
        else:
            self.files.close(None)
        self.process.stop()

    # The dock

    def _make(self) -> MapsDock:
        """Create the dock without its contents."""
        from polhode_app.panels.maps.maps_dock import MapsDock  # noqa: PLC0415  (the first frame does not wait for it)

        return MapsDock(self._context.window)

    def _build(self, dock: MapsDock) -> Iterator[None]:
        """Make the contents, each part in an event of its own."""
        yield from dock.build()
        yield
        self._connect_dock(dock)
        yield

    def _connect_dock(self, dock: MapsDock) -> None:
        """Let the dock work."""
        from polhode_app.panels.maps.map_controller import MapController  # noqa: PLC0415  (as above)

        self.controller = MapController(self._context, dock, self.files, self.process)
        if self._waiting is not None:
            self.controller.show_stored(*self._waiting)
            self._waiting = None

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
        self._action.setChecked(True)
        if self.controller is not None:
            self.controller.show_stored(stored, path)
        else:
            self._waiting = stored, path

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
