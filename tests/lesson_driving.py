"""Goes through lessons in a window by real events of mouse and keyboard, as a student does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from gui import LEFT, SOON, START, click
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from polhode.data.headings import factor_of
from polhode.scene.display.lesson import LessonStep
from polhode_app.docks.lesson.lesson_dock import LessonDock
from polhode_app.docks.lesson.steps.check_step import CheckStep
from polhode_app.docks.lesson.steps.curve_prediction import CurvePrediction
from polhode_app.docks.lesson.steps.field_row import FieldRow
from polhode_app.docks.lesson.steps.own_data import OwnData
from polhode_app.docks.lesson.steps.run_step import RunStep
from polhode_app.docks.lesson.steps.simple_steps import ChoicePrediction, Explanation, NumberPrediction
from polhode_app.main_window import MainWindow

TEXT = "Because the amplitude is not small."
RUN = 300_000  # [ms] of a run, which may compile first
Key = Qt.Key


def opened(window: MainWindow, qtbot: QtBot) -> LessonDock:
    """The dock of lessons, opened by its key."""
    window.activateWindow()
    if not window.action_table["lesson"].isChecked():  # a new window opens it again
        qtbot.keyClick(window, Key.Key_L)
    qtbot.waitUntil(lambda: window.docks.dock("lesson") is not None, timeout=SOON)
    dock = window.docks.dock("lesson")
    qtbot.waitUntil(dock.isVisible, timeout=SOON)
    return dock


class LessonDriver:
    """One lesson of the scene of a window; `by_keys` uses the keyboard alone, else the mouse where it can.

    answers: by the numbers of steps, in place of usual ones: of a prediction or a check what is typed, or the number of
    a choice; of a run values [in the unit of the field] by paths; of own data the path of a file
    continues: whether a lesson that was left is continued
    """

    def __init__(
        self,
        window: MainWindow,
        qtbot: QtBot,
        name: str = "Ada",
        lesson: int = 0,
        by_keys: bool = True,
        answers: Mapping[int, Any] | None = None,
        continues: bool = False,
    ):
        self.window, self.qtbot, self.by_keys, self.answers = window, qtbot, by_keys, dict(answers or {})
        self.name, self.lesson, self.continues = name, lesson, continues
        self.dock = opened(window, qtbot)

    @property
    def progress(self) -> Any:
        return self.dock.player.progress

    @property
    def input(self) -> Any:
        return self.dock.step.input

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the widget that has the focus."""
        self.qtbot.keyClick(QApplication.focusWidget() or self.window, key, keys)

    def type(self, text: str) -> None:
        """Type into the widget that has the focus."""
        self.qtbot.keyClicks(QApplication.focusWidget(), text)

    def tab_to(self, widget: QWidget) -> None:
        """Reach a widget by Tab."""
        for _ in range(60):
            if QApplication.focusWidget() is widget:
                return
            self.key(Key.Key_Tab)
        pytest.fail(f"Tab does not reach {widget.accessibleName() or widget}")

    def press(self, button: QWidget) -> None:
        """Press a button, by Space or a click."""
        if self.by_keys:
            self.tab_to(button)
            self.key(Key.Key_Space)
        else:
            self.dock.step.area.ensureWidgetVisible(button)
            click(self.qtbot, button)

    def enter(self, field: QWidget, text: str) -> None:
        """Replace the text of a field, and press Return."""
        if self.by_keys:
            self.tab_to(field)
        else:
            self.dock.step.area.ensureWidgetVisible(field)
            click(self.qtbot, field)
        field.selectAll()
        self.type(text)
        self.key(Key.Key_Return)

    def begin(self) -> None:
        """Choose the lesson, type the name, and begin."""
        start = self.dock.start
        self.qtbot.waitUntil(lambda: self.window.session.frame is not None, timeout=START)
        if start.lessons.count() > 1:
            if self.by_keys:
                self.tab_to(start.lessons)
                self.key(Key.Key_Home)
                for _ in range(self.lesson):
                    self.key(Key.Key_Down)
            else:
                item = start.lessons.item(self.lesson)
                self.qtbot.mouseClick(start.lessons.viewport(), LEFT, pos=start.lessons.visualItemRect(item).center())
            assert start.lessons.currentRow() == self.lesson
        if self.by_keys:
            self.tab_to(start.name)
        else:
            click(self.qtbot, start.name)
        start.name.selectAll()
        self.type(self.name)
        begins_again = start.again.isVisible() and not self.continues
        if self.by_keys and not begins_again:
            self.key(Key.Key_Return)
        else:
            self.press(start.again if begins_again else start.begin)
        self.qtbot.waitUntil(lambda: self.progress is not None, timeout=SOON)

    def go_on(self) -> None:
        """Press the button that shows the next step."""
        before = self.progress.current
        assert self.dock.step.forward.isEnabled()
        self.press(self.dock.step.forward)
        self.qtbot.waitUntil(lambda: self.progress.current != before or self.dock.player.is_at_end, timeout=SOON)

    def do_step(self) -> None:
        """Do what the current step asks for."""
        number, step, shown = self.progress.current, self.progress.step, self.input
        given = self.answers.get(number)
        if isinstance(shown, NumberPrediction):
            self.enter(shown.field, str(given if given is not None else 1.3))
        elif isinstance(shown, ChoicePrediction):
            self._choose(shown, given or 0)
        elif isinstance(shown, CurvePrediction):
            self._draw(shown)
        elif isinstance(shown, RunStep):
            self._run(shown, given or {})
        elif isinstance(shown, OwnData):
            self._open(shown, given)
        elif isinstance(shown, Explanation):
            self._explain(shown, given or TEXT)
        elif isinstance(shown, CheckStep):
            self._check(shown, step, given)
        elif step.kind == "measure":
            self.press(shown.button)
        if step.kind not in ("text", "explain"):
            self.qtbot.waitUntil(lambda: self.progress.is_answered(number), timeout=SOON)

    def _choose(self, shown: ChoicePrediction, number: int) -> None:
        button = shown.choices.buttons[number]
        if not self.by_keys:
            click(self.qtbot, button)
            return
        self.tab_to(shown.choices.first_control())
        for _ in range(number):
            self.key(Key.Key_Down)
        self.key(Key.Key_Space)

    def _draw(self, shown: CurvePrediction) -> None:
        """Draw a curve that falls from the start."""
        plot = shown.plot
        if self.by_keys:
            self.tab_to(plot)
            self.key(Key.Key_Home)
            for _ in range(3):
                self.key(Key.Key_Up)
                self.key(Key.Key_Right)
            self.key(Key.Key_PageDown)
            self.key(Key.Key_Tab)  # a curve is answered when the plot is left
            return
        self.dock.step.area.ensureWidgetVisible(plot)
        view = plot.viewport()
        area = plot._box.mapRectToScene(plot._box.boundingRect()).toRect()
        ends = [QPoint(area.left() + 4, area.top() + 20), QPoint(area.right() - 4, area.bottom() - 20)]
        self.qtbot.mousePress(view, LEFT, pos=ends[0])
        for k in range(1, 6):
            self.qtbot.mouseMove(view, ends[0] + (ends[1] - ends[0]) * (k / 5))
        self.qtbot.mouseRelease(view, LEFT, pos=ends[1])

    def _run(self, shown: RunStep, values: Mapping[str, float]) -> None:
        for path, value in values.items():
            row: FieldRow = shown.rows[path]
            self.enter(row.field, str(value))
        before = len(self.progress.runs)
        self.press(shown.button)
        self.qtbot.waitUntil(lambda: len(self.progress.runs) > before, timeout=RUN)

    def _open(self, shown: OwnData, path: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))  # the dialog of the system
            self.press(shown.button)

    def _explain(self, shown: Explanation, text: str) -> None:
        if self.by_keys:
            self.tab_to(shown.text)
        else:
            click(self.qtbot, shown.text.viewport())
        self.qtbot.keyClicks(shown.text, text)

    def _check(self, shown: CheckStep, step: LessonStep, given: object) -> None:
        if shown.field is not None:
            measured = self.progress.evaluation.measured_before(self.progress.current)
            usual = f"{measured / factor_of(step.unit)[0]:.6g}" if measured is not None else "1"
            self.enter(shown.field, str(given if given is not None else usual))
        self.press(shown.button)

    def go_through(self) -> Any:
        """Begin, do all steps, and return the progress, at the end of the lesson."""
        self.begin()
        while not self.dock.player.is_at_end:
            self.do_step()
            self.go_on()
        return self.progress

    def save(self, path: Path, anonymous: bool = False) -> Path:
        """Save the hand-in at the end of the lesson."""
        end = self.dock.end
        if anonymous:
            self.press(end.anonymous)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))  # the dialog of the system
            self.press(end.save)
        self.qtbot.waitUntil(path.exists, timeout=SOON)
        return path
