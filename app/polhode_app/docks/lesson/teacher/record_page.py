"""Page of the dock of lessons that records the steps of a new one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QScrollArea, QWidget

from polhode.analysis.columns import columns
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.data.lessons.recorded_lesson import RecordedLesson
from polhode_app.docks.lesson.teacher.step_form import KINDS, StepForm
from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.language import tr
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.i18n.translation import translate_problem
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.layouts import column_of, row_of, scrolled
from polhode_app.window.widgets.line_edit import CommitLineEdit
from polhode_app.window.widgets.plain_label import NoteLabel, PlainLabel

HEIGHT = 110  # [pixel] of the list of steps
SHORTEST = 0.05  # [s] of a run that is recorded


class RecordPage(QWidget):
    """Follows the session: changed fields and runs become steps, the form adds others.

    `ended` carries whether a lesson was added to the scene.
    """

    ended = Signal(bool)

    def __init__(self, context: WindowContext):
        super().__init__()
        self._context, self._session = context, context.session
        self.lesson: RecordedLesson | None = None
        self._document = self._session.newest  # any version of the one that is recorded
        self._was_running = False
        self.hint, self.changed, self.error = PlainLabel(), NoteLabel(), NoteLabel(is_error=True)
        self.title_label, self.title = PlainLabel(), CommitLineEdit()
        self.steps, self.form = QListWidget(), StepForm()
        self.up, self.down, self.remove = KeyButton(), KeyButton(), KeyButton()
        self.save, self.cancel = KeyButton(), KeyButton()
        self._lay_out()
        self.form.added.connect(self._add)
        self.up.clicked.connect(lambda _checked: self._move(-1))
        self.down.clicked.connect(lambda _checked: self._move(1))
        self.remove.clicked.connect(lambda _checked: self._remove())
        self.save.clicked.connect(lambda _checked: self._save())
        self.cancel.clicked.connect(lambda _checked: self._end(False))
        self._session.scene_changed.connect(lambda _document: self._follow())
        self._session.transport_changed.connect(self._on_transport_changed)

    def _lay_out(self) -> None:
        self.hint.setWordWrap(True)
        self.steps.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.steps.setFixedHeight(scaled(HEIGHT))
        self.steps.setWordWrap(True)
        inside = QWidget()
        order = row_of(self.up, self.down, self.remove, 1, margins=0)
        rows = (self.hint, self.title_label, self.title, self.changed, self.steps, order, self.form, self.error, 1)
        column_of(*rows, on=inside, margins=(8, 6, 8, 4), spacing=6)
        self.area = scrolled(inside, QScrollArea())
        buttons = row_of(self.cancel, 1, self.save, margins=(8, 4, 8, 8))
        column_of((self.area, 1), buttons, on=self, margins=0, spacing=4)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.hint.setText(
            self.tr(
                "Change numbers in the window, run the scene and pause it: that becomes a run, with the changed "
                "numbers as its fields. Add the other steps below."
            )
        )
        self.title_label.setText(self.tr("Title of the lesson"))
        self.title.setAccessibleName(self.title_label.text())
        self.steps.setAccessibleName(self.tr("Steps"))
        for button, text in (
            (self.up, self.tr("Move up")),
            (self.down, self.tr("Move down")),
            (self.remove, self.tr("Remove")),
            (self.save, self.tr("Add the lesson to the scene")),
            (self.cancel, self.tr("Cancel")),
        ):
            button.setText(text)
        self.form.retranslate()
        self._show()

    def begin(self) -> None:
        """Begin to record at the present scene."""
        self._document = self._session.newest
        self.lesson = RecordedLesson(self._document.scene)
        self._was_running = self._session.running
        self.title.set_committed_text("")
        self.error.show_text("")
        self._offer_columns()
        self._show()

    def _offer_columns(self) -> None:
        """Offer the plotted quantities first."""
        compiled = self._session.compiled
        known = [name for name in columns(compiled) if name != "time"] if compiled is not None else []
        plots = self._context.docks.dock("plots")
        plotted = [name for name in plots.history.columns if name in known] if plots is not None else []
        self.form.offer_columns(dict.fromkeys([*plotted, *known]))

    def _follow(self) -> None:
        """Take the changed numbers; the recording ends when another scene is opened."""
        if self.lesson is None:
            return
        if not self._session.newest.is_version_of(self._document):
            self._end(False)
            text = self.tr("The recording of the lesson has ended, since another scene was opened.")
            self._context.toast.show_message(text)
            return
        before = self.lesson.scene
        lost = self.lesson.follow(self._session.scene)
        if lost:
            text = self.tr("No longer fields of the lesson, since their items were removed: {names}")
            names = ", ".join(parameter_name(before, path) for path in lost)
            self.error.show_text(text.format(names=names))
        else:
            self.error.show_text("")
        self._offer_columns()
        self._show()

    def _on_transport_changed(self) -> None:
        """Record a run when it is paused."""
        frame, running = self._session.frame, self._session.running
        paused, self._was_running = self._was_running and not running, running
        if not self._session.newest.is_version_of(self._document):
            return
        if self.lesson is not None and paused and frame is not None and frame.snapshot.time > SHORTEST:
            self.lesson.add_run(frame.snapshot.time)
            self._offer_columns()
            self._show()

    def _add(self, table: dict[str, object]) -> None:
        """Add the step of the form."""
        assert self.lesson is not None
        try:
            self.lesson.add(table)
        except InputError as error:
            self.error.show_text("\n".join(map(translate_problem, error.problems)))
            return
        self.error.show_text("")
        self.form.clear()
        self._show()
        self.steps.setCurrentRow(self.steps.count() - 1)

    def _move(self, by: int) -> None:
        row = self.steps.currentRow()
        if self.lesson is not None and row >= 0:
            to = self.lesson.move(row, by)
            self._show()
            self.steps.setCurrentRow(to)

    def _remove(self) -> None:
        row = self.steps.currentRow()
        if self.lesson is not None and row >= 0:
            self.lesson.remove(row)
            self._show()

    def _show(self) -> None:
        """Show steps and changed fields."""
        if self.lesson is None:
            return
        scene, row = self.lesson.scene, self.steps.currentRow()
        names = ", ".join(parameter_name(scene, path) for path in self.lesson.fields)
        self.changed.show_text(self.tr("Changed: {names}").format(names=names) if names else "")
        self.steps.clear()
        for number, table in enumerate(self.lesson.steps, 1):
            self.steps.addItem(f"{number}. {_described(scene, table)}")
        self.steps.setCurrentRow(min(row, self.steps.count() - 1))
        self.save.setEnabled(bool(self.lesson.steps))

    def _save(self) -> None:
        """Add the lesson to the scene by one edit."""
        self._follow()
        if self.lesson is None:
            return
        try:
            scene = self.lesson.finished(self._session.scene, self.title.text())
        except InputError as error:
            self.error.show_text("\n".join(map(translate_problem, error.problems)))
            self.area.ensureWidgetVisible(self.error)
            return
        self.lesson = None
        self._session.edit(scene, restart=True)
        self._end(True)

    def _end(self, is_added: bool) -> None:
        self.lesson = None
        self.ended.emit(is_added)


def _described(scene: Scene, table: dict[str, object]) -> str:
    """A step in one line."""
    kind = next((key for key in ("predict", "run", "measure", "compare", "explain", "check") if key in table), "text")
    if kind == "run":
        fields = ", ".join(parameter_name(scene, path) for path in table["run"])  # type: ignore[attr-defined]
        text = tr("Run of {time} s").format(time=f"{table['until']:g}")
        return f"{text}: {fields}" if fields else text
    key = str(table["predict"]) if kind == "predict" else kind
    words = str(table.get("explain") or table.get("ask") or table.get("text") or "")
    of = quantity(str(table["of"])) if table.get("of") else ""
    return ": ".join(filter(None, (tr(KINDS[key][0]), of, " ".join(words.split())[:80])))
