"""Plays a quantity of the run as tones, as the tones dock and the settings say."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from polhode.analysis.columns import columns
from polhode.scene.problem import InputError
from polhode_app.data.plots.frame_quantities import Reading, observed, reading_of
from polhode_app.data.tones.tone import tones, write_wav
from polhode_app.data.tones.tone_player import TonePlayer
from polhode_app.docks.tones.tones_dock import TonesDock
from polhode_app.i18n.translation import translate, translate_reason
from polhode_app.messages import FrameData
from polhode_app.session.new_file import new_file
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext

USUAL = ("energy.kinetic", "energy.total")  # the first one that a scene has
SHOWN_INTERVAL = 0.25  # [s] wall time between two updates of the value in the dock: faster changes are illegible


class RunTones(QObject, WindowPart):
    """Plays while the check box of the dock is on, also when the dock is closed."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self.player = TonePlayer()
        self.player.volume = context.settings.volume / 100
        self._plays = context.settings.tones
        self._name = ""
        self._reading: Reading | None = None
        self._built: object = None  # the scene whose quantities are offered
        self._shown_at = 0.0  # [s] wall time
        context.docks.on_made("tones", self._on_dock_made)

    @property
    def dock(self) -> TonesDock | None:
        """The dock, or None as long as it was never opened."""
        return self._context.docks.dock("tones")

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Play the newest frame, and show its value."""
        frame, compiled = self._context.session.frame, self._context.session.compiled
        if frame is None or compiled is None or (not self._plays and self.dock is None):
            return False
        if compiled is not self._built:
            self._show_scene()
        if self._reading is None:
            return False
        value = self._reading(frame)
        if self._plays and (self.player.device.is_open or self._open_device()):
            self.player.see(frame.snapshot.time, value, frame.running, wall)
        dock = self.dock
        if dock is not None and dock.isVisible() and wall - self._shown_at > SHOWN_INTERVAL:
            self._shown_at = wall
            tone = self.tr(", {frequency} Hz").format(frequency=f"{self.player.frequency_of(value):.0f}")
            dock.value.setText(f"{value:.4g}" + (tone if self._plays else ""))
            dock.save_button.setEnabled(len(self.player.played) > 1)
        return False

    def stop(self) -> None:
        """Close the sound device."""
        self.player.device.close()

    def _open_device(self) -> bool:
        """Open the sound device; where that fails, switch the tones off and say why."""
        try:
            self.player.device.open()
        except InputError as error:
            problem = error.problems[0]
            self._set_playing(False)
            text = self.tr("Tones: {rule}. {remedy}.")
            self._context.toast.show_message(
                text.format(rule=translate(problem.rule), remedy=translate(problem.remedy)), 15.0
            )
            return False
        return True

    def _set_playing(self, on: bool) -> None:
        """Switch the tones on or off, and remember it."""
        self._plays = self._context.settings.tones = on
        if not on:
            self.player.silence()
        if self.dock is not None:
            self.dock.plays.setChecked(on)

    def _show_scene(self) -> None:
        """Offer the quantities of the scene; the chosen one stays where the scene has it."""
        compiled = self._context.session.compiled
        assert compiled is not None
        self._built = compiled
        units = {name: unit for name, (unit, _read) in observed(compiled).items()} | columns(compiled)
        units.pop("time", None)
        wanted = (self._context.settings.tone_quantity, self._name, *USUAL, *units)
        name = next(each for each in wanted if each in units)
        if name != self._name:
            self.player.restart()
        self._name, self._reading = name, reading_of(compiled, name)
        if self.dock is not None:
            self.dock.offer(tuple(units.items()), name)

    def _on_dock_made(self, dock: TonesDock) -> None:
        """Connect the dock."""
        dock.plays.setChecked(self._plays)
        dock.volume.setValue(self._context.settings.volume)
        dock.plays.toggled.connect(self._set_playing)
        dock.changed.connect(lambda: self._apply(dock))
        dock.forget_button.clicked.connect(self.player.learned.clear)
        dock.save_button.clicked.connect(self._save)
        dock.save_button.setEnabled(False)
        self._built = None  # its quantities are listed with the next frame

    def _apply(self, dock: TonesDock) -> None:
        """Apply the choices of the user, and remember quantity and volume."""
        settings, player, name = self._context.settings, self.player, dock.quantity.currentData()
        settings.volume = dock.volume.value()
        player.volume, player.low, player.high = (
            dock.volume.value() / 100,
            dock.end_of(dock.low),
            dock.end_of(dock.high),
        )
        if name is not None and name != self._name:
            settings.tone_quantity = name
            player.restart()
            self._built = None

    def _save(self) -> None:
        """Write the played tones to a new file beside the scene."""
        toast, session = self._context.toast, self._context.session
        path = new_file("wav", session.document.path)
        try:
            write_wav(path, tones(*self.player.table, speed=session.speed))
        except OSError as error:
            text = self.tr("{path} can't be written: {reason}")
            toast.show_message(text.format(path=path, reason=translate_reason(error)), 20.0)
        else:
            toast.show_file_saved(self.tr("Sound saved: {path}"), path)
