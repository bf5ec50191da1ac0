"""Table of all docks of the window."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt

_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True)
class DockRow:
    """A dock of the window, with the action of the same name that opens and closes it."""

    name: str  # of its action, and its object name, by which the settings store layouts
    text: str  # of the action, English, with & before the mnemonic
    keys: tuple[str, ...]  # shortcuts of the action
    path: str  # MODULE:CLASS, imported when the dock is first opened
    area: Qt.DockWidgetArea
    extent: int = 0  # [pixel] initial width, or height in a horizontal area; 0: size hint
    is_early: bool = False  # it shows a scene as soon as it is opened, before its physics is compiled
    is_light: bool = False  # it needs neither compiler nor plots: made before the first frame, if it was open
    menu: str = "docks"  # place in the table of menus of its action

    @property
    def module(self) -> str:
        """Name of the module of the class."""
        return self.path.partition(":")[0]

    @property
    def class_name(self) -> str:
        """Name of the class."""
        return self.path.partition(":")[2]


_IN = "polhode_app.docks"
DOCKS = (
    DockRow("tree", "Sce&ne", ("T",), f"{_IN}.inspector.scene_tree:SceneTree", _LEFT, is_early=True, is_light=True),
    DockRow("inspector", "Ins&pector", ("N",), f"{_IN}.inspector.dock:Inspector", _RIGHT, is_early=True, is_light=True),
    DockRow("modes", "&Modes of soft bodies", ("M",), f"{_IN}.modes.modes_dock:ModesDock", _RIGHT),
    DockRow("equilibria", "E&quilibria", ("F8",), f"{_IN}.equilibria.equilibria_dock:EquilibriaDock", _RIGHT, 400),
    DockRow("sensor", "S&ensor", ("F6",), f"{_IN}.sensor.sensor_dock:SensorDock", _RIGHT, 350),
    DockRow("plots", "P&lots", ("F4",), f"{_IN}.plots.plot_dock:PlotDock", _BOTTOM, 290),
    DockRow("energies", "Ener&gies and work", ("Ctrl+E",), f"{_IN}.plots.energy_dock:EnergyDock", _RIGHT, 260),
    DockRow("maps", "Maps of man&y runs", ("F7",), f"{_IN}.maps.maps_dock:MapsDock", _RIGHT, 400),
    DockRow("measured", "Measured data and fits", ("F9",), f"{_IN}.measured.measured_dock:MeasuredDock", _RIGHT, 400),
    DockRow("tones", "Play a qua&ntity as sound", ("Ctrl+T",), f"{_IN}.plots.tones_dock:TonesDock", _RIGHT),
    DockRow(
        "published", "Published experi&ments", ("Shift+F9",), f"{_IN}.story.published_dock:PublishedDock", _RIGHT, 460
    ),
    DockRow(
        "path",
        "Edit the &path of a bead",
        ("E",),
        f"{_IN}.paths.path_dock:PathDock",
        _RIGHT,
        310,
        menu="docks of editing",
    ),
    DockRow("lesson", "&Lesson", ("L",), f"{_IN}.lesson.lesson_dock:LessonDock", _RIGHT, 380, menu="docks of lessons"),
    DockRow(
        "hand_ins", "&Collect hand-ins", (), f"{_IN}.lesson.class_dock:ClassDock", _BOTTOM, 300, menu="docks of classes"
    ),
)
"""All docks, in the order of their menus."""
DEFAULT_DOCKS = ("tree",)
"""Names of the docks that are open at the first start."""
