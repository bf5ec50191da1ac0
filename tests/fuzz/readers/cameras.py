"""Calibrations of cameras, and streams of pictures in place of a camera: damaged bytes, words and numbers."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fuzz.case import Case, Target
from fuzz.damage import damaged
from polhode.camera.lens import read_lens
from polhode.camera.pictures import Pipe

LENS = """# Camera
size = [1280, 720]
focal = [1100.0, 1102.5]
centre = [652.0, 351.0]
distortion = [-0.12, 0.05, 0.0005, -0.0003, 0.0]
error = 0.21
"""
WORDS = ("size", "focal", "centre", "distortion", "error", "[", "]", "=", "YUV4MPEG2", "FRAME", "C420", "Cmono", "\n")
MOST = 50  # pictures that are taken


def bases() -> list[Case]:
    """A calibration, and two streams of some pictures."""
    found = [Case("camera.toml", LENS.encode())]
    for colours, extra in (("Cmono", 0), ("C420jpeg", 2 * 16 * 12)):
        picture = b"FRAME\n" + bytes(range(256)) * 3 + bytes(extra)
        found.append(Case("pipe.y4m", f"YUV4MPEG2 W32 H24 F30:1 Ip A1:1 {colours}\n".encode() + 4 * picture))
    return found


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """A damaged file of the same kind."""
    alike = [each.content for each in known if each.name == case.name]
    return Case(case.name, damaged(case.content, [chance.choice(alike)], chance, WORDS))


def read(path: Path, content: bytes) -> str:
    """The lens, whose numbers are finite, or the pictures, which have the stated size."""
    if path.suffix == ".toml":
        lens = read_lens(path, (640, 360))
        assert np.isfinite([*lens.focal, *lens.centre, *lens.distortion]).all(), "a number is not finite"
        assert np.isfinite(lens.error or 0.0), "the error is not finite"
        assert lens.size == (640, 360), "of another size"
        return "lens"
    pipe, count, last = Pipe(io.BytesIO(content)), 0, -1.0
    for time, picture in pipe:
        assert picture.shape == pipe.size[::-1], "of another size"
        assert time >= last, "the time goes back"
        count, last = count + 1, time
        if count == MOST:
            break
    return f"{min(count, 3)} pictures"


TARGET = Target("camera", bases, mutate, read, goal=50_000, memory=2**30)
