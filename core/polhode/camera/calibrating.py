"""Calibration of a camera from a film of the board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from polhode.camera.board import calibrated
from polhode.camera.lens import Lens
from polhode.camera.picture_process import PictureProcess, Source
from polhode.camera.tags import vision
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue


def calibration_of(film: Path, check_cancelled: Callable[[], None] = lambda: None) -> tuple[Lens, Message]:
    """The lens of the camera that has filmed the board, and the number of positions and the error as a text.

    check_cancelled: called often; what it raises ends the work. Raises InputError.
    """
    pictures = PictureProcess(Source("film", str(film)), check_cancelled)
    found = [answer["board"] for answer in pictures.look({"board": True}) if answer["board"]]
    views = [(np.array(corners), np.array(numbers)) for corners, numbers in found]
    try:
        lens, count = calibrated(vision(str(film)), views, pictures.size)
    except InvalidValue as error:
        raise InputError(str(film), [error.problem]) from None
    return lens, Message("{count} positions of the board, error {error:.2f} pixels", count=count, error=lens.error or 0)
