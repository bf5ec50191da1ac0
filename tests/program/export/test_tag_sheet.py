"""Sheets with tags and the calibration board: to scale, and legible for the detector."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pytest
from matplotlib.figure import Figure

from polhode.camera.board import SQUARE, SQUARES, board
from polhode.camera.tags import dictionary_of, tag_of
from polhode_app.cli.main import main
from polhode_app.export.tag_sheet import board_page, tag_page

DPI = 254  # 10 pixels per millimetre


def drawn(page: Figure) -> np.ndarray:
    page.savefig(buffer := io.BytesIO(), format="png", dpi=DPI)
    return cv2.imdecode(np.frombuffer(buffer.getvalue(), np.uint8), cv2.IMREAD_GRAYSCALE)


@pytest.mark.parametrize("name", ["36h11:3", "4x4_50:0", "6x6_250:17"])
def test_a_tag_is_drawn_to_scale(name: str):
    tag = tag_of(name)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary_of(cv2, tag.family)).detectMarkers(
        drawn(tag_page(tag, 0.04))
    )
    assert numbers.ravel().tolist() == [tag.number]
    sides = np.linalg.norm(corners[0][0] - np.roll(corners[0][0], 1, axis=0), axis=1)
    assert sides == pytest.approx(400, abs=2)


def test_the_board_is_drawn_to_scale():
    corners, numbers, *_ = cv2.aruco.CharucoDetector(board(cv2)).detectBoard(drawn(board_page()))
    assert len(numbers) == (SQUARES[0] - 1) * (SQUARES[1] - 1)
    across = np.ptp(corners.reshape(-1, 2), axis=0)
    assert across == pytest.approx([10_000 * SQUARE * (each - 2) for each in SQUARES], abs=2)


def test_sheets_are_written_as_pdf(tmp_path: Path):
    for name, words in (("tag.pdf", ["--tag", "36h11:3", "--size", "0.04"]), ("board.pdf", [])):
        assert main(["watch", "--board", str(tmp_path / name), *words]) == 0
        assert (tmp_path / name).read_bytes().startswith(b"%PDF")
    assert main(["watch", "--board", str(tmp_path / "no.pdf"), "--tag", "36h11:3", "--size", "0.4"]) == 2
    assert main(["watch", "--board", str(tmp_path / "no.png")]) == 2
    assert not (tmp_path / "no.pdf").exists()
