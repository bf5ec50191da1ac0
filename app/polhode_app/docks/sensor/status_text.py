"""Texts for the state of the sensor."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from polhode.analysis.followers import has_followers
from polhode.scene.scene import Scene
from polhode_app.i18n.translation import translate
from polhode_app.sensor.hub import SensorHub
from polhode_app.sensor.port import SerialPort
from polhode_app.sensor.sources import State


def tr(text: str) -> str:
    """Translate a text of the sensor."""
    return QCoreApplication.translate("sensor", text)


def status_text(hub: SensorHub, scene: Scene) -> str:
    """State of the source of `hub`; without a source, where the distance in `scene` comes from."""
    state = hub.state
    texts = {
        "off": disconnected_text(hub, scene),
        "missing": tr("{detail} is not plugged in; waiting for it."),
        "none": tr("No board is plugged in; waiting for one."),
        "several": tr("Several boards are plugged in; choose one."),
        "unplugged": tr("Sensor disconnected. Driven objects are held until it reconnects."),
        "denied": _denied_text(state),
        "taken": tr("Another program has {detail} open, perhaps a serial monitor. Close it there."),
        "failed": tr("Can't be opened: {detail}. Trying again."),
        "waiting": tr("Open. The board restarts, which takes two seconds..."),
        "silent": tr("No data. Is a sketch uploaded, and does it send at this baud rate?"),
        "unreadable": tr("The data can't be read. Is the baud rate or the sketch a different one?"),
        "reading": _reading_text(hub),
        "ended": tr("The recording has ended."),
    }
    return texts[state.kind].format(detail=translate(state.detail))


def disconnected_text(hub: SensorHub, scene: Scene) -> str:
    """Where the distance comes from while no source is connected."""
    sensor, millimetres = scene.sensor, 1000.0
    if not has_followers(scene):
        return tr("Not connected.")
    if hub.has_measured:
        return tr("Not connected. Driven items stay at the last measured distance until the scene is reset.")
    if sensor.source == "simulated" and sensor.amplitude != 0:
        text = tr("Not connected. The scene's simulated target moves: {centre:g} ± {amplitude:g} mm, {period:g} s.")
        centre, amplitude = millimetres * sensor.centre, millimetres * sensor.amplitude
        return text.format(centre=centre, amplitude=amplitude, period=sensor.period)
    return tr("Not connected. The scene's simulated target rests at {place:g} mm.").format(
        place=millimetres * sensor.centre
    )


def _denied_text(state: State) -> str:
    """Missing permission to open the port, and how to obtain it."""
    if not state.detail:
        return tr("This user may not open the port.")
    return tr("Users of the group '{detail}' may open the port. Join it, then log in again: {command}").format(
        detail=state.detail, command=f"sudo usermod -aG {state.detail} $USER"
    )


def _reading_text(hub: SensorHub) -> str:
    """Sensor and sketch of the board that is read, as far as they are known."""
    source = hub.source
    greeting = source.greeting if source is not None else None
    if greeting is not None:
        text = tr("Reading {sensor}, sketch {sketch}, every {period} ms.")
        return text.format(sensor=greeting.sensor, sketch=greeting.sketch, period=f"{1000 * greeting.period:g}")
    return tr("Reading plain numbers.") if isinstance(source, SerialPort) else tr("Connected.")
