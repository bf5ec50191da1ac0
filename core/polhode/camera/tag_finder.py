"""Tags in single pictures, and their poses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from polhode.camera.lens import Lens
from polhode.camera.pose import TagModel
from polhode.camera.tags import Tag, dictionary_of


def grey(cv2: Any, picture: np.ndarray) -> np.ndarray:
    """Grey levels (height, width) of a picture, which may have colours."""
    return picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


class TagFinder:
    """Looks for tags of one family."""

    def __init__(self, cv2: Any, lens: Lens, family: str, sides: Mapping[int, float]):
        """sides: [m] of the black square, by the number of the tag"""
        self._cv2, self._lens = cv2, lens
        parameters = cv2.aruco.DetectorParameters()
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        self._detector = cv2.aruco.ArucoDetector(dictionary_of(cv2, family), parameters)
        self._models = {k: TagModel(cv2, Tag(family, k).bitmap(cv2), side) for k, side in sides.items()}

    def __call__(self, picture: np.ndarray) -> dict[str, Any]:
        """For each tag that is looked for and seen: its number, and rotation, position, error and match of its poses.

        A number that several tags have is listed once for each of them.
        """
        levels = grey(self._cv2, picture)
        corners, numbers, _ = self._detector.detectMarkers(levels)
        seen = []
        for at, number in zip(corners, () if numbers is None else numbers.ravel().tolist(), strict=True):
            if (model := self._models.get(number)) is not None:
                poses = model.hypotheses(at[0].astype(float), self._lens, levels)
                rows = [[*each.rotation, *each.position, each.error, each.match] for each in poses]
                seen.append([number, np.array(rows).tolist()])
        return {"tags": [each for each in seen if each[1]]}
