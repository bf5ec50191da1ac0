"""No command replaces a file that it reads: all commands, all pairs of an input and an output, all ways to write it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import trimesh
from meaning import Meaning

from polhode_app.cli.commands import app
from polhode_app.cli.main import main
from polhode_app.cli.options.outputs import INPUT, OUTPUT, refuse_inputs, roles

COMMANDS: dict[str, Callable[..., Any]] = {
    name: app[name].default_command
    for name in app
    if name.isalpha()  # type: ignore[dict-item]
}
NAMES = ("scene", "path", "source", "lesson")  # parameters that are texts and name files
FOLDERS = {"folder", "pictures"}  # of hand-ins (.handin), which no command writes, and of pictures, which none reads
REQUIRED = {"map": "a=b", "free": "body[0].friction", "until": "0.1", "at": "0,0,1"}


def endings(command: str, output: str) -> tuple[str, ...]:
    """Endings of files that an output may have."""
    known = {
        "run": (".csv", ".vtkhdf"),
        "sweep": (".h5",),
        "field": (".csv", ".parquet"),
        "watch": (".csv", ".toml", ".pdf"),
        "render": (".mp4", ".png", ".html", ".glb"),
    }
    known |= {"fit": (".toml",) if output == "out" else (".html", ".pdf")}
    return known.get(command, (".toml", ".udf", ".csv", ".parquet", ".mp4", ".html", ".glb"))


def pairs() -> list[tuple[str, str, str]]:
    """All commands with an input and an output each."""
    found = []
    for name, command in COMMANDS.items():
        by_role = {role: [key for key, own in roles(command).items() if own is role] for role in (INPUT, OUTPUT)}
        found += [(name, *pair) for pair in product(by_role[INPUT], by_role[OUTPUT])]
    return found


def test_every_parameter_that_names_a_file_says_whether_it_is_written() -> None:
    for name, command in COMMANDS.items():
        hints = get_type_hints(command)
        files = {key for key, hint in hints.items() if "Path" in repr(hint) or key in NAMES}
        assert files - FOLDERS == set(roles(command)), name
    both = {"run", "render", "convert", "sweep", "fit", "field", "watch", "web", "collect"}
    assert {name for name, _, _ in pairs()} == both


def line(command: str, given: dict[str, str]) -> list[str]:
    """The command line with these files, and with others where a parameter must be given."""
    words = [command]
    for key, parameter in inspect.signature(COMMANDS[command]).parameters.items():
        plain = key.rstrip("_")
        value = given.get(key)
        if value is None and parameter.default is inspect.Parameter.empty:
            value = REQUIRED.get(plain, "heavy_top" if roles(COMMANDS[command]).get(key) is INPUT else "other.csv")
        if value is None and (plain == "until" or (command, plain) == ("field", "at")):
            value = REQUIRED[plain]
        if value is not None:
            count = 3 if plain == "tls" else 1
            words += (
                [value] if parameter.kind is inspect.Parameter.POSITIONAL_ONLY else [f"--{plain}", *[value] * count]
            )
    return words


def spellings(file: Path) -> dict[str, str]:
    """Names that lead to a file; its links are made beside it."""
    folder = file.parent / "inner"
    folder.mkdir()
    (folder / f"link{file.suffix}").symlink_to(file)
    os.link(file, folder / f"hard{file.suffix}")
    (file.parent / "same").symlink_to(folder)
    return {
        "same": str(file),
        "relative": f"inner/../{file.name}",
        "link": f"inner/link{file.suffix}",
        "hard link": f"inner/hard{file.suffix}",
        "folder": f"same/link{file.suffix}",
    }


@pytest.mark.parametrize(("command", "source", "output"), pairs())
def test_an_output_that_is_an_input_is_refused(
    command: str, source: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    for ending in endings(command, output):
        folder = tmp_path / ending[1:]
        folder.mkdir()
        monkeypatch.chdir(folder)
        file = folder / f"data{ending}"
        file.write_text("what is read")
        for kind, name in spellings(file).items():
            assert main(line(command, {source: file.name, output: name})) == 2, kind
            said = capsys.readouterr().err
            assert Meaning("", "read", "output").of(said)
            assert file.read_text() == "what is read"


SCENE = """\
[[body]]
name = "part"
[[body.shape]]
kind = "mesh"
file = "inner/../part.glb"
density = 1000
[sensor]
source = "recording"
file = "hand.csv"
[[soft]]
kind = "mesh"
name = "soft"
file = "soft.glb"
particle_mass = 0.1
spacing = 0.5
stiffness = 100
damping = 1
[[surface]]
kind = "mesh"
name = "ground"
file = "ground.glb"
[[sweep]]
until = 1
axes = [{ parameter = "world.gravity[2]", range = [-9, -8], count = 2 }]
"""


@pytest.mark.parametrize(
    "words",
    [
        ["render", "scene.toml", "--until", "0.1", "--out", "part.glb"],
        ["render", "scene.toml", "--until", "0.1", "--out", "soft.glb"],
        ["render", "scene.toml", "--until", "0.1", "--out", "inner/link.glb"],
        ["run", "scene.toml", "--until", "0.1", "--out", "hand.csv"],
        ["run", "units.toml", "--until", "0.1", "--out", "hand.csv", "--units"],
        ["convert", "udf.toml", "motor.udf"],
        ["render", "robot.urdf", "--until", "0.1", "--out", "part.glb"],
    ],
    ids=" ".join,
)
def test_an_output_that_a_scene_names_is_refused(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inner").mkdir()
    for name in ("part", "soft", "ground"):
        trimesh.creation.box([1, 1, 1]).export(f"{name}.glb")
    Path("inner/link.glb").symlink_to(tmp_path / "ground.glb")
    for name in ("hand.csv", "hand.units.csv"):
        Path(name).write_text("time,raw\n0,1\n1,2\n")
    Path("motor.udf").write_text("a scene of PEM")
    Path("scene.toml").write_text(SCENE)
    Path("units.toml").write_text(SCENE.replace("hand.csv", "hand.units.csv"))
    Path("udf.toml").write_text(SCENE.replace("inner/../part.glb", "motor.udf#body0-shape0"))
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    visual = '<visual><geometry><mesh filename="part.glb"/></geometry></visual>'
    Path("robot.urdf").write_text(f'<robot name="r"><link name="a">{inertial}{visual}</link></robot>')
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert main(words) == 2
    assert Meaning("", "read", "output").of(capsys.readouterr().err)
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_other_files_are_free(tmp_path: Path) -> None:
    """A copy of an input, one with another ending, and one that is not there yet."""
    for name in ("scene.toml", "scene.csv", "copy.toml"):
        (tmp_path / name).write_text(SCENE)
    refuse_inputs([tmp_path / name for name in ("scene.csv", "copy.toml", "new.toml")], [tmp_path / "scene.toml"])
