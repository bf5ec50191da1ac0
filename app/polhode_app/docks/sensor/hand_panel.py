"""The target of the sensor in the sensor dock: its picture, its source, and its control by mouse."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from polhode.analysis.followers import has_followers
from polhode_app.docks.sensor.hand_picture import HandPicture
from polhode_app.docks.sensor.target_panel import TargetPanel
from polhode_app.sensor.hub import METRE
from polhode_app.sensor.sources import SimulatedSensor
from polhode_app.session.session import Session

MARGIN = 1.4  # distance at the upper edge of the picture, relative to the farthest one of the simulated motion
NEAREST = 200.0  # [mm] at the upper edge, at least


class HandPanel(QWidget):
    """Shows the measured or simulated hand. Dragging it holds the simulated target at the mouse."""

    def __init__(self, session: Session, target: TargetPanel):
        """Create the panel for the sensor of a session; `target` moves the simulated target."""
        super().__init__()
        self._session, self._target = session, target
        self.picture, self.text, self.release_button = HandPicture(), QLabel(), QPushButton()
        self.text.setWordWrap(True)
        self.release_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (self.picture, self.text, self.release_button):
            column.addWidget(widget)
        self.picture.moved.connect(target.hold_at)
        self.release_button.clicked.connect(target.release)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.picture.setToolTip(self.tr("Drag the hand to move it yourself"))
        self.release_button.setText(self.tr("Let the simulated hand move again"))
        self._update_text()

    def tick(self) -> None:
        """Move the hand to the current distance; called once per frame while the dock is visible."""
        hub, frame = self._session.hub, self._session.frame
        last = hub.last if hub.source is not None else None
        sensor = self._session.document.scene.sensor
        farthest = max(NEAREST, MARGIN * METRE * (sensor.centre + sensor.swing))
        distance = last.filtered if last is not None and last.raw is not None else None
        if distance is None and frame is not None and has_followers(self._session.document.scene):
            distance = METRE * frame.snapshot.distance
        self.picture.show_distance(distance, farthest)
        self._update_text()

    def _update_text(self) -> None:
        """Say who moves the hand."""
        hub, sensor = self._session.hub, self._session.document.scene.sensor
        moving = sensor.source == "simulated" and sensor.swing != 0
        is_simulated = isinstance(hub.source, SimulatedSensor)
        if self._target.is_held:
            text = self.tr("Your hand: drag it with the mouse.")
        elif hub.source is not None and not is_simulated:
            text = self.tr("Hand over the sensor.")
        elif not has_followers(self._session.document.scene):
            text = self.tr("Nothing in this scene follows the sensor.")
        elif moving or is_simulated:  # one that is connected and rests is held
            text = self.tr("Simulated hand: moving. Drag it with the mouse to take over.")
        else:
            text = self.tr("Simulated hand: at rest. Drag it with the mouse.")
        self.text.setText(text)
        self.release_button.setVisible(self._target.is_held and moving)
