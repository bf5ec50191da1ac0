"""Controller of the box of other models: reads further runs, and computes the band of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from polhode.data.measured import MeasuredData
from polhode.fitting.result import FitResult
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.data.measured.compared_model import ComparedModel
from polhode_app.data.measured.fit_models import Band, OtherModels, predicted_band
from polhode_app.data.measured.unknown_names import title_of
from polhode_app.docks.measured.data_controller import DataController
from polhode_app.docks.measured.models_box import ModelsBox
from polhode_app.docks.plots.bands import dotted
from polhode_app.edit.open_file import DATA_ENDINGS
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.translation import translate, translate_problem
from polhode_app.jobs import Job
from polhode_app.window.shell.window_context import WindowContext


class ModelsController(QObject):
    """`changed` is emitted when the runs or models are others, which a fit has to take into account."""

    changed = Signal()

    def __init__(self, context: WindowContext, box: ModelsBox, data: DataController):
        super().__init__(box)
        self._context, self._box, self._data = context, box, data
        self._reader, self._predictor = Job("further run"), Job("prediction")
        self.further: list[tuple[Path, MeasuredData]] = []
        self.against: Path | None = None
        self.own: set[str] = set()
        self.without: set[str] = set()
        self._result: FitResult | None = None
        self._predicted: FitResult | None = None  # of which the shown or awaited band is
        self.bands: dict[str, Band] = {}
        self._shown: tuple[object, object] = (None, self.bands)  # plots, and bands that they show
        box.run_wanted.connect(self._ask_run)
        box.run_removed.connect(self.remove_run)
        box.scene_wanted.connect(self._ask_scene)
        box.scene_removed.connect(lambda: self.compare_with(None))
        box.predict.toggled.connect(lambda _on: self._predict())
        box.retranslate()

    def stop(self) -> None:
        """End the threads."""
        self._reader.close()
        self._predictor.close()

    @property
    def is_busy(self) -> bool:
        """Whether a file is read, or a band computed."""
        return self._reader.is_running or self._predictor.is_running

    def models(self, free: Sequence[str]) -> OtherModels:
        """Further runs and other models for a fit of these unknowns."""
        kept = {name: tuple(each for each in free if each in chosen) for name, chosen in self._by_unknown.items()}
        return OtherModels(self._data.path, tuple(self.further), kept["own"], kept["without"], self.against)

    @property
    def _by_unknown(self) -> dict[str, set[str]]:
        return {"own": self.own, "without": self.without}

    def mark(self, kind: str, name: str, on: bool) -> None:
        """Let an unknown have values of its own in each run ("own"), or hold it in another fit ("without")."""
        chosen = self._by_unknown[kind]
        chosen.add(name) if on else chosen.discard(name)
        self.changed.emit()

    # Files

    def _ask_run(self) -> None:
        """Ask for the data of a further run."""
        kinds = self.tr("Measured data ({endings})").format(endings=" ".join(f"*{ending}" for ending in DATA_ENDINGS))
        self._ask(self.tr("Add a run"), kinds, self.add_run)

    def _ask_scene(self) -> None:
        """Ask for the scene of another model."""
        self._ask(
            self.tr("Compare with another scene"),
            self.tr("Scenes ({endings})").format(endings="*.toml"),
            self.compare_with,
        )

    def _ask(self, title: str, kinds: str, take: object) -> None:
        folder = str(self._data.path.parent if self._data.path is not None else Path.cwd())
        name, _ = QFileDialog.getOpenFileName(self._context.window, title, folder, kinds)
        if name:
            take(Path(name))  # type: ignore[operator]

    def add_run(self, path: Path) -> None:
        """Read the data of a further run in the background, as those of the first one are read."""
        reading = self._data.reading_of(path)
        self._box.error.show_text("")
        self._reader.add(lambda check_cancelled: (path, reading.data(check_cancelled.report)))

    def remove_run(self, number: int) -> None:
        """Leave a further run out again."""
        del self.further[number]
        self._changed()

    def compare_with(self, path: Path | None) -> None:
        """Compare fits with the scene of a file; None for none."""
        self.against = path
        self._changed()

    def _changed(self) -> None:
        self.refresh()
        self.changed.emit()

    def refresh(self) -> None:
        """Show the files."""
        self._box.show_runs([(path.name, str(path)) for path, _ in self.further])
        against = self.against
        self._box.show_scene(*(("", "") if against is None else (against.name, str(against))))

    # Results

    def show_result(self, scene: Scene, found: FitResult | None, others: Sequence[ComparedModel]) -> None:
        """Show the comparisons of a result, and predict its readings if that is wanted."""
        self._box.show_comparisons([self._row(scene, each) for each in others], [self._tip(each) for each in others])
        self._box.problems.show_text("\n".join(_problems_text(each) for each in others if each.problems))
        if found is not self._result:
            self._result = found
            self._predict()

    def _row(self, scene: Scene, other: ComparedModel) -> tuple[str, ...]:
        """Texts of a comparison."""
        title, found, test = translate(other.name(partial(title_of, scene))), other.comparison, "–"
        if found is None:
            return title, test, test, test
        if found.is_nested:
            test = self.tr("{f} (p = {p})").format(f=f"{found.f:.4g}", p=f"{found.probability:.2g}")
        better = self.tr("this model") if found.prefers_second else self.tr("the other one")
        return title, test, f"{found.aicc[0] - found.aicc[1]:+.4g}", better

    def _tip(self, other: ComparedModel) -> str:
        """Where both models separate, or why the other one could not be fitted."""
        found = other.comparison
        if found is None:
            return _problems_text(other)
        text = self.tr("They separate most in {quantity} at t = {time} s, by {parts} rms of the residuals.")
        return text.format(quantity=quantity(found.quantity), time=f"{found.time:.4g}", parts=f"{found.separation:.3g}")

    def _predict(self) -> None:
        """Compute the band of the result, or remove it."""
        found = self._result if self._box.predict.isChecked() else None
        if found is self._predicted:
            return
        self._predicted, self.bands = found, {}
        self._predictor.cancel()
        self._box.state.show_text("")
        if found is not None:
            self._predictor.start(lambda check_cancelled: (found, predicted_band(found, check_cancelled)))

    def tick(self) -> None:
        """Take results of the background work, once per frame."""
        read = self._reader.poll()
        if isinstance(read, InputError):
            self._box.error.show_text("\n".join(map(translate_problem, read.problems)))
        elif read is not None:
            self.further = [*self.further, read]
            self._changed()
        made = self._predictor.poll()
        if made is not None and not isinstance(made, InputError) and made[0] is self._predicted:
            self.bands = made[1] or {}
            no_band = self.tr("There is no band: no single run predicts these data.")
            self._box.state.show_text(no_band if made[1] is None else "")
        self._draw()

    def _draw(self) -> None:
        """Pass the bands to the plots, where these or the bands are others."""
        plots = self._context.docks.dock("plots")
        if plots is not None and (self._shown[0] is not plots or self._shown[1] is not self.bands):
            self._shown = plots, self.bands
            plots.time_plot.show_predictions({name: dotted(*band) for name, band in self.bands.items()})


def _problems_text(other: ComparedModel) -> str:
    """The problems of a model that could not be fitted."""
    return "\n".join(map(translate_problem, other.problems))
