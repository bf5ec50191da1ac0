"""The board for calibration: its pattern, its corners in pictures, and the lens from them.

A ChArUco board is a chessboard with ArUco tags in its white squares, so parts of it can be seen and have numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from polhode.camera.lens import TERMS, Lens
from polhode.camera.tag_finder import grey
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

SQUARES = (9, 6)  # columns, rows
SQUARE, TAG = 0.028, 0.021  # [m] sides of squares and tags
FAMILY = "DICT_4X4_50"
LEAST_CORNERS, LEAST_VIEWS, MOST_VIEWS = 12, 8, 40
LEAST_CHANGE = 20.0  # [pixels] mean shift of the corners between two views that count
LARGEST_ERROR = 2.0  # [pixels] root mean square


def board(cv2: Any) -> Any:
    """OpenCV's board."""
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE, TAG, cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, FAMILY)))


class BoardFinder:
    """Looks for the corners of the board."""

    def __init__(self, cv2: Any):
        self._cv2, self._detector = cv2, cv2.aruco.CharucoDetector(board(cv2))

    def __call__(self, picture: np.ndarray) -> dict[str, Any]:
        """Corners [pixels] and their numbers; [] where fewer than LEAST_CORNERS are seen."""
        corners, numbers, *_ = self._detector.detectBoard(grey(self._cv2, picture))
        if numbers is None or len(numbers) < LEAST_CORNERS:
            return {"board": []}
        return {"board": [corners.reshape(-1, 2).astype(float).tolist(), numbers.ravel().tolist()]}


View = tuple[np.ndarray, np.ndarray]  # corners (n, 2) [pixels] and numbers (n,)


def distinct(views: Sequence[View]) -> list[View]:
    """The views that differ from the one before by LEAST_CHANGE, at most MOST_VIEWS of them, spread evenly."""
    chosen: list[View] = []
    for corners, numbers in views:
        if chosen:
            _, here, there = np.intersect1d(numbers, chosen[-1][1], return_indices=True)
            if len(here) and np.linalg.norm(corners[here] - chosen[-1][0][there], axis=1).mean() < LEAST_CHANGE:
                continue
        chosen.append((corners, numbers))
    return [chosen[k] for k in np.unique(np.linspace(0, len(chosen) - 1, MOST_VIEWS).round().astype(int))]


def calibrated(cv2: Any, views: Sequence[View], size: tuple[int, int]) -> tuple[Lens, int]:
    """The lens from views of the board, and the number of views. Raises InvalidValue for too few or wrong ones."""
    chosen = distinct(views) if views else []
    remedy = Message(
        "film the board for 20 s near and far, in all corners of the picture and tilted each way by 30 degrees"
    )
    if len(chosen) < LEAST_VIEWS:
        rule = Message(
            "shows the board in {count} different positions, not {least}", count=len(chosen), least=LEAST_VIEWS
        )
        raise InvalidValue(rule, remedy)
    points = np.asarray(board(cv2).getChessboardCorners(), np.float32)
    seen = [corners.astype(np.float32).reshape(-1, 1, 2) for corners, _ in chosen]
    error, matrix, terms, *_ = cv2.calibrateCamera(
        [points[k].reshape(-1, 1, 3) for _, k in chosen], seen, size, None, None
    )
    if not np.isfinite(error) or error > LARGEST_ERROR:
        raise InvalidValue(Message("leaves an error of {error:.2g} pixels", error=error), remedy)
    focal, centre = (float(matrix[0, 0]), float(matrix[1, 1])), (float(matrix[0, 2]), float(matrix[1, 2]))
    return Lens(focal, centre, size, tuple(map(float, np.ravel(terms)[:TERMS])), float(error)), len(chosen)
