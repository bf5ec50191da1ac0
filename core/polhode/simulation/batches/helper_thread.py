"""A second thread for scenes with many springs, used while it makes steps faster.

It lives for one batch of steps: it is started before the compiled call, claims parts of the tasks that the simulating
thread publishes (core/polhode/jit/work_sharing.py), and ends when the call returns. Results are bit by bit the same
with and without it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.rates import combine_some, count_nonfinite
from polhode.jit.kernel import kernel, view
from polhode.jit.work_sharing import (
    BLOCKS,
    CHECK,
    COMBINE,
    HELPERS,
    MOVE,
    PARTS,
    STOP,
    claim_part,
    complete_part,
    count_up,
    is_stopped,
    piece_of,
    read_now,
    vector_at,
)
from polhode.physics.points.arrays import point_rows
from polhode.physics.points.placement import move_some
from polhode.physics.points.springs import add_block
from polhode.process.cores import cores

MANY = 20_000  # springs of soft bodies from which sharing a step's work may pay
AGAIN = 16  # batches after which the slower choice is measured again
FORGET = 0.3  # weight of the newest batch in the mean time of a step


@kernel
def worker_loop(model: Model, inputs: Inputs, work: Work) -> None:
    """Loop of the second thread during a batch: claim parts and do them, until the flag STOP is set.

    Compiled without the interpreter lock. It writes only to the parts that it has claimed.
    """
    count_up(work.work_sharing, HELPERS)
    while not is_stopped(work.work_sharing):
        part, slot = claim_part(work.work_sharing)
        if part >= 0:
            do_part(model, inputs, work, slot, part)
            complete_part(work.work_sharing)


@view
def vector(model: Model, work: Work, slot: int) -> np.ndarray:
    """(k,) view of an argument of the current task, whose address is at `slot`."""
    return vector_at(read_now(work.work_sharing, slot), len(model.is_momentum))


@kernel
def do_part(model: Model, inputs: Inputs, work: Work, slot: int, part: int) -> None:
    """Do part `part` of the task whose number and arguments begin at `slot` of `work.work_sharing`."""
    task, a, b = read_now(work.work_sharing, slot), vector(model, work, slot + 1), vector(model, work, slot + 2)
    if task == BLOCKS:
        add_block(model.spring_rows, point_rows(model.points, a), work.points, work.springs, part, 1)
    elif task == MOVE:
        move_some(model.points, inputs.held, a, work.points, b, part % 3, part // 3, PARTS // 3)
    elif task == COMBINE:
        combine_some(a, b, vector(model, work, slot + 3), work, vector(model, work, slot + 4), part, PARTS)
    elif task == CHECK:
        work.nonfinite_counts[part] = count_nonfinite(a[piece_of(len(a), part, PARTS)])


class HelperThread:
    """Decides for each batch whether a second thread helps, by measured times per step.

    A core that other programs use as well does not help: a part claimed there delays the publisher. Scenes with fewer
    than MANY springs of soft bodies never get help. Used by the simulating thread only.
    """

    def __init__(self, model: Model, work: Work):
        self.work = work
        self._wanted = model.spring_rows.count.sum() >= MANY
        self.means: dict[bool, float] = {}  # [s] wall time of a step, with help and without
        self._batches = 0
        self._last: bool | None = None  # whether the last batch had help

    @contextmanager
    def __call__(self, steps: int, model: Model, inputs: Inputs) -> Iterator[None]:
        """Help with a batch of `steps` steps within the `with` block; the thread has ended when the block is left."""
        if not self._wanted or steps == 0 or cores() == 1:
            yield
            return
        helped = self.choose()
        work_sharing, start = self.work.work_sharing, time.perf_counter()
        work_sharing[STOP] = work_sharing[HELPERS] = 0
        helper = Thread(target=worker_loop, args=(model, inputs, self.work), name="helper")
        if helped:
            helper.start()
        try:
            yield
        finally:
            work_sharing[STOP] = 1
            if helped:
                helper.join()
            work_sharing[HELPERS] = 0
        if self._batches > 1:  # in the first one, memory is touched for the first time
            self._note(helped, (time.perf_counter() - start) / steps)

    def _note(self, helped: bool, spent: float) -> None:
        """Add the measured time [s] of a step; the mean of a choice that the last batch did not make is replaced."""
        forget = FORGET if helped == self._last else 1.0
        self.means[helped] = (1 - forget) * self.means.get(helped, spent) + forget * spent
        self._last = helped

    def choose(self) -> bool:
        """Whether the next batch has help: the faster choice, and in every AGAIN-th batch the other one.

        The first batch has none, and then each is measured once.
        """
        self._batches += 1
        if self._batches == 1:
            return False
        if len(self.means) < 2:
            return True not in self.means
        faster = self.means[True] < self.means[False]
        return faster != (self._batches % AGAIN == 0)
