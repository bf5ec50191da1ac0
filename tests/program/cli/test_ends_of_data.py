"""A run beyond the data of a measured input is refused before there is an output, by each command that runs a scene."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import polhode, refused
from meaning import Meaning, refuses

from polhode import Simulation, film, read_scene
from polhode_app.export.web.notebook import replay

SCENE = """
[[body]]
name = "arm"
support = "axle"
axis = [0, 1, 0]
shape = [{ kind = "sphere", radius = 0.05, mass = 0.5, position = [0, 0, -0.4] }]
[[force]]
on = "arm"
torque = { y = { data = "rig.csv", column = "M" } }
"""
WALL = """
[[wall]]
name = "table"
point = [0, 0, -3]
stiffness = 1e4
motion = { kind = "formula", displacement = { data = "rig.csv", column = "x" } }
"""
ENDED = Meaning("force[0].torque[1]", "outside", end=0.5, until=1.0)
TABLES = ("o.csv", "o.parquet", "o.vtkhdf")
PICTURES = ("o.gif", "o.png", "o-%03d.png", "o.html", "o.glb")


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    """An arm whose measured torque ends at 0.5 s."""
    (tmp_path / "rig.csv").write_text("t (s),M (N m)\n0,1\n0.5,1\n")
    path = tmp_path / "arm.toml"
    path.write_text(SCENE)
    return path


@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize("name", TABLES + PICTURES)
def test_an_output_is_neither_made_nor_replaced(scene: Path, name: str, is_old: bool) -> None:
    out = scene.with_name(name)
    if is_old:
        out.write_text("precious,1\n")
    before = {path.name for path in scene.parent.iterdir()}
    command = "run" if name in TABLES else "render"
    assert ENDED.of(refused(command, scene.name, "--until", "1", "--out", name, folder=scene.parent))
    assert {path.name for path in scene.parent.iterdir()} == before
    assert not is_old or out.read_text() == "precious,1\n"


@pytest.mark.parametrize("more", [(), ("--maxima", "arm.angle")])
def test_standard_output_has_no_header(scene: Path, more: tuple[str, ...]) -> None:
    done = polhode("run", scene.name, "--until", "1", "--out", "-", *more, folder=scene.parent)
    assert (done.returncode, done.stdout) == (2, "")
    assert ENDED.of(done.stderr)


def test_a_continued_recording_leaves_an_older_table(scene: Path) -> None:
    assert polhode("run", scene.name, "--until", "0.5", "--out", "half.vtkhdf", folder=scene.parent).returncode == 0
    out = scene.with_name("o.csv")
    out.write_text("precious,1\n")
    assert ENDED.of(refused("run", "--resume", "half.vtkhdf", "--until", "1", "--out", out.name, folder=scene.parent))
    assert out.read_text() == "precious,1\n"


def test_a_recording_that_is_too_large_leaves_an_older_one(scene: Path) -> None:
    out = scene.with_name("o.vtkhdf")
    out.write_text("precious")
    said = refused("run", "heavy_top", "--until", "1e8", "--out", out.name, folder=scene.parent)
    assert Meaning("", "GB", "--force", rows="1e+10").of(said)
    assert out.read_text() == "precious"


def test_films_and_pages_of_the_library_are_refused(scene: Path) -> None:
    described, out = read_scene(scene), scene.with_name("o.gif")
    with refuses(ENDED):
        film(Simulation(described), out, until=1.0)
    assert not out.exists()
    with refuses(ENDED):
        replay(described, until=1.0)
    with refuses(ENDED):
        Simulation(described).run(1.0)


@pytest.mark.parametrize("part", ["force", "wall"])
def test_equilibria_with_measured_data_are_those_at_the_start(scene: Path, part: str) -> None:
    """As with formulas, also where the data are of a wall that nothing touches."""
    if part == "wall":
        rig = scene.with_name("rig.csv")
        rig.write_text("t (s),x (m)\n0,0\n0.5,0.1\n")
        scene.write_text(SCENE.partition("[[force]]")[0] + WALL)
    done = polhode("equilibria", scene.name, "--starts", "4", folder=scene.parent)
    assert done.returncode == 0, done.stderr
    assert Meaning("note", "time", "t").of(done.stderr)
