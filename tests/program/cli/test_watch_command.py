"""polhode watch: films and pipes that this file makes itself, sheets to print, calibration, and bad input."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from filmed_tag import LENS, SIDE_BY_SIDE, Filming, facing, frames, uneven, write_film

from polhode.camera import picture_process
from polhode.camera.lens import Lens
from polhode.camera.tags import Tag
from polhode.data.reading import read_data
from polhode_app.cli.main import main

TAG, SIDE, COUNT, INTERVAL, JITTER = Tag("36h11", 3), 0.04, 24, 1 / 30, 0.008
WATCH = ("--tag", "36h11:3", "--size", "0.04")


def pose(time: float):
    angle = 0.3 * np.cos(3.1 * time)
    return facing(0.35, 0.2, angle), np.array([0.5 * np.sin(angle), 0.5 * np.cos(angle) - 0.45, 1.0])


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "swing.mp4"
    shown = frames(Filming(), TAG.bitmap(cv2), SIDE, pose, uneven(COUNT, INTERVAL, JITTER))
    write_film(path, shown, LENS[2], INTERVAL, JITTER)
    Lens(*LENS).save(path.with_name("camera.toml"))
    return path


def watched(*words: object) -> int:
    return main(["watch", *map(str, words)])


def test_a_film_of_varying_rate_becomes_a_table(film: Path, tmp_path: Path):
    out = tmp_path / "pose.csv"
    assert watched("--film", film, *WATCH, "--calibration", film.with_name("camera.toml"), "--out", out) == 0
    data, times = read_data(out), uneven(COUNT, INTERVAL, JITTER)
    assert np.abs(data.times - times).max() < 1e-7  # not 1/30 s
    assert np.ptp(np.diff(times)) > 0.01
    truth = np.array([pose(time)[1] for time in times])
    for axis, most in zip("xyz", (0.3e-3, 0.3e-3, 2e-3), strict=True):
        assert np.abs(data.column(axis).values - truth[:, "xyz".index(axis)]).max() < most
        assert data.column(axis).unit == "m"
    turns = np.array([pose(time)[0] for time in times])
    for k in range(3):
        seen = np.column_stack([data.column(f"u{k + 1}.{axis}").values for axis in "xyz"])
        assert np.abs(seen - turns[:, :, k]).max() < 0.03


def test_a_camera_is_a_pipe_here(film: Path, tmp_path: Path):
    """Each row is written as soon as its picture has come; the times are those of arrival."""
    pipe, out = tmp_path / "camera.y4m", tmp_path / "live.csv"
    os.mkfifo(pipe)
    thread = threading.Thread(target=stream, args=(pipe, SIDE_BY_SIDE), daemon=True)
    thread.start()
    assert watched("--pipe", pipe, *WATCH, "--focal", 1100, "--out", out) == 0
    thread.join()
    assert len(read_data(out).times) == len(SIDE_BY_SIDE)
    assert read_data(out).column("x").values[-1] > read_data(out).column("x").values[0] + 0.05


def stream(pipe: Path, positions: tuple[float, ...], end: threading.Event | None = None) -> None:
    """Pictures of a tag at positions [m] along x, in the format of a camera's pipe."""
    camera, noise = Filming(), np.random.default_rng(0)
    with pipe.open("wb", buffering=0) as file:
        file.write(b"YUV4MPEG2 W1280 H720 F30:1 Cmono\n")
        for x in positions:
            picture = camera.picture(TAG.bitmap(cv2), SIDE, [(facing(0.4), np.array([x, 0.0, 1.0]))], noise)
            file.write(b"FRAME\n")
            file.write(picture.tobytes())
        if end is not None:
            end.wait(30)


@pytest.mark.parametrize("seen", [0, 3])
def test_a_camera_that_stalls_keeps_its_rows(seen: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr(picture_process, "STALL", 3.0)
    pipe, out, end = tmp_path / "camera.y4m", tmp_path / "live.csv", threading.Event()
    os.mkfifo(pipe)
    thread = threading.Thread(target=stream, args=(pipe, SIDE_BY_SIDE[:seen], end), daemon=True)
    thread.start()
    assert watched("--pipe", pipe, *WATCH, "--focal", 1100, "--out", out) == 2
    assert str(pipe) in capsys.readouterr().err
    end.set()
    thread.join()
    assert out.exists() == bool(seen)
    assert not seen or len(read_data(out).times) == seen


def two_tags() -> Iterator[np.ndarray]:
    for picture in frames(Filming(), TAG.bitmap(cv2), SIDE, pose, np.zeros(3)):
        picture[:, :600] = picture[:, 600:1200]
        yield picture


def test_two_tags_of_one_number_are_refused_with_their_time(tmp_path: Path, capsys):
    path = tmp_path / "two.mp4"
    write_film(path, two_tags(), LENS[2], INTERVAL, 0.0)
    assert watched("--film", path, *WATCH, "--focal", 1100, "--out", tmp_path / "pose.csv") == 2
    said = capsys.readouterr().err
    assert "0.000" in said
    assert str(path) in said
    assert not (tmp_path / "pose.csv").exists()


@pytest.mark.parametrize(
    "content", [b"", b"no film", b"\0\0\0\x18ftypmp42" + bytes(200), b"#EXTM3U\nfile:///etc/passwd\n"]
)
def test_what_is_no_film_is_refused(content: bytes, tmp_path: Path, capsys):
    path, out = tmp_path / "film.mp4", tmp_path / "pose.csv"
    path.write_bytes(content)
    out.write_text("kept")
    assert watched("--film", path, *WATCH, "--out", out) == 2
    assert str(path) in capsys.readouterr().err
    assert out.read_text() == "kept"


def test_a_film_that_ends_early_gives_the_rows_before(film: Path, tmp_path: Path):
    path, out = tmp_path / "cut.mkv", tmp_path / "pose.csv"
    shown = list(frames(Filming(), TAG.bitmap(cv2), SIDE, pose, uneven(12, INTERVAL, 0.0)))
    write_film(path, shown, LENS[2], INTERVAL, 0.0)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    assert watched("--film", path, *WATCH, "--focal", 1100, "--out", out) == 0
    assert 4 <= len(read_data(out).times) < 12


@pytest.mark.parametrize(
    "words",
    [
        ("--tag", "36h11:5", "--size", "0.04"),  # never seen
        ("--tag", "36h11:999", "--size", "0.04"),
        ("--tag", "36h11:3"),
        ("--tag", "36h11:3", "--size", "nan"),
        ("--tag", "36h11:3", "--size", "0.04", "--frame", "36h11:8"),  # never seen
        ("--tag", "36h11:3", "--size", "0.04", "--frame", "25h9:8"),
        ("--tag", "36h11:3", "--size", "0.04", "--ball", "0.04"),
        ("--ball", "0.04"),  # none there
        ("--tag", "36h11:3", "--size", "0.04", "--camera", "0"),
        (),
    ],
)
def test_bad_requests_are_refused(words: tuple[str, ...], film: Path, tmp_path: Path, capsys):
    out = tmp_path / "pose.csv"
    assert watched("--film", film, *words, "--out", out) == 2
    assert capsys.readouterr().err
    assert not out.exists()


def test_without_opencv_its_package_is_named(film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr(picture_process, "find_spec", lambda name: None)
    assert watched("--film", film, *WATCH, "--out", tmp_path / "pose.csv") == 2
    assert "opencv-python-headless" in capsys.readouterr().err


def test_commands_load_no_opencv():
    probe = "import sys, polhode_app.cli.commands; sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
