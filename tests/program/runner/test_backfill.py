"""Quantities of the past, asked for when it is over."""

from __future__ import annotations

import numpy as np
import pytest

from polhode import read_scene
from polhode.analysis.columns import columns
from polhode.scene import gallery
from polhode.simulation.simulation import Simulation
from polhode_app.data.plots.plot_store import PlotStore
from polhode_app.data.plots.sample_buffer import SampleBuffer
from polhode_app.messages import ColumnSamples
from polhode_app.runner.backfill import backfilled_samples
from polhode_app.runner.ghosts import Ghosts
from polhode_app.runner.rewind_buffer import RewindBuffer


def run_of(name: str, method: str) -> tuple[Simulation, RewindBuffer, dict[float, np.ndarray]]:
    """A run, its past and its table at the times that are kept."""
    scene = read_scene(gallery.path(name))
    scene = scene.model_copy(update={"solver": scene.solver.model_copy(update={"method": method})})
    simulation, past, table = Simulation(scene), RewindBuffer(), {}
    past.restart(simulation, Ghosts())
    for _ in range(30):
        simulation.advance(0.02)
        past.store(simulation, Ghosts())
        table[simulation.time] = simulation.snapshot().numbers.copy()
    return simulation, past, table


@pytest.mark.parametrize(
    ("name", "method"), [("magnet_pendulum", "rk4"), ("heavy_top", "adams_bashforth_2"), ("cloth_on_ball", "verlet")]
)
def test_the_past_is_as_it_was_and_the_run_goes_on_as_if_nobody_had_asked(name: str, method: str) -> None:
    simulation, past, table = run_of(name, method)
    wanted = [*columns(simulation.compiled)][1::3]
    found = backfilled_samples(simulation, past.states, [*wanted, "no such column"])
    assert found.recalled
    assert found.columns == ("time", *wanted)
    assert len(found.numbers) == 30  # the start, and all but the current state
    places = [[*columns(simulation.compiled)].index(each) for each in found.columns]
    for row in found.numbers[1:]:
        assert np.array_equal(row, table[row[0]][places])
    undisturbed, _, _ = run_of(name, method)
    for each in (simulation, undisturbed):
        each.advance(0.1)
    assert simulation.time == undisturbed.time
    assert np.array_equal(simulation.snapshot().numbers, undisturbed.snapshot().numbers)


@pytest.mark.parametrize(("budget", "count"), [(1e9, 30), (0.0, 8)])
def test_as_many_states_as_there_is_time_for_are_recalled_evenly(
    monkeypatch: pytest.MonkeyPatch, budget: float, count: int
) -> None:
    simulation, past, _ = run_of("heavy_top", "rk4")
    monkeypatch.setattr("polhode_app.runner.backfill.BUDGET", budget)
    monkeypatch.setattr("polhode_app.runner.backfill.NUMBERS", 100)  # a few rows at once
    times = backfilled_samples(simulation, past.states, ["energy.total"]).numbers[:, 0]
    assert len(times) == count
    assert np.ptp(np.diff(times)) < 1e-9


def test_where_there_is_nothing_to_recall_there_is_nothing() -> None:
    simulation = Simulation(read_scene(gallery.path("heavy_top")))
    past = RewindBuffer()
    past.restart(simulation, Ghosts())
    assert backfilled_samples(simulation, past.states, ["energy.total"]) is None
    simulation.advance(0.1)
    assert backfilled_samples(simulation, past.states, []) is None
    assert backfilled_samples(simulation, past.states, ["energy.total"]).numbers[:, 0].tolist() == [0.0]


def table(first: float, last: float, count: int, **more: bool) -> ColumnSamples:
    times = np.linspace(first, last, count)
    return ColumnSamples(("time", "a"), np.column_stack([times, np.sin(times)]), **more)


def test_what_is_recalled_fills_the_beginning_and_the_gaps_only() -> None:
    history = SampleBuffer(["a"])
    history.take(table(2.0, 3.0, 101))
    history.interrupt()
    history.take(table(5.0, 6.0, 101))
    fine = history.rows[~np.isnan(history.rows).any(axis=1)].copy()
    history.take(table(0.0, 6.0, 61, recalled=True))
    assert np.isin(fine, history.rows).all()  # nothing that was known has changed
    assert (np.diff(history.times) >= 0).all()
    assert history.times[0] == 0.0
    assert np.diff(history.times).max() < 0.11
    assert history.column("a") == pytest.approx(np.sin(history.times), abs=0.1**2)
    assert history.maxima("a")[:, 0] == pytest.approx([np.pi / 2], abs=0.01)


def test_a_quantity_that_is_chosen_late_is_known_as_coarsely_as_it_is_recalled_and_no_finer() -> None:
    history = SampleBuffer(["a"])
    history.take(table(0.0, 3.0, 301))
    history.choose(["a", "b"])
    times = np.linspace(0.0049, 2.9949, 31)
    history.take(ColumnSamples(("time", "a", "b"), np.column_stack([times, np.sin(times), times**2]), recalled=True))
    history.take(ColumnSamples(("time", "a", "b"), np.array([[3.01, np.sin(3.01), 3.01**2]])))
    seen, values = history.series("b")
    assert seen.tolist() == [*times, 3.01]
    assert values.tolist() == [*times**2, 3.01**2]  # nothing is made up between them
    seen, values = history.series("a")
    assert len(seen) == 301 + 31 + 1
    assert values == pytest.approx(np.sin(seen))
    assert history.maxima("a")[:, 0] == pytest.approx([np.pi / 2], abs=1e-5)


def test_pairs_are_drawn_where_both_are_known() -> None:
    plotted = PlotStore()
    plotted.choose(["a"])
    plotted.take(table(0.0, 3.0, 301))
    plotted.choose(["a", "b"])
    rows = np.array([[1.001, 1.0, 2.0], [2.001, 3.0, 4.0]])
    plotted.take(ColumnSamples(("time", "a", "b"), rows, recalled=True))
    times, xs, ys = plotted.together("a", "b")
    assert np.column_stack([times, xs, ys]).tolist() == rows.tolist()
    assert len(plotted.together("a", "a")[0]) == 303
