"""SIMD type of eight float64 for kernels, with + - * /, sqrt and selection, so that formulas read as for scalars.

Compilers vectorise loops only where they can prove that arrays do not overlap, which costs more than a short loop. LLVM
splits eight lanes into the registers that the machine has; sums over lanes have a fixed order, so results do not depend
on that. A function on 3-tuples (core/polhode/jit/vec.py) works on three Float64x8 as well: eight vectors at once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

from polhode.jit.intrinsic import inside
from polhode.jit.kernel import kernel

WIDTH = 8
DOUBLES = ir.VectorType(ir.DoubleType(), WIDTH)
BITS = ir.VectorType(ir.IntType(1), WIDTH)
WORD = ir.IntType(64)
WHOLE = ir.VectorType(WORD, WIDTH)
NUMBER = ir.IntType(32)

# Code generation of an operation: (context, builder, signature, arguments) to an LLVM value.
Lowering = Callable[[Any, Any, Any, Any], Any]


class Float64x8(types.Type):
    """numba type of eight float64, <8 x double> in LLVM."""

    def __init__(self) -> None:
        super().__init__("Lanes")


class Bool8(types.Type):
    """numba type of a mask of eight lanes, <8 x i1> in LLVM."""

    def __init__(self) -> None:
        super().__init__("Mask")


@register_model(Float64x8)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, DOUBLES)  # type: ignore[no-untyped-call]


@register_model(Bool8)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, BITS)  # type: ignore[no-untyped-call]


LANES, MASK = Float64x8(), Bool8()


def _spread(builder: Any, value: Any, kind: Any = DOUBLES) -> Any:
    """One number in all lanes; a value that has lanes already is returned as it is."""
    if isinstance(value.type, ir.VectorType):
        return value
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, NUMBER(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(NUMBER, WIDTH), [0] * WIDTH))


def _operation(name: str, *before: Any) -> Lowering:
    """Lowering by the builder's method `name`, called with `before` and the arguments as lanes."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, name)(*before, *(_spread(builder, value) for value in arguments))

    return lower


def _root(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Lowering of sqrt of a scalar or of lanes, by the LLVM intrinsic."""
    kind = arguments[0].type
    name = "llvm.sqrt.v8f64" if kind == DOUBLES else "llvm.sqrt.f64"
    return builder.call(cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), name), arguments)


def _register(function: Any, result: Any, cases: list[Any], lower: Lowering) -> None:
    """Make `function` known to numba for each tuple of argument types in `cases`."""
    signatures = [signature(result, *case) for case in cases]
    infer_global(function)(type(f"Lanes_{function.__name__}", (ConcreteTemplate,), {"cases": signatures}))
    for case in cases:
        lower_builtin(function, *case)(lower)


_PAIRS = [(LANES, LANES), (LANES, types.float64), (types.float64, LANES)]
_ARITHMETIC = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"}
for _function, _name in _ARITHMETIC.items():
    _register(_function, LANES, _PAIRS, _operation(_name))
_register(operator.gt, MASK, _PAIRS, _operation("fcmp_ordered", ">"))
_register(operator.ne, MASK, _PAIRS, _operation("fcmp_unordered", "!="))
_register(operator.neg, LANES, [(LANES,)], _operation("fneg"))
_register(sqrt, LANES, [(LANES,)], _root)


@inside
def where(context: Any, condition: Any, one: Any, other: Any) -> Any:
    """`one` where the condition holds, else `other`; for lanes and scalars, also mixed. Both values are evaluated.

    condition: a Bool8, or a bool for all lanes.
    """
    result = LANES if condition is MASK or LANES in (one, other) else types.float64

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if signature.return_type is LANES:
            arguments = arguments[0], _spread(builder, arguments[1]), _spread(builder, arguments[2])
        return builder.select(*arguments)

    return result(condition, one, other), lower


def _refined(builder: Any, number: Any, at_zero: Any = None) -> Any:
    """1/sqrt(x) from the processor's estimate y, whose square times x is 1 - e with |e| < 2^-13.

    1/sqrt(1 - e) = 1 + e/2 + 3 e^2/8 + 5 e^3/16 + ..., and what is left out is less than 2^-53. A root that is infinite
    or zero is exact at once, and its e is nan; `at_zero` may take its place.
    """
    kind = ir.FunctionType(DOUBLES, [DOUBLES, DOUBLES, ir.IntType(8)])
    estimating = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx512.rsqrt14.pd.512")
    kind = ir.FunctionType(DOUBLES, [DOUBLES] * 3)
    joining = cgutils.get_or_insert_function(builder.module, kind, "llvm.fma.v8f64")

    def fused(a: Any, b: Any, c: Any) -> Any:
        return builder.call(joining, [a, b, c])

    def constant(value: float) -> Any:
        return ir.Constant(DOUBLES, [value] * WIDTH)

    estimate = builder.call(estimating, [number, constant(0.0), ir.IntType(8)(255)])
    left = fused(builder.fneg(builder.fmul(number, estimate)), estimate, constant(1.0))
    series = fused(fused(left, constant(5 / 16), constant(3 / 8)), left, constant(1 / 2))
    refined = fused(builder.fmul(series, left), estimate, estimate)
    return builder.select(builder.fcmp_ordered("ord", left, left), refined, at_zero or estimate)


def has_estimate(context: Any) -> bool:
    """Whether the target processor has a SIMD estimate of inverse square roots."""
    return "+avx512f" in context.codegen().magic_tuple()[2].split(",")


@inside
def inverse_root(context: Any, number: Any) -> Any:
    """1/sqrt(x) to within two units in the last place; for lanes and scalars. inf for 0, nan below.

    On AVX-512 from the processor's estimate, which is faster than a division and a root; else by these.
    """

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if number is LANES and has_estimate(context):
            return _refined(builder, arguments[0])
        root = _root(context, builder, signature, arguments)
        return builder.fdiv(ir.Constant(root.type, [1.0] * WIDTH if number is LANES else 1.0), root)

    return (LANES if number is LANES else types.float64)(number), lower


@inside
def inverse_length(context: Any, square: Any) -> Any:
    """1/sqrt(x), zero for x = 0; for lanes and scalars. For unit vectors of vectors that may be zero."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = arguments[0].type
        zero, one = (ir.Constant(kind, [x] * WIDTH if square is LANES else x) for x in (0.0, 1.0))
        if square is LANES and has_estimate(context):
            return _refined(builder, arguments[0], zero)
        inverse = builder.fdiv(one, _root(context, builder, signature, arguments))
        return builder.select(builder.fcmp_ordered(">", arguments[0], zero), inverse, zero)

    return (LANES if square is LANES else types.float64)(square), lower


@inside
def first_lanes(context: Any, count: Any) -> Any:
    """Mask of the first `count` lanes; of all lanes if `count` is at least eight, of none if it is not positive."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lane = ir.Constant(WHOLE, list(range(WIDTH)))
        return builder.icmp_signed("<", lane, _spread(builder, arguments[0], WHOLE))

    return MASK(types.int64), lower


@inside
def chosen_lanes(context: Any, bits: Any) -> Any:
    """Mask of the lanes whose bits are set; the lowest bit is the first lane."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(builder.trunc(arguments[0], ir.IntType(WIDTH)), BITS)

    return MASK(types.uint32), lower


@inside
def any_lane(context: Any, condition: Any) -> Any:
    """Whether a condition holds in any lane of a Bool8; of a scalar condition itself."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if condition is not MASK:
            return arguments[0]
        return builder.icmp_unsigned("!=", builder.bitcast(arguments[0], ir.IntType(WIDTH)), ir.IntType(WIDTH)(0))

    return types.boolean(condition), lower


@inside
def broadcast(context: Any, number: Any) -> Any:
    """A scalar in all lanes."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _spread(builder, arguments[0])

    return LANES(types.float64), lower


def _pointer(context: Any, builder: Any, kind: Any, array: Any, row: Any, i: Any) -> Any:
    """Pointer to array[row, i] as one to eight numbers."""
    view = context.make_array(kind)(context, builder, array)
    return builder.bitcast(cgutils.get_item_pointer(context, builder, kind, view, [row, i]), DOUBLES.as_pointer())


def _load(builder: Any, pointer: Any, mask: Any) -> Any:
    """Masked load; lanes that are not in the mask are zero, and their memory is not read."""
    kind = ir.FunctionType(DOUBLES, [DOUBLES.as_pointer(), NUMBER, BITS, DOUBLES])
    masked = cgutils.get_or_insert_function(builder.module, kind, "llvm.masked.load.v8f64.p0")
    return builder.call(masked, [pointer, NUMBER(8), mask, ir.Constant(DOUBLES, [0.0] * WIDTH)])


def _store(builder: Any, pointer: Any, mask: Any, value: Any) -> None:
    """Masked store; memory of lanes that are not in the mask is not written."""
    kind = ir.FunctionType(ir.VoidType(), [DOUBLES, DOUBLES.as_pointer(), NUMBER, BITS])
    masked = cgutils.get_or_insert_function(builder.module, kind, "llvm.masked.store.v8f64.p0")
    builder.call(masked, [value, pointer, NUMBER(8), mask])


def _require_rows(array: Any) -> None:
    """Refuse, at compilation, an array whose rows are not contiguous."""
    if array.layout != "C":
        raise TypingError("neighbours in a row must be neighbours in memory, too: np.ascontiguousarray")


@inside
def load(context: Any, array: Any, row: Any, i: Any, mask: Any = None) -> Any:
    """array[row, i : i + 8] in the lanes of the mask, zero in the others, which are not read. All lanes without a mask.

    array: (rows, columns) float64, contiguous rows; any alignment.
    """
    _require_rows(array)
    whole = mask is not MASK

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments[:3])
        return builder.load(pointer, align=8) if whole else _load(builder, pointer, arguments[3])

    return LANES(array, types.int64, types.int64, mask or types.none), lower


@inside
def constant(context: Any, array: Any, row: Any) -> Any:
    """Row of an array (rows, 8), or a number of an array (rows,) in all lanes: float64, contiguous; any alignment."""
    _require_rows(array)
    is_shared = array.ndim == 1

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind, (values, number) = signature.args[0], arguments
        view = context.make_array(kind)(context, builder, values)
        index = [number] if is_shared else [number, WORD(0)]
        pointer = cgutils.get_item_pointer(context, builder, kind, view, index)
        if is_shared:
            return _spread(builder, builder.load(pointer))
        return builder.load(builder.bitcast(pointer, DOUBLES.as_pointer()), align=8)

    return LANES(array, types.int64), lower


@inside
def store(context: Any, array: Any, row: Any, i: Any, mask: Any, value: Any) -> Any:
    """Write value to array[row, i : i + 8] in the lanes of the mask; all lanes if the mask is None."""
    _require_rows(array)
    whole = mask is not MASK

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments[:3])
        if whole:
            builder.store(arguments[4], pointer, align=8)
        else:
            _store(builder, pointer, *arguments[3:])
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64, mask, LANES), lower


@inside
def address_of(context: Any, array: Any, row: Any, i: Any) -> Any:
    """Address of array[row, i], opaque to the compiler.

    Otherwise it would keep the addresses of all rows in registers as fixed offsets, and run out of registers.
    """
    _require_rows(array)

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = builder.ptrtoint(_pointer(context, builder, signature.args[0], *arguments), WORD)
        return builder.asm(ir.FunctionType(WORD, [WORD]), "", "=r,0", [address], False)

    return types.int64(array, types.int64, types.int64), lower


@inside
def load_from(context: Any, address: Any) -> Any:
    """Eight float64 at an address of `address_of`."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(builder.inttoptr(arguments[0], DOUBLES.as_pointer()), align=8)

    return LANES(types.int64), lower


@inside
def store_to(context: Any, address: Any, value: Any) -> Any:
    """Write eight float64 to an address of `address_of`."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[1], builder.inttoptr(arguments[0], DOUBLES.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(types.int64, LANES), lower


def _folded(builder: Any, lanes: Any, join: Callable[[Any, Any], Any]) -> Any:
    """Reduction of all lanes to one number, by halves."""
    width = WIDTH
    while width > 1:
        width //= 2
        kind = ir.VectorType(NUMBER, width)
        low, high = ir.Constant(kind, list(range(width))), ir.Constant(kind, list(range(width, 2 * width)))
        lanes = join(builder.shuffle_vector(lanes, lanes, low), builder.shuffle_vector(lanes, lanes, high))
    return builder.extract_element(lanes, NUMBER(0))


@inside
def reduce_sum(context: Any, lanes: Any) -> Any:
    """Sum of the lanes, by halves: always the same order."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _folded(builder, arguments[0], builder.fadd)

    return types.float64(LANES), lower


@inside
def reduce_min(context: Any, lanes: Any) -> Any:
    """Smallest of the lanes."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def smaller(a: Any, b: Any) -> Any:
            return builder.select(builder.fcmp_ordered("<", a, b), a, b)

        return _folded(builder, arguments[0], smaller)

    return types.float64(LANES), lower


@kernel
def load_three(array: np.ndarray, first: int, i: int, mask: Bool8) -> tuple[Float64x8, Float64x8, Float64x8]:
    """Eight numbers from column i on of rows first, first + 1, first + 2 of `array` (rows, columns)."""
    return load(array, first, i, mask), load(array, first + 1, i, mask), load(array, first + 2, i, mask)


@kernel
def three_from(address: int, stride: int) -> tuple[Float64x8, Float64x8, Float64x8]:
    """Eight numbers at an address and at those one and two rows further on, `stride` bytes each."""
    return load_from(address), load_from(address + stride), load_from(address + 2 * stride)


@kernel
def three_to(address: int, stride: int, values: tuple[Float64x8, Float64x8, Float64x8]) -> None:
    """Write three times eight numbers to an address and to those one and two rows further on, `stride` bytes each."""
    store_to(address, values[0])
    store_to(address + stride, values[1])
    store_to(address + 2 * stride, values[2])


@kernel
def three_where(mask: Bool8, values: tuple[Float64x8, Float64x8, Float64x8]) -> tuple[Float64x8, Float64x8, Float64x8]:
    """The three values, with zero in the lanes that are not in the mask."""
    return where(mask, values[0], 0.0), where(mask, values[1], 0.0), where(mask, values[2], 0.0)
