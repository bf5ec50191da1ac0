"""The list of equilibria: search in the background, go to one, preview small oscillations."""

from __future__ import annotations

import time

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QWidget

from polhode.equilibria.at_equilibrium import moments_along, scene_at
from polhode.equilibria.equilibria import Equilibria, Equilibrium
from polhode.equilibria.pose import pose_of_snapshot
from polhode.equilibria.small_oscillations import Mode
from polhode.scene.problem import InputError, message_of
from polhode.scene.scene import Scene
from polhode_app.docks.equilibria.equilibrium_table import EquilibriumTable
from polhode_app.i18n.translation import translate
from polhode_app.interactors.equilibria_search import EquilibriaSearch
from polhode_app.interactors.previews import MotionPreview
from polhode_app.session.session import Session
from polhode_app.viewport.view import SceneView
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of, silent
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.wheel import ComboBox

MOST_STARTS = 10_000
USUAL_STARTS = 64
TIME_LIMIT = 120.0  # [s] wall time after which no further start is tried
AMPLITUDE = 0.2  # [rad], or sizes of the scene, of previewed motions
MOMENTS = 48  # of one period of a preview


class EquilibriaList(QWidget):
    """Equilibria of the session's scene; `found_changed` carries them, or None while they belong to another scene."""

    found_changed = Signal(object)

    def __init__(self, session: Session, scene_view: SceneView):
        super().__init__()
        self._session = session
        self.search = EquilibriaSearch()
        self.preview = MotionPreview(session, scene_view)
        self.found: Equilibria | None = None
        self._fault = ""
        self._scenes: tuple[Scene, ...] = ()  # that the list is valid for: the searched one, and those gone to
        self._asked: Scene | None = None  # that is being searched
        self.starts = SpinBox(1, MOST_STARTS, decimals=0)
        self.find_button, self.bar = QPushButton(), QProgressBar()
        self.caption, self.table, self.mode = QLabel(), EquilibriumTable(), ComboBox()
        self.starts_label, self.preview_button, self.go_button = QLabel(), QPushButton(), QPushButton()
        self._lay_out()
        self.find_button.clicked.connect(self._find_or_cancel)
        self.table.chosen.connect(self.go_to)
        self.table.itemSelectionChanged.connect(self._on_selection_changed)
        self.mode.activated.connect(lambda _row: self._restart_preview())
        self.preview_button.toggled.connect(self._set_preview)
        self.go_button.clicked.connect(lambda: self.go_to(self.table.row))
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.starts_label.setText(self.tr("Starts"))
        self.starts.setToolTip(self.tr("Number of positions, spread over all, from which Newton's method begins"))
        self.starts.setAccessibleName(self.tr("Starts"))
        self.mode.setAccessibleName(self.tr("Mode"))
        self.mode.setToolTip(self.tr("Small motions about the selected equilibrium"))
        self.preview_button.setToolTip(self.tr("Pauses the run and shows this motion, slowed down and exaggerated"))
        self.go_button.setText(self.tr("Go there"))
        self.go_button.setToolTip(self.tr("Moves everything there, at rest. Undo reverts this."))
        self.table.retranslate()
        if self.found is not None:
            row = self.table.row
            self.table.fill(self.found)
            if row is not None:
                self.table.selectRow(row)
        self._update_texts()

    def show_scene(self) -> None:
        """The session shows another scene, or another start of the same one."""
        scene = self._session.document.scene
        if self._asked is not None and scene not in (self._asked, *self._scenes):
            self.search.cancel()
            self._asked = None
        self.end_preview()
        self._update_texts()
        self.found_changed.emit(self.valid)
        self._search_if_seen()

    @property
    def valid(self) -> Equilibria | None:
        """The equilibria, if they are those of the scene that is shown."""
        return self.found if self._session.document.scene in self._scenes else None

    def poll(self) -> None:
        """Take the result of the search, and show its progress."""
        result = self.search.poll()
        if self.search.is_running and result is None:
            self.bar.setValue(round(1000 * (self.search.progress or 0.0)))
            if (so_far := self.search.found()) is not None:
                self._show(so_far)
            return
        if result is None:
            return
        self._fault = translate(message_of(result.problems[0])) if isinstance(result, InputError) else ""
        self._show(None if isinstance(result, InputError) else result)
        self._asked = None
        self._update_texts()

    def _show(self, found: Equilibria | None) -> None:
        """List equilibria. The selected row stays selected; without one the first is selected."""
        before, follow = self._selected(), bool(self.table.row)  # row 0 is selected without the user
        self.found = found
        if self._asked is not None and self._asked not in self._scenes:
            self._scenes = (self._asked,)
        with silent(self.table):
            self.table.fill(found)
            for row, each in enumerate(found.equilibria if found is not None and follow else ()):
                if before is not None and np.array_equal(each.state, before.state):
                    self.table.selectRow(row)
        after = self._selected()
        if before is None or after is None or not np.array_equal(before.state, after.state):
            self._on_selection_changed()
        self._update_texts()
        self.found_changed.emit(self.valid)

    def tick(self, now: float) -> bool:
        """Animate the preview; True if the view has changed."""
        drawn = self.preview.tick(now)
        if self.preview_button.isChecked() and not self.preview.is_active:
            self.preview_button.setChecked(False)
        return drawn

    def find(self) -> None:
        """Search in the scene that is shown."""
        if self._session.compiled is None:
            return
        self.end_preview()
        self._asked, frame = self._session.document.scene, self._session.frame
        self._scenes, self.found = (), None
        self.table.fill(None)
        present = pose_of_snapshot(frame.snapshot) if frame is not None else None
        self.search.search(self._asked, int(self.starts.value()), TIME_LIMIT, present)
        self._update_texts()

    def go_to(self, row: int | None) -> None:
        """Put the scene into an equilibrium, at rest, by one edit that can be undone."""
        found = self.valid
        if found is None or row is None or not 0 <= row < len(found.equilibria):
            return
        self.table.selectRow(row)
        self.end_preview(resume=False)
        scene = scene_at(self._session.document.scene, found, found.equilibria[row])
        self._scenes = (*self._scenes, scene)
        self._session.edit(scene, restart=True)

    def end_preview(self, resume: bool = True) -> None:
        """Show the actual state again."""
        self.preview.end(resume)
        self.preview_button.setChecked(False)

    def stop(self) -> None:
        """End the search."""
        self.search.close()

    def showEvent(self, event: QShowEvent) -> None:
        """Search when the list is first seen with a scene."""
        super().showEvent(event)
        self._search_if_seen()

    def _search_if_seen(self) -> None:
        if self.isVisible() and self.found is None and not self._fault and self._asked is None:
            self.find()

    def _lay_out(self) -> None:
        self.starts.setValue(USUAL_STARTS)
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setMaximumHeight(8)
        self.caption.setWordWrap(True)
        self.preview_button.setCheckable(True)
        focus_by_tab(self.find_button, self.preview_button, self.go_button)
        top = row_of(self.starts_label, self.starts, (self.find_button, 1))
        bottom = row_of((self.mode, 1), self.preview_button, self.go_button)
        column_of(top, self.bar, self.caption, (self.table, 1), bottom, on=self, margins=8)

    def _find_or_cancel(self) -> None:
        if self._asked is None:
            self.find()
            return
        self.search.cancel()
        self._asked = None
        self._update_texts()

    def _update_texts(self) -> None:
        """Caption, buttons and bar as they are now."""
        searching, usable = self._asked is not None, self.valid is not None
        self.bar.setVisible(searching)
        if not searching:
            self.bar.setValue(0)
        self.find_button.setText(self.tr("Cancel") if searching else self.tr("Find equilibria"))
        self.preview_button.setText(self.tr("Stop preview") if self.preview.is_active else self.tr("Preview"))
        self.caption.setText(self._caption())
        has_rows = usable and self.table.rowCount() > 0
        for widget in (self.go_button, self.table):
            widget.setEnabled(has_rows)
        for widget in (self.mode, self.preview_button):
            widget.setEnabled(has_rows and self.mode.count() > 0)

    def _caption(self) -> str:
        """Summary of the list, in one or two sentences."""
        if self._asked is not None:
            count = len(self.found.equilibria) if self.valid is not None and self.found is not None else 0
            return self.tr("Searching... {count} found so far").format(count=count)
        if self._fault:
            return self._fault
        if self.found is None:
            return self.tr("Positions in which everything stays at rest, stable or not.")
        if self.valid is None:
            return self.tr("The scene has changed since. Search again.")
        text = self.tr("{count} equilibria; {converged} of {starts} starts converged. Click one to go there.")
        count, converged, starts = len(self.found.equilibria), self.found.converged, self.found.starts
        notes = "".join(f" {translate(note)}." for note in self.found.notes)
        return text.format(count=count, converged=converged, starts=starts) + notes

    def _on_selection_changed(self) -> None:
        """List the modes of the selected equilibrium."""
        each = self._selected()
        self.mode.clear()
        for mode in each.modes if each is not None else ():
            self.mode.addItem(self._mode_text(mode), mode)
        self._update_texts()
        self._restart_preview()

    def _mode_text(self, mode: Mode) -> str:
        """One mode in the chooser."""
        if mode.frequency == 0.0:
            rate = mode.eigenvalue.real
            return (self.tr("grows, {rate} 1/s") if rate > 0 else self.tr("decays, {rate} 1/s")).format(
                rate=f"{rate:.4g}"
            )
        text = f"{mode.frequency:.4g} Hz"
        return text + (f", ζ = {mode.damping_ratio:.2g}" if abs(mode.damping_ratio) > 1e-6 else "")

    def _selected(self) -> Equilibrium | None:
        """The selected equilibrium."""
        row = self.table.row
        return self.found.equilibria[row] if self.found is not None and row is not None else None

    def _restart_preview(self) -> None:
        """Show the newly selected motion, if one is shown."""
        if self.preview.is_active:
            self._set_preview(True)

    def _set_preview(self, on: bool) -> None:
        """Start the preview of the selected motion, or stop it."""
        each, mode = self._selected(), self.mode.currentData()
        if not on or each is None or mode is None or self.valid is None:
            self.preview.end()
        else:
            moments = moments_along(self.valid, each, mode, AMPLITUDE, MOMENTS)
            self.preview.show(moments, time.perf_counter())
        self.preview_button.setText(self.tr("Stop preview") if self.preview.is_active else self.tr("Preview"))
