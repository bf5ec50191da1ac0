"""Watching films without a window: rows, cancelling, and what is kept when the next source fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from filmed_tag import Filming, facing, frames, uneven, write_film
from meaning import Meaning

from polhode.camera import picture_process
from polhode.camera.picture_process import Source
from polhode.camera.tags import Tag
from polhode.camera.watching import Wanted
from polhode.process.child_process import ChildProcess
from polhode_app.data.measured.live.camera_link import CameraLink, CameraRequest

TAG, SIDE, COUNT = Tag("36h11", 3), 0.04, 6
SMALL = Filming(focal=280.0, size=(320, 240), centre=(159.5, 119.5), distortion=(0.0,) * 5)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "tag.mp4"
    place = facing(0.4), np.array([0.02, 0.0, 0.3])
    shown = frames(SMALL, TAG.bitmap(cv2), SIDE, lambda _time: place, uneven(COUNT, 0.1, 0.0))
    write_film(path, shown, SMALL.size, 0.1, 0.0)
    return path


@pytest.fixture
def link():
    made = CameraLink()
    yield made
    made.close()


def request(path: Path, number: int = 3) -> CameraRequest:
    return CameraRequest(Source("film", str(path)), Wanted(SIDE, Tag("36h11", number), upright=True))


def ended(link: CameraLink, is_so: Callable[[], bool] = lambda: False) -> None:
    until = time.monotonic() + 60
    while link.is_watching and not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)
        link.poll()


def test_a_film_has_a_row_for_each_picture(link: CameraLink, film: Path):
    link.start(request(film))
    ended(link)
    state = link.state
    assert state.problem is None
    assert (state.pictures, state.total) == (COUNT, COUNT)
    assert state.data is not None
    assert len(state.data.times) == COUNT
    assert state.data.column("x").values == pytest.approx(0.02, abs=2e-3)
    assert Meaning("", "calibration", focal=320 / 2 / np.tan(np.radians(30))).of(state.notes[0])


def test_rows_can_be_saved_until_the_next_source_has_some(link: CameraLink, film: Path, tmp_path: Path):
    link.start(request(film))
    ended(link)
    table = link.state.table
    for path, number in ((tmp_path / "none.mp4", 3), (film, 5), (film, 999)):
        link.start(request(path, number))
        ended(link)
        assert link.state.problem is not None
        assert link.state.data is None
        assert link.state.kept is table
    link.start(request(film))
    ended(link)
    assert link.state.kept is not table


def test_watching_can_be_ended_at_once(link: CameraLink, film: Path, monkeypatch: pytest.MonkeyPatch):
    """The thread has ended after `close`, and so has the process that decodes."""
    made: list[ChildProcess] = []

    def kept(*asked: Any, **named: Any) -> ChildProcess:
        made.append(ChildProcess(*asked, **named))
        return made[-1]

    monkeypatch.setattr(picture_process, "ChildProcess", kept)
    link.start(request(film))
    (thread,) = (each for each in threading.enumerate() if each.name == "camera")
    ended(link, lambda: bool(made))
    assert thread.is_alive()
    assert made[0].status is None
    link.close()
    assert not thread.is_alive()
    assert made[0].status is not None
    assert link.state.pictures < COUNT
