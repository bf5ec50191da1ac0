"""The arrays of a compiled scene in a portable recording, from which any computer continues with the same bits.

Compiling a scene uses LAPACK, the C library and numpy, whose last bits depend on the computer. The run does not, where
its machine code is for a generic processor without fused multiply-adds. So a portable recording has the Model and the
Inputs as numbers, one member after the other, those of inner structs in their position:

    Layout     "model.bodies.mass float64 (3,)" and so on, a line for each member: path, type, shape
    Numbers    (n,) float64: the members of floats, flat, in order
    Whole      (m,) int64: the members of whole numbers and of truth values

Addresses of machine code are not in it. A reader compiles the scene as well, and takes floats from the file only where
layout and whole numbers are equal, and each array differs by less than ROUNDING: what kernels use as an index, or as a
size, is never that of a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import h5py
import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.jit.kernel_struct import ComposedStruct, KernelStruct
from polhode.recording.checks.isolated_file import REMEDY
from polhode.recording.contents import COMPILED, ROOT, CompiledArrays
from polhode.scene.message import Message, shortened
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene

ROUNDING, NOISE = 1e-6, 1e-9
"""Largest difference of a number to that of this computer: as a part of itself, and of the largest one of its array."""
PLAIN = 2**14
"""Longest array that is not compressed."""
HERE = Message("run the scene itself on this computer")


def check_portable(scene: Scene) -> None:
    """Raise InputError for a scene that is compiled again during a run, where the bits depend on the computer."""
    if scene.sensor.drive:
        rule = Message("compiles the scene again during the run, so a recording can't be portable")
        raise InputError.of(scene.title or "scene", rule, Message("remove it, or leave out --portable"), "sensor.drive")


def arrays_of(compiled: CompiledScene) -> CompiledArrays:
    """All members of the Model and of the Inputs, without addresses."""
    layout, numbers, whole = [], [np.zeros(0)], [np.zeros(0, dtype=np.int64)]
    for path, member in _members(compiled):
        array = np.asarray(member)
        layout.append(_line(path, array))
        if _is_float(array):
            numbers.append(array.ravel().astype(np.float64))
        else:
            whole.append(array.ravel().astype(np.int64))
    return CompiledArrays("\n".join(layout), np.concatenate(numbers), np.concatenate(whole))


def write_arrays(group: h5py.Group, arrays: CompiledArrays) -> None:
    """Write the arrays to an empty group of an open recording."""
    group["Layout"] = arrays.layout
    for name, numbers in (("Numbers", arrays.numbers), ("Whole", arrays.whole)):
        packed = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if len(numbers) > PLAIN else {}
        group.create_dataset(name, data=numbers, **packed)


def with_arrays(compiled: CompiledScene, stored: CompiledArrays) -> tuple[CompiledScene, list[Problem]]:
    """The compiled scene with the floats of a recording, and why these can't be used: then it is unchanged.

    Members with the same bits stay the same objects.
    """
    own = arrays_of(compiled)
    if fault := _different_layout(own, stored):
        return compiled, [fault]
    taken, faults, at = dict[str, np.ndarray](), list[Problem](), 0
    for path, member in _members(compiled):
        array = np.asarray(member)
        if not _is_float(array):
            continue
        given, at = stored.numbers[at : at + array.size].reshape(array.shape), at + array.size
        if fault := _wrong_numbers(path, array, given):
            faults.append(fault)
        elif not np.array_equal(array.astype(np.float64), given, equal_nan=True):
            taken[path] = given
    if faults:
        return compiled, faults
    model, inputs = _replaced(compiled.model, "model", taken), _replaced(compiled.inputs, "inputs", taken)
    return replace(compiled, model=model, inputs=inputs), []


def _members(compiled: CompiledScene) -> Iterator[tuple[str, Any]]:
    """Path and value of each member, without addresses."""
    yield from _of_struct(compiled.model, "model")
    yield from _of_struct(compiled.inputs, "inputs")


def _of_struct(struct: KernelStruct, path: str) -> Iterator[tuple[str, Any]]:
    for name, member in struct.members.items():
        if isinstance(member, KernelStruct):
            yield from _of_struct(member, f"{path}.{name}")
        elif name not in struct.address_members():
            yield f"{path}.{name}", member


def _line(path: str, array: np.ndarray) -> str:
    return f"{path} {array.dtype.name} {array.shape}"


def _is_float(array: np.ndarray) -> bool:
    return array.dtype.kind == "f"


def _different_layout(own: CompiledArrays, stored: CompiledArrays) -> Problem | None:
    """Why stored arrays are not those of this scene: other members, sizes or whole numbers; None if they are."""
    place = f"{ROOT}/{COMPILED}"
    if own.layout != stored.layout:
        lines = zip(own.layout.splitlines(), stored.layout.splitlines(), strict=False)
        one, other = next(((a, b) for a, b in lines if a != b), ("", ""))
        rule = Message("has '{stored}', and the scene needs '{own}' here", stored=shortened(other), own=one)
        return Problem(f"{place}/Layout", rule, HERE)
    for name in ("numbers", "whole"):
        needed, count = len(getattr(own, name)), len(getattr(stored, name))
        if needed != count:
            rule = Message("has {count} numbers, and the scene needs {needed}", count=count, needed=needed)
            return Problem(f"{place}/{name.title()}", rule, REMEDY)
    if not np.array_equal(own.whole, stored.whole):
        at = int(np.argmax(own.whole != stored.whole))
        rule = Message("is {value}, and {own} here", value=int(stored.whole[at]), own=int(own.whole[at]))
        return Problem(f"{place}/Whole[{at}]", rule, HERE)
    return None


def _wrong_numbers(path: str, own: np.ndarray, given: np.ndarray) -> Problem | None:
    """Why floats of a file can't take the place of those of this computer; None if they can.

    What is not finite, and the whole numbers among the constants of formulas, which may be indices, must be equal.
    """
    finite, is_exact = np.isfinite(own), np.full(own.shape, path.endswith(".numbers"))
    fixed = ~finite | (is_exact & (own == np.rint(own)))
    with np.errstate(all="ignore"):
        size = np.abs(own, where=finite, out=np.zeros(own.shape))
        far = np.abs(given - own) > ROUNDING * size + NOISE * size.max(initial=0.0)
        wrong = np.where(fixed, ~((given == own) | (np.isnan(given) & np.isnan(own))), far | ~np.isfinite(given))
    if not wrong.any():
        return None
    number = int(np.argmax(wrong))
    rule = Message(
        "has {value:.6g} at {number}, and this computer finds {own:.6g}",
        value=float(given.flat[number]),
        number=number,
        own=float(own.flat[number]),
    )
    return Problem(f"{ROOT}/{COMPILED}, '{path}'", rule, HERE)


def _replaced(struct: Any, path: str, taken: dict[str, np.ndarray]) -> Any:
    """The struct with the members of `taken`, by their paths; itself where none is in it."""
    changed: dict[str, Any] = {}
    for name, member in struct.members.items():
        where = f"{path}.{name}"
        if isinstance(member, KernelStruct):
            if (made := _replaced(member, where, taken)) is not member:
                changed[name] = made
        elif where in taken:
            changed[name] = _like(member, taken[where])
    if not changed:
        return struct
    return struct.with_members(**changed) if isinstance(struct, ComposedStruct) else replace(struct, **changed)


def _like(member: Any, values: np.ndarray) -> Any:
    """`values` with type, order in memory and protection of a member."""
    if not isinstance(member, np.ndarray):
        return float(values)
    made = np.empty_like(member)
    made[...] = values
    made.flags.writeable = member.flags.writeable
    return made
