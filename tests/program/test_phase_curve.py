"""Curves of phase planes: gaps stay gaps, and what is sampled too coarsely is no polygon."""

from __future__ import annotations

import numpy as np

from polhode_app.docks.plots.phase_curve import are_alike, phase_curve


def lines(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Lengths of the lines that are drawn."""
    length = np.hypot(np.diff(x), np.diff(y))
    return length[np.isfinite(length)]


def test_a_marked_gap_is_a_gap_however_many_samples_are_left_out() -> None:
    """A chord across a circle would be as long as 2."""
    times = np.linspace(0, 40, 40_001)
    x, y = np.cos(times), np.sin(times)
    gap = (times > 7.0) & (times < 10.1)
    x[gap], y[gap] = np.nan, np.nan
    keep = ~gap
    keep[np.flatnonzero(gap)[0]] = True  # one row marks it
    curve = phase_curve(times[keep], x[keep], y[keep])
    assert len(curve.x) < 12_000
    assert len(curve.points) == 0
    assert np.isnan(curve.x).sum() == 1
    assert lines(curve.x, curve.y).max() < 0.05


def test_what_was_recalled_too_coarsely_is_drawn_as_points() -> None:
    """Five samples for each turn of a circle, before samples that resolve it: no chord is drawn, and nothing lost."""
    coarse, fine = np.arange(0, 60, 1.3), np.arange(60, 75, 0.01)
    times = np.r_[coarse, fine]
    curve = phase_curve(times, np.cos(times), np.sin(times))
    assert lines(curve.x, curve.y).max() < 0.25  # the first chords after the coarse samples are short
    assert len(curve.points) >= len(coarse)
    assert np.allclose(np.hypot(*curve.points.T), 1.0)


def test_coarse_samples_that_show_the_way_are_a_line() -> None:
    times = np.r_[np.arange(0, 60, 0.2), np.arange(60, 75, 0.01)]
    curve = phase_curve(times, np.cos(times), np.sin(times))
    assert len(curve.points) == 0
    assert not np.isnan(curve.x).any()


def test_impacts_are_lines() -> None:
    """Height and velocity of a ball that is reflected each second, in samples at equal times."""
    times = np.arange(0, 10, 0.01)
    since = times % 1.0
    height, speed = since * (1 - since), 1 - 2 * since
    curve = phase_curve(times, height, speed)
    assert not np.isnan(curve.x).any()
    assert len(curve.points) == 0


def test_scales_are_equal_only_if_both_can_be_seen() -> None:
    line = np.linspace(0, 1, 5)
    assert are_alike(line, 3 * line)
    assert not are_alike(line, 1e-6 * line)
    assert not are_alike(line, np.zeros(5))


def test_the_older_part_of_the_curve_is_at_rest_while_the_run_adds_samples() -> None:
    """A window of 50 s that follows a run of 0.5 ms steps: what both frames show is drawn by the same samples."""
    times = np.arange(0, 60, 0.0005)
    x, y = np.cos(7 * times), np.sin(11 * times)
    drawn = []
    for begin, end in ((0, 100_000), (1_237, 101_237)):
        curve = phase_curve(times[begin:end], x[begin:end], y[begin:end])
        assert len(curve.x) < 12_000
        drawn.append({*zip(curve.x.tolist(), curve.y.tolist(), strict=True)})
    both = slice(1_240, 96_000)  # samples in both windows that are not among the newest
    shared = {*zip(x[both].tolist(), y[both].tolist(), strict=True)}
    assert drawn[0] & shared == drawn[1] & shared
    assert len(drawn[0] & shared) > 4_000


def test_many_turns_are_no_polygons() -> None:
    """100 turns of 0.5 s: 40 or more chords for each, of at most a sixth of the radius."""
    times = np.arange(0, 50, 0.0005)
    curve = phase_curve(times, np.cos(4 * np.pi * times), np.sin(4 * np.pi * times))
    assert lines(curve.x, curve.y).max() < 0.16
