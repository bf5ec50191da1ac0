"""A coloured ball by its circle: the direction of its centre, and the distance from its known diameter.

The pixels with the most saturated colour of the picture that differ from its background form a disc. Its area A gives
the angular radius: for a focal length f the distance is about f d / (2 sqrt(A / pi)). The depth follows the error of
the radius; in the plane of a pendulum's motion, which is at rest, the median of all depths is the better value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode.camera.lens import Lens

LEAST_SATURATION = 80  # of 255
LEAST_AREA = 30.0  # [pixels]
ROUND = 0.75  # least 4 pi A / U^2 of the outline


class BallFinder:
    """Looks for the largest round patch of saturated colour."""

    def __init__(self, cv2: Any, lens: Lens, diameter: float):
        """diameter: [m]"""
        self._cv2, self._lens, self._diameter = cv2, lens, diameter

    def __call__(self, picture: np.ndarray) -> dict[str, Any]:
        """Position (3,) [m] of the centre and the radius [pixels] of the circle; None where there is no ball."""
        cv2 = self._cv2
        if picture.ndim == 2:
            return {"ball": None}
        saturation = cv2.cvtColor(cv2.GaussianBlur(picture, (3, 3), 0), cv2.COLOR_BGR2HSV)[..., 1]
        level, mask = cv2.threshold(saturation, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        if level < LEAST_SATURATION:
            mask = np.where(saturation > LEAST_SATURATION, 255, 0).astype(np.uint8)
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        rounds = [each for each in outlines if self._is_round(each)]
        if not rounds:
            return {"ball": None}
        outline = max(rounds, key=cv2.contourArea)
        weights = np.zeros(mask.shape, np.uint8)
        cv2.drawContours(weights, [outline], -1, 1, -1)
        moments = cv2.moments(weights, binaryImage=True)
        centre = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
        radius = float(np.sqrt(moments["m00"] / np.pi))
        ray = cv2.undistortPoints(centre.reshape(1, 1, 2), self._lens.matrix, self._lens.terms).ravel()
        depth = 0.5 * (self._lens.focal[0] + self._lens.focal[1]) * 0.5 * self._diameter / radius
        return {"ball": [*(depth * ray).tolist(), depth, radius]}

    def _is_round(self, outline: np.ndarray) -> bool:
        area, length = self._cv2.contourArea(outline), self._cv2.arcLength(outline, True)
        return area >= LEAST_AREA and 4 * np.pi * area >= ROUND * length**2
