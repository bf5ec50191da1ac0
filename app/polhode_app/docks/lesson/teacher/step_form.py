"""Small form of a step that a teacher adds to a recorded lesson."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from polhode.scene.display.lesson import MEASURES, LessonStep
from polhode_app.docks.lesson.steps.number_field import NumberField
from polhode_app.docks.maps.key_button import ChoiceBox, KeyButton
from polhode_app.docks.plots.xy_panel import current_column
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.lesson_texts import measure_name
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.line_edit import CommitLineEdit
from polhode_app.window.widgets.plain_label import PlainLabel

KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "text": (QT_TRANSLATE_NOOP("StepForm", "Text"), ("text",)),
    "number": (QT_TRANSLATE_NOOP("StepForm", "Predict a number"), ("text", "ask", "unit")),
    "choice": (QT_TRANSLATE_NOOP("StepForm", "Predict by a choice"), ("text", "ask", "choices")),
    "curve": (QT_TRANSLATE_NOOP("StepForm", "Predict a curve"), ("text", "ask", "of", "until")),
    "measure": (QT_TRANSLATE_NOOP("StepForm", "Measure"), ("text", "measure", "of")),
    "compare": (QT_TRANSLATE_NOOP("StepForm", "Compare"), ("text",)),
    "explain": (QT_TRANSLATE_NOOP("StepForm", "Explain"), ("text", "ask")),
    "check": (QT_TRANSLATE_NOOP("StepForm", "Check"), ("text", "ask", "unit", "tolerance")),
}
"""Names of kinds of steps, and their fields."""
HEIGHT = 56  # [pixel] of a text of several lines
UNTIL, TOLERANCE = 10.0, 2.0  # [s], [%] that are proposed


class StepForm(QWidget):
    """Kind of a step, and its fields; `added` carries its table."""

    added = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.kind, self.add = ChoiceBox(), KeyButton()
        self.text, self.choices = _Lines(), _Lines()
        self.ask, self.unit = CommitLineEdit(), CommitLineEdit()
        self.of, self.measure = ChoiceBox(), ChoiceBox()
        self.until, self.tolerance = NumberField("", "s"), NumberField("", "%")
        self.until.show_number(UNTIL)
        self.tolerance.show_number(TOLERANCE)
        self.labels = {name: PlainLabel() for name in ("kind", *self._fields)}
        rows: list[Any] = [self.labels["kind"], self.kind]
        for name, field in self._fields.items():
            rows += [self.labels[name], field]
        column_of(*rows, row_of(self.add, 1, margins=0), on=self, margins=0, spacing=3)
        self.kind.currentIndexChanged.connect(lambda _row: self._show_fields())
        self.add.clicked.connect(lambda _checked: self._add())

    @property
    def _fields(self) -> dict[str, QWidget]:
        """Fields by their names."""
        names = ("text", "ask", "unit", "choices", "measure", "of", "until", "tolerance")
        return {name: getattr(self, name) for name in names}

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        chosen = self.kind.currentData() or "text"
        self.kind.clear()
        self.kind.offer((QCoreApplication.translate("StepForm", name), kind) for kind, (name, _) in KINDS.items())
        self.kind.show_choice(chosen)
        measured = self.measure.currentData() or MEASURES[5]
        self.measure.clear()
        self.measure.offer((measure_name(LessonStep(measure=name, of="x")), name) for name in MEASURES)
        self.measure.show_choice(measured)
        texts = {
            "kind": self.tr("Kind of step"),
            "text": self.tr("Text"),
            "ask": self.tr("Question"),
            "unit": self.tr("Unit"),
            "choices": self.tr("Choices, one in each line"),
            "measure": self.tr("What is measured"),
            "of": self.tr("Quantity"),
            "until": self.tr("Until"),
            "tolerance": self.tr("Tolerance"),
        }
        for name, text in texts.items():
            self.labels[name].setText(text)
            (self._fields[name] if name != "kind" else self.kind).setAccessibleName(text)
        self.add.setText(self.tr("Add the step"))
        self._show_fields()

    def offer_columns(self, names: Iterable[str]) -> None:
        """Offer quantities; the chosen one stays."""
        self.of.offer((quantity(name), name) for name in names)
        if self.of.currentIndex() < 0:
            self.of.setCurrentIndex(0)

    def _show_fields(self) -> None:
        """Show the fields of the chosen kind."""
        shown = KINDS.get(self.kind.currentData() or "text", ("", ()))[1]
        for name, field in self._fields.items():
            field.setVisible(name in shown)
            self.labels[name].setVisible(name in shown)

    def _add(self) -> None:
        for field in (self.until, self.tolerance):
            field.commit()
        self.added.emit(self.table)

    @property
    def table(self) -> dict[str, Any]:
        """The step as the scene file has it."""
        kind = self.kind.currentData()
        shown = KINDS[kind][1]
        table: dict[str, Any] = {"text": self.text.toPlainText().strip()}
        if "ask" in shown:
            table["explain" if kind == "explain" else "ask"] = self.ask.text().strip()
        if "unit" in shown:
            table["unit"] = self.unit.text().strip()
        if "of" in shown:
            table["of"] = current_column(self.of)
        if kind in ("number", "choice", "curve"):
            table["predict"] = kind
        if kind == "choice":
            table["choices"] = tuple(line.strip() for line in self.choices.toPlainText().splitlines() if line.strip())
        if kind == "curve":
            table["until"] = self.until.number
        if kind == "measure":
            table["measure"] = self.measure.currentData()
        if kind == "compare":
            table["compare"] = True
        if kind == "check":
            table["check"] = {"tolerance": (self.tolerance.number or 0.0) / 100.0}
        return {key: value for key, value in table.items() if value != ""} if kind != "explain" else table

    def clear(self) -> None:
        """Empty the fields of texts."""
        for field in (self.text, self.choices):
            field.setPlainText("")
        for line in (self.ask, self.unit):
            line.set_committed_text("")


class _Lines(QPlainTextEdit):
    """A text of several lines, which Tab leaves."""

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFixedHeight(scaled(HEIGHT))
