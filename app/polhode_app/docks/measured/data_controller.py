"""Controller of the tab of the data: reads files, keeps the layer, compares it with the run, and draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog

from polhode.data.headings import unit_instead
from polhode.data.measured import MeasuredData
from polhode.data.times import TimeOptions
from polhode.fitting.checks.angle_origin import doubt_about, shifted_angle
from polhode.fitting.checks.data_checks import wrong_factor
from polhode.fitting.quantities.known import offered, quantity_of
from polhode.scene.message import printable
from polhode.scene.problem import InputError, InvalidValue
from polhode_app.data.measured.fit_run import compare_run
from polhode_app.data.measured.measured_layer import MeasuredLayer, RunComparison
from polhode_app.data.measured.reading import Reading
from polhode_app.data.measured.residuals import residual_text
from polhode_app.data.measured.seen_quantities import Directions, directions_of, proposed, seen_quantities
from polhode_app.docks.measured.data_tab import DataTab
from polhode_app.docks.measured.rows.column_row import ColumnRow
from polhode_app.edit.open_file import DATA_ENDINGS
from polhode_app.i18n.field_names import quantity as quantity_title
from polhode_app.i18n.field_names import unit_text
from polhode_app.i18n.translation import translate, translate_problem
from polhode_app.jobs import Job
from polhode_app.viewport.paths.measured_tracks import MeasuredTracks
from polhode_app.window.accessibility.announcements import announce
from polhode_app.window.shell.window_context import WindowContext

SETTLED = 150  # [ms] after the last change, before the run is compared


class DataController(QObject):
    """Connects the tab to the session. Everything but reading and running is done in the GUI thread."""

    layer_changed = Signal()
    source_wanted = Signal()  # a file, or another live source, replaces the shown data
    units_changed = Signal()  # of data that are from no file
    doubts_changed = Signal()

    def __init__(self, context: WindowContext, tab: DataTab):
        super().__init__(tab)
        self._context, self._session, self._tab, self._docks = context, context.session, tab, context.docks
        self.layer: MeasuredLayer | None = None
        self.comparison: RunComparison | None = None
        self.doubts: dict[str, str] = {}  # what the run says against the assignment of a column, by column
        self.name = ""  # of the file, or of the phone's table
        self._shown = Reading()  # that of the shown data
        self._reading = Reading()  # the last one that was begun; it may have been refused
        self._reader, self._runner = Job("measured data"), Job("comparison")
        self._problems: dict[Job, str] = {}  # a successful comparison keeps why a file was refused
        self._tracks: MeasuredTracks | None = None
        self._drawn: RunComparison | None = None
        self._directions: Directions | None = None  # right and up in the view, as they are offered
        self._directions_before: Directions | None = None  # in the frame before
        self._connected = False  # the list of the plots takes columns
        self._settle = QTimer(self, singleShot=True, interval=SETTLED)
        self._settle.timeout.connect(self._compare)
        self._session.scene_changed.connect(lambda _document: self.refresh())
        self._tab.open_wanted.connect(self.ask_file)
        self._tab.table_chosen.connect(self._choose_table)
        self._tab.assigned.connect(self.assign)
        self._tab.calibrated.connect(self._calibrate)
        self._tab.unit_chosen.connect(self._choose_unit)
        self._tab.times.changed.connect(self._set_times)
        self._tab.clock_changed.connect(self._set_clock)
        self._tab.plot_wanted.connect(self.plot)
        self._tab.cancel_wanted.connect(self.cancel_reading)

    def stop(self) -> None:
        """End the threads."""
        self._reader.close()
        self._runner.close()

    @property
    def is_busy(self) -> bool:
        """Whether a file is read, or the run compared."""
        return self._reader.is_running or self._runner.is_running or self._settle.isActive()

    @property
    def path(self) -> Path | None:
        """Of the shown file; None for live data."""
        return self._shown.path

    @property
    def units(self) -> dict[str, str]:
        """Units in place of those of the file, by column."""
        return self._shown.units

    def reading_of(self, path: Path) -> Reading:
        """How a file of a further run is read: as the shown one."""
        return replace(self._shown, path=path)

    def forget_units(self) -> None:
        """Read live data in the units that they state."""
        self._shown = replace(self._shown, units={})

    def ask_file(self) -> None:
        """Ask for a file and open it."""
        kinds = self.tr("Measured data ({endings})").format(endings=" ".join(f"*{ending}" for ending in DATA_ENDINGS))
        folder = str(self.path.parent if self.path is not None else Path.cwd())
        name, _ = QFileDialog.getOpenFileName(self._context.window, self.tr("Open data"), folder, kinds)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Read a file in the background."""
        self.source_wanted.emit()
        self._read(Reading(path))

    def _read(self, reading: Reading) -> None:
        """Read a file as `reading` states; the shown data are kept until that is done."""
        self._reading = reading
        if reading.path is not None:
            self._show_problem(self._reader, "")
            self._reader.start(lambda check_cancelled: reading.data(check_cancelled.report))

    def cancel_reading(self) -> None:
        """Cancel the reading of a file; the previous data are kept."""
        self._reader.cancel()
        self._reading = self._shown
        self._show_times()

    def _set_times(self, times: TimeOptions) -> None:
        """Read the file again, also one that was refused, with its times found otherwise."""
        self._read(replace(self._reading, times=times))

    def _choose_table(self, table: str) -> None:
        self._read(replace(self._shown, table=table, units={}))

    def _choose_unit(self, column: str, unit: str) -> None:
        before = self._reading if self._reader.is_running else self._shown
        changed = replace(before, units=before.units | {column: unit.replace("²", "^2")})
        if changed.path is None:
            self._shown = changed
            self.units_changed.emit()
        else:
            self._read(changed)

    def _refuse(self, error: InputError) -> None:
        """Show why a file can't be read; the shown data are kept."""
        assert self._reading.path is not None
        name = printable(self._reading.path.name)
        labels = self._tab.times.labels_of_arguments()
        problems = [translate_problem(problem.with_arguments(labels)) for problem in error.problems]
        self._show_problem(self._reader, "\n".join(f"{name}: {problem}" for problem in problems))
        self._show_times()

    def _show_problem(self, job: Job, text: str) -> None:
        self._problems[job] = text
        self._tab.show_problem("\n".join(filter(None, self._problems.values())))

    def _on_read(self, data: MeasuredData) -> None:
        """Show the data of a file beside the run."""
        assert self._reading.path is not None
        self._shown = self._reading
        self._lay(data, self._reading.path.name)
        self._show_times()
        text = self.tr("{name} is open; columns: {count}")
        announce(self._context.window, text.format(name=self.name, count=len(data.columns)))

    def take_live(self, data: MeasuredData) -> None:
        """Show received data beside the run."""
        self._reader.cancel()
        self._show_problem(self._reader, "")
        self._shown = self._reading = Reading(units=self.units)
        self._lay(data, data.source)
        self._show_times()

    def adopt(self, path: Path) -> None:
        """Let the live data be those of the file that was written from them."""
        if self.layer is not None and self.path is None:
            self._shown = self._reading = Reading(path, self.units)
            self.layer, self.name = replace(self.layer, data=replace(self.layer.data, source=str(path))), path.name
            self._tab.show_file(self.name, (), [translate(note) for note in self.layer.data.notes])
            self._show_times()
            self._on_layer()

    def _show_times(self) -> None:
        """Show how the times of the file are found that was opened last."""
        data = self.layer.data if self.layer is not None and self._reading is self._shown else None
        names = (data.time_name, *(column.name for column in data.columns)) if data is not None else ()
        self._tab.times.setVisible(self._reading.path is not None)
        self._tab.times.show_options(self._reading.times, [name for name in names if name])

    def _lay(self, data: MeasuredData, name: str) -> None:
        """Show data beside the run; assignments of columns with the same names are kept."""
        before = self.layer
        names = {column.name for column in data.columns}
        if before is not None and before.data.source == data.source:
            kept = {name: each for name, each in before.assignments.items() if name in names}
            self.layer = replace(before, data=data, assignments=kept)
        else:
            self.layer = MeasuredLayer(data, time_offset=max(0.0, -float(data.times[0])))
            for column in sorted(names & self._known().keys()):  # as in tables of runs
                self.layer = self.layer.assigned(column, column)
        self.name = name
        notes = [translate(note) for note in data.notes]
        self._tab.show_file(name, data.tables, notes, self._shown.table or "")
        self._on_layer()

    # The layer

    def _known(self) -> dict[str, str]:
        """Units of the quantities of the scene by name: those that are offered, and those that columns measure."""
        compiled = self._session.compiled
        if compiled is None:
            return {}
        known = offered(compiled)
        if self._directions is not None:
            known = seen_quantities(compiled, self._directions) | known
        for name in self.layer.mapping.values() if self.layer is not None else ():
            if name not in known:
                with suppress(InvalidValue):
                    known = {name: quantity_of(name, compiled).unit} | known
        return known

    def assign(self, column: str, quantity: str) -> None:
        """Let a column measure a quantity; "" for none."""
        if self.layer is not None and any(each.name == column for each in self.layer.data.columns):
            self.assign_all({column: quantity}, [quantity] if quantity else [])

    def assign_all(self, quantities: Mapping[str, str], plotted: Sequence[str]) -> None:
        """Let columns of the layer measure quantities, and plot some of these."""
        if self.layer is None:
            return
        for column, quantity in quantities.items():
            self.layer = self.layer.assigned(column, quantity)
        self._on_layer()
        if plotted:
            self._docks.when_built("plots", lambda plots: plots.plot(plotted))

    def _calibrate(self, column: str, scale: float, offset: float) -> None:
        if self.layer is not None:
            self.layer = self.layer.calibrated(column, scale or 1.0, offset)
            self._on_layer()

    def _set_clock(self, offset: float, scale: float, smoothing: float) -> None:
        if self.layer is not None:
            self.layer = replace(self.layer, time_offset=offset, time_scale=scale, smoothing=smoothing)
            self._on_layer()

    def set_numbers(self, numbers: dict[str, float]) -> None:
        """Take numbers of the data that a fit has found."""
        if self.layer is not None and numbers:
            self.layer = self.layer.with_numbers(numbers)
            self._on_layer()

    def plot(self) -> None:
        """Plot the measured quantities beside the run, and show their times."""
        if self.layer is not None:
            self._docks.open("plots", self._plot)

    def _plot(self, plots: Any) -> None:
        """Plot in the dock of plots."""
        if self.layer is None:
            return
        plots.plot(list(self.layer.mapping.values()))
        span, times = plots.time_plot.span, self.layer.times
        if span is not None and len(times) > 1 and (times[0] < span[0] or times[-1] > span[1]):
            plots.show_times(float(times[0]), float(times[-1]))

    def _on_layer(self) -> None:
        self.refresh()
        self.layer_changed.emit()

    def refresh(self) -> None:
        """Show the layer, and compare it with the run soon."""
        if self.layer is None:
            return
        self._tab.show_layer(self.layer, self._known())
        self._settle.start()
        self._show_states()

    # The run beside the data

    def _compare(self) -> None:
        layer, scene = self.layer, self._session.document.scene
        if layer is not None and self._session.compiled is not None:
            self._runner.start(lambda check_cancelled: compare_run(layer, scene, check_cancelled))

    def tick(self) -> None:
        """Take results of the background work, once per frame."""
        read = self._reader.poll()
        self._tab.show_reading(self._reader.progress or None)
        if isinstance(read, InputError):
            self._refuse(read)
        elif read is not None:
            self._on_read(read)
        made = self._runner.poll()
        if isinstance(made, InputError):
            self._show_problem(self._runner, "\n".join(map(translate_problem, made.problems)))
            self._show_states()
        elif made is not None and made.layer is self.layer:
            self.comparison = made
            self._show_problem(self._runner, "")
            self._show_states()
        self._draw()
        self._follow_camera()

    def _follow_camera(self) -> None:
        """Offer positions as the camera sees them, as soon as it rests."""
        if self.layer is None or self._context.scene_view.stage is None:
            return
        directions = directions_of(self._context.view.plotter.renderer.GetActiveCamera())
        before, self._directions_before = self._directions_before, directions
        if directions == before and directions != self._directions:
            self._directions = directions
            self._tab.show_layer(self.layer, self._known())

    def _show_states(self) -> None:
        """Show the residuals of each column, and offer another unit or quantity where that explains them."""
        made, layer, doubts = self.comparison, self.layer, {}
        known = self._known()
        is_compared = made is not None and made.layer is layer and made.scene is self._session.document.scene
        for name, row in self._tab.rows.items():
            quantity = layer.mapping.get(name, "") if layer is not None else ""
            if not quantity:
                row.show_state("")
                self._propose(row, known)
                continue
            if made is None or not is_compared:
                row.show_state(self.tr("Comparing with the run...") if self.is_busy else "")
                row.suggest_nothing()
                continue
            unit = known.get(quantity, "")
            doubt = self._suggest(row, made, name, unit)
            if doubt:
                doubts[name] = doubt
            text = residual_text(made.residuals(name), unit_text(unit))
            row.show_state(f"{text}\n{doubt}" if doubt else text, bool(doubt))
        if doubts != self.doubts:
            self.doubts = doubts
            self.doubts_changed.emit()

    def _propose(self, row: ColumnRow, known: dict[str, str]) -> None:
        """Offer the quantity that a column without one measures, if its unit leaves no choice."""
        compiled = self._session.compiled
        name = proposed(known, row.column.unit, compiled) if compiled is not None else ""
        if name and self.layer is not None and name not in self.layer.mapping.values():
            row.suggest_quantity(name)
        else:
            row.suggest_nothing()

    def _suggest(self, row: ColumnRow, made: RunComparison, column: str, unit: str) -> str:
        """Offer a correction of an assignment that the run speaks against; why, or "" where it does not."""
        ratio = made.ratio(column)
        if (factor := wrong_factor(ratio)) is not None:
            is_scaled = made.layer.assignments[column].scale != 1.0  # then that is what may be wrong
            stated = made.layer.data.column(column).stated
            row.suggest_unit("" if is_scaled else unit_instead(stated, 1.0 / factor, unit), 1.0 / factor)
            return self.tr("It varies {ratio} times as much as the run: check its unit.").format(ratio=f"{ratio:.3g}")
        compiled, quantity = self._session.compiled, made.layer.mapping[column]
        found = None
        if unit == "rad" and compiled is not None:
            found = shifted_angle(quantity, made.residuals(column), compiled)
        if found is None:
            row.suggest_nothing()
            return ""
        if isinstance(found, str):
            row.suggest_quantity(found)
        else:
            row.suggest_offset(made.layer.assignments[column].offset + found, unit)
        return translate(doubt_about(quantity_title(quantity), found))

    def _draw(self) -> None:
        """Draw the measured track in the view, and the columns in the plots, where that has changed."""
        plots = self._docks.dock("plots")
        if plots is not None and not self._connected:
            plots.list.data_dropped.connect(self.assign)
            self._connected = True
            self.draw_plots()
        made = self.comparison
        if made is self._drawn or made is None:
            return
        self._drawn = made
        self.draw_plots()
        stage = self._context.scene_view.stage
        if stage is not None:
            self._tracks = self._tracks or MeasuredTracks(self._context.view.plotter.renderer)
            was_shown = self._tracks.is_shown
            self._tracks.draw(list(made.tracks().values()), stage.radius)
            if was_shown or self._tracks.is_shown:
                self._context.view.redraw()

    def draw_plots(self) -> None:
        """Pass the measured series to the plots, if they are open."""
        plots = self._docks.dock("plots")
        series = self._drawn.layer.series() if self._drawn is not None else {}
        if plots is not None:
            plots.time_plot.measured = series
            plots.needs_redraw = True
