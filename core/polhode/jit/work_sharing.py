"""Work sharing between two threads within a batch of steps: one publishes a task in parts, both claim parts.

The thread of the simulation publishes a task and claims parts until none is left; the helper claims parts whenever
there are any. The publisher then waits only for parts that the helper has begun. Parts must not write to each other's
numbers, so that the result is bit by bit the same with and without a helper. Waiting is active: tasks take
microseconds.

All counters are in one array of integers, `work_sharing`; a claim is one atomic operation. A round is numbered, and its
number is in the word that is claimed, so a thread that comes late cannot claim a part of another round.

    publisher                            helper
    publish_task                         loop until is_stopped: claim_part, do it, complete_part
    first_part, do it, next_part ...
    wait
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types

from polhode.jit.intrinsic import inside
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import WORD, array_view

# Tasks: forces of blocks of springs, rates of points, combination of rates in a step, check for finite values.
BLOCKS, MOVE, COMBINE, CHECK = range(4)
PARTS = 12  # number of parts of all tasks but BLOCKS

# Offsets in the array, each in its own cache line.
CLAIM, DONE, STOP, HELPERS, TASK, SIZE = 0, 8, 16, 24, 32, 48
COUNT_BITS = 20  # of the claim: round, how many parts, and the next of them
MASK = (1 << COUNT_BITS) - 1


def make_work_sharing() -> np.ndarray:
    """(SIZE,) int64 counters of two threads, all zero: no task, no helper."""
    return np.zeros(SIZE, dtype=np.int64)


def _pointer(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Pointer to array[index]."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


@inside
def read_now(context: Any, work_sharing: Any, index: Any) -> Any:
    """work_sharing[index], with the last value that the other thread has stored (sequentially consistent)."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        return builder.load_atomic(pointer, "seq_cst", 8)

    return types.int64(work_sharing, types.int64), lower


@inside
def write_now(context: Any, work_sharing: Any, index: Any, value: Any) -> Any:
    """work_sharing[index] = value, visible after all earlier writes (sequentially consistent)."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store_atomic(arguments[2], pointer, "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(work_sharing, types.int64, types.int64), lower


@inside
def count_up(context: Any, work_sharing: Any, index: Any) -> Any:
    """Atomic work_sharing[index] += 1; returns the previous value."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        return builder.atomic_rmw("add", pointer, ir.Constant(ir.IntType(64), 1), "seq_cst")

    return types.int64(work_sharing, types.int64), lower


@inside
def address(context: Any, array: Any) -> Any:
    """Address of the data of an array."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.ptrtoint(data, ir.IntType(64))

    return types.int64(array), lower


@inside
def vector_at(context: Any, address: Any, length: Any) -> Any:
    """(length,) float64 view of the data at the address `address`."""
    kind = types.Array(types.float64, 1, "C")

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, length = arguments
        return array_view(context, builder, kind, [address, length, WORD(8)])

    return kind(types.int64, types.int64), lower


@kernel
def publish_task(
    work_sharing: np.ndarray, task: int, parts: int, a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray
) -> None:
    """Publish parts 0 ... parts - 1 of a task on four vectors; they must live until `wait` returns.

    The claim word is written last: the helper then sees task and vectors.

    task: one of BLOCKS, MOVE, COMBINE and CHECK; a, b, c, d: (k,) float64.
    """
    following = (read_now(work_sharing, CLAIM) >> (2 * COUNT_BITS)) + 1
    slot = _slot(following)
    write_now(work_sharing, slot, task)
    write_now(work_sharing, slot + 1, address(a))
    write_now(work_sharing, slot + 2, address(b))
    write_now(work_sharing, slot + 3, address(c))
    write_now(work_sharing, slot + 4, address(d))
    write_now(work_sharing, DONE, 0)
    write_now(work_sharing, CLAIM, (following << (2 * COUNT_BITS)) | (parts << COUNT_BITS))


@kernel
def _slot(turn: int) -> int:
    """Offset of the task of a round; two slots are used in turn, since a late thread may still read the last one."""
    return TASK + 8 * (turn & 1)


@kernel
def claim_part(work_sharing: np.ndarray) -> tuple[int, int]:
    """Index of an unclaimed part, or -1, and the offset of its task; `work_sharing` is changed atomically."""
    word = read_now(work_sharing, CLAIM)
    if (word & MASK) >= ((word >> COUNT_BITS) & MASK):
        return -1, 0
    word = count_up(work_sharing, CLAIM)
    part = word & MASK
    if part >= ((word >> COUNT_BITS) & MASK):
        return -1, 0
    return part, _slot(word >> (2 * COUNT_BITS))


@kernel
def first_of(length: int, piece: int, pieces: int) -> int:
    """First index of a piece of an array: piece * length // pieces. An undivided array needs no division."""
    return piece * length if pieces == 1 else piece * length // pieces


@kernel
def piece_of(length: int, piece: int, pieces: int) -> slice:
    """One of `pieces` about equal slices of an array of that length."""
    return slice(first_of(length, piece, pieces), first_of(length, piece + 1, pieces))


@kernel
def first_part(work_sharing: np.ndarray) -> int:
    """For the publisher: index of a part to do, or -1."""
    return claim_part(work_sharing)[0]


@kernel
def next_part(work_sharing: np.ndarray) -> int:
    """As `first_part`, after completing a part."""
    complete_part(work_sharing)
    return claim_part(work_sharing)[0]


@kernel
def has_help(work_sharing: np.ndarray) -> bool:
    """Whether a second thread takes part."""
    return read_now(work_sharing, HELPERS) > 0


@kernel
def complete_part(work_sharing: np.ndarray) -> None:
    """Mark a claimed part as done."""
    count_up(work_sharing, DONE)


@kernel
def wait(work_sharing: np.ndarray, parts: int) -> None:
    """Wait until all parts are done; after `first_part` and `next_part` have returned -1."""
    while read_now(work_sharing, DONE) < parts:
        pass


@kernel
def is_stopped(work_sharing: np.ndarray) -> bool:
    """Whether the helper has to end."""
    return read_now(work_sharing, STOP) != 0
