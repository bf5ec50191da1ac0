"""Uncertainties in the background: those of an earlier scene are dropped, and periods are computed when needed."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from polhode import read_scene
from polhode.scene.scene import Scene
from polhode.uncertainty.result import UncertainValue
from polhode_app.jobs import CheckCancelled
from polhode_app.window.parts import uncertain_runs
from polhode_app.window.parts.uncertain_notes import UncertainNotes
from polhode_app.window.parts.uncertain_runs import Order, UncertainRuns

NUMBER = "body[0].friction"


class Session:
    """The scene of a session without edits that wait."""

    is_pending = False

    def __init__(self, scene: Scene):
        self.scene = scene


@pytest.fixture
def session() -> Session:
    """A top with an uncertain friction."""
    return Session(read_scene("heavy_top").with_values({NUMBER: "1e-4 +- 1e-5"}))


@pytest.fixture
def runs(session: Session, monkeypatch: pytest.MonkeyPatch) -> Iterator[UncertainRuns]:
    """Runs whose result is their scene, which they report at once and return when they may."""
    may_end = Event()

    def computed(order: Order, check: CheckCancelled) -> Any:
        check.report(order.scene)
        may_end.wait()
        return order.scene

    monkeypatch.setattr(uncertain_runs, "_computed", computed)
    made: Any = UncertainRuns(session)  # type: ignore[arg-type]
    made.may_end = may_end
    yield made
    may_end.set()
    made.stop()


def take(runs: UncertainRuns, scene: Scene) -> None:
    """Wait for the result of a scene."""
    for _ in range(1000):
        runs.tick(0.0, ())
        if runs.found is scene:
            return
        Event().wait(0.005)
    raise AssertionError("no result")


@pytest.mark.parametrize("is_finished", [False, True])
def test_another_scene_has_no_uncertainties_until_they_are_computed(
    runs: Any, session: Session, is_finished: bool
) -> None:
    first = session.scene
    if is_finished:
        runs.may_end.set()
    runs.want(("top.u3.z",), 1.0)
    take(runs, first)
    if is_finished:
        runs._job.wait()
        runs.tick(0.0, ())
        runs.may_end.clear()
    version = runs.version
    session.scene = first.with_values({NUMBER: "2e-4 +- 1e-5"})
    runs.want(("top.u3.z",), 1.0)
    assert runs.found is None
    assert runs.version > version
    runs.tick(0.0, ())
    assert runs.found is not first, "the report of work that was cancelled"
    runs.may_end.set()
    take(runs, session.scene)


def test_other_columns_of_the_same_scene_keep_the_uncertainties_meanwhile(runs: Any, session: Session) -> None:
    runs.want(("top.u3.z",), 1.0)
    take(runs, session.scene)
    runs.want(("top.u3.z", "top.u3.x"), 1.0)
    assert runs.found is session.scene


def test_periods_are_computed_once_for_items_that_have_a_part(session: Session) -> None:
    asked: list[str] = []

    def period(name: str) -> UncertainValue:
        asked.append(name)
        return UncertainValue(1.0, 0.1, {NUMBER: 1.0})

    def found() -> Any:
        source = SimpleNamespace(names=(NUMBER,))
        return SimpleNamespace(uncertain=("top.u3.z",), sources=(source,), period=period)

    runs: Any = SimpleNamespace(found=found(), version=0)
    notes = UncertainNotes(session, runs, lambda: None)  # type: ignore[arg-type]
    assert notes.of(("world",)) == []
    assert asked == []
    assert len(notes.of(("body", 0))) == 1
    assert len(notes.of(("body", 0))) == 1
    assert asked == ["top.u3.z"]
    runs.found = found()
    notes.of(("body", 0))
    assert asked == ["top.u3.z", "top.u3.z"]
