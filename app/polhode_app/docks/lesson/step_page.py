"""Page of one step: where the lesson is, the text, the controls of its kind, and the buttons Back and Next."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QProgressBar, QScrollArea, QToolButton, QWidget

from polhode.lessons.progress import Progress
from polhode.lessons.variants import varied_values
from polhode.scene.display.lesson import LONGEST
from polhode.scene.variants.numbers import number_at
from polhode_app.docks.lesson.lesson_player import LessonPlayer
from polhode_app.docks.lesson.steps.check_step import CheckStep
from polhode_app.docks.lesson.steps.comparison import Comparison
from polhode_app.docks.lesson.steps.curve_plot import CurvePlot
from polhode_app.docks.lesson.steps.curve_prediction import CurvePrediction
from polhode_app.docks.lesson.steps.measurement import Measurement
from polhode_app.docks.lesson.steps.own_data import OwnData
from polhode_app.docks.lesson.steps.run_step import RunStep
from polhode_app.docks.lesson.steps.simple_steps import ChoicePrediction, Explanation, NumberPrediction
from polhode_app.docks.lesson.steps.step_input import StepInput, weak
from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.i18n.language import tr
from polhode_app.i18n.lesson_texts import kind_name, lesson_text, varied_name
from polhode_app.viewport.base.slider_text import value_text
from polhode_app.window.accessibility.announcements import announce
from polhode_app.window.accessibility.names import name_controls
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of, scrolled
from polhode_app.window.widgets.plain_label import NoteLabel, PlainLabel

BAR = 4  # [pixel] height of the progress


class StepPage(QWidget):
    """Shows the current step of a player."""

    left = Signal()
    """The user leaves the lesson."""

    def __init__(self, player: LessonPlayer, focus: Callable[[QWidget], None], plot: CurvePlot):
        """`focus` gives a control the keyboard focus; `plot` is that of all steps with curves."""
        super().__init__()
        self._player, self._focus = player, focus
        self.title, self.where, self.text = PlainLabel(), PlainLabel(), PlainLabel()
        self.numbers = NoteLabel()  # of the student's name
        self.bar, self.leave = QProgressBar(), QToolButton()
        self.back, self.forward = KeyButton(), KeyButton()
        self.input: StepInput | None = None
        self.plot = plot
        self._lay_out()
        plot.hide()
        plot.setParent(self.inside)
        self.leave.clicked.connect(self.left)
        self.back.clicked.connect(lambda _checked: self.go(-1))
        self.forward.clicked.connect(lambda _checked: self.go(1))
        player.answered.connect(self._show_answer)
        player.run_changed.connect(self._show_buttons)
        player.refused.connect(self._show_error)
        player.leaving.connect(self.commit)
        player.changed.connect(lambda: self._remove_input() if player.progress is None else None)

    def _lay_out(self) -> None:
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        for label in (self.title, self.text, self.where):
            label.setWordWrap(True)
        weak(self.where)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(BAR)
        focus_by_tab(self.leave)
        self.inside = QWidget()
        self._body = column_of(self.text, 1, on=self.inside, margins=(8, 4, 8, 4), spacing=10)
        self.area = scrolled(self.inside, QScrollArea())
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        head = row_of((self.title, 1), (self.leave, 0, Qt.AlignmentFlag.AlignTop), margins=(8, 6, 4, 0))
        above = column_of(self.where, self.bar, self.numbers, margins=(8, 0, 8, 0), spacing=6)
        buttons = row_of(self.back, 1, self.forward, margins=(8, 4, 8, 8))
        column_of(head, above, (self.area, 1), buttons, on=self, margins=0, spacing=4)

    def show_step(self, takes_focus: bool = True) -> None:
        """Show the current step, with the answer that it has."""
        progress = self._player.progress
        if progress is None:
            return
        number, count, step = progress.current, len(progress.lesson.step), progress.step
        self.leave.setText(self.tr("Leave"))
        self.leave.setToolTip(self.tr("Leave the lesson; it can be continued later"))
        self.back.setText(self.tr("&Back"))
        self.forward.setText(self.tr("&Next") if number + 1 < count else self.tr("&Finish"))
        self.title.setText(lesson_text(progress.lesson.title))
        where = self.tr("Step {number} of {count}: {kind}")
        self.where.setText(where.format(number=number + 1, count=count, kind=kind_name(step)))
        self.bar.setRange(0, count)
        self.bar.setValue(number + 1)
        self.bar.setAccessibleName(self.where.text())
        self.numbers.show_text(numbers_text(progress))
        self.text.setText(lesson_text(step.text))
        self.text.setVisible(bool(step.text))
        self._remove_input()
        self._set_input(self._new_input())
        if step.kind == "compare" and not progress.is_answered(number):
            self._player.answer()
        self._show_answer()
        name_controls(self)
        self.area.verticalScrollBar().setValue(0)
        parts = (self.where.text(), self.numbers.text(), self.text.text())
        announce(self, "\n".join(part for part in parts if part))
        if takes_focus:
            self._focus_first()

    def _new_input(self) -> StepInput | None:
        """The controls of the current step; None for a text."""
        player, progress = self._player, self._player.progress
        assert progress is not None
        match (step := progress.step).kind:
            case "predict" if step.predict == "curve":
                return CurvePrediction(step, player, self.plot)
            case "predict":
                return NumberPrediction(step) if step.predict == "number" else ChoicePrediction(step)
            case "run":
                return RunStep(player)
            case "measure":
                return OwnData(player, self.plot) if step.own_data else Measurement(player, self.plot)
            case "compare":
                return Comparison(player, self.plot)
            case "explain":
                return Explanation(step, LONGEST)
            case "check":
                return CheckStep(player)
        return None

    def _remove_input(self) -> None:
        """Delete the controls of the step before, but for the plot."""
        old, self.input = self.input, None
        if old is not None:
            old.blockSignals(True)  # its controls lose the focus, and another step may be the current one already
        self.plot.hide()
        self.plot.setParent(self.inside)
        if old is not None:
            old.hide()
            self._body.removeWidget(old)
            old.deleteLater()

    def _set_input(self, made: StepInput | None) -> None:
        """Show the controls of a step."""
        self.input = made
        if made is not None:
            self._body.insertWidget(1, made)
            made.answered.connect(self._on_answered)
            made.edited.connect(self._show_buttons)
            made.finished.connect(self._focus_forward)
            made.focus_wanted.connect(self._focus)
            made.show()  # at once, since it gets the focus

    def _show_answer(self) -> None:
        """Show the answer of the current step, if it has one that is valid."""
        progress, shown = self._player.progress, self.input
        if progress is None:
            return
        number = progress.current
        if shown is not None and progress.is_answered(number) and progress.step.kind != "text":
            shown.show_answer(progress.value_of(number))
            QTimer.singleShot(0, shown, self._scroll_to_result)  # once it has its place
        if shown is not None and progress.is_locked(number):
            shown.setEnabled(False)
            shown.show_error(self.tr("Your prediction holds: a run has begun after it."))
        self._show_buttons()

    def _scroll_to_result(self) -> None:
        """Show the result of the step."""
        result = self.input.result_widget() if self.input is not None else None
        if result is not None:
            self.area.ensureWidgetVisible(result)

    def _show_buttons(self) -> None:
        """Enable what is possible now."""
        player = self._player
        if player.progress is None:
            return
        self.back.setEnabled(player.progress.current > 0 and not player.is_running)
        could = self.forward.isEnabled()
        has_news = self.input is not None and self.input.has_news
        self.forward.setEnabled(player.can_go_on or (has_news and not player.is_running))
        if self.forward.isEnabled() and not could and player.progress.step.kind == "run":
            self._focus_forward()

    def _show_error(self, text: str) -> None:
        if self.input is not None:
            self.input.show_error(text)
            announce(self, text)

    def _on_answered(self, value: object) -> None:
        if self._player.progress is None:
            return
        if self.input is not None:
            self.input.show_error("")
        self._player.answer(value)

    def commit(self) -> None:
        """Take what is entered and not answered yet."""
        if self.input is not None and self.input.isEnabled():
            self.input.commit()

    def go(self, step: int) -> None:
        """Show the next step (1) or the one before (-1)."""
        self.commit()
        if step > 0 and self.input is not None and (lack := self.input.lack()):
            self._show_error(lack)
            self._focus_first()
        elif step > 0:
            self._player.forward()
        else:
            self._player.back()

    def _focus_first(self) -> None:
        """Focus the first control of the step, or the button Next."""
        first = self.input.first_control() if self.input is not None else None
        if first is not None and first.isEnabled() and first.isVisible():
            self._focus(first)
        else:
            self._focus_forward()

    def _focus_forward(self) -> None:
        self._focus(self.forward if self.forward.isEnabled() else self.back)


def numbers_text(progress: Progress) -> str:
    """The numbers that depend on the student's name, one in each line; "" without."""
    lines = [tr("Your numbers:")]
    for path, value in varied_values(progress.lesson, progress.variant).items():
        unit = number_at(progress.scene, path, suggests=False)[1]
        name, factor = varied_name(progress.scene, path)
        lines.append(f"{name} = {value_text(value / factor, unit)}")
    return "\n".join(lines) if len(lines) > 1 else ""
