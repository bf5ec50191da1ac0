"""Outputs that are pipes: a table goes to the reader of the pipe, a recording is refused."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from command_line import polhode, refused
from meaning import Meaning

from polhode.scene import gallery

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
RUN = ("run", gallery.path("heavy_top"), "--until", "0.02", "--every", "0.01", "--out")


def test_a_pipe_gets_the_whole_table(tmp_path: Path) -> None:
    """Opening it for a trial would be the end of the table for its reader."""
    os.mkfifo(tmp_path / "pipe.csv")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe.csv").read_text()), daemon=True)
    reader.start()
    done = polhode(*RUN, "pipe.csv", folder=tmp_path)
    reader.join(10.0)
    assert done.returncode == 0
    polhode(*RUN, "file.csv", folder=tmp_path)
    assert read == [(tmp_path / "file.csv").read_text()]


def test_a_recording_is_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.vtkhdf")
    said = refused(*RUN, "pipe.vtkhdf", folder=tmp_path)
    assert Meaning("pipe.vtkhdf", "socket").of(said)
