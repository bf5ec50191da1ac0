"""Maps on the command line: sweeps, the output of `info`, and the documented example."""

from __future__ import annotations

import csv
import json
import re
from itertools import product
from pathlib import Path

import pytest
from command_line import polhode
from meaning import Meaning
from sampling import sampled

from polhode.scene import gallery

ROOT = Path(__file__).parents[3]

COMPASS = """format = 1
title = "Compass"
[world]
magnetic_field = { kind = "rotating", cosine = [1e-3, 0, 0], sine = [0, 0, 0], angular_frequency = 6.0 }
[solver]
time_step = 0.01
[[body]]
name = "needle"
support = "axle"
axis = [0, 0, 1]
friction = 5e-7
orientation = { axis = [0, 0, 1], angle = 0.3 }
shape = [{ kind = "cuboid", size = [0.05, 0.005, 0.002], mass = 0.01 }]
dipole = [{ moment = [0.1, 0, 0] }]
[[sweep]]
name = "exponents"
until = 60.0
axes = [{ parameter = "world.magnetic_field.angular_frequency", range = [4, 14], count = 5 }]
outcome = { kind = "lyapunov", exponents = "all" }
[[sweep]]
name = "points"
until = 60.0
axes = [{ parameter = "world.magnetic_field.angular_frequency", range = [4, 14], count = 5 }]
outcome = { kind = "section", quantity = "needle.angular_velocity.z", points = 8 }
[[sweep]]
name = "draws"
until = 2.0
axes = [{ parameter = "body[0].friction", draws = { deviation = 1e-7, count = 40, seed = 2 } }]
outcome = { kind = "final", quantity = "needle.angular_velocity.z" }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With maps of three sweeps of a compass."""
    folder = tmp_path_factory.mktemp("maps")
    (folder / "compass.toml").write_text(COMPASS)
    for name in ("exponents", "points", "draws"):
        done = polhode("sweep", "compass.toml", "--name", name, "--out", f"{name}.h5", folder=folder)
        assert done.returncode == 0
        assert f"{name}.h5: " in done.stderr
    return folder


def test_a_map_has_no_outputs_of_an_fmu(folder: Path) -> None:
    done = polhode("convert", "draws.h5", "draws.csv", "--outputs", "needle.angular_velocity.z", folder=folder)
    assert done.returncode == 2
    assert "--outputs" in done.stderr
    assert not (folder / "draws.csv").exists()


def test_info_tells_of_exponents_sections_and_draws(folder: Path) -> None:
    done = polhode("info", "exponents.h5", folder=folder)
    assert done.returncode == 0
    assert "exponents: lyapunov, 60 s each" in done.stdout
    assert "values from" in done.stdout
    told = json.loads(polhode("info", "draws.h5", "--json", folder=folder).stdout)
    assert told["spread"]["count"] == 40
    assert told["spread"]["deviation"] > 0
    assert told["axes"][0]["parameter"] == "body[0].friction"
    assert told["counts"] == {"unsettled": 40}
    points = json.loads(polhode("info", "points.h5", "--json", folder=folder).stdout)
    assert points["outcome"] == "section"
    assert points["shape"] == [5]


def test_info_tells_of_basins(folder: Path) -> None:
    text = gallery.path("basins_of_three_magnets").read_text()
    (folder / "basins.toml").write_text(re.sub(r"count = \d+", "count = 24", text))
    done = polhode("sweep", "basins.toml", "--out", "basins.h5", folder=folder)
    assert done.returncode == 0
    told = json.loads(polhode("info", "basins.h5", "--json", folder=folder).stdout)
    assert [part["attractor"] for part in told["fractions"]] == ["magnet0", "magnet1", "magnet2"]
    assert sum(part["cells"] for part in told["fractions"]) == 24 * 24
    assert 0.8 < told["certain"] <= 1
    assert told["basin_entropy"]["boxes"] == 16
    assert told["smallest_shock"]["attractor"] in ("magnet0", "magnet1", "magnet2")
    assert polhode("convert", "basins.h5", "basins.csv", "--titles", folder=folder).returncode == 0
    heads, *rows = csv.reader((folder / "basins.csv").open(newline=""))
    assert {row[heads.index("attractor")] for row in rows} <= {"magnet0", "magnet1", "magnet2", ""}
    assert {row[heads.index("status")] for row in rows} >= {"settled"}
    text = polhode("info", "basins.h5", folder=folder).stdout
    for words in ("attractor magnet0: ", "certain = ", "basin entropy ", "smallest shock "):
        assert words in text
        assert words in done.stderr


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_pictures_have_japanese_letters(ending: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """matplotlib warns of every letter that its fonts have not got."""
    monkeypatch.setenv("POLHODE_LANGUAGE", "ja")
    done = polhode("render", "points.h5", "--out", f"japanese.{ending}", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("name", "value"), [("draws", "angular velocity z"), ("points", "point0")])
def test_a_table_for_people_has_the_titles_of_the_window(name: str, value: str, folder: Path) -> None:
    for out, more in (("plain.csv", ()), ("titled.csv", ("--titles",))):
        done = polhode("convert", f"{name}.h5", out, *more, folder=folder)
        assert (done.returncode, done.stderr) == (0, "")
    plain, titled = (list(csv.reader((folder / f"{out}.csv").open(newline=""))) for out in ("plain", "titled"))
    axis, unit = ("friction", "[N m s]") if name == "draws" else ("angular frequency", "[rad/s]")
    assert axis in titled[0][0]
    assert titled[0][0].endswith(unit)
    assert any(value in title for title in titled[0])
    assert [row[0] for row in plain[1:]] == [row[0] for row in titled[1:]]
    assert plain[0][0] not in titled[0]


@pytest.mark.parametrize(
    ("name", "ending"), sampled(product(["exponents", "points", "draws"], ["png", "svg", "csv", "npz"]), 3)
)
def test_maps_of_quantities_become_pictures_and_tables(name: str, ending: str, folder: Path) -> None:
    out = f"{name}.{ending}"
    words = ["convert", f"{name}.h5", out] if ending in ("csv", "npz") else ["render", f"{name}.h5", "--out", out]
    done = polhode(*words, folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / out).stat().st_size > 100


def test_an_exponent_that_is_none_is_refused_before_the_sweep(folder: Path) -> None:
    (folder / "three.toml").write_text(COMPASS.replace('exponents = "all"', "exponents = 3"))
    for words in (("check", "three.toml"), ("sweep", "three.toml", "--out", "three.h5")):
        done = polhode(*words, folder=folder)
        assert done.returncode == 2
        assert Meaning("sweep[0].outcome.exponents", count=2, wanted=3).of(done.stderr)


@pytest.mark.parametrize("page", ["sweeps.md", "sweeps.ja.md"])
def test_the_documented_example_makes_a_picture(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.S)
    assert len(example.splitlines()) <= 22
    if page == "sweeps.ja.md":
        assert example in (ROOT / "docs" / "sweeps.md").read_text(encoding="utf-8")
        return
    monkeypatch.setenv("MPLBACKEND", "Agg")
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    monkeypatch.chdir(tmp_path)
    exec(compile(example, page, "exec"), {})  # our own documentation
    assert (tmp_path / "basins.png").read_bytes()[:4] == b"\x89PNG"
