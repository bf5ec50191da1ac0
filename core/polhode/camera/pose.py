"""Position and orientation of a square tag from its picture.

The four corners have two poses with nearly the same projection (Collins & Bartoli, 2014, infinitesimal plane-based
pose estimation). Each of them is refined with the grey levels of the whole tag: the pose p and the contrast minimise

    sum_k (I(u(X_k, p)) - a - b T(X_k) - c_ij d_i d_j T(X_k))^2

over points X_k of the tag, by Gauss-Newton steps with the gradient of the picture I. T is the known pattern, blurred as
a sharp picture of this scale; the three c_ij take up the blur by focus and motion, to first order, so that it does not
change the size of the tag. All edges of the pattern contribute, so corners need no refinement of their own.

Frame of the tag: origin in its middle, x to the right, y up and z out of its printed side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from polhode.camera.lens import Lens

SAMPLES = 4  # points per cell and direction, an even number
MARGIN = 0.5  # cells of the white border that count
BLUR = 0.8  # [pixels] of the pattern
STEPS = 8  # of Gauss-Newton at most
SMALL = 2e-3  # [pixels] of a step that ends them
LARGEST_STEP = 50.0  # [pixels]
LEAST_PART = 8  # pixels along a side of the part of the picture
LEAST_MATCH = 0.6  # correlation of picture and pattern, below which a refined pose does not count


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A pose of the tag in the frame of the camera."""

    rotation: np.ndarray  # (3,) rotation vector [rad]
    position: np.ndarray  # (3,) [m]
    error: float  # [pixels] root mean square distance of the projected corners from the detected ones
    match: float  # correlation of the picture with the pattern, up to 1; 0 where not refined


class TagModel:
    """A tag of known side, and its pattern."""

    def __init__(self, cv2: Any, bitmap: np.ndarray, side: float):
        """bitmap: (n, n) cells, black border included; side: [m] of the black square"""
        self._cv2, self._side, self._cells = cv2, side, len(bitmap)
        half = 0.5 * side
        self._corners = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
        pad = 2  # cells around, so that the blur has something to average
        fine = np.kron(np.pad(np.where(bitmap > 127, 1.0, 0.0), pad, constant_values=1.0), np.ones((SAMPLES, SAMPLES)))
        edge = round((pad - MARGIN) * SAMPLES)
        self._fine, self._inside = fine, np.s_[edge : len(fine) - edge, edge : len(fine) - edge]
        count = len(fine) - 2 * edge
        at = ((np.arange(count) + 0.5) / SAMPLES - MARGIN) / self._cells - 0.5
        x, y = np.meshgrid(at * side, -at * side)
        self._points = np.stack((x, y, np.zeros_like(x)), axis=-1).reshape(-1, 3)
        self._patterns: dict[int, np.ndarray] = {}

    def hypotheses(self, corners: np.ndarray, lens: Lens, picture: np.ndarray | None = None) -> list[Hypothesis]:
        """One or two poses, that of the smaller error first.

        corners: (4, 2) [pixels] from the top left corner of the tag clockwise
        picture: (height, width) grey levels, for refinement by the pattern
        """
        cv2 = self._cv2
        found = cv2.solvePnPGeneric(
            self._corners, corners.reshape(4, 1, 2).astype(float), lens.matrix, lens.terms,
            flags=cv2.SOLVEPNP_IPPE_SQUARE,
        )  # fmt: skip
        made = []
        for turn, place in zip(found[1], found[2], strict=True):
            start = np.concatenate((turn.ravel(), place.ravel()))
            if not np.isfinite(start).all() or start[5] <= 0.0:
                continue
            refined, match = (start, 0.0) if picture is None else self._refined(start, corners, lens, picture)
            seen = cv2.projectPoints(self._corners, refined[:3], refined[3:], lens.matrix, lens.terms)[0].reshape(4, 2)
            error = float(np.sqrt(np.mean(np.sum((seen - corners) ** 2, axis=1))))
            made.append(Hypothesis(refined[:3], refined[3:], error, match))
        return sorted(made, key=lambda each: each.error)

    def _refined(
        self, start: np.ndarray, corners: np.ndarray, lens: Lens, picture: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Pose (6,) that fits the pattern, and its correlation; the start and 0 where that fails."""
        scale = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()) / self._cells
        pattern, cv2 = self._pattern(scale), self._cv2
        part, corner = _around(picture, corners, int(4 + 2 * scale))
        if min(part.shape) < LEAST_PART:
            return start, 0.0
        levels = [part, *(cv2.Sobel(part, cv2.CV_32F, *axis, ksize=3, scale=0.125) for axis in ((1, 0), (0, 1)))]
        pose, match = start.copy(), 0.0
        for _ in range(STEPS):
            seen, slope = cv2.projectPoints(self._points, pose[:3], pose[3:], lens.matrix, lens.terms)[:2]
            at = (seen.reshape(-1, 1, 2) - corner).astype(np.float32)
            here, along, down = (
                cv2.remap(each, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).ravel() for each in levels
            )
            rates = along[:, None] * slope[0::2, :6] + down[:, None] * slope[1::2, :6]
            step, match = _step(here, rates, pattern)
            pose += step
            moved = float(np.abs(slope[:, :6] @ step).max())
            if not moved <= LARGEST_STEP or pose[5] <= 0.0:
                return start, 0.0
            if moved < SMALL:
                break
        return (pose, match) if match > LEAST_MATCH else (start, 0.0)

    def _pattern(self, scale: float) -> np.ndarray:
        """(n, 5) at the points, as seen at `scale` [pixels per cell]: 1, the pattern, and its second derivatives.

        The derivatives account for a blur other than BLUR, also by motion in one direction.
        """
        sigma = max(round(10 * BLUR * SAMPLES / max(scale, 0.5)), 1)
        if sigma not in self._patterns:
            blurred = self._cv2.GaussianBlur(self._fine, (0, 0), sigma / 10)
            slopes = np.gradient(blurred)
            seconds = (np.gradient(slopes[0], axis=0), np.gradient(slopes[0], axis=1), np.gradient(slopes[1], axis=1))
            columns = (np.ones_like(blurred), blurred, *seconds)
            self._patterns[sigma] = np.column_stack([each[self._inside].ravel() for each in columns])
        return self._patterns[sigma]


def _around(picture: np.ndarray, corners: np.ndarray, pad: int) -> tuple[np.ndarray, np.ndarray]:
    """The part of a picture around corners (4, 2), with a margin, and the position (2,) of its first pixel."""
    height, width = picture.shape
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - pad, 0)
    right, bottom = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + pad, (width, height))
    return picture[top:bottom, left:right].astype(np.float32), np.array([left, top])


def _step(here: np.ndarray, rates: np.ndarray, pattern: np.ndarray) -> tuple[np.ndarray, float]:
    """Gauss-Newton step (6,) of the pose, and the correlation before it.

    here: (n,) grey levels; rates: (n, 6) their derivatives by the pose; pattern: (n, k) whose sum explains them
    """
    columns = np.column_stack((rates, pattern))
    weights = np.maximum(np.sqrt(np.einsum("ij,ij->j", columns, columns)), 1e-12)
    columns /= weights
    normal, right = columns.T @ columns, columns.T @ here
    step = np.linalg.lstsq(normal, right, rcond=None)[0] / weights
    shown = slice(rates.shape[1], None)
    explained = right[shown] @ np.linalg.lstsq(normal[shown, shown], right[shown], rcond=None)[0]
    total, mean = float(here @ here), float(here.mean()) ** 2 * len(here)
    return -step[: rates.shape[1]], float(np.sqrt(max(explained - mean, 0.0) / max(total - mean, 1e-12)))
