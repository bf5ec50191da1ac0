"""Page of the sensor dock with the motion and noise of the simulated target."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QWidget

from polhode_app.docks.sensor.noise_choice import NoiseChoice
from polhode_app.docks.sensor.source_panel import SourcePanel
from polhode_app.sensor.hub import METRE
from polhode_app.sensor.sources import Wave
from polhode_app.session.document import Document
from polhode_app.session.session import Session
from polhode_app.window.widgets.layouts import silent
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.toast import Toast
from polhode_app.window.widgets.wheel import Slider

SLIDER_RANGE = 1000  # [mm]


class TargetPanel(QWidget):
    """Edits the wave of the simulated sensor: centre, amplitude, period and noise.

    The slider moves the centre. A change takes effect at once, also while the simulated sensor is connected.
    """

    def __init__(self, session: Session, source: SourcePanel, toast: Toast):
        super().__init__()
        self._session, self._source = session, source
        self.slider = Slider()
        self.boxes = {
            "centre": SpinBox(0.0, 2000.0, "mm", 1),
            "amplitude": SpinBox(0.0, 1000.0, "mm", 1),
            "period": SpinBox(0.1, 100.0, "s", 2),
            "noise": SpinBox(0.0, 50.0, "mm", 2),
        }
        self.noise = NoiseChoice(self.boxes["noise"], toast, self._change_wave)
        self._labels = {name: QLabel() for name in self.boxes}
        self._lay_out()
        self.slider.valueChanged.connect(lambda value: self.boxes["centre"].setValue(value))
        for box in self.boxes.values():
            box.valueChanged.connect(lambda _value: self._change_wave())
        session.scene_changed.connect(self._on_scene_changed)
        self._on_scene_changed(session.document)

    def hold_at(self, distance: float) -> None:
        """Take the simulated target over: let it rest at a distance [mm], and connect it in place of any source."""
        self._source.take_over(replace(self._source.simulated.wave, centre=distance, amplitude=0.0, noise=0.0))
        self._update_widgets()

    def release(self) -> None:
        """Let the target of the scene move again."""
        sensor = self._session.document.scene.sensor
        motion = {"centre": METRE * sensor.centre, "amplitude": METRE * sensor.swing, "period": sensor.period}
        self._source.take_over(replace(self._source.simulated.wave, **motion))
        self._update_widgets()

    @property
    def is_held(self) -> bool:
        """Whether the simulated sensor is connected and rests."""
        return self._session.hub.source is self._source.simulated and self._source.simulated.wave.amplitude == 0.0

    def _lay_out(self) -> None:
        self.slider.setRange(0, SLIDER_RANGE)
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        form = QFormLayout(self)
        form.setContentsMargins(6, 8, 6, 4)
        form.addRow(self.slider)
        for name, box in self.boxes.items():
            form.addRow(self._labels[name], self.noise if name == "noise" else box)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self._labels["centre"].setText(self.tr("Distance"))
        self._labels["amplitude"].setText(self.tr("Swing"))
        self._labels["period"].setText(self.tr("Period"))
        self._labels["noise"].setText(self.tr("Noise"))
        self.noise.retranslate()

    def _on_scene_changed(self, document: Document) -> None:
        """Adopt the simulated target of a scene that was opened, unless a source is connected."""
        if self._session.hub.source is None and not self._session.diff.is_edit:
            sensor, simulated = document.scene.sensor, self._source.simulated
            motion = {"centre": METRE * sensor.centre, "amplitude": METRE * sensor.swing, "period": sensor.period}
            simulated.wave = replace(simulated.wave, **motion)
        self._update_widgets()

    def _update_widgets(self) -> None:
        wave = self._source.simulated.wave
        for name, box in self.boxes.items():
            box.show_value(getattr(wave, name))
        with silent(self.slider):
            self.slider.setValue(round(wave.centre))

    def _change_wave(self) -> None:
        values = {name: box.value() for name, box in self.boxes.items()}
        self._source.simulate(Wave(**values, recorded_noise=self.noise.recorded_noise))
        self._update_widgets()
