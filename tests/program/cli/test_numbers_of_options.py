"""Every number that a command takes, at zero, below it, and at the ends of the range of numbers and beyond them.

A number that a command can't use is refused at once by one message; others are used. Neither ends in a traceback or in
a run without end.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import get_args

import pytest
import trimesh
from command_line import polhode
from made_data import PENDULUM, write_swing

from polhode_app.cli.commands import app
from polhode_app.cli.main import main

VALUES = ("0", "-1", "-inf", "nan", "inf", "1e308", "1e-308", "5e-324", "9" * 400)
SCENE = """
format = 1
[[sphere]]
name = "ball"
radius = 0.1
mass = 1
position = [0, 0, 1]
[[sweep]]
until = 0.01
axes = [{ parameter = "sphere[0].mass", range = [1, 2], count = 2 }]
"""
RENDER = "render s.toml --size 64x48 --until 0.1"
FIT = "fit p.toml --data d.csv --map w=bob.angular_velocity.y --free body[0].friction"
WATCH = "watch --film s.toml --out o.csv"  # which is no film
BELOW = ("-1", "-inf", "nan", "inf")
# Options by command: the rest of the command line, without that of the option, and the values that are refused.
NUMBERS = {
    ("run", "--until"): ("run s.toml --out o.csv", (*BELOW, "1e308", "9" * 400)),
    ("run", "--every"): ("run s.toml --until 0.01 --out o.csv", VALUES),
    ("run", "--step"): ("run s.toml --until 0.01 --out o.csv", VALUES),
    ("render", "--until"): ("render s.toml --size 64x48 --out o.png", (*BELOW, "1e308", "9" * 400)),
    ("render", "--fps"): (f"{RENDER} --out o.gif", VALUES),
    ("render", "--speed"): (f"{RENDER} --out o.mp4", ("0", *BELOW, "1e-308", "5e-324", "9" * 400)),
    ("render", "--from"): (f"{RENDER} --out o.png", (*BELOW, "1e308", "9" * 400)),
    ("render", "--turn"): (f"{RENDER} --out o.webm", VALUES[1:]),
    ("convert", "--at"): ("convert r.vtkhdf o.toml", (*BELOW, "1e308", "9" * 400)),
    ("inertia", "--density"): ("inertia cube.stl", ("0", *BELOW, "9" * 400)),
    ("inertia", "--mass"): ("inertia cube.stl", ("0", *BELOW, "9" * 400)),
    ("inertia", "--scale"): ("inertia cube.stl", VALUES),
    ("sweep", "--workers"): ("sweep s.toml --out o.h5", VALUES),
    ("equilibria", "--starts"): ("equilibria s.toml", VALUES),
    ("equilibria", "--seed"): ("equilibria s.toml --starts 1", VALUES[1:]),
    ("equilibria", "--limit"): ("equilibria s.toml --starts 1", ("0", *BELOW, "9" * 400)),
    ("field", "--until"): ("field s.toml --at 0,0,1", (*BELOW, "1e308", "9" * 400)),
    ("watch", "--size"): (f"{WATCH} --tag 36h11:3", ("0", *BELOW, "9" * 400)),
    ("watch", "--ball"): (WATCH, ("0", *BELOW, "9" * 400)),
    ("watch", "--focal"): (f"{WATCH} --ball 0.1", ("0", *BELOW, "9" * 400)),
    ("watch", "--until"): (f"{WATCH} --ball 0.1", ("0", *BELOW, "9" * 400)),
    ("watch", "--camera"): ("watch --out o.csv --ball 0.1", VALUES[1:]),
    ("fit", "--rate"): (FIT, VALUES),  # the data have times
    ("fit", "--segments"): (FIT, VALUES),
    ("fit", "--hold-out"): (FIT, (*BELOW, "1e308", "9" * 400)),
}
# The same of numbers within a text.
TEXTS = {
    ("render", "--size"): ("render s.toml --until 0.01 --out o.png", VALUES),
    ("render", "--size", "64x"): ("render s.toml --until 0.01 --out o.png", VALUES),
    ("render", "--max-size"): ("render s.toml --until 0.01 --out o.html", VALUES),
    ("convert", "--max-size"): ("convert r.vtkhdf o.html", VALUES),
    ("render", "--arrows", "forces="): (f"{RENDER} --out o.png", ("0", *BELOW, "9" * 400)),
    ("field", "--at", "0,0,"): ("field s.toml", ("-inf", "nan", "inf", "9" * 400)),
    ("fit", "--bounds", "body[0].friction="): (FIT, ("nan", "inf", "1e308", "9" * 400)),
    ("fit", "--bounds", "body[0].friction=0:"): (FIT, ("0", "-1", "-inf", "nan", "1e-308", "5e-324")),
    ("fit", "--state", "data.time_offset="): (FIT, (*BELOW, "1e308", "9" * 400)),
    ("fit", "--state", "data.w.offset="): (FIT, ("-inf", "nan", "inf", "1e308", "9" * 400)),
    ("fit", "--state", "data.w.scale="): (
        FIT,
        ("0", "-inf", "nan", "inf", "1e308", "1e-308", "5e-324", "9" * 400),
    ),
}
CASES = NUMBERS | TEXTS
FORMATS = ("o.png", "f-%02d.png", "o.mp4", "o.webm", "o.gif", "o.html", "o.glb", "o.csv", "o.vtkhdf")
LONGEST = 60  # [s] of any of these commands, on a machine that does other things as well; most take 0.3 s


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scene, a pendulum with data, a recording and a mesh."""
    made = tmp_path_factory.mktemp("numbers")
    (made / "s.toml").write_text(SCENE)
    (made / "p.toml").write_text(PENDULUM.format(gravity=9.81, friction=0.003, angle=1.2))
    write_swing(made / "d.csv")
    trimesh.creation.box().export(made / "cube.stl")
    words = ["run", str(made / "s.toml"), "--until", "0.1", "--every", "0.02", "--out", str(made / "r.vtkhdf")]
    assert main(words) == 0
    return made


def command(case: tuple[str, ...], value: str) -> list[str]:
    """The words of a command with this value of an option."""
    return [*CASES[case][0].split(), case[1], "".join(case[2:]) + value]


def test_every_option_that_is_a_number_is_here():
    found = set()
    for name in app:
        if not name.startswith("-"):
            for option in app[name].assemble_argument_collection():
                if {int, float} & {option.hint, *get_args(option.hint)}:
                    found.add((name, option.name))
    assert found == set(NUMBERS)


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_numbers_that_a_command_cannot_use_are_refused_by_one_message(
    case: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(folder)
    for value in CASES[case][1]:
        status = main(command(case, value))
        said = capsys.readouterr()
        assert (status, said.out) == (2, ""), value
        assert said.err.count("\n") == 1, said.err
        assert " --" in said.err  # of a number of several that make too much, another one
        assert len(said.err) < 1000


def used(words: list[str], folder: Path) -> None:
    """A command ends soon, with or without a refusal, and says at most a few lines."""
    began = time.monotonic()
    done = polhode(*words, folder=folder)
    assert time.monotonic() - began < LONGEST
    assert done.returncode in (0, 2), (words, done.stderr)
    assert "Traceback" not in done.stderr
    assert "Warning: " not in done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_numbers_that_a_command_can_use_are_used(case: tuple[str, ...], folder: Path, tmp_path: Path):
    for value in VALUES:
        (folder / "o.h5").unlink(missing_ok=True)
        used(command(case, value), folder)


@pytest.mark.nightly
@pytest.mark.parametrize("out", FORMATS)
@pytest.mark.parametrize("option", ["--until", "--every", "--fps", "--speed", "--from", "--turn"])
def test_numbers_of_every_output(option: str, out: str, folder: Path):
    name = "run" if out.endswith((".csv", ".vtkhdf")) else "render"
    if (name, option) not in NUMBERS:
        pytest.skip(f"{name} has no {option}")
    size = ["--size", "64x48"] if name == "render" else []
    until = [] if option == "--until" else ["--until", "0.1"]
    for value in VALUES:
        used([name, "s.toml", *size, *until, "--out", out, option, value], folder)
