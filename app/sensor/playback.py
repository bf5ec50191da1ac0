"""The hand over the sensor of a run without a window: by the simulated time alone, so the same every time. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from app.sensor.filtering import Filter
from app.sensor.sources import PAUSE, read_recording
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene
from core.simulation.simulation import Simulation

METRE = 1000.0  # mm


def play_hand(scene: Scene, simulations: Iterable[Simulation]) -> None:
    """Let simulations of a scene have the hand that it names. Raises InputError where nobody can play that."""
    if scene.sensor.source == "serial":
        rule = Message("'serial' needs a sensor at this machine, which a run without a window does not read")
        remedy = Message('open the scene in the window, or give source = "recording" or "simulated"')
        raise InputError(scene.title or "scene", [Problem("sensor.source", rule, remedy)])
    if scene.sensor.source == "recording":
        hand = recorded_hand(scene.folder / scene.sensor.file)
        for simulation in simulations:
            simulation.play(hand)


def check_hand(scene: Scene) -> None:
    """Raises InputError where a scene names a recording that can't be played."""
    if scene.sensor.source == "recording":
        recorded_hand(scene.folder / scene.sensor.file)


def recorded_hand(path: Path) -> Callable[[float], float]:
    """Distance [m] at a time [s] after the start of a recording, which begins again when it is over.

    The numbers of the sensor are believed, and pass the filter as it is before anybody changes it; where nothing was
    measured the hand stays. Raises InputError where the file is no recording.
    """
    rows, passes = read_recording(path), Filter()
    times, places = [], []
    for time, raw in rows:
        if raw is not None:
            places.append(passes(time, raw).value / METRE)
        elif places:
            places.append(places[-1])
        if places:
            times.append(time - rows[0][0])
    if not places:
        raise InputError(str(path), [Problem("", Message("has no valid measurement"), Message("record again"))])
    length = rows[-1][0] - rows[0][0] + PAUSE
    return lambda time: float(np.interp(time % length, times, places))
