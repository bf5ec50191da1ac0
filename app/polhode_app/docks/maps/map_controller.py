"""Controller of the dock of maps: shows sweeps of the scene, computes their maps, sets the scene to their cells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, thread_time

from PySide6.QtCore import QObject, QSignalBlocker, QTimer

from polhode.analysis.columns import columns
from polhode.scene.problem import InputError
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.axis_parameters import axis_parameters
from polhode.sweep.maps.map_file import StoredMap
from polhode.sweep.variation import resolve
from polhode_app.data.maps.cell import is_of_scene, longer_time, scene_of_cell, unsettled_reason, value_title
from polhode_app.data.maps.picture import axes_of
from polhode_app.data.maps.probabilities import has_probabilities
from polhode_app.data.maps.process import MapProcess
from polhode_app.docks.inspector.parameter_chooser import ParameterChooser
from polhode_app.docks.maps.legend import entries
from polhode_app.docks.maps.live_path import LivePath
from polhode_app.docks.maps.map_display import MapDisplay, ranges_within, visible_extent
from polhode_app.docks.maps.map_files import MapExport
from polhode_app.docks.maps.map_session import MapSession
from polhode_app.docks.maps.map_view import Extent
from polhode_app.docks.maps.map_widgets import NEW, MapWidgets
from polhode_app.docks.maps.run_state import button_text, progress_text
from polhode_app.docks.maps.unsaved_maps import MapFiles
from polhode_app.edit.sweeps import new_sweep, with_sweep
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.i18n.translation import translate_problem
from polhode_app.messages import FrameData
from polhode_app.session.document import Document
from polhode_app.window.accessibility.announcements import announce
from polhode_app.window.shell.window_context import WindowContext

SHARE = 0.1  # of the time of the window's thread that drawing a map which is computed may take
SHORTEST, LONGEST = 0.1, 1.0  # [s] between two drawings
SETTLED = 400  # [ms] without another edit after which the process prepares the sweep


class MapController(QObject):
    """Connects the dock to the session and to the maps that are computed. Everything runs in the GUI thread."""

    def __init__(self, context: WindowContext, widgets: MapWidgets, files: MapFiles, process: MapProcess):
        """`process` computes the maps; it may have been started before."""
        super().__init__(widgets)
        self._context, self._session, self._widgets = context, context.session, widgets
        self.maps = MapSession(files, process, self)
        self.display, self.live_path = MapDisplay(widgets.view), LivePath()
        self.exports = MapExport(context, self.maps, widgets)
        self.chosen = 0 if self._session.scene.sweep else NEW  # index of the sweep in the scene
        self._document = self._session.newest.number  # that the map which is shown belongs to
        self._shown_range: object = None  # map whose range the view has
        self._redraw = QTimer(self, singleShot=True)
        self._redraw.timeout.connect(self._draw)
        self._drawn_at, self._cost = 0.0, 0.0
        self._hovered = -1
        self._preparing = QTimer(self, singleShot=True, interval=SETTLED)
        self._preparing.timeout.connect(self._prepare)
        self._connect()
        self.refresh()
        self._prepare()

    def stop(self) -> None:
        """End what computes."""
        self.maps.close()

    def _connect(self) -> None:
        """Connect the widgets of the widgets, the session and the maps."""
        widgets, form, view = self._widgets, self._widgets.form, self._widgets.view
        self._session.scene_changed.connect(self._on_scene_changed)
        self.maps.changed.connect(self._on_maps_changed)
        self.maps.failed.connect(lambda _error: self._on_maps_changed())
        widgets.sweeps.activated.connect(lambda row: self._choose(widgets.sweeps.itemData(row)))
        widgets.run.clicked.connect(lambda _checked: self._on_run())
        widgets.cancel.clicked.connect(lambda _checked: self.maps.cancel())
        widgets.tools["earlier"].clicked.connect(lambda _checked: self.maps.go(-1))
        widgets.tools["later"].clicked.connect(lambda _checked: self.maps.go(1))
        widgets.tools["whole"].clicked.connect(lambda _checked: self._show_whole())
        widgets.probable.toggled.connect(self._show_probabilities)
        widgets.slice.valueChanged.connect(lambda _value: self._draw())
        form.edited.connect(self._edit)
        form.wanted.connect(self._create)
        form.chooser_wanted.connect(self._open_chooser)
        view.range_chosen.connect(self._on_range_chosen)
        view.cell_clicked.connect(self._on_cell_clicked)
        view.cell_hovered.connect(self._on_cell_hovered)
        view.cell_reached.connect(self._on_cell_reached)

    # Display

    @property
    def settings(self) -> SweepSettings | None:
        """The sweep of the scene that is chosen."""
        sweeps = self._session.scene.sweep
        return sweeps[self.chosen] if 0 <= self.chosen < len(sweeps) else None

    def _on_scene_changed(self, document: Document) -> None:
        """Follow the scene; start it where a cell was chosen."""
        if not self._session.diff.is_edit:
            self.chosen = 0 if document.scene.sweep else NEW
            self._prepare()
        else:
            self._preparing.start()
        self.refresh()

    def _prepare(self) -> None:
        """Let the process prepare the chosen sweep, so that its first cells come soon."""
        if self.settings is not None:
            self.maps.prepare(self._session.scene, self.chosen)

    def refresh(self) -> None:
        """Show the sweeps of the scene, the chosen one and the map."""
        scene = self._session.scene
        if not 0 <= self.chosen < len(scene.sweep):
            self.chosen = NEW if not scene.sweep or self.chosen == NEW else len(scene.sweep) - 1
        self._widgets.show_sweeps([sweep.name for sweep in scene.sweep], self.chosen)
        compiled = self._session.compiled
        if compiled is not None:
            self._widgets.form.offer_quantities([name for name in columns(compiled) if name != "time"])
        settings, units, problem = self.settings, {}, ""
        if settings is not None:
            try:
                found = resolve(scene, settings, f"sweep[{self.chosen}]").units
                units = dict(zip([axis.parameter for axis in settings.axes], found, strict=True))
            except InputError as error:
                problem = "\n".join(map(translate_problem, error.problems))
        self._widgets.form.show_sweep(scene, settings, units)
        self._widgets.form.show_problem(problem)
        self._on_maps_changed()

    def _on_maps_changed(self) -> None:
        """Show the state of the map that is shown, and draw it soon."""
        widgets, run = self._widgets, self.maps.run
        self._update_buttons()
        if run is None:
            self._shown_range = None
            widgets.show_picture(False, self._hint())
            for widget in (widgets.slice, widgets.slice_label, widgets.probable):
                widget.hide()
            return
        if self._shown_range is not run:
            self._show_axes()
        widgets.show_picture(True, "")
        wait = max(0.0, self._drawn_at + min(max(self._cost / SHARE, SHORTEST), LONGEST) - perf_counter())
        if not self._redraw.isActive():
            self._redraw.start(int(1000 * wait))

    def _hint(self) -> str:
        """Text in place of a map."""
        if self.settings is None:
            return self.tr("Drag one or two fields of the inspector onto the axes above, or choose them there.")
        return self.tr("'Compute' runs the scene once for each cell.")

    def _update_buttons(self) -> None:
        """Buttons, progress and notices."""
        widgets, run, history = self._widgets, self.maps.run, self.maps.history
        is_current = run is not None and not self._notice()
        widgets.run.setText(button_text(run if is_current else None))
        widgets.run.setEnabled(self.settings is not None or is_current)
        widgets.cancel.setVisible(run is not None)
        earlier, later = self.maps.can_go
        widgets.tools["earlier"].setEnabled(earlier)
        widgets.tools["later"].setEnabled(later)
        widgets.tools["whole"].setEnabled(run is not None)
        widgets.tools["more"].setEnabled(run is not None and run.has_begun and history is not None)
        widgets.progress.setVisible(run is not None and run.stage != "finished")
        widgets.progress.setValue(round(1000 * run.map.done) if run is not None else 0)
        widgets.state.setText(progress_text(run, self.maps.compiling) if run is not None else "")
        widgets.show_text(widgets.notice, self._notice() if run is not None else "")
        error = run.error if run is not None else None
        problem = "\n".join(map(translate_problem, error.problems)) if error is not None else ""
        widgets.show_text(widgets.error, problem or (unsettled_reason(run) if run is not None else ""))
        widgets.offer_longer(longer_time(run) if run is not None and is_current else None)

    def _notice(self) -> str:
        """Why the shown map is outdated; "" if it is current."""
        history = self.maps.history
        if history is None:
            return ""
        if self._document != self._session.newest.number or not is_of_scene(history.whole, self._session.scene):
            return self.tr("This map was computed for another scene.")
        if history.whole.settings != self.settings:
            return self.tr("This map was computed with other settings.")
        return ""

    def _show_axes(self) -> None:
        """Let the view have the axes and the range of the map that is shown."""
        widgets, run = self._widgets, self.maps.run
        assert run is not None
        self._shown_range = run
        shape = run.map.shape
        with QSignalBlocker(widgets.slice):
            widgets.slice.setRange(0, max(shape[2] - 1, 0) if len(shape) == 3 else 0)
        for widget in (widgets.slice, widgets.slice_label):
            widget.setVisible(len(shape) == 3 and not self.display.is_probable(run))
        widgets.probable.setVisible(has_probabilities(run.map))
        widgets.view.set_axes(axes_of(run.map), self.display.titles(run))
        widgets.view.set_range(visible_extent(run))
        widgets.view.mark(None)
        self.live_path.follow(run)
        self.draw_path()
        lines = len(run.settings.axes) + 1  # the height does not change under the pointer
        widgets.hover.setFixedHeight(lines * widgets.hover.fontMetrics().lineSpacing() + 2)

    def _draw(self) -> None:
        """Draw the map as far as it is computed, with its legend."""
        history, widgets = self.maps.history, self._widgets
        if history is None or not widgets.isVisible():
            return
        begin, run = thread_time(), history.current
        self.display.draw(history, widgets.slice.value())
        outcome = run.settings.outcome
        is_picture = len(run.map.shape) > 1 and outcome.kind != "attractor"
        scale = (*self.display.span, value_title(outcome)) if is_picture else None
        widgets.legend.show_entries(entries(run, self.display.labels, self.display.is_probable(run)), scale)
        if len(run.map.shape) == 3:
            value = run.map.axis_values[2][widgets.slice.value()]
            title = parameter_name(run.scene, run.settings.axes[2].parameter)
            widgets.slice_label.setText(f"{title} = {value:.4g} {run.map.units[2]}")
        self._show_hovered()
        self._drawn_at, self._cost = perf_counter(), thread_time() - begin

    def _show_probabilities(self, on: bool) -> None:
        """Show probabilities over the draws, or single draws."""
        self.display.wants_probabilities = on
        if self.maps.run is not None:
            self._show_axes()
            self._draw()

    # Settings

    def _choose(self, number: int) -> None:
        """Show another sweep of the scene, or the form for a new one."""
        self.chosen = number
        self.maps.look_at((self._session.newest.number, number))
        self._document = self._session.newest.number
        self.refresh()
        self._prepare()

    def _edit(self, settings: SweepSettings) -> None:
        """Change the chosen sweep of the scene, as an edit."""
        try:
            scene = with_sweep(self._session.scene, self.chosen, settings)
        except InputError as error:
            self.refresh()
            self._widgets.form.show_problem("\n".join(map(translate_problem, error.problems)))
            return
        self._session.edit(scene)
        self.refresh()

    def _create(self, parameter: str) -> None:
        """Add a sweep over a number to the scene, as an edit."""
        scene = self._session.scene
        try:
            settings = new_sweep(scene, parameter, self._widgets.form.outcome.names)
            changed = with_sweep(scene, len(scene.sweep), settings)
        except InputError as error:
            self._widgets.form.show_problem("\n".join(map(translate_problem, error.problems)))
            return
        self.chosen = len(scene.sweep)
        self._session.edit(changed)
        self.refresh()
        self._prepare()

    def _open_chooser(self, number: int) -> None:
        """Open the list of all numbers that axis `number` can vary."""
        scene = self._session.scene
        title, accept = self.tr("Vary a number of the scene"), self.tr("Vary")
        dialog = ParameterChooser(scene, axis_parameters(scene), title, accept, self._widgets)
        dialog.chosen.connect(lambda parameter: self._widgets.form.vary(parameter, number))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    # Computing

    def _on_run(self) -> None:
        """Compute, pause or continue."""
        run = self.maps.run
        if run is not None and not self._notice():
            if run.stage in ("waiting", "running"):
                self.maps.pause()
                return
            if run.stage in ("paused", "refused"):
                self.maps.go_on()
                return
        if self.settings is not None:
            self._widgets.make_space()
            self.compute()

    def compute(self) -> None:
        """Compute the map of the chosen sweep again."""
        settings = self.settings
        assert settings is not None
        self.maps.shares = self._session.running
        self._document = self._session.newest.number
        try:
            self.maps.begin((self._document, self.chosen), self._session.scene, settings)
        except InputError as error:
            self._widgets.form.show_problem("\n".join(map(translate_problem, error.problems)))

    def show_stored(self, stored: StoredMap, path: Path | None) -> None:
        """Show a map from a file, whose scene is being opened."""
        self._document, self.chosen = self._session.newest.number, stored.number
        self.maps.open((self._document, stored.number), stored, path)
        self.refresh()

    def _on_range_chosen(self, extent: Extent) -> None:
        """Compute the visible range again."""
        run = self.maps.run
        if run is None or not run.has_begun:
            return
        self.maps.shares = self._session.running
        try:
            self.maps.zoom(ranges_within(run, extent))
        except InputError as error:
            self._widgets.show_text(self._widgets.error, "\n".join(map(translate_problem, error.problems)))

    def _show_whole(self) -> None:
        """Look at the whole map."""
        if self.maps.history is not None and self.maps.history.at:
            self.maps.go(-self.maps.history.at)
        elif self.maps.run is not None:
            self._widgets.view.set_range(visible_extent(self.maps.run))

    # Cells

    def _on_cell_hovered(self, seen: int) -> None:
        self._hovered = seen
        self._show_hovered()

    def _on_cell_reached(self, seen: int) -> None:
        """Mark the cell that the keyboard has reached, and announce it to screen readers."""
        if self.maps.run is not None:
            self._on_cell_hovered(seen)
            self._mark(self.display.cell(seen, self._widgets.slice.value()))
            announce(self._widgets.view, self._widgets.hover.text())

    def _show_hovered(self) -> None:
        """Show values, outcome and status of the cell under the pointer."""
        run = self.maps.run
        if run is None or self._hovered < 0 or self._hovered >= run.map.status.size:
            self._widgets.hover.setText(
                self.tr("Click a cell to run the scene from it; the wheel zooms and computes the visible range.")
            )
            return
        if self.display.labels.size == run.map.status.size:
            cell = self.display.cell(self._hovered, self._widgets.slice.value())
            self._widgets.hover.setText("\n".join(self.display.describe(cell)))

    def _on_cell_clicked(self, seen: int) -> None:
        if self.maps.run is not None:
            self.go_to(self.display.cell(seen, self._widgets.slice.value()))

    def go_to(self, cell: int) -> None:
        """Restart the scene with the values of a cell, by one edit. A map of another scene opens that scene."""
        run = self.maps.run
        assert run is not None
        is_other = self._document != self._session.newest.number
        try:
            is_drawn = len(run.map.shape) < 3 or not self.display.is_probable(run)
            scene = scene_of_cell(run, cell, run.scene if is_other else self._session.scene, is_drawn)
        except InputError as error:
            self._widgets.show_text(self._widgets.error, "\n".join(map(translate_problem, error.problems)))
            return
        self._widgets.show_text(self._widgets.error, "")
        if is_other:
            self._session.open_scene(scene)
            self._document = self._session.newest.number
        elif scene == self._session.scene:
            self._session.reset()
        else:
            self._session.edit(scene, restart=True)
        self._session.play(True)
        self._mark(cell)

    def _mark(self, cell: int) -> None:
        """Mark a cell in the picture."""
        run = self.maps.run
        if run is not None and len(run.map.shape) > 1:
            self._widgets.view.mark(self.display.position(cell))

    # The running scene

    def take_frames(self, passed: Sequence[FrameData]) -> None:
        """Follow the running scene."""
        if self._document == self._session.document.number:
            self.live_path.take(passed)

    def draw_path(self) -> None:
        """Draw where the running scene has been on the map."""
        run = self.maps.run
        if run is not None and len(run.map.shape) > 1:
            self._widgets.view.draw_path(*self.live_path.points)
