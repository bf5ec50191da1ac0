"""The dock of modes: the shapes of a soft body to look at, to set off and to keep out of the motion."""

from __future__ import annotations

import time

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent
from PySide6.QtWidgets import QComboBox, QDockWidget, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.i18n.translation import translate
from app.interactors.mode_preview import ModePreview
from app.interactors.mode_search import FoundModes, ModeSearch
from app.messages import FrameData
from app.panels.modes.mode_table import ModeTable
from app.session.session import Session
from app.viewport.view import SceneView
from core.physics.modal.mode_control import mode_energies, reach_of, size_of
from core.physics.modal.normal_modes import Modes

EVERY = 0.1  # [s] wall time between two looks at the energies
WIDTH = 300  # [pixel]
PART, SLOPE = 0.1, 0.2  # how far a push lets a mode swing: see reach_of
SLOW = 2 * np.pi  # [1/s] stands for the frequency of a mode that has none
PATIENCE = 0.5  # [s] for the physics to hear of a mark
STILL = 1e-6  # a body whose amplitudes are less than this part of its size does not swing


class ModesDock(QDockWidget):
    """Lists the modes of one soft body of the session's scene."""

    closed = Signal()  # by its own button

    def __init__(self, session: Session, scene_view: SceneView, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("modes")
        self._session = session
        self._finder = ModeSearch()
        self.looking = ModePreview(session, scene_view)
        self._shown: FoundModes | None = None
        self._waiting: dict[int, float] = {}  # [s] until when a mode that a person has marked keeps the mark
        self._told_at = 0.0
        self.body, self.caption, self.table = QComboBox(), QLabel(), ModeTable()
        self.look, self.excite = QPushButton(), QPushButton()
        self._lay_out()
        self.body.activated.connect(lambda _row: self._show_body())
        self.table.itemSelectionChanged.connect(self._choose)
        self.table.doubleClicked.connect(lambda _index: self.look.setChecked(True))
        self.table.silenced.connect(self._silence)
        self.look.toggled.connect(self._look)
        self.excite.clicked.connect(self._excite)
        session.scene_changed.connect(lambda _document: self._show_scene())
        self._show_scene()
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Modes"))
        self.look.setText(self.tr("Stop preview") if self.looking.on else self.tr("Preview"))
        self.excite.setText(self.tr("Excite"))
        self.look.setToolTip(self.tr("Pauses the run and shows this mode shape, slowed down and exaggerated"))
        self.table.retranslate()
        self.caption.setText(self._words(self._shown))

    def _lay_out(self) -> None:
        self.caption.setWordWrap(True)
        self.look.setCheckable(True)
        for widget in (self.body, self.look, self.excite):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Space stays with play
        buttons = QHBoxLayout()
        for button in (self.look, self.excite):
            buttons.addWidget(button, 1)
        inside = QWidget()
        inside.setMinimumWidth(WIDTH)
        column = QVBoxLayout(inside)
        column.setContentsMargins(8, 6, 8, 8)
        for widget in (self.body, self.caption):
            column.addWidget(widget)
        column.addWidget(self.table, 1)
        column.addLayout(buttons)
        column.addStretch(0)  # takes the room of the table where there is none
        self.setWidget(inside)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)

    def stop(self) -> None:
        """End the thread that finds modes."""
        self._finder.close()

    # What is listed

    def _show_scene(self) -> None:
        """The bodies of the scene that the physics has; the one that was chosen stays so."""
        if self._session.built is None:
            self._show_found(None)
            return
        self._finder.begin(self._session.built)
        name = self.body.currentText()
        self.body.clear()
        self.body.addItems(list(self._finder.bodies))
        self.body.setCurrentIndex(max(self.body.findText(name), 0))
        self._show_body()

    def _show_body(self) -> None:
        name = self.body.currentText()
        self._show_found(self._finder.request(name) if name else None)

    def _show_found(self, found: FoundModes | None) -> None:
        if found is not None and found is self._shown:
            return  # an edit that its modes do not depend on
        self.look.setChecked(False)
        self._shown, self._waiting = found, {}
        modes = found.modes if found is not None else None
        self.table.fill(modes, found is not None and found.soft.modes > 0)
        self.body.setVisible(found is not None)
        self.caption.setText(self._words(found))
        for widget in (self.table, self.look, self.excite):
            widget.setVisible(modes is not None)
        self._told_at = 0.0

    def _words(self, found: FoundModes | None) -> str:
        if found is None and self._session.built is None:
            return self.tr("The physics is being prepared.")
        if found is None:
            return self.tr(
                "No soft body is in this scene, so there are no modes. The gallery has some: a cloth in the wind, "
                "a jelly on a tilted plate."
            )
        if found.modes is not None and found.soft.modes:
            text = self.tr("The body moves in {count} of its {available} modes.")
            return text.format(count=len(found.modes.squares), available=found.modes.available) + self._left_out(found)
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

    def _left_out(self, found: FoundModes) -> str:
        dropped = len(found.modes.dropped) if found.modes is not None else 0
        return " " + self.tr("{count} modes that buckle are left out.").format(count=dropped) if dropped else ""

    # A frame

    def tick(self, now: float) -> bool:
        """A frame of the window at a wall time [s]; True if the view has changed."""
        if self.isVisible() and now - self._told_at > EVERY:
            self._told_at = now
            if self._finder.poll() and self._shown is not None:
                self._show_body()
            if self._session.moment is not None and self._shown is not None:
                self._tell(self._session.moment, self._shown)
        drawn = self.looking.tick(now)
        if self.look.isChecked() and not self.looking.on:
            self.look.setChecked(False)
        return drawn

    def _tell(self, moment: FrameData, found: FoundModes) -> None:
        """Write shares of the energy, and what is silent."""
        name, points = found.soft.name, moment.snapshot.points
        here = self._session.built.points[name] if self._session.built is not None else slice(0, 0)
        if found.modes is None or len(points.position[here]) != len(found.net.mass):
            return
        energies = mode_energies(found.net, found.modes, points.position[here], points.velocity[here])
        fastest = max(float(found.modes.frequencies.max()), SLOW)
        still = 0.5 * found.net.mass.sum() * (STILL * size_of(found.net) * fastest) ** 2
        total = float(energies.sum())
        self.table.show_shares(energies / total if total > still else None)
        silent = {mode for body, mode in moment.muted if body == name}
        self._waiting = {mode: until for mode, until in self._waiting.items() if time.perf_counter() < until}
        self.table.show_silent(silent, set(self._waiting))
        self._allow_excite(silent)

    def _allow_excite(self, silent: set[int]) -> None:
        quiet = self.table.chosen in silent
        self.excite.setEnabled(not quiet)
        tip = self.tr("Adds velocity along this mode shape; the other modes keep theirs")
        self.excite.setToolTip(self.tr("This mode is muted: unmute it first") if quiet else tip)

    # What a person does

    def _mode(self) -> tuple[FoundModes, Modes, int] | None:
        if self._shown is None or self._shown.modes is None or self.table.chosen is None:
            return None
        return self._shown, self._shown.modes, self.table.chosen

    def _choose(self) -> None:
        """Another mode: the look goes over to it."""
        self._told_at = 0.0
        if self.looking.on:
            self._look(True)

    def _look(self, on: bool) -> None:
        chosen = self._mode()
        if not on or chosen is None:
            self.look.setText(self.tr("Preview"))
            self.looking.end()
            return
        found, modes, number = chosen
        self.look.setText(self.tr("Stop preview"))
        self.looking.at(found.soft.name, found.net, modes.shapes[number], time.perf_counter())

    def _excite(self) -> None:
        """A push that lets it swing far enough to be seen, and not so far that the springs tear about."""
        chosen = self._mode()
        if chosen is None:
            return
        found, modes, number = chosen
        self.look.setChecked(False)
        frequency = float(modes.frequencies[number]) or SLOW
        shape = modes.shapes[number]
        self._session.excite_mode(found.soft.name, shape, frequency * reach_of(found.net, shape, PART, SLOPE))

    def _silence(self, mode: int, on: bool) -> None:
        if self._shown is not None:
            self._waiting[mode] = time.perf_counter() + PATIENCE
            self._session.mute_mode(self._shown.soft.name, mode, on)

    def hideEvent(self, event: QHideEvent) -> None:
        """A preview ends when the dock is closed."""
        super().hideEvent(event)
        self.look.setChecked(False)
