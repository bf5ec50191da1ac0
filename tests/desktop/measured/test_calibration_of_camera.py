"""Calibration of a camera from the menu of the dock, by a film of the printed board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from filmed_tag import LENS, Filming, facing, write_film
from gui import START, opened_row
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from polhode.camera.board import SQUARE, SQUARES, board
from polhode.camera.lens import read_lens
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The board from 14 sides, and a film of one picture of it beside that."""
    path = tmp_path_factory.mktemp("board") / "board.mp4"
    square = np.full((72, 72), 255, np.uint8)
    square[12:60] = board(cv2).generateImage((72, 48), None, 0, 1)
    random, camera, shown = np.random.default_rng(4), Filming(blur=0.8), []
    for _ in range(14):
        turned = facing(random.uniform(0.1, 0.6), random.uniform(0, 6.28), random.uniform(-0.4, 0.4))
        place = [random.uniform(-0.16, 0.16), random.uniform(-0.09, 0.09), random.uniform(0.42, 0.75)]
        shown.append(camera.picture(square, SQUARES[0] * SQUARE, [(turned, np.array(place))], random))
    write_film(path, shown, LENS[2], 1 / 30, 0.0)
    write_film(path.with_name("short.mp4"), shown[:1], LENS[2], 1 / 30, 0.0)
    return path


def test_a_film_of_the_board_calibrates_from_the_menu(
    lab: Callable[..., MainWindow], qtbot: QtBot, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A film of one picture is refused beside the controls, and leaves the field of the calibration as it is."""
    row = opened_row(lab(), qtbot, "camera")
    target = film.with_name("camera.toml")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(target), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_asked: (str(film.with_name("short.mp4")), ""))
    row.actions_of["calibrate"].trigger()
    qtbot.waitUntil(row.error.isVisible, timeout=START)
    assert row.calibration.text() == ""
    assert not target.exists()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_asked: (str(film), ""))
    row.actions_of["calibrate"].trigger()
    qtbot.waitUntil(lambda: row.calibration.text() == str(target), timeout=START)
    assert not row.error.isVisible()
    assert read_lens(target, LENS[2]).focal == pytest.approx(LENS[0], rel=1e-2)
