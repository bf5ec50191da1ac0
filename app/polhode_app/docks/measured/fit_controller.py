"""Controller of the tab of the fit: chooses unknowns, checks their identifiability, fits, applies and reports."""

from __future__ import annotations

from math import inf
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from polhode.fitting.fit import PreparedFit
from polhode.fitting.inference.comparison import Comparison
from polhode.fitting.result import FitResult
from polhode.fitting.suggested_measurements import SuggestedMeasurement, is_weak
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.data.measured.compared_model import ComparedModel
from polhode_app.data.measured.fit_run import FitOrder, Progress, fit_order, look, plan_further
from polhode_app.data.measured.fitted_scene import with_fit
from polhode_app.data.measured.report_job import report_fit
from polhode_app.data.measured.unknown_names import title_of
from polhode_app.docks.inspector.parameter_chooser import ParameterChooser
from polhode_app.docks.measured.data_controller import DataController
from polhode_app.docks.measured.fit_tab import FitTab
from polhode_app.docks.measured.fit_texts import determination_text, residual_texts, with_previous
from polhode_app.docks.measured.models_controller import ModelsController
from polhode_app.docks.measured.profile_controller import ProfileController
from polhode_app.docks.measured.unknown_list import UnknownList
from polhode_app.edit.open_file import REPORT_ENDINGS
from polhode_app.i18n.translation import translate_problem
from polhode_app.jobs import Job
from polhode_app.window.shell.window_context import WindowContext

SETTLED = 300  # [ms] after the last change, before the identifiability is checked


class FitController(QObject):
    """Connects the tab to the data and the session; fits run in a thread."""

    def __init__(self, context: WindowContext, tab: FitTab, data: DataController):
        super().__init__(tab)
        self._context, self._session, self._tab, self._data = context, context.session, tab, data
        self.unknowns = UnknownList()
        self.prepared: PreparedFit | InputError | None = None  # identifiability of the shown unknowns
        self.result: FitResult | None = None
        self.others: tuple[ComparedModel, ...] = ()  # with which the result is compared, the fit before among them
        self._fitted: FitOrder | None = None  # of which the result is
        self._applied: Scene | None = None  # with the values of the result
        self._error: InputError | None = None
        self._looker, self._fitter = Job("sensitivities"), Job("fit")
        self._planner = Job("further measurements")
        self.further: tuple[SuggestedMeasurement, ...] | None = None  # for open or poorly determined directions
        self.profiles = ProfileController(tab.profile)
        self._reporter = Job("report")
        self.models = ModelsController(context, tab.models, data)
        self._settle = QTimer(self, singleShot=True, interval=SETTLED)
        self._settle.timeout.connect(self._look)
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        tab = self._tab
        self._session.scene_changed.connect(lambda _document: self._on_layer())
        self._data.layer_changed.connect(self._on_layer)
        self._data.doubts_changed.connect(self.refresh)
        tab.freed.connect(self.free)
        tab.kept.connect(lambda name: self._change(lambda: self.unknowns.keep(name)))
        tab.bounded.connect(lambda name, low, high: self._change(lambda: self.unknowns.bound(name, low, high)))
        for changed in (tab.options_changed, self.models.changed):
            changed.connect(lambda: self._change(lambda: None))
        tab.marked.connect(lambda kind, name, on: self.models.mark(kind, name, on))
        tab.choose.clicked.connect(lambda _checked: self._open_chooser())
        tab.fit.clicked.connect(lambda _checked: self.start())
        tab.cancel.clicked.connect(lambda _checked: self.cancel())
        tab.apply.clicked.connect(lambda _checked: self.apply())
        tab.table.profile_wanted.connect(self.profiles.start)
        tab.report.clicked.connect(lambda _checked: self._ask_report())

    def stop(self) -> None:
        """End the threads."""
        for job in (self._looker, self._planner, self._fitter, self._reporter):
            job.close()
        self.profiles.stop()
        self.models.stop()

    @property
    def is_busy(self) -> bool:
        """Whether anything is computed."""
        jobs = self._looker, self._planner, self._fitter
        return (
            self._settle.isActive()
            or any(job.is_running for job in jobs)
            or self.profiles.is_busy
            or self.models.is_busy
        )

    # Unknowns

    def free(self, name: str) -> None:
        """Let a number be unknown."""
        self._change(lambda: self.unknowns.free(name))

    def _change(self, change: object) -> None:
        """Change unknowns or options, and check their identifiability."""
        change()  # type: ignore[operator]
        self.prepared = self._error = self.further = None
        self._planner.cancel()
        self._settle.start()
        self.refresh()

    def _on_layer(self) -> None:
        if self._data.layer is not None:
            self.unknowns.keep_known(self._session.document.scene, self._data.layer)
        self._change(lambda: None)

    def _open_chooser(self) -> None:
        """Open the list of all numbers that can be unknown."""
        scene = self._session.document.scene
        numbers = self.unknowns.offered(scene, self._data.layer)
        title, accept = self.tr("Choose an unknown"), self.tr("Choose")
        dialog = ParameterChooser(scene, numbers, title, accept, self._tab, title_of)
        dialog.chosen.connect(self.free)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _order(self) -> FitOrder | None:
        """The fit that is requested; None while input is missing."""
        layer = self._data.layer
        if layer is None or not layer.mapping or not self.unknowns.bounds:
            return None
        bounds = {name: each for name, each in self.unknowns.bounds.items() if each != (-inf, inf)}
        scene, tab = self._session.document.scene, self._tab
        free = tuple(self.unknowns.bounds)
        options = tab.loss.currentData(), tab.hold_out.value() / 100, round(tab.segments.value())
        return FitOrder(scene, layer, free, bounds, *options, self.models.models(free))

    # Computing

    def _look(self) -> None:
        """Check the identifiability of the unknowns."""
        order = self._order()
        if order is not None and not self._fitter.is_running:
            self._looker.start(lambda check_cancelled: look(order, check_cancelled))
        self.refresh()

    def start(self) -> None:
        """Fit in the background."""
        order = self._order()
        if order is None:
            return
        self._looker.cancel()
        self._planner.cancel()
        self._error = None
        self._fitter.start(lambda check_cancelled: (order, *fit_order(order, check_cancelled)))
        self.refresh()

    def cancel(self) -> None:
        """Cancel the fit."""
        self._fitter.cancel()
        self._settle.start()
        self.refresh()

    @property
    def is_outdated(self) -> bool:
        """Whether the result that is shown is one of other data, unknowns or options, or of another scene."""
        now = self._order()
        if self.result is None or self._fitted is None:
            return False
        return now is None or not now.asks_the_same(self._fitted, self._applied)

    def tick(self) -> None:
        """Take results of the background work, once per frame."""
        looked = self._looker.poll()
        if looked is not None:
            self.prepared = prepared = looked[1] if not isinstance(looked, InputError) else looked
            if isinstance(prepared, PreparedFit) and is_weak(prepared):
                self._planner.start(lambda check_cancelled: plan_further(prepared, check_cancelled))
            self.refresh()
        planned = self._planner.poll()
        if planned is not None and not isinstance(planned, InputError) and planned[0] is self.prepared:
            self.further = planned[1]
            self.refresh()
        self.profiles.tick()
        found = self._fitter.poll()
        if isinstance(found, InputError):
            self._error = found
            self.refresh()
        elif found is not None:
            before, (self._fitted, self.result, others) = self.result, found
            previous = with_previous(before, self.result)
            self.others, self._applied = (*others, *(ComparedModel((), "", each) for each in previous)), None
            self.refresh()
        elif self._fitter.is_running:
            self._show_progress()
        self.models.tick()
        self._take_report()

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Comparisons of the result with other models, the fit before among them."""
        return tuple(each.comparison for each in self.others if each.comparison is not None)

    # Display

    def refresh(self) -> None:
        """Show unknowns, their identifiability, and the result."""
        tab, scene, layer = self._tab, self._session.document.scene, self._data.layer
        tab.show_unknowns(scene, self.unknowns.shown(scene, layer))
        problems = self._error.problems if self._error is not None else ()
        found, is_complete = self.result, self._order() is not None
        tab.determination.show_text(
            determination_text(scene, is_complete, layer, self.unknowns, self.prepared, self.further)
        )
        doubts = [f"{column}: {doubt}" for column, doubt in self._data.doubts.items()]
        tab.error.show_text("\n".join([*map(translate_problem, problems), *doubts]))
        tab.show_marks(self.models.own, self.models.without, bool(self.models.further))
        self.models.show_result(scene, found, self.others)
        previous = [
            each.comparison
            for each in self.others
            if each.comparison is not None and not each.without and not each.scene
        ]
        tab.tests.show_text(residual_texts(found, previous) if found is not None else "")
        names = [each.unknown.name for each in found.estimates] if found is not None else []
        titles = [title_of(scene, name) for name in names]
        tab.table.fill(found, titles)
        self.profiles.show_result(found, titles)
        is_open = isinstance(self.prepared, PreparedFit) and not self.prepared.determination.problems
        tab.fit.setEnabled(self._order() is not None and is_open and not self._fitter.is_running)
        if not self._fitter.is_running and tab.cancel.hasFocus():
            tab.cancel.clearFocus()  # else Qt gives it to a button that the next press would meet
        tab.cancel.setEnabled(self._fitter.is_running)
        is_outdated = self.is_outdated
        for widget in (tab.apply, tab.report, tab.ghost):
            widget.setVisible(found is not None)
        for widget in (tab.apply, tab.report, tab.ghost, tab.table, tab.models.table, tab.profile):
            widget.setEnabled(not is_outdated)
        text = self.tr("Outdated: this is the result for other data, unknowns or numbers of the scene. Fit again.")
        tab.outdated.show_text(text if is_outdated else "")
        self._show_progress()

    def _show_progress(self) -> None:
        running, now = self._fitter.is_running, self._fitter.progress or Progress()
        self._tab.progress.setVisible(running)
        text = self.tr("Rows fitted: {rows} of {all}; runs: {runs}")
        text = text.format(rows=now.rows, all=now.all_rows, runs=now.runs) if running else ""
        self._tab.state.show_text(text)

    # Use of a result

    def apply(self) -> None:
        """Set the estimated values in the scene, by one edit, and restart it."""
        found = self.result
        if found is None:
            return
        try:
            scene = with_fit(self._session.scene, found.estimates, self._tab.ghost.isChecked())
        except InputError as error:
            self._error = error
            self.refresh()
            return
        self._data.set_numbers({each.unknown.name: each.value for each in found.estimates if each.unknown.path is None})
        self._applied = scene
        if scene != self._session.scene:
            self._session.edit(scene, restart=True)
            self._session.play(True)
        self.refresh()

    def _ask_report(self) -> None:
        """Ask for a file, and write the report in the background."""
        kinds = self.tr("Reports ({endings})").format(endings=" ".join(f"*{ending}" for ending in REPORT_ENDINGS))
        folder = self._data.path.with_suffix(".html") if self._data.path is not None else Path.cwd()
        name, _ = QFileDialog.getSaveFileName(self._context.window, self.tr("Report"), str(folder), kinds)
        if name:
            self.write_report(Path(name))

    def write_report(self, path: Path) -> None:
        """Write the report in the background; a name without an ending of a report gets that of HTML."""
        found, data = self.result, self._data.name
        if found is None or not data:
            return
        path = path if path.suffix.lower() in REPORT_ENDINGS else path.with_name(path.name + ".html")
        scene = self._session.document.path
        source = scene.name if scene is not None else self._session.scene.title
        curves, others = self.profiles.curves, self.others
        self._reporter.add(lambda _check: (path, report_fit(found, source, data, path, curves, others)))

    def _take_report(self) -> None:
        """Report the written file or its failure."""
        done = self._reporter.poll()
        if done is None or isinstance(done, InputError):
            return
        path, failure = done
        if isinstance(failure, OSError):
            self._context.toast.show_not_written(path, failure)
        else:
            self._context.toast.show_file_saved(self.tr("Report saved: {path}"), path)
