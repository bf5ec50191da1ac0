"""Processor time of a step beside the time that it simulates."""

from __future__ import annotations

from math import sqrt
from time import process_time

from polhode.physics.induced.shapes import each_of_dipoles
from polhode.scene.message import Message
from polhode.simulation.batches.stepping import Cancelled, Diverged
from polhode.simulation.simulation import Simulation

TRIED = 0.2  # [s] processor time of the steps that are timed
FEW = 5  # steps of a batch
MS = 1e3


def seconds_per_step(simulation: Simulation) -> float:
    """Processor time [s] of a step from the current state on; nan where the run ends within the first steps.

    The simulation is not changed.
    """
    trial, steps = simulation.copy(), 0
    try:
        trial.advance_steps(2)  # reads the machine code
        begin = process_time()
        while process_time() - begin < TRIED:
            trial.advance_steps(FEW)
            steps += FEW
    except (Diverged, Cancelled):
        pass
    return (process_time() - begin) / steps if steps else float("nan")


def pace_note(simulation: Simulation) -> Message | None:
    """A note on iron whose steps take longer than the time that they simulate, with panels and a step that keep pace.

    A step with n panels takes a time that grows as n^2, by its product with a matrix; with dipoles, too, their number
    says nothing about panels that keep pace.
    """
    model, scene = simulation.compiled.model, simulation.compiled.scene
    count, dipoles = int((model.iron.edge > 0.0).sum()), sum(map(len, each_of_dipoles(scene)))
    cost = seconds_per_step(simulation) if count or dipoles else 0.0
    ratio = cost / simulation.time_step
    if not ratio > 1.0:
        return None
    if dipoles and count:
        return Message(
            "{count} panels and {dipoles} dipoles of iron: a step takes {cost:.2g} ms, {ratio:.2g} times real time; a "
            "step of {longer:.2g} ms keeps pace",
            count=count,
            dipoles=dipoles,
            cost=MS * cost,
            ratio=ratio,
            longer=MS * cost,
        )
    if dipoles:
        return Message(
            "{count} dipoles of iron: a step takes {cost:.2g} ms, {ratio:.2g} times real time; a step of {longer:.2g} "
            "ms keeps pace",
            count=dipoles,
            cost=MS * cost,
            ratio=ratio,
            longer=MS * cost,
        )
    return Message(
        "{count} panels of iron: a step takes {cost:.2g} ms, {ratio:.2g} times real time; {fewer} panels keep pace, or "
        "a step of {longer:.2g} ms",
        count=count,
        cost=MS * cost,
        ratio=ratio,
        fewer=int(count / sqrt(ratio)),
        longer=MS * cost,
    )
