"""The inspector: every field of the part that is chosen, edited while it runs."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDockWidget, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.edit.fields import entered, stated_as, switched
from app.edit.part_defaults import of_another_kind
from app.edit.parts import title
from app.i18n.field_names import choice, one, scene_title
from app.i18n.translation import translate_problem
from app.panels.inspector.editors import ask_mesh, in_folder
from app.panels.inspector.form import PartForm, layout_of
from app.panels.inspector.live_values import LiveValues
from app.panels.inspector.scroll_area import FormScrollArea
from app.panels.widgets.line_edit import WRONG
from app.panels.widgets.plain_label import PlainLabel
from app.session.session import Session
from core.scene.fields import Form, Place, at, form_at, place_in, with_value
from core.scene.fields import kinds as kinds_in
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene

WIDTH = 340  # [pixel]


class Inspector(QDockWidget):
    """Shows the part that the session has chosen."""

    closed = Signal()  # by its own button
    edit_path = Signal()

    def __init__(self, session: Session, size: Callable[[], float], parent: QWidget):
        super().__init__(parent)
        self.setObjectName("inspector")
        self._session, self._size = session, size
        self.form: PartForm | None = None
        self._layout: Any = None
        self.header, self.error_label, self.live_values = QLabel(), PlainLabel(), LiveValues(session)
        self._lay_out()
        session.selected.connect(lambda _place: self.refresh())
        session.scene_changed.connect(lambda _document: self.refresh())
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language; the form is made again, at the place to which it was scrolled."""
        self.setWindowTitle(self.tr("Inspector"))
        self._layout = None
        self.live_values.retranslate()
        self.refresh()

    def _lay_out(self) -> None:
        self.header.setWordWrap(True)
        self.header.setTextFormat(Qt.TextFormat.RichText)
        self.error_label.setWordWrap(True)
        self.error_label.setStyleSheet(f"color: {WRONG}")
        self.error_label.hide()
        self.scroll_area = FormScrollArea()
        inside = QWidget()
        inside.setMinimumWidth(WIDTH)
        column = QVBoxLayout(inside)
        column.setContentsMargins(10, 8, 4, 6)
        column.setSpacing(8)
        for widget in (self.header, self.error_label):
            column.addWidget(widget)
        column.addWidget(self.scroll_area, 1)
        column.addWidget(self.live_values)
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        """At first."""
        return QSize(WIDTH, super().sizeHint().height())

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)

    # What there is

    @property
    def scene(self) -> Scene:
        return self._session.scene

    @property
    def place(self) -> Place | None:
        """Of the part that is shown."""
        return self._session.selection

    def form_at(self, place: Place) -> Form:
        return form_at(self.scene, place)

    def scale(self, unit: str) -> float:
        """How large numbers of a unit are here, about."""
        return 2 * self._size() if unit == "m" else 1.0

    def spring_end_names(self) -> list[str]:
        """Whatever a spring can hold."""
        scene = self.scene
        softs = [f"{soft.name}.0" for soft in scene.soft]
        bodies = [body.name for body in scene.bodies]
        return [*bodies, *(particle.name for particle in scene.particle), *softs]

    def bodies(self) -> list[str]:
        return [body.name for body in self.scene.body]

    def refresh(self, settle: Place | None = None) -> None:
        """Show the part that is chosen as it is now."""
        if not self.isVisible() and self.form is not None:
            return  # it looks again when it is opened
        place = self._session.selection
        try:
            part = at(self.scene, place) if place is not None else None
        except LookupError:
            part = None
        self.setEnabled(True)
        if not isinstance(part, BaseModel) or place is None:
            self._set_form(None)
            self.live_values.show_part(None)
            self.header.setText(self.tr("Select an item in the scene tree or in the view."))
            return
        layout = (place, layout_of(part))
        if self.form is None or layout != self._layout:
            self._layout = layout
            self._set_form(PartForm(self, place, part))
        self.header.setText(self._header_html(place, part))
        assert self.form is not None
        self.form.show_part(settle)
        self.live_values.show_part(place)
        if settle is None and not any(row.problem for row in self.form.rows.values()):
            self._show_other_problems([])

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self.refresh()

    def _set_form(self, form: PartForm | None) -> None:
        """Another form, at the place to which the old one was scrolled if it shows the same part."""
        old, bar = self.form, self.scroll_area.verticalScrollBar()
        at_ = bar.value() if old is not None and form is not None and old.place == form.place else 0
        self.form = form
        previous = self.scroll_area.takeWidget()
        if previous is not None:  # not at once: it may be one of its own lists that has asked for another form
            previous.deleteLater()
        if form is None:
            self._layout = None
            return
        form.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        form.setContentsMargins(0, 0, 8, 0)
        self.scroll_area.setWidget(form)
        self.scroll_area.widget().adjustSize()
        bar.setValue(at_)

    def _header_html(self, place: Place, part: BaseModel) -> str:
        kind = getattr(part, "kind", "")
        what = one(str(place[-2] if isinstance(place[-1], int) else place[-1])) if place else self.tr("Scene")
        name = title(self.scene, place) if place else (scene_title(self.scene) or self.tr("Unnamed"))
        if place and not getattr(part, "name", ""):
            name, what = what, ""
        below = ", ".join(filter(None, [what, choice(kind) if kind else ""])) if place else ""
        head = f"<b style='font-size: large'>{escape(name)}</b>"
        return f"{head}<br><span style='color: gray'>{below}</span>" if below else head

    # What a person does

    def select(self, place: Place) -> None:
        self._session.select(place)

    def set_value(self, place: Place, value: object, stroke: object) -> None:
        """A field gets another value."""
        self._apply_edit(lambda scene: entered(scene, place, value), stroke, place)

    def set_stated(self, place: Place, on: bool) -> None:
        """An optional field is stated or left open."""
        form = self.form_at(place)
        if on and place[-1] == "body":
            self._apply_edit(lambda scene: with_value(scene, place, (self.bodies() or [""])[0]), None, place)
        else:
            file = self._ask_for_file(form.models[:1]) if on and form.kind == "part" else ""
            if file is not None:
                self._apply_edit(lambda scene: switched(scene, place, on, self._size()), None, place)

    def set_representation(self, place: Place, representation: str) -> None:
        """An orientation is stated in another way."""
        self._apply_edit(
            lambda scene: with_value(scene, place, stated_as(at(scene, place), representation)), None, place
        )

    def set_kind(self, place: Place, kind: str) -> None:
        """A part becomes one of another kind."""
        if getattr(at(self.scene, place), "kind", None) == kind:
            return
        whole = self.form_at(place[:-1] if isinstance(place[-1], int) else place)
        file = self._ask_for_file((kinds_in(whole)[kind],))
        if file is not None:
            self._apply_edit(lambda scene: of_another_kind(scene, place, kind, 0.3 * self._size(), file), None, place)
        self.refresh()

    def _ask_for_file(self, models: tuple[type[BaseModel], ...]) -> str | None:
        """The file that a part of such a model needs; "" where it needs none, None where somebody chose none."""
        needs_file = any("file" in model.model_fields and model.model_fields["file"].is_required() for model in models)
        if not needs_file:
            return ""
        folder: Path = self.scene.folder
        path = ask_mesh(self, folder)
        return None if path is None else in_folder(path, folder)

    def _apply_edit(self, change: Callable[[Scene], Scene], stroke: object, place: Place) -> None:
        try:
            scene = change(self.scene)
        except InputError as error:
            self.show_problems(error, place)
            return
        self._session.edit(scene, stroke)
        if self.form is not None and (row := self.form.row_of(place)) is not None:
            row.show_problem(None)
        self._show_other_problems([])
        self.refresh(place)

    def show_problems(self, error: InputError, place: Place = ()) -> bool:
        """Write what is wrong at its fields, what has none at that of the place which was entered.

        False where there is nobody to read it.
        """
        if not self.isVisible() or self.form is None:
            return False
        rest = []
        if (edited := self.form.row_of(place)) is not None:
            edited.show_problem(None)
        for problem in error.problems:
            try:
                row = self.form.row_of(place_in(problem.place))
            except ValueError:
                row = None
            if row is not None:
                row.show_problem(problem)
            elif edited is not None and edited.problem is None:
                edited.show_problem(problem, translate_problem)
            else:
                rest.append(problem)
        self._show_other_problems(rest)
        return True

    def _show_other_problems(self, problems: list[Problem]) -> None:
        self.error_label.setText("\n".join(map(translate_problem, problems)))
        self.error_label.setVisible(bool(problems))
