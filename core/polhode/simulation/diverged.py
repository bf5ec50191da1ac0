"""The errors of a run that ends before its time: the next state is not finite, or the batch was cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polhode.engine.compile import item_of
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Work
from polhode.engine.rates import LARGEST
from polhode.physics.conductors.coupled.indefinite import REMEDY, Coupled, coupled_currents
from polhode.physics.magnets.closest_dipoles import CloseDipoles, closest_dipoles
from polhode.physics.plates.validity import plate_met
from polhode.scene.message import Message

if TYPE_CHECKING:
    from polhode.analysis.table.run import Run


class Diverged(Exception):
    """The next state is NaN, infinite or beyond 1e100, or the implicit solve failed.

    The simulation keeps the last good state; its energies are finite, too.


    part: name of the scene item that is not finite
    time: [s] of the last good state
    time_step: [s]
    met: the two closest dipoles; named as the cause if one of them belongs to `part`
    touched: the plate that a magnet of `part` has run into, if that is the cause
    coupled: two items whose inductances are not positive definite, if that is the cause
    solves: whether the method solves equations, which may also fail with finite numbers
    run: the rows up to then, where Simulation.run raised it; else None

        from polhode import Diverged, Simulation, read_scene

        try:
            Simulation(read_scene("scenes/heavy_top.toml")).advance(1.0)
        except Diverged as error:
            print(error, error.part, error.time)
    """

    def __init__(
        self,
        part: str,
        time: float,
        time_step: float,
        met: CloseDipoles | None = None,
        solves: bool = False,
        touched: str = "",
        coupled: Coupled | None = None,
    ):
        self.part = part  # name of the scene item that is not finite
        self.time = time  # [s] of the last good state
        self.run: Run | None = None
        if coupled is not None:
            rule = Message(
                "'{one}' and '{other}' stopped at t = {time:.6g} s: their inductances are not positive definite, as "
                "their coupling is {value:.3g}, more than 1",
                one=coupled.first,
                other=coupled.second,
                time=time,
                value=coupled.coupling,
            )
            remedy = REMEDY
        elif touched:
            rule = Message(
                "'{part}' stopped at t = {time:.6g} s: its magnet has run into the plate '{plate}'",
                part=part,
                time=time,
                plate=touched,
            )
            remedy = Message("put a wall on the plate, or use a smaller time step than {step:g} s", step=time_step)
        elif met is not None and part in (met.first, met.second):
            rule = Message(
                "'{one}' and '{other}' diverged at t = {time:.6g} s: their magnets are {distance:.3g} m apart, "
                "less than the size of the bodies",
                one=met.first,
                other=met.second,
                time=time,
                distance=met.distance,
            )
            remedy = Message("use a smaller time step than {step:g} s, or keep magnets farther apart", step=time_step)
        else:
            rule = _not_found(part, time) if solves else _not_finite(part, time)
            remedy = Message("use a smaller time step than {step:g} s", step=time_step)
        super().__init__(Message("{rule}; {remedy}", rule=rule, remedy=remedy))


class DataEnded(Diverged):
    """The measured data of an input end here, and the scene does not hold their last value.

    `part` is the place of the input in the scene, and the state is the last one with data.
    """

    def __init__(self, time: float, place: str, time_step: float):
        """time: [s] at which they end; place: of the input in the scene; time_step: [s]"""
        super().__init__(place, time, time_step)
        rule = Message("the data of {place} end at t = {time:.6g} s", place=place, time=time)
        remedy = Message('run no further, or hold their last value: outside = "hold"')
        self.args = (Message("{rule}; {remedy}", rule=rule, remedy=remedy),)


class Cancelled(Exception):
    """A batch of steps was cancelled by `cancel`. The simulation keeps the state of the last whole step."""


def _not_finite(part: str, time: float) -> Message:
    """The rule for explicit methods."""
    return Message("'{part}' diverged at t = {time:.6g} s: the next state is not finite", part=part, time=time)


def _not_found(part: str, time: float) -> Message:
    """An implicit method also ends where it finds no next state."""
    return Message(
        "'{part}' diverged at t = {time:.6g} s: the next state is not finite, or not found", part=part, time=time
    )


def nonfinite_part(compiled: CompiledScene, stage: np.ndarray) -> str:
    """Name of the first scene item whose next state, in `stage` (k,), is not finite, or beyond LARGEST.

    If only the ledger is, the item with the largest component: the ledger holds squares of the motion, which
    overflow first.
    """
    found = np.abs(stage) <= LARGEST
    ledger = compiled.model.ledger
    if found[:ledger].all():  # the ledger holds squares of the motion, which overflow first
        return item_of(compiled, int(np.abs(stage[:ledger]).argmax()))
    return item_of(compiled, int(found.argmin()))


def diverged(compiled: CompiledScene, work: Work, time: float, time_step: float, method: str) -> Diverged:
    """The error for the next state in `work.stage`; `work` is placed at `time` [s], the last finite state.

    time_step: [s] of the step that failed; method: name of the integration method
    """
    part, met = nonfinite_part(compiled, work.stage), closest_dipoles(compiled, work.dipoles.position)
    touched = plate_met(compiled, part, work, time_step)
    coupled = coupled_currents(compiled, work)
    return Diverged(part, time, time_step, met, method == "implicit", touched, coupled)
