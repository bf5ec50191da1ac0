"""The inspector dock: a form with every field of the selected item, editable while the simulation runs."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from polhode.physics.joints.description import CylindricalJoint, HingeJoint
from polhode.scene.fields import FieldPath, Form, at, form_at, parse_path, with_value
from polhode.scene.fields import kinds as kinds_in
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode_app.docks.inspector.field_order import layout_of
from polhode_app.docks.inspector.form import PartForm
from polhode_app.docks.inspector.hull_notes import HullNotes
from polhode_app.docks.inspector.live_values import LiveValues
from polhode_app.docks.inspector.rows import enter, focus, focused
from polhode_app.docks.inspector.scroll_area import FormScrollArea
from polhode_app.docks.inspector.shown_units import ShownUnits
from polhode_app.edit.fields import entered, made_of, stated_as, switched, with_length, with_mass, with_uncertainty
from polhode_app.edit.joining import joint_end_names, with_zero
from polhode_app.edit.part_defaults import of_another_kind
from polhode_app.edit.parts import plain_name
from polhode_app.edit.several import Change, alike, for_each, with_all
from polhode_app.i18n.field_names import choice, one, scene_title
from polhode_app.i18n.item_names import item_title
from polhode_app.i18n.translation import translate, translate_problem
from polhode_app.window.accessibility.names import name_controls
from polhode_app.window.files.mesh_file import ask_mesh, in_folder
from polhode_app.window.parts.dock import Dock
from polhode_app.window.parts.uncertain_notes import UncertainNotes
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.layouts import column_of
from polhode_app.window.widgets.plain_label import PlainLabel

WIDTH = 360  # [pixel]
LIVE_SHARE, LEAST_ROWS = 0.3, 3  # of the height, for current values at most; but as many rows


class Inspector(Dock):
    """Shows the selected item of the session: header, form, errors and current values.

    It implements `FormOwner`: the form reports user actions, and the inspector turns them into edits of the scene,
    which `Session.edit` validates and compiles. A path leads to a field of the scene, such as ("body", 0,
    "shape", 1, "radius").
    """

    edit_path = Signal()  # the user asks for the path editor

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context, self._session = context, context.session
        self.form: PartForm | None = None
        self._shows_more, self.units = False, ShownUnits(context.settings)
        self._hulls = context.add(HullNotes(context.session, self.refresh))
        self._uncertain = context.add(UncertainNotes(context.session, context.uncertain, self.refresh))
        self._layout: Any = None
        self._problems_of: tuple[FieldPath | None, Scene] | None = None  # selection and scene of those above the form
        self.header, self.error_label, self.live_values = QLabel(), PlainLabel(), LiveValues(self._session)
        self.zero_button = QPushButton()
        self.zero_button.clicked.connect(self._set_zero)
        self._lay_out()
        for changed in (self._session.selected, self._session.scene_changed, self._session.coming_changed):
            changed.connect(lambda _changed: self.refresh())
        context.docks.on_made("tree", lambda tree: tree.tree.itemSelectionChanged.connect(self.refresh))
        self.edit_path.connect(lambda: context.docks.open("path"))
        self.live_values.plot_requested.connect(
            lambda names: context.docks.open("plots", lambda plots: plots.plot(names))
        )
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language. The form is rebuilt and keeps its scroll position."""
        self.setWindowTitle(self.tr("Inspector"))
        self._layout = None
        self.zero_button.setText(self.tr("Set the zero of the angle here"))
        self.zero_button.setToolTip(self.tr("Count the angle from the current position; limits and spring stay there"))
        self.live_values.retranslate()
        self.refresh()

    def set_theme(self) -> None:
        """Build header and form again in the colours of the window."""
        self._layout = None
        self.refresh()

    def _lay_out(self) -> None:
        """Arrange header, error label, form and current values in one column."""
        self.header.setWordWrap(True)
        self.header.setTextFormat(Qt.TextFormat.RichText)
        self.error_label.setWordWrap(True)
        self.error_label.setForegroundRole(QPalette.ColorRole.BrightText)
        self.error_label.hide()
        self.scroll_area = FormScrollArea()
        inside = QWidget()
        self.header.setMinimumWidth(WIDTH - 14)  # a width of the whole would hide that a form needs more
        below = (self.scroll_area, 1), self.live_values, self.zero_button
        column = column_of(self.header, self.error_label, *below, on=inside, margins=(10, 8, 4, 6), spacing=8)
        column.addStrut(WIDTH)  # at least; long names and large letters need more
        self.zero_button.hide()
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        """WIDTH pixels wide when the dock is opened for the first time."""
        return QSize(WIDTH, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave most of a low dock to the form."""
        super().resizeEvent(event)
        least = LEAST_ROWS * self.live_values.fontMetrics().height()
        self.live_values.setMaximumHeight(max(int(LIVE_SHARE * self.height()), least))

    # Data of the form

    @property
    def scene(self) -> Scene:
        """The newest scene of the session, with edits that are still being compiled."""
        return self._session.scene

    @property
    def path(self) -> FieldPath | None:
        """Path of the selected item; None without a selection."""
        return self._session.selection

    def form_at(self, path: FieldPath) -> Form:
        """Kind, unit and limits of the field at a path."""
        return form_at(self.scene, path)

    def scale(self, unit: str) -> float:
        """Typical magnitude of numbers with this unit: the diameter of the drawn scene for [m], else 1."""
        return 2 * self._context.radius if unit == "m" else 1.0

    def spring_end_names(self) -> list[str]:
        """Names that a spring can be attached to: rigid bodies, particles and the first points of soft bodies."""
        scene = self.scene
        softs = [f"{soft.name}.0" for soft in scene.soft]
        return [*(body.name for body in scene.bodies), *(particle.name for particle in scene.particle), *softs]

    def joint_end_names(self, path: FieldPath) -> list[str]:
        """Names that the end `path` of a joint can have: other bodies and spheres, for a gear hinges and sliders."""
        return joint_end_names(self.scene, path)

    def bodies(self) -> list[str]:
        """Names of the items `body`, without spheres and beads."""
        return [body.name for body in self.scene.body]

    def refresh(self, settle: FieldPath | None = None) -> None:
        """Show the selected item with its current values.

        The form is rebuilt only if its rows have changed, such as after another kind of shape. The row at `settle` was
        just edited: it is overwritten even if it has the focus. A hidden inspector waits until it is shown.
        """
        if not self.isVisible() and self.form is not None:
            return  # showEvent updates it
        path = self._session.selection
        try:
            part = at(self.scene, path) if path is not None else None
        except LookupError:
            part = None
        self.setEnabled(True)
        if not isinstance(part, BaseModel) or path is None:
            self._set_form(None)
            self.live_values.show_part(None)
            self.zero_button.hide()
            self.header.setText(self.tr("Select an item in the scene tree or in the view."))
            return
        layout = (path, layout_of(part))
        if self.form is None or layout != self._layout:
            self._layout = layout
            self._set_form(PartForm(self, path, part))
            name_controls(self)
        self.header.setText(self._header_html(path, part))
        assert self.form is not None
        self.form.show_part(settle)
        self.live_values.show_part(path)
        self.zero_button.setVisible(isinstance(part, HingeJoint | CylindricalJoint))
        about = self._problems_of
        is_old = about is None or about[0] != path or about[1] is not self.scene
        if settle is None and is_old and not any(row.problem for row in self.form.rows.values()):
            self._show_other_problems([])

    def showEvent(self, event: Any) -> None:
        """Update the form, which is not kept up to date while the dock is hidden."""
        super().showEvent(event)
        self.refresh()

    def _set_form(self, form: PartForm | None) -> None:
        """Replace the form; the scroll position and the focus are kept if it shows the same item."""
        old, bar = self.form, self.scroll_area.verticalScrollBar()
        is_same = old is not None and form is not None and old.path == form.path
        scrolled = bar.value() if is_same else 0
        spot = focused(old) if old is not None and is_same else None
        self.form = form
        previous = self.scroll_area.takeWidget()
        if previous is not None:  # deleted later: the call may come from one of its own widgets
            previous.deleteLater()
        if form is None:
            self._layout = None
            return
        form.setEnabled(not self._session.lock.is_on)
        form.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        form.setContentsMargins(0, 0, 8, 0)
        self.scroll_area.setWidget(form)
        self.scroll_area.widget().adjustSize()
        bar.setValue(scrolled)
        if spot is not None:
            focus(form, spot)

    def _header_html(self, path: FieldPath, part: BaseModel) -> str:
        """Name of an item as rich text, with its type below. Names of the user are escaped."""
        kind = getattr(part, "kind", "")
        type_name = one(str(path[-2])) if path and isinstance(path[-1], int) else ""
        name = item_title(self.scene, path) if path else (scene_title(self.scene) or self.tr("Unnamed"))
        subtitle = ", ".join(filter(None, [type_name, choice(kind) if kind else ""])) if path else ""
        html = f"<b style='font-size: large'>{escape(name)}</b>"
        weak = self.palette().placeholderText().color().name()
        count = len(self._selected(path)) if path else 1
        several = [self.tr("{count} selected: changes apply to all").format(count=count)] if count > 1 else []
        notes = [*self._hulls.of(path, part), *self._uncertain.of(path)]
        lines = [subtitle, *several, *(escape(translate(note)) for note in notes)]
        return "<br>".join([html, *(f"<span style='color: {weak}'>{line}</span>" for line in lines if line)])

    # Edits, called by the form

    def select(self, path: FieldPath) -> None:
        """Select the item at a path."""
        self._session.select(path)

    def set_value(self, path: FieldPath, value: object, stroke: object) -> None:
        """Set a field.

        Successive edits with the same `stroke` object, such as those of a dragged slider, are undone in one step.
        """
        before = at(self.scene, path)

        def change(scene: Scene, each: FieldPath) -> Scene:
            return entered(scene, each, value if each == path else for_each(before, value, at(scene, each)))

        self._apply_edit(change, stroke, path)
        if path[-1] == "name" and isinstance(value, str):
            self._context.toast.show_name(value, plain_name(value))

    def mass_of(self, path: FieldPath) -> float | None:
        """Mass [kg] of the body at a path; None while the scene is not compiled."""
        compiled, number = self._session.compiled, int(path[1])
        known = compiled is not None and number < len(compiled.scene.body)
        return compiled.properties[number].mass if known else None  # type: ignore[union-attr]

    def set_mass(self, path: FieldPath, mass: float, stroke: object) -> None:
        """Scale the masses of all shapes of a body, so that its whole mass [kg] is another one."""

        def change(scene: Scene, each: FieldPath) -> Scene:
            if not (before := self.mass_of(each)):
                return scene
            body = self._session.compiled.scene.body[int(each[1])]  # type: ignore[union-attr]
            return with_value(scene, each, with_uncertainty(with_mass(body, mass / before), "mass", mass))

        self._apply_edit(change, stroke, path)

    def set_length(self, path: FieldPath, length: float, stroke: object) -> None:
        """Make the pendulum at a path [m] long."""
        change: Change = lambda scene, each: with_value(scene, each, with_length(at(scene, each), length))  # noqa: E731
        self._apply_edit(change, stroke, path)

    def set_material(self, path: FieldPath, key: str) -> None:
        """Make the shape, wall or surface at a path of another material, in one edit."""
        field = "kinetic_friction" if path[0] in ("wall", "surface") else "density"
        self._apply_edit(lambda scene, each: made_of(scene, each[:-1], key), None, (*path, field))

    @property
    def shows_more(self) -> bool:
        """Whether forms show the fields that are rarely used."""
        return self._shows_more

    def show_more(self, on: bool) -> None:
        """Let this form and later ones show the fields that are rarely used."""
        self._shows_more = on

    def set_stated(self, path: FieldPath, on: bool) -> None:
        """State an optional field with a default, which can be typed over at once, or remove it from the scene.

        For a part that needs a file, such as a mesh, a dialog asks for it first.
        """
        form = self.form_at(path)
        file = self._ask_for_file(form.models[:1]) if on and form.kind == "part" else ""
        if file is not None:
            self._apply_edit(lambda scene, each: switched(scene, each, on, self._context.radius), None, path)
        if self.form is not None:
            self.form.show_stated()
            if on:
                enter(self.form, path)

    def _set_zero(self) -> None:
        """Put the zero of the selected joint's angle where the joint is now."""
        path, frame = self.path, self._session.frame
        if path is None or frame is None or path[0] != "joint":
            return
        number, own = int(path[1]), (*path, "angle")
        now = float(frame.snapshot.joints.coordinate[number])
        self._apply_edit(lambda scene, each: with_zero(scene, number, now) if each == own else scene, None, own)

    def set_representation(self, path: FieldPath, representation: str) -> None:
        """State an orientation in another representation of the same rotation; "none" removes the rotation."""
        self._apply_edit(
            lambda scene, each: with_value(scene, each, stated_as(at(scene, each), representation)), None, path
        )

    def set_kind(self, path: FieldPath, kind: str) -> None:
        """Replace a part by one of another kind, such as a sphere by a cylinder of about the same size."""
        if getattr(at(self.scene, path), "kind", None) == kind:
            return
        whole = self.form_at(path[:-1] if isinstance(path[-1], int) else path)
        file = self._ask_for_file((kinds_in(whole)[kind],))
        if file is not None:
            self._apply_edit(
                lambda scene, each: of_another_kind(scene, each, kind, 0.3 * self._context.radius, file), None, path
            )
        self.refresh()

    def _ask_for_file(self, models: tuple[type[BaseModel], ...]) -> str | None:
        """Ask for the file that one of these models requires: "" if none does, None if cancelled."""
        needs_file = any("file" in model.model_fields and model.model_fields["file"].is_required() for model in models)
        if not needs_file:
            return ""
        folder: Path = self.scene.folder
        path = ask_mesh(self, folder)
        return None if path is None else in_folder(path, folder)

    def _selected(self, path: FieldPath) -> list[FieldPath]:
        """Paths of the selected items of the kind of the one at a path, which comes first."""
        tree = self._context.docks.dock("tree")
        return alike(self.scene, path, tree.selected_paths if tree is not None and tree.isVisible() else [])

    def _apply_edit(self, change: Change, stroke: object, path: FieldPath) -> None:
        """Submit a scene with a change of all selected items, or show the problems if it raises InputError."""
        assert self.path is not None
        try:
            scene = with_all(self.scene, self._selected(self.path), path, change)
        except InputError as error:
            self.show_problems(error, path)
            return
        self._session.edit(scene, stroke)
        if self.form is not None and (row := self.form.row_of(path)) is not None:
            row.show_problem(None)
        self._show_other_problems([])
        self.refresh(path)

    def show_problems(self, error: InputError, path: FieldPath = ()) -> bool:
        """Show each problem below its field.

        Problems of fields without a row appear below the edited field at `path`, or else above the form. Returns False
        if the inspector is hidden, so that the caller can show them elsewhere.
        """
        if not self.isVisible() or self.form is None:
            return False
        self._leave_refused_form()
        rest = []
        if (edited := self.form.row_of(path)) is not None:
            edited.show_problem(None)
        for problem in error.problems:
            try:
                row = self.form.row_of(parse_path(problem.place))
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

    def _leave_refused_form(self) -> None:
        """Show the running scene in place of parts and check boxes of an edit that the physics has refused."""
        assert self.form is not None
        try:
            layout = layout_of(at(self.scene, self.form.path))
        except LookupError:
            layout = None
        if self._layout != (self.form.path, layout):
            self.refresh()
        if self.form is not None:
            self.form.show_stated()
            for path, row in self.form.rows.items():
                row.expect(at(self.scene, path))

    def _show_other_problems(self, problems: list[Problem]) -> None:
        """Show problems above the form; an empty list hides the label."""
        self._problems_of = (self._session.selection, self.scene) if problems else None
        self.error_label.setText("\n".join(map(translate_problem, problems)))
        self.error_label.setVisible(bool(problems))
