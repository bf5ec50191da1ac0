"""Pacing without waiting: the clocks are numbers that the test turns."""

from __future__ import annotations

import pytest

from polhode_app.runner.pacing import BUDGET, DEBT, IDLE, LONGEST, Pacing


class Machine:
    """A computer that needs `cost` seconds per step, and the loop that the physics thread runs on it."""

    def __init__(self, cost: float, speed: float, time_step: float = 1e-3):
        self.cost, self.time_step = cost, time_step
        self.wall = self.simulated = 0.0
        self.pacing = Pacing(speed)
        self.longest = 0.0  # [s] of a batch
        self.waits = 0.0  # [s] after every batch, for the window

    def run(self, seconds: float) -> None:
        end = self.wall + seconds
        while self.wall < end:
            due = self.pacing.steps(self.wall, self.simulated, self.time_step)
            if not due:
                self.wall += self.pacing.patience(due, self.wall, self.simulated)
                continue
            spent = due * self.cost
            self.wall += spent
            self.simulated += due * self.time_step
            self.longest = max(self.longest, spent)
            self.wall += self.waits
            self.pacing.done(due, spent, self.waits, self.wall, self.simulated)
            self.wall += self.pacing.patience(due, self.wall, self.simulated)


@pytest.mark.parametrize("speed", [0.01, 0.5, 1.0, 20.0])
def test_simulated_time_keeps_to_the_speed(speed: float) -> None:
    machine = Machine(cost=1e-6, speed=speed)
    machine.run(10.0)
    # Never ahead; behind by at most one step and one wait of the loop.
    assert -1e-9 <= 10.0 * speed - machine.simulated <= machine.time_step + 0.006 * speed
    assert machine.pacing.factor(machine.wall) == pytest.approx(speed, rel=0.1)


def test_a_slow_machine_reports_its_real_factor_and_never_spirals() -> None:
    machine = Machine(cost=1e-2, speed=1.0, time_step=1e-3)  # ten times too slow
    machine.run(20.0)
    assert machine.pacing.factor(machine.wall) == pytest.approx(0.1, rel=0.01)
    assert machine.pacing.steps_per_second(machine.wall) == pytest.approx(100, rel=0.01)
    assert machine.longest == pytest.approx(machine.cost)  # one step is longer than the budget: never two of them


def test_batches_stay_within_the_budget() -> None:
    machine = Machine(cost=1e-4, speed=1000.0)
    machine.run(2.0)
    assert machine.longest <= BUDGET * 1.001


@pytest.mark.parametrize(("waits", "share"), [(0.004, 2 / 3), (0.02, 1 / 2), (0.048, 0.4)])
def test_drawing_takes_half_the_time_but_not_more(waits: float, share: float) -> None:
    """Up to a point: a batch lasts as long as the wait after it, but not longer than the hand puts up with."""
    machine = Machine(cost=1e-6, speed=1e6)
    machine.waits = waits
    machine.run(5.0)
    assert machine.pacing.steps_per_second(machine.wall) == pytest.approx(share / machine.cost, rel=0.05)
    assert machine.longest <= LONGEST * BUDGET * 1.001


def test_a_short_interruption_is_caught_up_and_a_long_one_forgiven() -> None:
    machine = Machine(cost=1e-6, speed=1.0)
    machine.run(1.0)
    machine.wall += 0.5 * DEBT
    machine.run(1.0)
    assert machine.simulated == pytest.approx(machine.wall, abs=0.01)
    machine.wall += 60.0
    machine.run(1.0)
    assert machine.wall - machine.simulated == pytest.approx(60.0 - DEBT, abs=0.02)


def test_a_new_speed_counts_from_now() -> None:
    machine = Machine(cost=1e-6, speed=1.0)
    machine.run(5.0)
    before = machine.simulated
    machine.pacing.speed = 10.0
    machine.pacing.start(machine.wall, machine.simulated)
    machine.run(1.0)
    assert machine.simulated - before == pytest.approx(10.0, abs=0.1)


@pytest.mark.parametrize("step", [0.2, 1.0, 7.0])
@pytest.mark.parametrize("speed", [0.1, 1.0, 10.0])
def test_a_step_longer_than_the_lag_that_is_caught_up_is_taken_when_it_is_due(step: float, speed: float) -> None:
    machine = Machine(cost=1e-4, speed=speed, time_step=step)
    machine.run(5.5 * step / speed)
    assert machine.simulated == pytest.approx(5 * step)


def test_only_a_run_that_lags_behind_does_not_wait_between_batches() -> None:
    pacing = Pacing(speed=2.0)
    pacing.start(10.0, 5.0)
    assert pacing.patience(3, 11.0, 7.0) == IDLE
    assert pacing.patience(3, 11.0 + 2 * IDLE, 7.0) == 0.0
    assert pacing.patience(0, 11.0 + 2 * IDLE, 7.0) == IDLE  # less than a step is due
