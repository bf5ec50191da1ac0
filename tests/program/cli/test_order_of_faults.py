"""An unknown scene is reported before whatever else is wrong with a command line, by every command."""

from __future__ import annotations

from pathlib import Path

import pytest
from meaning import Meaning

from polhode_app.cli.commands import app
from polhode_app.cli.main import main
from polhode_app.cli.options.outputs import INPUT, roles

LINES = (
    "run nosuch",
    "run --every 0.1 nosuch",
    "run nosuch --until -1 --out a.xyz",
    "render nosuch",
    "render --size 10x10 nosuch",
    "render nosuch --out a.mp4 --until 1 --fps -1",
    "sweep --workers 0 nosuch",
    "sweep nosuch --out a.csv",
    "fit --data a.csv nosuch",
    "fit nosuch --data a.csv --map a=b --free c --out a.csv",
    "check nosuch --set x",
    "equilibria nosuch --starts 0",
    "inertia nosuch --mass 1 --density 1",
    "modes nosuch --set x",
    "field nosuch",
    "convert nosuch",
    "convert nosuch a.html --max-size 0",
    "info nosuch --json",
    "web nosuch --out a.txt",
    "collect nowhere --lesson nosuch --out a.txt",
)


def test_every_command_with_a_scene_is_tried() -> None:
    reading = {name for name in app if name.isalpha() and INPUT in roles(app[name].default_command).values()}
    assert reading - {"watch"} == {line.split()[0] for line in LINES}  # which reads films


@pytest.mark.parametrize("line", LINES)
def test_an_unknown_scene_is_reported_first(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(line.split()) == 2
    printed, said = capsys.readouterr()
    assert (printed, said.count("\n")) == ("", 1)
    assert Meaning("nosuch", "built-in").of(said)
    assert [*tmp_path.iterdir()] == []
