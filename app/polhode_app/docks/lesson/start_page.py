"""First page of the dock of lessons: the lessons of the scene, and the name of the student."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QWidget

from polhode.lessons.variants import LONGEST_NAME
from polhode.scene.scene import Scene
from polhode_app.docks.lesson.steps.number_field import RETURN
from polhode_app.docks.maps.key_button import ARROWS, KEYS, KeyButton, claimed
from polhode_app.i18n.lesson_texts import lesson_text
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.line_edit import CommitLineEdit
from polhode_app.window.widgets.plain_label import NoteLabel, PlainLabel

ROWS = 4  # lessons that are seen at once


class LessonList(QListWidget):
    """Titles of lessons; Return begins the chosen one."""

    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)

    def event(self, event: QEvent) -> bool:
        """Claim its keys before shortcuts do."""
        return claimed(event, (*ARROWS, *KEYS)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a lesson by Return."""
        if event.key() in RETURN:
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class _NameField(CommitLineEdit):
    """The name; Return begins the lesson."""

    finished = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move on after Return."""
        if event.key() in RETURN:
            self.finished.emit()
        else:
            super().keyPressEvent(event)


class StartPage(QWidget):
    """`begun` carries the number of a lesson, the name, and whether to continue where it was left."""

    begun = Signal(int, str, bool)
    looked = Signal()
    """Another lesson or name is shown, which may have progress that is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.heading, self.hint, self.about, self.label = (PlainLabel() for _ in range(4))
        self.lessons, self.name, self.error = LessonList(), _NameField(), NoteLabel(is_error=True)
        self.begin, self.again = KeyButton(), KeyButton()
        self.name.setMaxLength(LONGEST_NAME)
        for label in (self.hint, self.about, self.heading):
            label.setWordWrap(True)
        buttons = row_of(self.begin, self.again, 1, margins=0)
        below = (self.about, self.label, self.name, buttons, self.error, 1)
        column_of(self.heading, self.hint, self.lessons, *below, on=self, margins=(8, 6, 8, 8), spacing=8)
        self.lessons.currentRowChanged.connect(lambda _row: self.looked.emit())
        self.lessons.itemDoubleClicked.connect(lambda _item: self._begin(True))
        self.lessons.entered.connect(lambda: self.focus_name())
        self.name.textEdited.connect(lambda _text: self.looked.emit())
        self.name.finished.connect(lambda: self._begin(True))
        self.begin.clicked.connect(lambda _checked: self._begin(True))
        self.again.clicked.connect(lambda _checked: self._begin(False))

    def retranslate(self) -> None:
        """Set the texts that do not depend on the scene."""
        self.heading.setText(self.tr("Lessons of this scene"))
        self.lessons.setAccessibleName(self.heading.text())
        self.label.setText(self.tr("Your name"))
        self.name.setAccessibleName(self.label.text())
        self.hint.setText(
            self.tr(
                "This scene has no lesson. Lesson > Record steps makes one, and the gallery has scenes with lessons."
            )
        )
        self.again.setText(self.tr("Begin again"))
        about = self.tr("The numbers of a lesson may depend on the name. It stays in the file that you hand in.")
        self.about.setText(about)

    def show_scene(self, scene: Scene) -> None:
        """List the lessons of a scene; the chosen one stays chosen."""
        before = max(self.lessons.currentRow(), 0)
        blocked = self.lessons.blockSignals(True)
        self.lessons.clear()
        for lesson in scene.lesson:
            self.lessons.addItem(lesson_text(lesson.title))
        self.lessons.setCurrentRow(min(before, len(scene.lesson) - 1))
        self.lessons.blockSignals(blocked)
        height = sum(self.lessons.sizeHintForRow(row) for row in range(min(len(scene.lesson), ROWS)))
        self.lessons.setFixedHeight(height + 2 * self.lessons.frameWidth() + 4)
        there = bool(scene.lesson)
        self.hint.setVisible(not there)
        for widget in (self.heading, self.lessons, self.about, self.label, self.name, self.begin):
            widget.setVisible(there)
        self.error.show_text("")

    def show_kept(self, is_kept: bool) -> None:
        """Show whether the chosen lesson can be continued for the typed name."""
        self.begin.setText(self.tr("Continue") if is_kept else self.tr("Begin"))
        self.again.setVisible(is_kept)

    def show_name(self, name: str) -> None:
        """Show the remembered name, unless another one is typed."""
        self.name.update_text(name)

    def focus_name(self) -> None:
        """Focus the field of the name."""
        self.name.setFocus(Qt.FocusReason.TabFocusReason)

    def _begin(self, continues: bool) -> None:
        if self.lessons.currentRow() >= 0:
            self.begun.emit(self.lessons.currentRow(), self.name.text(), continues)
