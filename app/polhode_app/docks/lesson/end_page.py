"""Last page of a lesson: the file that is handed in."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from polhode_app.docks.lesson.lesson_player import LessonPlayer
from polhode_app.docks.maps.key_button import KeyButton, KeyCheckBox
from polhode_app.i18n.lesson_texts import lesson_text
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import NoteLabel, PlainLabel


class EndPage(QWidget):
    """`save_wanted` carries whether the name is left out."""

    save_wanted = Signal(bool)
    left = Signal()
    returned = Signal()

    def __init__(self, player: LessonPlayer):
        super().__init__()
        self._player = player
        self.title, self.text, self.note = PlainLabel(), PlainLabel(), NoteLabel()
        self.anonymous = KeyCheckBox()
        self.save, self.back, self.leave = KeyButton(), KeyButton(), KeyButton()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        for label in (self.title, self.text):
            label.setWordWrap(True)
        saving = row_of(self.save, 1, margins=0)
        buttons = row_of(self.back, 1, self.leave, margins=0)
        rows = (self.title, self.text, self.anonymous, saving, self.note, 1, buttons)
        column_of(*rows, on=self, margins=(8, 6, 8, 8), spacing=10)
        self.save.clicked.connect(lambda _checked: self.save_wanted.emit(self.anonymous.isChecked()))
        self.back.clicked.connect(lambda _checked: self.returned.emit())
        self.leave.clicked.connect(lambda _checked: self.left.emit())

    def show_end(self) -> None:
        """Show what can be saved, in the current language."""
        progress = self._player.progress
        if progress is None:
            return
        self.title.setText(lesson_text(progress.lesson.title))
        checks = [k for k, step in enumerate(progress.lesson.step) if step.kind == "check"]
        passed = sum(bool(progress.value_of(k)["passed"]) for k in checks)
        text = self.tr("All steps are done.")
        if checks:
            text += " " + self.tr("Checks passed: {passed} of {count}.").format(passed=passed, count=len(checks))
        text += "\n\n" + self.tr("Save your hand-in, and give the file to your teacher.")
        self.text.setText(text)
        self.anonymous.setText(self.tr("Without my name"))
        self.save.setText(self.tr("&Save hand-in..."))
        self.back.setText(self.tr("&Back"))
        self.leave.setText(self.tr("&Leave the lesson"))
