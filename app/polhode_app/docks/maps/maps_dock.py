"""Dock of maps of many runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polhode_app.data.maps.process import MapProcess
from polhode_app.docks.maps.map_controller import MapController
from polhode_app.docks.maps.map_widgets import MapWidgets
from polhode_app.docks.maps.unsaved_maps import MapFiles
from polhode_app.messages import FrameData
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext

PATH_INTERVAL = 0.05  # [s] between two drawings of the path of the run


class MapsDock(Dock):
    """The widgets and their controller. WindowMaps sets `files` and `process` before they are built."""

    files: MapFiles
    process: MapProcess

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context, self._drawn_at = context, 0.0

    def build(self) -> Iterator[None]:
        """Make the widgets, then their controller."""
        self.widgets = MapWidgets()
        yield from self.widgets.build()
        self.setWidget(self.widgets)
        yield
        self.controller = MapController(self._context, self.widgets, self.files, self.process)
        self.retranslate()
        yield

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Draw the path of the run in the map, while it is seen."""
        if self.isVisible():
            self.controller.take_frames(passed)
            if wall - self._drawn_at > PATH_INTERVAL:
                self._drawn_at = wall
                self.controller.draw_path()
        return False

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Maps"))
        self.widgets.retranslate()
        self.controller.refresh()

    def set_theme(self) -> None:
        """Adopt the colours of the window."""
        self.widgets.set_theme()

    def stop(self) -> None:
        """End what computes."""
        self.controller.stop()
