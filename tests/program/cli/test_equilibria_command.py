"""`polhode equilibria`: its table, its JSON, its refusals, and Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from command_line import polhode, refused
from import_path import IMPORT_PATH
from meaning import Meaning

NEEDLES = "two_needles"


def test_equilibria_are_listed_with_stability_energy_place_and_frequencies(tmp_path: Path) -> None:
    done = polhode("equilibria", NEEDLES, "--starts", "40", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert Meaning("", count=8, source="two_needles", converged=40, starts=40).of(lines[0])
    heads = [line.split("  ")[-2] for line in lines if line.endswith(" J")]
    one, two = "unstable in 1 direction", "unstable in 2 directions"
    assert heads == ["stable", "stable", one, one, one, one, two, two]
    assert sum("left.angle" in line for line in lines) == 8
    assert any("f [Hz] = " in line for line in lines)


@pytest.mark.nightly
def test_json_has_full_precision_and_depends_on_the_seed(tmp_path: Path) -> None:
    out, again, other = (
        polhode("equilibria", NEEDLES, "--starts", "8", "--json", "--seed", seed, folder=tmp_path).stdout
        for seed in (4, 4, 5)
    )
    assert out == again
    assert out != other
    told = json.loads(out)
    lowest = told["equilibria"][0]
    assert (told["starts"], lowest["stability"], lowest["unstable_directions"]) == (8, "stable", 0)
    assert len(lowest["eigenvalues"]) == 4
    assert len(lowest["modes"]) == 2
    assert set(lowest["place"]) == {"left.angle", "right.angle"}


@pytest.mark.nightly
def test_a_long_search_reports_its_progress_unless_it_is_quiet(tmp_path: Path) -> None:
    """A chain of magnets, of hundreds of dipoles; the limit comes after several lines."""
    command = ("equilibria", "chain_of_magnets", "--limit", "5")
    lines = polhode(*command, "--verbose", folder=tmp_path).stderr.splitlines()
    assert len([line for line in lines if re.fullmatch(r"chain_of_magnets: \d+ %, .*", line)]) >= 2
    quiet = polhode(*command, "--quiet", folder=tmp_path)
    assert quiet.returncode == 0
    assert not any(line.startswith("chain_of_magnets: ") and "%" in line for line in quiet.stderr.splitlines())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--starts", "0"), Meaning("--starts", low=1, high=100000, value=0)),
        (("--seed", "-1"), Meaning("--seed", low=0)),
        (("--limit", "0"), Meaning("--limit", "greater", limit=0, value=0)),
    ],
)
def test_wrong_numbers_are_refused(options: tuple[str, ...], message: Meaning, tmp_path: Path) -> None:
    assert message.of(refused("equilibria", NEEDLES, *options, folder=tmp_path))


def test_a_scene_in_which_nothing_moves_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("format = 1\n")
    said = refused("equilibria", "empty.toml", folder=tmp_path)
    assert Meaning("empty.toml", "scene", "forces").of(said)


@pytest.mark.nightly
def test_ctrl_c_ends_a_search_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "polhode_app", "equilibria", NEEDLES, "--starts", "3000"]
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH, "POLHODE_PROGRESS": "1"}
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as search:
        assert search.stdout is not None
        search.stdout.readline()  # the first thousandth is done
        search.send_signal(signal.SIGINT)
        begun = time.monotonic()
        _, said = search.communicate(timeout=60)
    assert search.returncode == 130
    assert time.monotonic() - begun < 20
    assert said.strip() == "Stopped."
