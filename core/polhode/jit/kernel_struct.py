"""Structs of arrays and numbers that are passed to kernels by address.

numba passes a tuple by value: hundreds of members become arguments of every function on the way, and compiling takes
minutes. A struct is one pointer to 64-bit words instead, in the order of its members:

    float, int, bool       one word
    array of d dimensions  1 + 2 d words: address of the data, shape, strides in bytes
    struct                 its words

The memory of a struct never changes, so loads from it are marked invariant, and the compiler may keep what it has read.
The data of arrays does change. The caller keeps a struct alive: kernels count no references.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import FrozenInstanceError, dataclass, fields
from functools import cache, cached_property
from inspect import get_annotations
from itertools import accumulate
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, Self, dataclass_transform

import numpy as np
from llvmlite import ir
from numba import typeof
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, lower_getattr_generic, models, register_model, unbox
from numba.np.numpy_support import from_dtype, map_layout

from polhode.jit.intrinsic import inside

WORD = ir.IntType(64)

Address = int
"""Annotation of a member that is the address of machine code; 0: there is none.

Such a number is valid in one process only: what stores structs finds these members by their annotation.
"""
Addresses = np.ndarray
"""Annotation of a member (n,) int64 of such addresses."""


class KernelStructType(types.Type):
    """numba type of a struct: the types of its members in order.

    Two structs of equal members and name have one type.
    """

    def __init__(self, name: str, members: tuple[tuple[str, Any], ...]):
        self.members = members
        # Names of types become parts of the names of compiled functions: a long list of members is a digest there.
        super().__init__(f"{name}_{hashlib.sha256(repr(members).encode()).hexdigest()[:16]}")


@cache
def slots(kind: KernelStructType) -> dict[str, tuple[int, Any]]:
    """Offset in 8-byte words and numba type of each member of a struct."""
    begins = accumulate((_size(of_member) for _, of_member in kind.members), initial=0)
    return {name: (begin, of_member) for (name, of_member), begin in zip(kind.members, begins, strict=False)}


def _size(kind: Any) -> int:
    """Number of words of a member; of an array its address, shape and strides."""
    if isinstance(kind, KernelStructType):
        return sum(_size(of_member) for _, of_member in kind.members)
    return 1 + 2 * kind.ndim if isinstance(kind, types.Array) else 1


@dataclass_transform(eq_default=False, frozen_default=True)
class KernelStruct:
    """Base of structs: each class that derives from it is a dataclass whose members can't be assigned.

    Members are arrays, float, int, bool and other structs. They must not be replaced: their addresses are read once.
    Kernels write into the arrays only.
    """

    def __init_subclass__(cls, is_composed: bool = False) -> None:
        if not is_composed:  # methods that are compiled for each class would take a tenth of a program's start
            dataclass(init=False, repr=False, eq=False)(cls)

    if not TYPE_CHECKING:  # type checkers derive the parameters from the members

        def __init__(self, *values: Any, **named: Any):
            """Make a struct from its members in order or by name. Raises TypeError unless each has one value."""
            names = self.__match_args__
            members = dict(zip(names, values, strict=False)) | named
            if len(members) < len(names):
                kind = type(self)
                members = {name: getattr(kind, name) for name in names if hasattr(kind, name)} | members
            if len(values) > len(names) or members.keys() != set(names) or named.keys() & set(names[: len(values)]):
                raise TypeError(f"{type(self).__name__} takes {', '.join(names)}, each once")
            self.__dict__.update(members)

        def __setattr__(self, name: str, value: Any) -> None:
            raise FrozenInstanceError(f"{type(self).__name__} does not change")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.members.items())})"

    @cached_property
    def members(self) -> dict[str, Any]:
        """Members by name, in order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def address_members(cls) -> frozenset[str]:
        """Names of the members that are addresses of machine code."""
        return frozenset(name for name, kind in get_annotations(cls).items() if kind in ("Address", "Addresses"))

    @cached_property
    def _numba_type_(self) -> KernelStructType:
        """The attribute by which numba's `typeof` finds the type of a value."""
        key = type(self).__name__, tuple((name, _kind(member)) for name, member in self.members.items())
        if key not in _TYPES:
            _TYPES[key] = KernelStructType(key[0], tuple((name, _type(each)) for name, each in self.members.items()))
        return _TYPES[key]

    @cached_property
    def as_int64(self) -> np.ndarray:
        """(k,) int64 memory of the struct; floats by their bits."""
        return np.array([word for member in self.members.values() for word in _words(member)], dtype=np.int64)

    @cached_property
    def _address(self) -> int:
        """Address of that memory, as a kernel gets it."""
        return int(self.as_int64.ctypes.data)


class ComposedStruct(KernelStruct, is_composed=True):
    """An immutable struct whose members are named at construction."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__(is_composed=True)

    def __init__(self, **members: Any):
        self.__dict__.update(members, members=members)

    def __getattr__(self, name: str) -> Any:  # of what is not there: the others are found without it
        raise AttributeError(f"{type(self).__name__} has no member {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} does not change: make another one by with_members")

    def with_members(self, **changed: Any) -> Self:
        """A copy with some members replaced. Raises AttributeError for unknown names."""
        same = all(_kind(getattr(self, name)) == _kind(value) for name, value in changed.items())
        made = type(self)(**self.members | changed)
        if same:  # of a short run, finding types and addresses again would take a third of the time
            kind, words = self._numba_type_, self.as_int64.copy()
            for name, value in changed.items():
                before, _ = slots(kind)[name]
                new = [*_words(value)]
                words[before : before + len(new)] = new
            made.__dict__.update(_numba_type_=kind, as_int64=words)
        return made


def _words(member: Any) -> Iterable[int]:
    """64-bit words of one member."""
    if isinstance(member, KernelStruct):
        return member.as_int64.tolist()
    if isinstance(member, np.ndarray):
        return member.__array_interface__["data"][0], *member.shape, *member.strides
    return unpack("q", pack("d", member)) if isinstance(member, float) else (int(member),)


_TYPES: dict[tuple[str, tuple[tuple[str, Any], ...]], KernelStructType] = {}
"""Types of structs by their names and the kinds of their members: numba's `typeof` takes most of a short run's time."""


def _type(member: Any) -> Any:
    """numba type of a member; numba's `typeof` would search the bases of its class, and import masked arrays."""
    if isinstance(member, KernelStruct):
        return member._numba_type_
    if isinstance(member, np.ndarray):
        return types.Array(from_dtype(member.dtype), member.ndim, map_layout(member), not member.flags.writeable)
    return typeof(member)


def _kind(member: Any) -> Any:
    """The properties of a member that determine its numba type."""
    if isinstance(member, np.ndarray):
        return member.dtype, member.ndim, member.flags.num
    if isinstance(member, KernelStruct):
        return member._numba_type_
    return type(member)


@register_model(KernelStructType)
class _TableModel(models.PrimitiveModel):
    """LLVM type of a struct: a pointer to 64-bit integers."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD.as_pointer())  # type: ignore[no-untyped-call]


@unbox(KernelStructType)
def _unboxed(kind: Any, value: Any, c: Any) -> NativeValue:
    """Conversion of an argument from Python: the attribute `_address` as a pointer."""
    number = c.pyapi.object_getattr_string(value, "_address")
    address = c.pyapi.long_as_longlong(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, WORD.as_pointer()), is_error=c.pyapi.c_api_error())


@infer_getattr
class _Members(AttributeTemplate):
    """Type inference of struct.member."""

    key = KernelStructType

    def generic_resolve(self, kind: Any, name: str) -> Any:  # type: ignore[override]
        return dict(kind.members).get(name)


@lower_getattr_generic(KernelStructType)
def _member(context: Any, builder: Any, kind: Any, table: Any, name: str) -> Any:
    """Lowering of struct.member: the pointer to a struct within, an array from its words, or a number."""
    before, of_member = slots(kind)[name]

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


def array_view(context: Any, builder: Any, kind: Any, words: list[Any]) -> Any:
    """A numba array that owns no memory, from its address, shape and strides (`words`, 64-bit LLVM values).

    Assumed of numba: the members of its array structure: meminfo, parent, nitems, itemsize, data, shape, strides.
    """
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
    """(rows, columns) view of vector[begin : begin + rows * columns], a contiguous float64 vector (k,).

    Nothing is checked.

    numba's reshape is a call that takes longer than the work on a small body.
    """
    kind = types.Array(types.float64, 2, "C")

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector, begin, rows, columns = arguments
        data = context.make_array(signature.args[0])(context, builder, vector).data
        address = builder.ptrtoint(builder.gep(data, [begin]), WORD)
        return array_view(context, builder, kind, [address, rows, columns, builder.mul(columns, WORD(8)), WORD(8)])

    return kind(vector, types.int64, types.int64, types.int64), lower
