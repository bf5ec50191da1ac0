"""Films in three containers with damaged bytes, decoded by the process with limits, and searched for a tag."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from filmed_tag import Filming, facing, frames, write_film

from fuzz.case import Case, Target
from fuzz.damage import damaged
from polhode.camera.lens import chosen_lens
from polhode.camera.picture_process import PictureProcess, Source
from polhode.camera.tags import Tag
from polhode.camera.watching import Wanted

TAG, SIDE, SIZE = Tag("36h11", 3), 0.04, (128, 96)
CODECS = {
    "film.mp4": ("-c:v", "libx264", "-crf", "20", "-preset", "ultrafast"),
    "film.mkv": ("-c:v", "libvpx", "-b:v", "400k"),
    "film.avi": ("-c:v", "mjpeg", "-q:v", "5"),
}
WORDS = (
    "ftyp",
    "moov",
    "mdat",
    "trak",
    "mvhd",
    "stts",
    "stsz",
    "co64",
    "dref",
    "url ",
    "RIFF",
    "movi",
    "avc1",
    "http://",
)


def bases() -> list[Case]:
    """A film of six small pictures in each container."""
    camera = Filming(focal=120.0, size=SIZE, centre=(63.5, 47.5), distortion=(0.0,) * 5)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, codec in CODECS.items():
            path = Path(folder, name)
            pose = facing(0.4), np.array([0.0, 0.0, 0.12])
            shown = frames(camera, TAG.bitmap(cv2), SIDE, lambda _time, pose=pose: pose, np.arange(6.0))
            write_film(path, shown, SIZE, 0.1, 0.0, *codec)
            found.append(Case(name, path.read_bytes()))
    return found


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """A damaged film; the start of the file, by which it is refused, is mostly kept."""
    changed = damaged(case.content, [chance.choice(known).content], chance, WORDS)
    return Case(case.name, changed if chance.random() < 0.2 else case.content[:16] + changed[16:])


def read(path: Path, content: bytes) -> str:
    """Whether rows come of it; their numbers are finite, and their times rise."""
    pictures = PictureProcess(Source("film", str(path)))
    try:
        lens, _ = chosen_lens(pictures.size, None, None)
        rows = np.array(Wanted(SIDE, TAG).watch(pictures, lens).all_rows())
    finally:
        pictures.close()
    assert np.isfinite(rows).all(), "a number is not finite"
    assert (np.diff(rows[:, 0]) > 0).all(), "times do not increase"
    return f"{len(rows)} rows"


TARGET = Target("film", bases, mutate, read, goal=5_000, quick=10, seconds=30, memory=6 * 2**30)
