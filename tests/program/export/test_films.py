"""Films and pictures with all that can be asked of them, of scenes and of recordings."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from command_line import polhode
from meaning import Meaning, refuses
from pictures import pendulum
from PIL import Image
from recording_files import advance, begun, ended
from sampling import sampled
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode import read_scene
from polhode.recording.reader import RecordedRun, read_recording
from polhode.scene import gallery
from polhode.scene.scene_file import scene_of
from polhode_app.export.camera_motion import orbiting, through_keys
from polhode_app.export.camera_path import CameraKey, key_of, read_keys
from polhode_app.export.video import RenderSettings, render

SMALL = (96, 64)


@pytest.fixture
def run(tmp_path: Path) -> RecordedRun:
    """Half a second of the pendulum."""
    simulation, taping = begun(pendulum(), tmp_path / "run.vtkhdf", 10)
    advance(simulation, taping, 50)
    ended(taping)
    return read_recording(taping.path)


def frames(path: Path) -> list[np.ndarray]:
    reader = imageio_ffmpeg.read_frames(str(path))
    width, height = next(reader)["size"]
    return [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in reader]


def change(first: np.ndarray, second: np.ndarray) -> int:
    return int(np.abs(first.astype(int) - second).max())


def test_a_recording_is_filmed_as_its_scene_would_be(run: RecordedRun, tmp_path: Path) -> None:
    render(run, 0.5, tmp_path / "recorded.mp4", SMALL, fps=20)
    render(pendulum(), 0.5, tmp_path / "run.mp4", SMALL, fps=20)
    recorded, ran = frames(tmp_path / "recorded.mp4"), frames(tmp_path / "run.mp4")
    assert len(recorded) == len(ran) == 11
    assert all(np.array_equal(one, other) for one, other in zip(recorded, ran, strict=True))
    assert change(recorded[0], recorded[-1]) > 60


@pytest.mark.parametrize("out", sampled(["film.mp4", "still.png"], 2))
def test_trails_of_uncertain_scenes_have_bands(out: str, tmp_path: Path) -> None:
    """Beside the same scene with a certain length, whose trails have none."""
    shape, drawn = {"kind": "point", "mass": 1.0}, []
    body = {"name": "bob", "support": "pivot", "orientation": {"axis": [1, 0, 0], "angle": 1.0}}
    for length in ("-0.458 +- 0.02", -0.458):
        scene = scene_of({"body": [body | {"shape": [shape | {"position": [0, 0, length]}]}]}, "test")
        render(scene, 1.0, tmp_path / out, (480, 270), fps=10)
        last = np.asarray(Image.open(tmp_path / out)) if out.endswith("png") else frames(tmp_path / out)[-1]
        drawn.append(last[..., :3].astype(int))
    differs = np.abs(drawn[0] - drawn[1]).max(axis=2) > 12
    assert 200 < differs.sum() < 0.3 * differs.size


def test_a_film_begins_where_it_is_asked_to(run: RecordedRun, tmp_path: Path) -> None:
    render(run, 0.5, tmp_path / "late.mp4", SMALL, fps=20, look=RenderSettings(begin=0.3))
    assert len(frames(tmp_path / "late.mp4")) == 5


def test_arrows_are_as_long_as_they_are_wanted(tmp_path: Path) -> None:
    compass, pictures = read_scene(gallery.path("compass")), []
    for size in (1.0, 1.0, 3.0):
        render(compass, 0.0, tmp_path / "picture.png", SMALL, look=RenderSettings(sizes=(("dipoles", size),)))
        pictures.append(np.asarray(Image.open(tmp_path / "picture.png")))
    assert change(*pictures[:2]) == 0
    assert change(*pictures[1:]) > 60


def test_webm_and_pictures_one_by_one(run: RecordedRun, tmp_path: Path) -> None:
    render(run, 0.2, tmp_path / "film.webm", (95, 63), fps=20)
    assert [frame.shape for frame in frames(tmp_path / "film.webm")] == [(64, 96, 3)] * 5
    render(run, 0.2, tmp_path / "frame-%02d.png", SMALL, fps=20)
    names = sorted(path.name for path in tmp_path.glob("frame-*"))
    assert names == [f"frame-{number:02d}.png" for number in range(5)]
    first, last = (np.asarray(Image.open(tmp_path / name)) for name in (names[0], names[-1]))
    assert change(first, last) > 60


def test_a_picture_says_what_it_is_of(run: RecordedRun, tmp_path: Path) -> None:
    render(run, 0.25, tmp_path / "picture.png", SMALL)
    about = Image.open(tmp_path / "picture.png").text
    assert about["Simulated time"] == "0.25 s"
    assert about["Software"].startswith("Polhode")
    assert about["Title"] == ""


def test_behind_a_transparent_picture_there_is_nothing_but_shadows(run: RecordedRun, tmp_path: Path) -> None:
    render(run, 0.25, tmp_path / "picture.png", (320, 240), look=RenderSettings(transparent=True))
    picture = np.asarray(Image.open(tmp_path / "picture.png"))
    assert picture.shape == (240, 320, 4)
    assert picture[0, 0, 3] == 0
    assert picture[..., 3].max() == 255
    assert 0.005 < (picture[..., 3] > 0).mean() < 0.5
    is_shadow = (picture[..., 3] > 20) & (picture[..., 3] < 180)
    assert is_shadow.mean() > 0.002
    assert picture[is_shadow][:, :3].mean() < 60  # dark, and light shines through
    corner = picture[160:, :100].astype(int)  # the axes, whose letters are gray: seen on white and on black
    opaque = corner[corner[..., 3] > 200][:, :3]
    gray = opaque[np.ptp(opaque, axis=1) < 12].mean(axis=1)
    assert len(gray) > 5
    assert ((gray > 90) & (gray < 150)).mean() > 0.8


def test_the_clock_and_plots_are_written_into_it(run: RecordedRun, tmp_path: Path) -> None:
    plain, written = (tmp_path / name for name in ("plain.png", "written.png"))
    render(run, 0.5, plain, (320, 240))
    render(run, 0.5, written, (320, 240), look=RenderSettings(clock=True, plots=("energy.kinetic", "bob.u3.z")))
    differs = np.abs(np.asarray(Image.open(plain)).astype(int) - np.asarray(Image.open(written))).max(axis=2) > 20
    assert differs[:40, :120].any()  # the clock
    assert differs[5:55, 200:].mean() > 0.5  # the first plot
    assert differs[65:110, 200:].mean() > 0.5  # the second, of another unit
    assert not differs[130:].any()


def test_a_column_that_is_not_there_is_said(tmp_path: Path) -> None:
    with refuses("--plot", near="energy.total"):
        render(pendulum(), 0.1, tmp_path / "a.mp4", SMALL, look=RenderSettings(plots=("energy.totl",)))
    assert not list(tmp_path.iterdir())


def test_a_turntable_is_back_after_its_period() -> None:
    camera = vtkCamera()
    camera.SetPosition(3.0, -4.0, 2.0)
    camera.SetFocalPoint(0.5, 0.0, 0.0)
    camera.SetViewUp(0, 0, 1)
    start, move, places = camera.GetPosition(), orbiting(8.0), []
    for time in np.linspace(0.0, 8.0, 33):
        move(camera, float(time))
        places.append(camera.GetPosition())
    assert places[0] == pytest.approx(start, abs=1e-12)
    assert places[-1] == pytest.approx(start, abs=1e-9)
    assert [place[2] for place in places] == pytest.approx([2.0] * 33)
    opposite = 2 * np.array([0.5, 0.0]) - start[:2]
    assert places[16][:2] == pytest.approx(opposite.tolist(), abs=1e-9)


def test_a_camera_goes_through_its_keys_and_not_beyond() -> None:
    keys = (
        CameraKey(0.0, (4.0, 0.0, 1.0), (0.0, 0.0, 0.0)),
        CameraKey(1.0, (0.0, 2.0, 1.0), (0.0, 0.0, 0.5)),
        CameraKey(3.0, (0.0, 1.0, 1.0), (0.0, 0.0, 0.5)),
    )
    camera, move = vtkCamera(), through_keys(keys)
    for key in keys:
        move(camera, key.time)
        assert camera.GetPosition() == pytest.approx(key.position, abs=1e-9)
        assert camera.GetFocalPoint() == pytest.approx(key.look_at, abs=1e-9)
        assert key_of(camera, key.time).up == pytest.approx(key.up, abs=1e-9)
    far = []
    for time in np.linspace(-1.0, 5.0, 61):
        move(camera, float(time))
        far.append(camera.GetDistance())
    assert max(far) <= np.sqrt(17) + 1e-9
    assert min(far) >= np.sqrt(1.25) - 1e-9
    assert (np.diff(far) <= 1e-9).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", Meaning("", "empty")),
        ("[[key]]\ntime = 0\nposition = [1, 0, 0]", Meaning("key.0.look_at")),
        ("[[key]\n", Meaning("", "TOML")),
        ("[[key]]\ntime = -1\nposition = [1, 0, 0]\nlook_at = [0, 0, 0]", Meaning("key.0.time")),
        ("[[key]]\ntime = 0\nposition = [1, 0, 0]\nlook_at = [1, 0, 0]", Meaning("key[0]", "direction", "view")),
        ("[[key]]\ntime = 0\nposition = [1, 0, 0]\nlook_at = [0, 0, 0]\n" * 2, Meaning("key", "same", "time")),
    ],
)
def test_keys_that_are_wrong_are_said(tmp_path: Path, text: str, message: Meaning) -> None:
    (tmp_path / "keys.toml").write_text(text)
    with refuses(message):
        read_keys(tmp_path / "keys.toml")


def test_render_does_all_of_it_from_the_command_line(run: RecordedRun, tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text("[[key]]\ntime = 0\nposition = [1, 0, 0.5]\nlook_at = [0, 0, 0.2]\n")
    command = "render run.vtkhdf --out a.mp4 --from 0.1 --fps 20 --size 96x64 --clock --plot energy.total"
    done = polhode(*command.split(), "--camera", "keys.toml", "--theme", "light", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    pictures = frames(tmp_path / "a.mp4")
    assert len(pictures) == 9
    assert pictures[0][40:].mean() > 120  # light


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--until 1 --from 2 --out a.mp4", Meaning("--from", begin=2, until=1)),
        ("--out a.mp4", Meaning("--until", "missing", "film")),
        (
            "--until 1 --turn 2 --camera two.toml --out a.mp4",
            Meaning("--turn", "camera", "keyframes"),
        ),
        ("--until 1 --camera none.toml --out a.mp4", Meaning("none.toml", "file")),
        (
            "--until 1 --arrows wings=2 --out a.png",
            Meaning("--arrows", "arrow", name="wings"),
        ),
        (
            "--until 1 --arrows forces --out a.png",
            Meaning("--arrows", pair="forces", name="forces"),
        ),
        (
            "--until 1 --arrows forces=0 --out a.png",
            Meaning("--arrows", "greater", limit=0, value=0),
        ),
        ("--until 1 --out none/f-%03d.png", Meaning("none/f-%03d.png", "folder", folder="none")),
    ],
)
def test_what_can_not_be_rendered_is_said(tmp_path: Path, options: str, message: Meaning) -> None:
    key = "[[key]]\ntime = {}\nposition = [1, 0, 0]\nlook_at = [0, 0, 0]\n"
    (tmp_path / "two.toml").write_text(key.format(0) + key.format(1))
    done = polhode("render", "compass", *options.split(), folder=tmp_path)
    assert done.returncode == 2
    assert message.of(done.stderr)


@pytest.mark.parametrize(
    ("name", "room", "kept"),
    [
        pytest.param("film.mp4", "100k", False, marks=pytest.mark.nightly),
        ("film.gif", "100k", False),
        ("frame-%03d.png", "1m", True),
    ],
)
def test_a_full_disk_stops_a_film_as_it_stops_a_run(tmp_path: Path, name: str, room: str, kept: bool) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={room}", "tmpfs", str(disk)], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    try:
        done = polhode("render", "magnet_pendulum", "--until", "3", "--size", "640x480", "--out", name, folder=disk)
        assert done.returncode == 3
        end = done.stderr.strip().splitlines()[-1]
        assert Meaning(name, "written", reason=os.strerror(28)).of(end)
        assert Meaning("", "kept").of(end) == kept
        left = sorted(path.name for path in disk.iterdir())
        assert left == ([f"frame-{number:03d}.png" for number in range(len(left))] if kept else [])
        assert bool(left) == kept
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
