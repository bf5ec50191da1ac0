"""Named arrays and numbers that kernels are handed by one address, however many they are.

numba hands over a tuple value by value: each of hundreds of numbers becomes an argument of every function that the
tuple passes through, and compiling takes minutes. A table's words in memory never change, so the compiler may keep what
it has read from them.
"""

from __future__ import annotations

import hashlib
from dataclasses import fields
from functools import cached_property
from typing import Any, Self

import numpy as np
from llvmlite import ir
from numba import typeof
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, lower_getattr_generic, models, register_model, unbox

from core.jit.intrinsic import inside

WORD = ir.IntType(64)


class KernelStructType(types.Type):
    """What a kernel knows of a table: the types of its members, in their order."""

    def __init__(self, name: str, members: tuple[tuple[str, Any], ...]):
        self.members = members
        # Names of types become parts of the names of compiled functions: a long list of members is a digest there.
        super().__init__(f"{name}_{hashlib.sha256(repr(members).encode()).hexdigest()[:16]}")

    def place(self, name: str) -> tuple[int, Any]:
        """How many words stand before a member, and its type."""
        before = 0
        for member, kind in self.members:
            if member == name:
                return before, kind
            before += _size(kind)
        raise AttributeError(name)


def _size(kind: Any) -> int:
    """Words of a member: of an array its address, its shape and its strides."""
    if isinstance(kind, KernelStructType):
        return sum(_size(of_member) for _, of_member in kind.members)
    return 1 + 2 * kind.ndim if isinstance(kind, types.Array) else 1


class KernelStruct:
    """Base of frozen dataclasses of arrays, float, int and bool, and other tables."""

    @cached_property
    def members(self) -> dict[str, Any]:
        """The members by their names, in the order in which kernels find them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @cached_property
    def _numba_type_(self) -> KernelStructType:
        members = tuple((name, typeof(member)) for name, member in self.members.items())
        return KernelStructType(type(self).__name__, members)

    @cached_property
    def as_int64(self) -> np.ndarray:
        """(k,) int64: the members one after another."""
        return np.concatenate([_as_int64(member) for member in self.members.values()])

    @cached_property
    def _address(self) -> int:
        return int(self.as_int64.ctypes.data)


class ComposedStruct(KernelStruct):
    """A struct whose members are named where it is made; it does not change."""

    def __init__(self, **members: Any):
        self.__dict__.update(members, members=members)

    def __getattr__(self, name: str) -> Any:  # of what is not there: the others are found without it
        raise AttributeError(f"{type(self).__name__} has no member {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} does not change: make another one by with_members")

    def with_members(self, **changed: Any) -> Self:
        """The same struct but for some members. Raises AttributeError for names that it does not have."""
        for name in changed:
            getattr(self, name)
        return type(self)(**self.members | changed)


def _as_int64(member: Any) -> np.ndarray:
    if isinstance(member, KernelStruct):
        return member.as_int64
    if isinstance(member, np.ndarray):
        return np.array([member.ctypes.data, *member.shape, *member.strides], dtype=np.int64)
    if isinstance(member, float):
        return np.array([member]).view(np.int64)
    return np.array([member], dtype=np.int64)


@register_model(KernelStructType)
class _TableModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD.as_pointer())  # type: ignore[no-untyped-call]


@unbox(KernelStructType)
def _unboxed(kind: Any, value: Any, c: Any) -> NativeValue:
    number = c.pyapi.object_getattr_string(value, "_address")
    address = c.pyapi.long_as_longlong(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, WORD.as_pointer()), is_error=c.pyapi.c_api_error())


@infer_getattr
class _Members(AttributeTemplate):
    key = KernelStructType

    def generic_resolve(self, kind: Any, name: str) -> Any:  # type: ignore[override]
        return dict(kind.members).get(name)


@lower_getattr_generic(KernelStructType)
def _member(context: Any, builder: Any, kind: Any, table: Any, name: str) -> Any:
    before, of_member = kind.place(name)

    def word(number: int) -> Any:
        loaded = builder.load(builder.gep(table, [WORD(before + number)], inbounds=True))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    if isinstance(of_member, KernelStructType):
        return builder.gep(table, [WORD(before)], inbounds=True)
    if isinstance(of_member, types.Array):
        return array_view(context, builder, of_member, [word(k) for k in range(_size(of_member))])
    if of_member is types.boolean:
        return builder.trunc(word(0), ir.IntType(1))
    return builder.bitcast(word(0), context.get_value_type(of_member))


def aligned_zeros(count: int, behind: int = 0) -> np.ndarray:
    """(count,) float64 zeros that begin so many numbers behind a multiple of 4096 bytes.

    Eight numbers in two lines of the cache take longer than in one; and see core/spring_tiles.py of pages.
    """
    page = 512
    wider = np.zeros(count + page)
    begin = (behind - wider.ctypes.data // 8) % page
    return wider[begin : begin + count]


def array_view(context: Any, builder: Any, kind: Any, words: list[Any]) -> Any:
    """numba's own array, without an owner, from its address, shape and strides."""
    array = context.make_array(kind)(context, builder)
    shape, strides = words[1 : 1 + kind.ndim], words[1 + kind.ndim :]
    count = WORD(1)
    for length in shape:
        count = builder.mul(count, length)
    array.meminfo = cgutils.get_null_value(array.meminfo.type)
    array.parent = cgutils.get_null_value(array.parent.type)
    array.nitems = count
    array.itemsize = WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    array.data = builder.inttoptr(words[0], array.data.type)
    array.shape = cgutils.pack_array(builder, shape, ty=WORD)
    array.strides = cgutils.pack_array(builder, strides, ty=WORD)
    return array._getvalue()  # noqa: SLF001  # as all of numba does


@inside
def rows_within(context: Any, vector: Any, begin: Any, rows: Any, columns: Any) -> Any:
    """(rows, columns) view of vector[begin : begin + rows * columns].

    numba's own reshape is a call that takes longer than what is done with the rows of a small body.
    """
    kind = types.Array(types.float64, 2, "C")

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector, begin, rows, columns = arguments
        data = context.make_array(signature.args[0])(context, builder, vector).data
        place = builder.ptrtoint(builder.gep(data, [begin]), WORD)
        return array_view(context, builder, kind, [place, rows, columns, builder.mul(columns, WORD(8)), WORD(8)])

    return kind(vector, types.int64, types.int64, types.int64), lower
