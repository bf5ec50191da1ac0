"""Rows x, y, z of (n, 3) arrays as SIMD lanes, eight rows at a time, and rotation of lanes.

Eight rows are 24 contiguous numbers: they are loaded together and permuted in registers.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError

from polhode.jit.intrinsic import inside
from polhode.jit.kernel import kernel
from polhode.jit.simd import BITS, DOUBLES, LANES, NUMBER, WHOLE, WIDTH, Float64x8, reduce_sum


def _thirds(builder: Any, count: Any) -> list[Any]:
    """Masks of the first, second and third eight of the 3 `count` numbers of rows x, y, z."""
    one = builder.insert_element(ir.Constant(WHOLE, ir.Undefined), builder.mul(count, count.type(3)), NUMBER(0))
    numbers = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(NUMBER, WIDTH), [0] * WIDTH))
    indices = [ir.Constant(WHOLE, list(range(WIDTH * k, WIDTH * (k + 1)))) for k in range(3)]
    return [builder.icmp_signed("<", index, numbers) for index in indices]


def _picked(builder: Any, parts: list[Any], indices: list[int]) -> Any:
    """Eight of the 24 numbers in `parts`, by their indices `indices`."""
    two = [index if index < 2 * WIDTH else 0 for index in indices]
    all_three = [k if index < 2 * WIDTH else index - WIDTH for k, index in enumerate(indices)]
    lanes = ir.VectorType(NUMBER, WIDTH)
    joined = builder.shuffle_vector(parts[0], parts[1], ir.Constant(lanes, two))
    return builder.shuffle_vector(joined, parts[2], ir.Constant(lanes, all_three))


def _pointers(context: Any, builder: Any, kind: Any, array: Any, i: Any) -> list[Any]:
    """Pointers to the first, second and third eight numbers of the rows from i on."""
    view = context.make_array(kind)(context, builder, array)
    number = cgutils.get_item_pointer(context, builder, kind, view, [i, i.type(0)])
    first = builder.bitcast(number, DOUBLES.as_pointer())
    return [builder.gep(first, [NUMBER(k)]) for k in range(3)]


def _require_rows(array: Any) -> None:
    """Refuse, at compilation, an array whose rows are not contiguous."""
    if array.layout != "C":
        raise TypingError("rows must be contiguous in memory: np.ascontiguousarray")


@inside
def load_rows(context: Any, array: Any, i: Any, count: Any) -> Any:
    """Rows i to i + count - 1 of an (n, 3) array, at most eight, as lanes of x, y and z; zero in the other lanes."""
    _require_rows(array)

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(DOUBLES, [DOUBLES.as_pointer(), NUMBER, BITS, DOUBLES])
        masked = cgutils.get_or_insert_function(builder.module, kind, "llvm.masked.load.v8f64.p0")
        pointers = _pointers(context, builder, signature.args[0], arguments[0], arguments[1])
        nothing, masks = ir.Constant(DOUBLES, [0.0] * WIDTH), _thirds(builder, arguments[2])
        parts = [
            builder.call(masked, [pointer, NUMBER(8), mask, nothing])
            for pointer, mask in zip(pointers, masks, strict=True)
        ]
        lanes = [_picked(builder, parts, list(range(axis, 3 * WIDTH, 3))) for axis in range(3)]
        return context.make_tuple(builder, signature.return_type, lanes)

    return types.UniTuple(LANES, 3)(array, types.int64, types.int64), lower


@inside
def store_rows(context: Any, array: Any, i: Any, count: Any, values: Any) -> Any:
    """Write the first `count` lanes, at most eight, of x, y, z into the rows of an (n, 3) array from i on."""
    _require_rows(array)

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [DOUBLES, DOUBLES.as_pointer(), NUMBER, BITS])
        masked = cgutils.get_or_insert_function(builder.module, kind, "llvm.masked.store.v8f64.p0")
        pointers = _pointers(context, builder, signature.args[0], arguments[0], arguments[1])
        lanes = [builder.extract_value(arguments[3], axis) for axis in range(3)]
        for k, mask in enumerate(_thirds(builder, arguments[2])):
            numbers = range(WIDTH * k, WIDTH * (k + 1))
            part = _picked(builder, lanes, [number % 3 * WIDTH + number // 3 for number in numbers])
            builder.call(masked, [part, pointers[k], NUMBER(8), mask])
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64, types.UniTuple(LANES, 3)), lower


@inside
def turned(context: Any, lanes: Any) -> Any:
    """Lanes rotated by one: each gets the next lane's number, the last one the first's."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        order = ir.Constant(ir.VectorType(NUMBER, WIDTH), [(k + 1) % WIDTH for k in range(WIDTH)])
        return builder.shuffle_vector(arguments[0], arguments[0], order)

    return LANES(LANES), lower


@kernel
def turned_three(values: tuple[Float64x8, Float64x8, Float64x8]) -> tuple[Float64x8, Float64x8, Float64x8]:
    """Each of the three values rotated by one lane, as by `turned`."""
    return turned(values[0]), turned(values[1]), turned(values[2])


@kernel
def total_three(values: tuple[Float64x8, Float64x8, Float64x8]) -> tuple[float, float, float]:
    """Sums of the lanes of the three values."""
    return reduce_sum(values[0]), reduce_sum(values[1]), reduce_sum(values[2])
