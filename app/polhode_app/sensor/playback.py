"""Sensor distance in headless runs, as a function of simulated time alone, so that results are reproducible. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.sensor.filtering import Filter
from polhode_app.sensor.sources import PAUSE, read_recording

METRE = 1000.0  # mm


def connect_sensor(scene: Scene, simulations: Iterable[Simulation]) -> None:
    """Connect the sensor source of a scene to its simulations.

    Raises InputError for a serial sensor, which has no defined timing without real time, and for invalid recordings.
    """
    if scene.sensor.source == "serial":
        rule = Message("'serial' needs a sensor at this machine, which a run without a window does not read")
        remedy = Message('open the scene in the window, or give source = "recording" or "simulated"')
        raise InputError(scene.title or "scene", [Problem("sensor.source", rule, remedy)])
    if scene.sensor.source == "recording":
        distance = recorded_distance(scene.folder / scene.sensor.file)
        for simulation in simulations:
            simulation.play(distance)


def check_sensor_recording(scene: Scene) -> None:
    """Raise InputError if the sensor recording of a scene is missing or invalid."""
    if scene.sensor.source == "recording":
        recorded_distance(scene.folder / scene.sensor.file)


def recorded_distance(path: Path) -> Callable[[float], float]:
    """Distance [m] as a function of the time [s] since the start of a recording, repeated periodically.

    Raw values are used without calibration and pass the default filter; during failed measurements the distance is
    kept. Raises InputError if the file is no recording.
    """
    rows, filtered = read_recording(path), Filter()
    times, distances = [], []
    for time, raw in rows:
        if raw is not None:
            distances.append(filtered(time, raw).value / METRE)
        elif distances:
            distances.append(distances[-1])
        if distances:
            times.append(time - rows[0][0])
    if not distances:
        raise InputError(str(path), [Problem("", Message("has no valid measurement"), Message("record again"))])
    length = rows[-1][0] - rows[0][0] + PAUSE
    return lambda time: float(np.interp(time % length, times, distances))
