"""Table of all docks of the window."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt

_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True)
class DockRow:
    """A dock of the window."""

    name: str  # of its action, and its object name, by which the settings store layouts
    path: str  # MODULE:CLASS, imported when the dock is first opened
    area: Qt.DockWidgetArea
    extent: int = 0  # [pixel] initial width, or height in a horizontal area; 0: size hint
    is_light: bool = False  # it needs neither compiler nor plots: made before the first frame, if it was open

    @property
    def module(self) -> str:
        """Name of the module of the class."""
        return self.path.partition(":")[0]

    @property
    def class_name(self) -> str:
        """Name of the class."""
        return self.path.partition(":")[2]


DOCKS = (
    DockRow("modes", "polhode_app.docks.modes.modes_dock:ModesDock", _RIGHT),
    DockRow("sensor", "polhode_app.docks.sensor.sensor_dock:SensorDock", _RIGHT, 350),
    DockRow("path", "polhode_app.docks.paths.path_dock:PathDock", _RIGHT, 310),
    DockRow("equilibria", "polhode_app.docks.equilibria.equilibria_dock:EquilibriaDock", _RIGHT, 400),
    DockRow("plots", "polhode_app.docks.plots.plot_dock:PlotDock", _BOTTOM, 290),
    DockRow("maps", "polhode_app.docks.maps.maps_dock:MapsDock", _RIGHT, 400),
    DockRow("measured", "polhode_app.docks.measured.measured_dock:MeasuredDock", _RIGHT, 400),
    DockRow("tree", "polhode_app.docks.inspector.scene_tree:SceneTree", _LEFT, is_light=True),
    DockRow("inspector", "polhode_app.docks.inspector.dock:Inspector", _RIGHT, is_light=True),
    DockRow("tones", "polhode_app.docks.tones.tones_dock:TonesDock", _RIGHT),
)
DEFAULT_DOCKS = ("tree",)
"""Names of the docks that are open at the first start."""
