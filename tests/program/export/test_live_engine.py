"""Engines in pages, in Chromium: the bits of their runs, and what a page can ask of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from math import prod
from pathlib import Path

import numpy as np
import pytest
from browser import CHROMIUM, Browser, browser
from engine_page import started, words_after
from import_path import IMPORT_PATH
from web_runs import SCENES

from polhode import Simulation, read_scene
from polhode.compilation.web_module.module import WebModule, kept_module
from polhode.engine.ledger import HAND
from polhode.jit.storage.shipped_code import GENERIC

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
TESTS = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> WebModule:
    """That of all kernels if it is kept, else that of two scenes."""
    if (kept := kept_module()) is not None:
        return kept
    path = tmp_path_factory.mktemp("module") / "kernels"
    output_of("--module", str(path), "heavy_top", "magnet_pendulum")
    return WebModule.of_file(path.read_bytes())


def simulation(name: str = "heavy_top") -> Simulation:
    return Simulation(read_scene(SCENES / f"{name}.toml"))


def output_of(*arguments: str) -> str:
    """Output of tests/engine_page.py for a generic processor."""
    environment = {**os.environ, **GENERIC, "PYTHONPATH": os.pathsep.join((IMPORT_PATH, str(TESTS)))}
    words = [sys.executable, str(TESTS / "engine_page.py"), *arguments]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def runs(steps: int, *names: str) -> dict[str, dict]:
    """Results by scene."""
    lines = output_of(str(steps), *names).splitlines()
    return {line.pop("scene"): line for line in map(json.loads, lines)}


def check(found: dict[str, dict]) -> None:
    """All scenes that qualify came to equal states."""
    qualifying = {name: run for name, run in found.items() if run["qualifies"]}
    assert qualifying
    assert {name: run for name, run in qualifying.items() if run["differing"] or run["errors"]} == {}


def test_a_formula_has_equal_bits_after_1000_steps_in_a_page() -> None:
    check(runs(1000, "bead_on_circle"))


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_all_scenes_have_equal_bits_after_1000_steps_in_pages() -> None:
    check(runs(1000, "--all"))


def test_a_thread_runs_by_the_clock_and_pauses(tab: Browser, module: WebModule) -> None:
    with started(tab, simulation(), module):
        tab.run("polhode.remote.speed = 0.5; polhode.remote.run(true)")
        begun = tab.run("performance.now()")
        tab.wait("performance.now() > 1200")
        frame = tab.run("polhode.remote.frame([]).then(({time, isRunning}) => [time, isRunning, performance.now()])")
        assert frame[1] is True
        assert frame[0] == pytest.approx(0.5 * (frame[2] - begun) / 1000, rel=0.2, abs=0.05)
        tab.run("polhode.remote.run(false)")
        paused, later = (tab.run("polhode.remote.frame([]).then(({time}) => time)") for _ in range(2))
        assert paused == later >= frame[0]


def test_a_reset_leads_to_the_first_state_again(tab: Browser, module: WebModule) -> None:
    with started(tab, simulation("magnet_pendulum"), module):
        first, later = words_after(tab, 0), words_after(tab, 50)
        assert np.any(first != later)
        tab.run("polhode.remote.reset()")
        assert np.array_equal(words_after(tab, 0), first)
        assert np.array_equal(words_after(tab, 50), later)


def test_a_row_of_measure_has_the_columns_of_the_snapshot(tab: Browser, module: WebModule) -> None:
    """The row begins with the columns of the table."""
    native = simulation("magnet_pendulum")
    with started(tab, native, module):
        tab.run("polhode.remote.step(20)")
        row = np.array(tab.run("polhode.remote.frame([], true).then(({row}) => [...row])"))
    native.advance_steps(20)
    numbers = native.snapshot().measured.array
    assert row == pytest.approx(numbers, rel=1e-9, abs=1e-12)


def test_members_are_where_the_table_says(tab: Browser, module: WebModule) -> None:
    native = simulation("magnet_pendulum")
    path = "work.bodies.position"
    with started(tab, native, module, paths=[path]) as table:
        place = table["members"][path]
        tab.run("polhode.remote.step(20)")
        script = f"polhode.remote.frame([[{place['offset']}, {place['count']}]]).then(({{values}}) => [...values[0]])"
        found = tab.run(script)
    native.advance_steps(20)
    expected = native.structs.work.bodies.position
    assert place["count"] == prod(expected.shape)
    assert found == pytest.approx(expected.ravel(), rel=1e-12)


def test_what_acts_from_outside_is_in_the_ledger(tab: Browser, module: WebModule) -> None:
    """A momentum that the page writes adds as much energy as the line of the hand has then."""
    native = simulation()
    with started(tab, native, module) as table:
        state, hand = table["places"]["state"], table["hand"]
        assert hand == state + 8 * (native.compiled.model.ledger + HAND)
        ask = f"polhode.remote.frame([[{hand}, 1], [{state}, {table['size']}]], true)"
        tab.run("polhode.remote.step(10)")
        before = tab.run(f"{ask}.then(({{values}}) => [...values[1]])")
        energy = "polhode.remote.energies().then((values) => values.reduce((a, b) => a + b, 0))"
        first = tab.run(energy)
        momenta = np.flatnonzero(native.compiled.model.is_momentum[: native.compiled.model.ledger])
        place, value = state + 8 * int(momenta[-1]), before[momenta[-1]] + 0.5
        tab.run(f"polhode.remote.act([[{place}, [{value}]]])")
        last = tab.run(energy)
        (worked,) = tab.run(f"{ask}.then(({{values}}) => [...values[0]])")
    assert abs(last - first) > 1e-6
    assert worked == pytest.approx(last - first, rel=1e-9)
