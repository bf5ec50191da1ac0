"""Logs of the distance sensor (CSV): damaged bytes, words and lines. An accepted one is filtered and played."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import isfinite
from pathlib import Path

from fuzz.case import Case, Target
from fuzz.damage import damaged
from polhode.scene.problem import InputError
from polhode_app.sensor.playback import recorded_distance
from polhode_app.sensor.sources import read_noise

WORDS = ("time", "raw", "status", ",", '"', "\n", ";", "ok", "nan", "inf")


def bases() -> list[Case]:
    """A log with failed measurements."""
    rows = [f"{0.02 * k:.6f},{200 + k % 7}.25,,,,ok" if k % 9 else f"{0.02 * k:.6f},,,,,far" for k in range(70)]
    return [Case("log.csv", "\n".join(["time,raw,distance,filtered,velocity,status", *rows]).encode())]


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """A damaged table."""
    return Case("log.csv", damaged(case.content, [chance.choice(known).content], chance, WORDS))


def read(path: Path, content: bytes) -> str:
    """The distance by time, and the errors of the measurements."""
    distance = recorded_distance(path)
    assert all(isfinite(distance(time)) for time in (0.0, 0.37, 1e9)), "a distance is not finite"
    try:
        return f"{'with' if read_noise(path) else 'without'} noise"
    except InputError:
        return "too short"


TARGET = Target("sensor_log", bases, mutate, read, goal=50_000, memory=2**30)
