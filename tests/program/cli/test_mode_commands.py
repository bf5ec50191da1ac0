"""`polhode modes`, and what check and run say of modes that buckle, as a user's shell sees them."""

from __future__ import annotations

import json
from math import pi, sqrt
from pathlib import Path

import pytest
from command_line import polhode, refused
from meaning import Meaning

K, M, A = 400.0, 0.1, 0.2  # [N/m], [kg], [m]
CHAIN = f"""\
[[soft]]
name = "row"
kind = "chain"
count = 3
spacing = {A}
direction = [1, 0, 0]
particle_mass = {M}
stiffness = {K}
fixed = [0, 2]
"""
# The point in the middle between two springs: w^2 = 2k/m along them; across them 2k(1 - l0/l)/m, for y and for z.
ALONG = 2 * K / M


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "row.toml").write_text(CHAIN, encoding="utf-8")
    (tmp_path / "taut.toml").write_text(CHAIN + "natural_length = 0.75\nmodes = 2\n", encoding="utf-8")
    (tmp_path / "pressed.toml").write_text(CHAIN + "natural_length = 1.25\nmodes = 1\n", encoding="utf-8")
    kept = 'natural_length = 1.25\nmodes = 3\nunstable_modes = "clamp"\n'
    (tmp_path / "kept.toml").write_text(CHAIN + kept, encoding="utf-8")
    return tmp_path


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_modes_prints_a_table_of_frequencies_and_periods(folder: Path) -> None:
    done = polhode("modes", "taut.toml", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    heading, names, *table = rows(done.stdout)
    assert heading == ["row:", "2", "of", "3", "modes"]
    assert names == ["mode", "w", "[1/s]", "f", "[Hz]", "T", "[s]"]
    w = sqrt(2 * K * 0.25 / M)
    assert [int(line[0]) for line in table] == [0, 1]
    for line in table:
        assert [float(word) for word in line[1:]] == pytest.approx([w, w / (2 * pi), 2 * pi / w], rel=1e-5)


def test_modes_of_a_body_that_asks_for_none_are_its_lowest_as_json(folder: Path) -> None:
    """Across two springs at rest nothing resists: w = 0; all digits of the one along them."""
    done = polhode("modes", "row.toml", "--json", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    table = json.loads(done.stdout)["row"]
    assert table["available"] == 3
    assert table["angular_frequency"] == pytest.approx([0.0, 0.0, sqrt(ALONG)], rel=1e-12)
    assert table["square"] == pytest.approx([0.0, 0.0, ALONG], rel=1e-12)
    assert table["dropped_square"] == []
    assert ["0", "0", "0", "-"] in rows(polhode("modes", "row.toml", folder=folder).stdout)


def test_modes_that_buckle_are_printed_as_such(folder: Path) -> None:
    dropped = polhode("modes", "pressed.toml", folder=folder)
    assert dropped.returncode == 0
    assert dropped.stdout.count(f"left out: buckles, w^2 = {-0.25 * ALONG:.6g} 1/s^2") == 2
    kept = polhode("modes", "kept.toml", folder=folder)
    assert kept.returncode == 0
    assert len([line for line in rows(kept.stdout) if line[1:4] == ["0", "0", "-"] and "buckles," in line]) == 2
    both = [polhode("modes", name, "--json", folder=folder).stdout for name in ("pressed.toml", "kept.toml")]
    tables = [json.loads(text)["row"] for text in both]
    assert tables[0]["dropped_square"] == pytest.approx([-0.25 * ALONG] * 2, rel=1e-12)
    assert tables[0]["square"] == pytest.approx([ALONG], rel=1e-12)
    assert tables[1]["square"] == pytest.approx([-0.25 * ALONG, -0.25 * ALONG, ALONG], rel=1e-12)
    assert tables[1]["angular_frequency"] == pytest.approx([0.0, 0.0, sqrt(ALONG)], rel=1e-12)


def test_modes_of_a_scene_without_soft_bodies_are_refused(folder: Path) -> None:
    (folder / "hard.toml").write_text('[[particle]]\nname = "ball"\nmass = 1\n', encoding="utf-8")
    for words in (("modes", "hard.toml"), ("modes", "hard.toml", "--json")):
        said = refused(*words, folder=folder)
        assert Meaning("hard.toml: soft", "modes").of(said)


def test_more_modes_than_there_are_and_no_file_are_refused(folder: Path) -> None:
    (folder / "many.toml").write_text(CHAIN + "modes = 4\n", encoding="utf-8")
    for command in ("modes", "check"):
        said = refused(command, "many.toml", folder=folder)
        assert Meaning("many.toml: soft[0].modes", modes=4, available=3, name="row").of(said)
    assert "nothing.toml" in refused("modes", "nothing.toml", folder=folder)
    assert refused("modes", folder=folder)


def test_a_ghost_of_more_modes_than_there_are_is_named(folder: Path) -> None:
    (folder / "ghost.toml").write_text(CHAIN + "[[ghost]]\nmodes = 4\n", encoding="utf-8")
    said = refused("check", "ghost.toml", folder=folder)
    assert Meaning("ghost.toml: ghost[0].soft[0].modes", modes=4, available=3, name="row").of(said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pressed.toml", Meaning("soft[0].modes", "clamp", count=2, name="row", lowest=f"{-0.25 * ALONG:.3g}")),
        ("kept.toml", Meaning("soft[0].modes", "drop", count=2, name="row", lowest=f"{-0.25 * ALONG:.3g}")),
    ],
)
@pytest.mark.parametrize("command", ["check", "run"])
def test_check_and_run_warn_of_modes_that_buckle_and_go_on(
    folder: Path, command: str, name: str, said: Meaning
) -> None:
    words = ("--until", "0.1", "--every", "0.05", "--out", "run.csv") if command == "run" else ()
    done = polhode(command, name, *words, folder=folder)
    assert done.returncode == 0
    assert done.stderr.startswith(f"{name}: warning: soft[0].modes: ")
    assert said.of(done.stderr)
    assert command == "check" or len((folder / "run.csv").read_text().splitlines()) == 4


@pytest.mark.parametrize("name", ["row.toml", "taut.toml"])
def test_nothing_is_said_where_nothing_buckles(folder: Path, name: str) -> None:
    assert "buckle" not in polhode("check", name, folder=folder).stderr
