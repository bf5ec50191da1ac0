"""`polhode field`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command_line import polhode, refused
from meaning import Meaning

from polhode import Simulation, read_scene
from polhode_app.sensor.playback import connect_sensor

POINTS = [[0.0, 0.0, 0.5], [-0.1, 0.0, 0.0]]
MAGNET = """\
[[body]]
name = "magnet"
support = "fixed"
shape = [{ kind = "sphere", radius = 0.01, mass = 0.1 }]
dipole = [{ moment = [0, 0, 1] }]
"""
FOLLOWS = """\
[[body]]
name = "follower"
support = "driven"
position = [0.5, 0, 0]
motion = { kind = "sensor", axis = [0, 0, 1] }
shape = [{ kind = "sphere", radius = 0.01, mass = 0.1 }]
dipole = [{ moment = [0, 0, 1] }]
[sensor]
source = "recording"
file = "log.csv"
"""


def test_the_field_of_a_scene_at_points(tmp_path: Path) -> None:
    """As Simulation.field computes it, of points in options and in a file."""
    (tmp_path / "points.csv").write_text("x,y,z\n0,0,0.5\n-1e-1, 0, 0\n")
    simulation = Simulation(read_scene("magnet_pendulum"))
    simulation.advance(0.1)
    found = simulation.field(np.array(POINTS))
    done = polhode(
        "field", "magnet_pendulum", "--at", "0,0,0.5", "--at", "-0.1,0,0", "--until", "0.1", "--json", folder=tmp_path
    )
    assert json.loads(done.stdout) == {"time": 0.1, "points": POINTS, "field": found.tolist()}
    options = ("--points", "points.csv", "--until", "0.1")
    table = polhode("field", "magnet_pendulum", *options, folder=tmp_path).stdout
    assert table.splitlines()[0] == "x,y,z,field.x,field.y,field.z"
    rows = np.array([[float(cell) for cell in line.split(",")] for line in table.splitlines()[1:]])
    assert rows.tolist() == np.hstack((POINTS, found)).tolist()
    polhode("field", "magnet_pendulum", *options, "--out", "field.csv", folder=tmp_path)
    assert (tmp_path / "field.csv").read_text() == table


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), Meaning("--at")),
        (("--at", "0,0"), Meaning("--at", text="0,0")),
        (("--at", "0,0,x"), Meaning("--at", text="0,0,x")),
        (("--at", "0,0,1e999"), Meaning("--at", text="0,0,1e999")),
        (("--at", "0,0,1", "--until", "-1"), Meaning("--until", limit=0)),
        (("--at", "0,0,1", "--json", "--out", "a.csv"), Meaning("--json")),
        (("--points", "points.csv"), Meaning("points.csv: line 3", "three")),
        (("--at", "0,0,1", "--out", "a.txt"), Meaning("a.txt", ending=".txt")),
        (("--at", "0,0,1", "--out", "none/a.csv"), Meaning("none/a.csv", folder="none")),
    ],
)
def test_wrong_points_are_refused(tmp_path: Path, options: tuple[str, ...], message: Meaning) -> None:
    (tmp_path / "points.csv").write_text("x,y,z\n0,0,0.5\n1,2\n")
    assert message.of(refused("field", "magnet_pendulum", *options, folder=tmp_path))


def test_json_has_null_where_the_field_is_not_finite(tmp_path: Path) -> None:
    (tmp_path / "magnet.toml").write_text(MAGNET)
    done = polhode("field", "magnet.toml", "--at", "0,0,0", "--at", "0,0,1", "--json", folder=tmp_path)
    singular, finite = json.loads(done.stdout, parse_constant=pytest.fail)["field"]
    assert singular == [None, None, None]
    assert finite[2] == pytest.approx(2e-7, rel=1e-6)  # mu0/(4 pi) 2 m / d^3


def test_what_the_sensor_moves_is_where_a_run_has_it(tmp_path: Path) -> None:
    """A magnet that follows the distances of a log: the field is that of a run with the log."""
    (tmp_path / "log.csv").write_text("time,raw\n" + "".join(f"{k / 20},{200 + 10 * k}\n" for k in range(40)))
    (tmp_path / "magnet.toml").write_text(MAGNET + FOLLOWS)
    done = polhode("field", "magnet.toml", "--at", "0,0,1", "--until", "1", "--json", folder=tmp_path)
    simulation = Simulation(read_scene(tmp_path / "magnet.toml"))
    still = simulation.field([[0, 0, 1]])[0]
    connect_sensor(simulation.scene, [simulation])
    simulation.advance(1.0)
    found = json.loads(done.stdout)["field"][0]
    assert found == pytest.approx(simulation.field([[0, 0, 1]])[0], rel=1e-9)
    assert np.abs(found - still).max() > 1e-9
