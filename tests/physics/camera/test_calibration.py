"""Calibration by the printed board, in pictures that are rendered with a known lens."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from filmed_tag import LENS, Filming, facing, write_film
from meaning import Meaning

from polhode.camera.board import SQUARE, SQUARES, BoardFinder, board, calibrated
from polhode.camera.lens import Lens, read_lens
from polhode.scene.problem import InputError, InvalidValue
from polhode_app.cli.main import main

WHOLE = """size = [1280, 720]
focal = [1100.0, 1100.0]
centre = [640.0, 360.0]
distortion = [0.0, 0.0, 0.0, 0.0, 0.0]
"""


def view(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Rotation and position of the board, from one of many sides."""
    turned = facing(random.uniform(0.1, 0.6), random.uniform(0, 6.28), random.uniform(-0.4, 0.4))
    return turned, np.array([random.uniform(-0.16, 0.16), random.uniform(-0.09, 0.09), random.uniform(0.42, 0.75)])


def views(count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Corners of the board as seen from many sides, with an error of 0.1 pixels."""
    random, lens, found = np.random.default_rng(4), Lens(*LENS), []
    corners = np.asarray(board(cv2).getChessboardCorners(), float)
    corners = (corners - corners.mean(axis=0)) * [1, -1, 1]
    for _ in range(count):
        turned, place = view(random)
        seen = cv2.projectPoints(corners, cv2.Rodrigues(turned)[0], place, lens.matrix, lens.terms)[0].reshape(-1, 2)
        inside = ((seen > 0) & (seen < LENS[2])).all(axis=1)
        found.append(((seen + random.normal(0, 0.1, seen.shape))[inside], np.flatnonzero(inside)))
    return found


def test_the_corners_of_the_board_are_found_in_a_picture():
    square = np.full((72, 72), 255, np.uint8)
    square[12:60] = board(cv2).generateImage((72, 48), None, 0, 1)
    random, lens = np.random.default_rng(1), Lens(*LENS)
    turned, place = facing(0.3, 0.5), np.array([0.02, 0.01, 0.6])
    shown = Filming(blur=0.8).picture(square, SQUARES[0] * SQUARE, [(turned, place)], random)
    seen = BoardFinder(cv2)(shown)["board"]
    corners = np.asarray(board(cv2).getChessboardCorners(), float)
    corners = ((corners - corners.mean(axis=0)) * [1, -1, 1])[seen[1]]
    truth = cv2.projectPoints(corners, cv2.Rodrigues(turned)[0], place, lens.matrix, lens.terms)[0].reshape(-1, 2)
    assert len(seen[1]) == (SQUARES[0] - 1) * (SQUARES[1] - 1)
    assert np.sqrt(np.mean((np.array(seen[0]) - truth) ** 2)) < 0.2
    assert BoardFinder(cv2)(np.full((720, 1280), 90, np.uint8)) == {"board": []}


def test_the_lens_is_found():
    lens, count = calibrated(cv2, views(16), LENS[2])
    assert count >= 8
    assert lens.focal == pytest.approx(LENS[0], rel=5e-3)
    assert lens.centre == pytest.approx(LENS[1], abs=6.0)
    assert lens.distortion[0] == pytest.approx(LENS[3][0], abs=0.02)
    assert lens.error is not None
    assert lens.error < 0.5


def test_few_views_are_refused():
    with pytest.raises(InvalidValue) as error:
        calibrated(cv2, views(3), LENS[2])
    assert Meaning(count=3).of(error.value)


def test_a_calibration_is_read_back_and_scaled(tmp_path: Path):
    path, lens = tmp_path / "camera.toml", Lens(*LENS, error=0.25)
    lens.save(path)
    assert read_lens(path, LENS[2]) == lens
    half = read_lens(path, (640, 360))
    assert half.focal == (550.0, 550.0)
    assert half.centre == (325.75, 175.25)  # the centres of pixels are at whole numbers
    with pytest.raises(InputError):
        read_lens(path, (640, 480))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "size",
        "size = 3",
        "size = [1280, 720]\nfocal = [nan, 1]",
        "size = [1280, 720]\nfocal = [1100.0, true]",
        "a = [" * 5000,
        *(f"{WHOLE}error = {error}" for error in ("inf", "nan", "-0.1", "true", "9" * 400)),
        WHOLE + "# " + "a" * 2**16,
    ],
)
def test_damaged_calibrations_are_refused(text: str, tmp_path: Path):
    (tmp_path / "camera.toml").write_text(text)
    with pytest.raises(InputError):
        read_lens(tmp_path / "camera.toml", LENS[2])


def test_the_damage_is_what_is_refused(tmp_path: Path):
    (tmp_path / "camera.toml").write_text(WHOLE + "error = 0.3")
    assert read_lens(tmp_path / "camera.toml", LENS[2]).error == 0.3


@pytest.mark.nightly
def test_a_film_of_the_board_becomes_a_calibration(tmp_path: Path):
    """The command, from a film to a file that a film of a tag can use; focal lengths to 1 %."""
    square = np.full((72, 72), 255, np.uint8)
    square[12:60] = board(cv2).generateImage((72, 48), None, 0, 1)
    random, camera = np.random.default_rng(4), Filming(blur=0.8)
    shown = [camera.picture(square, SQUARES[0] * SQUARE, [view(random)], random) for _ in range(14)]
    write_film(tmp_path / "board.mp4", shown, LENS[2], 1 / 30, 0.0)
    assert main(["watch", "--calibrate", str(tmp_path / "board.mp4"), "--out", str(tmp_path / "camera.toml")]) == 0
    assert read_lens(tmp_path / "camera.toml", LENS[2]).focal == pytest.approx(LENS[0], rel=1e-2)
