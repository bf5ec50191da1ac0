"""The keys of `--json` are those that docs/commands.md lists, in their order."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import polhode

from polhode.verification import GROUPS
from polhode_app.cli.verify_command import json_of

ROOT = Path(__file__).parents[3]
LINES = {
    "check": "check heavy_top",
    "scenes": "scenes",
    "modes": "modes jelly_magnet",
    "inertia": "inertia heavy_top",
    "equilibria": "equilibria magnet_pendulum --starts 1",
    "info": "info",
}


def documented(page: str) -> dict[str, list[str]]:
    """Keys by command, of the table below the heading JSON."""
    table = (ROOT / "docs" / page).read_text("utf-8").partition("\n## JSON\n")[2]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", table, re.MULTILINE)
    return {command: re.findall(r"`(\w+)`", keys) for command, keys in rows}


def test_both_pages_list_the_same_keys() -> None:
    assert documented("commands.md") == documented("commands.ja.md")
    assert documented("commands.md").keys() == {*LINES, "collect", "verify"}


@pytest.mark.parametrize("command", LINES)
def test_json_has_the_documented_keys(command: str, tmp_path: Path) -> None:
    done = polhode(*LINES[command].split(), "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    found = found[0] if command == "scenes" else found["jelly"] if command == "modes" else found
    assert [*found] == documented("commands.md")[command]


def test_json_of_a_verified_case_has_the_documented_keys() -> None:
    case = next(iter(GROUPS.values()))[0]
    assert [*json.loads(json_of({"group": [case.run()]}))[0]] == documented("commands.md")["verify"]


def test_faults_leave_standard_output_empty(tmp_path: Path) -> None:
    for words in ("check nosuch", "modes heavy_top", "inertia nosuch", "equilibria nosuch"):
        done = polhode(*words.split(), "--json", folder=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), words
        assert done.stderr.count("\n") == 1
