"""Dock of the normal modes of soft bodies: list, preview, excite and mute them."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from polhode.physics.modal.mode_control import mode_energies, reach_of, size_of
from polhode.physics.modal.normal_modes import Modes
from polhode_app.docks.modes.mode_table import ModeTable
from polhode_app.i18n.translation import translate
from polhode_app.interactors.mode_search import FoundModes, ModeSearch
from polhode_app.interactors.previews import ModePreview
from polhode_app.messages import ExciteMode, FrameData, MuteMode
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of
from polhode_app.window.widgets.wheel import ComboBox

UPDATE_INTERVAL = 0.1  # [s] wall time between two updates of the energies
WIDTH = 300  # [pixel]
EXCITED_SIZE, EXCITED_SLOPE = 0.1, 0.2  # limits of the excited amplitude, see reach_of
ZERO_MODE_RATE = 2 * np.pi  # [1/s] used for a mode of frequency zero
MUTE_TIMEOUT = 0.5  # [s] wall time
REST_AMPLITUDE = 1e-6  # fraction of the size of a body


class ModesDock(Dock):
    """Lists the modes of one soft body of the session's scene.

    Modes are computed by ModeSearch in a background thread; `tick` polls it once per frame. Preview shows a mode shape
    while the run is paused, Excite adds velocity along it, and the check boxes mute modes of a modal body.
    """

    def __init__(self, context: WindowContext):
        """Create the dock and list the modes of the first soft body."""
        super().__init__(context.window)
        self._session = session = context.session
        self._search = ModeSearch()
        self.preview = ModePreview(session, context.scene_view)
        self._shown: FoundModes | None = None
        self._pending_mutes: dict[int, float] = {}  # [s] wall time until which a toggled check box is kept
        self._updated_at = 0.0
        self.body, self.caption, self.table = ComboBox(), QLabel(), ModeTable()
        self.preview_button, self.excite_button = QPushButton(), QPushButton()
        self._lay_out()
        self.body.activated.connect(lambda _row: self._show_body())
        self.table.itemSelectionChanged.connect(self._on_selection_changed)
        self.table.doubleClicked.connect(lambda _index: self.preview_button.setChecked(True))
        self.table.mute_toggled.connect(self._on_mute_toggled)
        self.preview_button.toggled.connect(self._set_preview)
        self.excite_button.clicked.connect(self._excite)
        session.scene_changed.connect(lambda _document: self._show_scene())
        self._show_scene()
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Modes"))
        self.preview_button.setText(self.tr("Stop preview") if self.preview.is_active else self.tr("Preview"))
        self.excite_button.setText(self.tr("Excite"))
        self.preview_button.setToolTip(self.tr("Pauses the run and shows this mode shape, slowed down and exaggerated"))
        self.table.retranslate()
        self.caption.setText(self._caption_text(self._shown))

    def _lay_out(self) -> None:
        """Arrange list of bodies, caption, table and buttons in one column."""
        self.caption.setWordWrap(True)
        self.preview_button.setCheckable(True)
        focus_by_tab(self.body, self.preview_button, self.excite_button)
        inside = QWidget()
        inside.setMinimumWidth(WIDTH)
        buttons = row_of((self.preview_button, 1), (self.excite_button, 1))
        rows = self.body, self.caption, (self.table, 1), buttons
        column_of(*rows, 0, on=inside, margins=(8, 6, 8, 8))  # the stretch takes the height of a hidden table
        self.setWidget(inside)

    def stop(self) -> None:
        """End the thread that computes modes."""
        self._search.close()

    # List

    def _show_scene(self) -> None:
        """List the soft bodies of the compiled scene; the selected one is kept."""
        if self._session.compiled is None:
            self._show_found(None)
            return
        self._search.begin(self._session.compiled)
        name = self.body.currentText()
        self.body.clear()
        self.body.addItems(list(self._search.bodies))
        self.body.setCurrentIndex(max(self.body.findText(name), 0))
        self._show_body()

    def _show_body(self) -> None:
        """Show the modes of the selected body as far as they are known, and request the others."""
        name = self.body.currentText()
        self._show_found(self._search.request(name) if name else None)

    def _show_found(self, found: FoundModes | None) -> None:
        """Fill table and caption. Nothing changes if the modes are the same object as before."""
        if found is not None and found is self._shown:
            return  # an edit that does not affect the modes
        self.preview_button.setChecked(False)
        self._shown, self._pending_mutes = found, {}
        modes = found.modes if found is not None else None
        self.table.fill(modes, found is not None and found.soft.modes > 0)
        self.body.setVisible(found is not None)
        self.caption.setText(self._caption_text(found))
        for widget in (self.table, self.preview_button, self.excite_button):
            widget.setVisible(modes is not None)
        self._updated_at = 0.0

    def _caption_text(self, found: FoundModes | None) -> str:
        """Sentence on the modes of a body, or why there are none."""
        if found is None and self._session.compiled is None:
            return self.tr("The physics is being prepared.")
        if found is None:
            return self.tr(
                "No soft body is in this scene, so there are no modes. The gallery has some: a cloth in the wind, "
                "a jelly on a tilted plate."
            )
        if found.modes is not None and found.soft.modes:
            text = self.tr("The body moves in {count} of its {available} modes.")
            return text.format(count=len(found.modes.squares), available=found.modes.available) + self._buckling_text(
                found
            )
        if found.modes is not None:
            text = self.tr("All points move freely. The lowest {count} of the {available} modes:")
            return text.format(count=len(found.modes.squares), available=found.modes.available)
        reasons = {
            "": self.tr("Computing the lowest modes..."),
            "still": self.tr("None of its points can move, so it has no modes."),
            "straight": self.tr("Its points are on one line and none is fixed: its modes are not defined."),
            "points": self.tr("It has too many points for this list. Give it modes = n in the scene."),
        }
        return reasons.get(found.why) or self.tr("The modes can't be computed: {why}").format(why=translate(found.why))

    def _buckling_text(self, found: FoundModes) -> str:
        """Sentence on the modes that were left out because they buckle; "" if there are none."""
        dropped = len(found.modes.dropped) if found.modes is not None else 0
        return " " + self.tr("{count} modes that buckle are left out.").format(count=dropped) if dropped else ""

    # Frames

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Update the energies of the modes, and the preview."""
        if self.isVisible() and wall - self._updated_at > UPDATE_INTERVAL:
            self._updated_at = wall
            if self._search.poll() and self._shown is not None:
                self._show_body()
            if self._session.frame is not None and self._shown is not None:
                self._update_energies(self._session.frame, self._shown)
        drawn = self.preview.tick(wall)
        if self.preview_button.isChecked() and not self.preview.is_active:
            self.preview_button.setChecked(False)
        return drawn

    def _update_energies(self, frame: FrameData, found: FoundModes) -> None:
        """Show shares of the energy and muted modes of a frame.

        Below an amplitude of REST_AMPLITUDE times the size of the body all shares are 0, because they would be noise.
        """
        name, points = found.soft.name, frame.snapshot.points
        here = self._session.compiled.points[name] if self._session.compiled is not None else slice(0, 0)
        if found.modes is None or len(points.position[here]) != len(found.net.mass):
            return
        energies = mode_energies(found.net, found.modes, points.position[here], points.velocity[here])
        fastest = max(float(found.modes.frequencies.max()), ZERO_MODE_RATE)
        still = 0.5 * found.net.mass.sum() * (REST_AMPLITUDE * size_of(found.net) * fastest) ** 2
        total = float(energies.sum())
        self.table.show_shares(energies / total if total > still else None)
        muted = {mode for body, mode in frame.muted if body == name}
        self._pending_mutes = {
            mode: until for mode, until in self._pending_mutes.items() if time.perf_counter() < until
        }
        self.table.show_muted(muted, set(self._pending_mutes))
        self._update_excite_button(muted)

    def _update_excite_button(self, muted: set[int]) -> None:
        """Disable the button while the selected mode is muted.

        The tooltip says why.
        """
        is_muted = self.table.selected_mode in muted
        self.excite_button.setEnabled(not is_muted)
        tip = self.tr("Adds velocity along this mode shape; the other modes keep theirs")
        self.excite_button.setToolTip(self.tr("This mode is muted: unmute it first") if is_muted else tip)

    # User actions

    def _selected_mode(self) -> tuple[FoundModes, Modes, int] | None:
        """Body, modes and number of the selected mode; None without a selection."""
        if self._shown is None or self._shown.modes is None or self.table.selected_mode is None:
            return None
        return self._shown, self._shown.modes, self.table.selected_mode

    def _on_selection_changed(self) -> None:
        """Update the values at the next frame; a running preview shows the selected mode."""
        self._updated_at = 0.0
        if self.preview.is_active:
            self._set_preview(True)

    def _set_preview(self, on: bool) -> None:
        """Start the preview of the selected mode, or stop it."""
        selected = self._selected_mode()
        if not on or selected is None:
            self.preview_button.setText(self.tr("Preview"))
            self.preview.end()
            return
        found, modes, number = selected
        self.preview_button.setText(self.tr("Stop preview"))
        self.preview.show(found.soft.name, found.net, modes.shapes[number], time.perf_counter())

    def _excite(self) -> None:
        """Add velocity along the selected mode shape.

        The amplitude is limited to EXCITED_SIZE of the body and to EXCITED_SLOPE of relative displacement, see
        `reach_of`.
        """
        selected = self._selected_mode()
        if selected is None:
            return
        found, modes, number = selected
        self.preview_button.setChecked(False)
        frequency = float(modes.frequencies[number]) or ZERO_MODE_RATE
        shape = modes.shapes[number]
        speed = frequency * reach_of(found.net, shape, EXCITED_SIZE, EXCITED_SLOPE)
        self._session.send(ExciteMode(self._session.document.generation, found.soft.name, shape, speed))

    def _on_mute_toggled(self, mode: int, on: bool) -> None:
        """Mute or unmute a mode; its check box waits for the simulation for MUTE_TIMEOUT at most."""
        if self._shown is not None:
            self._pending_mutes[mode] = time.perf_counter() + MUTE_TIMEOUT
            self._session.send(MuteMode(self._session.document.generation, self._shown.soft.name, mode, on))

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the preview."""
        super().hideEvent(event)
        self.preview_button.setChecked(False)
