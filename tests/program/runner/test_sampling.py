"""Batches of samples are joined where one follows from the other."""

from __future__ import annotations

import numpy as np

from polhode_app.data.plots.sample_buffer import SampleBuffer, joined
from polhode_app.messages import ColumnSamples

COLUMNS = ("time", "height")


def batch(*times: float, columns: tuple[str, str] = COLUMNS) -> ColumnSamples:
    return ColumnSamples(columns, np.array([[time, 10 * time] for time in times]))


def test_batches_that_follow_each_other_become_one() -> None:
    (one,) = joined([batch(0.0, 0.1), batch(0.2), batch(0.3, 0.4)])
    assert one.columns == COLUMNS
    assert one.numbers[:, 0].tolist() == [0.0, 0.1, 0.2, 0.3, 0.4]
    assert not list(joined([]))


def test_other_columns_and_a_time_that_goes_back_begin_another() -> None:
    batches = [batch(0.0, 0.1), batch(0.2, columns=("time", "speed")), batch(0.3), batch(0.15), batch(0.25)]
    parts = list(joined(batches))
    assert [part.numbers[:, 0].tolist() for part in parts] == [[0.0, 0.1], [0.2], [0.3], [0.15, 0.25]]


def test_what_is_joined_is_remembered_as_what_comes_singly() -> None:
    batches = [batch(*np.linspace(k, k + 0.9, 7)) for k in (0, 1, 2, 1, 2)]
    singly, together = SampleBuffer(["height"]), SampleBuffer(["height"])
    for each in batches:
        singly.take(each)
    for each in joined(batches):
        together.take(each)
    assert np.array_equal(singly.rows, together.rows)
    assert singly.times[-1] == 2.9
    assert len(singly.times) == 21
