"""Films and pictures as other programs find them: read back by a decoder, not by what wrote them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from pictures import PENDULUM, pendulum
from PIL import Image

from polhode.scene.problem import InputError
from polhode.simulation.simulation import Diverged
from polhode_app.export.video import render
from polhode_app.export.video_file import VideoFile

SMALL = (96, 64)


def frames(path: Path) -> tuple[list[np.ndarray], float]:
    """All frames of a film and its rate [1/s]."""
    reader = imageio_ffmpeg.read_frames(str(path))
    about = next(reader)
    width, height = about["size"]
    return [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in reader], about["fps"]


def moving(pictures: list[np.ndarray]) -> bool:
    return bool(np.abs(pictures[0].astype(int) - pictures[-1]).max() > 60)


def test_a_film_holds_every_frame_and_moves(tmp_path: Path) -> None:
    shares: list[float] = []
    render(pendulum(), 0.5, tmp_path / "swing.mp4", SMALL, fps=20, progress=shares.append)
    pictures, rate = frames(tmp_path / "swing.mp4")
    assert len(pictures) == 11
    assert rate == 20
    assert moving(pictures)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert [file.name for file in tmp_path.iterdir()] == ["swing.mp4"]


def test_twice_the_speed_takes_half_the_frames(tmp_path: Path) -> None:
    render(pendulum(), 0.5, tmp_path / "fast.mp4", SMALL, fps=20, speed=2.0)
    assert len(frames(tmp_path / "fast.mp4")[0]) == 6


@pytest.mark.parametrize(("rows", "kept"), [(1080, 1080), (66, 66), (65, 66)])
def test_even_sizes_are_kept_and_odd_ones_grow_by_one(tmp_path: Path, rows: int, kept: int) -> None:
    film = VideoFile(tmp_path / "size.mp4", (96, rows))
    film.add(np.full((rows, 96, 3), 240, np.uint8))
    film.close()
    frame = frames(tmp_path / "size.mp4")[0][0]
    assert frame.shape == (kept, 96, 3)
    assert frame.min() > 230  # the row that was added is not black


def test_a_gif_plays_in_true_time(tmp_path: Path) -> None:
    """At 30 frames per second a GIF would need delays of 3.33 hundredths: it takes 3, and frames to match."""
    render(pendulum(), 0.6, tmp_path / "swing.gif", SMALL, fps=30)
    with Image.open(tmp_path / "swing.gif") as image:
        assert image.info["duration"] == 30
        assert image.n_frames == 21
    assert moving(frames(tmp_path / "swing.gif")[0])


def test_a_picture_shows_the_moment_asked_for(tmp_path: Path) -> None:
    for time in (0.0, 0.3):
        render(pendulum(), time, tmp_path / f"{time}.png", SMALL)
    start, later = (np.asarray(Image.open(tmp_path / f"{time}.png")) for time in (0.0, 0.3))
    assert start.shape == (64, 96, 3)
    assert moving([start, later])


def test_an_interrupted_film_ends_where_it_was_interrupted(tmp_path: Path) -> None:
    def interrupt(share: float) -> None:
        if share > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        render(pendulum(), 1.0, tmp_path / "cut.mp4", SMALL, fps=20, progress=interrupt)
    assert len(frames(tmp_path / "cut.mp4")[0]) == 10


def test_a_diverging_run_keeps_the_film_so_far(tmp_path: Path) -> None:
    with pytest.raises(Diverged):
        render(pendulum(gravity=(0, 0, -1e9)), 10.0, tmp_path / "lost.mp4", SMALL, fps=20)
    assert frames(tmp_path / "lost.mp4")[0]


def test_a_cancelled_film_leaves_nothing(tmp_path: Path) -> None:
    film = VideoFile(tmp_path / "none.mp4", SMALL)
    film.add(np.zeros((64, 96, 3), np.uint8))
    film.cancel()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["film.avi", "film", "missing/film.mp4", "missing/picture.png", "folder.mp4"])
def test_what_cannot_be_written_is_said_before_the_work(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.mp4").mkdir()
    with pytest.raises(InputError) as told:
        render(pendulum(), 1e9, tmp_path / name, SMALL)
    assert told.value.problems[0].remedy
    assert [file.name for file in tmp_path.iterdir()] == ["folder.mp4"]


def test_a_missing_encoder_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "no-such-ffmpeg"))
    with pytest.raises(InputError, match="encoder"):
        VideoFile(tmp_path / "film.mp4", SMALL)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="only there VTK looks for a display server")
def test_without_a_screen_nothing_complains_and_no_widgets_are_loaded(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from polhode.scene.scene import Scene;"
        "from polhode_app.export.video import render;"
        f"render(Scene.model_validate({{'body': [{PENDULUM!r}]}}), 0.0, Path({str(tmp_path / 'a.png')!r}), (64, 48));"
        "assert 'PySide6.QtWidgets' not in sys.modules"
    )
    screenless = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([sys.executable, "-c", code], env=screenless, capture_output=True, text=True, timeout=290)
    assert (done.returncode, done.stderr) == (0, "")
    assert Image.open(tmp_path / "a.png").size == (64, 48)
