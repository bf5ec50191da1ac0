"""Wrong arguments of public functions and methods: each is refused with InputError, its place, rule and remedy.

`CALLS` has a right call of every public function and method; the test replaces one argument at a time. Callables, which
nobody gives by mistake, and constructors that only the library calls are left out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polhode
from polhode.physics.grab.interactions import PullBody
from polhode.recording.writer import Recorder
from polhode.scene.part import Part

NUMBERS = (object(), "1", None, nan, inf, [1.0])
TIMES = (*NUMBERS, -1.0)
COUNTS = (object(), "1", 1.5, -3, [1])
FEW = (*COUNTS, 0)
NAMES = (object(), 5, "nobody", b"a")
PATHS = (5, object(), "there_is_no_such_file", "no/such/file.txt")
OBJECTS = (object(), 5, "text", None, [])
ARRAYS = ("text", 5, np.zeros((2, 2, 2)), np.array([nan]))
ROWS = (object(), "1", 1.5, 10**6, -(10**6))
NOT_CALLABLE = (5, "text")


@dataclass(frozen=True)
class Call:
    """A right call, and what is wrong for each argument."""

    of: Callable[[], Any]  # the function, method or class
    right: Callable[[], dict[str, Any]]
    wrong: dict[str, tuple[object, ...]]


@cache
def top() -> polhode.Scene:
    return polhode.read_scene("heavy_top")


def simulation() -> polhode.Simulation:
    return _simulation()


@cache
def _simulation() -> polhode.Simulation:
    return polhode.Simulation(top())


@cache
def jelly() -> polhode.Simulation:
    return polhode.Simulation(polhode.read_scene("jelly_pendulum"))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[polhode.Recording]:
    """A recording of a short run."""
    path = tmp_path_factory.mktemp("runs") / "run.vtkhdf"
    recorder = Recorder(path, simulation().copy(), 0.01)
    recorder.take()
    recorder.close()
    made = polhode.read_recording(path)
    yield made
    made.close()
