"""polhode convert SCENE out.fmu: what it refuses, before its library is built."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import polhode
from meaning import Meaning

RECORDING = str(Path(__file__).parents[2] / "recordings" / "format_1.vtkhdf")
REFUSED = [
    (["gravity_by_hand", "out.fmu"], Meaning("sensor.drive", "Python")),
    (
        ["heavy_top", "out.fmu", "--outputs", "top.position.x", "top.position.w"],
        Meaning("--outputs", near="top.position.z"),
    ),
    (["heavy_top", "out.toml", "--outputs", "top.position.x"], Meaning("--outputs", "FMUs")),
    ([RECORDING, "out.csv", "--outputs", "top.position.x"], Meaning("--outputs", "FMUs")),
    ([RECORDING, "out.html", "--outputs", "top.position.x"], Meaning("--outputs", "FMUs")),
]


@pytest.mark.parametrize(("words", "meaning"), REFUSED)
def test_what_can_not_be_an_fmu_is_refused(tmp_path: Path, words: list[str], meaning: Meaning) -> None:
    """In a process of its own, which has loaded no compiler for this processor."""
    done = polhode("convert", *words, folder=tmp_path, POLHODE_LANGUAGE="en")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert meaning.of(done.stderr)
    assert not any(tmp_path.iterdir())
