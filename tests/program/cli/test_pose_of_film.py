"""A film to a table, and the table over a run, driving a body, and in a fit, by the commands alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from filmed_tag import LENS, Filming, facing, frames, uneven, write_film
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from polhode.camera.lens import Lens
from polhode.camera.tags import Tag
from polhode.data.reading import read_data
from polhode_app.cli.main import main

TAG, SIDE, COUNT, INTERVAL, JITTER = Tag("36h11", 3), 0.04, 60, 1 / 15, 0.01
LENGTH, G, START = 0.5, 9.81, 0.35
TIMES = uneven(COUNT, INTERVAL, JITTER)
ANGLE = solve_ivp(
    lambda _, y: [y[1], -G / LENGTH * np.sin(y[0])], (-0.1, 30.1), [START, 0.0], "DOP853",
    rtol=1e-10, atol=1e-12, dense_output=True,
).sol  # fmt: skip
PENDULUM = """
[solver]
time_step = 0.002
[[body]]
name = "bob"
support = "axle"
axis = [0, -1, 0]
orientation = { axis = [0, -1, 0], angle = 0.33 }
shape = [{ kind = "point", mass = 0.2, position = [0, 0, -0.5] }]
[world]
gravity = [0, 0, -9.6]
"""
DRIVEN = """
[[body]]
name = "card"
support = "driven"
shape = [{ kind = "cuboid", size = [0.06, 0.06, 0.002], mass = 0.02 }]
[body.motion]
kind = "formula"
x = { data = "pose.csv", column = "x", interpolation = "cubic", outside = "hold" }
y = { data = "pose.csv", column = "y", interpolation = "cubic", outside = "hold" }
z = { data = "pose.csv", column = "z", interpolation = "cubic", outside = "hold" }
turn_x = { data = "pose.csv", column = "turn.x", interpolation = "cubic", outside = "hold" }
turn_y = { data = "pose.csv", column = "turn.y", interpolation = "cubic", outside = "hold" }
turn_z = { data = "pose.csv", column = "turn.z", interpolation = "cubic", outside = "hold" }
"""


def turned(time: float) -> np.ndarray:
    """Basis (3, 3) of the tag in the frame of the camera: it hangs on a rod that swings across the view."""
    return cv2.Rodrigues(np.array([0.0, 0.0, -ANGLE(time)[0]]))[0] @ facing(0.4, 0.3)


def pose(time: float):
    angle = ANGLE(time)[0]
    return turned(time), np.array([LENGTH * np.sin(angle), LENGTH * np.cos(angle) - 0.45, 1.0])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of 4 s, and the table that the command makes of it."""
    return filmed(tmp_path_factory.mktemp("pose"), COUNT, INTERVAL, JITTER, Filming())


def filmed(made: Path, count: int, interval: float, jitter: float, camera: Filming) -> Path:
    """The folder with a film and its table."""
    shown = frames(camera, TAG.bitmap(cv2), SIDE, pose, uneven(count, interval, jitter))
    write_film(made / "film.mp4", shown, LENS[2], interval, jitter)
    Lens(*LENS).save(made / "camera.toml")
    words = ["--tag", "36h11:3", "--size", "0.04", "--calibration", str(made / "camera.toml"), "--upright"]
    assert main(["watch", "--film", str(made / "film.mp4"), *words, "--out", str(made / "pose.csv")]) == 0
    return made


def upright(vector: np.ndarray) -> np.ndarray:
    """A vector of the frame of the camera in the axes of the table."""
    return np.array([vector[0], vector[2], -vector[1]])


def test_z_of_the_table_is_up(folder: Path):
    data = read_data(folder / "pose.csv")
    truth = np.array([upright(pose(time)[1]) for time in TIMES])
    seen = np.column_stack([data.column(axis).values for axis in "xyz"])
    assert np.abs(seen - truth).max(axis=0) == pytest.approx(0.0, abs=3e-3)
    assert np.sqrt(np.mean((seen - truth)[:, [0, 2]] ** 2)) < 0.3e-3


def test_the_table_drives_a_body(folder: Path):
    """By `polhode run`: its pose is that of the tag, also where no row is."""
    (folder / "driven.toml").write_text(DRIVEN)
    out = folder / "run.csv"
    assert main(["run", str(folder / "driven.toml"), "--until", "3", "--every", "0.05", "--out", str(out)]) == 0
    run = read_data(out)
    start = Rotation.from_matrix(turned(0.0))
    for k in (7, 21, 47):
        time = run.times[k]
        place = [run.column(f"card.position.{axis}").values[k] for axis in "xyz"]
        assert place == pytest.approx(upright(pose(time)[1]), abs=4e-3)
        assert place[0] == pytest.approx(pose(time)[1][0], abs=1e-3)
        since = (Rotation.from_matrix(turned(time)) * start.inv()).as_rotvec()
        found = np.array([[run.column(f"card.u{i}.{axis}").values[k] for axis in "xyz"] for i in (1, 2, 3)]).T
        off = Rotation.from_matrix(found) * Rotation.from_rotvec(upright(since)).inv()
        assert np.degrees(off.magnitude()) < 3.0


def fitted_g(folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """g by `polhode fit` from the x of a tag at the end of a pendulum of known length; its start is unknown."""
    (folder / "pendulum.toml").write_text(PENDULUM)
    free = ("world.gravity[2]", "body[0].tilt[1]", "body[0].angular_velocity[1]", "data.x.offset", "data.x.scale")
    words = [word for name in free for word in ("--free", name)]
    capsys.readouterr()
    quantity = "x=bob.point[0, 0, -0.5].x"
    arguments = ["fit", str(folder / "pendulum.toml"), "--data", str(folder / "pose.csv"), "--map", quantity, *words]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return next(each for each in found["unknowns"] if each["name"] == "world.gravity[2]")


def test_the_table_is_fitted(folder: Path, capsys: pytest.CaptureFixture[str]):
    estimate = fitted_g(folder, capsys)
    assert estimate["value"] == pytest.approx(-G, abs=0.01)
    assert estimate["interval"][0] < -G < estimate["interval"][1]


@pytest.mark.nightly
def test_a_film_of_30_s_gives_the_period_to_a_ten_thousandth(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Encoded, of a varying rate, with noise, distortion and motion blur, by the commands alone."""
    filmed(tmp_path, 300, 0.1, 0.025, Filming(exposure=0.002, exposures=3))
    estimate = fitted_g(tmp_path, capsys)
    low, high = estimate["interval"]
    print(f"g = {-estimate['value']:.6f} m/s^2, 95 % interval from {-high:.6f} to {-low:.6f}")
    assert np.sqrt(G / -estimate["value"]) == pytest.approx(1.0, abs=1e-4)  # the period goes with the root
    assert high - low < 0.01
