"""Time that a film takes: decoding, finding the tag and its pose, by the process and by what reads from it."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from filmed_tag import LENS, Filming, facing, frames, uneven, write_film

from polhode.camera.lens import Lens
from polhode.camera.picture_process import PictureProcess, Source
from polhode.camera.tags import Tag
from polhode.camera.watching import Wanted

TAG, COUNT, RATE = Tag("36h11", 3), 150, 30


def processor_time() -> float:
    """[s] of this process and of its children that have ended."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


@pytest.mark.nightly
@pytest.mark.skipif(os.name == "nt", reason="the time of children is not known there")
def test_one_core_reads_30_pictures_of_1280_x_720_per_second(tmp_path: Path):
    """Processor time, start of the process included, of a film with noise as a phone makes it."""

    def pose(time: float):
        return facing(0.35, 0.2, 0.3 * np.cos(3.0 * time)), np.array([0.3 * np.sin(time), 0.05, 1.0])

    path = tmp_path / "film.mp4"
    pictures = frames(Filming(exposure=0.004, exposures=3), TAG.bitmap(cv2), 0.04, pose, uneven(COUNT, 1 / RATE, 0.0))
    write_film(path, pictures, LENS[2], 1 / RATE, 0.0, "-c:v", "libx264", "-crf", "23", "-preset", "fast")
    spent = []
    for _ in range(3):
        begun = processor_time()
        process = PictureProcess(Source("film", str(path)))
        rows = Wanted(0.04, TAG).watch(process, Lens(*LENS)).all_rows()
        process.close()
        spent.append(processor_time() - begun)
        assert len(rows) == COUNT
    print(f"{COUNT / min(spent):.1f} pictures per second of processor time")
    assert COUNT / min(spent) > RATE
