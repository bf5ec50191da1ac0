"""A second thread that helps with many springs: the same bytes, and every part done once."""

import time
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest
from kernel_arguments import placed

from polhode.jit.work_sharing import (
    CLAIM,
    DONE,
    HELPERS,
    STOP,
    claim_part,
    complete_part,
    is_stopped,
    make_work_sharing,
    publish_task,
    read_now,
    wait,
)
from polhode.physics.points.lattice import first_of_blocks, grid, pairs, runs
from polhode.physics.points.spring_tiles import WIDTH, make_spring_work
from polhode.scene.scene_file import scene_of
from polhode.simulation.batches import helper_thread
from polhode.simulation.simulation import Simulation

PATIENCE = 60.0  # [s] for a busy machine to let the second thread begin
SHEET = {
    "name": "sheet",
    "kind": "lattice",
    "counts": [120, 60, 1],
    "spacing": [0.01, 0.01, 0.01],
    "particle_mass": 1e-3,
    "stiffness": 50.0,
    "damping": 1e-3,
    "angular_velocity": [1.0, 2.0, 3.0],
    "fixed": [0, 119],
}


def described(method: str = "rk4"):
    return scene_of({"solver": {"method": method, "time_step": 1e-4}, "soft": [SHEET]}, "")


@pytest.mark.skipif(helper_thread.cores() == 1, reason="one core has no help")
@pytest.mark.parametrize("method", ["rk4", "adams_bashforth_2"])
def test_help_changes_no_bit(method, monkeypatch):
    alone, together = Simulation(described(method)), Simulation(described(method))
    helpers: list[helper_thread.HelperThread] = []
    monkeypatch.setattr(helper_thread.HelperThread, "choose", lambda helper: helpers.append(helper) or True)
    batches, deadline = 0, time.monotonic() + PATIENCE  # the loop ends when something was shared
    while batches < 6 or (helpers[-1].work.work_sharing[CLAIM] == 0 and time.monotonic() < deadline):
        together.advance_steps(10)
        batches += 1
    assert helpers[-1].work.work_sharing[CLAIM] > 0
    monkeypatch.setattr(helper_thread.HelperThread, "choose", lambda _: False)
    alone.advance_steps(10 * batches)
    assert alone.state.tobytes() == together.state.tobytes()


@numba.njit(nogil=True)
def work_off(work_sharing, counts):
    """Every part counts itself, twice apart so that a part which two had done would show."""
    part = 0
    while part >= 0:
        part, slot = claim_part(work_sharing)
        if part >= 0:
            counts[read_now(work_sharing, slot), part] += 1
            complete_part(work_sharing)


@numba.njit(nogil=True)
def lead(work_sharing, counts, rounds, a):
    for k in range(rounds):
        parts = 1 + (7 * k) % 50
        publish_task(work_sharing, k % counts.shape[0], parts, a, a, a, a)
        work_off(work_sharing, counts)
        wait(work_sharing, parts)


@numba.njit(nogil=True)
def follow(work_sharing, counts):
    while not is_stopped(work_sharing):
        work_off(work_sharing, counts)


def test_every_part_is_done_once_however_often_it_is_shared_out():
    work_sharing, counts, a = make_work_sharing(), np.zeros((3, 50), dtype=np.int64), np.zeros(1)
    lead(work_sharing, counts, 0, a), follow.compile("(int64[::1], int64[:, ::1])")
    rounds = 30_000
    with ThreadPoolExecutor(1) as pool:
        follower = pool.submit(follow, work_sharing, counts)
        lead(work_sharing, counts, rounds, a)
        work_sharing[STOP] = 1
        follower.result()
    expected = np.zeros_like(counts)
    for k in range(rounds):
        expected[k % 3, : 1 + (7 * k) % 50] += 1
    assert (counts == expected).all()
    assert work_sharing[HELPERS] == 0
    assert work_sharing[DONE] == 1 + (7 * (rounds - 1)) % 50


def test_the_slower_way_is_left_and_tried_again():
    model, _, _, work = placed(Simulation(described()))
    help_ = helper_thread.HelperThread(model, work)
    help_.means = {True: 2.0, False: 1.0}
    assert [help_.choose() for _ in range(2 * helper_thread.AGAIN)].count(True) == 2
    help_.means = {True: 1.0, False: 2.0}
    assert [help_.choose() for _ in range(2 * helper_thread.AGAIN)].count(False) == 2


@pytest.mark.parametrize("counts", [(120, 60, 1), (10, 10, 3), (70, 70, 5), (5000, 2, 1)])
def test_groups_have_every_spring_once_and_blocks_have_their_points_for_themselves(counts):
    model = Simulation(scene_of({"soft": [SHEET | {"counts": list(counts), "fixed": []}]}, "")).compiled.model
    work, joined = make_spring_work(model.spring_rows, len(model.points.mass)), pairs(runs(grid(counts)))
    lane = np.arange(WIDTH)
    taken = work.groups[:, 3, None].astype(np.int64) >> lane & 1 == 1
    ends = np.stack([(work.groups[:, k, None].astype(np.int64) + lane)[taken] for k in (0, 1)], axis=1)
    assert sorted(ends.tolist()) == sorted(joined.tolist())
    for block, (low, stop, high) in enumerate(work.reach):
        groups = slice(work.block[block], work.block[block + 1])
        here = np.repeat(np.arange(len(work.groups)), taken.sum(axis=1))
        first, second = ends[(groups.start <= here) & (here < groups.stop)].T
        assert low <= first.min() <= first.max() < stop
        assert low <= second.min() <= second.max() < high
        assert high - low <= work.length
    low, stop, high = work.reach.T
    assert (stop[:-1] <= low[1:]).all()
    assert (high[:-2] <= low[2:]).all()


@pytest.mark.parametrize("counts", [(120, 60, 1), (10, 10, 3), (70, 70, 5), (5000, 2, 1)])
def test_blocks_that_run_at_once_have_no_point_in_common(counts):
    every = runs(grid(counts))
    block = np.zeros(len(every), dtype=int)
    block[first_of_blocks(every, np.ones((len(every), 2)))[1:]] = 1
    of_spring = np.repeat(np.cumsum(block), every[:, 2])
    first, second = pairs(every).T
    for ends, apart in ((first, 1), (second, 2)):
        owners = [set(ends[of_spring % apart == parity].tolist()) for parity in range(apart)]
        for parity in range(apart):
            numbers = np.unique(np.column_stack([ends, of_spring])[of_spring % apart == parity], axis=0)[:, 0]
            assert len(numbers) == len(owners[parity])  # each point belongs to one block
