"""Form of a sweep: axes, outcome, duration and check of the runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QLabel, QWidget

from polhode.scene.fields import forms
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.variants.outcome import Outcome
from polhode.scene.variants.sweep import MOST_AXES, Axis, SweepSettings
from polhode_app.docks.inspector.field_drag import FieldTarget
from polhode_app.docks.maps.axis_row import AxisRow
from polhode_app.docks.maps.key_button import ChoiceBox
from polhode_app.docks.maps.outcome_form import LABEL_WIDTH, OutcomeForm
from polhode_app.edit.sweeps import with_axis, without_axis
from polhode_app.i18n.field_names import choice, label, tip
from polhode_app.i18n.translation import translate_problem
from polhode_app.window.widgets.layouts import column_of, grid_of
from polhode_app.window.widgets.line_edit import CommitLineEdit
from polhode_app.window.widgets.plain_label import NoteLabel
from polhode_app.window.widgets.spin_box import SpinBox

LONGEST = 1e9  # [s]


class SweepForm(FieldTarget):
    """Edits the settings of a sweep.

    `edited` carries other settings. Fields of the inspector can be dropped anywhere on it: on an axis they replace what
    that varies. `wanted` carries the path of a number for a sweep that is not there yet, `chooser_wanted` the index of
    the axis for which the list of all numbers is to be opened. `build` must be called before the form is used.
    """

    edited = Signal(object)  # SweepSettings
    wanted = Signal(str)
    chooser_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.settings: SweepSettings | None = None
        self.rows: list[AxisRow] = []
        self.outcome = OutcomeForm()

    def build(self) -> Iterator[None]:
        """Make the contents in parts, between which the window can work."""
        for number in range(MOST_AXES):
            self.rows.append(AxisRow(number))
            yield
        yield from self.outcome.build()
        yield
        self.name, self.check = CommitLineEdit(), ChoiceBox()
        self.until = SpinBox(1e-6, LONGEST, "s", decimals=6)
        self.perturbation = SpinBox(1e-12, 1e3, decimals=12)
        self.labels = {name: QLabel() for name in ("name", "until", "check", "perturbation")}
        self.error = NoteLabel(is_error=True)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        """Axes above the outcome, above all else."""
        fields = [(self.labels[name], getattr(self, name)) for name in ("until", "check", "perturbation", "name")]
        grid = grid_of(*fields, margins=0, spacing=(6, 3), stretched=[1])
        grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        column_of(self.error, *self.rows, self.outcome, grid, 1, on=self, margins=(6, 2, 6, 2), spacing=4)

    def _connect(self) -> None:
        """Connect the widgets to edits."""
        for number, row in enumerate(self.rows):
            row.changed.connect(lambda axis, number=number: self._set_axis(number, axis))
            row.chosen.connect(lambda number=number: self.chooser_wanted.emit(number))
            row.removed.connect(lambda number=number: self._edit(without_axis(self._stated, number)))
        self.outcome.changed.connect(self._set_outcome)
        self.check.activated.connect(lambda _row: self._change(check=self.check.currentData()))
        self.until.valueChanged.connect(lambda value: self._change(until=value))
        self.perturbation.valueChanged.connect(lambda value: self._change(perturbation=value))
        self.name.editingFinished.connect(self._set_name)

    # Display

    @property
    def _stated(self) -> SweepSettings:
        assert self.settings is not None
        return self.settings

    def show_sweep(self, scene: Scene, settings: SweepSettings | None, units: Mapping[str, str]) -> None:
        """Show the settings of a sweep of a scene, or that there is none; `units` are by parameter."""
        self._scene, self.settings = scene, settings
        axes = settings.axes if settings is not None else ()
        for number, row in enumerate(self.rows):
            axis = axes[number] if number < len(axes) else None
            row.setVisible(number <= len(axes))
            row.show_axis(scene, axis, units.get(axis.parameter, "") if axis else "", len(axes) > 1)
        is_perturbed = settings is not None and settings.check == "perturbation"
        self.outcome.setVisible(settings is not None)
        for name, text in self.labels.items():
            is_seen = is_perturbed if name == "perturbation" else settings is not None
            text.setVisible(is_seen)
            getattr(self, name).setVisible(is_seen)
        if settings is None:
            return
        self.outcome.show_outcome(scene, settings.outcome)
        self.check.show_choice(settings.check)
        self.until.show_value(settings.until)
        self.perturbation.show_value(settings.perturbation)
        if not self.name.hasFocus():
            self.name.setText(settings.name)

    def offer_quantities(self, names: list[str]) -> None:
        """Set the columns of the table that an outcome can be taken of."""
        self.outcome.offer_quantities(names)

    def show_problem(self, text: str) -> None:
        """Show a problem of an edit; "" for none."""
        self.error.show_text(text)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        known = forms(SweepSettings)
        for name, text in self.labels.items():
            text.setText(label(name))
            for widget in (text, getattr(self, name)):
                widget.setToolTip(tip(known[name], ""))
        self.labels["until"].setText(self.tr("Runs last"))
        self.labels["check"].setText(self.tr("Check"))
        self.check.offer([(choice(value), value) for value in known["check"].choices])
        self.outcome.retranslate()
        for row in self.rows:
            row.retranslate()

    # Edits

    def _edit(self, settings: SweepSettings) -> None:
        self.show_problem("")
        self.edited.emit(settings)

    def _change(self, **changes: object) -> None:
        """Emit the settings with other values of some fields."""
        if self.settings is not None:
            self._edit(self.settings.model_copy(update=changes))

    def _set_name(self) -> None:
        name = self.name.text().strip()
        if self.settings is not None and name and name != self.settings.name:
            self._change(name=name)

    def _set_axis(self, number: int, axis: Axis) -> None:
        """Emit the settings with another axis; axes with draws vary together, so that they get its count."""
        axes = [axis if k == number else each for k, each in enumerate(self._stated.axes)]
        if axis.draws is not None:
            count = {"count": axis.draws.count}
            axes = [
                each.model_copy(update={"draws": each.draws.model_copy(update=count)}) if each.draws else each
                for each in axes
            ]
        self._change(axes=tuple(axes))

    def _set_outcome(self, outcome: Outcome) -> None:
        """Emit the settings with another outcome; only labels can be checked."""
        check = self._stated.check
        is_checked = outcome.kind == "attractor" or check not in ("half_step", "perturbation")
        self._change(outcome=outcome, check=check if is_checked else "auto")

    def vary(self, parameter: str, number: int | None) -> None:
        """Let axis `number`, or one more, vary the number at a path; without a sweep that begins one."""
        if self.settings is None:
            self.wanted.emit(parameter)
            return
        try:
            settings = with_axis(self._scene, self.settings, parameter, number)
        except InputError as error:
            self.show_problem("\n".join(map(translate_problem, error.problems)))
            return
        self._edit(settings)

    # Fields that are dragged here

    def take(self, parameter: str, target: QWidget) -> None:
        """Vary a number by the axis on which it was dropped, or by another one."""
        self.vary(parameter, target.number if isinstance(target, AxisRow) else None)

    def target_at(self, where: QPoint) -> QWidget:
        """The row of the axis at a position, or the form itself."""
        return next((row for row in self.rows if row.isVisible() and row.geometry().contains(where)), self)
