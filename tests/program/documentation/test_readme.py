"""Every command and every code block of both READMEs, as a newcomer runs them one after another in an empty folder."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import command_line
import pytest
from import_path import IMPORT_PATH

ROOT = Path(__file__).parents[3]
READMES = ("README.md", "README.ja.md")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$|((?:^ {4}\S[^\n]*\n)+)", re.DOTALL | re.MULTILINE)
OPENS_A_WINDOW = re.compile(r"polhode(?: [\w.]+)?$")
SHOWN = 60.0  # [s] in which a window opens on a busy machine, machine code included


def blocks(readme: str) -> list[tuple[str, str]]:
    """Language and text of all blocks, in order; those of commands have the language "sh"."""
    found = BLOCK.findall((ROOT / readme).read_text("utf-8"))
    return [(language or "sh", text or "\n".join(lines.split("#")[0].strip() for lines in shell.splitlines()))
            for language, text, shell in found]  # fmt: skip


def polhode(command: str) -> list[str]:
    return [sys.executable, "-m", "polhode_app", *command.split()[1:]]


@pytest.mark.parametrize("readme", READMES)
def test_the_readme_is_one_page(readme: str) -> None:
    assert len((ROOT / readme).read_text("utf-8").splitlines()) <= 100


def test_both_readmes_have_the_same_commands_and_code() -> None:
    """But for comments: so it is enough to run those of one."""
    bare = [[(language, re.sub(r" *#.*", "", text)) for language, text in blocks(readme)] for readme in READMES]
    assert len(bare[0]) == 5
    assert bare[0] == bare[1]


def test_commands_and_code_of_the_readme_run(tmp_path: Path) -> None:
    """Windows and `make` are tested apart; the text names the file of the scene."""
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    done = []
    for language, text in blocks("README.md"):
        if language == "toml":
            (tmp_path / "first.toml").write_text(text, "utf-8")
            commands = []
        elif language == "python":
            commands = [[sys.executable, "-c", text]]
        else:
            lines = [line for line in text.split("\n") if not OPENS_A_WINDOW.match(line) or line == "polhode scenes"]
            commands = [polhode(line) for line in lines if not line.startswith("make ")]
        for command in commands:
            if language == "sh":
                ran = command_line.polhode(*command[3:], folder=tmp_path)
            else:
                ran = subprocess.run(
                    command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
                )
            assert ran.returncode == 0, ran.stderr
            done.append(ran.stdout)
    assert "heavy_top" in done[0]
    assert len((tmp_path / "top.csv").read_text("utf-8").splitlines()) == 202  # a heading, and 2 s in steps of 0.01 s
    assert "<canvas" in (tmp_path / "top.html").read_text("utf-8")
    assert "bodies: 1" in done[-2]
    times = [float(line.split()[0]) for line in done[-1].splitlines()]
    assert times == pytest.approx([0.1 * k for k in range(1, 21)])


@pytest.mark.parametrize("readme", READMES)
def test_targets_of_make_exist(readme: str) -> None:
    targets = {line.split()[1] for _, text in blocks(readme) for line in text.split("\n") if line.startswith("make ")}
    assert targets == {"run", "test"}
    for target in targets:
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, check=True)


@pytest.mark.nightly
def test_commands_that_open_a_window_keep_it_open(tmp_path: Path) -> None:
    """Those of both READMEs are the same: see test_house.py. A window that fails ends its program."""
    shell = [line for language, text in blocks("README.md") if language == "sh" for line in text.split("\n")]
    commands = [line for line in shell if OPENS_A_WINDOW.match(line) and line != "polhode scenes"]
    assert commands == ["polhode first.toml"]
    (scene,) = [text for language, text in blocks("README.md") if language == "toml"]
    (tmp_path / "first.toml").write_text(scene, "utf-8")
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH, "XDG_CONFIG_HOME": str(tmp_path)}
    window = subprocess.Popen(polhode(commands[0]), cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            window.wait(SHOWN)
    finally:
        window.send_signal(signal.SIGTERM)
        said = window.communicate()[1]
    assert "Traceback" not in said
