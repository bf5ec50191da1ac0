"""Printed tags: families of AprilTag and ArUco, their numbers and bitmaps, by the optional library OpenCV."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from polhode.data.optional_library import optional_library
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

FAMILIES = {
    "16h5": "DICT_APRILTAG_16H5",
    "25h9": "DICT_APRILTAG_25H9",
    "36h10": "DICT_APRILTAG_36H10",
    "36h11": "DICT_APRILTAG_36H11",
    **{f"{n}x{n}_{count}": f"DICT_{n}X{n}_{count}" for n in (4, 5, 6, 7) for count in (50, 100, 250, 1000)},
    "original": "DICT_ARUCO_ORIGINAL",
}
"""Names in OpenCV by our names: those of AprilTag with a Hamming distance, those of ArUco with a count."""
NAME = re.compile(r"([0-9a-z_]{1,16}):([0-9]{1,5})")


def vision(source: str) -> Any:
    """The module cv2. source: what needs it. Raises InputError with the package to install."""
    return optional_library(source, "cv2", package="opencv-python-headless")


@dataclass(frozen=True)
class Tag:
    """A tag by its family, such as "36h11", and its number."""

    family: str
    number: int

    def __str__(self) -> str:
        return f"{self.family}:{self.number}"

    def bitmap(self, cv2: Any) -> np.ndarray:
        """(n, n) cells from the top left corner, black border included: 0 black, 255 white."""
        dictionary = dictionary_of(cv2, self.family)
        return np.asarray(cv2.aruco.generateImageMarker(dictionary, self.number, dictionary.markerSize + 2))


def tag_of(text: str) -> Tag:
    """The tag that a name such as "36h11:3" or "4x4_50:0" means. Raises InvalidValue."""
    found = NAME.fullmatch(text.strip().lower())
    if found is None or found[1] not in FAMILIES:
        rule = Message("'{text}' is no tag", text=text)
        names = ", ".join(FAMILIES)
        raise InvalidValue(rule, Message("write FAMILY:NUMBER, such as 36h11:3; families: {names}", names=names))
    return Tag(found[1], int(found[2]))


def dictionary_of(cv2: Any, family: str) -> Any:
    """OpenCV's dictionary of a family of FAMILIES."""
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, FAMILIES[family]))


def check_number(cv2: Any, tag: Tag) -> None:
    """Raise InvalidValue if a family has no tag of this number."""
    count = len(dictionary_of(cv2, tag.family).bytesList)
    if tag.number >= count:
        rule = Message("the family {family} has no tag {number}", family=tag.family, number=tag.number)
        raise InvalidValue(rule, Message("use a number from 0 to {last}", last=count - 1))
