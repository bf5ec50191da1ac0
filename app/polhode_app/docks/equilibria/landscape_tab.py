"""The potential landscape: which coordinates, the plot, and its export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

from polhode.equilibria.coordinates import Coordinate, coordinates_of, values_in
from polhode.equilibria.equilibria import Equilibria
from polhode.equilibria.pose import pose_of_snapshot
from polhode.scene.problem import InputError, message_of
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.data.plots.plot_table import landscape_table
from polhode_app.docks.equilibria.landscape_plot import LandscapePlot
from polhode_app.docks.plots.plot_files import save_plot
from polhode_app.i18n.translation import translate
from polhode_app.interactors.landscape_maker import DrawnLandscape, LandscapeMaker, Wanted
from polhode_app.session.new_file import new_file
from polhode_app.session.session import Session
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of
from polhode_app.window.widgets.toast import Toast
from polhode_app.window.widgets.wheel import ComboBox

SETTLED = 250  # [ms] after which a new range of the plot is computed
INTERVAL = 0.04  # [s] wall time between two drawings of the state
NONE = ""  # in place of the second coordinate


class LandscapeTab(QWidget):
    """Potential energy over one or two coordinates of the session's scene; `mark_chosen` carries an equilibrium."""

    mark_chosen = Signal(int)

    def __init__(self, session: Session, toast: Toast, plot: LandscapePlot):
        super().__init__()
        self._session, self._toast = session, toast
        self._maker = LandscapeMaker()
        self._found: Equilibria | None = None
        self._known: dict[str, Coordinate] = {}
        self._wanted: Wanted | None = None
        self._ordered: tuple[Wanted, Equilibria | None] | None = None
        self._shown_at = 0.0
        self._snapshot: Snapshot | None = None
        self.first, self.second, self.caption, self.plot = ComboBox(), ComboBox(), QLabel(), plot
        self.legend, self.picture_button, self.table_button = QLabel(), QPushButton(), QPushButton()
        self._settle = QTimer(self, singleShot=True, interval=SETTLED)
        self._range: object = None
        self._lay_out()
        self.first.activated.connect(lambda _row: self._choose())
        self.second.activated.connect(lambda _row: self._choose())
        self.plot.range_changed.connect(self._on_range_changed)
        self.plot.mark_clicked.connect(self.mark_chosen)
        self._settle.timeout.connect(self._order_range)
        self.picture_button.clicked.connect(lambda: self.export("png"))
        self.table_button.clicked.connect(lambda: self.export("csv"))

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.first.setAccessibleName(self.tr("Horizontal coordinate"))
        self.second.setAccessibleName(self.tr("Vertical coordinate"))
        for box in (self.first, self.second):
            box.setToolTip(box.accessibleName())
        if self.second.count():
            self.second.setItemText(0, self.tr("none: a curve"))
        self.legend.setText(self.tr("● stable   * neutral   × unstable   small: beside this section"))
        self.picture_button.setText(self.tr("Image (PNG)"))
        self.table_button.setText(self.tr("Table (CSV)"))
        tip = self.tr("Wheel: zoom. Drag: move. Double click: everything. Click a mark to go there.")
        self.plot.setToolTip(tip)
        self._update_caption()

    def set_theme(self, palette: QPalette) -> None:
        """Apply a palette."""
        self.plot.set_theme(palette)

    def show_scene(self) -> None:
        """List the coordinates of the scene that is shown, and compute its landscape when it is seen."""
        compiled = self._session.compiled
        if compiled is None:
            return
        self._known = {axis.name: axis for axis in coordinates_of(compiled)}
        names = list(self._known)
        chosen = [box.currentData() for box in (self.first, self.second)]
        for box, extra in ((self.first, []), (self.second, [NONE])):
            box.clear()
            for name in [*extra, *names]:
                box.addItem(name or self.tr("none: a curve"), name)
        usual = usual_axes(list(self._known.values()))
        axes = tuple(chosen) if chosen[0] in names and chosen[1] in [NONE, *names] else usual
        if axes:
            self.first.setCurrentIndex(self.first.findData(axes[0]))
            self.second.setCurrentIndex(max(self.second.findData(axes[1] if len(axes) > 1 else NONE), 0))
        self._choose()

    def show_found(self, found: Equilibria | None) -> None:
        """Mark these equilibria."""
        if found is not self._found:
            self._found = found
            self._order()

    def tick(self, now: float) -> None:
        """Take a computed landscape and mark the state, once per frame at a wall time [s]."""
        self._order()
        made = self._maker.poll()
        if isinstance(made, InputError):
            self.caption.setText(translate(message_of(made.problems[0])))
            self.caption.show()
        elif isinstance(made, DrawnLandscape):
            self.plot.draw(made)
            self._snapshot = None
        frame = self._session.frame
        if frame is None or frame.snapshot is self._snapshot or now - self._shown_at < INTERVAL:
            return
        self._shown_at, self._snapshot = now, frame.snapshot
        drawn = self.plot.drawn
        fits = drawn is not None and self._wanted is not None and drawn.wanted.axes == self._wanted.axes
        if drawn is not None and fits:
            self.plot.show_state(values_in(drawn.landscape.axes, pose_of_snapshot(frame.snapshot)))

    def export(self, ending: str) -> None:
        """Write the plot (png) or the energies (csv) to a new file, and say where."""
        if (drawn := self.plot.drawn) is None:
            return
        path: Path = new_file(ending, self._session.document.path)
        is_table = ending == "csv"
        write = landscape_table(drawn.landscape).save if is_table else lambda path: save_plot(self.plot, path)
        self._toast.save(path, lambda: write(path), self.tr("Landscape saved: {path}"))

    def stop(self) -> None:
        """End the thread."""
        self._maker.close()

    def _lay_out(self) -> None:
        self.caption.setWordWrap(True)
        self.legend.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        for box in (self.first, self.second):
            box.setMinimumContentsLength(8)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        focus_by_tab(self.picture_button, self.table_button)
        top = row_of((self.first, 1), (self.second, 1))
        bottom = row_of((self.picture_button, 1), (self.table_button, 1))
        column_of(top, self.caption, (self.plot, 100), self.legend, bottom, 0, on=self, margins=8)

    def _choose(self) -> None:
        """The coordinates of the choosers, over their usual ranges."""
        names = [box.currentData() for box in (self.first, self.second)]
        axes = tuple(dict.fromkeys(name for name in names if name))
        scene: Scene = self._session.document.scene
        same = self._wanted is not None and self._wanted.axes == axes
        before = self._wanted if same and self._wanted is not None else Wanted(scene, axes)
        self._wanted = replace(before, scene=scene) if axes and names[0] else None
        self._update_caption()
        self._order()

    def _update_caption(self) -> None:
        self.caption.setVisible(self._wanted is None)
        self.plot.setVisible(self._wanted is not None)
        self.caption.setText(self.tr("Nothing in this scene has a coordinate that could be varied."))

    def _order(self) -> None:
        """Compute the requested landscape, if it is visible and not computed yet."""
        if self._wanted is None or not self.isVisible() or self._session.compiled is None:
            return
        wanted = self._wanted, self._found
        if self._ordered is None or wanted[0] != self._ordered[0] or wanted[1] is not self._ordered[1]:
            self._ordered = wanted
            self._maker.order(*wanted)

    def _on_range_changed(self, ranges: object) -> None:
        self._range = ranges
        self._settle.start()

    def _order_range(self) -> None:
        """Compute the part that is seen."""
        if self._wanted is not None:
            self._wanted = replace(self._wanted, ranges=self._range, whole=self._range is None)
            self._order()


def usual_axes(known: list[Coordinate]) -> tuple[str, ...]:
    """The coordinates that a landscape begins with: two of the first item, or one of each of two items."""
    if not known:
        return ()
    first = known[0]
    alike = [axis for axis in known if axis.kind == first.kind]
    return tuple(axis.name for axis in alike[:2])
