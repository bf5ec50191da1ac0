"""Engines in pages, in Chromium: the bits of their runs, and what a page can ask of them."""

from __future__ import annotations

import json
from math import prod

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from engine_output import output_of
from engine_page import started, words_after
from web_runs import SCENES

from polhode import Simulation, read_scene
from polhode.compilation.web_module.module import WebModule
from polhode.engine.ledger import HAND

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")


def simulation(name: str = "heavy_top") -> Simulation:
    return Simulation(read_scene(SCENES / f"{name}.toml"))


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


def test_a_thread_runs_by_the_clock_and_pauses(tab: Browser, kernels: WebModule) -> None:
    with started(tab, simulation(), kernels):
        tab.run("polhode.remote.speed = 0.5; polhode.remote.run(true)")
        begun = tab.run("performance.now()")
        tab.wait("performance.now() > 1200")
        frame = tab.run("polhode.remote.frame([]).then(({time, isRunning}) => [time, isRunning, performance.now()])")
        assert frame[1] is True
        assert frame[0] == pytest.approx(0.5 * (frame[2] - begun) / 1000, rel=0.2, abs=0.05)
        tab.run("polhode.remote.run(false)")
        paused, later = (tab.run("polhode.remote.frame([]).then(({time}) => time)") for _ in range(2))
        assert paused == later >= frame[0]


def test_a_reset_leads_to_the_first_state_again(tab: Browser, kernels: WebModule) -> None:
    with started(tab, simulation("magnet_pendulum"), kernels):
        first, later = words_after(tab, 0), words_after(tab, 50)
        assert np.any(first != later)
        tab.run("polhode.remote.reset()")
        assert np.array_equal(words_after(tab, 0), first)
        assert np.array_equal(words_after(tab, 50), later)


def test_a_run_by_the_clock_takes_steps_also_where_one_takes_long(tab: Browser, kernels: WebModule) -> None:
    """Of 5 ms at a hundredth of the speed: one every half second."""
    scene = read_scene(SCENES / "heavy_top.toml")
    slow = Simulation(scene.with_values({"solver.time_step": 0.005}))
    with started(tab, slow, kernels):
        tab.run("polhode.remote.speed = 0.01; polhode.remote.run(true)")
        begun = tab.run("performance.now()")
        tab.wait(f"performance.now() > {begun + 1200}")
        time, is_slow = tab.run("polhode.remote.frame([]).then(({time, isSlow}) => [time, isSlow])")
    assert 0.005 <= time <= 0.05
    assert not is_slow


def test_a_row_of_measure_has_the_columns_of_the_snapshot(tab: Browser, kernels: WebModule) -> None:
    """The row begins with the columns of the table."""
    native = simulation("magnet_pendulum")
    with started(tab, native, kernels):
        tab.run("polhode.remote.step(20)")
        row = np.array(tab.run("polhode.remote.frame([], true).then(({row}) => [...row])"))
    native.advance_steps(20)
    numbers = native.snapshot().measured.array
    assert row == pytest.approx(numbers, rel=1e-9, abs=1e-12)


def test_members_are_where_the_table_says(tab: Browser, kernels: WebModule) -> None:
    native = simulation("magnet_pendulum")
    path = "work.bodies.position"
    with started(tab, native, kernels, paths=[path]) as table:
        place = table["members"][path]
        tab.run("polhode.remote.step(20)")
        script = f"polhode.remote.frame([[{place['offset']}, {place['count']}]]).then(({{values}}) => [...values[0]])"
        found = tab.run(script)
    native.advance_steps(20)
    expected = native.structs.work.bodies.position
    assert place["count"] == prod(expected.shape)
    assert found == pytest.approx(expected.ravel(), rel=1e-12)


def test_what_acts_from_outside_is_in_the_ledger(tab: Browser, kernels: WebModule) -> None:
    """A momentum that the page writes adds as much energy as the line of the hand has then."""
    native = simulation()
    with started(tab, native, kernels) as table:
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
