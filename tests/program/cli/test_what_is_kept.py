"""Messages about a stopped command name its output only where it has been written; `info` cuts long texts off."""

from __future__ import annotations

import json
from pathlib import Path

import h5py
import pytest

from polhode.scene.message import LONGEST
from polhode.simulation.diverged import Cancelled
from polhode_app.cli.main import main
from polhode_app.cli.terminal.exit_status import INTERRUPTED, STOPPED, kept

SCENE = """
format = 1
[[sphere]]
name = "ball"
radius = 0.1
mass = 1
position = [0, 0, 1]
"""
NAMES = ["o.csv", "o.vtkhdf", "f-%03d.png", "o.mp4", "100%.csv"]


def stopped(out: Path, error: BaseException, written: bool) -> int:
    """The status of work that ends with an error, before or after the first output."""

    def work() -> None:
        if written:
            (out.with_name(out.name % 0) if out.suffix == ".png" else out).write_text("new")
        raise error

    return kept(work, "s.toml", out)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize(
    "error", [OSError(28, "full"), KeyboardInterrupt(), Cancelled()], ids=lambda e: type(e).__name__
)
def test_nothing_is_kept_where_nothing_was_written(name, is_old, error, tmp_path, capsys):
    out = tmp_path / name
    if is_old:  # the output of another run is not that of this one
        (out.with_name(name % 0) if out.suffix == ".png" else out).write_text("an older one")
    assert stopped(out, error, written=False) == (STOPPED if isinstance(error, OSError) else INTERRUPTED)
    assert "until then" not in capsys.readouterr().err
    stopped(out, error, written=True)
    says = not isinstance(error, OSError) or out.suffix in (
        ".vtkhdf",
        ".png",
    )  # others say what they hold by themselves
    assert ("until then" in capsys.readouterr().err) == says


def test_info_cuts_off_a_long_attribute(tmp_path, capsys):
    (tmp_path / "s.toml").write_text(SCENE)
    path = tmp_path / "r.vtkhdf"
    assert main(["run", str(tmp_path / "s.toml"), "--until", "0.05", "--out", str(path)]) == 0
    with h5py.File(path, "r+") as file:
        for name in ("created", "program", "title"):
            file["Polhode"].attrs[name] = f"{name}\n" + "x" * 60_000
    capsys.readouterr()
    assert main(["info", str(path)]) == 0
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= LONGEST + 12
    assert len(said.splitlines()) == 7
    assert main(["info", str(path), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["title"]) == LONGEST
