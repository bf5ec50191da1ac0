"""Steps that take long are cancelled for a command that waits, and reported once. Clocks are numbers of the test."""

from __future__ import annotations

import threading
from time import monotonic
from types import SimpleNamespace

import pytest
from meaning import Meaning

from polhode.simulation.diverged import Cancelled
from polhode.simulation.simulation import Simulation
from polhode_app.i18n.field_names import METHODS
from polhode_app.i18n.language import in_language, tr
from polhode_app.i18n.translation import translate_problem
from polhode_app.runner.slow_steps import SLOW, WAITED, StepGuard, watching
from scenes import scene


class Steps:
    """A simulation whose steps end when the test says so."""

    def __init__(self) -> None:
        self.scene, self.time_step, self.steps, self.cancelled = scene(), 1e-3, 0, 0

    def cancel(self) -> None:
        self.cancelled += 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    now = SimpleNamespace(time=100.0, idle=0.0)
    monkeypatch.setattr("polhode_app.runner.slow_steps.monotonic", lambda: now.time)
    monkeypatch.setattr("polhode_app.runner.slow_steps.worked_by", lambda _thread: now.time - now.idle)
    return now


def test_a_step_is_cancelled_only_while_a_command_waits(clock: SimpleNamespace) -> None:
    guard, first, ghost = StepGuard(), Steps(), Steps()
    with guard(first, ghost):
        clock.time += 0.9 * WAITED
        assert guard.check(waiting=True) is None
        clock.time += 0.2 * WAITED
        assert guard.check(waiting=False) is None
        assert (first.cancelled, ghost.cancelled) == (0, 0)
        assert guard.check(waiting=True) is None
        assert (first.cancelled, ghost.cancelled) == (1, 1)


def test_a_slow_step_is_reported_once_for_each_simulation(clock: SimpleNamespace) -> None:
    guard, first, second = StepGuard(), Steps(), Steps()
    with guard(first):
        clock.time += SLOW
        assert guard.check(waiting=False) is None
        clock.time += 0.01
        problem = guard.check(waiting=False)
        assert problem is not None
        assert problem.place == "solver.time_step"
        assert Meaning("solver.time_step", step=0.001, method="Runge-Kutta 4").of(
            problem
        )  # as the chooser of methods says it
        assert guard.check(waiting=False) is None
    with guard(first):
        clock.time += 2 * SLOW
        assert guard.check(waiting=False) is None
    with guard(second):
        clock.time += 2 * SLOW
        assert guard.check(waiting=False) is not None
    assert first.cancelled == second.cancelled == 0


def test_a_step_that_waits_for_other_programs_is_not_slow(clock: SimpleNamespace) -> None:
    guard, first = StepGuard(), Steps()
    with guard(first):
        clock.time, clock.idle = clock.time + 5 * SLOW, 4.5 * SLOW
        assert guard.check(waiting=False) is None
        clock.time += 0.4 * SLOW
        first.steps += 1  # another step begins
        assert guard.check(waiting=False) is None
        clock.time += 0.9 * SLOW
        assert guard.check(waiting=False) is None
        clock.time += 0.2 * SLOW
        assert guard.check(waiting=False) is not None


@pytest.mark.parametrize("method", METHODS)
def test_the_report_names_the_method_as_the_window_does(clock: SimpleNamespace, method: str) -> None:
    guard, slow = StepGuard(), Steps()
    slow.scene = scene(solver={"method": method})
    with guard(slow):
        clock.time += 2 * SLOW
        problem = guard.check(waiting=False)
    assert f" {METHODS[method]} " in problem.rule
    with in_language("ja"):
        assert f"{tr(METHODS[method])} による" in translate_problem(problem)


def test_nothing_is_cancelled_or_reported_between_steps(clock: SimpleNamespace) -> None:
    guard, simulation = StepGuard(), Steps()
    with guard(simulation):
        pass
    clock.time += 2 * SLOW
    assert guard.check(waiting=True) is None
    guard.cancel()
    assert simulation.cancelled == 0


def test_the_end_of_a_cancelled_step_is_no_error_but_other_errors_are() -> None:
    guard, simulation = StepGuard(), Simulation(scene())
    with guard(simulation):
        guard.cancel()
        simulation.advance_steps(10)
        raise AssertionError("it was not cancelled")
    assert simulation.steps == 0
    with pytest.raises(ZeroDivisionError), guard(simulation):
        raise ZeroDivisionError
    assert guard.check(waiting=True) is None
    simulation.cancel()
    with pytest.raises(Cancelled):
        simulation.advance_steps(10)


def test_a_run_is_warned_of_once_while_no_step_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polhode_app.runner.slow_steps.SLOW", 0.05)
    monkeypatch.setattr("polhode_app.runner.slow_steps.LOOK", 0.01)
    warned, said = [], threading.Event()
    monkeypatch.setattr("polhode_app.runner.slow_steps.worked_by", lambda _thread: monotonic())
    with watching(Steps(), lambda problem: (warned.append(problem), said.set())):
        assert said.wait(60.0)
        said.clear()
        assert not said.wait(0.2)
    assert len(warned) == 1
