"""Dock of the path editor: kind and fields of the path of a bead, with a preview of uncommitted changes in the view."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QHideEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from polhode.formulas.parser import FormulaError
from polhode.physics.bodies.derived_bodies import path_at_start
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.compile import build_beads
from polhode.physics.paths.description import Spline
from polhode.physics.paths.path_geometry import PathPose
from polhode.scene.fields import FieldPath
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.simulation.path_pose import pose_of_path
from polhode_app.docks.paths.path_form import PathForm
from polhode_app.docks.paths.point_table import PointTable
from polhode_app.edit.field_numbers import typed_number
from polhode_app.edit.paths import KINDS, bead_of, moved_point, moves, of_kind, with_bead, with_path, with_point_after
from polhode_app.i18n.field_names import choice
from polhode_app.i18n.translation import translate
from polhode_app.interactors.drag_points import PointDragger
from polhode_app.messages import FrameData
from polhode_app.session.session import Session
from polhode_app.viewport.paths.path_polylines import evenly
from polhode_app.viewport.paths.path_preview import PathPreview
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of
from polhode_app.window.widgets.plain_label import PlainLabel
from polhode_app.window.widgets.wheel import ComboBox

WIDTH = 300  # [pixel]
TABLE_STRETCH = 10  # stretch factor of the table, relative to the empty space below
EDIT_INTERVAL = 0.4  # [s] wall time between two edits of a drag
CURVE_POINTS = 400  # points of the drawn curve


class WrappedContent(QWidget):
    """Content of the dock, at least as high as its word-wrapped labels need at the current width.

    QWidget's minimum size assumes labels of one line.
    """

    def minimumSizeHint(self) -> QSize:
        """Minimum size with the height for the current width."""
        least = super().minimumSizeHint()
        return least.expandedTo(QSize(0, self.heightForWidth(max(self.width(), least.width()))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the minimum height after a change of the width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class PathDock(Dock):
    """Edits the path of one bead while the simulation runs.

    Text that is being typed and points that are being dragged change `draft`, which is drawn as a translucent curve.
    Return and the end of a drag submit an edit of the scene. Drags submit edits in between, at most one every
    EDIT_INTERVAL; all edits of a drag are undone in one step.
    """

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._session, self._scene_view, self._view = context.session, context.scene_view, context.view
        self._preview, self._dragger = PathPreview(self._view.plotter.renderer), PointDragger(self._view)
        self.draft: Bead | None = None  # bead with uncommitted changes, drawn beside the running one
        self._stroke: object = None  # identity of the current drag, see Session.edit
        self._edited_at = 0.0  # [s] wall time of the last edit
        self._drawn_time: object = None
        self._pose = PathPose(np.eye(3), np.zeros(3))  # of the path when it was drawn
        self.bead, self.kind, self.form, self.points = ComboBox(), ComboBox(), PathForm(), PointTable()
        self.add, self.remove = QPushButton(), QPushButton()
        self.hint, self.error_label = QLabel(), PlainLabel()
        self._lay_out()
        self._connect()
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language; uncommitted text is lost."""
        self.setWindowTitle(self.tr("Path of a bead"))
        self.add.setText(self.tr("Add point"))
        self.remove.setText(self.tr("Remove point"))
        for row, kind in enumerate(KINDS):
            self.kind.setItemText(row, choice(kind))
        self.form.retranslate()
        self.refresh()

    def _lay_out(self) -> None:
        """Arrange list of beads, fields, table of points and labels in one column."""
        for kind in KINDS:
            self.kind.addItem("", kind)
        self.error_label.setForegroundRole(QPalette.ColorRole.BrightText)
        for label in (self.hint, self.error_label):
            label.setWordWrap(True)
        focus_by_tab(self.bead, self.kind, self.add, self.remove)
        inside = WrappedContent()
        inside.setMinimumWidth(WIDTH)
        points = (self.points, TABLE_STRETCH), row_of((self.add, 1), (self.remove, 1))
        rows = self.bead, self.kind, self.form, *points, self.error_label, self.hint
        column_of(*rows, 1, on=inside, margins=(8, 6, 8, 8))
        self.setWidget(inside)

    def _connect(self) -> None:
        """Connect the signals of form, table, view and session."""
        self.bead.activated.connect(lambda _row: self.refresh())
        self.kind.activated.connect(lambda row: self._set_kind(KINDS[row]))
        self.form.typed.connect(self._update_draft)
        self.form.entered.connect(self._apply_form)
        self.points.entered.connect(self._on_point_entered)
        self.points.currentCellChanged.connect(lambda *_cell: self._draw())
        self.add.clicked.connect(self._add_point)
        self.remove.clicked.connect(self._remove_point)
        self._dragger.chosen = self.points.select_row
        self._dragger.dragged = self._on_point_dragged
        self._dragger.dropped = self._on_point_dropped
        self._session.scene_changed.connect(lambda _document: self.refresh())
        self._session.selected.connect(self._on_selected)

    # Displayed bead

    @property
    def number(self) -> int | None:
        """Index of the edited bead in `scene.bead`; None if the scene has no beads."""
        names = [bead.name for bead in self._session.scene.bead]
        return names.index(self.bead.currentText()) if self.bead.currentText() in names else None

    def choose(self, name: str) -> None:
        """Edit the bead of this name."""
        self.refresh()
        self.bead.setCurrentText(name)
        self.refresh()

    def _on_selected(self, position: FieldPath | None) -> None:
        """Edit the bead that was selected in the session."""
        if position and position[0] == "bead" and self.isVisible():
            self.choose(self._session.scene.bead[int(position[1])].name)

    def refresh(self) -> None:
        """Show the scene of the session; text that is being typed is kept."""
        names, name = [bead.name for bead in self._session.scene.bead], self.bead.currentText()
        if names != [self.bead.itemText(row) for row in range(self.bead.count())]:
            self.bead.clear()
            self.bead.addItems(names)
            self.bead.setCurrentIndex(max(self.bead.findText(name), 0))
        number = self.number
        for widget in (self.bead, self.kind, self.form):
            widget.setVisible(number is not None)
        spline = number is not None and isinstance(self._session.scene.bead[number].path, Spline)
        for widget in (self.points, self.add, self.remove):
            widget.setVisible(spline)
        self.hint.setText(self._hint_text(number, spline))
        if number is None:
            self.draft = None
            self._show_problems([])
        elif not self._dragger.dragging:
            self._show_path(self._session.scene.bead[number])
        self._draw()

    def _show_path(self, bead: Bead) -> None:
        """Show the path of a bead. Without uncommitted text the draft is discarded."""
        self.kind.setCurrentIndex(self.kind.findData(bead.path.kind))
        self.form.fill(bead.path)
        if isinstance(bead.path, Spline):
            self.points.fill(bead.path.points)
        if not self.form.is_other:
            self.draft = None
            self._show_problems([])

    def _hint_text(self, number: int | None, spline: bool) -> str:
        """Sentence on how to edit the path."""
        if number is None:
            return self.tr("No bead is in this scene. Edit > Add makes one.")
        if spline:
            return self.tr("Drag the points in the view, or type their positions. Click another bead to select it.")
        return self.tr("Return applies the typed value, Escape reverts it. Numbers may be formulas, such as 2*pi.")

    def _show_problems(self, problems: list[Problem]) -> None:
        """Show problems below their fields, all others below the table."""
        rest = self.form.show_problems(problems)
        self.error_label.setText("\n".join(translate(problem.advice) for problem in rest))
        self.error_label.setVisible(bool(rest))

    # In the view

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Redraw a moving path. False: the view has redrawn itself."""
        number, frame = self.number, self._session.frame
        if not self.isVisible() or number is None or frame is None:
            return False
        bead = self.draft or self._session.scene.bead[number]
        if moves(bead) and frame.snapshot.time != self._drawn_time:
            self._draw()
        return False  # _draw has requested the redraw

    def _draw(self) -> None:
        """Draw the curve of the draft and the points of a spline, in the laboratory frame."""
        number, stage = self.number, self._scene_view.stage
        if number is None or stage is None or not self.isVisible():
            self._preview.draw_curve(None, 1.0)
            self._preview.draw_points(np.zeros((0, 3)), None, 1.0)
            self._dragger.points = np.zeros((0, 3))
            self._view.redraw()
            return
        bead = self.draft or self._session.scene.bead[number]
        frame = self._session.frame
        self._drawn_time = frame.snapshot.time if frame is not None else 0.0
        self._pose = pose = _current_pose(bead, self._session)
        line = pose.apply(evenly(bead.path, CURVE_POINTS)[1]) if self.draft is not None else None
        self._preview.draw_curve(line, stage.radius)
        points = pose.apply(np.array(bead.path.points)) if isinstance(bead.path, Spline) else np.zeros((0, 3))
        self._dragger.points = points
        chosen = self.points.selected_row
        chosen = chosen if chosen is not None and chosen < len(points) else None
        self._preview.draw_points(points, chosen, stage.radius)
        self._view.redraw()

    def showEvent(self, event: QShowEvent) -> None:
        """Start without a draft."""
        super().showEvent(event)
        self._discard_draft()

    def hideEvent(self, event: QHideEvent) -> None:
        """Discard the draft and remove the curve from the view."""
        super().hideEvent(event)
        self._discard_draft()

    def _discard_draft(self) -> None:
        """Forget uncommitted changes and show the scene."""
        self.draft = None
        self._on_selected(self._session.selection)
        self.refresh()

    # User actions

    def _update_draft(self) -> None:
        """Make the typed path the draft, or show its problem."""
        number = self.number
        if number is None:
            return
        try:
            draft = bead_of(self._session.scene, number, path=self.form.table())
            self.draft = draft if draft != self._session.scene.bead[number] else None
            self._show_problems([])
        except InputError as error:
            self.draft = None
            self._show_problems(list(error.problems))
        self._draw()

    def _apply_form(self) -> None:
        """Submit the typed path."""
        try:
            table = self.form.table()
        except InputError as error:
            self._show_problems(list(error.problems))
            return
        self.apply_path(table)

    def _set_kind(self, kind: str) -> None:
        """Replace the path by one of another kind."""
        number = self.number
        if number is not None:
            self.apply_path(of_kind(kind, self._session.scene.bead[number].path))

    def apply_path(self, table: dict[str, Any], stroke: object = None) -> None:
        """Submit a path, given as the table of the scene file, and make it the draft.

        Problems are shown in the dock. With a `stroke`, the edit of a drag, nothing is submitted while the session is
        busy or within EDIT_INTERVAL of the last edit; the draft is drawn in any case.
        """
        number = self.number
        if number is None:
            return
        try:
            scene = with_path(self._session.scene, number, table)
            if isinstance(scene.bead[number].path, Spline):
                build_beads(Scene(bead=(scene.bead[number],)))  # raises InputError if the spline turns back on itself
        except InputError as error:
            self._show_problems(list(error.problems))
            return
        self.draft = scene.bead[number]
        self._show_problems([])
        now = time.perf_counter()
        early = stroke is not None and (self._session.is_pending or now - self._edited_at < EDIT_INTERVAL)
        if scene != self._session.scene and not early:
            self._edited_at = now
            self._session.edit(scene, stroke)
        self._draw()

    # Points of a spline

    def _current_spline(self) -> Spline | None:
        """The spline of the draft or of the scene; None if the path is of another kind."""
        number = self.number
        path = (self.draft or self._session.scene.bead[number]).path if number is not None else None
        return path if isinstance(path, Spline) else None

    def _edit_points(self, points: tuple[Any, ...], stroke: object = None) -> None:
        """Submit a spline with other points, each (3,) [m]."""
        spline = self._current_spline()
        if spline is not None:
            self.apply_path({**spline.model_dump(), "points": points}, stroke)

    def _on_point_dragged(self, row: int, position: np.ndarray) -> None:
        """Move a point to a position (3,) [m] in the laboratory frame."""
        number, spline = self.number, self._current_spline()
        if number is None or spline is None or row >= len(spline.points):
            return
        self._stroke = self._stroke or object()
        self._edit_points(moved_point(spline.points, row, self._pose.undo(position)), self._stroke)
        moved = self._current_spline()
        if moved is not None:
            self.points.fill(moved.points)

    def _on_point_dropped(self) -> None:
        """Submit the last position of a drag, which EDIT_INTERVAL may have held back."""
        number, draft = self.number, self.draft
        if number is not None and draft is not None and self._stroke is not None:
            scene = with_bead(self._session.scene, number, draft)
            if scene != self._session.scene:
                self._session.edit(scene, self._stroke)
        self._stroke = None
        if not self._session.is_pending:
            self.refresh()

    def _on_point_entered(self, row: int, column: int, text: str) -> None:
        """Set a coordinate [m] of a point from the text of its cell."""
        spline = self._current_spline()
        if spline is None:
            return
        try:
            position = list(spline.points[row])
            position[column] = typed_number(text, "m")
        except FormulaError as error:
            self._show_problems([error.problem.at(f"points[{row}]")])
            return
        self._edit_points((*spline.points[:row], tuple(position), *spline.points[row + 1 :]))

    def _add_point(self) -> None:
        """Insert a point behind the selected one and select it."""
        spline = self._current_spline()
        if spline is not None:
            row = self.points.selected_row if self.points.selected_row is not None else len(spline.points) - 1
            self._edit_points(with_point_after(spline, row))
            self.points.select_row(row + 1)

    def _remove_point(self) -> None:
        """Remove the selected point."""
        spline, row = self._current_spline(), self.points.selected_row
        if spline is not None and row is not None:
            self._edit_points((*spline.points[:row], *spline.points[row + 1 :]))


def _current_pose(bead: Bead, session: Session) -> PathPose:
    """Current pose of a path; before the first frame that at time 0."""
    frame = session.frame
    if frame is None:
        return path_at_start(bead, session.scene.sensor, session.scene.body)
    return pose_of_path(session.scene, bead.path_motion, frame.snapshot)
